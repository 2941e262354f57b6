// SPDX-License-Identifier: GPL-3.0-or-later
#include "prefix/trace_player.h"

#include "prefix/tier_index.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace kvlab::prefix {

namespace {

constexpr int nullBlock = 0;

/// Chunks in RAM and on disk, counted, not weighed: all are of one size.
class Tiers
{
public:
    explicit Tiers(const TraceOptions &options)
        : m_chunks(options.chunks)
        , m_ram(EvictionPolicy::lru, options.ram_chunks)
        , m_disk(EvictionPolicy::lru, options.disk_chunks)
    {
    }

    bool any() const { return m_ram.budget() > 0 || m_disk.budget() > 0; }
    HashChain chunksOf(const HashChain &prompt, const ExtraKeys &keys) const
    {
        HashChain chunks(m_chunks.chunk_size, keys);
        chunks.append(prompt.tokens());
        return chunks;
    }

    /// Leading chunks without a gap, each with the tier that gives it.
    std::vector<BlockOrigin> lookup(const HashChain &chunks) const
    {
        std::vector<BlockOrigin> found;
        for (const BlockHash &chunk : chunks.hashes()) {
            if (!m_ram.contains(chunk) && !m_disk.contains(chunk))
                break;
            found.push_back(m_ram.contains(chunk) ? BlockOrigin::ram : BlockOrigin::disk);
        }
        return found;
    }

    void load(const BlockHash &chunk)
    {
        if (m_ram.contains(chunk))
            return m_ram.use(chunk);
        m_disk.use(chunk);
        m_ram.insert(chunk, 1);
    }

    void store(const HashChain &chunks)
    {
        for (const BlockHash &chunk : chunks.hashes()) {
            for (TierIndex *tier : {&m_ram, &m_disk}) {
                if (!tier->contains(chunk))
                    tier->insert(chunk, 1);
            }
        }
    }

    void restart() { m_ram.clear(); }
    int chunkSize() const { return m_chunks.chunk_size; }

private:
    LmcacheRules m_chunks;
    TierIndex m_ram;
    TierIndex m_disk;
};

/// Plays steps one after another.
class Simulation
{
public:
    explicit Simulation(const TraceOptions &options)
        : m_options(options)
        , m_pool(options.pool)
        , m_tiers(options)
        , m_contents(std::size_t(options.pool.blocks))
    {
    }

    StepOutcome play(const TraceStep &step);
    PoolState state() const;

private:
    struct Request
    {
        HashChain chain;
        BlockPool::Allocation allocation;
        std::vector<BlockOrigin> origins; ///< by place in the table
    };
    struct Content
    {
        std::optional<int> filled_in;
        std::optional<BlockHash> parent;
        std::vector<Token> tokens;
        int position = 0;
    };

    void play(const TraceAction &action, StepOutcome &outcome);
    void request(const TraceAction &action, StepOutcome &outcome);
    void loadChunks(const HashChain &chunks, Request &request, StepOutcome &outcome);
    void append(const TraceAction &action, StepOutcome &outcome);
    void release(const TraceAction &action, StepOutcome &outcome);
    void restart(StepOutcome &outcome);
    void write(const Request &request, int firstBlock);
    void noteEvents(StepOutcome &outcome);
    Request &running(const TraceAction &action);

