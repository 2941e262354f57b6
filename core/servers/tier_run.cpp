// SPDX-License-Identifier: GPL-3.0-or-later
#include "servers/tier_run.h"

#include "experiment/seeded_random.h"
#include "experiment/server_answers.h"
#include "experiment/statistics.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace kvlab::servers {

namespace {

using experiment::median;

constexpr int longestShared = 8000; // the practice engine's context is 8,192
constexpr int shortestShared = 16;
constexpr int mostRounds = 100;
constexpr int fewestForInterval = 5;

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::servers::Tiers)
};

template <typename Value> std::optional<double> medianOf(const QList<Value> &values)
{
    if (values.isEmpty())
        return std::nullopt;
    return median(QList<double>(values.begin(), values.end()));
}

void addTimes(TierSummary &summary, const QList<TierSample> &samples)
{
    QList<double> times;
    QList<double> loads;
    for (const TierSample &sample : samples) {
        if (!sample.kept())
            continue;
        times.append(*sample.probe.ttftMs());
        loads.append(sample.load_ms);
    }
    summary.kept = int(times.size());
    if (times.isEmpty())
        return;
    summary.median_ms = median(times);
    summary.min_ms = *std::min_element(times.begin(), times.end());
    summary.max_ms = *std::max_element(times.begin(), times.end());
    if (times.size() >= fewestForInterval)
        summary.median_interval_ms = experiment::bootstrapMedianInterval(times);
    summary.load_ms = median(loads);
}

TierSummary summaryOf(const QList<TierSample> &samples)
{
    TierSummary summary;
    summary.arm = samples.first().arm;
    summary.shared_tokens = samples.first().shared_tokens;
    summary.expected_tokens = samples.first().expected.tokens();
    summary.expected_bytes = samples.first().expected.bytes;
    summary.samples = int(samples.size());
    QList<qint64> tokens;
    QList<qint64> bytes;
    QList<qint64> storage;
    for (const TierSample &sample : samples) {
        const std::optional<bool> predicted = sample.asPredicted();
        if (!predicted)
            continue;
        summary.as_predicted += *predicted ? 1 : 0;
        tokens.append(sample.reported.tokens());
        bytes.append(sample.reported.bytes);
        if (sample.storage_bytes)
            storage.append(*sample.storage_bytes);
    }
    summary.reported_tokens = medianOf(tokens);
    summary.loaded_bytes = medianOf(bytes);
    summary.storage_bytes = medianOf(storage);
    addTimes(summary, samples);
    return summary;
}

} // namespace

QList<TierArm> allTierArms()
{
    return {TierArm::recompute, TierArm::pool, TierArm::ram, TierArm::disk, TierArm::restart, TierArm::other};
}

QString tierArmName(TierArm arm)
{
    switch (arm) {
    case TierArm::recompute:
        return QStringLiteral("recompute");
    case TierArm::pool:
        return QStringLiteral("pool");
    case TierArm::ram:
        return QStringLiteral("ram");
    case TierArm::disk:
        return QStringLiteral("disk");
    case TierArm::restart:
        return QStringLiteral("restart");
    case TierArm::other:
        return QStringLiteral("other");
    }
    return {};
}

std::optional<TierArm> tierArmFromName(const QString &name)
{
    for (const TierArm arm : allTierArms()) {
        if (name == tierArmName(arm))
            return arm;
    }
    return std::nullopt;
}

QString tierArmTitle(TierArm arm)
{
    switch (arm) {
    case TierArm::recompute:
        return Texts::tr("Recomputed");
    case TierArm::pool:
        return Texts::tr("Block pool");
    case TierArm::ram:
        return Texts::tr("RAM tier");
    case TierArm::disk:
        return Texts::tr("Disk tier");
    case TierArm::restart:
        return Texts::tr("After a restart");
    case TierArm::other:
        return Texts::tr("Another engine");
    }
    return {};
}

