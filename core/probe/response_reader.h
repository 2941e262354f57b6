// SPDX-License-Identifier: GPL-3.0-or-later
// Turns the raw bytes of one answer, with the instants at which they arrived, into a ProbeSample: HTTP, then SSE, then
// chat events. It has no socket and no clock, so live and recorded answers go through the same code.
// Instants are nanoseconds since t0 (see probe_sample.h).
#pragma once

#include "probe/chat_decoder.h"
#include "probe/http_response_parser.h"
#include "probe/secrets.h"
#include "probe/sse_parser.h"

namespace kvlab::probe {

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
    void conclude(Outcome outcome, const QString &message, qint64 at_ns);

    bool isFinished() const { return m_finished; }
    bool sawDone() const { return m_done; } ///< [DONE] was seen: only the end of the answer is missing
    qint64 eventsSeen() const { return m_events_seen; } ///< those that carry data; comments and pings do not count
    const ProbeSample &sample() const { return m_sample; }
    const HttpResponseParser &http() const { return m_http; }
    QByteArray takeBody(); ///< body bytes since the last call

private:
    enum class Mode { undecided, stream, collect };

    void takeHead(qint64 at_ns);
    void takeBodyBytes(const QByteArray &bytes, qint64 at_ns);
    void capture(const QByteArray &bytes);
    void takeEvents(const QList<SseEvent> &events, qint64 at_ns);
    void takeEvent(const SseEvent &event, qint64 at_ns);
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
