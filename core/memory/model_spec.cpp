// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/model_spec.h"

#include <QRegularExpression>

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

QString fieldSource(const QMap<QString, QString> &field_sources, const QString &kind, const QString &name)
{
    const auto whole
        = [&](const QString &term) { return field_sources.value(kind + u'.' + term, field_sources.value(term)); };
    if (const QString source = whole(name); !source.isEmpty())
        return source;
    static const QRegularExpression word(QStringLiteral("[a-z_]+"));
    QStringList sources;
    for (auto match = word.globalMatch(name); match.hasNext();) {
        const QString source = whole(match.next().captured());
        if (!source.isEmpty() && !sources.contains(source))
            sources << source;
    }
    return sources.join(QStringLiteral(", "));
}

} // namespace kvlab::memory
