// SPDX-License-Identifier: GPL-3.0-or-later
// The block pool by hand-computed cases and against a slow, obvious twin. The published scenarios are in
// tst_prefix_traces.
#include "prefix/block_pool.h"

#include "unit/slow_block_pool.h"

#include <QTest>

#include <map>
#include <random>

using namespace kvlab::prefix;
using kvlab::tests::SlowPool;

namespace {

constexpr int blockSize = 4;

HashChain chainOf(const std::vector<Token> &tokens, int size, ExtraKeys keys = {})
{
    HashChain chain(size, std::move(keys));
    chain.append(tokens);
    return chain;
}

BlockPool::Options sized(int blocks, int size = 16)
{
    BlockPool::Options options;
    options.blocks = blocks;
    options.block_size = size;
    return options;
}

/// One kind of pool for the random walk.
struct Setting
{
    int blocks;
    FreeOrder order;
    bool eagle;
    std::vector<int> windows; ///< 0 = full attention
};

BlockPool::Options fastOptions(const Setting &setting)
{
    BlockPool::Options options = sized(setting.blocks, blockSize);
    options.free_order = setting.order;
    options.eagle = setting.eagle;
    options.events = true;
    options.groups.clear();
    for (const int window : setting.windows) {
        options.groups.push_back({window == 0 ? std::nullopt : std::optional(window)});
    }
    return options;
}

/// Sends the same random requests to both pools and compares everything that can be seen.
class Duel
{
public:
    Duel(const Setting &setting, unsigned seed)
        : m_random(seed)
        , m_longest(std::min(20, setting.blocks * blockSize / 2))
        , m_pool(fastOptions(setting))
        , m_slow(
              {setting.blocks, blockSize, setting.order == FreeOrder::unhashed_to_head, setting.eagle, setting.windows})
        , m_told(std::size_t(setting.blocks))
    {
    }

    bool step()
    {
        const int dice = pick(1000);
        bool good = true;
        if (dice < 400) {
            good = request();
        } else if (dice < 650) {
            good = appendToOne();
        } else if (dice < 997) {
            freeOne();
        } else {
            freeAll();
            good = m_pool.reset() == m_slow.reset();
        }
        return good && same();
    }

    /// Every cached block carries the hash of the prefix that it is known by.
    bool hashesNameTheirPrefix() const
    {
        for (int block = 1; block < int(m_slow.blocks().size()); ++block) {
            const auto &key = m_slow.blocks()[std::size_t(block)].key;
            if (key) {
                const auto &prefix = key->prefix;
                const HashChain chain = chainOf(prefix.tokens, blockSize, {prefix.adapter, prefix.salt});
                if (m_pool.hashOf(block) != chain.hashes().back()) {
                    return false;
                }
            }
        }
        return true;
    }

    int hits() const { return m_hits; }
    int refusals() const { return m_refusals; }

private:
    struct Request
    {
        BlockPool::Allocation allocation;
        SlowPool::Tables tables;
        SlowPool::Prompt prompt;
        HashChain chain;
    };

    int pick(int below) { return int(m_random() % unsigned(below)); }

    /// A piece of an earlier prompt with something new behind it, so that prefixes are often shared.
    SlowPool::Prompt prompt()
    {
        SlowPool::Prompt prompt{pick(8) == 0 ? "adapter" : "", pick(4) == 0 ? "salt" : "", {}};
        auto &tokens = prompt.tokens;
        if (!m_past.empty() && pick(5) > 0) {
            tokens = m_past[std::size_t(pick(int(m_past.size())))];
            tokens.resize(std::size_t(pick(int(tokens.size()) + 1)));
        }
        const int more = 1 + pick(m_longest);
        for (int i = 0; i < more; ++i) {
            tokens.push_back(pick(3));
        }
        return prompt;
    }

    bool request()
    {
        const SlowPool::Prompt asked = prompt();
        const bool skip = pick(20) == 0;
        const int expected = skip ? 0 : m_slow.hits(asked) * blockSize;
        HashChain chain = chainOf(asked.tokens, blockSize, {asked.adapter, asked.salt});
        const auto tables = m_slow.allocate(asked, skip);
        const auto allocation = m_pool.allocate(chain, skip);
        if (!tables || !allocation) {
            ++m_refusals;
            return !tables && !allocation;
        }
        const bool good = allocation->tables == *tables && allocation->cached_tokens == expected
            && expected < int(asked.tokens.size()) && expected % blockSize == 0;
        m_hits += expected > 0 ? 1 : 0;
        m_past.push_back(asked.tokens);
        if (m_past.size() > 30) {
            m_past.erase(m_past.begin());
        }
        m_running.push_back({*allocation, *tables, asked, std::move(chain)});
        if (pick(10) > 0) { // otherwise the request is cancelled before anything was computed
            commit(m_running.back());
        }
        return good;
    }

