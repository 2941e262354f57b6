// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs against a server whose cache is known exactly, well behaved and not.
#include "experiment/experiment_runner.h"
#include "support/model_server.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>
#include <QSignalSpy>
#include <QTest>

using namespace kvlab;
using namespace kvlab::experiment;
using kvlab::test::ChatRequest;
using kvlab::test::ModelServer;
using kvlab::test::ServerBehaviour;

namespace {

constexpr int patienceMs = 60'000;

ExperimentPlan shortPlan()
{
    ExperimentPlan plan;
    plan.rounds = 3;
    plan.shared_tokens = 400;
    return plan;
}

ServerTarget targetOf(const QUrl &url)
{
    ServerTarget target;
    target.base_url = url;
    return target;
}

RunResult runToEnd(const ServerTarget &target, const ExperimentPlan &plan)
{
    ExperimentRunner runner;
    QSignalSpy finished(&runner, &ExperimentRunner::finished);
    runner.start(target, plan);
    if (!finished.wait(patienceMs) || finished.size() != 1)
        return {};
    return finished.at(0).at(0).value<RunResult>();
}

RunResult runToEnd(const ServerBehaviour &behaviour, const ExperimentPlan &plan = shortPlan())
{
    const ModelServer server(behaviour);
    return runToEnd(targetOf(server.url()), plan);
}

QList<MeasuredSample> samplesOf(const RunResult &run, Arm arm)
{
    QList<MeasuredSample> samples;
    for (const MeasuredSample &sample : run.samples) {
        if (sample.arm == arm)
            samples.append(sample);
    }
    return samples;
}

/// By the evidence alone: the run's own verdict also looks at times, which a busy machine can spoil.
bool allConfirmed(const RunResult &run)
{
    return std::all_of(run.samples.begin(), run.samples.end(), [](const MeasuredSample &sample) {
        return sample.verdict == Verdict::confirmed || sample.probe.outcome != probe::Outcome::completed;
    });
}

QString saltOf(const ChatRequest &chat)
{
    return chat.body.value(QStringLiteral("cache_salt")).toString();
}

} // namespace

class TestExperiment : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everySampleIsExplained_data();
    void everySampleIsExplained();
    void promptsAreAlike();
    void warmAndDifferentArePrimed();
    void runsDoNotWarmEachOther();
    void factsAreLearned();
    void progressAndSamplesAreReported();
    void addressMayBeWrittenInManyWays_data();
    void addressMayBeWrittenInManyWays();
    void withoutSaltANonceMakesCold_data();
    void withoutSaltANonceMakesCold();
    void serverWithOneSlotIsExplainedToTheToken();
    void serverThatNeverCachesContradicts();
    void serverThatAlwaysHitsContradicts();
    void oneArmProvesNothing();
    void serverWithCachingOffIsSaidSo();
    void countersStandInForTheField();
    void withoutEvidenceNothingIsConfirmed();
    void withoutTokenizerTheRunStillConfirms();
    void olderServersAreSpokenToDifferently();
    void oneBrokenStreamFailsOneSample();
    void failedPrimeSpoilsItsSample();
    void deadServerEndsTheRun();
    void stopKeepsSamples();
    void stopWhileServerIsSilent();
    void destroyingARunnerStopsItsRun();
    void problemsAreSaidInOneSentence_data();
    void problemsAreSaidInOneSentence();
    void keyIsSentAndNeverTold();
    void promptLongerThanTheContextIsRefused_data();
    void promptLongerThanTheContextIsRefused();
};

void TestExperiment::everySampleIsExplained_data()
{
    QTest::addColumn<int>("blockSize");
    QTest::addColumn<int>("sharedTokens");
    QTest::newRow("16") << 16 << 400;
    QTest::newRow("16, other length") << 16 << 411;
    QTest::newRow("32") << 32 << 400;
    QTest::newRow("128") << 128 << 600;
}

