// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/chat_decoder.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <cmath>

namespace kvlab::probe {

namespace {

constexpr qsizetype maxErrorChars = 300;

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::probe::ChatDecoder)
};

/// Servers do send invalid UTF-8 now and then; it is replaced, never fatal. JSON itself admits no raw NUL.
QJsonDocument parseJson(const QByteArray &data, QString *problem)
{
    if (data.contains('\0')) {
        //: why data is not JSON, inside a sentence
        *problem = Texts::tr("it contains a NUL byte");
        return {};
    }
    QJsonParseError error;
    QJsonDocument document = QJsonDocument::fromJson(data, &error);
    if (error.error == QJsonParseError::IllegalUTF8String) {
        document = QJsonDocument::fromJson(QString::fromUtf8(data).toUtf8(), &error);
    }
    if (error.error != QJsonParseError::NoError) {
        *problem = error.errorString();
    }
    return document;
}

std::optional<qint64> count(const QJsonValue &value)
{
    constexpr double largest = 9007199254740992.0; // 2^53: beyond it a double is no exact count
    const double number = value.toDouble(-1);
    if (!value.isDouble() || number < 0 || number > largest || number != std::floor(number)) {
        return std::nullopt;
    }
    return static_cast<qint64>(number);
}

std::optional<double> duration(const QJsonValue &value)
{
    if (!value.isDouble() || value.toDouble() < 0) {
        return std::nullopt;
    }
    return value.toDouble();
}

bool isTruthy(const QJsonValue &value)
{
    switch (value.type()) {
    case QJsonValue::Object:
        return !value.toObject().isEmpty();
    case QJsonValue::Array:
        return !value.toArray().isEmpty();
    case QJsonValue::String:
        return !value.toString().isEmpty();
    case QJsonValue::Bool:
        return value.toBool();
    case QJsonValue::Double:
        return value.toDouble() != 0;
    default:
        return false;
    }
}

QString detailText(const QJsonValue &detail)
{
    if (!detail.isArray()) {
        return detail.toString();
    }
    QStringList parts;
    for (const QJsonValue &entry : detail.toArray()) {
        const QJsonObject object = entry.toObject();
        QStringList place;
        for (const QJsonValue &step : object.value(u"loc").toArray()) {
            place.append(step.toVariant().toString());
        }
        const QString text = object.value(u"msg").toString(entry.toString());
        parts.append(place.isEmpty() ? text : place.join(u'.') + QStringLiteral(": ") + text);
    }
    return parts.join(QStringLiteral("; "));
}

QString errorTextOf(const QJsonObject &object)
{
    const QJsonValue error = object.value(u"error");
    if (error.isString()) {
        return error.toString();
    }
    if (error.isObject()) {
        const QJsonObject inner = error.toObject();
        return inner.contains(u"message") ? inner.value(u"message").toString() : detailText(inner.value(u"detail"));
    }
    if (object.value(u"message").isString()) {
        return object.value(u"message").toString();
    }
    return detailText(object.value(u"detail"));
}

void takeToolCalls(const QJsonArray &calls, ChatEvent &out)
{
    for (const QJsonValue &call : calls) {
        const QJsonObject function = call.toObject().value(u"function").toObject();
        if (isTruthy(function.value(u"name")) || isTruthy(function.value(u"arguments"))) {
            out.tool_call = true;
        }
    }
}

void takeChoice(const QJsonObject &choice, ChatEvent &out)
{
    const QJsonObject delta = choice.value(u"delta").toObject();
    out.content = delta.value(u"content").toString();
    if (out.content.isEmpty()) {
        out.content = choice.value(u"text").toString();
    }
    out.reasoning = delta.value(u"reasoning_content").toString();
    if (out.reasoning.isEmpty()) {
        out.reasoning = delta.value(u"reasoning").toString();
    }
    out.refusal = delta.value(u"refusal").toString();
    takeToolCalls(delta.value(u"tool_calls").toArray(), out);
    out.finish_reason = choice.value(u"finish_reason").toString();
}

void takeUsage(const QJsonObject &usage, ChatEvent &out)
{
    out.prompt_tokens = count(usage.value(u"prompt_tokens"));
    if (out.prompt_tokens) {
        out.completion_tokens = count(usage.value(u"completion_tokens"));
    }
    if (const auto cached = count(usage.value(u"prompt_tokens_details").toObject().value(u"cached_tokens"))) {
        out.cached_tokens = cached;
        out.cached_source = QStringLiteral("usage.prompt_tokens_details.cached_tokens");
    } else if (const auto hit = count(usage.value(u"prompt_cache_hit_tokens"))) {
        out.cached_tokens = hit;
        out.cached_source = QStringLiteral("usage.prompt_cache_hit_tokens");
    }
}

