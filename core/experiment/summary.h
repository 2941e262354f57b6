// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts and statistics over samples; pure functions.
#pragma once

#include "experiment/experiment_result.h"

namespace kvlab::experiment {

struct VerdictRules
{
    std::optional<qint64> block_size; ///< tokens
    std::optional<qint64> template_floor; ///< tokens
    std::optional<qint64> warm_want; ///< shared prefix rounded down to blocks
    bool server_known_to_report = false; ///< has returned the field before: a missing one then means 0
};

/// Fills verdict and kept of every sample.
void judge(QList<MeasuredSample> &samples, const VerdictRules &rules);

/// Statistics over judged samples. Intervals: percentile bootstrap of the median, 10,000 resamples, fixed seed.
Summary summarize(const QList<MeasuredSample> &samples);

} // namespace kvlab::experiment
