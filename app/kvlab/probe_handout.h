// SPDX-License-Identifier: GPL-3.0-or-later
// What `kvlab probe --handout` prints and writes.
#pragma once

#include "experiment/handout.h"

#include <QJsonObject>

namespace kvlab::cli {

/// Each figure with the numbers of the flaws that spoil it, then the flaws themselves.
QString handoutAsTable(const experiment::HandoutResult &result);
QJsonObject handoutToJson(const experiment::HandoutResult &result);

} // namespace kvlab::cli
