// SPDX-License-Identifier: GPL-3.0-or-later
// `kvlab check` as a program, on recorded logs of vLLM (real-captures/vllm).
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QtTest>

namespace {

const QString captures = QStringLiteral(KVLAB_TEST_DATA "/real-captures/vllm/");

struct Answer
{
    int code = -1;
    QByteArray output;
    QString messages;
};

Answer kvlabChecks(const QString &log, const char *arguments, const QByteArray &input = {})
{
    QProcess process;
    process.start(QStringLiteral(KVLAB_BINARY),
        QStringList{
            QStringLiteral("--lang"), QStringLiteral("en"), QStringLiteral("check"), QStringLiteral("--log"), log}
            + QString::fromLatin1(arguments).split(u' ', Qt::SkipEmptyParts));
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000))
        return {};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
        QString::fromUtf8(process.readAllStandardError())};
}

QJsonObject figure(const Answer &answer, const char *name)
{
    for (const QJsonValue &row :
        QJsonDocument::fromJson(answer.output).object().value(QLatin1String("figures")).toArray()) {
        if (row[QLatin1String("figure")] == QLatin1String(name))
            return row.toObject();
    }
    return {};
}

QString text(const QJsonObject &object, const char *key)
{
    return object.value(QLatin1String(key)).toString();
}

} // namespace

class TestCheckCommand : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void explained();
    void unexplained();
    void asText();
    void standardInput();
    void whatCannotBeChecked_data();
    void whatCannotBeChecked();
};

void TestCheckCommand::explained()
{
    const Answer answer = kvlabChecks(
        captures + QStringLiteral("startlog_fast_fp32_bs32.log"), "--model Qwen2.5-0.5B --kv-dtype f32 --format json");
    QCOMPARE(answer.code, 0);
    const QJsonObject tokens = figure(answer, "kv_cache_tokens");
    // 2 GiB ÷ 24,576 B = 87,381 tokens; 2,730 whole blocks of 32.
    QCOMPARE(text(tokens, "theirs"), QStringLiteral("87360"));
    QCOMPARE(text(tokens, "ours"), QStringLiteral("87381"));
    QCOMPARE(text(tokens, "verdict"), QStringLiteral("explained"));
    QCOMPARE(tokens.value(QLatin1String("reasons")).toArray().first().toString(), QStringLiteral("whole_blocks"));
    QCOMPARE(tokens.value(QLatin1String("line")).toInteger(), 41);
    const Answer refused = kvlabChecks(captures + QStringLiteral("startlog_err_not_enough_kv.log"),
        "--model Qwen2.5-0.5B --kv-dtype f32 --engine vllm --block-size 32 --format json");
    QCOMPARE(refused.code, 0);
    QVERIFY(figure(refused, "estimated_max_len")
                .value(QLatin1String("reasons"))
                .toArray()
                .contains(QStringLiteral("null_block")));
}

void TestCheckCommand::unexplained()
{
    const Answer answer = kvlabChecks(
        captures + QStringLiteral("startlog_fast_fp32_bs32.log"), "--model Qwen2.5-7B --kv-dtype f32 --format json");
    QCOMPARE(answer.code, 1);
    QCOMPARE(text(figure(answer, "kv_cache_tokens"), "verdict"), QStringLiteral("unexplained"));
}

void TestCheckCommand::asText()
{
    const Answer table
        = kvlabChecks(captures + QStringLiteral("startlog_fast_fp32_bs32.log"), "--model Qwen2.5-0.5B --kv-dtype f32");
    QCOMPARE(table.code, 0);
    QVERIFY(table.output.contains("Tokens in the cache"));
    QVERIFY(table.output.contains("87381"));
    QVERIFY(table.output.contains("whole blocks"));
    const Answer csv = kvlabChecks(
        captures + QStringLiteral("startlog_fast_fp32_bs32.log"), "--model Qwen2.5-0.5B --kv-dtype f32 --format csv");
    QVERIFY(csv.output.startsWith("Figure,Server,Ours,Unit,Reason"));
}

void TestCheckCommand::standardInput()
{
    const Answer answer = kvlabChecks(QStringLiteral("-"), "--model Llama-3.1-8B --engine vllm --format json",
        "the rest of the memory reserved for KV Cache is 3.81GiB.\n# GPU blocks: 1952, # CPU blocks: 2048\n");
    QCOMPARE(answer.code, 0);
    QCOMPARE(text(figure(answer, "num_gpu_blocks"), "ours"), QStringLiteral("1950"));
}

void TestCheckCommand::whatCannotBeChecked_data()
{
    QTest::addColumn<QString>("log");
    QTest::addColumn<QByteArray>("arguments");
    QTest::addColumn<int>("code");
    const QString log = captures + QStringLiteral("startlog_fast_fp32_bs32.log");
    QTest::newRow("no model") << log << QByteArray() << 2;
    QTest::newRow("two models") << log << QByteArray("--model Qwen2.5-7B --config x.json") << 2;
    QTest::newRow("unknown model") << log << QByteArray("--model none") << 3;
    QTest::newRow("no such file") << captures + QStringLiteral("none.log") << QByteArray("--model Qwen2.5-7B") << 3;
    QTest::newRow("no log") << QStringLiteral(KVLAB_SOURCE_DIR "/LICENSE") << QByteArray("--model Qwen2.5-7B") << 3;
    QTest::newRow("no config") << log << QByteArray("--config none.json") << 3;
    QTest::newRow("type") << log << QByteArray("--model Qwen2.5-7B --kv-dtype q99") << 2;
    QTest::newRow("length") << log << QByteArray("--model Qwen2.5-7B --seq-len 0") << 2;
    QTest::newRow("engine") << log << QByteArray("--model Qwen2.5-7B --engine tgi") << 2;
    QTest::newRow("format") << log << QByteArray("--model Qwen2.5-7B --format xml") << 2;
    QTest::newRow("something more") << log << QByteArray("--model Qwen2.5-7B more") << 2;
}

void TestCheckCommand::whatCannotBeChecked()
{
    QFETCH(QString, log);
    QFETCH(QByteArray, arguments);
    QFETCH(int, code);
    const Answer answer = kvlabChecks(log, arguments.constData());
    QCOMPARE(answer.code, code);
    QVERIFY(answer.output.isEmpty());
    QVERIFY2(answer.messages.startsWith(QStringLiteral("kvlab: ")), qPrintable(answer.messages));
    QVERIFY(answer.messages.trimmed().endsWith(u'.'));
}

QTEST_GUILESS_MAIN(TestCheckCommand)
#include "tst_check_command.moc"
