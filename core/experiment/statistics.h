// SPDX-License-Identifier: GPL-3.0-or-later
// The few statistics that a summary needs; pure functions on plain numbers.
#pragma once

#include "experiment/experiment_result.h"

namespace kvlab::experiment {

/// Middle value, or the mean of the two middle ones. `values` must not be empty.
double median(QList<double> values);

/// Unscaled median absolute deviation. `values` must not be empty.
double medianAbsoluteDeviation(const QList<double> &values);

/// Nearest-rank percentile, 0 < percent <= 100. `values` must not be empty.
double percentile(QList<double> values, double percent);

/// Percentile bootstrap of the median: 10,000 resamples, fixed seed, 2.5th and 97.5th of a hundred. Which values a
/// resample draws depends on their number alone, so runs of equal length share the draws; the last few are kept.
Interval bootstrapMedianInterval(QList<double> values);

/// Exact two-sided sign-flip test, statistic |sum|: the share of all sign patterns at least as extreme as what was
/// seen. At most 15 values (2^15 patterns).
double signFlipP(const QList<double> &logRatios);

} // namespace kvlab::experiment
