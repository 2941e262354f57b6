// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine_api.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace kvlab::engine {

namespace {

// No text ends an answer of this engine, so "as long as it gets" (vLLM's default for chats) would be thousands of
// tokens.
constexpr int defaultChatTokens = 256;
constexpr int defaultCompletionTokens = 16; // OpenAI's and vLLM's

QByteArray compact(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

QString qstring(const std::string &text)
{
    return QString::fromStdString(text);
}

std::variant<QJsonObject, ApiError> parseObject(const QByteArray &body)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(body, &error);
    if (error.error != QJsonParseError::NoError)
        return ApiError{400, "The request body is not JSON: " + error.errorString().toStdString() + ".", {}};
    if (!document.isObject())
        return ApiError{400, "The request body must be a JSON object.", {}};
    return document.object();
}

/// A whole number in [low, high], or absent (null counts as absent).
std::variant<std::optional<std::int64_t>, ApiError> integerField(
    const QJsonObject &object, const char *name, std::int64_t low, std::int64_t high)
{
    const QJsonValue value = object.value(QLatin1String(name));
    if (value.isUndefined() || value.isNull())
        return std::optional<std::int64_t>();
    const double number = value.toDouble(std::nan(""));
    if (!value.isDouble() || number != std::floor(number) || number < double(low) || number > double(high)) {
        return ApiError{400,
            std::string(name) + " must be a whole number from " + std::to_string(low) + " to " + std::to_string(high)
                + ".",
            name};
    }
    return std::optional<std::int64_t>(value.toInteger());
}

/// Text, or a list of {"type": "text", "text": …} parts.
std::optional<std::string> contentText(const QJsonValue &content)
{
    if (content.isString())
        return content.toString().toStdString();
    if (!content.isArray())
        return std::nullopt;
    QString text;
    const QJsonArray parts = content.toArray();
    for (const QJsonValue &part : parts) {
        if (part[QLatin1String("type")].toString() != QLatin1String("text") || !part[QLatin1String("text")].isString())
            return std::nullopt;
        text += part[QLatin1String("text")].toString();
    }
    return text.toStdString();
}

std::variant<std::vector<ChatMessage>, ApiError> parseMessages(const QJsonObject &object)
{
    const QJsonValue messagesValue = object.value(QLatin1String("messages"));
    if (!messagesValue.isArray() || messagesValue.toArray().isEmpty())
        return ApiError{400, "messages must be a list with at least one message.", "messages"};
    static const QStringList roles{QStringLiteral("system"), QStringLiteral("developer"), QStringLiteral("user"),
        QStringLiteral("assistant"), QStringLiteral("tool")};
    std::vector<ChatMessage> messages;
    const QJsonArray list = messagesValue.toArray();
    for (const QJsonValue &item : list) {
        const QString role = item[QLatin1String("role")].toString();
        if (!roles.contains(role))
            return ApiError{400, "Each message needs a role: system, user, assistant or tool.", "messages"};
        // An assistant's turn that only called tools has no content.
        const QJsonValue value = item[QLatin1String("content")];
        const bool silent = role == QLatin1String("assistant") && (value.isNull() || value.isUndefined());
        const auto content = silent ? std::make_optional<std::string>() : contentText(value);
        if (!content)
            return ApiError{400, "The content of a message must be text, or a list of text parts.", "messages"};
        messages.push_back({role == QLatin1String("developer") ? "system" : role.toStdString(), *content});
    }
    return messages;
}

/// Nothing unless the value is a list of ids of this vocabulary.
std::optional<std::vector<Token>> tokenList(const QJsonValue &value, const Tokenizer &tokenizer)
{
    if (!value.isArray())
        return std::nullopt;
    std::vector<Token> tokens;
    const QJsonArray ids = value.toArray();
    for (const QJsonValue &id : ids) {
        const qint64 token = id.toInteger(-1);
        if (token < 0 || token >= tokenizer.vocabSize())
            return std::nullopt;
        tokens.push_back(Token(token));
    }
    return tokens;
}

std::variant<std::vector<Token>, ApiError> parsePrompt(const QJsonObject &object, bool chat, const Tokenizer &tokenizer)
{
    if (chat) {
        auto messages = parseMessages(object);
        if (auto *error = std::get_if<ApiError>(&messages))
            return *error;
        const bool open = object.value(QLatin1String("add_generation_prompt")).toBool(true);
        return applyChatTemplate(tokenizer, std::get<std::vector<ChatMessage>>(messages), open);
    }
    const QJsonValue prompt = object.value(QLatin1String("prompt"));
    if (prompt.isString())
        return tokenizer.encode(prompt.toString().toStdString());
    const auto tokens = tokenList(prompt, tokenizer);
    if (!tokens)
        return ApiError{400, "prompt must be text, or a list of token ids of this model's vocabulary.", "prompt"};
    return *tokens;
}

std::optional<ApiError> checkModel(const QJsonObject &object, const ApiContext &context)
{
    const QJsonValue model = object.value(QLatin1String("model"));
    if (model.isUndefined() || model.isNull() || (model.isString() && model.toString().isEmpty())
        || model.toString() == qstring(context.model))
        return std::nullopt;
    if (!model.isString())
        return ApiError{400, "model must be text.", "model"};
    return ApiError{404,
        "The model `" + model.toString().toStdString() + "` does not exist. This server's model is `" + context.model
            + "`.",
        "model"};
}

/// max_tokens, temperature, seed and cache_salt.
std::optional<ApiError> readSampling(const QJsonObject &object, GenerateRequest &request)
{
    for (const char *name : {"max_tokens", "max_completion_tokens"}) {
        auto value = integerField(object, name, 1, std::numeric_limits<int>::max());
        if (auto *error = std::get_if<ApiError>(&value))
            return *error;
        if (const auto number = std::get<std::optional<std::int64_t>>(value))
            request.max_tokens = int(*number);
    }
    constexpr std::int64_t largestExact = (std::int64_t(1) << 53) - 1;
    auto seed = integerField(object, "seed", -largestExact, largestExact);
    if (auto *error = std::get_if<ApiError>(&seed))
        return *error;
    request.seed = std::uint64_t(std::get<std::optional<std::int64_t>>(seed).value_or(0));

    const QJsonValue temperature = object.value(QLatin1String("temperature"));
    if (!temperature.isUndefined() && !temperature.isNull()) {
        if (!temperature.isDouble() || temperature.toDouble() < 0)
            return ApiError{400, "temperature must be a number of at least 0.", "temperature"};
        request.temperature = temperature.toDouble();
    }
    const QJsonValue salt = object.value(QLatin1String("cache_salt"));
    if (!salt.isUndefined() && !salt.isNull()) {
        if (!salt.isString() || salt.toString().isEmpty())
            return ApiError{400, "cache_salt must be a text of at least one character.", "cache_salt"};
        request.cache_salt = salt.toString().toStdString();
    }
    return std::nullopt;
}

bool isGiven(const QJsonValue &value)
{
    return !value.isUndefined() && !value.isNull();
}

/// What would change the answer and cannot be done is refused. Fields nobody here knows are ignored, as at vLLM.
std::optional<ApiError> checkUnsupported(const QJsonObject &object)
{
    const QJsonValue n = object.value(QLatin1String("n"));
    if (isGiven(n) && n.toDouble() != 1)
        return ApiError{400, "The practice engine gives one answer a request: n must be 1.", "n"};
    const QJsonValue stop = object.value(QLatin1String("stop"));
    if (isGiven(stop) && !(stop.isArray() && stop.toArray().isEmpty()))
        return ApiError{400, "The practice engine knows no stop texts: leave stop out and set max_tokens.", "stop"};
    return std::nullopt;
}

std::optional<ApiError> readStreaming(const QJsonObject &object, CompletionRequest &request)
{
    const QJsonValue stream = object.value(QLatin1String("stream"));
    if (isGiven(stream) && !stream.isBool())
        return ApiError{400, "stream must be true or false.", "stream"};
    request.stream = stream.toBool();
    const QJsonValue options = object.value(QLatin1String("stream_options"));
    if (!isGiven(options))
        return std::nullopt;
    if (!options.isObject())
        return ApiError{400, "stream_options must be an object.", "stream_options"};
    if (!request.stream)
        return ApiError{400, "Stream options can only be defined when `stream=True`.", "stream_options"};
    const QJsonValue usage = options[QLatin1String("include_usage")];
    if (isGiven(usage) && !usage.isBool())
        return ApiError{400, "stream_options.include_usage must be true or false.", "stream_options"};
    request.include_usage = usage.toBool();
    return std::nullopt;
}

std::optional<ApiError> fitIntoContext(GenerateRequest &request, int maxModelLen)
{
    const int prompt = int(request.prompt.size());
    if (prompt == 0)
        return ApiError{400, "The prompt is empty: at least one token is needed.", "prompt"};
    if (prompt >= maxModelLen) {
        return ApiError{400,
            "This model's maximum context length is " + std::to_string(maxModelLen) + " tokens, but the prompt has "
                + std::to_string(prompt) + ". Please send a shorter prompt.",
            "messages"};
    }
    request.max_tokens = std::min(request.max_tokens, maxModelLen - prompt);
    return std::nullopt;
}

QJsonObject usageOf(const GenerateResult &result)
{
    return {{QStringLiteral("prompt_tokens"), result.prompt_tokens},
        {QStringLiteral("completion_tokens"), result.completion_tokens},
        {QStringLiteral("total_tokens"), result.prompt_tokens + result.completion_tokens},
        {QStringLiteral("prompt_tokens_details"),
            QJsonObject{{QStringLiteral("cached_tokens"), result.cached_tokens}}}};
}

QString finishReason(const GenerateResult &result)
{
    return result.finish == GenerateResult::Finish::cancelled ? QStringLiteral("abort") : QStringLiteral("length");
}

QByteArray event(const QJsonObject &object)
{
    return "data: " + compact(object) + "\n\n";
}

} // namespace

