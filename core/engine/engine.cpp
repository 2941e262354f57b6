// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine.h"

#include "engine/chunk_mover.h"
#include "engine/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <random>
#include <stdexcept>

namespace kvlab::engine {

namespace {

using prefix::BlockPool;
using prefix::HashChain;
using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

int threadsOrDefault(int threads)
{
    return threads > 0 ? threads : std::min(4, physicalCores());
}

/// Multiplications of a cold prefill: the matrices once per token, attention once per pair of tokens.
double prefillWork(const TransformerShape &shape, int tokens)
{
    const double matrices = double(shape.parameters() - std::int64_t(shape.vocab) * shape.hidden);
    const double perPair = 2.0 * shape.layers * shape.heads * shape.head_dim;
    return tokens * matrices + 0.5 * tokens * tokens * perPair;
}

EngineOptions completed(EngineOptions options)
{
    options.threads = threadsOrDefault(options.threads);
    if (options.pool_blocks == 0 && options.block_size > 0) {
        options.pool_blocks = 4 * maxContext / options.block_size + 1;
    }
    return options;
}

Transformer::Options modelOptions(const EngineOptions &options, int vocab)
{
    return {shapeOf(options.size, vocab), options.seed, options.threads, options.pool_blocks, options.block_size};
}

BlockPool::Options poolOptions(const EngineOptions &options)
{
    BlockPool::Options pool;
    pool.blocks = options.pool_blocks;
    pool.block_size = options.block_size;
    pool.prefix_caching = options.prefix_caching;
    return pool;
}

} // namespace

std::string engineSizeName(EngineSize size)
{
    switch (size) {
    case EngineSize::small:
        return "small";
    case EngineSize::medium:
        return "medium";
    case EngineSize::large:
        return "large";
    }
    return {};
}

std::optional<EngineSize> engineSizeFromName(const std::string &name)
{
    for (const EngineSize size : {EngineSize::small, EngineSize::medium, EngineSize::large}) {
        if (name == engineSizeName(size)) {
            return size;
        }
    }
    return std::nullopt;
}

TransformerShape shapeOf(EngineSize size, int vocab)
{
    // Each size is about four times the work of the one before.
    switch (size) {
    case EngineSize::small:
        return {4, 384, 6, 2, 64, 896, vocab};
    case EngineSize::medium:
        return {8, 512, 8, 2, 64, 1408, vocab};
    case EngineSize::large:
        return {16, 768, 12, 2, 64, 2048, vocab};
    }
    return {};
}

EngineSize sizeForTimes(const std::array<double, 3> &coldSeconds)
{
    constexpr double shortest = 0.3;
    constexpr double longest = 1.5;
    constexpr double wanted = 0.7;
    const auto rank = [](double seconds) {
        const bool outside = seconds < shortest || seconds > longest;
        return std::make_pair(outside, std::abs(std::log(seconds / wanted)));
    };
    const auto best = std::min_element(
        coldSeconds.begin(), coldSeconds.end(), [&rank](double a, double b) { return rank(a) < rank(b); });
    return EngineSize(best - coldSeconds.begin());
}

EngineSize chooseSize(int threads)
{
    constexpr int probeTokens = 256;
    constexpr int promptTokens = 1500;
    constexpr int vocab = 256; // the vocabulary costs nothing in a prefill
    constexpr double enoughMilliseconds = 150;

    const TransformerShape shape = shapeOf(EngineSize::small, vocab);
    const int blockSize = EngineOptions().block_size;
    const int blockCount = probeTokens / blockSize;
    Transformer model({shape, 1, threadsOrDefault(threads), blockCount + 1, blockSize});
    const std::vector<Token> tokens(probeTokens, 1);
    std::vector<int> blocks;
    for (int block = 1; block <= blockCount; ++block) {
        blocks.push_back(block);
    }

    // The fastest of several: anything else that runs now only makes it slower.
    const auto begin = Clock::now();
    double fastest = INFINITY;
    do {
        const auto start = Clock::now();
        model.forward(tokens, 0, blocks);
        fastest = std::min(fastest, millisecondsSince(start));
    } while (millisecondsSince(begin) < enoughMilliseconds);

    const double secondsPerWork = fastest / 1000 / prefillWork(shape, probeTokens);
    std::array<double, 3> coldSeconds{};
    for (const EngineSize size : {EngineSize::small, EngineSize::medium, EngineSize::large}) {
        coldSeconds[std::size_t(size)] = secondsPerWork * prefillWork(shapeOf(size, vocab), promptTokens);
    }
    return sizeForTimes(coldSeconds);
}

const std::vector<double> &ttftBuckets()
{
    static const std::vector<double> bounds{0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5,
        5.0, 7.5, 10.0, 20.0, 40.0, 80.0, 160.0, 640.0, 2560.0};
    return bounds;
}

class Engine::Private
{
public:
    Private(const EngineOptions &chosen, const Tokenizer &tokenizer);

