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

bool isWordOf(const QString &word, FieldNames words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// nullopt after a refusal.
std::optional<PlannedLayer> layerOfWord(const RuleInput &input, const QString &word, const QString &field)
{
    if (isWordOf(word,
            {"full_attention"_L1, "attention"_L1, "global_attention"_L1, "global"_L1, "full"_L1, "attn"_L1,
                "deepseek_sparse_attention"_L1}))
        return fullLayer();
    if (isWordOf(word,
            {"sliding_attention"_L1, "sliding_window_attention"_L1, "local_attention"_L1, "local"_L1, "sliding"_L1,
                "sliding_window"_L1, "swa"_L1}))
        return slidingLayer(input, field);
    if (word == "chunked_attention"_L1)
        return chunkedLayer(input, field);
    if (isWordOf(word, {"linear_attention"_L1, "linear"_L1}))
        return stateLayer(State::linear);
    if (isWordOf(word, {"mamba"_L1, "mamba2"_L1}))
        return stateLayer(State::mamba);
    if (isWordOf(word, {"conv"_L1, "short_conv"_L1}))
        return stateLayer(State::conv);
    if (word == "recurrent"_L1)
        return stateLayer(State::rg_lru);
    if (word == "hybrid"_L1) {
        PlannedLayer both = fullLayer();
        both.state = State::mamba;
        return both;
    }
    if (isWordOf(word, {"mlp"_L1, "moe"_L1}))
        return uncachedLayer(word == "moe"_L1 ? u"MoE layers"_s : u"MLP layers"_s);
    refuseKind(logOf(input), field, word);
    return std::nullopt;
}

MaybePlan planOfWords(const RuleInput &input, const QStringList &words, const QString &field)
{
    LayerPlan plan{{}, field};
    QHash<QString, PlannedLayer> known;
    for (qint64 i = 0; i < input.layers; ++i) {
        const QString &word = words.at(i % words.size());
        auto place = known.constFind(word);
        if (place == known.cend()) {
            const auto layer = layerOfWord(input, word, field);
            if (!layer)
                return plan;
            place = known.insert(word, *layer);
        }
        plan.layers << *place;
    }
    return plan;
}

/// One entry of Nemotron-NAS' block_configs; nullopt after a refusal.
std::optional<PlannedLayer> layerOfBlock(const RuleInput &input, const FieldReader &block)
{
    const auto attention = block.object("attention"_L1);
    if (!attention) {
        refuseMissing(logOf(input), block.path(u"attention"_s));
        return std::nullopt;
    }
    for (const QLatin1String key : {"mamba"_L1, "llama4"_L1}) {
        if (attention->has(key)) {
            refuseKind(logOf(input), attention->path(key), key);
            return std::nullopt;
        }
    }
    if (attention->flag("no_op"_L1).value_or(false))
        return uncachedLayer(u"no_op"_s);
    if (attention->flag("replace_with_linear"_L1).value_or(false))
        return uncachedLayer(u"replace_with_linear"_s);
    PlannedLayer layer = fullLayer();
    const auto own = attention->count({"num_key_value_heads"_L1});
    const auto per_group = attention->count({"n_heads_in_group"_L1});
    const auto heads = input.model.config.count({"num_attention_heads"_L1});
    if (own) {
        layer.kv_heads = own->value;
    } else if (per_group && heads && heads->value % per_group->value == 0) {
        layer.kv_heads = heads->value / per_group->value;
        logOf(input).remember(u"kv_heads"_s, heads->field + u" ÷ block_configs[].attention.n_heads_in_group"_s);
    } else if (!per_group || !heads) {
        refuseMissing(logOf(input), per_group ? u"num_attention_heads"_s : attention->path(u"n_heads_in_group"_s));
    } else {
        logOf(input).refuse(u"out_of_range"_s,
            QCoreApplication::translate("import",
                "“%1” must divide the number of query heads (num_attention_heads), but it does not. Correct it in the "
                "file.")
                .arg(per_group->field));
    }
    if (const auto window = attention->count({"window_length"_L1}, maxImportedTokens)) {
        layer.attention = PlannedLayer::Attention::sliding;
        layer.extent = window->value;
        logOf(input).remember(u"window"_s, window->field);
    }
    return layer;
}

/// Nemotron-H: M mamba, * attention, - MLP, E experts.
std::optional<PlannedLayer> layerOfLetter(QChar letter)
{
    switch (letter.unicode()) {
    case u'M':
        return stateLayer(State::mamba);
    case u'*':
        return fullLayer();
    case u'-':
        return uncachedLayer(u"MLP layers"_s);
    case u'E':
        return uncachedLayer(u"MoE layers"_s);
    default:
        return std::nullopt;
    }
}

/// A list of zeros and ones.
MaybePlan planOfBits(const RuleInput &input, QLatin1String key, const PlannedLayer &of_zero, const PlannedLayer &of_one)
{
    const auto list = input.model.config.countList(key, 0, 1);
    LayerPlan plan{{}, input.model.config.path(key)};
    if (!list || !fitsLayers(input, plan.kinds_field, list->values.size()))
        return plan;
    for (qint64 i = 0; i < input.layers; ++i)
        plan.layers << (list->values.at(i) == 1 ? of_one : of_zero);
    return plan;
}

/// Kimi: two lists that count from 1 and must share out all layers.
MaybePlan planOfKimi(const RuleInput &input, const FieldReader &linear)
{
    LayerPlan plan{{}, linear.path(u"full_attn_layers"_s)};
    const auto full = linear.countList("full_attn_layers"_L1, 1, maxImportedLayers);
    const auto kda = linear.countList("kda_layers"_L1, 1, maxImportedLayers);
    if (!full || !kda) {
        refuseMissing(logOf(input), linear.path(full ? u"kda_layers"_s : u"full_attn_layers"_s));
        return plan;
    }
    logOf(input).remember(u"state.layers"_s, kda->field);
    QList<int> times(input.layers + 1, 0);
    plan.layers = QList<PlannedLayer>(input.layers, fullLayer());
    bool is_inside = true;
    for (const CountList &list : {*full, *kda}) {
        for (const qint64 number : list.values) {
            if (number > input.layers) {
                is_inside = false;
                continue;
            }
            ++times[number];
            if (list.field == kda->field)
                plan.layers[number - 1] = stateLayer(State::linear);
        }
    }
    if (!is_inside || std::any_of(times.cbegin() + 1, times.cend(), [](int count) { return count != 1; }))
        refuseLength(logOf(input), linear.path(u"full_attn_layers + kda_layers"_s),
            full->values.size() + kda->values.size(), input.layers);
    return plan;
}

/// A list of layer numbers from 0: those are `of_listed`, the rest `of_rest`.
MaybePlan planOfIndexes(
    const RuleInput &input, QLatin1String key, const PlannedLayer &of_listed, const PlannedLayer &of_rest)
{
    LayerPlan plan{QList<PlannedLayer>(input.layers, of_rest), input.model.config.path(key)};
    const auto list = input.model.config.countList(key, 0, input.layers - 1);
    if (!list)
        return plan;
    for (const qint64 index : list->values)
        plan.layers[index] = of_listed;
    return plan;
}

bool hasList(const RuleInput &input, QLatin1String key)
{
    const JsonNode *node = input.model.config.find(key);
    return node != nullptr && node->array() != nullptr && !node->array()->items.isEmpty();
}

} // namespace

