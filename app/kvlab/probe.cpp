// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "options.h"

int kvlab::cli::runProbe(const QStringList &)
{
    return fail(exitUsage, QStringLiteral("not built yet"));
}
