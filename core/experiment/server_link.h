// SPDX-License-Identifier: GPL-3.0-or-later
// Everything a run sends to its server goes through here, one request at a time, each call returning when its answer is
// complete. For the run's worker thread only: calls wait in an event loop of that thread, and stop() ends them at once.
// Timed requests go through ProbeClient; the others through a stock QNetworkAccessManager with a time limit.
#pragma once

#include "experiment/experiment_plan.h"
#include "probe/probe_client.h"
#include "probe/secrets.h"

#include <QNetworkAccessManager>

class QEventLoop;
class QNetworkReply;

namespace kvlab::experiment {

struct HttpAnswer
{
    int status = 0; ///< 0 = none
    QByteArray body;
    QUrl location; ///< where a redirect points; redirects are not followed
    QString error; ///< why there was no answer, in the network library's words

    bool ok() const { return status >= 200 && status < 300; }
};

class ServerLink
{
public:
    explicit ServerLink(const ServerTarget &target);

    HttpAnswer get(const QString &path);
    HttpAnswer post(const QString &path, const QJsonObject &body);
    /// A timed request to the chat or completions route.
    probe::ProbeSample ask(Endpoint endpoint, const QJsonObject &body, const probe::ProbeLimits &limits,
        probe::Transport transport = probe::Transport::low_delay);
    void pause(int ms);
    /// Empties the server's prefix cache; false when it has no way to, or says that nothing was emptied.
    bool resetCache();

    /// From the link's own thread: ends what is going on; every later call returns at once, empty.
    void stop();
    bool isStopped() const { return m_stopped; }

    const QUrl &root() const { return m_root; }
    bool hasKey() const { return m_has_key; }
    /// For texts that people will read: a server may repeat the key in its complaint.
    QString withoutKey(const QString &text) const { return m_secrets.removedFrom(text); }

private:
    QNetworkRequest requestFor(const QString &path) const;
    HttpAnswer wait(QNetworkReply *reply);

    QUrl m_root;
    QList<probe::ProbeHeader> m_headers;
    probe::TlsTrust m_trust;
    bool m_has_key;
    probe::Secrets m_secrets;
    QNetworkAccessManager m_manager;
    probe::ProbeClient m_probe;
    QEventLoop *m_loop = nullptr; ///< while a call waits
    bool m_stopped = false;
};

} // namespace kvlab::experiment
