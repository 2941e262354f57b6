// SPDX-License-Identifier: GPL-3.0-or-later
// The sweep over length and "What does this server keep?": with results written down by hand, and once with the
// practice engine.
#include "i18n/language.h"
#include "session/csv.h"
#include "ui/dialogs/keeps_dialog.h"
#include "ui/dialogs/sweep_dialog.h"
#include "ui/made_up_runs.h"
#include "ui/measure/sweep_chart.h"
#include "ui/measure_controller.h"
#include "ui/widgets/appearance.h"

#include <QAbstractItemModelTester>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace kvlab;
using namespace kvlab::test;
using namespace kvlab::ui;
using State = MeasureController::State;

namespace {

constexpr int patienceMs = 60'000;

RunResult sweepRun(int length, double cold, double warm)
{
    RunResult run;
    run.plan.shared_tokens = length;
    for (const auto &[arm, ms] : {std::pair{Arm::cold, cold}, std::pair{Arm::warm, warm}}) {
        ArmSummary summary;
        summary.samples = summary.kept = 5;
        summary.median_ms = ms;
        summary.median_interval_ms = Interval{ms * 0.9, ms * 1.1};
        run.summary.arms.insert(arm, summary);
    }
    run.summary.ratio_median = cold / warm;
    run.summary.ratio_interval = Interval{cold / warm * 0.9, cold / warm * 1.1};
    run.summary.verdict = Verdict::confirmed;
    return run;
}

QPushButton *startButton(const QWidget &dialog)
{
    return dialog.findChild<QPushButton *>(QStringLiteral("studyButton"));
}

QString field(const QWidget &dialog, const char *name)
{
    return dialog.findChild<QPlainTextEdit *>(QString::fromLatin1(name))->toPlainText();
}

} // namespace

class TestStudyDialogs : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void lengthsAreRead_data();
    void lengthsAreRead();
    void sweepShowsSlopesAndWhereItPays();
    void sweepIsExported();
    void sweepRunsWithThePracticeEngine();
    void keepsReportsInPlainWords();
    void keepsRunsWithThePracticeEngineAndStops();
};

void TestStudyDialogs::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    qputenv("KVLAB_PROGRAM", KVLAB_PROGRAM_PATH);
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1);
}

void TestStudyDialogs::lengthsAreRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<int>>("lengths"); // empty = refused
    QTest::newRow("plain") << QStringLiteral("256,512") << QList<int>{256, 512};
    QTest::newRow("thousands") << QStringLiteral("1k, 2K") << QList<int>{1024, 2048};
    QTest::newRow("rising, once") << QStringLiteral("512,256,512") << QList<int>{256, 512};
    QTest::newRow("one") << QStringLiteral("512") << QList<int>{};
    QTest::newRow("words") << QStringLiteral("long,short") << QList<int>{};
    QTest::newRow("negative") << QStringLiteral("-256,512") << QList<int>{};
    QTest::newRow("too long") << QStringLiteral("256,2000000k") << QList<int>{};
    QTest::newRow("nothing") << QString() << QList<int>{};
}

void TestStudyDialogs::lengthsAreRead()
{
    QFETCH(QString, text);
    QFETCH(QList<int>, lengths);
    QCOMPARE(sweepLengths(text).value_or(QList<int>{}), lengths);
}

void TestStudyDialogs::sweepShowsSlopesAndWhereItPays()
{
    MeasureController controller;
    SweepDialog dialog(&controller);
    auto *table = dialog.findChild<QTableWidget *>();
    const QAbstractItemModelTester tester(table->model());
    // cold = 10 + 0.1 a token, warm = 20 + 0.01 a token; at 100 tokens caching does not pay: 20 against 21 ms.
    dialog.setRuns({sweepRun(100, 20, 21), sweepRun(1000, 110, 30), sweepRun(2000, 210, 40)});
    const QString result = dialog.findChild<QLabel *>(QStringLiteral("sweepResult"))->text();
    QVERIFY2(result.contains(QLatin1String("100.00 ms per 1,000 tokens")), qPrintable(result));
    QVERIFY2(result.contains(QLatin1String("10.00 ms per 1,000 tokens")), qPrintable(result));
    QVERIFY2(result.contains(QLatin1String("1,000 tokens on")), qPrintable(result));
    QCOMPARE(table->rowCount(), 3);
    QCOMPARE(table->item(1, 0)->text(), QStringLiteral("1,000"));
    QCOMPARE(table->item(1, 1)->text(), QStringLiteral("110.0"));
}

