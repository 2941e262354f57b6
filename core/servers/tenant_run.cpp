// SPDX-License-Identifier: GPL-3.0-or-later
#include "servers/tenant_run.h"

#include "servers/tenant_worker.h"

#include "experiment/statistics.h"

#include <QCoreApplication>
#include <QLocale>
#include <QThread>

#include <algorithm>

namespace kvlab::servers {

namespace {

constexpr double standsOut = 0.5; // of the others' median

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::servers::Tenants)
};

std::optional<QString> outside(const QString &sentence, int value, int low, int high)
{
    if (value >= low && value <= high)
        return std::nullopt;
    const QLocale locale;
    return sentence.arg(locale.toString(low), locale.toString(high));
}

} // namespace

std::optional<QString> validate(const TenantPlan &plan)
{
    if (auto problem = outside(Texts::tr("The number of texts must lie between %1 and %2."), plan.candidates, 3, 8))
        return problem;
    if (auto problem = outside(Texts::tr("The number of trials must lie between %1 and %2."), plan.trials, 1, 20))
        return problem;
    return outside(Texts::tr("The texts must have between %1 and %2 tokens."), plan.text_tokens, 32, 8000);
}

std::optional<int> guessByTime(const QList<std::optional<double>> &ttft_ms)
{
    std::optional<int> fastest;
    for (int i = 0; i < int(ttft_ms.size()); ++i) {
        if (!ttft_ms[i])
            return std::nullopt;
        if (!fastest || *ttft_ms[i] < *ttft_ms[*fastest])
            fastest = i;
    }
    QList<double> others;
    for (int i = 0; i < int(ttft_ms.size()); ++i) {
        if (i != fastest)
            others.append(*ttft_ms[i]);
    }
    if (others.isEmpty() || *ttft_ms[*fastest] >= standsOut * experiment::median(others))
        return std::nullopt;
    return fastest;
}

int TenantResult::found(bool salted) const
{
    return int(std::count_if(trials.begin(), trials.end(),
        [salted](const TenantTrial &trial) { return trial.salted == salted && trial.found(); }));
}

int TenantResult::count(bool salted) const
{
    return int(std::count_if(
        trials.begin(), trials.end(), [salted](const TenantTrial &trial) { return trial.salted == salted; }));
}

class TenantRunner::Private
{
public:
    QThread thread;
    TenantWorker *worker = nullptr; ///< while a run goes on; lives in the thread
};

TenantRunner::TenantRunner(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    qRegisterMetaType<TenantProbe>();
    qRegisterMetaType<TenantResult>();
    d->thread.setObjectName(QStringLiteral("tenants"));
}

TenantRunner::~TenantRunner()
{
    if (d->worker != nullptr)
        d->worker->requestStop();
    d->thread.quit();
    d->thread.wait();
}

void TenantRunner::start(const TenantPlan &plan)
{
    Q_ASSERT_X(!isRunning(), "TenantRunner::start", "one run at a time");
    d->worker = new TenantWorker(plan);
    d->worker->moveToThread(&d->thread);
    connect(&d->thread, &QThread::finished, d->worker, &QObject::deleteLater);
    connect(d->worker, &TenantWorker::probed, this, &TenantRunner::probed);
    connect(d->worker, &TenantWorker::finished, this, [this](const TenantResult &result) {
        d->worker->deleteLater();
        d->worker = nullptr;
        Q_EMIT finished(result);
    });
    d->thread.start();
    QMetaObject::invokeMethod(d->worker, &TenantWorker::run, Qt::QueuedConnection);
}

void TenantRunner::stop()
{
    if (d->worker != nullptr)
        d->worker->requestStop();
}

bool TenantRunner::isRunning() const
{
    return d->worker != nullptr;
}

} // namespace kvlab::servers
