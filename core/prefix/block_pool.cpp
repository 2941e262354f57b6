// SPDX-License-Identifier: GPL-3.0-or-later
#include "prefix/block_pool.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <unordered_map>

namespace kvlab::prefix {

namespace {

constexpr int nullBlock = 0;
constexpr int none = -1;

int ceilDivide(int a, int b)
{
    return (a + b - 1) / b;
}

} // namespace

class BlockPool::Private
{
public:
    struct Block
    {
        int references = 0; ///< running requests that hold it
        std::optional<BlockHash> hash; ///< only when full, computed and registered
        int group = 0; ///< with a hash: whose layers it holds
        int next_same = none; ///< a younger block with the same hash
        int before = none; ///< neighbours in the free queue; meaningful while references == 0
        int after = none;
    };

    explicit Private(const Options &chosen);

    // The free queue: a ring through the blocks with the null block as its anchor, which is never free itself.
    void enqueue(int block, int beforeWhich);
    void dequeue(int block);
    int head() const { return at(nullBlock).after; }

    int cached(int group, const BlockHash &hash) const;
    void remember(int group, int block, const BlockHash &hash);
    void forget(int block);

    int fullHit(int group, const std::vector<BlockHash> &hashes, int most) const;
    int windowHit(int group, const std::vector<BlockHash> &hashes, int most) const;
    int windowBlocks(int group) const;
    int agreedHit(const std::vector<BlockHash> &hashes, int most) const;
    int hitBlocks(const HashChain &prompt) const;
    std::vector<int> hitTable(int group, const std::vector<BlockHash> &hashes, int hits) const;

    void touch(int block);
    int takeNew();
    void letGo(const std::vector<int> &lastFirst);
    void leaveWindow(std::vector<int> &table, int group, int computed);
    void commitGroup(Allocation &allocation, int group, const HashChain &chain, int full);

    Block &at(int block) { return blocks[std::size_t(block)]; }
    const Block &at(int block) const { return blocks[std::size_t(block)]; }
    const std::optional<int> &window(int group) const { return options.groups[std::size_t(group)].window; }
    int groupCount() const { return int(options.groups.size()); }

