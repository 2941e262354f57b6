// SPDX-License-Identifier: GPL-3.0-or-later
// Which object of a config.json describes the language model (multimodal files nest it), and whether there is one.
#pragma once

#include "memory/importers/field_reader.h"

namespace kvlab::memory {

struct LanguageModel
{
    FieldReader config; ///< the object that describes the decoder
    FieldReader outer; ///< the file's root: dtype and tie_word_embeddings may stand there only
    QString type; ///< model_type of the decoder: "gemma3_text"

    /// Is the type one of these, or one of these with something appended ("qwen3" fits "qwen3_next")?
    bool isOneOf(FieldNames prefixes) const;
    bool isExactly(FieldNames names) const;
    /// A decoder that attends to an encoder as well (Whisper, T5, BART).
    bool hasEncoder() const;
};

/// nullopt when it is refused (no_decoder_cache): vision towers, sentence encoders.
std::optional<LanguageModel> findLanguageModel(const JsonObject &root, ImportLog &log);

/// What a model_type's class assumes where the file says nothing. 0 = the class has no such number.
struct ClassDefaults
{
    qint64 layers = 0;
    qint64 heads = 0;
    qint64 kv_heads = 0; ///< 0: as many as heads
    qint64 hidden = 0;
    qint64 head_dim = 0;
};

std::optional<ClassDefaults> classDefaults(const LanguageModel &model);

/// Warns that `field` was not in the file.
void warnClassDefault(const LanguageModel &model, const QString &field, const QString &value);

/// What ModelSpec::field_sources then says.
QString classDefaultSource(const LanguageModel &model, const QString &field);

} // namespace kvlab::memory
