// SPDX-License-Identifier: GPL-3.0-or-later
// The groups of layers that a config.json describes.
#pragma once

#include "memory/importers/layer_plan.h"

namespace kvlab::memory {

struct ConfigCaches
{
    QList<CacheSpec> caches;
    bool recurrent_state_fp32 = false;
};

/// Faults go into the log; then the result means nothing.
ConfigCaches readCaches(const LanguageModel &model, const Count &layers, std::optional<qint64> context);

} // namespace kvlab::memory
