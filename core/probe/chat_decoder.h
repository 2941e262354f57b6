// SPDX-License-Identifier: GPL-3.0-or-later
// What one SSE event of a chat or completions stream carries. Pure: no state, no clock, no socket.
// Shapes: OpenAI's streaming API and what vLLM, SGLang, llama.cpp, Ollama, Azure, DeepSeek, OpenRouter and TGI make of
// it; Ollama's native lines and LM Studio's named events. Absent and null mean unknown, never zero.
#pragma once

#include "probe/sse_parser.h"

#include <QString>

#include <optional>

namespace kvlab::probe {

struct ServerFault
{
    QString message; ///< the server's own words; may be empty
    QByteArray raw;
};

struct ChatEvent
{
    QString content; ///< delta.content, or text of the completions endpoint, or a native route's text
    QString reasoning; ///< delta.reasoning_content or delta.reasoning
    QString refusal;
    bool tool_call = false; ///< with a name or arguments; an empty tool call delta is not a token
    QString finish_reason;
    std::optional<qint64> prompt_tokens;
    std::optional<qint64> completion_tokens;
    std::optional<qint64> cached_tokens;
    QString cached_source; ///< the field that cached_tokens came from
    std::optional<double> server_ttft_ms;
    bool prompt_progress = false; ///< prefill is under way; not a token
    bool done = false; ///< [DONE]
    bool last = false; ///< the native protocols' own end: Ollama's done, LM Studio's chat.end; may carry figures
    bool empty = false; ///< no data at all, as in a ping
    QString malformed; ///< why the data is not what a chat stream carries; empty = fine
    std::optional<ServerFault> fault;

    /// Generated output of any kind. Role-only, empty, usage and progress events are not.
    bool isToken() const { return !content.isEmpty() || !reasoning.isEmpty() || !refusal.isEmpty() || tool_call; }
};

ChatEvent decodeChatEvent(const SseEvent &event);

/// The sentence a server put into an error body, whichever of the known shapes it has: error.message, error as text,
/// message, detail as text or as a list of {loc, msg}; for a web page its title, for plain text its first line.
/// Single-spaced and at most 300 characters.
QString serverErrorText(const QByteArray &body);

} // namespace kvlab::probe
