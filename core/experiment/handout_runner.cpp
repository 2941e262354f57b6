// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/handout_runner.h"

#include <QThread>

namespace kvlab::experiment {

HandoutRunner::HandoutRunner(QObject *parent)
    : QObject(parent)
{
}

HandoutRunner::~HandoutRunner()
{
    stop();
    if (m_thread)
        m_thread->wait();
}

void HandoutRunner::start(const ServerTarget &target, const QList<int> &parts, const probe::ProbeLimits &limits)
{
    Q_ASSERT_X(!isRunning(), "HandoutRunner::start", "one run at a time");
    m_stop = false;
    m_thread.reset(QThread::create([this, target, parts, limits] { work(target, parts, limits); }));
    m_thread->setObjectName(QStringLiteral("handout"));
    m_thread->start();
}

void HandoutRunner::stop()
{
    m_stop = true;
}

bool HandoutRunner::isRunning() const
{
    return m_thread != nullptr;
}

/// In the worker thread.
void HandoutRunner::work(const ServerTarget &target, const QList<int> &parts, const probe::ProbeLimits &limits)
{
    const auto tell = [this](const auto &what) { QMetaObject::invokeMethod(this, what, Qt::QueuedConnection); };
    int total = 0;
    for (const int part : parts)
        total += static_cast<int>(handoutRequests(part).size());
    int done = 0;
    QList<HandoutResult> results;
    for (const int part : parts) {
        const HandoutResult result = runHandout(
            target, part, limits, [this] { return !m_stop; },
            [&](const HandoutResult &soFar) {
                ++done;
                tell([this, soFar, done, total] {
                    Q_EMIT partChanged(soFar);
                    Q_EMIT progressed(done, total);
                });
            });
        results.append(result);
        if (result.stopped || !result.message.isEmpty())
            break;
    }
    tell([this, results] {
        m_thread->wait();
        m_thread.reset();
        Q_EMIT finished(results);
    });
}

} // namespace kvlab::experiment
