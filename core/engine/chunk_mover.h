// SPDX-License-Identifier: GPL-3.0-or-later
// Carries K and V between the transformer's blocks and the tiers, chunk by chunk, by LMCache's rules: asked for is only
// what the block pool lacks, loading ends at the first chunk that is missing or damaged, at least the last token is
// left to compute, and stored are whole chunks. A chunk bears the hash of its last block, which names its whole prefix.
#pragma once

#include "engine/tier_store.h"
#include "engine/transformer.h"
#include "prefix/lmcache_rules.h"

#include <atomic>

namespace kvlab::engine {

class ChunkMover
{
public:
    /// Throws std::runtime_error with a whole sentence when a chunk is not a multiple of a block or a tier cannot be as
    /// asked for.
    ChunkMover(Transformer &model, const TierOptions &tiers, const prefix::LmcacheRules &rules);

    struct Loaded
    {
        int tokens = 0; ///< whose K and V are in the blocks now, those of the pool included
        int ram_tokens = 0; ///< of these, loaded from RAM
        int disk_tokens = 0;
    };
    /// `poolTokens` = leading tokens that the blocks hold already. `cancelled` ends it after a chunk.
    Loaded load(const prefix::HashChain &prompt, std::span<const int> blocks, int poolTokens,
        const std::atomic<bool> *cancelled);

    /// Stores the chunks of the first `tokens` that the tiers lack.
    void store(const prefix::HashChain &chain, std::span<const int> blocks, int tokens);

    TierCounters counters() const { return m_store.counters(); }
    void waitForStores() { m_store.waitForStores(); }

private:
    std::vector<prefix::BlockHash> chunkNames(const prefix::HashChain &chain, int tokens) const;
    void copyIn(const ChunkBytes &bytes, std::span<const int> blocks, int first);
    ChunkBytes copyOut(std::span<const int> blocks);

    Transformer &m_model;
    prefix::LmcacheRules m_rules;
    int m_blockSize;
    int m_blocksPerChunk;
    std::size_t m_blockBytes;
    TierStore m_store;
};

} // namespace kvlab::engine
