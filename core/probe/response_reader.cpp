// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/response_reader.h"

#include "probe/probe_messages.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <utility>

namespace kvlab::probe {

namespace {

constexpr qsizetype maxTextChars = 64 * 1024;
constexpr qsizetype maxDetailBytes = 64 * 1024;
/// A little more than is kept, so that a key at the border is whole when it is taken out.
constexpr qsizetype maxCaptureBytes = maxDetailBytes + 16 * 1024;
constexpr qsizetype maxEvents = 4096;

void appendBounded(QString &text, const QString &part)
{
    text.append(QStringView(part).left(maxTextChars - text.size()));
}

QString boundedText(const QByteArray &bytes)
{
    return QString::fromUtf8(bytes.left(maxDetailBytes));
}

QString causeOf(const HttpRefusal &refusal)
{
    if (refusal.status >= 300 && refusal.status < 400) {
        return cause::redirect;
    }
    return ProbeMessages::isTooLong(refusal) ? cause::context_exceeded : cause::http_status;
}

} // namespace

ResponseReader::ResponseReader(const QUrl &url, const Secrets &secrets)
    : m_url(url)
    , m_secrets(secrets)
{
}

void ResponseReader::feed(QByteArrayView bytes, qint64 at_ns)
{
    if (m_finished || bytes.isEmpty()) {
        return;
    }
    if (!m_sample.stamps.first_byte_ns) {
        m_sample.stamps.first_byte_ns = at_ns;
    }
    const QByteArray body = m_http.feed(bytes);
    if (m_mode == Mode::undecided && m_http.headComplete()) {
        takeHead(at_ns);
    }
    if (!m_finished && !body.isEmpty()) {
        takeBodyBytes(body, at_ns);
    }
    if (m_http.state() == HttpResponseParser::State::broken && m_mode != Mode::collect) {
        conclude({Outcome::protocol_error, cause::bad_framing, ProbeMessages::brokenHttp(m_http.problem())}, at_ns);
    } else if (m_http.state() != HttpResponseParser::State::head && m_http.state() != HttpResponseParser::State::body) {
        endOfAnswer(at_ns);
    }
}

void ResponseReader::endOfConnection(qint64 at_ns)
{
    m_http.finish();
    endOfAnswer(at_ns);
}

void ResponseReader::endAfterDone()
{
    note(QStringLiteral("left_open"));
    concludeStream(m_sample.events.isEmpty() ? 0 : m_sample.events.last().at_ns);
}

void ResponseReader::takeHead(qint64 at_ns)
{
    m_sample.http_status = m_http.status();
    m_sample.stamps.headers_ns = at_ns;
    m_content_type = m_http.header("content-type").split(';').first().trimmed().toLower();
    const QByteArray encoding = m_http.header("content-encoding").trimmed().toLower();
    // Some proxies forget or blur the type of a stream; whether it was one shows at the end.
    static const QByteArrayList streams{
        "", "text/event-stream", "text/plain", "application/octet-stream", "application/x-ndjson"};
    m_is_ndjson = m_content_type == "application/x-ndjson";
    m_mode = isSuccess() && streams.contains(m_content_type) ? Mode::stream : Mode::collect;
    if (isSuccess() && !encoding.isEmpty() && encoding != "identity") {
        conclude({Outcome::protocol_error, cause::content_encoding, ProbeMessages::compressed(encoding)}, at_ns);
    }
}

bool ResponseReader::isSuccess() const
{
    return m_sample.http_status >= 200 && m_sample.http_status < 300;
}

void ResponseReader::takeBodyBytes(const QByteArray &bytes, qint64 at_ns)
{
    m_unread.append(bytes);
    if (m_mode == Mode::collect) {
        capture(bytes);
        if (m_captured.size() >= maxCaptureBytes) {
            concludeCollected(at_ns);
        }
        return;
    }
    if (m_sample.events.isEmpty()) {
        capture(bytes);
    }
    takeEvents(m_is_ndjson ? m_lines.feed(bytes) : m_sse.feed(bytes), at_ns);
    if (m_sse.failed() || m_lines.failed()) {
        conclude({Outcome::protocol_error, cause::line_too_long, ProbeMessages::lineTooLong()}, at_ns);
    }
}

void ResponseReader::capture(const QByteArray &bytes)
{
    m_captured.append(QByteArrayView(bytes).first(qMin(bytes.size(), maxCaptureBytes - m_captured.size())));
}

void ResponseReader::takeEvents(const QList<SseEvent> &events, qint64 at_ns)
{
    for (const SseEvent &event : events) {
        if (m_finished) {
            return;
        }
        if (m_done) {
            note(QStringLiteral("data_after_done"));
            return;
        }
        takeEvent(event, at_ns);
    }
}

void ResponseReader::takeEvent(const SseEvent &event, qint64 at_ns)
{
    const ChatEvent chat = decodeChatEvent(event);
    if (m_sample.events.size() < maxEvents) {
        m_sample.events.append({at_ns, chat.isToken(), event.data.size(), !chat.content.isEmpty()});
    }
    noteFacts(chat);
    m_facts.comments = event.comments;
    m_done = m_done || chat.done || chat.last;
    if (chat.empty || chat.done) {
        return;
    }
    ++m_events_seen;
    if (!m_sample.stamps.first_event_ns) {
        m_sample.stamps.first_event_ns = at_ns;
    }
    takeTokens(chat, at_ns);
    takeEvidence(chat);
    if (chat.fault) {
        // Decoded once more without keys, so that shortening cannot leave half of one.
        SseEvent clean = event;
        clean.data = m_secrets.removedFrom(event.data);
        if (event.error_field) {
            clean.error_field = m_secrets.removedFrom(*event.error_field);
        }
        m_ended_by_event = true;
        const ChatEvent told = decodeChatEvent(clean);
        const ServerFault fault = told.fault.value_or(ServerFault{});
        m_sample.details = boundedText(fault.raw);
        conclude({Outcome::server_error, cause::stream_error, ProbeMessages::serverError(fault.message)}, at_ns);
    } else if (!chat.malformed.isEmpty()) {
        m_ended_by_event = true;
        m_sample.details = boundedText(m_secrets.removedFrom(event.data.left(maxCaptureBytes)));
        conclude({Outcome::protocol_error, cause::bad_json, ProbeMessages::badEvent(chat.malformed)}, at_ns);
    }
}

void ResponseReader::noteFacts(const ChatEvent &event)
{
    const qint64 index = m_facts.events++;
    if (event.isToken() && !m_facts.first_token_event) {
        m_facts.first_token_event = index;
    }
    if (!event.content.isEmpty() && !m_facts.first_content_event) {
        m_facts.first_content_event = index;
    }
    if (event.completion_tokens.value_or(0) >= 1 && !m_facts.first_generated_event) {
        m_facts.first_generated_event = index;
    }
    m_facts.text_length += event.content.toUcs4().size();
}

StreamFacts ResponseReader::facts() const
{
    StreamFacts facts = m_facts;
    // What the read that brought a fatal event held behind it depends on how the bytes were divided.
    if (!m_ended_by_event) {
        facts.comments = m_sse.comments();
    }
    return facts;
}

void ResponseReader::takeTokens(const ChatEvent &event, qint64 at_ns)
{
    if (!event.finish_reason.isEmpty()) {
        m_sample.finish_reason = event.finish_reason.left(100);
    }
    if (!event.isToken()) {
        return;
    }
    ProbeStamps &stamps = m_sample.stamps;
    stamps.last_token_ns = at_ns;
    if (!stamps.first_token_ns) {
        stamps.first_token_ns = at_ns;
    }
    if (!stamps.first_content_ns && !event.content.isEmpty()) {
        stamps.first_content_ns = at_ns;
    }
    appendBounded(m_sample.text, event.content);
    appendBounded(m_sample.reasoning, event.reasoning);
}

void ResponseReader::takeEvidence(const ChatEvent &event)
{
    Evidence &evidence = m_sample.evidence;
    if (event.prompt_tokens) {
        evidence.prompt_tokens = event.prompt_tokens;
    }
    if (event.completion_tokens) {
        evidence.completion_tokens = event.completion_tokens;
    }
    if (event.cached_tokens) {
        evidence.cached_tokens = event.cached_tokens;
        evidence.cached_source = event.cached_source;
    }
    if (event.server_ttft_ms) {
        evidence.server_ttft_ms = event.server_ttft_ms;
    }
}

void ResponseReader::endOfAnswer(qint64 at_ns)
{
    if (m_finished) {
        return;
    }
    switch (m_mode) {
    case Mode::undecided:
        conclude({Outcome::truncated, cause::no_answer, ProbeMessages::noAnswer()}, at_ns);
        break;
    case Mode::collect:
        concludeCollected(at_ns);
        break;
    case Mode::stream:
        concludeStream(at_ns);
        break;
    }
}

void ResponseReader::concludeCollected(qint64 at_ns)
{
    const QByteArray body = m_secrets.removedFrom(m_captured);
    m_sample.details = boundedText(body);
    if (!isSuccess()) {
        const HttpRefusal refusal{m_http.status(), m_http.reason(), serverErrorText(body), m_http.header("retry-after"),
            m_http.header("location"), m_url};
        if (!refusal.retry_after.isEmpty()) {
            m_sample.retry_after = QString::fromLatin1(refusal.retry_after.left(100));
        }
        conclude({Outcome::http_error, causeOf(refusal), ProbeMessages::refused(refusal)}, at_ns);
    } else if (m_content_type.endsWith("/json") || m_content_type.endsWith("+json")) {
        concludeJson(body, at_ns);
    } else if (m_content_type == "text/html") {
        conclude({Outcome::not_streamed, cause::web_page, ProbeMessages::webPage(serverErrorText(body))}, at_ns);
    } else {
        conclude({Outcome::not_streamed, cause::not_event_stream, ProbeMessages::otherFormat(m_content_type)}, at_ns);
    }
}

void ResponseReader::concludeJson(const QByteArray &body, qint64 at_ns)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(body, &error);
    const QString text = serverErrorText(body);
    SseEvent whole;
    whole.data = body;
    takeEvidence(decodeChatEvent(whole)); // of a request that asked for no stream
    if (m_captured.size() >= maxCaptureBytes || document.object().contains(u"choices")) {
        conclude({Outcome::not_streamed, cause::not_streamed, ProbeMessages::wholeAnswer()}, at_ns);
    } else if (m_http.state() == HttpResponseParser::State::truncated) {
        conclude({Outcome::truncated, cause::truncated, ProbeMessages::truncated()}, at_ns);
    } else if (error.error != QJsonParseError::NoError) {
        conclude({Outcome::protocol_error, cause::bad_json, ProbeMessages::notJson(error.errorString())}, at_ns);
    } else if (!text.isEmpty() || document.object().contains(u"error")) {
        conclude({Outcome::server_error, cause::error_with_status_200, ProbeMessages::serverError(text)}, at_ns);
    } else {
        conclude({Outcome::not_streamed, cause::not_streamed, ProbeMessages::wholeAnswer()}, at_ns);
    }
}

