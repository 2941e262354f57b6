// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/importers/layer_shapes.h"

#include <QCoreApplication>

namespace kvlab::memory {

using namespace Qt::StringLiterals;

namespace {

std::optional<Count> classCount(const LanguageModel &model, const QString &field, qint64 ClassDefaults::*member)
{
    const auto defaults = classDefaults(model);
    if (!defaults || (*defaults).*member == 0 || model.config.log().refusal)
        return std::nullopt;
    warnClassDefault(model, field, QString::number((*defaults).*member));
    return Count{(*defaults).*member, classDefaultSource(model, field)};
}

void refuseHeadDim(const LanguageModel &model)
{
    model.config.log().refuse(u"head_dim_needed"_s,
        QCoreApplication::translate("import",
            "The file gives no head_dim, and hidden_size ÷ num_attention_heads is not a whole number or cannot be "
            "formed. Add head_dim to the file; the model's page or its code says it."));
}

bool isFalcon(const LanguageModel &model)
{
    return model.isExactly({"falcon"_L1, "RefinedWeb"_L1, "RefinedWebModel"_L1});
}

/// Falcon: the new architecture has num_kv_heads; the old one has a single head when multi_query says so, whatever
/// num_kv_heads holds.
std::optional<Count> falconKvHeads(const LanguageModel &model)
{
    const FieldReader &config = model.config;
    const auto is_new = config.flag("new_decoder_architecture"_L1);
    const bool multi_query = config.flag("multi_query"_L1).value_or(false);
    const auto own = config.count({"num_kv_heads"_L1, "n_head_kv"_L1, "num_key_value_heads"_L1});
    const auto heads = config.knownCount({"num_attention_heads"_L1, "n_head"_L1});
    // Files older than the flag name their groups in n_head_kv.
    if (own && (is_new.value_or(false) || (!is_new && (!multi_query || own->value != heads))))
        return own;
    if (multi_query)
        return Count{1, config.path(u"multi_query"_s)};
    return std::nullopt;
}

/// ChatGLM: the number of groups counts before num_key_value_heads, unless the grouping is off.
std::optional<Count> chatGlmKvHeads(const FieldReader &config)
{
    if (!config.has(u"multi_query_group_num"_s) || !config.flag("multi_query_attention"_L1).value_or(true))
        return std::nullopt;
    return config.count({"multi_query_group_num"_L1});
}

std::optional<Count> singleKvHead(const FieldReader &config)
{
    if (config.flag("multi_query"_L1).value_or(false))
        return Count{1, config.path(u"multi_query"_s)};
    const QString type = config.text("attention_head_type"_L1);
    if (type == "mqa"_L1 || type == "multiquery"_L1)
        return Count{1, config.path(u"attention_head_type"_s)};
    const auto attention = config.object("attn_config"_L1);
    if (attention && attention->text("attn_type"_L1) == "multiquery_attention"_L1)
        return Count{1, attention->path(u"attn_type"_s)};
    return std::nullopt;
}

/// PLaMo: so many query heads share one.
std::optional<Count> sharedKvHeads(const LanguageModel &model)
{
    const auto shared = model.config.count({"n_shared_head"_L1});
    const auto heads = shared ? readHeads(model) : std::nullopt;
    if (!heads)
        return std::nullopt;
    return Count{(heads->value + shared->value - 1) / shared->value, heads->field + u" ÷ "_s + shared->field};
}

/// The number that stands in the file, whatever its name.
std::optional<Count> namedKvHeads(const LanguageModel &model)
{
    const FieldReader &config = model.config;
    if (isFalcon(model))
        return falconKvHeads(model);
    if (const auto groups = chatGlmKvHeads(config))
        return groups;
    if (const auto attention = config.object("attn_config"_L1)) {
        if (const auto own = attention->count({"kv_n_heads"_L1}))
            return own;
    }
    if (config.has(u"multi_query_group_num"_s)) // there, but switched off
        return std::nullopt;
    if (const auto own = config.count({"n_head_kv"_L1, "num_kv_heads"_L1, "num_key_value_heads"_L1,
            "num_attention_groups"_L1, "num_query_groups"_L1, "n_kv_heads"_L1, "n_kv_head"_L1, "n_local_heads"_L1}))
        return own;
    if (const auto shared = sharedKvHeads(model))
        return shared;
    return singleKvHead(config);
}

void warnUnevenGroups(const LanguageModel &model, const Count &kv_heads, const std::optional<Count> &heads)
{
    if (!heads || heads->value % kv_heads.value == 0)
        return;
    model.config.log().warn(kv_heads.field,
        QCoreApplication::translate("import",
            "The query heads (%1) cannot be shared out evenly over the KV heads (%2). Check both in the file.")
            .arg(QString::number(heads->value), QString::number(kv_heads.value)));
}

/// The numbers of a per-layer list, under any of its names.
std::optional<CountList> readKvList(const FieldReader &config, qint64 layers)
{
    for (const QLatin1String key : {"num_key_value_heads_per_layer"_L1, "num_kv_heads"_L1, "num_key_value_heads"_L1,
             "n_head_kv"_L1, "num_query_heads"_L1}) {
        auto list = config.countList(key, 0, maxImportedWidth);
        if (!list)
            continue;
        if (list->values.size() != layers)
            refuseLength(config.log(), list->field, list->values.size(), layers);
        return list;
    }
    return std::nullopt;
}

} // namespace

std::optional<Count> readHeads(const LanguageModel &model)
{
    static constexpr FieldNames names{
        "num_attention_heads"_L1, "n_head"_L1, "n_heads"_L1, "num_heads"_L1, "attention_heads"_L1};
    if (model.hasEncoder()) {
        if (const auto own = model.config.count({"decoder_attention_heads"_L1}))
            return own;
    }
    auto heads = model.config.count(names);
    if (heads)
        model.config.warnWhereOthersDiffer(*heads, names);
    return heads ? heads : classCount(model, u"num_attention_heads"_s, &ClassDefaults::heads);
}

std::optional<Count> readHidden(const LanguageModel &model)
{
    static constexpr FieldNames names{
        "hidden_size"_L1, "n_embd"_L1, "n_embed"_L1, "d_model"_L1, "model_dim"_L1, "dim"_L1};
    auto hidden = model.config.count(names);
    if (hidden)
        model.config.warnWhereOthersDiffer(*hidden, names);
    return hidden ? hidden : classCount(model, u"hidden_size"_s, &ClassDefaults::hidden);
}

std::optional<Count> readHeadDim(const LanguageModel &model)
{
    static constexpr FieldNames names{
        "head_dim"_L1, "attention_head_dim"_L1, "kv_channels"_L1, "hidden_size_per_head"_L1, "d_kv"_L1, "d_head"_L1};
    if (const auto own = model.config.count(names)) {
        model.config.warnWhereOthersDiffer(*own, names);
        return own;
    }
    if (model.config.log().refusal)
        return std::nullopt;
    // Gemma's classes assume a width that is no quotient.
    if (const auto assumed = classCount(model, u"head_dim"_s, &ClassDefaults::head_dim))
        return assumed;
    const auto hidden = readHidden(model);
    const auto heads = readHeads(model);
    if (!hidden || !heads || hidden->value % heads->value != 0) {
        refuseHeadDim(model);
        return std::nullopt;
    }
    return Count{hidden->value / heads->value, hidden->field + u" ÷ "_s + heads->field};
}

std::optional<Count> readKvHeads(const LanguageModel &model)
{
    ImportLog &log = model.config.log();
    const auto named = namedKvHeads(model);
    if (log.refusal)
        return std::nullopt;
    const bool has_own_heads = model.config
                                   .knownCount({"num_attention_heads"_L1, "n_head"_L1, "n_heads"_L1, "num_heads"_L1,
                                       "decoder_attention_heads"_L1})
                                   .has_value();
    if (named) {
        if (has_own_heads)
            warnUnevenGroups(model, *named, readHeads(model));
        return named;
    }
    if (!has_own_heads) {
        if (const auto assumed = classCount(model, u"num_key_value_heads"_s, &ClassDefaults::kv_heads))
            return assumed;
    }
    auto heads = readHeads(model);
    if (!heads)
        refuseMissing(log, model.config.path(u"num_attention_heads"_s));
    return heads;
}

LayerShapes::LayerShapes(const LanguageModel &model, qint64 layers)
    : m_model(model)
    , m_layers(layers)
    , m_kv_list(readKvList(model.config, layers))
{
}

LayerShapes::Widths LayerShapes::readCommon() const
{
    ImportLog &log = m_model.config.log();
    Widths widths;
    if (m_kv_list) {
        log.remember(u"kv_heads"_s, m_kv_list->field);
    } else if (const auto heads = readKvHeads(m_model)) {
        widths.kv_heads = heads->value;
        log.remember(u"kv_heads"_s, heads->field);
    }
    if (const auto head_dim = readHeadDim(m_model)) {
        widths.head_dim = widths.v_head_dim = head_dim->value;
        log.remember(u"head_dim"_s, head_dim->field);
    }
    if (const auto v_head_dim = m_model.config.count({"v_head_dim"_L1})) {
        widths.v_head_dim = v_head_dim->value;
        log.remember(u"v_head_dim"_s, v_head_dim->field);
    }
    return widths;
}

const LayerShapes::Widths &LayerShapes::common()
{
    if (!m_common)
        m_common = readCommon();
    return *m_common;
}

LayerShapes::Widths LayerShapes::withOwnKeys(const PlannedLayer &planned)
{
    const FieldReader &config = m_model.config;
    const bool is_full = planned.attention == PlannedLayer::Attention::full;
    const QString kind = is_full ? u"full."_s : u"sliding."_s;
    Widths widths = common();
    // Gemma 4 has own widths for its full layers, MiMo and Baichuan-M1 for those with a window.
    const auto heads = is_full ? config.count({"num_global_key_value_heads"_L1})
                               : config.count({"swa_num_key_value_heads"_L1, "num_swa_key_value_heads"_L1});
    const auto head_dim = is_full ? config.count({"global_head_dim"_L1}) : config.count({"swa_head_dim"_L1});
    if (heads) {
        widths.kv_heads = heads->value;
        config.log().remember(kind + u"kv_heads"_s, heads->field);
    }
    if (head_dim) {
        widths.head_dim = widths.v_head_dim = head_dim->value;
        config.log().remember(kind + u"head_dim"_s, head_dim->field);
    } else if (const auto query_heads = is_full ? std::nullopt : config.count({"num_swa_attention_heads"_L1})) {
        const auto hidden = readHidden(m_model);
        if (!hidden || hidden->value % query_heads->value != 0) {
            refuseHeadDim(m_model);
            return widths;
        }
        widths.head_dim = widths.v_head_dim = hidden->value / query_heads->value;
        config.log().remember(kind + u"head_dim"_s, hidden->field + u" ÷ "_s + query_heads->field);
    }
    if (const auto v_head_dim = is_full ? std::nullopt : config.count({"swa_v_head_dim"_L1})) {
        widths.v_head_dim = v_head_dim->value;
        config.log().remember(kind + u"v_head_dim"_s, v_head_dim->field);
    }
    return widths;
}

AttentionShape LayerShapes::of(qint64 layer, const PlannedLayer &planned)
{
    const bool is_sliding = planned.attention == PlannedLayer::Attention::sliding;
    const bool is_full = planned.attention == PlannedLayer::Attention::full;
    std::optional<Widths> &own = is_sliding ? m_sliding : m_full;
    if (!own && (is_sliding || is_full))
        own = withOwnKeys(planned);
    const Widths widths = is_sliding || is_full ? *own : common();
    AttentionShape shape{widths.kv_heads, std::nullopt, widths.head_dim, widths.v_head_dim};
    if (planned.kv_heads > 0)
        shape.kv_heads = planned.kv_heads;
    else if (m_kv_list && layer < m_kv_list->values.size())
        shape.kv_heads = m_kv_list->values.at(layer);
    return shape;
}

} // namespace kvlab::memory
