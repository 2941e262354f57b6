// SPDX-License-Identifier: GPL-3.0-or-later
// What a run sends and how it fits itself to the server: routes, the name of the token limit, own headers and fields,
// the arm PARTIAL; and the options of `kvlab probe` for these.
#include "experiment/experiment_runner.h"
#include "support/model_server.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace kvlab::experiment;
using kvlab::test::ChatRequest;
using kvlab::test::ModelServer;
using kvlab::test::ServerBehaviour;

namespace {

constexpr int patienceMs = 60'000;

ExperimentPlan shortPlan()
{
    ExperimentPlan plan;
    plan.rounds = 2;
    plan.shared_tokens = 400;
    return plan;
}

RunResult run(const ServerTarget &target, const ExperimentPlan &plan)
{
    ExperimentRunner runner;
    QSignalSpy spy(&runner, &ExperimentRunner::finished);
    runner.start(target, plan);
    if (!QTest::qWaitFor([&] { return !spy.isEmpty(); }, patienceMs))
        return {};
    return spy.first().first().value<RunResult>();
}

RunResult run(const ModelServer &server, const ExperimentPlan &plan)
{
    ServerTarget target;
    target.base_url = server.url();
    return run(target, plan);
}

QList<MeasuredSample> samplesOf(const RunResult &result, Arm arm)
{
    QList<MeasuredSample> samples;
    for (const MeasuredSample &sample : result.samples) {
        if (sample.arm == arm)
            samples << sample;
    }
    return samples;
}

struct Result
{
    int code = -1;
    QByteArray out;
    QString err;
};

Result kvlabProbe(const QStringList &arguments)
{
    QProcess process;
    process.start(QStringLiteral(KVLAB_BINARY),
        QStringList{QStringLiteral("--lang"), QStringLiteral("en"), QStringLiteral("probe")} + arguments);
    if (!process.waitForFinished(2 * patienceMs) || process.exitStatus() != QProcess::NormalExit)
        return {};
    return {process.exitCode(), process.readAllStandardOutput(), QString::fromUtf8(process.readAllStandardError())};
}

} // namespace

class TestRequestOptions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void completionsRoute_data();
    void completionsRoute();
    void tokenLimitIsRenamedWhereRefused();
    void extraBodyIsMerged();
    void headersGoEverywhereAndNowhereElse();
    void partialFindsWhatStandsBeforeTheChange_data();
    void partialFindsWhatStandsBeforeTheChange();
    void partialThatFindsMoreIsContradicted();
    void coldByReset();
    void resetThatLiesIsFoundOut();
    void coldByCachePromptFalse();
    void coldMethodNotToBeHad_data();
    void coldMethodNotToBeHad();
    void sweepOnTheCommandLine();
    void optionsOnTheCommandLine();
    void wrongOptionsAreExplained_data();
    void wrongOptionsAreExplained();
};

void TestRequestOptions::completionsRoute_data()
{
    QTest::addColumn<bool>("llama");
    QTest::newRow("blocks") << false;
    QTest::newRow("token by token") << true;
}

void TestRequestOptions::completionsRoute()
{
    QFETCH(const bool, llama);
    ServerBehaviour behaviour;
    behaviour.like_llama = llama;
    ModelServer server(behaviour);
    ExperimentPlan plan = shortPlan();
    plan.endpoint = Endpoint::completions;
    const RunResult result = run(server, plan);
    QVERIFY2(result.end == RunEnd::finished, qPrintable(result.message));
    for (const ChatRequest &chat : server.chats()) {
        QVERIFY(chat.head.startsWith("POST /v1/completions "));
        QVERIFY(chat.body.value(u"prompt").isString() && !chat.body.contains(u"messages"));
    }
    for (const MeasuredSample &sample : result.samples) {
        QVERIFY(sample.expected_hit.has_value());
        QCOMPARE(sample.probe.evidence.cached_tokens, sample.expected_hit);
    }
    QVERIFY(samplesOf(result, Arm::warm).first().expected_hit >= 350);
}

