// SPDX-License-Identifier: GPL-3.0-or-later
// The practice engine with tiers: what is loaded is what the rules say, and computing on from it gives the logits of a
// full recomputation, from RAM, from disk, after a restart, in another engine, for any partial hit.
#include "engine/chunk_file.h"
#include "engine/chunk_mover.h"
#include "engine/engine.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

using namespace kvlab::engine;
using kvlab::prefix::BlockHash;

namespace {

constexpr int blockSize = 16;
constexpr int chunkSize = 64; // small, so that short prompts have many; 256 is tested once
constexpr double tolerance = 1e-4;
constexpr std::int64_t roomy = 1 << 28;

const Tokenizer &tokenizer()
{
    static const Tokenizer instance;
    return instance;
}

EngineOptions plainOptions()
{
    EngineOptions options;
    options.size = EngineSize::small;
    options.threads = 2;
    options.pool_blocks = 600;
    options.block_size = blockSize;
    options.chunk_size = chunkSize;
    return options;
}

EngineOptions withRam(std::int64_t bytes = roomy)
{
    EngineOptions options = plainOptions();
    options.tiers.ram_bytes = bytes;
    return options;
}

EngineOptions withDisk(const QString &folder)
{
    EngineOptions options = plainOptions();
    options.tiers.disk = DiskTierOptions{folder, roomy, kvlab::prefix::EvictionPolicy::lru, false, 1};
    return options;
}

std::vector<Token> randomTokens(int count, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<Token> tokens(static_cast<std::size_t>(count));
    std::generate(tokens.begin(), tokens.end(), [&] { return Token(random() % unsigned(tokenizer().vocabSize())); });
    return tokens;
}

struct Answer
{
    GenerateResult result;
    std::vector<Token> tokens;
};

Answer ask(Engine &engine, const std::vector<Token> &prompt, int maxTokens = 1, const std::string &salt = {})
{
    GenerateRequest request;
    request.prompt = prompt;
    request.max_tokens = maxTokens;
    request.cache_salt = salt;
    request.keep_logits = true;
    Answer answer;
    answer.result = engine.generate(request, [&answer](Token token) {
        answer.tokens.push_back(token);
        return true;
    });
    engine.waitForStores();
    return answer;
}

/// Computes everything, always.
const std::vector<float> &truth(const std::vector<Token> &prompt)
{
    static Engine engine(
        [] {
            EngineOptions options = plainOptions();
            options.prefix_caching = false;
            return options;
        }(),
        tokenizer());
    static std::map<std::vector<Token>, std::vector<float>> known;
    auto &logits = known[prompt];
    if (logits.empty())
        logits = ask(engine, prompt).result.first_logits;
    return logits;
}

double difference(const std::vector<float> &a, const std::vector<float> &b)
{
    if (a.size() != b.size() || a.empty())
        return INFINITY;
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double one = std::abs(double(a[i]) - double(b[i]));
        largest = std::isnan(one) ? INFINITY : std::max(largest, one);
    }
    return largest;
}

bool isTrue(const Answer &answer, const std::vector<Token> &prompt)
{
    return difference(answer.result.first_logits, truth(prompt)) < tolerance;
}

QFileInfoList chunkFiles(const QString &folder)
{
    QFileInfoList files;
    for (const QFileInfo &sub : QDir(folder).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot))
        files += QDir(sub.filePath()).entryInfoList({QStringLiteral("*.kv")}, QDir::Files, QDir::Name);
    return files;
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Rewrites a chunk file so that every block holds what belongs into the next one: a sound file, shifted by one block.
/// (Blocks that merely change places would not show in the logits: a key carries its position in its rotation, so
/// attention does not care where it lies. That they lie in their places is compared byte by byte elsewhere.)
void shiftByOneBlock(const QString &path)
{
    const QByteArray raw = contentOf(path);
    constexpr qsizetype layoutAt = 20;
    constexpr qsizetype chunkAt = 52;
    const qint64 length = raw.size() - chunkFileBytes(0);
    ChunkName name;
    std::memcpy(name.layout.bytes.data(), raw.constData() + layoutAt, 32);
    std::memcpy(name.chunk.bytes.data(), raw.constData() + chunkAt, 32);
    name.bytes = length;
    ChunkReading reading = readChunkFile(path, name);
    QVERIFY(reading.state == ChunkReading::State::ok);
    const auto block = length / (chunkSize / blockSize);
    std::copy(reading.bytes.begin() + block, reading.bytes.end(), reading.bytes.begin());
    QVERIFY(!writeChunkFile(path, name, reading.bytes));
}

