// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/cache_parts.h"

#include <QCoreApplication>
#include <QLocale>

namespace kvlab::memory {

namespace {

using Parts = std::variant<QList<CachePart>, Refusal>;

Factor bytesFactor(const ElementSize &size, CacheFormat format)
{
    const QString value = size.elements == 1 ? QStringLiteral("%1 B").arg(size.bytes)
                                             : QStringLiteral("%1/%2 B").arg(size.bytes).arg(size.elements);
    return {value, cacheFormatName(format)};
}

Refusal unalignedRow(qint64 elements, CacheFormat format)
{
    return {QStringLiteral("unaligned_row"),
        QCoreApplication::translate("memory",
            "One token's row holds %1 values here, and %2 packs them %3 at a time, which does not come out even. "
            "Choose another cache format.")
            .arg(QLocale().toString(elements), cacheFormatName(format), QLocale().toString(blockElements(format)))};
}

Refusal latentFormat(CacheFormat format)
{
    return {QStringLiteral("format_needs_mla"),
        QCoreApplication::translate("memory",
            "%1 stores the latents of MLA only, with 128 values to a scale, and this model's caches are not such "
            "latents. Choose another cache format.")
            .arg(cacheFormatName(format))};
}

Refusal indivisibleHeads(qint64 kv_heads, qint64 tp)
{
    const QLocale locale;
    return {QStringLiteral("tp_invalid"),
        QCoreApplication::translate("memory",
            "%1 KV heads cannot be divided over %2 ranks: neither number divides the other, so engines refuse this. "
            "Choose a tensor parallel size that divides the KV heads, or a multiple of them.")
            .arg(locale.toString(kv_heads), locale.toString(tp))};
}

Refusal unknownShare(const QString &what)
{
    return {QStringLiteral("tp_unknown"),
        QCoreApplication::translate("memory",
            "The model's figures do not say how %1 are divided over ranks and stages, so there is no figure for tensor "
            "or pipeline parallel sizes above 1. Choose 1.")
            .arg(what)};
}

Factor layersFactor(qint64 layers, const MemoryQuery &query)
{
    return countFactor(layers, query.pp == 1 ? QStringLiteral("layers") : QStringLiteral("layers of the stage"));
}

/// The KV heads of a group as one rank holds them.
struct Heads
{
    Product total; ///< over all layers
    qint64 in_row = 1; ///< of one layer; 1 where only the sum over layers is known: then each head must align alone
    QList<Factor> factors;
};

std::variant<qint64, Refusal> headsPerRank(qint64 kv_heads, qint64 tp)
{
    if (kv_heads % tp == 0)
        return kv_heads / tp;
    if (tp % kv_heads == 0)
        return qint64(1); // each head is replicated on tp / kv_heads ranks
    return indivisibleHeads(kv_heads, tp);
}

std::variant<Heads, Refusal> headsOf(qint64 layers, const AttentionShape &shape, const MemoryQuery &query, bool named)
{
    const qint64 tp = query.tp / query.dp;
    if (shape.kv_heads_sum) {
        if (tp > 1 || query.pp > 1)
            return unknownShare(QCoreApplication::translate("memory", "heads that differ from layer to layer"));
        Heads sum{*shape.kv_heads_sum, 1, {}};
        if (named)
            sum.factors << countFactor(*shape.kv_heads_sum, QStringLiteral("kv_heads over all layers"));
        return sum;
    }
    const auto heads = headsPerRank(shape.kv_heads, tp);
    if (const auto *refusal = std::get_if<Refusal>(&heads))
        return *refusal;
    const qint64 kv_heads = std::get<qint64>(heads);
    Heads held{Product(layers) * kv_heads, kv_heads, {}};
    if (named)
        held.factors = {layersFactor(layers, query),
            countFactor(kv_heads, tp == 1 ? QStringLiteral("kv_heads") : QStringLiteral("kv_heads per rank"))};
    return held;
}

/// K or V alone.
CachePart halfPart(const Heads &heads, qint64 dim, const QString &name, const ElementSize &size, CacheFormat format)
{
    CachePart part;
    part.entry_bytes = heads.total * dim * size.bytes / size.elements;
    if (heads.factors.isEmpty())
        return part;
    part.before = heads.factors;
    part.before << countFactor(dim, name);
    part.after << bytesFactor(size, format);
    return part;
}

/// K and V stored alike, as one product.
CachePart wholePart(const Heads &heads, const AttentionShape &shape, const ElementSize &size, CacheFormat format)
{
    CachePart part;
    part.entry_bytes = heads.total * (Product(shape.head_dim) + shape.v_head_dim) * size.bytes / size.elements;
    if (heads.factors.isEmpty())
        return part;
    part.before = heads.factors;
    if (shape.head_dim == shape.v_head_dim) {
        part.before.prepend(countFactor(2, QStringLiteral("K, V")));
        part.before << countFactor(shape.head_dim, QStringLiteral("head_dim"));
    } else {
        part.before << Factor{QStringLiteral("(%1 + %2)").arg(shape.head_dim).arg(shape.v_head_dim),
            QStringLiteral("head_dim + v_head_dim")};
    }
    part.after << bytesFactor(size, format);
    return part;
}

struct PartsOf
{
    const MemoryQuery &query;
    CacheFormat recurrent_dtype;
    bool named = true; ///< factors wanted, which take most of the time

