// SPDX-License-Identifier: GPL-3.0-or-later
// The built-in list of models (resources/models.json, fields as in that file's "caches" entries), those imported beside
// it, and the course's grid.
#pragma once

#include "memory/memory_estimate.h"

#include <memory>

namespace kvlab::memory {

/// All built-in models in the file's order, loaded once; thread-safe.
const QList<ModelSpec> &builtInModels();

/// By id or name, case-insensitive; nullptr when there is none.
const ModelSpec *findModel(const QString &idOrName);

/// The models that a document knows: imported ones before the built-in list. A value; copies share the models, whose
/// addresses stay valid as long as any copy that holds them.
class ModelLibrary
{
public:
    /// By id or name, case-insensitive; nullptr when there is none.
    const ModelSpec *find(const QString &idOrName) const;
    /// Imported ones first, then the built-in list.
    QStringList names() const;
    const QList<std::shared_ptr<const ModelSpec>> &imported() const { return m_imported; }

    /// Adds an imported model, or replaces the one imported under the same name. A name that the built-in list has
    /// becomes “… (imported)”. Returns the name that it has now.
    QString add(ModelSpec model);

private:
    QList<std::shared_ptr<const ModelSpec>> m_imported;
};

/// Name of the handout's own DeepSeek-V3 (61 × 8 × 128), which counts 3.56 times too much.
QString handoutDeepSeekName();

/// A row of the memory table. `model` is a model's name.
struct MemoryRow
{
    QString model;
    qint64 seq_len = 4096;
    qint64 batch = 1;
    CacheFormat kv_dtype = CacheFormat::bf16;

    friend bool operator==(const MemoryRow &, const MemoryRow &) = default;
};

/// estimate() of the row's model; unknown_model when the library has none of that name.
Estimate estimateRow(const MemoryRow &row, const ModelLibrary &library = {});

/// The handout's table: its four models × {2048, 4096, 8192, 32768} × {1, 8} with DeepSeek-V3 right, then the eight
/// rows with the handout's own DeepSeek-V3, in that order (40 rows).
QList<MemoryRow> handoutGrid();

/// What a typed or pasted count means: "4k" = 4096, "1,000" = 1000, "１０２４" = 1024. nullopt = not a count, or
/// ambiguous ("4.096").
std::optional<qint64> parseCount(const QString &text);

} // namespace kvlab::memory
