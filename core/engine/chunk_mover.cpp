// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/chunk_mover.h"

#include <QCoreApplication>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace kvlab::engine {

using prefix::BlockHash;
using prefix::HashChain;
using prefix::LmcacheRules;

namespace {

/// Context of this file's texts.
struct MoverText
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::engine::ChunkMover)
};

/// To be raised whenever the same weights and tokens give other K and V, or they lie in another order.
constexpr int layoutVersion = 1;

/// Everything that must agree for stored bytes to be of use.
BlockHash layoutOf(const Transformer &model, int blockSize, int chunkSize)
{
    const TransformerShape &shape = model.shape();
    QString text = QStringLiteral("kvlab practice engine, float32 little-endian, version %1").arg(layoutVersion);
    for (const std::int64_t number : {std::int64_t(shape.layers), std::int64_t(shape.hidden), std::int64_t(shape.heads),
             std::int64_t(shape.kv_heads), std::int64_t(shape.head_dim), std::int64_t(shape.ffn),
             std::int64_t(shape.vocab), std::int64_t(blockSize), std::int64_t(chunkSize),
             std::int64_t(model.weightsDigest())})
        text += QStringLiteral(", %1").arg(number);
    return prefix::rootHash(text.toStdString());
}

const LmcacheRules &checked(const LmcacheRules &rules, int blockSize)
{
    if (rules.chunk_size < blockSize || rules.chunk_size % blockSize != 0) {
        throw std::runtime_error(
            MoverText::tr("A chunk of %1 tokens is no multiple of a block of %2. Choose a chunk size that is.")
                .arg(rules.chunk_size)
                .arg(blockSize)
                .toStdString());
    }
    return rules;
}

} // namespace

ChunkMover::ChunkMover(Transformer &model, const TierOptions &tiers, const LmcacheRules &rules)
    : m_model(model)
    , m_rules(checked(rules, model.blockSize()))
    , m_blockSize(model.blockSize())
    , m_blocksPerChunk(rules.chunk_size / m_blockSize)
    , m_blockBytes(model.blockData(0).size_bytes())
    , m_store(tiers, layoutOf(model, m_blockSize, rules.chunk_size), std::int64_t(m_blockBytes) * m_blocksPerChunk)
{
}

std::vector<BlockHash> ChunkMover::chunkNames(const HashChain &chain, int tokens) const
{
    std::vector<BlockHash> names;
    for (const int end : m_rules.storedEnds(std::min(tokens, chain.size())))
        names.push_back(chain.hashes()[std::size_t(end / m_blockSize - 1)]);
    return names;
}

ChunkMover::Loaded ChunkMover::load(
    const HashChain &prompt, std::span<const int> blocks, int poolTokens, const std::atomic<bool> *cancelled)
{
    Loaded result{poolTokens, 0, 0};
    const int length = prompt.size();
    const auto names = chunkNames(prompt, length);
    const int found = m_store.lookup(names) * m_rules.chunk_size;
    if (m_rules.load(LmcacheRules::needToLoad(found, poolTokens, length)) == 0)
        return result;
    // The first chunk may be in the pool in part.
    for (int chunk = poolTokens / m_rules.chunk_size; chunk < found / m_rules.chunk_size; ++chunk) {
        const auto loaded = m_store.load(names[std::size_t(chunk)]);
        if (!loaded || (cancelled && *cancelled))
            break;
        const auto ofChunk = blocks.subspan(std::size_t(chunk * m_blocksPerChunk), std::size_t(m_blocksPerChunk));
        const int before = result.tokens;
        copyIn(*loaded->bytes, ofChunk, before / m_blockSize - chunk * m_blocksPerChunk);
        result.tokens = LmcacheRules::cachedTokens((chunk + 1) * m_rules.chunk_size, length);
        (loaded->tier == Tier::ram ? result.ram_tokens : result.disk_tokens) += result.tokens - before;
    }
    return result;
}

/// Blocks before `first` are in the pool already, and other requests may be reading them.
void ChunkMover::copyIn(const ChunkBytes &bytes, std::span<const int> blocks, int first)
{
    for (std::size_t i = std::size_t(first); i < blocks.size(); ++i)
        std::memcpy(m_model.blockData(blocks[i]).data(), bytes.data() + i * m_blockBytes, m_blockBytes);
}

ChunkBytes ChunkMover::copyOut(std::span<const int> blocks)
{
    ChunkBytes bytes(blocks.size() * m_blockBytes);
    for (std::size_t i = 0; i < blocks.size(); ++i)
        std::memcpy(bytes.data() + i * m_blockBytes, m_model.blockData(blocks[i]).data(), m_blockBytes);
    return bytes;
}

void ChunkMover::store(const HashChain &chain, std::span<const int> blocks, int tokens)
{
    const auto names = chunkNames(chain, tokens);
    for (std::size_t chunk = 0; chunk < names.size(); ++chunk) {
        if (!m_store.wants(names[chunk]))
            continue;
        const auto size = std::size_t(m_blocksPerChunk);
        m_store.store(names[chunk], copyOut(blocks.subspan(chunk * size, size)));
    }
}

} // namespace kvlab::engine
