// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/importers/gguf_caches.h"

#include "memory/importers/layer_groups.h"

#include <QCoreApplication>

#include <array>

namespace kvlab::memory {

using namespace Qt::StringLiterals;

namespace {

/// How llama.cpp takes a family's windows where the file says less.
struct WindowRule
{
    QLatin1String architecture;
    qint64 period; ///< all but one of so many layers slide; 0: the file must have a list
    bool full_first; ///< that one is the first, not the last
    qint64 window; ///< where the file has none; 0: then no layer slides
    bool is_fixed; ///< the file's own window does not count
    bool is_chunked;
};

constexpr std::array windowRules{WindowRule{"gemma2"_L1, 2, false, 4096, false, false},
    WindowRule{"gemma3"_L1, 6, false, 0, false, false}, WindowRule{"gemma3n"_L1, 5, false, 0, false, false},
    WindowRule{"gemma4"_L1, 0, false, 0, false, false}, WindowRule{"cohere2"_L1, 4, false, 0, false, false},
    WindowRule{"cohere2moe"_L1, 4, true, 0, false, false}, WindowRule{"gpt-oss"_L1, 2, false, 0, false, false},
    WindowRule{"olmo2"_L1, 4, false, 0, false, false}, WindowRule{"exaone4"_L1, 4, false, 4096, false, false},
    WindowRule{"exaone-moe"_L1, 4, false, 128, false, false}, WindowRule{"smallthinker"_L1, 4, true, 4096, true, false},
    WindowRule{"plamo3"_L1, 8, false, 0, false, false}, WindowRule{"afmoe"_L1, 4, false, 0, false, false},
    WindowRule{"laguna"_L1, 4, true, 0, false, false}, WindowRule{"mellum"_L1, 4, false, 0, false, false},
    WindowRule{"muse-glimmer"_L1, 4, false, 0, false, false}, WindowRule{"llama4"_L1, 4, false, 8192, true, true},
    WindowRule{"mimo2"_L1, 0, false, 0, false, false}, WindowRule{"step35"_L1, 0, false, 0, false, false},
    WindowRule{"spark2_5"_L1, 0, false, 0, false, false}, WindowRule{"granite_swa"_L1, 0, false, 0, false, false},
    WindowRule{"maple"_L1, 0, false, 0, false, false}};

/// Architectures that have no decoder, or one that keeps no cache.
constexpr FieldNames uncachedArchitectures{"clip"_L1, "bert"_L1, "jina-bert-v2"_L1, "jina-bert-v3"_L1, "nomic-bert"_L1,
    "nomic-bert-moe"_L1, "neo-bert"_L1, "eurobert"_L1, "modern-bert"_L1, "gemma-embedding"_L1, "t5encoder"_L1,
    "wavtokenizer-dec"_L1, "dream"_L1, "llada"_L1, "llada-moe"_L1, "rnd1"_L1, "clef"_L1};

/// Architectures whose caches follow none of the rules here.
constexpr FieldNames unknownArchitectures{"rwkv6"_L1, "rwkv6qwen2"_L1, "rwkv7"_L1, "arwkv7"_L1, "minimax-01"_L1,
    "minimax-m3"_L1, "qwen4exp"_L1, "dots3note"_L1, "glm5-next"_L1, "dflash"_L1, "gemma4-assistant"_L1, "hy-v4"_L1,
    "eagle3"_L1, "t5"_L1};

bool isOneOf(const QString &architecture, FieldNames names)
{
    return std::find(names.begin(), names.end(), architecture) != names.end();
}

class CacheReader
{
public:
    explicit CacheReader(const GgufFields &fields)
        : m_fields(fields)
        , m_log(fields.log())
    {
    }

    GgufCaches read()
    {
        readLayers();
        if (!m_log.refusal)
            readHeads();
        if (!m_log.refusal)
            readWindows();
        if (!m_log.refusal)
            readRecurrence();
        for (qint64 i = 0; i < m_layers && !m_log.refusal; ++i)
            addLayer(i);
        if (!m_log.refusal)
            addIndexers();
        return {m_groups.groups(), m_layers, m_heads > 0 ? std::optional(m_heads) : std::nullopt};
    }

private:
    // What the file says

