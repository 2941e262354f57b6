// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of every design against published scenarios (prefix-hits.json, both free orders) and against hits that
// real servers reported (vLLM, LMCache, llama.cpp). The player is first shown scenarios that it must find wrong.
#include "prefix/lmcache_rules.h"
#include "prefix/radix_tree.h"
#include "prefix/slot_cache.h"
#include "prefix/trace.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <numeric>
#include <random>
#include <set>

using namespace kvlab::prefix;

namespace {

QJsonObject data(const QString &name)
{
    QFile file(QStringLiteral(KVLAB_TEST_DATA "/") + name);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

QJsonObject parsed(const QString &json)
{
    return QJsonDocument::fromJson(json.toUtf8()).object();
}

std::vector<Token> numbered(int count, Token first = 0)
{
    std::vector<Token> tokens(static_cast<std::size_t>(count));
    std::iota(tokens.begin(), tokens.end(), first);
    return tokens;
}

std::vector<Token> joined(std::vector<Token> front, const std::vector<Token> &back)
{
    front.insert(front.end(), back.begin(), back.end());
    return front;
}

/// Every other prompt gets tokens of its own.
constexpr Token apart = 1'000'000;

std::vector<Token> sharing(int common, int length, Token other = apart)
{
    return joined(numbered(common), numbered(length - common, other));
}

HashChain chainOf(int blockSize, const std::vector<Token> &tokens)
{
    HashChain chain(blockSize);
    chain.append(tokens);
    return chain;
}

/// What vLLM reports for `second` after `first` and `generated` answer tokens, of which the last has no K and V.
int poolHit(int blockSize, const std::vector<Token> &first, int generated, const std::vector<Token> &second)
{
    BlockPool::Options options;
    options.block_size = blockSize;
    BlockPool pool(options);
    HashChain chain = chainOf(blockSize, first);
    auto allocation = pool.allocate(chain).value();
    for (int i = 0; i < generated - 1; ++i) {
        pool.append(allocation, chain.size());
        chain.append(apart * 2 + i);
    }
    pool.commit(allocation, chain, chain.size());
    pool.release(allocation);
    return pool.cachedPrefix(chainOf(blockSize, second));
}

SlotCache::Options slotOptions(int slots, std::int64_t hostTokens, int reuseChunk = 0)
{
    SlotCache::Options options;
    options.slots = slots;
    options.host_tokens = hostTokens;
    options.reuse_chunk = reuseChunk;
    return options;
}

const QString smallScenario = QStringLiteral(R"({"apc": [{"id": "S", "block_size": 4, "pool_blocks": 9,
    "null_block": true, "caching": true, "eagle": false, "steps": [
    {"op": "request", "id": "a", "tokens": [["p", 9]], "expect": {"hit": 0, "table": [1, 2, 3], "hashed": [1, 2]}},
    {"op": "free", "id": "a", "expect": {"free_list": {"A": [4, 5, 6, 7, 8, 3, 2, 1], "B": [3, 4, 5, 6, 7, 8, 2, 1]}}},
    {"op": "request", "id": "b", "tokens": [["p", 9]], "expect": {"hit": 8}}]}]})");

} // namespace

class TestPrefixTraces : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void publishedScenarios_data();
    void publishedScenarios();
    void everyWrongExpectationIsFound_data();
    void everyWrongExpectationIsFound();
    void badFilesAreRefused_data();
    void badFilesAreRefused();
    void vllmHits();
    void lmcacheHits();
    void llamaHits();
    void llamaSlotsAndHostCache_data();
    void llamaSlotsAndHostCache();
    void llamaSimilarityThreshold();
    void llamaKeepsWhatASlotWouldLose();
    void llamaLeavesLargePromptsInTheHost();
    void lmcacheTails();
    void radixTreeAgreesWithSlowSearch_data();
    void radixTreeAgreesWithSlowSearch();
    void radixTreeEvictsOldestUnusedLeaf();
};

void TestPrefixTraces::publishedScenarios_data()
{
    QTest::addColumn<FreeOrder>("order");
    QTest::newRow("A") << FreeOrder::tail;
    QTest::newRow("B") << FreeOrder::unhashed_to_head;
}

