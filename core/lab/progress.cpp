// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/progress.h"

#include "lab/quantity.h"

#include <algorithm>

namespace kvlab::lab {

namespace {

bool isDone(const StepState &step)
{
    return step.completed_at.isValid() || step.skipped;
}

template <typename Value> bool matches(const std::optional<Value> &wanted, const Value &value)
{
    return !wanted || *wanted == value;
}

bool matchesRow(const RowPattern &pattern, const memory::MemoryRow &row)
{
    return (!pattern.model || pattern.model->compare(row.model, Qt::CaseInsensitive) == 0)
        && matches(pattern.seq_len, row.seq_len) && matches(pattern.batch, row.batch)
        && matches(pattern.kv_dtype, row.kv_dtype);
}

bool matchesPlan(const PlanPattern &pattern, const experiment::ExperimentPlan &plan)
{
    return matches(pattern.rounds, plan.rounds) && matches(pattern.shared_tokens, plan.shared_tokens)
        && matches(pattern.max_tokens, plan.max_tokens);
}

/// A run that came with the program counts only where the student took it.
bool hasSamples(const Condition &condition, const StepState &step, const LabFacts &facts)
{
    if (!facts.run || facts.measuring || (facts.recorded && !step.uses_recording)
        || !matchesPlan(condition.plan, facts.run->plan))
        return false;
    return std::all_of(condition.arms.cbegin(), condition.arms.cend(),
        [&](experiment::Arm arm) { return facts.run->summary.arms.value(arm).kept >= condition.at_least; });
}

bool hasRow(const RowPattern &pattern, const QList<memory::MemoryRow> &rows)
{
    return std::any_of(rows.cbegin(), rows.cend(), [&](const auto &row) { return matchesRow(pattern, row); });
}

/// What the compared prediction turns out to be; of the step's own prediction when it is that.
void keepResult(const Lab &lab, const Step &step, StepState &step_state, const LabFacts &facts)
{
    const Step *prediction = lab.step(step.compare);
    if (!prediction || !prediction->question)
        return;
    step_state.result = expectedNumber(*prediction->question, facts);
    const auto &quantity = prediction->question->quantity;
    const QuantityKind *kind = quantity ? quantityKind(quantity->name) : nullptr;
    step_state.result_recorded = kind && kind->measured && facts.recorded;
}

} // namespace

StepStatus stepStatus(const Lab &lab, const LabState &state, const QString &step_id)
{
    const StepState own = state.steps.value(step_id);
    if (own.completed_at.isValid())
        return StepStatus::complete;
    if (own.skipped)
        return StepStatus::skipped;
    const Step *step = lab.step(step_id);
    const bool free = step && std::all_of(step->needs.cbegin(), step->needs.cend(), [&](const QString &needed) {
        return isDone(state.steps.value(needed));
    });
    return free ? StepStatus::open : StepStatus::locked;
}

bool holds(const Condition &condition, const Step &step, const LabState &state, const LabFacts &facts)
{
    const StepState own = state.steps.value(step.id);
    const auto part_holds = [&](const Condition &part) { return holds(part, step, state, facts); };
    switch (condition.kind) {
    case ConditionKind::read:
        return own.read;
    case ConditionKind::answered:
        return own.answer && own.answer->counts();
    case ConditionKind::row:
        return hasRow(condition.row, facts.rows);
    case ConditionKind::current_row:
        return facts.current_row && matchesRow(condition.row, *facts.current_row);
    case ConditionKind::samples:
        return hasSamples(condition, own, facts);
    case ConditionKind::plan:
        return matchesPlan(condition.plan, facts.plan);
    case ConditionKind::imported:
        return !facts.library.imported().isEmpty();
    case ConditionKind::event:
        return state.events.contains(condition.name);
    case ConditionKind::step:
        return isDone(state.steps.value(condition.name));
    case ConditionKind::all:
        return std::all_of(condition.parts.cbegin(), condition.parts.cend(), part_holds);
    case ConditionKind::any:
        return std::any_of(condition.parts.cbegin(), condition.parts.cend(), part_holds);
    }
    return false;
}

void open(const Lab &lab, LabState &state, const QString &step_id, const QDateTime &now)
{
    if (!lab.step(step_id) || stepStatus(lab, state, step_id) == StepStatus::locked)
        return;
    state.lab_id = lab.id;
    state.current = step_id;
    StepState &step = state.steps[step_id];
    if (!step.opened_at.isValid())
        step.opened_at = now;
}

bool advance(const Lab &lab, LabState &state, const LabFacts &facts, const QDateTime &now)
{
    const Step *step = lab.step(state.current);
    if (!step || stepStatus(lab, state, step->id) != StepStatus::open || !holds(step->done, *step, state, facts))
        return false;
    StepState &own = state.steps[step->id];
    keepResult(lab, *step, own, facts);
    own.completed_at = now;
    return true;
}

Answer answerCurrent(const Lab &lab, LabState &state, const QString &text, const LabFacts &facts)
{
    const Step *step = lab.step(state.current);
    if (!step || !step->question)
        return {};
    const Answer answer = judge(*step->question, text, facts);
    StepState &own = state.steps[step->id];
    ++own.tries;
    own.answer = answer;
    return answer;
}

bool skipCurrent(const Lab &lab, LabState &state)
{
    const Step *step = lab.step(state.current);
    if (!step || step->holds_measure || stepStatus(lab, state, step->id) != StepStatus::open)
        return false;
    state.steps[step->id].skipped = true;
    return true;
}

void resetCurrent(LabState &state)
{
    if (const auto found = state.steps.find(state.current); found != state.steps.end()) {
        const QDateTime opened = found->opened_at;
        *found = {};
        found->opened_at = opened;
    }
}

QString nextOpen(const Lab &lab, const LabState &state, const QString &step_id)
{
    QString earlier;
    bool reached = lab.step(step_id) == nullptr;
    for (const Part &part : lab.parts) {
        for (const Step &step : part.steps) {
            reached = reached || step.id == step_id;
            if (stepStatus(lab, state, step.id) != StepStatus::open)
                continue;
            if (reached)
                return step.id;
            if (earlier.isEmpty())
                earlier = step.id;
        }
    }
    return earlier;
}

const Step *measureHeldBy(const Lab &lab, const LabState &state)
{
    const Step *step = lab.step(state.current);
    if (!step || !step->holds_measure || stepStatus(lab, state, step->id) != StepStatus::open)
        return nullptr;
    return step;
}

Count progressOf(const Lab &lab, const LabState &state)
{
    Count count;
    for (const Part &part : lab.parts) {
        for (const Step &step : part.steps) {
            ++count.all;
            count.done += isDone(state.steps.value(step.id)) ? 1 : 0;
        }
    }
    return count;
}

} // namespace kvlab::lab
