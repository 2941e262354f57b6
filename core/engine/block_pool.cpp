// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/block_pool.h"

#include <QCryptographicHash>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <list>
#include <stdexcept>
#include <unordered_map>

namespace kvlab::engine {

namespace {

constexpr int nullBlock = 0;

/// Stands in for the parent of the first block. Its value does not matter, only that everybody uses the same one.
constexpr BlockHash noParent{};

void addToken(QCryptographicHash &hash, Token token)
{
    const auto bits = static_cast<std::uint32_t>(token);
    const char bytes[4] = {static_cast<char>(bits & 0xff), static_cast<char>((bits >> 8) & 0xff),
        static_cast<char>((bits >> 16) & 0xff), static_cast<char>((bits >> 24) & 0xff)};
    hash.addData(QByteArrayView(bytes, sizeof bytes));
}

/// H(parent, tokens, salt). SHA-256, because blocks are trusted by their hash alone and never compared token by token:
/// whoever could make two blocks collide would read another user's cache. The parts need no separators: parent and
/// tokens have a fixed length, the salt is what remains.
BlockHash hashBlock(const BlockHash &parent, const Token *tokens, int blockSize, const std::string &salt)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(QByteArrayView(reinterpret_cast<const char *>(parent.bytes.data()), qsizetype(parent.bytes.size())));
    std::for_each(tokens, tokens + blockSize, [&hash](Token token) { addToken(hash, token); });
    hash.addData(QByteArrayView(salt.data(), qsizetype(salt.size())));

    BlockHash result;
    const QByteArray digest = hash.result();
    std::copy(digest.begin(), digest.end(), reinterpret_cast<char *>(result.bytes.data()));
    return result;
}

/// The digest is evenly spread already: its first bytes serve as the hash map's key.
struct FirstBytes
{
    std::size_t operator()(const BlockHash &hash) const
    {
        std::size_t key = 0;
        std::memcpy(&key, hash.bytes.data(), sizeof key);
        return key;
    }
};

} // namespace

std::vector<BlockHash> hashBlocks(const std::vector<Token> &tokens, int blockSize, const std::string &salt)
{
    std::vector<BlockHash> hashes(tokens.size() / std::size_t(blockSize));
    for (std::size_t i = 0; i < hashes.size(); ++i) {
        const BlockHash &parent = i == 0 ? noParent : hashes[i - 1];
        // The chain carries the salt on: it is needed in the first block only.
        hashes[i] = hashBlock(parent, &tokens[i * std::size_t(blockSize)], blockSize, i == 0 ? salt : std::string());
    }
    return hashes;
}

class BlockPool::Private
{
public:
    struct Block
    {
        int references = 0; ///< running requests that hold it
        std::optional<BlockHash> hash; ///< only when full, computed and registered
        std::list<int>::iterator place; ///< in the free queue; valid while references == 0
    };

    explicit Private(const Options &chosen);

    std::vector<int> cachedPrefix(const std::vector<Token> &tokens, const std::string &salt) const;
    void touch(int block);
    int takeNew();
    void forget(int block);
    int blocksFor(std::size_t tokens) const;

    Options options;
    std::vector<Block> blocks; ///< by number
    std::list<int> freeQueue; ///< head = taken next; a list, because a hit leaves from the middle
    /// Two requests may compute the same block at the same time: both copies stay, the older one is found first.
    std::unordered_map<BlockHash, std::vector<int>, FirstBytes> cache;
};

BlockPool::Private::Private(const Options &chosen)
    : options(chosen)
{
    if (options.blocks < 1 || options.block_size < 1) {
        throw std::invalid_argument("A block pool needs at least one block of at least one token.");
    }
    blocks.resize(std::size_t(options.blocks));
    for (int block = nullBlock + 1; block < options.blocks; ++block) {
        blocks[std::size_t(block)].place = freeQueue.insert(freeQueue.end(), block);
    }
}

int BlockPool::Private::blocksFor(std::size_t tokens) const
{
    const auto size = std::size_t(options.block_size);
    return int((tokens + size - 1) / size);
}

/// The blocks of the longest cached prefix. Never the whole prompt: the last token must be computed to have something
/// to predict from, and as hits are whole blocks, a prompt of exactly n blocks hits at most n - 1 of them.
std::vector<int> BlockPool::Private::cachedPrefix(const std::vector<Token> &tokens, const std::string &salt) const
{
    std::vector<int> hits;
    if (!options.prefix_caching || tokens.empty()) {
        return hits;
    }
    const std::size_t limit = (tokens.size() - 1) / std::size_t(options.block_size);
    const auto hashes = hashBlocks(tokens, options.block_size, salt);
    for (std::size_t i = 0; i < limit; ++i) {
        const auto found = cache.find(hashes[i]);
        if (found == cache.end()) {
            break;
        }
        hits.push_back(found->second.front());
    }
    return hits;
}

/// One more request uses this block. An idle block leaves the free queue, so that nobody can take it.
void BlockPool::Private::touch(int block)
{
    Block &record = blocks[std::size_t(block)];
    if (record.references == 0) {
        freeQueue.erase(record.place);
    }
    ++record.references;
}

