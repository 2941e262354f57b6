// SPDX-License-Identifier: GPL-3.0-or-later
// A run as a picture that stands alone in a report: title, state, chart, result, server, model, date. Always light,
// always 1200 × 720; PNG (at twice that), SVG or PDF by the file's suffix.
#pragma once

#include "ui/measure/run_texts.h"

namespace kvlab::ui {

/// Writes the file whole or not at all. A sentence when it cannot: what happened, why, what to do.
std::optional<QString> exportChartPicture(const ShownRun &shown, const QString &path);

} // namespace kvlab::ui