/// What must be found, by the rules alone: prefixes as plain lists, no hashes.
class Memory
{
public:
    explicit Memory(int unit)
        : m_unit(unit)
    {
    }

    /// Whole units at the start of the prompt that were remembered.
    int hit(const std::vector<Token> &prompt, const std::string &salt) const
    {
        int length = 0;
        while (length + m_unit <= int(prompt.size()) && m_known.contains(entry(prompt, length + m_unit, salt)))
            length += m_unit;
        return length;
    }

    void remember(const std::vector<Token> &tokens, const std::string &salt)
    {
        for (int length = m_unit; length <= int(tokens.size()); length += m_unit)
            m_known.insert(entry(tokens, length, salt));
    }

    void forget() { m_known.clear(); }

private:
    using Entry = std::pair<std::string, std::vector<Token>>;
    static Entry entry(const std::vector<Token> &tokens, int length, const std::string &salt)
    {
        return {salt, {tokens.begin(), tokens.begin() + length}};
    }
    int m_unit;
    std::set<Entry> m_known;
};

} // namespace

class TestEngineTiers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lengthsFollowTheRules_data();
    void lengthsFollowTheRules();
    void diskAfterRestart();
    void secondEngineOnTheSameFolder();
    void everyBlockComesBackIntoItsPlace();
    void randomPartialHits_data();
    void randomPartialHits();
    void loadShiftedByOneBlockIsNoticed();
    void damagedFolderNeverChangesLogits();
    void unequalHashSeedsShareNothing();
    void otherWeightsShareNothing();
    void saltsShareNothing();
    void answersAreNotStoredUnlessAsked();
    void tiersWorkWithoutPrefixCaching();
    void countersTellLocalFromExternal();
    void diskBytesEqualTheHit();
    void smallRamTierForgets();
    void impossibleTiersAreRefused();
};

void TestEngineTiers::lengthsFollowTheRules_data()
{
    QTest::addColumn<int>("chunk");
    QTest::addColumn<int>("tokens");
    QTest::addColumn<int>("cached"); // after the pool was reset: min(chunk × floor(n / chunk), n − 1)
    QTest::newRow("below a chunk") << 256 << 255 << 0;
    QTest::newRow("a chunk") << 256 << 256 << 255;
    QTest::newRow("a chunk and one") << 256 << 257 << 256;
    QTest::newRow("300") << 256 << 300 << 256;
    QTest::newRow("two chunks") << 256 << 512 << 511;
    QTest::newRow("1000") << 256 << 1000 << 768;
    QTest::newRow("small chunks") << 64 << 500 << 448;
    QTest::newRow("chunk of one block") << 16 << 100 << 96;
}

void TestEngineTiers::lengthsFollowTheRules()
{
    QFETCH(int, chunk);
    QFETCH(int, tokens);
    QFETCH(int, cached);
    EngineOptions options = withRam();
    options.chunk_size = chunk;
    Engine engine(options, tokenizer());
    const auto prompt = randomTokens(tokens, unsigned(tokens));
    QCOMPARE(ask(engine, prompt).result.cached_tokens, 0);
    QVERIFY(engine.resetPrefixCache());
    const Answer answer = ask(engine, prompt, 5);
    QCOMPARE(answer.result.cached_tokens, cached);
    QCOMPARE(answer.result.ram_tokens, cached);
    QCOMPARE(answer.result.disk_tokens, 0);
    QVERIFY(isTrue(answer, prompt));
    // What was loaded is in the pool now, like anything else.
    const Answer warm = ask(engine, prompt, 5);
    QCOMPARE(warm.result.cached_tokens - warm.result.ram_tokens, (tokens - 1) / blockSize * blockSize);
    QCOMPARE(warm.tokens, answer.tokens);
    QVERIFY(isTrue(warm, prompt));
}

