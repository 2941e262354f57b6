// SPDX-License-Identifier: GPL-3.0-or-later
// What each layer of a config.json is: which attention, which state, or nothing that is cached. Classified by the
// values of the lists, never by their presence; a value without a rule refuses the file. Sources: the modelling code of
// the families, vLLM's and mlx-lm's layer rules.
#pragma once

#include "memory/importers/language_model.h"

namespace kvlab::memory {

struct PlannedLayer
{
    enum class Attention { none, full, sliding, chunked, compressed };
    enum class State { none, mamba, linear, conv, rg_lru, kept_kv };

    Attention attention = Attention::none;
    State state = State::none;
    QString reason; ///< why it keeps nothing, when neither
    qint64 extent = 0; ///< tokens of a window or chunk; of compressed attention the ratio
    qint64 kv_heads = 0; ///< where the layer's own entry says it (block_configs); 0 = as the model
};

struct LayerPlan
{
    QList<PlannedLayer> layers;
    QString kinds_field; ///< the list or rule that says what each layer is; empty when all are alike
};

/// How many layers the decoder has; nullopt when refused.
std::optional<Count> readLayerCount(const LanguageModel &model);

/// `context` limits windows: one that is not shorter has no effect.
LayerPlan planLayers(const LanguageModel &model, const Count &layers, std::optional<qint64> context);

} // namespace kvlab::memory
