// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a TierPlan with practice engines of its own in one worker thread, one request at a time. Call from the owner's
// thread; signals arrive there, and that thread never waits for an engine.
#pragma once

#include "servers/tier_run.h"

#include <QObject>

#include <memory>

namespace kvlab::servers {

class TierRunner : public QObject
{
    Q_OBJECT
public:
    explicit TierRunner(QObject *parent = nullptr);
    ~TierRunner() override; ///< stops a run and joins the worker; its engines end

    /// Starts; exactly one finished() follows. A plan that does not validate() finishes with RunEnd::failed.
    void start(const TierPlan &plan);
    /// Ends the run at once and keeps what was measured: finished() with RunEnd::stopped follows.
    void stop();
    bool isRunning() const;

Q_SIGNALS:
    void progressed(const kvlab::servers::TierProgress &progress);
    void sampleFinished(const kvlab::servers::TierSample &sample);
    void finished(const kvlab::servers::TierResult &result);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::servers
