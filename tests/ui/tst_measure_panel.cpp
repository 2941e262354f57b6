// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/made_up_runs.h"

#include "i18n/language.h"
#include "ui/measure/measure_panel.h"
#include "ui/measure/recorded_run.h"
#include "ui/measure/result_strip.h"
#include "ui/measure/sample_model.h"
#include "ui/measure/samples_view.h"
#include "ui/measure/ttft_chart.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/eliding_label.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QFile>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace kvlab;
using namespace kvlab::test;
using namespace kvlab::ui;

namespace {

constexpr int patience = 10'000;

/// Feeds a run as the experiment does: begin, facts, one sample after the other. The summary is the last one
/// throughout.
void feed(MeasurePanel &panel, const RunResult &run)
{
    panel.beginRun(run.plan);
    panel.setServerFacts(run.server);
    for (const MeasuredSample &sample : run.samples)
        panel.addSample(sample, run.summary);
}

QString text(const QAbstractItemModel &model, int row, int column)
{
    return model.index(row, column).data().toString();
}

QString resultOf(const MeasurePanel &panel)
{
    return panel.findChild<ResultStrip *>()->plainText();
}

/// Every font that a widget of the presentation shows text in.
double smallestPoints(const QWidget *presentation)
{
    double smallest = 1000;
    for (const QLabel *label : presentation->findChildren<QLabel *>()) {
        if (!label->isHidden() && !label->text().isEmpty())
            smallest = std::min(smallest, label->font().pointSizeF());
    }
    return std::min(smallest, presentation->findChild<Badge *>()->font().pointSizeF());
}

} // namespace

class TestMeasurePanel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void modelRows();
    void modelUnknownIsDash();
    void modelFailedSample();
    void modelKeepsContract();
    void sortingPutsUnknownLast();
    void chartDataKinds();
    void barIsTheMedian();
    void fewSamplesHaveNoBar();
    void axisOnlyGrowsWhileLive();
    void axisEndsBeyondTheLargestValue();
    void tickSteps_data();
    void tickSteps();
    void chartSentenceFollowsData();
    void badges();
    void emptyState();
    void ratioNeedsThreeSamples();
    void noRatioAfterContradiction();
    void resultLine();
    void originNamesGibberish();
    void clickingTheChartIsSafe();
    void presentationFollows_data();
    void presentationFollows();
    void exportPictures();
    void exportIsAlwaysLight();
    void exportRefuses();
    void chineseThroughout();
    void recordedRunIsUsable();
};

