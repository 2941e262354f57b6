// SPDX-License-Identifier: GPL-3.0-or-later
// What one tier (RAM, disk) holds within a budget of bytes, and what goes when something new comes: LMCache's
// cache_policy LRU, LFU and FIFO. Names and sizes only; the bytes are somebody else's. No I/O.
#pragma once

#include "prefix/block_hash.h"

#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

namespace kvlab::prefix {

enum class EvictionPolicy { lru, lfu, fifo };

class TierIndex
{
public:
    TierIndex(EvictionPolicy policy, std::int64_t budgetBytes);

    bool contains(const BlockHash &chunk) const { return m_entries.contains(chunk); }

    /// Takes a chunk in; returns what had to go for it, first evicted first. Nothing, and nothing changes, when the
    /// chunk alone is larger than the budget. A chunk that is there already counts as used.
    std::optional<std::vector<BlockHash>> insert(const BlockHash &chunk, std::int64_t bytes);

    void use(const BlockHash &chunk); ///< it was loaded
    void erase(const BlockHash &chunk);
    void clear();

    std::int64_t bytes() const { return m_bytes; }
    std::int64_t budget() const { return m_budget; }
    int size() const { return int(m_entries.size()); } ///< chunks
    std::vector<BlockHash> evictionOrder() const; ///< next to go first

private:
    struct Rank
    {
        std::uint64_t uses = 0; ///< counts for LFU only
        std::uint64_t time = 0; ///< of the last use, for FIFO of the arrival
        friend auto operator<=>(const Rank &, const Rank &) = default;
    };
    struct Entry
    {
        std::int64_t bytes = 0;
        Rank rank;
    };
    void evictFirst(std::vector<BlockHash> &evicted);

    EvictionPolicy m_policy;
    std::int64_t m_budget;
    std::int64_t m_bytes = 0;
    std::uint64_t m_clock = 0; ///< counts, so that no jump of the computer's clock matters
    std::unordered_map<BlockHash, Entry, BlockHashKey> m_entries;
    std::set<std::tuple<Rank, const BlockHash *>> m_order; ///< points at the keys of m_entries
};

} // namespace kvlab::prefix
