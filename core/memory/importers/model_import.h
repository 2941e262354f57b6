// SPDX-License-Identifier: GPL-3.0-or-later
// From a model's own files to a ModelSpec: config.json of the Hugging Face kind, GGUF headers, safetensors. Every
// number remembers the field it came from (ModelSpec::field_sources); what is not certain is warned about; what is not
// known is refused, never guessed. Field names: the published configs of the families, vLLM
// model_arch_config_convertor.py, llama.cpp llama-hparams.cpp.
#pragma once

#include "memory/memory_estimate.h"

#include <QByteArray>

namespace kvlab::memory {

/// Something that the reader should know before trusting the figures.
struct ImportWarning
{
    QString field; ///< of the file: "num_hidden_layers"; may name several
    QString text; ///< a whole sentence
};

struct ImportedModel
{
    ModelSpec model; ///< default_dtype is what the file says of its weights; "fp32" there
    QList<ImportWarning> warnings;
    QString kv_dtype_default; ///< "bf16" or "fp16": what engines keep the cache in unless told otherwise
    std::optional<QString> kv_dtype_hint; ///< what the file recommends for the cache: "fp8", "int8", "nvfp4"
};

/// Reasons: head_dim_needed, field_missing, no_decoder_cache, list_length_mismatch, unknown_layer_kind, not_a_number,
/// wrong_type, out_of_range, invalid_encoding, empty_file, json_syntax, not_an_object, nesting_too_deep,
/// file_too_large, file_unreadable, and of GGUF and safetensors bad_header, unsupported_version, big_endian.
using ImportResult = std::variant<ImportedModel, Refusal>;

inline constexpr qint64 maxConfigBytes = 16 * 1024 * 1024;
inline constexpr int maxConfigNesting = 256;

/// A config.json, of which `name` is the model's name. At most maxConfigBytes.
ImportResult importConfigJson(const QByteArray &json, const QString &name);

/// A config.json, a GGUF file (any part of a split one) or a safetensors file or index, told apart by their content;
/// or a folder that holds one of them. Reads headers only, however large the files. Blocks while it reads.
ImportResult importModelFile(const QString &path);

} // namespace kvlab::memory