void ResponseReader::concludeStream(qint64 at_ns)
{
    takeEvents(m_is_ndjson ? m_lines.finish() : m_sse.finish(), at_ns);
    if (m_finished) {
        return;
    }
    if (m_sse.hadUnterminatedTail() || m_lines.hadUnterminatedTail()) {
        note(QStringLiteral("unterminated_tail"));
    }
    if (m_http.state() == HttpResponseParser::State::truncated) {
        conclude({Outcome::truncated, cause::truncated, ProbeMessages::truncated()}, at_ns);
        return;
    }
    if (m_sample.events.isEmpty() && m_sse.comments() == 0 && !m_captured.isEmpty()) {
        m_sample.details = boundedText(m_secrets.removedFrom(m_captured));
        conclude({Outcome::not_streamed, cause::not_event_stream, ProbeMessages::otherFormat(m_content_type)}, at_ns);
        return;
    }
    if (!m_done) {
        note(QStringLiteral("no_done"));
    }
    if (m_sample.finish_reason == QLatin1String("abort")) {
        conclude({Outcome::server_error, cause::aborted, ProbeMessages::aborted()}, at_ns);
    } else if (!m_sample.stamps.first_token_ns) {
        conclude({Outcome::no_token, cause::answer_without_token, ProbeMessages::noToken()}, at_ns);
    } else if (!m_sample.stamps.first_content_ns) {
        conclude({Outcome::completed, cause::only_reasoning, ProbeMessages::noContent()}, at_ns);
    } else {
        conclude({}, at_ns);
    }
}

void ResponseReader::conclude(const Ending &ending, qint64 at_ns)
{
    if (std::exchange(m_finished, true)) {
        return;
    }
    m_sample.outcome = ending.outcome;
    m_sample.cause = ending.cause;
    m_sample.stamps.end_ns = at_ns;
    m_sample.message = m_secrets.removedFrom(ending.message);
    if (!ending.details.isEmpty()) {
        m_sample.details = ending.details;
    }
    for (QString *text : {&m_sample.details, &m_sample.text, &m_sample.reasoning, &m_sample.finish_reason}) {
        *text = m_secrets.removedFrom(*text);
    }
}

void ResponseReader::note(const QString &word)
{
    if (!m_sample.notes.contains(word)) {
        m_sample.notes.append(word);
    }
}

QByteArray ResponseReader::takeBody()
{
    return std::exchange(m_unread, {});
}

} // namespace kvlab::probe