PlannedLayer fullLayer()
{
    PlannedLayer layer;
    layer.attention = PlannedLayer::Attention::full;
    return layer;
}

PlannedLayer uncachedLayer(const QString &reason)
{
    PlannedLayer layer;
    layer.reason = reason;
    return layer;
}

PlannedLayer stateLayer(PlannedLayer::State state)
{
    PlannedLayer layer;
    layer.state = state;
    return layer;
}

bool fitsLayers(const RuleInput &input, const QString &field, qsizetype entries)
{
    if (entries == input.layers || entries == input.layers + input.mtp_layers)
        return true;
    refuseLength(logOf(input), field, entries, input.layers);
    return false;
}

MaybePlan planFromBlockConfigs(const RuleInput &input)
{
    if (!hasList(input, "block_configs"_L1))
        return std::nullopt;
    LayerPlan plan{{}, input.model.config.path(u"block_configs"_s)};
    const QList<JsonNode> &blocks = input.model.config.find(u"block_configs"_s)->array()->items;
    if (!fitsLayers(input, plan.kinds_field, blocks.size()))
        return plan;
    for (qint64 i = 0; i < input.layers; ++i) {
        const QString path = QStringLiteral("%1[%2]").arg(plan.kinds_field, QString::number(i));
        if (blocks.at(i).object() == nullptr) {
            refuseMissing(logOf(input), path + u".attention"_s);
            return plan;
        }
        const auto layer = layerOfBlock(input, FieldReader(*blocks.at(i).object(), path, logOf(input)));
        if (!layer || logOf(input).refusal)
            return plan;
        plan.layers << *layer;
    }
    return plan;
}

