// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded samples given as JSON, judged and summed up by the same code as measured ones. The shape is that of
// tests/data/experiment-cases.json: an id, params (block_size, template_floor, server_known_to_report) and samples.
#pragma once

#include "experiment/experiment_result.h"

#include <QJsonObject>

#include <variant>

namespace kvlab::experiment {

/// The computed figures of one case under the names that the file uses in `expect`; or a sentence that says what is
/// wrong with it.
std::variant<QJsonObject, QString> summarizeCase(const QJsonObject &one);

} // namespace kvlab::experiment
