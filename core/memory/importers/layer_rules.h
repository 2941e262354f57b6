// SPDX-License-Identifier: GPL-3.0-or-later
// The single rules of layer_plan: each reads one list or pattern and says what every layer is, or that it does not
// apply.
#pragma once

#include "memory/importers/layer_plan.h"

namespace kvlab::memory {

/// Everything a rule needs.
struct RuleInput
{
    const LanguageModel &model;
    qint64 layers = 0;
    qint64 mtp_layers = 0; ///< entries that lists may have beyond the layers
    std::optional<qint64> context;
};

PlannedLayer fullLayer();
PlannedLayer uncachedLayer(const QString &reason);
PlannedLayer stateLayer(PlannedLayer::State state);

using MaybePlan = std::optional<LayerPlan>;

/// One entry per layer, cut where the rest belongs to multi-token prediction; false after a refusal.
bool fitsLayers(const RuleInput &input, const QString &field, qsizetype entries);

// layer_lists.cpp: what the file says layer by layer
MaybePlan planFromBlockConfigs(const RuleInput &input);
MaybePlan planFromWords(const RuleInput &input);
MaybePlan planFromLetters(const RuleInput &input);
MaybePlan planFromNumberLists(const RuleInput &input);
MaybePlan planFromIndexLists(const RuleInput &input);
MaybePlan planFromCompressRatios(const RuleInput &input);

// layer_patterns.cpp: what follows from a period or from the family
MaybePlan planFromPeriods(const RuleInput &input);
MaybePlan planFromFamily(const RuleInput &input);
LayerPlan planFromWindow(const RuleInput &input);

// layer_windows.cpp
/// Gemma 2 slides over 4,096 tokens where its file does not even say null.
bool hasClassWindow(const LanguageModel &model);
/// Sliding over the file's window, or full where it has none that matters; `field` names the list that
/// asks for it; empty when only the window itself does, which may be off without a word.
PlannedLayer slidingLayer(const RuleInput &input, const QString &field);
PlannedLayer chunkedLayer(const RuleInput &input, const QString &field);

} // namespace kvlab::memory
