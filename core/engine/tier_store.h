// SPDX-License-Identifier: GPL-3.0-or-later
// K and V beyond the block pool, by LMCache's rules (kv_cache_management docs, local_cpu and local_disk backends):
// chunks that are named by their whole prefix, kept in RAM and on disk, each within its budget; written to both,
// looked for in RAM first; what comes from disk goes to RAM too. RAM holds a chunk as soon as store() returns, the
// disk when its file is complete. A damaged file is a miss and reported once; when the disk takes no more, storing
// there ends with a message. Safe to call from several threads.
#pragma once

#include "engine/disk_tier.h"

#include <functional>
#include <memory>
#include <span>

namespace kvlab::engine {

struct TierOptions
{
    std::int64_t ram_bytes = 0; ///< 0 = no such tier
    std::optional<DiskTierOptions> disk;
    prefix::EvictionPolicy ram_policy = prefix::EvictionPolicy::lru;
    std::function<void(const QString &)> on_message; ///< whole sentences; called from any thread

    bool any() const { return ram_bytes > 0 || disk.has_value(); }
};

enum class Tier { ram, disk };

struct TierCounters
{
    struct OfTier
    {
        std::int64_t bytes = 0; ///< held now
        int chunks = 0;
        std::int64_t evictions = 0;
        std::int64_t loaded_chunks = 0;
        std::int64_t loaded_bytes = 0;
        double load_seconds = 0; ///< reading and checking
        std::int64_t stored_chunks = 0;
    };
    OfTier ram;
    OfTier disk;
    int pending_stores = 0; ///< chunks on their way to the disk
    std::int64_t damaged_files = 0;
    bool disk_storing = false; ///< false when there is no disk tier, or it takes no more
};

class TierStore
{
public:
    /// Throws std::runtime_error with a whole sentence when a tier cannot be as asked for.
    TierStore(const TierOptions &options, const prefix::BlockHash &layout, std::int64_t chunkBytes);
    ~TierStore(); ///< completes what is on its way

    /// How many of these chunks, from the first one on without a gap, some tier holds.
    int lookup(std::span<const prefix::BlockHash> chunks);

    struct Loaded
    {
        Tier tier = Tier::ram;
        std::shared_ptr<const ChunkBytes> bytes;
    };
    /// Exactly the bytes that were stored under this name, or nothing.
    std::optional<Loaded> load(const prefix::BlockHash &chunk);

    bool wants(const prefix::BlockHash &chunk); ///< some tier would take it and does not hold it
    /// `done` is called once, from any thread: true when every tier that takes chunks has it. Waits while too many
    /// bytes are on their way.
    void store(const prefix::BlockHash &chunk, ChunkBytes bytes, std::function<void(bool)> done = {});
    void waitForStores();

    TierCounters counters() const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::engine
