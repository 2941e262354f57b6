// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace kvlab::engine {

namespace {

/// Sums and maxima run in this many independent lanes: a compiler must not reorder float sums by itself.
constexpr int lanes = 16;

/// e^-60 is nothing beside 1, and products with it stay far from denormal numbers, which are many times slower.
constexpr float lastExponent = 60.0F;

/// Cody and Waite's reduction with the polynomial of Cephes' expf: no table and no branch, so a loop over it
/// vectorises.
inline float exponential(float x)
{
    x = x < -lastExponent ? -lastExponent : x;
    x = x > lastExponent ? lastExponent : x;
    constexpr float roundingShift = 12582912.0F; // 1.5 × 2^23: adding it leaves no bits behind the point
    const float power = (x * 1.44269504F + roundingShift) - roundingShift;
    const float rest = (x - power * 0.693359375F) + power * 2.12194440e-4F;
    float sum = 1.9875691500e-4F;
    sum = sum * rest + 1.3981999507e-3F;
    sum = sum * rest + 8.3334519073e-3F;
    sum = sum * rest + 4.1665795894e-2F;
    sum = sum * rest + 1.6666665459e-1F;
    sum = sum * rest + 5.0000001201e-1F;
    sum = sum * rest * rest + rest + 1.0F;
    return sum * std::bit_cast<float>((std::int32_t(power) + 127) << 23);
}

float maximum(const float *values, int count)
{
    float best[lanes];
    std::fill(best, best + lanes, values[0]);
    int i = 0;
    for (; i + lanes <= count; i += lanes) {
        for (int lane = 0; lane < lanes; ++lane) {
            best[lane] = values[i + lane] > best[lane] ? values[i + lane] : best[lane];
        }
    }
    for (; i < count; ++i) {
        best[0] = std::max(best[0], values[i]);
    }
    return *std::max_element(best, best + lanes);
}

template <typename Term> float sumOf(int count, Term term)
{
    float sums[lanes] = {};
    int i = 0;
    for (; i + lanes <= count; i += lanes) {
        for (int lane = 0; lane < lanes; ++lane) {
            sums[lane] += term(i + lane);
        }
    }
    for (; i < count; ++i) {
        sums[0] += term(i);
    }
    float total = 0;
    for (const float sum : sums) {
        total += sum;
    }
    return total;
}

} // namespace

void exponentials(const float *in, float *out, int count)
{
    for (int i = 0; i < count; ++i) {
        out[i] = exponential(in[i]);
    }
}

void rmsNorm(const float *x, const float *gain, float *out, int width)
{
    const float squares = sumOf(width, [x](int i) { return x[i] * x[i]; });
    const float scale = 1.0F / std::sqrt(squares / float(width) + 1e-6F);
    for (int i = 0; i < width; ++i) {
        out[i] = x[i] * scale * gain[i];
    }
}

void softmax(float *row, int valid, int width)
{
    const float best = maximum(row, valid);
    for (int i = 0; i < valid; ++i) {
        row[i] = exponential(row[i] - best);
    }
    const float scale = 1.0F / sumOf(valid, [row](int i) { return row[i]; });
    for (int i = 0; i < valid; ++i) {
        row[i] *= scale;
    }
    std::fill(row + valid, row + width, 0.0F);
}

void swiGlu(const float *gateUp, float *out, int ffn)
{
    const float *up = gateUp + ffn;
    for (int i = 0; i < ffn; ++i) {
        out[i] = gateUp[i] / (1.0F + exponential(-gateUp[i])) * up[i];
    }
}

void rotate(const float *in, const float *cosines, const float *sines, float scale, float *out, int headDim)
{
    const int half = headDim / 2;
    for (int i = 0; i < half; ++i) {
        const float a = in[i];
        const float b = in[i + half];
        out[i] = (a * cosines[i] - b * sines[i]) * scale;
        out[i + half] = (b * cosines[i] + a * sines[i]) * scale;
    }
}

} // namespace kvlab::engine
