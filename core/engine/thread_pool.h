// SPDX-License-Identifier: GPL-3.0-or-later
// A bounded set of threads for the short parallel steps of one model pass (tens of microseconds to milliseconds,
// hundreds per pass). Workers spin for a few microseconds between steps, because sleeping costs more than waiting
// there, then sleep: between requests they use no CPU, which belongs to whoever measures on the same cores.
#pragma once

#include <functional>
#include <memory>

namespace kvlab::engine {

/// Cores of this machine, hyper-threads not counted twice, and never more than this process may use.
int physicalCores();

class ThreadPool
{
public:
    /// The thread that calls run() is one of `threads`.
    explicit ThreadPool(int threads);
    ~ThreadPool();

    int threads() const;

    /// `slot` (0 … threads() - 1) tells apart jobs that run at the same time: a job may own scratch memory by it.
    using Job = std::function<void(int task, int slot)>;

    /// Runs job(0 … tasks - 1) in any order and returns when all are done. One caller at a time; jobs must not throw.
    void run(int tasks, const Job &job);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::engine
