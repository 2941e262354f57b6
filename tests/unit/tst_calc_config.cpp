// SPDX-License-Identifier: GPL-3.0-or-later
// `kvlab calc --config` and `kvlab plan --config` as programs: every file of config-inputs against expected.json.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QtTest>

namespace {

const QString inputFolder = QStringLiteral(KVLAB_TEST_DATA "/config-inputs/");

struct Answer
{
    int code = -1;
    QByteArray output;
    QString messages;

    QJsonObject json() const { return QJsonDocument::fromJson(output).object(); }
};

Answer kvlabSays(const QStringList &arguments)
{
    QProcess process;
    process.start(
        QStringLiteral(KVLAB_BINARY), QStringList{QStringLiteral("--lang"), QStringLiteral("en")} + arguments);
    if (!process.waitForFinished(60'000))
        return {};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
        QString::fromUtf8(process.readAllStandardError())};
}

QStringList words(const char *text)
{
    return QString::fromLatin1(text).split(u' ');
}

Answer calcOf(const QString &file, const char *options = "--format json")
{
    return kvlabSays(QStringList{QStringLiteral("calc"), QStringLiteral("--config"), file} + words(options));
}

QStringList groupTexts(const QJsonValue &groups)
{
    QStringList texts;
    for (const QJsonValue &value : groups.toArray()) {
        QJsonObject group = value.toObject();
        group.remove(QLatin1String("components"));
        texts << QString::fromUtf8(QJsonDocument(group).toJson(QJsonDocument::Compact));
    }
    texts.sort();
    return texts;
}

} // namespace

class TestCalcConfig : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void likeTheReference_data();
    void likeTheReference();
    void tableAndCsv();
    void rowsAreTheFilesOwn();
    void plansFromAFile();
    void wrongUsage_data();
    void wrongUsage();

private:
    void compareRefusal(const Answer &answer, const QJsonObject &expected);
    void compareModel(const QJsonObject &json, const QJsonObject &expected);
};

