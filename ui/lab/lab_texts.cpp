// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_texts.h"

#include "i18n/language.h"
#include "lab/placeholders.h"
#include "lab/quantity.h"

namespace kvlab::ui {

using lab::AnswerVerdict;
using lab::QuestionKind;
using lab::StepStatus;

namespace {

/// The prediction that the step is compared with, when it was given.
std::optional<QString> saidText(const lab::Lab &lab, const lab::LabState &state, const lab::Step &step)
{
    const lab::Step *prediction = lab.step(step.compare);
    const std::optional<lab::Answer> said = state.steps.value(step.compare).answer;
    if (!prediction || !prediction->question || !said || !said->value)
        return std::nullopt;
    return lab::answerText(*prediction->question, *said->value, i18n::currentLanguage());
}

bool isMeasured(const lab::Question &question)
{
    const lab::QuantityKind *kind = question.quantity ? lab::quantityKind(question.quantity->name) : nullptr;
    return kind && kind->measured;
}

} // namespace

QString LabTexts::feedback(const lab::Question &question, const lab::Answer &answer)
{
    switch (answer.verdict) {
    case AnswerVerdict::recorded:
        return tr("Recorded.");
    case AnswerVerdict::right:
        return tr("Right.");
    case AnswerVerdict::too_low:
        return tr("Too low. Try again, or take a hint.");
    case AnswerVerdict::too_high:
        return tr("Too high. Try again, or take a hint.");
    case AnswerVerdict::wrong:
        return question.kind == QuestionKind::ordering ? tr("Not in this order. Try again, or take a hint.")
                                                       : tr("Not this one. Try again, or take a hint.");
    case AnswerVerdict::other_unit:
        return question.unit.isEmpty()
            ? tr("A plain number is wanted here, without that unit.")
            : tr("The answer is wanted in %1. Type it in that unit or one of the same kind.").arg(question.unit);
    case AnswerVerdict::not_known:
        return tr("The program does not know this figure yet: it comes from a finished run. Measure first.");
    case AnswerVerdict::unreadable:
        break;
    }
    if (question.kind == QuestionKind::text)
        return tr("Write a sentence first.");
    if (!lab::isNumeric(question.kind))
        return tr("Choose an answer first.");
    return question.kind == QuestionKind::integer
        ? tr("This cannot be read as a whole number. Type digits, such as 1,024 or 4k.")
        : tr("This cannot be read as a number. Type digits, such as 0.5 or 1,024, with a unit if you like.");
}

QString LabTexts::comparison(const lab::Lab &lab, const lab::LabState &state, const lab::Step &step)
{
    const std::optional<QString> said = saidText(lab, state, step);
    const lab::StepState own = state.steps.value(step.id);
    if (!said || !own.result)
        return {};
    const lab::Question &question = *lab.step(step.compare)->question;
    const QString result = lab::answerText(question, *own.result, i18n::currentLanguage());
    if (own.result_recorded)
        return tr("You said: %1. Recorded on another computer: %2.").arg(*said, result);
    if (isMeasured(question))
        return tr("You said: %1. Measured: %2.").arg(*said, result);
    return tr("You said: %1. It is: %2.").arg(*said, result);
}

QString LabTexts::detail(const lab::Lab &lab, const lab::LabState &state, const lab::Step &step)
{
    const lab::StepState own = state.steps.value(step.id);
    if (own.skipped)
        return tr("skipped");
    if (!own.completed_at.isValid())
        return {};
    if (!step.compare.isEmpty() && own.result) {
        const lab::Question &question = *lab.step(step.compare)->question;
        return lab::answerText(question, *own.result, i18n::currentLanguage());
    }
    if (step.question && own.answer && own.answer->value)
        return tr("You: %1").arg(lab::answerText(*step.question, *own.answer->value, i18n::currentLanguage()));
    return {};
}

QString LabTexts::status(StepStatus status, bool current)
{
    switch (status) {
    case StepStatus::locked:
        return tr("locked until the steps before it are done");
    case StepStatus::complete:
        return tr("done");
    case StepStatus::skipped:
        return tr("skipped");
    case StepStatus::open:
        break;
    }
    return current ? tr("current step") : tr("to do");
}

QString LabTexts::kind(lab::StepKind kind)
{
    switch (kind) {
    case lab::StepKind::explore:
        return tr("Explore");
    case lab::StepKind::predict:
        return tr("Predict");
    case lab::StepKind::measure:
        return tr("Measure");
    case lab::StepKind::explain:
        return tr("Explain");
    case lab::StepKind::apply:
        return tr("Apply");
    }
    return {};
}

} // namespace kvlab::ui