std::optional<QString> validate(const TierPlan &plan)
{
    const QLocale locale;
    if (plan.arms.isEmpty())
        return Texts::tr("No arm is chosen: choose at least one.");
    if (plan.rounds < 1 || plan.rounds > mostRounds)
        return Texts::tr("The number of rounds must be between 1 and %1.").arg(locale.toString(mostRounds));
    if (plan.lengths.isEmpty())
        return Texts::tr("No length is given: name at least one number of shared tokens.");
    for (const int length : plan.lengths) {
        if (length < shortestShared || length > longestShared) {
            return Texts::tr("The shared tokens must lie between %1 and %2: the practice engine's context ends there.")
                .arg(locale.toString(shortestShared), locale.toString(longestShared));
        }
    }
    return std::nullopt;
}

TierHit expectedHit(TierArm arm, qint64 common, qint64 total, const TierRules &rules)
{
    TierHit hit;
    const qint64 chunks = common / rules.chunk_size * rules.chunk_size;
    const qint64 fromTier = std::min(chunks, total - 1); // the last token is always computed
    switch (arm) {
    case TierArm::recompute:
        return hit;
    case TierArm::pool:
        hit.pool = experiment::reusableTokens(common, total, rules.block_size);
        return hit;
    case TierArm::ram:
        hit.ram = fromTier;
        break;
    case TierArm::disk:
    case TierArm::restart:
    case TierArm::other:
        hit.disk = fromTier;
        break;
    }
    hit.bytes = chunks * rules.kv_bytes_per_token;
    return hit;
}

std::optional<bool> TierSample::asPredicted() const
{
    if (probe.outcome != probe::Outcome::completed)
        return std::nullopt;
    return reported == expected && probe.evidence.cached_tokens == expected.tokens();
}

bool TierSample::kept() const
{
    return asPredicted().value_or(false) && probe.tainted.isEmpty() && probe.ttftMs().has_value();
}

bool TierResult::evidenceEqualsPrediction() const
{
    return !samples.isEmpty() && std::all_of(samples.begin(), samples.end(), [](const TierSample &sample) {
        return sample.asPredicted().value_or(false);
    });
}

QList<TierSummary> summarizeTiers(const QList<TierSample> &samples)
{
    QList<TierSummary> summaries;
    for (const TierArm arm : allTierArms()) {
        QMap<int, QList<TierSample>> byLength;
        for (const TierSample &sample : samples) {
            if (sample.arm == arm)
                byLength[sample.shared_tokens].append(sample);
        }
        for (const QList<TierSample> &group : std::as_const(byLength))
            summaries.append(summaryOf(group));
    }
    return summaries;
}

QList<TierStep> makeTierSchedule(const TierPlan &plan)
{
    experiment::SeededRandom random(plan.seed);
    QList<TierStep> steps;
    QList<TierStep> afterRestart;
    int document = 0;
    for (int round = 1; round <= plan.rounds; ++round) {
        QList<int> lengths = plan.lengths;
        random.shuffle(lengths);
        for (const int length : std::as_const(lengths)) {
            const auto step = [&](TierArm arm, bool measured) {
                return TierStep{arm, round, document, length, measured};
            };
            const auto wants = [&plan](TierArm arm) { return plan.arms.contains(arm); };
            steps.append(step(TierArm::recompute, wants(TierArm::recompute)));
            for (const TierArm arm : {TierArm::pool, TierArm::disk}) {
                if (wants(arm))
                    steps.append(step(arm, true));
            }
            if (wants(TierArm::other) || wants(TierArm::ram))
                steps.append(step(TierArm::other, wants(TierArm::other)));
            if (wants(TierArm::ram))
                steps.append(step(TierArm::ram, true));
            if (wants(TierArm::restart))
                afterRestart.append(step(TierArm::restart, true));
            ++document;
        }
    }
    return steps + afterRestart;
}

} // namespace kvlab::servers
