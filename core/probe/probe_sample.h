// SPDX-License-Identifier: GPL-3.0-or-later
// What one request shows: stamps, tokens, evidence, outcome. Plain values, copied across threads by queued signals.
// Stamps are nanoseconds on a monotonic clock relative to t0, the instant just before the first request byte is handed
// to the kernel on an open connection; so what happened before t0 (connecting) is negative. Absent is not zero.
#pragma once

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

enum class Endpoint { chat, completions };

/// One POST. `headers` may carry a key: it is never copied into a ProbeSample, a log or an error text.
struct ProbeRequest
{
    QUrl url; ///< complete: http://127.0.0.1:8000/v1/chat/completions
    QByteArray body;
    QList<ProbeHeader> headers;
    Endpoint endpoint = Endpoint::chat;
    ProbeLimits limits;
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
};

struct ProbeSample
{
    Outcome outcome = Outcome::no_token;
    QString message; ///< empty when completed with content; else one sentence: what happened, why, what to do
    QString details; ///< raw text of the server's error, bounded; no keys
    int http_status = 0; ///< 0 = no answer
    bool new_connection = false; ///< recorded, not held against the sample
    QDateTime started_at; ///< wall clock, a label only
    ProbeStamps stamps;
    Evidence evidence;
    QString text; ///< generated text, bounded to 64 KiB
    QString reasoning;
    QString finish_reason;
    QList<EventStamp> events; ///< bounded to 4,096
    QStringList notes; ///< no_done, unterminated_tail, data_after_done, left_open (no end after [DONE])
    QStringList tainted; ///< why the time cannot be trusted: busy_thread, …; empty = clean

    /// From t0 to the event that completed the first content; nullopt when there was none. Milliseconds.
    std::optional<double> ttftMs() const;
    std::optional<double> ttftAnyMs() const;
    std::optional<double> connectMs() const; ///< only when this request opened the connection
    std::optional<double> headersMs() const;
    std::optional<double> totalMs() const;
};

} // namespace kvlab::probe

Q_DECLARE_METATYPE(kvlab::probe::ProbeSample)
