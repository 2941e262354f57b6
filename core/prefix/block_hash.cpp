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
    m_hashes.reserve(full);
    while (m_hashes.size() < full)
        m_hashes.push_back(hashBlock(m_hashes.size()));
}

/// H(parent, tokens, adapter, salt): parent and tokens have a fixed length, the keys carry theirs.
BlockHash HashChain::hashBlock(std::size_t block) const
{
    const BlockHash &parent = block == 0 ? m_root : m_hashes[block - 1];
    const auto size = std::size_t(m_blockSize);
    QByteArray bytes;
    bytes.reserve(qsizetype(parent.bytes.size() + size * sizeof(Token)));
    bytes.append(reinterpret_cast<const char *>(parent.bytes.data()), qsizetype(parent.bytes.size()));
    for (std::size_t i = block * size; i < (block + 1) * size; ++i)
        addNumber(bytes, std::uint32_t(m_tokens[i]));
    addKey(bytes, 'a', m_keys.adapter);
    if (block == 0)
        addKey(bytes, 's', m_keys.salt);
    return digest(bytes);
}

} // namespace kvlab::prefix
