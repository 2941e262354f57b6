// SPDX-License-Identifier: GPL-3.0-or-later
// The watch on a running server: what it reads, what it says when something is missing, and that it keeps silent while
// it is paused.
#include "servers/practice_server.h"
#include "servers/server_watch.h"
#include "support/counting_server.h"
#include "support/model_server.h"

#include <QSignalSpy>
#include <QTest>

using namespace kvlab;
using namespace kvlab::servers;
using kvlab::test::CountingServer;

namespace {

constexpr int patience = 20'000;
constexpr int often = 20; // ms between questions

experiment::ServerTarget targetAt(const QUrl &url)
{
    experiment::ServerTarget target;
    target.base_url = url;
    return target;
}

/// The watch of one server, and the last thing it said.
struct Watched
{
    explicit Watched(const experiment::ServerTarget &target, int interval = often)
    {
        watch.setInterval(interval);
        watch.watch(target);
    }

    ServerReading last() const { return readings.last().at(0).value<ServerReading>(); }

    ServerWatch watch;
    QSignalSpy readings{&watch, &ServerWatch::updated};
};

} // namespace

class TestServerWatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsAndAsksAgain();
    void silentWhilePaused();
    void pauseEndsAQuestionUnderWay();
    void saysWhatIsMissing_data();
    void saysWhatIsMissing();
    void unreachable();
    void keysAreSentAndNeverShown();
    void otherServer();
    void scriptedServer();
    void practiceEngine();
};

void TestServerWatch::readsAndAsksAgain()
{
    CountingServer server;
    server.answer("/metrics", 200, "vllm:num_requests_running 2\nvllm:num_requests_waiting 1\n");
    server.answer("/health", 200);
    server.answer("/v1/models", 200, R"({"data":[{"id":"tiny","max_model_len":2048}]})");
    const Watched watched(targetAt(server.url()));
    QTRY_VERIFY_WITH_TIMEOUT(watched.readings.count() >= 3, patience);
    const ServerReading reading = watched.last();
    QVERIFY(reading.reachable && reading.offers_metrics && reading.at.isValid());
    QCOMPARE(reading.healthy.value(), true);
    QCOMPARE(reading.status.running.value(), 2);
    QCOMPARE(reading.status.model.value(), QStringLiteral("tiny"));
    QCOMPARE(reading.status.context_tokens.value(), 2048);
    QVERIFY(reading.problem.isEmpty());
    QCOMPARE(server.asked("/v1/models"), 1);
    QVERIFY(server.asked("/metrics") >= 3);
}

void TestServerWatch::silentWhilePaused()
{
    CountingServer server;
    server.answer("/metrics", 200, "vllm:num_requests_running 0\n");
    Watched watched(targetAt(server.url()));
    QTRY_VERIFY_WITH_TIMEOUT(watched.readings.count() >= 1, patience);
    watched.watch.setPaused(true);
    // What was already on its way to the server may still be counted there.
    QTest::qWait(100);
    const int asked = server.askedInAll();
    const qsizetype said = watched.readings.count();
    QTest::qWait(600);
    QCOMPARE(server.askedInAll(), asked);
    QCOMPARE(watched.readings.count(), said);
    // A server chosen meanwhile is not asked either.
    CountingServer other;
    watched.watch.watch(targetAt(other.url()));
    QTest::qWait(300);
    QCOMPARE(other.askedInAll(), 0);
    watched.watch.setPaused(false);
    QTRY_VERIFY_WITH_TIMEOUT(other.askedInAll() >= 2, patience);
}

void TestServerWatch::pauseEndsAQuestionUnderWay()
{
    CountingServer server;
    server.silent = true;
    Watched watched(targetAt(server.url()));
    QTRY_VERIFY_WITH_TIMEOUT(server.asked("/metrics") >= 1, patience);
    watched.watch.setPaused(true);
    QTest::qWait(200);
    // An end that was made is no answer.
    QCOMPARE(watched.readings.count(), 0);
    server.silent = false;
    watched.watch.setPaused(false);
    QTRY_VERIFY_WITH_TIMEOUT(watched.readings.count() >= 1, patience);
    QVERIFY(watched.last().reachable);
}

void TestServerWatch::saysWhatIsMissing_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("wanted");
    QTest::newRow("no such route") << 404 << QStringLiteral("--metrics");
    QTest::newRow("llama-server without the flag") << 501 << QStringLiteral("--metrics");
    QTest::newRow("key") << 401 << QStringLiteral("wants a key");
    QTest::newRow("forbidden") << 403 << QStringLiteral("wants a key");
    QTest::newRow("broken") << 500 << QStringLiteral("look into its log");
    QTest::newRow("elsewhere") << 302 << QStringLiteral("status 302");
}

