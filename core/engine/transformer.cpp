// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/transformer.h"

#include "engine/blas.h"
#include "engine/kernels.h"
#include "engine/thread_pool.h"
#include "engine/weights.h"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>
#include <stdexcept>

namespace kvlab::engine {

namespace {

constexpr int chunkTokens = 512; ///< prefill in pieces: larger ones gain nothing and leave the processor's caches
constexpr int tileQueries = 32; ///< of one attention task: its scores stay in the second-level cache
constexpr int gatherTokens = 256; ///< keys copied by one task
constexpr double ropeBase = 10000.0;

struct FreeDeleter
{
    void operator()(float *memory) const { std::free(memory); }
};

/// Zeroed memory that the system hands out page by page as it is touched: a pool for many contexts costs nothing until
/// used.
std::unique_ptr<float[], FreeDeleter> lazyMemory(std::size_t floats)
{
    auto *memory = static_cast<float *>(std::calloc(floats, sizeof(float)));
    if (!memory) {
        throw std::bad_alloc();
    }
    return std::unique_ptr<float[], FreeDeleter>(memory);
}

} // namespace

std::int64_t TransformerShape::parameters() const
{
    const std::int64_t qkv = std::int64_t(hidden) * (heads + 2 * kv_heads) * head_dim;
    const std::int64_t output = std::int64_t(heads) * head_dim * hidden;
    const std::int64_t feedForward = std::int64_t(3) * hidden * ffn;
    return layers * (qkv + output + feedForward + 2 * hidden) + std::int64_t(vocab) * hidden + hidden;
}

std::int64_t TransformerShape::kvBytesPerToken() const
{
    return std::int64_t(2) * layers * kv_heads * head_dim * std::int64_t(sizeof(float));
}

class Transformer::Private
{
public:
    explicit Private(const Options &chosen);

    /// A piece of the sequence on its way through the layers.
    struct Chunk
    {
        std::span<const Token> tokens;
        int start = 0; ///< position of its first token
        std::span<const int> blocks;

        int count() const { return int(tokens.size()); }
        int end() const { return start + count(); } ///< keys that its last token sees
    };

    void setupSizes();
    void setupBuffers();
    void warmUp();
    void check(std::span<const Token> tokens, int start, std::span<const int> blocks) const;

    bool runChunk(const Chunk &chunk, const std::atomic<bool> *cancelled);
    void embed(const Chunk &chunk);
    void attention(int layer, const Chunk &chunk);
    void feedForward(int layer, const Chunk &chunk);
    std::vector<float> logits(int row);

    void prepareAngles(const Chunk &chunk);
    void storeKeysAndValues(int layer, const Chunk &chunk);
    void storeToken(int layer, const Chunk &chunk, int row);
    void gather(int layer, const Chunk &chunk);
    void attend(const Chunk &chunk);
    void attendTile(const Chunk &chunk, int kvHead, int firstQuery, int slot);

    void product(
        const float *x, int rows, int inputs, const std::vector<float> &matrix, int outputs, float *out, bool addToOut);
    void normalize(const std::vector<float> &gain, int rows);
    template <typename RowJob> void eachRow(int rows, RowJob job);

    float *blockMemory(int block) { return kv.get() + std::size_t(block) * blockStride; }
    float *keys(int layer, int block, int kvHead);
    float *values(int layer, int block, int kvHead) { return keys(layer, block, kvHead) + shape.kv_heads * tileFloats; }

    Options options;
    TransformerShape shape;
    ThreadPool pool;
    Weights weights;

    int group = 0; ///< query heads per KV head
    int queryWidth = 0; ///< heads × head_dim
    int qkvWidth = 0;
    std::size_t tileFloats = 0; ///< K or V of one block, layer and KV head
    std::size_t blockFloats = 0;
    std::size_t blockStride = 0;
    std::unique_ptr<float[], FreeDeleter> kv;

