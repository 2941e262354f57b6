// SPDX-License-Identifier: GPL-3.0-or-later
// What a server keeps, found out from its hits: against servers whose block size, room, slots and habits were set
// beforehand, and against the practice engine.
#include "experiment/keeps.h"
#include "support/model_server.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

using namespace kvlab::experiment;
using kvlab::test::ModelServer;
using kvlab::test::ServerBehaviour;

namespace {

KeepsResult study(const QUrl &url, const KeepsPlan &plan = {})
{
    ServerTarget target;
    target.base_url = url;
    return studyKeeps(target, plan, [](qsizetype) { return true; });
}

/// For messages.
QString stepsOf(const KeepsResult &result)
{
    QString text;
    for (const KeepsStep &step : result.steps)
        text += QStringLiteral(" %1:%2/%3")
                    .arg(keepsPurposeName(step.purpose), QString::number(step.hit.value_or(-1)),
                        QString::number(step.prompt_tokens.value_or(-1)));
    return text;
}

ServerBehaviour quick()
{
    ServerBehaviour behaviour;
    behaviour.token_us = 0;
    return behaviour;
}

} // namespace

class TestKeeps : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void blocksAndRoom_data();
    void blocksAndRoom();
    void generatedTokens_data();
    void generatedTokens();
    void slots_data();
    void slots();
    void roomBeyondTheContext();
    void roomBeyondWhatIsTried();
    void countersStandInForTheField();
    void nothingKept();
    void nothingReported();
    void failureIsTold();
    void stopsAtOnce();
    void practiceEngine_data();
    void practiceEngine();
    void commandLine();
};

void TestKeeps::blocksAndRoom_data()
{
    QTest::addColumn<int>("block");
    QTest::addColumn<int>("blocks");
    QTest::addColumn<bool>("tokenize");
    QTest::newRow("8 x 150") << 8 << 150 << true;
    QTest::newRow("16 x 40") << 16 << 40 << true; // fewer than sixteen short prompts take
    QTest::newRow("16 x 97, no tokenizer") << 16 << 97 << false;
    QTest::newRow("32 x 63") << 32 << 63 << true;
    QTest::newRow("128 x 21") << 128 << 21 << true;
    QTest::newRow("256 x 12") << 256 << 12 << true;
    QTest::newRow("528 x 9") << 528 << 9 << true; // a hybrid model's
}

void TestKeeps::blocksAndRoom()
{
    QFETCH(const int, block);
    QFETCH(const int, blocks);
    QFETCH(const bool, tokenize);
    ServerBehaviour behaviour = quick();
    behaviour.block_size = block;
    behaviour.pool_blocks = blocks;
    behaviour.has_tokenize = tokenize;
    ModelServer server(behaviour);
    const KeepsResult result = study(server.url());
    QVERIFY2(result.message.isEmpty(), qPrintable(result.message));
    QCOMPARE(result.block_size, block);
    QCOMPARE(result.shortest_prefix, block);
    QVERIFY(!result.shortest_is_bound);
    QCOMPARE(result.pool_tokens, block * blocks);
    QVERIFY(!result.pool_at_least && !result.prompts_kept && !result.stores_late);
    QCOMPARE(result.steps.size(), server.chats().size() - 1); // one found out the shape of requests
}

void TestKeeps::generatedTokens_data()
{
    QTest::addColumn<bool>("kept");
    QTest::addColumn<bool>("llama");
    QTest::newRow("kept") << true << false;
    QTest::newRow("not kept") << false << false;
    QTest::newRow("kept, token by token") << true << true;
    QTest::newRow("not kept, token by token") << false << true;
}

void TestKeeps::generatedTokens()
{
    QFETCH(const bool, kept);
    QFETCH(const bool, llama);
    ServerBehaviour behaviour = quick();
    behaviour.keeps_generated = kept;
    behaviour.like_llama = llama;
    ModelServer server(behaviour);
    KeepsPlan plan;
    plan.fill_tokens = 0;
    const KeepsResult result = study(server.url(), plan);
    QCOMPARE(result.block_size, llama ? 1 : 16);
    QVERIFY(result.keeps_generated.has_value());
    QCOMPARE(*result.keeps_generated, kept);
}