void TestEngineTiers::diskAfterRestart()
{
    const QTemporaryDir folder;
    const auto prompt = randomTokens(700, 1);
    {
        Engine engine(withDisk(folder.path()), tokenizer());
        ask(engine, prompt);
    }
    QCOMPARE(chunkFiles(folder.path()).size(), 10);
    Engine engine(withDisk(folder.path()), tokenizer());
    const Answer answer = ask(engine, prompt);
    QCOMPARE(answer.result.cached_tokens, 640);
    QCOMPARE(answer.result.disk_tokens, 640);
    QVERIFY(isTrue(answer, prompt));
}

void TestEngineTiers::secondEngineOnTheSameFolder()
{
    const QTemporaryDir folder;
    Engine one(withDisk(folder.path()), tokenizer());
    EngineOptions twoOptions = withDisk(folder.path());
    twoOptions.tiers.ram_bytes = roomy;
    Engine two(twoOptions, tokenizer());
    const auto prompt = randomTokens(300, 2);
    ask(one, prompt);
    const Answer answer = ask(two, prompt);
    QCOMPARE(answer.result.disk_tokens, 256);
    QVERIFY(isTrue(answer, prompt));
    QVERIFY(two.resetPrefixCache());
    const Answer again = ask(two, prompt); // what came from disk is in RAM too
    QCOMPARE(again.result.ram_tokens, 256);
    QVERIFY(isTrue(again, prompt));
}

/// Logits cannot tell blocks that have changed places: bytes can.
void TestEngineTiers::everyBlockComesBackIntoItsPlace()
{
    constexpr int count = 300;
    constexpr int inBlocks = 19;
    const QTemporaryDir folder;
    Transformer model({shapeOf(EngineSize::small, tokenizer().vocabSize()), 1, 2, 3 * inBlocks, blockSize});
    TierOptions tiers = withDisk(folder.path()).tiers;
    ChunkMover mover(model, tiers, {chunkSize, false, 0});
    const auto prompt = randomTokens(count, 21);
    kvlab::prefix::HashChain chain(blockSize);
    chain.append(prompt);
    std::vector<int> computed(inBlocks);
    std::iota(computed.begin(), computed.end(), 1);
    std::vector<int> loaded(inBlocks);
    std::iota(loaded.rbegin(), loaded.rend(), inBlocks + 1);
    model.forward(prompt, 0, computed);
    mover.store(chain, computed, count);
    mover.waitForStores();
    for (const int poolTokens : {0, 16, 80, 240}) {
        for (const int block : loaded)
            std::fill(model.blockData(block).begin(), model.blockData(block).end(), -1.0F);
        QCOMPARE(mover.load(chain, loaded, poolTokens, nullptr).tokens, 256);
        for (int i = 0; i < inBlocks; ++i) {
            const auto found = model.blockData(loaded[std::size_t(i)]);
            const auto wanted = model.blockData(computed[std::size_t(i)]);
            const bool isLoaded = i >= poolTokens / blockSize && i < 256 / blockSize;
            const bool untouched = std::all_of(found.begin(), found.end(), [](float value) { return value == -1.0F; });
            QCOMPARE(untouched, !isLoaded); // the pool's own blocks may be in use by others
            QCOMPARE(std::equal(found.begin(), found.end(), wanted.begin()), isLoaded);
        }
    }
}

void TestEngineTiers::randomPartialHits_data()
{
    QTest::addColumn<bool>("ram");
    QTest::addColumn<bool>("disk");
    QTest::newRow("RAM") << true << false;
    QTest::newRow("disk") << false << true;
    QTest::newRow("both") << true << true;
}

