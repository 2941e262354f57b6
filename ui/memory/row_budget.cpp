// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/row_budget.h"

#include "ui/memory/memory_text.h"

#include <QLocale>

namespace kvlab::ui {

namespace {

/// The row on the machine as vLLM would run it, or with its bare need.
memory::CapacityQuery queryOf(
    const memory::MemoryRow &row, const memory::Machine &machine, const memory::Bytes &weights, bool ideal_need)
{
    memory::CapacityQuery query;
    query.machine = machine;
    query.weights = weights;
    query.memory.seq_len = row.seq_len;
    query.memory.batch = row.batch;
    query.memory.kv_dtype = row.kv_dtype;
    query.profile = memory::defaultProfile(ideal_need ? memory::Engine::ideal : memory::Engine::vllm);
    return query;
}

std::optional<memory::Bytes> weightsOf(const memory::ModelSpec &model)
{
    // What its files hold is better than an assumption.
    if (model.weight_bytes)
        return memory::modelWeights(model, std::nullopt);
    return memory::modelWeights(model, memory::weightFormatFromName(QStringLiteral("bf16")));
}

} // namespace

RowBudget RowBudgets::of(const memory::ModelSpec &model, const memory::MemoryRow &row, const memory::Machine &machine)
{
    RowBudget result;
    const auto weights = weightsOf(model);
    if (!weights) {
        result.state = RowBudget::State::weights_unknown;
        return result;
    }
    memory::CapacityQuery query = queryOf(row, machine, *weights, false);
    auto one = memory::sequenceBytes(model, query, row.seq_len);
    if (std::holds_alternative<memory::Refusal>(one)) {
        result.ideal_need = true;
        query = queryOf(row, machine, *weights, true);
        one = memory::sequenceBytes(model, query, row.seq_len);
    }
    if (const auto *refusal = std::get_if<memory::Refusal>(&one)) {
        result.refusal = refusal->message;
        return result;
    }
    query.memory.dp = machine.dp;
    result.allocated = memory::Bytes(std::get<memory::Bytes>(one) * memory::sequencesPerRank(query.memory));
    result.budget = memory::cacheBudget(query);
    if (result.budget <= 0) {
        result.state = RowBudget::State::weights_too_large;
        return result;
    }
    result.state = RowBudget::State::known;
    result.share = result.allocated.convert_to<double>() / result.budget.convert_to<double>();
    return result;
}

QString RowBudgets::share(const RowBudget &budget)
{
    switch (budget.state) {
    case RowBudget::State::weights_unknown:
    case RowBudget::State::refused:
        return QStringLiteral("?");
    case RowBudget::State::weights_too_large:
        return tr("weights", "short, in a table cell: the weights alone are too large");
    case RowBudget::State::known:
        break;
    }
    if (!budget.fits())
        return tr("over", "short, in a table cell: more than there is room for");
    return QStringLiteral("%1 %").arg(QLocale().toString(budget.share * 100, 'f', 1));
}

QString RowBudgets::fits(const RowBudget &budget)
{
    if (budget.state == RowBudget::State::weights_unknown || budget.state == RowBudget::State::refused)
        return QStringLiteral("?");
    return budget.fits() ? tr("yes", "table cell: it fits") : tr("no", "table cell: it does not fit");
}

QString RowBudgets::explanation(const RowBudget &budget, const memory::ModelSpec &model, const memory::MemoryRow &row,
    const memory::Machine &machine)
{
    const auto gib = [](const memory::Bytes &bytes) { return MemoryText::gib(bytes); };
    switch (budget.state) {
    case RowBudget::State::weights_unknown:
        return tr("How many parameters %1 has is not known exactly, so the room beside its weights is unknown. On the "
                  "Planner page their size can be entered.")
            .arg(model.name);
    case RowBudget::State::refused:
        return budget.refusal;
    case RowBudget::State::weights_too_large:
        return tr("The weights of %1 and the assumed overhead leave no room on %2: %3 GiB are missing before the first "
                  "token. Choose a larger device, more of them, or smaller weights.")
            .arg(model.name, machine.device, gib(memory::Bytes(-budget.budget)));
    case RowBudget::State::known:
        break;
    }
    const auto answer = memory::planCapacity(model, queryOf(row, machine, *weightsOf(model), budget.ideal_need));
    const auto *capacity = std::get_if<memory::Capacity>(&answer);
    const QString limits = capacity == nullptr
        ? QString()
        : tr("Largest batch of this length: %1. Longest seq_len of this batch: %2.")
              .arg(MemoryText::count(capacity->plan.max_batch), MemoryText::count(capacity->plan.max_seq_len));
    const QString what = budget.ideal_need
        ? tr("The bare need of %1 GiB counts here, because how vLLM would allocate it is not known.")
              .arg(gib(budget.allocated))
        : tr("vLLM would set aside %1 GiB in whole blocks.").arg(gib(budget.allocated));
    const QString room = budget.fits()
        ? tr("It takes %1 % of the %2 GiB that %3 has left for the cache beside the weights and an assumed overhead "
             "of %4 GiB.")
              .arg(QLocale().toString(budget.share * 100, 'f', 1), gib(budget.budget), machine.device,
                  gib(machine.overhead))
        : tr("It is %1 GiB more than the %2 GiB that %3 has left for the cache beside the weights and an assumed "
             "overhead of %4 GiB.")
              .arg(gib(memory::Bytes(budget.allocated - budget.budget)), gib(budget.budget), machine.device,
                  gib(machine.overhead));
    return QStringList{what, room, limits}.join(QLatin1Char('\n'));
}

} // namespace kvlab::ui
