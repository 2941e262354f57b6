// SPDX-License-Identifier: GPL-3.0-or-later
// Reading and judging what a student answers.
#pragma once

#include "lab/lab.h"
#include "lab/lab_facts.h"

namespace kvlab::lab {

enum class AnswerVerdict {
    recorded, ///< a prediction or free text: kept, not judged
    right,
    too_low,
    too_high,
    wrong, ///< of a choice or an ordering
    unreadable, ///< not a number, or nothing at all
    other_unit, ///< a number of something else: “3 ms” where GiB are asked
    not_known, ///< the program does not know the figure yet
};
QString answerVerdictName(AnswerVerdict verdict);
std::optional<AnswerVerdict> answerVerdictFromName(const QString &name);

struct Answer
{
    QString text; ///< as typed; the option's id; all ids of an ordering, separated by commas
    std::optional<double> value; ///< of numeric questions, in the question's unit
    AnswerVerdict verdict = AnswerVerdict::unreadable;

    bool counts() const { return verdict == AnswerVerdict::right || verdict == AnswerVerdict::recorded; }
};

Answer judge(const Question &question, const QString &text, const LabFacts &facts);

} // namespace kvlab::lab