MaybePlan planFromWords(const RuleInput &input)
{
    for (const QLatin1String key : {"layer_types"_L1, "layers_block_type"_L1, "attention_layers"_L1}) {
        if (!input.model.config.has(key))
            continue;
        const QString field = input.model.config.path(key);
        const auto words = input.model.config.textList(key);
        if (!words || !fitsLayers(input, field, words->size()))
            return LayerPlan{{}, field};
        return planOfWords(input, *words, field);
    }
    // RecurrentGemma: a pattern that is repeated over the layers.
    if (!hasList(input, "block_types"_L1))
        return std::nullopt;
    const auto pattern = input.model.config.textList("block_types"_L1);
    const QString field = input.model.config.path(u"block_types"_s);
    if (!pattern)
        return LayerPlan{{}, field};
    auto plan = planOfWords(input, *pattern, field);
    for (PlannedLayer &layer : plan->layers) {
        if (layer.attention == PlannedLayer::Attention::full)
            layer = slidingLayer(input, field);
    }
    return plan;
}

MaybePlan planFromLetters(const RuleInput &input)
{
    const QString letters = input.model.config.text("hybrid_override_pattern"_L1);
    if (letters.isEmpty())
        return std::nullopt;
    LayerPlan plan{{}, input.model.config.path(u"hybrid_override_pattern"_s)};
    if (!fitsLayers(input, plan.kinds_field, letters.size()))
        return plan;
    for (qint64 i = 0; i < input.layers; ++i) {
        const auto layer = layerOfLetter(letters.at(i));
        if (!layer) {
            refuseKind(logOf(input), plan.kinds_field, letters.mid(i, 1));
            return plan;
        }
        plan.layers << *layer;
    }
    return plan;
}

MaybePlan planFromNumberLists(const RuleInput &input)
{
    // MiniMax: 1 = full, 0 = linear. MiMo: 1 = window, 0 = full. The opposite sense.
    if (hasList(input, "attn_type_list"_L1))
        return planOfBits(input, "attn_type_list"_L1, stateLayer(State::linear), fullLayer());
    if (hasList(input, "hybrid_layer_pattern"_L1)) {
        const QString field = input.model.config.path(u"hybrid_layer_pattern"_s);
        return planOfBits(input, "hybrid_layer_pattern"_L1, fullLayer(), slidingLayer(input, field));
    }
    return std::nullopt;
}

MaybePlan planFromIndexLists(const RuleInput &input)
{
    if (const auto linear = input.model.config.object("linear_attn_config"_L1))
        return planOfKimi(input, *linear);
    if (hasList(input, "attn_layer_indices"_L1)) // Bamba
        return planOfIndexes(input, "attn_layer_indices"_L1, fullLayer(), stateLayer(State::mamba));
    if (hasList(input, "full_attn_idxs"_L1)) // LFM2
        return planOfIndexes(input, "full_attn_idxs"_L1, fullLayer(), stateLayer(State::conv));
    if (hasList(input, "sliding_window_layers"_L1)) { // Baichuan-M1: every layer keeps its last K and V besides
        PlannedLayer sliding = slidingLayer(input, input.model.config.path(u"sliding_window_layers"_s));
        PlannedLayer full = fullLayer();
        if (input.model.config.has(u"conv_window"_s))
            sliding.state = full.state = State::kept_kv;
        return planOfIndexes(input, "sliding_window_layers"_L1, sliding, full);
    }
    return std::nullopt;
}

MaybePlan planFromCompressRatios(const RuleInput &input)
{
    if (!hasList(input, "compress_ratios"_L1))
        return std::nullopt;
    const FieldReader &config = input.model.config;
    LayerPlan plan{{}, config.path(u"compress_ratios"_s)};
    const auto ratios = config.countList("compress_ratios"_L1, 0, maxImportedTokens);
    if (!ratios)
        return plan;
    // The published files have one entry more, 0, for the multi-token prediction layer.
    const bool has_mtp_entry = ratios->values.size() == input.layers + 1 && ratios->values.constLast() == 0;
    if (!has_mtp_entry && !fitsLayers(input, plan.kinds_field, ratios->values.size()))
        return plan;
    PlannedLayer layer;
    layer.attention = PlannedLayer::Attention::compressed;
    for (qint64 i = 0; i < input.layers; ++i) {
        layer.extent = ratios->values.at(i);
        plan.layers << layer;
    }
    return plan;
}

} // namespace kvlab::memory