void TestPrefixTraces::publishedScenarios()
{
    QFETCH(FreeOrder, order);
    const auto run = runTrace(data(QStringLiteral("prefix-hits.json")), order);
    const auto *refusal = std::get_if<QString>(&run);
    QVERIFY2(!refusal, qPrintable(refusal ? *refusal : QString()));
    const auto &result = std::get<TraceResult>(run);
    QCOMPARE(result.differences, QStringList());
    QCOMPARE(result.passed, 124);
    QCOMPARE(result.file[u"passed"].toInt(), 124);
    QCOMPARE(result.file[u"failed"].toInt(), 0);
    QCOMPARE(result.file[u"apc"][0][u"steps"][1][u"got"][u"hit"].toInt(), 48);
}

void TestPrefixTraces::everyWrongExpectationIsFound_data()
{
    QTest::addColumn<QString>("right");
    QTest::addColumn<QString>("wrong");
    QTest::newRow("hit") << QStringLiteral("\"hit\": 8") << QStringLiteral("\"hit\": 4");
    QTest::newRow("table") << QStringLiteral("[1, 2, 3]") << QStringLiteral("[1, 3, 2]");
    QTest::newRow("hashed") << QStringLiteral("\"hashed\": [1, 2]") << QStringLiteral("\"hashed\": [1, 2, 3]");
    QTest::newRow("queue") << QStringLiteral("8, 3, 2, 1]") << QStringLiteral("8, 3, 1, 2]");
}

void TestPrefixTraces::everyWrongExpectationIsFound()
{
    QFETCH(QString, right);
    QFETCH(QString, wrong);
    QString json = smallScenario;
    QCOMPARE(std::get<TraceResult>(runTrace(parsed(json), FreeOrder::tail)).passed, 3);
    QCOMPARE(std::get<TraceResult>(runTrace(parsed(json), FreeOrder::unhashed_to_head)).passed, 3);
    QVERIFY(json.contains(right));
    const auto result = std::get<TraceResult>(runTrace(parsed(json.replace(right, wrong)), FreeOrder::tail));
    QCOMPARE(result.failed, 1);
    QCOMPARE(int(result.differences.size()), 1);
}

void TestPrefixTraces::badFilesAreRefused_data()
{
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("named");
    const auto row = [](const char *name, const QString &from, const QString &to, const char *named) {
        QString json = smallScenario;
        QVERIFY2(json.contains(from), name);
        QTest::newRow(name) << json.replace(from, to) << QString::fromLatin1(named);
    };
    QTest::newRow("nothing") << QStringLiteral("{}") << QStringLiteral("no scenario");
    QTest::newRow("unknown group") << QStringLiteral(R"({"apcs": [{"id": "x"}]})") << QStringLiteral("apcs");
    QTest::newRow("group no list") << QStringLiteral(R"({"apc": 3})") << QStringLiteral("apc");
    QTest::newRow("case without expectation") << QStringLiteral(
        R"({"radix": [{"id": "r", "page_size": 1, "cases": [{"cached": [1], "n": 1, "common": 1}]}]})")
                                              << QStringLiteral("expect_hit");
    QTest::newRow("threshold") << QStringLiteral(R"({"slots": [{"id": "s", "threshold": "much", "cases":
        [{"slots": [{"common": 0, "length": 1, "last_used": 1}], "n": 2, "expect": {"slot": 0, "reuse": 0}}]}]})")
                               << QStringLiteral("threshold");
    row("missing pool size", QStringLiteral("\"pool_blocks\": 9,"), QString(), "pool_blocks");
    row("pool size no number", QStringLiteral("\"pool_blocks\": 9"), QStringLiteral("\"pool_blocks\": \"9\""),
        "pool_blocks");
    row("huge pool", QStringLiteral("\"pool_blocks\": 9"), QStringLiteral("\"pool_blocks\": 1e12"), "pool_blocks");
    row("block of nothing", QStringLiteral("\"block_size\": 4"), QStringLiteral("\"block_size\": 0"), "block_size");
    row("half a token", QStringLiteral("[[\"p\", 9]]"), QStringLiteral("[[\"p\", 8.5]]"), "tokens");
    row("huge prompt", QStringLiteral("[[\"p\", 9]]"), QStringLiteral("[[\"p\", 900000], [\"q\", 900000]]"), "tokens");
    row("run of four", QStringLiteral("[[\"p\", 9]]"), QStringLiteral("[[\"p\", 0, 9, 1]]"), "tokens");
    row("unknown step", QStringLiteral("\"op\": \"free\""), QStringLiteral("\"op\": \"fre\""), "step 2");
    row("free of a stranger", QStringLiteral("\"free\", \"id\": \"a\""), QStringLiteral("\"free\", \"id\": \"z\""),
        "step 2");
    row("same request twice", QStringLiteral("\"id\": \"b\""), QStringLiteral("\"id\": \"b\", \"salt\": 3"), "salt");
    row("unknown expectation", QStringLiteral("\"hit\": 8"), QStringLiteral("\"hits\": 8"), "hits");
    row("no such block", QStringLiteral("\"hashed\": [1, 2]"), QStringLiteral("\"hashed\": [1, 20]"), "20");
    row("no expectation", QStringLiteral("\"expect\": {\"hit\": 8}"), QStringLiteral("\"except\": {}"), "expect");
}