void TestRequestOptions::tokenLimitIsRenamedWhereRefused()
{
    ServerBehaviour behaviour;
    behaviour.wants_max_completion_tokens = true;
    ModelServer server(behaviour);
    const RunResult result = run(server, shortPlan());
    QVERIFY2(result.end == RunEnd::finished, qPrintable(result.message));
    int refused = 0;
    for (const ChatRequest &chat : server.chats()) {
        if (chat.body.contains(u"max_tokens"))
            ++refused;
        else
            QCOMPARE(chat.body.value(u"max_completion_tokens").toInt(), 16);
        QVERIFY(chat.body.contains(u"stream_options")); // nothing else was given up
    }
    QCOMPARE(refused, 1);
}

void TestRequestOptions::extraBodyIsMerged()
{
    ModelServer server;
    ExperimentPlan plan = shortPlan();
    plan.extra_body = {{QStringLiteral("top_p"), 0.5}, {QStringLiteral("temperature"), QJsonValue::Null}};
    QCOMPARE(run(server, plan).end, RunEnd::finished);
    for (const ChatRequest &chat : server.chats()) {
        QCOMPARE(chat.body.value(u"top_p").toDouble(), 0.5);
        QVERIFY(!chat.body.contains(u"temperature"));
    }
}

void TestRequestOptions::headersGoEverywhereAndNowhereElse()
{
    ServerBehaviour behaviour;
    behaviour.fault_at = 6;
    behaviour.fault
        = "HTTP/1.1 403 No\r\nContent-Type: text/plain\r\nContent-Length: 25\r\n\r\nrefused: gateway-secret-7";
    ModelServer server(behaviour);
    ServerTarget target;
    target.base_url = server.url();
    target.headers = {{"X-Team", "lab"}, {"X-Gateway-Token", "gateway-secret-7"}};
    const RunResult result = run(target, shortPlan());
    QVERIFY(!server.chats().isEmpty());
    for (const ChatRequest &chat : server.chats())
        QVERIFY(chat.head.contains("\r\nX-Team: lab") && chat.head.contains("\r\nX-Gateway-Token: gateway-secret-7"));
    QString everything = result.message + result.details;
    for (const MeasuredSample &sample : result.samples)
        everything += sample.probe.message + sample.probe.details;
    QVERIFY(everything.contains(u"403"));
    QVERIFY2(!everything.contains(u"gateway-secret"), qPrintable(everything));
}

void TestRequestOptions::partialFindsWhatStandsBeforeTheChange_data()
{
    completionsRoute_data();
}

void TestRequestOptions::partialFindsWhatStandsBeforeTheChange()
{
    QFETCH(const bool, llama);
    ServerBehaviour behaviour;
    behaviour.like_llama = llama;
    ModelServer server(behaviour);
    ExperimentPlan plan = shortPlan();
    plan.rounds = 4;
    plan.arms = allArms();
    const RunResult result = run(server, plan);
    QVERIFY2(result.end == RunEnd::finished, qPrintable(result.message));
    const QList<MeasuredSample> partial = samplesOf(result, Arm::partial);
    QCOMPARE(partial.size(), 4);
    for (const MeasuredSample &sample : partial) {
        QCOMPARE(sample.probe.evidence.cached_tokens, sample.expected_hit);
        QVERIFY(*sample.expected_hit > 100 && *sample.expected_hit < 300); // about half of 400
        QVERIFY(sample.verdict == Verdict::confirmed);
    }
    // All arms are equally long.
    for (const MeasuredSample &sample : result.samples)
        QCOMPARE(sample.probe.evidence.prompt_tokens, result.samples.first().probe.evidence.prompt_tokens);
    QCOMPARE(result.summary.arms.value(Arm::partial).kept, 4);
}

void TestRequestOptions::partialThatFindsMoreIsContradicted()
{
    ServerBehaviour behaviour;
    behaviour.hits_always = true;
    ModelServer server(behaviour);
    ExperimentPlan plan = shortPlan();
    plan.arms = {Arm::partial};
    const RunResult result = run(server, plan);
    QCOMPARE(result.samples.size(), 2);
    for (const MeasuredSample &sample : result.samples)
        QVERIFY(sample.verdict == Verdict::contradicted && !sample.kept);
}

