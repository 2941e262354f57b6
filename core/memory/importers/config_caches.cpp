// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/importers/config_caches.h"

#include "memory/importers/layer_groups.h"
#include "memory/importers/layer_shapes.h"
#include "memory/importers/layer_states.h"

#include <QCoreApplication>

namespace kvlab::memory {

using namespace Qt::StringLiterals;

namespace {

using Attention = PlannedLayer::Attention;

/// vLLM's indexer key: one byte a value and a 4-byte scale for every 128.
qint64 indexerEntryBytes(qint64 head_dim)
{
    return head_dim + (head_dim + 127) / 128 * 4;
}

class CacheReader
{
public:
    CacheReader(const LanguageModel &model, qint64 layers)
        : m_model(model)
        , m_log(model.config.log())
        , m_shapes(model, layers)
    {
        const bool may_be = model.config.flag("use_mla"_L1).value_or(true);
        m_latent = may_be ? model.config.count({"kv_lora_rank"_L1}) : std::nullopt;
        if (m_latent)
            m_rope = model.config.required({"qk_rope_head_dim"_L1});
        if (m_latent && m_rope) {
            m_log.remember(u"kv_lora_rank"_s, m_latent->field);
            m_log.remember(u"qk_rope_head_dim"_s, m_rope->field);
        }
    }

    QList<CacheSpec> read(const LayerPlan &plan)
    {
        for (qint64 i = 0; i < plan.layers.size() && !m_log.refusal; ++i)
            addLayer(i, plan.layers.at(i));
        if (!m_log.refusal)
            addIndexers(plan);
        if (!m_log.refusal && m_model.hasEncoder())
            addCross(plan);
        return m_groups.groups();
    }

private:
    void addLayer(qint64 number, const PlannedLayer &layer)
    {
        if (!layer.reason.isEmpty())
            return m_groups.add(NoCache{1, layer.reason});
        AttentionShape shape;
        if (layer.attention == Attention::compressed)
            addCompressed(layer);
        else if (m_latent && layer.attention != Attention::none)
            addLatent(layer);
        else if (layer.attention != Attention::none)
            shape = addAttention(number, layer);
        if (layer.state != PlannedLayer::State::none && !m_log.refusal)
            addState(layer.state, shape);
    }

    AttentionShape addAttention(qint64 number, const PlannedLayer &layer)
    {
        const AttentionShape shape = m_shapes.of(number, layer);
        if (m_log.refusal)
            return shape;
        if (shape.kv_heads == 0)
            m_groups.add(NoCache{1, u"0 KV heads"_s});
        else if (layer.attention == Attention::sliding)
            m_groups.add(SlidingWindow{1, shape, layer.extent});
        else if (layer.attention == Attention::chunked)
            m_groups.add(ChunkedAttention{1, shape, layer.extent});
        else
            m_groups.add(FullAttention{1, shape});
        return shape;
    }

    void addLatent(const PlannedLayer &layer)
    {
        if (layer.attention != Attention::full)
            return refuseKind(m_log, m_latent->field, u"kv_lora_rank + sliding_window"_s);
        if (m_rope)
            m_groups.add(MlaLatent{1, m_latent->value, m_rope->value, std::nullopt});
    }

    void addCompressed(const PlannedLayer &layer)
    {
        const auto head_dim = m_model.config.required({"head_dim"_L1});
        const auto window = m_model.config.required({"sliding_window"_L1}, maxImportedTokens);
        // Only layers that keep every fourth token pick among them, with an indexer key in 16 bits.
        const auto index = layer.extent == 4 ? m_model.config.required({"index_head_dim"_L1}) : std::nullopt;
        if (m_log.refusal)
            return;
        m_log.remember(u"head_dim"_s, head_dim->field);
        m_log.remember(u"window"_s, window->field);
        m_log.remember(u"ratio"_s, m_model.config.path(u"compress_ratios"_s));
        if (index)
            m_log.remember(u"indexer entry"_s, u"2 × "_s + index->field);
        m_groups.add(
            CompressedAttention{1, head_dim->value, window->value, layer.extent, index ? 2 * index->value : 0});
    }

    void addState(PlannedLayer::State state, const AttentionShape &shape)
    {
        // All layers of a kind have the same state, but for what keeps parts of that layer's own K and V.
        const bool is_shared = state != PlannedLayer::State::kept_kv;
        if (!m_state || !is_shared)
            m_state = readState(m_model, state, shape);
        if (m_state)
            m_groups.add(*m_state);
    }

