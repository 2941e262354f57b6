// SPDX-License-Identifier: GPL-3.0-or-later
#include "prefix/slot_cache.h"

#include <algorithm>
#include <stdexcept>

namespace kvlab::prefix {

namespace {

int commonPrefix(std::span<const Token> a, std::span<const Token> b)
{
    return int(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

std::int64_t size(const std::vector<Token> &tokens)
{
    return std::int64_t(tokens.size());
}

} // namespace

SlotCache::SlotCache(const Options &options)
    : m_options(options)
{
    if (options.slots < 1) {
        throw std::invalid_argument("A server needs at least one slot.");
    }
    m_slots.resize(std::size_t(options.slots));
}

void SlotCache::setSlot(int slot, std::vector<Token> tokens, std::int64_t lastUsed)
{
    m_slots.at(std::size_t(slot)) = {std::move(tokens), lastUsed};
    m_clock = std::max(m_clock, lastUsed);
}

SlotCache::Choice SlotCache::choose(std::span<const Token> prompt) const
{
    const auto length = std::int64_t(prompt.size());
    Choice choice;
    int best = 0;
    for (int i = 0; i < int(m_slots.size()); ++i) {
        const int common = commonPrefix(m_slots[std::size_t(i)].tokens, prompt);
        const bool similar = m_options.similarity_per_mille > 0
            && std::int64_t(common) * 1000 > length * m_options.similarity_per_mille;
        if (similar && common > best) {
            choice = {i, common, true, false};
            best = common;
        }
    }
    if (!choice.by_similarity) {
        // The last of equals: slots that were never used are taken from the end.
        for (int i = 1; i < int(m_slots.size()); ++i) {
            if (m_slots[std::size_t(i)].last_used <= m_slots[std::size_t(choice.slot)].last_used) {
                choice.slot = i;
            }
        }
    }
    choice.cached_tokens = reusable(m_slots[std::size_t(choice.slot)].tokens, prompt);
    return choice;
}

/// The common prefix and, when asked for, later pieces that match somewhere behind it; never the whole prompt.
int SlotCache::reusable(std::span<const Token> cached, std::span<const Token> prompt) const
{
    std::size_t reused = std::size_t(commonPrefix(cached, prompt));
    std::size_t place = reused; // in what is cached
    while (m_options.reuse_chunk > 0 && place < cached.size() && reused < prompt.size()) {
        const int match = commonPrefix(cached.subspan(place), prompt.subspan(reused));
        const bool longEnough = match >= m_options.reuse_chunk;
        place += longEnough ? std::size_t(match) : 1;
        reused += longEnough ? std::size_t(match) : 0;
    }
    return int(std::min(reused, prompt.empty() ? 0 : prompt.size() - 1));
}

/// A slot that would lose more than half of what it holds is saved first, and so is one that was chosen by its age.
bool SlotCache::shouldSwap(const Choice &choice, const Slot &slot, std::span<const Token> prompt) const
{
    return m_options.host_tokens > 0
        && (!choice.by_similarity || commonPrefix(slot.tokens, prompt) * 2LL < size(slot.tokens));
}

SlotCache::Choice SlotCache::serve(std::span<const Token> prompt, std::span<const Token> answer, bool cachePrompt)
{
    Choice choice = choose(prompt);
    Slot &slot = m_slots[std::size_t(choice.slot)];
    if (shouldSwap(choice, slot, prompt)) {
        saveToHost(slot.tokens);
        choice.from_host = loadFromHost(slot, prompt);
        choice.cached_tokens = reusable(slot.tokens, prompt);
    }
    if (!cachePrompt) {
        choice.cached_tokens = 0;
    }
    if (m_options.idle_slots_to_host && m_options.host_tokens > 0) {
        for (Slot &other : m_slots) {
            if (&other != &slot) {
                saveToHost(std::exchange(other.tokens, {}));
            }
        }
    }
    slot.tokens.assign(prompt.begin(), prompt.end());
    slot.tokens.insert(slot.tokens.end(), answer.begin(), answer.end());
    slot.last_used = ++m_clock;
    return choice;
}

/// Nothing is kept twice: neither what a longer entry holds, nor entries that the new one holds.
void SlotCache::saveToHost(std::vector<Token> tokens)
{
    const auto holds = [](const std::vector<Token> &longer, const std::vector<Token> &shorter) {
        return commonPrefix(longer, shorter) == int(shorter.size());
    };
    if (tokens.empty()
        || std::any_of(m_host.begin(), m_host.end(), [&](const auto &entry) { return holds(entry, tokens); })) {
        return;
    }
    std::erase_if(m_host, [&](const auto &entry) { return holds(tokens, entry); });
    m_host.push_back(std::move(tokens));
    std::int64_t total = 0;
    for (const auto &entry : m_host) {
        total += size(entry);
    }
    while (total > m_options.host_tokens) {
        total -= size(m_host.front());
        m_host.pop_front();
    }
}

/// Takes the entry that beats the slot both in what it covers of the prompt and in how much of itself is of use; one
/// that would lose three quarters stays.
bool SlotCache::loadFromHost(Slot &slot, std::span<const Token> prompt)
{
    const auto ratio = [](int common, std::size_t whole) { return whole == 0 ? -1.0 : double(common) / double(whole); };
    constexpr double leastKept = 0.25;
    int bestCommon = commonPrefix(slot.tokens, prompt);
    double bestKept = ratio(bestCommon, slot.tokens.size()); // an empty slot: any entry wins
    auto best = m_host.end();
    for (auto entry = m_host.begin(); entry != m_host.end(); ++entry) {
        const int common = commonPrefix(*entry, prompt);
        const double kept = ratio(common, entry->size());
        if (kept >= leastKept && kept > bestKept && common > bestCommon) {
            bestCommon = common;
            bestKept = kept;
            best = entry;
        }
    }
    if (best == m_host.end()) {
        return false;
    }
    slot.tokens = std::move(*best);
    m_host.erase(best);
    return true;
}

} // namespace kvlab::prefix
