// SPDX-License-Identifier: GPL-3.0-or-later
// One POST over a socket of its own: connection first, then t0, then the whole request in one write; every read is
// stamped before anything looks at its bytes. No retry, no redirect, no proxy, no compression; HTTP/1.1 only. The
// answer goes through a ResponseReader, so that sample() holds all there is to know once finished() was emitted; the
// body can also be read as from any QNetworkReply.
#pragma once

#include "probe/response_reader.h"

#include <QNetworkReply>
#include <QPointer>
#include <QSslSocket>
#include <QTcpSocket>
#include <QTimer>

namespace kvlab::probe {

class ProbeAccessManager;

class ProbeReply : public QNetworkReply
{
    Q_OBJECT
public:
    ProbeReply(ProbeAccessManager *manager, const QNetworkRequest &request, const QByteArray &body,
        const ProbeLimits &limits, const TlsTrust &trust = {});
    ~ProbeReply() override;

    ProbeSample sample() const; ///< complete once finished
    bool sawToken() const { return m_reader.sample().stamps.first_token_ns.has_value(); }

    void abort() override;
    qint64 bytesAvailable() const override;
    bool isSequential() const override { return true; }

protected:
    qint64 readData(char *data, qint64 max_size) override;

private:
    void setupTimers();
    void start();
    void openConnection();
    void connectSecurely(QSslSocket *socket);
    void watchSocket();
    void sendRequest();
    void onConnected();
    void onEncrypted();
    void onBytesWritten();
    void onReadyRead();
    void onSocketError(QAbstractSocket::SocketError error);
    void onPhaseLimit();
    void take(const QByteArray &bytes, qint64 now_ns);
    void publishHead();
    void restartPhase();
    void failConnecting(QAbstractSocket::SocketError error);
    void conclude(const Ending &ending);
    void finish();
    void releaseSocket();
    qint64 sinceStart(qint64 now_ns) const { return now_ns - m_t0_ns.value_or(now_ns); }

    QPointer<ProbeAccessManager> m_manager;
    ProbeLimits m_limits;
    TlsTrust m_trust;
    QByteArray m_request; ///< head and body
    ResponseReader m_reader;
    QPointer<QTcpSocket> m_socket;
    QTimer m_phase_limit; ///< connect, then first token, then gap
    QTimer m_total_limit;
    QByteArray m_unread;
    QDateTime m_started_at;
    bool m_new_connection = false;
    bool m_head_published = false;
    qint64 m_events_at_restart = 0;
    // On the monotonic clock, not yet relative to t0.
    std::optional<qint64> m_connect_start_ns;
    std::optional<qint64> m_connected_ns;
    std::optional<qint64> m_encrypted_ns;
    std::optional<qint64> m_t0_ns;
    qint64 m_t0_wall_ms = 0; ///< since the epoch, at t0
    std::optional<double> m_wall_ms;
    std::optional<qint64> m_sent_ns;
};

} // namespace kvlab::probe
