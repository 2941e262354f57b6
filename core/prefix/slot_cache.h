// SPDX-License-Identifier: GPL-3.0-or-later
// The prompt cache of llama.cpp's server (tools/server: get_available_slot, server_prompt_cache): a few slots, each
// with the tokens of its last request; a new prompt takes the slot whose tokens cover the largest part of it, above a
// threshold, else the least recently used one, and keeps exactly the common prefix. What a slot is about to lose goes
// to a cache in host memory, where a better start may lie. At least one token is always computed. Checked against the
// slots and hits that a server reported. No I/O, no data.
#pragma once

#include "prefix/block_hash.h"

#include <list>

namespace kvlab::prefix {

class SlotCache
{
public:
    struct Options
    {
        int slots = 4; ///< -np
        int similarity_per_mille = 100; ///< -sps: common / prompt length must be above it; 0 = never compare
        std::int64_t host_tokens = 0; ///< room of the host cache (--cache-ram, in tokens here); 0 = none
        /// --cache-reuse: later pieces of at least so many tokens are reused too, moved to their new place; 0 = never.
        int reuse_chunk = 0;
        bool idle_slots_to_host = false; ///< --cache-idle-slots, the default when slots share one cache
    };

    /// Throws std::invalid_argument without at least one slot.
    explicit SlotCache(const Options &options);

    struct Choice
    {
        int slot = 0;
        int cached_tokens = 0;
        bool by_similarity = false;
        bool from_host = false;
    };
    /// Where a prompt would go and what it would reuse there; the host cache is not asked, nothing changes.
    Choice choose(std::span<const Token> prompt) const;

    /// Serves a prompt; `answer` are the generated tokens that stay in the slot behind it. `cache_prompt: false`
    /// computes everything.
    Choice serve(std::span<const Token> prompt, std::span<const Token> answer = {}, bool cachePrompt = true);

    /// Puts a slot into a known state, for scenarios.
    void setSlot(int slot, std::vector<Token> tokens, std::int64_t lastUsed);

private:
    struct Slot
    {
        std::vector<Token> tokens;
        std::int64_t last_used = -1; ///< -1 = never
    };
    int reusable(std::span<const Token> cached, std::span<const Token> prompt) const;
    void saveToHost(std::vector<Token> tokens);
    bool loadFromHost(Slot &slot, std::span<const Token> prompt);
    bool shouldSwap(const Choice &choice, const Slot &slot, std::span<const Token> prompt) const;

    Options m_options;
    std::vector<Slot> m_slots;
    std::list<std::vector<Token>> m_host; ///< oldest first
    std::int64_t m_clock = 0;
};

} // namespace kvlab::prefix
