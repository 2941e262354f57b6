// SPDX-License-Identifier: GPL-3.0-or-later
// The probe against a server that misbehaves on purpose: what a stream may do, limits, cancelling, connections.
#include "integration/probe_testing.h"
#include "probe/probe_access_manager.h"
#include "probe/probe_reply.h"

#include <QTcpSocket>
#include <QThread>
#include <QTimer>

using namespace kvlab::probe;
using namespace kvlab::test;

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
