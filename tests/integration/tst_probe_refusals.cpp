// SPDX-License-Identifier: GPL-3.0-or-later
// Requests that never become a stream: unreachable servers, TLS, status codes, errors inside answers. Each ends in its
// own outcome, with a sentence and without keys.
#include "integration/probe_testing.h"

#include <QScopeGuard>
#include <QSslConfiguration>
#include <QTcpServer>
#include <QTcpSocket>

using namespace kvlab::probe;
using namespace kvlab::test;

class TestProbeRefusals : public QObject
{
    Q_OBJECT

private Q_SLOTS:
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
};

void TestProbeRefusals::refusedPort()
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
void TestProbeRefusals::connectTimeout()
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

void TestProbeRefusals::unknownHost()
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

void TestProbeRefusals::secureConnection()
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

void TestProbeRefusals::untrustedCertificate()
{
    FaultServer server(fault::wholeStream(QStringLiteral("Hi")), FaultServer::Security::tls);
    ProbeClient client;
    const ProbeSample sample = measure(client, requestTo(server.url()));
    QCOMPARE(sample.outcome, Outcome::connect_failed);
    QVERIFY2(sample.message.contains(u"self-signed"), qPrintable(sample.message));
    QCOMPARE(server.requests().size(), 0);
    verifySentence(sample.message);
}

void TestProbeRefusals::plainServerBehindHttps()
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

void TestProbeRefusals::unusableAddress_data()
{
    QTest::addColumn<QUrl>("url");
    QTest::newRow("empty") << QUrl();
    QTest::newRow("no scheme") << QUrl(QStringLiteral("127.0.0.1:8000"));
    QTest::newRow("no host") << QUrl(QStringLiteral("http:///v1"));
    QTest::newRow("other scheme") << QUrl(QStringLiteral("ftp://127.0.0.1/"));
}

void TestProbeRefusals::unusableAddress()
{
    QFETCH(const QUrl, url);
    ProbeClient client;
    const ProbeSample sample = measure(client, requestTo(url));
    QCOMPARE(sample.outcome, Outcome::connect_failed);
    verifySentence(sample.message);
}

void TestProbeRefusals::headerWithLineBreak()
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

void TestProbeRefusals::refusals_data()
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

void TestProbeRefusals::refusals()
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

void TestProbeRefusals::errorInsideTheStream()
{
    const ProbeSample sample
        = measure(FaultScript().send(fault::streamHead() + fault::chunk(fault::content(QStringLiteral("par")))
            + fault::chunk(fault::event(R"({"error":{"message":"engine died"}})"))));
    QCOMPARE(sample.outcome, Outcome::server_error);
    QCOMPARE(sample.text, QStringLiteral("par"));
    QVERIFY(sample.message.contains(u"engine died"));
    QVERIFY(sample.details.contains(u"engine died"));
}

void TestProbeRefusals::keysNeverComeBack()
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

QTEST_GUILESS_MAIN(TestProbeRefusals)
#include "tst_probe_refusals.moc"
