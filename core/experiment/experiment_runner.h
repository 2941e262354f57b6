// SPDX-License-Identifier: GPL-3.0-or-later
// Runs an ExperimentPlan against a server in one worker thread of its own, one request at a time.
// Call from the owner's thread (the window's); signals arrive there. The owner's thread never waits for a network.
#pragma once

#include "experiment/experiment_result.h"

#include <QObject>

#include <memory>

namespace kvlab::experiment {

class ExperimentRunner : public QObject
{
    Q_OBJECT
public:
    explicit ExperimentRunner(QObject *parent = nullptr);
    ~ExperimentRunner() override; ///< stops a run and joins the worker

    /// Starts; exactly one finished() follows. A plan that does not validate() finishes with RunEnd::failed.
    void start(const ServerTarget &server, const ExperimentPlan &plan);

    /// Ends the run at once and keeps what was measured: finished() with RunEnd::stopped follows.
    void stop();

    bool isRunning() const;

Q_SIGNALS:
    void serverLearned(const kvlab::experiment::ServerFacts &facts);
    void progressed(const kvlab::experiment::RunProgress &progress);
    /// A sample as soon as it is finished, with the summary over all so far.
    void sampleFinished(const kvlab::experiment::MeasuredSample &sample, const kvlab::experiment::Summary &summary);
    void finished(const kvlab::experiment::RunResult &result);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::experiment
