// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/socket_reset.h"

#ifdef Q_OS_WIN // not tried
#include <winsock2.h>
#else // Linux; macOS not tried
#include <sys/socket.h>
#endif

namespace kvlab::test {

bool resetOnClose(qintptr descriptor)
{
    linger at_once{};
    at_once.l_onoff = 1;
    at_once.l_linger = 0;
#ifdef Q_OS_WIN
    const auto handle = static_cast<SOCKET>(descriptor);
#else
    const auto handle = static_cast<int>(descriptor);
#endif
    return setsockopt(handle, SOL_SOCKET, SO_LINGER, reinterpret_cast<const char *>(&at_once), sizeof at_once) == 0;
}

} // namespace kvlab::test