void TestRequestOptions::coldByReset()
{
    ServerBehaviour behaviour;
    behaviour.has_reset = true;
    ModelServer server(behaviour);
    ExperimentPlan plan = shortPlan();
    plan.rounds = 3;
    plan.cold = ColdMethod::reset;
    const RunResult result = run(server, plan);
    QVERIFY2(result.end == RunEnd::finished, qPrintable(result.message));
    QVERIFY(result.server.cold == ColdMethod::reset && result.server.cold_note.isEmpty());
    for (const MeasuredSample &sample : result.samples) {
        QCOMPARE(sample.probe.evidence.cached_tokens, sample.expected_hit);
        QVERIFY(sample.verdict == Verdict::confirmed);
    }
    // The same document as CACHED: only the question's tag differs.
    const ChatRequest last = server.chats().last();
    QVERIFY(!last.body.contains(u"cache_salt"));
}

void TestRequestOptions::resetThatLiesIsFoundOut()
{
    ServerBehaviour behaviour;
    behaviour.has_reset = true;
    behaviour.reset_lies = true;
    ModelServer server(behaviour);
    ExperimentPlan plan = shortPlan();
    plan.cold = ColdMethod::reset;
    const RunResult result = run(server, plan);
    QVERIFY(result.server.cold == ColdMethod::nonce);
    QVERIFY2(result.server.cold_note.contains(u"but it did not"), qPrintable(result.server.cold_note));
}

void TestRequestOptions::coldByCachePromptFalse()
{
    ServerBehaviour behaviour;
    behaviour.like_llama = true;
    ModelServer server(behaviour);
    ExperimentPlan plan = shortPlan();
    plan.rounds = 3;
    plan.cold = ColdMethod::no_cache;
    const RunResult result = run(server, plan);
    QVERIFY2(result.end == RunEnd::finished, qPrintable(result.message));
    QVERIFY(result.server.cold == ColdMethod::no_cache);
    for (const MeasuredSample &sample : result.samples) {
        QCOMPARE(sample.probe.evidence.cached_tokens, sample.expected_hit);
        QVERIFY(sample.verdict == Verdict::confirmed);
    }
}

void TestRequestOptions::coldMethodNotToBeHad_data()
{
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("mustSay");
    QTest::newRow("reset") << u"reset"_qs << u"VLLM_SERVER_DEV_MODE=1"_qs;
    QTest::newRow("no-cache") << u"no-cache"_qs << u"ignores cache_prompt"_qs;
}

void TestRequestOptions::coldMethodNotToBeHad()
{
    QFETCH(const QString, method);
    QFETCH(const QString, mustSay);
    ModelServer server;
    ExperimentPlan plan = shortPlan();
    plan.cold = *coldMethodFromName(method);
    const RunResult result = run(server, plan);
    QVERIFY(result.server.cold == ColdMethod::nonce);
    QVERIFY2(result.server.cold_note.contains(mustSay), qPrintable(result.server.cold_note));
}

void TestRequestOptions::sweepOnTheCommandLine()
{
    ServerBehaviour behaviour;
    behaviour.token_us = 300;
    ModelServer server(behaviour);
    const QTemporaryDir folder;
    const QString csv = folder.filePath(QStringLiteral("samples.csv"));
    const Result result = kvlabProbe({u"--url"_qs, server.url().toString(), u"--sweep"_qs, u"600,200,400"_qs,
        u"--rounds"_qs, u"3"_qs, u"--format"_qs, u"json"_qs, u"--csv"_qs, csv});
    QVERIFY2(result.code == 0, qPrintable(result.err));
    const QJsonObject sweep = QJsonDocument::fromJson(result.out).object().value(u"sweep").toObject();
    const QJsonArray points = sweep.value(u"points").toArray();
    QCOMPARE(points.size(), 3);
    for (qsizetype i = 0; i < points.size(); ++i) {
        const QJsonObject point = points.at(i).toObject();
        QVERIFY(std::abs(point.value(u"shared_tokens").toDouble() - double(200 * (i + 1))) < 10);
        QVERIFY(point.value(u"cold_ms").isDouble() && point.value(u"warm_ms").isDouble());
        QCOMPARE(point.value(u"verdict").toString(), u"confirmed"_qs);
    }
    QVERIFY(sweep.value(u"cold").toObject().value(u"ms_per_1000_tokens").isDouble());
    QCOMPARE(QJsonDocument::fromJson(result.out).object().value(u"runs").toArray().size(), 3);
    QFile file(csv);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll().trimmed().count('\n'), 3 * 3 * 2);
}

