// SPDX-License-Identifier: GPL-3.0-or-later
// Sends one streaming request at a time through a ProbeAccessManager and reports one ProbeSample for it.
// Lives in the thread that uses it (the experiment's worker); needs that thread's event loop.
#pragma once

#include "probe/probe_sample.h"

#include <QObject>

#include <memory>

namespace kvlab::probe {

class ProbeClient : public QObject
{
    Q_OBJECT
public:
    explicit ProbeClient(QObject *parent = nullptr);
    ~ProbeClient() override;

    /// Connects first, then stamps t0 and sends. Exactly one finished() follows, never from inside this call.
    void send(const ProbeRequest &request);

    /// Ends the running request with Outcome::cancelled at once; without one it does nothing.
    void cancel();

    bool isBusy() const;

Q_SIGNALS:
    void finished(const kvlab::probe::ProbeSample &sample);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::probe
