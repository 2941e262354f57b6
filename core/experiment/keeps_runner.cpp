// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/keeps_runner.h"

#include <QThread>

namespace kvlab::experiment {

KeepsRunner::KeepsRunner(QObject *parent)
    : QObject(parent)
{
}

KeepsRunner::~KeepsRunner()
{
    stop();
    if (m_thread)
        m_thread->wait();
}

void KeepsRunner::start(const ServerTarget &target, const KeepsPlan &plan)
{
    Q_ASSERT_X(!isRunning(), "KeepsRunner::start", "one run at a time");
    m_stop = false;
    m_thread.reset(QThread::create([this, target, plan] { work(target, plan); }));
    m_thread->setObjectName(QStringLiteral("keeps"));
    m_thread->start();
}

void KeepsRunner::stop()
{
    m_stop = true;
}

bool KeepsRunner::isRunning() const
{
    return m_thread != nullptr;
}

/// In the worker thread.
void KeepsRunner::work(const ServerTarget &target, const KeepsPlan &plan)
{
    const auto tell = [this](const auto &what) { QMetaObject::invokeMethod(this, what, Qt::QueuedConnection); };
    int number = 0;
    const KeepsResult result = studyKeeps(
        target, plan, [this](qsizetype) { return !m_stop; },
        [&](const KeepsStep &step) {
            ++number;
            tell([this, number, step] { Q_EMIT stepFinished(number, step); });
        });
    tell([this, result] {
        m_thread->wait();
        m_thread.reset();
        Q_EMIT finished(result);
    });
}

} // namespace kvlab::experiment
