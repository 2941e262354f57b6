// SPDX-License-Identifier: GPL-3.0-or-later
// The clock of all stamps: monotonic, nanoseconds, of no meaning outside this process.
#pragma once

#include <QtGlobal>

#include <chrono>

namespace kvlab::probe {

inline qint64 monotonicNs()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

} // namespace kvlab::probe
