// SPDX-License-Identifier: GPL-3.0-or-later
// A twin of the block pool for tests: slow, obvious, and without anything in common with the real one.
#pragma once

#include "engine/tokenizer.h"

#include <optional>
#include <string>
#include <vector>

namespace kvlab::engine {

/// The same rules written for clearness instead of speed: no hashes (a block is known by its whole prefix), no index,
/// plain vectors.
class SlowPool
{
public:
    struct Key
    {
        std::string salt;
        std::vector<Token> prefix;
        bool operator==(const Key &) const = default;
    };
    struct Block
    {
        int references = 0;
        std::optional<Key> key;
        int registered = 0;
    };

    SlowPool(int blocks, int blockSize)
        : m_size(blockSize)
        , m_blocks(std::size_t(blocks))
    {
        for (int i = 1; i < blocks; ++i) {
            m_free.push_back(i);
        }
    }

    std::vector<int> hits(const std::vector<Token> &tokens, const std::string &salt) const
    {
        std::vector<int> result;
        for (int length = m_size; length < int(tokens.size()); length += m_size) {
            const Key key{salt, {tokens.begin(), tokens.begin() + length}};
            int oldest = -1;
            for (int i = 0; i < int(m_blocks.size()); ++i) {
                const Block &block = m_blocks[std::size_t(i)];
                if (block.key == key && (oldest < 0 || block.registered < m_blocks[std::size_t(oldest)].registered)) {
                    oldest = i;
                }
            }
            if (oldest < 0) {
                break;
            }
            result.push_back(oldest);
        }
        return result;
    }

    std::optional<std::vector<int>> allocate(const std::vector<Token> &tokens, const std::string &salt)
    {
        std::vector<int> table = hits(tokens, salt);
        std::vector<int> rest = m_free;
        for (const int block : table) {
            std::erase(rest, block);
        }
        const int wanted = (int(tokens.size()) + m_size - 1) / m_size - int(table.size());
        if (wanted > int(rest.size())) {
            return std::nullopt;
        }
        table.insert(table.end(), rest.begin(), rest.begin() + wanted);
        for (const int block : table) {
            ++m_blocks[std::size_t(block)].references;
        }
        for (int i = 0; i < wanted; ++i) {
            m_blocks[std::size_t(rest[std::size_t(i)])].key.reset();
        }
        m_free.assign(rest.begin() + wanted, rest.end());
        return table;
    }

    bool append(std::vector<int> &table, int tokens)
    {
        if (tokens % m_size != 0) {
            return true;
        }
        if (m_free.empty()) {
            return false;
        }
        Block &block = m_blocks[std::size_t(m_free.front())];
        block.key.reset();
        block.references = 1;
        table.push_back(m_free.front());
        m_free.erase(m_free.begin());
        return true;
    }

    void commit(const std::vector<int> &table, const std::vector<Token> &tokens, const std::string &salt)
    {
        for (int i = 0; (i + 1) * m_size <= int(tokens.size()); ++i) {
            Block &block = m_blocks[std::size_t(table[std::size_t(i)])];
            if (!block.key) {
                block.key = Key{salt, {tokens.begin(), tokens.begin() + (i + 1) * m_size}};
                block.registered = ++m_registrations;
            }
        }
    }

    void release(const std::vector<int> &table)
    {
        for (int i = int(table.size()) - 1; i >= 0; --i) {
            const int number = table[std::size_t(i)];
            if (--m_blocks[std::size_t(number)].references == 0) {
                m_free.push_back(number);
            }
        }
    }

    bool reset()
    {
        if (m_free.size() + 1 != m_blocks.size()) {
            return false;
        }
        for (Block &block : m_blocks) {
            block.key.reset();
        }
        return true;
    }

    const std::vector<int> &freeQueue() const { return m_free; }
    const std::vector<Block> &blocks() const { return m_blocks; }

private:
    int m_size;
    std::vector<Block> m_blocks;
    std::vector<int> m_free;
    int m_registrations = 0;
};

} // namespace kvlab::engine
