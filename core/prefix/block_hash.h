// SPDX-License-Identifier: GPL-3.0-or-later
// The chained hash that names a block in vLLM's automatic prefix caching (vllm/v1/core/kv_cache_utils.py): every full
// block is H(hash of the block before, its tokens, extra keys), so equal hashes mean equal prefixes, and one different
// token changes every later block. Only full blocks have a hash.
#pragma once

#include <QByteArray>

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace kvlab::prefix {

using Token = std::int32_t;

/// 256 bits. vLLM's default is SHA-256; this is BLAKE2s, as strong and three times as fast in Qt. Strength matters:
/// blocks are trusted by their hash alone and never compared token by token, so whoever could make two blocks collide
/// would read another user's cache.
struct BlockHash
{
    std::array<std::uint8_t, 32> bytes{};
    friend bool operator==(const BlockHash &, const BlockHash &) = default;

    std::string hex() const;
};

/// For hash maps: a digest is evenly spread, so its first bytes serve as the key.
struct BlockHashKey
{
    std::size_t operator()(const BlockHash &hash) const
    {
        std::size_t key = 0;
        std::memcpy(&key, hash.bytes.data(), sizeof key);
        return key;
    }
};

/// What separates caches of equal tokens.
struct ExtraKeys
{
    std::string adapter; ///< name of the LoRA adapter; joins every block
    std::string salt; ///< `cache_salt`; joins the first block only, the chain carries it on
};

/// Stands in for the parent of the first block (vLLM's NONE_HASH). Processes with unequal seeds never share a hash;
/// the empty seed gives all zeros.
BlockHash rootHash(const std::string &seed);

/// The tokens of one request and the hashes of their full blocks; grows as tokens arrive, so that nothing is hashed
/// twice.
class HashChain
{
public:
    explicit HashChain(int blockSize, ExtraKeys keys = {}, const BlockHash &root = {});

    void append(std::span<const Token> tokens);
    void append(Token token) { append({&token, 1}); }

    const std::vector<Token> &tokens() const { return m_tokens; }
    const std::vector<BlockHash> &hashes() const { return m_hashes; } ///< of the full blocks
    int size() const { return int(m_tokens.size()); } ///< tokens
    int blockSize() const { return m_blockSize; }

private:
    BlockHash hashBlock(std::size_t block, QByteArray &buffer) const;

    int m_blockSize;
    ExtraKeys m_keys;
    BlockHash m_root;
    std::vector<Token> m_tokens;
    std::vector<BlockHash> m_hashes;
};

} // namespace kvlab::prefix
