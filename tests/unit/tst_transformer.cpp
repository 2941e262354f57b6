// SPDX-License-Identifier: GPL-3.0-or-later
// The practice engine's transformer against the formulas written out in double precision without any library, and the
// promise that prefix caching rests on: what a partial hit computes is what full recomputation computes.
#include "engine/kernels.h"
#include "engine/thread_pool.h"
#include "engine/transformer.h"
#include "engine/weights.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using namespace kvlab::engine;

namespace {

constexpr int blockSize = 16;
constexpr TransformerShape tiny{2, 64, 4, 2, 16, 96, 200};
constexpr TransformerShape small{4, 128, 8, 2, 32, 256, 500};

std::vector<Token> randomTokens(int count, int vocab, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<Token> tokens(static_cast<std::size_t>(count));
    std::generate(tokens.begin(), tokens.end(), [&] { return Token(random() % unsigned(vocab)); });
    return tokens;
}

/// `count` blocks from `first` on, in mixed order: a sequence's blocks need not lie side by side.
std::vector<int> mixedBlocks(int count, int first, unsigned seed)
{
    std::vector<int> blocks(static_cast<std::size_t>(count));
    std::iota(blocks.begin(), blocks.end(), first);
    std::shuffle(blocks.begin(), blocks.end(), std::mt19937(seed));
    return blocks;
}

int blocksFor(int tokens)
{
    return (tokens + blockSize - 1) / blockSize;
}

double largestDifference(const std::vector<float> &a, const std::vector<float> &b)
{
    if (a.size() != b.size() || a.empty()) {
        return INFINITY;
    }
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = std::abs(double(a[i]) - double(b[i]));
        largest = std::isnan(difference) ? INFINITY : std::max(largest, difference);
    }
    return largest;
}

/// The model from its formulas: one token after the other, plain loops, double precision, K and V in plain lists.
class SlowModel
{
public:
    SlowModel(const TransformerShape &shape, std::uint64_t seed)
        : m_shape(shape)
        , m_pool(1)
        , m_weights(makeWeights(shape, seed, m_pool))
        , m_keys(std::size_t(shape.layers))
        , m_values(std::size_t(shape.layers))
    {
    }

    std::vector<float> logits(const std::vector<Token> &tokens)
    {
        Vector x;
        for (std::size_t position = 0; position < tokens.size(); ++position) {
            x = row(m_weights.embedding, std::size_t(tokens[position]), std::size_t(m_shape.hidden));
            for (std::size_t layer = 0; layer < m_weights.layers.size(); ++layer) {
                add(x, attention(layer, x, int(position)));
                add(x, feedForward(layer, x));
            }
        }
        x = normed(x, m_weights.final_norm);
        std::vector<float> result;
        for (int token = 0; token < m_shape.vocab; ++token) {
            const Vector output = row(m_weights.embedding, std::size_t(token), std::size_t(m_shape.hidden));
            result.push_back(float(std::inner_product(x.begin(), x.end(), output.begin(), 0.0)));
        }
        return result;
    }

private:
    using Vector = std::vector<double>;

    static Vector row(const std::vector<float> &matrix, std::size_t index, std::size_t width)
    {
        const auto begin = matrix.begin() + std::ptrdiff_t(index * width);
        return {begin, begin + std::ptrdiff_t(width)};
    }

    static void add(Vector &x, const Vector &more)
    {
        std::transform(x.begin(), x.end(), more.begin(), x.begin(), std::plus<>());
    }

    static Vector times(const Vector &x, const std::vector<float> &matrix)
    {
        const std::size_t outputs = matrix.size() / x.size();
        Vector result(outputs, 0.0);
        for (std::size_t in = 0; in < x.size(); ++in) {
            for (std::size_t out = 0; out < outputs; ++out) {
                result[out] += x[in] * double(matrix[in * outputs + out]);
            }
        }
        return result;
    }

    static Vector normed(const Vector &x, const std::vector<float> &gain)
    {
        const double squares = std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
        const double root = std::sqrt(squares / double(x.size()) + 1e-6);
        Vector result(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            result[i] = x[i] / root * double(gain[i]);
        }
        return result;
    }

