// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/probe_access_manager.h"

#include "probe/probe_clock.h"
#include "probe/probe_messages.h"
#include "probe/probe_reply.h"

#include <QTcpSocket>

namespace kvlab::probe {

namespace {

QString originOf(const QUrl &url)
{
    return url.scheme() + u' ' + ProbeMessages::place(url);
}

/// A connection on which anything happened while it was idle (bytes, the end) is of no use. Waiting for 0 ms makes the
/// socket look at the operating system's state now instead of at the next turn of the event loop.
bool isQuiet(QTcpSocket &socket)
{
    return !socket.waitForReadyRead(0) && socket.state() == QAbstractSocket::ConnectedState
        && socket.bytesAvailable() == 0;
}

} // namespace

ProbeAccessManager::ProbeAccessManager(QObject *parent)
    : QNetworkAccessManager(parent)
{
}

ProbeAccessManager::~ProbeAccessManager()
{
    dropKept();
}

void ProbeAccessManager::setLimits(const ProbeLimits &limits)
{
    m_limits = limits;
}

void ProbeAccessManager::setTrust(const TlsTrust &trust)
{
    m_trust = trust;
}

QTcpSocket *ProbeAccessManager::takeConnection(const QUrl &url)
{
    if (!m_kept) {
        return nullptr;
    }
    const bool fresh = monotonicNs() - m_idle_since_ns < maxIdleMs * Q_INT64_C(1'000'000);
    if (m_kept_for != originOf(url) || !fresh || !isQuiet(*m_kept)) {
        dropKept();
        return nullptr;
    }
    QTcpSocket *socket = m_kept;
    m_kept = nullptr;
    return socket;
}

void ProbeAccessManager::keepConnection(const QUrl &url, QTcpSocket *socket)
{
    dropKept();
    m_kept = socket;
    m_kept_for = originOf(url);
    m_idle_since_ns = monotonicNs();
}

void ProbeAccessManager::dropConnection(QTcpSocket *socket)
{
    socket->disconnect();
    socket->abort();
    socket->deleteLater();
}

void ProbeAccessManager::dropKept()
{
    if (m_kept) {
        dropConnection(m_kept);
        m_kept = nullptr;
    }
}

QNetworkReply *ProbeAccessManager::createRequest(Operation operation, const QNetworkRequest &request, QIODevice *body)
{
    if (operation != PostOperation) {
        return QNetworkAccessManager::createRequest(operation, request, body);
    }
    return new ProbeReply(this, request, body ? body->readAll() : QByteArray(), m_limits, m_trust);
}

} // namespace kvlab::probe
