// SPDX-License-Identifier: GPL-3.0-or-later
// Asks a running server what it says about its cache: /metrics and /api/ps, at the same time, with a time limit.
#pragma once

#include <QNetworkAccessManager>
#include <QPointer>

class QNetworkReply;

namespace kvlab::ui {

class ServerQuestion : public QObject
{
    Q_OBJECT
public:
    explicit ServerQuestion(QObject *parent = nullptr);

    /// `root` as readServerAddress() gives it; a path /v1 is left out. Ends an earlier question.
    void ask(const QUrl &root);
    void stop();
    bool isAsking() const { return m_waiting > 0; }
    /// For tests and slow links. Default: 5 s.
    void setTimeLimit(int ms) { m_limit_ms = ms; }

    /// Both answers, one after the other; empty after an error.
    const QByteArray &text() const { return m_text; }
    /// A sentence: why there is no answer.
    const QString &problem() const { return m_problem; }

Q_SIGNALS:
    /// Once for each ask() that was not stopped.
    void finished();

private:
    void get(const QUrl &url);
    void take(QNetworkReply *reply);
    void conclude();

    QNetworkAccessManager m_manager;
    QList<QPointer<QNetworkReply>> m_replies;
    QUrl m_root;
    int m_limit_ms = 5000;
    int m_waiting = 0;
    QByteArray m_text;
    QString m_problem;
    QString m_network_error; ///< no answer at all
    QStringList m_refusals; ///< "/metrics: 404"
};

} // namespace kvlab::ui
