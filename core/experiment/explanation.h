// SPDX-License-Identifier: GPL-3.0-or-later
// What a run's verdict means and what to do about it, in translated sentences.
#pragma once

#include "experiment/experiment_result.h"

namespace kvlab::experiment {

/// `summary` with everything but its explanation filled in; empty before any sample.
QString explain(const Summary &summary, const QList<MeasuredSample> &samples, const ServerFacts &facts);

} // namespace kvlab::experiment