    Vector head(const Vector &all, int index) const
    {
        const auto begin = all.begin() + std::ptrdiff_t(index) * m_shape.head_dim;
        return {begin, begin + m_shape.head_dim};
    }

    /// Rotary embedding as complex numbers: pair i turns by position × 10000^(-2i / head_dim).
    static Vector rotated(const Vector &x, int position)
    {
        const std::size_t half = x.size() / 2;
        Vector result(x.size());
        for (std::size_t i = 0; i < half; ++i) {
            const double angle = position * std::pow(10000.0, -2.0 * double(i) / double(x.size()));
            result[i] = x[i] * std::cos(angle) - x[i + half] * std::sin(angle);
            result[i + half] = x[i] * std::sin(angle) + x[i + half] * std::cos(angle);
        }
        return result;
    }

    Vector attention(std::size_t layer, const Vector &x, int position)
    {
        const LayerWeights &w = m_weights.layers[layer];
        const Vector qkv = times(normed(x, w.attention_norm), w.qkv);
        std::vector<Vector> keys;
        std::vector<Vector> values;
        for (int i = 0; i < m_shape.kv_heads; ++i) {
            keys.push_back(rotated(head(qkv, m_shape.heads + i), position));
            values.push_back(head(qkv, m_shape.heads + m_shape.kv_heads + i));
        }
        m_keys[layer].push_back(keys);
        m_values[layer].push_back(values);

        Vector result;
        for (int i = 0; i < m_shape.heads; ++i) {
            const auto kvHead = std::size_t(i / (m_shape.heads / m_shape.kv_heads));
            const Vector one = attend(layer, kvHead, rotated(head(qkv, i), position));
            result.insert(result.end(), one.begin(), one.end());
        }
        return times(result, w.output);
    }

    Vector attend(std::size_t layer, std::size_t kvHead, const Vector &query) const
    {
        Vector result(query.size(), 0.0);
        double total = 0;
        for (std::size_t seen = 0; seen < m_keys[layer].size(); ++seen) {
            const Vector &key = m_keys[layer][seen][kvHead];
            const Vector &value = m_values[layer][seen][kvHead];
            const double score = std::inner_product(query.begin(), query.end(), key.begin(), 0.0);
            const double weight = std::exp(score / std::sqrt(double(query.size())));
            total += weight;
            for (std::size_t i = 0; i < result.size(); ++i) {
                result[i] += weight * value[i];
            }
        }
        for (double &value : result) {
            value /= total;
        }
        return result;
    }

    Vector feedForward(std::size_t layer, const Vector &x) const
    {
        const LayerWeights &w = m_weights.layers[layer];
        const Vector both = times(normed(x, w.ffn_norm), w.gate_up);
        Vector activated(std::size_t(m_shape.ffn));
        for (std::size_t i = 0; i < activated.size(); ++i) {
            activated[i] = both[i] / (1 + std::exp(-both[i])) * both[i + activated.size()];
        }
        return times(activated, w.down);
    }

    TransformerShape m_shape;
    ThreadPool m_pool;
    Weights m_weights;
    std::vector<std::vector<std::vector<Vector>>> m_keys; ///< [layer][position][kv head]
    std::vector<std::vector<std::vector<Vector>>> m_values;
};

/// A prefix that one request left in the cache, another request that hits it, and what the second one must get.
class Hit
{
public:
    Hit(Transformer &model, int tokens, int hit, unsigned seed)
        : m_model(model)
        , m_hit(hit)
        , m_prompt(randomTokens(tokens, model.shape().vocab, seed))
    {
        const int count = blocksFor(tokens);
        const std::vector<int> fresh = mixedBlocks(count, 1, seed);
        expected = model.forward(m_prompt, 0, fresh);

        std::vector<Token> earlier = m_prompt;
        const auto other = randomTokens(tokens - hit, model.shape().vocab, seed + 1);
        std::copy(other.begin(), other.end(), earlier.begin() + hit);
        m_blocks = mixedBlocks(count, 1 + count, seed + 2);
        model.forward(earlier, 0, m_blocks);
        // The hit's whole blocks are shared, the rest is the second request's own.
        for (int i = hit / blockSize; i < count; ++i) {
            if (hit % blockSize == 0) {
                m_blocks[std::size_t(i)] = 1 + 2 * count + i;
            }
        }
    }