    Parts attention(qint64 layers, const AttentionShape &shape, const Entries &entries, CacheFormat k_format,
        CacheFormat v_format) const
    {
        const auto heads = headsOf(layers, shape, query, named);
        if (const auto *refusal = std::get_if<Refusal>(&heads))
            return *refusal;
        const Heads &held = std::get<Heads>(heads);
        const auto k_size = elementSize(k_format, held.in_row, shape.head_dim);
        const auto v_size = elementSize(v_format, held.in_row, shape.v_head_dim);
        if (!k_size)
            return cannotStore(k_format, held.in_row, shape.head_dim);
        if (!v_size)
            return cannotStore(v_format, held.in_row, shape.v_head_dim);
        QList<CachePart> parts;
        if (k_format == v_format && k_size == v_size)
            parts << wholePart(held, shape, *k_size, k_format);
        else
            parts << halfPart(held, shape.head_dim, QStringLiteral("head_dim of K"), *k_size, k_format)
                  << halfPart(held, shape.v_head_dim, QStringLiteral("head_dim of V"), *v_size, v_format);
        for (CachePart &part : parts)
            part.entries = entries;
        return parts;
    }

    static Refusal cannotStore(CacheFormat format, qint64 heads, qint64 dim)
    {
        if (format == CacheFormat::fp8_ds_mla)
            return latentFormat(format);
        return unalignedRow(blocksStayInHead(format) ? dim : heads * dim, format);
    }

    Parts operator()(const FullAttention &group) const
    {
        return attention(group.layers, group.shape, {}, query.kv_dtype, query.v_dtype.value_or(query.kv_dtype));
    }

    Parts operator()(const SlidingWindow &group) const
    {
        const CacheFormat k_format = query.sliding_dtype.value_or(query.kv_dtype);
        const CacheFormat v_format = query.sliding_dtype.value_or(query.v_dtype.value_or(query.kv_dtype));
        return attention(group.layers, group.shape, {Entries::Kind::window, group.window}, k_format, v_format);
    }

    Parts operator()(const ChunkedAttention &group) const
    {
        return attention(group.layers, group.shape, {Entries::Kind::chunk, group.chunk}, query.kv_dtype,
            query.v_dtype.value_or(query.kv_dtype));
    }

    Parts operator()(const CrossAttention &group) const
    {
        const AttentionShape shape{group.kv_heads, std::nullopt, group.head_dim, group.head_dim};
        return attention(group.layers, shape, {Entries::Kind::per_sequence, group.encoder_tokens}, query.kv_dtype,
            query.v_dtype.value_or(query.kv_dtype));
    }

