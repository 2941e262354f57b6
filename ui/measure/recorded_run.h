// SPDX-License-Identifier: GPL-3.0-or-later
// The run that comes with the program, recorded with the practice engine: shown at first start, always badged SAMPLE
// DATA.
#pragma once

#include "experiment/experiment_result.h"

namespace kvlab::ui {

/// None when the program was built without a recording or the recording cannot be read.
std::optional<experiment::RunResult> recordedRun(const QString &name = QStringLiteral("practice-run"));

} // namespace kvlab::ui
