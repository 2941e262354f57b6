// SPDX-License-Identifier: GPL-3.0-or-later
// What `kvlab probe --keeps` prints and writes.
#pragma once

#include "experiment/keeps.h"

#include <QJsonObject>

namespace kvlab::cli {

QString keepsAsTable(const experiment::KeepsResult &result);
QJsonObject keepsToJson(const experiment::KeepsResult &result);

} // namespace kvlab::cli
