// SPDX-License-Identifier: GPL-3.0-or-later
// What fits a machine: from devices, model, cache and engine to a budget and to the answers of planner.h, and the map
// of seq_len × batch. Bytes are those of one device; with several, of the fullest. Source of the budget rule: vLLM
// v1/worker/gpu_worker.py (gpu_memory_utilization), v1/core/kv_cache_utils.py.
#pragma once

#include "memory/planner.h"
#include "memory/weights.h"

namespace kvlab::memory {

/// The devices and how much of them may be used.
struct Machine
{
    QString device; ///< name as shown
    Bytes capacity; ///< of one device
    qint64 tp = 1; ///< tensor parallel ranks
    qint64 pp = 1; ///< pipeline stages; tp × pp devices
    qint64 dp = 1; ///< groups of data-parallel attention; divides tp
    qint64 util_permille = 900; ///< share that the engine may use; vLLM: 900, in newer versions 920
    Bytes overhead = Bytes(1) << 31; ///< activations, graphs, libraries of one device: a guess, 2 GiB

    friend bool operator==(const Machine &, const Machine &) = default;
};

/// Bytes of the whole model: parameters × bits, or its files' own size when no format is given. nullopt = not known.
std::optional<Bytes> modelWeights(const ModelSpec &model, const std::optional<WeightFormat> &format);

struct CapacityQuery
{
    Machine machine;
    Bytes weights; ///< of the whole model
    MemoryQuery memory; ///< seq_len, batch and formats; tp, pp and dp are the machine's
    AllocationProfile profile; ///< whose allocation counts
};

/// Room for the cache on one device, beside weights and overhead; negative when these do not fit.
Bytes cacheBudget(const CapacityQuery &query);

/// What one sequence takes on one device.
std::variant<Bytes, Refusal> sequenceBytes(const ModelSpec &model, const CapacityQuery &query, qint64 seq_len);

struct Capacity
{
    Bytes capacity; ///< of one device
    Bytes weights; ///< on one device: the whole, divided by tp × pp and rounded up (embeddings are not split so evenly)
    Bytes overhead;
    Bytes kept_free; ///< beyond the share that may be used
    Bytes budget; ///< left for the cache; negative when the weights do not fit
    Plan plan;
    Bytes need; ///< of the whole batch
    qint64 max_seq_len_alone = 0; ///< longest length of one sequence
    std::optional<qint64>
        kv_cache_tokens; ///< vLLM only: tokens of “GPU KV cache size”, newer wording: ⌊concurrency × seq_len⌋
    double max_concurrency = 0.0; ///< vLLM's “Maximum concurrency”: budget ÷ need of one sequence of seq_len
};

/// The sequences of data-parallel attention are counted over all groups.
std::variant<Capacity, Refusal> planCapacity(const ModelSpec &model, const CapacityQuery &query);

/// One column per length, one row per batch.
struct FitMap
{
    QList<qint64> seq_lens; ///< ascending
    QList<qint64> batches; ///< ascending
    Bytes budget;
    QList<double>
        sequence_share; ///< of the budget, for one sequence of each length on one rank; meaningless without a budget
    qint64 dp = 1;

    /// Share of the budget of that cell; above 1 it does not fit. No budget: infinity.
    double share(qsizetype column, qsizetype row) const;
    bool fits(qsizetype column, qsizetype row) const { return share(column, row) <= 1.0; }
};

/// `columns` lengths from 1 … and `rows` batches, each spaced evenly on a logarithmic axis and rounded to whole
/// numbers, without repetition.
struct MapAxes
{
    qint64 max_seq_len = 10'485'760;
    qint64 max_batch = 4096;
    int columns = 60;
    int rows = 24;
    qint64 min_seq_len = 256;
};

std::variant<FitMap, Refusal> fitMap(const ModelSpec &model, const CapacityQuery &query, const MapAxes &axes = {});

} // namespace kvlab::memory