    TraceOptions m_options;
    BlockPool m_pool;
    Tiers m_tiers;
    std::map<std::string, Request> m_running;
    std::vector<Content> m_contents; ///< by block number
    int m_step = -1;
    std::optional<int> m_stripStep;
};

StepOutcome Simulation::play(const TraceStep &step)
{
    ++m_step;
    StepOutcome outcome;
    for (const TraceAction &action : step.actions) {
        play(action, outcome);
        noteEvents(outcome);
    }
    if (outcome.scheduled)
        m_stripStep = m_step;
    return outcome;
}

void Simulation::play(const TraceAction &action, StepOutcome &outcome)
{
    switch (action.kind) {
    case TraceAction::Kind::request:
        return request(action, outcome);
    case TraceAction::Kind::append:
        return append(action, outcome);
    case TraceAction::Kind::release:
        return release(action, outcome);
    case TraceAction::Kind::reset:
        outcome.reset = m_pool.reset();
        return;
    case TraceAction::Kind::restart:
        return restart(outcome);
    }
}

void Simulation::request(const TraceAction &action, StepOutcome &outcome)
{
    if (m_running.contains(action.request))
        throw std::invalid_argument("A step starts a request that runs already.");
    HashChain chain(m_options.pool.block_size, action.keys);
    chain.append(action.tokens);
    outcome.prompt_tokens = chain.size();
    auto allocation = m_pool.allocate(chain);
    outcome.scheduled = allocation.has_value();
    outcome.pool_tokens = allocation ? allocation->cached_tokens : m_pool.cachedPrefix(chain);
    outcome.ram_tokens = outcome.disk_tokens = 0;
    outcome.strip.clear();
    if (!allocation)
        return;
    const int found = allocation->committed_blocks;
    Request request{std::move(chain), std::move(*allocation), {}};
    const auto &table = request.allocation.blocks();
    request.origins.assign(table.size(), BlockOrigin::computed);
    std::fill_n(request.origins.begin(), found, BlockOrigin::pool);
    if (m_tiers.any()) {
        const HashChain chunks = m_tiers.chunksOf(request.chain, action.keys);
        loadChunks(chunks, request, outcome);
        m_tiers.store(chunks);
    }
    m_pool.commit(request.allocation, request.chain, request.chain.size());
    write(request, found);
    const int size = m_options.pool.block_size;
    for (int i = 0; i < int(table.size()); ++i) {
        outcome.strip.push_back({table[std::size_t(i)], std::min(size, outcome.prompt_tokens - i * size),
            request.origins[std::size_t(i)], {}});
    }
    m_running.emplace(action.request, std::move(request));
}

/// The engine asks the tiers only for what its pool lacks, and always computes the last token.
void Simulation::loadChunks(const HashChain &chunks, Request &request, StepOutcome &outcome)
{
    const std::vector<BlockOrigin> found = m_tiers.lookup(chunks);
    const int prompt = outcome.prompt_tokens;
    const int poolHit = outcome.pool_tokens;
    const int chunk = m_tiers.chunkSize();
    const int need = LmcacheRules::needToLoad(int(found.size()) * chunk, poolHit, prompt);
    if (m_options.chunks.load(need) <= 0)
        return;
    for (int i = poolHit / chunk; i < int(found.size()); ++i) {
        const BlockOrigin tier = found[std::size_t(i)];
        const int from = std::max(poolHit, i * chunk);
        const int until = std::min((i + 1) * chunk, prompt - 1);
        (tier == BlockOrigin::ram ? outcome.ram_tokens : outcome.disk_tokens) += until - from;
        for (int block = from / m_options.pool.block_size; block * m_options.pool.block_size < until; ++block)
            request.origins[std::size_t(block)] = tier;
        m_tiers.load(chunks.hashes()[std::size_t(i)]);
    }
}

void Simulation::append(const TraceAction &action, StepOutcome &outcome)
{
    Request &request = running(action);
    const int before = request.chain.size();
    if (!m_pool.append(request.allocation, before, int(action.tokens.size()))) {
        outcome.scheduled = false;
        return;
    }
    request.chain.append(action.tokens);
    request.origins.resize(request.allocation.blocks().size(), BlockOrigin::computed);
    m_pool.commit(request.allocation, request.chain, request.chain.size());
    write(request, before / m_options.pool.block_size);
}

void Simulation::release(const TraceAction &action, StepOutcome &outcome)
{
    const Request &request = running(action);
    m_pool.release(request.allocation);
    for (const int block : request.allocation.blocks())
        outcome.released_blocks += m_pool.references(block) == 0 ? 1 : 0;
    m_running.erase(action.request);
}

/// The pool and RAM go with the process; files stay.
void Simulation::restart(StepOutcome &outcome)
{
    outcome.restarted = true;
    for (int block = nullBlock + 1; block < m_options.pool.blocks; ++block) {
        if (m_pool.hashOf(block))
            outcome.evicted.push_back(block);
    }
    m_running.clear();
    m_pool = BlockPool(m_options.pool);
    m_tiers.restart();
    m_contents.assign(m_contents.size(), {});
}

void Simulation::write(const Request &request, int firstBlock)
{
    const int size = m_options.pool.block_size;
    const auto &table = request.allocation.blocks();
    const auto &tokens = request.chain.tokens();
    for (int i = firstBlock; i < int(table.size()); ++i) {
        const auto begin = tokens.begin() + std::ptrdiff_t(i) * size;
        const auto end = tokens.begin() + std::min(std::ptrdiff_t(i + 1) * size, std::ptrdiff_t(tokens.size()));
        Content &content = m_contents[std::size_t(table[std::size_t(i)])];
        content = {m_step, {}, {begin, end}, i};
        if (i > 0)
            content.parent = request.chain.hashes()[std::size_t(i) - 1];
    }
}

void Simulation::noteEvents(StepOutcome &outcome)
{
    for (const BlockEvent &event : m_pool.takeEvents()) {
        if (event.kind == BlockEvent::Kind::removed)
            outcome.evicted.insert(outcome.evicted.end(), event.blocks.begin(), event.blocks.end());
        if (event.kind == BlockEvent::Kind::cleared) {
            for (int block = nullBlock + 1; block < m_options.pool.blocks; ++block) {
                if (m_contents[std::size_t(block)].filled_in)
                    outcome.evicted.push_back(block);
            }
            m_contents.assign(m_contents.size(), {});
        }
    }
}

Simulation::Request &Simulation::running(const TraceAction &action)
{
    const auto found = m_running.find(action.request);
    if (found == m_running.end())
        throw std::invalid_argument("A step uses a request that does not run.");
    return found->second;
}

PoolState Simulation::state() const
{
    PoolState state;
    state.queue = m_pool.freeQueue();
    state.cached_blocks = m_pool.cachedBlocks();
    state.usage = m_pool.usage();
    state.strip_step = m_stripStep;
    state.blocks.resize(m_contents.size());
    for (std::size_t i = 0; i < m_contents.size(); ++i) {
        const Content &content = m_contents[i];
        BlockState &block = state.blocks[i];
        block.references = m_pool.references(int(i));
        block.hash = m_pool.hashOf(int(i));
        block.filled_in = content.filled_in;
        block.tokens = content.tokens;
        block.position = content.position;
        if (block.hash)
            block.parent = content.parent;
    }
    for (std::size_t place = 0; place < state.queue.size(); ++place)
        state.blocks[std::size_t(state.queue[place])].queue_place = int(place) + 1;
    for (const auto &[name, request] : m_running) {
        const auto &table = request.allocation.blocks();
        for (std::size_t i = 0; i < table.size(); ++i) {
            BlockOrigin &origin = state.blocks[std::size_t(table[i])].origin;
            if (origin != BlockOrigin::pool && request.origins[i] != BlockOrigin::computed)
                origin = request.origins[i];
        }
    }
    return state;
}

} // namespace

