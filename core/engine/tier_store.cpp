// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/tier_store.h"

#include <QCoreApplication>

#include <condition_variable>
#include <deque>
#include <stdexcept>
#include <thread>

namespace kvlab::engine {

using prefix::BlockHash;
using prefix::BlockHashKey;

namespace {

/// Context of this file's texts.
struct TierText
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::engine::TierStore)
};

using Clock = std::chrono::steady_clock;
constexpr std::int64_t mostPendingBytes = 512LL << 20;

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace

class TierStore::Private
{
public:
    Private(const TierOptions &chosen, const BlockHash &layout, std::int64_t chunk);
    ~Private();

    using Shared = std::shared_ptr<const ChunkBytes>;
    struct Job
    {
        BlockHash chunk;
        Shared bytes;
        std::function<void(bool)> done;
    };

    void keepInRam(const BlockHash &chunk, const Shared &bytes);
    Shared fromRam(const BlockHash &chunk);
    void reportDamage(const BlockHash &chunk, const QString &why);
    bool diskWants(const BlockHash &chunk);
    void writeJobs();
    bool writeToDisk(const Job &job);
    void tell(const QString &message) const;

    TierOptions options;
    std::int64_t chunkBytes;
    std::unique_ptr<DiskTier> disk;

    mutable std::mutex mutex; ///< guards what follows; never held while a file is read or written
    prefix::TierIndex ramIndex;
    std::unordered_map<BlockHash, Shared, BlockHashKey> ram;
    TierCounters totals;
    std::deque<Job> jobs; ///< the first one is being written
    std::unordered_set<BlockHash, BlockHashKey> onTheirWay;
    bool ending = false;
    std::condition_variable changed;
    std::thread writer; ///< last, for it uses all of the above
};

TierStore::Private::Private(const TierOptions &chosen, const BlockHash &layout, std::int64_t chunk)
    : options(chosen)
    , chunkBytes(chunk)
    , ramIndex(chosen.ram_policy, chosen.ram_bytes)
{
    if (options.ram_bytes != 0 && options.ram_bytes < chunkBytes) {
        const QString text = TierText::tr(
            "The RAM tier may take %1 bytes, but one chunk takes %2. Allow more, or choose a smaller chunk.")
                                 .arg(options.ram_bytes)
                                 .arg(chunkBytes);
        throw std::runtime_error(text.toStdString());
    }
    if (options.disk) {
        disk = std::make_unique<DiskTier>(*options.disk, layout, chunkBytes);
        totals.disk_storing = true;
        writer = std::thread([this] { writeJobs(); });
    }
}

TierStore::Private::~Private()
{
    {
        const std::lock_guard lock(mutex);
        ending = true;
        changed.notify_all();
    }
    if (writer.joinable())
        writer.join();
}

void TierStore::Private::tell(const QString &message) const
{
    if (options.on_message)
        options.on_message(message);
}

/// The mutex is held.
void TierStore::Private::keepInRam(const BlockHash &chunk, const Shared &bytes)
{
    if (options.ram_bytes == 0)
        return;
    const auto evicted = ramIndex.insert(chunk, std::int64_t(bytes->size()));
    if (!evicted)
        return;
    for (const BlockHash &gone : *evicted)
        ram.erase(gone);
    totals.ram.evictions += std::int64_t(evicted->size());
    ram[chunk] = bytes;
}

TierStore::Private::Shared TierStore::Private::fromRam(const BlockHash &chunk)
{
    const auto start = Clock::now();
    const std::lock_guard lock(mutex);
    const auto found = ram.find(chunk);
    if (found == ram.end())
        return {};
    ramIndex.use(chunk);
    ++totals.ram.loaded_chunks;
    totals.ram.loaded_bytes += std::int64_t(found->second->size());
    totals.ram.load_seconds += secondsSince(start);
    return found->second;
}

/// Once for each file: from then on the tier itself counts it as absent, until it is written anew.
void TierStore::Private::reportDamage(const BlockHash &chunk, const QString &why)
{
    {
        const std::lock_guard lock(mutex);
        ++totals.damaged_files;
    }
    tell(TierText::tr("The file %1 of the disk tier is of no use: %2. It counts as a miss, its tokens are computed "
                      "again, and it will be replaced.")
             .arg(disk->pathOf(chunk), why));
}

bool TierStore::Private::diskWants(const BlockHash &chunk)
{
    if (!disk)
        return false;
    {
        const std::lock_guard lock(mutex);
        if (!totals.disk_storing || onTheirWay.contains(chunk))
            return false;
    }
    return !disk->contains(chunk);
}

