// SPDX-License-Identifier: GPL-3.0-or-later
// What the program knows while a lab is played: the table, the plan, the run. Plain values, so that every condition and
// every quantity is tested without a window.
#pragma once

#include "experiment/experiment_result.h"
#include "memory/model_list.h"

namespace kvlab::lab {

struct LabFacts
{
    QList<memory::MemoryRow> rows;
    std::optional<memory::MemoryRow> current_row;
    memory::ModelLibrary library;
    experiment::ExperimentPlan plan; ///< of the next run
    std::optional<experiment::RunResult> run; ///< what is shown
    bool recorded = false; ///< the run was not measured on this computer
    bool measuring = false; ///< it has not ended yet: its figures do not count
};

} // namespace kvlab::lab