void TestExperiment::everySampleIsExplained()
{
    QFETCH(const int, blockSize);
    QFETCH(const int, sharedTokens);
    ServerBehaviour behaviour;
    behaviour.block_size = blockSize;
    ExperimentPlan plan = shortPlan();
    plan.shared_tokens = sharedTokens;
    const RunResult run = runToEnd(behaviour, plan);
    QVERIFY2(run.end == RunEnd::finished, qPrintable(run.message));
    QCOMPARE(run.samples.size(), 9);
    QVERIFY(run.server.cold == ColdMethod::salt);
    QVERIFY(std::abs(*run.server.shared_prefix - sharedTokens) <= 24);
    for (const MeasuredSample &sample : run.samples) {
        QVERIFY2(sample.probe.outcome == probe::Outcome::completed, qPrintable(sample.probe.message));
        QVERIFY(sample.verdict == Verdict::confirmed);
        QVERIFY(sample.expected_hit.has_value());
        QCOMPARE(sample.probe.evidence.cached_tokens, sample.expected_hit);
        const qint64 wanted = sample.arm == Arm::warm ? *run.server.shared_prefix / blockSize * blockSize : 0;
        QCOMPARE(*sample.expected_hit, wanted);
    }
    QVERIFY(allConfirmed(run));
}

void TestExperiment::promptsAreAlike()
{
    const ModelServer server;
    const RunResult run = runToEnd(targetOf(server.url()), shortPlan());
    QSet<qint64> lengths;
    QStringList salted;
    for (const ChatRequest &chat : server.chats()) {
        if (chat.tokens.size() < 400)
            continue;
        lengths.insert(chat.tokens.size());
        QCOMPARE(chat.body.value(QStringLiteral("max_tokens")).toInt(), 16);
        if (!saltOf(chat).isEmpty())
            salted << chat.tokens.join(QLatin1Char(' '));
    }
    for (const MeasuredSample &sample : run.samples)
        QCOMPARE(*sample.probe.evidence.prompt_tokens, *run.samples.first().probe.evidence.prompt_tokens);
    // NO CACHE has exactly the tokens of a CACHED prompt.
    QStringList unsalted;
    for (const ChatRequest &chat : server.chats()) {
        if (saltOf(chat).isEmpty())
            unsalted << chat.tokens.join(QLatin1Char(' '));
    }
    QCOMPARE(salted.size(), 3);
    for (const QString &tokens : salted)
        QCOMPARE(unsalted.count(tokens), 1);
}

void TestExperiment::warmAndDifferentArePrimed()
{
    const ModelServer server;
    const RunResult run = runToEnd(targetOf(server.url()), shortPlan());
    QList<ChatRequest> chats = server.chats();
    // From the back: the last requests are those of the measured rounds.
    QStringList measured;
    int primes = 0;
    QSet<QString> primeTexts;
    chats = chats.last(3 * 5);
    for (const ChatRequest &chat : chats) {
        if (saltOf(chat).isEmpty() && chat.tokens.size() >= 400)
            primeTexts.insert(chat.tokens.join(QLatin1Char(' ')));
    }
    for (qsizetype i = 0; i < chats.size(); ++i) {
        if (!saltOf(chats.at(i)).isEmpty()) {
            measured << QStringLiteral("cold");
            continue;
        }
        // A prime and the request it prepares come in pairs.
        QVERIFY(i + 1 < chats.size());
        QVERIFY(saltOf(chats.at(i + 1)).isEmpty());
        QVERIFY(chats.at(i).tokens != chats.at(i + 1).tokens);
        ++primes;
        measured << (chats.at(i + 1).cached > 0 ? QStringLiteral("warm") : QStringLiteral("different"));
        ++i;
    }
    QCOMPARE(primes, 6);
    QStringList reported;
    for (const MeasuredSample &sample : run.samples)
        reported << armName(sample.arm);
    QCOMPARE(measured, reported);
    QCOMPARE(primeTexts.size(), 1 + 3 + 3); // one prime, three CACHED, three DIFFERENT PREFIX: none measured twice
}

void TestExperiment::runsDoNotWarmEachOther()
{
    const ModelServer server;
    QVERIFY(allConfirmed(runToEnd(targetOf(server.url()), shortPlan())));
    const RunResult again = runToEnd(targetOf(server.url()), shortPlan());
    QVERIFY(allConfirmed(again));
    for (const MeasuredSample &sample : samplesOf(again, Arm::cold))
        QCOMPARE(*sample.probe.evidence.cached_tokens, 0);
}