/// Prompts that share beginnings; the pool is reset now and then, the disk engine is started anew. Expected is the
/// longer of what pool and tiers hold.
void TestEngineTiers::randomPartialHits()
{
    QFETCH(bool, ram);
    QFETCH(bool, disk);
    const QTemporaryDir folder;
    EngineOptions options = disk ? withDisk(folder.path()) : plainOptions();
    options.tiers.ram_bytes = ram ? roomy : 0;
    auto engine = std::make_unique<Engine>(options, tokenizer());
    Memory pool(blockSize);
    Memory tiers(chunkSize);
    std::mt19937 random(11);
    std::vector<std::vector<Token>> past{randomTokens(400, 3)};
    int mixed = 0;
    for (unsigned round = 0; round < 40; ++round) {
        if (random() % 3 == 0) {
            QVERIFY(engine->resetPrefixCache());
            pool.forget();
        }
        if (disk && random() % 8 == 0) {
            engine = std::make_unique<Engine>(options, tokenizer());
            pool.forget();
        }
        std::vector<Token> prompt = past[random() % past.size()];
        prompt.resize(random() % (prompt.size() + 1));
        const auto rest = randomTokens(1 + int(random() % 100), 100 + round);
        prompt.insert(prompt.end(), rest.begin(), rest.end());
        if (random() % 4 == 0)
            prompt.resize(std::max<std::size_t>(1, prompt.size() / chunkSize) * chunkSize, 1);
        prompt.resize(std::min<std::size_t>(prompt.size(), 500));
        const std::string salt = random() % 5 == 0 ? "other" : "";

        const int length = int(prompt.size());
        const int local = std::min(pool.hit(prompt, salt), (length - 1) / blockSize * blockSize);
        const int expected = std::max(local, std::min(tiers.hit(prompt, salt), length - 1));
        const Answer answer = ask(*engine, prompt, 1, salt);
        QCOMPARE(answer.result.cached_tokens, expected);
        QCOMPARE(answer.result.ram_tokens + answer.result.disk_tokens, expected - local);
        QVERIFY2(isTrue(answer, prompt), qPrintable(QStringLiteral("round %1").arg(round)));
        mixed += local > 0 && expected > local ? 1 : 0;
        pool.remember(prompt, salt);
        tiers.remember(prompt, salt);
        past.push_back(prompt);
    }
    QVERIFY(mixed > 1);
}

/// Without this the equality above would prove little: sound files, wrong blocks.
void TestEngineTiers::loadShiftedByOneBlockIsNoticed()
{
    const QTemporaryDir folder;
    const auto prompt = randomTokens(300, 4);
    {
        Engine engine(withDisk(folder.path()), tokenizer());
        ask(engine, prompt);
    }
    const auto sound = [&] {
        Engine engine(withDisk(folder.path()), tokenizer());
        const Answer answer = ask(engine, prompt);
        return answer.result.disk_tokens == 256 && isTrue(answer, prompt);
    };
    QVERIFY(sound());
    const QFileInfoList files = chunkFiles(folder.path());
    QCOMPARE(files.size(), 4);
    for (const QFileInfo &file : files) {
        const QByteArray good = contentOf(file.filePath());
        shiftByOneBlock(file.filePath());
        QVERIFY(!sound());
        QFile whole(file.filePath());
        QVERIFY(whole.open(QIODevice::WriteOnly));
        whole.write(good);
        whole.close();
        QVERIFY(sound());
    }
}

