// SPDX-License-Identifier: GPL-3.0-or-later
// How one element of the cache is stored, scales included. Sizes follow the engines' own code: ggml's block structs,
// vLLM's kv_cache_interface.py (per token and head, nvfp4, fp8_ds_mla), MLX, LMDeploy, LightLLM and ExLlamaV3.
#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace kvlab::memory {

enum class CacheFormat {
    f32,
    f16,
    bf16,
    fp8, ///< one scale per tensor: exactly one byte
    q8_0, ///< ggml: blocks of 32 along a token's row of all heads
    q5_1,
    q5_0,
    q4_1,
    q4_0,
    iq4_nl,
    int8_per_token_head, ///< vLLM: a 4-byte scale per head for K and for V
    int4_per_token_head,
    nvfp4, ///< vLLM: an fp8 scale per 16 elements of a head
    fp8_ds_mla, ///< vLLM, MLA only: fp8 latent, a 4-byte scale per 128 of it, rope part in bf16
    mlx_q8_g64, ///< MLX: 16-bit scale and bias per 64 elements of a head
    mlx_q4_g64,
    sglang_fp4,
    lmdeploy_int8,
    lmdeploy_int4,
    lightllm_int8_g8,
    lightllm_int4_g8,
    exl3_8,
    exl3_4,
};

QList<CacheFormat> allCacheFormats();
QString cacheFormatName(CacheFormat format); ///< "f32", "bf16", "q8_0", …
std::optional<CacheFormat> cacheFormatFromName(
    const QString &name); ///< also fp16, fp32, float16, bfloat16, fp8_e4m3, …

/// `bytes` for every `elements` elements.
struct ElementSize
{
    qint64 bytes = 0;
    qint64 elements = 1;

    friend bool operator==(const ElementSize &, const ElementSize &) = default;
};

/// Size of the elements of one token's K or V in one layer: `heads` heads of `head_dim` values side by side.
/// nullopt when the format's blocks do not come out even there, or when it stores MLA latents only.
std::optional<ElementSize> elementSize(CacheFormat format, qint64 heads, qint64 head_dim);

/// How many values the format packs together: 1, 8, 16, 32 or 64; 2 where two share a byte.
qint64 blockElements(CacheFormat format);

/// Do the blocks run along one head (vLLM, MLX, …), not along the row of all heads (ggml)?
bool blocksStayInHead(CacheFormat format);

} // namespace kvlab::memory