QByteArray errorBody(const ApiError &error)
{
    const QString type = error.status == 404 ? QStringLiteral("NotFoundError")
        : error.status == 401                ? QStringLiteral("Unauthorized")
        : error.status >= 500                ? QStringLiteral("InternalServerError")
                                             : QStringLiteral("BadRequestError");
    return compact({{QStringLiteral("error"),
        QJsonObject{{QStringLiteral("message"), qstring(error.message)}, {QStringLiteral("type"), type},
            {QStringLiteral("param"), error.param.empty() ? QJsonValue() : QJsonValue(qstring(error.param))},
            {QStringLiteral("code"), error.status}}}});
}

std::variant<CompletionRequest, ApiError> parseCompletion(const QByteArray &body, bool chat, const ApiContext &context)
{
    const auto parsed = parseObject(body);
    if (const auto *error = std::get_if<ApiError>(&parsed))
        return *error;
    const QJsonObject &object = std::get<QJsonObject>(parsed);
    if (auto error = checkModel(object, context))
        return *error;
    if (auto error = checkUnsupported(object))
        return *error;
    CompletionRequest request;
    request.chat = chat;
    request.generate.max_tokens = chat ? defaultChatTokens : defaultCompletionTokens;
    if (auto error = readStreaming(object, request))
        return *error;
    if (auto error = readSampling(object, request.generate))
        return *error;
    auto prompt = parsePrompt(object, chat, context.tokenizer);
    if (auto *error = std::get_if<ApiError>(&prompt))
        return *error;
    request.generate.prompt = std::get<std::vector<Token>>(std::move(prompt));
    if (auto error = fitIntoContext(request.generate, context.max_model_len))
        return *error;
    return request;
}

