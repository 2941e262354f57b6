// SPDX-License-Identifier: GPL-3.0-or-later
// The plan as a list of requests in the order they are sent; a pure function, so a seed always gives the same run.
//
// Two warm-ups with an unrelated prompt of similar length come first (a server's first requests are slower). Then each
// round takes the arms in random order; CACHED, PARTIAL and DIFFERENT PREFIX are each directly preceded by a prime of
// their own, because a server with one slot keeps only the last prompt, and so that all these arms meet the server in
// the same state.
#pragma once

#include "experiment/experiment_plan.h"

#include <QMap>

namespace kvlab::experiment {

enum class StepKind {
    warm_up, ///< unmeasured, unrelated prompt
    prime, ///< unmeasured, same document, other question
    measure
};

struct Step
{
    StepKind kind = StepKind::measure;
    int round = 0; ///< from 1; 0 for a warm-up
    std::optional<Arm> arm; ///< none for a warm-up; a prime carries the arm it prepares

    friend bool operator==(const Step &, const Step &) = default;
};

QList<Step> makeSchedule(const ExperimentPlan &plan);

/// How long the steps took so far, by kind and arm: enough to tell how long the rest will take.
class StepTimes
{
public:
    void add(const Step &step, qint64 duration_ms);

    /// Medians of like steps; a step never seen yet borrows from the most similar one. nullopt before the first step.
    std::optional<qint64> remainingMs(const QList<Step> &left) const;

private:
    QMap<int, QList<qint64>> m_durations; ///< by key, see schedule.cpp
};

} // namespace kvlab::experiment
