// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/memory_estimate.h"

#include "memory/cache_parts.h"

#include <QCoreApplication>
#include <QLocale>

namespace kvlab::memory {

namespace {

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

/// Sums that may still exceed what is computed.
struct Sums
{
    Product total;
    Product below; ///< per token
    Product above;
    Product fixed; ///< per sequence

    void add(const CachePart &part, const Product &bytes)
    {
        total += bytes;
        if (part.entries.isFixed()) {
            fixed += part.entry_bytes * part.entries.size;
            return;
        }
        const qint64 tokens = part.entries.kind == Entries::Kind::ratio ? part.entries.size : 1;
        const Product share = (part.entry_bytes + tokens - 1) / tokens;
        below += share;
        if (!part.entries.stopsGrowing())
            above += share;
    }

    bool fit() const { return std::max({total, below, fixed}) <= Product(maxBytes()); }
};

MemoryTerm termOf(const QString &kind, const CachePart &part, const MemoryQuery &query, const Product &bytes)
{
    QList<Factor> factors = part.before;
    if (const auto entries = entriesFactor(part.entries, query.seq_len))
        factors << *entries;
    factors << countFactor(
        sequencesPerRank(query), query.dp == 1 ? QStringLiteral("batch") : QStringLiteral("sequences per rank"));
    return {kind, factors + part.after, Bytes(bytes)};
}

} // namespace

qint64 sequencesPerRank(const MemoryQuery &query)
{
    return (query.batch + query.dp - 1) / query.dp;
}

std::optional<Refusal> checkRange(const MemoryQuery &query)
{
    if (const auto refusal = fieldRange(QStringLiteral("seq_len"), query.seq_len, maxSeqLen))
        return refusal;
    const std::pair<QString, qint64> parts[]{
        {QStringLiteral("tp"), query.tp}, {QStringLiteral("pp"), query.pp}, {QStringLiteral("dp"), query.dp}};
    for (const auto &[field, value] : parts) {
        if (const auto refusal = fieldRange(field, value, maxRanks))
            return refusal;
    }
    return fieldRange(QStringLiteral("batch"), query.batch, maxBatch);
}

Estimate cacheNeed(const ModelSpec &model, const MemoryQuery &query)
{
    const auto groups = cacheGroups(model, query);
    if (const auto *refusal = std::get_if<Refusal>(&groups))
        return *refusal;
    MemoryResult result;
    Sums sums;
    for (const CacheGroup &group : std::get<QList<CacheGroup>>(groups)) {
        for (const CachePart &part : group.parts) {
            const Product bytes = part.entry_bytes * part.entries.of(query.seq_len) * sequencesPerRank(query);
            sums.add(part, bytes);
            if (!sums.fit())
                return overflowRefusal();
            result.terms << termOf(group.kind, part, query, bytes);
        }
    }
    result.bytes = Bytes(sums.total);
    result.bytes_per_token = Bytes(sums.below);
    result.bytes_per_token_above_window = Bytes(sums.above);
    result.fixed_bytes_per_sequence = Bytes(sums.fixed);
    return result;
}

std::variant<Bytes, Refusal> estimateBytes(const ModelSpec &model, const MemoryQuery &query)
{
    if (const auto refusal = checkRange(query))
        return *refusal;
    const auto groups = cacheGroups(model, query, Naming::none);
    if (const auto *refusal = std::get_if<Refusal>(&groups))
        return *refusal;
    Product total = 0;
    for (const CacheGroup &group : std::get<QList<CacheGroup>>(groups)) {
        for (const CachePart &part : group.parts)
            total += part.entry_bytes * part.entries.of(query.seq_len) * sequencesPerRank(query);
    }
    if (total > Product(maxBytes()))
        return overflowRefusal();
    return Bytes(total);
}

Estimate estimate(const ModelSpec &model, const MemoryQuery &query)
{
    if (const auto refusal = checkRange(query))
        return *refusal;
    return cacheNeed(model, query);
}

} // namespace kvlab::memory