void TestPrefixTraces::badFilesAreRefused()
{
    QFETCH(QString, json);
    QFETCH(QString, named);
    QVERIFY(!parsed(json).isEmpty() || json == u"{}");
    const auto run = runTrace(parsed(json), FreeOrder::tail);
    QVERIFY(std::holds_alternative<QString>(run));
    QVERIFY2(std::get<QString>(run).contains(named), qPrintable(std::get<QString>(run)));
}

void TestPrefixTraces::vllmHits()
{
    const QJsonArray rows = data(QStringLiteral("vllm-hit-vectors.json"))[u"prefix_cache"].toArray();
    int checked = 0;
    for (const QJsonValue &row : rows) {
        const int generated = row[u"generated_first"].toInt(1);
        const int first = row[u"n_tokens_first"].toInt();
        const int common = row[u"common_prefix_tokens"].toInt();
        const int length = row[u"n_tokens"].toInt();
        // A conversation: the second prompt holds the first one and its whole answer.
        const auto conversation = joined(numbered(first), numbered(generated, apart * 2));
        const auto second = common > first
            ? joined({conversation.begin(), conversation.begin() + common}, numbered(length - common, apart))
            : sharing(common, length);
        const int hit = poolHit(row[u"block_size"].toInt(), numbered(first), generated, second);
        QVERIFY2(hit == row[u"cached_observed"].toInt(-1), qPrintable(row[u"case"].toString()));
        ++checked;
    }
    QCOMPARE(checked, 70);
}

void TestPrefixTraces::lmcacheHits()
{
    const QJsonArray rows = data(QStringLiteral("vllm-hit-vectors.json"))[u"lmcache"].toArray();
    for (const QJsonValue &row : rows) {
        LmcacheRules rules;
        rules.chunk_size = row[u"lmcache_chunk_size"].toInt();
        const int length = row[u"n_tokens"].toInt();
        const int hit = rules.hit(row[u"n_tokens_first"].toInt(), length, row[u"common_prefix_tokens"].toInt());
        QVERIFY2(LmcacheRules::cachedTokens(hit, length) == row[u"cached_observed"].toInt(-1),
            qPrintable(row[u"case"].toString()));
    }
    QCOMPARE(rows.size(), 11);
}

void TestPrefixTraces::llamaHits()
{
    const QJsonArray rows = data(QStringLiteral("llama-hit-vectors.json"))[u"cached_vectors"].toArray();
    int checked = 0;
    for (const QJsonValue &row : rows) {
        const QString name = row[u"case"].toString();
        const int length = row[u"prompt_tokens"].toInt();
        const bool reuse = name.contains(u"--cache-reuse 64");
        SlotCache cache(slotOptions(1, 0, reuse ? 64 : 0));
        int hit = -1;
        if (name.startsWith(u"cache_prompt:false")) {
            cache.serve(numbered(length));
            hit = cache.serve(numbered(length), {}, false).cached_tokens;
        } else if (name.startsWith(u"prompt + ")) {
            const auto answer = numbered(20, apart * 2); // of 600 tokens; the server reused all of it
            cache.serve(numbered(600), answer);
            hit = cache.serve(joined(joined(numbered(600), answer), numbered(length - 620, apart))).cached_tokens;
        } else if (name.startsWith(u"middle 200..400 removed")) {
            cache.serve(numbered(1000));
            hit = cache.serve(joined(numbered(200), numbered(600, 400))).cached_tokens;
        } else if (name.startsWith(u"first 100 replaced")) {
            cache.serve(numbered(1000));
            hit = cache.serve(joined(numbered(100, apart), numbered(900, 100))).cached_tokens;
        } else {
            cache.serve(numbered(row[u"prime_tokens"].toInt()));
            hit = cache.serve(sharing(row[u"common_prefix"].toInt(), length)).cached_tokens;
        }
        QVERIFY2(
            hit == row[u"cached"].toInt(-1), qPrintable(QString::fromUtf8(QJsonDocument(row.toObject()).toJson())));
        ++checked;
    }
    QCOMPARE(checked, 24);
}

