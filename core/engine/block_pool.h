// SPDX-License-Identifier: GPL-3.0-or-later
// Block bookkeeping of automatic prefix caching by vLLM's rules (vllm/v1/core/block_pool.py,
// docs/design/prefix_caching.md): chained hashes over full blocks, lookup of at most floor((n - 1) / block_size)
// blocks, touch before allocate, lazy eviction, block 0 is the null block. No I/O and no data: it hands out block
// numbers, the engine owns the memory behind them.
#pragma once

#include "engine/tokenizer.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kvlab::engine {

/// 256-bit hash of a full block: H(parent, tokens, extra). Equal hashes mean equal prefixes.
struct BlockHash
{
    std::array<std::uint8_t, 32> bytes{};
    friend bool operator==(const BlockHash &, const BlockHash &) = default;
};

/// Hashes of the full blocks of `tokens`, each chained to the one before. `salt` joins the first block only.
std::vector<BlockHash> hashBlocks(const std::vector<Token> &tokens, int blockSize, const std::string &salt = {});

class BlockPool
{
public:
    struct Options
    {
        int blocks = 1024; ///< null block included
        int block_size = 16; ///< tokens
        bool prefix_caching = true;
    };

    explicit BlockPool(const Options &options);
    ~BlockPool();
    BlockPool(BlockPool &&) noexcept;
    BlockPool &operator=(BlockPool &&) noexcept;

    /// What one request holds: its blocks in order, and how many leading tokens were found in the cache.
    struct Allocation
    {
        std::vector<int> blocks;
        int cached_tokens = 0;
    };

    /// Finds the longest cached prefix of a prompt and takes blocks for the rest, or nothing when the pool cannot hold
    /// it (the pool is then unchanged). At least the last token is always left to compute.
    std::optional<Allocation> allocate(const std::vector<Token> &tokens, const std::string &salt = {});

    /// Makes room for one more token of a running request; false when the pool is full.
    bool append(Allocation &allocation, int tokensSoFar);

    /// Registers the hashes of all full blocks of `tokens` that have been computed.
    void commit(const Allocation &allocation, const std::vector<Token> &tokens, const std::string &salt = {});

    /// Gives the blocks back, last block first; hashes and data stay until a block is taken again.
    void release(const Allocation &allocation);

    /// Forgets every hash. False, and nothing changes, while any request holds blocks.
    bool reset();

    /// Leading tokens of a prompt that allocate() would find in the cache; changes nothing.
    int cachedPrefix(const std::vector<Token> &tokens, const std::string &salt = {}) const;

    int blockSize() const;
    int totalBlocks() const; ///< null block included
    int freeBlocks() const; ///< cached but unused blocks count as free
    int cachedBlocks() const;
    double usage() const; ///< 1 - free / (total - 1)
    std::vector<int> freeQueue() const; ///< head (taken next) to tail
    int references(int block) const; ///< requests that hold it
    std::optional<BlockHash> hashOf(int block) const; ///< of a cached block

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::engine
