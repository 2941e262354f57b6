// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/disk_tier.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QLocale>
#include <QRegularExpression>
#include <QStorageInfo>
#include <QTemporaryFile>

#include <stdexcept>

namespace kvlab::engine {

using prefix::BlockHash;

namespace {

/// Context of this file's texts.
struct DiskTierText
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::engine::DiskTier)
};

constexpr auto ownerOnly = QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner;
constexpr auto scanInterval = std::chrono::seconds(1);
constexpr qint64 leftoverSeconds = 600; ///< a file being written is younger

[[noreturn]] void refuse(const QString &sentence)
{
    throw std::runtime_error(sentence.toStdString());
}

QString sizeText(std::int64_t bytes)
{
    return QLocale::c().formattedDataSize(bytes);
}

QString hexName(const BlockHash &hash)
{
    return QString::fromStdString(hash.hex());
}

std::optional<BlockHash> hashOfName(const QString &name)
{
    static const QRegularExpression chunkName(QStringLiteral("^([0-9a-f]{64})\\.kv$"));
    const auto match = chunkName.match(name);
    if (!match.hasMatch())
        return std::nullopt;
    BlockHash hash;
    const QByteArray bytes = QByteArray::fromHex(match.captured(1).toLatin1());
    std::memcpy(hash.bytes.data(), bytes.constData(), hash.bytes.size());
    return hash;
}

/// What an engine that was killed while storing has left behind.
void removeLeftover(const QFileInfo &file)
{
    static const QRegularExpression temporaryName(QStringLiteral("^[0-9a-f]{64}\\.kv\\..+$"));
    if (temporaryName.match(file.fileName()).hasMatch()
        && file.lastModified().secsTo(QDateTime::currentDateTimeUtc()) > leftoverSeconds)
        QFile::remove(file.filePath());
}

} // namespace

DiskTier::DiskTier(const DiskTierOptions &options, const BlockHash &layout, std::int64_t chunkBytes)
    : m_options(options)
    , m_layout(layout)
    , m_chunkBytes(chunkBytes)
    , m_folder(options.folder + QLatin1Char('/') + hexName(layout).first(32))
    , m_index(options.policy, options.budget_bytes)
{
    checkFolder();
    makeFolder();
    checkBudget();
    if (!m_options.index_in_memory)
        rescan();
}

void DiskTier::checkFolder() const
{
    const QFileInfo info(m_options.folder);
    if (!info.exists())
        refuse(
            DiskTierText::tr("The tier folder “%1” does not exist. Create it, or name another.").arg(m_options.folder));
    if (!info.isDir())
        refuse(DiskTierText::tr("The tier folder “%1” is a file. Name a folder.").arg(m_options.folder));
}

void DiskTier::makeFolder()
{
    if (!QFileInfo::exists(m_folder))
        QDir().mkdir(m_folder, ownerOnly); // 0700: what is in it tells what others asked
    QTemporaryFile attempt(m_folder + QStringLiteral("/attempt"));
    if (!attempt.open())
        refuse(DiskTierText::tr("Nothing can be written in the tier folder “%1”: %2. Give this user the right to write "
                                "there, or name another folder.")
                   .arg(m_options.folder, attempt.errorString()));
}

void DiskTier::checkBudget() const
{
    const std::int64_t smallest = chunkFileBytes(m_chunkBytes);
    if (m_options.budget_bytes < smallest)
        refuse(DiskTierText::tr("The disk tier may take %1 bytes, but one chunk takes %2. Allow more, or choose a "
                                "smaller chunk.")
                   .arg(m_options.budget_bytes)
                   .arg(smallest));
    std::int64_t possible = QStorageInfo(m_folder).bytesAvailable();
    for (const QFileInfo &file : QDir(m_folder).entryInfoList(QDir::Files))
        possible += file.size();
    if (m_options.budget_bytes > possible)
        refuse(DiskTierText::tr("The disk tier may take %1, but the disk of “%2” has room for only %3. Allow less, or "
                                "name a folder on another disk.")
                   .arg(sizeText(m_options.budget_bytes), m_options.folder, sizeText(possible)));
}

