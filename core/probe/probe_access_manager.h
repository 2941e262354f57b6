// SPDX-License-Identifier: GPL-3.0-or-later
// A QNetworkAccessManager whose POSTs are ProbeReply objects: low delay, stamped, sent exactly once, never redirected.
// All other operations go through the stock manager. Keeps at most one idle connection, so that a request to the same
// server finds it open. Proxies, cookies, caches and transfer timeouts of the base class do not apply to POSTs.
// Why not the stock one: it never sets TCP_NODELAY, writes a body in 16 KiB pieces (which holds every larger prompt
// back by about 40 ms on loopback), and sends a POST again by itself when the connection was dropped.
#pragma once

#include "probe/probe_sample.h"

#include <QNetworkAccessManager>
#include <QPointer>

class QTcpSocket;

namespace kvlab::probe {

class ProbeAccessManager : public QNetworkAccessManager
{
    Q_OBJECT
public:
    /// Servers close idle connections after about 5 s; a connection idle for longer than this is not used again.
    static constexpr int maxIdleMs = 3'000;

    explicit ProbeAccessManager(QObject *parent = nullptr);
    ~ProbeAccessManager() override;

    /// For requests made from now on.
    void setLimits(const ProbeLimits &limits);
    void setTrust(const TlsTrust &trust);

    /// For ProbeReply: the idle connection to that server when it is still good, else null. The caller gives it back by
    /// keepConnection() or gets rid of it by dropConnection().
    QTcpSocket *takeConnection(const QUrl &url);
    void keepConnection(const QUrl &url, QTcpSocket *socket);
    static void dropConnection(QTcpSocket *socket);

protected:
    QNetworkReply *createRequest(Operation operation, const QNetworkRequest &request, QIODevice *body) override;

private:
    void dropKept();

    ProbeLimits m_limits;
    TlsTrust m_trust;
    QPointer<QTcpSocket> m_kept;
    QString m_kept_for; ///< scheme, host and port
    qint64 m_idle_since_ns = 0;
};

} // namespace kvlab::probe
