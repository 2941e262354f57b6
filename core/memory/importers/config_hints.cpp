// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/importers/config_hints.h"

#include "memory/importers/layer_shapes.h"
#include "memory/planner.h"

#include <QCoreApplication>

namespace kvlab::memory {

using namespace Qt::StringLiterals;

namespace {

/// The name of the weights' type, as PyTorch writes it, and where it stands.
struct TypeName
{
    QString name;
    QString field;
};

TypeName weightType(const LanguageModel &model)
{
    for (const FieldReader &object : {model.outer, model.config}) {
        for (const QLatin1String key : {"dtype"_L1, "torch_dtype"_L1}) {
            QString name = object.text(key);
            if (name.startsWith("torch."_L1))
                name.remove(0, 6);
            if (!name.isEmpty())
                return {name, object.path(key)};
        }
    }
    return {{}, u"dtype"_s};
}

std::optional<QString> shortType(const QString &name)
{
    if (name == "bfloat16"_L1 || name == "bf16"_L1)
        return u"bf16"_s;
    if (name == "float16"_L1 || name == "fp16"_L1 || name == "half"_L1)
        return u"fp16"_s;
    if (name == "float32"_L1 || name == "fp32"_L1 || name == "float"_L1)
        return u"fp32"_s;
    return std::nullopt;
}

/// What a kv_cache_scheme recommends: a word, or {"num_bits": 8, "type": "float"}.
std::optional<QString> hintOf(const JsonNode &node)
{
    if (node.text() != nullptr) {
        const QString word = node.text()->toLower();
        if (word.contains("nvfp4"_L1))
            return u"nvfp4"_s;
        return word.contains("int8"_L1) ? u"int8"_s : u"fp8"_s; // "static", "dynamic": fp8 exports
    }
    const JsonObject *scheme = node.object();
    const JsonNode *bits = scheme == nullptr ? nullptr : scheme->find(u"num_bits"_s);
    if (bits == nullptr || bits->number() == nullptr)
        return std::nullopt;
    const JsonNode *type = scheme->find(u"type"_s);
    const bool is_int = type != nullptr && type->text() != nullptr && *type->text() == "int"_L1;
    if (bits->number()->value == 8)
        return is_int ? u"int8"_s : u"fp8"_s;
    return bits->number()->value == 4 && !is_int ? std::optional(u"nvfp4"_s) : std::nullopt;
}

std::optional<QString> kvHint(const LanguageModel &model)
{
    QList<FieldReader> places;
    for (const FieldReader &object : {model.outer, model.config}) {
        places << object;
        for (const QLatin1String key : {"quantization_config"_L1, "compression_config"_L1, "quantization"_L1}) {
            if (const auto inner = object.object(key))
                places << *inner;
        }
    }
    for (const FieldReader &place : places) {
        for (const QLatin1String key : {"kv_cache_scheme"_L1, "kv_cache_quant_algo"_L1}) {
            const JsonNode *node = place.find(key);
            if (const auto hint = node == nullptr ? std::nullopt : hintOf(*node))
                return hint;
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<Count> readContext(const LanguageModel &model)
{
    static constexpr FieldNames names{"max_position_embeddings"_L1, "n_positions"_L1, "n_ctx"_L1, "max_seq_len"_L1,
        "max_seq_length"_L1, "max_sequence_length"_L1, "seq_length"_L1, "seq_len"_L1, "max_context_length"_L1,
        "max_target_positions"_L1, "model_max_length"_L1};
    // Command-R's positions are those of its training; the model is made for more.
    if (model.isOneOf({"cohere"_L1})) {
        if (const auto own = model.config.count({"model_max_length"_L1}, maxImportedTokens))
            return own;
    }
    if (model.hasEncoder()) {
        if (const auto own = model.config.count({"max_target_positions"_L1}, maxImportedTokens))
            return own;
    }
    return model.config.count(names, maxImportedTokens);
}

CacheTypes readTypes(const LanguageModel &model)
{
    ImportLog &log = model.config.log();
    const TypeName type = weightType(model);
    CacheTypes types;
    types.kv_hint = kvHint(model);
    types.kv_default = u"bf16"_s;
    const auto known = shortType(type.name);
    if (known)
        types.weights = *known;
    if (known == u"fp16"_s)
        types.kv_default = *known;
    else if (known == u"fp32"_s)
        log.warn(type.field,
            QCoreApplication::translate("import",
                "The weights are float32; engines usually keep the cache in 16 bits all the same, so 16 bits are "
                "assumed. Choose f32 if yours does not."));
    else if (!known)
        log.warn(type.field,
            QCoreApplication::translate("import",
                "The file does not say the model's dtype in a way that is known here; a 16-bit cache is assumed."));
    return types;
}

std::optional<qint64> readParameters(const LanguageModel &model, const QList<CacheSpec> &caches)
{
    const bool is_dense = model.isExactly({"llama"_L1, "mistral"_L1, "qwen2"_L1, "qwen3"_L1});
    const FieldReader &config = model.config;
    const auto said = [&config](QLatin1String key) {
        const JsonNode *node = config.find(key);
        return node != nullptr && node->flag() != nullptr && *node->flag();
    };
    if (!is_dense || caches.size() != 1 || said("attention_bias"_L1) || said("mlp_bias"_L1))
        return std::nullopt;
    const auto *full = std::get_if<FullAttention>(&caches.constFirst());
    const auto *sliding = std::get_if<SlidingWindow>(&caches.constFirst());
    const auto heads = config.knownCount({"num_attention_heads"_L1});
    const auto hidden = config.knownCount({"hidden_size"_L1});
    const auto intermediate = config.knownCount({"intermediate_size"_L1});
    const auto vocab = config.knownCount({"vocab_size"_L1});
    if ((full == nullptr && sliding == nullptr) || !heads || !hidden || !intermediate || !vocab)
        return std::nullopt;
    const AttentionShape &shape = full != nullptr ? full->shape : sliding->shape;
    const JsonNode *outer_tied = model.outer.find(u"tie_word_embeddings"_s);
    const bool tied = said("tie_word_embeddings"_L1)
        || (!config.has(u"tie_word_embeddings"_s) && outer_tied != nullptr && outer_tied->flag() != nullptr
            && *outer_tied->flag());
    const Bytes parameters = denseParameters({.layers = cacheLayers(caches.constFirst()),
        .heads = *heads,
        .kv_heads = shape.kv_heads,
        .head_dim = shape.head_dim,
        .hidden = *hidden,
        .intermediate = *intermediate,
        .vocab = *vocab,
        .tied = tied,
        .qkv_bias = model.isExactly({"qwen2"_L1}),
        .qk_norm = model.isExactly({"qwen3"_L1})});
    if (parameters > std::numeric_limits<qint64>::max())
        return std::nullopt;
    return parameters.convert_to<qint64>();
}

} // namespace kvlab::memory
