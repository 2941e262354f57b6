// SPDX-License-Identifier: GPL-3.0-or-later
// A run as CSV (one row per sample) and as JSON (plan, server, samples with raw stamps, summary): see `kvlab probe --help`.
#pragma once

#include "experiment/experiment_result.h"

#include <QJsonObject>

namespace kvlab::session {

QByteArray samplesToCsv(const experiment::RunResult &run);
QJsonObject runToJson(const experiment::RunResult &run);
/// Reads what runToJson() wrote; a sentence when it cannot.
std::variant<experiment::RunResult, QString> runFromJson(const QJsonObject &object);

} // namespace kvlab::session
