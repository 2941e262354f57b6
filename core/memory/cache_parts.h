// SPDX-License-Identifier: GPL-3.0-or-later
// A model's caches as products: so many bytes per entry, times entries of one sequence, times sequences. The ideal need
// (memory_estimate) and what engines allocate (allocation) differ only in the number of entries.
#pragma once

#include "memory/memory_estimate.h"

namespace kvlab::memory {

/// Wide enough for the product of any seven 64-bit fields, so that it can be formed first and compared with maxBytes()
/// then.
using Product = boost::multiprecision::int512_t;

/// How many entries one sequence has.
struct Entries
{
    enum class Kind { every_token, window, chunk, ratio, per_sequence };

    Kind kind = Kind::every_token;
    qint64 size = 1; ///< tokens of the window or chunk, tokens per entry, or entries whatever the length

    qint64 of(qint64 seq_len) const;
    bool isFixed() const { return kind == Kind::per_sequence; }
    bool stopsGrowing() const { return kind == Kind::window || kind == Kind::chunk; }
};

/// One product of the sum.
struct CachePart
{
    Product entry_bytes; ///< one entry of one sequence, over all layers of the group
    Entries entries;
    QList<Factor> before; ///< come before entries and batch
    QList<Factor> after;
};

/// What one CacheSpec keeps.
struct CacheGroup
{
    QString kind; ///< cacheKindName()
    qint64 layers = 0;
    QList<CachePart> parts; ///< none when the layers own no cache
};

/// Naming factors takes most of the time; sums of thousands of rows do without.
enum class Naming { full, none };

/// One entry per CacheSpec, in the model's order; per rank and stage.
std::variant<QList<CacheGroup>, Refusal> cacheGroups(
    const ModelSpec &model, const MemoryQuery &query, Naming naming = Naming::full);

/// “seq_len”, “min(seq_len, window)”, …; nothing for what every sequence has once.
std::optional<Factor> entriesFactor(const Entries &entries, qint64 seq_len);

Factor countFactor(qint64 value, const QString &name);

Refusal overflowRefusal();

} // namespace kvlab::memory
