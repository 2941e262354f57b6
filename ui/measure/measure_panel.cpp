// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/measure_panel.h"

#include "ui/measure/chart_export.h"
#include "ui/measure/presentation_view.h"
#include "ui/measure/result_strip.h"
#include "ui/measure/run_tabs.h"
#include "ui/measure/runs_panel.h"
#include "ui/measure/server_panel.h"
#include "ui/measure/ttft_chart.h"
#include "ui/tiers/blocks_view.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/eliding_label.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/text_color.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace kvlab::ui {

namespace {

/// A plain widget on the colour of tables and charts.
QWidget *basePage()
{
    auto *page = new QWidget;
    page->setBackgroundRole(QPalette::Base);
    page->setAutoFillBackground(true);
    return page;
}

} // namespace

class MeasurePanel::Private
{
public:
    explicit Private(MeasurePanel *owner)
        : q(owner)
    {
    }

    QWidget *createHeader();
    QWidget *createEmptyPage();
    QWidget *createChartPage();
    void setupLayout();
    void show(RunOrigin origin, const experiment::RunResult &run);
    void refresh();
    void retranslate();
    void restyle();

    MeasurePanel *q;
    ShownRun shown;
    QLabel *title = nullptr;
    Badge *badge = nullptr;
    ElidingLabel *origin = nullptr;
    QPushButton *exportButton = nullptr;
    QSplitter *splitter = nullptr;
    QStackedWidget *pages = nullptr;
    QWidget *emptyPage = nullptr;
    QLabel *emptyText = nullptr;
    QLabel *emptyHint = nullptr;
    QWidget *chartPage = nullptr;
    TtftChart *chart = nullptr;
    ResultStrip *result = nullptr;
    RunTabs *tabs = nullptr;
    ServerPanel *server = nullptr;
    RunsPanel *runs = nullptr;
    BlocksView *blocks = nullptr;
    QWidget *header = nullptr;
    QList<QPointer<PresentationView>> presentations;
};

QWidget *MeasurePanel::Private::createHeader()
{
    header = new QWidget(q);
    title = new QLabel(header);
    badge = new Badge(header);
    origin = new ElidingLabel({}, header);
    origin->setObjectName(QStringLiteral("runOrigin"));
    exportButton = new QPushButton(icon(QStringLiteral("export")), {}, header);
    exportButton->setObjectName(QStringLiteral("exportRun"));
    auto *row = new QHBoxLayout(header);
    row->setContentsMargins(12, 4, 12, 4);
    row->setSpacing(8);
    row->addWidget(title);
    row->addWidget(badge);
    row->addWidget(origin, 1);
    row->addWidget(exportButton);
    QObject::connect(exportButton, &QPushButton::clicked, q, &MeasurePanel::exportRequested);
    return header;
}

QWidget *MeasurePanel::Private::createEmptyPage()
{
    emptyPage = basePage();
    emptyText = new QLabel(emptyPage);
    emptyHint = new QLabel(emptyPage);
    auto *column = new QVBoxLayout(emptyPage);
    column->addStretch();
    for (QLabel *label : {emptyText, emptyHint}) {
        label->setAlignment(Qt::AlignCenter);
        label->setWordWrap(true);
        column->addWidget(label);
    }
    column->addStretch();
    return emptyPage;
}

QWidget *MeasurePanel::Private::createChartPage()
{
    chartPage = basePage();
    chart = new TtftChart(chartPage);
    result = new ResultStrip(chartPage);
    auto *column = new QVBoxLayout(chartPage);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(chart, 1);
    column->addWidget(result);
    return chartPage;
}

void MeasurePanel::Private::setupLayout()
{
    // The chart is never hidden to show that there is none: it lies on a page of its own.
    pages = new QStackedWidget(q);
    pages->addWidget(createEmptyPage());
    pages->addWidget(createChartPage());
    tabs = new RunTabs(q);
    server = new ServerPanel(tabs);
    tabs->addPage(server, [] { return MeasurePanel::tr("Server"); });
    runs = new RunsPanel(tabs);
    tabs->addPage(runs, [] { return MeasurePanel::tr("Runs"); });
    QObject::connect(runs->history(), &RunHistory::changed, q, &MeasurePanel::keptRunsChanged);
    blocks = new BlocksView(tabs);
    tabs->addPage(
        blocks, [] { return MeasurePanel::tr("Blocks"); }, true);
    splitter = new QSplitter(Qt::Vertical, q);
    splitter->setObjectName(QStringLiteral("measureSplitter"));
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(pages);
    splitter->addWidget(tabs);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({620, 380});
    auto *column = new QVBoxLayout(q);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(createHeader());
    column->addWidget(splitter, 1);
    QObject::connect(tabs, &RunTabs::enlargedChanged, q, [this](bool enlarged) {
        header->setHidden(enlarged);
        pages->setHidden(enlarged);
        Q_EMIT q->tabsEnlarged(enlarged);
    });
}

void MeasurePanel::Private::show(RunOrigin runOrigin, const experiment::RunResult &run)
{
    shown = {runOrigin, run};
    tabs->setSamples(run.samples);
    blocks->setRun(run);
    refresh();
}

