// SPDX-License-Identifier: GPL-3.0-or-later
// The groups of layers that a GGUF file's metadata describes.
#pragma once

#include "memory/importers/field_reader.h"
#include "memory/importers/gguf_header.h"

namespace kvlab::memory {

/// Metadata of one architecture: "gemma3.attention.head_count". Faults go into the log.
class GgufFields
{
public:
    GgufFields(const GgufHeader &header, ImportLog &log);

    const QString &architecture() const { return m_architecture; }
    ImportLog &log() const { return *m_log; }
    QString path(QLatin1String key) const;

    bool has(QLatin1String key) const;
    /// Is there any key below this one? ("ssm")
    bool hasAnyBelow(QLatin1String key) const;
    QString text(const QString &full_key) const;
    /// A positive number; nullopt when absent or 0.
    std::optional<Count> count(QLatin1String key, qint64 largest = maxImportedWidth) const;
    std::optional<Count> required(QLatin1String key, qint64 largest = maxImportedWidth) const;
    /// One number per layer: the file's list, or its single number for each. nullopt when absent.
    std::optional<CountList> perLayer(QLatin1String key, qint64 layers, qint64 largest = maxImportedWidth) const;
    /// The same where it must be a list.
    std::optional<CountList> list(QLatin1String key, qint64 layers) const;

private:
    const GgufValue *find(QLatin1String key) const;
    std::optional<qint64> checked(QLatin1String key, const GgufValue &value, qint64 largest) const;

    const GgufHeader *m_header;
    QString m_architecture;
    ImportLog *m_log;
};

struct GgufCaches
{
    QList<CacheSpec> caches;
    qint64 layers = 0;
    std::optional<qint64> heads; ///< most query heads of a layer
};

GgufCaches readGgufCaches(const GgufFields &fields);

} // namespace kvlab::memory
