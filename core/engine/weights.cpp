// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/weights.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>

namespace kvlab::engine {

namespace {

/// The mixing step of splitmix64 (Steele, Lea, Flood 2014).
std::uint64_t mix(std::uint64_t value)
{
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
    return value ^ (value >> 31);
}

constexpr std::uint64_t goldenGamma = 0x9e3779b97f4a7c15U;

/// Fills tensors one after the other; their order gives them their numbers.
class Filler
{
public:
    Filler(std::uint64_t seed, ThreadPool &pool)
        : m_seed(seed)
        , m_pool(pool)
    {
    }

    /// Variance 1 / inputs.
    std::vector<float> matrix(int inputs, int outputs, int scaledBy)
    {
        return fill(std::size_t(inputs) * std::size_t(outputs), 0.0F, std::sqrt(3.0F / float(scaledBy)));
    }

    std::vector<float> gains(int width) { return fill(std::size_t(width), 1.0F, 0.1F); }

private:
    std::vector<float> fill(std::size_t count, float middle, float bound)
    {
        constexpr std::size_t piece = 1 << 18;
        std::vector<float> values(count);
        const std::uint32_t tensor = m_next++;
        m_pool.run(int((count + piece - 1) / piece), [&](int task, int) {
            const std::size_t first = std::size_t(task) * piece;
            const std::size_t last = std::min(count, first + piece);
            for (std::size_t i = first; i < last; ++i) {
                values[i] = middle + bound * unitWeight(m_seed, tensor, i);
            }
        });
        return values;
    }

    std::uint64_t m_seed;
    ThreadPool &m_pool;
    std::uint32_t m_next = 0;
};

} // namespace

float unitWeight(std::uint64_t seed, std::uint32_t tensor, std::uint64_t index)
{
    const std::uint64_t stream = mix(mix(seed + goldenGamma) + tensor * goldenGamma);
    const std::uint64_t bits = mix(stream + (index + 1) * goldenGamma);
    return float(bits >> 40) * 0x1p-23F - 1.0F; // 24 bits: exact in a float
}

Weights makeWeights(const TransformerShape &shape, std::uint64_t seed, ThreadPool &pool)
{
    Filler filler(seed, pool);
    const int queryWidth = shape.heads * shape.head_dim;
    const int qkvWidth = queryWidth + 2 * shape.kv_heads * shape.head_dim;

    Weights weights;
    // Small beside what the layers add: otherwise a tied model would only repeat its last token.
    weights.embedding = filler.matrix(shape.vocab, shape.hidden, shape.hidden);
    weights.final_norm = filler.gains(shape.hidden);
    for (int i = 0; i < shape.layers; ++i) {
        LayerWeights layer;
        layer.attention_norm = filler.gains(shape.hidden);
        layer.qkv = filler.matrix(shape.hidden, qkvWidth, shape.hidden);
        layer.output = filler.matrix(queryWidth, shape.hidden, queryWidth);
        layer.ffn_norm = filler.gains(shape.hidden);
        layer.gate_up = filler.matrix(shape.hidden, 2 * shape.ffn, shape.hidden);
        layer.down = filler.matrix(shape.ffn, shape.hidden, shape.ffn);
        weights.layers.push_back(std::move(layer));
    }
    return weights;
}

std::uint64_t digestOf(const Weights &weights)
{
    std::uint64_t digest = 0;
    const auto add = [&digest](const std::vector<float> &tensor) {
        digest = XXH3_64bits_withSeed(tensor.data(), tensor.size() * sizeof(float), digest);
    };
    add(weights.embedding);
    add(weights.final_norm);
    for (const LayerWeights &layer : weights.layers) {
        for (const auto *tensor :
            {&layer.attention_norm, &layer.qkv, &layer.output, &layer.ffn_norm, &layer.gate_up, &layer.down})
            add(*tensor);
    }
    return digest;
}

} // namespace kvlab::engine
