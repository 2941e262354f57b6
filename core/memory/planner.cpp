// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/planner.h"

#include "memory/cache_parts.h"

namespace kvlab::memory {

namespace {

/// Does `batch` times the need stay within the budget?
std::variant<bool, Refusal> holds(const PlanQuery &query, const SequenceNeed &need, qint64 seq_len)
{
    const auto bytes = need(seq_len);
    if (const auto *refusal = std::get_if<Refusal>(&bytes))
        return *refusal;
    return Product(std::get<Bytes>(bytes)) * query.batch <= Product(query.budget);
}

/// The largest length that holds; need() never falls, so halving finds it.
std::variant<qint64, Refusal> longest(const PlanQuery &query, const SequenceNeed &need, qint64 top)
{
    qint64 good = 0;
    qint64 bad = top + 1;
    while (bad - good > 1) {
        const qint64 middle = good + (bad - good) / 2;
        const auto held = holds(query, need, middle);
        if (const auto *refusal = std::get_if<Refusal>(&held))
            return *refusal;
        (std::get<bool>(held) ? good : bad) = middle;
    }
    return good;
}

} // namespace

Bytes cacheBudget(const BudgetInput &input)
{
    return Bytes(input.capacity * input.util_permille / 1000 - input.weights - input.overhead);
}

std::variant<Plan, Refusal> plan(const PlanQuery &query, const SequenceNeed &need)
{
    const auto one = need(query.seq_len);
    if (const auto *refusal = std::get_if<Refusal>(&one))
        return *refusal;
    Plan result;
    result.need = std::get<Bytes>(one);
    const Product wanted = Product(result.need) * query.batch;
    if (wanted - Product(query.budget) > Product(maxBytes()))
        return overflowRefusal();
    result.fits = wanted <= Product(query.budget);
    if (!result.fits)
        result.short_by = Bytes(wanted - Product(query.budget));
    if (query.budget <= 0)
        return result;
    const Product most = result.need == 0 ? Product(maxBatch) : Product(query.budget) / Product(result.need);
    result.max_batch = std::min(most, Product(maxBatch)).convert_to<qint64>();
    const qint64 top = query.max_position.value_or(maxSeqLen);
    const auto length = longest(query, need, top);
    if (const auto *refusal = std::get_if<Refusal>(&length))
        return *refusal;
    result.max_seq_len = std::get<qint64>(length);
    result.limited_by_position = result.max_seq_len == top;
    return result;
}

Bytes denseParameters(const DenseShape &shape)
{
    const Bytes hidden = shape.hidden;
    const Bytes qkv_width = Bytes(shape.heads + 2 * shape.kv_heads) * shape.head_dim;
    Bytes layer
        = hidden * qkv_width + hidden * shape.heads * shape.head_dim + 3 * hidden * shape.intermediate + 2 * hidden;
    if (shape.qkv_bias)
        layer += qkv_width;
    if (shape.qk_norm)
        layer += 2 * shape.head_dim;
    return shape.vocab * hidden * (shape.tied ? 1 : 2) + shape.layers * layer + hidden;
}

} // namespace kvlab::memory
