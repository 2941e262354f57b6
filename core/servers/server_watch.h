// SPDX-License-Identifier: GPL-3.0-or-later
// Asks a server every two seconds how it is: /metrics, /health and, until it is known, /v1/models. Never while it is
// paused: a question between the tokens of a measured request would disturb its time. Uses the stock network manager
// in the caller's thread; nothing waits.
#pragma once

#include "experiment/experiment_plan.h"
#include "servers/server_status.h"

#include <QDateTime>
#include <QObject>

#include <memory>

namespace kvlab::servers {

struct ServerReading
{
    QDateTime at;
    bool reachable = false;
    std::optional<bool> healthy; ///< what /health says; none when the server has no such route
    bool offers_metrics = false;
    ServerStatus status;
    /// What is missing and why, what to do; empty when everything was answered. No keys.
    QString problem;
};

class ServerWatch : public QObject
{
    Q_OBJECT
public:
    explicit ServerWatch(QObject *parent = nullptr);
    ~ServerWatch() override;

    /// From now on this server; one without an address ends the watch.
    void watch(const experiment::ServerTarget &server);
    /// Ends a question that is under way at once, and asks none until it is called with false.
    void setPaused(bool paused);
    bool isPaused() const;
    void setInterval(int ms); ///< between an answer and the next question; 2000

Q_SIGNALS:
    void updated(const kvlab::servers::ServerReading &reading);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::servers

Q_DECLARE_METATYPE(kvlab::servers::ServerReading)
