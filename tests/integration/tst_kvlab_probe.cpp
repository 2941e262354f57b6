// SPDX-License-Identifier: GPL-3.0-or-later
// `kvlab probe` as a user meets it: exit codes, what goes to which stream, files.
#include "session/csv.h"
#include "session/samples_export.h"
#include "support/model_server.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace kvlab;
using kvlab::test::ModelServer;
using kvlab::test::ServerBehaviour;

namespace {

constexpr int patienceMs = 60'000;

struct Result
{
    int code = -1;
    QString out;
    QString err;
};

QStringList probeArguments(const QStringList &arguments)
{
    return QStringList{QStringLiteral("--lang"), QStringLiteral("en"), QStringLiteral("probe")} + arguments;
}

Result finish(QProcess &process)
{
    if (!process.waitForFinished(patienceMs) || process.exitStatus() != QProcess::NormalExit)
        return {};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
        QString::fromUtf8(process.readAllStandardError())};
}

Result runProbe(const QStringList &arguments)
{
    QProcess process;
    process.start(QStringLiteral(KVLAB_BINARY), probeArguments(arguments));
    return finish(process);
}

QStringList shortRun(const ModelServer &server, const QStringList &more = {})
{
    return QStringList{QStringLiteral("--url"), server.url().toString(), QStringLiteral("--rounds"),
               QStringLiteral("3"), QStringLiteral("--shared-tokens"), QStringLiteral("400")}
    + more;
}

/// Slow enough for the run's verdict, which also looks at times, to hold on a busy machine.
ServerBehaviour slowServer()
{
    ServerBehaviour behaviour;
    behaviour.token_us = 400;
    return behaviour;
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestKvlabProbe : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wrongUsageIsExplained_data();
    void wrongUsageIsExplained();
    void helpHasAnExample();
    void unreadablePromptFileIsRefused();
    void unreachableServerIsCodeFour();
    void wrongModelIsCodeFour();
    void tableAndProgressGoToTheirStreams();
    void filesReadBackEqual();
    void jsonGoesToStandardOutput();
    void contradictionIsCodeOne();
    void unwritableFileIsCodeFive();
    void stoppingWritesWhatWasMeasured();
    void keyComesFromTheEnvironmentAndIsNeverTold();
    void ownDocumentAndQuestionAreSent();
};

void TestKvlabProbe::wrongUsageIsExplained_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("mustSay");
    const auto list = [](const char *text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); };
    QTest::newRow("unknown option") << list("--speed 3") << QStringLiteral("speed");
    QTest::newRow("not a number") << list("--rounds ten") << QStringLiteral("--rounds");
    QTest::newRow("no rounds") << list("--rounds 0") << QStringLiteral("between 1 and");
    QTest::newRow("negative") << list("--rounds=-1") << QStringLiteral("--rounds");
    QTest::newRow("beyond 32 bits") << list("--seed 4294967296") << QStringLiteral("--seed");
    QTest::newRow("arm") << list("--arms cold,hot") << QStringLiteral("hot");
    QTest::newRow("arm twice") << list("--arms cold,cold") << QStringLiteral("cold");
    QTest::newRow("cold") << list("--cold ice") << QStringLiteral("ice");
    QTest::newRow("format") << list("--format pdf") << QStringLiteral("pdf");
    QTest::newRow("size") << list("--size huge") << QStringLiteral("huge");
    QTest::newRow("address") << list("--url ftp://x") << QStringLiteral("ftp://x");
    QTest::newRow("no host") << list("--url http://") << QStringLiteral("http://127.0.0.1");
    QTest::newRow("no key") << list("--key-env KVLAB_NO_SUCH_VARIABLE") << QStringLiteral("KVLAB_NO_SUCH_VARIABLE");
    QTest::newRow("stray word") << list("fast") << QStringLiteral("fast");
}

void TestKvlabProbe::wrongUsageIsExplained()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const QString, mustSay);
    const Result result = runProbe(arguments);
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains(mustSay), qPrintable(result.err));
    QVERIFY(result.out.isEmpty());
}