void TestKeeps::slots_data()
{
    QTest::addColumn<int>("slots");
    QTest::newRow("1") << 1;
    QTest::newRow("4") << 4;
    QTest::newRow("7") << 7;
    QTest::newRow("15") << 15;
}

/// As llama.cpp's server: prompts are kept whole, one in each slot, and found token by token.
void TestKeeps::slots()
{
    QFETCH(const int, slots);
    ServerBehaviour behaviour = quick();
    behaviour.like_llama = true;
    behaviour.slots = slots;
    ModelServer server(behaviour);
    const KeepsResult result = study(server.url());
    QVERIFY2(result.message.isEmpty(), qPrintable(result.message));
    QCOMPARE(result.block_size, 1);
    // The template is found everywhere, so less than that cannot be seen.
    QVERIFY(result.shortest_is_bound && *result.shortest_prefix == *result.floor);
    QVERIFY(!result.pool_tokens);
    QCOMPARE(result.prompts_kept, slots);
    QVERIFY(!result.pool_at_least);
}

/// Room for several prompts of the longest kind: found by halving.
void TestKeeps::roomBeyondTheContext()
{
    ServerBehaviour behaviour = quick();
    behaviour.context_tokens = 512;
    behaviour.pool_blocks = 203; // 3,248 tokens
    ModelServer server(behaviour);
    const KeepsResult result = study(server.url());
    QVERIFY2(result.message.isEmpty(), qPrintable(result.message));
    QCOMPARE(result.pool_tokens, 203 * 16);
}

