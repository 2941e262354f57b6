// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/model_spec.h"

namespace kvlab::memory {

namespace {

struct KindName
{
    QString operator()(const FullAttention &) const { return QStringLiteral("full"); }
    QString operator()(const SlidingWindow &) const { return QStringLiteral("sliding"); }
    QString operator()(const ChunkedAttention &) const { return QStringLiteral("chunked"); }
    QString operator()(const MlaLatent &) const { return QStringLiteral("mla"); }
    QString operator()(const Indexer &) const { return QStringLiteral("indexer"); }
    QString operator()(const CompressedAttention &) const { return QStringLiteral("compressed"); }
    QString operator()(const FixedState &) const { return QStringLiteral("state"); }
    QString operator()(const CrossAttention &) const { return QStringLiteral("cross"); }
    QString operator()(const NoCache &) const { return QStringLiteral("none"); }
};

} // namespace

QString cacheKindName(const CacheSpec &cache)
{
    return std::visit(KindName{}, cache);
}

qint64 cacheLayers(const CacheSpec &cache)
{
    return std::visit([](const auto &group) { return group.layers; }, cache);
}

} // namespace kvlab::memory