    bool appendToOne()
    {
        if (m_running.empty()) {
            return true;
        }
        Request &request = m_running[std::size_t(pick(int(m_running.size())))];
        const int before = request.chain.size();
        const int more = 1 + pick(6);
        const bool room = m_slow.append(request.tables, before, more);
        if (m_pool.append(request.allocation, before, more) != room) {
            return false;
        }
        for (int i = 0; i < more && room; ++i) {
            request.prompt.tokens.push_back(pick(3));
            request.chain.append(request.prompt.tokens.back());
        }
        if (room) {
            commit(request);
        }
        return request.allocation.tables == request.tables;
    }

    void commit(Request &request)
    {
        m_pool.commit(request.allocation, request.chain, request.chain.size());
        m_slow.commit(request.tables, request.prompt);
    }

    void freeOne()
    {
        if (m_running.empty()) {
            return;
        }
        const int chosen = pick(int(m_running.size()));
        m_pool.release(m_running[std::size_t(chosen)].allocation);
        m_slow.release(m_running[std::size_t(chosen)].tables);
        m_running.erase(m_running.begin() + chosen);
    }

    void freeAll()
    {
        const bool some = pick(2) == 0; // a reset must be refused while requests run
        while (!some && !m_running.empty()) {
            freeOne();
        }
    }

    /// What the events alone tell about which block holds what.
    void followEvents()
    {
        for (const BlockEvent &event : m_pool.takeEvents()) {
            if (event.kind == BlockEvent::Kind::cleared) {
                std::fill(m_told.begin(), m_told.end(), std::nullopt);
            }
            for (std::size_t i = 0; i < event.blocks.size(); ++i) {
                auto &told = m_told[std::size_t(event.blocks[i])];
                const bool stored = event.kind == BlockEvent::Kind::stored;
                told = stored ? std::optional(event.hashes[i]) : std::nullopt;
            }
        }
    }

    bool same()
    {
        followEvents();
        std::vector<int> held(m_told.size(), 0);
        for (const Request &request : m_running) {
            for (const auto &table : request.allocation.tables) {
                std::for_each(table.begin(), table.end(), [&held](int block) { ++held[std::size_t(block)]; });
            }
        }
        held[0] = 0; // the null block is nobody's
        int cached = 0;
        bool good = m_pool.freeQueue() == m_slow.freeQueue() && m_pool.freeBlocks() == int(m_slow.freeQueue().size());
        for (int block = 0; block < int(held.size()); ++block) {
            const auto &expected = m_slow.blocks()[std::size_t(block)];
            const auto hash = m_pool.hashOf(block);
            good = good && m_pool.references(block) == held[std::size_t(block)]
                && hash.has_value() == expected.key.has_value() && hash == m_told[std::size_t(block)];
            cached += expected.key ? 1 : 0;
        }
        for (const int block : m_slow.freeQueue()) {
            good = good && m_pool.references(block) == 0;
        }
        return good && m_pool.cachedBlocks() == cached;
    }

    std::mt19937 m_random;
    int m_longest;
    BlockPool m_pool;
    SlowPool m_slow;
    std::vector<Request> m_running;
    std::vector<std::vector<Token>> m_past;
    std::vector<std::optional<BlockHash>> m_told; ///< by block
    int m_hits = 0;
    int m_refusals = 0;
};

std::vector<Token> numbered(int count, int first = 0)
{
    std::vector<Token> tokens;
    for (int i = 0; i < count; ++i) {
        tokens.push_back(first + i);
    }
    return tokens;
}

} // namespace

class TestBlockPool : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hashMatchesBlake2sOfItsParts();
    void keysSeparateCaches();
    void chainGrowsTokenByToken();
    void randomStepsAgreeWithSlowPool_data();
    void randomStepsAgreeWithSlowPool();
    void usageCountsIdleCachedBlocksAsFree();
    void generatedTokensAreCachedExceptTheLast();
    void hashesRemainWhenOnlyACopyIsEvicted();
    void windowBlocksAreGivenBackWhileDecoding();
    void eventsTellParentAndTokens();
    void refusedAppendKeepsTheTable();
    void impossiblePoolIsRefused();
};