void MeasurePanel::Private::refresh()
{
    const BadgeText badgeWords = badgeText(shown);
    badge->set(badgeWords.state, badgeWords.text);
    origin->setFullText(originText(shown));
    exportButton->setEnabled(!shown.run.samples.isEmpty());
    pages->setCurrentWidget(shown.origin == RunOrigin::none ? emptyPage : chartPage);
    chart->setData(chartData(shown.run, shown.isLive()));
    result->show(resultText(shown));
    presentations.removeAll(nullptr);
    for (const QPointer<PresentationView> &view : presentations)
        view->showRun(shown);
}

void MeasurePanel::Private::retranslate()
{
    title->setText(MeasurePanel::tr("Time to first token"));
    exportButton->setText(MeasurePanel::tr("Export…"));
    exportButton->setToolTip(MeasurePanel::tr("Write the samples or the chart to a file"));
    emptyText->setText(MeasurePanel::tr("Nothing measured yet."));
    emptyHint->setText(MeasurePanel::tr(
        "Press Measure: every sample appears here as soon as it is finished, NO CACHE, CACHED and DIFFERENT PREFIX."));
    chart->setAccessibleName(MeasurePanel::tr("Chart of the time to first token"));
    tabs->retranslate();
    server->retranslate();
    runs->retranslate();
}

void MeasurePanel::Private::restyle()
{
    title->setFont(titleFont());
    badge->setFont(secondaryFont());
    origin->setFont(secondaryFont());
    setTextColor(origin, tokens().text2);
    setTextColor(emptyHint, tokens().text2);
    emptyText->setFont(titleFont());
    chart->setLook(ChartLook::window());
    result->setLook(StripLook::window());
    tabs->restyle();
    server->restyle();
    runs->restyle();
}

MeasurePanel::MeasurePanel(QWidget *parent)
    : QWidget(parent)
    , d(std::make_unique<Private>(this))
{
    d->setupLayout();
    d->retranslate();
    d->restyle();
    d->refresh();
}

MeasurePanel::~MeasurePanel() = default;

void MeasurePanel::showSampleData(const experiment::RunResult &run)
{
    d->chart->resetAxis();
    d->show(RunOrigin::sample_data, run);
}

void MeasurePanel::beginRun(const experiment::ExperimentPlan &plan)
{
    d->chart->resetAxis();
    for (const QPointer<PresentationView> &view : d->presentations) {
        if (view)
            view->resetAxis();
    }
    experiment::RunResult run;
    run.plan = plan;
    run.started_at = QDateTime::currentDateTime();
    d->show(RunOrigin::live, run);
}

void MeasurePanel::setServerFacts(const experiment::ServerFacts &facts)
{
    d->shown.run.server = facts;
    d->refresh();
}

void MeasurePanel::addSample(const experiment::MeasuredSample &sample, const experiment::Summary &summary)
{
    d->shown.run.samples.append(sample);
    d->shown.run.summary = summary;
    d->tabs->addSample(sample);
    d->refresh();
}

void MeasurePanel::endRun(const experiment::RunResult &run)
{
    d->show(RunOrigin::measured, run);
    if (!run.samples.isEmpty())
        d->runs->history()->add(run);
}

void MeasurePanel::showRun(const experiment::RunResult &run)
{
    d->chart->resetAxis();
    d->show(RunOrigin::document, run);
}

const experiment::RunResult &MeasurePanel::run() const
{
    return d->shown.run;
}

bool MeasurePanel::showsSampleData() const
{
    return d->shown.origin == RunOrigin::sample_data;
}

void MeasurePanel::showBlocks()
{
    d->tabs->showPage(d->blocks);
    d->tabs->setEnlarged(true);
    d->blocks->setFocus();
}

void MeasurePanel::setKeptRuns(const QList<session::KeptRun> &runs)
{
    d->runs->history()->setRuns(runs);
}

QList<session::KeptRun> MeasurePanel::keptRuns() const
{
    return d->runs->history()->runs();
}

void MeasurePanel::watchServer(const experiment::ServerTarget &server, bool measuring)
{
    d->server->setServer(server, measuring);
}

void MeasurePanel::setExpectedBytesPerToken(const QString &model, const std::optional<double> &bytes)
{
    d->server->setExpectedBytesPerToken(bytes ? std::optional(TableFigure{model, *bytes}) : std::nullopt);
}

QWidget *MeasurePanel::createPresentation(QWidget *parent)
{
    auto *view = new PresentationView(parent);
    view->showRun(d->shown);
    d->presentations.append(view);
    return view;
}

std::optional<QString> MeasurePanel::exportChart(const QString &path) const
{
    return exportChartPicture(d->shown, path);
}

void MeasurePanel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    switch (event->type()) {
    case QEvent::LanguageChange:
        d->retranslate();
        [[fallthrough]];
    case QEvent::PaletteChange:
    case QEvent::FontChange:
    case QEvent::StyleChange:
        d->restyle();
        d->refresh();
        break;
    default:
        break;
    }
}

} // namespace kvlab::ui