    void readLayers()
    {
        const auto all = m_fields.required("block_count"_L1, maxImportedLayers);
        const auto mtp = m_fields.count("nextn_predict_layers"_L1, all ? all->value - 1 : 0);
        if (m_log.refusal)
            return;
        m_all_layers = all->value;
        m_layers = m_all_layers - (mtp ? mtp->value : 0);
        m_log.remember(u"layers"_s, mtp ? all->field + u" − "_s + mtp->field : all->field);
        qint64 shared = m_fields.architecture() == "gemma3n"_L1 ? m_layers - 20 : 0; // llama.cpp's own constant
        if (const auto given = m_fields.count("attention.shared_kv_layers"_L1, m_layers - 1)) {
            shared = given->value;
            m_log.remember(u"none.layers"_s, given->field);
        }
        m_owners = m_layers - std::clamp<qint64>(shared, 0, m_layers - 1);
    }

    void readHeads()
    {
        const auto heads = m_fields.perLayer("attention.head_count"_L1, m_all_layers);
        const auto kv_heads = m_fields.perLayer("attention.head_count_kv"_L1, m_all_layers);
        m_kv_heads = kv_heads ? kv_heads : heads;
        if (m_log.refusal)
            return;
        if (heads)
            m_heads = *std::max_element(heads->values.cbegin(), heads->values.cend());
        if (m_kv_heads)
            m_log.remember(u"kv_heads"_s, m_kv_heads->field);
        m_key = width("attention.key_length"_L1, u"head_dim"_s);
        m_value = width("attention.value_length"_L1, u"v_head_dim"_s);
        m_key_swa = m_fields.count("attention.key_length_swa"_L1).value_or(Count{m_key, {}}).value;
        m_value_swa = m_fields.count("attention.value_length_swa"_L1).value_or(Count{m_value, {}}).value;
        if (m_fields.count("attention.key_length_mla"_L1) && m_fields.count("attention.value_length_mla"_L1)) {
            m_latent = m_fields.required("attention.kv_lora_rank"_L1, std::max<qint64>(m_key - 1, 0));
            if (m_latent)
                m_log.remember(u"kv_lora_rank"_s, m_latent->field);
            m_log.remember(u"qk_rope_head_dim"_s,
                m_fields.path("attention.key_length"_L1) + u" − "_s + m_fields.path("attention.kv_lora_rank"_L1));
        }
    }

    /// 0 when neither the file nor a quotient says it; refused only when a layer needs it.
    qint64 width(QLatin1String key, const QString &term)
    {
        if (const auto own = m_fields.count(key)) {
            m_log.remember(term, own->field);
            return own->value;
        }
        const auto embedding = m_fields.count("embedding_length"_L1);
        if (!embedding || m_heads == 0 || embedding->value % m_heads != 0)
            return 0;
        m_log.remember(term, embedding->field + u" ÷ "_s + m_fields.path("attention.head_count"_L1));
        return embedding->value / m_heads;
    }

    void readWindows()
    {
        m_slides = QList<bool>(m_layers, false);
        const auto given = m_fields.count("attention.sliding_window"_L1, maxImportedTokens);
        const auto rule = std::find_if(windowRules.begin(), windowRules.end(),
            [this](const WindowRule &candidate) { return m_fields.architecture() == candidate.architecture; });
        const auto list = m_fields.list("attention.sliding_window_pattern"_L1, m_all_layers);
        const bool is_off = m_fields.has("attention.sliding_window"_L1) && !given;
        if (m_log.refusal || is_off || (rule == windowRules.end() && !list)) {
            if (given && !m_log.refusal)
                warnIgnoredWindow(*given);
            return;
        }
        const bool small_exaone = rule != windowRules.end() && rule->architecture == "exaone4"_L1 && m_layers != 64;
        const bool is_fixed = rule != windowRules.end() && rule->is_fixed;
        m_window = given && !is_fixed ? given->value : rule != windowRules.end() ? rule->window : 0;
        if (m_window == 0 || small_exaone)
            return;
        m_is_chunked = rule != windowRules.end() && rule->is_chunked;
        m_log.remember(m_is_chunked ? u"chunk"_s : u"window"_s,
            given && !is_fixed ? given->field : m_fields.path("attention.sliding_window"_L1));
        if (!given)
            warnDefault(m_fields.path("attention.sliding_window"_L1), QString::number(m_window));
        setSlidingLayers(list, rule == windowRules.end() ? nullptr : &*rule);
    }