void TestServerWatch::saysWhatIsMissing()
{
    QFETCH(int, status);
    QFETCH(QString, wanted);
    CountingServer server;
    server.answer("/metrics", status);
    server.answer("/health", 503);
    const Watched watched(targetAt(server.url()));
    QTRY_VERIFY_WITH_TIMEOUT(watched.readings.count() >= 1, patience);
    const ServerReading reading = watched.last();
    QVERIFY(reading.reachable && !reading.offers_metrics);
    QCOMPARE(reading.healthy.value(), false);
    QVERIFY2(reading.problem.contains(wanted), qPrintable(reading.problem));
    QVERIFY(!reading.status.running && !reading.status.prefix_cache);
}

void TestServerWatch::unreachable()
{
    QUrl nobody;
    {
        const CountingServer gone;
        nobody = gone.url();
    }
    const Watched watched(targetAt(nobody));
    QTRY_VERIFY_WITH_TIMEOUT(watched.readings.count() >= 2, patience);
    QVERIFY(!watched.last().reachable && !watched.last().healthy);
    QVERIFY2(watched.last().problem.contains(nobody.toString()), qPrintable(watched.last().problem));
}

void TestServerWatch::keysAreSentAndNeverShown()
{
    CountingServer server;
    server.answer("/metrics", 401, "sk-secret is wrong");
    experiment::ServerTarget target = targetAt(server.url());
    target.api_key = "sk-secret";
    const Watched watched(target);
    QTRY_VERIFY_WITH_TIMEOUT(watched.readings.count() >= 1, patience);
    QVERIFY(server.lastHead().contains("Bearer sk-secret"));
    QVERIFY(!watched.last().problem.contains(u"sk-secret"));
}

void TestServerWatch::otherServer()
{
    CountingServer one;
    CountingServer two;
    two.answer("/metrics", 200, "vllm:num_requests_running 7\n");
    Watched watched(targetAt(one.url()));
    QTRY_VERIFY_WITH_TIMEOUT(watched.readings.count() >= 1, patience);
    watched.watch.watch(targetAt(two.url()));
    QTRY_VERIFY_WITH_TIMEOUT(watched.last().status.running == 7, patience);
    QTest::qWait(50);
    const int asked = one.askedInAll();
    // The same server again starts nothing anew; none at all ends the watch.
    watched.watch.watch(targetAt(two.url()));
    watched.watch.watch({});
    QTest::qWait(200);
    const qsizetype said = watched.readings.count();
    QTest::qWait(200);
    QCOMPARE(watched.readings.count(), said);
    QCOMPARE(one.askedInAll(), asked);
}

void TestServerWatch::scriptedServer()
{
    const test::ModelServer server;
    const Watched watched(targetAt(server.url()));
    QTRY_VERIFY_WITH_TIMEOUT(watched.readings.count() >= 2, patience);
    const ServerStatus status = watched.last().status;
    QCOMPARE(status.model.value(), QStringLiteral("tiny"));
    QCOMPARE(status.context_tokens.value(), 8192);
    QCOMPARE(status.block_size.value(), 16);
    QCOMPARE(status.running.value(), 0);
    QVERIFY(!status.usage && !status.external_cache);
}

void TestServerWatch::practiceEngine()
{
    qputenv("KVLAB_PROGRAM", KVLAB_BINARY);
    PracticeServer engine;
    QSignalSpy ready(&engine, &PracticeServer::ready);
    engine.start(QStringLiteral("small"));
    QVERIFY(ready.wait(60'000));
    const Watched watched(targetAt(engine.baseUrl()));
    QTRY_VERIFY_WITH_TIMEOUT(watched.readings.count() >= 1, patience);
    const ServerStatus status = watched.last().status;
    QVERIFY2(watched.last().problem.isEmpty(), qPrintable(watched.last().problem));
    QCOMPARE(status.block_size.value(), 16);
    QCOMPARE(status.pool_tokens.value(), status.pool_blocks.value() * 16);
    QCOMPARE(status.running.value(), 0);
    QCOMPARE(status.usage.value(), 0.0);
    QCOMPARE(status.prefix_cache->queries, 0);
    QVERIFY(status.prefix_caching.value());
    QVERIFY(status.model->contains(u"kvlab"));
}

QTEST_GUILESS_MAIN(TestServerWatch)
#include "tst_server_watch.moc"
