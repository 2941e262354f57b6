// SPDX-License-Identifier: GPL-3.0-or-later
// What the bookkeeping of the block pool and the tier index costs: hashing, lookup, allocation with eviction, commit,
// release, one decoded token; at growing pools that are full of cached blocks. Prints rows for RESULTS.md.
#include "prefix/block_pool.h"
#include "prefix/tier_index.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace kvlab::prefix;

namespace {

constexpr int blockSize = 16;
constexpr int blocksPerChunk = 16;

template <typename Job> double millisecondsOf(Job job)
{
    const auto start = std::chrono::steady_clock::now();
    job();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Nearest rank.
double percentile(std::vector<double> values, double share)
{
    std::sort(values.begin(), values.end());
    const auto rank = std::size_t(share * double(values.size()) + 0.999999);
    return values[std::clamp<std::size_t>(rank, 1, values.size()) - 1];
}

struct Times
{
    std::vector<double> hash, cold, warm, token, chunks, all;
};

HashChain chainOf(int tokens, Token first)
{
    HashChain chain(blockSize);
    std::vector<Token> list(static_cast<std::size_t>(tokens));
    std::generate(list.begin(), list.end(), [&first] { return first++; });
    chain.append(list);
    return chain;
}

/// Every block holds something that has to be evicted.
void fillPool(BlockPool &pool, int blocks)
{
    for (int done = 1; done < blocks;) {
        const int piece = std::min(blocks - done, 512);
        const HashChain chain = chainOf(piece * blockSize, 1'000'000'000 + done * blockSize);
        auto allocation = pool.allocate(chain).value();
        pool.commit(allocation, chain, chain.size());
        pool.release(allocation);
        done += piece;
    }
}

Times measure(int blocks, int tokens, int rounds)
{
    BlockPool::Options options;
    options.blocks = blocks;
    options.block_size = blockSize;
    BlockPool pool(options);
    fillPool(pool, blocks);
    TierIndex index(EvictionPolicy::lru, blocks);
    Times times;
    for (int round = 0; round < rounds; ++round) {
        HashChain chain(blockSize);
        times.hash.push_back(millisecondsOf([&] { chain = chainOf(tokens, round * tokens); }));
        const auto serve = [&] {
            auto allocation = pool.allocate(chain).value();
            pool.commit(allocation, chain, chain.size());
            pool.release(allocation);
        };
        times.cold.push_back(millisecondsOf(serve));
        times.warm.push_back(millisecondsOf(serve));
        times.chunks.push_back(millisecondsOf([&] {
            for (std::size_t last = blocksPerChunk; last <= chain.hashes().size(); last += blocksPerChunk)
                index.insert(chain.hashes()[last - 1], blocksPerChunk);
        }));
        times.all.push_back(times.hash.back() + times.cold.back() + times.chunks.back());
        auto allocation = pool.allocate(chain).value();
        chain.append(7); // the first one after a prompt makes the list of tokens grow
        times.token.push_back(millisecondsOf([&] {
            pool.append(allocation, chain.size() - 1, 2);
            chain.append(7);
            pool.commit(allocation, chain, chain.size());
        }));
        pool.release(allocation);
    }
    return times;
}

void print(int blocks, int tokens, const char *step, const std::vector<double> &times)
{
    std::printf("| %d | %d | %s | %zu | %.4f | %.4f |\n", blocks, tokens, step, times.size(), percentile(times, 0.5),
        percentile(times, 0.99));
}

} // namespace

int main(int argc, char **argv)
{
    const int rounds = argc == 3 && std::string(argv[1]) == "--n" ? std::atoi(argv[2]) : 200;
    if (rounds < 1) {
        std::fprintf(stderr, "usage: prefix_benchmark [--n ROUNDS]\n");
        return 2;
    }
    std::printf(
        "| pool (blocks) | prompt (tokens) | step | n | median (ms) | p99 (ms) |\n|---:|---:|---|---:|---:|---:|\n");
    for (const int tokens : {8'000, 100'000}) {
        for (const int blocks : {1'000, 10'000, 100'000, 1'000'000}) {
            if (tokens / blockSize + 2 > blocks)
                continue;
            const Times times = measure(blocks, tokens, rounds);
            print(blocks, tokens, "hash the prompt", times.hash);
            print(blocks, tokens, "cold: look up, take and evict, register, give back", times.cold);
            print(blocks, tokens, "warm: look up, touch, give back", times.warm);
            print(blocks, tokens, "one more token", times.token);
            print(blocks, tokens, "names of its chunks into the tier index", times.chunks);
            print(blocks, tokens, "all of a cold prompt", times.all);
        }
    }
    return 0;
}