void TestExperiment::factsAreLearned()
{
    ServerBehaviour behaviour;
    behaviour.models = {QStringLiteral("first"), QStringLiteral("second")};
    const ModelServer server(behaviour);
    ServerTarget target = targetOf(server.url());
    target.label = QStringLiteral("my server");
    RunResult run = runToEnd(target, shortPlan());
    QCOMPARE(run.server.model, QStringLiteral("first"));
    QCOMPARE(run.server.label, QStringLiteral("my server"));
    QCOMPARE(run.server.block_size, std::optional<qint64>(16));
    QCOMPARE(run.server.template_floor, std::optional<qint64>(0));
    QCOMPARE(run.server.context_tokens, std::optional<qint64>(8192));
    QVERIFY(run.server.counts_tokens);
    QVERIFY(run.server.cold_note.isEmpty());
    target.model = QStringLiteral("second");
    run = runToEnd(target, shortPlan());
    QCOMPARE(run.server.model, QStringLiteral("second"));
    QCOMPARE(server.chats().last().body.value(QStringLiteral("model")).toString(), QStringLiteral("second"));
}

void TestExperiment::progressAndSamplesAreReported()
{
    const ModelServer server;
    ExperimentRunner runner;
    QSignalSpy finished(&runner, &ExperimentRunner::finished);
    QSignalSpy progressed(&runner, &ExperimentRunner::progressed);
    QSignalSpy sampled(&runner, &ExperimentRunner::sampleFinished);
    QSignalSpy learned(&runner, &ExperimentRunner::serverLearned);
    runner.start(targetOf(server.url()), shortPlan());
    QVERIFY(runner.isRunning());
    QVERIFY(finished.wait(patienceMs));
    QVERIFY(!runner.isRunning());
    QCOMPARE(learned.size(), 1);
    QCOMPARE(sampled.size(), 9);
    for (int i = 0; i < 9; ++i) {
        QCOMPARE(sampled.at(i).at(0).value<MeasuredSample>().number, i + 1);
        int counted = 0;
        for (const ArmSummary &arm : sampled.at(i).at(1).value<Summary>().arms)
            counted += arm.samples;
        QCOMPARE(counted, i + 1);
    }
    const auto first = progressed.first().at(0).value<RunProgress>();
    QVERIFY(first.phase == RunProgress::Phase::connecting);
    QCOMPARE(first.total, 9);
    const auto last = progressed.last().at(0).value<RunProgress>();
    QVERIFY(last.phase == RunProgress::Phase::measuring);
    QCOMPARE(last.done, 8);
    QVERIFY(last.remaining_ms.has_value());
}

void TestExperiment::addressMayBeWrittenInManyWays_data()
{
    QTest::addColumn<QString>("path");
    QTest::newRow("bare") << QString();
    QTest::newRow("slash") << QStringLiteral("/");
    QTest::newRow("v1") << QStringLiteral("/v1");
    QTest::newRow("v1 slashes") << QStringLiteral("/v1//");
    QTest::newRow("chat") << QStringLiteral("/v1/chat/completions");
}

void TestExperiment::addressMayBeWrittenInManyWays()
{
    QFETCH(const QString, path);
    const ModelServer server;
    ExperimentPlan plan = shortPlan();
    plan.rounds = 1;
    const RunResult run = runToEnd(targetOf(server.url(path)), plan);
    QVERIFY2(run.end == RunEnd::finished, qPrintable(run.message));
    QCOMPARE(run.server.base_url, server.url());
}

void TestExperiment::withoutSaltANonceMakesCold_data()
{
    QTest::addColumn<bool>("refused");
    QTest::addColumn<bool>("reports");
    QTest::addColumn<int>("cold");
    QTest::addColumn<QString>("note");
    QTest::newRow("ignored") << false << true << int(ColdMethod::automatic) << QStringLiteral("ignores cache_salt");
    QTest::newRow("refused") << true << true << int(ColdMethod::salt) << QStringLiteral("refuses cache_salt");
    QTest::newRow("cannot be checked") << false << false << int(ColdMethod::automatic)
                                       << QStringLiteral("cannot be checked");
    QTest::newRow("wanted") << false << true << int(ColdMethod::nonce) << QString();
}

