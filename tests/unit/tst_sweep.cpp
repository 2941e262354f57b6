// SPDX-License-Identifier: GPL-3.0-or-later
// Slopes and the point from which caching pays, by arithmetic done by hand.
#include "experiment/summary.h"
#include "experiment/sweep.h"

#include <QTest>

using namespace kvlab::experiment;

namespace {

/// A run of `rounds` pairs at one length; every cold and every warm sample takes the same time.
RunResult runAt(qint64 shared, double cold_ms, double warm_ms, int rounds = 3)
{
    RunResult run;
    run.server.shared_prefix = shared;
    run.server.block_size = 16;
    for (int round = 1; round <= rounds; ++round) {
        for (const Arm arm : {Arm::cold, Arm::warm}) {
            MeasuredSample sample;
            sample.round = round;
            sample.arm = arm;
            sample.probe.outcome = kvlab::probe::Outcome::completed;
            sample.probe.stamps.first_content_ns = std::llround((arm == Arm::cold ? cold_ms : warm_ms) * 1e6);
            sample.probe.evidence.prompt_tokens = shared + 40;
            sample.probe.evidence.cached_tokens = arm == Arm::cold ? 0 : shared;
            sample.wanted_hit = arm == Arm::warm ? std::optional<qint64>(shared) : std::nullopt;
            run.samples.append(sample);
        }
    }
    VerdictRules rules;
    rules.block_size = 16;
    judge(run.samples, rules);
    run.summary = summarize(run.samples);
    return run;
}

} // namespace

class TestSweep : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void slopesByHand();
    void linesNeedTwoLengths();
    void paysFromTheLastUnbrokenStretch();
    void fivePairsDecideByTheirInterval();
    void contradictedRunsDoNotPay();
};

void TestSweep::slopesByHand()
{
    // cold = 10 + 0.5 x, warm = 10 + 0.05 x, given out of order.
    const SweepSummary sweep = summarizeSweep({runAt(1024, 522, 61.2), runAt(256, 138, 22.8), runAt(512, 266, 35.6)});
    QCOMPARE(sweep.points.size(), 3);
    QCOMPARE(sweep.points.first().shared_tokens, 256);
    QCOMPARE(*sweep.points.first().prompt_tokens, 296.0);
    QVERIFY(qAbs(sweep.cold->ms_per_1000_tokens - 500) < 1e-6);
    QVERIFY(qAbs(sweep.cold->at_zero_ms - 10) < 1e-6);
    QVERIFY(qAbs(sweep.warm->ms_per_1000_tokens - 50) < 1e-6);
    QVERIFY(qAbs(sweep.warm->at_zero_ms - 10) < 1e-6);
    QCOMPARE(*sweep.pays_from_tokens, 256);
}

void TestSweep::linesNeedTwoLengths()
{
    QVERIFY(!fitLine({}));
    QVERIFY(!fitLine({{5, 1}, {5, 2}}));
    // Through (0, 1), (1, 2), (2, 6): slope 2.5, mean 3 at 1.
    const auto line = fitLine({{0, 1}, {1, 2}, {2, 6}});
    QCOMPARE(line->ms_per_1000_tokens, 2500.0);
    QCOMPARE(line->at_zero_ms, 0.5);
    QVERIFY(!summarizeSweep({runAt(256, 100, 10)}).cold);
}

void TestSweep::paysFromTheLastUnbrokenStretch()
{
    // Three pairs: the ratio must reach 1.2. It does at 64, not at 128, again from 256 on.
    const SweepSummary sweep
        = summarizeSweep({runAt(64, 13, 10), runAt(128, 11, 10), runAt(256, 12, 10), runAt(512, 30, 10)});
    QVERIFY(sweep.points.at(0).pays && !sweep.points.at(1).pays && sweep.points.at(2).pays);
    QCOMPARE(*sweep.pays_from_tokens, 256);
    QVERIFY(!summarizeSweep({runAt(64, 30, 10), runAt(128, 11, 10)}).pays_from_tokens);
}

void TestSweep::fivePairsDecideByTheirInterval()
{
    const SweepSummary sweep = summarizeSweep({runAt(64, 10.5, 10, 5), runAt(128, 9.5, 10, 5)});
    QVERIFY(sweep.points.at(0).ratio_interval.has_value());
    QVERIFY(sweep.points.at(0).pays); // 1.05 to 1.05
    QVERIFY(!sweep.points.at(1).pays);
}

void TestSweep::contradictedRunsDoNotPay()
{
    RunResult run = runAt(256, 100, 10);
    run.summary.verdict = Verdict::contradicted;
    QVERIFY(!summarizeSweep({run}).points.first().pays);
}

QTEST_APPLESS_MAIN(TestSweep)
#include "tst_sweep.moc"
