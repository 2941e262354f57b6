// SPDX-License-Identifier: GPL-3.0-or-later
// What a user pastes to ask "will it hit?": a plain prompt, or an OpenAI request as JSON (messages, tools, prompt,
// cache_salt; fields in their own order, for the order of keys counts). It becomes tokens in the ChatML shape of
// Qwen2.5 with the practice engine's tokenizer; other models divide text otherwise.
#pragma once

#include "prefix/chat_template.h"
#include "prefix/hit_forecast.h"

#include <QByteArray>
#include <QStringList>

#include <variant>

namespace kvlab::prefix {

struct ChatRequest
{
    std::vector<ChatMessage> messages;
    std::vector<std::string> tools; ///< each as compact JSON
    std::string prompt; ///< of a completion request or a plain text; used when there are no messages
    ExtraKeys keys;
    QStringList notes; ///< whole sentences about what was left out or taken otherwise
};

/// A JSON object with `messages` or `prompt`, bare or under `request` or `body`, or a list of messages; a sentence when
/// it is none.
std::variant<ChatRequest, QString> parseChatRequest(const QByteArray &json);

/// JSON where it can be read as a request, else a plain prompt, with a note where it only looks like JSON.
ChatRequest requestFromPasted(const QByteArray &text);

/// Where a part of the prompt begins.
struct PromptPart
{
    enum class Kind { text, message, tools };
    Kind kind = Kind::text;
    int first_token = 0;
    int message = 0; ///< from 1; 0 = a system message that the template adds
    QString role;
};

struct ReadPrompt
{
    RenderedPrompt prompt;
    std::vector<PromptPart> parts;

    QString text() const; ///< as the model reads it
    qsizetype characterOf(int token) const; ///< where the token begins in text()
    const PromptPart *partAt(int token) const;
};

ReadPrompt renderRequest(const ChatRequest &request, const Tokenizer &tokenizer);

} // namespace kvlab::prefix
