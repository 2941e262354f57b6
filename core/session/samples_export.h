// SPDX-License-Identifier: GPL-3.0-or-later
// A run as CSV (one row per sample) and as JSON (plan, server, samples with raw stamps, summary): see `kvlab probe
// --help`. Times are milliseconds, stamps nanoseconds relative to t0; unknown is an empty cell or null, never 0.
// Neither holds a key. Text of the practice engine is marked as gibberish.
#pragma once

#include "experiment/experiment_result.h"

#include <QJsonObject>

#include <variant>

namespace kvlab::session {

QByteArray samplesToCsv(const experiment::RunResult &run);
QJsonObject runToJson(const experiment::RunResult &run);
/// Reads what runToJson() wrote; a sentence when it cannot.
std::variant<experiment::RunResult, QString> runFromJson(const QJsonObject &object);

} // namespace kvlab::session
