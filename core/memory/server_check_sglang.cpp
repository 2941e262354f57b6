// SPDX-License-Identifier: GPL-3.0-or-later
// SGLang: pools of tokens, one page more than it prints, and slots for states.
#include "memory/server_check_steps.h"

#include <algorithm>

namespace kvlab::memory {

namespace {

class SglangCheck
{
public:
    SglangCheck(const CheckState &start, const ServerText &text)
        : m_start(start)
        , m_text(text)
        , m_steps(commonSteps(start, text, Engine::sglang))
    {
    }

    FigureCheck check(const ServerFigure &figure) const;

private:
    FigureCheck checkPool(const ServerFigure &figure, CachePiece piece) const;
    FigureCheck checkStates(const ServerFigure &figure, CachePiece piece) const;
    FigureCheck checkTokens(const ServerFigure &figure, LayerClass layers, CachePiece piece, qint64 tokens) const;

    CheckState m_start;
    const ServerText &m_text;
    QList<CheckStep> m_steps;
};

FigureCheck SglangCheck::check(const ServerFigure &figure) const
{
    const qint64 page = m_start.profile.engine == Engine::sglang ? m_start.profile.block_size : 1;
    switch (figure.kind) {
    case FigureKind::k_bytes:
        return checkPool(figure, CachePiece::k);
    case FigureKind::v_bytes:
        return checkPool(figure, CachePiece::v);
    case FigureKind::kv_bytes:
        return checkPool(figure, CachePiece::both);
    case FigureKind::conv_state_bytes:
        return checkStates(figure, CachePiece::conv);
    case FigureKind::recurrent_state_bytes:
        return checkStates(figure, CachePiece::recurrent);
    case FigureKind::tensor_parallel:
        return checkSetting(figure, m_start.query.tp, CheckReason::other_parallelism, figure.digits > 0);
    case FigureKind::pipeline_parallel:
        return checkSetting(figure, m_start.query.pp, CheckReason::other_parallelism, figure.digits > 0);
    case FigureKind::block_size:
        return checkSetting(figure, page, CheckReason::other_block_size, figure.digits > 0);
    case FigureKind::cache_dtype:
        return checkDtype(figure, m_start.query.kv_dtype, CheckReason::other_cache_dtype);
    default:
        return taken(figure);
    }
}

/// Full layers and layers with a window have pools of their own, in no order that is printed.
FigureCheck SglangCheck::checkPool(const ServerFigure &figure, CachePiece piece) const
{
    const auto tokens = m_text.find(FigureKind::kv_cache_tokens, figure.cache);
    if (!tokens || tokens->digits <= 0 || tokens->digits > maxSeqLen / 2)
        return {figure, Verdict::not_comparable, {}, quantityOf(figure), {}, {}};
    FigureCheck result = checkTokens(figure, LayerClass::base, piece, tokens->digits);
    if (result.verdict == Verdict::unexplained && hasClass(m_start.model, LayerClass::windowed))
        result = checkTokens(figure, LayerClass::windowed, piece, tokens->digits);
    return result;
}

FigureCheck SglangCheck::checkTokens(
    const ServerFigure &figure, LayerClass layers, CachePiece piece, qint64 tokens) const
{
    // A pool holds that many tokens of its layers, whatever the window of one sequence: counted for single tokens.
    const auto bytesOf = [&](const CheckState &state, qint64 count) -> std::optional<Quantity> {
        CheckState pool = state;
        pool.profile = defaultProfile(Engine::ideal);
        pool.query.seq_len = 1;
        pool.query.batch = 1;
        pool.query.dp = 1;
        const auto share = classShare(pool, layers, piece);
        return share ? std::optional(Quantity{Bytes(share->bytes * count)}) : std::nullopt;
    };
    const Walk walked = walk(m_start, m_steps, [&](const CheckState &state) { return bytesOf(state, tokens); });
    const qint64 page = std::clamp<qint64>(m_text.number(FigureKind::block_size).value_or(1), 1, maxRanks);
    return judge(figure, walked, {{bytesOf(walked.state, tokens + page), {CheckReason::reserved_page}}});
}

FigureCheck SglangCheck::checkStates(const ServerFigure &figure, CachePiece piece) const
{
    const auto slots = m_text.find(FigureKind::state_slots);
    if (!slots || slots->digits <= 0 || slots->digits >= maxBatch || !hasClass(m_start.model, LayerClass::state))
        return {figure, Verdict::not_comparable, {}, quantityOf(figure), {}, {}};
    const auto bytesOf = [&](const CheckState &state, qint64 count) -> std::optional<Quantity> {
        CheckState pool = state;
        pool.profile = defaultProfile(Engine::ideal);
        pool.query.batch = count;
        pool.query.seq_len = 1;
        pool.query.dp = 1;
        const auto share = classShare(pool, LayerClass::state, piece);
        return share ? std::optional(Quantity{share->bytes}) : std::nullopt;
    };
    const Walk walked = walk(m_start, m_steps, [&](const CheckState &state) { return bytesOf(state, slots->digits); });
    CheckState wide = walked.state;
    wide.query.conv_dtype = StateFormat::f32;
    wide.query.recurrent_dtype = StateFormat::f32;
    QList<Alternative> ways{{bytesOf(walked.state, slots->digits + 1), {CheckReason::reserved_page}}};
    ways << Alternative{bytesOf(wide, slots->digits), {CheckReason::states_in_f32}};
    ways << Alternative{bytesOf(wide, slots->digits + 1), {CheckReason::states_in_f32, CheckReason::reserved_page}};
    return judge(figure, walked, ways);
}

} // namespace

QList<FigureCheck> checkSglang(const CheckState &start, const ServerText &text)
{
    const SglangCheck sglang(start, text);
    QList<FigureCheck> checks;
    for (const ServerFigure &figure : text.all()) {
        if (text.figures.isContradicted(figure))
            checks << FigureCheck{figure, Verdict::contradictory, {}, quantityOf(figure), {}, {}};
        else
            checks << sglang.check(figure);
    }
    return checks;
}

} // namespace kvlab::memory
