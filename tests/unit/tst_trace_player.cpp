// SPDX-License-Identifier: GPL-3.0-or-later
// Stepping through a block pool's life: published scenarios (prefix-hits.json) step by step, the seven steps of the
// Blocks page and the tiers behind the pool worked out by hand, and the scenarios that come with the program.
#include "prefix/trace_book.h"
#include "prefix/trace_player.h"
#include "prefix/trace_reader.h"

#include <QFile>
#include <QJsonDocument>
#include <QTest>

#include <numeric>

using namespace kvlab::prefix;

namespace {

QJsonObject hitVectors()
{
    QFile file(QStringLiteral(KVLAB_TEST_DATA "/prefix-hits.json"));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

/// The player shows what a reader of vLLM's pool meets: a null block, full prompts, no speculative head.
bool canBePlayed(const QJsonObject &scenario)
{
    const QJsonArray steps = scenario[u"steps"].toArray();
    const bool plain = std::none_of(steps.begin(), steps.end(),
        [](const QJsonValue &step) { return step.toObject().contains(QStringLiteral("skip_lookup")); });
    return plain && scenario[u"null_block"].toBool() && !scenario[u"eagle"].toBool();
}

TraceStep stepOf(const TraceNode &node, TraceAlphabet &alphabet)
{
    const QString op = node.text(QLatin1String("op"));
    TraceAction action;
    action.request = node.optionalText(QLatin1String("id"));
    action.keys = {node.optionalText(QLatin1String("lora")), node.optionalText(QLatin1String("salt"))};
    action.kind = op == QLatin1String("request") ? TraceAction::Kind::request
        : op == QLatin1String("append")          ? TraceAction::Kind::append
        : op == QLatin1String("free")            ? TraceAction::Kind::release
                                                 : TraceAction::Kind::reset;
    if (node.has(QLatin1String("tokens")))
        action.tokens = alphabet.tokens(node, QLatin1String("tokens"));
    return {op, {action}};
}

std::vector<int> numbers(const QJsonValue &value)
{
    std::vector<int> result;
    for (const QJsonValue &item : value.toArray())
        result.push_back(item.toInt());
    return result;
}

/// Values of one order where the file gives {"A": …, "B": …}.
QJsonValue ofOrder(const QJsonValue &value, bool newest)
{
    const QJsonObject object = value.toObject();
    return object.contains(QStringLiteral("A")) ? object[newest ? u"B" : u"A"] : value;
}

std::vector<int> tableOf(const StepOutcome &outcome)
{
    std::vector<int> table;
    for (const StripBlock &block : outcome.strip)
        table.push_back(block.block);
    return table;
}

/// How many of the expectations were looked at; -1 and a failure in the log when one differs.
int compare(const QJsonObject &expect, bool newest, const StepOutcome &outcome, const PoolState &state)
{
    int checked = 0;
    const auto check = [&](bool same, const QString &what) {
        if (!same)
            QTest::qFail(qPrintable(what), __FILE__, __LINE__);
        ++checked;
    };
    for (auto item = expect.begin(); item != expect.end(); ++item) {
        const QString &key = item.key();
        const QJsonValue value = ofOrder(item.value(), newest);
        if (key == QLatin1String("hit"))
            check(outcome.pool_tokens == value.toInt(-1), key);
        else if (key == QLatin1String("scheduled") && outcome.scheduled)
            check(*outcome.scheduled == value.toBool(), key);
        else if (key == QLatin1String("table") && outcome.scheduled == true)
            check(tableOf(outcome) == numbers(value), key);
        else if (key == QLatin1String("free_list"))
            check(state.queue == numbers(value), key);
        else if (key == QLatin1String("free_count"))
            check(int(state.queue.size()) == value.toInt(-1), key);
        else if (key == QLatin1String("cached_blocks"))
            check(state.cached_blocks == value.toInt(-1), key);
        else if (key == QLatin1String("evicted"))
            check(outcome.evicted == numbers(value), key);
        else if (key == QLatin1String("ok") && outcome.reset)
            check(*outcome.reset == value.toBool(), key);
        else if (key == QLatin1String("refs"))
            for (const QString &block : value.toObject().keys())
                check(state.blocks[block.toUInt()].references == value[block].toInt(-1), key);
        else if (key == QLatin1String("hashed") || key == QLatin1String("unhashed"))
            for (const int block : numbers(value))
                check(state.blocks[std::size_t(block)].hash.has_value() == (key == QLatin1String("hashed")), key);
    }
    return checked;
}

TraceStep once(const char *title, int first, int tokens)
{
    std::vector<Token> prompt(static_cast<std::size_t>(tokens));
    std::iota(prompt.begin(), prompt.end(), first);
    return {QString::fromLatin1(title),
        {{TraceAction::Kind::request, "r", prompt, {}}, {TraceAction::Kind::release, "r", {}, {}}}};
}

} // namespace

class TestTracePlayer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void publishedScenarios_data();
    void publishedScenarios();
    void sevenSteps();
    void sevenStepsInTheNewestOrder();
    void chunksBehindThePool();
    void impossibleStepsAreRefused();
    void scenariosOfTheProgram_data();
    void scenariosOfTheProgram();
    void damagedBooksAreNamed_data();
    void damagedBooksAreNamed();
};