void TestKvlabProbe::helpHasAnExample()
{
    const Result result = runProbe({QStringLiteral("--help")});
    QCOMPARE(result.code, 0);
    QVERIFY(result.out.contains(QLatin1String("Example: kvlab probe")));
    for (const char *option : {"--url", "--model", "--key-env", "--rounds", "--arms", "--shared-tokens", "--max-tokens",
             "--cold", "--seed", "--prompt-file", "--question", "--csv", "--json", "--format", "--size"})
        QVERIFY2(result.out.contains(QLatin1String(option)), option);
}

void TestKvlabProbe::unreadablePromptFileIsRefused()
{
    QTemporaryDir folder;
    const QString missing = folder.filePath(QStringLiteral("none.txt"));
    const Result result = runProbe({QStringLiteral("--prompt-file"), missing});
    QCOMPARE(result.code, 3);
    QVERIFY(result.err.contains(missing));
    QFile bad(folder.filePath(QStringLiteral("bad.txt")));
    QVERIFY(bad.open(QIODevice::WriteOnly));
    bad.write("\xff\xfe\xfd");
    bad.close();
    QCOMPARE(runProbe({QStringLiteral("--prompt-file"), bad.fileName()}).code, 3);
}

void TestKvlabProbe::unreachableServerIsCodeFour()
{
    QUrl url;
    {
        const ModelServer gone;
        url = gone.url();
    }
    const Result result = runProbe({QStringLiteral("--url"), url.toString()});
    QCOMPARE(result.code, 4);
    QVERIFY2(result.err.contains(QLatin1String("No server answers at ") + url.toString()), qPrintable(result.err));
    QVERIFY(result.out.isEmpty());
}

void TestKvlabProbe::wrongModelIsCodeFour()
{
    const ModelServer server;
    const Result result = runProbe(shortRun(server, {QStringLiteral("--model"), QStringLiteral("huge")}));
    QCOMPARE(result.code, 4);
    QVERIFY2(result.err.contains(QLatin1String("It offers: tiny.")), qPrintable(result.err));
}

void TestKvlabProbe::tableAndProgressGoToTheirStreams()
{
    const ModelServer server(slowServer());
    const Result result = runProbe(shortRun(server));
    QVERIFY2(result.code == 0, qPrintable(result.err));
    for (const char *text : {"NO CACHE (cold)", "CACHED (warm)", "DIFFERENT PREFIX (different)", "model tiny"})
        QVERIFY2(result.out.contains(QLatin1String(text)), text);
    for (int i = 1; i <= 9; ++i)
        QVERIFY2(result.err.contains(QStringLiteral("%1/9 ").arg(QString::number(i))), qPrintable(result.err));
    QVERIFY(!result.err.contains(QLatin1Char('\033'))); // no terminal, no control sequences
    QVERIFY(!result.out.contains(QLatin1Char('\033')));
}

void TestKvlabProbe::filesReadBackEqual()
{
    const ModelServer server(slowServer());
    QTemporaryDir folder;
    const QString csv = folder.filePath(QStringLiteral("samples.csv"));
    const QString json = folder.filePath(QStringLiteral("run.json"));
    const Result result = runProbe(shortRun(server,
        {QStringLiteral("--csv"), csv, QStringLiteral("--json"), json, QStringLiteral("--seed"), QStringLiteral("7")}));
    QCOMPARE(result.code, 0);
    const auto rows = session::parseCsv(contentOf(csv));
    QCOMPARE(rows.size(), 10);
    const auto read = session::runFromJson(QJsonDocument::fromJson(contentOf(json)).object());
    QVERIFY(std::holds_alternative<experiment::RunResult>(read));
    const auto &run = std::get<experiment::RunResult>(read);
    QCOMPARE(run.samples.size(), 9);
    QCOMPARE(run.plan.seed, 7U);
    const qsizetype ttft = rows.at(0).indexOf(QLatin1String("ttft_ms"));
    for (qsizetype i = 0; i < 9; ++i)
        QCOMPARE(rows.at(i + 1).at(ttft).toDouble(), *run.samples.at(i).probe.ttftMs());
}