void TestRequestOptions::optionsOnTheCommandLine()
{
    ModelServer server;
    const Result result
        = kvlabProbe({u"--url"_qs, server.url().toString(), u"--endpoint"_qs, u"completions"_qs, u"--header"_qs,
            u"X-Team: lab"_qs, u"--extra-body"_qs, u"{\"top_p\":1}"_qs, u"--arms"_qs, u"cold,warm,partial"_qs,
            u"--rounds"_qs, u"1"_qs, u"--question"_qs, u"What is a tide?"_qs, u"--format"_qs, u"json"_qs,
            u"--shared-tokens"_qs, u"200"_qs, u"--cacert"_qs, QStringLiteral(KVLAB_TEST_DATA "/tls/authority.pem")});
    QVERIFY2(result.code == 0, qPrintable(result.err));
    const ChatRequest last = server.chats().last();
    QVERIFY(last.head.contains("X-Team: lab"));
    QCOMPARE(last.body.value(u"top_p").toInt(), 1);
    QVERIFY(last.body.value(u"prompt").toString().contains(u"What is a tide?"));
    const QJsonObject plan = QJsonDocument::fromJson(result.out).object().value(u"plan").toObject();
    QCOMPARE(plan.value(u"endpoint").toString(), u"completions"_qs);
    QCOMPARE(plan.value(u"extra_body").toObject().value(u"top_p").toInt(), 1);
    QVERIFY(result.err.contains(u"PARTIAL"));
}

void TestRequestOptions::wrongOptionsAreExplained_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("mustSay");
    QTest::newRow("endpoint") << QStringList{u"--endpoint"_qs, u"chatty"_qs} << 2 << u"--endpoint"_qs;
    QTest::newRow("header without colon") << QStringList{u"--header"_qs, u"verysecretkey"_qs} << 2 << u"--header"_qs;
    QTest::newRow("header name") << QStringList{u"--header"_qs, u"X Y: verysecretkey"_qs} << 2 << u"X Y"_qs;
    QTest::newRow("header with line break")
        << QStringList{u"--header"_qs, u"X: verysecretkey\r\nY: 1"_qs} << 2 << u"--header"_qs;
    QTest::newRow("body no JSON") << QStringList{u"--extra-body"_qs, u"{top_p}"_qs} << 2 << u"--extra-body"_qs;
    QTest::newRow("body a list") << QStringList{u"--extra-body"_qs, u"[1]"_qs} << 2 << u"--extra-body"_qs;
    QTest::newRow("body with stream") << QStringList{u"--extra-body"_qs, u"{\"stream\":false}"_qs} << 2
                                      << u"“stream”"_qs;
    QTest::newRow("no CA file") << QStringList{u"--cacert"_qs, u"/no/such/file.pem"_qs} << 3 << u"cannot be read"_qs;
    QTest::newRow("no certificate in it")
        << QStringList{u"--cacert"_qs, QStringLiteral(KVLAB_TEST_DATA "/tls/key.pem")} << 3 << u"no certificate"_qs;
    QTest::newRow("sweep of one") << QStringList{u"--sweep"_qs, u"512"_qs} << 2 << u"at least two"_qs;
    QTest::newRow("sweep twice the same") << QStringList{u"--sweep"_qs, u"512,512"_qs} << 2 << u"different lengths"_qs;
    QTest::newRow("sweep too short") << QStringList{u"--sweep"_qs, u"8,512"_qs} << 2 << u"between"_qs;
    QTest::newRow("handout with CSV") << QStringList{u"--handout"_qs, u"2"_qs, u"--csv"_qs, u"x.csv"_qs} << 2
                                      << u"leave --csv out"_qs;
    QTest::newRow("sweep with arms") << QStringList{u"--sweep"_qs, u"256,512"_qs, u"--arms"_qs, u"cold"_qs} << 2
                                     << u"leave --arms out"_qs;
}

void TestRequestOptions::wrongOptionsAreExplained()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const int, code);
    QFETCH(const QString, mustSay);
    const Result result = kvlabProbe(QStringList{u"--url"_qs, u"http://127.0.0.1:9"_qs} + arguments);
    QCOMPARE(result.code, code);
    QVERIFY2(result.err.contains(mustSay), qPrintable(result.err));
    QVERIFY2(!result.err.contains(u"verysecretkey"), qPrintable(result.err));
}

QTEST_GUILESS_MAIN(TestRequestOptions)
#include "tst_request_options.moc"
