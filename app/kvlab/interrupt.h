// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl-C and SIGTERM: a signal handler may do next to nothing, so it leaves a mark that is looked at often enough.
#pragma once

namespace kvlab::cli {

void watchForInterrupt();
bool wasInterrupted();

} // namespace kvlab::cli