void TestPrefixTraces::llamaSlotsAndHostCache_data()
{
    QTest::addColumn<QJsonObject>("recording");
    for (const QJsonValue &value : data(QStringLiteral("llama-hit-vectors.json"))[u"interleaved"].toArray())
        QTest::newRow(qPrintable(value[u"case"].toString())) << value.toObject();
}

/// Prefixes of 800 tokens take turns, each time with another tail: which slot, and how much of it.
void TestPrefixTraces::llamaSlotsAndHostCache()
{
    QFETCH(QJsonObject, recording);
    const QString arguments = recording[u"args"].toString() + u' ';
    const bool isAuto = !arguments.contains(u"-np "); // four slots that share one cache
    auto options = slotOptions(arguments.contains(u"-np 1 ") ? 1 : 4, arguments.contains(u"-cram 0 ") ? 0 : 1'000'000);
    options.idle_slots_to_host = isAuto && !arguments.contains(u"--no-cache-idle-slots");
    SlotCache cache(options);
    const int tail = recording[u"tail"].toInt();
    Token fresh = apart * 2;
    const QJsonArray rows = recording[u"rows"].toArray();
    QVERIFY(!rows.isEmpty());
    for (const QJsonValue &row : rows) {
        const Token first = apart + row[1].toInt() * 10000;
        const auto prompt = joined(numbered(recording[u"prefix_tokens"].toInt(), first), numbered(tail, fresh));
        fresh += tail;
        const auto choice = cache.serve(prompt);
        QCOMPARE(choice.slot, row[2].toInt());
        QCOMPARE(choice.cached_tokens, row[3].toInt());
    }
}

void TestPrefixTraces::llamaSimilarityThreshold()
{
    // Four slots; each time a fresh prompt of 1,000 tokens, then one that shares a part of it.
    const QJsonArray rows = data(QStringLiteral("llama-hit-vectors.json"))[u"slot_similarity"].toArray();
    QCOMPARE(rows.size(), 7);
    SlotCache cache(slotOptions(4, 1'000'000));
    Token fresh = apart;
    for (const QJsonValue &row : rows) {
        const auto prime = numbered(1000, fresh);
        const int common = qRound(row[u"common_fraction"].toDouble() * 1000);
        const auto next = joined({prime.begin(), prime.begin() + common}, numbered(1000 - common, fresh + 5000));
        fresh += 10000;
        QCOMPARE(cache.serve(prime).slot, row[u"prime_slot"].toInt());
        const auto choice = cache.serve(next);
        QCOMPARE(choice.slot, row[u"slot"].toInt());
        QCOMPARE(choice.cached_tokens, row[u"cache_n"].toInt());
    }
}

/// A slot that would lose more than half of its tokens is saved first; one that would lose less is not.
void TestPrefixTraces::llamaKeepsWhatASlotWouldLose()
{
    for (const auto &[common, again] : {std::pair(400, 999), std::pair(600, 600)}) {
        SlotCache cache(slotOptions(1, 1'000'000));
        cache.serve(numbered(1000));
        QCOMPARE(cache.serve(sharing(common, 1000)).cached_tokens, common);
        const auto choice = cache.serve(numbered(1000));
        QCOMPARE(choice.cached_tokens, again);
        QCOMPARE(choice.from_host, again == 999);
    }
}

/// An entry of which less than a quarter is of use stays where it is.
void TestPrefixTraces::llamaLeavesLargePromptsInTheHost()
{
    for (const auto &[common, cached] : {std::pair(249, 0), std::pair(250, 250)}) {
        SlotCache cache(slotOptions(1, 1'000'000));
        cache.serve(numbered(1000));
        cache.serve(numbered(1000, apart * 2)); // the first one goes to the host
        const auto choice = cache.serve(sharing(common, 300));
        QCOMPARE(choice.cached_tokens, cached);
        QCOMPARE(choice.from_host, cached > 0);
    }
    SlotCache small(slotOptions(1, 1500)); // room for one of them only: the older one goes
    small.serve(numbered(1000));
    small.serve(numbered(1000, apart * 2));
    small.serve(numbered(1000, apart * 3));
    QCOMPARE(small.serve(numbered(1000)).cached_tokens, 0);
}

