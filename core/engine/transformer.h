// SPDX-License-Identifier: GPL-3.0-or-later
// A decoder-only transformer in float32: GQA, RoPE, SwiGLU, RMSNorm, tied embeddings, K and V in paged blocks.
// Weights come from a seed: the arithmetic is real, the text it produces is gibberish.
// Products go through OpenBLAS, which picks its kernels at run time, one BLAS thread inside our own bounded pool
// (why: a spinning library starves the client that measures on the same cores).
#pragma once

#include "engine/tokenizer.h"

#include <atomic>
#include <functional>
#include <memory>
#include <span>

namespace kvlab::engine {

struct TransformerShape
{
    int layers = 8;
    int hidden = 512;
    int heads = 8;
    int kv_heads = 2;
    int head_dim = 64;
    int ffn = 1408;
    int vocab = 8192;

    std::int64_t parameters() const;
    std::int64_t kvBytesPerToken() const; ///< 2 × layers × kv_heads × head_dim × 4
};

class Transformer
{
public:
    struct Options
    {
        TransformerShape shape;
        std::uint64_t seed = 1;
        int threads = 2;
        int blocks = 1024; ///< KV blocks, null block included
        int block_size = 16; ///< tokens
    };

    explicit Transformer(const Options &options);
    ~Transformer();

    /// Computes tokens[start …) of a sequence whose earlier K and V are already in `blocks`, stores theirs there, and
    /// returns the logits of the last token (vocab values). Polls `cancelled` between pieces; empty result when it was
    /// set. Throws std::invalid_argument when tokens, start and blocks do not fit together.
    std::vector<float> forward(std::span<const Token> tokens, int start, std::span<const int> blocks,
        const std::atomic<bool> *cancelled = nullptr);

    /// Leading tokens of the last forward() whose K and V are complete, those before `start` included; fewer than it
    /// was given when it was cancelled.
    int computedTokens() const;

    const TransformerShape &shape() const;
    int blockSize() const; ///< tokens
    std::uint64_t weightsDigest() const; ///< of every weight; takes some milliseconds per 100 MB

    /// One block's K and V over all layers, [layer][K, V][kv_heads][block_size][head_dim], K already rotated; for tiers
    /// and for tests that corrupt a block. Memory is touched only by blocks in use.
    std::span<float> blockData(int block);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::engine
