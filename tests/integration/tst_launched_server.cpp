// SPDX-License-Identifier: GPL-3.0-or-later
// Starting servers: the practice engine, and small programs that exit, hang, print without end, refuse to go, or leave
// others behind.
#include "servers/launched_server.h"

#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QProcess>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <cstdio>

using namespace kvlab::servers;
using State = LaunchedServer::State;

namespace {

constexpr int patienceMs = 60'000;

LaunchPlan practicePlan()
{
    LaunchPlan plan;
    plan.program = QStringLiteral(KVLAB_BINARY);
    plan.model = QStringLiteral("small");
    plan.port = freePort(20'000 + int(QCoreApplication::applicationPid() % 20'000));
    return plan;
}

/// A server that is a shell script; nothing answers at its address.
LaunchCommand shellServer(const QString &script)
{
    LaunchCommand command = launchCommand(practicePlan());
    command.server.program = QStringLiteral("sh");
    command.server.arguments = {QStringLiteral("-c"), script};
    return command;
}

bool isAlive(qint64 pid)
{
    // A process that nobody has reaped yet counts as gone.
    QFile status(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!status.open(QIODevice::ReadOnly))
        return false;
    const QByteArray text = status.readAll();
    return !text.mid(text.lastIndexOf(')')).startsWith(") Z");
}

/// Process ids that a script printed as "pid N".
QList<qint64> printedIds(const QStringList &log)
{
    QList<qint64> ids;
    for (const QString &line : log) {
        if (line.startsWith(QLatin1String("pid ")))
            ids << line.mid(4).toLongLong();
    }
    return ids;
}

LaunchEnd endIn(const QSignalSpy &ended)
{
    return ended.value(0).value(0).value<LaunchEnd>();
}

/// This program once more, as the window that gets killed: starts a server that prints its ids, and tells them.
int runAsParent(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    LaunchedServer server;
    QObject::connect(&server, &LaunchedServer::linesRead, &server, [](const QStringList &lines) {
        for (const QString &line : lines)
            std::printf("%s\n", qPrintable(line));
        std::fflush(stdout);
    });
    server.start(
        shellServer(QStringLiteral("sleep 600 & echo pid $!; sh -c 'trap \"\" TERM; echo pid $$; sleep 600' & echo "
                                   "pid $$; wait")));
    return QCoreApplication::exec();
}

} // namespace

class TestLaunchedServer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void becomesReadyAndStops();
    void noProgram();
    void refusedPlan();
    void portTaken();
    void freePorts();
    void exitsAtOnce();
    void endsAfterReady();
    void endedBySignal();
    void recordedFailures();
    void hangsAndIsStopped();
    void ignoresTerm();
    void leavesChildrenBehind();
    void printsWithoutEnd();
    void linesInPieces();
    void stoppedAtOnce();
    void serverBefore();
    void serverBeforeFails();
    void destroyedWhileRunning();
    void killedParentLeavesNothing();
};

void TestLaunchedServer::becomesReadyAndStops()
{
    LaunchedServer server;
    QSignalSpy ready(&server, &LaunchedServer::ready);
    QSignalSpy ended(&server, &LaunchedServer::ended);
    const LaunchCommand command = launchCommand(practicePlan());
    server.start(command);
    QCOMPARE(server.state(), State::starting);
    QTRY_COMPARE_WITH_TIMEOUT(server.state(), State::ready, patienceMs);
    QCOMPARE(ready.size(), 1);
    QVERIFY(server.processId() > 0);
    QVERIFY(server.log().join(u'\n').contains(QStringLiteral("\"event\":\"ready\"")));
    QVERIFY(server.elapsedMs() > 0);
    QVERIFY(server.explanations().isEmpty());

    QNetworkAccessManager network;
    QUrl models = command.base_url;
    models.setPath(QStringLiteral("/v1/models"));
    const std::unique_ptr<QNetworkReply> reply(network.get(QNetworkRequest(models)));
    QTRY_VERIFY_WITH_TIMEOUT(reply->isFinished(), patienceMs);
    QCOMPARE(reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(), 200);

    const qint64 pid = server.processId();
    server.stop();
    QCOMPARE(server.state(), State::stopping);
    QVERIFY(ended.isEmpty());
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patienceMs);
    QCOMPARE(server.state(), State::stopped);
    QCOMPARE(endIn(ended).status, LaunchEnd::Status::stopped);
    QVERIFY(endIn(ended).was_ready);
    QVERIFY(!isAlive(pid));
    QTRY_VERIFY_WITH_TIMEOUT(isPortFree(command.base_url.port()), patienceMs);

    // The same object starts again.
    server.start(command);
    QTRY_COMPARE_WITH_TIMEOUT(server.state(), State::ready, patienceMs);
    server.stop();
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 2, patienceMs);
    QCOMPARE(ready.size(), 2);
}