std::variant<QByteArray, ApiError> tokenizeAnswer(const QByteArray &body, const ApiContext &context)
{
    const auto parsed = parseObject(body);
    if (const auto *error = std::get_if<ApiError>(&parsed))
        return *error;
    const QJsonObject &object = std::get<QJsonObject>(parsed);
    if (auto error = checkModel(object, context))
        return *error;
    auto prompt = parsePrompt(object, object.contains(QLatin1String("messages")), context.tokenizer);
    if (auto *error = std::get_if<ApiError>(&prompt))
        return *error;
    QJsonArray tokens;
    for (const Token token : std::get<std::vector<Token>>(prompt))
        tokens.append(token);
    return compact({{QStringLiteral("count"), tokens.size()}, {QStringLiteral("max_model_len"), context.max_model_len},
        {QStringLiteral("tokens"), tokens}});
}

std::variant<QByteArray, ApiError> detokenizeAnswer(const QByteArray &body, const ApiContext &context)
{
    const auto parsed = parseObject(body);
    if (const auto *error = std::get_if<ApiError>(&parsed))
        return *error;
    const auto tokens = tokenList(std::get<QJsonObject>(parsed).value(QLatin1String("tokens")), context.tokenizer);
    if (!tokens)
        return ApiError{400, "tokens must be a list of ids of this model's vocabulary.", "tokens"};
    return compact({{QStringLiteral("prompt"), qstring(context.tokenizer.decode(*tokens))}});
}

