// SPDX-License-Identifier: GPL-3.0-or-later
// Splits the body of a text/event-stream answer into events. Bytes may come in any pieces: the events are the same.
// Rules: WHATWG HTML, "Server-sent events", with two deviations that measuring needs: an event that the end of the
// stream leaves unterminated is delivered (marked), and the field `error`, which old llama.cpp servers send, is kept.
// A lone CR ends its line at once (waiting for a possible LF would delay the time stamp); an LF that follows is
// swallowed.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>
#include <QString>

#include <optional>

namespace kvlab::probe {

struct SseEvent
{
    QByteArray type; ///< the `event` field; empty = message
    QByteArray data; ///< UTF-8 as received, `data` lines joined by LF
    QByteArray last_id; ///< the last `id` seen in the stream so far
    std::optional<QByteArray> error_field; ///< value of a line `error: …`, which no standard knows
    bool unterminated = false; ///< the stream ended before the blank line
    qint64 comments = 0; ///< comment lines of the stream before the end of this event
};

class SseParser
{
public:
    /// Longest line and longest event, in bytes. Beyond it the parser stops: failed() is true.
    static constexpr qsizetype maxLineBytes = 16 * 1024 * 1024;

    /// Takes the next bytes and returns the events they completed.
    QList<SseEvent> feed(QByteArrayView bytes);

    /// The stream has ended: returns what was left unterminated. After it the parser takes nothing more.
    QList<SseEvent> finish();

    bool failed() const { return m_failed; }
    qint64 comments() const { return m_comments; }
    bool hadUnterminatedTail() const { return m_tail; }

private:
    void takeLine(QList<SseEvent> &events);
    void takeField(QByteArrayView name, QByteArrayView value);
    void dispatch(QList<SseEvent> &events, bool unterminated);
    void append(QByteArrayView bytes);

    QByteArray m_line;
    SseEvent m_event;
    bool m_has_data = false;
    bool m_first_line = true;
    bool m_swallow_lf = false;
    bool m_failed = false;
    bool m_ended = false;
    bool m_tail = false;
    qint64 m_comments = 0;
};

} // namespace kvlab::probe
