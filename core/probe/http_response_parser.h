// SPDX-License-Identifier: GPL-3.0-or-later
// Takes the bytes of one HTTP/1.x answer in any pieces and gives back its head and its body, chunk framing removed.
// The grammar is Boost.Beast's parser, fed by hand: no sockets of its own. 1xx answers are skipped.
#pragma once

#include "probe/probe_sample.h"

#include <memory>

namespace kvlab::probe {

class HttpResponseParser
{
public:
    enum class State {
        head, ///< waiting for the status line and the header fields
        body,
        complete, ///< the whole answer was seen
        truncated, ///< the connection ended first
        broken, ///< not HTTP, or broken framing: see problem()
    };

    HttpResponseParser();
    ~HttpResponseParser();

    /// Takes the next bytes and returns the body bytes they held. Bytes after the end of the answer are only counted.
    QByteArray feed(QByteArrayView bytes);

    /// The connection has ended: an answer without a length is complete now, any other is truncated.
    void finish();

    State state() const;
    QString problem() const; ///< the parser's own words

    int status() const; ///< 0 until the head is complete
    QByteArray reason() const;
    QList<ProbeHeader> headers() const;
    QByteArray header(QByteArrayView name) const; ///< first of that name in any case; empty when there is none
    bool headComplete() const;
    bool mayBeKept() const; ///< the server lets the connection be used again, and nothing follows the answer

private:
    class Beast;
    std::unique_ptr<Beast> d;
};

} // namespace kvlab::probe
