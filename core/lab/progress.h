// SPDX-License-Identifier: GPL-3.0-or-later
// From a lab, its state and the facts to what is open, complete and locked. Pure: nothing here waits, asks or draws.
#pragma once

#include "lab/lab_state.h"

namespace kvlab::lab {

enum class StepStatus { locked, open, complete, skipped };

StepStatus stepStatus(const Lab &lab, const LabState &state, const QString &step_id);

/// Does the condition hold now? `step` is the step that waits for it.
bool holds(const Condition &condition, const Step &step, const LabState &state, const LabFacts &facts);

/// Goes to a step; a locked or unknown one changes nothing.
void open(const Lab &lab, LabState &state, const QString &step_id, const QDateTime &now);

/// Completes the current step when its condition holds. Only that one: a step that nobody has read is never ticked off.
/// True when it was completed just now.
bool advance(const Lab &lab, LabState &state, const LabFacts &facts, const QDateTime &now);

/// Records an answer to the current step's question and judges it.
Answer answerCurrent(const Lab &lab, LabState &state, const QString &text, const LabFacts &facts);

/// Takes the current step out of the way; a prediction that Measure waits for stays.
bool skipCurrent(const Lab &lab, LabState &state);
void resetCurrent(LabState &state);

/// The first step that is neither complete nor skipped nor locked, from `step_id` on, then from the start; empty when
/// the lab is done.
QString nextOpen(const Lab &lab, const LabState &state, const QString &step_id);

/// The current step, when Measure waits for its prediction.
const Step *measureHeldBy(const Lab &lab, const LabState &state);

struct Count
{
    int done = 0; ///< complete or skipped
    int all = 0;
};
Count progressOf(const Lab &lab, const LabState &state);

} // namespace kvlab::lab
