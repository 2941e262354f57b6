// SPDX-License-Identifier: GPL-3.0-or-later
// How many bytes a model's safetensors files hold: from their headers, or from the index where files are missing.
// Source: the safetensors format (8-byte length, JSON of tensors with their data_offsets), at most 100 MB of header.
#pragma once

#include "memory/importers/model_import.h"

#include <QIODevice>

namespace kvlab::memory {

/// Does it begin with the length of a JSON object? Leaves the position where it was.
bool looksLikeSafetensors(QIODevice &file);

/// Bytes of all tensors of one file; refused: bad_header.
std::variant<qint64, Refusal> safetensorsBytes(QIODevice &file);

struct WeightFiles
{
    std::optional<qint64> bytes; ///< unset when the folder has none, or not all of them
    QString source; ///< "model.safetensors.index.json", "model-00001-of-00004.safetensors …"
    QList<ImportWarning> warnings;
};

/// The weights that lie in a folder: model.safetensors.index.json with its parts, or model.safetensors, or the only
/// *.safetensors.
WeightFiles weightsInFolder(const QString &folder);

} // namespace kvlab::memory