void TestLaunchedServer::noProgram()
{
    LaunchPlan plan;
    plan.kind = LaunchKind::vllm;
    plan.model = QStringLiteral("MODEL");
    plan.port = freePort(18'000);
    for (const QString &program : {QStringLiteral("kvlab-no-such-program"), QStringLiteral("/no/such/folder/vllm"),
             QStringLiteral(KVLAB_TEST_DATA)}) {
        plan.program = program;
        LaunchedServer server;
        QSignalSpy ended(&server, &LaunchedServer::ended);
        server.start(launchCommand(plan));
        QVERIFY(ended.isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patienceMs);
        QCOMPARE(endIn(ended).status, LaunchEnd::Status::failed);
        QVERIFY2(endIn(ended).message.contains(program), qPrintable(endIn(ended).message));
        QVERIFY(endIn(ended).message.contains(installHint(LaunchKind::vllm)));
        QCOMPARE(server.state(), State::stopped);
    }
    QVERIFY(findProgram(QStringLiteral("kvlab-no-such-program")).isEmpty());
    QVERIFY(!findProgram(QStringLiteral("sh")).isEmpty());
    QVERIFY(!findProgram(QStringLiteral(KVLAB_BINARY)).isEmpty());
}

void TestLaunchedServer::refusedPlan()
{
    LaunchPlan plan = practicePlan();
    plan.port = 0;
    LaunchedServer server;
    QSignalSpy ended(&server, &LaunchedServer::ended);
    server.start(launchCommand(plan));
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patienceMs);
    QVERIFY(endIn(ended).message.contains(QStringLiteral("Port 0")));
    QVERIFY(server.log().isEmpty());
}

void TestLaunchedServer::portTaken()
{
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    LaunchPlan plan = practicePlan();
    plan.port = other.serverPort();
    LaunchedServer server;
    QSignalSpy ended(&server, &LaunchedServer::ended);
    server.start(launchCommand(plan));
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patienceMs);
    QVERIFY2(endIn(ended).message.contains(QString::number(plan.port)), qPrintable(endIn(ended).message));
    QVERIFY(endIn(ended).message.contains(QStringLiteral("taken")));
}