    Options options;
    std::vector<Block> blocks; ///< by number
    int freeCount = 0;
    int cachedCount = 0;
    /// By group. Two requests may compute the same block at the same time: both copies stay, the older one is found.
    std::vector<std::unordered_map<BlockHash, int, BlockHashKey>> cache;
    std::vector<BlockEvent> events;
};

BlockPool::Private::Private(const Options &chosen)
    : options(chosen)
    , cache(chosen.groups.size())
{
    const auto impossible = [](const KvGroup &group) { return group.window && *group.window < 1; };
    if (options.blocks < 1 || options.block_size < 1 || options.groups.empty()
        || std::any_of(options.groups.begin(), options.groups.end(), impossible)) {
        throw std::invalid_argument("A block pool needs at least one block of at least one token for one group.");
    }
    blocks.resize(std::size_t(options.blocks));
    at(nullBlock).before = at(nullBlock).after = nullBlock;
    for (int block = nullBlock + 1; block < options.blocks; ++block) {
        enqueue(block, nullBlock);
    }
    if (options.prefix_caching) {
        // At once, so that no request pays for a growing table.
        std::for_each(
            cache.begin(), cache.end(), [this](auto &map) { map.reserve(std::size_t(options.blocks) / cache.size()); });
    }
}

void BlockPool::Private::enqueue(int block, int beforeWhich)
{
    const int previous = at(beforeWhich).before;
    at(block).before = previous;
    at(block).after = beforeWhich;
    at(previous).after = block;
    at(beforeWhich).before = block;
    ++freeCount;
}

void BlockPool::Private::dequeue(int block)
{
    at(at(block).before).after = at(block).after;
    at(at(block).after).before = at(block).before;
    --freeCount;
}

int BlockPool::Private::cached(int group, const BlockHash &hash) const
{
    const auto &map = cache[std::size_t(group)];
    const auto found = map.find(hash);
    return found == map.end() ? none : found->second;
}

void BlockPool::Private::remember(int group, int block, const BlockHash &hash)
{
    at(block).hash = hash;
    at(block).group = group;
    ++cachedCount;
    const auto [entry, isNew] = cache[std::size_t(group)].try_emplace(hash, block);
    if (!isNew) {
        int last = entry->second;
        while (at(last).next_same != none) {
            last = at(last).next_same;
        }
        at(last).next_same = block;
    }
}

void BlockPool::Private::forget(int block)
{
    Block &record = at(block);
    if (!record.hash) {
        return;
    }
    auto &map = cache[std::size_t(record.group)];
    const auto entry = map.find(*record.hash);
    if (entry->second != block) {
        int older = entry->second;
        while (at(older).next_same != block) {
            older = at(older).next_same;
        }
        at(older).next_same = record.next_same;
    } else if (record.next_same != none) {
        entry->second = record.next_same;
    } else {
        map.erase(entry);
    }
    if (options.events) {
        events.push_back({BlockEvent::Kind::removed, record.group, {block}, {*record.hash}, {}, {}});
    }
    record.hash.reset();
    record.next_same = none;
    --cachedCount;
}

/// Full attention needs every block from the first one on.
int BlockPool::Private::fullHit(int group, const std::vector<BlockHash> &hashes, int most) const
{
    int hits = 0;
    while (hits < most && cached(group, hashes[std::size_t(hits)]) != none) {
        ++hits;
    }
    return hits;
}

/// Blocks that the next token looks back on: it sees window - 1 earlier ones.
int BlockPool::Private::windowBlocks(int group) const
{
    return ceilDivide(*window(group) - 1, options.block_size);
}

/// A window needs the blocks just before the end of the hit only, all the way to the start if there are fewer.
int BlockPool::Private::windowHit(int group, const std::vector<BlockHash> &hashes, int most) const
{
    const int needed = windowBlocks(group);
    int run = 0; ///< cached blocks in a row, looked at from the right
    for (int block = most - 1; block >= 0 && run < needed; --block) {
        if (cached(group, hashes[std::size_t(block)]) != none) {
            ++run;
        } else {
            run = 0;
            most = block;
        }
    }
    return most;
}

/// What one window cuts off may lie inside what another one needs: until nobody objects.
int BlockPool::Private::agreedHit(const std::vector<BlockHash> &hashes, int most) const
{
    int before = 0;
    do {
        before = most;
        for (int group = 0; group < groupCount(); ++group) {
            most = window(group) ? windowHit(group, hashes, most) : fullHit(group, hashes, most);
        }
    } while (most != before);
    return most;
}

/// Blocks that all groups have. Never the whole prompt: the last token must be computed to have something to
/// predict from, and as hits are whole blocks, a prompt of exactly n blocks hits at most n - 1 of them.
int BlockPool::Private::hitBlocks(const HashChain &prompt) const
{
    if (!options.prefix_caching || prompt.size() == 0) {
        return 0;
    }
    int hits = agreedHit(prompt.hashes(), (prompt.size() - 1) / options.block_size);
    if (options.eagle && hits > 0) {
        hits = agreedHit(prompt.hashes(), hits - 1);
    }
    return hits;
}

std::vector<int> BlockPool::Private::hitTable(int group, const std::vector<BlockHash> &hashes, int hits) const
{
    const int first = window(group) ? std::max(0, hits - windowBlocks(group)) : 0;
    std::vector<int> table(std::size_t(hits), nullBlock);
    for (int block = first; block < hits; ++block) {
        table[std::size_t(block)] = cached(group, hashes[std::size_t(block)]);
    }
    return table;
}

/// One more request uses this block. An idle block leaves the free queue, so that nobody can take it.
void BlockPool::Private::touch(int block)
{
    if (at(block).references++ == 0) {
        dequeue(block);
    }
}

/// Takes the head of the free queue. Only now does a block that was cached lose its hash: eviction is lazy.
int BlockPool::Private::takeNew()
{
    const int block = head();
    forget(block);
    touch(block);
    return block;
}

void BlockPool::Private::letGo(const std::vector<int> &lastFirst)
{
    std::vector<int> toTail;
    const int oldHead = head();
    for (const int block : lastFirst) {
        assert(block == nullBlock || at(block).references > 0);
        if (block == nullBlock || --at(block).references > 0) {
            continue;
        }
        if (options.free_order == FreeOrder::unhashed_to_head && !at(block).hash) {
            enqueue(block, oldHead);
        } else {
            toTail.push_back(block); // afterwards: an empty queue has no old head to tell the two ends apart
        }
    }
    for (const int block : toTail) {
        enqueue(block, nullBlock);
    }
}

/// Blocks that no later token looks back on make room.
void BlockPool::Private::leaveWindow(std::vector<int> &table, int group, int computed)
{
    const int outside = std::max(0, computed - *window(group) + 1) / options.block_size;
    std::vector<int> lastFirst;
    for (int i = std::min(outside, int(table.size())) - 1; i >= 0 && table[std::size_t(i)] != nullBlock; --i) {
        lastFirst.push_back(table[std::size_t(i)]);
        table[std::size_t(i)] = nullBlock;
    }
    letGo(lastFirst);
}

void BlockPool::Private::commitGroup(Allocation &allocation, int group, const HashChain &chain, int full)
{
    const auto &table = allocation.tables[std::size_t(group)];
    BlockEvent event{BlockEvent::Kind::stored, group, {}, {}, {}, {}};
    for (int i = allocation.committed_blocks; i < full; ++i) {
        const int block = table[std::size_t(i)];
        const BlockHash &hash = chain.hashes()[std::size_t(i)];
        if (block == nullBlock || at(block).hash) {
            continue;
        }
        remember(group, block, hash);
        if (!options.events) {
            continue;
        }
        if (event.blocks.empty() && i > 0) {
            event.parent = chain.hashes()[std::size_t(i) - 1];
        }
        event.blocks.push_back(block);
        event.hashes.push_back(hash);
        const auto first = chain.tokens().begin() + std::ptrdiff_t(i) * options.block_size;
        event.tokens.insert(event.tokens.end(), first, first + options.block_size);
    }
    if (!event.blocks.empty()) {
        events.push_back(std::move(event));
    }
}

BlockPool::BlockPool(const Options &options)
    : d(std::make_unique<Private>(options))
{
}

BlockPool::~BlockPool() = default;
BlockPool::BlockPool(BlockPool &&) noexcept = default;
BlockPool &BlockPool::operator=(BlockPool &&) noexcept = default;

std::optional<BlockPool::Allocation> BlockPool::allocate(const HashChain &prompt, bool skipLookup)
{
    const int hits = skipLookup ? 0 : d->hitBlocks(prompt);
    const int total = ceilDivide(prompt.size(), d->options.block_size);
    Allocation allocation;
    int idleHits = 0;
    for (int group = 0; group < d->groupCount(); ++group) {
        const auto &table = allocation.tables.emplace_back(d->hitTable(group, prompt.hashes(), hits));
        idleHits += int(std::count_if(
            table.begin(), table.end(), [this](int block) { return block != nullBlock && references(block) == 0; }));
    }
    // A hit that nobody uses sits in the free queue; it is about to leave it, so it cannot also serve as a new block.
    if ((total - hits) * d->groupCount() + idleHits > freeBlocks()) {
        return std::nullopt;
    }

    // Touch first: otherwise a new block could evict one of this request's own hits.
    for (const auto &table : allocation.tables) {
        std::for_each(table.begin(), table.end(), [this](int block) { block == nullBlock ? void() : d->touch(block); });
    }
    for (auto &table : allocation.tables) {
        while (int(table.size()) < total) {
            table.push_back(d->takeNew());
        }
    }
    allocation.cached_tokens = hits * d->options.block_size;
    allocation.committed_blocks = hits;
    return allocation;
}

bool BlockPool::append(Allocation &allocation, int tokensSoFar, int more)
{
    for (int group = 0; group < d->groupCount(); ++group) {
        if (d->window(group)) {
            d->leaveWindow(allocation.tables[std::size_t(group)], group, tokensSoFar);
        }
    }
    const int needed = ceilDivide(tokensSoFar + more, d->options.block_size) - int(allocation.blocks().size());
    if (needed * d->groupCount() > freeBlocks()) {
        return false;
    }
    for (auto &table : allocation.tables) {
        for (int i = 0; i < needed; ++i) {
            table.push_back(d->takeNew());
        }
    }
    return true;
}

void BlockPool::commit(Allocation &allocation, const HashChain &chain, int computed)
{
    if (!d->options.prefix_caching) {
        return;
    }
    const int full
        = std::min({computed / d->options.block_size, int(chain.hashes().size()), int(allocation.blocks().size())});
    for (int group = 0; group < d->groupCount(); ++group) {
        d->commitGroup(allocation, group, chain, full);
    }
    allocation.committed_blocks = std::max(allocation.committed_blocks, full);
}

void BlockPool::release(const Allocation &allocation)
{
    // Last block first: the end of a chain is of no use without its beginning, so it shall be evicted earlier.
    for (const auto &table : allocation.tables) {
        d->letGo({table.rbegin(), table.rend()});
    }
}

void BlockPool::evict(int block)
{
    d->forget(block);
}

bool BlockPool::reset()
{
    if (freeBlocks() != d->options.blocks - 1) {
        return false;
    }
    for (auto &map : d->cache) {
        map.clear();
    }
    for (auto &block : d->blocks) {
        block.hash.reset();
        block.next_same = none;
    }
    d->cachedCount = 0;
    if (d->options.events) {
        d->events.push_back({BlockEvent::Kind::cleared, 0, {}, {}, {}, {}});
    }
    return true;
}

int BlockPool::cachedPrefix(const HashChain &prompt) const
{
    return d->hitBlocks(prompt) * d->options.block_size;
}

const BlockPool::Options &BlockPool::options() const
{
    return d->options;
}

int BlockPool::freeBlocks() const
{
    return d->freeCount;
}

int BlockPool::cachedBlocks() const
{
    return d->cachedCount;
}

double BlockPool::usage() const
{
    const int usable = d->options.blocks - 1;
    return usable == 0 ? 0.0 : 1.0 - double(freeBlocks()) / usable;
}

std::vector<int> BlockPool::freeQueue() const
{
    std::vector<int> queue;
    queue.reserve(std::size_t(d->freeCount));
    for (int block = d->head(); block != nullBlock; block = d->at(block).after) {
        queue.push_back(block);
    }
    return queue;
}

int BlockPool::references(int block) const
{
    return d->blocks.at(std::size_t(block)).references;
}

std::optional<BlockHash> BlockPool::hashOf(int block) const
{
    return d->blocks.at(std::size_t(block)).hash;
}

std::vector<BlockEvent> BlockPool::takeEvents()
{
    return std::exchange(d->events, {});
}

} // namespace kvlab::prefix