/// Takes the head of the free queue. Only now does a block that was cached lose its hash: eviction is lazy.
int BlockPool::Private::takeNew()
{
    const int block = freeQueue.front();
    forget(block);
    touch(block);
    return block;
}

void BlockPool::Private::forget(int block)
{
    Block &record = blocks[std::size_t(block)];
    if (!record.hash) {
        return;
    }
    const auto entry = cache.find(*record.hash);
    std::erase(entry->second, block);
    if (entry->second.empty()) {
        cache.erase(entry);
    }
    record.hash.reset();
}

BlockPool::BlockPool(const Options &options)
    : d(std::make_unique<Private>(options))
{
}

BlockPool::~BlockPool() = default;
BlockPool::BlockPool(BlockPool &&) noexcept = default;
BlockPool &BlockPool::operator=(BlockPool &&) noexcept = default;

std::optional<BlockPool::Allocation> BlockPool::allocate(const std::vector<Token> &tokens, const std::string &salt)
{
    Allocation allocation;
    allocation.blocks = d->cachedPrefix(tokens, salt);
    const int hits = int(allocation.blocks.size());
    const int total = d->blocksFor(tokens.size());

    // A hit that nobody uses sits in the free queue; it is about to leave it, so it cannot also serve as a new block.
    const auto idleHits = std::count_if(
        allocation.blocks.begin(), allocation.blocks.end(), [this](int block) { return references(block) == 0; });
    if (total - hits + idleHits > freeBlocks()) {
        return std::nullopt;
    }

    // Touch first: otherwise a new block could evict one of this request's own hits.
    for (const int block : allocation.blocks) {
        d->touch(block);
    }
    while (int(allocation.blocks.size()) < total) {
        allocation.blocks.push_back(d->takeNew());
    }
    allocation.cached_tokens = hits * d->options.block_size;
    return allocation;
}

bool BlockPool::append(Allocation &allocation, int tokensSoFar)
{
    if (d->blocksFor(std::size_t(tokensSoFar) + 1) <= int(allocation.blocks.size())) {
        return true;
    }
    if (d->freeQueue.empty()) {
        return false;
    }
    allocation.blocks.push_back(d->takeNew());
    return true;
}

void BlockPool::commit(const Allocation &allocation, const std::vector<Token> &tokens, const std::string &salt)
{
    if (!d->options.prefix_caching) {
        return;
    }
    const std::size_t size = std::size_t(d->options.block_size);
    const std::size_t full = std::min(tokens.size() / size, allocation.blocks.size());
    BlockHash parent = noParent;
    for (std::size_t i = 0; i < full; ++i) {
        const int block = allocation.blocks[i];
        auto &hash = d->blocks[std::size_t(block)].hash;
        if (!hash) { // hits and earlier commits keep theirs: only new blocks cost a digest
            hash = hashBlock(parent, &tokens[i * size], d->options.block_size, i == 0 ? salt : std::string());
            d->cache[*hash].push_back(block);
        }
        parent = *hash;
    }
}

void BlockPool::release(const Allocation &allocation)
{
    // Last block first: the end of a chain is of no use without its beginning, so it shall be evicted earlier.
    for (auto block = allocation.blocks.rbegin(); block != allocation.blocks.rend(); ++block) {
        auto &record = d->blocks[std::size_t(*block)];
        assert(record.references > 0);
        if (--record.references == 0) {
            record.place = d->freeQueue.insert(d->freeQueue.end(), *block);
        }
    }
}

bool BlockPool::reset()
{
    if (freeBlocks() != totalBlocks() - 1) {
        return false;
    }
    d->cache.clear();
    for (auto &block : d->blocks) {
        block.hash.reset();
    }
    return true;
}

int BlockPool::cachedPrefix(const std::vector<Token> &tokens, const std::string &salt) const
{
    return int(d->cachedPrefix(tokens, salt).size()) * d->options.block_size;
}

int BlockPool::blockSize() const
{
    return d->options.block_size;
}

int BlockPool::totalBlocks() const
{
    return d->options.blocks;
}

int BlockPool::freeBlocks() const
{
    return int(d->freeQueue.size());
}

int BlockPool::cachedBlocks() const
{
    return int(std::count_if(d->blocks.begin(), d->blocks.end(), [](const auto &block) { return block.hash; }));
}

double BlockPool::usage() const
{
    const int usable = totalBlocks() - 1;
    return usable == 0 ? 0.0 : 1.0 - double(freeBlocks()) / usable;
}

std::vector<int> BlockPool::freeQueue() const
{
    return {d->freeQueue.begin(), d->freeQueue.end()};
}

int BlockPool::references(int block) const
{
    return d->blocks.at(std::size_t(block)).references;
}

std::optional<BlockHash> BlockPool::hashOf(int block) const
{
    return d->blocks.at(std::size_t(block)).hash;
}

} // namespace kvlab::engine
