// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/sweep.h"

#include "experiment/statistics.h"

#include <algorithm>

namespace kvlab::experiment {

namespace {

constexpr double clearRatio = 1.2; // as the rule that judges whole runs

std::optional<double> promptTokens(const RunResult &run)
{
    QList<double> counts;
    for (const MeasuredSample &sample : run.samples) {
        if (sample.kept && sample.probe.evidence.prompt_tokens)
            counts.append(static_cast<double>(*sample.probe.evidence.prompt_tokens));
    }
    if (counts.isEmpty())
        return std::nullopt;
    return median(counts);
}

bool paysAt(const SweepPoint &point)
{
    if (point.verdict == Verdict::contradicted || !point.ratio)
        return false;
    return point.ratio_interval ? point.ratio_interval->low > 1 : *point.ratio >= clearRatio;
}

SweepPoint pointOf(const RunResult &run)
{
    const Summary &summary = run.summary;
    SweepPoint point;
    point.shared_tokens = run.server.shared_prefix.value_or(run.plan.shared_tokens);
    point.prompt_tokens = promptTokens(run);
    point.cold_ms = summary.arms.value(Arm::cold).median_ms;
    point.warm_ms = summary.arms.value(Arm::warm).median_ms;
    point.cached_tokens = summary.arms.value(Arm::warm).cached_tokens_median;
    point.ratio = summary.ratio_median;
    point.ratio_interval = summary.ratio_interval;
    point.verdict = summary.verdict;
    point.pays = paysAt(point);
    return point;
}

std::optional<SweepLine> lineThrough(const QList<SweepPoint> &points, std::optional<double> SweepPoint::*time)
{
    QList<std::pair<double, double>> known;
    for (const SweepPoint &point : points) {
        if (point.*time)
            known.append({static_cast<double>(point.shared_tokens), *(point.*time)});
    }
    return fitLine(known);
}

} // namespace

std::optional<SweepLine> fitLine(const QList<std::pair<double, double>> &points)
{
    double meanX = 0;
    double meanY = 0;
    for (const auto &[x, y] : points) {
        meanX += x / static_cast<double>(points.size());
        meanY += y / static_cast<double>(points.size());
    }
    double xx = 0;
    double xy = 0;
    for (const auto &[x, y] : points) {
        xx += (x - meanX) * (x - meanX);
        xy += (x - meanX) * (y - meanY);
    }
    if (xx <= 0)
        return std::nullopt;
    const double slope = xy / xx;
    return SweepLine{slope * 1000, meanY - slope * meanX};
}

SweepSummary summarizeSweep(const QList<RunResult> &runs)
{
    SweepSummary summary;
    for (const RunResult &run : runs)
        summary.points.append(pointOf(run));
    std::sort(summary.points.begin(), summary.points.end(),
        [](const SweepPoint &a, const SweepPoint &b) { return a.shared_tokens < b.shared_tokens; });
    summary.cold = lineThrough(summary.points, &SweepPoint::cold_ms);
    summary.warm = lineThrough(summary.points, &SweepPoint::warm_ms);
    for (auto point = summary.points.crbegin(); point != summary.points.crend() && point->pays; ++point)
        summary.pays_from_tokens = point->shared_tokens;
    return summary;
}

} // namespace kvlab::experiment
