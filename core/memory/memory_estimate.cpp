// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/memory_estimate.h"

#include <QCoreApplication>
#include <QHash>
#include <QLocale>

#include <array>

namespace kvlab::memory {

namespace {

// Wide enough for the product of any five 64-bit fields, so that it can be formed first and compared with maxBytes()
// then.
using Product = boost::multiprecision::int512_t;

struct FormatRule
{
    CacheFormat format;
    const char *name;
    int bytes; ///< for `elements` elements
    int elements;
};

constexpr std::array formatRules{
    FormatRule{CacheFormat::f32, "f32", 4, 1},
    FormatRule{CacheFormat::f16, "f16", 2, 1},
    FormatRule{CacheFormat::bf16, "bf16", 2, 1},
    FormatRule{CacheFormat::fp8, "fp8", 1, 1},
    FormatRule{CacheFormat::q8_0, "q8_0", 34, 32},
};

const FormatRule &ruleOf(CacheFormat format)
{
    return formatRules.at(static_cast<std::size_t>(format));
}

Factor bytesFactor(const FormatRule &rule)
{
    const QString value = rule.elements == 1 ? QStringLiteral("%1 B").arg(rule.bytes)
                                             : QStringLiteral("%1/%2 B").arg(rule.bytes).arg(rule.elements);
    return {value, QLatin1String(rule.name)};
}

Factor countFactor(qint64 value, const QString &name)
{
    return {QString::number(value), name};
}

/// What one group needs for one token of one sequence, and the factors of that product.
struct TokenNeed
{
    QString kind;
    Product bytes;
    QList<Factor> before; ///< come before seq_len and batch
    QList<Factor> after;
};

/// A kind that has no figure in this version.
struct NotComputed
{
};

using GroupNeed = std::variant<TokenNeed, NotComputed, Refusal>;

Refusal unalignedRow(qint64 elements, const FormatRule &rule)
{
    return {QStringLiteral("unaligned_row"),
        QCoreApplication::translate("memory",
            "One token's row holds %1 values here, and %2 packs them %3 at a time, which does not come out even. "
            "Choose another cache format.")
            .arg(QLocale().toString(elements), QLatin1String(rule.name), QLocale().toString(rule.elements))};
}

QList<Factor> headFactors(const FullAttention &group)
{
    if (group.shape.kv_heads_sum)
        return {countFactor(*group.shape.kv_heads_sum, QStringLiteral("kv_heads over all layers"))};
    return {countFactor(group.layers, QStringLiteral("layers")),
        countFactor(group.shape.kv_heads, QStringLiteral("kv_heads"))};
}

Factor dimFactor(const AttentionShape &shape)
{
    if (shape.head_dim == shape.v_head_dim)
        return countFactor(shape.head_dim, QStringLiteral("head_dim"));
    return {
        QStringLiteral("(%1 + %2)").arg(shape.head_dim).arg(shape.v_head_dim), QStringLiteral("head_dim + v_head_dim")};
}

struct NeedPerToken
{
    const FormatRule &rule;

    GroupNeed operator()(const FullAttention &group) const
    {
        const AttentionShape &shape = group.shape;
        for (const qint64 dim : {shape.head_dim, shape.v_head_dim}) {
            // Where only the sum over layers is known, each head must fill its blocks alone.
            const qint64 row = shape.kv_heads_sum ? dim : shape.kv_heads * dim;
            if (row % rule.elements != 0)
                return unalignedRow(row, rule);
        }
        TokenNeed need;
        const Product heads
            = shape.kv_heads_sum ? Product(*shape.kv_heads_sum) : Product(group.layers) * shape.kv_heads;
        need.bytes = heads * (Product(shape.head_dim) + shape.v_head_dim) * rule.bytes / rule.elements;
        need.before = headFactors(group) << dimFactor(shape);
        if (shape.head_dim == shape.v_head_dim)
            need.before.prepend(countFactor(2, QStringLiteral("K, V")));
        need.after << bytesFactor(rule);
        return need;
    }

