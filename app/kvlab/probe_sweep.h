// SPDX-License-Identifier: GPL-3.0-or-later
// What `kvlab probe --sweep` prints and writes.
#pragma once

#include "experiment/sweep.h"

#include <QJsonObject>

namespace kvlab::cli {

QString sweepAsTable(const experiment::SweepSummary &sweep);
/// The sweep, and every run of it whole.
QJsonObject sweepToJson(const experiment::SweepSummary &sweep, const QList<experiment::RunResult> &runs);
/// All samples in one run, for a file with one row per sample.
experiment::RunResult mergedSamples(const QList<experiment::RunResult> &runs);

} // namespace kvlab::cli
