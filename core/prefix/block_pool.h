// SPDX-License-Identifier: GPL-3.0-or-later
// Block bookkeeping of automatic prefix caching by vLLM's rules (vllm/v1/core/block_pool.py, kv_cache_manager.py,
// single_type_kv_cache_manager.py, docs/design/prefix_caching.md): lookup of at most floor((n - 1) / block_size)
// blocks, touch before allocate, lazy eviction, duplicates kept until freed, block 0 is the null block, layers with a
// sliding window as groups of their own. No I/O and no data: it hands out block numbers, the engine owns the memory
// behind them. Every operation costs what its request's blocks cost, whatever the size of the pool.
#pragma once

#include "prefix/block_hash.h"

#include <memory>
#include <optional>

namespace kvlab::prefix {

/// Where freed blocks enter the free queue, both last block first, so that the end of a chain is evicted before its
/// beginning: `tail` (A, 2025) puts all at the tail, `unhashed_to_head` (B, 2026) those without a hash at the head,
/// because nothing is lost with them.
enum class FreeOrder { tail, unhashed_to_head };

/// Layers that share a block table.
struct KvGroup
{
    std::optional<int> window; ///< tokens that a layer looks back, itself included; none = full attention
};

/// What happened, as vLLM's KV events tell it (--kv-events-config).
struct BlockEvent
{
    enum class Kind { stored, removed, cleared };
    Kind kind = Kind::stored;
    int group = 0;
    std::vector<int> blocks;
    std::vector<BlockHash> hashes; ///< one a block
    std::optional<BlockHash> parent; ///< of the first block stored; none = it begins a prompt
    std::vector<Token> tokens; ///< of the blocks stored
};

class BlockPool
{
public:
    struct Options
    {
        int blocks = 1024; ///< null block included
        int block_size = 16; ///< tokens
        bool prefix_caching = true;
        FreeOrder free_order = FreeOrder::tail;
        /// Speculative head (EAGLE, MTP): the last matched block is computed again, for the head needs its hidden
        /// states. The rule of the released versions.
        bool eagle = false;
        std::vector<KvGroup> groups{{}}; ///< at least one; all share the pool and the block size
        bool events = false; ///< keep them for takeEvents()
    };

    /// Throws std::invalid_argument when there is no block, no token in a block, no group, or a window below 1.
    explicit BlockPool(const Options &options);
    ~BlockPool();
    BlockPool(BlockPool &&) noexcept;
    BlockPool &operator=(BlockPool &&) noexcept;

    /// What one request holds: a table of blocks for each group, in order, and how many leading tokens were found in
    /// the cache. Blocks left of a window are the null block.
    struct Allocation
    {
        std::vector<std::vector<int>> tables;
        int cached_tokens = 0;
        int committed_blocks = 0; ///< leading blocks of each table whose hashes are registered

        const std::vector<int> &blocks() const { return tables.front(); } ///< of the first group
    };

    /// Finds the longest prefix that all groups have cached and takes blocks for the rest, or nothing when the pool
    /// cannot hold it (the pool is then unchanged). At least the last token is always left to compute. Requests that
    /// skip the lookup (prompt logprobs) compute everything and still write the cache.
    std::optional<Allocation> allocate(const HashChain &prompt, bool skipLookup = false);

    /// Makes room for more tokens of a running request; false, and the table as it was, when the pool is full.
    bool append(Allocation &allocation, int tokensSoFar, int more = 1);

    /// Registers the full blocks among the first `computed` tokens.
    void commit(Allocation &allocation, const HashChain &chain, int computed);

    /// Gives the blocks back; hashes and data stay until a block is taken again.
    void release(const Allocation &allocation);

    /// Takes the hash from an idle or running block, as an eviction does.
    void evict(int block);

    /// Forgets every hash. False, and nothing changes, while any request holds blocks.
    bool reset();

    /// Leading tokens of a prompt that allocate() would find in the cache; changes nothing.
    int cachedPrefix(const HashChain &prompt) const;

    const Options &options() const;
    int freeBlocks() const; ///< cached but unused blocks count as free
    int cachedBlocks() const;
    double usage() const; ///< 1 - free / (total - 1): 0 between requests, however much is cached
    std::vector<int> freeQueue() const; ///< head (taken next) to tail
    int references(int block) const; ///< requests that hold it
    std::optional<BlockHash> hashOf(int block) const; ///< of a cached block

    std::vector<BlockEvent> takeEvents(); ///< since the last call, oldest first

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::prefix
