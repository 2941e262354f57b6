// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/answer.h"

#include "lab/quantity.h"

#include <array>
#include <cmath>

namespace kvlab::lab {

namespace {

constexpr std::array verdictNames{
    "recorded", "right", "too_low", "too_high", "wrong", "unreadable", "other_unit", "not_known"};

// Free text longer than this is kept up to here: a session is no place for a pasted book.
constexpr qsizetype maxText = 4000;

bool isRight(const Question &question, double value, double expected)
{
    switch (question.kind) {
    case QuestionKind::integer:
        return value == std::round(expected);
    case QuestionKind::magnitude:
        return value > 0 && expected > 0 && std::abs(std::log10(value / expected)) <= 0.5;
    default:
        return std::abs(value - expected) <= std::abs(expected) * question.tolerance_percent / 100;
    }
}

Answer judgeNumber(const Question &question, const QString &text, const LabFacts &facts)
{
    Answer answer{text.trimmed(), {}, AnswerVerdict::unreadable};
    const TypedNumber typed = parseNumber(text, question.unit);
    if (typed.other_dimension)
        answer.verdict = AnswerVerdict::other_unit;
    if (!typed.value || (question.kind == QuestionKind::integer && *typed.value != std::round(*typed.value)))
        return answer;
    answer.value = typed.value;
    if (!question.judged) {
        answer.verdict = AnswerVerdict::recorded;
        return answer;
    }
    const std::optional<double> expected = expectedNumber(question, facts);
    if (!expected)
        answer.verdict = AnswerVerdict::not_known;
    else if (isRight(question, *typed.value, *expected))
        answer.verdict = AnswerVerdict::right;
    else
        answer.verdict = *typed.value < *expected ? AnswerVerdict::too_low : AnswerVerdict::too_high;
    return answer;
}

Answer judgeOptions(const Question &question, const QString &text)
{
    QStringList known;
    for (const Option &option : question.options)
        known << option.id;
    const QStringList chosen = text.split(u',', Qt::SkipEmptyParts);
    const bool one = question.kind == QuestionKind::choice;
    QStringList sorted = chosen;
    sorted.sort();
    known.sort();
    const bool readable = one ? chosen.size() == 1 && known.contains(chosen.first()) : sorted == known;
    if (!readable)
        return {text, {}, AnswerVerdict::unreadable};
    if (!question.judged)
        return {text, {}, AnswerVerdict::recorded};
    return {text, {}, chosen == question.right ? AnswerVerdict::right : AnswerVerdict::wrong};
}

} // namespace

QString answerVerdictName(AnswerVerdict verdict)
{
    return QString::fromLatin1(verdictNames.at(std::size_t(verdict)));
}

std::optional<AnswerVerdict> answerVerdictFromName(const QString &name)
{
    for (std::size_t i = 0; i < verdictNames.size(); ++i) {
        if (name == QLatin1String(verdictNames[i]))
            return AnswerVerdict(i);
    }
    return std::nullopt;
}

Answer judge(const Question &question, const QString &text, const LabFacts &facts)
{
    if (isNumeric(question.kind))
        return judgeNumber(question, text, facts);
    if (question.kind != QuestionKind::text)
        return judgeOptions(question, text);
    const QString kept = text.trimmed().left(maxText);
    return {kept, {}, kept.isEmpty() ? AnswerVerdict::unreadable : AnswerVerdict::recorded};
}

} // namespace kvlab::lab