void TestMeasurePanel::initTestCase()
{
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

void TestMeasurePanel::modelRows()
{
    SampleModel model;
    model.setSamples(tenRounds().samples);
    QCOMPARE(model.rowCount(), 30);
    // Newest first: the last sample is DIFFERENT PREFIX of round 10, 720 ms.
    QCOMPARE(text(model, 0, SampleModel::NumberColumn), QStringLiteral("30"));
    QCOMPARE(text(model, 0, SampleModel::ArmColumn), QStringLiteral("DIFFERENT PREFIX"));
    QCOMPARE(text(model, 0, SampleModel::TtftColumn), QStringLiteral("720.0"));
    QCOMPARE(text(model, 1, SampleModel::CachedColumn), QStringLiteral("1,488 / 1,504"));
    QCOMPARE(text(model, 1, SampleModel::ExpectedColumn), QStringLiteral("1,488"));
    QCOMPARE(text(model, 1, SampleModel::VerdictColumn), QStringLiteral("confirmed"));
    QCOMPARE(text(model, 29, SampleModel::TimeColumn), QStringLiteral("14:32:01"));
    QCOMPARE(model.index(1, SampleModel::TtftColumn).data(SampleModel::RawRole).toDouble(), 20.6);
    const QString stamps = model.index(0, SampleModel::TtftColumn).data(Qt::ToolTipRole).toString();
    QVERIFY2(stamps.contains(u"headers: 1.0 ms") && stamps.contains(u"720.0") && stamps.contains(u"820.0"),
        qPrintable(stamps));
}

void TestMeasurePanel::modelUnknownIsDash()
{
    MeasuredSample silent = sample(1, Arm::warm, 50, Verdict::unconfirmed);
    silent.probe.evidence = {};
    silent.expected_hit.reset();
    SampleModel model;
    model.addSample(silent);
    QCOMPARE(text(model, 0, SampleModel::CachedColumn), QStringLiteral("– / –"));
    QCOMPARE(text(model, 0, SampleModel::ExpectedColumn), QStringLiteral("–"));
    QCOMPARE(text(model, 0, SampleModel::VerdictColumn), QStringLiteral("unconfirmed"));
    QCOMPARE(model.index(0, SampleModel::CachedColumn).data(Qt::ToolTipRole).toString(),
        QStringLiteral("not reported by the server"));
    QVERIFY(!model.index(0, SampleModel::CachedColumn).data(SampleModel::RawRole).isValid());
}

void TestMeasurePanel::modelFailedSample()
{
    SampleModel model;
    model.setSamples(contradictedRun().samples);
    QCOMPARE(text(model, 0, SampleModel::TtftColumn), QStringLiteral("–"));
    QCOMPARE(text(model, 0, SampleModel::VerdictColumn), QStringLiteral("failed: no connection"));
    QVERIFY(
        model.index(0, SampleModel::VerdictColumn).data(Qt::ToolTipRole).toString().contains(u"nothing listens there"));
    QCOMPARE(text(model, 2, SampleModel::VerdictColumn), QStringLiteral("left out: computer busy"));
    QCOMPARE(text(model, 3, SampleModel::VerdictColumn), QStringLiteral("contradicted: already cached"));
    QCOMPARE(model.index(2, 0).data(SampleModel::StateRole).toInt(), int(SampleState::left_out));
}

void TestMeasurePanel::modelKeepsContract()
{
    SampleModel model;
    SampleSortModel sorted;
    sorted.setSourceModel(&model);
    const QAbstractItemModelTester modelTester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QAbstractItemModelTester sortTester(&sorted, QAbstractItemModelTester::FailureReportingMode::QtTest);
    sorted.sort(SampleModel::NumberColumn, Qt::DescendingOrder);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    for (const MeasuredSample &sample : contradictedRun().samples)
        model.addSample(sample);
    QCOMPARE(inserted.count(), 10);
    QCOMPARE(text(sorted, 0, SampleModel::NumberColumn), QStringLiteral("10"));
    model.retranslate();
    model.setSamples(tenRounds().samples);
    model.setSamples({});
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.headerData(SampleModel::ColumnCount, Qt::Horizontal), QVariant());
    QCOMPARE(model.headerData(SampleModel::TtftColumn, Qt::Horizontal).toString(), QStringLiteral("TTFT (ms)"));
}

void TestMeasurePanel::sortingPutsUnknownLast()
{
    SampleModel model;
    model.setSamples(contradictedRun().samples);
    SampleSortModel sorted;
    sorted.setSourceModel(&model);
    sorted.sort(SampleModel::TtftColumn, Qt::AscendingOrder);
    QCOMPARE(text(sorted, 0, SampleModel::TtftColumn), QStringLiteral("69.0"));
    QCOMPARE(text(sorted, 9, SampleModel::TtftColumn), QStringLiteral("–"));
    sorted.sort(SampleModel::TtftColumn, Qt::DescendingOrder);
    QCOMPARE(text(sorted, 0, SampleModel::TtftColumn), QStringLiteral("171.9"));
    QCOMPARE(text(sorted, 9, SampleModel::TtftColumn), QStringLiteral("–"));
}

void TestMeasurePanel::chartDataKinds()
{
    const ChartData data = chartData(contradictedRun(), false);
    QCOMPARE(data.arms.size(), 3);
    const ChartArm &cold = data.arms.at(0);
    QCOMPARE(cold.marks.size(), 4);
    QCOMPARE(cold.marks.at(0).kind, ChartMark::Kind::hollow);
    QCOMPARE(cold.marks.at(3).kind, ChartMark::Kind::crossed);
    QVERIFY(!cold.median_ms);
    // Median of 69.0, 75.0, 80.1 and 118.4.
    QCOMPARE(cold.left_out_median_ms.value(), (75.0 + 80.1) / 2);
    const ChartArm &different = data.arms.at(2);
    QCOMPARE(different.failed, 1);
    QCOMPARE(different.samples, 3);
    QCOMPARE(different.marks.size(), 2);
    QCOMPARE(data.arms.at(1).marks.at(0).kind, ChartMark::Kind::solid);
}

