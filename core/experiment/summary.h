// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts and statistics over samples; pure functions. The rules:
// - A sample that completed with a TTFT gets a verdict; others have none and count as failed.
// - The known hit is cached_tokens; a missing field means 0 only on a server known to report it. Counters stand in for
// the
//   field when the server was otherwise idle.
// - cold, different: hit <= template_floor is confirmed (likely by counters), more than a block above it contradicted.
// - partial: as warm with the part before the change, and contradicted when the hit reaches more than a block beyond
// it.
// - warm: at least 0.8 of warm_want is confirmed (by counters likely, and only when faster than every cold sample), no
// more
//   than the floor contradicted. Anything between, and anything unknown, is unconfirmed.
// - Contradicted and tainted samples are left out by these rules alone, never by their time, and counted as excluded.
#pragma once

#include "experiment/experiment_result.h"

namespace kvlab::experiment {

struct VerdictRules
{
    std::optional<qint64> block_size; ///< tokens; unknown: a cold sample may lie up to 128 above the floor, unconfirmed
    std::optional<qint64> template_floor; ///< tokens; unknown counts as 0
    std::optional<qint64> warm_want; ///< shared prefix rounded down to blocks, for samples without a wanted_hit
    bool server_known_to_report = false; ///< has returned the field before: a missing one then means 0
};

/// Samples whose times drifted: when the arm cold (warm where there is none) has at least 12 of them, all of its first
/// third are faster, or all slower, than all of its last third, and their medians differ by at least a quarter, then
/// all samples of every arm from the round on with which that last third begins are tainted with "drift".
void markDrift(QList<MeasuredSample> &samples);

/// Fills verdict and kept of every sample, marks drift.
void judge(QList<MeasuredSample> &samples, const VerdictRules &rules);

/// cold / warm of every round that kept both.
QList<double> pairedRatios(const QList<MeasuredSample> &samples);

/// Statistics over judged samples, run verdict and its explanation. Intervals: percentile bootstrap of the median,
/// 10,000 resamples, fixed seed. What is known about the server makes the explanation more exact.
Summary summarize(const QList<MeasuredSample> &samples, const ServerFacts &facts = {});

} // namespace kvlab::experiment
