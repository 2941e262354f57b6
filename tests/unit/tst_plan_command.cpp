// SPDX-License-Identifier: GPL-3.0-or-later
// `kvlab plan`, `kvlab models` and `kvlab gpus` as programs. Expected figures: the planner rows of kv-golden.json,
// which say the same devices in bytes.
#include "session/csv.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QtTest>

namespace {

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

Answer kvlabSays(const char *arguments)
{
    return kvlabSays(QString::fromUtf8(arguments).split(u' ', Qt::SkipEmptyParts));
}

qint64 number(const QJsonObject &object, const char *key)
{
    return object.value(QLatin1String(key)).toInteger(-1);
}

} // namespace

class TestPlanCommand : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void likeTheReference();
    void asText();
    void ranksShareWeightsAndCache();
    void weightsThatDoNotFit();
    void enginesDiffer();
    void whatCannotBePlanned();
    void wrongUsage_data();
    void wrongUsage();
    void modelsAndGpus();
};

void TestPlanCommand::likeTheReference()
{
    // g0391: 80 GiB, 0.9, 4 GiB overhead; without rounding.
    const QJsonObject gemma
        = kvlabSays("plan --memory 80GiB --overhead 4GiB --weights 54018004480B --model gemma-3-27b "
                    "--seq-len 32k --batch 4 --engine ideal --format json")
              .json();
    QCOMPARE(number(gemma, "budget_bytes"), 18996439552);
    QCOMPARE(number(gemma, "need_bytes"), 3120562176);
    QCOMPARE(number(gemma, "max_batch"), 6);
    QCOMPARE(number(gemma, "max_seq_len"), 52647);
    QCOMPARE(gemma.value(QLatin1String("limited_by")).toString(), QStringLiteral("memory"));
    QVERIFY(gemma.value(QLatin1String("fits")).toBool());
    // g0385 in blocks of 16, from the parameters.
    const QJsonObject llama = kvlabSays("plan --memory 24GiB --model llama-3.1-8b --seq-len 8192 --format json").json();
    QCOMPARE(number(llama, "weights_bytes"), 16060522496);
    QCOMPARE(number(llama, "budget_bytes"), 4984817254);
    QCOMPARE(number(llama, "max_batch"), 4);
    QCOMPARE(number(llama, "max_seq_len"), 38016);
}

void TestPlanCommand::asText()
{
    const Answer answer = kvlabSays("plan --gpu 4090 --model llama-3.1-8b --seq-len 8k --batch 5");
    QCOMPARE(answer.code, 0);
    const QString text = QString::fromUtf8(answer.output);
    QVERIFY2(text.contains(QStringLiteral("Overhead (a guess): 2.000 GiB")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("Largest batch of that length: 4\n")), qPrintable(text));
    // 5 × 1 GiB − 4,984,817,254 B = 383,891,866 B
    QVERIFY2(text.contains(QStringLiteral("short by 0.358 GiB")), qPrintable(text));
    const Answer limited = kvlabSays("plan --memory 80GiB --model qwen2.5-0.5b");
    QVERIFY(QString::fromUtf8(limited.output).contains(QStringLiteral("32768, the model's own limit")));
}

void TestPlanCommand::ranksShareWeightsAndCache()
{
    const QJsonObject json
        = kvlabSays("plan --memory 80GiB --gpus 4 --model qwen2.5-72b --seq-len 4096 --format json").json();
    QCOMPARE(number(json, "weights_bytes"), 36353101824); // 145,412,407,296 / 4
    QCOMPARE(number(json, "need_bytes"), 335544320); // 81,920 B × 4096
    const Answer invalid = kvlabSays("plan --memory 80GiB --gpus 3 --model phi-4-14b");
    QCOMPARE(invalid.code, 3);
    QVERIFY(invalid.messages.contains(QStringLiteral("10 KV heads")));
}

void TestPlanCommand::weightsThatDoNotFit()
{
    const QJsonObject json = kvlabSays("plan --memory 16GiB --overhead 1GiB --model qwen2.5-7b --format json").json();
    QCOMPARE(number(json, "budget_bytes"), -843092583); // g0388
    QVERIFY(!json.value(QLatin1String("fits")).toBool(true));
    QCOMPARE(number(json, "short_by_bytes"), 843092583 + 234881024);
    QCOMPARE(number(json, "max_batch"), 0);
    QVERIFY(kvlabSays("plan --memory 16GiB --model qwen2.5-7b --weights-dtype q4_K --format json")
                .json()
                .value(QLatin1String("fits"))
                .toBool());
}

