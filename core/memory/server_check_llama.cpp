// SPDX-License-Identifier: GPL-3.0-or-later
// llama.cpp: one context set aside at the start, padded, divided into slots; a line per cache. Ollama starts it too.
#include "memory/server_check_steps.h"

#include <algorithm>

namespace kvlab::memory {

namespace {

constexpr qint64 contextPad = 256;

qint64 padded(qint64 tokens)
{
    return (tokens + contextPad - 1) / contextPad * contextPad;
}

class LlamaCheck
{
public:
    LlamaCheck(const CheckState &start, const ServerText &text);
    QList<FigureCheck> rows();

private:
    void setupSettings();
    void setupSteps();
    void addTypeSteps();
    void addEngineSteps();
    void addContextSteps();
    void setupLines();
    FigureCheck check(const ServerFigure &figure) const;
    FigureCheck checkContext(const ServerFigure &figure) const;
    FigureCheck checkSlot(const ServerFigure &figure) const;
    FigureCheck checkType(const ServerFigure &figure) const;
    FigureCheck checkBytes(const ServerFigure &figure, CachePiece piece) const;
    FigureCheck checkCount(const ServerFigure &figure, qint64 ClassShare::*count) const;
    /// Sum of all lines where there are several.
    std::optional<FigureCheck> total(const QList<FigureCheck> &lines) const;
    std::optional<LayerClass> layersOf(const ServerFigure &figure) const;
    qint64 askedContext() const;
    bool isAskedContext() const { return !m_n_ctx || padded(askedContext()) == *m_n_ctx; }