    /// One request from its turn to its end.
    struct Run
    {
        const GenerateRequest &request;
        const std::function<bool(Token)> &onToken;
        const std::atomic<bool> *cancelled;
        Clock::time_point arrival;
        HashChain chain; ///< prompt and answer
        BlockPool::Allocation allocation;
        int computed = 0; ///< leading tokens whose K and V are in the blocks
        GenerateResult result;

        bool isCancelled() const { return cancelled && *cancelled; }
    };
    class Turn;
    class Lease;

    void check(const GenerateRequest &request) const;
    void serve(Run &run);
    bool takeBlocks(Run &run);
    void loadFromTiers(Run &run);
    void storeToTiers(Run &run);
    void generateTokens(Run &run);
    bool roomForMore(Run &run);
    void countToken(Run &run);
    void countFinish(const GenerateResult &result);
    Token choose(const std::vector<float> &logits, double temperature, std::mt19937_64 &random) const;
    Token draw(const std::vector<float> &logits, double temperature, std::mt19937_64 &random) const;

    EngineOptions options;
    Transformer model;
    std::unique_ptr<ChunkMover> tiers; ///< null without any
    prefix::BlockHash hashRoot;
    std::vector<Token> printable; ///< the only tokens that are generated

    std::mutex mutex; ///< guards what follows; never held while the model computes
    std::condition_variable turnChanged;
    BlockPool pool;
    EngineCounters totals;
    std::deque<std::uint64_t> queue; ///< requests in order of arrival; the first one runs
    std::uint64_t arrivals = 0;
};

/// A place in the queue, given up on destruction.
class Engine::Private::Turn
{
public:
    explicit Turn(Private &engine)
        : m_engine(engine)
    {
        const std::lock_guard lock(m_engine.mutex);
        m_number = m_engine.arrivals++;
        m_engine.queue.push_back(m_number);
    }

    ~Turn()
    {
        const std::lock_guard lock(m_engine.mutex);
        std::erase(m_engine.queue, m_number);
        m_engine.turnChanged.notify_all();
    }

    /// False when the request was cancelled while it waited.
    bool wait(const Run &run)
    {
        // Nobody announces a cancellation: a waiting request looks now and then.
        constexpr auto interval = std::chrono::milliseconds(20);
        std::unique_lock lock(m_engine.mutex);
        while (m_engine.queue.front() != m_number && !run.isCancelled()) {
            m_engine.turnChanged.wait_for(lock, interval);
        }
        return !run.isCancelled();
    }

    Turn(const Turn &) = delete;
    Turn &operator=(const Turn &) = delete;

private:
    Private &m_engine;
    std::uint64_t m_number = 0;
};

/// Blocks of a running request. However it ends, what was computed stays cached and the blocks go back. No other
/// request runs meanwhile, so registering the hashes at the end is as good as doing it at once.
class Engine::Private::Lease
{
public:
    Lease(Private &engine, Run &run)
        : m_engine(engine)
        , m_run(run)
    {
    }

    ~Lease()
    {
        m_engine.storeToTiers(m_run);
        // The last token that was generated is not among the computed ones: it has no K and V yet.
        const std::lock_guard lock(m_engine.mutex);
        m_engine.pool.commit(m_run.allocation, m_run.chain, m_run.computed);
        m_engine.pool.release(m_run.allocation);
    }

