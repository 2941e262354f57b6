// SPDX-License-Identifier: GPL-3.0-or-later
// Chunks as files in a folder that may be shared by several engines: one subfolder (0700) per digest of model and
// layout, one file per chunk, named by its hash. Within a budget, the chunks that its policy names go first. The files
// are the index, so it survives a restart and sees what other engines store; as long as an engine has written within
// the last second, two of them may together exceed the budget by what they wrote in that second. Safe to call from
// several threads.
#pragma once

#include "engine/chunk_file.h"
#include "prefix/tier_index.h"

#include <chrono>
#include <mutex>
#include <unordered_set>

namespace kvlab::engine {

struct DiskTierOptions
{
    QString folder;
    std::int64_t budget_bytes = 0;
    prefix::EvictionPolicy policy = prefix::EvictionPolicy::lru;
    /// As LMCache's in-process local_disk: known is only what this process stored. After a restart the files are
    /// still there and the hits are gone.
    bool index_in_memory = false;
    std::int64_t keep_free_bytes = 64LL << 20; ///< of the file system, for everybody else
};

class DiskTier
{
public:
    /// Throws std::runtime_error with a whole sentence: folder missing, not writable, budget too small or beyond the
    /// disk.
    DiskTier(const DiskTierOptions &options, const prefix::BlockHash &layout, std::int64_t chunkBytes);

    bool contains(const prefix::BlockHash &chunk);
    ChunkReading read(const prefix::BlockHash &chunk);
    /// A whole sentence when it could not be written, for want of room or otherwise.
    std::optional<QString> write(const prefix::BlockHash &chunk, const ChunkBytes &bytes);

    std::int64_t bytes() const; ///< of the files known
    int chunks() const;
    std::int64_t evictions() const;
    QString pathOf(const prefix::BlockHash &chunk) const;

private:
    void checkFolder() const;
    void checkBudget() const;
    void makeFolder();
    void rescan();
    void admit(const prefix::BlockHash &chunk, std::int64_t fileBytes);

    DiskTierOptions m_options;
    prefix::BlockHash m_layout;
    std::int64_t m_chunkBytes;
    QString m_folder; ///< of this layout

    mutable std::mutex m_mutex; ///< guards what follows
    prefix::TierIndex m_index;
    std::unordered_set<prefix::BlockHash, prefix::BlockHashKey> m_damaged; ///< files of no use until written anew
    std::int64_t m_evictions = 0;
    std::chrono::steady_clock::time_point m_scanned;
};

} // namespace kvlab::engine