void TestKeeps::roomBeyondWhatIsTried()
{
    KeepsPlan plan;
    plan.fill_tokens = 4'000;
    ModelServer server(quick());
    const KeepsResult result = study(server.url(), plan);
    QVERIFY(!result.pool_tokens);
    QVERIFY(*result.pool_at_least >= 1'000);
    QVERIFY(keepsReport(result).join(u' ').contains(u"At least"));
}

void TestKeeps::countersStandInForTheField()
{
    ServerBehaviour behaviour = quick();
    behaviour.reports_cached = false;
    behaviour.pool_blocks = 60;
    ModelServer server(behaviour);
    const KeepsResult result = study(server.url());
    QCOMPARE(result.block_size, 16);
    QCOMPARE(result.pool_tokens, 60 * 16);
}

void TestKeeps::nothingKept()
{
    ServerBehaviour behaviour = quick();
    behaviour.caches = false;
    behaviour.context_tokens = 700; // fewer lengths to try
    ModelServer server(behaviour);
    const KeepsResult result = study(server.url());
    QVERIFY(result.reports_hits && !result.keeps_anything && !result.block_size);
    QCOMPARE(keepsReport(result).size(), 1);
    QVERIFY(keepsReport(result).first().contains(u"keeps nothing"));
}

void TestKeeps::nothingReported()
{
    ServerBehaviour behaviour = quick();
    behaviour.reports_cached = false;
    behaviour.has_metrics = false;
    ModelServer server(behaviour);
    const KeepsResult result = study(server.url());
    QVERIFY(!result.reports_hits);
    QVERIFY(keepsReport(result).first().contains(u"--enable-prompt-tokens-details"));
}

void TestKeeps::failureIsTold()
{
    const KeepsResult nobody = study(QUrl(QStringLiteral("http://127.0.0.1:9")));
    QVERIFY(nobody.message.contains(u"127.0.0.1:9") && nobody.steps.isEmpty());
    ServerBehaviour behaviour = quick();
    behaviour.fault_at = 12;
    behaviour.fault = "HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\noops";
    ModelServer server(behaviour);
    const KeepsResult broken = study(server.url());
    QVERIFY2(broken.message.contains(u"500"), qPrintable(broken.message));
    QCOMPARE(broken.steps.size(), 10);
}

void TestKeeps::stopsAtOnce()
{
    ModelServer server(quick());
    ServerTarget target;
    target.base_url = server.url();
    const KeepsResult result = studyKeeps(target, {}, [](qsizetype done) { return done < 5; });
    QVERIFY(result.stopped);
    QVERIFY(result.steps.size() >= 5 && result.steps.size() < 20);
}

void TestKeeps::practiceEngine_data()
{
    QTest::addColumn<QString>("block");
    QTest::addColumn<QString>("blocks");
    QTest::addColumn<int>("tokens"); // block 0 is the null block and holds nothing
    QTest::newRow("16 x 80") << u"16"_qs << u"80"_qs << 16 * 79;
    QTest::newRow("32 x 50") << u"32"_qs << u"50"_qs << 32 * 49;
}

void TestKeeps::practiceEngine()
{
    QFETCH(const QString, block);
    QFETCH(const QString, blocks);
    QFETCH(const int, tokens);
    QProcess engine;
    engine.start(QStringLiteral(KVLAB_BINARY),
        {u"--lang"_qs, u"en"_qs, u"serve"_qs, u"--size"_qs, u"small"_qs, u"--port"_qs, u"0"_qs, u"--block-size"_qs,
            block, u"--pool-blocks"_qs, blocks});
    QByteArray said;
    const QRegularExpression address(QStringLiteral("http://127\\.0\\.0\\.1:\\d+"));
    QTRY_VERIFY_WITH_TIMEOUT((said += engine.readAllStandardOutput() + engine.readAllStandardError(),
                                 address.match(QString::fromUtf8(said)).hasMatch()),
        60'000);
    const KeepsResult result = study(QUrl(address.match(QString::fromUtf8(said)).captured()));
    engine.terminate();
    engine.waitForFinished(10'000);
    QVERIFY2(result.message.isEmpty(), qPrintable(result.message));
    QCOMPARE(result.block_size, block.toInt());
    QCOMPARE(result.shortest_prefix, block.toInt());
    QVERIFY2(result.pool_tokens == tokens, qPrintable(keepsReport(result).join(u' ') + stepsOf(result)));
    QCOMPARE(result.keeps_generated, true);
}

void TestKeeps::commandLine()
{
    ServerBehaviour behaviour = quick();
    behaviour.pool_blocks = 50;
    ModelServer server(behaviour);
    QProcess process;
    const auto run = [&process](const QStringList &arguments) {
        process.start(QStringLiteral(KVLAB_BINARY), QStringList{u"--lang"_qs, u"en"_qs, u"probe"_qs} + arguments);
        return process.waitForFinished(60'000) && process.exitStatus() == QProcess::NormalExit ? process.exitCode()
                                                                                               : -1;
    };
    const QStringList url{u"--url"_qs, server.url().toString()};
    QCOMPARE(run(url + QStringList{u"--keeps"_qs, u"--format"_qs, u"json"_qs}), 0);
    const QJsonObject keeps
        = QJsonDocument::fromJson(process.readAllStandardOutput()).object().value(u"keeps").toObject();
    QCOMPARE(keeps.value(u"block_size").toInt(), 16);
    QCOMPARE(keeps.value(u"pool_tokens").toInt(), 800);
    QVERIFY(keeps.value(u"steps").toArray().size() > 20);
    QCOMPARE(run(url + QStringList{u"--keeps"_qs}), 0);
    const QString table = QString::fromUtf8(process.readAllStandardOutput());
    QVERIFY2(table.contains(u"blocks of 16 tokens") && table.contains(u"800 tokens fit"), qPrintable(table));
    QCOMPARE(run(url + QStringList{u"--keeps"_qs, u"--handout"_qs, u"2"_qs}), 2);
    QCOMPARE(run(url + QStringList{u"--keeps"_qs, u"--fill-tokens"_qs, u"lots"_qs}), 2);
    QCOMPARE(run({u"--url"_qs, u"http://127.0.0.1:9"_qs, u"--keeps"_qs}), 4);
}

QTEST_GUILESS_MAIN(TestKeeps)
#include "tst_keeps.moc"
