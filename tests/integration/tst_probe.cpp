// SPDX-License-Identifier: GPL-3.0-or-later
// The probe against a server that misbehaves on purpose: each fault ends in its own outcome, with a sentence.
#include "probe/probe_access_manager.h"
#include "probe/probe_client.h"
#include "probe/probe_reply.h"
#include "support/fault_server.h"

#include <QScopeGuard>
#include <QSignalSpy>
#include <QSslConfiguration>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>
#include <QThread>
#include <QTimer>

using namespace kvlab::probe;
using namespace kvlab::test;

namespace {

constexpr int patience = 20'000; // milliseconds; only a hang lasts that long

ProbeRequest requestTo(const QUrl &url, const QByteArray &body = R"({"stream":true})")
{
    ProbeRequest request;
    request.url = url;
    request.body = body;
    return request;
}

/// Sends and waits for the one finished(). An extra one would be caught by the next spy on the same client.
ProbeSample measure(ProbeClient &client, const ProbeRequest &request)
{
    QSignalSpy spy(&client, &ProbeClient::finished);
    client.send(request);
    if (!QTest::qWaitFor([&] { return !spy.isEmpty(); }, patience)) {
        qWarning("no finished()");
        return {};
    }
    QTest::qWait(0);
    if (spy.size() != 1 || client.isBusy()) {
        qWarning("finished() came %lld times", static_cast<long long>(spy.size()));
        return {};
    }
    return spy.first().first().value<ProbeSample>();
}

ProbeSample measure(const FaultScript &script, const ProbeLimits &limits = {})
{
    FaultServer server(script);
    ProbeClient client;
    ProbeRequest request = requestTo(server.url());
    request.limits = limits;
    return measure(client, request);
}

/// A sentence: begins large, ends with a full stop, says something.
void verifySentence(const QString &message)
{
    QVERIFY2(message.size() > 30 && message.front().isUpper(), qPrintable(message));
    QVERIFY2(message.endsWith(u'.') || message.contains(u"http://"), qPrintable(message));
}

} // namespace

class TestProbe : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wholeStream();
    void requestOnTheWire();
    void keptConnection();
    void lowDelayOnTheSocket();
    void idleConnectionClosedByServer();
    void longIdleConnectionIsNotUsedAgain();
    void connectionCloseIsHonoured();
    void roleOnlyDoesNotCount();
    void commentsDoNotCount();
    void splitEverywhere();
    void endings_data();
    void endings();
    void truncatedStream();
    void brokenByReset();
    void droppedRequestIsNotSentAgain();
    void silentBeforeFirstToken();
    void silentAfterFirstToken();
    void pingsDoNotMoveTheGapLimit();
    void eventsMoveTheGapLimit();
    void totalLimit();
    void answerLeftOpenAfterDone();
    void refusedPort();
    void connectTimeout();
    void unknownHost();
    void secureConnection();
    void untrustedCertificate();
    void plainServerBehindHttps();
    void unusableAddress_data();
    void unusableAddress();
    void headerWithLineBreak();
    void refusals_data();
    void refusals();
    void errorInsideTheStream();
    void keysNeverComeBack();
    void cancelMidStream();
    void cancelBeforeConnecting();
    void cancelWithoutRequest();
    void destroyedMidStream();
    void busyThreadTaints();
    void otherOperationsUseTheStockManager();
    void bodyIsReadableFromTheReply();
};

