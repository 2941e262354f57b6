// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of a session beside the last one, each with a name of the user's.
//   "runs": [{"label": "…", "run": {…}}, …]   in the order measured
// An entry without "run" stands for the session's own run, so that this is not written twice. Bounded: the newest
// maxKeptRuns, and of those only as many as take 32 MiB together.
#pragma once

#include "experiment/experiment_result.h"

#include <QJsonArray>

#include <variant>

namespace kvlab::session {

inline constexpr int maxKeptRuns = 20;

struct KeptRun
{
    QString label; ///< empty = none given
    experiment::RunResult run;
};

/// The same run: begun at the same moment, with as many samples.
bool isSameRun(const experiment::RunResult &one, const experiment::RunResult &other);

QJsonArray keptRunsToJson(const QList<KeptRun> &runs, const std::optional<experiment::RunResult> &current);
/// A sentence when a run cannot be read.
std::variant<QList<KeptRun>, QString> keptRunsFromJson(
    const QJsonArray &array, const std::optional<experiment::RunResult> &current);

} // namespace kvlab::session
