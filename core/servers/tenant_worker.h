// SPDX-License-Identifier: GPL-3.0-or-later
// One run with two tenants, in the worker thread of a TenantRunner.
#pragma once

#include "servers/tenant_run.h"

#include "experiment/server_study.h"

#include <atomic>

namespace kvlab::servers {

class PracticeSession;

class TenantWorker : public QObject
{
    Q_OBJECT
public:
    explicit TenantWorker(const TenantPlan &plan);
    ~TenantWorker() override;

    /// In the worker thread; returns when the run is over. finished() comes last.
    void run();
    /// From any thread; the run ends at once.
    void requestStop();

Q_SIGNALS:
    void probed(const kvlab::servers::TenantProbe &probe, int done, int total);
    void finished(const kvlab::servers::TenantResult &result);

private:
    std::optional<experiment::Failure> measure();
    std::optional<experiment::Failure> takeTrial(int trial, bool salted);
    /// nullopt when it was answered; tenants differ by their questions and, when salted, by their salts.
    std::optional<experiment::Failure> send(const QList<qint32> &prompt, const QString &salt, TenantProbe *probe);
    QList<qint32> promptOf(int text, int question) const;

    TenantResult m_result;
    std::unique_ptr<PracticeSession> m_engine;
    std::atomic<bool> m_stop = false;
};

} // namespace kvlab::servers
