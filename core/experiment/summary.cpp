// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/summary.h"

#include "experiment/explanation.h"
#include "experiment/statistics.h"
#include "probe/taint.h"

#include <algorithm>
#include <cmath>

namespace kvlab::experiment {

namespace {

constexpr qint64 unknownBlock = 128;

bool isUsable(const MeasuredSample &sample)
{
    return sample.probe.outcome == probe::Outcome::completed && sample.probe.ttftMs().has_value();
}

struct KnownHit
{
    qint64 tokens = 0;
    bool by_field = false; ///< reported with the answer; else taken from counters
};

std::optional<KnownHit> knownHit(const MeasuredSample &sample, const VerdictRules &rules)
{
    if (sample.probe.evidence.cached_tokens)
        return KnownHit{*sample.probe.evidence.cached_tokens, true};
    if (rules.server_known_to_report)
        return KnownHit{0, true};
    if (sample.counters && sample.counters->idle)
        return KnownHit{sample.counters->hits, false};
    return std::nullopt;
}

Verdict coldVerdict(const KnownHit &hit, const VerdictRules &rules)
{
    const qint64 floor = rules.template_floor.value_or(0);
    if (hit.tokens <= floor)
        return hit.by_field ? Verdict::confirmed : Verdict::likely;
    return hit.tokens > floor + rules.block_size.value_or(unknownBlock) ? Verdict::contradicted : Verdict::unconfirmed;
}

Verdict warmVerdict(
    const MeasuredSample &sample, const KnownHit &hit, const VerdictRules &rules, std::optional<double> fastestCold)
{
    const qint64 want = sample.wanted_hit ? *sample.wanted_hit : rules.warm_want.value_or(0);
    if (want == 0)
        return Verdict::unconfirmed;
    const bool enough = 10 * hit.tokens >= 8 * want;
    const bool none = hit.tokens <= rules.template_floor.value_or(0);
    if (hit.by_field)
        return enough ? Verdict::confirmed : none ? Verdict::contradicted : Verdict::unconfirmed;
    if (none)
        return Verdict::contradicted;
    return enough && fastestCold && *sample.probe.ttftMs() < *fastestCold ? Verdict::likely : Verdict::unconfirmed;
}

/// As CACHED, but for the part before the change; a hit that reaches beyond it is not one by prefix.
Verdict partialVerdict(
    const MeasuredSample &sample, const KnownHit &hit, const VerdictRules &rules, std::optional<double> fastestCold)
{
    if (sample.wanted_hit && hit.tokens > *sample.wanted_hit + rules.block_size.value_or(unknownBlock))
        return Verdict::contradicted;
    return warmVerdict(sample, hit, rules, fastestCold);
}

std::optional<double> fastestCold(const QList<MeasuredSample> &samples)
{
    std::optional<double> fastest;
    for (const MeasuredSample &sample : samples) {
        if (sample.arm == Arm::cold && isUsable(sample))
            fastest = std::min(fastest.value_or(*sample.probe.ttftMs()), *sample.probe.ttftMs());
    }
    return fastest;
}

QList<double> keptTimes(const QList<MeasuredSample> &samples, Arm arm)
{
    QList<double> times;
    for (const MeasuredSample &sample : samples) {
        if (sample.arm == arm && sample.kept)
            times.append(*sample.probe.ttftMs());
    }
    return times;
}

void describeTimes(ArmSummary &arm, const QList<double> &times)
{
    if (times.isEmpty())
        return;
    arm.median_ms = median(times);
    arm.mad_ms = medianAbsoluteDeviation(times);
    arm.min_ms = *std::min_element(times.begin(), times.end());
    arm.max_ms = *std::max_element(times.begin(), times.end());
    if (times.size() >= 5)
        arm.median_interval_ms = bootstrapMedianInterval(times);
    if (times.size() >= 20)
        arm.p90_ms = percentile(times, 90);
    if (times.size() >= 200)
        arm.p99_ms = percentile(times, 99);
}

ArmSummary summarizeArm(const QList<MeasuredSample> &samples, Arm arm)
{
    ArmSummary result;
    QList<double> cached;
    for (const MeasuredSample &sample : samples) {
        if (sample.arm != arm)
            continue;
        ++result.samples;
        if (!sample.verdict)
            ++result.failed;
        else if (!sample.kept)
            ++result.excluded;
        else
            ++result.kept;
        if (sample.kept && sample.verdict == Verdict::confirmed)
            ++result.confirmed;
        if (sample.kept && sample.probe.evidence.cached_tokens)
            cached.append(static_cast<double>(*sample.probe.evidence.cached_tokens));
    }
    if (!cached.isEmpty())
        result.cached_tokens_median = median(cached);
    describeTimes(result, keptTimes(samples, arm));
    return result;
}

/// The round with which the last third of a drifting arm begins.
std::optional<int> driftFrom(const QList<MeasuredSample> &samples, Arm arm)
{
    constexpr qsizetype fewest = 12;
    constexpr double clearDifference = 1.25;
    QList<const MeasuredSample *> usable;
    for (const MeasuredSample &sample : samples) {
        if (sample.arm == arm && isUsable(sample) && sample.probe.tainted.isEmpty())
            usable.append(&sample);
    }
    const qsizetype third = usable.size() / 3;
    if (usable.size() < fewest)
        return std::nullopt;
    QList<double> first;
    QList<double> last;
    for (qsizetype i = 0; i < third; ++i) {
        first.append(*usable.at(i)->probe.ttftMs());
        last.append(*usable.at(usable.size() - third + i)->probe.ttftMs());
    }
    const auto [firstLow, firstHigh] = std::minmax_element(first.begin(), first.end());
    const auto [lastLow, lastHigh] = std::minmax_element(last.begin(), last.end());
    const bool apart = *firstHigh < *lastLow || *lastHigh < *firstLow;
    const double ratio = std::max(median(first), median(last)) / std::max(1e-9, std::min(median(first), median(last)));
    return apart && ratio >= clearDifference ? std::optional(usable.at(usable.size() - third)->round) : std::nullopt;
}

void describeRatios(Summary &summary, const QList<double> &ratios)
{
    summary.pairs = static_cast<int>(ratios.size());
    const bool enough = summary.arms.value(Arm::cold).kept >= 3 && summary.arms.value(Arm::warm).kept >= 3;
    if (enough && !ratios.isEmpty())
        summary.ratio_median = median(ratios);
    if (ratios.size() < 5)
        return;
    summary.ratio_interval = bootstrapMedianInterval(ratios);
    if (ratios.size() <= 15) {
        QList<double> logarithms;
        for (const double ratio : ratios)
            logarithms.append(std::log(ratio));
        summary.sign_flip_p = signFlipP(logarithms);
    }
}

std::optional<double> savedPerToken(const QList<MeasuredSample> &samples, const Summary &summary)
{
    QList<double> hits;
    for (const MeasuredSample &sample : samples) {
        if (sample.kept && sample.arm == Arm::warm && sample.probe.evidence.cached_tokens.value_or(0) > 0)
            hits.append(static_cast<double>(*sample.probe.evidence.cached_tokens));
    }
    const auto cold = summary.arms.value(Arm::cold).median_ms;
    const auto warm = summary.arms.value(Arm::warm).median_ms;
    if (hits.isEmpty() || !cold || !warm)
        return std::nullopt;
    return (*cold - *warm) / median(hits);
}

/// At least half of the usable samples of an arm were not what the arm should be.
bool mostlyContradicted(const QList<MeasuredSample> &samples, Arm arm)
{
    int usable = 0;
    int contradicted = 0;
    for (const MeasuredSample &sample : samples) {
        if (sample.arm != arm || !sample.verdict)
            continue;
        ++usable;
        contradicted += sample.verdict == Verdict::contradicted ? 1 : 0;
    }
    return usable > 0 && 2 * contradicted >= usable;
}

bool differentAsFastAsWarm(const Summary &summary)
{
    const auto cold = summary.arms.value(Arm::cold).median_ms;
    const auto warm = summary.arms.value(Arm::warm).median_ms;
    const auto different = summary.arms.value(Arm::different).median_ms;
    if (!cold || !warm || !different || *warm <= 0 || *different <= 0)
        return false;
    return *cold / *warm >= 1.2 && std::abs(std::log(*different / *warm)) < std::abs(std::log(*different / *cold));
}

QString contradiction(const QList<MeasuredSample> &samples, const Summary &summary)
{
    if (mostlyContradicted(samples, Arm::cold))
        return QStringLiteral("cold_already_cached");
    if (mostlyContradicted(samples, Arm::warm))
        return QStringLiteral("warm_not_cached");
    if (differentAsFastAsWarm(summary))
        return QStringLiteral("different_prefix_as_fast_as_warm");
    return {};
}

Verdict runVerdict(const QList<MeasuredSample> &samples, const Summary &summary)
{
    if (!summary.reason.isEmpty())
        return Verdict::contradicted;
    if (summary.arms.value(Arm::cold).kept == 0 || summary.arms.value(Arm::warm).kept == 0)
        return Verdict::unconfirmed;
    bool allConfirmed = true;
    bool warmLikely = true;
    for (const MeasuredSample &sample : samples) {
        if (!sample.kept)
            continue;
        allConfirmed = allConfirmed && sample.verdict == Verdict::confirmed;
        if (sample.arm == Arm::warm)
            warmLikely = warmLikely && sample.verdict != Verdict::unconfirmed;
    }
    return allConfirmed ? Verdict::confirmed : warmLikely ? Verdict::likely : Verdict::unconfirmed;
}

} // namespace

void markDrift(QList<MeasuredSample> &samples)
{
    for (MeasuredSample &sample : samples)
        sample.probe.tainted.removeAll(probe::taint::drift);
    std::optional<int> from = driftFrom(samples, Arm::cold);
    const bool anyCold = std::any_of(samples.begin(), samples.end(), [](const auto &s) { return s.arm == Arm::cold; });
    if (!anyCold)
        from = driftFrom(samples, Arm::warm);
    for (MeasuredSample &sample : samples) {
        if (from && sample.round >= *from)
            sample.probe.tainted.append(probe::taint::drift);
    }
}

void judge(QList<MeasuredSample> &samples, const VerdictRules &rules)
{
    markDrift(samples);
    const std::optional<double> fastest = fastestCold(samples);
    for (MeasuredSample &sample : samples) {
        sample.verdict.reset();
        if (isUsable(sample)) {
            const auto hit = knownHit(sample, rules);
            if (!hit)
                sample.verdict = Verdict::unconfirmed;
            else if (sample.arm == Arm::warm)
                sample.verdict = warmVerdict(sample, *hit, rules, fastest);
            else if (sample.arm == Arm::partial)
                sample.verdict = partialVerdict(sample, *hit, rules, fastest);
            else
                sample.verdict = coldVerdict(*hit, rules);
        }
        sample.kept = sample.verdict && *sample.verdict != Verdict::contradicted && sample.probe.tainted.isEmpty();
    }
}

QList<double> pairedRatios(const QList<MeasuredSample> &samples)
{
    QMap<int, double> cold;
    QMap<int, double> warm;
    for (const MeasuredSample &sample : samples) {
        if (sample.kept && (sample.arm == Arm::cold || sample.arm == Arm::warm))
            (sample.arm == Arm::cold ? cold : warm).insert(sample.round, *sample.probe.ttftMs());
    }
    QList<double> ratios;
    for (auto it = cold.cbegin(); it != cold.cend(); ++it) {
        if (warm.value(it.key(), 0) > 0)
            ratios.append(it.value() / warm.value(it.key()));
    }
    return ratios;
}

Summary summarize(const QList<MeasuredSample> &samples, const ServerFacts &facts)
{
    Summary summary;
    for (const Arm arm : allArms()) {
        const ArmSummary one = summarizeArm(samples, arm);
        if (one.samples > 0)
            summary.arms.insert(arm, one);
    }
    describeRatios(summary, pairedRatios(samples));
    summary.saved_ms_per_cached_token = savedPerToken(samples, summary);
    const bool judged
        = std::any_of(samples.begin(), samples.end(), [](const auto &sample) { return sample.verdict.has_value(); });
    if (judged) {
        summary.reason = contradiction(samples, summary);
        summary.verdict = runVerdict(samples, summary);
    }
    summary.explanation = explain(summary, samples, facts);
    return summary;
}

} // namespace kvlab::experiment
