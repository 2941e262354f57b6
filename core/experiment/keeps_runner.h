// SPDX-License-Identifier: GPL-3.0-or-later
// "What does this server keep?" in one worker thread of its own.
// Call from the owner's thread (the window's); signals arrive there. The owner's thread never waits for a network.
#pragma once

#include "experiment/keeps.h"

#include <QObject>

#include <atomic>
#include <memory>

class QThread;

namespace kvlab::experiment {

class KeepsRunner : public QObject
{
    Q_OBJECT
public:
    explicit KeepsRunner(QObject *parent = nullptr);
    ~KeepsRunner() override; ///< stops a run and joins the worker

    /// Starts; exactly one finished() follows.
    void start(const ServerTarget &target, const KeepsPlan &plan);
    /// Ends the run at once and keeps what was found.
    void stop();
    bool isRunning() const;

Q_SIGNALS:
    /// A request is done, the `number`th of the run. How many there will be depends on the answers.
    void stepFinished(int number, const kvlab::experiment::KeepsStep &step);
    void finished(const kvlab::experiment::KeepsResult &result);

private:
    void work(const ServerTarget &target, const KeepsPlan &plan);

    std::unique_ptr<QThread> m_thread;
    std::atomic_bool m_stop = false;
};

} // namespace kvlab::experiment
