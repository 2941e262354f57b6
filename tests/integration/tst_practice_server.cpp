// SPDX-License-Identifier: GPL-3.0-or-later
// The practice engine as a child process: started, asked, killed, orphaned; and `kvlab serve` used wrongly.
// This program has a second face: with --parent it starts an engine, prints its address and waits to be killed.
#include "servers/practice_server.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QProcess>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>
#include <QTextStream>

#include <memory>

using kvlab::servers::PracticeServer;

namespace {

constexpr int patienceMs = 60'000;

bool answers(const QUrl &url)
{
    QTcpSocket socket;
    socket.connectToHost(url.host(), quint16(url.port()));
    return socket.waitForConnected(1000);
}

/// Runs `kvlab serve` with these arguments to its end.
struct Finished
{
    explicit Finished(const QStringList &arguments)
    {
        process.start(QStringLiteral(KVLAB_BINARY), QStringList{QStringLiteral("serve")} + arguments);
        ended = process.waitForFinished(patienceMs);
        process.kill();
        process.waitForFinished();
        errors = QString::fromUtf8(process.readAllStandardError());
        output = process.readAllStandardOutput();
    }
    QProcess process;
    bool ended = false;
    QString errors;
    QByteArray output;
};

/// `kvlab serve` that is ready; `event` is its line of JSON.
struct Ready
{
    explicit Ready(const QStringList &arguments)
    {
        process.start(QStringLiteral(KVLAB_BINARY),
            QStringList{QStringLiteral("serve"), QStringLiteral("--size"), QStringLiteral("small")} + arguments);
        while (!process.canReadLine() && process.waitForReadyRead(patienceMs)) { }
        event = QJsonDocument::fromJson(process.readLine()).object();
    }
    ~Ready()
    {
        process.kill();
        process.waitForFinished();
    }
    QUrl url() const { return QUrl(event.value(QLatin1String("url")).toString()); }

    QProcess process;
    QJsonObject event;
};

} // namespace

class TestPracticeServer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void startsAnswersAndStops();
    void startTwiceAndAgain();
    void deathIsTold();
    void missingProgramIsTold();
    void programThatEndsAtOnceIsTold();
    void destructorLeavesNoProcess();
    void killedParentLeavesNoProcess();
    void readyLine();
    void askedToEnd();
    void wrongUse_data();
    void wrongUse();
    void portInUse();
    void warnsWhenOpenToTheNetwork();
    void asksForTheKey();
};

void TestPracticeServer::initTestCase()
{
    qputenv("KVLAB_PROGRAM", KVLAB_BINARY);
}

void TestPracticeServer::startsAnswersAndStops()
{
    PracticeServer server;
    QSignalSpy ready(&server, &PracticeServer::ready);
    QSignalSpy failed(&server, &PracticeServer::failed);
    QSignalSpy changed(&server, &PracticeServer::stateChanged);
    QCOMPARE(server.state(), PracticeServer::State::stopped);
    QVERIFY(server.baseUrl().isEmpty() && server.description().isEmpty() && server.processId() == 0);
    server.start(QStringLiteral("small"));
    QCOMPARE(ready.size(), 0); // never from inside start()
    QCOMPARE(server.state(), PracticeServer::State::starting);
    QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, patienceMs);
    QCOMPARE(server.state(), PracticeServer::State::ready);
    QVERIFY(server.processId() > 0);
    QVERIFY(server.description().startsWith(QLatin1String("small, ")));
    QVERIFY(server.description().endsWith(QLatin1String(" M parameters, untrained")));

    QNetworkAccessManager network;
    const std::unique_ptr<QNetworkReply> reply(
        network.get(QNetworkRequest(server.baseUrl().resolved(QUrl(QStringLiteral("/v1/models"))))));
    QTRY_VERIFY_WITH_TIMEOUT(reply->isFinished(), patienceMs);
    QVERIFY(reply->readAll().contains("kvlab-practice-small"));

    const QUrl url = server.baseUrl();
    server.stop();
    QCOMPARE(server.state(), PracticeServer::State::stopped);
    QVERIFY(server.baseUrl().isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(!answers(url), patienceMs);
    QCOMPARE(failed.size(), 0); // an end that was asked for is no failure
    QCOMPARE(changed.size(), 3);
}

void TestPracticeServer::startTwiceAndAgain()
{
    PracticeServer server;
    QSignalSpy ready(&server, &PracticeServer::ready);
    server.start(QStringLiteral("small"));
    const qint64 id = server.processId();
    server.start(QStringLiteral("small"));
    QCOMPARE(server.processId(), id);
    QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, patienceMs);
    server.start(QStringLiteral("small")); // ready already: told again
    QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 2, patienceMs);
    server.stop();
    server.start(QStringLiteral("small"));
    QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 3, patienceMs);
    QVERIFY(server.processId() != id);
}