void TestKvlabProbe::jsonGoesToStandardOutput()
{
    const ModelServer server(slowServer());
    const Result result = runProbe(shortRun(server,
        {QStringLiteral("--format"), QStringLiteral("json"), QStringLiteral("--arms"), QStringLiteral("warm,cold")}));
    QCOMPARE(result.code, 0);
    const auto read = session::runFromJson(QJsonDocument::fromJson(result.out.toUtf8()).object());
    QVERIFY(std::holds_alternative<experiment::RunResult>(read));
    QCOMPARE(std::get<experiment::RunResult>(read).samples.size(), 6);
}

void TestKvlabProbe::contradictionIsCodeOne()
{
    ServerBehaviour behaviour;
    behaviour.caches = false;
    const ModelServer server(behaviour);
    const Result result = runProbe(shortRun(server));
    QCOMPARE(result.code, 1);
    QVERIFY2(result.out.contains(QLatin1String("did not reuse the prefix")), qPrintable(result.out));
}

void TestKvlabProbe::unwritableFileIsCodeFive()
{
    const ModelServer server;
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("no/such/folder/samples.csv"));
    const Result result = runProbe(shortRun(server, {QStringLiteral("--csv"), path}));
    QCOMPARE(result.code, 5);
    QVERIFY2(result.err.contains(path), qPrintable(result.err));
    QVERIFY(result.out.contains(QLatin1String("CACHED (warm)"))); // what was measured is shown all the same
}

void TestKvlabProbe::stoppingWritesWhatWasMeasured()
{
#ifdef Q_OS_WIN
    QSKIP("A console program cannot be asked to stop there by QProcess::terminate().");
#endif
    const ModelServer server;
    QTemporaryDir folder;
    const QString csv = folder.filePath(QStringLiteral("samples.csv"));
    QProcess process;
    process.start(QStringLiteral(KVLAB_BINARY),
        probeArguments(
            shortRun(server, {QStringLiteral("--rounds"), QStringLiteral("500"), QStringLiteral("--csv"), csv})));
    QByteArray err;
    QTRY_VERIFY_WITH_TIMEOUT((err += process.readAllStandardError()).contains("4/1500 "), patienceMs);
    process.terminate();
    QCOMPARE(finish(process).code, 130);
    const auto rows = session::parseCsv(contentOf(csv));
    QVERIFY(rows.size() >= 5 && rows.size() < 1000);
    const qsizetype outcome = rows.at(0).indexOf(QLatin1String("outcome"));
    for (qsizetype i = 1; i < rows.size(); ++i)
        QCOMPARE(rows.at(i).at(outcome), QStringLiteral("completed"));
}

void TestKvlabProbe::keyComesFromTheEnvironmentAndIsNeverTold()
{
    ServerBehaviour behaviour = slowServer();
    behaviour.api_key = "secret-key-12345";
    const ModelServer server(behaviour);
    QTemporaryDir folder;
    const QString csv = folder.filePath(QStringLiteral("samples.csv"));
    const QString json = folder.filePath(QStringLiteral("run.json"));
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PROBE_KEY"), QStringLiteral("secret-key-12345"));
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(KVLAB_BINARY),
        probeArguments(shortRun(server,
            {QStringLiteral("--key-env"), QStringLiteral("PROBE_KEY"), QStringLiteral("--csv"), csv,
                QStringLiteral("--json"), json})));
    const Result result = finish(process);
    QVERIFY2(result.code == 0, qPrintable(result.err));
    for (const QByteArray &text : {result.out.toUtf8(), result.err.toUtf8(), contentOf(csv), contentOf(json)})
        QVERIFY(!text.contains("secret-key"));
}

void TestKvlabProbe::ownDocumentAndQuestionAreSent()
{
    const ModelServer server(slowServer());
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("document.txt")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    for (int i = 0; i < 600; ++i)
        file.write("zebra" + QByteArray::number(i) + ' ');
    file.close();
    const Result result = runProbe(shortRun(server,
        {QStringLiteral("--prompt-file"), file.fileName(), QStringLiteral("--question"),
            QStringLiteral("How many stripes?")}));
    QVERIFY2(result.code == 0, qPrintable(result.err));
    const QString last = server.chats().last().tokens.join(QLatin1Char(' '));
    QVERIFY(last.contains(QLatin1String("zebra17 zebra18")));
    QVERIFY(last.contains(QLatin1String("How many stripes ?")));
}

QTEST_GUILESS_MAIN(TestKvlabProbe)
#include "tst_kvlab_probe.moc"