/// Brings the index up to what is in the folder; oldest files first, as they were last used.
void DiskTier::rescan()
{
    std::vector<std::pair<BlockHash, std::int64_t>> found;
    std::unordered_set<BlockHash, prefix::BlockHashKey> names;
    for (const QFileInfo &file : QDir(m_folder).entryInfoList(QDir::Files, QDir::Time | QDir::Reversed)) {
        if (const auto chunk = hashOfName(file.fileName())) {
            found.emplace_back(*chunk, file.size());
            names.insert(*chunk);
        } else {
            removeLeftover(file);
        }
    }
    const std::lock_guard lock(m_mutex);
    for (const BlockHash &known : m_index.evictionOrder()) {
        if (!names.contains(known))
            m_index.erase(known);
    }
    for (const auto &[chunk, bytes] : found) {
        if (!m_index.contains(chunk))
            admit(chunk, bytes);
    }
    m_scanned = std::chrono::steady_clock::now();
}

/// Into the index, and out of the folder with what must go for it. The mutex is held.
void DiskTier::admit(const BlockHash &chunk, std::int64_t fileBytes)
{
    const auto evicted = m_index.insert(chunk, fileBytes);
    for (const BlockHash &gone : evicted.value_or(std::vector<BlockHash>())) {
        QFile::remove(pathOf(gone));
        ++m_evictions;
    }
}

QString DiskTier::pathOf(const BlockHash &chunk) const
{
    return m_folder + QLatin1Char('/') + hexName(chunk) + QStringLiteral(".kv");
}

bool DiskTier::contains(const BlockHash &chunk)
{
    const std::lock_guard lock(m_mutex);
    if (m_damaged.contains(chunk))
        return false;
    if (m_index.contains(chunk))
        return true;
    const QFileInfo file(pathOf(chunk));
    if (m_options.index_in_memory || !file.isFile())
        return false;
    admit(chunk, file.size()); // another engine has stored it
    return m_index.contains(chunk);
}

ChunkReading DiskTier::read(const BlockHash &chunk)
{
    if (!contains(chunk))
        return {};
    const QString path = pathOf(chunk);
    ChunkReading reading = readChunkFile(path, {m_layout, chunk, m_chunkBytes});
    const std::lock_guard lock(m_mutex);
    if (reading.state != ChunkReading::State::ok) {
        m_index.erase(chunk);
        if (reading.state == ChunkReading::State::damaged)
            m_damaged.insert(chunk);
        return reading;
    }
    m_index.use(chunk);
    QFile file(path);
    // The order of use survives in the files' times.
    if (m_options.policy == prefix::EvictionPolicy::lru && file.open(QIODevice::ReadWrite | QIODevice::ExistingOnly))
        file.setFileTime(QDateTime::currentDateTimeUtc(), QFileDevice::FileModificationTime);
    return reading;
}

std::optional<QString> DiskTier::write(const BlockHash &chunk, const ChunkBytes &bytes)
{
    if (!m_options.index_in_memory && std::chrono::steady_clock::now() - m_scanned > scanInterval)
        rescan();
    const std::int64_t fileBytes = chunkFileBytes(std::int64_t(bytes.size()));
    {
        const std::lock_guard lock(m_mutex);
        admit(chunk, fileBytes); // makes room first, so that the budget is kept at every moment
        m_index.erase(chunk);
    }
    if (QStorageInfo(m_folder).bytesAvailable() < fileBytes + m_options.keep_free_bytes)
        return DiskTierText::tr("The disk of the tier folder “%1” is full.").arg(m_options.folder);
    const auto error = writeChunkFile(pathOf(chunk), {m_layout, chunk, m_chunkBytes}, bytes);
    if (error)
        return DiskTierText::tr("A file in the tier folder “%1” could not be written: %2.")
            .arg(m_options.folder, *error);
    const std::lock_guard lock(m_mutex);
    m_damaged.erase(chunk);
    admit(chunk, fileBytes);
    return std::nullopt;
}

std::int64_t DiskTier::bytes() const
{
    const std::lock_guard lock(m_mutex);
    return m_index.bytes();
}

int DiskTier::chunks() const
{
    const std::lock_guard lock(m_mutex);
    return m_index.size();
}

std::int64_t DiskTier::evictions() const
{
    const std::lock_guard lock(m_mutex);
    return m_evictions;
}

} // namespace kvlab::engine
