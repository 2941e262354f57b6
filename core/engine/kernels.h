// SPDX-License-Identifier: GPL-3.0-or-later
// The small float loops between the matrix products. Plain C++ that the compiler can turn into vector instructions; no
// state, no memory of their own. Lengths in floats.
#pragma once

namespace kvlab::engine {

/// e^x with a relative error below 3e-7 for -60 <= x <= 60; smaller x give e^-60, larger ones e^60.
void exponentials(const float *in, float *out, int count);

/// out = x / rms(x) × gain (Zhang, Sennrich 2019), epsilon 1e-6 inside the root.
void rmsNorm(const float *x, const float *gain, float *out, int width);

/// Softmax over the first `valid` values of a row; the rest, up to `width`, becomes 0 (keys a query must not see).
void softmax(float *row, int valid, int width);

/// out = silu(gate) × up (Shazeer 2020); `gateUp` holds gate[ffn], then up[ffn].
void swiGlu(const float *gateUp, float *out, int ffn);

/// Rotates the pairs (i, i + head_dim / 2) by the angles of one position (Su et al. 2021, the pairing that Qwen and
/// Llama use), times `scale`.
void rotate(const float *in, const float *cosines, const float *sines, float scale, float *out, int headDim);

} // namespace kvlab::engine
