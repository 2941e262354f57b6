// SPDX-License-Identifier: GPL-3.0-or-later
// Figures inside a lab's texts: {row_formula}, {median_ttft:warm}, {answer}. What is not known yet shows as “–”.
#pragma once

#include "lab/lab_facts.h"
#include "lab/lab_state.h"

namespace kvlab::lab {

/// Without braces, as in the text. A stray brace is no placeholder.
QStringList placeholdersIn(const QString &text);

/// What may stand between braces: the names below, {prompt_tokens:ARM} and the like, and {value} in an `answer`.
QStringList placeholderNames();
bool isPlaceholder(const QString &name);

/// `question` and `answer` fill {answer}, {expected} and {times}; numbers by `locale`.
QString fillIn(const QString &text, const LabFacts &facts, const Question *question = nullptr,
    const Answer *answer = nullptr, const QLocale &locale = {});

/// The number as the question's `answer` has it: "60 % lower"; or with its unit.
QString answerText(const Question &question, double value, const QString &language, const QLocale &locale = {});

} // namespace kvlab::lab
