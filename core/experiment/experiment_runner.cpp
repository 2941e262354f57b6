// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/experiment_runner.h"

#include "experiment/run_worker.h"

#include <QThread>

namespace kvlab::experiment {

class ExperimentRunner::Private
{
public:
    QThread thread;
    RunWorker *worker = nullptr; ///< while a run goes on; lives in the thread
};

ExperimentRunner::ExperimentRunner(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    qRegisterMetaType<ServerFacts>();
    qRegisterMetaType<RunProgress>();
    qRegisterMetaType<MeasuredSample>();
    qRegisterMetaType<Summary>();
    qRegisterMetaType<RunResult>();
    d->thread.setObjectName(QStringLiteral("experiment"));
}

ExperimentRunner::~ExperimentRunner()
{
    if (d->worker != nullptr)
        d->worker->requestStop();
    d->thread.quit();
    d->thread.wait();
}

void ExperimentRunner::start(const ServerTarget &server, const ExperimentPlan &plan)
{
    Q_ASSERT_X(!isRunning(), "ExperimentRunner::start", "one run at a time");
    d->worker = new RunWorker(server, plan);
    d->worker->moveToThread(&d->thread);
    connect(&d->thread, &QThread::finished, d->worker, &QObject::deleteLater);
    connect(d->worker, &RunWorker::serverLearned, this, &ExperimentRunner::serverLearned);
    connect(d->worker, &RunWorker::progressed, this, &ExperimentRunner::progressed);
    connect(d->worker, &RunWorker::sampleFinished, this, &ExperimentRunner::sampleFinished);
    connect(d->worker, &RunWorker::finished, this, [this](const RunResult &result) {
        d->worker->deleteLater();
        d->worker = nullptr;
        Q_EMIT finished(result);
    });
    d->thread.start();
    QMetaObject::invokeMethod(d->worker, &RunWorker::run, Qt::QueuedConnection);
}

void ExperimentRunner::stop()
{
    if (d->worker != nullptr)
        d->worker->requestStop();
}

bool ExperimentRunner::isRunning() const
{
    return d->worker != nullptr;
}

} // namespace kvlab::experiment