    // Activations of one chunk, a row per token.
    std::vector<float> x; ///< [hidden], the residual stream
    std::vector<float> normed; ///< [hidden]
    std::vector<float> qkv; ///< [qkvWidth]
    std::vector<float> queries; ///< [kv_heads][token][group][head_dim], rotated and scaled
    std::vector<float> attended; ///< [queryWidth]
    std::vector<float> gateUp; ///< [2 × ffn]
    std::vector<float> activated; ///< [ffn]
    std::vector<float> cosines; ///< [head_dim / 2]
    std::vector<float> sines;

    // K and V of the sequence in one piece, [kv_heads][position][head_dim], one layer at a time: a large product needs
    // them side by side, and copying them is cheap beside it.
    std::vector<float> gatheredKeys;
    std::vector<float> gatheredValues;
    struct Scratch
    {
        std::vector<float> scores;
        std::vector<float> output;
    };
    std::vector<Scratch> scratch; ///< by slot

    int computed = 0;
};

Transformer::Private::Private(const Options &chosen)
    : options(chosen)
    , shape(chosen.shape)
    , pool(chosen.threads)
{
    prepareBlas();
    setupSizes();
    setupBuffers();
    weights = makeWeights(shape, options.seed, pool);
    warmUp();
}

void Transformer::Private::setupSizes()
{
    if (shape.kv_heads < 1 || shape.heads % shape.kv_heads != 0 || shape.head_dim % 2 != 0 || options.blocks < 1
        || options.block_size < 1) {
        throw std::invalid_argument("The transformer's shape is impossible.");
    }
    group = shape.heads / shape.kv_heads;
    queryWidth = shape.heads * shape.head_dim;
    qkvWidth = queryWidth + 2 * shape.kv_heads * shape.head_dim;
    tileFloats = std::size_t(options.block_size) * std::size_t(shape.head_dim);
    blockFloats = std::size_t(2 * shape.layers * shape.kv_heads) * tileFloats;
    // One tile of padding: with a power of two between blocks, the same layer of all blocks would compete for the same
    // few lines of the processor's caches.
    blockStride = blockFloats + tileFloats;
}

void Transformer::Private::setupBuffers()
{
    kv = lazyMemory(blockStride * std::size_t(options.blocks));
    const auto rows = std::size_t(chunkTokens);
    x.resize(rows * std::size_t(shape.hidden));
    normed.resize(x.size());
    qkv.resize(rows * std::size_t(qkvWidth));
    queries.resize(rows * std::size_t(queryWidth));
    attended.resize(queries.size());
    gateUp.resize(rows * std::size_t(2 * shape.ffn));
    activated.resize(rows * std::size_t(shape.ffn));
    cosines.resize(rows * std::size_t(shape.head_dim / 2));
    sines.resize(cosines.size());
    scratch.resize(std::size_t(pool.threads()));
}

/// The first product of a process chooses kernels and allocates: not in somebody's first measurement. Block 0 is the
/// null block, which nobody reads.
void Transformer::Private::warmUp()
{
    const std::vector<Token> tokens(std::size_t(std::min(options.block_size, chunkTokens)), 0);
    const int nullBlock = 0;
    runChunk({tokens, 0, {&nullBlock, 1}}, nullptr);
    logits(0);
}

void Transformer::Private::check(std::span<const Token> tokens, int start, std::span<const int> blocks) const
{
    const auto size = std::size_t(options.block_size);
    const bool known
        = std::all_of(tokens.begin(), tokens.end(), [this](Token token) { return token >= 0 && token < shape.vocab; });
    const bool inPool
        = std::all_of(blocks.begin(), blocks.end(), [this](int block) { return block >= 0 && block < options.blocks; });
    if (start < 0 || std::size_t(start) >= tokens.size() || blocks.size() * size < tokens.size() || !known || !inPool) {
        throw std::invalid_argument("Tokens, start and blocks of a forward pass do not fit together.");
    }
}

float *Transformer::Private::keys(int layer, int block, int kvHead)
{
    return blockMemory(block) + std::size_t(2 * layer * shape.kv_heads + kvHead) * tileFloats;
}

/// False when cancelled; the chunk's K and V are then incomplete.
bool Transformer::Private::runChunk(const Chunk &chunk, const std::atomic<bool> *cancelled)
{
    embed(chunk);
    prepareAngles(chunk);
    for (int layer = 0; layer < shape.layers; ++layer) {
        if (cancelled && *cancelled) {
            return false;
        }
        attention(layer, chunk);
        feedForward(layer, chunk);
    }
    return true;
}

void Transformer::Private::embed(const Chunk &chunk)
{
    const auto width = std::size_t(shape.hidden);
    for (std::size_t row = 0; row < chunk.tokens.size(); ++row) {
        const float *source = &weights.embedding[std::size_t(chunk.tokens[row]) * width];
        std::copy(source, source + width, &x[row * width]);
    }
}

/// x += attention(norm(x)) · output
void Transformer::Private::attention(int layer, const Chunk &chunk)
{
    const LayerWeights &w = weights.layers[std::size_t(layer)];
    normalize(w.attention_norm, chunk.count());
    product(normed.data(), chunk.count(), shape.hidden, w.qkv, qkvWidth, qkv.data(), false);
    storeKeysAndValues(layer, chunk);
    gather(layer, chunk);
    attend(chunk);
    product(attended.data(), chunk.count(), queryWidth, w.output, shape.hidden, x.data(), true);
}

/// x += (silu(norm(x) · gate) × (norm(x) · up)) · down
void Transformer::Private::feedForward(int layer, const Chunk &chunk)
{
    const LayerWeights &w = weights.layers[std::size_t(layer)];
    const auto ffn = std::size_t(shape.ffn);
    normalize(w.ffn_norm, chunk.count());
    product(normed.data(), chunk.count(), shape.hidden, w.gate_up, 2 * shape.ffn, gateUp.data(), false);
    eachRow(chunk.count(),
        [this, ffn](std::size_t row) { swiGlu(&gateUp[row * 2 * ffn], &activated[row * ffn], shape.ffn); });
    product(activated.data(), chunk.count(), shape.ffn, w.down, shape.hidden, x.data(), true);
}

std::vector<float> Transformer::Private::logits(int row)
{
    const auto width = std::size_t(shape.hidden);
    rmsNorm(&x[std::size_t(row) * width], weights.final_norm.data(), normed.data(), shape.hidden);
    std::vector<float> result(std::size_t(shape.vocab));
    constexpr int piece = 1024;
    pool.run((shape.vocab + piece - 1) / piece, [&](int task, int) {
        const int first = task * piece;
        const int count = std::min(piece, shape.vocab - first);
        cblas_sgemv(CblasRowMajor, CblasNoTrans, count, shape.hidden, 1.0F,
            &weights.embedding[std::size_t(first) * width], shape.hidden, normed.data(), 1, 0.0F,
            &result[std::size_t(first)], 1);
    });
    return result;
}

/// The rotation of position p and pair i is p × base^(-2 i / head_dim).
void Transformer::Private::prepareAngles(const Chunk &chunk)
{
    const int pairs = shape.head_dim / 2;
    for (int pair = 0; pair < pairs; ++pair) {
        const double frequency = std::pow(ropeBase, -double(pair) / pairs);
        for (int row = 0; row < chunk.count(); ++row) {
            const double angle = (chunk.start + row) * frequency;
            cosines[std::size_t(row * pairs + pair)] = float(std::cos(angle));
            sines[std::size_t(row * pairs + pair)] = float(std::sin(angle));
        }
    }
}

void Transformer::Private::storeKeysAndValues(int layer, const Chunk &chunk)
{
    eachRow(chunk.count(), [&](std::size_t row) { storeToken(layer, chunk, int(row)); });
}

/// Rotates one token's queries and keys; its K and V go to their place in the token's block.
void Transformer::Private::storeToken(int layer, const Chunk &chunk, int row)
{
    const int width = shape.head_dim;
    const float *source = &qkv[std::size_t(row) * std::size_t(qkvWidth)];
    const float *cosine = &cosines[std::size_t(row * width / 2)];
    const float *sine = &sines[std::size_t(row * width / 2)];
    const float scale = 1.0F / std::sqrt(float(width));
    for (int head = 0; head < shape.heads; ++head) {
        const int place = ((head / group) * chunk.count() + row) * group + head % group;
        rotate(source + head * width, cosine, sine, scale, &queries[std::size_t(place) * std::size_t(width)], width);
    }
    const int position = chunk.start + row;
    const int block = chunk.blocks[std::size_t(position / options.block_size)];
    const auto offset = std::size_t(position % options.block_size) * std::size_t(width);
    for (int head = 0; head < shape.kv_heads; ++head) {
        const float *key = source + queryWidth + head * width;
        const float *value = key + shape.kv_heads * width;
        rotate(key, cosine, sine, 1.0F, keys(layer, block, head) + offset, width);
        std::copy(value, value + width, values(layer, block, head) + offset);
    }
}

void Transformer::Private::gather(int layer, const Chunk &chunk)
{
    const auto width = std::size_t(shape.head_dim);
    const std::size_t floats = std::size_t(shape.kv_heads) * std::size_t(chunk.end()) * width;
    if (gatheredKeys.size() < floats) {
        gatheredKeys.resize(floats);
        gatheredValues.resize(floats);
    }
    const int size = options.block_size;
    const int blocksPerTask = std::max(1, gatherTokens / size);
    const int blockCount = (chunk.end() + size - 1) / size;
    const int tasksPerHead = (blockCount + blocksPerTask - 1) / blocksPerTask;
    pool.run(shape.kv_heads * tasksPerHead, [&](int task, int) {
        const int head = task / tasksPerHead;
        const int first = (task % tasksPerHead) * blocksPerTask;
        for (int i = first; i < std::min(blockCount, first + blocksPerTask); ++i) {
            const int block = chunk.blocks[std::size_t(i)];
            // The last block may be half empty, and what an earlier owner left there may not even be a number.
            const auto count = std::size_t(std::min(size, chunk.end() - i * size)) * width;
            const auto place = (std::size_t(head) * std::size_t(chunk.end()) + std::size_t(i * size)) * width;
            std::copy_n(keys(layer, block, head), count, &gatheredKeys[place]);
            std::copy_n(values(layer, block, head), count, &gatheredValues[place]);
        }
    });
}

void Transformer::Private::attend(const Chunk &chunk)
{
    const int tiles = (chunk.count() + tileQueries - 1) / tileQueries;
    pool.run(shape.kv_heads * tiles, [&](int task, int slot) {
        // Late tiles see the most keys: first, so that no thread is left with a long one at the end.
        const int tile = tiles - 1 - task / shape.kv_heads;
        attendTile(chunk, task % shape.kv_heads, tile * tileQueries, slot);
    });
}

/// softmax(Q · Kᵀ) · V for some queries of all the heads that share one KV head.
void Transformer::Private::attendTile(const Chunk &chunk, int kvHead, int firstQuery, int slot)
{
    const int width = shape.head_dim;
    const int queryCount = std::min(tileQueries, chunk.count() - firstQuery);
    const int rows = queryCount * group;
    const int keyCount = chunk.start + firstQuery + queryCount;
    auto &[scores, output] = scratch[std::size_t(slot)];
    scores.resize(std::max(scores.size(), std::size_t(rows) * std::size_t(keyCount)));
    output.resize(std::max(output.size(), std::size_t(rows * width)));

    const auto headStart = std::size_t(kvHead) * std::size_t(chunk.end()) * std::size_t(width);
    const float *query = &queries[std::size_t(kvHead * chunk.count() + firstQuery) * std::size_t(group * width)];
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, keyCount, width, 1.0F, query, width,
        &gatheredKeys[headStart], width, 0.0F, scores.data(), keyCount);
    for (int row = 0; row < rows; ++row) {
        const int visible = chunk.start + firstQuery + row / group + 1; // a token sees itself and what came before
        softmax(&scores[std::size_t(row) * std::size_t(keyCount)], visible, keyCount);
    }
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, width, keyCount, 1.0F, scores.data(), keyCount,
        &gatheredValues[headStart], width, 0.0F, output.data(), width);
    for (int i = 0; i < queryCount; ++i) {
        const auto place = std::size_t(firstQuery + i) * std::size_t(queryWidth) + std::size_t(kvHead * group * width);
        std::copy_n(&output[std::size_t(i * group * width)], group * width, &attended[place]);
    }
}

