// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of a session: list, names, removal and return, comparison of two in words and on one axis, export.
#include "ui/made_up_runs.h"

#include "i18n/language.h"
#include "session/csv.h"
#include "ui/measure/compare_chart.h"
#include "ui/measure/measure_panel.h"
#include "ui/measure/run_history.h"
#include "ui/measure/runs_panel.h"
#include "ui/widgets/appearance.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QItemSelectionModel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace kvlab;
using namespace kvlab::test;
using namespace kvlab::ui;
using session::KeptRun;

namespace {

/// tenRounds() an hour later on a slower server: NO CACHE 1436 (twice 718), CACHED 20, DIFFERENT PREFIX 727.
RunResult slowerRun()
{
    RunResult run = tenRounds();
    run.started_at = run.started_at.addSecs(3600);
    run.server.label = QStringLiteral("http://slow:8000");
    run.summary.arms[Arm::cold] = armSummary(10, 1436, Interval{1400, 1500}, 0);
    run.summary.arms[Arm::warm] = armSummary(10, 20, Interval{19.5, 21}, 1488);
    run.summary.ratio_median = 71.8;
    run.summary.ratio_interval = Interval{70, 74};
    return run;
}

QString cell(const QAbstractItemModel &model, int row, int column)
{
    return model.index(row, column).data().toString();
}

void choose(QTableView *table, const QList<int> &rows)
{
    table->clearSelection();
    for (const int row : rows) {
        table->selectionModel()->select(
            table->model()->index(row, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
}

} // namespace

class TestRunsPanel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void newestFirst();
    void modelKeepsContract();
    void boundedNumber();
    void namesAreKept();
    void removedComesBack();
    void comparisonInWords();
    void nothingInCommon();
    void barsOnOneAxis();
    void twoChosenAreCompared();
    void exportsTheChosenOne();
    void panelKeepsItsRuns();
    void chinese();
};

void TestRunsPanel::initTestCase()
{
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

void TestRunsPanel::newestFirst()
{
    RunHistory history;
    history.add(tenRounds());
    history.add(slowerRun());
    QCOMPARE(history.rowCount(), 2);
    QCOMPARE(cell(history, 1, RunHistory::TimeColumn), QStringLiteral("2026-03-01 14:32"));
    QCOMPARE(cell(history, 0, RunHistory::TimeColumn), QStringLiteral("2026-03-01 15:32"));
    QCOMPARE(cell(history, 0, RunHistory::ServerColumn), QStringLiteral("http://slow:8000"));
    QCOMPARE(cell(history, 0, RunHistory::PromptColumn), QStringLiteral("1,504"));
    QCOMPARE(cell(history, 0, RunHistory::ColdColumn), QStringLiteral("1,436 ms"));
    QCOMPARE(cell(history, 1, RunHistory::WarmColumn), QStringLiteral("19.8 ms"));
    QCOMPARE(cell(history, 1, RunHistory::RatioColumn), QStringLiteral("36 × (35–38)"));
    QCOMPARE(cell(history, 1, RunHistory::VerdictColumn), QStringLiteral("confirmed"));
    // No ratio after a contradiction, no median of an arm without kept samples.
    history.add(contradictedRun());
    QCOMPARE(cell(history, 0, RunHistory::RatioColumn), QStringLiteral("–"));
    QCOMPARE(cell(history, 0, RunHistory::ColdColumn), QStringLiteral("–"));
}

void TestRunsPanel::modelKeepsContract()
{
    RunHistory history;
    const QAbstractItemModelTester tester(&history, QAbstractItemModelTester::FailureReportingMode::QtTest);
    for (int i = 0; i < session::maxKeptRuns + 3; ++i)
        history.add(i % 2 == 0 ? tenRounds() : slowerRun());
    history.remove(3);
    history.remove(0);
    history.bringBack();
    history.bringBack();
    QVERIFY(!history.canBringBack());
    history.retranslate();
    history.setRuns({});
    QCOMPARE(history.rowCount(), 0);
    QCOMPARE(history.headerData(RunHistory::ColdColumn, Qt::Horizontal).toString(), QStringLiteral("NO CACHE"));
}

void TestRunsPanel::boundedNumber()
{
    RunHistory history;
    for (int i = 0; i < session::maxKeptRuns + 5; ++i) {
        RunResult run = oneRound();
        run.started_at = run.started_at.addSecs(60 * i);
        history.add(run);
    }
    QCOMPARE(history.rowCount(), session::maxKeptRuns);
    // The five oldest went: 14:32 + 5 min.
    QCOMPARE(cell(history, history.rowCount() - 1, RunHistory::TimeColumn), QStringLiteral("2026-03-01 14:37"));
}

void TestRunsPanel::namesAreKept()
{
    RunHistory history;
    history.add(tenRounds());
    QSignalSpy changed(&history, &RunHistory::changed);
    const QModelIndex name = history.index(0, RunHistory::NameColumn);
    QVERIFY(history.flags(name) & Qt::ItemIsEditable);
    QVERIFY(!(history.flags(history.index(0, RunHistory::TimeColumn)) & Qt::ItemIsEditable));
    QVERIFY(history.setData(name, QStringLiteral("  before\nthe flag ")));
    QCOMPARE(history.runs().first().label, QStringLiteral("before the flag"));
    QCOMPARE(changed.count(), 1);
    QVERIFY(!history.setData(name, QStringLiteral("before the flag")));
    QVERIFY(!history.setData(history.index(0, RunHistory::TimeColumn), QStringLiteral("x")));
    history.setData(name, QString(500, u'x'));
    QCOMPARE(history.runs().first().label.size(), 80);
    QCOMPARE(changed.count(), 2);
}

void TestRunsPanel::removedComesBack()
{
    RunHistory history;
    history.add(tenRounds());
    history.add(slowerRun());
    history.add(contradictedRun());
    history.remove(1);
    QCOMPARE(history.rowCount(), 2);
    QVERIFY(history.canBringBack());
    QCOMPARE(history.bringBack(), 1);
    QCOMPARE(cell(history, 1, RunHistory::ServerColumn), QStringLiteral("http://slow:8000"));
    QVERIFY(!history.canBringBack());
    // Another document has nothing to bring back.
    history.remove(0);
    history.setRuns({});
    QVERIFY(!history.canBringBack());
}

void TestRunsPanel::comparisonInWords()
{
    // NO CACHE 718 → 1,436: 100 % higher, intervals apart. CACHED 19.8 → 20: 1.0 % higher, 19.4–20.6 and 19.5–21
    // overlap. DIFFERENT PREFIX is the same.
    const QString words = comparisonText({QString(), tenRounds()}, {QString(), slowerRun()});
    const QStringList expected{
        QStringLiteral("NO CACHE: A 718 ms, B 1,436 ms; B is 100 % higher. The 95 % intervals do not overlap."),
        QStringLiteral(
            "CACHED: A 19.8 ms, B 20.0 ms; B is 1.0 % higher. The 95 % intervals overlap, so it may be chance."),
        QStringLiteral("DIFFERENT PREFIX: A 727 ms, B 727 ms; no difference."),
        QStringLiteral("NO CACHE takes 36 × (35–38) as long as CACHED in A, 72 × (70–74) in B.")};
    QCOMPARE(words.split(u'\n'), expected);
    RunResult longer = slowerRun();
    longer.server.model = QStringLiteral("kvlab-large");
    for (MeasuredSample &sample : longer.samples)
        sample.probe.evidence.prompt_tokens = 3000;
    const QString warned = comparisonText({QString(), tenRounds()}, {QString(), longer});
    QVERIFY2(warned.contains(u"1,504 and 3,000 tokens"), qPrintable(warned));
    QVERIFY2(warned.contains(u"kvlab-medium and kvlab-large"), qPrintable(warned));
    // Few samples: no interval.
    RunResult few = oneRound();
    few.summary.arms[Arm::cold].median_ms = 800;
    QVERIFY(comparisonText({QString(), oneRound()}, {QString(), few}).contains(u"too few samples"));
}

void TestRunsPanel::nothingInCommon()
{
    RunResult failed;
    failed.server.model = tenRounds().server.model;
    QCOMPARE(comparisonText({QString(), failed}, {QString(), tenRounds()}),
        QStringLiteral("The two runs have no arm with a median in common."));
}

void TestRunsPanel::barsOnOneAxis()
{
    const QList<CompareChart::Bar> bars = CompareChart::bars(tenRounds().summary, slowerRun().summary);
    QCOMPARE(bars.size(), 6);
    QCOMPARE(bars.at(0).letter, QStringLiteral("A"));
    QCOMPARE(bars.at(1).letter, QStringLiteral("B"));
    QCOMPARE(bars.at(1).median_ms, 1436.0);
    QCOMPARE(int(bars.at(2).arm), int(Arm::warm));
    CompareChart chart;
    chart.show(tenRounds().summary, slowerRun().summary);
    // The longest whisker ends at 1,500 ms.
    QVERIFY(chart.axisMaximum() >= 1500 && chart.axisMaximum() < 1800);
    QCOMPARE(CompareChart::bars(tenRounds().summary, {}).size(), 3);
    chart.show({}, {});
    QVERIFY(chart.axisMaximum() > 0);
}

void TestRunsPanel::twoChosenAreCompared()
{
    RunsPanel panel;
    panel.resize(640, 400);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    QVERIFY(panel.comparison().startsWith(u"No run yet"));
    panel.history()->setRuns({{QStringLiteral("fast"), tenRounds()}, {QString(), slowerRun()}});
    auto *table = panel.findChild<QTableView *>(QStringLiteral("runsTable"));
    auto *chart = panel.findChild<CompareChart *>();
    QVERIFY(!chart->isVisible() && panel.comparison().startsWith(u"Choose two runs"));
    choose(table, {0, 1});
    QVERIFY(chart->isVisible());
    // The earlier one is A, however they were chosen.
    QVERIFY2(panel.comparison().startsWith(u"NO CACHE: A 718 ms, B 1,436 ms"), qPrintable(panel.comparison()));
    QCOMPARE(chart->accessibleDescription(), panel.comparison());
    panel.history()->remove(0);
    QVERIFY(!chart->isVisible());
}

void TestRunsPanel::exportsTheChosenOne()
{
    const QTemporaryDir folder;
    RunsPanel panel;
    panel.history()->setRuns({{QString(), tenRounds()}, {QString(), oneRound()}});
    auto *table = panel.findChild<QTableView *>(QStringLiteral("runsTable"));
    choose(table, {0});
    const QString csv = folder.filePath(QStringLiteral("run.csv"));
    QCOMPARE(panel.exportRun(csv), std::nullopt);
    QFile file(csv);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(session::parseCsv(file.readAll()).size(), 4); // header and three samples
    QVERIFY(panel.exportRun(folder.filePath(QStringLiteral("missing/run.json"))));
}

void TestRunsPanel::panelKeepsItsRuns()
{
    MeasurePanel panel;
    QSignalSpy changed(&panel, &MeasurePanel::keptRunsChanged);
    panel.showSampleData(tenRounds());
    QVERIFY(panel.keptRuns().isEmpty());
    panel.endRun(tenRounds());
    panel.endRun(RunResult());
    panel.endRun(slowerRun());
    QCOMPARE(panel.keptRuns().size(), 2);
    QCOMPARE(panel.keptRuns().last().run.server.label, QStringLiteral("http://slow:8000"));
    QCOMPARE(changed.count(), 0);
    panel.setKeptRuns({{QStringLiteral("old"), oneRound()}});
    QCOMPARE(panel.keptRuns().first().label, QStringLiteral("old"));
}

void TestRunsPanel::chinese()
{
    RunsPanel panel;
    panel.history()->setRuns({{QString(), tenRounds()}, {QString(), slowerRun()}});
    choose(panel.findChild<QTableView *>(QStringLiteral("runsTable")), {0, 1});
    i18n::installLanguage(QStringLiteral("zh"));
    applyAppearance(Theme::dark, 1.25);
    panel.retranslate();
    panel.restyle();
    QVERIFY2(!panel.comparison().contains(u"higher"), qPrintable(panel.comparison()));
    QVERIFY(panel.comparison().contains(u"718"));
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

QTEST_MAIN(TestRunsPanel)
#include "tst_runs_panel.moc"