void TestTracePlayer::publishedScenarios_data()
{
    QTest::addColumn<QJsonObject>("scenario");
    QTest::addColumn<bool>("newest");
    int played = 0;
    for (const QJsonValue &value : hitVectors()[u"apc"].toArray()) {
        const QJsonObject scenario = value.toObject();
        if (!canBePlayed(scenario))
            continue;
        for (const bool newest : {false, true})
            QTest::addRow("%s %s", qPrintable(scenario[u"id"].toString()), newest ? "B" : "A") << scenario << newest;
        ++played;
    }
    QVERIFY(played >= 9);
}

void TestTracePlayer::publishedScenarios()
{
    QFETCH(QJsonObject, scenario);
    QFETCH(bool, newest);
    TraceOptions options;
    options.pool.blocks = scenario[u"pool_blocks"].toInt();
    options.pool.block_size = scenario[u"block_size"].toInt();
    options.pool.prefix_caching = scenario[u"caching"].toBool();
    options.pool.free_order = newest ? FreeOrder::unhashed_to_head : FreeOrder::tail;
    TraceAlphabet alphabet;
    std::vector<TraceStep> steps;
    const QJsonArray items = scenario[u"steps"].toArray();
    for (const QJsonValue &item : items)
        steps.push_back(stepOf({item.toObject(), QStringLiteral("step")}, alphabet));
    const TracePlayer player(options, steps);
    int checked = 0;
    // Backwards: a state may not depend on what was looked at before.
    for (int i = int(items.size()) - 1; i >= 0; --i) {
        checked
            += compare(items[i][u"expect"].toObject(), newest, player.outcomes()[std::size_t(i)], player.stateAfter(i));
    }
    QVERIFY(checked > 0);
}

/// Figures by hand: warm-up in blocks 1 to 41, question 1 in 42 to 136 (the last one holds its answer), the other
/// prefix in 137 to 231; questions 2 and 3 find 93 blocks and take 232 and 233.
void TestTracePlayer::sevenSteps()
{
    const Tokenizer tokenizer;
    const auto script = builtInTraces(QStringLiteral("en"), tokenizer).front();
    const TracePlayer player(script.options, script.steps);
    QCOMPARE(int(player.steps().size()), 7);
    const auto &outcomes = player.outcomes();
    QCOMPARE(int(outcomes[0].strip.size()), 41);
    QCOMPARE(outcomes[1].count(BlockOrigin::computed), 94);
    QCOMPARE(outcomes[2].count(BlockOrigin::pool), 0);
    for (const std::size_t i : {3U, 4U}) {
        QCOMPARE(outcomes[i].count(BlockOrigin::pool), 93);
        QCOMPARE(outcomes[i].count(BlockOrigin::computed), 1);
        QCOMPARE(outcomes[i].pool_tokens, 1488);
        QCOMPARE(outcomes[i].computedTokens(), 16);
    }

    const PoolState state = player.stateAfter(4);
    QCOMPARE(state.queue.size(), std::size_t(160));
    QCOMPARE(state.cached_blocks - 95, 135); // 95 are in use, all of them cached
    QCOMPARE(QString::number(state.usage * 100, 'f', 1), QStringLiteral("37.3"));
    QCOMPARE(state.blocks[42].references, 2);
    QCOMPARE(state.blocks[232].references, 1);
    QVERIFY(state.blocks[42].origin == BlockOrigin::pool);
    QVERIFY(state.blocks[233].origin == BlockOrigin::computed);
    QCOMPARE(state.blocks[234].queue_place, 1);
    QCOMPARE(state.blocks[1].queue_place, 63);
    QCOMPARE(state.blocks[137].queue_place, 160);
    QVERIFY(state.blocks[40].hash && !state.blocks[41].hash && !state.blocks[136].hash);
    QVERIFY(!state.blocks[42].parent);
    QCOMPARE(state.blocks[43].parent, state.blocks[42].hash);

    const auto segments = queueSegments(state);
    QCOMPARE(int(segments.size()), 4);
    const int expected[][4] = {{234, 255, 22, 0}, {41, 1, 41, 40}, {136, 135, 2, 1}, {231, 137, 95, 94}};
    for (std::size_t i = 0; i < 4; ++i) {
        const QueueSegment &segment = segments[i];
        const int got[] = {segment.first, segment.last, segment.count, segment.cached};
        QVERIFY2(std::equal(got, got + 4, expected[i]), qPrintable(QString::number(i)));
    }
    QVERIFY(!segments[0].filled_in);
    QCOMPARE(segments[3].filled_in, 2);

    // 180 blocks: the 160 at the head, and 20 of what was set free last: 233, 232, 134 … 117 (order of release).
    const StepOutcome &last = outcomes[6];
    QCOMPARE(int(last.strip.size()), 180);
    QCOMPARE(int(last.evicted.size()), 135 + 20);
    QCOMPARE(last.evicted.front(), 40);
    QCOMPARE(last.evicted.back(), 117);
    int lost = 0;
    for (const StripBlock &block : outcomes[4].strip)
        lost += block.evicted_in == 6 ? 1 : 0;
    QCOMPARE(lost, 19); // 233 and 134 … 117
    // Back again, nothing of it has happened.
    QVERIFY(player.stateAfter(4).blocks[117].hash.has_value());
    QVERIFY(player.stateAfter(6).blocks[116].hash.has_value());
}