void TestPracticeServer::deathIsTold()
{
    // Ends its engine from outside by the engine's own means: standard input is ours, so only a kill is left.
    PracticeServer server;
    QSignalSpy ready(&server, &PracticeServer::ready);
    QSignalSpy failed(&server, &PracticeServer::failed);
    server.start(QStringLiteral("small"));
    QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, patienceMs);
    auto *process = server.findChild<QProcess *>();
    QVERIFY(process);
    process->kill();
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, patienceMs);
    QCOMPARE(server.state(), PracticeServer::State::stopped);
    QVERIFY(failed.at(0).at(0).toString().contains(QLatin1String("ended unexpectedly")));
    QVERIFY(failed.at(0).at(1).toString().contains(QLatin1String("gibberish"))); // what it had printed
    QVERIFY(server.baseUrl().isEmpty());
    server.start(QStringLiteral("small"));
    QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 2, patienceMs);
}

void TestPracticeServer::missingProgramIsTold()
{
    qputenv("KVLAB_PROGRAM", "/no/such/program");
    PracticeServer server;
    QSignalSpy failed(&server, &PracticeServer::failed);
    server.start();
    QCOMPARE(failed.size(), 0);
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, patienceMs);
    QVERIFY(failed.at(0).at(0).toString().contains(QLatin1String("could not be started")));
    QCOMPARE(server.state(), PracticeServer::State::stopped);
    qputenv("KVLAB_PROGRAM", KVLAB_BINARY);
}

void TestPracticeServer::programThatEndsAtOnceIsTold()
{
    PracticeServer server;
    QSignalSpy failed(&server, &PracticeServer::failed);
    server.start(QStringLiteral("gigantic"));
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, patienceMs);
    QVERIFY(failed.at(0).at(0).toString().contains(QLatin1String("ended before it was ready")));
    QVERIFY(failed.at(0).at(1).toString().contains(QLatin1String("gigantic")));
}

void TestPracticeServer::destructorLeavesNoProcess()
{
    QUrl url;
    {
        PracticeServer server;
        QSignalSpy ready(&server, &PracticeServer::ready);
        server.start(QStringLiteral("small"));
        QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, patienceMs);
        url = server.baseUrl();
        QVERIFY(answers(url));
    }
    QTRY_VERIFY_WITH_TIMEOUT(!answers(url), patienceMs);
}

void TestPracticeServer::killedParentLeavesNoProcess()
{
    QProcess parent;
    parent.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--parent")});
    while (!parent.canReadLine() && parent.waitForReadyRead(patienceMs)) { }
    const QUrl url(QString::fromUtf8(parent.readLine().trimmed()));
    QVERIFY(answers(url));
    parent.kill(); // it cannot tidy up
    QVERIFY(parent.waitForFinished(patienceMs));
    QTRY_VERIFY_WITH_TIMEOUT(!answers(url), patienceMs);
}

void TestPracticeServer::readyLine()
{
    const Ready engine({QStringLiteral("--block-size"), QStringLiteral("32"), QStringLiteral("--pool-blocks"),
        QStringLiteral("99"), QStringLiteral("--threads"), QStringLiteral("1"), QStringLiteral("--no-prefix-caching")});
    QCOMPARE(engine.event.value(QLatin1String("event")).toString(), QStringLiteral("ready"));
    QCOMPARE(engine.event.value(QLatin1String("size")).toString(), QStringLiteral("small"));
    QCOMPARE(engine.event.value(QLatin1String("text")).toString(), QStringLiteral("gibberish"));
    QCOMPARE(engine.event.value(QLatin1String("block_size")).toInt(), 32);
    QCOMPARE(engine.event.value(QLatin1String("num_gpu_blocks")).toInt(), 99);
    QCOMPARE(engine.event.value(QLatin1String("threads")).toInt(), 1);
    QCOMPARE(engine.event.value(QLatin1String("enable_prefix_caching")).toBool(true), false);
    QCOMPARE(engine.url().host(), QStringLiteral("127.0.0.1"));
    QCOMPARE(engine.url().port(), engine.event.value(QLatin1String("port")).toInt());
    QVERIFY(answers(engine.url()));
}