    GroupNeed operator()(const MlaLatent &group) const
    {
        TokenNeed need;
        need.before << countFactor(group.layers, QStringLiteral("layers"));
        if (group.entry_bytes) {
            need.bytes = Product(group.layers) * *group.entry_bytes;
            need.after << Factor{QStringLiteral("%1 B").arg(*group.entry_bytes), QStringLiteral("packed entry")};
            return need;
        }
        const qint64 latent = group.kv_lora_rank + group.qk_rope_head_dim;
        if (latent % rule.elements != 0)
            return unalignedRow(latent, rule);
        need.before << Factor{QStringLiteral("(%1 + %2)").arg(group.kv_lora_rank).arg(group.qk_rope_head_dim),
            QStringLiteral("kv_lora_rank + qk_rope_head_dim")};
        need.bytes = Product(group.layers) * latent * rule.bytes / rule.elements;
        need.after << bytesFactor(rule);
        return need;
    }

    template <typename Other> GroupNeed operator()(const Other &) const { return NotComputed{}; }
};

Refusal unsupportedKinds(const ModelSpec &model, const QStringList &kinds)
{
    return {QStringLiteral("unsupported_cache_kind"),
        QCoreApplication::translate("memory",
            "%1 has caches of the kind %2, and this version computes full attention and MLA only, so there is no "
            "figure. Choose another model.")
            .arg(model.name, kinds.join(QStringLiteral(", ")))};
}

Refusal overflow()
{
    return {QStringLiteral("overflow"),
        QCoreApplication::translate("memory",
            "The cache would be larger than 2^127 bytes, more than is computed here. Make seq_len or batch "
            "smaller, or check the model's numbers.")};
}

std::optional<Refusal> fieldRange(const QString &field, qint64 value, qint64 largest)
{
    if (value >= 1 && value <= largest)
        return std::nullopt;
    const QLocale locale;
    return Refusal{QStringLiteral("out_of_range"),
        QCoreApplication::translate(
            "memory", "%1 is %2, but it must lie between 1 and %3. Enter a whole number in this range.")
            .arg(field, locale.toString(value), locale.toString(largest))};
}

/// One entry per group that owns a cache; a kind without a figure outweighs any other refusal.
std::variant<QList<TokenNeed>, Refusal> needsPerToken(const ModelSpec &model, const FormatRule &rule)
{
    QList<TokenNeed> needs;
    QStringList unknown;
    std::optional<Refusal> first;
    for (const CacheSpec &cache : model.caches) {
        if (std::holds_alternative<NoCache>(cache))
            continue;
        GroupNeed group = std::visit(NeedPerToken{rule}, cache);
        const QString kind = cacheKindName(cache);
        if (auto *need = std::get_if<TokenNeed>(&group)) {
            need->kind = kind;
            needs << *need;
        } else if (const auto *refusal = std::get_if<Refusal>(&group)) {
            first = first.value_or(*refusal);
        } else if (!unknown.contains(kind)) {
            unknown << kind;
        }
    }
    if (!unknown.isEmpty())
        return unsupportedKinds(model, unknown);
    if (first)
        return *first;
    return needs;
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

std::optional<Refusal> checkRange(const MemoryQuery &query)
{
    if (const auto refusal = fieldRange(QStringLiteral("seq_len"), query.seq_len, maxSeqLen))
        return refusal;
    return fieldRange(QStringLiteral("batch"), query.batch, maxBatch);
}

Estimate cacheNeed(const ModelSpec &model, const MemoryQuery &query)
{
    const auto needs = needsPerToken(model, ruleOf(query.kv_dtype));
    if (const auto *refusal = std::get_if<Refusal>(&needs))
        return *refusal;
    MemoryResult result;
    Product total;
    Product per_token;
    for (const TokenNeed &need : std::get<QList<TokenNeed>>(needs)) {
        const Product bytes = need.bytes * query.seq_len * query.batch;
        per_token += need.bytes;
        total += bytes;
        if (std::max(total, per_token) > Product(maxBytes()))
            return overflow();
        QList<Factor> factors = need.before;
        factors << countFactor(query.seq_len, QStringLiteral("seq_len"))
                << countFactor(query.batch, QStringLiteral("batch"));
        result.terms << MemoryTerm{need.kind, factors + need.after, Bytes(bytes)};
    }
    result.bytes = Bytes(total);
    result.bytes_per_token = Bytes(per_token);
    return result;
}

Estimate estimate(const ModelSpec &model, const MemoryQuery &query)
{
    if (const auto refusal = checkRange(query))
        return *refusal;
    return cacheNeed(model, query);
}

} // namespace kvlab::memory
