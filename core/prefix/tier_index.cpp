// SPDX-License-Identifier: GPL-3.0-or-later
#include "prefix/tier_index.h"

namespace kvlab::prefix {

TierIndex::TierIndex(EvictionPolicy policy, std::int64_t budgetBytes)
    : m_policy(policy)
    , m_budget(budgetBytes)
{
}

std::optional<std::vector<BlockHash>> TierIndex::insert(const BlockHash &chunk, std::int64_t bytes)
{
    std::vector<BlockHash> evicted;
    if (contains(chunk)) {
        use(chunk);
        return evicted;
    }
    if (bytes > m_budget) {
        return std::nullopt;
    }
    while (m_bytes + bytes > m_budget) {
        evictFirst(evicted);
    }
    const auto entry = m_entries.emplace(chunk, Entry{bytes, {0, ++m_clock}}).first;
    m_order.emplace(entry->second.rank, &entry->first);
    m_bytes += bytes;
    return evicted;
}

void TierIndex::use(const BlockHash &chunk)
{
    const auto entry = m_entries.find(chunk);
    if (entry == m_entries.end() || m_policy == EvictionPolicy::fifo) {
        return;
    }
    m_order.erase({entry->second.rank, &entry->first});
    entry->second.rank.time = ++m_clock;
    entry->second.rank.uses += m_policy == EvictionPolicy::lfu ? 1 : 0;
    m_order.emplace(entry->second.rank, &entry->first);
}

void TierIndex::evictFirst(std::vector<BlockHash> &evicted)
{
    const BlockHash chunk = *std::get<const BlockHash *>(*m_order.begin());
    evicted.push_back(chunk);
    erase(chunk);
}

void TierIndex::erase(const BlockHash &chunk)
{
    const auto entry = m_entries.find(chunk);
    if (entry == m_entries.end()) {
        return;
    }
    m_order.erase({entry->second.rank, &entry->first});
    m_bytes -= entry->second.bytes;
    m_entries.erase(entry);
}

void TierIndex::clear()
{
    m_order.clear();
    m_entries.clear();
    m_bytes = 0;
}

std::vector<BlockHash> TierIndex::evictionOrder() const
{
    std::vector<BlockHash> order;
    for (const auto &[rank, chunk] : m_order) {
        order.push_back(*chunk);
    }
    return order;
}

} // namespace kvlab::prefix
