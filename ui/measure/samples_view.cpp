// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/samples_view.h"

#include "ui/measure/sample_delegate.h"
#include "ui/widgets/appearance.h"

#include <QEvent>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLocale>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace kvlab::ui {

namespace {

/// A bold header is cut on the left with less.
constexpr int cellPadding = 17;

} // namespace

SamplesView::SamplesView(QWidget *parent)
    : QWidget(parent)
    , m_model(new SampleModel(this))
    , m_sorted(new SampleSortModel(this))
    , m_table(new QTableView(this))
{
    setupTable();
    setupLayout();
    retranslate();
    restyle();
}

void SamplesView::setupTable()
{
    m_sorted->setSourceModel(m_model);
    m_table->setObjectName(QStringLiteral("samplesTable"));
    m_table->setModel(m_sorted);
    m_table->setItemDelegate(new SampleDelegate(m_table));
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setMinimumSectionSize(24);
    m_table->viewport()->installEventFilter(this);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(SampleModel::NumberColumn, Qt::DescendingOrder);
    connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &SamplesView::countChanged);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &row) {
        const QModelIndex source = m_sorted->mapToSource(row);
        Q_EMIT sampleChosen(source.isValid() ? m_model->sampleAt(source.row()).number : 0);
    });
}

void SamplesView::setupLayout()
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table);
}

void SamplesView::setSamples(const QList<experiment::MeasuredSample> &samples)
{
    m_model->setSamples(samples);
    Q_EMIT countChanged();
    noteVerdicts();
    fitColumns();
}

void SamplesView::addSample(const experiment::MeasuredSample &sample)
{
    m_model->addSample(sample);
    Q_EMIT countChanged();
    if (noteVerdict(0))
        fitColumns();
}

QTableView *SamplesView::table() const
{
    return m_table;
}

void SamplesView::noteVerdicts()
{
    m_longestVerdict.clear();
    for (int row = 0; row < m_model->rowCount(); ++row)
        noteVerdict(row);
}

bool SamplesView::noteVerdict(int row)
{
    const QString text = m_model->index(row, SampleModel::VerdictColumn).data().toString();
    const QFontMetrics metrics(bodyFont());
    if (metrics.horizontalAdvance(text) <= metrics.horizontalAdvance(m_longestVerdict))
        return false;
    m_longestVerdict = text;
    return true;
}

QString SamplesView::countText() const
{
    const int count = m_model->rowCount();
    const QHeaderView *header = m_table->horizontalHeader();
    const bool newestFirst = header->sortIndicatorSection() == SampleModel::NumberColumn
        && header->sortIndicatorOrder() == Qt::DescendingOrder;
    if (count == 0)
        return {};
    return newestFirst ? tr("%n sample(s), newest first", nullptr, count) : tr("%n sample(s)", nullptr, count);
}

void SamplesView::chooseSample(int number)
{
    for (int row = 0; row < m_sorted->rowCount(); ++row) {
        const QModelIndex index = m_sorted->index(row, SampleModel::NumberColumn);
        if (m_model->sampleAt(m_sorted->mapToSource(index).row()).number == number)
            m_table->setCurrentIndex(index);
    }
}

void SamplesView::retranslate()
{
    m_table->setAccessibleName(tr("Samples of the run"));
    m_model->retranslate();
    noteVerdicts();
    fitColumns();
}

void SamplesView::restyle()
{
    const QFont font = bodyFont();
    m_table->setFont(font);
    m_table->verticalHeader()->setDefaultSectionSize(rowHeight(font));
    fitColumns();
}

bool SamplesView::eventFilter(QObject *watched, QEvent *event)
{
    // The viewport, not this widget: a scroll bar that appears takes room too.
    if (event->type() == QEvent::Resize)
        fitColumns();
    return QWidget::eventFilter(watched, event);
}

/// Widths from the longest text a column usually holds; what is least needed goes away before anything is cut.
void SamplesView::fitColumns()
{
    const QList<int> widths = columnWidths();
    int room = m_table->viewport()->width();
    for (const int width : widths)
        room -= width;
    for (int column = 0; column < SampleModel::ColumnCount; ++column)
        m_table->setColumnWidth(column, widths.at(column));
    for (const int column : {SampleModel::TimeColumn, SampleModel::ExpectedColumn}) {
        m_table->setColumnHidden(column, room < 0);
        if (room < 0)
            room += widths.at(column);
    }
    if (room < 0) {
        // The delegate leaves out the gloss where it does not fit.
        const int gloss = std::min(-room, widths.at(SampleModel::ArmColumn) - narrowArmWidth());
        m_table->setColumnWidth(SampleModel::ArmColumn, widths.at(SampleModel::ArmColumn) - gloss);
        room += gloss;
    }
    m_table->setColumnWidth(SampleModel::VerdictColumn,
        std::max(widths.at(SampleModel::VerdictColumn) + room, m_table->horizontalHeader()->minimumSectionSize() * 3));
}

int SamplesView::narrowArmWidth() const
{
    int width = 0;
    for (const experiment::Arm arm : experiment::allArms())
        width = std::max(width, QFontMetrics(bodyFont()).horizontalAdvance(experiment::armTitle(arm)));
    return width + SampleDelegate::markWidth(bodyFont()) + cellPadding;
}

QList<int> SamplesView::columnWidths() const
{
    const QFontMetrics body(bodyFont());
    const QFontMetrics bold(titleFont());
    const int mark = SampleDelegate::markWidth(bodyFont());
    const QLocale locale;
    QList<int> widths(SampleModel::ColumnCount);
    for (int column = 0; column < SampleModel::ColumnCount; ++column) {
        const QString header = m_model->headerData(column, Qt::Horizontal).toString();
        widths[column] = bold.horizontalAdvance(header) + cellPadding;
    }
    const auto fit = [&](int column, const QString &text, int extra) {
        widths[column] = std::max(widths.at(column), body.horizontalAdvance(text) + extra + cellPadding);
    };
    for (const experiment::Arm arm : experiment::allArms()) {
        fit(SampleModel::ArmColumn, QStringLiteral("%1 %2").arg(experiment::armTitle(arm), ui::armGloss(arm)).trimmed(),
            mark);
    }
    const QString tokens = locale.toString(8888);
    fit(SampleModel::NumberColumn, tokens, 0);
    fit(SampleModel::TtftColumn, locale.toString(88888.8, 'f', 1), 0);
    fit(SampleModel::CachedColumn, QStringLiteral("%1 / %1").arg(tokens), 0);
    fit(SampleModel::ExpectedColumn, tokens, 0);
    fit(SampleModel::VerdictColumn, tr("unconfirmed"), mark);
    fit(SampleModel::VerdictColumn, m_longestVerdict, mark);
    fit(SampleModel::TimeColumn, QStringLiteral("88:88:88"), 0);
    return widths;
}

} // namespace kvlab::ui
