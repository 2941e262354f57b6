// SPDX-License-Identifier: GPL-3.0-or-later
// ModelSpec × (seq_len, batch, cache format) → bytes, with the terms that add up to them.
// Units: seq_len in tokens of one sequence, batch in sequences, results in bytes.
#pragma once

#include "memory/bytes.h"
#include "memory/cache_format.h"
#include "memory/model_spec.h"

namespace kvlab::memory {

/// Elements of fixed states: 16 bits as the model, or f32.
enum class StateFormat { f16, f32 };

struct MemoryQuery
{
    qint64 seq_len = 4096; ///< 1 … maxSeqLen
    qint64 batch = 1; ///< 1 … maxBatch
    CacheFormat kv_dtype = CacheFormat::bf16; ///< of K, of latents, and of V unless v_dtype is given
    std::optional<CacheFormat> v_dtype = {};
    std::optional<CacheFormat> sliding_dtype = {}; ///< K and V of layers with a window, where kv_dtype skips them
    StateFormat conv_dtype = StateFormat::f16; ///< convolution part of fixed states
    std::optional<StateFormat> recurrent_dtype = {}; ///< unset: f32 where the model keeps it so, else as conv_dtype
    qint64 tp = 1; ///< tensor parallel ranks, 1 … maxRanks; all figures are for one rank
    qint64 pp = 1; ///< pipeline stages; all figures are for the worst one
    qint64 dp = 1; ///< groups that share out the sequences in attention (data-parallel attention); divides tp
};

/// Sequences that one rank holds: ⌈batch / dp⌉.
qint64 sequencesPerRank(const MemoryQuery &query);

inline constexpr qint64 maxSeqLen = 1'000'000'000'000;
inline constexpr qint64 maxBatch = 1'000'000'000;
inline constexpr qint64 maxRanks = 65'536;

/// One number of a product, as the formula line shows it: {"28", "layers"}, {"2 B", "bf16"}.
struct Factor
{
    QString value; ///< plain digits, or "34/32 B", "(512 + 64)", "min(4096, 1024)", "⌊4097/4⌋"; not localised
    QString name; ///< the field's term: "K, V", "layers", "kv_heads", "head_dim", "seq_len", "batch", format name
};

/// One product of the total: a group of layers, or its K alone where K and V are stored differently, or one part of a
/// state. The factors multiply to `bytes`. Layers that own no cache have no term.
struct MemoryTerm
{
    QString kind; ///< cacheKindName()
    QList<Factor> factors;
    Bytes bytes;
};

struct MemoryResult
{
    Bytes bytes; ///< for the whole batch
    Bytes bytes_per_token; ///< one more token of one sequence, below every window
    QList<MemoryTerm> terms;
    Bytes bytes_per_token_above_window; ///< one more token once every window and chunk is full
    Bytes fixed_bytes_per_sequence; ///< states and cross attention, whatever the length
};

/// Why there is no number. `reason` is a stable word (out_of_range, overflow, unaligned_row, tp_invalid, …), `message`
/// a whole sentence: what, why, what to do.
struct Refusal
{
    QString reason;
    QString message;
};

using Estimate = std::variant<MemoryResult, Refusal>;

/// What the model needs, no more: sliding layers hold min(seq_len, window) tokens, chunked ones at most a chunk (the
/// peak), compressed ones a window and one entry per `ratio` complete tokens; states and cross attention are fixed per
/// sequence. An entry shared by `ratio` tokens counts in bytes_per_token with its share, rounded up.
/// ggml's blocks run along a token's row of K or V (kv_heads × head_dim elements), which must be a multiple of 32; the
/// other formats' blocks stay within a head. Packed MLA entries (entry_bytes) and indexer entries have their own
/// layout: the cache format does not apply to them, and not to states either. Tensor parallel: KV heads are divided, or
/// replicated where there are more ranks than heads; latents, indexers and compressed caches are whole on every rank.
/// How states divide is not known here: refused for tp > 1. Pipeline: the layers of each kind are taken as evenly
/// spread, so that the worst stage has ⌈layers / pp⌉ of every kind; exact where all layers are alike. Data-parallel
/// attention: KV heads are divided over tp / dp ranks only, and each of the dp groups has its share of the sequences.
Estimate estimate(const ModelSpec &model, const MemoryQuery &query);

/// The same total without its terms: for tables and maps of thousands of figures.
std::variant<Bytes, Refusal> estimateBytes(const ModelSpec &model, const MemoryQuery &query);

/// out_of_range when seq_len, batch, tp, pp or dp cannot be a row of the table; estimate() asks this first.
std::optional<Refusal> checkRange(const MemoryQuery &query);

/// The arithmetic alone, without that check: no tokens or no sequences are 0 bytes. For checking against reference
/// rows.
Estimate cacheNeed(const ModelSpec &model, const MemoryQuery &query);

} // namespace kvlab::memory
