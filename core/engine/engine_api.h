// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON of the practice engine's HTTP interface, apart from HTTP: request bodies in, answers and SSE events out.
// Shapes and error texts follow vLLM's OpenAI-compatible server. Pure functions: a test calls them without a socket.
#pragma once

#include "engine/chat_template.h"
#include "engine/engine.h"

#include <QByteArrayList>
#include <QJsonArray>
#include <QJsonObject>
#include <QString>

#include <variant>

namespace kvlab::engine {

/// An answer other than 200: {"error": {"message", "type", "param", "code"}}.
struct ApiError
{
    int status = 400;
    std::string message;
    std::string param; ///< the field at fault; empty = null
};
QByteArray errorBody(const ApiError &error);

struct CompletionRequest
{
    bool chat = true;
    bool stream = false;
    bool include_usage = false;
    GenerateRequest generate;
};

/// What every request is read against.
struct ApiContext
{
    const Tokenizer &tokenizer;
    std::string model;
    int max_model_len = maxContext;
};

std::variant<CompletionRequest, ApiError> parseCompletion(const QByteArray &body, bool chat, const ApiContext &context);

/// {"prompt"} or {"messages", "add_generation_prompt"} → {"count", "max_model_len", "tokens"}.
std::variant<QByteArray, ApiError> tokenizeAnswer(const QByteArray &body, const ApiContext &context);
/// {"tokens"} → {"prompt"}.
std::variant<QByteArray, ApiError> detokenizeAnswer(const QByteArray &body, const ApiContext &context);

QByteArray modelsAnswer(const ApiContext &context);

/// Writes one answer, whole or as events; keeps the id that all of its chunks share.
class AnswerWriter
{
public:
    AnswerWriter(const ApiContext &context, const CompletionRequest &request, std::uint64_t number);

    /// At the first token the role event comes in front, as at vLLM: both arrive together. The last token that
    /// max_tokens allows carries the finish reason.
    QByteArrayList tokenEvents(Token token);
    /// What is still missing after the last token: the finish reason when the answer ended early, the usage when asked
    /// for.
    QByteArrayList endEvents(const GenerateResult &result) const;
    /// An error after the answer has begun is reported inside the stream.
    static QByteArray errorEvent(const ApiError &error);
    static QByteArray doneEvent();

    QByteArray wholeAnswer(const GenerateResult &result, const std::vector<Token> &tokens) const;

private:
    QByteArray choiceEvent(const QJsonObject &delta, const QString &text, const QJsonValue &finish) const;
    QJsonObject chunk(const QJsonArray &choices) const;

    const ApiContext &m_context;
    const CompletionRequest &m_request;
    QString m_id;
    qint64 m_created;
    int m_written = 0; ///< tokens
};

/// Prometheus text with vLLM's names.
QByteArray metricsAnswer(const Engine &engine, const ApiContext &context);

} // namespace kvlab::engine