void TestMeasurePanel::barIsTheMedian()
{
    MeasurePanel panel;
    panel.endRun(tenRounds());
    const auto *chart = panel.findChild<TtftChart *>();
    QCOMPARE(chart->barValue(Arm::cold).value(), 718.0);
    QCOMPARE(chart->barValue(Arm::warm).value(), 19.8);
    QCOMPARE(chart->barValue(Arm::different).value(), 727.0);

    // On the picture: 718 ms of blue from the zero line on, as long as the axis says.
    panel.resize(900, 700);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    const QImage picture = panel.findChild<TtftChart *>()->grab().toImage();
    int longest = 0;
    for (int y = 0; y < picture.height(); ++y) {
        int blue = 0;
        for (int x = 0; x < picture.width(); ++x)
            blue += picture.pixelColor(x, y) == QColor(0x0072B2) ? 1 : 0;
        longest = std::max(longest, blue);
    }
    QVERIFY(longest > 200);
    const double plot = longest * chart->axisMaximum() / 718;
    QVERIFY2(plot > picture.width() * 0.6 && plot < picture.width(), qPrintable(QString::number(plot)));
}

void TestMeasurePanel::fewSamplesHaveNoBar()
{
    MeasurePanel panel;
    panel.endRun(oneRound());
    auto *chart = panel.findChild<TtftChart *>();
    chart->grab();
    for (const Arm arm : allArms())
        QVERIFY(!chart->barValue(arm));
    QVERIFY(chart->axisMaximum() > 724);
}

void TestMeasurePanel::axisOnlyGrowsWhileLive()
{
    MeasurePanel panel;
    panel.resize(700, 540);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    auto *chart = panel.findChild<TtftChart *>();
    panel.beginRun({});
    double last = 0;
    Summary summary;
    // Slow first, then fast, then slower than ever.
    const QList<double> times{700, 20, 650, 30, 900, 15, 500, 2000, 10};
    for (qsizetype i = 0; i < times.size(); ++i) {
        const Arm arm = standardArms().at(i % 3);
        ArmSummary &entry = summary.arms[arm];
        entry.samples = ++entry.kept;
        entry.median_ms = times.at(i);
        panel.addSample(sample(int(i) + 1, arm, times.at(i)), summary);
        QTRY_VERIFY_WITH_TIMEOUT(
            chart->axisMaximum() >= 1.2 * *std::max_element(times.begin(), times.begin() + i + 1), patience);
        QVERIFY(chart->axisMaximum() >= last);
        last = chart->axisMaximum();
    }
    RunResult end = panel.run();
    panel.endRun(end);
    QCOMPARE(chart->axisMaximum(), last);
    panel.beginRun({});
    panel.addSample(sample(1, Arm::warm, 20), {});
    QTRY_VERIFY_WITH_TIMEOUT(chart->axisMaximum() < 100, patience);
}

void TestMeasurePanel::axisEndsBeyondTheLargestValue()
{
    RunResult run = tenRounds();
    run.summary.arms[Arm::different].median_interval_ms = Interval{700, 1000};
    TtftChart chart;
    chart.resize(1200, 400);
    chart.setData(chartData(run, false));
    chart.grab();
    QVERIFY(chart.axisMaximum() >= 1200);
}

void TestMeasurePanel::tickSteps_data()
{
    QTest::addColumn<double>("maximum");
    QTest::addColumn<double>("step");
    QTest::newRow("950") << 950.0 << 200.0;
    QTest::newRow("1000") << 1000.0 << 200.0;
    QTest::newRow("1200") << 1200.0 << 250.0;
    QTest::newRow("24") << 24.0 << 5.0;
    QTest::newRow("12000") << 12000.0 << 2500.0;
    QTest::newRow("0.9") << 0.9 << 0.2;
    QTest::newRow("2200") << 2200.0 << 500.0;
}

void TestMeasurePanel::tickSteps()
{
    QFETCH(double, maximum);
    QFETCH(double, step);
    QCOMPARE(tickStep(maximum, ChartLook::window(), 800), step);
}

void TestMeasurePanel::chartSentenceFollowsData()
{
    MeasurePanel panel;
    auto *chart = panel.findChild<TtftChart *>();
    panel.endRun(tenRounds());
    QCOMPARE(chart->accessibleName(), QStringLiteral("Chart of the time to first token"));
    const QString before = chart->accessibleDescription();
    QCOMPARE(before,
        QStringLiteral(
            "NO CACHE: median 718 ms, n 10. CACHED: median 19.8 ms, n 10. DIFFERENT PREFIX: median 727 ms, n 10. "
            "CACHED is 97 % lower, 36 times."));
    panel.endRun(contradictedRun());
    const QString after = chart->accessibleDescription();
    QVERIFY2(
        after.contains(u"Contradicted") && after.contains(u"failed.") && !after.contains(u"times."), qPrintable(after));
}