void TestCalcConfig::likeTheReference_data()
{
    QTest::addColumn<QJsonObject>("expected");
    QFile file(inputFolder + QStringLiteral("expected.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonArray files = QJsonDocument::fromJson(file.readAll()).array();
    QCOMPARE(files.size(), 57);
    for (const QJsonValue &entry : files)
        QTest::newRow(qPrintable(entry[QLatin1String("file")].toString())) << entry.toObject();
}

void TestCalcConfig::likeTheReference()
{
    QFETCH(QJsonObject, expected);
    const Answer answer = calcOf(inputFolder + expected.value(QLatin1String("file")).toString());
    QCOMPARE(answer.json().value(QLatin1String("result")), expected.value(QLatin1String("result")));
    if (expected.value(QLatin1String("result")) == QLatin1String("refuse"))
        compareRefusal(answer, expected);
    else
        compareModel(answer.json(), expected);
}

void TestCalcConfig::compareRefusal(const Answer &answer, const QJsonObject &expected)
{
    QCOMPARE(answer.code, 3);
    QCOMPARE(answer.json().value(QLatin1String("reason")), expected.value(QLatin1String("reason")));
    const QString message = answer.json().value(QLatin1String("message")).toString();
    QCOMPARE(answer.messages, QStringLiteral("kvlab: ") + message + u'\n');
    for (const QJsonValue &word : expected.value(QLatin1String("message_must_name")).toArray())
        QVERIFY2(message.contains(word.toString(), Qt::CaseInsensitive), qPrintable(message));
}

void TestCalcConfig::compareModel(const QJsonObject &json, const QJsonObject &expected)
{
    for (const char *key : {"num_layers", "max_position", "kv_dtype_default", "kv_dtype_hint", "bytes_per_token_16bit",
             "bytes_per_token_above_window_16bit"})
        QCOMPARE(json.value(QLatin1String(key)), expected.value(QLatin1String(key)));
    QCOMPARE(groupTexts(json.value(QLatin1String("architecture"))),
        groupTexts(expected.value(QLatin1String("architecture"))));
    const QString state_key = expected.value(QLatin1String("recurrent_state_dtype_default")) == QLatin1String("fp32")
        ? QStringLiteral("state_bytes_fp32_recurrent")
        : QStringLiteral("state_bytes_16bit");
    QCOMPARE(json.value(QLatin1String("state_bytes")), expected.value(state_key));
    const qint64 fixed = json.value(QLatin1String("state_bytes")).toInteger()
        + expected.value(QLatin1String("fixed_cross_bytes_16bit")).toInteger();
    const QJsonObject row = json.value(QLatin1String("rows")).toArray().at(0).toObject();
    QCOMPARE(row.value(QLatin1String("seq_len")).toInteger(), 4096);
    QCOMPARE(row.value(QLatin1String("ideal_bytes")).toInteger(),
        expected.value(QLatin1String("kv_bytes_16bit_at_4096")).toInteger() + fixed);
    QString warnings;
    for (const QJsonValue &warning : json.value(QLatin1String("warnings")).toArray())
        warnings += warning[QLatin1String("field")].toString() + u' ' + warning[QLatin1String("text")].toString();
    for (const QJsonValue &word : expected.value(QLatin1String("must_warn_about")).toArray())
        QVERIFY2(warnings.contains(word.toString(), Qt::CaseInsensitive), qPrintable(warnings));
    QVERIFY(!json.value(QLatin1String("field_sources")).toObject().isEmpty());
}

void TestCalcConfig::tableAndCsv()
{
    const Answer table = calcOf(inputFolder + QStringLiteral("dtype_float32.json"), "--seq-len 4k,8k --batch 2");
    QCOMPARE(table.code, 0);
    QVERIFY(table.output.contains("dtype_float32"));
    QVERIFY(table.output.contains("4294967296")); // 8,192 × 524,288
    QVERIFY2(table.messages.contains(QStringLiteral("float32")), qPrintable(table.messages));
    const Answer csv = calcOf(inputFolder + QStringLiteral("head_dim_null.json"), "--format csv");
    QVERIFY(csv.output.contains("head_dim_null,4096,1,bf16,bf16,1,939524096,"));
    const Answer refused = calcOf(inputFolder + QStringLiteral("json_nan_used.json"), "--format table");
    QCOMPARE(refused.code, 3);
    QVERIFY(refused.output.isEmpty());
    QVERIFY(refused.messages.contains(QStringLiteral("num_hidden_layers")));
    QCOMPARE(calcOf(inputFolder + QStringLiteral("no_such_file.json")).code, 3);
}

void TestCalcConfig::rowsAreTheFilesOwn()
{
    const QJsonObject json = calcOf(inputFolder + QStringLiteral("pattern_layer_types.json"),
        "--seq-len 32k --kv-dtype q8_0 --tp 2 --engine vllm "
        "--format json")
                                 .json();
    const QJsonObject row = json.value(QLatin1String("rows")).toArray().at(0).toObject();
    // 12 × 32,768 and 12 × 128 tokens × (K + V) × 4 heads × 64 × 34/32 B
    QCOMPARE(row.value(QLatin1String("ideal_bytes")).toInteger(), 12LL * (32'768 + 128) * 2 * 4 * 64 * 34 / 32);
    QVERIFY(
        row.value(QLatin1String("allocated_bytes")).toInteger() > row.value(QLatin1String("ideal_bytes")).toInteger());
    QCOMPARE(json.value(QLatin1String("field_sources")).toObject().value(QLatin1String("layers")).toString(),
        QStringLiteral("layer_types"));
}

void TestCalcConfig::plansFromAFile()
{
    const auto plan = [](const QString &file, const char *options) {
        return kvlabSays(
            QStringList{QStringLiteral("plan"), QStringLiteral("--config"), inputFolder + file} + words(options));
    };
    // 24 GiB × 0.9 − 15 GiB − 2 GiB = 4.6 GiB at 57,344 B a token
    const Answer answer = plan(QStringLiteral("head_dim_absent.json"),
        "--memory 24GiB --weights 15GiB --overhead 2GiB --engine ideal --seq-len 4k --format json");
    QCOMPARE(answer.code, 0);
    QCOMPARE(answer.json().value(QLatin1String("max_batch")).toInteger(), 21);
    QCOMPARE(answer.json().value(QLatin1String("max_seq_len")).toInteger(), 86'133);
    const Answer unknown = plan(QStringLiteral("head_dim_absent.json"), "--memory 24GiB");
    QCOMPARE(unknown.code, 2);
    QVERIFY2(unknown.messages.contains(QStringLiteral("--weights")), qPrintable(unknown.messages));
    const Answer refused = plan(QStringLiteral("vision_only.json"), "--memory 24GiB --weights 1GiB");
    QCOMPARE(refused.code, 3);
    QVERIFY(refused.messages.contains(QStringLiteral("decoder")));
}

void TestCalcConfig::wrongUsage_data()
{
    QTest::addColumn<QString>("arguments");
    for (const char *arguments : {"calc --config x.json --model Qwen2.5-7B", "calc --config x.json --config y.json",
             "calc --config x.json --rows y.json", "calc --config x.json --seq-len none",
             "plan --config x.json --model Qwen2.5-7B --memory 24GiB", "plan --config x.json"})
        QTest::newRow(arguments) << QString::fromLatin1(arguments);
}

void TestCalcConfig::wrongUsage()
{
    QFETCH(QString, arguments);
    const Answer answer = kvlabSays(arguments.split(u' '));
    QCOMPARE(answer.code, 2);
    QVERIFY(answer.output.isEmpty());
    QVERIFY(answer.messages.startsWith(QStringLiteral("kvlab: ")));
}

QTEST_GUILESS_MAIN(TestCalcConfig)
#include "tst_calc_config.moc"
