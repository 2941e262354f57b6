// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kvlab::cli {

/// Is standard error a terminal that a person looks at?
bool isErrorTerminal();

} // namespace kvlab::cli