void TestExperiment::withoutSaltANonceMakesCold()
{
    QFETCH(const bool, refused);
    QFETCH(const bool, reports);
    QFETCH(const int, cold);
    QFETCH(const QString, note);
    ServerBehaviour behaviour;
    behaviour.honours_salt = false;
    behaviour.refuses_salt = refused;
    behaviour.reports_cached = reports;
    behaviour.has_metrics = reports;
    ExperimentPlan plan = shortPlan();
    plan.cold = static_cast<ColdMethod>(cold);
    const RunResult run = runToEnd(behaviour, plan);
    QVERIFY2(run.end == RunEnd::finished, qPrintable(run.message));
    QVERIFY(run.server.cold == ColdMethod::nonce);
    QVERIFY2(run.server.cold_note.contains(note), qPrintable(run.server.cold_note));
    QCOMPARE(run.server.cold_note.isEmpty(), note.isEmpty());
    const QString said = run.server.cold_note + run.server.notes.join(QLatin1Char(' '));
    QVERIFY(said.contains(QLatin1String("DIFFERENT PREFIX")));
    if (reports)
        QVERIFY(allConfirmed(run));
    for (const MeasuredSample &sample : samplesOf(run, Arm::cold)) {
        QCOMPARE(sample.expected_hit, reports ? std::optional<qint64>(0) : std::nullopt); // no block size, no rule
        QCOMPARE(sample.probe.evidence.prompt_tokens, samplesOf(run, Arm::warm).first().probe.evidence.prompt_tokens);
    }
}

void TestExperiment::serverWithOneSlotIsExplainedToTheToken()
{
    ServerBehaviour behaviour;
    behaviour.like_llama = true;
    const RunResult run = runToEnd(behaviour);
    QVERIFY2(run.end == RunEnd::finished, qPrintable(run.message));
    QCOMPARE(run.server.block_size, std::optional<qint64>(1));
    QCOMPARE(run.server.context_tokens, std::optional<qint64>(8192));
    QVERIFY(run.server.counts_tokens);
    QVERIFY(run.server.cold == ColdMethod::nonce);
    QCOMPARE(run.samples.size(), 9);
    for (const MeasuredSample &sample : run.samples) {
        QVERIFY(sample.expected_hit.has_value());
        QCOMPARE(sample.probe.evidence.cached_tokens, sample.expected_hit);
        QVERIFY(sample.verdict == Verdict::confirmed);
        QCOMPARE(sample.probe.evidence.cached_source, QStringLiteral("timings.cache_n"));
    }
    QCOMPARE(*samplesOf(run, Arm::warm).first().expected_hit, *run.server.shared_prefix);
    // im_start, system, Edition and the colon
    QCOMPARE(run.server.template_floor, std::optional<qint64>(4));
}

void TestExperiment::serverThatNeverCachesContradicts()
{
    ServerBehaviour behaviour;
    behaviour.caches = false;
    const RunResult run = runToEnd(behaviour);
    QVERIFY(run.end == RunEnd::finished);
    QVERIFY(run.summary.verdict == Verdict::contradicted);
    QCOMPARE(run.summary.reason, QStringLiteral("warm_not_cached"));
    QVERIFY2(run.summary.explanation.contains(QLatin1String("did not reuse the prefix")),
        qPrintable(run.summary.explanation));
    QCOMPARE(run.summary.arms.value(Arm::warm).excluded, 3);
}

void TestExperiment::serverThatAlwaysHitsContradicts()
{
    ServerBehaviour behaviour;
    behaviour.hits_always = true;
    const RunResult run = runToEnd(behaviour);
    QVERIFY2(run.end == RunEnd::finished, qPrintable(run.message));
    QVERIFY(run.summary.verdict == Verdict::contradicted);
    QCOMPARE(run.summary.reason, QStringLiteral("cold_already_cached"));
    QCOMPARE(run.summary.arms.value(Arm::cold).excluded, 3);
}

void TestExperiment::oneArmProvesNothing()
{
    ExperimentPlan plan = shortPlan();
    plan.arms = {Arm::cold};
    const RunResult run = runToEnd(ServerBehaviour(), plan);
    QCOMPARE(run.samples.size(), 3);
    QVERIFY(run.summary.verdict == Verdict::unconfirmed);
    QVERIFY(run.summary.explanation.contains(QLatin1String("needs usable samples of both")));
}