void TestMeasurePanel::badges()
{
    MeasurePanel panel;
    const auto *badge = panel.findChild<Badge *>();
    QCOMPARE(badge->state(), BadgeState::none);
    panel.showSampleData(tenRounds());
    QCOMPARE(badge->state(), BadgeState::sample_data);
    QCOMPARE(badge->text(), QStringLiteral("SAMPLE DATA"));
    QVERIFY(panel.showsSampleData());
    panel.beginRun({});
    QCOMPARE(badge->state(), BadgeState::live);
    QVERIFY(!panel.showsSampleData());
    QVERIFY(panel.run().samples.isEmpty());
    panel.endRun(tenRounds());
    QCOMPARE(badge->state(), BadgeState::measured);
    RunResult stopped = tenRounds();
    stopped.end = RunEnd::stopped;
    stopped.samples = stopped.samples.first(9);
    panel.endRun(stopped);
    QCOMPARE(badge->text(), QStringLiteral("STOPPED AFTER 9 OF 30"));
    panel.showRun(tenRounds());
    QCOMPARE(badge->text(), QStringLiteral("RECORDED"));
}

void TestMeasurePanel::emptyState()
{
    MeasurePanel panel;
    panel.resize(700, 540);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    QVERIFY(!panel.findChild<TtftChart *>()->isVisible());
    bool hint = false;
    for (const QLabel *label : panel.findChildren<QLabel *>())
        hint = hint || (label->isVisible() && label->text().contains(u"Press Measure"));
    QVERIFY(hint);
    auto *button = panel.findChild<QPushButton *>(QStringLiteral("exportRun"));
    QVERIFY(!button->isEnabled());
    panel.endRun(tenRounds());
    QVERIFY(panel.findChild<TtftChart *>()->isVisible());
    QSignalSpy wanted(&panel, &MeasurePanel::exportRequested);
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(wanted.count(), 1);
}

void TestMeasurePanel::ratioNeedsThreeSamples()
{
    MeasurePanel panel;
    feed(panel, oneRound());
    auto *strip = panel.findChild<ResultStrip *>();
    QCOMPARE(strip->bigNumber(), QString());
    QVERIFY(resultOf(panel).contains(u"after three samples"));
    Summary summary = oneRound().summary;
    summary.arms[Arm::cold].kept = 3;
    summary.arms[Arm::warm].kept = 2;
    panel.addSample(sample(4, Arm::cold, 700), summary);
    QCOMPARE(strip->bigNumber(), QString());
    summary.arms[Arm::warm].kept = 3;
    panel.addSample(sample(5, Arm::warm, 20), summary);
    QCOMPARE(strip->bigNumber(), QStringLiteral("37 ×"));
    QVERIFY(resultOf(panel).contains(u"So far, CACHED is 97 % lower than NO CACHE"));
}

void TestMeasurePanel::noRatioAfterContradiction()
{
    RunResult run = tenRounds();
    run.summary.verdict = Verdict::contradicted;
    run.summary.explanation = QStringLiteral("DIFFERENT PREFIX is as fast as CACHED.");
    MeasurePanel panel;
    panel.endRun(run);
    QCOMPARE(panel.findChild<ResultStrip *>()->bigNumber(), QString());
    QCOMPARE(resultOf(panel), run.summary.explanation);
    const std::unique_ptr<QWidget> presentation(panel.createPresentation(nullptr));
    QCOMPARE(presentation->findChild<ResultStrip *>()->bigNumber(), QString());
}

void TestMeasurePanel::resultLine()
{
    MeasurePanel panel;
    panel.endRun(tenRounds());
    QCOMPARE(resultOf(panel),
        QStringLiteral("36 × · CACHED is 97 % lower than NO CACHE (95 %: 35–38 ×, paired, n 10) · "
                       "10 of 10 hits confirmed by the server · control as slow as NO CACHE"));
    RunResult slower = tenRounds();
    slower.summary.ratio_median = 0.9;
    slower.summary.ratio_interval.reset();
    slower.summary.arms[Arm::different].median_ms = 300;
    panel.endRun(slower);
    QCOMPARE(resultOf(panel),
        QStringLiteral("0.9 × · CACHED is 11 % higher than NO CACHE (paired, n 10) · "
                       "10 of 10 hits confirmed by the server · control took 300 ms"));
}

