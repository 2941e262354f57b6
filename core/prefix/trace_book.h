// SPDX-License-Identifier: GPL-3.0-or-later
// Scenarios to step through, as JSON (resources/traces/teaching.json): titles and notes in every language, prompts as
// runs of the tokens of texts, [text, count] or [text, start, count]; a text that is too short begins anew.
#pragma once

#include "prefix/tokenizer.h"
#include "prefix/trace_player.h"

#include <QJsonObject>

#include <variant>

namespace kvlab::prefix {

struct TraceScript
{
    QString id;
    QString title;
    QString note; ///< what is to be seen, in one or two sentences
    TraceOptions options;
    std::vector<TraceStep> steps;
};

/// `language`: "en", "zh"; English where a text lacks it. A text instead of scripts says, as a whole sentence, which
/// part of the file cannot be used and why.
std::variant<std::vector<TraceScript>, QString> readTraceBook(
    const QJsonObject &file, const QString &language, const Tokenizer &tokenizer);

/// The scenarios that come with the program.
std::vector<TraceScript> builtInTraces(const QString &language, const Tokenizer &tokenizer);

} // namespace kvlab::prefix
