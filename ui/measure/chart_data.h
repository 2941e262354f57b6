// SPDX-License-Identifier: GPL-3.0-or-later
// What the TTFT chart draws, taken from a run: one entry per arm with its median, interval and one mark per timed
// sample. Plain values and pure functions; times in milliseconds. Which samples count is decided in core/experiment,
// not here.
#pragma once

#include "experiment/experiment_result.h"

namespace kvlab::ui {

/// One timed sample. Hollow = not what its arm should be; crossed = left out for another reason.
struct ChartMark
{
    enum class Kind { solid, hollow, crossed };
    double ms = 0;
    Kind kind = Kind::solid;
};

struct ChartArm
{
    experiment::Arm arm = experiment::Arm::cold;
    QList<ChartMark> marks; ///< in the order measured, so that earlier ones keep their place while a run goes on
    int samples = 0; ///< all, failed ones too
    int kept = 0;
    int failed = 0; ///< without a time that could be drawn
    std::optional<double> median_ms; ///< of the kept samples
    std::optional<experiment::Interval> interval_ms;
    std::optional<double> left_out_median_ms; ///< of all timed samples, when none was kept: a number, never a bar
    std::optional<double> cached_tokens;

    bool hasBar() const { return kept >= fewest_for_bar && median_ms; }
    static constexpr int fewest_for_bar = 5;
};

struct ChartData
{
    QList<ChartArm> arms; ///< top to bottom
    bool live = false; ///< the axis only grows while this is set
    QString sentence; ///< the chart in words, for screen readers

    bool hasMarks() const;
};

ChartData chartData(const experiment::RunResult &run, bool live);

} // namespace kvlab::ui