void TestMeasurePanel::originNamesGibberish()
{
    MeasurePanel panel;
    const auto *origin = panel.findChild<ElidingLabel *>(QStringLiteral("runOrigin"));
    panel.endRun(tenRounds());
    QVERIFY2(origin->fullText().startsWith(u"practice engine 25M · text is gibberish · 2026-03-01 14:32"),
        qPrintable(origin->fullText()));
    panel.showSampleData(tenRounds());
    QVERIFY(origin->fullText().contains(u"not on this computer"));
    panel.endRun(contradictedRun());
    QVERIFY(!origin->fullText().contains(u"gibberish"));
}

void TestMeasurePanel::clickingTheChartIsSafe()
{
    MeasurePanel panel;
    panel.resize(700, 540);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    auto *chart = panel.findChild<TtftChart *>();
    const auto clickEverywhere = [&] {
        for (QWidget *target : chart->findChildren<QWidget *>()) {
            for (const QPoint &at : {QPoint(0, 0), target->rect().center(), target->rect().bottomRight()}) {
                QTest::mousePress(target, Qt::LeftButton, {}, at);
                QTest::mouseMove(target, at + QPoint(5, 5));
                QTest::mouseRelease(target, Qt::LeftButton, {}, at);
                QTest::mouseDClick(target, Qt::RightButton, {}, at);
            }
        }
    };
    clickEverywhere();
    panel.beginRun({});
    clickEverywhere();
    feed(panel, oneRound());
    clickEverywhere();
    panel.endRun(tenRounds());
    clickEverywhere();
    panel.endRun(contradictedRun());
    clickEverywhere();
    QCOMPARE(panel.run().samples.size(), 10);
}

void TestMeasurePanel::presentationFollows_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QSize>("size");
    for (const QSize &size : {QSize(1024, 768), QSize(1280, 720), QSize(1920, 1080)}) {
        for (const char *language : {"en", "zh"})
            QTest::addRow("%s %dx%d", language, size.width(), size.height()) << QString::fromLatin1(language) << size;
    }
}

void TestMeasurePanel::presentationFollows()
{
    QFETCH(QString, language);
    QFETCH(QSize, size);
    i18n::installLanguage(language);
    applyAppearance(Theme::light, 0.8);
    MeasurePanel panel;
    panel.beginRun({});
    const std::unique_ptr<QWidget> presentation(panel.createPresentation(nullptr));
    presentation->resize(size);
    presentation->show();
    QVERIFY(QTest::qWaitForWindowExposed(presentation.get()));
    QVERIFY(smallestPoints(presentation.get()) >= 23.99);
    feed(panel, tenRounds());
    panel.endRun(tenRounds());
    auto *chart = presentation->findChild<TtftChart *>();
    QTRY_COMPARE_WITH_TIMEOUT(chart->barValue(Arm::cold).value_or(0), 718.0, patience);
    QCOMPARE(presentation->findChild<ResultStrip *>()->bigNumber(), QStringLiteral("36×"));
    QVERIFY2(
        smallestPoints(presentation.get()) >= 23.99, qPrintable(QString::number(smallestPoints(presentation.get()))));
    const ChartLook look = ChartLook::presentation(1.0);
    for (const QFont &font : {look.name, look.second, look.value, look.axis})
        QVERIFY(font.pointSizeF() >= 23.99);
    QVERIFY(chart->height() > size.height() * 0.4);
    // The longest badge must not make the picture wider than the projector.
    panel.endRun(contradictedRun());
    QTest::qWait(50);
    QCOMPARE(presentation->size(), size);
    QVERIFY(smallestPoints(presentation.get()) >= 23.99);
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

void TestMeasurePanel::exportPictures()
{
    const QTemporaryDir folder;
    MeasurePanel panel;
    panel.endRun(tenRounds());
    const QString png = folder.filePath(QStringLiteral("chart.png"));
    const QString svg = folder.filePath(QStringLiteral("chart.SVG"));
    const QString pdf = folder.filePath(QStringLiteral("chart.pdf"));
    for (const QString &path : {png, svg, pdf})
        QCOMPARE(panel.exportChart(path), std::nullopt);
    QCOMPARE(QImage(png).size(), QSize(2400, 1440));

    QFile file(svg);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader reader(&file);
    QString words;
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::Characters)
            words += reader.text();
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    for (const QString &expected : {QStringLiteral("Time to first token (ms)"), QStringLiteral("MEASURED"),
             QStringLiteral("kvlab-medium"), QStringLiteral("http://127.0.0.1:8137"),
             QStringLiteral("2026-03-01 14:32"), QStringLiteral("718 ms"), QStringLiteral("gibberish")})
        QVERIFY2(words.contains(expected), qPrintable(expected));

    QFile document(pdf);
    QVERIFY(document.open(QIODevice::ReadOnly));
    QVERIFY(document.read(5) == "%PDF-");
    QVERIFY(document.size() > 5000);
}

