// SPDX-License-Identifier: GPL-3.0-or-later
#include "servers/page_cache.h"

#include <QFile>

#if defined(Q_OS_WIN)
#include <windows.h>
#elif defined(Q_OS_MACOS)
#include <sys/mman.h>
#else
#include <fcntl.h>
#include <unistd.h>
#endif

namespace kvlab::servers {

#if defined(Q_OS_WIN)

// Not tried. Opening a file without buffering makes the cache manager let go of its pages.
bool dropFromPageCache(const QString &path)
{
    const HANDLE file = CreateFileW(reinterpret_cast<const wchar_t *>(path.utf16()), GENERIC_READ,
        FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING, FILE_FLAG_NO_BUFFERING,
        nullptr);
    if (file == INVALID_HANDLE_VALUE)
        return false;
    return CloseHandle(file) != 0;
}

#elif defined(Q_OS_MACOS)

// Not tried. Pages of a mapping that is invalidated leave the unified buffer cache.
bool dropFromPageCache(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return false;
    uchar *mapped = file.map(0, file.size());
    return mapped != nullptr && msync(mapped, size_t(file.size()), MS_INVALIDATE) == 0;
}

#else

bool dropFromPageCache(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return false;
    // Only clean pages can be dropped, so what is still to be written goes first.
    fdatasync(file.handle());
    return posix_fadvise(file.handle(), 0, 0, POSIX_FADV_DONTNEED) == 0;
}

#endif

} // namespace kvlab::servers
