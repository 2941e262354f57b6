// SPDX-License-Identifier: GPL-3.0-or-later
// What a config.json says beside its layers: context length, number types, parameters.
#pragma once

#include "memory/importers/language_model.h"

namespace kvlab::memory {

/// The longest sequence the model is made for.
std::optional<Count> readContext(const LanguageModel &model);

struct CacheTypes
{
    QString weights; ///< "bf16", "fp16", "fp32"; empty when the file does not say
    QString kv_default; ///< "bf16" or "fp16"
    std::optional<QString> kv_hint; ///< "fp8", "int8", "nvfp4"
};

CacheTypes readTypes(const LanguageModel &model);

/// Exact parameters of plain Llama-, Mistral- and Qwen-like decoders; nullopt for everything else.
std::optional<qint64> readParameters(const LanguageModel &model, const QList<CacheSpec> &caches);

} // namespace kvlab::memory
