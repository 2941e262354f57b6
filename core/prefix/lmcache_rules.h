// SPDX-License-Identifier: GPL-3.0-or-later
// What LMCache stores and finds, as arithmetic (lmcache/v1/config.py, kv_cache_management docs; checked against hits
// that an LMCache server reported): chunks of 256 tokens, each named by its whole prefix; vLLM asks only for what its
// own prefix cache lacks. All figures are tokens.
#pragma once

#include <vector>

namespace kvlab::prefix {

struct LmcacheRules
{
    int chunk_size = 256;
    bool save_unfull_chunk = false; ///< early 2025 versions stored the tail too
    int min_retrieve_tokens = 0; ///< fewer are not worth a load

    /// Ends of the chunks stored for a prompt: 600 → 256, 512.
    std::vector<int> storedEnds(int tokens) const;
    int stored(int tokens) const;

    /// Tokens found for a prompt whose first `common` tokens equal those of a stored prompt. A tail is found only by a
    /// prompt that ends with it: other prompts go on to a full chunk, which has another name.
    int hit(int storedTokens, int promptTokens, int common) const;

    /// What a client sees as cached when LMCache alone answers: the hit, but the last token is always computed.
    static int cachedTokens(int hit, int promptTokens);

    /// What is left to fetch beyond the engine's own prefix cache; one token less when the hit is the whole prompt.
    static int needToLoad(int hit, int poolHit, int promptTokens);

    /// needToLoad() or nothing.
    int load(int needToLoad) const;
};

} // namespace kvlab::prefix
