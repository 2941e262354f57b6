// SPDX-License-Identifier: GPL-3.0-or-later
// The header of a GGUF file, versions 2 and 3: metadata and the list of tensors, without their data. Only the header is
// read, however large the file; every length is checked against what the file still holds before anything is kept.
// Source: ggml's docs/gguf.md and gguf.cpp.
#pragma once

#include "memory/bytes.h"
#include "memory/memory_estimate.h"

#include <QHash>
#include <QIODevice>

namespace kvlab::memory {

/// Lists hold whole numbers (booleans as 0 and 1).
using GgufValue = std::variant<qint64, double, bool, QString, QList<qint64>>;

struct GgufHeader
{
    quint32 version = 0;
    /// Without the tokenizer's own lists and texts, and without lists that are longer than any list of layers.
    QHash<QString, GgufValue> values;
    qint64 tensors = 0;
    Bytes parameters; ///< elements of all tensors of this file
    std::optional<Bytes> tensor_bytes; ///< without padding; unset when a tensor has a type that is not known here
    QString unknown_type; ///< of such a tensor: "type 99 of blk.0.attn_q.weight"
    bool is_cut_off = false; ///< the file ends before its tensors do
};

/// Does it begin as GGUF files do? Leaves the position where it was.
bool looksLikeGguf(QIODevice &file);

/// Refused: bad_header, unsupported_version, big_endian.
std::variant<GgufHeader, Refusal> readGgufHeader(QIODevice &file);

} // namespace kvlab::memory