    CachePart packed(qint64 layers, qint64 entry_bytes, const QString &name) const
    {
        CachePart part;
        part.entry_bytes = Product(layers) * entry_bytes;
        if (!named)
            return part;
        part.before << layersFactor(layers, query);
        part.after << Factor{QStringLiteral("%1 B").arg(entry_bytes), name};
        return part;
    }

    Parts operator()(const MlaLatent &group) const
    {
        if (group.entry_bytes)
            return QList{packed(group.layers, *group.entry_bytes, QStringLiteral("packed entry"))};
        const qint64 rank = group.kv_lora_rank;
        const qint64 rope = group.qk_rope_head_dim;
        if (query.kv_dtype == CacheFormat::fp8_ds_mla) {
            if (rank % 128 != 0)
                return latentFormat(query.kv_dtype);
            return QList{packed(group.layers, rank + rank / 128 * 4 + rope * 2, cacheFormatName(query.kv_dtype))};
        }
        const auto size = elementSize(query.kv_dtype, 1, rank + rope);
        if (!size)
            return unalignedRow(rank + rope, query.kv_dtype);
        CachePart part;
        part.entry_bytes = Product(group.layers) * (rank + rope) * size->bytes / size->elements;
        if (named) {
            part.before << layersFactor(group.layers, query)
                        << Factor{QStringLiteral("(%1 + %2)").arg(rank).arg(rope),
                               QStringLiteral("kv_lora_rank + qk_rope_head_dim")};
            part.after << bytesFactor(*size, query.kv_dtype);
        }
        return QList{part};
    }

    Parts operator()(const Indexer &group) const
    {
        return QList{packed(group.layers, group.entry_bytes, QStringLiteral("indexer entry"))};
    }

    Parts operator()(const CompressedAttention &group) const
    {
        const auto size = elementSize(query.kv_dtype, 1, group.head_dim);
        if (!size)
            return cannotStore(query.kv_dtype, 1, group.head_dim);
        CachePart raw;
        raw.entry_bytes = Product(group.layers) * group.head_dim * size->bytes / size->elements;
        raw.before << layersFactor(group.layers, query) << countFactor(group.head_dim, QStringLiteral("head_dim"));
        raw.after << bytesFactor(*size, query.kv_dtype);
        raw.entries = {Entries::Kind::window, group.window};
        QList<CachePart> parts{raw};
        if (group.ratio == 0)
            return parts;
        CachePart compressed = raw;
        compressed.entries = {Entries::Kind::ratio, group.ratio};
        parts << compressed;
        if (group.indexer_entry_bytes > 0) {
            parts << packed(group.layers, group.indexer_entry_bytes, QStringLiteral("indexer entry"));
            parts.last().entries = compressed.entries;
        }
        return parts;
    }

    Parts operator()(const FixedState &group) const
    {
        if (query.tp > query.dp)
            return unknownShare(QCoreApplication::translate("memory", "fixed states"));
        QList<CachePart> parts;
        const auto add = [&](qint64 elements, const QString &name, CacheFormat format) {
            const auto size = elementSize(format, 1, elements);
            if (elements == 0 || !size)
                return;
            CachePart part;
            part.entry_bytes = Product(group.layers) * elements * size->bytes / size->elements;
            part.entries = {Entries::Kind::per_sequence, 1};
            if (named) {
                part.before << layersFactor(group.layers, query) << countFactor(elements, name);
                part.after << bytesFactor(*size, format);
            }
            parts << part;
        };
        add(group.conv_elements, QStringLiteral("conv_elements"), toCacheFormat(query.conv_dtype));
        add(group.recurrent_elements, QStringLiteral("recurrent_elements"), recurrent_dtype);
        return parts;
    }

    static CacheFormat toCacheFormat(StateFormat format)
    {
        return format == StateFormat::f32 ? CacheFormat::f32 : CacheFormat::bf16;
    }

