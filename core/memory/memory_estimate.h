// SPDX-License-Identifier: GPL-3.0-or-later
// ModelSpec × (seq_len, batch, cache format) → bytes, with the terms that add up to them.
// Units: seq_len in tokens of one sequence, batch in sequences, results in bytes.
#pragma once

#include "memory/bytes.h"
#include "memory/model_spec.h"

namespace kvlab::memory {

/// How one element of the cache is stored. q8_0 carries a scale: 34 bytes per 32 elements (ggml).
enum class CacheFormat { f32, f16, bf16, fp8, q8_0 };

QList<CacheFormat> allCacheFormats();
QString cacheFormatName(CacheFormat format); ///< "f32", "f16", "bf16", "fp8", "q8_0"
std::optional<CacheFormat> cacheFormatFromName(
    const QString &name); ///< also fp16, fp32, float16, bfloat16, fp8_e4m3, …

struct MemoryQuery
{
    qint64 seq_len = 4096; ///< 1 … maxSeqLen
    qint64 batch = 1; ///< 1 … maxBatch
    CacheFormat kv_dtype = CacheFormat::bf16;
};

inline constexpr qint64 maxSeqLen = 1'000'000'000'000;
inline constexpr qint64 maxBatch = 1'000'000'000;

/// One number of a product, as the formula line shows it: {"28", "layers"}, {"2 B", "bf16"}.
struct Factor
{
    QString value; ///< plain digits, a unit or a quotient where needed ("34/32 B"); not localised
    QString name; ///< the field's term: "K, V", "layers", "kv_heads", "head_dim", "seq_len", "batch", format name
};

/// One group's share of the total. The factors multiply to `bytes`. Layers that own no cache have no term.
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
};

/// Why there is no number. `reason` is a stable word (out_of_range, unsupported_cache_kind, overflow, unaligned_row,
/// …), `message` a whole sentence: what, why, what to do.
struct Refusal
{
    QString reason;
    QString message;
};

using Estimate = std::variant<MemoryResult, Refusal>;

/// Full attention and MLA; layers without a cache count 0. Everything else is refused by name, never guessed.
/// q8_0 blocks run along a token's row of K or V (kv_heads × head_dim elements, as in llama.cpp), which must be a
/// multiple of 32. Packed MLA entries (entry_bytes) have their own layout: the cache format does not apply to them.
Estimate estimate(const ModelSpec &model, const MemoryQuery &query);

/// out_of_range when seq_len or batch cannot be a row of the table; estimate() asks this first.
std::optional<Refusal> checkRange(const MemoryQuery &query);

/// The arithmetic alone, without that check: no tokens or no sequences are 0 bytes. For checking against reference
/// rows.
Estimate cacheNeed(const ModelSpec &model, const MemoryQuery &query);

} // namespace kvlab::memory