    CheckState m_start;
    const ServerText &m_text;
    QList<CheckStep> m_steps;
    QList<LayerClass> m_lines; ///< which layers each line is about; empty when that is not known
    std::optional<qint64> m_n_ctx;
    qint64 m_sequences = 1;
    bool m_unified = false;
};

LlamaCheck::LlamaCheck(const CheckState &start, const ServerText &text)
    : m_start(start)
    , m_text(text)
{
    setupSettings();
    setupSteps();
    setupLines();
}

/// The row's tokens together; as good as endless where that is no context any more.
qint64 LlamaCheck::askedContext() const
{
    const MemoryQuery &query = m_start.query;
    return query.seq_len > maxSeqLen / query.batch ? maxSeqLen : query.seq_len * query.batch;
}

/// Numbers that cannot be a context are left to be unexplained.
void LlamaCheck::setupSettings()
{
    m_sequences = m_text.numberUpTo(FigureKind::n_seq_max, maxBatch).value_or(m_start.query.batch);
    m_unified = m_text.number(FigureKind::kv_unified).value_or(m_start.profile.kv_unified ? 1 : 0) != 0;
    m_n_ctx = m_text.numberUpTo(FigureKind::n_ctx, maxSeqLen);
}

void LlamaCheck::setupSteps()
{
    if (m_start.profile.engine != Engine::ideal && m_start.profile.engine != Engine::llama_cpp)
        m_steps << CheckStep{
            CheckReason::other_engine, [](CheckState &state) { state.profile = defaultProfile(Engine::ideal); }};
    addTypeSteps();
    if (m_start.profile.engine != Engine::llama_cpp)
        addEngineSteps();
    addContextSteps();
}

void LlamaCheck::addTypeSteps()
{
    const auto keys = m_text.format(FigureKind::k_dtype);
    const auto values = m_text.format(FigureKind::v_dtype);
    if (keys)
        m_steps << CheckStep{CheckReason::other_cache_dtype, [keys](CheckState &state) {
                                 state.query.kv_dtype = *keys;
                                 state.query.v_dtype = std::nullopt;
                                 state.query.sliding_dtype = std::nullopt;
                             }};
    if (keys && values && *keys != *values)
        m_steps << CheckStep{
            CheckReason::k_and_v_types_differ, [values](CheckState &state) { state.query.v_dtype = values; }};
}

/// From what the model needs to llama.cpp's own way, without padding and slack yet.
void LlamaCheck::addEngineSteps()
{
    m_steps << CheckStep{CheckReason::states_in_f32, [](CheckState &state) {
                             state.query.conv_dtype = StateFormat::f32;
                             state.query.recurrent_dtype = StateFormat::f32;
                         }};
    const bool has_indexer = hasClass(m_start.model, LayerClass::indexer);
    m_steps << CheckStep{has_indexer ? CheckReason::indexer_in_f16 : CheckReason::window_ignored,
        [asked = askedContext()](CheckState &state) {
            state.profile = defaultProfile(Engine::llama_cpp);
            state.profile.block_size = 1;
            state.profile.n_ubatch = 0;
            state.profile.n_ctx = asked;
        }};
}

void LlamaCheck::addContextSteps()
{
    const qint64 n_ctx = isAskedContext() ? askedContext() : *m_n_ctx;
    m_steps << CheckStep{CheckReason::other_context, [n_ctx, sequences = m_sequences](CheckState &state) {
                             state.query.batch = sequences;
                             state.query.dp = 1;
                             state.profile.n_ctx = n_ctx;
                         }};
    m_steps << CheckStep{
        CheckReason::unified_context, [unified = m_unified](CheckState &state) { state.profile.kv_unified = unified; }};
    const qint64 standard = defaultProfile(Engine::llama_cpp).n_ubatch;
    const bool is_llama = m_start.profile.engine == Engine::llama_cpp;
    const qint64 n_ubatch
        = m_text.number(FigureKind::n_ubatch).value_or(is_llama ? m_start.profile.n_ubatch : standard);
    if (n_ubatch >= 0 && n_ubatch <= maxSeqLen)
        m_steps << CheckStep{is_llama ? CheckReason::other_ubatch : CheckReason::sliding_window_slack,
            [n_ubatch](CheckState &state) { state.profile.n_ubatch = n_ubatch; }};
    const bool swa_full = m_text.number(FigureKind::swa_full).value_or(m_start.profile.swa_full ? 1 : 0) != 0;
    m_steps << CheckStep{CheckReason::swa_full, [swa_full](CheckState &state) { state.profile.swa_full = swa_full; }};
    m_steps << CheckStep{
        CheckReason::padding, [](CheckState &state) { state.profile.n_ctx = padded(state.profile.n_ctx.value_or(0)); }};
    m_steps << CheckStep{CheckReason::slots_padded, [](CheckState &state) { state.profile.block_size = contextPad; }};
}

/// Lines come in this order; where every layer has a window, there is one line.
void LlamaCheck::setupLines()
{
    int lines = 0;
    int states = 0;
    for (const ServerFigure &figure : m_text.all()) {
        if (figure.kind == FigureKind::kv_bytes && figure.cache > 0)
            ++(figure.is_state ? states : lines);
    }
    QList<LayerClass> layers;
    for (const LayerClass one : {LayerClass::base, LayerClass::windowed, LayerClass::indexer}) {
        if (hasClass(m_start.model, one))
            layers << one;
    }
    if (layers.size() == lines && states == (hasClass(m_start.model, LayerClass::state) ? 1 : 0))
        m_lines = layers;
}

std::optional<LayerClass> LlamaCheck::layersOf(const ServerFigure &figure) const
{
    if (figure.is_state)
        return hasClass(m_start.model, LayerClass::state) ? std::optional(LayerClass::state) : std::nullopt;
    int place = 0;
    for (const ServerFigure &other : m_text.all()) {
        if (other.kind == FigureKind::kv_bytes && !other.is_state && other.cache > 0 && other.cache < figure.cache)
            ++place;
    }
    return place < m_lines.size() ? std::optional(m_lines.at(place)) : std::nullopt;
}

FigureCheck LlamaCheck::check(const ServerFigure &figure) const
{
    switch (figure.kind) {
    case FigureKind::kv_bytes:
        return checkBytes(figure, CachePiece::both);
    case FigureKind::k_bytes:
        return checkBytes(figure, CachePiece::k);
    case FigureKind::v_bytes:
        return checkBytes(figure, CachePiece::v);
    case FigureKind::conv_state_bytes:
        return checkBytes(figure, CachePiece::conv);
    case FigureKind::recurrent_state_bytes:
        return checkBytes(figure, CachePiece::recurrent);
    case FigureKind::kv_cells:
        return checkCount(figure, &ClassShare::tokens);
    case FigureKind::kv_layers:
        return checkCount(figure, &ClassShare::layers);
    case FigureKind::kv_streams:
    case FigureKind::state_slots:
        return checkCount(figure, &ClassShare::sequences);
    case FigureKind::k_dtype:
    case FigureKind::v_dtype:
        return checkType(figure);
    case FigureKind::n_ctx:
        return checkContext(figure);
    case FigureKind::n_ctx_seq:
        return checkSlot(figure);
    case FigureKind::n_seq_max:
        return checkSetting(figure, m_start.query.batch, CheckReason::other_context, figure.digits > 0);
    case FigureKind::n_ubatch:
        return checkSetting(figure, m_start.profile.n_ubatch, CheckReason::other_ubatch, figure.digits > 0);
    case FigureKind::kv_unified:
        return checkSetting(figure, m_start.profile.kv_unified ? 1 : 0, CheckReason::unified_context);
    case FigureKind::swa_full:
        return checkSetting(figure, m_start.profile.swa_full ? 1 : 0, CheckReason::swa_full);
    default:
        return taken(figure);
    }
}

FigureCheck LlamaCheck::checkContext(const ServerFigure &figure) const
{
    const qint64 asked = m_start.profile.n_ctx.value_or(askedContext());
    const bool is_padding = padded(asked) == figure.digits;
    return checkSetting(figure, asked, is_padding ? CheckReason::padding : CheckReason::other_context,
        figure.digits > 0 && figure.digits % contextPad == 0);
}

FigureCheck LlamaCheck::checkSlot(const ServerFigure &figure) const
{
    FigureCheck check = checkSetting(figure, m_start.query.seq_len, CheckReason::other_context);
    if (check.verdict == Verdict::equal)
        return check;
    const qint64 n_ctx = m_n_ctx.value_or(padded(askedContext()));
    const qint64 slot = m_unified ? n_ctx : padded(n_ctx / m_sequences);
    check.reasons.clear();
    check.verdict = Verdict::unexplained;
    if (slot != figure.digits) {
        if (!m_n_ctx && figure.digits > 0 && figure.digits % contextPad == 0) { // printed alone
            check.verdict = Verdict::explained;
            check.reasons << CheckReason::other_context;
        }
        return check;
    }
    if (!isAskedContext() || m_sequences != m_start.query.batch)
        check.reasons << CheckReason::other_context;
    else if (padded(askedContext()) != askedContext())
        check.reasons << CheckReason::padding;
    if (m_unified && m_sequences > 1)
        check.reasons << CheckReason::unified_context;
    else if (Bytes(slot) * m_sequences != n_ctx)
        check.reasons << CheckReason::slots_padded;
    check.verdict = check.reasons.isEmpty() ? Verdict::unexplained : Verdict::explained;
    return check;
}

FigureCheck LlamaCheck::checkType(const ServerFigure &figure) const
{
    const MemoryQuery &query = m_start.query;
    if (figure.is_state) {
        const auto recurrent
            = query.recurrent_dtype.value_or(m_start.model.recurrent_state_fp32 ? StateFormat::f32 : query.conv_dtype);
        const StateFormat ours = figure.kind == FigureKind::k_dtype ? query.conv_dtype : recurrent;
        const CacheFormat format = ours == StateFormat::f32 ? CacheFormat::f32 : CacheFormat::f16;
        return checkDtype(figure, format, CheckReason::states_in_f32);
    }
    const bool is_value = figure.kind == FigureKind::v_dtype;
    const CacheFormat ours = is_value ? query.v_dtype.value_or(query.kv_dtype) : query.kv_dtype;
    const auto keys = m_text.find(FigureKind::k_dtype, figure.cache);
    const bool differs = is_value && keys && keys->printed != figure.printed;
    return checkDtype(figure, ours, differs ? CheckReason::k_and_v_types_differ : CheckReason::other_cache_dtype);
}

FigureCheck LlamaCheck::checkBytes(const ServerFigure &figure, CachePiece piece) const
{
    const auto layers = layersOf(figure);
    if (!layers)
        return {figure, Verdict::not_comparable, {}, quantityOf(figure), {}, {}};
    QList<CheckStep> steps = m_steps;
    const auto copies = m_text.find(FigureKind::rs_seq, figure.cache);
    const auto evaluate = [&](const CheckState &state) -> std::optional<Quantity> {
        const auto share = classShare(state, *layers, piece);
        return share ? std::optional(Quantity{share->bytes}) : std::nullopt;
    };
    const Walk walked = walk(m_start, steps, evaluate);
    QList<Alternative> ways;
    constexpr qint64 mostCopies = 1024;
    if (copies && copies->digits > 0 && copies->digits <= mostCopies && walked.last)
        ways << Alternative{
            Quantity{Bytes(walked.last->numerator * (copies->digits + 1))}, {CheckReason::state_copies}};
    return judge(figure, walked, ways);
}

FigureCheck LlamaCheck::checkCount(const ServerFigure &figure, qint64 ClassShare::*count) const
{
    const auto layers = layersOf(figure);
    if (!layers)
        return {figure, Verdict::not_comparable, {}, quantityOf(figure), {}, {}};
    return judge(figure, walk(m_start, m_steps, [&](const CheckState &state) -> std::optional<Quantity> {
        const auto share = classShare(state, *layers);
        return share ? std::optional(Quantity{(*share).*count}) : std::nullopt;
    }));
}

std::optional<FigureCheck> LlamaCheck::total(const QList<FigureCheck> &lines) const
{
    constexpr qint64 largestLine = 1'000'000'000'000'000;
    ServerFigure sum;
    QList<const FigureCheck *> parts;
    for (const FigureCheck &line : lines) {
        if (line.figure.kind != FigureKind::kv_bytes)
            continue;
        if (line.figure.digits > largestLine)
            return std::nullopt;
        if (parts.isEmpty())
            sum = line.figure;
        else if (line.figure.decimals != sum.decimals)
            return std::nullopt;
        else
            sum.digits += line.figure.digits;
        parts << &line;
    }
    if (parts.size() < 2)
        return std::nullopt;
    sum.cache = 0;
    sum.is_state = false;
    sum.printed = quantityText(quantityOf(sum), sum);
    const Walk walked = walk(m_start, m_steps, [](const CheckState &state) -> std::optional<Quantity> {
        const auto share = classShare(state, LayerClass::all);
        return share ? std::optional(Quantity{share->bytes}) : std::nullopt;
    });
    FigureCheck check{sum, Verdict::unexplained, {}, quantityOf(sum), walked.first, {}};
    const bool are_known = std::all_of(parts.cbegin(), parts.cend(),
        [](const FigureCheck *line) { return line->verdict == Verdict::equal || line->verdict == Verdict::explained; });
    if (!are_known)
        return check;
    // A sum of explained lines is explained by what explains them.
    for (const FigureCheck *line : std::as_const(parts)) {
        for (const CheckReason reason : line->reasons) {
            if (!check.reasons.contains(reason))
                check.reasons << reason;
        }
    }
    check.verdict = check.reasons.isEmpty() ? Verdict::equal : Verdict::explained;
    return check;
}

QList<FigureCheck> LlamaCheck::rows()
{
    QList<FigureCheck> checks;
    for (const ServerFigure &figure : m_text.all()) {
        if (figure.kind == FigureKind::rs_seq)
            continue;
        if (m_text.figures.isContradicted(figure))
            checks << FigureCheck{figure, Verdict::contradictory, {}, quantityOf(figure), {}, {}};
        else
            checks << check(figure);
    }
    if (const auto sum = total(checks))
        checks.prepend(*sum);
    return checks;
}

} // namespace

QList<FigureCheck> checkLlama(const CheckState &start, const ServerText &text)
{
    return LlamaCheck(start, text).rows();
}

QList<FigureCheck> checkOllama(const CheckState &start, const ServerText &text)
{
    QList<FigureCheck> checks;
    for (const ServerFigure &figure : text.all()) {
        if (figure.kind == FigureKind::n_ctx) {
            checks << checkSetting(figure, start.query.seq_len, CheckReason::other_context, figure.digits > 0);
            continue;
        }
        // Weights and work space are in it as well: the cache is a part of it, at the context that the server names.
        CheckState asked = start;
        asked.profile = defaultProfile(Engine::llama_cpp);
        if (const auto n_ctx = text.find(FigureKind::n_ctx, figure.cache); n_ctx && n_ctx->digits > 0)
            asked.query.seq_len = std::min(n_ctx->digits, maxSeqLen);
        const auto share = classShare(asked, LayerClass::all);
        FigureCheck check{figure, Verdict::not_comparable, {}, quantityOf(figure), {}, {}};
        if (share) {
            check.ours = Quantity{share->bytes};
            const bool is_possible = share->bytes <= figure.digits;
            check.verdict = is_possible ? Verdict::not_comparable : Verdict::unexplained;
            if (is_possible)
                check.reasons << CheckReason::weights_included;
        }
        checks << check;
    }
    return checks;
}

} // namespace kvlab::memory
