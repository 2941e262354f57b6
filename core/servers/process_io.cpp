// SPDX-License-Identifier: GPL-3.0-or-later
#include "servers/process_io.h"

#include <QFile>

#if defined(Q_OS_WIN)
#include <windows.h>
#elif defined(Q_OS_MACOS)
#include <libproc.h>
#endif

namespace kvlab::servers {

#if defined(Q_OS_WIN)

// Not tried. Windows counts reads whether they came from the cache or not.
std::optional<ProcessReads> readsOfProcess(qint64 pid)
{
    const HANDLE process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, DWORD(pid));
    if (process == nullptr)
        return std::nullopt;
    IO_COUNTERS counters{};
    const bool known = GetProcessIoCounters(process, &counters) != 0;
    CloseHandle(process);
    if (!known)
        return std::nullopt;
    return ProcessReads{std::nullopt, qint64(counters.ReadTransferCount)};
}

#elif defined(Q_OS_MACOS)

// Not tried. macOS counts what came from the disk only.
std::optional<ProcessReads> readsOfProcess(qint64 pid)
{
    rusage_info_v2 usage{};
    if (proc_pid_rusage(int(pid), RUSAGE_INFO_V2, reinterpret_cast<rusage_info_t *>(&usage)) != 0)
        return std::nullopt;
    const auto bytes = qint64(usage.ri_diskio_bytesread);
    return ProcessReads{bytes, bytes};
}

#else

std::optional<ProcessReads> readsOfProcess(qint64 pid)
{
    QFile file(QStringLiteral("/proc/%1/io").arg(pid));
    if (pid <= 0 || !file.open(QIODevice::ReadOnly))
        return std::nullopt;
    std::optional<qint64> storage;
    std::optional<qint64> calls;
    for (const QByteArray &line : file.readAll().split('\n')) {
        const auto number = [&line] { return line.mid(line.indexOf(':') + 1).trimmed().toLongLong(); };
        if (line.startsWith("read_bytes:"))
            storage = number();
        else if (line.startsWith("rchar:"))
            calls = number();
    }
    if (!calls)
        return std::nullopt;
    return ProcessReads{storage, *calls};
}

#endif

} // namespace kvlab::servers
