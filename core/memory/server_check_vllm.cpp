// SPDX-License-Identifier: GPL-3.0-or-later
// vLLM: a pool of equal blocks, made of what memory is left. Its log gives the memory with two decimals, so that the
// number of blocks is known within a range only, unless it is printed itself.
#include "memory/server_check_steps.h"

#include "memory/cache_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kvlab::memory {

namespace {

constexpr qint64 largestSetting = 1'000'000'000;

/// What vLLM makes of a model: blocks of one size, so many for one sequence of a length.
struct Pool
{
    Bytes block;
    Bytes one_sequence;
    qint64 groups = 1; ///< of layers; each takes its own blocks
    qint64 least_block_size = 0; ///< in tokens, of the groups
};

CheckState alone(const CheckState &state, qint64 seq_len)
{
    CheckState one = state;
    one.query.seq_len = seq_len;
    one.query.batch = 1;
    one.query.dp = 1;
    return one;
}

std::optional<Allocated> allocated(const CheckState &state)
{
    const Allocation allocation = allocate(state.model, state.query, state.profile);
    const auto *got = std::get_if<Allocated>(&allocation);
    return got == nullptr || checkRange(state.query) ? std::nullopt : std::optional(*got);
}

std::optional<Pool> poolOf(const CheckState &state, qint64 seq_len)
{
    const auto one = allocated(alone(state, seq_len));
    const auto token = allocated(alone(state, 1));
    if (!one || !token || !one->pool_block_bytes || *one->pool_block_bytes <= 0 || one->bytes <= 0)
        return std::nullopt;
    Bytes pages;
    std::optional<qint64> least;
    for (const AllocatedGroup &group : token->groups) {
        // A sequence of one token takes one block of every layer, and one more in layers with a window.
        const qint64 blocks = group.kind == QLatin1String("sliding") ? 2 : 1;
        pages += group.bytes / blocks;
        if (group.tokens > 0)
            least = std::min(least.value_or(group.tokens), group.tokens / blocks);
    }
    const Bytes groups = pages / *one->pool_block_bytes;
    if (groups <= 0 || groups > maxRanks || !least)
        return std::nullopt;
    return Pool{*one->pool_block_bytes, one->bytes, groups.convert_to<qint64>(), *least};
}

/// How many blocks the pool has: one number, or what the printed memory leaves open.
struct BlockRange
{
    Bytes least;
    Bytes most;
    Bytes likely; ///< of the memory as printed
    QList<CheckReason> reasons = {}; ///< when it is not what the memory gives
    bool is_printed = false;
};

struct Memory
{
    Quantity least;
    Quantity most; ///< not included
    Quantity printed;
};

/// What "8.11 GiB" can mean; of several devices the least.
std::optional<Memory> memoryOf(const ServerText &text)
{
    std::optional<ServerFigure> chosen;
    for (const ServerFigure &figure : text.all()) {
        if (figure.kind != FigureKind::available_kv_bytes)
            continue;
        const bool is_better = !chosen || (figure.unit == FigureUnit::bytes && chosen->unit != FigureUnit::bytes)
            || (figure.unit == chosen->unit && quantityOf(figure).toDouble() < quantityOf(*chosen).toDouble());
        if (is_better)
            chosen = figure;
    }
    if (!chosen)
        return std::nullopt;
    const Quantity printed = quantityOf(*chosen);
    if (chosen->unit == FigureUnit::bytes)
        return Memory{printed, {Bytes(printed.numerator + 1), 1}, printed};
    // Half of the last digit either way.
    Bytes scale = 200;
    for (int i = 2; i < chosen->decimals; ++i)
        scale *= 10;
    const Bytes middle = printed.numerator * scale / printed.denominator;
    const Bytes half = Bytes(1) << 30;
    return Memory{{Bytes(middle - half), scale}, {Bytes(middle + half), scale}, printed};
}

Bytes whole(const Quantity &memory, const Bytes &unit)
{
    return memory.numerator <= 0 ? Bytes(0) : Bytes(memory.numerator / (memory.denominator * unit));
}

/// “tokens”: blocks shared out to the groups; in newer versions concurrency × length, in double precision.
Bytes tokensOfPool(const Pool &pool, const Bytes &blocks)
{
    return blocks / pool.groups * pool.least_block_size;
}

Quantity concurrencyOf(const Pool &pool, const Bytes &blocks)
{
    const Bytes each = (pool.one_sequence + pool.block - 1) / pool.block;
    return {blocks, each};
}

Bytes tokensOfConcurrency(const Pool &pool, const Bytes &blocks, qint64 seq_len)
{
    const double tokens = concurrencyOf(pool, blocks).toDouble() * double(seq_len);
    return tokens < 1e18 ? Bytes(qint64(tokens)) : Bytes(0);
}

using BlockTokens = std::function<Bytes(const Bytes &)>;

/// The least number of blocks in the range of which `value`, which does not fall, is at least `wanted`.
Bytes firstReaching(const BlockRange &range, const BlockTokens &value, const Bytes &wanted)
{
    Bytes low = range.least;
    Bytes high = range.most + 1;
    while (low < high) {
        const Bytes middle = (low + high) / 2;
        if (value(middle) >= wanted)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

class VllmCheck
{
public:
    VllmCheck(const CheckState &start, const ServerText &text);
    QList<FigureCheck> rows();

private:
    void setupSteps();
    void setupBlocks();
    void narrowBlocks();
    void narrowBlocks(const BlockTokens &tokensOf, const Bytes &tokens);
    FigureCheck check(const ServerFigure &figure);
    FigureCheck checkBlocks(const ServerFigure &figure);
    FigureCheck checkTokens(const ServerFigure &figure);
    FigureCheck checkConcurrency(const ServerFigure &figure);
    FigureCheck checkNeeded(const ServerFigure &figure);
    FigureCheck checkLongest(const ServerFigure &figure);
    /// Blocks or tokens that the memory as printed gives in a state.
    std::optional<Quantity> blocksIn(const CheckState &state) const;
    std::optional<Quantity> tokensIn(const CheckState &state) const;
    std::optional<Bytes> needIn(const CheckState &state, qint64 seq_len) const;
    std::optional<Quantity> longestIn(const CheckState &state) const;

    CheckState m_start;
    const ServerText &m_text;
    QList<CheckStep> m_steps;
    CheckState m_asked; ///< the server's own question
    std::optional<Memory> m_memory;
    std::optional<BlockRange> m_blocks;
    qint64 m_seq_len = 0;
};

VllmCheck::VllmCheck(const CheckState &start, const ServerText &text)
    : m_start(start)
    , m_text(text)
    , m_memory(memoryOf(text))
{
    setupSteps();
    setupBlocks();
}

void VllmCheck::setupSteps()
{
    m_steps = commonSteps(m_start, m_text, Engine::vllm);
    std::optional<qint64> seq_len = m_text.numberUpTo(FigureKind::max_model_len, maxSeqLen);
    if (const auto concurrency = m_text.find(FigureKind::max_concurrency); !seq_len && concurrency)
        seq_len = concurrency->at_length;
    if (seq_len && (*seq_len < 1 || *seq_len > maxSeqLen))
        seq_len = std::nullopt;
    m_seq_len = seq_len.value_or(m_start.query.seq_len);
    m_steps << CheckStep{
        CheckReason::other_context, [seq_len = m_seq_len](CheckState &state) { state.query.seq_len = seq_len; }};
    const bool is_hybrid = hasClass(m_start.model, LayerClass::windowed) || hasClass(m_start.model, LayerClass::state);
    if (m_start.profile.engine != Engine::vllm)
        m_steps << CheckStep{is_hybrid ? CheckReason::equal_pages : CheckReason::whole_blocks,
            [](CheckState &state) { state.profile = defaultProfile(Engine::vllm); }};
    if (const auto size = m_text.numberUpTo(FigureKind::block_size, largestSetting))
        m_steps << CheckStep{
            CheckReason::other_block_size, [size](CheckState &state) { state.profile.block_size = *size; }};
    if (const auto tokens = m_text.numberUpTo(FigureKind::max_num_batched_tokens, largestSetting))
        m_steps << CheckStep{CheckReason::other_batched_tokens,
            [tokens](CheckState &state) { state.profile.max_num_batched_tokens = *tokens; }};
    m_asked = m_start;
    for (const CheckStep &step : std::as_const(m_steps))
        step.apply(m_asked);
}

void VllmCheck::setupBlocks()
{
    const auto pool = poolOf(m_asked, m_seq_len);
    if (m_memory && pool) {
        const Bytes most = whole({Bytes(m_memory->most.numerator - 1), m_memory->most.denominator}, pool->block);
        m_blocks = BlockRange{whole(m_memory->least, pool->block), most, whole(m_memory->printed, pool->block)};
    }
    narrowBlocks();
    const auto overridden = m_text.number(FigureKind::num_gpu_blocks_override);
    const auto printed = m_text.number(FigureKind::num_gpu_blocks);
    if (!overridden && !printed)
        return;
    const Bytes blocks = overridden.value_or(printed.value_or(0));
    QList<CheckReason> reasons;
    if (overridden)
        reasons << CheckReason::blocks_overridden;
    else if (m_blocks && (blocks < m_blocks->least || blocks > m_blocks->most))
        return; // not explained itself, so nothing can be built on it
    else if (m_blocks && blocks != m_blocks->likely)
        reasons << CheckReason::printed_digits;
    m_blocks = BlockRange{blocks, blocks, blocks, reasons, true};
    if (!m_memory && pool) // what the row would make of as much memory
        m_memory = Memory{{}, {}, {Bytes(blocks * pool->block), 1}};
}

/// Where the memory as printed gives the printed concurrency, only numbers of blocks that do so too are possible.
void VllmCheck::narrowBlocks()
{
    const auto figure = m_text.find(FigureKind::max_concurrency);
    const auto pool = figure ? poolOf(m_asked, figure->at_length.value_or(m_seq_len)) : std::nullopt;
    if (!m_blocks || !pool || !prints(concurrencyOf(*pool, m_blocks->likely), *figure))
        return;
    const auto isPrinted = [&](const Bytes &blocks) { return prints(concurrencyOf(*pool, blocks), *figure); };
    // Concurrency does not fall with more blocks: from the likely number outwards, halving the rest.
    const auto furthest = [&](Bytes good, Bytes bad) {
        while (good != bad && abs(Bytes(good - bad)) > 1) {
            const Bytes middle = (good + bad) / 2;
            (isPrinted(middle) ? good : bad) = middle;
        }
        return good;
    };
    m_blocks->least = furthest(m_blocks->likely, Bytes(m_blocks->least - 1));
    m_blocks->most = furthest(m_blocks->likely, Bytes(m_blocks->most + 1));
}

QList<FigureCheck> VllmCheck::rows()
{
    QList<FigureCheck> checks;
    for (const ServerFigure &figure : m_text.all()) {
        if (m_text.figures.isContradicted(figure))
            checks << FigureCheck{figure, Verdict::contradictory, {}, quantityOf(figure), {}, {}};
        else
            checks << check(figure);
    }
    return checks;
}

FigureCheck VllmCheck::check(const ServerFigure &figure)
{
    const AllocationProfile profile
        = m_start.profile.engine == Engine::vllm ? m_start.profile : defaultProfile(Engine::vllm);
    switch (figure.kind) {
    case FigureKind::num_gpu_blocks:
        return checkBlocks(figure);
    case FigureKind::kv_cache_tokens:
        return checkTokens(figure);
    case FigureKind::max_concurrency:
        return checkConcurrency(figure);
    case FigureKind::needed_kv_bytes:
        return checkNeeded(figure);
    case FigureKind::estimated_max_len:
        return checkLongest(figure);
    case FigureKind::block_size:
        return checkSetting(figure, profile.block_size, CheckReason::other_block_size, figure.digits > 0);
    case FigureKind::max_num_batched_tokens:
        return checkSetting(
            figure, profile.max_num_batched_tokens, CheckReason::other_batched_tokens, figure.digits > 0);
    case FigureKind::max_model_len:
        return checkSetting(figure, m_start.query.seq_len, CheckReason::other_context, figure.digits > 0);
    case FigureKind::tensor_parallel:
        return checkSetting(figure, m_start.query.tp, CheckReason::other_parallelism, figure.digits > 0);
    case FigureKind::pipeline_parallel:
        return checkSetting(figure, m_start.query.pp, CheckReason::other_parallelism, figure.digits > 0);
    case FigureKind::cache_dtype:
        return checkDtype(figure, m_start.query.kv_dtype, CheckReason::other_cache_dtype);
    default:
        return taken(figure);
    }
}

std::optional<Quantity> VllmCheck::blocksIn(const CheckState &state) const
{
    CheckState paged = state;
    if (paged.profile.engine != Engine::vllm)
        paged.profile = defaultProfile(Engine::vllm);
    const auto pool = poolOf(paged, paged.query.seq_len);
    return m_memory && pool ? std::optional(Quantity{whole(m_memory->printed, pool->block)}) : std::nullopt;
}

std::optional<Quantity> VllmCheck::tokensIn(const CheckState &state) const
{
    if (!m_memory)
        return std::nullopt;
    if (state.profile.engine == Engine::vllm) {
        const auto pool = poolOf(state, state.query.seq_len);
        return pool ? std::optional(Quantity{tokensOfPool(*pool, whole(m_memory->printed, pool->block))})
                    : std::nullopt;
    }
    const auto need = needIn(state, state.query.seq_len);
    if (!need || *need <= 0)
        return std::nullopt;
    const Product tokens = Product(std::max(m_memory->printed.numerator, Bytes(0))) * state.query.seq_len
        / (Product(m_memory->printed.denominator) * Product(*need));
    return Quantity{Bytes(tokens)};
}

std::optional<Bytes> VllmCheck::needIn(const CheckState &state, qint64 seq_len) const
{
    const auto one = allocated(alone(state, seq_len));
    return one ? std::optional(one->bytes) : std::nullopt;
}

std::optional<Quantity> VllmCheck::longestIn(const CheckState &state) const
{
    if (!m_memory)
        return std::nullopt;
    const auto fits = [&](qint64 seq_len) {
        const auto need = needIn(state, seq_len);
        return need && Product(*need) * Product(m_memory->printed.denominator) <= Product(m_memory->printed.numerator);
    };
    qint64 low = 0;
    qint64 high = std::max(m_seq_len, m_start.query.seq_len);
    while (low < high) { // the engine looks no further than the wanted length either
        const qint64 middle = low + (high - low + 1) / 2;
        if (fits(middle))
            low = middle;
        else
            high = middle - 1;
    }
    return Quantity{low};
}

FigureCheck VllmCheck::checkBlocks(const ServerFigure &figure)
{
    const Walk walked = walk(m_start, m_steps, [this](const CheckState &state) { return blocksIn(state); });
    QList<Alternative> ways;
    if (m_blocks && m_blocks->is_printed && m_blocks->likely == figure.digits)
        ways << Alternative{Quantity{m_blocks->likely}, m_blocks->reasons};
    const bool is_derived = m_text.find(FigureKind::available_kv_bytes).has_value();
    return is_derived ? judge(figure, walked, ways) : taken(figure);
}

FigureCheck VllmCheck::checkTokens(const ServerFigure &figure)
{
    const Walk walked = walk(m_start, m_steps, [this](const CheckState &state) { return tokensIn(state); });
    const auto pool = poolOf(m_asked, m_seq_len);
    if (!m_blocks || !pool)
        return judge(figure, walked);
    const BlockTokens shared = [&](const Bytes &n) { return tokensOfPool(*pool, n); };
    const BlockTokens concurrent = [&](const Bytes &n) { return tokensOfConcurrency(*pool, n, m_seq_len); };
    QList<Alternative> ways;
    ways << Alternative{Quantity{shared(m_blocks->likely)}, m_blocks->reasons};
    ways << Alternative{
        Quantity{concurrent(m_blocks->likely)}, m_blocks->reasons + QList{CheckReason::concurrency_times_length}};
    if (m_blocks->is_printed) {
        ways << Alternative{Quantity{shared(m_blocks->likely - 1)}, m_blocks->reasons + QList{CheckReason::null_block}};
    } else {
        const Bytes first = firstReaching(*m_blocks, shared, figure.digits);
        ways << Alternative{first > m_blocks->most ? std::nullopt : std::optional(Quantity{shared(first)}),
            {CheckReason::printed_digits}};
        const Bytes second = firstReaching(*m_blocks, concurrent, figure.digits);
        ways << Alternative{second > m_blocks->most ? std::nullopt : std::optional(Quantity{concurrent(second)}),
            {CheckReason::printed_digits, CheckReason::concurrency_times_length}};
    }
    const FigureCheck result = judge(figure, walked, ways);
    const bool is_new = result.reasons.contains(CheckReason::concurrency_times_length);
    if (result.verdict == Verdict::equal || result.verdict == Verdict::explained)
        narrowBlocks(is_new ? concurrent : shared, figure.digits);
    return result;
}

/// The tokens tell the blocks more exactly than the memory does.
void VllmCheck::narrowBlocks(const BlockTokens &tokensOf, const Bytes &tokens)
{
    const Bytes least = firstReaching(*m_blocks, tokensOf, tokens);
    const Bytes most = firstReaching(*m_blocks, tokensOf, Bytes(tokens + 1)) - 1;
    if (m_blocks->is_printed || least > most)
        return;
    const bool is_likely = m_blocks->likely >= least && m_blocks->likely <= most;
    m_blocks = BlockRange{least, most, std::clamp(m_blocks->likely, least, most),
        is_likely ? QList<CheckReason>{} : QList{CheckReason::printed_digits}};
}

FigureCheck VllmCheck::checkConcurrency(const ServerFigure &figure)
{
    const qint64 seq_len = figure.at_length.value_or(m_seq_len);
    const Evaluate evaluate = [&](const CheckState &state) -> std::optional<Quantity> {
        const auto need = needIn(state, seq_len);
        if (!m_memory || !need || *need <= 0)
            return std::nullopt;
        if (state.profile.engine != Engine::vllm)
            return Quantity{Bytes(m_memory->printed.numerator), Bytes(m_memory->printed.denominator * *need)};
        const auto pool = poolOf(state, seq_len);
        return pool ? std::optional(concurrencyOf(*pool, whole(m_memory->printed, pool->block))) : std::nullopt;
    };
    const Walk walked = walk(m_start, m_steps, evaluate);
    const auto pool = poolOf(m_asked, seq_len);
    if (!m_blocks || !pool)
        return judge(figure, walked);
    QList<Alternative> ways{{concurrencyOf(*pool, m_blocks->likely), m_blocks->reasons}};
    // Only so many blocks can be printed alike: the first one at or above the printed number, less what is rounded.
    const Quantity each = concurrencyOf(*pool, Bytes(1));
    const Quantity printed = quantityOf(figure);
    const Bytes near = printed.numerator * each.denominator / printed.denominator;
    const Bytes spread = each.denominator / 100 + 2;
    for (Bytes blocks = std::max(m_blocks->least, Bytes(near - spread));
         blocks <= m_blocks->most && blocks <= near + spread; ++blocks) {
        if (!prints(concurrencyOf(*pool, blocks), figure))
            continue;
        ways << Alternative{concurrencyOf(*pool, blocks), {CheckReason::printed_digits}};
        break;
    }
    return judge(figure, walked, ways);
}

FigureCheck VllmCheck::checkNeeded(const ServerFigure &figure)
{
    const qint64 seq_len = figure.at_length.value_or(m_seq_len);
    const Walk walked = walk(m_start, m_steps, [&](const CheckState &state) -> std::optional<Quantity> {
        const auto need = needIn(state, seq_len);
        return need ? std::optional(Quantity{*need}) : std::nullopt;
    });
    return judge(figure, walked);
}

FigureCheck VllmCheck::checkLongest(const ServerFigure &figure)
{
    const Walk walked = walk(m_start, m_steps, [this](const CheckState &state) { return longestIn(state); });
    const auto pool = poolOf(m_asked, m_seq_len);
    const qint64 longest = figure.digits;
    const auto fits = figure.decimals == 0 && longest > 0 ? needIn(m_asked, longest) : std::nullopt;
    const auto above = fits ? needIn(m_asked, longest + 1) : std::nullopt;
    if (!m_blocks || !pool || !fits || !above)
        return judge(figure, walked);
    // Right when some memory holds that length and not one token more.
    const auto isLongestOf = [&](const Bytes &least, const Bytes &most) { return *fits <= most && *above > least; };
    QList<Alternative> ways;
    const auto add = [&](bool is_right, const QList<CheckReason> &reasons) {
        if (is_right)
            ways << Alternative{Quantity{longest}, reasons};
    };
    if (m_blocks->is_printed) {
        const Bytes all = m_blocks->likely * pool->block;
        const Bytes usable = (m_blocks->likely - 1) * pool->block;
        add(isLongestOf(all, all), m_blocks->reasons);
        add(isLongestOf(usable, usable), m_blocks->reasons + QList{CheckReason::null_block});
    } else if (m_memory) {
        const Quantity &most = m_memory->most;
        add(isLongestOf(Bytes(m_memory->least.numerator / m_memory->least.denominator),
                Bytes((most.numerator - 1) / most.denominator)),
            {CheckReason::printed_digits});
    }
    return judge(figure, walked, ways);
}

} // namespace

QList<FigureCheck> checkVllm(const CheckState &start, const ServerText &text)
{
    return VllmCheck(start, text).rows();
}

} // namespace kvlab::memory