void TestProbe::wholeStream()
{
    const ProbeSample sample = measure(fault::wholeStream(QStringLiteral("Hi"), 100));
    QCOMPARE(outcomeName(sample.outcome), QStringLiteral("completed"));
    QCOMPARE(sample.message, QString());
    QCOMPARE(sample.text, QStringLiteral("Hi"));
    QCOMPARE(sample.http_status, 200);
    QCOMPARE(sample.evidence.prompt_tokens, std::optional<qint64>(42));
    QCOMPARE(sample.evidence.cached_tokens, std::optional<qint64>(32));
    QCOMPARE(sample.evidence.cached_source, QStringLiteral("usage.prompt_tokens_details.cached_tokens"));
    QCOMPARE(sample.notes, QStringList());
    QVERIFY(sample.new_connection);
    QVERIFY(sample.started_at.isValid());
    // The order of events, whatever their distance; the server's wait is a lower bound that no clock can undercut.
    const ProbeStamps &stamps = sample.stamps;
    QVERIFY(*stamps.connect_start_ns <= *stamps.connected_ns && *stamps.connected_ns <= 0);
    QVERIFY(*stamps.sent_ns >= 0);
    QVERIFY(*stamps.first_byte_ns > 0 && *stamps.first_byte_ns <= *stamps.headers_ns);
    QVERIFY(*stamps.headers_ns <= *stamps.first_event_ns && *stamps.first_event_ns < *stamps.first_token_ns);
    QCOMPARE(stamps.first_token_ns, stamps.first_content_ns);
    QVERIFY(*stamps.last_token_ns <= *stamps.end_ns);
    QVERIFY(*sample.ttftMs() >= 100);
    QVERIFY(!stamps.encrypted_ns);
}