    Parts operator()(const NoCache &) const { return QList<CachePart>(); }
};

/// The layers of one kind in the stage that has most of them.
CacheSpec worstStage(CacheSpec cache, qint64 pp)
{
    std::visit([pp](auto &group) { group.layers = (group.layers + pp - 1) / pp; }, cache);
    return cache;
}

/// Sizes of a parallel set-up that no engine starts with.
std::optional<Refusal> cannotDivide(const ModelSpec &model, const MemoryQuery &query)
{
    const QLocale locale;
    if (query.tp % query.dp != 0)
        return Refusal{QStringLiteral("dp_invalid"),
            QCoreApplication::translate("memory",
                "%1 ranks cannot be divided into %2 groups for data-parallel attention. Choose a number of groups that "
                "divides the tensor parallel size.")
                .arg(locale.toString(query.tp), locale.toString(query.dp))};
    if (model.num_layers && query.pp > *model.num_layers)
        return Refusal{QStringLiteral("pp_invalid"),
            QCoreApplication::translate("memory",
                "%1 layers cannot fill %2 pipeline stages. Choose at most as many stages as the model has layers.")
                .arg(locale.toString(*model.num_layers), locale.toString(query.pp))};
    return std::nullopt;
}

} // namespace

qint64 Entries::of(qint64 seq_len) const
{
    if (seq_len == 0)
        return 0;
    switch (kind) {
    case Kind::every_token:
        return seq_len;
    case Kind::window:
    case Kind::chunk:
        return std::min(seq_len, size);
    case Kind::ratio:
        return seq_len / size;
    case Kind::per_sequence:
        return size;
    }
    return seq_len;
}

Factor countFactor(qint64 value, const QString &name)
{
    return {QString::number(value), name};
}

std::optional<Factor> entriesFactor(const Entries &entries, qint64 seq_len)
{
    switch (entries.kind) {
    case Entries::Kind::every_token:
        return countFactor(seq_len, QStringLiteral("seq_len"));
    case Entries::Kind::window:
        return Factor{
            QStringLiteral("min(%1, %2)").arg(seq_len).arg(entries.size), QStringLiteral("min(seq_len, window)")};
    case Entries::Kind::chunk:
        return Factor{
            QStringLiteral("min(%1, %2)").arg(seq_len).arg(entries.size), QStringLiteral("min(seq_len, chunk)")};
    case Entries::Kind::ratio:
        return Factor{QStringLiteral("⌊%1/%2⌋").arg(seq_len).arg(entries.size), QStringLiteral("⌊seq_len / ratio⌋")};
    case Entries::Kind::per_sequence:
        if (entries.size > 1)
            return countFactor(entries.size, QStringLiteral("encoder_tokens"));
        break;
    }
    return std::nullopt;
}

Refusal overflowRefusal()
{
    return {QStringLiteral("overflow"),
        QCoreApplication::translate("memory",
            "The cache would be larger than 2^127 bytes, more than is computed here. Make seq_len or batch "
            "smaller, or check the model's numbers.")};
}

std::variant<QList<CacheGroup>, Refusal> cacheGroups(const ModelSpec &model, const MemoryQuery &query, Naming naming)
{
    if (const auto refusal = cannotDivide(model, query))
        return *refusal;
    const StateFormat recurrent
        = query.recurrent_dtype.value_or(model.recurrent_state_fp32 ? StateFormat::f32 : query.conv_dtype);
    const PartsOf partsOf{query, PartsOf::toCacheFormat(recurrent), naming == Naming::full};
    QList<CacheGroup> groups;
    groups.reserve(model.caches.size());
    for (const CacheSpec &whole : model.caches) {
        const CacheSpec cache = query.pp == 1 ? whole : worstStage(whole, query.pp);
        Parts parts = std::visit(partsOf, cache);
        if (const auto *refusal = std::get_if<Refusal>(&parts))
            return *refusal;
        groups << CacheGroup{cacheKindName(cache), cacheLayers(cache), std::get<QList<CachePart>>(std::move(parts))};
    }
    return groups;
}

} // namespace kvlab::memory
