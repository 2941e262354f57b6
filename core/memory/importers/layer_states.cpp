// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/importers/layer_states.h"

#include "memory/importers/layer_shapes.h"

#include <QCoreApplication>

namespace kvlab::memory {

using namespace Qt::StringLiterals;

namespace {

using State = PlannedLayer::State;

FixedState stateOf(const QString &type, qint64 conv_elements, qint64 recurrent_elements)
{
    return {.layers = 1, .type = type, .conv_elements = conv_elements, .recurrent_elements = recurrent_elements};
}

void rememberState(ImportLog &log, const QString &conv, const QString &recurrent)
{
    log.remember(u"conv_elements"_s, conv);
    log.remember(u"recurrent_elements"_s, recurrent);
}

/// inner = expand × hidden
std::optional<Count> expandedWidth(const LanguageModel &model)
{
    const auto expand = model.config.required({"mamba_expand"_L1, "expand"_L1});
    const auto hidden = expand ? readHidden(model) : std::nullopt;
    if (expand && !hidden)
        refuseMissing(model.config.log(), model.config.path(u"hidden_size"_s));
    if (!hidden)
        return std::nullopt;
    const auto inner = elementCount(model.config.log(), expand->field, {expand->value, hidden->value});
    return inner ? std::optional(Count{*inner, expand->field + u" × "_s + hidden->field}) : std::nullopt;
}

/// "auto" and absent mean expand × hidden ÷ heads.
std::optional<Count> mambaHeadDim(const LanguageModel &model, const Count &heads)
{
    const FieldReader &config = model.config;
    const bool is_auto = config.text("mamba_d_head"_L1) == "auto"_L1;
    const auto own
        = is_auto ? std::nullopt : config.count({"mamba_d_head"_L1, "mamba_head_dim"_L1, "mamba_headdim"_L1});
    if (own || config.log().refusal)
        return own;
    if (model.isExactly({"mamba2"_L1})) {
        if (const auto plain = config.count({"head_dim"_L1}))
            return plain;
    }
    const auto inner = expandedWidth(model);
    if (!inner)
        return std::nullopt;
    if (inner->value % heads.value == 0)
        return Count{inner->value / heads.value, inner->field + u" ÷ "_s + heads.field};
    config.log().refuse(u"head_dim_needed"_s,
        QCoreApplication::translate("import",
            "The file does not say how wide a head of the state is, and %1 is not a multiple of “%2”. Add mamba_d_head "
            "to the file.")
            .arg(inner->field, heads.field));
    return std::nullopt;
}

std::optional<FixedState> mamba2State(const LanguageModel &model, const Count &heads)
{
    const FieldReader &config = model.config;
    const auto head_dim = mambaHeadDim(model, heads);
    const auto state
        = config.required({"mamba_d_state"_L1, "ssm_state_size"_L1, "mamba_state_dim"_L1, "state_size"_L1});
    const auto kernel = config.required({"mamba_d_conv"_L1, "conv_kernel"_L1, "mamba_conv_kernel"_L1});
    auto groups = config.count({"mamba_n_groups"_L1, "n_groups"_L1, "mamba_ngroups"_L1});
    if (!groups && !config.log().refusal) {
        groups = Count{1, config.path(u"mamba_n_groups"_s)};
        warnClassDefault(model, u"mamba_n_groups"_s, u"1"_s);
    }
    if (config.log().refusal)
        return std::nullopt;
    const auto inner = elementCount(config.log(), heads.field, {heads.value, head_dim->value});
    const auto shared = elementCount(config.log(), groups->field, {2, groups->value, state->value});
    if (!inner || !shared)
        return std::nullopt;
    const auto conv = elementCount(config.log(), kernel->field, {*inner + *shared, kernel->value - 1});
    const auto recurrent = elementCount(config.log(), state->field, {*inner, state->value});
    if (!conv || !recurrent)
        return std::nullopt;
    rememberState(config.log(),
        u"(%1 × %2 + 2 × %3 × %4) × (%5 − 1)"_s.arg(
            heads.field, head_dim->field, groups->field, state->field, kernel->field),
        u"%1 × %2 × %3"_s.arg(heads.field, head_dim->field, state->field));
    return stateOf(u"mamba2"_s, *conv, *recurrent);
}

std::optional<FixedState> mamba1State(const LanguageModel &model)
{
    const FieldReader &config = model.config;
    const bool is_pure = model.isExactly({"mamba"_L1, "falcon_mamba"_L1});
    auto inner = is_pure ? config.count({"intermediate_size"_L1, "d_inner"_L1}) : std::nullopt;
    if (!inner)
        inner = expandedWidth(model);
    const auto state = config.required({"mamba_d_state"_L1, "state_size"_L1});
    const auto kernel = config.required({"mamba_d_conv"_L1, "conv_kernel"_L1});
    if (config.log().refusal)
        return std::nullopt;
    const auto conv = elementCount(config.log(), kernel->field, {inner->value, kernel->value - 1});
    const auto recurrent = elementCount(config.log(), state->field, {inner->value, state->value});
    if (!conv || !recurrent)
        return std::nullopt;
    rememberState(config.log(), u"%1 × (%2 − 1)"_s.arg(inner->field, kernel->field),
        u"%1 × %2"_s.arg(inner->field, state->field));
    return stateOf(u"mamba1"_s, *conv, *recurrent);
}

std::optional<FixedState> mambaState(const LanguageModel &model)
{
    auto heads = model.config.count({"mamba_n_heads"_L1, "mamba_num_heads"_L1, "n_mamba_heads"_L1});
    if (!heads && model.isExactly({"mamba2"_L1}))
        heads = model.config.required({"num_heads"_L1});
    if (model.config.log().refusal)
        return std::nullopt;
    // Zamba's first version has heads, but a Mamba-1 state.
    return heads && !model.isExactly({"zamba"_L1}) ? mamba2State(model, *heads) : mamba1State(model);
}

std::optional<FixedState> deltaNetState(const LanguageModel &model)
{
    const FieldReader &config = model.config;
    const auto k_heads = config.required({"linear_num_key_heads"_L1});
    const auto v_heads = config.required({"linear_num_value_heads"_L1});
    const auto k_dim = config.required({"linear_key_head_dim"_L1});
    const auto v_dim = config.required({"linear_value_head_dim"_L1});
    const auto kernel = config.required({"linear_conv_kernel_dim"_L1});
    if (config.log().refusal)
        return std::nullopt;
    const auto keys = elementCount(config.log(), k_dim->field, {2, k_heads->value, k_dim->value});
    const auto values = elementCount(config.log(), v_dim->field, {v_heads->value, v_dim->value});
    if (!keys || !values)
        return std::nullopt;
    const auto conv = elementCount(config.log(), kernel->field, {*keys + *values, kernel->value - 1});
    const auto recurrent = elementCount(config.log(), v_dim->field, {*values, k_dim->value});
    if (!conv || !recurrent)
        return std::nullopt;
    rememberState(config.log(),
        u"(2 × %1 × %2 + %3 × %4) × (%5 − 1)"_s.arg(
            k_heads->field, k_dim->field, v_heads->field, v_dim->field, kernel->field),
        u"%1 × %2 × %3"_s.arg(v_heads->field, v_dim->field, k_dim->field));
    return stateOf(u"gated_delta_net"_s, *conv, *recurrent);
}

std::optional<FixedState> kdaState(const FieldReader &linear)
{
    const auto heads = linear.required({"num_heads"_L1});
    const auto head_dim = linear.required({"head_dim"_L1});
    const auto kernel = linear.required({"short_conv_kernel_size"_L1});
    if (linear.log().refusal)
        return std::nullopt;
    // Keys, queries and values all have heads × head_dim.
    const auto conv = elementCount(linear.log(), kernel->field, {3, heads->value, head_dim->value, kernel->value - 1});
    const auto recurrent
        = elementCount(linear.log(), head_dim->field, {heads->value, head_dim->value, head_dim->value});
    if (!conv || !recurrent)
        return std::nullopt;
    rememberState(linear.log(), u"3 × %1 × %2 × (%3 − 1)"_s.arg(heads->field, head_dim->field, kernel->field),
        u"%1 × %2²"_s.arg(heads->field, head_dim->field));
    return stateOf(u"kda"_s, *conv, *recurrent);
}

std::optional<FixedState> lightningState(const LanguageModel &model)
{
    const auto heads = readHeads(model);
    const auto head_dim = readHeadDim(model);
    if (!heads || !head_dim)
        return std::nullopt;
    const auto recurrent
        = elementCount(model.config.log(), head_dim->field, {heads->value, head_dim->value, head_dim->value});
    if (!recurrent)
        return std::nullopt;
    rememberState(model.config.log(), u"0"_s, u"%1 × (%2)²"_s.arg(heads->field, head_dim->field));
    return stateOf(u"lightning"_s, 0, *recurrent);
}

std::optional<FixedState> linearState(const LanguageModel &model)
{
    if (const auto linear = model.config.object("linear_attn_config"_L1))
        return kdaState(*linear);
    if (model.config.has(u"linear_num_value_heads"_s))
        return deltaNetState(model);
    if (model.isOneOf({"minimax"_L1}))
        return lightningState(model);
    refuseKind(model.config.log(), model.config.path(u"layer_types"_s), u"linear_attention"_s);
    return std::nullopt;
}

/// LFM2
std::optional<FixedState> convState(const LanguageModel &model)
{
    const auto kernel = model.config.required({"conv_L_cache"_L1});
    auto width = model.config.count({"conv_dim"_L1});
    if (!width)
        width = readHidden(model);
    if (kernel && !width)
        refuseMissing(model.config.log(), model.config.path(u"hidden_size"_s));
    if (model.config.log().refusal)
        return std::nullopt;
    const auto conv = elementCount(model.config.log(), kernel->field, {width->value, kernel->value - 1});
    if (!conv)
        return std::nullopt;
    rememberState(model.config.log(), u"%1 × (%2 − 1)"_s.arg(width->field, kernel->field), u"0"_s);
    return stateOf(u"short_conv"_s, *conv, 0);
}

/// RecurrentGemma's real-gated linear recurrent unit.
std::optional<FixedState> lruState(const LanguageModel &model)
{
    auto width = model.config.count({"lru_width"_L1});
    if (!width)
        width = readHidden(model);
    const auto kernel = model.config.required({"conv1d_width"_L1});
    if (kernel && !width)
        refuseMissing(model.config.log(), model.config.path(u"lru_width"_s));
    if (model.config.log().refusal)
        return std::nullopt;
    const auto conv = elementCount(model.config.log(), kernel->field, {width->value, kernel->value - 1});
    if (!conv)
        return std::nullopt;
    rememberState(model.config.log(), u"%1 × (%2 − 1)"_s.arg(width->field, kernel->field), width->field);
    return stateOf(u"rg_lru"_s, *conv, width->value);
}

/// Baichuan-M1 keeps K and V of the last tokens before its convolution over them.
std::optional<FixedState> keptKvState(const LanguageModel &model, const AttentionShape &shape)
{
    const auto kernel = model.config.required({"conv_window"_L1});
    if (!kernel)
        return std::nullopt;
    const auto conv = elementCount(
        model.config.log(), kernel->field, {shape.kv_heads, shape.head_dim + shape.v_head_dim, kernel->value - 1});
    if (!conv)
        return std::nullopt;
    rememberState(model.config.log(), u"2 × kv_heads × head_dim × (%1 − 1)"_s.arg(kernel->field), u"0"_s);
    return stateOf(u"kv_conv"_s, *conv, 0);
}

bool isFp32(const QString &name)
{
    return name == "float32"_L1 || name == "fp32"_L1 || name == "torch.float32"_L1;
}

} // namespace

std::optional<FixedState> readState(const LanguageModel &model, PlannedLayer::State state, const AttentionShape &shape)
{
    switch (state) {
    case State::mamba:
        return mambaState(model);
    case State::linear:
        return linearState(model);
    case State::conv:
        return convState(model);
    case State::rg_lru:
        return lruState(model);
    case State::kept_kv:
        return keptKvState(model, shape);
    case State::none:
        break;
    }
    return std::nullopt;
}

bool isRecurrentStateFp32(const LanguageModel &model, const LayerPlan &plan)
{
    const bool has_state = std::any_of(
        plan.layers.cbegin(), plan.layers.cend(), [](const PlannedLayer &layer) { return layer.state != State::none; });
    const bool has_lru = std::any_of(plan.layers.cbegin(), plan.layers.cend(),
        [](const PlannedLayer &layer) { return layer.state == State::rg_lru; });
    return has_state
        && (has_lru || model.config.object("linear_attn_config"_L1)
            || isFp32(model.config.text("mamba_ssm_cache_dtype"_L1))
            || isFp32(model.config.text("mamba_ssm_dtype"_L1)));
}

} // namespace kvlab::memory
