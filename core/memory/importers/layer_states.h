// SPDX-License-Identifier: GPL-3.0-or-later
// Fixed state of one layer: SSM, linear attention, short convolution. Element counts as in vLLM's
// MambaStateShapeCalculator (model_executor/layers/mamba/mamba_utils.py).
#pragma once

#include "memory/importers/layer_plan.h"

namespace kvlab::memory {

/// One layer's state; nullopt when refused. `shape` is that layer's attention, for the kinds that keep parts of K and
/// V.
std::optional<FixedState> readState(const LanguageModel &model, PlannedLayer::State state, const AttentionShape &shape);

/// Does the recurrent part stay f32 whatever the model's own type?
bool isRecurrentStateFp32(const LanguageModel &model, const LayerPlan &plan);

} // namespace kvlab::memory
