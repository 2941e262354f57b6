// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/importers/language_model.h"

#include <QCoreApplication>

#include <array>

namespace kvlab::memory {

using namespace Qt::StringLiterals;

namespace {

constexpr FieldNames layerKeys{"num_hidden_layers"_L1, "n_layer"_L1, "n_layers"_L1, "num_layers"_L1,
    "num_transformer_layers"_L1, "decoder_layers"_L1, "num_decoder_layers"_L1, "layers_block_type"_L1,
    "block_configs"_L1, "hybrid_override_pattern"_L1};

/// Where multimodal files keep the language model: LLaVA, Gemma 3 and most; InternVL, Ovis; DeepSeek-VL, Janus;
/// Qwen-Omni; encoder-decoder pairs.
constexpr FieldNames nestedKeys{
    "text_config"_L1, "llm_config"_L1, "language_config"_L1, "thinker_config"_L1, "decoder"_L1};

/// Model types that keep no cache: they read all tokens at once and generate none.
constexpr FieldNames encoderFamilies{"bert"_L1, "roberta"_L1, "xlm-roberta"_L1, "xlm_roberta"_L1, "distilbert"_L1,
    "electra"_L1, "deberta"_L1, "albert"_L1, "mpnet"_L1, "camembert"_L1, "nomic_bert"_L1, "modernbert"_L1,
    "longformer"_L1, "big_bird"_L1, "layoutlm"_L1, "mobilebert"_L1, "squeezebert"_L1, "flaubert"_L1, "jina_bert"_L1,
    "swin"_L1, "dinov2"_L1, "dinov3"_L1, "clip"_L1, "siglip"_L1, "chinese_clip"_L1, "convnext"_L1, "resnet"_L1,
    "wav2vec2"_L1, "hubert"_L1, "wavlm"_L1, "data2vec"_L1, "audio-spectrogram-transformer"_L1, "owlvit"_L1,
    "groupvit"_L1, "bridgetower"_L1, "intern_vit"_L1, "timm"_L1};
/// Words that other families begin with as well ("ernie4_5" is a decoder).
constexpr FieldNames encoderTypes{"ernie"_L1, "ernie_m"_L1, "esm"_L1, "luke"_L1, "vit"_L1, "vit_mae"_L1, "deit"_L1,
    "beit"_L1, "sam"_L1, "sam2"_L1, "detr"_L1, "clap"_L1, "align"_L1, "owlv2"_L1};

constexpr FieldNames encoderDecoderTypes{"whisper"_L1, "t5"_L1, "mt5"_L1, "umt5"_L1, "longt5"_L1, "t5gemma"_L1,
    "bart"_L1, "mbart"_L1, "pegasus"_L1, "m2m_100"_L1, "marian"_L1, "blenderbot"_L1, "nllb"_L1, "speech_to_text"_L1,
    "trocr"_L1, "moonshine"_L1};

bool startsWithAny(const QString &type, FieldNames prefixes)
{
    return std::any_of(
        prefixes.begin(), prefixes.end(), [&type](QLatin1String prefix) { return type.startsWith(prefix); });
}

bool hasLayers(const FieldReader &config)
{
    return std::any_of(layerKeys.begin(), layerKeys.end(), [&config](QLatin1String key) { return config.has(key); });
}

/// Goes down as long as there is a nested language model; a flat file with layers of its own and an empty inside stays.
FieldReader unwrapped(FieldReader config)
{
    constexpr int mostLevels = 4;
    for (int level = 0; level < mostLevels; ++level) {
        std::optional<FieldReader> inner;
        for (auto key = nestedKeys.begin(); !inner && key != nestedKeys.end(); ++key)
            inner = config.object(*key);
        if (!inner || (hasLayers(config) && !hasLayers(*inner)))
            return config;
        config = *inner;
    }
    return config;
}

/// architectures may be a list or a single word.
QString architecture(const FieldReader &root)
{
    const JsonNode *node = root.find(u"architectures"_s);
    if (node != nullptr && node->array() != nullptr && !node->array()->items.isEmpty())
        node = &node->array()->items.constFirst();
    return node == nullptr || node->text() == nullptr ? QString() : *node->text();
}

bool isEncoderOnly(const LanguageModel &model)
{
    if (model.config.flag("is_decoder"_L1).value_or(false) || model.hasEncoder())
        return false;
    static const std::array endings{
        "ForMaskedLM"_L1, "ForImageClassification"_L1, "ForObjectDetection"_L1, "ForCTC"_L1, "VisionModel"_L1};
    const QString name = architecture(model.outer);
    return model.isOneOf(encoderFamilies) || model.isExactly(encoderTypes)
        || std::any_of(endings.begin(), endings.end(), [&name](QLatin1String end) { return name.endsWith(end); });
}

} // namespace

bool LanguageModel::isOneOf(FieldNames prefixes) const
{
    return startsWithAny(type, prefixes);
}

bool LanguageModel::isExactly(FieldNames names) const
{
    return std::any_of(names.begin(), names.end(), [this](QLatin1String name) { return type == name; });
}

bool LanguageModel::hasEncoder() const
{
    return config.flag("is_encoder_decoder"_L1).value_or(false) || outer.flag("is_encoder_decoder"_L1).value_or(false)
        || config.count({"encoder_layers"_L1}).has_value() || outer.object("encoder"_L1).has_value()
        || startsWithAny(type, encoderDecoderTypes);
}

std::optional<LanguageModel> findLanguageModel(const JsonObject &root, ImportLog &log)
{
    const FieldReader outer(root, {}, log);
    const FieldReader config = unwrapped(outer);
    QString type = config.text("model_type"_L1);
    if (type.isEmpty())
        type = outer.text("model_type"_L1);
    LanguageModel model{config, outer, type};
    const bool has_shape = hasLayers(config) || config.has(u"num_attention_heads"_s);
    if (isEncoderOnly(model) || (!has_shape && !classDefaults(model))) {
        log.refuse(u"no_decoder_cache"_s,
            type.isEmpty()
                ? QCoreApplication::translate("import",
                    "The file describes no decoder, so there is no KV cache: it names no layers "
                    "(num_hidden_layers). Choose the config.json of a language model.")
                : QCoreApplication::translate("import",
                    "“%1” has no decoder that keeps a KV cache: it reads all tokens at once, or the file names no "
                    "layers of one. Choose the config.json of a language model.")
                      .arg(type));
        return std::nullopt;
    }
    return model;
}

std::optional<ClassDefaults> classDefaults(const LanguageModel &model)
{
    // Defaults of the configuration classes of the transformers library.
    struct Entry
    {
        QLatin1String type;
        ClassDefaults defaults;
    };
    static const std::array entries{
        Entry{"llama"_L1, {32, 32, 0, 4096, 0}},
        Entry{"mistral"_L1, {32, 32, 8, 4096, 0}},
        Entry{"mixtral"_L1, {32, 32, 8, 4096, 0}},
        Entry{"qwen2"_L1, {32, 32, 0, 4096, 0}},
        Entry{"phi"_L1, {24, 32, 0, 2048, 0}},
        Entry{"phi3"_L1, {32, 32, 0, 3072, 0}},
        Entry{"gemma"_L1, {28, 16, 0, 3072, 256}},
        Entry{"gemma2"_L1, {26, 8, 4, 2304, 256}},
        Entry{"gemma3_text"_L1, {26, 8, 4, 2304, 256}},
    };
    // A flat file that lacks numbers is not complete; nested ones leave out what equals their class.
    const bool is_nested = model.config.path({}) != model.outer.path({});
    for (const Entry &entry : entries) {
        if (is_nested && model.type == entry.type)
            return entry.defaults;
    }
    return std::nullopt;
}

void warnClassDefault(const LanguageModel &model, const QString &field, const QString &value)
{
    model.config.log().warn(model.config.path(field),
        QCoreApplication::translate("import",
            "The file does not say “%1”; %2 is from the class defaults of “%3”. Check it against the model's page.")
            .arg(model.config.path(field), value, model.type));
}

QString classDefaultSource(const LanguageModel &model, const QString &field)
{
    return QCoreApplication::translate("import", "%1 (class defaults of “%2”)").arg(field, model.type);
}

} // namespace kvlab::memory
