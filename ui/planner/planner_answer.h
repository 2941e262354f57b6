// SPDX-License-Identifier: GPL-3.0-or-later
// The planner's question answered: everything the page shows, or the field that stands in the way and why.
#pragma once

#include "memory/capacity.h"
#include "memory/model_list.h"
#include "ui/planner/planner_settings.h"

#include <QCoreApplication>

namespace kvlab::ui {

enum class PlannerField {
    device,
    ranks,
    utilisation,
    model,
    weights,
    own_weights,
    cache,
    engine,
    engine_setting,
    plan
};

/// Why there is no answer: a whole sentence, and the field that it belongs to.
struct PlannerProblem
{
    PlannerField field = PlannerField::plan;
    QString sentence;
};

struct PlannerAnswer
{
    memory::ModelSpec model;
    memory::CapacityQuery query;
    memory::Capacity capacity;
    memory::FitMap map;
    memory::Bytes per_token; ///< the bare need of one more token

    qint64 devices() const { return query.machine.tp * query.machine.pp; }
    /// What a batch takes on the fullest device; nullopt where the engine's rules give no figure.
    std::optional<memory::Bytes> bytes(qint64 seq_len, qint64 batch) const;
};

class PlannerAnswers
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::ui::PlannerAnswers)
public:
    static std::variant<PlannerAnswer, PlannerProblem> of(
        const PlannerSettings &settings, const memory::ModelLibrary &library);

    /// Bytes of the whole model as the settings say; nullopt = not known.
    static std::optional<memory::Bytes> weights(const PlannerSettings &settings, const memory::ModelSpec &model);
    /// The settings with another model: a size typed for the old one is forgotten, and the size of the new one's files,
    /// where it is known, is better than a format.
    static PlannerSettings withModel(PlannerSettings settings, const memory::ModelSpec &model);
    static QString weightsUnknown(const memory::ModelSpec &model);
};

} // namespace kvlab::ui
