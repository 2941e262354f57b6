// SPDX-License-Identifier: GPL-3.0-or-later
// Heads and widths of a config.json's attention layers: per layer, per kind, or one for all.
#pragma once

#include "memory/importers/layer_plan.h"

namespace kvlab::memory {

/// Shapes of all attention layers; numbers that no layer needs are not read.
class LayerShapes
{
public:
    LayerShapes(const LanguageModel &model, qint64 layers);

    /// kv_heads 0: that layer keeps nothing (per-layer lists). Faults go into the log.
    AttentionShape of(qint64 layer, const PlannedLayer &planned);

private:
    struct Widths
    {
        qint64 kv_heads = 0;
        qint64 head_dim = 0;
        qint64 v_head_dim = 0;
    };

    const Widths &common();
    Widths readCommon() const;
    Widths withOwnKeys(const PlannedLayer &planned);

    const LanguageModel &m_model;
    qint64 m_layers;
    std::optional<CountList> m_kv_list;
    std::optional<Widths> m_common;
    std::optional<Widths> m_sliding;
    std::optional<Widths> m_full;
};

std::optional<Count> readHeads(const LanguageModel &model);
std::optional<Count> readHidden(const LanguageModel &model);
/// From the file, or hidden ÷ heads; refused (head_dim_needed) when that is no whole number.
std::optional<Count> readHeadDim(const LanguageModel &model);
/// One number for all layers.
std::optional<Count> readKvHeads(const LanguageModel &model);

} // namespace kvlab::memory
