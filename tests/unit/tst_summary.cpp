// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts and statistics against the reference cases, and the statistics against arithmetic done by hand.
#include "experiment/statistics.h"
#include "experiment/summary.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>

using namespace kvlab::experiment;
using kvlab::probe::Outcome;

namespace {

QJsonArray referenceCases()
{
    QFile file(QStringLiteral(KVLAB_TEST_DATA "/experiment-cases.json"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument::fromJson(file.readAll()).object().value(QStringLiteral("cases")).toArray();
}

std::optional<qint64> integer(const QJsonValue &value)
{
    return value.isDouble() ? std::optional<qint64>(value.toInteger()) : std::nullopt;
}

MeasuredSample sampleFrom(const QJsonObject &object)
{
    MeasuredSample sample;
    sample.arm = *armFromName(object.value(QStringLiteral("arm")).toString());
    sample.round = object.value(QStringLiteral("round")).toInt() + 1;
    const QString outcome = object.value(QStringLiteral("outcome")).toString(QStringLiteral("completed"));
    sample.probe.outcome = outcome == QLatin1String("completed") ? Outcome::completed
        : outcome == QLatin1String("no_token")                   ? Outcome::no_token
                                                                 : Outcome::server_error;
    if (object.value(QStringLiteral("ttft_ms")).isDouble())
        sample.probe.stamps.first_content_ns = std::llround(object.value(QStringLiteral("ttft_ms")).toDouble() * 1e6);
    sample.probe.evidence.prompt_tokens = integer(object.value(QStringLiteral("prompt_tokens")));
    sample.probe.evidence.cached_tokens = integer(object.value(QStringLiteral("cached_tokens")));
    const QJsonObject counters = object.value(QStringLiteral("counters")).toObject();
    if (!counters.isEmpty())
        sample.counters = CounterDelta{
            counters.value(QStringLiteral("hits")).toInteger(), counters.value(QStringLiteral("idle")).toBool()};
    return sample;
}

QList<MeasuredSample> judgedSamples(const QJsonObject &one)
{
    const QJsonObject params = one.value(QStringLiteral("params")).toObject();
    VerdictRules rules;
    rules.block_size = integer(params.value(QStringLiteral("block_size")));
    rules.template_floor = integer(params.value(QStringLiteral("template_floor")));
    rules.server_known_to_report = params.value(QStringLiteral("server_known_to_report")).toBool();
    QList<MeasuredSample> samples;
    for (const QJsonValue &value : one.value(QStringLiteral("samples")).toArray()) {
        samples.append(sampleFrom(value.toObject()));
        if (const auto shared = integer(value.toObject().value(QStringLiteral("shared_prefix"))))
            rules.warm_want = *shared / *rules.block_size * *rules.block_size;
    }
    judge(samples, rules);
    return samples;
}

bool isClose(double got, double want)
{
    return std::abs(got - want) < 1e-6;
}

/// A value that must be absent when the expectation has none, and equal otherwise.
void compareOptional(const std::optional<double> &got, const QJsonValue &want, const char *name)
{
    QVERIFY2(got.has_value() == want.isDouble(), name);
    if (got)
        QVERIFY2(isClose(*got, want.toDouble()),
            qPrintable(QStringLiteral("%1: got %2").arg(QLatin1String(name)).arg(*got, 0, 'g', 12)));
}

/// The expectation gives a range for each bound.
void compareInterval(const std::optional<Interval> &got, const QJsonValue &want, const char *name)
{
    QVERIFY2(got.has_value() == want.isObject(), name);
    if (!got)
        return;
    const QJsonArray low = want.toObject().value(QStringLiteral("low")).toArray();
    const QJsonArray high = want.toObject().value(QStringLiteral("high")).toArray();
    QVERIFY2(got->low >= low.at(0).toDouble() - 1e-6 && got->low <= low.at(1).toDouble() + 1e-6, name);
    QVERIFY2(got->high >= high.at(0).toDouble() - 1e-6 && got->high <= high.at(1).toDouble() + 1e-6, name);
}

void compareArm(const ArmSummary &got, const QJsonObject &want)
{
    QCOMPARE(got.samples, want.value(QStringLiteral("sent")).toInt());
    QCOMPARE(got.kept, want.value(QStringLiteral("n")).toInt());
    QCOMPARE(got.excluded, want.value(QStringLiteral("excluded")).toInt());
    QCOMPARE(got.failed, want.value(QStringLiteral("failed")).toInt());
    compareOptional(got.median_ms, want.value(QStringLiteral("median")), "median");
    compareOptional(got.min_ms, want.value(QStringLiteral("min")), "min");
    compareOptional(got.max_ms, want.value(QStringLiteral("max")), "max");
    compareOptional(got.mad_ms, want.value(QStringLiteral("mad")), "mad");
    compareInterval(got.median_interval_ms, want.value(QStringLiteral("ci95_median")), "ci95_median");
    QCOMPARE(got.p90_ms.has_value(), want.value(QStringLiteral("show_p90")).toBool());
    QCOMPARE(got.p99_ms.has_value(), want.value(QStringLiteral("show_p99")).toBool());
}

MeasuredSample plainSample(Arm arm, int round, double ttftMs, std::optional<qint64> cached)
{
    MeasuredSample sample;
    sample.arm = arm;
    sample.round = round;
    sample.probe.outcome = Outcome::completed;
    sample.probe.stamps.first_content_ns = std::llround(ttftMs * 1e6);
    sample.probe.evidence.prompt_tokens = 1040;
    sample.probe.evidence.cached_tokens = cached;
    return sample;
}

VerdictRules plainRules()
{
    VerdictRules rules;
    rules.block_size = 16;
    rules.template_floor = 0;
    rules.warm_want = 992;
    return rules;
}

QList<MeasuredSample> threeRounds()
{
    QList<MeasuredSample> samples;
    for (int round = 1; round <= 3; ++round) {
        samples << plainSample(Arm::cold, round, 500 + round, 0) << plainSample(Arm::warm, round, 50 + round, 992)
                << plainSample(Arm::different, round, 505 + round, 0);
    }
    return samples;
}

} // namespace

class TestSummary : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void allCasesAreThere();
    void referenceCase_data();
    void referenceCase();
    void medianByHand();
    void percentileByHand();
    void signFlipByHand();
    void bootstrapIsTheSameEveryTime();
    void taintedSamplesAreShownButNotCounted();
    void taintedSamplesDoNotContradict();
    void explanationTellsWhatToDo_data();
    void explanationTellsWhatToDo();
    void unequalLengthsAreSaid();
    void nothingMeasuredSaysNothing();
};

void TestSummary::allCasesAreThere()
{
    QCOMPARE(referenceCases().size(), 22);
}

void TestSummary::referenceCase_data()
{
    QTest::addColumn<QJsonObject>("one");
    for (const QJsonValue &value : referenceCases())
        QTest::newRow(qPrintable(value.toObject().value(QStringLiteral("id")).toString())) << value.toObject();
}

void TestSummary::referenceCase()
{
    QFETCH(const QJsonObject, one);
    const QJsonObject expect = one.value(QStringLiteral("expect")).toObject();
    const QList<MeasuredSample> samples = judgedSamples(one);
    QStringList verdicts;
    for (const MeasuredSample &sample : samples)
        verdicts << (sample.verdict ? verdictName(*sample.verdict) : QString());
    QStringList wanted;
    for (const QJsonValue &value : expect.value(QStringLiteral("sample_verdicts")).toArray())
        wanted << value.toString();
    QCOMPARE(verdicts, wanted);

    const Summary summary = summarize(samples);
    const QJsonObject arms = expect.value(QStringLiteral("arms")).toObject();
    QCOMPARE(summary.arms.size(), arms.size());
    for (auto it = arms.begin(); it != arms.end(); ++it)
        compareArm(summary.arms.value(*armFromName(it.key())), it.value().toObject());
    QCOMPARE(summary.pairs, expect.value(QStringLiteral("pairs")).toInt());
    const bool ratioShown = expect.value(QStringLiteral("show_ratio")).toBool();
    compareOptional(
        summary.ratio_median, ratioShown ? expect.value(QStringLiteral("ratio_median")) : QJsonValue(), "ratio_median");
    compareInterval(summary.ratio_interval, expect.value(QStringLiteral("ratio_ci95")), "ratio_ci95");
    compareOptional(summary.sign_flip_p, expect.value(QStringLiteral("sign_flip_p")), "sign_flip_p");
    compareOptional(
        summary.saved_ms_per_cached_token, expect.value(QStringLiteral("saved_ms_per_cached_token")), "saved");
    QCOMPARE(verdictName(summary.verdict.value()), expect.value(QStringLiteral("run_verdict")).toString());
    QCOMPARE(summary.reason, expect.value(QStringLiteral("reason")).toString());
    QVERIFY(!summary.explanation.isEmpty());
}

void TestSummary::medianByHand()
{
    QCOMPARE(median({3}), 3.0);
    QCOMPARE(median({4, 1, 3}), 3.0);
    QCOMPARE(median({4, 1, 3, 2}), 2.5);
    QCOMPARE(medianAbsoluteDeviation({1, 1, 2, 2, 4, 6, 9}), 1.0);
}

void TestSummary::percentileByHand()
{
    QList<double> values;
    for (int i = 20; i >= 1; --i)
        values.append(i);
    QCOMPARE(percentile(values, 90), 18.0);
    QCOMPARE(percentile(values, 99), 20.0);
    QCOMPARE(percentile({7}, 1), 7.0);
}

void TestSummary::signFlipByHand()
{
    // All of one sign: only that pattern and its mirror are as extreme.
    QCOMPARE(signFlipP({1, 2, 3, 4, 5}), 2.0 / 32);
    // |1 - 1| = 0: every pattern is at least as extreme.
    QCOMPARE(signFlipP({1, -1}), 1.0);
}

void TestSummary::bootstrapIsTheSameEveryTime()
{
    const QList<double> values{9, 2, 5, 7, 1, 4, 8};
    const Interval first = bootstrapMedianInterval(values);
    for (int size = 5; size < 20; ++size) // pushes the kept draws out
        bootstrapMedianInterval(QList<double>(size, 1.0));
    const Interval again = bootstrapMedianInterval(values);
    QCOMPARE(again.low, first.low);
    QCOMPARE(again.high, first.high);
    QVERIFY(first.low >= 1 && first.low < 5);
    QVERIFY(first.high > 5 && first.high <= 9);
}

void TestSummary::taintedSamplesAreShownButNotCounted()
{
    QList<MeasuredSample> samples = threeRounds();
    samples[1].probe.tainted << QStringLiteral("busy_thread");
    judge(samples, plainRules());
    QVERIFY(samples.at(1).verdict == Verdict::confirmed);
    QVERIFY(!samples.at(1).kept);
    const Summary summary = summarize(samples);
    QCOMPARE(summary.arms.value(Arm::warm).samples, 3);
    QCOMPARE(summary.arms.value(Arm::warm).kept, 2);
    QCOMPARE(summary.arms.value(Arm::warm).excluded, 1);
    QCOMPARE(*summary.arms.value(Arm::warm).median_ms, 52.5);
    QCOMPARE(summary.pairs, 2);
    QVERIFY(!summary.ratio_median);
    QVERIFY(summary.verdict == Verdict::confirmed);
}

void TestSummary::taintedSamplesDoNotContradict()
{
    QList<MeasuredSample> samples = threeRounds();
    for (MeasuredSample &sample : samples)
        sample.probe.tainted << QStringLiteral("busy_thread");
    judge(samples, plainRules());
    const Summary summary = summarize(samples);
    QVERIFY(summary.reason.isEmpty());
    QVERIFY(summary.verdict == Verdict::unconfirmed);
}

void TestSummary::explanationTellsWhatToDo_data()
{
    QTest::addColumn<int>("warmHit"); // -1: not reported
    QTest::addColumn<bool>("cachingOff");
    QTest::addColumn<QString>("mustSay");
    QTest::newRow("confirmed") << 992 << false << QStringLiteral("Confirmed by the server");
    QTest::newRow("unknown") << -1 << false << QStringLiteral("--enable-prompt-tokens-details");
    QTest::newRow("partial") << 512 << false << QStringLiteral("only a part of the shared prefix");
    QTest::newRow("missed") << 0 << false << QStringLiteral("did not reuse the prefix");
    QTest::newRow("off") << 0 << true << QStringLiteral("switched off on this server");
}

void TestSummary::explanationTellsWhatToDo()
{
    QFETCH(const int, warmHit);
    QFETCH(const bool, cachingOff);
    QFETCH(const QString, mustSay);
    QList<MeasuredSample> samples = threeRounds();
    for (MeasuredSample &sample : samples) {
        if (warmHit < 0)
            sample.probe.evidence.cached_tokens.reset();
        else if (sample.arm == Arm::warm)
            sample.probe.evidence.cached_tokens = warmHit;
    }
    judge(samples, plainRules());
    ServerFacts facts;
    facts.prefix_caching_off = cachingOff;
    const QString explanation = summarize(samples, facts).explanation;
    QVERIFY2(explanation.contains(mustSay), qPrintable(explanation));
}

void TestSummary::unequalLengthsAreSaid()
{
    QList<MeasuredSample> samples = threeRounds();
    samples[0].probe.evidence.prompt_tokens = 1042; // within two tokens
    judge(samples, plainRules());
    QVERIFY(!summarize(samples).explanation.contains(QLatin1String("equally long")));
    samples[0].probe.evidence.prompt_tokens = 1043;
    judge(samples, plainRules());
    QVERIFY(summarize(samples).explanation.contains(QLatin1String("not equally long")));
}

void TestSummary::nothingMeasuredSaysNothing()
{
    const Summary summary = summarize({});
    QVERIFY(!summary.verdict);
    QVERIFY(summary.explanation.isEmpty());
    QVERIFY(summary.arms.isEmpty());
}

QTEST_APPLESS_MAIN(TestSummary)
#include "tst_summary.moc"
