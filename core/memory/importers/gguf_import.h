// SPDX-License-Identifier: GPL-3.0-or-later
// GGUF → ModelSpec by llama.cpp's own rules of what it caches (llama-hparams.cpp, llama-kv-cache.cpp, models/*.cpp).
#pragma once

#include "memory/importers/model_import.h"

namespace kvlab::memory {

/// Any part of a split file will do; sizes are those of all parts that lie beside it.
ImportResult importGguf(const QString &path);

} // namespace kvlab::memory