    double difference() { return largestDifference(expected, m_model.forward(m_prompt, m_hit, m_blocks)); }

    int prefixBlocks() const { return m_hit / blockSize; }
    std::span<float> prefixBlock(int index) { return m_model.blockData(m_blocks[std::size_t(index)]); }

    std::vector<float> expected;

private:
    Transformer &m_model;
    int m_hit;
    std::vector<Token> m_prompt;
    std::vector<int> m_blocks;
};

/// Turns every stored key as if its token stood `positions` further on.
void shiftKeys(std::span<float> block, const TransformerShape &shape, int positions)
{
    const int half = shape.head_dim / 2;
    const int tile = blockSize * shape.head_dim;
    for (int layer = 0; layer < shape.layers; ++layer) {
        const int keys = layer * 2 * shape.kv_heads * tile;
        for (int vector = 0; vector < shape.kv_heads * blockSize; ++vector) {
            float *key = &block[std::size_t(keys + vector * shape.head_dim)];
            for (int i = 0; i < half; ++i) {
                const double angle = positions * std::pow(10000.0, -double(i) / half);
                const double a = double(key[i]);
                const double b = double(key[i + half]);
                key[i] = float(a * std::cos(angle) - b * std::sin(angle));
                key[i + half] = float(a * std::sin(angle) + b * std::cos(angle));
            }
        }
    }
}

Transformer smallModel()
{
    return Transformer({small, 5, 2, 256, blockSize});
}

} // namespace

class TestTransformer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void weightsFollowSplitmix64();
    void shapeCounts();
    void exponentialsMatchLibrary();
    void softmaxHidesTheFuture();
    void threadPoolRunsEveryTaskOnce();
    void logitsMatchFormulas_data();
    void logitsMatchFormulas();
    void partialHitEqualsFullRecomputation();
    void comparisonFindsCorruptedBlock_data();
    void comparisonFindsCorruptedBlock();
    void comparisonFindsPositionShiftedByOne();
    void lastOwnersGarbageIsHarmless();
    void threadsDoNotChangeLogits();
    void cancelStopsAndCanBeResumed();
    void impossibleInputIsRefused();
};

void TestTransformer::weightsFollowSplitmix64()
{
    // Computed with a few lines of Python integers from the published mixing constants.
    QCOMPARE(unitWeight(1, 0, 0), -0.13451015949249268F);
    QCOMPARE(unitWeight(1, 0, 1), -0.14873576164245605F);
    QCOMPARE(unitWeight(1, 3, 12345678901), -0.7042584419250488F);
    QCOMPARE(unitWeight(42, 7, 5), -0.979182243347168F);
}

void TestTransformer::shapeCounts()
{
    const TransformerShape medium;
    // 8 × (512 × 768 + 512 × 512 + 3 × 512 × 1408 + 2 × 512) + 8192 × 512 + 512
    QCOMPARE(medium.parameters(), std::int64_t(26747392));
    QCOMPARE(medium.kvBytesPerToken(), std::int64_t(8192)); // 2 × 8 × 2 × 64 × 4
}

void TestTransformer::exponentialsMatchLibrary()
{
    std::vector<float> in;
    for (int i = -59900; i <= 59900; ++i) {
        in.push_back(float(i) * 0.001F);
    }
    std::vector<float> out(in.size());
    exponentials(in.data(), out.data(), int(in.size()));
    for (std::size_t i = 0; i < in.size(); ++i) {
        const double expected = std::exp(double(in[i]));
        QVERIFY2(std::abs(double(out[i]) - expected) <= 3e-7 * expected, qPrintable(QString::number(double(in[i]))));
    }
    const std::vector<float> beyond{-60.0F, -1000.0F, 60.0F, 1000.0F};
    std::vector<float> limits(beyond.size());
    exponentials(beyond.data(), limits.data(), int(beyond.size()));
    QCOMPARE(limits[0], limits[1]);
    QCOMPARE(limits[2], limits[3]);
}