QByteArray modelsAnswer(const ApiContext &context)
{
    const QJsonObject card{{QStringLiteral("id"), qstring(context.model)},
        {QStringLiteral("object"), QStringLiteral("model")}, {QStringLiteral("owned_by"), QStringLiteral("kvlab")},
        {QStringLiteral("description"),
            QStringLiteral(
                "Practice engine: untrained weights, its text is gibberish; its times and cache hits are real.")},
        {QStringLiteral("max_model_len"), context.max_model_len}};
    return compact({{QStringLiteral("object"), QStringLiteral("list")}, {QStringLiteral("data"), QJsonArray{card}}});
}

AnswerWriter::AnswerWriter(const ApiContext &context, const CompletionRequest &request, std::uint64_t number)
    : m_context(context)
    , m_request(request)
    , m_id(QStringLiteral("%1-%2").arg(request.chat ? QStringLiteral("chatcmpl") : QStringLiteral("cmpl")).arg(number))
    , m_created(QDateTime::currentSecsSinceEpoch())
{
}

QJsonObject AnswerWriter::chunk(const QJsonArray &choices) const
{
    return {{QStringLiteral("id"), m_id},
        {QStringLiteral("object"),
            m_request.chat ? QStringLiteral("chat.completion.chunk") : QStringLiteral("text_completion")},
        {QStringLiteral("created"), m_created}, {QStringLiteral("model"), qstring(m_context.model)},
        {QStringLiteral("choices"), choices}};
}

QByteArray AnswerWriter::choiceEvent(const QJsonObject &delta, const QString &text, const QJsonValue &finish) const
{
    QJsonObject choice{{QStringLiteral("index"), 0}, {QStringLiteral("logprobs"), QJsonValue()},
        {QStringLiteral("finish_reason"), finish}};
    if (m_request.chat)
        choice.insert(QStringLiteral("delta"), delta);
    else
        choice.insert(QStringLiteral("text"), text);
    return event(chunk({choice}));
}

QByteArrayList AnswerWriter::tokenEvents(Token token)
{
    QByteArrayList events;
    if (m_written == 0 && m_request.chat) {
        events.append(choiceEvent(
            {{QStringLiteral("role"), QStringLiteral("assistant")}, {QStringLiteral("content"), QString()}}, {}, {}));
    }
    ++m_written;
    const QString text = qstring(std::string(m_context.tokenizer.piece(token)));
    const bool last = m_written == m_request.generate.max_tokens;
    events.append(choiceEvent(
        {{QStringLiteral("content"), text}}, text, last ? QJsonValue(QStringLiteral("length")) : QJsonValue()));
    return events;
}

QByteArrayList AnswerWriter::endEvents(const GenerateResult &result) const
{
    QByteArrayList events;
    if (m_written < m_request.generate.max_tokens)
        events.append(choiceEvent({{QStringLiteral("content"), QString()}}, QString(), finishReason(result)));
    if (m_request.include_usage) {
        QJsonObject last = chunk({});
        last.insert(QStringLiteral("usage"), usageOf(result));
        events.append(event(last));
    }
    return events;
}

QByteArray AnswerWriter::wholeAnswer(const GenerateResult &result, const std::vector<Token> &tokens) const
{
    const QString text = qstring(m_context.tokenizer.decode(tokens));
    QJsonObject choice{{QStringLiteral("index"), 0}, {QStringLiteral("finish_reason"), finishReason(result)}};
    if (m_request.chat) {
        choice.insert(QStringLiteral("message"),
            QJsonObject{{QStringLiteral("role"), QStringLiteral("assistant")}, {QStringLiteral("content"), text}});
    } else {
        choice.insert(QStringLiteral("text"), text);
    }
    return compact({{QStringLiteral("id"), m_id},
        {QStringLiteral("object"),
            m_request.chat ? QStringLiteral("chat.completion") : QStringLiteral("text_completion")},
        {QStringLiteral("created"), m_created}, {QStringLiteral("model"), qstring(m_context.model)},
        {QStringLiteral("choices"), QJsonArray{choice}}, {QStringLiteral("usage"), usageOf(result)}});
}

QByteArray AnswerWriter::errorEvent(const ApiError &error)
{
    return "data: " + errorBody(error) + "\n\n";
}

QByteArray AnswerWriter::doneEvent()
{
    return "data: [DONE]\n\n";
}

} // namespace kvlab::engine