    /// DeepSeek V3.2: beside the latent of each layer; "shared" layers (GLM-5.2) own none.
    void addIndexers(const LayerPlan &plan)
    {
        const auto width = m_latent ? m_model.config.count({"index_head_dim"_L1}) : std::nullopt;
        if (!width)
            return;
        const auto types = m_model.config.textList("indexer_types"_L1);
        const QString field = m_model.config.path(u"indexer_types"_s);
        const auto mtp = m_model.config.knownCount({"num_nextn_predict_layers"_L1}).value_or(0);
        if (types && types->size() != plan.layers.size() && types->size() != plan.layers.size() + mtp)
            return refuseLength(m_log, field, types->size(), plan.layers.size());
        for (qsizetype i = 0; i < plan.layers.size(); ++i) {
            const QString type = types ? types->at(i) : u"full"_s;
            if (type != "full"_L1 && type != "shared"_L1)
                return refuseKind(m_log, field, type);
            if (type == "full"_L1 && plan.layers.at(i).attention == Attention::full)
                m_groups.add(Indexer{1, width->value, indexerEntryBytes(width->value)});
        }
        m_log.remember(u"index_head_dim"_s, width->field);
        m_log.remember(u"indexer entry"_s, u"%1 + 4 per 128"_s.arg(width->field));
        if (types)
            m_log.remember(u"indexer.layers"_s, field);
    }

    /// K and V of the encoder's tokens in every decoder layer.
    void addCross(const LayerPlan &plan)
    {
        const auto tokens = encoderTokens();
        const AttentionShape shape = m_shapes.of(0, plan.layers.constFirst());
        if (m_log.refusal || !tokens)
            return;
        m_log.remember(u"encoder_tokens"_s, tokens->field);
        m_groups.add(CrossAttention{plan.layers.size(), shape.kv_heads, shape.head_dim, tokens->value});
    }

    std::optional<Count> encoderTokens() const
    {
        const FieldReader &config = m_model.config;
        if (const auto own = config.count({"max_source_positions"_L1}, maxImportedTokens))
            return own;
        // BART and T5: the encoder is as long as the decoder; T5 has no limit but was trained on so many.
        const auto same = config.count(
            {"max_encoder_position_embeddings"_L1, "max_position_embeddings"_L1, "n_positions"_L1}, maxImportedTokens);
        if (!same) {
            refuseMissing(m_log, config.path(u"max_source_positions"_s));
            return std::nullopt;
        }
        m_log.warn(same->field,
            QCoreApplication::translate("import",
                "The file does not say how many tokens the encoder has; “%1” (%2) is taken. Cross attention costs less "
                "where the input is shorter.")
                .arg(same->field, QString::number(same->value)));
        return same;
    }

    const LanguageModel &m_model;
    ImportLog &m_log;
    LayerShapes m_shapes;
    LayerGroups m_groups;
    std::optional<Count> m_latent;
    std::optional<Count> m_rope;
    std::optional<FixedState> m_state;
};

/// Keys that pick tokens beside ordinary attention (MiniMax-M3): how many bytes they take is not known here.
void refuseUnknownIndexers(const LanguageModel &model)
{
    const FieldReader &config = model.config;
    const auto sparse = config.object("sparse_attention_config"_L1);
    if (sparse && sparse->flag("use_sparse_attention"_L1).value_or(true))
        refuseKind(config.log(), sparse->path(u"use_sparse_attention"_s), model.type);
    const bool is_known = config.knownCount({"kv_lora_rank"_L1}) || config.has(u"compress_ratios"_s);
    if (!is_known && config.knownCount({"index_head_dim"_L1}))
        refuseKind(config.log(), config.path(u"index_head_dim"_s), model.type);
}

} // namespace

ConfigCaches readCaches(const LanguageModel &model, const Count &layers, std::optional<qint64> context)
{
    ImportLog &log = model.config.log();
    const LayerPlan plan = planLayers(model, layers, context);
    refuseUnknownIndexers(model);
    if (log.refusal)
        return {};
    log.remember(u"layers"_s, plan.kinds_field.isEmpty() ? layers.field : plan.kinds_field);
    CacheReader reader(model, plan.layers.size());
    ConfigCaches read{reader.read(plan), isRecurrentStateFp32(model, plan)};
    if (std::any_of(read.caches.cbegin(), read.caches.cend(),
            [](const CacheSpec &cache) { return std::holds_alternative<CompressedAttention>(cache); }))
        log.warn(plan.kinds_field,
            QCoreApplication::translate("import",
                "Compressed attention is counted as its authors describe it; what an engine allocates can be far "
                "more."));
    return read;
}

} // namespace kvlab::memory
