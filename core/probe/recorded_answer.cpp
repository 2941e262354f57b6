// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/recorded_answer.h"

#include <QJsonArray>

namespace kvlab::probe {

namespace {

const QUrl anyAddress(QStringLiteral("http://127.0.0.1/v1/chat/completions"));

/// Only single bytes tell where in the piece that brought the token, from `start` on, it lies.
std::optional<qint64> firstTokenOffset(const QByteArray &raw, qsizetype start)
{
    ResponseReader reader(anyAddress);
    reader.feed(QByteArrayView(raw).first(start), start - 1);
    for (qsizetype at = start; at < raw.size() && !reader.sample().stamps.first_token_ns; ++at)
        reader.feed(QByteArrayView(raw).sliced(at, 1), at);
    if (!reader.sample().stamps.first_token_ns)
        reader.endOfConnection(raw.size());
    return reader.sample().stamps.first_token_ns;
}

template <typename Number> QJsonValue json(const std::optional<Number> &value)
{
    return value ? QJsonValue(*value) : QJsonValue(QJsonValue::Null);
}

QString resultWord(const ProbeSample &sample)
{
    if (sample.outcome == Outcome::completed)
        return QStringLiteral("ok");
    return sample.outcome == Outcome::no_token ? QStringLiteral("no_token") : QStringLiteral("error");
}

/// The causes that the reference streams do not tell apart.
QString errorKind(const ProbeSample &sample)
{
    const QString &word = sample.cause;
    if (word == cause::context_exceeded)
        return cause::http_status;
    if (word == cause::aborted)
        return cause::stream_error;
    if (word == cause::web_page)
        return cause::not_event_stream;
    if (word == cause::line_too_long)
        return cause::bad_framing;
    return word == cause::no_answer ? cause::truncated : word;
}

QJsonValue usageJson(const Evidence &evidence)
{
    if (!evidence.prompt_tokens && !evidence.completion_tokens)
        return QJsonValue::Null;
    return QJsonObject{{QStringLiteral("prompt_tokens"), json(evidence.prompt_tokens)},
        {QStringLiteral("completion_tokens"), json(evidence.completion_tokens)}};
}

} // namespace

RecordedAnswer decodeRecording(const QByteArray &raw, const PieceSize &nextSize)
{
    ResponseReader reader(anyAddress);
    qsizetype beforeToken = 0;
    for (qsizetype at = 0; at < raw.size();) {
        const qsizetype size = qBound<qsizetype>(1, nextSize(), raw.size() - at);
        reader.feed(QByteArrayView(raw).sliced(at, size), at + size - 1);
        at += size;
        if (!reader.sample().stamps.first_token_ns)
            beforeToken = at;
    }
    reader.endOfConnection(raw.size());
    RecordedAnswer answer{reader.sample(), reader.facts(), std::nullopt};
    if (answer.sample.stamps.first_token_ns)
        answer.first_token_offset = firstTokenOffset(raw, beforeToken);
    return answer;
}

QJsonObject toJson(const RecordedAnswer &answer)
{
    const ProbeSample &sample = answer.sample;
    const bool isError = resultWord(sample) == QLatin1String("error");
    const bool hasMessage = !sample.message.isEmpty();
    return {{QStringLiteral("result"), resultWord(sample)},
        {QStringLiteral("error_kind"), isError ? QJsonValue(errorKind(sample)) : QJsonValue(QJsonValue::Null)},
        {QStringLiteral("error_message"), hasMessage ? QJsonValue(sample.message) : QJsonValue(QJsonValue::Null)},
        {QStringLiteral("http_status"),
            sample.http_status == 0 ? QJsonValue(QJsonValue::Null) : QJsonValue(sample.http_status)},
        {QStringLiteral("first_token_event"), json(answer.facts.first_token_event)},
        {QStringLiteral("first_content_event"), json(answer.facts.first_content_event)},
        {QStringLiteral("first_generated_event"), json(answer.facts.first_generated_event)},
        {QStringLiteral("first_token_offset"), json(answer.first_token_offset)}, {QStringLiteral("text"), sample.text},
        {QStringLiteral("text_length"), answer.facts.text_length}, {QStringLiteral("reasoning"), sample.reasoning},
        {QStringLiteral("usage"), usageJson(sample.evidence)},
        {QStringLiteral("cached_tokens"), json(sample.evidence.cached_tokens)},
        {QStringLiteral("cached_source"), sample.evidence.cached_source},
        {QStringLiteral("finish_reason"),
            sample.finish_reason.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(sample.finish_reason)},
        {QStringLiteral("retry_after"), json(sample.retry_after)},
        {QStringLiteral("server_ttft_ms"), json(sample.evidence.server_ttft_ms)},
        {QStringLiteral("comments"), answer.facts.comments}, {QStringLiteral("events"), answer.facts.events},
        {QStringLiteral("notes"), QJsonArray::fromStringList(sample.notes)}};
}

} // namespace kvlab::probe
