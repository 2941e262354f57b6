// SPDX-License-Identifier: GPL-3.0-or-later
// One run over the tiers from the first engine to the last sample, in the worker thread of a TierRunner.
#pragma once

#include "servers/tier_run.h"

#include "experiment/server_study.h"

#include <QElapsedTimer>
#include <QObject>

#include <atomic>
#include <memory>

class QTemporaryDir;

namespace kvlab::servers {

class PracticeSession;

class TierWorker : public QObject
{
    Q_OBJECT
public:
    explicit TierWorker(const TierPlan &plan);
    ~TierWorker() override;

    /// In the worker thread; returns when the run is over. finished() comes last.
    void run();
    /// From any thread; the run ends at once.
    void requestStop();

Q_SIGNALS:
    void progressed(const kvlab::servers::TierProgress &progress);
    void sampleFinished(const kvlab::servers::TierSample &sample);
    void finished(const kvlab::servers::TierResult &result);

private:
    std::optional<experiment::Failure> measure();
    std::optional<experiment::Failure> prepareFolder();
    std::optional<experiment::Failure> startEngine(std::unique_ptr<PracticeSession> &engine, bool ram);
    std::optional<experiment::Failure> startEngines();
    std::optional<experiment::Failure> warmUp(PracticeSession &engine);
    std::optional<experiment::Failure> checkRoom() const;
    std::optional<experiment::Failure> restart();
    std::optional<experiment::Failure> takeStep(const TierStep &step);
    std::optional<experiment::Failure> makeReady(const TierStep &step, PracticeSession &engine);
    std::optional<experiment::Failure> countFailure(const probe::ProbeSample &sample);
    TierSample ask(const TierStep &step, PracticeSession &engine);
    void announce(TierProgress::Phase phase, std::optional<TierArm> arm = {});
    void noteTime(const TierStep &step, qint64 ms);
    std::optional<qint64> remainingMs() const;
    void dropPageCache() const;

    /// Those of one document, then fresh ones: no two prompts of a run are equal.
    QList<qint32> promptOf(int document, int shared);
    int longest() const;

    TierResult m_result;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<PracticeSession> m_first; ///< disk tier only
    std::unique_ptr<PracticeSession> m_second; ///< RAM and disk tier; none when no arm needs it
    QList<TierStep> m_left;
    int m_total = 0;
    int m_prompts = 0;
    int m_failures_in_a_row = 0;
    bool m_restarted = false;
    QMap<TierArm, QPair<double, double>> m_times; ///< ms and tokens so far
    std::optional<qint64> m_start_ms; ///< of one engine and its warm-up
    std::atomic<bool> m_stop = false;
};

} // namespace kvlab::servers
