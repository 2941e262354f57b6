// SPDX-License-Identifier: GPL-3.0-or-later
// `kvlab calc --rows`: a file of reference rows ({id, group, model | architecture, kv_dtype, seq_len, batch, tp,
// rounding, expect}, or {inputs, expect} for published figures) against estimate(). A row that asks for anything this
// version does not compute is listed as unsupported with the reason, never counted as passed.
#pragma once

#include "memory/bytes.h"

#include <QJsonValue>

namespace kvlab::cli {

/// A JSON number up to 2^53, a decimal string above, so that no reader loses digits.
QJsonValue bytesJson(const memory::Bytes &bytes);

/// Prints {"rows": […with "got", "result"…], "passed", "failed", "unsupported"} and returns the exit code: 0, 1 when a
/// row differs, 3 when the file cannot be read.
int checkReferenceRows(const QString &path);

} // namespace kvlab::cli
