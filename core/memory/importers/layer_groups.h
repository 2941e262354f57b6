// SPDX-License-Identifier: GPL-3.0-or-later
// Layers one by one → groups of equal layers, in the order in which each kind first occurs.
#pragma once

#include "memory/model_spec.h"

#include <QHash>

namespace kvlab::memory {

class LayerGroups
{
public:
    /// One layer's cache; its `layers` counts as given.
    void add(const CacheSpec &cache);
    /// States and indexers after attention, layers without a cache last.
    QList<CacheSpec> groups() const;

private:
    QList<CacheSpec> m_groups;
    QHash<QString, qsizetype> m_places;
};

} // namespace kvlab::memory
