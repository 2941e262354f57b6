// SPDX-License-Identifier: GPL-3.0-or-later
// The handout's Parts 2 and 3, one after the other, in one worker thread of their own.
// Call from the owner's thread (the window's); signals arrive there. The owner's thread never waits for a network.
#pragma once

#include "experiment/handout.h"

#include <QObject>

#include <atomic>
#include <memory>

class QThread;

namespace kvlab::experiment {

class HandoutRunner : public QObject
{
    Q_OBJECT
public:
    explicit HandoutRunner(QObject *parent = nullptr);
    ~HandoutRunner() override; ///< stops a run and joins the worker

    /// Starts; exactly one finished() follows. A part that ends early ends the run.
    void start(const ServerTarget &target, const QList<int> &parts, const probe::ProbeLimits &limits);
    /// Ends the run at once and keeps what was measured.
    void stop();
    bool isRunning() const;

Q_SIGNALS:
    /// Where the run is: `done` of `total` requests.
    void progressed(int done, int total);
    /// A part as far as it is, after each of its requests.
    void partChanged(const kvlab::experiment::HandoutResult &result);
    void finished(const QList<kvlab::experiment::HandoutResult> &results);

private:
    void work(const ServerTarget &target, const QList<int> &parts, const probe::ProbeLimits &limits);

    std::unique_ptr<QThread> m_thread;
    std::atomic_bool m_stop = false;
};

} // namespace kvlab::experiment
