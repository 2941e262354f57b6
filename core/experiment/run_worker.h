// SPDX-License-Identifier: GPL-3.0-or-later
// One run from the first question to the last sample, in the worker thread of an ExperimentRunner.
//
// A single failed sample does not end a run. It ends when the server cannot be reached twice in a row, after five
// failures in a row of any kind, or when the first long prompt is refused for good (a status from 400 to 499, except
// 408 and 429). Nothing is ever sent again: a repeated request would meet a warmer cache than the first.
#pragma once

#include "experiment/experiment_result.h"
#include "experiment/schedule.h"
#include "experiment/server_study.h"
#include "experiment/summary.h"

#include <QObject>

#include <atomic>

namespace kvlab::experiment {

class RunWorker : public QObject
{
    Q_OBJECT
public:
    RunWorker(const ServerTarget &server, const ExperimentPlan &plan);
    ~RunWorker() override;

    /// In the worker thread; returns when the run is over. finished() comes last.
    void run();

    /// From any thread; the run ends at once.
    void requestStop();

Q_SIGNALS:
    void serverLearned(const kvlab::experiment::ServerFacts &facts);
    void progressed(const kvlab::experiment::RunProgress &progress);
    void sampleFinished(const kvlab::experiment::MeasuredSample &sample, const kvlab::experiment::Summary &summary);
    void finished(const kvlab::experiment::RunResult &result);

private:
    struct Talk; ///< what exists only while the run goes on

    std::optional<Failure> learnAndMeasure();
    std::optional<Failure> measureAll();
    std::optional<Failure> takeStep(const Step &step);
    std::optional<Failure> takeWarmUp();
    std::optional<Failure> takePrime();
    std::optional<Failure> takeMeasurement(const Step &step);
    void announce(const Step &step, const QList<Step> &left);
    void addSample(const Step &step, const Exchange &exchange, std::optional<qint64> expectedHit);
    bool emptyCache();
    Prompt promptFor(Arm arm, int round, bool salted);
    std::optional<qint64> wantedHit(Arm arm, std::optional<qint64> promptTokens) const;
    std::optional<qint64> expectedHit(const Step &step, const Prompt &prompt, bool salted) const;
    std::optional<Failure> countFailure(const probe::ProbeSample &sample);
    Failure endOfTheLine(const probe::ProbeSample &sample) const;
    VerdictRules rules() const;

    ServerTarget m_server;
    RunResult m_result;
    StepTimes m_times;
    std::unique_ptr<Talk> m_talk;
    std::optional<probe::ProbeSample> m_failed_prime; ///< spoils the measurement that follows
    int m_failures_in_a_row = 0;
    int m_connect_failures_in_a_row = 0;
    std::atomic<bool> m_stop = false;
};

} // namespace kvlab::experiment
