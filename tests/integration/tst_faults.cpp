// SPDX-License-Identifier: GPL-3.0-or-later
// Every way in which a server or the network can fail: each ends in its own outcome and cause, with a sentence that
// says what to do; and a run in which it happens keeps the samples before it.
#include "experiment/experiment_runner.h"
#include "integration/probe_testing.h"
#include "support/model_server.h"

#include <QSet>
#include <QTcpServer>

using namespace kvlab::probe;
using namespace kvlab::test;
using namespace kvlab::experiment;

namespace {

struct Fault
{
    const char *name;
    FaultScript script;
    Outcome outcome;
    QString cause; ///< empty: the outcome (for refusals the status) says it all
    QString must_say; ///< what happened
    QString must_advise;
};

FaultScript answering(
    int status, const QByteArray &body, const QByteArray &headers = {}, const QByteArray &type = "application/json")
{
    return FaultScript().send(fault::answer(status, type, body, headers));
}

FaultScript refusing(int status, const QByteArray &headers = {})
{
    return answering(status, R"({"error":{"message":"the server's own words"}})", headers);
}

FaultScript stream(const QByteArray &events)
{
    return FaultScript().send(fault::streamHead() + fault::chunk(events) + fault::lastChunk());
}

FaultScript streamThen(const QByteArray &events)
{
    return FaultScript().send(fault::streamHead() + fault::chunk(events));
}

FaultScript onlyComments()
{
    FaultScript script = streamThen(fault::role() + fault::content(QStringLiteral("Hi")));
    for (int i = 0; i < 200; ++i)
        script.wait(100).send(fault::chunk(": ping\n\n"));
    return script;
}

FaultScript endless()
{
    FaultScript script = streamThen(fault::role());
    for (int i = 0; i < 500; ++i)
        script.wait(40).send(fault::chunk(fault::content(QStringLiteral("again "))));
    return script;
}

QByteArray finishEvent(const QByteArray &reason)
{
    return fault::event(R"({"choices":[{"index":0,"delta":{},"finish_reason":")" + reason + R"("}]})");
}

QByteArray reasoningEvent()
{
    return fault::event(R"({"choices":[{"index":0,"delta":{"reasoning":"thinking"},"finish_reason":null}]})");
}

QList<Fault> refusals()
{
    return {{"401", refusing(401), Outcome::http_error, cause::http_status, u"401"_qs, u"key"_qs},
        {"403", refusing(403), Outcome::http_error, cause::http_status, u"403"_qs, u"key"_qs},
        {"404 path", answering(404, R"({"detail":"Not Found"})"), Outcome::http_error, cause::http_status, u"404"_qs,
            u"correct the address"_qs},
        {"404 model", answering(404, R"({"error":{"message":"The model `x` does not exist."}})"), Outcome::http_error,
            cause::http_status, u"404"_qs, u"choose a model"_qs},
        {"408", refusing(408), Outcome::http_error, cause::http_status, u"408"_qs, u"time limit"_qs},
        {"413", refusing(413), Outcome::http_error, cause::http_status, u"413"_qs, u"shorter prompt"_qs},
        {"422", answering(422, R"({"detail":[{"loc":["body","max_tokens"],"msg":"must be positive"}]})"),
            Outcome::http_error, cause::http_status, u"body.max_tokens: must be positive"_qs, u"as the server asks"_qs},
        {"429", refusing(429, "Retry-After: 7\r\n"), Outcome::http_error, cause::http_status, u"429"_qs,
            u"wait 7 s"_qs},
        {"500", refusing(500), Outcome::http_error, cause::http_status, u"500"_qs, u"server's log"_qs},
        {"502 page", answering(502, "<html><title>Bad Gateway</title></html>", {}, "text/html"), Outcome::http_error,
            cause::http_status, u"Bad Gateway"_qs, u"behind this gateway"_qs},
        {"503", refusing(503), Outcome::http_error, cause::http_status, u"503"_qs, u"loaded its model"_qs},
        {"504", refusing(504), Outcome::http_error, cause::http_status, u"504"_qs, u"time limit of the gateway"_qs},
        {"307", answering(307, {}, "Location: http://127.0.0.1:9/v1/chat/completions\r\n"), Outcome::http_error,
            cause::redirect, u"redirects"_qs, u"use this base URL"_qs},
        {"context", answering(400, R"({"error":{"message":"This model's maximum context length is 4096 tokens."}})"),
            Outcome::http_error, cause::context_exceeded, u"4096"_qs, u"shorter prompt"_qs}};
}

QList<Fault> wrongAnswers()
{
    return {{"web page", answering(200, "<html><title>Log in</title></html>", {}, "text/html"), Outcome::not_streamed,
                cause::web_page, u"Log in"_qs, u"correct the address"_qs},
        {"other type", answering(200, "\x89PNG", {}, "image/png"), Outcome::not_streamed, cause::not_event_stream,
            u"image/png"_qs, u"/v1"_qs},
        {"whole answer", answering(200, R"({"choices":[{"message":{"content":"Hi"}}]})"), Outcome::not_streamed,
            cause::not_streamed, u"in one piece"_qs, u"switch streaming on"_qs},
        {"error at 200", answering(200, R"({"error":{"message":"no GPU"}})"), Outcome::server_error,
            cause::error_with_status_200, u"no GPU"_qs, u"server's log"_qs},
        {"compressed", answering(200, "x", "Content-Encoding: br\r\n", "text/event-stream"), Outcome::protocol_error,
            cause::content_encoding, u"br"_qs, u"switch compression off"_qs},
        {"no HTTP", FaultScript().send("SSH-2.0-OpenSSH\r\n\r\n"), Outcome::protocol_error, cause::bad_framing,
            u"rules of HTTP"_qs, u"check that the address"_qs},
        {"bad JSON", stream("data: {oops\n\n"), Outcome::protocol_error, cause::bad_json, u"not valid JSON"_qs,
            u"server's log"_qs},
        {"error event", stream(fault::event(R"({"error":{"message":"engine died"}})")), Outcome::server_error,
            cause::stream_error, u"engine died"_qs, u"server's log"_qs},
        {"abort", stream(fault::content(u"Hi"_qs) + finishEvent("abort") + fault::done()), Outcome::server_error,
            cause::aborted, u"abort"_qs, u"server's log"_qs},
        {"no token", stream(fault::role() + finishEvent("stop") + fault::done()), Outcome::no_token,
            cause::answer_without_token, u"without any token"_qs, u"max_tokens"_qs},
        {"only reasoning", stream(reasoningEvent() + finishEvent("length") + fault::done()), Outcome::completed,
            cause::only_reasoning, u"reasoning"_qs, u"raise max_tokens"_qs}};
}

QList<Fault> silencesAndEnds()
{
    return {{"never answers", FaultScript().wait(60'000), Outcome::first_token_timeout, cause::never_answered,
                u"never answered"_qs, u"raise the limit"_qs},
        {"no first token", streamThen(fault::role()).wait(60'000), Outcome::first_token_timeout, cause::no_first_token,
            u"no token"_qs, u"raise the limit"_qs},
        {"silent but for comments", onlyComments(), Outcome::gap_timeout, {}, u"went silent"_qs, u"measure again"_qs},
        {"endless", endless(), Outcome::total_timeout, {}, u"not complete"_qs, u"fewer tokens"_qs},
        {"closed unanswered", FaultScript().close(), Outcome::truncated, cause::no_answer, u"without an answer"_qs,
            u"still runs"_qs},
        {"dies mid-stream", streamThen(fault::content(u"Hi"_qs)).wait(50).reset(), Outcome::truncated, cause::truncated,
            u"ended before"_qs, u"still runs"_qs},
        {"ends mid-stream", streamThen(fault::content(u"Hi"_qs)).close(), Outcome::truncated, cause::truncated,
            u"ended before"_qs, u"still runs"_qs}};
}

ProbeLimits shortLimits()
{
    ProbeLimits limits;
    limits.first_token_ms = 1'000;
    limits.gap_ms = 1'000;
    limits.total_ms = 4'000;
    return limits;
}

void verifyFault(
    const ProbeSample &sample, Outcome outcome, const QString &word, const QString &mustSay, const QString &mustAdvise)
{
    QVERIFY2(sample.outcome == outcome, qPrintable(outcomeName(sample.outcome) + sample.message));
    QCOMPARE(sample.cause, word);
    verifySentence(sample.message);
    QVERIFY2(sample.message.contains(mustSay), qPrintable(sample.message));
    QVERIFY2(sample.message.contains(mustAdvise), qPrintable(sample.message));
}

quint16 unusedPort()
{
    QTcpServer free;
    free.listen(QHostAddress::LocalHost);
    return free.serverPort();
}

ProbeSample connecting(const QString &address)
{
    ProbeClient client;
    ProbeRequest request = requestTo(QUrl(address));
    request.limits.connect_ms = 5'000;
    return measure(client, request);
}

ProbeSample connectingTo(FaultServer::Security security, const TlsTrust &trust)
{
    FaultServer server(fault::wholeStream(QStringLiteral("Hi")), security);
    ProbeClient client;
    ProbeRequest request = requestTo(server.url());
    request.trust = trust;
    return measure(client, request);
}

TlsTrust authority()
{
    return {QSslCertificate::fromPath(QStringLiteral(KVLAB_TEST_DATA "/tls/authority.pem")), {}};
}

RunResult runAgainst(const ModelServer &server, ProbeLimits limits)
{
    ServerTarget target;
    target.base_url = server.url();
    ExperimentPlan plan;
    plan.rounds = 6;
    plan.arms = {Arm::cold, Arm::warm};
    plan.shared_tokens = 200;
    plan.cold = ColdMethod::nonce;
    plan.limits = limits;
    ExperimentRunner runner;
    QSignalSpy spy(&runner, &ExperimentRunner::finished);
    runner.start(target, plan);
    if (!QTest::qWaitFor([&] { return !spy.isEmpty(); }, 3 * patience))
        return {};
    return spy.first().first().value<RunResult>();
}

} // namespace

class TestFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachEndsInItsOwnWay_data();
    void eachEndsInItsOwnWay();
    void noTwoLookAlike();
    void unreachable_data();
    void unreachable();
    void certificates_data();
    void certificates();
    void authorityIsTrusted();
    void exceptionIsForOneCertificate();
    void earlierSamplesAreKept_data();
    void earlierSamplesAreKept();
};

void TestFaults::eachEndsInItsOwnWay_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("index");
    const QList<QList<Fault>> all{refusals(), wrongAnswers(), silencesAndEnds()};
    for (int kind = 0; kind < all.size(); ++kind) {
        for (int index = 0; index < all.at(kind).size(); ++index)
            QTest::newRow(all.at(kind).at(index).name) << kind << index;
    }
}

void TestFaults::eachEndsInItsOwnWay()
{
    QFETCH(const int, kind);
    QFETCH(const int, index);
    const Fault fault = QList<QList<Fault>>{refusals(), wrongAnswers(), silencesAndEnds()}.at(kind).at(index);
    const ProbeSample sample = measure(fault.script, shortLimits());
    verifyFault(sample, fault.outcome, fault.cause, fault.must_say, fault.must_advise);
    QCOMPARE(sample.retry_after.has_value(), qstrcmp(fault.name, "429") == 0);
}

/// Outcome, cause and status together tell all faults apart; only the address, the route and the model share a 404.
void TestFaults::noTwoLookAlike()
{
    QSet<QString> seen;
    int faults = 0;
    for (const QList<Fault> &list : {refusals(), wrongAnswers(), silencesAndEnds()}) {
        for (const Fault &fault : list) {
            const bool refusal = fault.outcome == Outcome::http_error && fault.cause == cause::http_status;
            const QString status = refusal ? fault.must_say + fault.must_advise : QString();
            seen.insert(outcomeName(fault.outcome) + fault.cause + status);
            ++faults;
        }
    }
    QCOMPARE(seen.size(), faults - 1); // the two ends mid-stream are one fault
}

void TestFaults::unreachable_data()
{
    QTest::addColumn<QString>("address");
    QTest::addColumn<QStringList>("causes"); // what there is between depends on the machine's network
    QTest::addColumn<QString>("mustAdvise");
    QTest::newRow("refused") << u"http://127.0.0.1:%1/v1"_qs.arg(unusedPort()) << QStringList{cause::refused}
                             << u"start it"_qs;
    QTest::newRow("unknown host") << u"http://no-such-host.invalid/v1"_qs
                                  << QStringList{cause::host_not_found, QString()} << u"correct the address|check"_qs;
    // No socket can be opened to a broadcast address, on any network.
    QTest::newRow("no route") << u"http://255.255.255.255:8000/v1"_qs
                              << QStringList{cause::no_route, cause::connect_failed, QString()}
                              << u"check the address"_qs;
    QTest::newRow("bad address") << u"ftp://127.0.0.1/v1"_qs << QStringList{cause::bad_address} << u"enter one"_qs;
}

void TestFaults::unreachable()
{
    QFETCH(const QString, address);
    QFETCH(const QStringList, causes);
    QFETCH(const QString, mustAdvise);
    const ProbeSample sample = connecting(address);
    QVERIFY(sample.outcome == Outcome::connect_failed || sample.outcome == Outcome::connect_timeout);
    QVERIFY2(causes.contains(sample.cause), qPrintable(sample.cause + sample.message));
    QCOMPARE(sample.cause.isEmpty(), sample.outcome == Outcome::connect_timeout);
    verifySentence(sample.message);
    QVERIFY2(sample.message.contains(QRegularExpression(mustAdvise)), qPrintable(sample.message));
    QVERIFY(!sample.totalMs());
}

void TestFaults::certificates_data()
{
    QTest::addColumn<int>("security");
    QTest::addColumn<bool>("trusted");
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("mustAdvise");
    using S = FaultServer::Security;
    QTest::newRow("self-signed") << int(S::tls) << false << cause::tls_self_signed << u"name that certificate"_qs;
    QTest::newRow("unknown issuer") << int(S::tls_unknown_issuer) << false << cause::tls_untrusted
                                    << u"name the authority"_qs;
    QTest::newRow("expired") << int(S::tls_expired) << true << cause::tls_expired << u"renew it"_qs;
    QTest::newRow("wrong host") << int(S::tls_wrong_host) << true << cause::tls_wrong_host << u"use the name"_qs;
}

void TestFaults::certificates()
{
    QFETCH(const int, security);
    QFETCH(const bool, trusted);
    QFETCH(const QString, word);
    QFETCH(const QString, mustAdvise);
    const ProbeSample sample = connectingTo(FaultServer::Security(security), trusted ? authority() : TlsTrust());
    verifyFault(sample, Outcome::connect_failed, word, u"certificate"_qs, mustAdvise);
    QVERIFY2(sample.details.contains(u"SHA-256: "), qPrintable(sample.details));
}

void TestFaults::authorityIsTrusted()
{
    const ProbeSample sample = connectingTo(FaultServer::Security::tls_unknown_issuer, authority());
    QVERIFY2(sample.outcome == Outcome::completed, qPrintable(sample.message));
}

void TestFaults::exceptionIsForOneCertificate()
{
    TlsTrust trust;
    const auto expired = QSslCertificate::fromPath(QStringLiteral(KVLAB_TEST_DATA "/tls/expired.pem")).first();
    trust.accepted_sha256 = expired.digest(QCryptographicHash::Sha256);
    const ProbeSample accepted = connectingTo(FaultServer::Security::tls_expired, trust);
    QVERIFY2(accepted.outcome == Outcome::completed, qPrintable(accepted.message));
    QCOMPARE(connectingTo(FaultServer::Security::tls_wrong_host, trust).outcome, Outcome::connect_failed);
}

void TestFaults::earlierSamplesAreKept_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("closes");
    QTest::addColumn<int>("outcome");
    const QByteArray word = fault::streamHead() + fault::chunk(fault::content(u"Hi"_qs));
    QTest::newRow("429") << fault::answer(429, "application/json", "{}", "Retry-After: 1\r\n") << false
                         << int(Outcome::http_error);
    QTest::newRow("500") << fault::answer(500, "text/plain", "oops") << false << int(Outcome::http_error);
    QTest::newRow("web page") << fault::answer(200, "text/html", "<html></html>") << true << int(Outcome::not_streamed);
    QTest::newRow("error event") << fault::streamHead() + fault::chunk(fault::event(R"({"error":"dead"})")) << true
                                 << int(Outcome::server_error);
    QTest::newRow("truncated") << word << true << int(Outcome::truncated);
    QTest::newRow("silent") << word << false << int(Outcome::gap_timeout);
    QTest::newRow("no HTTP") << QByteArray("hello\r\n\r\n") << true << int(Outcome::protocol_error);
    QTest::newRow("never answers") << QByteArray() << false << int(Outcome::first_token_timeout);
}

void TestFaults::earlierSamplesAreKept()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const bool, closes);
    QFETCH(const int, outcome);
    ServerBehaviour behaviour;
    behaviour.fault_at = 8; // some way into the rounds
    behaviour.fault = bytes;
    behaviour.fault_closes = closes;
    ModelServer server(behaviour);
    const RunResult run = runAgainst(server, shortLimits());
    QCOMPARE(run.end, RunEnd::failed);
    QVERIFY2(run.message.contains(u"finished samples are kept"), qPrintable(run.message));
    QVERIFY(run.samples.size() >= 2);
    QCOMPARE(run.samples.first().probe.outcome, Outcome::completed);
    QVERIFY(run.samples.first().verdict.has_value());
    QCOMPARE(int(run.samples.last().probe.outcome), outcome);
    verifySentence(run.samples.last().probe.message);
    QVERIFY(!run.samples.last().verdict);
}

QTEST_GUILESS_MAIN(TestFaults)
#include "tst_faults.moc"
