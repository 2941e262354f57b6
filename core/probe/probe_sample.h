// SPDX-License-Identifier: GPL-3.0-or-later
// What one request shows: stamps, tokens, evidence, outcome. Plain values, copied across threads by queued signals.
// Stamps are nanoseconds on a monotonic clock relative to t0, the instant just before the first request byte is handed
// to the kernel on an open connection; so what happened before t0 (connecting) is negative. Absent is not zero.
#pragma once

#include "probe/tls_trust.h"

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QString>
#include <QUrl>

#include <optional>

namespace kvlab::probe {

/// How long each phase may take before the request ends with its own outcome. Milliseconds.
struct ProbeLimits
{
    int connect_ms = 5'000;
    int first_token_ms = 120'000; ///< longer than the slowest prefill expected
    int gap_ms = 30'000; ///< between events that carry something; comments do not count
    int total_ms = 600'000;
};

struct ProbeHeader
{
    QByteArray name;
    QByteArray value;
};

/// What carries a request. The stock manager is slower and only for comparison, or where nothing else gets through.
enum class Transport { low_delay, stock };

/// One POST. `headers` may carry a key: it is never copied into a ProbeSample, a log or an error text.
struct ProbeRequest
{
    QUrl url; ///< complete: http://127.0.0.1:8000/v1/chat/completions
    QByteArray body;
    QList<ProbeHeader> headers;
    ProbeLimits limits;
    TlsTrust trust;
    Transport transport = Transport::low_delay;
};

enum class Outcome {
    completed, ///< ended as it should, with at least one token
    no_token, ///< ended cleanly without any token: TTFT is none
    cancelled, ///< the user stopped it
    connect_failed, ///< refused, no route, unknown host, TLS
    connect_timeout,
    first_token_timeout,
    gap_timeout, ///< went silent after the first token
    total_timeout,
    http_error, ///< status other than 2xx (redirects included: they are not followed)
    server_error, ///< an error reported inside a 200 answer
    not_streamed, ///< 200, but not an event stream
    protocol_error, ///< broken HTTP framing, JSON or content encoding
    truncated, ///< the connection ended before the answer did
};

QString outcomeName(Outcome outcome); ///< the enumerator's own word, for CSV and JSON
QString outcomeTitle(Outcome outcome); ///< the same for people, translated: "no connection"

/// Outcomes with several causes, told apart by stable words for JSON; the status code tells HTTP refusals apart.
namespace cause {
inline const QString bad_address = QStringLiteral("bad_address");
inline const QString bad_header = QStringLiteral("bad_header");
inline const QString host_not_found = QStringLiteral("host_not_found");
inline const QString refused = QStringLiteral("refused");
inline const QString no_route = QStringLiteral("no_route");
inline const QString connect_failed = QStringLiteral("connect_failed");
inline const QString tls_self_signed = QStringLiteral("tls_self_signed");
inline const QString tls_expired = QStringLiteral("tls_expired");
inline const QString tls_wrong_host = QStringLiteral("tls_wrong_host");
inline const QString tls_untrusted = QStringLiteral("tls_untrusted");
inline const QString tls_failed = QStringLiteral("tls_failed");
inline const QString never_answered = QStringLiteral("never_answered"); ///< not even headers
inline const QString no_first_token = QStringLiteral("no_first_token"); ///< headers or events, but no token
inline const QString http_status = QStringLiteral("http_status");
inline const QString redirect = QStringLiteral("redirect");
inline const QString context_exceeded = QStringLiteral("context_exceeded");
inline const QString error_with_status_200 = QStringLiteral("error_with_status_200");
inline const QString stream_error = QStringLiteral("stream_error");
inline const QString aborted = QStringLiteral("aborted");
inline const QString not_streamed = QStringLiteral("not_streamed"); ///< the whole answer in one piece
inline const QString web_page = QStringLiteral("web_page");
inline const QString not_event_stream = QStringLiteral("not_event_stream");
inline const QString content_encoding = QStringLiteral("content_encoding");
inline const QString bad_json = QStringLiteral("bad_json");
inline const QString bad_framing = QStringLiteral("bad_framing");
inline const QString line_too_long = QStringLiteral("line_too_long");
inline const QString no_answer = QStringLiteral("no_answer");
inline const QString truncated = QStringLiteral("truncated");
inline const QString answer_without_token = QStringLiteral("answer_without_token");
inline const QString only_reasoning = QStringLiteral("only_reasoning"); ///< completed, but nothing visible
} // namespace cause

struct ProbeStamps
{
    std::optional<qint64> connect_start_ns; ///< only when this request opened the connection
    std::optional<qint64> connected_ns;
    std::optional<qint64> encrypted_ns;
    std::optional<qint64> sent_ns; ///< the last request byte was handed over
    std::optional<qint64> first_byte_ns;
    std::optional<qint64> headers_ns;
    std::optional<qint64> first_event_ns; ///< first SSE event of any content (role-only too)
    std::optional<qint64> first_token_ns; ///< first content, reasoning, tool call or refusal
    std::optional<qint64> first_content_ns; ///< first non-empty content: the TTFT that is shown
    std::optional<qint64> last_token_ns;
    std::optional<qint64> end_ns;
};

/// What the server itself said about tokens and cache.
struct Evidence
{
    std::optional<qint64> prompt_tokens;
    std::optional<qint64> completion_tokens;
    std::optional<qint64> cached_tokens;
    QString cached_source; ///< which field: "usage.prompt_tokens_details.cached_tokens", "timings.cache_n", …
    std::optional<double> server_ttft_ms;
};

/// One SSE event as it arrived; `token` says whether it carried generated text.
struct EventStamp
{
    qint64 at_ns = 0;
    bool token = false;
    qint64 bytes = 0;
    bool content = false; ///< visible text; never without token
};

struct ProbeSample
{
    Outcome outcome = Outcome::no_token;
    QString cause; ///< what exactly ended it, a word of Cause; empty when completed
    QString message; ///< empty when completed with content; else one sentence: what happened, why, what to do
    QString details; ///< raw text of the server's error, bounded; no keys
    int http_status = 0; ///< 0 = no answer
    std::optional<QString> retry_after; ///< what a refusal asks for: seconds or an HTTP date, as received
    bool new_connection = false; ///< recorded, not held against the sample
    QDateTime started_at; ///< wall clock, a label only
    std::optional<double> wall_ms; ///< t0 to the end by the wall clock, to notice that the computer slept
    ProbeStamps stamps;
    Evidence evidence;
    QString text; ///< generated text, bounded to 64 KiB
    QString reasoning;
    QString finish_reason;
    QList<EventStamp> events; ///< bounded to 4,096
    QStringList notes; ///< no_done, unterminated_tail, data_after_done, left_open (no end after [DONE])
    QStringList tainted; ///< why the time cannot be trusted, words of taint.h; empty = clean

    /// From t0 to the event that completed the first content; nullopt when there was none. Milliseconds.
    std::optional<double> ttftMs() const;
    std::optional<double> ttftAnyMs() const;
    std::optional<double> connectMs() const; ///< only when this request opened the connection
    std::optional<double> headersMs() const;
    std::optional<double> totalMs() const;
};

} // namespace kvlab::probe

Q_DECLARE_METATYPE(kvlab::probe::ProbeSample)
