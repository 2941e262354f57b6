// SPDX-License-Identifier: GPL-3.0-or-later
// The practice engine's weights: made up from a seed, so that nothing has to be downloaded. Every weight is a pure
// function of seed, tensor and index; another program can make the same ones.
#pragma once

#include "engine/thread_pool.h"
#include "engine/transformer.h"

#include <cstdint>
#include <vector>

namespace kvlab::engine {

/// Matrices are stored [inputs][outputs], row after row.
struct LayerWeights
{
    std::vector<float> attention_norm; ///< [hidden]
    std::vector<float> qkv; ///< [hidden][(heads + 2 × kv_heads) × head_dim]: all Q, then all K, then all V
    std::vector<float> output; ///< [heads × head_dim][hidden]
    std::vector<float> ffn_norm; ///< [hidden]
    std::vector<float> gate_up; ///< [hidden][2 × ffn]: gate, then up
    std::vector<float> down; ///< [ffn][hidden]
};

struct Weights
{
    std::vector<float> embedding; ///< [vocab][hidden], also the output matrix
    std::vector<float> final_norm; ///< [hidden]
    std::vector<LayerWeights> layers;
};

/// Weight `index` of tensor number `tensor`: evenly spread over [-1, 1).
float unitWeight(std::uint64_t seed, std::uint32_t tensor, std::uint64_t index);

/// Matrices are scaled by their width, so that activations keep their size from layer to layer; gains lie around 1.
Weights makeWeights(const TransformerShape &shape, std::uint64_t seed, ThreadPool &pool);

std::uint64_t digestOf(const Weights &weights); ///< XXH3 of all of them in order

} // namespace kvlab::engine
