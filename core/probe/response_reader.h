// SPDX-License-Identifier: GPL-3.0-or-later
// Turns the raw bytes of one answer, with the instants at which they arrived, into a ProbeSample: HTTP, then SSE, then
// chat events. It has no socket and no clock, so live and recorded answers go through the same code.
// Instants are nanoseconds since t0 (see probe_sample.h).
#pragma once

#include "probe/chat_decoder.h"
#include "probe/http_response_parser.h"
#include "probe/ndjson_parser.h"
#include "probe/secrets.h"
#include "probe/sse_parser.h"

namespace kvlab::probe {

/// How one request ended: an outcome, the word for its cause and the sentence for people.
struct Ending
{
    Outcome outcome = Outcome::completed;
    QString cause = {};
    QString message = {};
    QString details = {}; ///< raw facts beside the message; empty = those collected before
};

/// What a stream showed beyond what a sample keeps. Indices count events (lines of NDJSON) from 0.
struct StreamFacts
{
    qint64 events = 0; ///< dispatched, [DONE] included
    qint64 comments = 0;
    std::optional<qint64> first_token_event;
    std::optional<qint64> first_content_event;
    std::optional<qint64> first_generated_event; ///< first whose usage shows a produced token
    qint64 text_length = 0; ///< code points of the whole text, which a sample keeps bounded
};

class ResponseReader
{
public:
    /// `url` is the address asked, for resolving redirects; `secrets` never appear in the sample.
    explicit ResponseReader(const QUrl &url, const Secrets &secrets = {});

    void feed(QByteArrayView bytes, qint64 at_ns);

    /// The connection has ended.
    void endOfConnection(qint64 at_ns);

    /// [DONE] was seen and the server does not end its answer: what there is counts.
    void endAfterDone();

    /// Something outside ended the request: a limit, the user, the network. Without effect when finished already.
    void conclude(const Ending &ending, qint64 at_ns);

    bool isFinished() const { return m_finished; }
    bool sawDone() const { return m_done; } ///< [DONE] or its like was seen: only the end of the answer is missing
    qint64 eventsSeen() const { return m_events_seen; } ///< those that carry data; comments and pings do not count
    const ProbeSample &sample() const { return m_sample; }
    StreamFacts facts() const;
    const HttpResponseParser &http() const { return m_http; }
    QByteArray takeBody(); ///< body bytes since the last call

private:
    enum class Mode { undecided, stream, collect };

    void takeHead(qint64 at_ns);
    void takeBodyBytes(const QByteArray &bytes, qint64 at_ns);
    void capture(const QByteArray &bytes);
    void takeEvents(const QList<SseEvent> &events, qint64 at_ns);
    void takeEvent(const SseEvent &event, qint64 at_ns);
    void noteFacts(const ChatEvent &event);
    void takeTokens(const ChatEvent &event, qint64 at_ns);
    void takeEvidence(const ChatEvent &event);
    void endOfAnswer(qint64 at_ns);
    void concludeCollected(qint64 at_ns);
    void concludeJson(const QByteArray &body, qint64 at_ns);
    void concludeStream(qint64 at_ns);
    void note(const QString &word);
    bool isSuccess() const;

    QUrl m_url;
    Secrets m_secrets;
    HttpResponseParser m_http;
    SseParser m_sse;
    NdjsonParser m_lines;
    bool m_is_ndjson = false; ///< m_lines reads the stream instead of m_sse
    StreamFacts m_facts; ///< comments up to the last event
    bool m_ended_by_event = false; ///< an error or bad data
    ProbeSample m_sample;
    Mode m_mode = Mode::undecided;
    QByteArray m_content_type;
    QByteArray m_captured; ///< body text for error messages, bounded
    QByteArray m_unread;
    qint64 m_events_seen = 0;
    bool m_done = false;
    bool m_finished = false;
};

} // namespace kvlab::probe
