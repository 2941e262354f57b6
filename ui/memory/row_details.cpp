// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/row_details.h"

#include "ui/memory/formula_view.h"
#include "ui/memory/handout_note.h"
#include "ui/memory/memory_text.h"
#include "ui/memory/terms_bar.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/eliding_label.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/message_bar.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace kvlab::ui {

RowDetails::RowDetails(MemoryTableModel *model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 12);
    column->setSpacing(8);
    setupTitle();
    m_formula = new FormulaView(this);
    setupFacts();
    m_message = new MessageBar(this);
    setupRepair();
    setupNote();
    const QList<QWidget *> parts{
        m_titleRow, m_formula, m_terms, m_budget, m_comparison, m_source, m_message, m_repair, m_note};
    for (QWidget *part : parts)
        column->addWidget(part);
    column->addStretch();
    retranslate();
}

void RowDetails::setupTitle()
{
    m_titleRow = new QWidget(this);
    m_title = new ElidingLabel({}, m_titleRow);
    m_title->setObjectName(QStringLiteral("rowTitle"));
    m_copy = new QToolButton(m_titleRow);
    m_copy->setAutoRaise(true);
    m_copy->setIcon(icon(QStringLiteral("copy")));
    m_copy->setObjectName(QStringLiteral("copyFormula"));
    auto *row = new QHBoxLayout(m_titleRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_title, 1);
    row->addWidget(m_copy);
    connect(m_copy, &QToolButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m_title->fullText() + QLatin1Char('\n') + m_formula->text()); });
}

void RowDetails::setupFacts()
{
    m_terms = new TermsBar(this);
    for (QLabel **label : {&m_budget, &m_comparison, &m_source}) {
        *label = new QLabel(this);
        (*label)->setWordWrap(true);
        (*label)->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_budget->setObjectName(QStringLiteral("rowBudget"));
    m_comparison->setObjectName(QStringLiteral("rowComparison"));
    m_source->setObjectName(QStringLiteral("rowSource"));
    setKind(m_source, "secondary");
}

void RowDetails::setupRepair()
{
    m_repair = new QWidget(this);
    m_edit = new QPushButton(m_repair);
    m_edit->setObjectName(QStringLiteral("editCell"));
    m_back = new QPushButton(m_repair);
    m_back->setObjectName(QStringLiteral("restoreCell"));
    auto *row = new QHBoxLayout(m_repair);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_edit);
    row->addWidget(m_back);
    row->addStretch();
    connect(m_edit, &QPushButton::clicked, this, [this] {
        const std::optional<MemoryColumn> column = m_model->problemColumn(*m_row);
        Q_EMIT editRequested(m_model->cell(*m_row, column.value_or(MemoryColumn::model)));
    });
    connect(m_back, &QPushButton::clicked, this, [this] {
        if (const std::optional<MemoryColumn> column = m_model->problemColumn(*m_row))
            m_model->restoreCell(*m_row, *column);
    });
}

void RowDetails::setupNote()
{
    m_note = new HandoutNote(this);
    connect(m_note, &HandoutNote::showRowsRequested, this, [this] {
        Q_EMIT rowsRequested(m_model->rowsOf(HandoutNote::rightModel()) + m_model->rowsOf(HandoutNote::handoutModel()));
    });
}

QSize RowDetails::minimumSizeHint() const
{
    return {layout()->minimumSize().width(), 0};
}

void RowDetails::setRow(std::optional<int> row, const QList<int> &chosen)
{
    m_row = row;
    m_chosen = chosen;
    refresh();
}

void RowDetails::refresh()
{
    if (m_row && *m_row >= m_model->rowCount())
        m_row.reset();
    const bool number = m_row && m_model->hasNumber(*m_row);
    m_titleRow->setVisible(m_row.has_value());
    m_copy->setVisible(number);
    for (QWidget *part : {static_cast<QWidget *>(m_formula), static_cast<QWidget *>(m_terms),
             static_cast<QWidget *>(m_budget), static_cast<QWidget *>(m_source)})
        part->setVisible(number);
    m_repair->setVisible(m_row && !number);
    if (m_row)
        m_title->setFullText(tr("Row %1 · %2", "%2 is the model")
                                 .arg(MemoryText::count(*m_row + 1), m_model->editableRow(*m_row).row.model));
    if (number)
        showNumber();
    else if (m_row)
        showRefusal();
    else
        m_message->hide();
    showComparison();
    showNote();
}

void RowDetails::showNumber()
{
    m_message->hide();
    const std::optional<memory::MemoryResult> result = m_model->result(*m_row);
    if (!result)
        return;
    const memory::ModelSpec &model = *m_model->modelOf(*m_row);
    m_formula->setFormula(MemoryText::formula(*result, m_model->unit(), model.field_sources));
    m_terms->setResult(*result);
    m_terms->setVisible(result->terms.size() > 1);
    const std::optional<RowBudget> budget = m_model->budget(*m_row);
    m_budget->setVisible(budget.has_value());
    if (budget)
        m_budget->setText(
            RowBudgets::explanation(*budget, model, m_model->editableRow(*m_row).row, *m_model->machine()));
    m_source->setText(sourceText());
}

/// Where the model's numbers come from.
QString RowDetails::sourceText() const
{
    const memory::ModelSpec &model = *m_model->modelOf(*m_row);
    const QString sources = model.sources.join(QStringLiteral("; "));
    return sources.isEmpty() ? QString() : tr("The model's numbers come from: %1").arg(sources);
}

void RowDetails::showComparison()
{
    const bool two = m_chosen.size() == 2 && m_chosen.last() < m_model->rowCount()
        && m_model->hasNumber(m_chosen.first()) && m_model->hasNumber(m_chosen.last());
    m_comparison->setVisible(two);
    if (two)
        m_comparison->setText(m_model->comparison(m_chosen.first(), m_chosen.last()));
}

void RowDetails::showRefusal()
{
    const std::optional<MemoryColumn> column = m_model->problemColumn(*m_row);
    m_message->showMessage(column ? MessageKind::error : MessageKind::warning, m_model->refusal(*m_row));
    m_edit->setText(column ? tr("Edit cell  F2") : tr("Choose another model"));
    const QString good = column ? m_model->restorableText(*m_row, *column) : QString();
    m_back->setVisible(!good.isEmpty());
    m_back->setText(tr("Back to %1", "the value that the cell had before").arg(good));
}

void RowDetails::showNote()
{
    const QList<int> right = m_model->rowsOf(HandoutNote::rightModel());
    const QList<int> handout = m_model->rowsOf(HandoutNote::handoutModel());
    const bool wanted = m_row ? right.contains(*m_row) || handout.contains(*m_row) : m_model->isHandoutGrid();
    m_note->setVisible(wanted);
    if (wanted)
        m_note->setRows(right, handout, m_row ? m_model->editableRow(*m_row).row.kv_dtype : memory::CacheFormat::bf16);
}

void RowDetails::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::StyleChange)
        retranslate();
    QWidget::changeEvent(event);
}

void RowDetails::retranslate()
{
    if (m_title->font() != titleFont())
        m_title->setFont(titleFont());
    const int iconSide = qRound(16 * currentZoom());
    m_copy->setIconSize({iconSide, iconSide});
    m_copy->setToolTip(tr("Copy the formula"));
    m_copy->setAccessibleName(tr("Copy the formula"));
    refresh();
}

void RowDetails::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), tokens().alt);
    painter.fillRect(QRect(0, 0, width(), 1), tokens().line);
}

} // namespace kvlab::ui
