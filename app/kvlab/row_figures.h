// SPDX-License-Identifier: GPL-3.0-or-later
// The figures that a reference row expects, computed.
#pragma once

#include "row_question.h"

namespace kvlab::cli {

/// A JSON number up to 2^53, a decimal string above, so that no reader loses digits.
QJsonValue bytesJson(const memory::Bytes &bytes);

/// One value for every name in `expect`, or why there is none. `expect` itself only says how many decimals a text has.
std::variant<QJsonObject, memory::Refusal> figures(const RowQuestion &question, const QJsonObject &expect);

} // namespace kvlab::cli
