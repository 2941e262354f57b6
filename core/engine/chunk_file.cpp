// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/chunk_file.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QtEndian>

#include <xxhash.h>

#include <memory>

namespace kvlab::engine {

namespace {

/// Context of this file's texts.
struct ChunkFileText
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::engine::ChunkFile)
};

// magic, version, length, layout, chunk, checksum; numbers little-endian
constexpr char magic[8] = {'K', 'V', 'L', 'A', 'B', 'K', 'V', '\n'};
constexpr std::uint32_t version = 1;
constexpr qsizetype versionAt = sizeof magic;
constexpr qsizetype lengthAt = versionAt + 4;
constexpr qsizetype layoutAt = lengthAt + 8;
constexpr qsizetype chunkAt = layoutAt + 32;
constexpr qsizetype checksumAt = chunkAt + 32;
constexpr qsizetype headerBytes = checksumAt + 16;

void putHash(QByteArray &header, qsizetype at, const prefix::BlockHash &hash)
{
    std::memcpy(header.data() + at, hash.bytes.data(), hash.bytes.size());
}

XXH128_canonical_t checksum(const QByteArray &header, const ChunkBytes &bytes)
{
    const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t *)> state(XXH3_createState(), XXH3_freeState);
    XXH3_128bits_reset(state.get());
    XXH3_128bits_update(state.get(), header.constData(), std::size_t(checksumAt));
    XXH3_128bits_update(state.get(), bytes.data(), bytes.size());
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state.get()));
    return canonical;
}

/// Everything but the checksum, which is left zero.
QByteArray headerOf(const ChunkName &name)
{
    QByteArray header(headerBytes, '\0');
    std::memcpy(header.data(), magic, sizeof magic);
    qToLittleEndian(version, header.data() + versionAt);
    qToLittleEndian(std::uint64_t(name.bytes), header.data() + lengthAt);
    putHash(header, layoutAt, name.layout);
    putHash(header, chunkAt, name.chunk);
    return header;
}

ChunkReading damaged(const QString &why)
{
    return {ChunkReading::State::damaged, {}, why};
}

/// Why this header is not the wanted one; empty when it is.
QString complaint(const QByteArray &header, const QByteArray &wanted)
{
    if (header.size() < headerBytes)
        return ChunkFileText::tr("it is cut off");
    if (std::memcmp(header.constData(), magic, sizeof magic) != 0)
        return ChunkFileText::tr("it is not a file of this program");
    if (qFromLittleEndian<std::uint32_t>(header.constData() + versionAt) != version)
        return ChunkFileText::tr("it was written by another version");
    if (header.first(checksumAt) != wanted.first(checksumAt))
        return ChunkFileText::tr("it belongs to another model, layout or prefix");
    return {};
}

} // namespace

std::int64_t chunkFileBytes(std::int64_t bytes)
{
    return bytes + headerBytes;
}

std::optional<QString> writeChunkFile(const QString &path, const ChunkName &name, const ChunkBytes &bytes)
{
    QByteArray header = headerOf(name);
    const XXH128_canonical_t sum = checksum(header, bytes);
    std::memcpy(header.data() + checksumAt, sum.digest, sizeof sum.digest);
    QSaveFile file(path);
    const auto size = qint64(bytes.size());
    const bool written = file.open(QIODevice::WriteOnly) && file.write(header) == header.size()
        && file.write(reinterpret_cast<const char *>(bytes.data()), size) == size && file.commit();
    if (written)
        return std::nullopt;
    return file.errorString();
}

ChunkReading readChunkFile(const QString &path, const ChunkName &name)
{
    QFile file(path);
    // Only a plain file is opened: reading a pipe that somebody put there would wait for ever.
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return QFileInfo::exists(path) ? damaged(ChunkFileText::tr("it cannot be opened")) : ChunkReading();
    const QByteArray header = file.read(headerBytes);
    const QByteArray wanted = headerOf(name);
    if (const QString why = complaint(header, wanted); !why.isEmpty())
        return damaged(why);
    if (file.size() != chunkFileBytes(name.bytes))
        return damaged(ChunkFileText::tr("it has the wrong length"));
    ChunkReading reading{ChunkReading::State::ok, ChunkBytes(std::size_t(name.bytes)), {}};
    if (file.read(reinterpret_cast<char *>(reading.bytes.data()), name.bytes) != name.bytes)
        return damaged(ChunkFileText::tr("it is cut off"));
    const XXH128_canonical_t sum = checksum(wanted, reading.bytes);
    if (std::memcmp(header.constData() + checksumAt, sum.digest, sizeof sum.digest) != 0)
        return damaged(ChunkFileText::tr("its checksum does not match"));
    return reading;
}

} // namespace kvlab::engine
