// SPDX-License-Identifier: GPL-3.0-or-later
// The practice engine: tokens in, tokens out, one request at a time, with prefix reuse and counters.
// Its text is gibberish (weights from a seed); its times and hits are real.
#pragma once

#include "engine/tier_store.h"
#include "engine/transformer.h"
#include "prefix/block_pool.h"

#include <array>
#include <functional>
#include <optional>
#include <string>

namespace kvlab::engine {

inline constexpr int maxContext = 8192;

enum class EngineSize { small, medium, large };
std::string engineSizeName(EngineSize size);
std::optional<EngineSize> engineSizeFromName(const std::string &name);
TransformerShape shapeOf(EngineSize size, int vocab);

/// Measures this machine (some tenths of a second at most) and takes the size whose 1,500-token prompt lies between 0.3
/// and 1.5 s cold, near 0.7 s if there is a choice. `threads` as in EngineOptions.
EngineSize chooseSize(int threads);
/// The rule behind it: seconds for small, medium and large.
EngineSize sizeForTimes(const std::array<double, 3> &coldSeconds);

struct EngineOptions
{
    EngineSize size = EngineSize::medium;
    int threads = 0; ///< 0 = the physical cores, at most 4
    int block_size = 16; ///< tokens
    int pool_blocks = 0; ///< 0 = four full contexts and the null block
    bool prefix_caching = true;
    std::uint64_t seed = 1;
    /// Root of the hash chain, as PYTHONHASHSEED for vLLM: engines with unequal ones share nothing.
    std::string hash_seed;
    TierOptions tiers; ///< none by default
    int chunk_size = 256; ///< tokens that go to a tier together; a multiple of block_size
    bool save_decode_cache = false; ///< store generated tokens in the tiers too, as LMCache's option of that name
};

struct GenerateRequest
{
    std::vector<Token> prompt;
    int max_tokens = 16;
    std::string cache_salt;
    double temperature = 0; ///< 0 = always the likeliest token
    std::uint64_t seed = 0; ///< for temperatures above 0
    bool keep_logits = false; ///< give back those of the first token
};

struct GenerateResult
{
    /// length: max_tokens, the context or the block pool is used up; stop: onToken wanted no more; no_room: the prompt
    /// does not fit into the context or the pool, nothing was computed.
    enum class Finish { length, stop, cancelled, no_room };
    Finish finish = Finish::length;
    int prompt_tokens = 0;
    int cached_tokens = 0; ///< from the block pool and the tiers
    int ram_tokens = 0; ///< of these, loaded from the RAM tier
    int disk_tokens = 0; ///< … and from the disk tier
    int completion_tokens = 0;
    double queue_ms = 0;
    double ttft_ms = 0; ///< from arrival in the engine to the first token; 0 when there was none
    std::vector<float> first_logits; ///< when asked for
};

/// Totals since start, under the meaning that vLLM's metrics have (tokens, not requests).
struct EngineCounters
{
    std::int64_t prefix_cache_queries = 0; ///< of the block pool, like the hits
    std::int64_t prefix_cache_hits = 0;
    std::int64_t external_prefix_cache_queries = 0; ///< tokens that the pool lacked, when there is a tier
    std::int64_t external_prefix_cache_hits = 0;
    std::int64_t ram_tokens = 0; ///< external hits by tier
    std::int64_t disk_tokens = 0;
    std::int64_t computed_prompt_tokens = 0; ///< found nowhere, hence computed
    std::int64_t prompt_tokens = 0;
    std::int64_t generation_tokens = 0;
    std::int64_t requests_finished = 0;
    int running = 0;
    int waiting = 0;
    double kv_cache_usage = 0;
    std::vector<double> ttft_seconds_buckets; ///< how many fell into each of ttftBuckets(), not added up
    double ttft_seconds_sum = 0;
    std::int64_t ttft_count = 0;
    TierCounters tiers;
};
const std::vector<double> &ttftBuckets(); ///< upper bounds in seconds, those of vLLM

class Engine
{
public:
    /// Throws std::runtime_error with a whole sentence when a tier cannot be as asked for.
    Engine(const EngineOptions &options, const Tokenizer &tokenizer);
    ~Engine(); ///< completes what is on its way to a tier

    /// Blocks the calling thread; requests wait their turn in order of arrival. `onToken` returns false to stop;
    /// `cancelled` ends waiting and prefill too. What was computed until then stays cached. Throws
    /// std::invalid_argument when the prompt is empty or holds unknown tokens, or max_tokens is below 1.
    GenerateResult generate(const GenerateRequest &request, const std::function<bool(Token)> &onToken,
        const std::atomic<bool> *cancelled = nullptr);

    bool resetPrefixCache(); ///< of the block pool, not of the tiers; false while a request runs
    void waitForStores(); ///< until what was on its way to the disk tier is there
    EngineCounters counters() const;
    const EngineOptions &options() const; ///< with the values that were chosen for 0
    TransformerShape shape() const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::engine