void TestStudyDialogs::sweepIsExported()
{
    MeasureController controller;
    SweepDialog dialog(&controller);
    dialog.setRuns({sweepRun(1000, 110, 30), sweepRun(2000, 210, 40)});
    const QTemporaryDir folder;
    const QString csv = folder.filePath(QStringLiteral("sweep.csv"));
    dialog.exportTo(csv);
    QFile file(csv);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QStringList> rows = session::parseCsv(file.readAll());
    QCOMPARE(rows.size(), 3);
    QCOMPARE(rows.at(2).at(0), QStringLiteral("2000"));
    QCOMPARE(rows.at(2).at(2).toDouble(), 210.0);
    dialog.exportTo(folder.filePath(QStringLiteral("sweep.png")));
    QVERIFY(!QImage(folder.filePath(QStringLiteral("sweep.png"))).isNull());
}

void TestStudyDialogs::sweepRunsWithThePracticeEngine()
{
    MeasureController controller;
    controller.setEngineSize(QStringLiteral("small"));
    ExperimentPlan plan;
    plan.rounds = 1;
    controller.setPlan(plan);
    SweepDialog dialog(&controller);
    auto *lengths = dialog.findChild<QLineEdit *>(QStringLiteral("lengths"));
    auto *table = dialog.findChild<QTableWidget *>();
    lengths->setText(QStringLiteral("far"));
    startButton(dialog)->click();
    QCOMPARE(controller.state(), State::idle);
    lengths->setText(QStringLiteral("128,256"));
    startButton(dialog)->click();
    QVERIFY(controller.state() != State::idle);
    QTRY_COMPARE_WITH_TIMEOUT(controller.state(), State::idle, patienceMs);
    QCOMPARE(table->rowCount(), 2);
    for (int row = 0; row < 2; ++row)
        QVERIFY(table->item(row, 1)->text() != QStringLiteral("–"));
}

void TestStudyDialogs::keepsReportsInPlainWords()
{
    MeasureController controller;
    KeepsDialog dialog(&controller);
    KeepsResult result;
    result.server.label = QStringLiteral("a server");
    result.reports_hits = result.keeps_anything = true;
    result.block_size = 16;
    result.keeps_generated = true;
    result.pool_tokens = 4096;
    result.steps = {{KeepsStep::Purpose::fill, 300, 48}};
    dialog.setResult(result);
    const QString report = dialog.report();
    QVERIFY2(report.contains(QLatin1String("blocks of 16 tokens")), qPrintable(report));
    QVERIFY2(report.contains(QLatin1String("4,096 tokens fit")), qPrintable(report));
    QCOMPARE(field(dialog, "keepsReport"), report);
    const QString log = field(dialog, "keepsLog");
    QVERIFY2(log.contains(QLatin1String("48")) && log.contains(QLatin1String("300")), qPrintable(log));
}

void TestStudyDialogs::keepsRunsWithThePracticeEngineAndStops()
{
    MeasureController controller;
    controller.setEngineSize(QStringLiteral("small"));
    KeepsDialog dialog(&controller);
    startButton(dialog)->click();
    QTRY_VERIFY_WITH_TIMEOUT(field(dialog, "keepsLog").count(QLatin1Char('\n')) >= 2, patienceMs);
    QCOMPARE(controller.state(), State::running);
    startButton(dialog)->click();
    QTRY_COMPARE_WITH_TIMEOUT(controller.state(), State::idle, patienceMs);
    QVERIFY(!field(dialog, "keepsReport").isEmpty());
}

QTEST_MAIN(TestStudyDialogs)
#include "tst_study_dialogs.moc"