void TestLaunchedServer::freePorts()
{
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    QVERIFY(!isPortFree(other.serverPort()));
    QVERIFY(!isPortFree(0));
    QVERIFY(!isPortFree(70'000));
    const int free = freePort(other.serverPort());
    QVERIFY(free != other.serverPort());
    QVERIFY(isPortFree(free));
    QVERIFY(freePort(65'535) > 0);
}

void TestLaunchedServer::exitsAtOnce()
{
    LaunchedServer server;
    QSignalSpy ended(&server, &LaunchedServer::ended);
    server.start(shellServer(QStringLiteral("echo one; echo two >&2; printf three; exit 7")));
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patienceMs);
    QCOMPARE(endIn(ended).exit_code, std::optional<int>(7));
    QVERIFY(!endIn(ended).was_ready);
    QVERIFY2(
        endIn(ended).message.contains(QStringLiteral("code 7 before it was ready")), qPrintable(endIn(ended).message));
    QCOMPARE(server.log(), QStringList({QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three")}));
}

void TestLaunchedServer::endsAfterReady()
{
    LaunchedServer server;
    QSignalSpy ended(&server, &LaunchedServer::ended);
    server.start(launchCommand(practicePlan()));
    QTRY_COMPARE_WITH_TIMEOUT(server.state(), State::ready, patienceMs);
    QProcess::execute(QStringLiteral("kill"), {QStringLiteral("-9"), QString::number(server.processId())});
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patienceMs);
    QCOMPARE(endIn(ended).status, LaunchEnd::Status::failed);
    QVERIFY(endIn(ended).was_ready);
    QCOMPARE(endIn(ended).signal, std::optional<int>(9));
    QVERIFY(endIn(ended).message.contains(QStringLiteral("memory ran out")));
}

void TestLaunchedServer::endedBySignal()
{
    LaunchedServer server;
    QSignalSpy ended(&server, &LaunchedServer::ended);
    server.start(shellServer(QStringLiteral("kill -ILL $$")));
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patienceMs);
    QCOMPARE(endIn(ended).signal, std::optional<int>(4));
    QVERIFY(endIn(ended).message.contains(QStringLiteral("Illegal instruction")));
}

/// A server that prints a recorded log and ends: its explanation is part of the message.
void TestLaunchedServer::recordedFailures()
{
    const QString folder = QStringLiteral(KVLAB_TEST_DATA "/real-captures/vllm/");
    const QList<QPair<QString, LogProblem>> recorded{
        {QStringLiteral("startlog_err_not_enough_kv.log"), LogProblem::kv_cache_too_small},
        {QStringLiteral("enable_lmcache_rejected.stderr.txt"), LogProblem::enable_lmcache},
        {QStringLiteral("startlog_err_port_in_use.log"), LogProblem::port_in_use}};
    for (const auto &[file, problem] : recorded) {
        LaunchedServer server;
        QSignalSpy ended(&server, &LaunchedServer::ended);
        LaunchCommand command = shellServer(QStringLiteral("cat \"$0\"; exit 2"));
        command.server.arguments << folder + file;
        server.start(command);
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patienceMs);
        QCOMPARE(server.explanations().size(), 1);
        QCOMPARE(server.explanations().constFirst().problem, problem);
        QVERIFY(endIn(ended).message.contains(server.explanations().constFirst().text));
    }
}

void TestLaunchedServer::hangsAndIsStopped()
{
    LaunchedServer server;
    QSignalSpy ready(&server, &LaunchedServer::ready);
    QSignalSpy ended(&server, &LaunchedServer::ended);
    // It claims to be ready and answers nothing.
    server.start(shellServer(QStringLiteral("echo '{\"event\":\"ready\"}'; sleep 600")));
    QTRY_VERIFY_WITH_TIMEOUT(!server.log().isEmpty(), patienceMs);
    QTest::qWait(1500);
    QCOMPARE(server.state(), State::starting);
    QVERIFY(ready.isEmpty());
    server.stop();
    server.stop();
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patienceMs);
    QCOMPARE(endIn(ended).status, LaunchEnd::Status::stopped);
    QVERIFY(!endIn(ended).was_ready);
}

void TestLaunchedServer::ignoresTerm()
{
    LaunchedServer server;
    server.setGraceTime(300);
    QSignalSpy ended(&server, &LaunchedServer::ended);
    server.start(shellServer(QStringLiteral("trap '' TERM; echo pid $$; while :; do sleep 1; done")));
    QTRY_COMPARE_WITH_TIMEOUT(printedIds(server.log()).size(), 1, patienceMs);
    const qint64 pid = printedIds(server.log()).constFirst();
    server.stop();
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patienceMs);
    QCOMPARE(endIn(ended).status, LaunchEnd::Status::stopped);
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(pid), patienceMs);
}

void TestLaunchedServer::leavesChildrenBehind()
{
    LaunchedServer server;
    QSignalSpy ended(&server, &LaunchedServer::ended);
    // One that goes when asked, one that does not; neither holds the output open.
    server.start(
        shellServer(QStringLiteral("sleep 600 >/dev/null 2>&1 & echo pid $!; sh -c 'trap \"\" TERM; sleep 600' "
                                   ">/dev/null 2>&1 & echo pid $!; exit 3")));
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patienceMs);
    QCOMPARE(endIn(ended).exit_code, std::optional<int>(3));
    QCOMPARE(printedIds(server.log()).size(), 2);
    for (const qint64 pid : printedIds(server.log()))
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(pid), patienceMs);
}

void TestLaunchedServer::printsWithoutEnd()
{
    LaunchedServer server;
    QSignalSpy ended(&server, &LaunchedServer::ended);
    server.start(shellServer(QStringLiteral("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done; "
                                            "head -c 300000 /dev/zero | tr '\\0' x; exit 1")));
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patienceMs);
    QVERIFY(server.log().size() <= LaunchedServer::maxLines);
    QVERIFY(server.droppedLines() >= 15'000);
    QVERIFY(server.log().contains(QStringLiteral("line 19999")));
    for (const QString &line : server.log())
        QVERIFY(line.size() <= LaunchedServer::maxLineLength);
}