void TierStore::Private::writeJobs()
{
    std::unique_lock lock(mutex);
    while (true) {
        changed.wait(lock, [this] { return ending || !jobs.empty(); });
        if (jobs.empty())
            return;
        const Job job = jobs.front();
        lock.unlock();
        const bool stored = writeToDisk(job);
        if (job.done)
            job.done(stored);
        lock.lock();
        jobs.pop_front();
        onTheirWay.erase(job.chunk);
        changed.notify_all();
    }
}

bool TierStore::Private::writeToDisk(const Job &job)
{
    {
        const std::lock_guard lock(mutex);
        if (!totals.disk_storing)
            return false;
    }
    const auto error = disk->write(job.chunk, *job.bytes);
    {
        const std::lock_guard lock(mutex);
        totals.disk.stored_chunks += error ? 0 : 1;
        totals.disk_storing = !error;
    }
    if (error) {
        tell(TierText::tr("%1 Nothing more is stored there; what is there can still be loaded. Make room, then start "
                          "the engine again.")
                 .arg(*error));
    }
    return !error;
}

TierStore::TierStore(const TierOptions &options, const BlockHash &layout, std::int64_t chunkBytes)
    : d(std::make_unique<Private>(options, layout, chunkBytes))
{
}

TierStore::~TierStore() = default;

int TierStore::lookup(std::span<const BlockHash> chunks)
{
    const auto held = [this](const BlockHash &chunk) {
        {
            const std::lock_guard lock(d->mutex);
            if (d->ram.contains(chunk))
                return true;
        }
        return d->disk && d->disk->contains(chunk);
    };
    return int(std::find_if_not(chunks.begin(), chunks.end(), held) - chunks.begin());
}

std::optional<TierStore::Loaded> TierStore::load(const BlockHash &chunk)
{
    if (auto bytes = d->fromRam(chunk))
        return Loaded{Tier::ram, std::move(bytes)};
    if (!d->disk)
        return std::nullopt;
    const auto start = Clock::now();
    ChunkReading reading = d->disk->read(chunk);
    if (reading.state == ChunkReading::State::damaged)
        d->reportDamage(chunk, reading.why);
    if (reading.state != ChunkReading::State::ok)
        return std::nullopt;
    const auto bytes = std::make_shared<const ChunkBytes>(std::move(reading.bytes));
    const std::lock_guard lock(d->mutex);
    ++d->totals.disk.loaded_chunks;
    d->totals.disk.loaded_bytes += std::int64_t(bytes->size());
    d->totals.disk.load_seconds += secondsSince(start);
    d->keepInRam(chunk, bytes);
    return Loaded{Tier::disk, bytes};
}

bool TierStore::wants(const BlockHash &chunk)
{
    {
        const std::lock_guard lock(d->mutex);
        if (d->options.ram_bytes > 0 && !d->ram.contains(chunk))
            return true;
    }
    return d->diskWants(chunk);
}

void TierStore::store(const BlockHash &chunk, ChunkBytes bytes, std::function<void(bool)> done)
{
    if (std::int64_t(bytes.size()) != d->chunkBytes)
        throw std::invalid_argument("All chunks of a tier have the same size.");
    const bool toDisk = d->diskWants(chunk);
    const auto shared = std::make_shared<const ChunkBytes>(std::move(bytes));
    bool diskIsOff = false;
    {
        std::unique_lock lock(d->mutex);
        d->totals.ram.stored_chunks += d->options.ram_bytes > 0 && !d->ram.contains(chunk) ? 1 : 0;
        d->keepInRam(chunk, shared);
        diskIsOff = d->disk && !d->totals.disk_storing;
        if (toDisk) {
            const auto most = std::max<std::int64_t>(1, mostPendingBytes / d->chunkBytes);
            d->changed.wait(lock, [this, most] { return std::int64_t(d->jobs.size()) < most; });
            d->jobs.push_back({chunk, shared, std::move(done)});
            d->onTheirWay.insert(chunk);
            d->changed.notify_all();
            return;
        }
    }
    if (done)
        done(!diskIsOff);
}

void TierStore::waitForStores()
{
    std::unique_lock lock(d->mutex);
    d->changed.wait(lock, [this] { return d->jobs.empty(); });
}

TierCounters TierStore::counters() const
{
    const std::lock_guard lock(d->mutex);
    TierCounters counters = d->totals;
    counters.pending_stores = int(d->jobs.size());
    counters.ram.bytes = d->ramIndex.bytes();
    counters.ram.chunks = d->ramIndex.size();
    if (d->disk) {
        counters.disk.bytes = d->disk->bytes();
        counters.disk.chunks = d->disk->chunks();
        counters.disk.evictions = d->disk->evictions();
    }
    return counters;
}

} // namespace kvlab::engine