/// out = x · matrix, or out += …; each task makes some of the columns, so that a short chunk reads the matrix only
/// once.
void Transformer::Private::product(
    const float *in, int rows, int inputs, const std::vector<float> &matrix, int outputs, float *out, bool addToOut)
{
    constexpr int grain = 16; // whole vector registers
    const int pieces = pool.threads();
    const int perPiece = ((outputs + pieces - 1) / pieces + grain - 1) / grain * grain;
    const float keep = addToOut ? 1.0F : 0.0F;
    pool.run((outputs + perPiece - 1) / perPiece, [&](int task, int) {
        const int first = task * perPiece;
        const int count = std::min(perPiece, outputs - first);
        const float *columns = &matrix[std::size_t(first)];
        if (rows == 1) {
            cblas_sgemv(CblasRowMajor, CblasTrans, inputs, count, 1.0F, columns, outputs, in, 1, keep, out + first, 1);
        } else {
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, count, inputs, 1.0F, in, inputs, columns,
                outputs, keep, out + first, outputs);
        }
    });
}

void Transformer::Private::normalize(const std::vector<float> &gain, int rows)
{
    const auto width = std::size_t(shape.hidden);
    eachRow(rows, [this, &gain, width](std::size_t row) {
        rmsNorm(&x[row * width], gain.data(), &normed[row * width], shape.hidden);
    });
}

