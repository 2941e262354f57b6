// SPDX-License-Identifier: GPL-3.0-or-later
// The rules that take a sample out of the summary although its request went well, by hand-made samples.
#include "experiment/summary.h"
#include "probe/taint.h"

#include <QTest>

using namespace kvlab::experiment;
namespace taint = kvlab::probe::taint;
using kvlab::probe::EventStamp;

namespace {

constexpr qint64 ms = 1'000'000;

/// Tokens with these gaps in microseconds, the first at `first_ms`.
QList<EventStamp> tokens(qint64 first_ms, const QList<int> &gaps_us)
{
    QList<EventStamp> events{{first_ms * ms, false, 80}, {first_ms * ms, true, 90, true}};
    for (const int gap : gaps_us)
        events.append({events.last().at_ns + gap * 1000, true, 90, true});
    return events;
}

MeasuredSample sampleAt(Arm arm, int round, double ttft_ms)
{
    MeasuredSample sample;
    sample.arm = arm;
    sample.round = round;
    sample.probe.outcome = kvlab::probe::Outcome::completed;
    sample.probe.stamps.first_content_ns = std::llround(ttft_ms * 1e6);
    sample.probe.evidence.cached_tokens = arm == Arm::warm ? 992 : 0;
    sample.wanted_hit = arm == Arm::warm ? std::optional<qint64>(992) : std::nullopt;
    return sample;
}

QList<MeasuredSample> judged(const QList<double> &coldTimes)
{
    QList<MeasuredSample> samples;
    for (qsizetype i = 0; i < coldTimes.size(); ++i)
        samples << sampleAt(Arm::cold, int(i) + 1, coldTimes.at(i)) << sampleAt(Arm::warm, int(i) + 1, 50);
    VerdictRules rules;
    rules.block_size = 16;
    judge(samples, rules);
    return samples;
}

int drifting(const QList<MeasuredSample> &samples)
{
    return int(std::count_if(samples.begin(), samples.end(),
        [](const MeasuredSample &sample) { return sample.probe.tainted.contains(taint::drift); }));
}

} // namespace

class TestTaint : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bursts_data();
    void bursts();
    void clockGap_data();
    void clockGap();
    void everyWordHasItsReason();
    void driftTakesTheLastThirdOfEveryArm();
    void noDrift_data();
    void noDrift();
    void explanationNamesTheReasons();
};

