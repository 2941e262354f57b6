// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/samples_view.h"

#include "ui/measure/sample_delegate.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/text_color.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QStackedWidget>
#include <QTabBar>
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
    , m_tabs(new QTabBar(this))
    , m_count(new QLabel(this))
    , m_pages(new QStackedWidget(this))
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
    connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, [this] { updateCount(); });
}

void SamplesView::setupLayout()
{
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->addTab({});
    m_pages->addWidget(m_table);
    connect(m_tabs, &QTabBar::currentChanged, m_pages, &QStackedWidget::setCurrentIndex);

    auto *head = new QHBoxLayout;
    head->setContentsMargins(8, 0, 12, 0);
    head->addWidget(m_tabs);
    head->addStretch();
    head->addWidget(m_count);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_pages, 1);
}

void SamplesView::setSamples(const QList<experiment::MeasuredSample> &samples)
{
    m_model->setSamples(samples);
    updateCount();
    noteVerdicts();
    fitColumns();
}

void SamplesView::addSample(const experiment::MeasuredSample &sample)
{
    m_model->addSample(sample);
    updateCount();
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

void SamplesView::updateCount()
{
    const int count = m_model->rowCount();
    const QHeaderView *header = m_table->horizontalHeader();
    const bool newestFirst = header->sortIndicatorSection() == SampleModel::NumberColumn
        && header->sortIndicatorOrder() == Qt::DescendingOrder;
    m_count->setVisible(count > 0);
    m_count->setText(
        newestFirst ? tr("%n sample(s), newest first", nullptr, count) : tr("%n sample(s)", nullptr, count));
}

void SamplesView::retranslate()
{
    m_tabs->setTabText(0, tr("Samples"));
    m_table->setAccessibleName(tr("Samples of the run"));
    m_model->retranslate();
    updateCount();
    noteVerdicts();
    fitColumns();
}

void SamplesView::restyle()
{
    m_count->setFont(secondaryFont());
    setTextColor(m_count, tokens().text2);
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
