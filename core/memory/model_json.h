// SPDX-License-Identifier: GPL-3.0-or-later
// Models as they stand in resources/models.json and in files of reference rows: groups of layers under "caches",
// each with a "kind" (full, sliding, chunked, mla, indexer, compressed, state, cross, none) and its fields.
// Limits: layers at most 100,000, heads and dims at most 1,000,000, token counts at most 10^12.
#pragma once

#include "memory/model_spec.h"

#include <QJsonArray>
#include <QJsonObject>

namespace kvlab::memory {

/// The groups, or a sentence that names the group and field that cannot be read.
std::variant<QList<CacheSpec>, QString> cachesFromJson(const QJsonArray &groups);

/// The fields that CacheSpec holds, under the names that cachesFromJson() reads.
QJsonArray cachesToJson(const QList<CacheSpec> &caches);

/// One entry of the model list, or a sentence.
std::variant<ModelSpec, QString> modelFromJson(const QJsonObject &object);

/// The same entry, as modelFromJson() reads it: for models that a document keeps.
QJsonObject modelToJson(const ModelSpec &model);

} // namespace kvlab::memory