int StepOutcome::count(BlockOrigin origin) const
{
    return int(std::count_if(
        strip.begin(), strip.end(), [origin](const StripBlock &block) { return block.origin == origin; }));
}

std::vector<QueueSegment> queueSegments(const PoolState &state)
{
    std::vector<QueueSegment> segments;
    for (const int number : state.queue) {
        const BlockState &block = state.blocks[std::size_t(number)];
        if (segments.empty() || segments.back().filled_in != block.filled_in)
            segments.push_back({number, number, 0, 0, block.filled_in});
        QueueSegment &segment = segments.back();
        segment.last = number;
        ++segment.count;
        segment.cached += block.hash ? 1 : 0;
    }
    return segments;
}

TracePlayer::TracePlayer(TraceOptions options, std::vector<TraceStep> steps)
    : m_options(std::move(options))
    , m_steps(std::move(steps))
{
    m_options.pool.events = true;
    Simulation simulation(m_options);
    for (const TraceStep &step : m_steps)
        m_outcomes.push_back(simulation.play(step));
    noteEvictions();
}

/// A block of a prompt that a later step throws out; what that step is, is known only now.
void TracePlayer::noteEvictions()
{
    std::map<int, int> evictedIn; ///< block → the next step that throws it out
    for (int step = int(m_outcomes.size()) - 1; step >= 0; --step) {
        StepOutcome &outcome = m_outcomes[std::size_t(step)];
        for (StripBlock &block : outcome.strip) {
            if (const auto found = evictedIn.find(block.block); found != evictedIn.end())
                block.evicted_in = found->second;
        }
        for (const int block : outcome.evicted)
            evictedIn[block] = step;
    }
}

PoolState TracePlayer::stateAfter(int step) const
{
    Simulation simulation(m_options);
    for (int i = 0; i <= step; ++i)
        simulation.play(m_steps.at(std::size_t(i)));
    return simulation.state();
}

} // namespace kvlab::prefix