/// The server's own evidence beside `usage`: llama.cpp's timings, vLLM's per-request metrics.
void takeServerFigures(const QJsonObject &object, ChatEvent &out)
{
    if (const auto cached = count(object.value(u"timings").toObject().value(u"cache_n"))) {
        out.cached_tokens = cached;
        out.cached_source = QStringLiteral("timings.cache_n");
    }
    out.server_ttft_ms = duration(object.value(u"metrics").toObject().value(u"time_to_first_token_ms"));
    out.prompt_progress = object.value(u"prompt_progress").isObject();
}

/// Ollama's /api/chat and /api/generate: one object a line, the last with `done` and the counts.
void takeOllama(const QJsonObject &object, ChatEvent &out)
{
    const QJsonObject message = object.value(u"message").toObject();
    out.content = message.value(u"content").toString(object.value(u"response").toString());
    out.reasoning = message.value(u"thinking").toString(object.value(u"thinking").toString());
    takeToolCalls(message.value(u"tool_calls").toArray(), out);
    out.last = object.value(u"done").toBool();
    out.finish_reason = object.value(u"done_reason").toString();
    out.prompt_tokens = count(object.value(u"prompt_eval_count"));
    out.completion_tokens = count(object.value(u"eval_count"));
}

/// LM Studio's /api/v1/chat names its events; the name is repeated in `type`.
void takeLmStudio(const QByteArray &type, const QJsonObject &object, ChatEvent &out)
{
    if (type == "message.delta") {
        out.content = object.value(u"content").toString();
    } else if (type == "reasoning.delta") {
        out.reasoning = object.value(u"content").toString();
    } else if (type == "prompt_processing.progress") {
        out.prompt_progress = true;
    } else if (type == "chat.end") {
        out.last = true;
        const QJsonObject stats = object.value(u"result").toObject().value(u"stats").toObject();
        if (const auto seconds = duration(stats.value(u"time_to_first_token_seconds"))) {
            out.server_ttft_ms = *seconds * 1000;
        }
    }
}

void takeObject(const QJsonObject &object, const SseEvent &event, ChatEvent &out)
{
    const bool old_error = object.value(u"object").toString() == QLatin1String("error");
    if (isTruthy(object.value(u"error")) || old_error || event.type == "error") {
        out.fault = ServerFault{errorTextOf(object).simplified().left(maxErrorChars), event.data};
    }
    const QJsonArray choices = object.value(u"choices").toArray();
    if (!choices.isEmpty()) {
        takeChoice(choices.first().toObject(), out);
    }
    const QJsonObject token = object.value(u"token").toObject(); // TGI's own stream
    if (token.contains(u"text") && !token.value(u"special").toBool()) {
        out.content = token.value(u"text").toString();
    }
    takeUsage(object.value(u"usage").toObject(), out);
    takeServerFigures(object, out);
    if (object.value(u"done").isBool() && !object.contains(u"choices")) {
        takeOllama(object, out);
    } else if (!event.type.isEmpty()) {
        takeLmStudio(event.type, object, out);
    }
}

QString pageTitle(const QString &html)
{
    static const QRegularExpression title(QStringLiteral("<title[^>]*>(.*?)</title>"),
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::DotMatchesEverythingOption);
    return title.match(html).captured(1);
}

} // namespace

ChatEvent decodeChatEvent(const SseEvent &event)
{
    ChatEvent out;
    if (event.error_field) {
        out.fault = ServerFault{serverErrorText(*event.error_field), *event.error_field};
        return out;
    }
    const QByteArray data = event.data.trimmed();
    if (data == "[DONE]") {
        out.done = true;
        return out;
    }
    if (data.isEmpty()) {
        out.empty = true;
        return out;
    }
    QString problem;
    const QJsonDocument document = parseJson(data, &problem);
    if (event.type == "error" && !document.isObject()) {
        out.fault = ServerFault{serverErrorText(data), data};
    } else if (!problem.isEmpty() || !document.isObject()) {
        out.malformed = problem.isEmpty() ?
                                          //: why data is not what was expected, inside a sentence
            Texts::tr("it is not a JSON object")
                                          : problem;
    } else {
        takeObject(document.object(), event, out);
    }
    return out;
}

QString serverErrorText(const QByteArray &body)
{
    QString problem;
    const QJsonDocument document = parseJson(body, &problem);
    QString text;
    if (document.isObject()) {
        text = errorTextOf(document.object());
    } else if (document.isNull()) {
        const QString plain = QString::fromUtf8(body);
        text = plain.contains(QLatin1String("<html"), Qt::CaseInsensitive) ? pageTitle(plain)
                                                                           : plain.trimmed().section(u'\n', 0, 0);
    }
    return text.simplified().left(maxErrorChars);
}

} // namespace kvlab::probe
