// SPDX-License-Identifier: GPL-3.0-or-later
// `kvlab trace` as a program: output, counts, exit codes, refusals. What is computed is tested in tst_prefix_traces.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

namespace {

struct Answer
{
    int code = -1;
    QByteArray output;
    QString messages;
};

Answer trace(const QStringList &arguments)
{
    QProcess process;
    process.start(QStringLiteral(KVLAB_BINARY),
        QStringList{QStringLiteral("--lang"), QStringLiteral("en"), QStringLiteral("trace")} + arguments);
    if (!process.waitForFinished(60'000))
        return {};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
        QString::fromUtf8(process.readAllStandardError())};
}

const QString reference = QStringLiteral(KVLAB_TEST_DATA "/prefix-hits.json");

} // namespace

class TestTraceCommand : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bothOrders_data();
    void bothOrders();
    void differencesAreNamed();
    void refusals_data();
    void refusals();
};

void TestTraceCommand::bothOrders_data()
{
    QTest::addColumn<QString>("order");
    QTest::newRow("A") << QStringLiteral("A");
    QTest::newRow("B") << QStringLiteral("B");
}

void TestTraceCommand::bothOrders()
{
    QFETCH(QString, order);
    const Answer answer = trace({QStringLiteral("--order"), order, reference});
    QCOMPARE(answer.code, 0);
    const QJsonObject file = QJsonDocument::fromJson(answer.output).object();
    QCOMPARE(file[u"passed"].toInt(), 124);
    QCOMPARE(file[u"failed"].toInt(), 0);
    const QJsonValue step = file[u"apc"][0][u"steps"][3];
    QCOMPARE(step[u"result"].toString(), QStringLiteral("passed"));
    QCOMPARE(step[u"got"][u"free_list"], step[u"expect"][u"free_list"][order]);
    QVERIFY(answer.messages.contains(QStringLiteral("124")));
}

void TestTraceCommand::differencesAreNamed()
{
    QFile file(reference);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray json = file.readAll();
    QVERIFY(json.contains("\"expect_hit\": 3984"));
    json.replace("\"expect_hit\": 3984", "\"expect_hit\": 4000");
    const QTemporaryDir folder;
    QFile copy(folder.filePath(QStringLiteral("wrong.json")));
    QVERIFY(copy.open(QIODevice::WriteOnly));
    copy.write(json);
    copy.close();

    const Answer answer = trace({copy.fileName()});
    QCOMPARE(answer.code, 1);
    QVERIFY2(answer.messages.contains(QStringLiteral("same_prompt T6, case 17")), qPrintable(answer.messages));
    const QJsonObject out = QJsonDocument::fromJson(answer.output).object();
    QCOMPARE(out[u"failed"].toInt(), 1);
    QCOMPARE(out[u"same_prompt"][0][u"cases"][16][u"got_hit"].toInt(), 3984);
    QCOMPARE(out[u"same_prompt"][0][u"cases"][16][u"result"].toString(), QStringLiteral("failed"));
}

void TestTraceCommand::refusals_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("named");
    const QStringList none;
    QTest::newRow("empty") << QByteArray() << none << 3 << QStringLiteral("not JSON");
    QTest::newRow("cut off") << QByteArray("{\"apc\": [") << none << 3 << QStringLiteral("not JSON");
    QTest::newRow("a list") << QByteArray("[]") << none << 3 << QStringLiteral("no JSON object");
    QTest::newRow("nothing to play") << QByteArray("{}") << none << 3 << QStringLiteral("no scenario");
    QTest::newRow("bad step") << QByteArray(
        R"({"apc": [{"id": "S", "block_size": 4, "pool_blocks": 9, "null_block": true, "caching": true, "eagle": false,
            "steps": [{"op": "dance", "expect": {}}]}]})")
                              << none << 3 << QStringLiteral("apc S, step 1: “dance”");
    QTest::newRow("order") << QByteArray("{}") << QStringList{QStringLiteral("--order"), QStringLiteral("C")} << 2
                           << QStringLiteral("--order takes A or B");
    QTest::newRow("two files") << QByteArray("{}") << QStringList{reference} << 2 << QStringLiteral("one file");
}

void TestTraceCommand::refusals()
{
    QFETCH(QByteArray, content);
    QFETCH(QStringList, options);
    QFETCH(int, code);
    QFETCH(QString, named);
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("trace.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    const Answer answer = trace(options + QStringList{file.fileName()});
    QCOMPARE(answer.code, code);
    QCOMPARE(answer.output, QByteArray());
    QVERIFY2(answer.messages.contains(named), qPrintable(answer.messages));
}

QTEST_GUILESS_MAIN(TestTraceCommand)
#include "tst_trace_command.moc"
