// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_answer.h"

#include "memory/gpu_list.h"

#include <QHash>

namespace kvlab::ui {

namespace {

std::optional<qint64> capacityOf(const PlannerSettings &settings)
{
    if (settings.own_capacity)
        return settings.own_capacity;
    for (const memory::GpuSpec &gpu : memory::builtInGpus()) {
        if (gpu.name == settings.device)
            return gpu.memory_bytes;
    }
    return std::nullopt;
}

PlannerField fieldOf(const QString &reason)
{
    static const QHash<QString, PlannerField> fields{
        {QStringLiteral("tp_invalid"), PlannerField::ranks},
        {QStringLiteral("tp_unknown"), PlannerField::ranks},
        {QStringLiteral("pp_invalid"), PlannerField::ranks},
        {QStringLiteral("dp_invalid"), PlannerField::ranks},
        {QStringLiteral("unaligned_row"), PlannerField::cache},
        {QStringLiteral("format_needs_mla"), PlannerField::cache},
        {QStringLiteral("allocation_unknown"), PlannerField::engine},
    };
    return fields.value(reason, PlannerField::plan);
}

memory::CapacityQuery queryOf(const PlannerSettings &settings, qint64 capacity, const memory::Bytes &weights)
{
    memory::CapacityQuery query;
    query.machine = {settings.device, memory::Bytes(capacity), settings.tp, settings.pp, settings.dp,
        settings.util_permille, memory::Bytes(settings.overhead)};
    query.weights = weights;
    query.memory.seq_len = settings.seq_len;
    query.memory.batch = settings.batch;
    query.memory.kv_dtype = settings.kv_dtype;
    query.memory.v_dtype = settings.v_dtype;
    query.memory.tp = settings.tp;
    query.memory.pp = settings.pp;
    query.memory.dp = settings.dp;
    query.profile = settings.profile;
    return query;
}

} // namespace

std::optional<memory::Bytes> PlannerAnswer::bytes(qint64 seq_len, qint64 batch) const
{
    const auto one = memory::sequenceBytes(model, query, seq_len);
    if (!std::holds_alternative<memory::Bytes>(one))
        return std::nullopt;
    memory::MemoryQuery asked = query.memory;
    asked.batch = batch;
    return memory::Bytes(std::get<memory::Bytes>(one) * memory::sequencesPerRank(asked));
}

std::optional<memory::Bytes> PlannerAnswers::weights(const PlannerSettings &settings, const memory::ModelSpec &model)
{
    if (settings.own_weights)
        return memory::Bytes(*settings.own_weights);
    if (settings.weight_format.isEmpty())
        return memory::modelWeights(model, std::nullopt);
    const auto format = memory::weightFormatFromName(settings.weight_format);
    return format ? memory::modelWeights(model, format) : std::nullopt;
}

PlannerSettings PlannerAnswers::withModel(PlannerSettings settings, const memory::ModelSpec &model)
{
    settings.model = model.name;
    settings.own_weights.reset();
    if (model.weight_bytes)
        settings.weight_format.clear();
    else if (settings.weight_format.isEmpty())
        settings.weight_format = QStringLiteral("bf16");
    return settings;
}

QString PlannerAnswers::weightsUnknown(const memory::ModelSpec &model)
{
    return tr("How many parameters %1 has is not known exactly, so its weights cannot be counted. Enter their size, "
              "for example the size of the model's files.")
        .arg(model.name);
}

std::variant<PlannerAnswer, PlannerProblem> PlannerAnswers::of(
    const PlannerSettings &settings, const memory::ModelLibrary &library)
{
    const auto capacity = capacityOf(settings);
    if (!capacity)
        return PlannerProblem{PlannerField::device,
            tr("The list has no device “%1” with a known size. Choose one of the list, or type the memory of one "
               "device, like 24GiB.")
                .arg(settings.device)};
    const memory::ModelSpec *model = library.find(settings.model);
    if (model == nullptr)
        return PlannerProblem{
            PlannerField::model, tr("The list has no model “%1”. Choose one of the list.").arg(settings.model)};
    const auto bytes = weights(settings, *model);
    if (!bytes)
        return PlannerProblem{PlannerField::own_weights, weightsUnknown(*model)};

    PlannerAnswer answer;
    answer.model = *model;
    answer.query = queryOf(settings, *capacity, *bytes);
    const auto refused = [](const memory::Refusal &refusal) {
        return PlannerProblem{fieldOf(refusal.reason), refusal.message};
    };
    const auto planned = memory::planCapacity(answer.model, answer.query);
    if (const auto *refusal = std::get_if<memory::Refusal>(&planned))
        return refused(*refusal);
    answer.capacity = std::get<memory::Capacity>(planned);
    const auto map = memory::fitMap(answer.model, answer.query);
    if (const auto *refusal = std::get_if<memory::Refusal>(&map))
        return refused(*refusal);
    answer.map = std::get<memory::FitMap>(map);
    const auto need = memory::estimate(answer.model, answer.query.memory);
    if (const auto *refusal = std::get_if<memory::Refusal>(&need))
        return refused(*refusal);
    answer.per_token = std::get<memory::MemoryResult>(need).bytes_per_token;
    return answer;
}

} // namespace kvlab::ui
