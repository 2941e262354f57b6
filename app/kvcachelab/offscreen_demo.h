// SPDX-License-Identifier: GPL-3.0-or-later
// The window's main job without a screen: a run against the practice engine, pressed and watched as a user would,
// leaving pictures (before, during, after; English and Chinese; light and dark; two sizes; presentation), samples and
// table.
#pragma once

#include <QString>

namespace kvlab::app {

/// Returns the exit code: 0 measured and confirmed, 1 measured with another verdict, 4 not measured, 5 could not write.
int runOffscreenDemo(const QString &folder);

} // namespace kvlab::app