void TestProbe::requestOnTheWire()
{
    FaultServer server(fault::wholeStream(QStringLiteral("Hi")));
    ProbeClient client;
    ProbeRequest request = requestTo(server.url(), QByteArray(200'000, 'x'));
    request.headers = {{"Authorization", "Bearer k"}, {"Accept-Encoding", "gzip"}, {"Content-Length", "3"}};
    QCOMPARE(measure(client, request).outcome, Outcome::completed);
    QCOMPARE(server.requests().size(), 1);
    const FaultRequest seen = server.requests().first();
    QCOMPARE(seen.head.left(seen.head.indexOf('\r')), QByteArray("POST /v1/chat/completions HTTP/1.1"));
    QCOMPARE(seen.body, request.body);
    QCOMPARE(seen.header("Content-Length"), QByteArray("200000"));
    QCOMPARE(seen.header("Accept-Encoding"), QByteArray("identity"));
    QCOMPARE(seen.header("Authorization"), QByteArray("Bearer k"));
    QCOMPARE(seen.header("Content-Type"), QByteArray("application/json"));
    QCOMPARE(seen.header("Host"), "127.0.0.1:" + QByteArray::number(server.port()));
    QVERIFY(seen.header("User-Agent").startsWith("KVCacheLab/"));
    QCOMPARE(seen.head.toLower().count("content-length"), 1);
}

void TestProbe::keptConnection()
{
    FaultServer server(fault::wholeStream(QStringLiteral("Hi")));
    ProbeClient client;
    for (int i = 0; i < 3; ++i) {
        const ProbeSample sample = measure(client, requestTo(server.url(), QByteArray(40'000, 'x')));
        QCOMPARE(sample.outcome, Outcome::completed);
        QCOMPARE(sample.new_connection, i == 0);
        QCOMPARE(sample.stamps.connected_ns.has_value(), i == 0);
        QCOMPARE(sample.connectMs().has_value(), i == 0);
    }
    QCOMPARE(server.connectionCount(), 1);
    // Another server gets a connection of its own.
    FaultServer other(fault::wholeStream(QStringLiteral("Hi")));
    QVERIFY(measure(client, requestTo(other.url())).new_connection);
}

/// Without TCP_NODELAY every body over 16 KiB on a kept loopback connection would be held back; the benchmark has the
/// times, this has the cause.
void TestProbe::lowDelayOnTheSocket()
{
    FaultServer server(fault::wholeStream(QStringLiteral("Hi")));
    ProbeAccessManager manager;
    const QNetworkRequest request(server.url());
    for (int i = 0; i < 2; ++i) {
        const auto *reply = manager.post(request, QByteArray(40'000, 'x'));
        QSignalSpy spy(reply, &QNetworkReply::finished);
        QVERIFY(spy.wait(patience));
        auto *socket = manager.findChild<QTcpSocket *>();
        QVERIFY(socket);
        QCOMPARE(socket->socketOption(QAbstractSocket::LowDelayOption).toInt(), 1);
    }
    QCOMPARE(server.connectionCount(), 1);
}

void TestProbe::idleConnectionClosedByServer()
{
    FaultServer server(fault::wholeStream(QStringLiteral("Hi")).close());
    ProbeClient client;
    QCOMPARE(measure(client, requestTo(server.url())).outcome, Outcome::completed);
    QTRY_COMPARE_WITH_TIMEOUT(server.openConnections(), 0, patience);
    const ProbeSample second = measure(client, requestTo(server.url()));
    QCOMPARE(second.outcome, Outcome::completed);
    QVERIFY(second.new_connection);
    QCOMPARE(server.requests().size(), 2);
}

/// The server may be about to close it; finding out after t0 would cost the sample.
void TestProbe::longIdleConnectionIsNotUsedAgain()
{
    FaultServer server(fault::wholeStream(QStringLiteral("Hi")));
    ProbeClient client;
    QCOMPARE(measure(client, requestTo(server.url())).outcome, Outcome::completed);
    QTest::qWait(ProbeAccessManager::maxIdleMs + 200);
    QVERIFY(measure(client, requestTo(server.url())).new_connection);
    QCOMPARE(server.connectionCount(), 2);
}

void TestProbe::connectionCloseIsHonoured()
{
    FaultServer server(FaultScript()
                           .send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
                               + fault::content(QStringLiteral("Hi")) + fault::done())
                           .close());
    ProbeClient client;
    for (int i = 0; i < 2; ++i) {
        const ProbeSample sample = measure(client, requestTo(server.url()));
        QCOMPARE(sample.outcome, Outcome::completed);
        QVERIFY(sample.new_connection);
    }
}

void TestProbe::roleOnlyDoesNotCount()
{
    const ProbeSample sample = measure(FaultScript().send(
        fault::streamHead() + fault::chunk(fault::role()) + fault::chunk(fault::done()) + fault::lastChunk()));
    QCOMPARE(sample.outcome, Outcome::no_token);
    QVERIFY(!sample.ttftMs() && !sample.ttftAnyMs());
    QVERIFY(sample.stamps.first_event_ns);
    verifySentence(sample.message);
}

void TestProbe::commentsDoNotCount()
{
    const ProbeSample sample
        = measure(FaultScript()
                      .send(fault::streamHead() + fault::chunk(":\n\n") + fault::chunk(": ping\n\n"))
                      .wait(100)
                      .send(fault::chunk(fault::content(QStringLiteral("a"))))
                      .send(fault::chunk(fault::done()) + fault::lastChunk()));
    QCOMPARE(sample.outcome, Outcome::completed);
    QVERIFY(*sample.ttftMs() >= 100);
    QCOMPARE(sample.stamps.first_event_ns, sample.stamps.first_content_ns);
    QVERIFY(*sample.stamps.first_byte_ns < *sample.stamps.first_event_ns);
}

void TestProbe::splitEverywhere()
{
    const QString text = QStringLiteral("你好😀");
    QByteArray body = fault::role() + fault::content(text) + fault::usage(7, 3, 0) + fault::done();
    body.replace("\n", "\r\n");
    const ProbeSample sample
        = measure(FaultScript().sendSplit(fault::streamHead() + fault::chunk(body) + fault::lastChunk(), 1));
    QCOMPARE(sample.outcome, Outcome::completed);
    QCOMPARE(sample.text, text);
    QCOMPARE(sample.evidence.cached_tokens, std::optional<qint64>(0));
    QCOMPARE(sample.notes, QStringList());
}

void TestProbe::endings_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QStringList>("notes");
    const QByteArray token = fault::content(QStringLiteral("a"));
    QTest::newRow("no [DONE]") << token << QStringList{QStringLiteral("no_done")};
    QTest::newRow("[DONE] without blank line") << token + "data: [DONE]\n"
                                               << QStringList{QStringLiteral("unterminated_tail")};
    QTest::newRow("more after [DONE]") << token + fault::done() + fault::event("{}")
                                       << QStringList{QStringLiteral("data_after_done")};
}

void TestProbe::endings()
{
    QFETCH(const QByteArray, body);
    QFETCH(const QStringList, notes);
    const ProbeSample sample
        = measure(FaultScript().send(fault::streamHead() + fault::chunk(body) + fault::lastChunk()));
    QCOMPARE(sample.outcome, Outcome::completed);
    QCOMPARE(sample.text, QStringLiteral("a"));
    QCOMPARE(sample.notes, notes);
}

void TestProbe::truncatedStream()
{
    const ProbeSample sample
        = measure(FaultScript()
                      .send(fault::streamHead() + fault::chunk(fault::content(QStringLiteral("part"))))
                      .wait(50)
                      .close());
    QCOMPARE(sample.outcome, Outcome::truncated);
    QCOMPARE(sample.text, QStringLiteral("part"));
    QVERIFY(sample.ttftMs());
    verifySentence(sample.message);
}

void TestProbe::brokenByReset()
{
    const ProbeSample sample
        = measure(FaultScript()
                      .send(fault::streamHead() + fault::chunk(fault::content(QStringLiteral("part"))))
                      .wait(200)
                      .reset());
    QCOMPARE(sample.outcome, Outcome::truncated);
    QCOMPARE(sample.text, QStringLiteral("part"));
    verifySentence(sample.message);
}

/// The stock manager would send the POST again by itself, which could warm a cold prefix.
void TestProbe::droppedRequestIsNotSentAgain()
{
    FaultServer server(fault::wholeStream(QStringLiteral("Hi")));
    ProbeClient client;
    QCOMPARE(measure(client, requestTo(server.url())).outcome, Outcome::completed);
    server.enqueue(FaultScript().close());
    const ProbeSample kept = measure(client, requestTo(server.url()));
    QCOMPARE(kept.outcome, Outcome::truncated);
    QVERIFY(!kept.new_connection);
    QCOMPARE(kept.http_status, 0);
    verifySentence(kept.message);
    server.enqueue(FaultScript().reset());
    QCOMPARE(measure(client, requestTo(server.url())).outcome, Outcome::truncated);
    QTest::qWait(300); // a second attempt would come now
    QCOMPARE(server.requests().size(), 3);
}

void TestProbe::silentBeforeFirstToken()
{
    ProbeLimits limits;
    limits.first_token_ms = 300;
    const ProbeSample never = measure(FaultScript(), limits);
    QCOMPARE(never.outcome, Outcome::first_token_timeout);
    QVERIFY(!never.ttftMs());
    QVERIFY(*never.totalMs() >= 300 * 0.9); // coarse timers may be 5 % early
    verifySentence(never.message);

    const ProbeSample role = measure(FaultScript().send(fault::streamHead() + fault::chunk(fault::role())), limits);
    QCOMPARE(role.outcome, Outcome::first_token_timeout);
    QVERIFY(role.stamps.first_event_ns);
}

void TestProbe::silentAfterFirstToken()
{
    ProbeLimits limits;
    limits.gap_ms = 300;
    const ProbeSample sample
        = measure(FaultScript().send(fault::streamHead() + fault::chunk(fault::content(QStringLiteral("a")))), limits);
    QCOMPARE(sample.outcome, Outcome::gap_timeout);
    QCOMPARE(sample.text, QStringLiteral("a"));
    verifySentence(sample.message);
}

/// Neither comments nor events without data.
void TestProbe::pingsDoNotMoveTheGapLimit()
{
    FaultScript script;
    script.send(fault::streamHead() + fault::chunk(fault::content(QStringLiteral("a"))));
    for (int i = 0; i < 300; ++i) {
        script.wait(100).send(fault::chunk(i % 2 == 0 ? ": ping\n\n" : "event: ping\ndata:\n\n"));
    }
    ProbeLimits limits;
    limits.gap_ms = 1'000;
    QCOMPARE(measure(script, limits).outcome, Outcome::gap_timeout);
}

void TestProbe::eventsMoveTheGapLimit()
{
    FaultScript script;
    script.send(fault::streamHead());
    for (int i = 0; i < 6; ++i) {
        script.send(fault::chunk(fault::content(QStringLiteral("a")))).wait(400);
    }
    script.send(fault::chunk(fault::done()) + fault::lastChunk());
    ProbeLimits limits;
    limits.gap_ms = 2'000; // less than the whole, more than any gap
    const ProbeSample sample = measure(script, limits);
    QCOMPARE(sample.outcome, Outcome::completed);
    QCOMPARE(sample.text, QStringLiteral("aaaaaa"));
}

void TestProbe::totalLimit()
{
    FaultScript script;
    script.send(fault::streamHead());
    for (int i = 0; i < 600; ++i) {
        script.send(fault::chunk(fault::content(QStringLiteral("a")))).wait(50);
    }
    ProbeLimits limits;
    limits.total_ms = 500;
    const ProbeSample sample = measure(script, limits);
    QCOMPARE(sample.outcome, Outcome::total_timeout);
    verifySentence(sample.message);
}

void TestProbe::answerLeftOpenAfterDone()
{
    ProbeLimits limits;
    limits.gap_ms = 300;
    const ProbeSample sample = measure(
        FaultScript().send(fault::streamHead() + fault::chunk(fault::content(QStringLiteral("a")) + fault::done())),
        limits);
    QCOMPARE(sample.outcome, Outcome::completed);
    QCOMPARE(sample.notes, QStringList{QStringLiteral("left_open")});
}

void TestProbe::refusedPort()
{
    quint16 port = 0;
    {
        QTcpServer free;
        QVERIFY(free.listen(QHostAddress::LocalHost));
        port = free.serverPort();
    }
    ProbeClient client;
    const ProbeSample sample
        = measure(client, requestTo(QUrl(QStringLiteral("http://127.0.0.1:%1/v1/chat/completions").arg(port))));
    QCOMPARE(sample.outcome, Outcome::connect_failed);
    QVERIFY(sample.message.contains(QString::number(port)));
    QVERIFY(!sample.totalMs() && sample.http_status == 0);
    verifySentence(sample.message);
}

/// The kernel takes the connection, but nobody is there for the TLS handshake.
void TestProbe::connectTimeout()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    ProbeClient client;
    ProbeRequest request = requestTo(QUrl(QStringLiteral("https://127.0.0.1:%1/v1").arg(server.serverPort())));
    request.limits.connect_ms = 300;
    const ProbeSample sample = measure(client, request);
    QCOMPARE(sample.outcome, Outcome::connect_timeout);
    verifySentence(sample.message);
}

void TestProbe::unknownHost()
{
    ProbeClient client;
    ProbeRequest request = requestTo(QUrl(QStringLiteral("http://no-such-host.invalid/v1")));
    request.limits.connect_ms = patience / 2;
    const ProbeSample sample = measure(client, request);
    // Without any name server the look-up may take longer than the limit.
    QVERIFY(sample.outcome == Outcome::connect_failed || sample.outcome == Outcome::connect_timeout);
    QVERIFY(sample.message.contains(u"no-such-host.invalid"));
    verifySentence(sample.message);
}

void TestProbe::secureConnection()
{
    const QSslConfiguration before = QSslConfiguration::defaultConfiguration();
    QSslConfiguration trusting = before;
    trusting.addCaCertificates(QStringLiteral(KVLAB_TEST_DATA "/tls/certificate.pem"));
    QSslConfiguration::setDefaultConfiguration(trusting);
    const auto restore = qScopeGuard([&before] { QSslConfiguration::setDefaultConfiguration(before); });

    FaultServer server(fault::wholeStream(QStringLiteral("Hi")), FaultServer::Security::tls);
    ProbeClient client;
    const QByteArray body(200'000, 'x');
    for (int i = 0; i < 2; ++i) {
        const ProbeSample sample = measure(client, requestTo(server.url(), body));
        QVERIFY2(sample.outcome == Outcome::completed, qPrintable(sample.message));
        QCOMPARE(sample.text, QStringLiteral("Hi"));
        QCOMPARE(sample.new_connection, i == 0);
        QCOMPARE(sample.stamps.encrypted_ns.has_value(), i == 0);
        QVERIFY(sample.stamps.sent_ns);
        if (i == 0) {
            QVERIFY(*sample.stamps.connected_ns < *sample.stamps.encrypted_ns && *sample.stamps.encrypted_ns <= 0);
        }
    }
    QCOMPARE(server.connectionCount(), 1);
    QCOMPARE(server.requests().at(1).body, body);
}

void TestProbe::untrustedCertificate()
{
    FaultServer server(fault::wholeStream(QStringLiteral("Hi")), FaultServer::Security::tls);
    ProbeClient client;
    const ProbeSample sample = measure(client, requestTo(server.url()));
    QCOMPARE(sample.outcome, Outcome::connect_failed);
    QVERIFY2(sample.message.contains(u"self-signed"), qPrintable(sample.message));
    QCOMPARE(server.requests().size(), 0);
    verifySentence(sample.message);
}

void TestProbe::plainServerBehindHttps()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    connect(&server, &QTcpServer::newConnection, &server, [&server] {
        QTcpSocket *socket = server.nextPendingConnection();
        connect(socket, &QTcpSocket::readyRead, socket, [socket] {
            socket->write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
            socket->disconnectFromHost();
        });
    });
    ProbeClient client;
    const ProbeSample sample
        = measure(client, requestTo(QUrl(QStringLiteral("https://127.0.0.1:%1/v1").arg(server.serverPort()))));
    QCOMPARE(sample.outcome, Outcome::connect_failed);
    verifySentence(sample.message);
}

void TestProbe::unusableAddress_data()
{
    QTest::addColumn<QUrl>("url");
    QTest::newRow("empty") << QUrl();
    QTest::newRow("no scheme") << QUrl(QStringLiteral("127.0.0.1:8000"));
    QTest::newRow("no host") << QUrl(QStringLiteral("http:///v1"));
    QTest::newRow("other scheme") << QUrl(QStringLiteral("ftp://127.0.0.1/"));
}

void TestProbe::unusableAddress()
{
    QFETCH(const QUrl, url);
    ProbeClient client;
    const ProbeSample sample = measure(client, requestTo(url));
    QCOMPARE(sample.outcome, Outcome::connect_failed);
    verifySentence(sample.message);
}

void TestProbe::headerWithLineBreak()
{
    FaultServer server;
    ProbeClient client;
    ProbeRequest request = requestTo(server.url());
    request.headers = {{"Authorization", "Bearer secret\r\nX: y"}};
    const ProbeSample sample = measure(client, request);
    QCOMPARE(sample.outcome, Outcome::connect_failed);
    QVERIFY(!sample.message.contains(u"secret"));
    QCOMPARE(server.connectionCount(), 0);
}

void TestProbe::refusals_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<Outcome>("outcome");
    QTest::addColumn<QString>("says");
    const QByteArray json = "application/json";
    const auto error = [](const QByteArray &text) { return R"({"error":{"message":")" + text + R"("}})"; };
    QTest::newRow("400") << fault::answer(400, json, error("bad field")) << Outcome::http_error << u"bad field"_qs;
    QTest::newRow("401") << fault::answer(401, json, error("Invalid API Key")) << Outcome::http_error << u"key"_qs;
    QTest::newRow("403 text") << fault::answer(403, "text/plain", "keep out") << Outcome::http_error << u"keep out"_qs;
    QTest::newRow("404 model") << fault::answer(404, json, error("The model `x` does not exist."))
                               << Outcome::http_error << u"choose a model"_qs;
    QTest::newRow("404 path") << fault::answer(404, json, R"({"detail":"Not Found"})") << Outcome::http_error
                              << u"correct the address"_qs;
    QTest::newRow("422 list") << fault::answer(422, json, R"({"detail":[{"loc":["body","n"],"msg":"too big"}]})")
                              << Outcome::http_error << u"body.n: too big"_qs;
    QTest::newRow("429") << fault::answer(429, json, error("Rate limit"), "Retry-After: 7\r\n") << Outcome::http_error
                         << u"wait 7 s"_qs;
    QTest::newRow("500 string") << fault::answer(500, json, R"({"error":"boom"})") << Outcome::http_error << u"boom"_qs;
    QTest::newRow("502 page") << fault::answer(502, "text/html", "<html><title>502 Bad\nGateway</title></html>")
                              << Outcome::http_error << u"502 Bad Gateway"_qs;
    QTest::newRow("503") << fault::answer(503, json, error("Loading model")) << Outcome::http_error
                         << u"loaded its model"_qs;
    QTest::newRow("307") << fault::answer(307, "text/plain", "", "Location: http://h:9/v1/chat/completions\r\n")
                         << Outcome::http_error << u"http://h:9/"_qs;
    QTest::newRow("302 relative") << fault::answer(302, "text/plain", "", "Location: /x/v1/chat/completions\r\n")
                                  << Outcome::http_error << u"/x/"_qs;
    QTest::newRow("200 JSON error") << fault::answer(200, json, error("not loaded")) << Outcome::server_error
                                    << u"not loaded"_qs;
    QTest::newRow("200 whole answer") << fault::answer(200, json, R"({"choices":[{"message":{"content":"x"}}]})")
                                      << Outcome::not_streamed << u"one piece"_qs;
    QTest::newRow("200 not JSON") << fault::answer(200, json, "{") << Outcome::protocol_error << u"JSON"_qs;
    QTest::newRow("200 page") << fault::answer(200, "text/html", "<html><title>Log in</title></html>")
                              << Outcome::not_streamed << u"Log in"_qs;
    QTest::newRow("200 text") << fault::answer(200, "text/plain", "hello there") << Outcome::not_streamed
                              << u"text/plain"_qs;
    QTest::newRow("200 compressed") << fault::answer(200, "text/event-stream", "xx", "Content-Encoding: gzip\r\n")
                                    << Outcome::protocol_error << u"gzip"_qs;
    QTest::newRow("not HTTP") << QByteArray("SSH-2.0-OpenSSH_9.2\r\n\r\n") << Outcome::protocol_error << u"HTTP"_qs;
}

void TestProbe::refusals()
{
    QFETCH(const QByteArray, answer);
    QFETCH(const Outcome, outcome);
    QFETCH(const QString, says);
    FaultServer server(FaultScript().send(answer));
    ProbeClient client;
    const ProbeSample sample = measure(client, requestTo(server.url()));
    QCOMPARE(outcomeName(sample.outcome), outcomeName(outcome));
    QVERIFY2(sample.message.contains(says), qPrintable(sample.message));
    verifySentence(sample.message);
    QVERIFY(!sample.ttftMs());
    QCOMPARE(server.requests().size(), 1);
}

void TestProbe::errorInsideTheStream()
{
    const ProbeSample sample
        = measure(FaultScript().send(fault::streamHead() + fault::chunk(fault::content(QStringLiteral("par")))
            + fault::chunk(fault::event(R"({"error":{"message":"engine died"}})"))));
    QCOMPARE(sample.outcome, Outcome::server_error);
    QCOMPARE(sample.text, QStringLiteral("par"));
    QVERIFY(sample.message.contains(u"engine died"));
    QVERIFY(sample.details.contains(u"engine died"));
}

void TestProbe::keysNeverComeBack()
{
    const QByteArray key = "sk-live/0123456789abcdef";
    QByteArray escaped = key;
    escaped.replace("/", "\\/");
    const QList<QByteArray> answers{
        fault::answer(401, "application/json", R"({"error":{"message":"Bad key )" + key + R"("}})"),
        // The key lies across the place where the message is shortened.
        fault::answer(401, "application/json", R"({"error":{"message":")" + QByteArray(290, 'x') + escaped + R"("}})"),
        fault::answer(500, "text/html", "<html><title>" + key + "</title></html>"),
        fault::answer(302, "text/html", "", "Location: http://h/?key=" + key + "\r\n"),
        "HTTP/1.1 403 no " + key + "\r\nContent-Length: 0\r\n\r\n",
        fault::streamHead() + fault::chunk(fault::content(QString::fromLatin1(key)))
            + fault::chunk(fault::event(R"({"error":")" + QByteArray(290, 'x') + escaped + R"("})")),
    };
    for (const QByteArray &answer : answers) {
        FaultServer server(FaultScript().send(answer));
        ProbeClient client;
        ProbeRequest request = requestTo(server.url());
        request.headers = {{"Authorization", "Bearer " + key}};
        const ProbeSample sample = measure(client, request);
        const QString all = sample.message + sample.details + sample.text + sample.reasoning;
        QVERIFY2(!all.contains(u"sk-live"), qPrintable(all));
        QVERIFY(!sample.message.isEmpty());
    }
}

void TestProbe::cancelMidStream()
{
    FaultScript endless;
    endless.send(fault::streamHead());
    for (int i = 0; i < 2'000; ++i) {
        endless.send(fault::chunk(fault::content(QStringLiteral("a")))).wait(20);
    }
    FaultServer server(endless);
    ProbeClient client;
    QSignalSpy spy(&client, &ProbeClient::finished);
    client.send(requestTo(server.url()));
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), 1, patience);
    QTest::qWait(100);
    client.cancel();
    QVERIFY2(spy.isEmpty(), "finished() must not come from inside cancel()");
    QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 1, patience);
    const auto sample = spy.first().first().value<ProbeSample>();
    QCOMPARE(sample.outcome, Outcome::cancelled);
    verifySentence(sample.message);
    QVERIFY(sample.text.size() < 2'000);
    QTRY_COMPARE_WITH_TIMEOUT(server.openConnections(), 0, patience);
    server.setDefault(fault::wholeStream(QStringLiteral("Hi")));
    QCOMPARE(measure(client, requestTo(server.url())).outcome, Outcome::completed);
    QCOMPARE(spy.size(), 2);
}

void TestProbe::cancelBeforeConnecting()
{
    FaultServer server(fault::wholeStream(QStringLiteral("Hi")));
    ProbeClient client;
    QSignalSpy spy(&client, &ProbeClient::finished);
    client.send(requestTo(server.url()));
    client.cancel();
    client.cancel();
    QVERIFY(client.isBusy());
    QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 1, patience);
    QVERIFY(!client.isBusy());
    const auto sample = spy.first().first().value<ProbeSample>();
    QCOMPARE(sample.outcome, Outcome::cancelled);
    QVERIFY(!sample.stamps.end_ns);
    QCOMPARE(server.requests().size(), 0);
}

