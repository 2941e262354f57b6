// SPDX-License-Identifier: GPL-3.0-or-later
#include "servers/tier_runner.h"

#include "servers/tier_worker.h"

#include <QThread>

namespace kvlab::servers {

class TierRunner::Private
{
public:
    QThread thread;
    TierWorker *worker = nullptr; ///< while a run goes on; lives in the thread
};

TierRunner::TierRunner(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    qRegisterMetaType<TierProgress>();
    qRegisterMetaType<TierSample>();
    qRegisterMetaType<TierResult>();
    d->thread.setObjectName(QStringLiteral("tiers"));
}

TierRunner::~TierRunner()
{
    if (d->worker != nullptr)
        d->worker->requestStop();
    d->thread.quit();
    d->thread.wait();
}

void TierRunner::start(const TierPlan &plan)
{
    Q_ASSERT_X(!isRunning(), "TierRunner::start", "one run at a time");
    d->worker = new TierWorker(plan);
    d->worker->moveToThread(&d->thread);
    connect(&d->thread, &QThread::finished, d->worker, &QObject::deleteLater);
    connect(d->worker, &TierWorker::progressed, this, &TierRunner::progressed);
    connect(d->worker, &TierWorker::sampleFinished, this, &TierRunner::sampleFinished);
    connect(d->worker, &TierWorker::finished, this, [this](const TierResult &result) {
        d->worker->deleteLater();
        d->worker = nullptr;
        Q_EMIT finished(result);
    });
    d->thread.start();
    QMetaObject::invokeMethod(d->worker, &TierWorker::run, Qt::QueuedConnection);
}

void TierRunner::stop()
{
    if (d->worker != nullptr)
        d->worker->requestStop();
}

bool TierRunner::isRunning() const
{
    return d->worker != nullptr;
}

} // namespace kvlab::servers