    Lease(const Lease &) = delete;
    Lease &operator=(const Lease &) = delete;

private:
    Private &m_engine;
    Run &m_run;
};

Engine::Private::Private(const EngineOptions &chosen, const Tokenizer &tokenizer)
    : options(completed(chosen))
    , model(modelOptions(options, tokenizer.vocabSize()))
    , hashRoot(prefix::rootHash(options.hash_seed))
    , pool(poolOptions(options))
{
    for (Token token = 0; token < tokenizer.vocabSize(); ++token) {
        if (tokenizer.isPrintable(token)) {
            printable.push_back(token);
        }
    }
    if (printable.empty()) {
        throw std::invalid_argument("The vocabulary holds no token that could be printed.");
    }
    totals.ttft_seconds_buckets.resize(ttftBuckets().size());
    if (options.tiers.any()) {
        prefix::LmcacheRules rules;
        rules.chunk_size = options.chunk_size;
        tiers = std::make_unique<ChunkMover>(model, options.tiers, rules);
    }
}

void Engine::Private::check(const GenerateRequest &request) const
{
    const int vocab = model.shape().vocab;
    const bool known = std::all_of(
        request.prompt.begin(), request.prompt.end(), [vocab](Token token) { return token >= 0 && token < vocab; });
    if (request.prompt.empty() || !known || request.max_tokens < 1) {
        throw std::invalid_argument("A request needs known prompt tokens and max_tokens of at least 1.");
    }
}

/// Takes blocks, fills them from the tiers, computes the rest, gives them back.
void Engine::Private::serve(Run &run)
{
    run.result.queue_ms = millisecondsSince(run.arrival);
    if (!takeBlocks(run)) {
        run.result.finish = GenerateResult::Finish::no_room;
        return;
    }
    const Lease lease(*this, run);
    loadFromTiers(run);
    generateTokens(run);
}

bool Engine::Private::takeBlocks(Run &run)
{
    const std::lock_guard lock(mutex);
    std::optional<BlockPool::Allocation> allocation;
    if (run.chain.size() < maxContext) { // one place is for what is generated
        allocation = pool.allocate(run.chain);
    }
    if (!allocation) {
        return false;
    }
    run.allocation = std::move(*allocation);
    run.computed = run.allocation.cached_tokens;
    run.result.cached_tokens = run.computed;
    if (options.prefix_caching) {
        totals.prefix_cache_queries += run.result.prompt_tokens;
        totals.prefix_cache_hits += run.result.cached_tokens;
    }
    return true;
}

void Engine::Private::loadFromTiers(Run &run)
{
    const int local = run.computed;
    if (tiers) {
        const auto loaded = tiers->load(run.chain, run.allocation.blocks(), local, run.cancelled);
        run.computed = loaded.tokens;
        run.result.cached_tokens = loaded.tokens;
        run.result.ram_tokens = loaded.ram_tokens;
        run.result.disk_tokens = loaded.disk_tokens;
    }
    const std::lock_guard lock(mutex);
    totals.external_prefix_cache_queries += tiers ? run.result.prompt_tokens - local : 0;
    totals.external_prefix_cache_hits += run.computed - local;
    totals.ram_tokens += run.result.ram_tokens;
    totals.disk_tokens += run.result.disk_tokens;
    totals.computed_prompt_tokens += run.result.prompt_tokens - run.computed;
}

/// While the blocks are still this request's. Called when a request ends, however it ends: nothing may come out of it.
void Engine::Private::storeToTiers(Run &run)
{
    if (!tiers) {
        return;
    }
    try {
        const int most = options.save_decode_cache ? run.computed : run.result.prompt_tokens;
        tiers->store(run.chain, run.allocation.blocks(), std::min(run.computed, most));
    } catch (const std::bad_alloc &) {
        // Without memory for a copy nothing more is stored this time.
    }
}

/// The first pass computes what the cache lacked of the prompt, every later one the token generated last.
void Engine::Private::generateTokens(Run &run)
{
    std::mt19937_64 random(run.request.seed);
    do {
        const auto logits = model.forward(run.chain.tokens(), run.computed, run.allocation.blocks(), run.cancelled);
        run.computed = model.computedTokens();
        if (logits.empty()) {
            run.result.finish = GenerateResult::Finish::cancelled;
            return;
        }
        if (run.request.keep_logits && run.result.completion_tokens == 0) {
            run.result.first_logits = logits;
        }
        const Token token = choose(logits, run.request.temperature, random);
        run.chain.append(token);
        countToken(run);
        if (!run.onToken(token)) {
            run.result.finish = GenerateResult::Finish::stop;
            return;
        }
    } while (roomForMore(run));
    run.result.finish = GenerateResult::Finish::length;
}

bool Engine::Private::roomForMore(Run &run)
{
    if (run.result.completion_tokens >= run.request.max_tokens || run.chain.size() >= maxContext) {
        return false;
    }
    const std::lock_guard lock(mutex);
    return pool.append(run.allocation, run.chain.size() - 1);
}

void Engine::Private::countToken(Run &run)
{
    const std::lock_guard lock(mutex);
    ++run.result.completion_tokens;
    ++totals.generation_tokens;
    if (run.result.completion_tokens > 1) {
        return;
    }
    run.result.ttft_ms = millisecondsSince(run.arrival);
    const double seconds = run.result.ttft_ms / 1000;
    const auto bucket = std::lower_bound(ttftBuckets().begin(), ttftBuckets().end(), seconds);
    if (bucket != ttftBuckets().end()) {
        ++totals.ttft_seconds_buckets[std::size_t(bucket - ttftBuckets().begin())];
    }
    totals.ttft_seconds_sum += seconds;
    ++totals.ttft_count;
    totals.prompt_tokens += run.result.prompt_tokens;
}

void Engine::Private::countFinish(const GenerateResult &result)
{
    const std::lock_guard lock(mutex);
    if (result.finish == GenerateResult::Finish::length || result.finish == GenerateResult::Finish::stop) {
        ++totals.requests_finished;
    }
}

Token Engine::Private::choose(const std::vector<float> &logits, double temperature, std::mt19937_64 &random) const
{
    if (temperature > 0) {
        return draw(logits, temperature, random);
    }
    return *std::max_element(printable.begin(), printable.end(),
        [&logits](Token a, Token b) { return logits[std::size_t(a)] < logits[std::size_t(b)]; });
}

/// A token with probability softmax(logits / temperature).
Token Engine::Private::draw(const std::vector<float> &logits, double temperature, std::mt19937_64 &random) const
{
    const Token likeliest = choose(logits, 0, random);
    std::vector<double> sums; // running sums of the weights
    sums.reserve(printable.size());
    double total = 0;
    for (const Token token : printable) {
        total += std::exp((double(logits[std::size_t(token)]) - double(logits[std::size_t(likeliest)])) / temperature);
        sums.push_back(total);
    }
    const double point = double(random() >> 11) * 0x1p-53 * total;
    const auto hit = std::upper_bound(sums.begin(), sums.end(), point);
    return hit == sums.end() ? likeliest : printable[std::size_t(hit - sums.begin())];
}

Engine::Engine(const EngineOptions &options, const Tokenizer &tokenizer)
    : d(std::make_unique<Private>(options, tokenizer))
{
}

Engine::~Engine() = default;

GenerateResult Engine::generate(
    const GenerateRequest &request, const std::function<bool(Token)> &onToken, const std::atomic<bool> *cancelled)
{
    d->check(request);
    Private::Run run{request, onToken, cancelled, Clock::now(),
        HashChain(d->options.block_size, {{}, request.cache_salt}, d->hashRoot), {}, 0, {}};
    run.chain.append(request.prompt);
    run.result.prompt_tokens = int(request.prompt.size());
    Private::Turn turn(*d);
    if (turn.wait(run)) {
        d->serve(run);
    } else {
        run.result.queue_ms = millisecondsSince(run.arrival);
        run.result.finish = GenerateResult::Finish::cancelled;
    }
    d->countFinish(run.result);
    return run.result;
}

bool Engine::resetPrefixCache()
{
    const std::lock_guard lock(d->mutex);
    return d->pool.reset();
}

void Engine::waitForStores()
{
    if (d->tiers) {
        d->tiers->waitForStores();
    }
}

EngineCounters Engine::counters() const
{
    const std::lock_guard lock(d->mutex);
    EngineCounters counters = d->totals;
    counters.running = d->queue.empty() ? 0 : 1;
    counters.waiting = std::max(0, int(d->queue.size()) - 1);
    counters.kv_cache_usage = d->pool.usage();
    counters.tiers = d->tiers ? d->tiers->counters() : TierCounters();
    return counters;
}

const EngineOptions &Engine::options() const
{
    return d->options;
}

TransformerShape Engine::shape() const
{
    return d->model.shape();
}

} // namespace kvlab::engine