void TestExperiment::serverWithCachingOffIsSaidSo()
{
    ServerBehaviour behaviour;
    behaviour.caches = false;
    behaviour.caching_off_in_metrics = true;
    const RunResult run = runToEnd(behaviour);
    QVERIFY(run.server.prefix_caching_off);
    QVERIFY2(run.summary.explanation.contains(QLatin1String("switched off")), qPrintable(run.summary.explanation));
    for (const MeasuredSample &sample : run.samples)
        QCOMPARE(sample.expected_hit, sample.probe.evidence.cached_tokens);
}

void TestExperiment::countersStandInForTheField()
{
    ServerBehaviour behaviour;
    behaviour.reports_cached = false;
    behaviour.token_us = 500; // a hit must show in the time as well, on a busy machine too
    const RunResult run = runToEnd(behaviour);
    QVERIFY2(run.end == RunEnd::finished, qPrintable(run.message));
    QVERIFY(run.server.cold == ColdMethod::salt);
    for (const MeasuredSample &sample : run.samples) {
        QVERIFY(!sample.probe.evidence.cached_tokens);
        QVERIFY(sample.counters && sample.counters->idle);
        QCOMPARE(std::optional(sample.counters->hits), sample.expected_hit);
        QVERIFY(sample.verdict == Verdict::likely);
    }
    QVERIFY(run.summary.verdict == Verdict::likely);
    QVERIFY(run.summary.explanation.contains(QLatin1String("--enable-prompt-tokens-details")));
}

void TestExperiment::withoutEvidenceNothingIsConfirmed()
{
    ServerBehaviour behaviour;
    behaviour.reports_cached = false;
    behaviour.has_metrics = false;
    const RunResult run = runToEnd(behaviour);
    QVERIFY(run.summary.verdict == Verdict::unconfirmed);
    QVERIFY(!run.server.block_size);
    for (const MeasuredSample &sample : samplesOf(run, Arm::warm))
        QVERIFY(!sample.expected_hit);
}

void TestExperiment::withoutTokenizerTheRunStillConfirms()
{
    ServerBehaviour behaviour;
    behaviour.has_tokenize = false;
    const RunResult run = runToEnd(behaviour);
    QVERIFY2(run.end == RunEnd::finished, qPrintable(run.message));
    QVERIFY(!run.server.counts_tokens);
    QVERIFY(run.server.notes.join(QLatin1Char(' ')).contains(QLatin1String("/tokenize")));
    QVERIFY(allConfirmed(run));
    for (const MeasuredSample &sample : samplesOf(run, Arm::warm))
        QVERIFY(!sample.expected_hit);
}

void TestExperiment::olderServersAreSpokenToDifferently()
{
    ServerBehaviour behaviour;
    behaviour.refuses_stream_options = true;
    behaviour.refuses_system_role = true;
    const ModelServer server(behaviour);
    const RunResult run = runToEnd(targetOf(server.url()), shortPlan());
    QVERIFY2(run.end == RunEnd::finished, qPrintable(run.message));
    const ChatRequest last = server.chats().last();
    QVERIFY(!last.body.contains(QStringLiteral("stream_options")));
    QCOMPARE(last.body.value(QStringLiteral("messages")).toArray().size(), 1);
    for (const MeasuredSample &sample : run.samples)
        QVERIFY(sample.probe.outcome == probe::Outcome::completed);
}

void TestExperiment::oneBrokenStreamFailsOneSample()
{
    const ModelServer rehearsal;
    runToEnd(targetOf(rehearsal.url()), shortPlan());
    ServerBehaviour behaviour;
    behaviour.ends_early_at = static_cast<int>(rehearsal.chats().size()); // the last measured sample
    const RunResult run = runToEnd(behaviour);
    QVERIFY(run.end == RunEnd::finished);
    QCOMPARE(run.samples.size(), 9);
    const MeasuredSample &broken = run.samples.last();
    QVERIFY(broken.probe.outcome == probe::Outcome::truncated);
    QVERIFY(!broken.probe.message.isEmpty());
    QVERIFY(!broken.verdict && !broken.kept);
    QCOMPARE(run.summary.arms.value(broken.arm).failed, 1);
    QVERIFY(allConfirmed(run));
    QVERIFY(run.summary.explanation.contains(QLatin1String("failed")));
}