    void setSlidingLayers(const std::optional<CountList> &list, const WindowRule *rule)
    {
        const auto given
            = list ? std::nullopt : m_fields.count("attention.sliding_window_pattern"_L1, maxImportedLayers);
        if (!list && !given && rule->period == 0)
            return refuseMissing(m_log, m_fields.path("attention.sliding_window_pattern"_L1));
        const qint64 period = given ? given->value : rule != nullptr ? rule->period : 1;
        for (qint64 i = 0; i < m_layers; ++i) {
            const qint64 full = rule != nullptr && rule->full_first ? 0 : period - 1;
            m_slides[i] = list ? list->values.at(i) != 0 : i % period != full;
        }
        if (list || given)
            m_log.remember(u"sliding.layers"_s, m_fields.path("attention.sliding_window_pattern"_L1));
        else
            warnDefault(m_fields.path("attention.sliding_window_pattern"_L1), QString::number(period));
    }

    /// Which layers keep a state instead of, or beside, K and V.
    void readRecurrence()
    {
        const QString &architecture = m_fields.architecture();
        m_is_recurrent = QList<bool>(m_layers, isOneOf(architecture, {"mamba"_L1, "mamba2"_L1, "falcon-h1"_L1}));
        const bool has_state
            = m_fields.hasAnyBelow("ssm"_L1) || m_fields.hasAnyBelow("kda"_L1) || m_fields.has("shortconv.l_cache"_L1);
        if (m_fields.hasAnyBelow("wkv"_L1))
            return refuseKind(m_log, u"general.architecture"_s, architecture);
        if (isOneOf(architecture, {"mamba"_L1, "mamba2"_L1, "falcon-h1"_L1}) || !has_state)
            return;
        if (isOneOf(architecture, {"qwen3next"_L1, "qwen35"_L1, "qwen35moe"_L1})) {
            const auto list = m_fields.list("attention.recurrent_layers"_L1, m_all_layers);
            const auto interval = m_fields.count("full_attention_interval"_L1, maxImportedLayers);
            if (!list && !interval)
                warnDefault(m_fields.path("full_attention_interval"_L1), u"4"_s);
            const qint64 period = interval ? interval->value : 4;
            for (qint64 i = 0; i < m_layers; ++i)
                m_is_recurrent[i] = list ? list->values.at(i) != 0 : (i + 1) % period != 0;
            return;
        }
        const auto widths = architecture.startsWith("nemotron_h"_L1)
            ? m_fields.perLayer("feed_forward_length"_L1, m_all_layers, maxImportedTokens)
            : std::nullopt;
        for (qint64 i = 0; i < m_layers && m_kv_heads; ++i) {
            const bool is_feed_forward = widths && widths->values.at(i) > 0;
            m_is_recurrent[i] = m_kv_heads->values.at(i) == 0 && !is_feed_forward;
        }
    }

    // Layer by layer

    void addLayer(qint64 i)
    {
        const bool is_recurrent = m_is_recurrent.at(i);
        if (i >= m_owners)
            return m_groups.add(NoCache{1, u"shared_kv_layers"_s});
        if (is_recurrent)
            addState();
        if (is_recurrent && m_fields.architecture() != "falcon-h1"_L1)
            return;
        if (!m_kv_heads)
            return refuseMissing(m_log, m_fields.path("attention.head_count"_L1));
        const qint64 kv_heads = m_kv_heads->values.at(i);
        if (m_fields.has("attention.compress_ratios"_L1))
            return addCompressed(i);
        if (kv_heads == 0)
            return m_groups.add(NoCache{1, u"0 KV heads"_s});
        if (m_latent)
            return addLatent(i, kv_heads);
        const bool slides = m_slides.at(i);
        const AttentionShape shape{kv_heads, std::nullopt, slides ? m_key_swa : m_key, slides ? m_value_swa : m_value};
        if (shape.head_dim == 0 || shape.v_head_dim == 0)
            return refuseHeadDim();
        if (slides && m_is_chunked)
            m_groups.add(ChunkedAttention{1, shape, m_window});
        else if (slides)
            m_groups.add(SlidingWindow{1, shape, m_window});
        else
            m_groups.add(FullAttention{1, shape});
    }

