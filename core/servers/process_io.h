// SPDX-License-Identifier: GPL-3.0-or-later
// What the operating system counted for one process: a witness of reads that does not belong to the engine.
#pragma once

#include <QtGlobal>

#include <optional>

namespace kvlab::servers {

struct ProcessReads
{
    std::optional<qint64> storage_bytes; ///< fetched from the storage itself, page cache left out; none = not counted
    qint64 read_bytes = 0; ///< handed over by read calls, wherever they came from
};

/// Totals since the process began (Linux: /proc/PID/io, see proc(5)); nullopt when the system tells nothing of it.
std::optional<ProcessReads> readsOfProcess(qint64 pid);

} // namespace kvlab::servers