void TestTaint::bursts_data()
{
    QTest::addColumn<qint64>("first_ms");
    QTest::addColumn<QList<int>>("gaps");
    QTest::addColumn<qint64>("end_ms");
    QTest::addColumn<bool>("buffered");
    const QList<int> burst(15, 20);
    const QList<int> stream(15, 12'000);
    QTest::newRow("burst") << qint64(900) << burst << qint64(901) << true;
    QTest::newRow("stream") << qint64(900) << stream << qint64(1100) << false;
    QTest::newRow("burst within 200 ms") << qint64(150) << burst << qint64(151) << false;
    QTest::newRow("7 tokens") << qint64(900) << QList<int>(6, 20) << qint64(901) << false;
    QTest::newRow("8 tokens") << qint64(900) << QList<int>(7, 20) << qint64(901) << true;
    QTest::newRow("8 of 10 gaps short") << qint64(900) << QList<int>(8, 20) + QList<int>(2, 5'000) << qint64(911)
                                        << true;
    QTest::newRow("7 of 10 gaps short") << qint64(900) << QList<int>(7, 20) + QList<int>(3, 5'000) << qint64(916)
                                        << false;
    QTest::newRow("gaps of 1 ms are not short") << qint64(900) << QList<int>(15, 1'000) << qint64(920) << false;
}

void TestTaint::bursts()
{
    QFETCH(const qint64, first_ms);
    QFETCH(const QList<int>, gaps);
    QFETCH(const qint64, end_ms);
    QFETCH(const bool, buffered);
    QCOMPARE(taint::isBufferedStream(tokens(first_ms, gaps), end_ms * ms), buffered);
    QVERIFY(!taint::isBufferedStream(tokens(first_ms, gaps), std::nullopt));
    kvlab::probe::ProbeSample sample;
    sample.events = tokens(first_ms, gaps);
    sample.stamps.end_ns = end_ms * ms;
    QCOMPARE(taint::ofSample(sample), buffered ? QStringList{taint::buffered_stream} : QStringList());
}

void TestTaint::clockGap_data()
{
    QTest::addColumn<double>("wall");
    QTest::addColumn<double>("monotonic");
    QTest::addColumn<bool>("gap");
    QTest::newRow("equal") << 500.0 << 500.0 << false;
    QTest::newRow("a second") << 1500.0 << 500.0 << false;
    QTest::newRow("more than a second") << 1501.0 << 500.0 << true;
    QTest::newRow("slept for an hour") << 3'600'500.0 << 500.0 << true;
    QTest::newRow("clock set back") << -2'000.0 << 500.0 << true;
}

void TestTaint::clockGap()
{
    QFETCH(const double, wall);
    QFETCH(const double, monotonic);
    QFETCH(const bool, gap);
    QCOMPARE(taint::isClockGap(wall, monotonic), gap);
    kvlab::probe::ProbeSample sample;
    sample.wall_ms = wall;
    sample.stamps.end_ns = std::llround(monotonic * 1e6);
    QCOMPARE(taint::ofSample(sample), gap ? QStringList{taint::clock_gap} : QStringList());
}

void TestTaint::everyWordHasItsReason()
{
    for (const QString &word : {taint::busy_thread, taint::buffered_stream, taint::clock_gap, taint::drift})
        QVERIFY(taint::reason(word).endsWith(u'.'));
    QVERIFY(taint::reason(QStringLiteral("other")).isEmpty());
}

void TestTaint::driftTakesTheLastThirdOfEveryArm()
{
    const QList<MeasuredSample> samples
        = judged({500, 502, 498, 501, 540, 560, 580, 600, 640, 650, 660, 655}); // 501 → 652
    QCOMPARE(drifting(samples), 8);
    for (const MeasuredSample &sample : samples) {
        QCOMPARE(sample.probe.tainted.contains(taint::drift), sample.round >= 9);
        QCOMPARE(sample.kept, sample.round < 9);
    }
    const Summary summary = summarize(samples);
    QCOMPARE(summary.arms.value(Arm::cold).excluded, 4);
    QCOMPARE(summary.pairs, 8);
    // Judged again with another sample, the mark is not there twice.
    QList<MeasuredSample> again = samples;
    judge(again, {});
    QCOMPARE(again.last().probe.tainted.count(taint::drift), 1);
}

void TestTaint::noDrift_data()
{
    QTest::addColumn<QList<double>>("times");
    QTest::newRow("steady") << QList<double>(12, 500);
    QTest::newRow("eleven only") << QList<double>{500, 500, 500, 500, 600, 600, 600, 700, 700, 700, 700};
    QTest::newRow("less than a quarter") << QList<double>{500, 500, 500, 500, 550, 550, 550, 550, 620, 620, 620, 620};
    QTest::newRow("overlapping") << QList<double>{500, 500, 500, 710, 600, 600, 600, 600, 700, 700, 700, 700};
    QTest::newRow("one outlier") << QList<double>{500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 5000};
}

void TestTaint::noDrift()
{
    QFETCH(const QList<double>, times);
    QCOMPARE(drifting(judged(times)), 0);
}

void TestTaint::explanationNamesTheReasons()
{
    QList<MeasuredSample> samples = judged(QList<double>(4, 500));
    samples[0].probe.tainted << taint::buffered_stream;
    samples[1].probe.tainted << taint::clock_gap;
    VerdictRules rules;
    rules.block_size = 16;
    judge(samples, rules);
    const QString explanation = summarize(samples).explanation;
    QVERIFY(explanation.contains(taint::reason(taint::buffered_stream)));
    QVERIFY(explanation.contains(taint::reason(taint::clock_gap)));
    QVERIFY(!explanation.contains(taint::reason(taint::busy_thread)));
}

QTEST_APPLESS_MAIN(TestTaint)
#include "tst_taint.moc"
