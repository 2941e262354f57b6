// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of main memory, by each system's own way.
#include "servers/this_machine.h"

#include <QFile>

#if defined(Q_OS_MACOS)
#include <sys/sysctl.h>
#elif defined(Q_OS_WIN)
#include <windows.h>
#endif

namespace kvlab::servers {

std::optional<qint64> mainMemoryBytes()
{
#if defined(Q_OS_MACOS)
    // Not tried.
    quint64 bytes = 0;
    size_t size = sizeof(bytes);
    if (sysctlbyname("hw.memsize", &bytes, &size, nullptr, 0) != 0)
        return std::nullopt;
    return qint64(bytes);
#elif defined(Q_OS_WIN)
    // Not tried.
    MEMORYSTATUSEX status;
    status.dwLength = sizeof(status);
    if (!GlobalMemoryStatusEx(&status))
        return std::nullopt;
    return qint64(status.ullTotalPhys);
#else
    QFile file(QStringLiteral("/proc/meminfo"));
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    return parseMeminfo(file.readAll());
#endif
}

} // namespace kvlab::servers