void TestProbe::cancelWithoutRequest()
{
    ProbeClient client;
    QSignalSpy spy(&client, &ProbeClient::finished);
    client.cancel();
    QTest::qWait(50);
    QVERIFY(spy.isEmpty());
}

void TestProbe::destroyedMidStream()
{
    FaultServer server(FaultScript().send(fault::streamHead() + fault::chunk(fault::content(QStringLiteral("a")))));
    {
        ProbeClient client;
        client.send(requestTo(server.url()));
        QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), 1, patience);
        QTest::qWait(50);
    }
    QTRY_COMPARE_WITH_TIMEOUT(server.openConnections(), 0, patience);
}

void TestProbe::busyThreadTaints()
{
    FaultServer server(fault::wholeStream(QStringLiteral("Hi"), 500));
    ProbeClient client;
    QTimer busy; // keeps the thread from looking for 150 ms at a time
    connect(&busy, &QTimer::timeout, &busy, [] { QThread::msleep(150); });
    busy.start(0);
    const ProbeSample sample = measure(client, requestTo(server.url()));
    QCOMPARE(sample.outcome, Outcome::completed);
    QCOMPARE(sample.tainted, QStringList{QStringLiteral("busy_thread")});
}

void TestProbe::otherOperationsUseTheStockManager()
{
    FaultServer server(FaultScript().send(fault::answer(200, "application/json", R"({"data":[]})")));
    ProbeAccessManager manager;
    QNetworkReply *reply = manager.get(QNetworkRequest(server.url(QStringLiteral("/v1/models"))));
    QVERIFY(!qobject_cast<ProbeReply *>(reply));
    QSignalSpy spy(reply, &QNetworkReply::finished);
    QVERIFY(spy.wait(patience));
    QCOMPARE(reply->readAll(), QByteArray(R"({"data":[]})"));
}

void TestProbe::bodyIsReadableFromTheReply()
{
    const QByteArray body = R"({"error":{"message":"no"}})";
    FaultServer server(FaultScript().send(fault::answer(404, "application/json", body)));
    ProbeAccessManager manager;
    QNetworkReply *reply = manager.post(QNetworkRequest(server.url()), QByteArray("{}"));
    QSignalSpy spy(&manager, &QNetworkAccessManager::finished);
    QVERIFY(spy.wait(patience));
    QCOMPARE(reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(), 404);
    QCOMPARE(reply->header(QNetworkRequest::ContentTypeHeader).toString(), QStringLiteral("application/json"));
    QCOMPARE(reply->error(), QNetworkReply::ContentNotFoundError);
    QCOMPARE(reply->bytesAvailable(), body.size());
    QCOMPARE(reply->read(5), body.first(5));
    QCOMPARE(reply->readAll(), body.sliced(5));
}

QTEST_GUILESS_MAIN(TestProbe)
#include "tst_probe.moc"
