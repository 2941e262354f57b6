// SPDX-License-Identifier: GPL-3.0-or-later
#include "terminal.h"

#include <cstdio>

#ifdef _WIN32
#include <io.h> // not tried
#else
#include <unistd.h>
#endif

bool kvlab::cli::isErrorTerminal()
{
#ifdef _WIN32
    return _isatty(_fileno(stderr)) != 0; // not tried
#else
    return isatty(fileno(stderr)) != 0;
#endif
}
