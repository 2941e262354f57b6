// SPDX-License-Identifier: GPL-3.0-or-later
// `kvlab calc --rows`: a file of reference rows ({id, group, model | architecture, kv_dtype, seq_len, batch, tp,
// rounding, expect}; {inputs, expect} for published figures; budgets and parameter counts) against the calculator. A
// row that asks for anything this version does not compute is listed as unsupported with the reason, never counted as
// passed.
#pragma once

#include <QString>

namespace kvlab::cli {

/// Prints {"rows": […with "got", "result"…], "passed", "failed", "unsupported"} and returns the exit code: 0, 1 when a
/// row differs, 3 when the file cannot be read.
int checkReferenceRows(const QString &path);

} // namespace kvlab::cli
