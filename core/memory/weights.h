// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of a model's weights: parameters × bits of their format, and sizes as people type them.
#pragma once

#include "memory/bytes.h"

#include <QList>

#include <optional>

namespace kvlab::memory {

/// Bits per weight with its scales. A whole model is a little larger where embeddings and norms stay in 16 bits.
struct WeightFormat
{
    QString name; ///< "bf16", "fp8", "q4_K", …
    qint64 bits_e4 = 0; ///< bits × 10,000: 4.15 is 41,500
};

const QList<WeightFormat> &weightFormats();
std::optional<WeightFormat> weightFormatFromName(const QString &name);

/// parameters × bits / 8, rounded up.
Bytes weightBytes(qint64 parameters, const WeightFormat &format);

/// "24GiB" = 24 × 2^30, "80 GB" = 80 × 10^9, "1.5TiB", "1024 B"; the unit must be there, because the two differ.
/// nullopt when it is no size of 1 B to 2^60 B.
std::optional<qint64> parseSize(const QString &text);

} // namespace kvlab::memory