/// Chunks of 8, the tail stored too: only a prompt that ends with it finds it.
void TestPrefixTraces::lmcacheTails()
{
    const LmcacheRules rules{8, true, 0};
    QCOMPARE(rules.hit(31, 31, 31), 31);
    QCOMPARE(LmcacheRules::cachedTokens(31, 31), 30);
    QCOMPARE(rules.hit(31, 32, 31), 24);
    QCOMPARE(rules.hit(31, 20, 20), 16);
    QCOMPARE(rules.hit(31, 31, 30), 24);
    QCOMPARE((LmcacheRules{8, false, 0}).hit(31, 31, 31), 24);
}

void TestPrefixTraces::radixTreeAgreesWithSlowSearch_data()
{
    QTest::addColumn<int>("page");
    for (const int page : {1, 3, 16})
        QTest::addRow("pages of %d", page) << page;
}

/// Without eviction the tree must find what a comparison with every earlier prompt finds.
void TestPrefixTraces::radixTreeAgreesWithSlowSearch()
{
    QFETCH(int, page);
    RadixTree tree({page, 1 << 28});
    std::vector<std::pair<std::string, std::vector<Token>>> past;
    std::set<std::pair<std::string, std::vector<Token>>> pages; ///< every cached prefix of whole pages, once
    std::mt19937 random(5);
    int hits = 0;
    for (int step = 0; step < 3000; ++step) {
        const std::string space = random() % 4 == 0 ? "adapter" : "";
        std::vector<Token> prompt;
        if (!past.empty() && random() % 5 > 0) {
            prompt = past[random() % past.size()].second;
            prompt.resize(random() % (prompt.size() + 1));
        }
        for (unsigned more = 1 + random() % 40; more > 0; --more)
            prompt.push_back(Token(random() % 2));
        std::ptrdiff_t longest = 0;
        for (const auto &[otherSpace, other] : past) {
            const auto whole = std::ptrdiff_t(other.size()) / page * page;
            const auto end = std::mismatch(prompt.begin(), prompt.end() - 1, other.begin(), other.begin() + whole);
            longest = std::max(longest, otherSpace == space ? (end.first - prompt.begin()) / page * page : 0);
        }
        QCOMPARE(tree.match(prompt, space), int(longest));
        const auto request = tree.start(prompt, space);
        QVERIFY(request);
        QCOMPARE(request->cached_tokens, int(longest));
        tree.finish(*request, prompt);
        QCOMPARE(tree.lockedTokens(), 0);
        for (auto end = page; end <= int(prompt.size()); end += page)
            pages.insert({space, {prompt.begin(), prompt.begin() + end}});
        QCOMPARE(tree.tokens(), int(pages.size()) * page);
        past.emplace_back(space, prompt);
        if (past.size() > 300) {
            QVERIFY(tree.reset());
            past.clear();
            pages.clear();
        }
        hits += longest > 0 ? 1 : 0;
    }
    QVERIFY(hits > 500);
}

void TestPrefixTraces::radixTreeEvictsOldestUnusedLeaf()
{
    RadixTree tree({1, 100});
    const auto serve = [&tree](const std::vector<Token> &prompt) {
        const auto request = tree.start(prompt);
        tree.finish(*request, prompt);
        return request->cached_tokens;
    };
    serve(sharing(20, 50, 1000)); // 20 shared, 30 of its own
    serve(sharing(20, 50, 2000)); // 30 more: 80 in all
    serve(sharing(20, 50, 1000)); // the first one is the younger now
    serve(numbered(40, 5000)); // 40 do not fit: the second one's own 30 go, the shared 20 stay
    QCOMPARE(tree.tokens(), 90);
    QCOMPARE(tree.match(sharing(20, 51, 1000)), 50);
    QCOMPARE(tree.match(sharing(20, 51, 2000)), 20);

    // A running request's hit stays, whatever else must go; who asks for more than the rest is not started.
    const auto running = tree.start(sharing(20, 51, 1000));
    QCOMPARE(running->cached_tokens, 50);
    QCOMPARE(tree.lockedTokens(), 50);
    QVERIFY(!tree.start(numbered(60, 7000)));
    QVERIFY(!tree.reset());
    serve(numbered(40, 5000)); // younger than the running request's hit, and yet it goes
    serve(numbered(49, 8000));
    QCOMPARE(tree.match(sharing(20, 51, 1000)), 50);
    QCOMPARE(tree.match(numbered(41, 5000)), 0);
    tree.finish(*running, sharing(20, 51, 1000));
    QCOMPARE(tree.tokens(), 100);
    QVERIFY(tree.reset());
    QCOMPARE(tree.tokens(), 0);
}

QTEST_APPLESS_MAIN(TestPrefixTraces)
#include "tst_prefix_traces.moc"