void TestMeasurePanel::exportIsAlwaysLight()
{
    const QTemporaryDir folder;
    applyAppearance(Theme::dark, 2.0);
    MeasurePanel panel;
    panel.showSampleData(tenRounds());
    const QString dark = folder.filePath(QStringLiteral("dark.png"));
    QCOMPARE(panel.exportChart(dark), std::nullopt);
    applyAppearance(Theme::light, 1.0);
    const QString light = folder.filePath(QStringLiteral("light.png"));
    QCOMPARE(panel.exportChart(light), std::nullopt);
    const QImage picture(dark);
    QCOMPARE(picture.pixelColor(2, 2), QColor(Qt::white));
    QCOMPARE(picture, QImage(light));
}

void TestMeasurePanel::exportRefuses()
{
    const QTemporaryDir folder;
    MeasurePanel panel;
    panel.endRun(tenRounds());
    const QString nowhere = folder.filePath(QStringLiteral("missing/chart.png"));
    const std::optional<QString> unwritable = panel.exportChart(nowhere);
    QVERIFY(unwritable);
    QVERIFY2(unwritable->contains(nowhere) && unwritable->contains(u"Choose another folder"), qPrintable(*unwritable));
    QVERIFY(!QFile::exists(nowhere));
    const std::optional<QString> unknown = panel.exportChart(folder.filePath(QStringLiteral("chart.bmp")));
    QVERIFY(unknown && unknown->contains(u".png, .svg or .pdf"));
    QVERIFY(QDir(folder.path()).isEmpty());
}

void TestMeasurePanel::chineseThroughout()
{
    MeasurePanel panel;
    panel.resize(700, 540);
    panel.endRun(tenRounds());
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    auto *chart = panel.findChild<TtftChart *>();
    const QString english = chart->accessibleDescription();
    i18n::installLanguage(QStringLiteral("zh"));
    applyAppearance(Theme::dark, 1.25);
    // Numbers and arms stay; only words change. No crash, no stale font.
    const QAbstractItemModel *samples = panel.findChild<QTableView *>(QStringLiteral("samplesTable"))->model();
    for (const int column : {SampleModel::ArmColumn, SampleModel::ExpectedColumn, SampleModel::VerdictColumn})
        QVERIFY(samples->headerData(column, Qt::Horizontal).toString().at(0).script() == QChar::Script_Han);
    QVERIFY(text(*samples, 0, SampleModel::VerdictColumn).at(0).script() == QChar::Script_Han);
    QTRY_VERIFY_WITH_TIMEOUT(panel.findChild<ResultStrip *>()->bigNumber().startsWith(u"36"), patience);
    QCOMPARE(chart->barValue(Arm::cold).value(), 718.0);
    QVERIFY(chart->accessibleDescription().contains(u"NO CACHE"));
    QCOMPARE(panel.findChild<QTableView *>(QStringLiteral("samplesTable"))->font().pointSizeF(), 10.5 * 1.25);
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
    QTRY_COMPARE_WITH_TIMEOUT(chart->accessibleDescription(), english, patience);
}

void TestMeasurePanel::recordedRunIsUsable()
{
    const bool exists = QFile::exists(QStringLiteral(":/kvlab/recorded/practice-run.json"));
    const std::optional<RunResult> run = recordedRun();
    QCOMPARE(run.has_value(), exists);
    MeasurePanel panel;
    if (run)
        panel.showSampleData(*run);
    QCOMPARE(panel.showsSampleData(), exists);
}

QTEST_MAIN(TestMeasurePanel)
#include "tst_measure_panel.moc"