void TestTransformer::softmaxHidesTheFuture()
{
    std::vector<float> row{0.0F, std::log(2.0F), std::log(5.0F), 1000.0F, NAN};
    softmax(row.data(), 3, 5);
    const std::vector<float> expected{0.125F, 0.25F, 0.625F, 0.0F, 0.0F};
    QVERIFY(largestDifference(row, expected) < 1e-6);
}

void TestTransformer::threadPoolRunsEveryTaskOnce()
{
    for (const int threads : {1, 2, 4}) {
        ThreadPool pool(threads);
        for (int step = 0; step < 3000; ++step) {
            const int tasks = step % 37;
            std::vector<std::atomic<int>> runs(static_cast<std::size_t>(tasks));
            std::atomic<bool> slotsKnown = true;
            pool.run(tasks, [&](int task, int slot) {
                ++runs[std::size_t(task)];
                slotsKnown = slotsKnown && slot >= 0 && slot < threads;
            });
            QVERIFY(std::all_of(runs.begin(), runs.end(), [](const auto &count) { return count == 1; }));
            QVERIFY(slotsKnown);
        }
    }
    QVERIFY(physicalCores() >= 1);
}

void TestTransformer::logitsMatchFormulas_data()
{
    QTest::addColumn<int>("tokens");
    // One token, around a block's end, around a tile's end (32), around the end of a prefill chunk (512).
    for (const int tokens : {1, 2, 15, 16, 17, 32, 33, 100, 512, 513, 700}) {
        QTest::addRow("%d tokens", tokens) << tokens;
    }
}

void TestTransformer::logitsMatchFormulas()
{
    QFETCH(int, tokens);
    const auto prompt = randomTokens(tokens, tiny.vocab, 11);
    Transformer model({tiny, 3, 2, 64, blockSize});
    const auto logits = model.forward(prompt, 0, mixedBlocks(blocksFor(tokens), 1, 12));
    const auto expected = SlowModel(tiny, 3).logits(prompt);

    double squares = 0;
    for (const float value : expected) {
        squares += double(value) * double(value);
    }
    const double size = std::sqrt(squares / double(expected.size()));
    QVERIFY2(size > 0.3 && size < 3, qPrintable(QString::number(size)));
    const double difference = largestDifference(logits, expected) / size;
    QVERIFY2(difference < 1e-4, qPrintable(QString::number(difference)));
}

void TestTransformer::partialHitEqualsFullRecomputation()
{
    Transformer model = smallModel();
    std::mt19937 random(7);
    for (unsigned round = 0; round < 25; ++round) {
        const int tokens = 2 + int(random() % 700);
        const int blocksHit = int(random() % unsigned(blocksFor(tokens)));
        Hit hit(model, tokens, blocksHit * blockSize, round);
        const double difference = hit.difference();
        QVERIFY2(difference <= 1e-4,
            qPrintable(QStringLiteral("%1 tokens, %2 hit: %3").arg(tokens).arg(blocksHit * blockSize).arg(difference)));
    }
    // Decoding starts inside a block.
    Hit inside(model, 300, 299, 99);
    QVERIFY(inside.difference() <= 1e-4);
}

void TestTransformer::comparisonFindsCorruptedBlock_data()
{
    QTest::addColumn<int>("block");
    QTest::addColumn<int>("layer");
    QTest::addColumn<int>("part");
    for (const int block : {0, 7, 15}) {
        for (const int layer : {0, 3}) {
            QTest::addRow("K of block %d, layer %d", block, layer) << block << layer << 0;
            QTest::addRow("V of block %d, layer %d", block, layer) << block << layer << 1;
        }
    }
}

