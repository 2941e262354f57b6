// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/importers/layer_plan.h"

#include "memory/importers/layer_rules.h"

#include <QCoreApplication>

namespace kvlab::memory {

using namespace Qt::StringLiterals;

namespace {

constexpr FieldNames layerNames{
    "num_hidden_layers"_L1, "n_layer"_L1, "n_layers"_L1, "num_layers"_L1, "num_transformer_layers"_L1};

/// Where no field says it, the length of a per-layer list does.
std::optional<Count> layersOfList(const FieldReader &config)
{
    for (const QLatin1String key : {"layers_block_type"_L1, "layer_types"_L1, "block_configs"_L1}) {
        const JsonNode *node = config.find(key);
        const auto entries = node == nullptr || node->array() == nullptr ? 0 : node->array()->items.size();
        if (entries > 0 && entries <= maxImportedLayers)
            return Count{entries, config.path(key)};
    }
    const QString letters = config.text("hybrid_override_pattern"_L1);
    if (!letters.isEmpty() && letters.size() <= maxImportedLayers)
        return Count{letters.size(), config.path(u"hybrid_override_pattern"_s)};
    return std::nullopt;
}

/// Layers of the decoder; the encoder's do not count.
std::optional<Count> decoderLayers(const FieldReader &config)
{
    if (const auto own = config.count({"decoder_layers"_L1, "num_decoder_layers"_L1}, maxImportedLayers))
        return own;
    return config.count({"num_layers"_L1, "num_hidden_layers"_L1}, maxImportedLayers);
}

/// num_kv_shared_layers (Gemma 3n, 4): the last ones read the cache of an earlier layer.
void shareLastLayers(const LanguageModel &model, LayerPlan &plan)
{
    const auto shared = model.config.count({"num_kv_shared_layers"_L1}, plan.layers.size() - 1);
    for (qint64 i = 0; shared && i < shared->value; ++i)
        plan.layers[plan.layers.size() - 1 - i] = uncachedLayer(u"num_kv_shared_layers"_s);
    if (shared)
        model.config.log().remember(u"none.layers"_s, shared->field);
}

/// Hunyuan's cross-layer attention: only every factor-th layer owns a cache.
void shareAcrossLayers(const LanguageModel &model, LayerPlan &plan)
{
    if (!model.config.flag("use_cla"_L1).value_or(false))
        return;
    const auto factor = model.config.required({"cla_share_factor"_L1}, maxImportedLayers);
    for (qint64 i = 0; factor && i < plan.layers.size(); ++i) {
        if (i % factor->value != 0)
            plan.layers[i] = uncachedLayer(u"cla_share_factor"_s);
    }
    if (factor)
        model.config.log().remember(u"none.layers"_s, factor->field);
}

/// Llama 3.2 Vision: these hold the picture's tokens only.
void setCrossLayersApart(const LanguageModel &model, LayerPlan &plan)
{
    const auto list = model.config.countList("cross_attention_layers"_L1, 0, plan.layers.size() - 1);
    if (!list || list->values.isEmpty())
        return;
    for (const qint64 index : list->values)
        plan.layers[index] = uncachedLayer(u"cross-attention layers"_s);
    ImportLog &log = model.config.log();
    log.remember(u"none.layers"_s, list->field);
    log.warn(list->field,
        QCoreApplication::translate("import",
            "The layers in “%1” keep the tokens of pictures only; they are not counted. Pictures add a fixed amount "
            "per sequence.")
            .arg(list->field));
}

} // namespace

std::optional<Count> readLayerCount(const LanguageModel &model)
{
    const FieldReader &config = model.config;
    ImportLog &log = config.log();
    std::optional<Count> layers;
    if (model.hasEncoder() || config.has(u"decoder_layers"_s)) {
        layers = decoderLayers(config);
    } else {
        layers = config.count(layerNames, maxImportedLayers);
        if (layers)
            config.warnWhereOthersDiffer(*layers, layerNames);
    }
    if (!layers && !log.refusal)
        layers = layersOfList(config);
    const auto defaults = classDefaults(model);
    if (!layers && !log.refusal && defaults) {
        layers = Count{defaults->layers, classDefaultSource(model, u"num_hidden_layers"_s)};
        warnClassDefault(model, u"num_hidden_layers"_s, QString::number(defaults->layers));
    }
    if (!layers)
        refuseMissing(log, config.path(u"num_hidden_layers"_s));
    // LongCat-Flash: two attentions in each layer, each with a cache of its own.
    if (layers && model.isOneOf({"longcat_flash"_L1}) && layers->field.endsWith("num_layers"_L1)) {
        layers->value *= 2;
        layers->field += u" × 2"_s;
    }
    return log.refusal ? std::nullopt : layers;
}

LayerPlan planLayers(const LanguageModel &model, const Count &layers, std::optional<qint64> context)
{
    const auto mtp
        = model.config.knownCount({"num_nextn_predict_layers"_L1, "mtp_num_hidden_layers"_L1, "num_mtp_layers"_L1});
    const RuleInput input{model, layers.value, mtp.value_or(0), context};
    constexpr MaybePlan (*rules[])(const RuleInput &) = {planFromCompressRatios, planFromBlockConfigs, planFromWords,
        planFromLetters, planFromNumberLists, planFromIndexLists, planFromPeriods, planFromFamily};
    MaybePlan plan;
    for (const auto rule : rules) {
        if (!plan && !model.config.log().refusal)
            plan = rule(input);
    }
    if (!plan)
        plan = planFromWindow(input);
    if (model.config.log().refusal || plan->layers.isEmpty())
        return {};
    shareLastLayers(model, *plan);
    shareAcrossLayers(model, *plan);
    setCrossLayersApart(model, *plan);
    return *plan;
}

} // namespace kvlab::memory