void TestPracticeServer::askedToEnd()
{
    Ready engine({QStringLiteral("--exit-with-parent")});
    QTcpSocket idle; // an open connection must not hold the end back
    idle.connectToHost(engine.url().host(), quint16(engine.url().port()));
    QVERIFY(idle.waitForConnected(patienceMs));
    engine.process.closeWriteChannel();
    QVERIFY(engine.process.waitForFinished(20'000));
    QCOMPARE(engine.process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(engine.process.exitCode(), 0);
#ifndef Q_OS_WIN // terminate() asks a window there, and this program has none
    Ready another({});
    another.process.terminate();
    QVERIFY(another.process.waitForFinished(20'000));
    QCOMPARE(another.process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(another.process.exitCode(), 0);
#endif
}

void TestPracticeServer::wrongUse_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *arguments, int code, const char *says) {
        QTest::newRow(arguments) << QString::fromLatin1(arguments).split(QLatin1Char(' ')) << code
                                 << QString::fromUtf8(says);
    };
    row("--port 70000", 2, "--port takes a whole number from 0 to 65535");
    row("--port x", 2, "--port");
    row("--threads -1", 2, "--threads");
    row("--block-size 20", 2, "power of two");
    row("--block-size 4", 2, "--block-size");
    row("--pool-blocks 1", 2, "null block");
    row("--seed 1.5", 2, "--seed");
    row("--size huge", 2, "“huge”");
    row("--api-key-env KVLAB_NO_SUCH_VARIABLE", 2, "KVLAB_NO_SUCH_VARIABLE");
    row("--nonsense", 2, "nonsense");
    row("extra", 2, "“extra”");
    row("--size small --host no-such-host.invalid", 4, "no-such-host.invalid");
    row("--size small --host 203.0.113.7", 4, "not one of this computer's"); // a documentation address
}

void TestPracticeServer::wrongUse()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(QString, says);
    const Finished run(arguments);
    QVERIFY(run.ended);
    QVERIFY2(run.errors.contains(says), qPrintable(run.errors));
    QCOMPARE(run.process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(run.process.exitCode(), code);
    QVERIFY(run.output.isEmpty());
}

void TestPracticeServer::portInUse()
{
    QTcpServer taken;
    QVERIFY(taken.listen(QHostAddress::LocalHost));
    const Finished run({QStringLiteral("--size"), QStringLiteral("small"), QStringLiteral("--port"),
        QString::number(taken.serverPort())});
    QVERIFY2(run.errors.contains(QLatin1String("another program uses that port")), qPrintable(run.errors));
    QCOMPARE(run.process.exitCode(), 4);
}

void TestPracticeServer::warnsWhenOpenToTheNetwork()
{
    Ready open({QStringLiteral("--host"), QStringLiteral("0.0.0.0")});
    QCOMPARE(open.url().host(), QStringLiteral("127.0.0.1")); // 0.0.0.0 cannot be called
    QVERIFY(answers(open.url()));
    QByteArray errors = open.process.readAllStandardError();
    while (!errors.contains("gibberish") && open.process.waitForReadyRead(patienceMs))
        errors += open.process.readAllStandardError();
    QVERIFY2(errors.contains("no key is asked for"), errors.constData());

    Ready local({});
    errors = local.process.readAllStandardError();
    local.process.setReadChannel(QProcess::StandardError);
    while (!errors.contains("gibberish") && local.process.waitForReadyRead(patienceMs))
        errors += local.process.readAllStandardError();
    QVERIFY(!errors.contains("no key"));
}

void TestPracticeServer::asksForTheKey()
{
    qputenv("KVLAB_TEST_KEY", "very-secret");
    const Ready engine({QStringLiteral("--api-key-env"), QStringLiteral("KVLAB_TEST_KEY")});
    QNetworkAccessManager network;
    QNetworkRequest request(engine.url().resolved(QUrl(QStringLiteral("/v1/models"))));
    const std::unique_ptr<QNetworkReply> refused(network.get(request));
    QTRY_VERIFY_WITH_TIMEOUT(refused->isFinished(), patienceMs);
    QCOMPARE(refused->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(), 401);
    request.setRawHeader("Authorization", "Bearer very-secret");
    const std::unique_ptr<QNetworkReply> granted(network.get(request));
    QTRY_VERIFY_WITH_TIMEOUT(granted->isFinished(), patienceMs);
    QCOMPARE(granted->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(), 200);
}

namespace {

int beParent()
{
    PracticeServer server;
    QObject::connect(&server, &PracticeServer::ready, &server,
        [&server] { QTextStream(stdout) << server.baseUrl().toString() << Qt::endl; });
    server.start(QStringLiteral("small"));
    return QCoreApplication::exec();
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    if (QCoreApplication::arguments().contains(QStringLiteral("--parent")))
        return beParent();
    TestPracticeServer test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_practice_server.moc"
