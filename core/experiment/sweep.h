// SPDX-License-Identifier: GPL-3.0-or-later
// Several runs that differ in the length of the shared prefix: what a token of prompt costs cold and warm, and from
// which length on caching pays. Pure functions.
#pragma once

#include "experiment/experiment_result.h"

namespace kvlab::experiment {

struct SweepPoint
{
    qint64 shared_tokens = 0; ///< by the server's count where it counts, else as planned
    std::optional<double> prompt_tokens; ///< median of the kept samples
    std::optional<double> cold_ms; ///< medians
    std::optional<double> warm_ms;
    std::optional<double> cached_tokens;
    std::optional<double> ratio; ///< cold / warm
    std::optional<Interval> ratio_interval;
    std::optional<Verdict> verdict;
    bool pays = false;
};

/// time = at_zero_ms + ms_per_1000_tokens × shared_tokens / 1,000, by least squares on the medians.
struct SweepLine
{
    double ms_per_1000_tokens = 0;
    double at_zero_ms = 0;
};

struct SweepSummary
{
    QList<SweepPoint> points; ///< by length
    std::optional<SweepLine> cold; ///< from two different lengths on
    std::optional<SweepLine> warm;
    /// The shortest length of the sweep at which, and at all longer ones, caching pays: its ratio's interval lies above
    /// 1 (from 5 pairs on), or its ratio is at least 1.2 (with fewer), and the verdict is not contradicted.
    std::optional<qint64> pays_from_tokens;
};

SweepSummary summarizeSweep(const QList<RunResult> &runs);

/// Least squares; nullopt when there are not two different x.
std::optional<SweepLine> fitLine(const QList<std::pair<double, double>> &points);

} // namespace kvlab::experiment
