// SPDX-License-Identifier: GPL-3.0-or-later
// One chunk of K and V as a file. A header names the layout, the chunk and the length, a 128-bit checksum (XXH3)
// covers all of it and the bytes, and a file appears whole or not at all (written beside, then renamed). Whoever reads
// gets exactly the bytes that were written under that name, or nothing.
#pragma once

#include "prefix/block_hash.h"

#include <QString>

#include <cstddef>
#include <optional>

namespace kvlab::engine {

using ChunkBytes = std::vector<std::byte>;

/// What a file must agree on to be of use.
struct ChunkName
{
    prefix::BlockHash layout; ///< digest of model and layout
    prefix::BlockHash chunk; ///< hash of its last block, which names the whole prefix
    std::int64_t bytes = 0;
};

/// An error text when it could not be written; nothing is then left behind under that name.
std::optional<QString> writeChunkFile(const QString &path, const ChunkName &name, const ChunkBytes &bytes);

struct ChunkReading
{
    enum class State { ok, absent, damaged };
    State state = State::absent;
    ChunkBytes bytes; ///< when ok
    QString why; ///< when damaged: what is wrong, as a part of a sentence
};
ChunkReading readChunkFile(const QString &path, const ChunkName &name);

std::int64_t chunkFileBytes(std::int64_t bytes); ///< on disk, header included

} // namespace kvlab::engine
