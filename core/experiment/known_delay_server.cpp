// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/known_delay_server.h"

#include "probe/probe_clock.h"

#include <QTcpServer>
#include <QTcpSocket>

#include <chrono>
#include <thread>

namespace kvlab::experiment {

namespace {

constexpr int pollMs = 50; // how soon a stop is noticed

QByteArray chunk(const QByteArray &bytes)
{
    return QByteArray::number(bytes.size(), 16) + "\r\n" + bytes + "\r\n";
}

QByteArray answer(bool closes)
{
    const QByteArray head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n";
    return head + (closes ? "Connection: close\r\n\r\n" : "\r\n")
        + chunk("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\n") + chunk("data: [DONE]\n\n")
        + "0\r\n\r\n";
}

/// Size of the whole request once its head is there.
qsizetype wholeSize(const QByteArray &received)
{
    const qsizetype headEnd = received.indexOf("\r\n\r\n");
    if (headEnd < 0)
        return -1;
    const QByteArray head = received.first(headEnd).toLower();
    const qsizetype at = head.indexOf("\r\ncontent-length:");
    const qsizetype end = head.indexOf("\r\n", at + 2);
    const QByteArray length = head.mid(at + 17, end < 0 ? -1 : end - at - 17);
    return headEnd + 4 + (at < 0 ? 0 : length.trimmed().toLongLong());
}

/// Sleeping alone may overshoot by a scheduler's slice.
void waitUntil(qint64 then_ns)
{
    constexpr qint64 spin_ns = 2'000'000;
    const qint64 left = then_ns - spin_ns - probe::monotonicNs();
    if (left > 0)
        std::this_thread::sleep_for(std::chrono::nanoseconds(left));
    while (probe::monotonicNs() < then_ns) { }
}

} // namespace

KnownDelayServer::KnownDelayServer(int delay_ms)
    : m_delay_ms(delay_ms)
{
    start();
    while (!m_ready)
        QThread::usleep(100);
}

KnownDelayServer::~KnownDelayServer()
{
    m_stop = true;
    wait();
}

void KnownDelayServer::run()
{
    QTcpServer server;
    if (server.listen(QHostAddress::LocalHost))
        m_port = server.serverPort();
    m_ready = true;
    while (!m_stop && m_port != 0) {
        if (!server.waitForNewConnection(pollMs))
            continue;
        while (QTcpSocket *socket = server.nextPendingConnection()) {
            socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
            serve(*socket);
            delete socket;
        }
    }
}

void KnownDelayServer::serve(QTcpSocket &socket)
{
    QByteArray received;
    while (!m_stop && socket.state() == QAbstractSocket::ConnectedState) {
        if (socket.bytesAvailable() == 0 && !socket.waitForReadyRead(pollMs))
            continue;
        received += socket.readAll();
        const qsizetype size = wholeSize(received);
        if (size < 0 || received.size() < size)
            continue;
        const qint64 read_ns = probe::monotonicNs();
        received.remove(0, size);
        const bool closes = m_closes;
        const QByteArray bytes = answer(closes);
        waitUntil(read_ns + m_delay_ms * Q_INT64_C(1'000'000));
        m_last_delay_ns = probe::monotonicNs() - read_ns;
        socket.write(bytes);
        socket.flush();
        if (closes) {
            socket.disconnectFromHost();
            if (socket.state() != QAbstractSocket::UnconnectedState)
                socket.waitForDisconnected(1'000);
            return;
        }
    }
}

} // namespace kvlab::experiment
