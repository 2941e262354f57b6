// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/capacity.h"

#include "memory/cache_parts.h"

#include <cmath>
#include <limits>

namespace kvlab::memory {

namespace {

MemoryQuery oneSequence(const CapacityQuery &query, qint64 seq_len)
{
    MemoryQuery one = query.memory;
    one.seq_len = seq_len;
    one.batch = 1;
    one.tp = query.machine.tp;
    one.pp = query.machine.pp;
    one.dp = query.machine.dp;
    return one;
}

Bytes weightsOnDevice(const CapacityQuery &query)
{
    const Bytes devices = Bytes(query.machine.tp) * query.machine.pp;
    return Bytes((query.weights + devices - 1) / devices);
}

/// What vLLM prints about its pool, which holds whole blocks only.
void addPool(Capacity &result, const Allocated &one, const CapacityQuery &query)
{
    if (!one.pool_block_bytes || one.bytes == 0 || result.budget <= 0)
        return;
    const Product pool = Product(result.budget) / Product(*one.pool_block_bytes) * Product(*one.pool_block_bytes);
    const Product tokens = pool * query.memory.seq_len / Product(one.bytes);
    if (tokens > std::numeric_limits<qint64>::max())
        return;
    result.kv_cache_tokens = tokens.convert_to<qint64>();
    result.max_concurrency = pool.convert_to<double>() / one.bytes.convert_to<double>();
}

/// `count` whole numbers from `first` to `last`, evenly spaced in logarithm, ascending, each once.
QList<qint64> logarithmicAxis(qint64 first, qint64 last, int count)
{
    QList<qint64> values;
    const double step = count > 1 ? std::log(double(last) / double(first)) / (count - 1) : 0.0;
    for (int i = 0; i < count; ++i) {
        const qint64 value = i + 1 == count ? last : std::llround(double(first) * std::exp(step * i));
        if (values.isEmpty() || value > values.constLast())
            values << value;
    }
    return values;
}

} // namespace

std::optional<Bytes> modelWeights(const ModelSpec &model, const std::optional<WeightFormat> &format)
{
    if (!format)
        return model.weight_bytes ? std::optional(Bytes(*model.weight_bytes)) : std::nullopt;
    return model.params ? std::optional(weightBytes(*model.params, *format)) : std::nullopt;
}

std::variant<Bytes, Refusal> sequenceBytes(const ModelSpec &model, const CapacityQuery &query, qint64 seq_len)
{
    const Allocation allocation = allocate(model, oneSequence(query, seq_len), query.profile);
    if (const auto *refusal = std::get_if<Refusal>(&allocation))
        return *refusal;
    return std::get<Allocated>(allocation).bytes;
}

Bytes cacheBudget(const CapacityQuery &query)
{
    return cacheBudget(
        {query.machine.capacity, query.machine.util_permille, weightsOnDevice(query), query.machine.overhead});
}

std::variant<Capacity, Refusal> planCapacity(const ModelSpec &model, const CapacityQuery &query)
{
    MemoryQuery asked = oneSequence(query, query.memory.seq_len);
    asked.batch = query.memory.batch;
    if (const auto refusal = checkRange(asked))
        return *refusal;
    Capacity result;
    result.capacity = query.machine.capacity;
    result.weights = weightsOnDevice(query);
    result.overhead = query.machine.overhead;
    result.kept_free = Bytes(result.capacity - result.capacity * query.machine.util_permille / 1000);
    result.budget = cacheBudget(query);

    const SequenceNeed need = [&](qint64 seq_len) { return sequenceBytes(model, query, seq_len); };
    const PlanQuery plan_query{result.budget, asked.seq_len, sequencesPerRank(asked), model.max_position};
    const auto answer = plan(plan_query, need);
    if (const auto *refusal = std::get_if<Refusal>(&answer))
        return *refusal;
    result.plan = std::get<Plan>(answer);
    result.need = Bytes(result.plan.need * plan_query.batch);
    result.plan.max_batch = std::min(result.plan.max_batch * asked.dp, maxBatch);

    const auto alone = plan({result.budget, asked.seq_len, 1, model.max_position}, need);
    result.max_seq_len_alone = std::get<Plan>(alone).max_seq_len;
    const Allocation one = allocate(model, oneSequence(query, asked.seq_len), query.profile);
    addPool(result, std::get<Allocated>(one), query);
    return result;
}

double FitMap::share(qsizetype column, qsizetype row) const
{
    if (budget <= 0)
        return std::numeric_limits<double>::infinity();
    const qint64 sequences = (batches.at(row) + dp - 1) / dp;
    return sequence_share.at(column) * double(sequences);
}

std::variant<FitMap, Refusal> fitMap(const ModelSpec &model, const CapacityQuery &query, const MapAxes &axes)
{
    FitMap map;
    map.seq_lens = logarithmicAxis(axes.min_seq_len, axes.max_seq_len, axes.columns);
    map.batches = logarithmicAxis(1, axes.max_batch, axes.rows);
    map.budget = cacheBudget(query);
    map.dp = query.machine.dp;
    for (const qint64 seq_len : std::as_const(map.seq_lens)) {
        const auto bytes = sequenceBytes(model, query, seq_len);
        if (const auto *refusal = std::get_if<Refusal>(&bytes))
            return *refusal;
        map.sequence_share << std::get<Bytes>(bytes).convert_to<double>() / map.budget.convert_to<double>();
    }
    return map;
}

} // namespace kvlab::memory
