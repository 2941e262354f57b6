// SPDX-License-Identifier: GPL-3.0-or-later
#include "tier_options.h"

#include "commands.h"
#include "options.h"

#include "memory/weights.h"

#include <QDir>
#include <QMap>
#include <QRandomGenerator>

#include <mutex>

namespace kvlab::cli {

namespace {

constexpr qint64 defaultDiskBytes = 5LL << 30;

/// Whatever thread it comes from.
void sayOnStandardError(const QString &message)
{
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    standardError() << "kvlab: " << message << Qt::endl;
}

bool wrongUsage(const QString &message)
{
    fail(exitUsage, message);
    return false;
}

} // namespace

TierFlags::TierFlags()
    : m_ram(QStringLiteral("tier-ram"),
        tr("Keep chunks of K and V in RAM up to this size, as LMCache does; none by default."), QStringLiteral("SIZE"))
    , m_disk(QStringLiteral("tier-disk"),
          tr("Keep chunks as files in this folder, up to a size (5GiB by default): kv:2GiB. Engines may share a "
             "folder; "
             "it survives a restart."),
          QStringLiteral("DIR[:SIZE]"))
    , m_policy(QStringLiteral("tier-policy"), tr("What goes when a tier is full: lru, lfu or fifo."),
          QStringLiteral("POLICY"), QStringLiteral("lru"))
    , m_index(QStringLiteral("tier-index"),
          tr("files: the folder is the index. memory: known is only what this process stored, so that after a restart "
             "the files are there and the hits are gone, as with LMCache inside a vLLM process."),
          QStringLiteral("WHERE"), QStringLiteral("files"))
    , m_chunkSize(QStringLiteral("chunk-size"), tr("Tokens in a chunk, a multiple of the block size."),
          QStringLiteral("N"), QStringLiteral("256"))
    , m_hashSeed(QStringLiteral("hash-seed"),
          tr("Start of the hash chain, as PYTHONHASHSEED for vLLM: 0 to 4294967295, or random. Engines with unequal "
             "ones share nothing."),
          QStringLiteral("N"), QStringLiteral("0"))
{
}

QList<QCommandLineOption> TierFlags::all() const
{
    return {m_ram, m_disk, m_policy, m_index, m_chunkSize, m_hashSeed};
}

bool TierFlags::read(const QCommandLineParser &parser, engine::EngineOptions &options) const
{
    options.tiers.on_message = sayOnStandardError;
    return readRam(parser, options.tiers) && readDisk(parser, options.tiers) && readPolicy(parser, options.tiers)
        && readChunkSize(parser, options) && readHashSeed(parser, options);
}

bool TierFlags::readRam(const QCommandLineParser &parser, engine::TierOptions &tiers) const
{
    if (!parser.isSet(m_ram))
        return true;
    const auto bytes = memory::parseSize(parser.value(m_ram));
    if (!bytes) {
        return wrongUsage(
            tr("--tier-ram: “%1” is not a size of at least 1 byte. Write a number with its unit, like 1GiB.")
                .arg(parser.value(m_ram)));
    }
    tiers.ram_bytes = *bytes;
    return true;
}

/// The last colon parts folder and size, unless it belongs to the folder's name ("C:/kv").
bool TierFlags::readDisk(const QCommandLineParser &parser, engine::TierOptions &tiers) const
{
    if (!parser.isSet(m_disk))
        return true;
    const QString value = parser.value(m_disk);
    const qsizetype colon = value.lastIndexOf(QLatin1Char(':'));
    const QString behind = value.mid(colon + 1);
    const bool namesSize = colon > 0 && !behind.isEmpty() && behind.at(0).isDigit();
    const auto bytes = namesSize ? memory::parseSize(behind) : std::optional<qint64>(defaultDiskBytes);
    const QString folder = namesSize ? value.first(colon) : value;
    if (!bytes || folder.isEmpty()) {
        return wrongUsage(
            tr("--tier-disk: “%1” is not a folder with a size of at least 1 byte. Write it like kv:2GiB.").arg(value));
    }
    tiers.disk.emplace();
    tiers.disk->folder = QDir::cleanPath(folder);
    tiers.disk->budget_bytes = *bytes;
    return true;
}

bool TierFlags::readPolicy(const QCommandLineParser &parser, engine::TierOptions &tiers) const
{
    using prefix::EvictionPolicy;
    static const QMap<QString, EvictionPolicy> policies{{QStringLiteral("lru"), EvictionPolicy::lru},
        {QStringLiteral("lfu"), EvictionPolicy::lfu}, {QStringLiteral("fifo"), EvictionPolicy::fifo}};
    const QString policy = parser.value(m_policy);
    if (!policies.contains(policy))
        return wrongUsage(tr("--tier-policy takes lru, lfu or fifo, not “%1”.").arg(policy));
    const QString index = parser.value(m_index);
    if (index != QLatin1String("files") && index != QLatin1String("memory"))
        return wrongUsage(tr("--tier-index takes files or memory, not “%1”.").arg(index));
    tiers.ram_policy = policies.value(policy);
    if (tiers.disk) {
        tiers.disk->policy = policies.value(policy);
        tiers.disk->index_in_memory = index == QLatin1String("memory");
    }
    return true;
}

bool TierFlags::readChunkSize(const QCommandLineParser &parser, engine::EngineOptions &options) const
{
    bool isNumber = false;
    const int size = parser.value(m_chunkSize).toInt(&isNumber);
    if (!isNumber || size < 1 || size > engine::maxContext || size % options.block_size != 0) {
        return wrongUsage(tr("--chunk-size takes a multiple of the block size (%1) up to %2, not “%3”.")
                              .arg(QString::number(options.block_size), QString::number(engine::maxContext),
                                  parser.value(m_chunkSize)));
    }
    options.chunk_size = size;
    return true;
}

bool TierFlags::readHashSeed(const QCommandLineParser &parser, engine::EngineOptions &options) const
{
    const QString seed = parser.value(m_hashSeed);
    bool isNumber = false;
    const quint32 number = seed.toUInt(&isNumber);
    if (!isNumber && seed != QLatin1String("random")) {
        return wrongUsage(tr("--hash-seed takes a whole number from 0 to 4294967295, or random, not “%1”.").arg(seed));
    }
    options.hash_seed = std::to_string(isNumber ? number : QRandomGenerator::system()->generate64());
    return true;
}

} // namespace kvlab::cli
