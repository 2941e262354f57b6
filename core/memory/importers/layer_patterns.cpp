// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/importers/layer_rules.h"

#include <QCoreApplication>

namespace kvlab::memory {

using namespace Qt::StringLiterals;

namespace {

using State = PlannedLayer::State;

ImportLog &logOf(const RuleInput &input)
{
    return input.model.config.log();
}

/// Every `period`-th layer is `regular`, counted so that layer `offset` is the first; the others are `rest`.
LayerPlan planOfPeriod(const RuleInput &input, const QString &field, qint64 period, qint64 offset,
    const PlannedLayer &regular, const PlannedLayer &rest)
{
    LayerPlan plan{{}, field};
    for (qint64 i = 0; i < input.layers; ++i)
        plan.layers << (i % period == offset ? regular : rest);
    return plan;
}

/// The last of each `period` layers is full, the others are `rest`.
LayerPlan planOfLast(const RuleInput &input, const QString &field, qint64 period, const PlannedLayer &rest)
{
    return planOfPeriod(input, field, period, period - 1, fullLayer(), rest);
}

/// "LLLG" (EXAONE 4): L slides, G is full, repeated over the layers.
LayerPlan planOfPattern(const RuleInput &input, const QString &field, const QString &pattern)
{
    LayerPlan plan{{}, field};
    for (qint64 i = 0; i < input.layers; ++i) {
        const QChar letter = pattern.at(i % pattern.size());
        if (letter != u'L' && letter != u'G') {
            refuseKind(logOf(input), field, letter);
            return plan;
        }
        plan.layers << (letter == u'G' ? fullLayer() : slidingLayer(input, field));
    }
    return plan;
}

/// The period that a family's class assumes: its last layer of each is full.
qint64 classPeriod(const LanguageModel &model)
{
    if (model.isOneOf({"gemma3n"_L1}))
        return 5;
    if (model.isOneOf({"gemma3"_L1, "gemma4"_L1}))
        return 6;
    if (model.isOneOf({"cohere2"_L1, "olmo3"_L1, "exaone4"_L1}))
        return 4;
    if (model.isOneOf({"gemma2"_L1, "gpt_oss"_L1, "t5gemma"_L1}))
        return 2;
    return 0;
}

/// Llama 4: chunks, and every layer without rotary positions is full.
LayerPlan planOfLlama4(const RuleInput &input)
{
    const FieldReader &config = input.model.config;
    const QString field = config.path(u"no_rope_layers"_s);
    const JsonNode *node = config.find(u"no_rope_layers"_s);
    if (node != nullptr && node->array() != nullptr && !node->array()->items.isEmpty()) {
        LayerPlan plan{{}, field};
        const auto list = config.countList("no_rope_layers"_L1, 0, 1);
        if (!list || !fitsLayers(input, field, list->values.size()))
            return plan;
        for (qint64 i = 0; i < input.layers; ++i)
            plan.layers << (list->values.at(i) == 0 ? fullLayer() : chunkedLayer(input, field));
        return plan;
    }
    const auto interval = config.count({"no_rope_layer_interval"_L1}, maxImportedLayers);
    const QString chunk_field = config.path(u"attention_chunk_size"_s);
    return planOfLast(input, interval ? interval->field : chunk_field, interval ? interval->value : 4,
        chunkedLayer(input, chunk_field));
}

/// GPT-Neo: [[["global", "local"], 12]]
MaybePlan planOfGptNeo(const RuleInput &input)
{
    const QString field = input.model.config.path(u"attention_types"_s);
    const JsonNode *node = input.model.config.find(u"attention_types"_s);
    if (node == nullptr || node->array() == nullptr)
        return std::nullopt;
    LayerPlan plan{{}, field};
    for (const JsonNode &entry : node->array()->items) {
        const JsonArray *pair = entry.array();
        const JsonArray *words = pair != nullptr && pair->items.size() == 2 ? pair->items.at(0).array() : nullptr;
        const auto times = words == nullptr
            ? std::nullopt
            : input.model.config.wholeNumber(pair->items.at(1), field, 1, maxImportedLayers);
        for (qint64 i = 0; times && !words->items.isEmpty() && i < *times * words->items.size(); ++i) {
            const QString *word = words->items.at(i % words->items.size()).text();
            if (word == nullptr || (*word != "global"_L1 && *word != "local"_L1) || plan.layers.size() >= input.layers)
                break;
            plan.layers << (*word == "global"_L1 ? fullLayer() : slidingLayer(input, field));
        }
    }
    if (plan.layers.size() != input.layers)
        refuseLength(logOf(input), field, plan.layers.size(), input.layers);
    return plan;
}

/// Keys of layers that are no plain attention: when no rule has used them, the file is refused, not guessed.
std::optional<QString> unexplainedKey(const LanguageModel &model)
{
    for (const QLatin1String key : {"mamba_d_state"_L1, "mamba_d_ssm"_L1, "ssm_state_size"_L1, "ssm_cfg"_L1,
             "mamba_n_heads"_L1, "mamba_num_heads"_L1, "n_mamba_heads"_L1, "mamba_step"_L1, "mb_per_layer"_L1,
             "linear_num_value_heads"_L1, "lru_width"_L1, "layer_group_size"_L1, "full_attention_idx"_L1,
             "time_step_rank"_L1, "conv_L_cache"_L1, "state_size"_L1, "rwkv_version"_L1}) {
        if (model.config.has(key))
            return model.config.path(key);
    }
    return std::nullopt;
}

/// Families whose layers keep something that has no rule here.
bool isUnknownFamily(const LanguageModel &model)
{
    return model.isOneOf({"rwkv"_L1, "retnet"_L1, "xlstm"_L1, "plamo2"_L1, "phi4flash"_L1, "stripedhyena"_L1, "hgrn"_L1,
        "delta_net"_L1, "gla"_L1, "evo"_L1, "bailing_moe_linear"_L1, "bailing_hybrid"_L1});
}

bool isMinimaxLinear(const LanguageModel &model)
{
    return model.isExactly({"minimax"_L1, "minimax_text_01"_L1, "minimax_m1"_L1});
}

} // namespace

MaybePlan planFromPeriods(const RuleInput &input)
{
    const FieldReader &config = input.model.config;
    if (const auto interval = config.count({"full_attention_interval"_L1}, maxImportedLayers))
        return planOfLast(input, interval->field, interval->value, stateLayer(State::linear));
    if (const auto period = config.count({"attn_layer_period"_L1}, maxImportedLayers)) {
        const JsonNode *node = config.find(u"attn_layer_offset"_s);
        const auto offset = node == nullptr
            ? std::optional<qint64>(0)
            : config.wholeNumber(*node, config.path(u"attn_layer_offset"_s), 0, period->value - 1);
        return planOfPeriod(
            input, period->field, period->value, offset.value_or(0), fullLayer(), stateLayer(State::mamba));
    }
    return std::nullopt;
}

MaybePlan planFromFamily(const RuleInput &input)
{
    const LanguageModel &model = input.model;
    const QString type_field = model.config.path(u"model_type"_s);
    if (model.isOneOf({"falcon_h1"_L1})) {
        PlannedLayer both = fullLayer();
        both.state = State::mamba;
        return LayerPlan{QList<PlannedLayer>(input.layers, both), type_field};
    }
    if (model.isExactly({"mamba"_L1, "mamba2"_L1, "falcon_mamba"_L1}))
        return LayerPlan{QList<PlannedLayer>(input.layers, stateLayer(State::mamba)), type_field};
    if (model.isOneOf({"llama4"_L1}))
        return planOfLlama4(input);
    if (model.isOneOf({"qwen3_next"_L1, "qwen3_5"_L1})) {
        warnClassDefault(model, u"full_attention_interval"_s, u"4"_s);
        return planOfLast(input, type_field, 4, stateLayer(State::linear));
    }
    if (model.isOneOf({"gpt_neo"_L1}) && !model.isOneOf({"gpt_neox"_L1}))
        return planOfGptNeo(input);
    const auto key = unexplainedKey(model);
    if (!isUnknownFamily(model) && !isMinimaxLinear(model) && !key)
        return std::nullopt;
    refuseKind(logOf(input), key.value_or(type_field), model.type);
    return LayerPlan{{}, type_field};
}

LayerPlan planFromWindow(const RuleInput &input)
{
    const FieldReader &config = input.model.config;
    const LayerPlan all_full{QList<PlannedLayer>(input.layers, fullLayer()), {}};
    const bool has_window = config.has(u"sliding_window"_s) || config.has(u"sliding_window_size"_s)
        || config.has(u"attention_window_size"_s) || hasClassWindow(input.model);
    if (!has_window) {
        if (classPeriod(input.model) > 0 && config.isAbsent(u"sliding_window"_s))
            logOf(input).warn(config.path(u"sliding_window"_s),
                QCoreApplication::translate("import",
                    "Models of the family “%1” have layers with a window, but the file gives none; all layers are "
                    "counted as full attention. Check it against the model's page.")
                    .arg(input.model.type));
        return all_full;
    }
    const PlannedLayer sliding = slidingLayer(input, {});
    if (sliding.attention == PlannedLayer::Attention::full)
        return all_full;
    for (const QLatin1String key : {"sliding_window_pattern"_L1, "_sliding_window_pattern"_L1}) {
        if (const QString pattern = config.text(key); !pattern.isEmpty())
            return planOfPattern(input, config.path(key), pattern);
    }
    if (const auto period = config.count({"sliding_window_pattern"_L1, "_sliding_window_pattern"_L1, "layer_switch"_L1,
                                             "global_attn_every_n_layers"_L1},
            maxImportedLayers))
        return planOfLast(input, period->field, period->value, sliding);
    if (const JsonNode *node = config.find(u"max_window_layers"_s)) {
        const QString field = config.path(u"max_window_layers"_s);
        LayerPlan plan{{}, field};
        const auto first = config.wholeNumber(*node, field, 0, maxImportedLayers);
        for (qint64 i = 0; first && i < input.layers; ++i)
            plan.layers << (i >= *first ? sliding : fullLayer());
        return plan;
    }
    if (const qint64 period = classPeriod(input.model)) {
        warnClassDefault(input.model, u"layer_types"_s,
            QCoreApplication::translate("import", "“the last of each %1 layers is full”").arg(QString::number(period)));
        return planOfLast(input, config.path(u"model_type"_s), period, sliding);
    }
    if (!input.model.isOneOf({"mistral"_L1, "mixtral"_L1, "starcoder2"_L1, "phi"_L1, "qwen"_L1}))
        logOf(input).warn(config.path(u"sliding_window"_s),
            QCoreApplication::translate(
                "import", "The file has a window but does not say which layers slide; all are taken to."));
    return {QList<PlannedLayer>(input.layers, sliding), {}};
}

} // namespace kvlab::memory