void TestExperiment::failedPrimeSpoilsItsSample()
{
    ExperimentPlan plan = shortPlan();
    plan.arms = {Arm::warm};
    const ModelServer rehearsal;
    runToEnd(targetOf(rehearsal.url()), plan);
    ServerBehaviour behaviour;
    behaviour.ends_early_at = static_cast<int>(rehearsal.chats().size()) - 3; // the prime of the second round
    const ModelServer server(behaviour);
    const RunResult run = runToEnd(targetOf(server.url()), plan);
    QVERIFY(run.end == RunEnd::finished);
    QCOMPARE(run.samples.size(), 3);
    QVERIFY(run.samples.at(1).probe.notes.contains(QStringLiteral("prime_failed")));
    QVERIFY(!run.samples.at(1).probe.ttftMs());
    QVERIFY(run.samples.at(0).kept && run.samples.at(2).kept);
    QCOMPARE(server.chats().size(), rehearsal.chats().size() - 1); // nothing was measured, nothing sent again
}

void TestExperiment::deadServerEndsTheRun()
{
    const ModelServer rehearsal;
    runToEnd(targetOf(rehearsal.url()), shortPlan());
    ServerBehaviour behaviour;
    behaviour.dies_at = static_cast<int>(rehearsal.chats().size()) - 4;
    const RunResult run = runToEnd(behaviour);
    QVERIFY(run.end == RunEnd::failed);
    QVERIFY2(run.message.contains(QLatin1String("no longer answers")), qPrintable(run.message));
    QVERIFY(run.samples.size() >= 4 && run.samples.size() <= 9);
    QVERIFY(run.samples.first().kept);
    QVERIFY(!run.samples.last().kept);
    QVERIFY(run.summary.arms.size() > 0);
}

void TestExperiment::stopKeepsSamples()
{
    const ModelServer server;
    ExperimentPlan plan = shortPlan();
    plan.rounds = 500;
    ExperimentRunner runner;
    QSignalSpy finished(&runner, &ExperimentRunner::finished);
    QSignalSpy sampled(&runner, &ExperimentRunner::sampleFinished);
    runner.start(targetOf(server.url()), plan);
    QTRY_VERIFY_WITH_TIMEOUT(sampled.size() >= 4, patienceMs);
    QElapsedTimer timer;
    timer.start();
    runner.stop();
    QVERIFY(finished.wait(2000));
    qInfo("stopped after %lld ms", timer.elapsed());
    const auto run = finished.at(0).at(0).value<RunResult>();
    QVERIFY(run.end == RunEnd::stopped);
    QCOMPARE(run.samples.size(), sampled.size());
    QVERIFY(run.samples.last().probe.outcome == probe::Outcome::completed);
    QVERIFY(run.message.isEmpty());
}

void TestExperiment::stopWhileServerIsSilent()
{
    ServerBehaviour behaviour;
    behaviour.silent_at = 6; // in the first warm-up or near it
    const ModelServer server(behaviour);
    ExperimentRunner runner;
    QSignalSpy finished(&runner, &ExperimentRunner::finished);
    runner.start(targetOf(server.url()), shortPlan());
    QTRY_COMPARE_WITH_TIMEOUT(server.chats().size(), 6, patienceMs);
    runner.stop();
    QVERIFY(finished.wait(2000));
    QVERIFY(finished.at(0).at(0).value<RunResult>().end == RunEnd::stopped);
}

void TestExperiment::destroyingARunnerStopsItsRun()
{
    const ModelServer server;
    ExperimentPlan plan = shortPlan();
    plan.rounds = 500;
    QElapsedTimer timer;
    {
        ExperimentRunner runner;
        QSignalSpy sampled(&runner, &ExperimentRunner::sampleFinished);
        runner.start(targetOf(server.url()), plan);
        QTRY_VERIFY_WITH_TIMEOUT(sampled.size() >= 1, patienceMs);
        timer.start();
    }
    QVERIFY(timer.elapsed() < 2000);
}

