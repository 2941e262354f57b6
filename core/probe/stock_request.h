// SPDX-License-Identifier: GPL-3.0-or-later
// The same request through a plain QNetworkAccessManager: what most Qt programs would measure. It holds larger prompts
// back on loopback and counts connecting as part of the time (see probe_access_manager.h), so it serves for comparison
// and where only the stock manager gets through, such as a proxy. The answer goes through the same ResponseReader.
#pragma once

#include "probe/response_reader.h"

#include <QNetworkAccessManager>
#include <QPointer>
#include <QTimer>

class QNetworkReply;

namespace kvlab::probe {

class StockRequest : public QObject
{
    Q_OBJECT
public:
    StockRequest(QNetworkAccessManager *manager, const ProbeRequest &request, QObject *parent);
    ~StockRequest() override;

    void abort();
    bool sawToken() const { return m_reader.sample().stamps.first_token_ns.has_value(); }
    ProbeSample sample() const; ///< complete once finished

Q_SIGNALS:
    void progressed(); ///< bytes came
    void finished(); ///< once, never from inside the constructor

private:
    void start(QNetworkAccessManager *manager, const ProbeRequest &request);
    void feedHead(qint64 now_ns);
    void onReadyRead();
    void onFinished();
    void onLimit();
    void end(const Ending &ending);
    void concludeUnanswered(qint64 now_ns);

    QUrl m_url;
    ProbeLimits m_limits;
    TlsTrust m_trust;
    ResponseReader m_reader;
    QPointer<QNetworkReply> m_reply;
    QTimer m_limit; ///< first token, then gap
    QTimer m_total;
    QDateTime m_started_at;
    qint64 m_t0_ns = 0;
    qint64 m_events_at_restart = 0;
    bool m_head_fed = false;
    bool m_new_connection = false;
    bool m_done = false;
    std::optional<double> m_wall_ms;
};

} // namespace kvlab::probe