void TestLaunchedServer::linesInPieces()
{
    LaunchedServer server;
    QSignalSpy ended(&server, &LaunchedServer::ended);
    server.start(shellServer(
        QStringLiteral("printf 'first half '; sleep 0.3; printf 'second half\\n\\033[31mred\\033[0m\\r\\n'; "
                       "printf 'Loading 0%%\\rLoading 100%%\\n'; printf '\\344\\275'; sleep 0.2; "
                       "printf '\\240\\n'")));
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patienceMs);
    QCOMPARE(server.log(),
        QStringList({QStringLiteral("first half second half"), QStringLiteral("red"), QStringLiteral("Loading 100%"),
            QStringLiteral("你")}));
}

void TestLaunchedServer::stoppedAtOnce()
{
    LaunchedServer server;
    QSignalSpy ended(&server, &LaunchedServer::ended);
    server.start(shellServer(QStringLiteral("sleep 600")));
    server.stop(); // before anything was started
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patienceMs);
    QCOMPARE(endIn(ended).status, LaunchEnd::Status::stopped);
    QVERIFY(server.log().isEmpty());
    server.stop(); // nothing runs
    QTest::qWait(100);
    QCOMPARE(ended.size(), 1);
}

/// As LMCache's own server runs before vLLM.
void TestLaunchedServer::serverBefore()
{
    LaunchCommand command = launchCommand(practicePlan());
    ProcessCommand before;
    before.program = QStringLiteral("sh");
    before.arguments
        = {QStringLiteral("-c"), QStringLiteral("sleep 0.5; echo pid $$; echo $KVLAB_BEFORE is running; sleep 600")};
    before.environment = {{QStringLiteral("KVLAB_BEFORE"), QStringLiteral("cache server")}};
    command.before = before;
    command.before_ready = QStringLiteral("cache server is running");
    LaunchedServer server;
    QSignalSpy ended(&server, &LaunchedServer::ended);
    server.start(command);
    QTRY_COMPARE_WITH_TIMEOUT(server.state(), State::ready, patienceMs);
    const qsizetype first = server.log().indexOf(QLatin1String("cache server is running"));
    QVERIFY(first >= 0);
    QVERIFY(first < server.log().size() - 1);
    const qint64 pid = printedIds(server.log()).constFirst();
    QVERIFY(isAlive(pid));
    server.stop();
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(pid), patienceMs);
}

void TestLaunchedServer::serverBeforeFails()
{
    LaunchCommand command = launchCommand(practicePlan());
    ProcessCommand before;
    before.program = QStringLiteral("sh");
    before.arguments
        = {QStringLiteral("-c"), QStringLiteral("echo \"ModuleNotFoundError: No module named 'lmcache'\"; exit 1")};
    command.before = before;
    command.before_ready = QStringLiteral("cache server is running");
    LaunchedServer server;
    QSignalSpy ended(&server, &LaunchedServer::ended);
    server.start(command);
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patienceMs);
    QVERIFY2(endIn(ended).message.contains(QStringLiteral("“lmcache”")), qPrintable(endIn(ended).message));
    QCOMPARE(server.log().size(), 1); // the server itself was never started
}

void TestLaunchedServer::destroyedWhileRunning()
{
    QList<qint64> pids;
    {
        LaunchedServer server;
        server.start(shellServer(QStringLiteral("sleep 600 & echo pid $!; echo pid $$; wait")));
        QTRY_COMPARE_WITH_TIMEOUT(printedIds(server.log()).size(), 2, patienceMs);
        pids = printedIds(server.log());
    }
    for (const qint64 pid : pids)
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(pid), patienceMs);
}

void TestLaunchedServer::killedParentLeavesNothing()
{
    QProcess parent;
    parent.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--parent")});
    QStringList lines;
    while (lines.size() < 3 && parent.waitForReadyRead(patienceMs)) {
        while (parent.canReadLine())
            lines << QString::fromUtf8(parent.readLine()).trimmed();
    }
    const QList<qint64> pids = printedIds(lines);
    QCOMPARE(pids.size(), 3);
    for (const qint64 pid : pids)
        QVERIFY(isAlive(pid));
    parent.kill(); // it cannot tidy up
    QVERIFY(parent.waitForFinished(patienceMs));
    for (const qint64 pid : pids)
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(pid), patienceMs);
}

int main(int argc, char **argv)
{
    if (argc > 1 && qstrcmp(argv[1], "--parent") == 0)
        return runAsParent(argc, argv);
    QCoreApplication app(argc, argv);
    TestLaunchedServer test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_launched_server.moc"
