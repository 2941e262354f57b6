// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/ndjson_parser.h"

#include <algorithm>
#include <utility>

namespace kvlab::probe {

QList<SseEvent> NdjsonParser::feed(QByteArrayView bytes)
{
    QList<SseEvent> events;
    const char *at = bytes.begin();
    while (at != bytes.end() && !m_failed) {
        const char *end = std::find(at, bytes.end(), '\n');
        if (m_line.size() + (end - at) > SseParser::maxLineBytes) {
            m_failed = true;
            m_line.clear();
            break;
        }
        m_line.append(at, end - at);
        if (end == bytes.end()) {
            break;
        }
        takeLine(events, false);
        at = end + 1;
    }
    return events;
}

QList<SseEvent> NdjsonParser::finish()
{
    QList<SseEvent> events;
    if (!m_failed) {
        takeLine(events, true);
        m_tail = !events.isEmpty();
    }
    return events;
}

void NdjsonParser::takeLine(QList<SseEvent> &events, bool unterminated)
{
    SseEvent event;
    event.data = std::exchange(m_line, {}).trimmed();
    event.unterminated = unterminated;
    if (!event.data.isEmpty()) {
        events.append(event);
    }
}

} // namespace kvlab::probe
