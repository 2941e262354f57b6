// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/importers/layer_groups.h"

namespace kvlab::memory {

namespace {

QString shapeKey(const AttentionShape &shape)
{
    return QStringLiteral("%1 %2 %3")
        .arg(QString::number(shape.kv_heads), QString::number(shape.head_dim), QString::number(shape.v_head_dim));
}

/// Equal for caches that differ in nothing but their number of layers.
struct CacheKey
{
    QString operator()(const FullAttention &cache) const { return shapeKey(cache.shape); }
    QString operator()(const SlidingWindow &cache) const
    {
        return shapeKey(cache.shape) + u' ' + QString::number(cache.window);
    }
    QString operator()(const ChunkedAttention &cache) const
    {
        return shapeKey(cache.shape) + u' ' + QString::number(cache.chunk);
    }
    QString operator()(const MlaLatent &cache) const
    {
        return QStringLiteral("%1 %2").arg(cache.kv_lora_rank).arg(cache.qk_rope_head_dim);
    }
    QString operator()(const Indexer &cache) const { return QString::number(cache.entry_bytes); }
    QString operator()(const CompressedAttention &cache) const { return QString::number(cache.ratio); }
    QString operator()(const FixedState &cache) const
    {
        return QStringLiteral("%1 %2 %3").arg(cache.type).arg(cache.conv_elements).arg(cache.recurrent_elements);
    }
    QString operator()(const CrossAttention &cache) const
    {
        return QStringLiteral("%1 %2").arg(cache.kv_heads).arg(cache.head_dim);
    }
    QString operator()(const NoCache &cache) const { return cache.reason; }
};

int rankOf(const CacheSpec &cache)
{
    if (std::holds_alternative<NoCache>(cache))
        return 2;
    return std::holds_alternative<FixedState>(cache) || std::holds_alternative<Indexer>(cache)
            || std::holds_alternative<CrossAttention>(cache)
        ? 1
        : 0;
}

} // namespace

void LayerGroups::add(const CacheSpec &cache)
{
    const QString key = cacheKindName(cache) + u' ' + std::visit(CacheKey{}, cache);
    const auto place = m_places.constFind(key);
    if (place != m_places.cend()) {
        std::visit([&cache](auto &group) { group.layers += cacheLayers(cache); }, m_groups[*place]);
        return;
    }
    m_places.insert(key, m_groups.size());
    m_groups << cache;
}

QList<CacheSpec> LayerGroups::groups() const
{
    QList<CacheSpec> sorted = m_groups;
    std::stable_sort(sorted.begin(), sorted.end(),
        [](const CacheSpec &left, const CacheSpec &right) { return rankOf(left) < rankOf(right); });
    return sorted;
}

} // namespace kvlab::memory