/// Blocks without a hash go to the head: nothing is lost with them.
void TestTracePlayer::sevenStepsInTheNewestOrder()
{
    const Tokenizer tokenizer;
    auto script = builtInTraces(QStringLiteral("en"), tokenizer).front();
    script.options.pool.free_order = FreeOrder::unhashed_to_head;
    const TracePlayer player(script.options, script.steps);
    QCOMPARE(player.stateAfter(0).queue.front(), 41);
    // Block 41 is taken again at once, so question 1 lies in 41 to 134 and its answer in 135.
    QCOMPARE(player.outcomes()[1].strip.front().block, 41);
    QCOMPARE(player.stateAfter(1).queue.front(), 135);
}

/// Chunks of 256: 1,000 tokens leave three of them. RAM holds four, the disk twelve.
void TestTracePlayer::chunksBehindThePool()
{
    TraceOptions options;
    options.pool.blocks = 64;
    options.ram_chunks = 4;
    options.disk_chunks = 12;
    const auto none = TraceAction::Kind::restart;
    const TracePlayer player(options,
        {once("A", 0, 520), once("B", 10'000, 1000), once("A", 0, 520), once("C", 20'000, 1000),
            once("B", 10'000, 1000), {QStringLiteral("restart"), {{none, {}, {}, {}}}}, once("A", 0, 520)});
    const auto &outcomes = player.outcomes();
    // B's three chunks leave room for one of A's two, and the older one goes: the first comes from disk.
    QCOMPARE(outcomes[2].pool_tokens, 0);
    QCOMPARE(outcomes[2].disk_tokens, 256 + 256 - outcomes[2].ram_tokens);
    QCOMPARE(outcomes[2].computedTokens(), 8);
    QVERIFY(outcomes[2].disk_tokens >= 256);
    QCOMPARE(outcomes[2].count(BlockOrigin::ram) + outcomes[2].count(BlockOrigin::disk), 32);
    QCOMPARE(outcomes[2].count(BlockOrigin::computed), 1);
    // A prompt of 1,000 fills 63 blocks, the whole pool.
    QCOMPARE(outcomes[4].pool_tokens, 0);
    QCOMPARE(outcomes[4].ram_tokens + outcomes[4].disk_tokens, 768);
    QVERIFY(outcomes[5].restarted);
    QCOMPARE(player.stateAfter(5).cached_blocks, 0);
    QCOMPARE(outcomes[6].disk_tokens, 512);
    QCOMPARE(outcomes[6].ram_tokens, 0);
    QCOMPARE(outcomes[6].pool_tokens, 0);

    // Without tiers, all of it is computed.
    options.ram_chunks = options.disk_chunks = 0;
    const TracePlayer bare(options, {once("A", 0, 520), once("B", 10'000, 1000), once("A", 0, 520)});
    QCOMPARE(bare.outcomes()[2].computedTokens(), 520);

    // A full hit computes its last token all the same; its block is loaded.
    options.pool.blocks = 33;
    options.ram_chunks = 4;
    const TracePlayer full(options, {once("A", 0, 512), once("B", 10'000, 512), once("A", 0, 512)});
    QCOMPARE(full.outcomes()[2].ram_tokens, 511);
    QCOMPARE(full.outcomes()[2].computedTokens(), 1);
    QCOMPARE(full.outcomes()[2].count(BlockOrigin::ram), 32);
}

void TestTracePlayer::impossibleStepsAreRefused()
{
    const TraceStep free{QStringLiteral("free"), {{TraceAction::Kind::release, "nobody", {}, {}}}};
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, TracePlayer({}, {free}));
    const TraceAction start{TraceAction::Kind::request, "twice", {1, 2, 3}, {}};
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, TracePlayer({}, {{QString(), {start, start}}}));
    TraceOptions empty;
    empty.pool.blocks = 0;
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, TracePlayer(empty, {}));
}

void TestTracePlayer::scenariosOfTheProgram_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QList<int>>("found"); ///< tokens from the pool, of the steps that bring a request
    const auto row
        = [](const char *id, const QList<int> &found) { QTest::newRow(id) << QString::fromLatin1(id) << found; };
    row("seven", {0, 0, 0, 1488, 1488, 0});
    row("first", {0, 464, 0, 464}); // 480 tokens are 30 blocks, of which at most 29 are found
    row("middle", {0, 240, 96}); // 100 tokens are 6 whole blocks
    // 88 + 40 tokens are 8 blocks; turn 2 adds 30 + 50 to 208 = 13 blocks; shortened after 74 tokens: 4 blocks
    row("turns", {0, 128, 208, 64});
    // 48 blocks: A in 1–30, B takes 31–48 and the last 7 of A; 23 of A's are left. Then A takes 7 from the end of B.
    row("evict", {0, 0, 368, 288});
    row("salt", {0, 304, 0, 0});
    // C takes the 7 empty blocks and 18 of B's 20; A's last block takes one more of them.
    row("lru", {0, 0, 320, 0, 320, 16});
}

void TestTracePlayer::scenariosOfTheProgram()
{
    QFETCH(QString, id);
    QFETCH(QList<int>, found);
    const Tokenizer tokenizer;
    const auto english = builtInTraces(QStringLiteral("en"), tokenizer);
    const auto chinese = builtInTraces(QStringLiteral("zh"), tokenizer);
    QCOMPARE(english.size(), chinese.size());
    const auto script = std::find_if(english.begin(), english.end(), [&id](const auto &item) { return item.id == id; });
    QVERIFY(script != english.end());
    QVERIFY(script->title != chinese[std::size_t(script - english.begin())].title);
    const TracePlayer player(script->options, script->steps);
    QList<int> got;
    for (const StepOutcome &outcome : player.outcomes()) {
        QVERIFY(outcome.scheduled.value_or(true));
        if (outcome.scheduled)
            got.append(outcome.pool_tokens);
    }
    QCOMPARE(got, found);
}

void TestTracePlayer::damagedBooksAreNamed_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("named");
    const QByteArray head = R"({"texts": {"t": "some words"}, "traces": [{"id": "broken", "title": {"en": "x"},
        "note": {"en": "x"}, "block_size": 16, "pool_blocks": 8, "steps": [{"title": {"en": "x"}, "actions": [)";
    const QByteArray tail = "]}]}]}";
    QTest::newRow("no texts") << QByteArray("{}") << QStringLiteral("texts");
    QTest::newRow("empty text") << QByteArray(R"({"texts": {"t": ""}, "traces": []})") << QStringLiteral("“t”");
    QTest::newRow("unknown action") << head + R"({"op": "jump"})" + tail << QStringLiteral("“jump”");
    QTest::newRow("unknown text") << head + R"({"op": "request", "id": "r", "tokens": [["u", 3]]})" + tail
                                  << QStringLiteral("broken, step 1");
    QTest::newRow("negative count") << head + R"({"op": "request", "id": "r", "tokens": [["t", -3]]})" + tail
                                    << QStringLiteral("broken, step 1");
    QTest::newRow("too long") << head + R"({"op": "request", "id": "r", "tokens": [["t", 2000000]]})" + tail
                              << QStringLiteral("broken, step 1");
}

void TestTracePlayer::damagedBooksAreNamed()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, named);
    const Tokenizer tokenizer;
    const auto read = readTraceBook(QJsonDocument::fromJson(json).object(), QStringLiteral("en"), tokenizer);
    const QString *problem = std::get_if<QString>(&read);
    QVERIFY(problem);
    QVERIFY2(problem->contains(named), qPrintable(*problem));
}

QTEST_APPLESS_MAIN(TestTracePlayer)
#include "tst_trace_player.moc"
