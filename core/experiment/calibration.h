// SPDX-License-Identifier: GPL-3.0-or-later
// The probe's own error: a server inside this program answers with a known delay, measured by its own stamps on the
// same clock, and the probe measures its time to first token. What the probe shows beyond that delay is its error, the
// loopback's and the scheduler's. Runs in the calling thread, which must be able to run event loops; the server has a
// thread of its own.
#pragma once

#include "experiment/experiment_plan.h"

#include <functional>

namespace kvlab::experiment {

struct CalibrationPlan
{
    QList<int> body_bytes{2'048, 17'408, 40'960, 204'800}; ///< sizes of the whole request body
    int rounds = 200; ///< samples of each size, on kept and on new connections each
    int delay_ms = 5;
    quint32 seed = 1; ///< of the order within each round
    probe::Transport transport = probe::Transport::low_delay;
};

/// Milliseconds: what the probe showed minus what the server really waited.
struct CalibrationRow
{
    int body_bytes = 0;
    bool new_connection = false; ///< the connection is opened before t0 by the low-delay transport
    int samples = 0;
    int failed = 0;
    std::optional<double> median_ms;
    std::optional<double> p95_ms; ///< from 20 samples on
    std::optional<double> p99_ms; ///< from 200 samples on
};

struct CalibrationResult
{
    CalibrationPlan plan;
    QList<CalibrationRow> rows; ///< by size, kept connections first
    bool stopped = false;
    QString message; ///< the first failure's sentence; empty = none
};

/// `goOn` is asked before each request, with the number of those done and of all.
CalibrationResult calibrate(const CalibrationPlan &plan, const std::function<bool(int done, int total)> &goOn);

} // namespace kvlab::experiment
