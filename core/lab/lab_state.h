// SPDX-License-Identifier: GPL-3.0-or-later
// What a student has done of a lab: answers, predictions with the results beside them, times. Part of the session.
#pragma once

#include "lab/answer.h"

#include <QDateTime>

namespace kvlab::lab {

struct StepState
{
    QDateTime opened_at; ///< invalid = not yet
    QDateTime completed_at; ///< invalid = not yet; once complete a step stays so, whatever changes later
    bool skipped = false;
    bool read = false; ///< Continue was pressed
    int hints = 0; ///< how many were shown: recorded, not punished
    int tries = 0;
    std::optional<Answer> answer; ///< the last one
    bool uses_recording = false; ///< the student took the recorded run
    std::optional<double> result; ///< beside the prediction, in its unit, as it was when the step was completed
    bool result_recorded = false; ///< it comes from a recorded run
};

struct LabState
{
    QString lab_id; ///< empty = no lab was begun
    QString current; ///< step in hand
    QMap<QString, StepState> steps; ///< by id
    QStringList events; ///< that the window reported

    bool isEmpty() const { return steps.isEmpty() && events.isEmpty(); }
};

QJsonObject labStateToJson(const LabState &state);

/// The state, or a sentence that names the field which cannot be read.
std::variant<LabState, QString> labStateFromJson(const QJsonObject &object);

} // namespace kvlab::lab
