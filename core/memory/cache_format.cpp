// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/cache_format.h"

#include <QHash>

#include <array>

namespace kvlab::memory {

namespace {

enum class Along { row, head };

struct FormatRule
{
    CacheFormat format;
    const char *name;
    qint64 bytes; ///< for `elements` elements
    qint64 elements;
    Along along = Along::row;
    qint64 head_scale = 0; ///< bytes more per head
};

constexpr std::array formatRules{
    FormatRule{CacheFormat::f32, "f32", 4, 1},
    FormatRule{CacheFormat::f16, "f16", 2, 1},
    FormatRule{CacheFormat::bf16, "bf16", 2, 1},
    FormatRule{CacheFormat::fp8, "fp8", 1, 1},
    FormatRule{CacheFormat::q8_0, "q8_0", 34, 32},
    FormatRule{CacheFormat::q5_1, "q5_1", 24, 32},
    FormatRule{CacheFormat::q5_0, "q5_0", 22, 32},
    FormatRule{CacheFormat::q4_1, "q4_1", 20, 32},
    FormatRule{CacheFormat::q4_0, "q4_0", 18, 32},
    FormatRule{CacheFormat::iq4_nl, "iq4_nl", 18, 32},
    FormatRule{CacheFormat::int8_per_token_head, "int8_per_token_head", 1, 1, Along::head, 4},
    FormatRule{CacheFormat::int4_per_token_head, "int4_per_token_head", 1, 2, Along::head, 4},
    FormatRule{CacheFormat::nvfp4, "nvfp4", 9, 16, Along::head},
    FormatRule{CacheFormat::fp8_ds_mla, "fp8_ds_mla", 0, 1, Along::head},
    FormatRule{CacheFormat::mlx_q8_g64, "mlx_q8_g64", 68, 64, Along::head},
    FormatRule{CacheFormat::mlx_q4_g64, "mlx_q4_g64", 36, 64, Along::head},
    FormatRule{CacheFormat::sglang_fp4, "sglang_fp4", 9, 16, Along::head},
    FormatRule{CacheFormat::lmdeploy_int8, "lmdeploy_int8", 1, 1, Along::head, 4},
    FormatRule{CacheFormat::lmdeploy_int4, "lmdeploy_int4", 1, 2, Along::head, 4},
    FormatRule{CacheFormat::lightllm_int8_g8, "lightllm_int8_g8", 10, 8, Along::head},
    FormatRule{CacheFormat::lightllm_int4_g8, "lightllm_int4_g8", 6, 8, Along::head},
    FormatRule{CacheFormat::exl3_8, "exl3_8", 34, 32, Along::head},
    FormatRule{CacheFormat::exl3_4, "exl3_4", 18, 32, Along::head},
};

constexpr bool isInOrder()
{
    for (std::size_t i = 0; i < formatRules.size(); ++i) {
        if (formatRules[i].format != static_cast<CacheFormat>(i))
            return false;
    }
    return true;
}
static_assert(isInOrder(), "the rules stand in the order of CacheFormat");

const FormatRule &ruleOf(CacheFormat format)
{
    return formatRules.at(static_cast<std::size_t>(format));
}

} // namespace

QList<CacheFormat> allCacheFormats()
{
    QList<CacheFormat> formats;
    for (const FormatRule &rule : formatRules)
        formats << rule.format;
    return formats;
}

QString cacheFormatName(CacheFormat format)
{
    return QLatin1String(ruleOf(format).name);
}

std::optional<CacheFormat> cacheFormatFromName(const QString &name)
{
    static const QHash<QString, CacheFormat> others{
        {QStringLiteral("fp32"), CacheFormat::f32},
        {QStringLiteral("float32"), CacheFormat::f32},
        {QStringLiteral("fp16"), CacheFormat::f16},
        {QStringLiteral("float16"), CacheFormat::f16},
        {QStringLiteral("half"), CacheFormat::f16},
        {QStringLiteral("bfloat16"), CacheFormat::bf16},
        {QStringLiteral("fp8_e4m3"), CacheFormat::fp8},
        {QStringLiteral("fp8_e5m2"), CacheFormat::fp8},
    };
    const QString wanted = name.trimmed().toLower();
    for (const FormatRule &rule : formatRules) {
        if (wanted == QLatin1String(rule.name))
            return rule.format;
    }
    const auto other = others.constFind(wanted);
    return other == others.cend() ? std::nullopt : std::optional(*other);
}

std::optional<ElementSize> elementSize(CacheFormat format, qint64 heads, qint64 head_dim)
{
    const FormatRule &rule = ruleOf(format);
    const qint64 packed = rule.along == Along::row ? heads * head_dim : head_dim;
    if (rule.bytes == 0 || packed % rule.elements != 0)
        return std::nullopt;
    if (rule.head_scale == 0)
        return ElementSize{rule.bytes, rule.elements};
    return ElementSize{head_dim * rule.bytes + rule.head_scale * rule.elements, head_dim * rule.elements};
}

qint64 blockElements(CacheFormat format)
{
    return ruleOf(format).elements;
}

bool blocksStayInHead(CacheFormat format)
{
    return ruleOf(format).along == Along::head;
}

} // namespace kvlab::memory
