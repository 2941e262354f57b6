// SPDX-License-Identifier: GPL-3.0-or-later
// What `kvlab probe` was asked to do.
#pragma once

#include "experiment/experiment_plan.h"

#include <QStringList>

#include <variant>

namespace kvlab::cli {

struct ProbeOrder
{
    experiment::ServerTarget target;
    experiment::ExperimentPlan plan;
    QList<int> sweep; ///< lengths of the shared prefix, one run each; empty = the plan alone
    bool keeps = false; ///< find out what the server keeps
    qint64 fill_tokens = 0;
    int handout = 0; ///< part of the course handout to run as it is; 0 = none
    bool practice_engine = false; ///< no address: start one
    QString practice_size;
    QString csv_file; ///< empty = none
    QString json_file; ///< empty = none
    bool print_json = false;
};

/// The order, or the exit code after help or an error was printed.
std::variant<ProbeOrder, int> readProbeOrder(const QStringList &arguments);

} // namespace kvlab::cli