void TestPlanCommand::enginesDiffer()
{
    const auto need = [](const char *engine) {
        return number(kvlabSays(QStringList{QStringLiteral("plan"), QStringLiteral("--memory"), QStringLiteral("24GiB"),
                                    QStringLiteral("--model"), QStringLiteral("qwen2.5-7b"),
                                    QStringLiteral("--seq-len"), QStringLiteral("1000"), QStringLiteral("--format"),
                                    QStringLiteral("json"), QStringLiteral("--engine"), QLatin1String(engine)})
                          .json(),
            "need_bytes");
    };
    QCOMPARE(need("ideal"), 57344000);
    QCOMPARE(need("vllm"), 57802752); // 63 blocks
    QCOMPARE(need("llama.cpp"), 58720256); // 1024 cells
}

void TestPlanCommand::whatCannotBePlanned()
{
    const Answer unknown = kvlabSays("plan --memory 24GiB --model gemma-4-31b");
    QCOMPARE(unknown.code, 2);
    QVERIFY2(unknown.messages.contains(QStringLiteral("--weights")), qPrintable(unknown.messages));
    QCOMPARE(kvlabSays("plan --memory 1000GiB --weights 800GB --model deepseek-v4-pro").code, 3);
}

void TestPlanCommand::wrongUsage_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("named");
    const auto row = [](const char *arguments, const char *named) {
        QTest::newRow(arguments) << QString::fromUtf8(arguments) << QString::fromUtf8(named);
    };
    row("plan --memory 24GiB", "--model");
    row("plan --memory 24GiB --model nobody", "nobody");
    row("plan --model qwen2.5-7b", "--gpu");
    row("plan --model qwen2.5-7b --gpu 4090 --memory 24GiB", "--gpu");
    row("plan --model qwen2.5-7b --memory 24", "24GiB");
    row("plan --model qwen2.5-7b --gpu A100", "A100 40GB, A100 80GB");
    row("plan --model qwen2.5-7b --gpu 9999", "kvlab gpus");
    row("plan --model qwen2.5-7b --gpu CPU", "--memory");
    row("plan --model qwen2.5-7b --gpu 4090 --util 90", "--util");
    row("plan --model qwen2.5-7b --gpu 4090 --util nan", "--util");
    row("plan --model qwen2.5-7b --gpu 4090 --gpus 0", "--gpus");
    row("plan --model qwen2.5-7b --gpu 4090 --weights-dtype q9", "q9");
    row("plan --model qwen2.5-7b --gpu 4090 --kv-dtype q9", "q9");
    row("plan --model qwen2.5-7b --gpu 4090 --engine tgi", "tgi");
    row("plan --model qwen2.5-7b --gpu 4090 --format csv", "csv");
    row("plan qwen2.5-7b", "qwen2.5-7b");
    row("gpus H100", "H100");
    row("models --format xml", "xml");
}

void TestPlanCommand::wrongUsage()
{
    QFETCH(QString, arguments);
    QFETCH(QString, named);
    const Answer answer = kvlabSays(arguments.split(u' '));
    QCOMPARE(answer.code, 2);
    QVERIFY(answer.output.isEmpty());
    QVERIFY2(answer.messages.contains(named), qPrintable(answer.messages));
}

void TestPlanCommand::modelsAndGpus()
{
    const QJsonArray models = QJsonDocument::fromJson(kvlabSays("models --format json").output).array();
    QCOMPARE(models.size(), 137);
    QCOMPARE(number(models.at(0).toObject(), "bytes_per_token_16bit"), 12288);
    const QList<QStringList> csv = kvlab::session::parseCsv(kvlabSays("models --format csv").output);
    QCOMPARE(csv.size(), 138);
    QCOMPARE(csv.at(1).constFirst(), QStringLiteral("qwen2.5-0.5b"));
    const QJsonArray gpus = QJsonDocument::fromJson(kvlabSays("gpus --format json").output).array();
    QCOMPARE(gpus.size(), 37);
    QVERIFY(gpus.at(36)[QLatin1String("memory_gb")].isNull());
    QVERIFY(kvlabSays("gpus").output.contains("GeForce RTX 4090"));
    QVERIFY(kvlabSays("plan --help").output.contains("Example: kvlab plan"));
}

QTEST_GUILESS_MAIN(TestPlanCommand)
#include "tst_plan_command.moc"
