// SPDX-License-Identifier: GPL-3.0-or-later
// The planner's answer in words, as people read it and as it is copied.
#pragma once

#include "ui/planner/planner_answer.h"

namespace kvlab::ui {

/// One of the four answers: what it is about, the figure, what it means.
struct CardText
{
    QString heading;
    QString value;
    QString detail;
};

class PlannerText
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::ui::PlannerText)
public:
    static QString gib(const memory::Bytes &bytes); ///< "14.19", more decimals where these would hide a small value
    static QString percent(double share); ///< "64.6 %"
    static QString engine(memory::Engine engine); ///< as it writes itself: "vLLM"

    static QString title(const PlannerAnswer &answer);
    static CardText fits(const PlannerAnswer &answer);
    static CardText largestBatch(const PlannerAnswer &answer);
    static CardText longestAtBatch(const PlannerAnswer &answer);
    static CardText longestAlone(const PlannerAnswer &answer);
    /// Bytes per token and, for vLLM, what it would print.
    static QString engineLine(const PlannerAnswer &answer);
    static QString weightsLine(const PlannerSettings &settings, const PlannerAnswer &answer);
    /// Everything, one line a thing.
    static QString plain(const PlannerSettings &settings, const PlannerAnswer &answer);

private:
    static CardText longest(const PlannerAnswer &answer, qint64 batch, qint64 seq_len, bool limited);
};

} // namespace kvlab::ui
