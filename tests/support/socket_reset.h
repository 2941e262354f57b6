// SPDX-License-Identifier: GPL-3.0-or-later
// Qt cannot ask for an abortive close; the operating system can.
#pragma once

#include <QtGlobal>

namespace kvlab::test {

/// Closing this descriptor later sends RST instead of FIN. False when the system refused.
bool resetOnClose(qintptr descriptor);

} // namespace kvlab::test
