// SPDX-License-Identifier: GPL-3.0-or-later
// How the practice engine uses OpenBLAS: on one thread inside our own pool, with kernels that fit the processor.
#pragma once

#include <string>

namespace kvlab::engine {

/// To be called before the first product; later calls do nothing.
void prepareBlas();

/// The processor family whose kernels OpenBLAS uses: "Haswell", "SkylakeX", …
std::string blasKernels();

} // namespace kvlab::engine