    void addLatent(qint64 i, qint64 kv_heads)
    {
        if (kv_heads != 1 || m_slides.at(i))
            return refuseKind(m_log, m_latent->field, u"kv_lora_rank"_s);
        m_groups.add(MlaLatent{1, m_latent->value, m_key - m_latent->value, std::nullopt});
    }

    void addCompressed(qint64 i)
    {
        const auto ratios = m_fields.perLayer("attention.compress_ratios"_L1, m_all_layers, maxImportedTokens);
        const auto window = m_fields.required("attention.sliding_window"_L1, maxImportedTokens);
        const qint64 ratio = ratios ? ratios->values.at(i) : 0;
        const auto key = ratio == 4 ? m_fields.required("attention.indexer.key_length"_L1) : std::nullopt;
        if (m_log.refusal)
            return;
        if (m_key == 0)
            return refuseHeadDim();
        m_log.remember(u"ratio"_s, ratios->field);
        m_log.remember(u"window"_s, window->field);
        m_groups.add(CompressedAttention{1, m_key, window->value, ratio, key ? 2 * key->value : 0});
    }

    /// llama.cpp keeps the keys in 16 bits.
    void addIndexers()
    {
        if (m_fields.has("attention.compress_ratios"_L1))
            return; // counted there
        const auto key = m_fields.count("attention.indexer.key_length"_L1);
        if (key && !m_latent)
            return refuseKind(m_log, key->field, m_fields.architecture());
        if (!key)
            return;
        const auto types = m_fields.list("attention.indexer.types"_L1, m_all_layers);
        qint64 owners = 0;
        for (qint64 i = 0; i < m_layers; ++i)
            owners += !types || types->values.at(i) != 0 ? 1 : 0;
        m_log.remember(u"index_head_dim"_s, key->field);
        m_log.remember(u"indexer entry"_s, u"2 × "_s + key->field);
        if (owners > 0)
            m_groups.add(Indexer{owners, key->value, 2 * key->value});
    }

    void addState()
    {
        if (!m_state)
            m_state = readState();
        if (m_state)
            m_groups.add(*m_state);
    }

    std::optional<FixedState> readState()
    {
        if (const auto length = m_fields.count("shortconv.l_cache"_L1))
            return convState(*length);
        if (const auto head_dim = m_fields.count("kda.head_dim"_L1))
            return kdaState(*head_dim);
        const auto kernel = m_fields.required("ssm.conv_kernel"_L1);
        const auto inner = m_fields.required("ssm.inner_size"_L1);
        const auto state = m_fields.required("ssm.state_size"_L1);
        const auto groups = m_fields.count("ssm.group_count"_L1);
        if (m_log.refusal)
            return std::nullopt;
        const auto shared = elementCount(m_log, state->field, {2, groups ? groups->value : 0, state->value});
        const auto conv
            = !shared ? std::nullopt : elementCount(m_log, kernel->field, {kernel->value - 1, inner->value + *shared});
        const auto recurrent = elementCount(m_log, state->field, {state->value, inner->value});
        if (!conv || !recurrent)
            return std::nullopt;
        m_log.remember(u"conv_elements"_s,
            u"(%1 − 1) × (%2 + 2 × %3 × %4)"_s.arg(
                kernel->field, inner->field, m_fields.path("ssm.group_count"_L1), state->field));
        m_log.remember(u"recurrent_elements"_s, u"%1 × %2"_s.arg(state->field, inner->field));
        const QString type = m_fields.architecture().startsWith("qwen"_L1) ? u"gated_delta_net"_s
            : groups                                                       ? u"mamba2"_s
                                                                           : u"mamba1"_s;
        return FixedState{1, type, *conv, *recurrent};
    }

