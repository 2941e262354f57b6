// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of the tiers share: named chunks with known contents, stores, and a look into their folders.
#pragma once

#include "engine/tier_store.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <random>

namespace kvlab::engine {

using prefix::BlockHash;
using prefix::EvictionPolicy;
using prefix::rootHash;

inline constexpr std::int64_t chunkBytes = 3000;
inline constexpr std::int64_t roomy = 1 << 20;
inline const BlockHash layout = rootHash("layout");

inline BlockHash named(int number)
{
    return rootHash("chunk " + std::to_string(number));
}

inline std::vector<BlockHash> names(int count)
{
    std::vector<BlockHash> result;
    for (int i = 0; i < count; ++i)
        result.push_back(named(i));
    return result;
}

inline ChunkBytes contentOf(int number)
{
    std::mt19937 random(static_cast<unsigned>(number));
    ChunkBytes bytes(chunkBytes);
    std::generate(bytes.begin(), bytes.end(), [&random] { return std::byte(random() & 255); });
    return bytes;
}

/// Collects what a store says.
struct Messages
{
    std::mutex mutex;
    QStringList list;

    auto sink()
    {
        return [this](const QString &message) {
            const std::lock_guard lock(mutex);
            list.append(message);
        };
    }
};

inline TierOptions onDisk(const QString &folder, std::int64_t budget = roomy, std::int64_t ram = 0)
{
    TierOptions options;
    options.ram_bytes = ram;
    options.disk = DiskTierOptions{folder, budget, EvictionPolicy::lru, false, 1};
    return options;
}

inline TierOptions inRam(std::int64_t budget, EvictionPolicy policy = EvictionPolicy::lru)
{
    TierOptions options;
    options.ram_bytes = budget;
    options.ram_policy = policy;
    return options;
}

inline void fill(TierStore &store, int first, int count)
{
    for (int i = first; i < first + count; ++i)
        store.store(named(i), contentOf(i));
    store.waitForStores();
}

inline bool holds(TierStore &store, int number)
{
    const BlockHash name = named(number);
    return store.lookup({&name, 1}) == 1;
}

inline QFileInfoList chunkFiles(const QString &folder)
{
    QFileInfoList files;
    for (const QFileInfo &sub : QDir(folder).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot))
        files += QDir(sub.filePath()).entryInfoList({QStringLiteral("*.kv")}, QDir::Files, QDir::Name);
    return files;
}

inline QString fileOf(const QString &folder, int number)
{
    for (const QFileInfo &file : chunkFiles(folder)) {
        if (file.completeBaseName() == QString::fromStdString(named(number).hex()))
            return file.filePath();
    }
    return {};
}

inline QByteArray contentOfFile(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void overwrite(const QString &path, const QByteArray &bytes)
{
    QFile::remove(path); // some file systems flush a file that is emptied and written again: slow, ten thousand times
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

} // namespace kvlab::engine
