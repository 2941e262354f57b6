// SPDX-License-Identifier: GPL-3.0-or-later
// What a model keeps per token and per sequence: a sum over caches of layers, not layers × one number.
// Counts are layers, heads and elements; bytes appear only once a CacheFormat is chosen (see memory_estimate.h).
// The kinds and their fields follow the engines' own cache specs (vLLM kv_cache_interface.py, llama.cpp
// llama-kv-cache.cpp).
#pragma once

#include <QList>
#include <QMap>
#include <QString>

#include <optional>
#include <variant>

namespace kvlab::memory {

/// K and V of one token in one layer. `v_head_dim` differs from `head_dim` in a few models (MiMo-V2: 192 / 128).
struct AttentionShape
{
    qint64 kv_heads = 0; ///< per layer; 0 when `kv_heads_sum` is given instead
    std::optional<qint64> kv_heads_sum; ///< over all layers of the group, for models whose layers differ (OpenELM)
    qint64 head_dim = 0;
    qint64 v_head_dim = 0;
};

/// Every token of the sequence: MHA, GQA, MQA.
struct FullAttention
{
    qint64 layers = 0;
    AttentionShape shape;
};

/// The last `window` tokens (Mistral, Gemma, gpt-oss).
struct SlidingWindow
{
    qint64 layers = 0;
    AttentionShape shape;
    qint64 window = 0;
};

/// The current chunk (Llama 4); peak need is one whole chunk.
struct ChunkedAttention
{
    qint64 layers = 0;
    AttentionShape shape;
    qint64 chunk = 0;
};

/// Multi-head latent attention: one latent of kv_lora_rank + qk_rope_head_dim elements, no heads, no factor 2.
struct MlaLatent
{
    qint64 layers = 0;
    qint64 kv_lora_rank = 0;
    qint64 qk_rope_head_dim = 0;
    std::optional<qint64> entry_bytes; ///< packed layouts only (fp8_ds_mla: 656 B per token and layer)
};

/// Key of a sparse-attention indexer (DeepSeek V3.2, GLM-5).
struct Indexer
{
    qint64 layers = 0;
    qint64 index_head_dim = 0;
    qint64 entry_bytes = 0;
};

/// DeepSeek V4: a window of raw tokens plus one compressed entry per `ratio` tokens; ratio 0 = window only.
struct CompressedAttention
{
    qint64 layers = 0;
    qint64 head_dim = 0;
    qint64 window = 0;
    qint64 ratio = 0;
    qint64 indexer_entry_bytes = 0;
};

/// Fixed state per sequence: SSM, linear attention, short convolution.
struct FixedState
{
    qint64 layers = 0;
    QString type;
    qint64 conv_elements = 0;
    qint64 recurrent_elements = 0;
};

/// K and V of the encoder's tokens, fixed per sequence (Whisper, T5, Llama-3.2-Vision).
struct CrossAttention
{
    qint64 layers = 0;
    qint64 kv_heads = 0;
    qint64 head_dim = 0;
    qint64 encoder_tokens = 0;
};

/// Layers that own no cache, with the reason (they share another layer's, or have none).
struct NoCache
{
    qint64 layers = 0;
    QString reason;
};

using CacheSpec = std::variant<FullAttention, SlidingWindow, ChunkedAttention, MlaLatent, Indexer, CompressedAttention,
    FixedState, CrossAttention, NoCache>;

/// The word used in data files and messages: full, sliding, chunked, mla, indexer, compressed, state, cross, none.
QString cacheKindName(const CacheSpec &cache);
qint64 cacheLayers(const CacheSpec &cache);

struct ModelSpec
{
    QString id; ///< stable, lower case: "qwen2.5-7b"
    QString name; ///< shown: "Qwen2.5-7B"
    QString family;
    std::optional<qint64> params;
    std::optional<qint64> num_layers;
    std::optional<qint64> num_attention_heads;
    std::optional<qint64> hidden_size;
    std::optional<qint64> max_position;
    QString default_dtype; ///< "bf16", "fp16", "fp32"; empty when the model's file names none
    bool recurrent_state_fp32 = false; ///< the recurrent state stays fp32 whatever the cache format
    QList<CacheSpec> caches;
    QStringList sources;
    QStringList notes;
    bool teaching_only = false; ///< the handout's wrong DeepSeek-V3, kept to be compared with the right one
    std::optional<qint64> weight_bytes; ///< exact, from the model's files (GGUF, safetensors)
    /// Imported models: where each number stands in the file, by the term's name ("layers", "kv_heads", "window"; where
    /// groups differ with the kind before it, "sliding.window"): "text_config.num_hidden_layers", "hidden_size ÷
    /// num_attention_heads".
    QMap<QString, QString> field_sources;
};

/// Where a factor of a formula stands in the model's file: field_sources of "kind.name" or "name"; of a factor that is
/// made of several terms ("min(seq_len, window)") those of its terms. Empty when it came from no file.
QString fieldSource(const QMap<QString, QString> &field_sources, const QString &kind, const QString &name);

} // namespace kvlab::memory
