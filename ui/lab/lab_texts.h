// SPDX-License-Identifier: GPL-3.0-or-later
// The guided lab's sentences about answers, predictions and steps.
#pragma once

#include "lab/progress.h"

#include <QCoreApplication>

namespace kvlab::ui {

struct LabTexts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::ui::LabTexts)

public:
    /// What became of an answer: right, too low, not readable, …
    static QString feedback(const lab::Question &question, const lab::Answer &answer);
    /// “You said 60 % lower. Measured: 97 % lower.”; empty when there is nothing to compare.
    static QString comparison(const lab::Lab &lab, const lab::LabState &state, const lab::Step &step);
    /// Second line of a step: what was predicted, answered or measured; may be empty.
    static QString detail(const lab::Lab &lab, const lab::LabState &state, const lab::Step &step);
    static QString status(lab::StepStatus status, bool current); ///< for screen readers
    static QString kind(lab::StepKind kind); ///< “Explore”, “Predict”, …
};

} // namespace kvlab::ui
