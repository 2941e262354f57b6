// SPDX-License-Identifier: GPL-3.0-or-later
// Splits the body of an application/x-ndjson answer (Ollama's native routes: one JSON object a line) into events, each
// with its line as data. Bytes may come in any pieces: the events are the same.
#pragma once

#include "probe/sse_parser.h"

namespace kvlab::probe {

class NdjsonParser
{
public:
    /// Takes the next bytes and returns the lines they completed; empty lines are none.
    QList<SseEvent> feed(QByteArrayView bytes);

    /// The stream has ended: returns the last line when no line end followed it.
    QList<SseEvent> finish();

    bool failed() const { return m_failed; } ///< a line longer than SseParser::maxLineBytes
    bool hadUnterminatedTail() const { return m_tail; }

private:
    void takeLine(QList<SseEvent> &events, bool unterminated);

    QByteArray m_line;
    bool m_failed = false;
    bool m_tail = false;
};

} // namespace kvlab::probe
