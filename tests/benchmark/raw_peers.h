// SPDX-License-Identifier: GPL-3.0-or-later
// Both ends of a connection without Qt, on blocking sockets: a server whose delay is known, and the plainest client
// there is.
#pragma once

#include <QByteArray>

#include <memory>
#include <optional>

namespace kvlab::benchmark {

/// Answers every POST with a one-token stream exactly `delay_ns` after the last byte of the request was read: it sleeps
/// until shortly before and spins the rest. One thread a connection, connections are kept.
class DelayServer
{
public:
    explicit DelayServer(qint64 delay_ns);
    ~DelayServer();

    quint16 port() const;
    int connectionCount() const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

/// Blocking write, blocking reads, TCP_NODELAY, one connection.
class RawClient
{
public:
    explicit RawClient(quint16 port);
    ~RawClient();

    /// From just before the write to the return of the read that completed the token. Nanoseconds; nullopt when it
    /// failed.
    std::optional<qint64> timeToFirstToken(const QByteArray &request);

private:
    class Private;
    std::unique_ptr<Private> d;
};

/// Whether an answer holds the whole event with the token. Both clients that have no SSE parser use it.
bool holdsToken(const QByteArray &answer);
bool isWholeAnswer(const QByteArray &answer);

} // namespace kvlab::benchmark
