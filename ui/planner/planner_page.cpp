// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_page.h"

#include "ui/planner/answer_cards.h"
#include "ui/planner/budget_bar.h"
#include "ui/planner/heat_map.h"
#include "ui/planner/planner_text.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/text_color.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

namespace kvlab::ui {

namespace {

QScrollArea *newArea(QWidget *content, QWidget *parent)
{
    auto *area = new QScrollArea(parent);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    area->setWidget(content);
    return area;
}

} // namespace

PlannerPage::PlannerPage(QWidget *parent)
    : QWidget(parent)
{
    setupLeft();
    setupRight();
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_leftArea);
    row->addWidget(m_rightArea, 1);
    retranslate();
    updateMetrics();
    compute();
}

void PlannerPage::setupLeft()
{
    auto *left = new QWidget(this);
    m_form = new PlannerForm(left);
    m_addButton = new QPushButton(left);
    m_addButton->setObjectName(QStringLiteral("plannerAddRow"));
    m_addButton->setIcon(icon(QStringLiteral("plus")));
    m_copyButton = new QPushButton(left);
    m_copyButton->setObjectName(QStringLiteral("plannerCopy"));
    m_copyButton->setIcon(icon(QStringLiteral("copy")));
    m_note = new QLabel(left);
    m_note->setObjectName(QStringLiteral("plannerNote"));
    m_note->setWordWrap(true);
    m_note->setContentsMargins(14, 4, 16, 10);
    setKind(m_note, "secondary");
    auto *buttons = new QHBoxLayout;
    buttons->setContentsMargins(14, 0, 16, 0);
    buttons->setSpacing(8);
    buttons->addWidget(m_addButton);
    buttons->addWidget(m_copyButton);
    buttons->addStretch(1);
    auto *column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_form);
    column->addLayout(buttons);
    column->addStretch(1);
    column->addWidget(m_note);
    m_leftArea = newArea(left, this);
    connect(m_form, &PlannerForm::edited, this, [this] {
        compute();
        Q_EMIT settingsChanged();
    });
    connect(m_addButton, &QPushButton::clicked, this, [this] {
        Q_EMIT addRowRequested({m_answered.model, m_answered.seq_len, m_answered.batch, m_answered.kv_dtype});
    });
    connect(m_copyButton, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(resultText()); });
}

void PlannerPage::setupRight()
{
    auto *right = new QWidget(this);
    right->setObjectName(QStringLiteral("plannerResult"));
    right->setBackgroundRole(QPalette::Base);
    right->setAutoFillBackground(true);
    m_title = new QLabel(right);
    m_engineLine = new QLabel(right);
    m_engineLine->setObjectName(QStringLiteral("plannerEngineLine"));
    m_engineLine->setWordWrap(true);
    m_engineLine->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_bar = new BudgetBar(right);
    m_bar->setObjectName(QStringLiteral("plannerBar"));
    m_cards = new AnswerCards(right);
    m_map = new HeatMap(right);
    m_map->setObjectName(QStringLiteral("plannerMap"));
    auto *column = new QVBoxLayout(right);
    column->setContentsMargins(20, 10, 20, 10);
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addWidget(m_bar);
    column->addWidget(m_engineLine);
    column->addWidget(m_cards);
    column->addWidget(m_map, 1);
    m_rightArea = newArea(right, this);
    connect(m_map, &HeatMap::chosen, this, [this](qint64 seq_len, qint64 batch) {
        Q_EMIT addRowRequested({m_answered.model, seq_len, batch, m_answered.kv_dtype});
    });
}

void PlannerPage::setModel(const QString &name)
{
    const memory::ModelSpec *model = m_library.find(name);
    if (model != nullptr && m_form->settings().model != model->name)
        setPlannerSettings(PlannerAnswers::withModel(m_form->settings(), *model));
}

void PlannerPage::setLibrary(const memory::ModelLibrary &library)
{
    m_form->setLibrary(library);
    m_library = library;
    compute();
}

void PlannerPage::setLocalDevices(const QList<LocalDevice> &devices)
{
    m_form->setLocalDevices(devices);
}

void PlannerPage::setPlannerSettings(const PlannerSettings &settings)
{
    m_form->setSettings(settings);
    compute();
    Q_EMIT settingsChanged();
}

const PlannerSettings &PlannerPage::plannerSettings() const
{
    return m_form->settings();
}

void PlannerPage::compute()
{
    const PlannerSettings &settings = m_form->settings();
    std::optional<PlannerProblem> problem;
    const auto answered = PlannerAnswers::of(settings, m_library);
    if (const auto *found = std::get_if<PlannerAnswer>(&answered)) {
        m_answer = *found;
        m_answered = settings;
    } else {
        problem = std::get<PlannerProblem>(answered);
    }
    m_form->showProblem(problem);
    m_stale = problem || m_form->hasUnusableText();
    showAnswer();
}

void PlannerPage::showAnswer()
{
    const bool good = m_answer && !m_stale;
    for (QWidget *widget : QList<QWidget *>{m_title, m_engineLine, m_bar, m_cards, m_map, m_addButton, m_copyButton})
        widget->setEnabled(good);
    updateColors();
    if (!m_answer)
        return;
    m_title->setText(PlannerText::title(*m_answer));
    m_engineLine->setText(PlannerText::engineLine(*m_answer));
    m_bar->setCapacity(m_answer->capacity);
    m_cards->setAnswer(*m_answer);
    m_map->setAnswer(*m_answer);
    const QString guess = tr("Nothing is measured here; the overhead is a guess that you can change.");
    m_note->setText(tr("%1 %2", "two whole sentences").arg(PlannerText::weightsLine(m_answered, *m_answer), guess));
}

QString PlannerPage::resultText() const
{
    return m_answer ? PlannerText::plain(m_answered, *m_answer) : QString();
}

void PlannerPage::retranslate()
{
    m_addButton->setText(tr("Add as row"));
    m_addButton->setToolTip(tr("Adds this seq_len and batch to the memory table"));
    m_copyButton->setText(tr("Copy result"));
    m_copyButton->setToolTip(tr("Copies everything on this page as plain text"));
}

void PlannerPage::updateColors()
{
    QColor ink = tokens().text2;
    ink.setAlphaF(m_stale ? 0.45F : 1.0F);
    setTextColor(m_engineLine, ink);
}

void PlannerPage::updateMetrics()
{
    m_title->setFont(titleFont());
    m_engineLine->setFont(secondaryFont());
    updateColors();
    m_note->setFont(secondaryFont());
    const int side = QFontMetrics(bodyFont()).ascent() + 2;
    for (QPushButton *button : {m_addButton, m_copyButton})
        button->setIconSize({side, side});
    // As wide as its fields need, and never more than half of the page.
    const int wanted
        = std::max(m_leftArea->widget()->minimumSizeHint().width(), QFontMetrics(bodyFont()).averageCharWidth() * 44)
        + m_leftArea->verticalScrollBar()->sizeHint().width();
    m_leftArea->setFixedWidth(std::min(wanted, std::max(width() / 2, 200)));
}

void PlannerPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    updateMetrics();
}

void PlannerPage::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        compute();
    }
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::LanguageChange)
        updateMetrics();
}

} // namespace kvlab::ui
