// SPDX-License-Identifier: GPL-3.0-or-later
// How much of a machine's room for the cache one row of the table takes, and whether it fits. The room is what is left
// beside the model's weights; what counts is what vLLM would set aside, or the bare need where that is not known.
#pragma once

#include "memory/capacity.h"
#include "memory/model_list.h"

#include <QCoreApplication>

namespace kvlab::ui {

struct RowBudget
{
    enum class State {
        weights_unknown, ///< so the room is unknown
        weights_too_large, ///< they leave no room
        refused, ///< this set-up has no figure; `sentence` says why
        known
    };

    State state = State::refused;
    memory::Bytes allocated; ///< of one device
    memory::Bytes budget; ///< room for the cache on one device
    double share = 0.0; ///< allocated ÷ budget; above 1 it does not fit
    bool ideal_need = false; ///< `allocated` is the bare need
    QString refusal;

    bool isKnown() const { return state == State::known; }
    bool fits() const { return isKnown() && allocated <= budget; }
};

class RowBudgets
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::ui::RowBudgets)
public:
    static RowBudget of(const memory::ModelSpec &model, const memory::MemoryRow &row, const memory::Machine &machine);
    static QString share(const RowBudget &budget); ///< "4.0 %", "over", "weights", "?"
    static QString fits(const RowBudget &budget); ///< "yes", "no", "?"
    /// Whole sentences, for the tool tip and the lines below the table.
    static QString explanation(const RowBudget &budget, const memory::ModelSpec &model, const memory::MemoryRow &row,
        const memory::Machine &machine);
};

} // namespace kvlab::ui
