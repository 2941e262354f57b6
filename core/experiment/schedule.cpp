// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/schedule.h"

#include "experiment/seeded_random.h"

#include <algorithm>

namespace kvlab::experiment {

namespace {

constexpr int warmUps = 2;

// Kinds of steps whose durations are alike.
enum Key : int { warmUpKey, primeKey, coldKey, warmKey, partialKey, differentKey };

Key keyOf(const Step &step)
{
    if (step.kind == StepKind::warm_up)
        return warmUpKey;
    if (step.kind == StepKind::prime)
        return primeKey;
    switch (*step.arm) {
    case Arm::cold:
        return coldKey;
    case Arm::warm:
        return warmKey;
    case Arm::partial:
        return partialKey;
    case Arm::different:
        break;
    }
    return differentKey;
}

/// Whose duration stands in for a kind not seen yet, most similar first: what computes a whole prompt stands for its
/// like, a hit for a hit.
QList<Key> standIns(Key key)
{
    switch (key) {
    case coldKey:
        return {coldKey, differentKey, warmUpKey, primeKey};
    case differentKey:
        return {differentKey, coldKey, warmUpKey, primeKey};
    case warmKey:
        return {warmKey, primeKey, warmUpKey};
    case partialKey:
        return {partialKey, coldKey, differentKey, warmUpKey, primeKey};
    case primeKey:
        return {primeKey, warmKey, warmUpKey};
    case warmUpKey:
        break;
    }
    return {warmUpKey};
}

qint64 middle(QList<qint64> values)
{
    const auto half = values.begin() + values.size() / 2;
    std::nth_element(values.begin(), half, values.end());
    return *half;
}

} // namespace

QList<Step> makeSchedule(const ExperimentPlan &plan)
{
    QList<Step> steps(warmUps, Step{StepKind::warm_up, 0, std::nullopt});
    SeededRandom random(plan.seed);
    for (int round = 1; round <= plan.rounds; ++round) {
        QList<Arm> order = plan.arms;
        random.shuffle(order);
        for (const Arm arm : std::as_const(order)) {
            if (arm != Arm::cold)
                steps.append({StepKind::prime, round, arm});
            steps.append({StepKind::measure, round, arm});
        }
    }
    return steps;
}

void StepTimes::add(const Step &step, qint64 duration_ms)
{
    m_durations[keyOf(step)].append(duration_ms);
}

std::optional<qint64> StepTimes::remainingMs(const QList<Step> &left) const
{
    QMap<Key, qint64> known;
    qint64 sum = 0;
    for (const Step &step : left) {
        const Key key = keyOf(step);
        if (!known.contains(key)) {
            const QList<Key> candidates = standIns(key);
            const auto found = std::find_if(candidates.begin(), candidates.end(),
                [this](Key candidate) { return m_durations.contains(candidate); });
            if (found == candidates.end())
                return std::nullopt;
            known.insert(key, middle(m_durations.value(*found)));
        }
        sum += known.value(key);
    }
    return sum;
}

} // namespace kvlab::experiment
