// SPDX-License-Identifier: GPL-3.0-or-later
// A server for calibration: answers each POST with a one-token stream a known delay after the last byte of the request.
// It sleeps until shortly before and spins the rest, and says in the answer how long it really waited. One connection
// at a time.
#pragma once

#include <QThread>

#include <atomic>

class QTcpSocket;

namespace kvlab::experiment {

class KnownDelayServer : public QThread
{
public:
    explicit KnownDelayServer(int delay_ms);
    ~KnownDelayServer() override;

    quint16 port() const { return m_port; } ///< 0 = it could not listen
    /// Of the answers from now on: end the connection behind each.
    void setCloses(bool closes) { m_closes = closes; }
    /// From the last byte of the last request read to the moment the answer was written. Nanoseconds.
    qint64 lastDelayNs() const { return m_last_delay_ns; }

protected:
    void run() override;

private:
    void serve(QTcpSocket &socket);

    int m_delay_ms;
    std::atomic<quint16> m_port = 0;
    std::atomic<bool> m_closes = false;
    std::atomic<bool> m_stop = false;
    std::atomic<qint64> m_last_delay_ns = 0;
    std::atomic<bool> m_ready = false;
};

} // namespace kvlab::experiment
