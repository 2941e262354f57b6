// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/server_question.h"

#include "memory/server_figures.h"

#include <QNetworkReply>

#include <utility>

namespace kvlab::ui {

ServerQuestion::ServerQuestion(QObject *parent)
    : QObject(parent)
{
}

void ServerQuestion::ask(const QUrl &root)
{
    stop();
    m_text.clear();
    m_problem.clear();
    m_network_error.clear();
    m_refusals.clear();
    m_root = root;
    QString path = root.path();
    while (path.endsWith(u'/'))
        path.chop(1);
    if (path.endsWith(QLatin1String("/v1")))
        path.chop(3);
    for (const char *page : {"/metrics", "/api/ps"}) {
        QUrl url = root;
        url.setPath(path + QLatin1String(page));
        get(url);
    }
}

void ServerQuestion::get(const QUrl &url)
{
    QNetworkRequest request(url);
    request.setTransferTimeout(m_limit_ms);
    QNetworkReply *reply = m_manager.get(request);
    reply->setParent(this);
    ++m_waiting;
    m_replies << reply;
    connect(reply, &QNetworkReply::downloadProgress, this, [reply](qint64 received) {
        if (received > memory::maxServerText)
            reply->abort();
    });
    connect(reply, &QNetworkReply::finished, this, [this, reply] { take(reply); });
}

void ServerQuestion::stop()
{
    m_waiting = 0;
    for (const QPointer<QNetworkReply> &reply : std::exchange(m_replies, {})) {
        if (reply) {
            reply->disconnect(this);
            reply->abort();
            reply->deleteLater();
        }
    }
}

void ServerQuestion::take(QNetworkReply *reply)
{
    reply->deleteLater();
    m_replies.removeOne(reply);
    const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const bool is_cut = reply->error() == QNetworkReply::OperationCanceledError;
    if (status == 200 && !is_cut)
        m_text += reply->readAll() + '\n';
    else if (status == 200 || status == 0)
        m_network_error = is_cut ? tr("the answer did not come within %1 s, or was too long")
                                       .arg(QLocale().toString(m_limit_ms / 1000.0, 'g', 3))
                                 : reply->errorString();
    else
        m_refusals << tr("%1: status %2").arg(reply->url().path(), QString::number(status));
    if (--m_waiting == 0)
        conclude();
}

void ServerQuestion::conclude()
{
    const QString address = m_root.toDisplayString(QUrl::RemovePath | QUrl::RemoveUserInfo | QUrl::RemoveQuery);
    if (m_text.isEmpty() && !m_network_error.isEmpty())
        m_problem = tr("The server at %1 gave no answer: %2. Check the address and whether it runs.")
                        .arg(address, m_network_error);
    else if (m_text.isEmpty())
        m_problem = tr("The server at %1 has neither page (%2). Start it with its metrics on, or open its log instead.")
                        .arg(address, m_refusals.join(QStringLiteral(", ")));
    Q_EMIT finished();
}

} // namespace kvlab::ui
