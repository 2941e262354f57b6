// SPDX-License-Identifier: GPL-3.0-or-later
// Prefix-cache scenarios as JSON (the format of tests/data/prefix-hits.json) played through the block pool, the chunk
// rules, the radix tree and the slots: what each step or case expects is compared with what comes out. Groups: `apc`
// (steps request, append, free, reset), `same_prompt`, `edits`, `window_groups`, `lmcache`, `radix`, `slots`.
#pragma once

#include "prefix/block_pool.h"

#include <QJsonObject>

#include <variant>

namespace kvlab::prefix {

struct TraceResult
{
    QJsonObject file; ///< as read, with `got` beside each `expect` and `result` (passed, failed), and the counts
    int passed = 0; ///< steps and cases
    int failed = 0;
    QStringList differences; ///< names of the failed ones
};

/// `order`: values written {"A": …, "B": …} depend on it. A text instead of a result says, as a whole sentence, which
/// part of the file cannot be used and why.
std::variant<TraceResult, QString> runTrace(const QJsonObject &file, FreeOrder order);

} // namespace kvlab::prefix
