// SPDX-License-Identifier: GPL-3.0-or-later
// The handout beside the fair measurement: with results written down by hand, and once with the practice engine.
#include "i18n/language.h"
#include "ui/dialogs/handout_dialog.h"
#include "ui/made_up_runs.h"
#include "ui/measure_controller.h"
#include "ui/widgets/appearance.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <QTextBrowser>

using namespace kvlab;
using namespace kvlab::test;
using namespace kvlab::ui;
using State = MeasureController::State;

namespace {

constexpr int patienceMs = 60'000;

/// Times and hits that a fresh vLLM gave.
HandoutResult part2()
{
    constexpr double times[] = {1648, 80, 132, 2974};
    constexpr qint64 hits[] = {0, 1152, 1120, 0};
    HandoutResult result;
    result.part = 2;
    const QList<HandoutRequest> requests = handoutRequests(2);
    for (int i = 0; i < 4; ++i) {
        HandoutSample sample;
        sample.request = requests.at(i);
        sample.handout_ms = times[i];
        sample.probe.evidence.cached_tokens = hits[i];
        sample.probe.evidence.prompt_tokens = i == 3 ? 2016 : 1156;
        result.samples << sample;
    }
    return result;
}

QPushButton *button(const QWidget &dialog, const char *name)
{
    return dialog.findChild<QPushButton *>(QString::fromLatin1(name));
}

QString label(const QWidget &dialog, const char *name)
{
    return dialog.findChild<QLabel *>(QString::fromLatin1(name))->text();
}

} // namespace

class TestHandoutDialog : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void bothResultsShareOneAxis();
    void eachFlawStandsAtItsFigure();
    void allFlawsAreListedInOrder();
    void runsWithThePracticeEngineAndStops();
};

void TestHandoutDialog::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    qputenv("KVLAB_PROGRAM", KVLAB_PROGRAM_PATH);
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1);
}

void TestHandoutDialog::bothResultsShareOneAxis()
{
    MeasureController controller;
    HandoutDialog dialog(&controller);
    dialog.setHandout(part2());
    RunResult fair;
    ArmSummary cold;
    cold.samples = cold.kept = 10;
    cold.median_ms = 4000;
    cold.median_interval_ms = Interval{3900, 4500};
    fair.summary.arms.insert(Arm::cold, cold);
    dialog.setFair(fair);
    const auto charts = dialog.findChildren<HandoutChart *>();
    QCOMPARE(charts.size(), 2);
    QCOMPARE(charts.first()->axisMaximum(), charts.last()->axisMaximum());
    QVERIFY(charts.first()->axisMaximum() >= 4500);
    // 132 / 80 = 1.65
    QVERIFY2(label(dialog, "finding").contains(QLatin1String("65 %")), qPrintable(label(dialog, "finding")));
}

void TestHandoutDialog::eachFlawStandsAtItsFigure()
{
    MeasureController controller;
    HandoutDialog dialog(&controller);
    dialog.setHandout(part2());
    const auto charts = dialog.findChildren<HandoutChart *>();
    QHash<QString, HandoutBar> bars;
    for (const HandoutChart *chart : charts) {
        for (const HandoutBar &bar : chart->bars()) {
            if (!bar.flaws.isEmpty())
                bars.insert(bar.name, bar);
        }
    }
    QVERIFY(bars.value(QStringLiteral("NO CACHE")).flaws.contains(1));
    QVERIFY(!bars.value(QStringLiteral("CACHED")).flaws.contains(1));
    QVERIFY(bars.value(QStringLiteral("DIFFERENT PREFIX")).flaws.contains(2));
    QCOMPARE(bars.value(QStringLiteral("NO CACHE")).second, QStringLiteral("cached 1,152 of 1,156"));
    QCOMPARE(bars.value(QStringLiteral("DIFFERENT PREFIX")).ms, std::optional(2974.0));
    dialog.showPart(3);
    QCOMPARE(charts.first()->bars().first().name, QStringLiteral("Request 1"));
    QVERIFY(charts.first()->bars().first().flaws.contains(10));
    QCOMPARE(charts.first()->bars().first().ms, std::nullopt);
}

void TestHandoutDialog::allFlawsAreListedInOrder()
{
    MeasureController controller;
    HandoutDialog dialog(&controller);
    const QString text = dialog.findChild<QTextBrowser *>(QStringLiteral("flaws"))->toPlainText();
    qsizetype at = -1;
    for (const HandoutFlaw &flaw : handoutFlaws()) {
        const qsizetype next = text.indexOf(flaw.title);
        QVERIFY2(next > at, qPrintable(flaw.title));
        at = next;
    }
}

void TestHandoutDialog::runsWithThePracticeEngineAndStops()
{
    MeasureController controller;
    controller.setEngineSize(QStringLiteral("small"));
    HandoutDialog dialog(&controller);
    dialog.show();
    QPushButton *start = button(dialog, "studyButton");
    start->click();
    QVERIFY(controller.state() != State::idle);
    QVERIFY(!button(dialog, "measureRight")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(controller.state(), State::idle, patienceMs);
    const HandoutChart *chart = dialog.findChildren<HandoutChart *>().first();
    for (const int part : {2, 3}) {
        dialog.showPart(part);
        for (const HandoutBar &bar : chart->bars())
            QVERIFY2(bar.ms, qPrintable(bar.name));
    }
    dialog.showPart(2);
    // The warm-up sent this very prompt.
    QVERIFY(!chart->bars().at(1).second.startsWith(QLatin1String("cached 0 ")));
    start->click();
    QTRY_COMPARE_WITH_TIMEOUT(controller.state(), State::running, patienceMs);
    start->click();
    QTRY_COMPARE_WITH_TIMEOUT(controller.state(), State::idle, patienceMs);
    button(dialog, "measureRight")->click();
    QTRY_COMPARE_WITH_TIMEOUT(controller.state(), State::running, patienceMs);
    QVERIFY(!start->isEnabled());
    button(dialog, "measureRight")->click();
    QTRY_COMPARE_WITH_TIMEOUT(controller.state(), State::idle, patienceMs);
    QVERIFY(start->isEnabled());
}

QTEST_MAIN(TestHandoutDialog)
#include "tst_handout_dialog.moc"
