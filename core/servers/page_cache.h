// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the operating system forget what it keeps of a file in RAM, so that the next read comes from the storage.
#pragma once

#include <QString>

namespace kvlab::servers {

/// False when the system refused or knows no way; the file itself is never changed. Whether the pages have really gone
/// is for the reader's counters to show (process_io.h): a file system in RAM has nothing else to read from.
bool dropFromPageCache(const QString &path);

} // namespace kvlab::servers
