// SPDX-License-Identifier: GPL-3.0-or-later
// One `apc` scenario of a trace: the steps of a block pool. For trace.cpp.
#pragma once

#include "prefix/block_pool.h"
#include "prefix/trace_reader.h"

namespace kvlab::prefix {

class TracePool
{
public:
    /// Throws BadTrace. Block numbers of a scenario without a null block are one lower than the pool's.
    TracePool(const TraceNode &scenario, FreeOrder order);

    /// Plays one step; what its `expect` asks for, under the same names.
    QJsonObject play(const TraceNode &step);

private:
    struct Request
    {
        HashChain chain;
        BlockPool::Allocation allocation;
    };

    QJsonObject request(const TraceNode &step);
    QJsonObject append(const TraceNode &step);
    void release(const TraceNode &step);
    Request &running(const TraceNode &step);
    int poolNumber(const TraceNode &step, int number) const;
    QJsonArray fileNumbers(const std::vector<int> &blocks) const;
    QJsonValue state(const TraceNode &step, const QString &key) const;
    QJsonArray withHash(const TraceNode &expect, QLatin1String key, bool hashed) const;

    int m_shift;
    BlockPool m_pool;
    TraceAlphabet m_alphabet;
    std::map<QString, Request> m_running;
    std::vector<int> m_evicted; ///< by the last step
};

} // namespace kvlab::prefix
