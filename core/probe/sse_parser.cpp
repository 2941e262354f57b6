// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/sse_parser.h"

#include <algorithm>
#include <utility>

namespace kvlab::probe {

namespace {

bool endsLine(char c)
{
    return c == '\n' || c == '\r';
}

} // namespace

QList<SseEvent> SseParser::feed(QByteArrayView bytes)
{
    QList<SseEvent> events;
    const char *at = bytes.begin();
    while (at != bytes.end() && !m_failed && !m_ended) {
        if (std::exchange(m_swallow_lf, false) && *at == '\n') {
            ++at;
            continue;
        }
        const char *end = std::find_if(at, bytes.end(), endsLine);
        append(QByteArrayView(at, end));
        if (end == bytes.end() || m_failed) {
            break;
        }
        m_swallow_lf = *end == '\r';
        takeLine(events);
        at = end + 1;
    }
    return events;
}

QList<SseEvent> SseParser::finish()
{
    QList<SseEvent> events;
    if (m_failed || m_ended) {
        return events;
    }
    if (!m_line.isEmpty()) {
        m_tail = true;
        takeLine(events);
    }
    if (m_has_data || m_event.error_field) {
        m_tail = true;
        dispatch(events, true);
    }
    m_ended = true;
    return events;
}

void SseParser::append(QByteArrayView bytes)
{
    if (m_line.size() + m_event.data.size() + bytes.size() > maxLineBytes) {
        m_failed = true;
        m_line.clear();
        m_event = {};
        return;
    }
    m_line.append(bytes.data(), bytes.size());
}

void SseParser::takeLine(QList<SseEvent> &events)
{
    QByteArrayView line(m_line);
    if (std::exchange(m_first_line, false) && line.startsWith("\xef\xbb\xbf")) {
        line = line.sliced(3);
    }
    if (line.isEmpty()) {
        dispatch(events, false);
    } else if (line.front() == ':') {
        ++m_comments;
    } else {
        const qsizetype colon = line.indexOf(':');
        const QByteArrayView name = colon < 0 ? line : line.first(colon);
        QByteArrayView value = colon < 0 ? QByteArrayView() : line.sliced(colon + 1);
        if (value.startsWith(' ')) {
            value = value.sliced(1);
        }
        takeField(name, value);
    }
    m_line.clear();
}

void SseParser::takeField(QByteArrayView name, QByteArrayView value)
{
    if (name == "data") {
        if (m_has_data) {
            m_event.data.append('\n');
        }
        m_event.data.append(value.data(), value.size());
        m_has_data = true;
    } else if (name == "event") {
        m_event.type = value.toByteArray();
    } else if (name == "id") {
        if (!value.contains('\0')) {
            m_event.last_id = value.toByteArray();
        }
    } else if (name == "error") {
        m_event.error_field = value.toByteArray();
    }
    // `retry` is of no use to a client that never reconnects; every other name is ignored by the standard.
}

void SseParser::dispatch(QList<SseEvent> &events, bool unterminated)
{
    SseEvent event = std::exchange(m_event, {});
    m_event.last_id = event.last_id;
    if (std::exchange(m_has_data, false) || event.error_field) {
        event.unterminated = unterminated;
        event.comments = m_comments;
        events.append(std::move(event));
    }
}

} // namespace kvlab::probe
