// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/importers/layer_rules.h"

#include <QCoreApplication>

namespace kvlab::memory {

using namespace Qt::StringLiterals;

namespace {

/// The key that holds the window; "window_size" means other things in other families.
std::optional<QLatin1String> windowKey(const LanguageModel &model)
{
    for (const QLatin1String key : {"sliding_window"_L1, "sliding_window_size"_L1, "attention_window_size"_L1}) {
        if (model.config.has(key))
            return key;
    }
    if (model.isOneOf({"gpt_neo"_L1}) && !model.isOneOf({"gpt_neox"_L1}) && model.config.has(u"window_size"_s))
        return "window_size"_L1;
    return std::nullopt;
}

/// Qwen's files carry a window that is off unless they say use_sliding_window.
bool isWindowOff(const LanguageModel &model)
{
    const auto use = model.config.flag("use_sliding_window"_L1);
    return use ? !*use : model.isOneOf({"qwen2"_L1, "qwen3"_L1});
}

constexpr qint64 classWindow = 4096;

/// Tokens of the window; nullopt when it is absent, off, not positive, or not below the context.
std::optional<Count> activeWindow(const RuleInput &input)
{
    const auto key = windowKey(input.model);
    const FieldReader &config = input.model.config;
    if (!key && hasClassWindow(input.model))
        return Count{classWindow, classDefaultSource(input.model, u"sliding_window"_s)};
    if (!key || isWindowOff(input.model))
        return std::nullopt;
    const auto tokens = config.wholeNumber(
        *config.find(*key), config.path(*key), std::numeric_limits<qint64>::min(), maxImportedTokens);
    if (!tokens || *tokens <= 0 || (input.context && *tokens >= *input.context))
        return std::nullopt;
    return Count{*tokens, config.path(*key)};
}

/// Sliding layers without a window hold everything; that is said unless the file itself says that the window is as long
/// as the context.
void warnNoWindow(const RuleInput &input, const QString &field)
{
    ImportLog &log = input.model.config.log();
    const auto key = windowKey(input.model);
    const bool as_long_as_context = key && !isWindowOff(input.model) && input.model.config.knownCount({*key});
    const bool said = std::any_of(log.warnings.cbegin(), log.warnings.cend(),
        [&field](const ImportWarning &warning) { return warning.field == field; });
    if (field.isEmpty() || as_long_as_context || said)
        return;
    log.warn(field,
        QCoreApplication::translate("import",
            "“%1” names layers with a window, but the file gives no window or switches it off; they are counted as "
            "full attention.")
            .arg(field));
}

} // namespace

bool hasClassWindow(const LanguageModel &model)
{
    return model.isOneOf({"gemma2"_L1}) && model.config.isAbsent(u"sliding_window"_s);
}

PlannedLayer slidingLayer(const RuleInput &input, const QString &field)
{
    const auto window = activeWindow(input);
    if (!window) {
        warnNoWindow(input, field);
        return fullLayer();
    }
    if (hasClassWindow(input.model))
        warnClassDefault(input.model, u"sliding_window"_s, QString::number(window->value));
    input.model.config.log().remember(u"window"_s, window->field);
    PlannedLayer layer;
    layer.attention = PlannedLayer::Attention::sliding;
    layer.extent = window->value;
    return layer;
}

PlannedLayer chunkedLayer(const RuleInput &input, const QString &field)
{
    const auto chunk = input.model.config.count({"attention_chunk_size"_L1}, maxImportedTokens);
    if (!chunk)
        warnNoWindow(input, field);
    if (!chunk || (input.context && chunk->value >= *input.context))
        return fullLayer();
    input.model.config.log().remember(u"chunk"_s, chunk->field);
    PlannedLayer layer;
    layer.attention = PlannedLayer::Attention::chunked;
    layer.extent = chunk->value;
    return layer;
}

} // namespace kvlab::memory
