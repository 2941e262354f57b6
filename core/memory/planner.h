// SPDX-License-Identifier: GPL-3.0-or-later
// From a device's memory to what fits: budget, largest batch, longest length. Pure arithmetic in exact integers.
// The budget is an estimate: weights and overhead are what the caller says; only the cache is exact.
#pragma once

#include "memory/allocation.h"

#include <functional>

namespace kvlab::memory {

struct BudgetInput
{
    Bytes capacity; ///< of one device
    qint64 util_permille = 900; ///< share that the engine may use: 900 = 0.90
    Bytes weights; ///< on this device
    Bytes overhead; ///< activations, graphs, libraries: a guess
};

/// Bytes left for the cache: ⌊capacity × util⌋ − weights − overhead; negative when the rest does not fit.
Bytes cacheBudget(const BudgetInput &input);

/// Bytes that one sequence of seq_len tokens takes. Must not fall with the length.
using SequenceNeed = std::function<std::variant<Bytes, Refusal>(qint64 seq_len)>;

struct PlanQuery
{
    Bytes budget;
    qint64 seq_len = 4096;
    qint64 batch = 1;
    std::optional<qint64> max_position; ///< the model's limit; maxSeqLen without
};

struct Plan
{
    Bytes need; ///< of one sequence of seq_len
    bool fits = false; ///< batch × need within the budget
    Bytes short_by; ///< what is missing for that; 0 when it fits
    qint64 max_batch = 0; ///< sequences of seq_len, at most maxBatch
    qint64 max_seq_len = 0; ///< for `batch` sequences; 0 when not even one token fits
    bool limited_by_position = false; ///< max_seq_len is the model's limit, not the memory's
};

/// Without anything to spend every answer is 0 and short_by says how much is missing.
std::variant<Plan, Refusal> plan(const PlanQuery &query, const SequenceNeed &need);

/// A dense decoder's shape, for counting its weights.
struct DenseShape
{
    qint64 layers = 0;
    qint64 heads = 0;
    qint64 kv_heads = 0;
    qint64 head_dim = 0;
    qint64 hidden = 0;
    qint64 intermediate = 0;
    qint64 vocab = 0;
    bool tied = false; ///< embedding and output share one matrix
    bool qkv_bias = false;
    bool qk_norm = false;
};

/// Exact parameters of a Llama- or Qwen-like dense model, without multi-token prediction layers.
Bytes denseParameters(const DenseShape &shape);

} // namespace kvlab::memory