void TestTransformer::comparisonFindsCorruptedBlock()
{
    QFETCH(int, block);
    QFETCH(int, layer);
    QFETCH(int, part);
    Transformer model = smallModel();
    Hit hit(model, 300, 256, 21);
    QVERIFY(hit.difference() <= 1e-4);

    const int partFloats = small.kv_heads * blockSize * small.head_dim;
    const auto damaged
        = hit.prefixBlock(block).subspan(std::size_t((2 * layer + part) * partFloats), std::size_t(partFloats));
    for (float &value : damaged) {
        value = -value;
    }
    const double difference = hit.difference();
    QVERIFY2(difference > 1e-3, qPrintable(QString::number(difference)));
}

void TestTransformer::comparisonFindsPositionShiftedByOne()
{
    Transformer model = smallModel();
    Hit hit(model, 300, 256, 31);
    QVERIFY(hit.difference() <= 1e-4);
    const auto shiftAll = [&hit](int positions) {
        for (int i = 0; i < hit.prefixBlocks(); ++i) {
            shiftKeys(hit.prefixBlock(i), small, positions);
        }
    };
    shiftAll(1);
    const double difference = hit.difference();
    QVERIFY2(difference > 1e-3, qPrintable(QString::number(difference)));
    shiftAll(-1); // the shift alone was the fault
    QVERIFY(hit.difference() <= 1e-4);
}

void TestTransformer::lastOwnersGarbageIsHarmless()
{
    Transformer model = smallModel();
    const auto prompt = randomTokens(20, small.vocab, 41);
    const auto expected = model.forward(prompt, 0, std::vector<int>{1, 2});
    for (const int block : {3, 4}) {
        std::ranges::fill(model.blockData(block), NAN);
    }
    QVERIFY(largestDifference(expected, model.forward(prompt, 0, std::vector<int>{3, 4})) <= 1e-5);
}

void TestTransformer::threadsDoNotChangeLogits()
{
    const auto prompt = randomTokens(200, small.vocab, 51);
    const auto blocks = mixedBlocks(blocksFor(200), 1, 52);
    std::vector<std::vector<float>> logits;
    for (const int threads : {1, 2, 3}) {
        Transformer model({small, 9, threads, 64, blockSize});
        logits.push_back(model.forward(prompt, 0, blocks));
    }
    QVERIFY(largestDifference(logits[0], logits[1]) <= 1e-5);
    QVERIFY(largestDifference(logits[0], logits[2]) <= 1e-5);

    Transformer other({small, 10, 2, 64, blockSize});
    QVERIFY(largestDifference(logits[0], other.forward(prompt, 0, blocks)) > 0.1); // another seed, another model
}

void TestTransformer::cancelStopsAndCanBeResumed()
{
    Transformer model = smallModel();
    const auto prompt = randomTokens(100, small.vocab, 61);
    const auto blocks = mixedBlocks(blocksFor(100), 1, 62);
    const auto expected = model.forward(prompt, 0, blocks);
    QCOMPARE(model.computedTokens(), 100);

    const std::atomic<bool> cancelled = true;
    const auto again = mixedBlocks(blocksFor(100), 50, 63);
    model.forward(std::span(prompt).first(48), 0, again);
    QVERIFY(model.forward(prompt, 48, again, &cancelled).empty());
    QCOMPARE(model.computedTokens(), 48);
    QVERIFY(largestDifference(expected, model.forward(prompt, model.computedTokens(), again)) <= 1e-4);
}

void TestTransformer::impossibleInputIsRefused()
{
    Transformer model({tiny, 1, 1, 8, blockSize});
    const std::vector<int> blocks{1, 2};
    const auto run = [&model](const std::vector<Token> &tokens, int start, const std::vector<int> &where) {
        model.forward(tokens, start, where);
    };
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, run({}, 0, blocks));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, run({1, 2}, 2, blocks));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, run({1, 2}, -1, blocks));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, run({1, tiny.vocab}, 0, blocks));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, run({1, -1}, 0, blocks));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, run({1, 2}, 0, {}));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, run({1, 2}, 0, {8}));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, Transformer({{2, 64, 3, 2, 16, 96, 200}, 1, 1, 8, 16}));
}

QTEST_APPLESS_MAIN(TestTransformer)
#include "tst_transformer.moc"