void TestBlockPool::hashMatchesBlake2sOfItsParts()
{
    // python3 -c 'import hashlib, struct
    // h = lambda b: hashlib.blake2s(b).digest()
    // k = lambda c, s: c + struct.pack("<I", len(s)) + s
    // r = h(b"7")
    // a = h(r + struct.pack("<4i", 1, 2, 3, 70000) + k(b"a", b"lo") + k(b"s", b"x"))
    // print(r.hex(), a.hex(), h(a + struct.pack("<4i", 5, 6, 7, 8) + k(b"a", b"lo")).hex())
    // print(h(bytes(32) + struct.pack("<4i", 1, 2, 3, 70000)).hex())'
    HashChain chain(4, {"lo", "x"}, rootHash("7"));
    chain.append(std::vector<Token>{1, 2, 3, 70000, 5, 6, 7, 8, 9});
    QCOMPARE(rootHash("7").hex(), std::string("d5253682329debc3d8c5f5c1be24b4bdbe354929469d82dff5521651f01d7d72"));
    QCOMPARE(int(chain.hashes().size()), 2);
    QCOMPARE(chain.hashes()[0].hex(), std::string("0da9095c30161884a0842c416461a93f2d07af7636ad255204ba6d8f511c50b5"));
    QCOMPARE(chain.hashes()[1].hex(), std::string("bbac37f7c762238114d00bd89f00845a502c098356654bf2362c453aa447651e"));
    QCOMPARE(chainOf({1, 2, 3, 70000}, 4).hashes()[0].hex(),
        std::string("aaf7fa02064b83abe0651dab1dbfc1f637f0f6b6c138096cff0beb297ce8d368"));
}

void TestBlockPool::keysSeparateCaches()
{
    // Salt "b" under adapter "a" is not salt "a" under adapter "b", nor either alone, nor another seed.
    const std::vector<Token> tokens = numbered(64);
    std::vector<std::vector<BlockHash>> chains;
    for (const ExtraKeys &keys :
        {ExtraKeys{}, ExtraKeys{"a", "b"}, ExtraKeys{"b", "a"}, ExtraKeys{"a", ""}, ExtraKeys{"", "a"}}) {
        chains.push_back(chainOf(tokens, 16, keys).hashes());
    }
    HashChain seeded(16, {}, rootHash("1"));
    seeded.append(tokens);
    chains.push_back(seeded.hashes());
    for (std::size_t a = 0; a < chains.size(); ++a) {
        for (std::size_t b = a + 1; b < chains.size(); ++b) {
            for (std::size_t block = 0; block < 4; ++block) {
                QVERIFY(chains[a][block] != chains[b][block]);
            }
        }
    }
}

void TestBlockPool::chainGrowsTokenByToken()
{
    const std::vector<Token> tokens = numbered(50, 7);
    HashChain grown(16, {"a", "s"});
    for (const Token token : tokens) {
        grown.append(token);
    }
    QCOMPARE(grown.hashes(), chainOf(tokens, 16, {"a", "s"}).hashes());
    QCOMPARE(int(grown.hashes().size()), 3);
}

void TestBlockPool::randomStepsAgreeWithSlowPool_data()
{
    QTest::addColumn<Setting>("setting");
    const auto a = FreeOrder::tail;
    const auto b = FreeOrder::unhashed_to_head;
    QTest::newRow("7 blocks, A") << Setting{7, a, false, {0}};
    QTest::newRow("40 blocks, A") << Setting{40, a, false, {0}};
    QTest::newRow("40 blocks, B") << Setting{40, b, false, {0}};
    QTest::newRow("40 blocks, B, eagle") << Setting{40, b, true, {0}};
    QTest::newRow("60 blocks, A, full and window") << Setting{60, a, false, {0, 9}};
    QTest::newRow("60 blocks, B, full and two windows, eagle") << Setting{60, b, true, {0, 6, 13}};
    QTest::newRow("250 blocks, B") << Setting{250, b, false, {0}};
}

void TestBlockPool::randomStepsAgreeWithSlowPool()
{
    QFETCH(Setting, setting);
    Duel duel(setting, 20250101);
    constexpr int steps = 100000;
    for (int step = 0; step < steps; ++step) {
        QVERIFY2(duel.step(), qPrintable(QStringLiteral("step %1").arg(step)));
        if (step % 5000 == 0) {
            QVERIFY(duel.hashesNameTheirPrefix());
        }
    }
    // The walk must have met what it is for.
    QVERIFY(duel.hits() > 500);
    QVERIFY(duel.refusals() > 500);
}

void TestBlockPool::usageCountsIdleCachedBlocksAsFree()
{
    BlockPool pool(sized(11));
    const HashChain chain = chainOf(numbered(80), 16);
    auto allocation = pool.allocate(chain);
    QVERIFY(allocation);
    QCOMPARE(pool.usage(), 0.5);
    pool.commit(*allocation, chain, 80);
    pool.release(*allocation);
    QCOMPARE(pool.usage(), 0.0);
    QCOMPARE(pool.cachedBlocks(), 5);
    QCOMPARE(pool.freeBlocks(), 10);
}