template <typename RowJob> void Transformer::Private::eachRow(int rows, RowJob job)
{
    constexpr int rowsPerTask = 32;
    pool.run((rows + rowsPerTask - 1) / rowsPerTask, [&](int task, int) {
        for (int row = task * rowsPerTask; row < std::min(rows, (task + 1) * rowsPerTask); ++row) {
            job(std::size_t(row));
        }
    });
}

Transformer::Transformer(const Options &options)
    : d(std::make_unique<Private>(options))
{
}

Transformer::~Transformer() = default;

std::vector<float> Transformer::forward(
    std::span<const Token> tokens, int start, std::span<const int> blocks, const std::atomic<bool> *cancelled)
{
    d->check(tokens, start, blocks);
    d->computed = start;
    const int total = int(tokens.size());
    int count = 0;
    while (d->computed < total) {
        count = std::min(chunkTokens, total - d->computed);
        const auto piece = tokens.subspan(std::size_t(d->computed), std::size_t(count));
        if (!d->runChunk({piece, d->computed, blocks}, cancelled)) {
            return {};
        }
        d->computed += count;
    }
    return d->logits(count - 1);
}

int Transformer::computedTokens() const
{
    return d->computed;
}

const TransformerShape &Transformer::shape() const
{
    return d->shape;
}

int Transformer::blockSize() const
{
    return d->options.block_size;
}

std::uint64_t Transformer::weightsDigest() const
{
    return digestOf(d->weights);
}

std::span<float> Transformer::blockData(int block)
{
    return {d->blockMemory(block), d->blockFloats};
}

} // namespace kvlab::engine
