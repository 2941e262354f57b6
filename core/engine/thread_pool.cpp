// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/thread_pool.h"

#include <QDir>
#include <QFile>
#include <QSet>
#include <QThread>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64) || defined(_M_IX86)
#include <immintrin.h>
#endif

namespace kvlab::engine {

namespace {

/// About 0.1 ms: longer than the gaps inside a pass, far shorter than the gaps between requests.
constexpr int spins = 2000;

void spinPause()
{
#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64) || defined(_M_IX86)
    _mm_pause();
#else
    std::this_thread::yield(); // not tried: no other processor was at hand
#endif
}

/// Step number, task count and next task in one word: a task can be taken only from the step that the taker has seen.
struct Ticket
{
    std::uint32_t step = 0;
    std::uint16_t tasks = 0;
    std::uint16_t next = 0;

    static Ticket unpack(std::uint64_t word)
    {
        return {std::uint32_t(word >> 32), std::uint16_t(word >> 16), std::uint16_t(word)};
    }
    std::uint64_t pack() const { return std::uint64_t(step) << 32 | std::uint64_t(tasks) << 16 | next; }
};

} // namespace

int physicalCores()
{
    // Linux lists the hyper-threads of each core. Elsewhere (not tried) every logical processor counts.
    QSet<QByteArray> cores;
    QDir folder(QStringLiteral("/sys/devices/system/cpu"));
    const auto names = folder.entryList({QStringLiteral("cpu[0-9]*")}, QDir::Dirs);
    for (const QString &name : names) {
        QFile siblings(folder.filePath(name + QStringLiteral("/topology/thread_siblings_list")));
        if (siblings.open(QIODevice::ReadOnly)) {
            cores.insert(siblings.readAll());
        }
    }
    const int allowed = std::max(1, QThread::idealThreadCount());
    return cores.isEmpty() ? allowed : std::min(allowed, int(cores.size()));
}

class ThreadPool::Private
{
public:
    explicit Private(int threads);
    ~Private();

    void work(int slot);
    bool takeAndRun(std::uint32_t step, int slot);
    std::uint32_t waitForStep(std::uint32_t seen);
    void wakeSleepers();
    void waitUntilDone();

    // Every variable that one thread spins on has a cache line of its own.
    alignas(64) std::atomic<std::uint64_t> ticket{0};
    alignas(64) std::atomic<int> unfinished{0};
    alignas(64) std::atomic<const Job *> job{nullptr};
    alignas(64) std::atomic<int> sleepers{0};
    std::atomic<bool> callerSleeps{false};
    std::atomic<bool> stopping{false};
    std::mutex mutex;
    std::condition_variable stepStarted;
    std::condition_variable stepDone;
    std::vector<std::jthread> workers;
};

ThreadPool::Private::Private(int threads)
{
    for (int slot = 1; slot < threads; ++slot) {
        workers.emplace_back([this, slot] { work(slot); });
    }
}

ThreadPool::Private::~Private()
{
    {
        const std::lock_guard lock(mutex);
        stopping = true;
    }
    stepStarted.notify_all();
}

void ThreadPool::Private::work(int slot)
{
    std::uint32_t seen = 0;
    while (!stopping) {
        seen = waitForStep(seen);
        while (takeAndRun(seen, slot)) { }
    }
}

/// Takes one task of this step and runs it; false when none is left.
bool ThreadPool::Private::takeAndRun(std::uint32_t step, int slot)
{
    std::uint64_t word = ticket.load();
    const Job *current = nullptr;
    int task = 0;
    do {
        const Ticket now = Ticket::unpack(word);
        if (now.step != step || now.next >= now.tasks) {
            return false;
        }
        // Belongs to this step if the exchange succeeds: the next step cannot begin before this task is done.
        current = job.load();
        task = now.next;
    } while (!ticket.compare_exchange_weak(word, word + 1));

    (*current)(task, slot);
    if (--unfinished == 0 && callerSleeps) {
        const std::lock_guard lock(mutex);
        stepDone.notify_one();
    }
    return true;
}

std::uint32_t ThreadPool::Private::waitForStep(std::uint32_t seen)
{
    const auto started = [this, seen] { return Ticket::unpack(ticket.load()).step != seen || stopping; };
    for (int i = 0; i < spins && !started(); ++i) {
        spinPause();
    }
    if (!started()) {
        std::unique_lock lock(mutex);
        ++sleepers;
        stepStarted.wait(lock, started);
        --sleepers;
    }
    return Ticket::unpack(ticket.load()).step;
}

void ThreadPool::Private::wakeSleepers()
{
    if (sleepers > 0) {
        const std::lock_guard lock(mutex);
        stepStarted.notify_all();
    }
}

void ThreadPool::Private::waitUntilDone()
{
    const auto done = [this] { return unfinished == 0; };
    for (int i = 0; i < spins && !done(); ++i) {
        spinPause();
    }
    if (!done()) {
        std::unique_lock lock(mutex);
        callerSleeps = true;
        stepDone.wait(lock, done);
        callerSleeps = false;
    }
}

ThreadPool::ThreadPool(int threads)
    : d(std::make_unique<Private>(std::max(1, threads)))
{
}

ThreadPool::~ThreadPool() = default;

int ThreadPool::threads() const
{
    return int(d->workers.size()) + 1;
}

void ThreadPool::run(int tasks, const Job &job)
{
    assert(tasks <= UINT16_MAX);
    if (tasks == 1 || d->workers.empty()) {
        for (int task = 0; task < tasks; ++task) {
            job(task, 0);
        }
        return;
    }
    d->unfinished = tasks;
    d->job = &job;
    const std::uint32_t step = Ticket::unpack(d->ticket.load()).step + 1;
    d->ticket = Ticket{step, std::uint16_t(tasks), 0}.pack();
    d->wakeSleepers();
    while (d->takeAndRun(step, 0)) { }
    d->waitUntilDone();
}

} // namespace kvlab::engine