void TestExperiment::problemsAreSaidInOneSentence_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("mustSay");
    QTest::newRow("nobody there") << QStringLiteral("closed") << QStringLiteral("No server answers");
    QTest::newRow("wrong model") << QStringLiteral("model") << QStringLiteral("It offers: m1, m2");
    QTest::newRow("no model") << QStringLiteral("empty") << QStringLiteral("offers no model");
    QTest::newRow("no list") << QStringLiteral("no list") << QStringLiteral("does not list its models");
    QTest::newRow("key missing") << QStringLiteral("key") << QStringLiteral("wants an API key");
    QTest::newRow("key wrong") << QStringLiteral("wrong key") << QStringLiteral("does not accept this API key");
    QTest::newRow("bad plan") << QStringLiteral("plan") << QStringLiteral("between 1 and");
    QTest::newRow("no address") << QStringLiteral("address") << QStringLiteral("address");
}

void TestExperiment::problemsAreSaidInOneSentence()
{
    QFETCH(const QString, kind);
    QFETCH(const QString, mustSay);
    ServerBehaviour behaviour;
    if (kind == QLatin1String("model"))
        behaviour.models = QStringLiteral("m1 m2 m3 m4 m5 m6 m7 m8 m9 m10 m11 m12").split(QLatin1Char(' '));
    if (kind == QLatin1String("empty"))
        behaviour.models = QStringList();
    behaviour.has_models = kind != QLatin1String("no list");
    if (kind.contains(QLatin1String("key")))
        behaviour.api_key = "secret-key-12345";
    auto server = std::make_unique<ModelServer>(behaviour);
    ServerTarget target = targetOf(server->url());
    ExperimentPlan plan = shortPlan();
    if (kind == QLatin1String("model"))
        target.model = QStringLiteral("m13");
    if (kind == QLatin1String("wrong key"))
        target.api_key = "another-key-98765";
    if (kind == QLatin1String("closed"))
        server.reset();
    if (kind == QLatin1String("address"))
        target.base_url = QUrl();
    if (kind == QLatin1String("plan"))
        plan.rounds = 0;
    const RunResult run = runToEnd(target, plan);
    QVERIFY(run.end == RunEnd::failed);
    QVERIFY2(run.message.contains(mustSay), qPrintable(run.message));
    QVERIFY(run.message.endsWith(QLatin1Char('.')));
    QVERIFY(!run.message.contains(QLatin1String("98765")) && !run.details.contains(QLatin1String("98765")));
    QVERIFY(!run.message.contains(QLatin1String("m11")));
    QVERIFY(run.samples.isEmpty());
}

void TestExperiment::keyIsSentAndNeverTold()
{
    ServerBehaviour behaviour;
    behaviour.api_key = "secret-key-12345";
    const ModelServer server(behaviour);
    ServerTarget target = targetOf(server.url());
    target.api_key = "secret-key-12345";
    const RunResult run = runToEnd(target, shortPlan());
    QVERIFY2(run.end == RunEnd::finished, qPrintable(run.message));
    QCOMPARE(server.chats().last().authorization, QByteArray("Bearer secret-key-12345"));
    for (const ChatRequest &chat : server.chats())
        QVERIFY(!QJsonDocument(chat.body).toJson().contains("secret-key"));
}

void TestExperiment::promptLongerThanTheContextIsRefused_data()
{
    QTest::addColumn<bool>("known");
    QTest::newRow("context in the list of models") << true;
    QTest::newRow("status 400 only") << false;
}

void TestExperiment::promptLongerThanTheContextIsRefused()
{
    QFETCH(const bool, known);
    ServerBehaviour behaviour;
    behaviour.context_tokens = 600;
    behaviour.reports_context = known;
    ExperimentPlan plan = shortPlan();
    plan.shared_tokens = 700;
    const RunResult run = runToEnd(behaviour, plan);
    QVERIFY(run.end == RunEnd::failed);
    QVERIFY2(run.message.contains(QLatin1String("context")), qPrintable(run.message));
    QVERIFY2(run.message.contains(QLatin1String("shorter shared prefix")), qPrintable(run.message));
    QVERIFY(run.samples.isEmpty());
}

QTEST_GUILESS_MAIN(TestExperiment)
#include "tst_experiment.moc"