void TestBlockPool::generatedTokensAreCachedExceptTheLast()
{
    // 24 prompt tokens + 8 generated = 32, but the last one was only sampled, never computed: one full block, not two.
    BlockPool pool(sized(11));
    HashChain chain = chainOf(numbered(24), 16);
    auto allocation = pool.allocate(chain);
    QVERIFY(allocation);
    for (int tokens = 24; tokens < 31; ++tokens) {
        QVERIFY(pool.append(*allocation, tokens));
    }
    chain.append(numbered(8, 24));
    pool.commit(*allocation, chain, 31);
    QCOMPARE(pool.cachedBlocks(), 1);
    pool.release(*allocation);
    chain.append(500);
    QCOMPARE(pool.cachedPrefix(chain), 16);
}

void TestBlockPool::hashesRemainWhenOnlyACopyIsEvicted()
{
    BlockPool pool(sized(11));
    const HashChain chain = chainOf(numbered(33), 16);
    const auto first = pool.allocate(chain);
    auto second = pool.allocate(chain); // before the first one is committed: nothing to find yet
    auto copy = *first;
    pool.commit(copy, chain, 33);
    pool.commit(*second, chain, 33);
    QCOMPARE(pool.cachedBlocks(), 4);
    QCOMPARE(pool.hashOf(first->blocks()[0]), pool.hashOf(second->blocks()[0]));
    pool.evict(first->blocks()[0]);
    QCOMPARE(pool.cachedPrefix(chain), 32);
    pool.evict(second->blocks()[0]);
    QCOMPARE(pool.cachedPrefix(chain), 0);
    QCOMPARE(pool.cachedBlocks(), 2);
}

void TestBlockPool::windowBlocksAreGivenBackWhileDecoding()
{
    // Window 5, blocks of 4: at 12 tokens the next one sees tokens 8 to 12; blocks 0 and 1 are out of sight.
    auto options = sized(20, 4);
    options.groups = {{5}};
    BlockPool pool(options);
    auto allocation = pool.allocate(chainOf(numbered(12), 4));
    QVERIFY(allocation);
    QCOMPARE(allocation->blocks(), (std::vector<int>{1, 2, 3}));
    QVERIFY(pool.append(*allocation, 12));
    QCOMPARE(allocation->blocks(), (std::vector<int>{0, 0, 3, 4}));
    QCOMPARE(pool.references(1), 0);
    QCOMPARE(pool.freeBlocks(), 17);
    pool.release(*allocation);
    QCOMPARE(pool.freeBlocks(), 19);
}

void TestBlockPool::eventsTellParentAndTokens()
{
    auto options = sized(4, 4);
    options.events = true;
    BlockPool pool(options);
    HashChain chain = chainOf(numbered(9), 4);
    auto allocation = pool.allocate(chain);
    pool.commit(*allocation, chain, 9);
    chain.append(numbered(3, 9));
    QVERIFY(pool.append(*allocation, 9, 3));
    pool.commit(*allocation, chain, 12);
    const auto stored = pool.takeEvents();
    QCOMPARE(int(stored.size()), 2);
    QVERIFY(stored[0].kind == BlockEvent::Kind::stored && !stored[0].parent);
    QCOMPARE(stored[0].blocks, (std::vector<int>{1, 2}));
    QCOMPARE(stored[0].tokens, numbered(8));
    QCOMPARE(*stored[1].parent, chain.hashes()[1]);
    QCOMPARE(stored[1].hashes, (std::vector<BlockHash>{chain.hashes()[2]}));
    QCOMPARE(stored[1].tokens, numbered(4, 8));

    pool.release(*allocation);
    QVERIFY(pool.allocate(chainOf(numbered(4, 100), 4))); // takes the end of the chain
    const auto removed = pool.takeEvents();
    QCOMPARE(int(removed.size()), 1);
    QVERIFY(removed[0].kind == BlockEvent::Kind::removed);
    QCOMPARE(removed[0].hashes, (std::vector<BlockHash>{chain.hashes()[2]}));
}

void TestBlockPool::refusedAppendKeepsTheTable()
{
    BlockPool pool(sized(4, 4));
    auto allocation = pool.allocate(chainOf(numbered(4), 4));
    QVERIFY(!pool.append(*allocation, 4, 9)); // three more blocks, two are free
    QCOMPARE(allocation->blocks(), (std::vector<int>{1}));
    QCOMPARE(pool.freeBlocks(), 2);
    QVERIFY(pool.append(*allocation, 4, 8));
    QCOMPARE(allocation->blocks(), (std::vector<int>{1, 2, 3}));
}

void TestBlockPool::impossiblePoolIsRefused()
{
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, BlockPool(sized(0)));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, BlockPool(sized(16, 0)));
    auto options = sized(16);
    options.groups.clear();
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, BlockPool{options});
    options.groups = {{0}};
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, BlockPool{options});
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, HashChain(0));
}

QTEST_APPLESS_MAIN(TestBlockPool)
#include "tst_block_pool.moc"
