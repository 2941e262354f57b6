// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/statistics.h"

#include "experiment/seeded_random.h"

#include <QHash>

#include <algorithm>
#include <cmath>
#include <vector>

namespace kvlab::experiment {

namespace {

constexpr int resamples = 10'000;
constexpr quint32 bootstrapSeed = 20'240'229;

/// The two middle ranks of one resample (equal when the number of values is odd).
struct MiddleRanks
{
    quint32 low = 0;
    quint32 high = 0;
};

MiddleRanks middleRanks(const std::vector<quint32> &drawn, quint32 size)
{
    const quint32 lowPosition = (size - 1) / 2;
    const quint32 highPosition = size / 2;
    MiddleRanks ranks;
    quint32 passed = 0;
    quint32 rank = 0;
    while (passed + drawn[rank] <= lowPosition)
        passed += drawn[rank++];
    ranks.low = rank;
    while (passed + drawn[rank] <= highPosition)
        passed += drawn[rank++];
    ranks.high = rank;
    return ranks;
}

std::vector<MiddleRanks> drawMiddleRanks(quint32 size)
{
    SeededRandom random(bootstrapSeed);
    std::vector<MiddleRanks> result;
    result.reserve(resamples);
    std::vector<quint32> drawn(size);
    for (int resample = 0; resample < resamples; ++resample) {
        std::fill(drawn.begin(), drawn.end(), 0);
        for (quint32 i = 0; i < size; ++i)
            ++drawn[random.below(size)];
        result.push_back(middleRanks(drawn, size));
    }
    return result;
}

const std::vector<MiddleRanks> &ranksFor(quint32 size)
{
    thread_local QHash<quint32, std::vector<MiddleRanks>> kept;
    auto found = kept.find(size);
    if (found == kept.end()) {
        if (kept.size() >= 8)
            kept.clear();
        found = kept.insert(size, drawMiddleRanks(size));
    }
    return *found;
}

} // namespace

double median(QList<double> values)
{
    std::sort(values.begin(), values.end());
    const qsizetype size = values.size();
    return (values.at((size - 1) / 2) + values.at(size / 2)) / 2;
}

double medianAbsoluteDeviation(const QList<double> &values)
{
    const double middle = median(values);
    QList<double> deviations;
    deviations.reserve(values.size());
    for (const double value : values)
        deviations.append(std::abs(value - middle));
    return median(deviations);
}

double percentile(QList<double> values, double percent)
{
    std::sort(values.begin(), values.end());
    const auto rank = static_cast<qsizetype>(std::ceil(percent / 100 * static_cast<double>(values.size())));
    return values.at(std::clamp<qsizetype>(rank, 1, values.size()) - 1);
}

Interval bootstrapMedianInterval(QList<double> values)
{
    std::sort(values.begin(), values.end());
    QList<double> medians;
    medians.reserve(resamples);
    for (const MiddleRanks &ranks : ranksFor(static_cast<quint32>(values.size())))
        medians.append((values.at(ranks.low) + values.at(ranks.high)) / 2);
    return {percentile(medians, 2.5), percentile(medians, 97.5)};
}

double signFlipP(const QList<double> &logRatios)
{
    const auto count = static_cast<unsigned>(logRatios.size());
    double observed = 0;
    for (const double value : logRatios)
        observed += value;
    observed = std::abs(observed) - 1e-12; // a pattern that only differs by rounding is as extreme
    unsigned extreme = 0;
    for (unsigned pattern = 0; pattern < 1U << count; ++pattern) {
        double sum = 0;
        for (unsigned i = 0; i < count; ++i)
            sum += (pattern >> i & 1U) != 0 ? logRatios.at(i) : -logRatios.at(i);
        extreme += std::abs(sum) >= observed ? 1U : 0U;
    }
    return static_cast<double>(extreme) / static_cast<double>(1U << count);
}

} // namespace kvlab::experiment