    std::optional<FixedState> convState(const Count &length)
    {
        const auto width = m_fields.required("embedding_length"_L1);
        const auto conv = width ? elementCount(m_log, length.field, {width->value, length.value - 1}) : std::nullopt;
        if (!conv)
            return std::nullopt;
        m_log.remember(u"conv_elements"_s, u"%1 × (%2 − 1)"_s.arg(width->field, length.field));
        return FixedState{1, u"short_conv"_s, *conv, 0};
    }

    std::optional<FixedState> kdaState(const Count &head_dim)
    {
        const auto kernel = m_fields.required("ssm.conv_kernel"_L1);
        const auto conv = kernel ? elementCount(m_log, kernel->field, {3, kernel->value - 1, m_heads, head_dim.value})
                                 : std::nullopt;
        const auto recurrent = elementCount(m_log, head_dim.field, {m_heads, head_dim.value, head_dim.value});
        if (!conv || !recurrent)
            return std::nullopt;
        m_log.remember(
            u"recurrent_elements"_s, u"%1 × %2²"_s.arg(m_fields.path("attention.head_count"_L1), head_dim.field));
        return FixedState{1, u"kda"_s, *conv, *recurrent};
    }

    // What is said about it

    void refuseHeadDim()
    {
        m_log.refuse(u"head_dim_needed"_s,
            QCoreApplication::translate("import",
                "The file gives no %1, and embedding_length ÷ head_count is not a whole number or cannot be formed. "
                "Download a newer conversion of the model.")
                .arg(m_fields.path("attention.key_length"_L1)));
    }

    void warnDefault(const QString &field, const QString &value)
    {
        m_log.warn(field,
            QCoreApplication::translate(
                "import", "The file does not say “%1”; llama.cpp then takes %2, and so does this figure.")
                .arg(field, value));
    }

    void warnIgnoredWindow(const Count &window)
    {
        m_log.warn(window.field,
            QCoreApplication::translate("import",
                "The file has a window of %1 tokens (“%2”), but llama.cpp keeps all tokens of such a model; so does "
                "this figure.")
                .arg(QString::number(window.value), window.field));
    }

    const GgufFields &m_fields;
    ImportLog &m_log;
    LayerGroups m_groups;
    qint64 m_all_layers = 0; ///< with those of multi-token prediction, which keep nothing
    qint64 m_layers = 0;
    qint64 m_owners = 0; ///< the first so many have a cache of their own
    qint64 m_heads = 0;
    std::optional<CountList> m_kv_heads;
    qint64 m_key = 0;
    qint64 m_value = 0;
    qint64 m_key_swa = 0;
    qint64 m_value_swa = 0;
    std::optional<Count> m_latent;
    QList<bool> m_slides;
    QList<bool> m_is_recurrent;
    qint64 m_window = 0;
    bool m_is_chunked = false;
    std::optional<FixedState> m_state;
};

} // namespace

GgufCaches readGgufCaches(const GgufFields &fields)
{
    const QString &architecture = fields.architecture();
    ImportLog &log = fields.log();
    const QString type = fields.text(u"general.type"_s);
    if (architecture.isEmpty())
        refuseMissing(log, u"general.architecture"_s);
    else if (isOneOf(architecture, uncachedArchitectures) || (!type.isEmpty() && type != "model"_L1))
        log.refuse(u"no_decoder_cache"_s,
            QCoreApplication::translate("import",
                "“%1” has no decoder that keeps a KV cache: it is an encoder, an adapter or a part for pictures. "
                "Choose the GGUF file of a language model.")
                .arg(type.isEmpty() || type == "model"_L1 ? architecture : type));
    else if (isOneOf(architecture, unknownArchitectures))
        refuseKind(log, u"general.architecture"_s, architecture);
    return log.refusal ? GgufCaches{} : CacheReader(fields).read();
}

} // namespace kvlab::memory