void TestEngineTiers::damagedFolderNeverChangesLogits()
{
    std::mt19937 random(5);
    const QTemporaryDir folder;
    const auto prompt = randomTokens(500, 5);
    int reported = 0;
    int partial = 0;
    for (int round = 0; round < 15; ++round) {
        EngineOptions options = withDisk(folder.path());
        options.tiers.on_message = [&reported](const QString &) { ++reported; };
        Engine engine(options, tokenizer());
        const Answer answer = ask(engine, prompt); // heals what the last round damaged
        QVERIFY(isTrue(answer, prompt));
        partial += answer.result.cached_tokens > 0 && answer.result.cached_tokens < 448 ? 1 : 0;
        const QFileInfoList files = chunkFiles(folder.path());
        QCOMPARE(files.size(), 7);
        for (int i = int(random() % 3); i >= 0; --i) {
            QFile file(files[qsizetype(random() % 7)].filePath());
            QVERIFY(file.open(QIODevice::ReadWrite));
            if (random() % 3 == 0) {
                QVERIFY(file.resize(file.size() / 2));
            } else {
                QVERIFY(file.seek(qint64(random() % std::uint32_t(file.size()))));
                file.write("damaged!");
            }
        }
    }
    QVERIFY(reported > 10);
    QVERIFY(partial > 3);
}

void TestEngineTiers::unequalHashSeedsShareNothing()
{
    const QTemporaryDir folder;
    const auto prompt = randomTokens(300, 6);
    EngineOptions options = withDisk(folder.path());
    options.hash_seed = "1";
    {
        Engine engine(options, tokenizer());
        ask(engine, prompt);
    }
    options.hash_seed = "2";
    Engine other(options, tokenizer());
    QCOMPARE(ask(other, prompt).result.cached_tokens, 0);
    options.hash_seed = "1";
    Engine same(options, tokenizer());
    const Answer answer = ask(same, prompt);
    QCOMPARE(answer.result.cached_tokens, 256);
    QVERIFY(isTrue(answer, prompt));
}

void TestEngineTiers::otherWeightsShareNothing()
{
    const QTemporaryDir folder;
    const auto prompt = randomTokens(300, 7);
    {
        Engine engine(withDisk(folder.path()), tokenizer());
        ask(engine, prompt);
    }
    EngineOptions options = withDisk(folder.path());
    options.seed = 2;
    Engine weights(options, tokenizer());
    QCOMPARE(ask(weights, prompt).result.cached_tokens, 0);
    options = withDisk(folder.path());
    options.chunk_size = 128;
    Engine chunks(options, tokenizer());
    QCOMPARE(ask(chunks, prompt).result.cached_tokens, 0);
    options = withDisk(folder.path());
    options.block_size = 32;
    Engine blocks(options, tokenizer());
    QCOMPARE(ask(blocks, prompt).result.cached_tokens, 0);
}

void TestEngineTiers::saltsShareNothing()
{
    Engine engine(withRam(), tokenizer());
    const auto prompt = randomTokens(300, 8);
    ask(engine, prompt, 1, "tenant");
    QVERIFY(engine.resetPrefixCache());
    QCOMPARE(ask(engine, prompt, 1, "other").result.cached_tokens, 0);
    QCOMPARE(ask(engine, prompt, 1).result.cached_tokens, 0);
    QVERIFY(engine.resetPrefixCache());
    QCOMPARE(ask(engine, prompt, 1, "tenant").result.cached_tokens, 256);
}

void TestEngineTiers::answersAreNotStoredUnlessAsked()
{
    for (const bool asked : {false, true}) {
        EngineOptions options = withRam();
        options.save_decode_cache = asked;
        Engine engine(options, tokenizer());
        const auto prompt = randomTokens(100, 9);
        const Answer first = ask(engine, prompt, 60); // 159 of the 160 tokens have K and V: two chunks of 64
        std::vector<Token> turn = prompt;
        turn.insert(turn.end(), first.tokens.begin(), first.tokens.end());
        turn.push_back(1);
        QVERIFY(engine.resetPrefixCache());
        const Answer second = ask(engine, turn);
        QCOMPARE(second.result.cached_tokens, asked ? 128 : 64);
        QVERIFY(isTrue(second, turn));
    }
}

