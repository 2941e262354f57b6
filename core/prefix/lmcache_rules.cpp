// SPDX-License-Identifier: GPL-3.0-or-later
#include "prefix/lmcache_rules.h"

#include <algorithm>

namespace kvlab::prefix {

std::vector<int> LmcacheRules::storedEnds(int tokens) const
{
    std::vector<int> ends;
    for (int end = chunk_size; end <= tokens; end += chunk_size) {
        ends.push_back(end);
    }
    if (save_unfull_chunk && tokens % chunk_size != 0) {
        ends.push_back(tokens);
    }
    return ends;
}

int LmcacheRules::stored(int tokens) const
{
    return save_unfull_chunk ? tokens : tokens / chunk_size * chunk_size;
}

int LmcacheRules::hit(int storedTokens, int promptTokens, int common) const
{
    const int shared = std::min({common, storedTokens, promptTokens});
    const bool sameTail = save_unfull_chunk && storedTokens == promptTokens && shared == promptTokens;
    return sameTail ? shared : shared / chunk_size * chunk_size;
}

int LmcacheRules::cachedTokens(int hit, int promptTokens)
{
    return std::max(0, std::min(hit, promptTokens - 1));
}

int LmcacheRules::needToLoad(int hit, int poolHit, int promptTokens)
{
    const int missing = std::max(hit - poolHit, 0);
    return hit == promptTokens && missing > 0 ? missing - 1 : missing;
}

int LmcacheRules::load(int needToLoad) const
{
    return needToLoad < min_retrieve_tokens ? 0 : needToLoad;
}

} // namespace kvlab::prefix
