// SPDX-License-Identifier: GPL-3.0-or-later
// A practice engine of a run's own, as its worker thread uses it: started with options, asked one request after the
// other, ended with this object. Calls wait in event loops of that thread; stop() ends them at once.
#pragma once

#include "experiment/server_link.h"
#include "experiment/server_study.h"
#include "servers/practice_server.h"

#include <memory>

namespace kvlab::servers {

/// Totals that the engine counts, in tokens and bytes; see its /metrics.
struct EngineReading
{
    qint64 pool_tokens = 0; ///< hits of the block pool
    qint64 ram_tokens = 0; ///< hits that the RAM tier held
    qint64 disk_tokens = 0;
    qint64 loaded_bytes = 0; ///< K and V from both tiers
    double load_seconds = 0;
    int busy = 0; ///< requests running and waiting
    int pending_stores = 0; ///< chunks on their way to the disk
};

EngineReading parseEngineReading(const QByteArray &exposition);

class PracticeSession
{
public:
    PracticeSession();
    ~PracticeSession(); ///< the engine ends with it

    std::optional<experiment::Failure> start(const QString &size, const QStringList &options);

    QString size() const; ///< that runs: small, medium, large
    qint64 blockSize() const;
    qint64 kvBytesPerToken() const;
    QString description() const; ///< see PracticeServer
    qint64 processId() const;
    /// When the engine died since start().
    const std::optional<experiment::Failure> &failure() const { return m_failure; }

    /// Token ids as the prompt, one streamed answer of `maxTokens`.
    probe::ProbeSample ask(const QList<qint32> &prompt, int maxTokens, const QString &salt = {});
    EngineReading read();
    /// Waits until nothing runs and nothing is on its way to the disk; false when that takes over a minute.
    bool settle();
    /// Empties the block pool, not the tiers.
    bool resetPool();

    /// From its own thread: every call returns at once, now and later.
    void stop();

private:
    PracticeServer m_server;
    std::unique_ptr<experiment::ServerLink> m_link; ///< once the engine is ready
    std::optional<experiment::Failure> m_failure;
    QEventLoop *m_loop = nullptr; ///< while start() waits
    bool m_stopped = false;
};

} // namespace kvlab::servers
