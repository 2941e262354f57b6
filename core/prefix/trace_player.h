// SPDX-License-Identifier: GPL-3.0-or-later
// The life of a block pool step by step, forwards and backwards: what each step found, loaded, computed and threw out,
// and every block after it. The pool's rules are BlockPool's (vLLM); beyond the pool come chunks in RAM and on disk by
// LMCache's rules (written to both, looked for in RAM first, what comes from disk goes to RAM too). For pictures: pure,
// and a state is replayed from the start, so that stepping back cannot differ from never having gone on.
#pragma once

#include "prefix/block_pool.h"
#include "prefix/lmcache_rules.h"

#include <QString>

namespace kvlab::prefix {

struct TraceAction
{
    enum class Kind { request, append, release, reset, restart };
    Kind kind = Kind::request;
    std::string request; ///< name of the request; empty for reset and restart
    std::vector<Token> tokens; ///< of request and append
    ExtraKeys keys; ///< of request
};

/// What happens between two states that are looked at.
struct TraceStep
{
    QString title;
    std::vector<TraceAction> actions;
};

struct TraceOptions
{
    BlockPool::Options pool; ///< one group of full attention; `events` is set by the player
    LmcacheRules chunks;
    int ram_chunks = 0; ///< room of the tier in RAM; 0 = no such tier
    int disk_chunks = 0;
};

/// Where the data of a block came from when its request was scheduled.
enum class BlockOrigin { computed, pool, ram, disk };

/// One block of a prompt.
struct StripBlock
{
    int block = 0; ///< number in the pool
    int tokens = 0; ///< of the prompt in it
    BlockOrigin origin = BlockOrigin::computed;
    std::optional<int> evicted_in; ///< the later step that throws it out
};

/// What a step did; figures in tokens unless said otherwise.
struct StepOutcome
{
    std::optional<bool> scheduled; ///< none = no request came; false = it waits, for the pool cannot hold it
    int prompt_tokens = 0; ///< of the step's last request, as the three below
    int pool_tokens = 0;
    int ram_tokens = 0;
    int disk_tokens = 0;
    std::vector<StripBlock> strip;
    int released_blocks = 0; ///< that nobody uses any more
    std::vector<int> evicted; ///< blocks, in the order in which they lost their hashes
    std::optional<bool> reset; ///< none = not asked; false = refused because a request runs
    bool restarted = false;

    int computedTokens() const { return prompt_tokens - pool_tokens - ram_tokens - disk_tokens; }
    int count(BlockOrigin origin) const; ///< blocks of the strip
};

struct BlockState
{
    int references = 0; ///< running requests that hold it
    std::optional<int> queue_place; ///< 1 = taken next; none = in use, or the null block
    std::optional<BlockHash> hash; ///< of a cached block
    std::optional<BlockHash> parent; ///< of a cached block that does not begin a prompt
    std::optional<int> filled_in; ///< the step that wrote it; none = empty
    std::vector<Token> tokens; ///< in it
    int position = 0; ///< in its prompt, counted in blocks from 0
    BlockOrigin origin = BlockOrigin::computed; ///< for the running request that holds it; pool when any found it there
};

struct PoolState
{
    std::vector<BlockState> blocks; ///< by number
    std::vector<int> queue; ///< head (taken next) to tail
    int cached_blocks = 0;
    double usage = 0;
    std::optional<int> strip_step; ///< the latest step up to here in which a request came
};

/// Neighbours in the free queue that the same step wrote.
struct QueueSegment
{
    int first = 0; ///< block numbers at the head's and the tail's side
    int last = 0;
    int count = 0; ///< blocks
    int cached = 0; ///< of them with a hash
    std::optional<int> filled_in; ///< none = empty
};
std::vector<QueueSegment> queueSegments(const PoolState &state);

class TracePlayer
{
public:
    /// Throws std::invalid_argument for a pool that cannot be (see BlockPool) or a step that uses a request that does
    /// not run.
    TracePlayer(TraceOptions options, std::vector<TraceStep> steps);

    const TraceOptions &options() const { return m_options; }
    const std::vector<TraceStep> &steps() const { return m_steps; }
    const std::vector<StepOutcome> &outcomes() const { return m_outcomes; } ///< one a step
    PoolState stateAfter(int step) const; ///< 0 = the first one

private:
    void noteEvictions();

    TraceOptions m_options;
    std::vector<TraceStep> m_steps;
    std::vector<StepOutcome> m_outcomes;
};

} // namespace kvlab::prefix