void TestEngineTiers::tiersWorkWithoutPrefixCaching()
{
    EngineOptions options = withRam();
    options.prefix_caching = false;
    Engine engine(options, tokenizer());
    const auto prompt = randomTokens(300, 10);
    QCOMPARE(ask(engine, prompt).result.cached_tokens, 0);
    const Answer answer = ask(engine, prompt);
    QCOMPARE(answer.result.ram_tokens, 256);
    QVERIFY(isTrue(answer, prompt));
}

void TestEngineTiers::countersTellLocalFromExternal()
{
    Engine engine(withRam(), tokenizer());
    const auto prompt = randomTokens(300, 11);
    ask(engine, prompt); // nothing anywhere
    ask(engine, prompt); // 288 in the pool
    QVERIFY(engine.resetPrefixCache());
    ask(engine, prompt); // 256 in RAM
    const EngineCounters counters = engine.counters();
    QCOMPARE(counters.prefix_cache_queries, 900);
    QCOMPARE(counters.prefix_cache_hits, 288);
    QCOMPARE(counters.external_prefix_cache_queries, 300 + 12 + 300); // what the pool lacked
    QCOMPARE(counters.external_prefix_cache_hits, 256);
    QCOMPARE(counters.ram_tokens, 256);
    QCOMPARE(counters.disk_tokens, 0);
    QCOMPARE(counters.tiers.ram.loaded_chunks, 4);
    QCOMPARE(counters.tiers.ram.stored_chunks, 4);

    Engine without(plainOptions(), tokenizer());
    ask(without, prompt);
    QCOMPARE(without.counters().external_prefix_cache_queries, 0);
}

void TestEngineTiers::diskBytesEqualTheHit()
{
    const QTemporaryDir folder;
    const auto prompt = randomTokens(300, 12);
    Engine engine(withDisk(folder.path()), tokenizer());
    ask(engine, prompt);
    QVERIFY(engine.resetPrefixCache());
    const Answer answer = ask(engine, prompt);
    QCOMPARE(engine.counters().tiers.disk.loaded_bytes, answer.result.disk_tokens * engine.shape().kvBytesPerToken());
    QCOMPARE(answer.result.disk_tokens, 256);
}

void TestEngineTiers::smallRamTierForgets()
{
    Engine probe(plainOptions(), tokenizer());
    const std::int64_t oneChunk = chunkSize * probe.shape().kvBytesPerToken();
    Engine engine(withRam(5 * oneChunk), tokenizer());
    const auto first = randomTokens(200, 13);
    const auto second = randomTokens(200, 14);
    ask(engine, first); // three chunks
    ask(engine, second); // three more: one too many, the oldest goes
    QVERIFY(engine.resetPrefixCache());
    QCOMPARE(ask(engine, second).result.cached_tokens, 192);
    QVERIFY(engine.resetPrefixCache());
    const Answer answer = ask(engine, first);
    QCOMPARE(answer.result.cached_tokens, 0); // its beginning is gone, so is all of it
    QVERIFY(isTrue(answer, first));
}

void TestEngineTiers::impossibleTiersAreRefused()
{
    const auto refusal = [](const EngineOptions &options) {
        try {
            const Engine engine(options, tokenizer());
        } catch (const std::runtime_error &error) {
            return QString::fromUtf8(error.what());
        }
        return QString();
    };
    EngineOptions options = withRam();
    for (const int chunk : {100, 8, 0}) {
        options.chunk_size = chunk;
        QVERIFY2(refusal(options).contains(QStringLiteral("no multiple of a block")), qPrintable(refusal(options)));
    }
    QVERIFY(refusal(withRam(1000)).contains(QStringLiteral("RAM tier")));
    QVERIFY(refusal(withDisk(QStringLiteral("/no/such/folder"))).contains(QStringLiteral("does not exist")));
    options.tiers = {};
    QCOMPARE(refusal(options), QString()); // without tiers a chunk means nothing
}

QTEST_GUILESS_MAIN(TestEngineTiers)
#include "tst_engine_tiers.moc"
