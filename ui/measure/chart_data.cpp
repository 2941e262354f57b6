// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/chart_data.h"

#include "ui/measure/run_texts.h"

#include <algorithm>

namespace kvlab::ui {

using experiment::MeasuredSample;
using experiment::Verdict;

namespace {

std::optional<double> median(QList<double> values)
{
    if (values.isEmpty())
        return std::nullopt;
    std::sort(values.begin(), values.end());
    const qsizetype middle = values.size() / 2;
    return values.size() % 2 == 1 ? values.at(middle) : (values.at(middle - 1) + values.at(middle)) / 2;
}

ChartMark::Kind markKind(const MeasuredSample &sample)
{
    if (sample.verdict == Verdict::contradicted)
        return ChartMark::Kind::hollow;
    return sample.kept ? ChartMark::Kind::solid : ChartMark::Kind::crossed;
}

ChartArm chartArm(experiment::Arm arm, const experiment::RunResult &run)
{
    const experiment::ArmSummary summary = run.summary.arms.value(arm);
    ChartArm result;
    result.arm = arm;
    result.kept = summary.kept;
    result.median_ms = summary.median_ms;
    result.interval_ms = summary.median_interval_ms;
    result.cached_tokens = summary.cached_tokens_median;
    QList<double> times;
    QList<double> cached;
    for (const MeasuredSample &sample : run.samples) {
        if (sample.arm != arm)
            continue;
        ++result.samples;
        const std::optional<double> ttft = sample.probe.ttftMs();
        // A sample without a verdict failed: its answer broke off, so a time it may have is no measurement.
        if (!ttft || !sample.verdict) {
            ++result.failed;
            continue;
        }
        result.marks.append({*ttft, markKind(sample)});
        times.append(*ttft);
        if (sample.probe.evidence.cached_tokens)
            cached.append(double(*sample.probe.evidence.cached_tokens));
    }
    if (result.kept == 0) {
        result.left_out_median_ms = median(times);
        result.cached_tokens = median(cached);
    }
    return result;
}

} // namespace

bool ChartData::hasMarks() const
{
    return std::any_of(arms.begin(), arms.end(), [](const ChartArm &arm) { return !arm.marks.isEmpty(); });
}

ChartData chartData(const experiment::RunResult &run, bool live)
{
    ChartData data;
    data.live = live;
    for (const experiment::Arm arm : experiment::allArms()) {
        if (run.plan.arms.contains(arm))
            data.arms.append(chartArm(arm, run));
    }
    data.sentence = chartSentence(data, run.summary);
    return data;
}

} // namespace kvlab::ui
