// SPDX-License-Identifier: GPL-3.0-or-later
#include "prefix/block_hash.h"

#include <QCryptographicHash>
#include <QtEndian>

#include <stdexcept>

namespace kvlab::prefix {

namespace {

BlockHash digest(const QByteArray &bytes)
{
    BlockHash hash;
    const QByteArray result = QCryptographicHash::hash(bytes, QCryptographicHash::Blake2s_256);
    std::memcpy(hash.bytes.data(), result.constData(), hash.bytes.size());
    return hash;
}

void addNumber(QByteArray &bytes, std::uint32_t number)
{
    char little[sizeof number];
    qToLittleEndian(number, little);
    bytes.append(little, sizeof little);
}

/// Kind and length in front: "salt a, adapter b" and "salt b, adapter a" must not be the same bytes.
void addKey(QByteArray &bytes, char kind, const std::string &key)
{
    if (key.empty())
        return;
    bytes.append(kind);
    addNumber(bytes, std::uint32_t(key.size()));
    bytes.append(key.data(), qsizetype(key.size()));
}

} // namespace

std::string BlockHash::hex() const
{
    return QByteArray(reinterpret_cast<const char *>(bytes.data()), qsizetype(bytes.size())).toHex().toStdString();
}

BlockHash rootHash(const std::string &seed)
{
    return seed.empty() ? BlockHash{} : digest(QByteArray::fromStdString(seed));
}

HashChain::HashChain(int blockSize, ExtraKeys keys, const BlockHash &root)
    : m_blockSize(blockSize)
    , m_keys(std::move(keys))
    , m_root(root)
{
    if (blockSize < 1)
        throw std::invalid_argument("A block holds at least one token.");
}

void HashChain::append(std::span<const Token> tokens)
{
    m_tokens.insert(m_tokens.end(), tokens.begin(), tokens.end());
    const std::size_t full = m_tokens.size() / std::size_t(m_blockSize);
    QByteArray buffer;
    while (m_hashes.size() < full)
        m_hashes.push_back(hashBlock(m_hashes.size(), buffer));
}

/// H(parent, tokens, adapter, salt): parent and tokens have a fixed length, the keys carry theirs. `buffer` only saves
/// allocations.
BlockHash HashChain::hashBlock(std::size_t block, QByteArray &buffer) const
{
    const BlockHash &parent = block == 0 ? m_root : m_hashes[block - 1];
    const auto size = std::size_t(m_blockSize);
    constexpr std::size_t parentBytes = sizeof parent.bytes;
    buffer.resize(qsizetype(parentBytes + size * sizeof(Token)));
    char *out = buffer.data();
    std::memcpy(out, parent.bytes.data(), parentBytes);
    qToLittleEndian<Token>(&m_tokens[block * size], qsizetype(size), out + parentBytes);
    addKey(buffer, 'a', m_keys.adapter);
    if (block == 0)
        addKey(buffer, 's', m_keys.salt);
    return digest(buffer);
}

} // namespace kvlab::prefix
