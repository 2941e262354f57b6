// SPDX-License-Identifier: GPL-3.0-or-later
// A twin of the block pool for tests: slow, obvious, and without anything in common with the real one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvlab::tests {

/// The same rules written for clearness instead of speed: no hashes (a block is known by its whole prefix), no index,
/// plain vectors.
class SlowPool
{
public:
    using Token = std::int32_t;
    struct Prompt
    {
        std::string adapter;
        std::string salt;
        std::vector<Token> tokens;
        bool operator==(const Prompt &) const = default;
    };
    struct Key
    {
        int group = 0;
        Prompt prefix;
        bool operator==(const Key &) const = default;
    };
    struct Block
    {
        int references = 0;
        std::optional<Key> key;
        int registered = 0;
    };
    struct Options
    {
        int blocks = 2;
        int block_size = 4;
        bool unhashed_to_head = false;
        bool eagle = false;
        std::vector<int> windows{0}; ///< one a group; 0 = full attention
    };
    using Tables = std::vector<std::vector<int>>;

    explicit SlowPool(Options options)
        : m_options(std::move(options))
        , m_size(m_options.block_size)
        , m_blocks(std::size_t(m_options.blocks))
    {
        for (int i = 1; i < m_options.blocks; ++i) {
            m_free.push_back(i);
        }
    }

    /// Blocks: the longest start of the prompt that every group can go on from.
    int hits(const Prompt &prompt) const
    {
        int best = longest(prompt, (int(prompt.tokens.size()) - 1) / m_size);
        if (m_options.eagle && best > 0) {
            best = longest(prompt, best - 1);
        }
        return best;
    }

    std::optional<Tables> allocate(const Prompt &prompt, bool skip)
    {
        const int found = skip ? 0 : hits(prompt);
        const int total = (int(prompt.tokens.size()) + m_size - 1) / m_size;
        Tables tables;
        std::vector<int> rest = m_free;
        for (int group = 0; group < groups(); ++group) {
            auto &table = tables.emplace_back();
            for (int i = 0; i < found; ++i) {
                table.push_back(isSeen(group, i, found) ? find(group, prompt, i) : 0);
                std::erase(rest, table.back());
            }
        }
        const int wanted = (total - found) * groups();
        if (wanted > int(rest.size())) {
            return std::nullopt;
        }
        m_free = rest;
        for (auto &table : tables) {
            for (const int block : table) {
                m_blocks[std::size_t(block)].references += block == 0 ? 0 : 1;
            }
        }
        for (auto &table : tables) {
            take(table, total - found);
        }
        return tables;
    }

    bool append(Tables &tables, int tokens, int more)
    {
        for (int group = 0; group < groups(); ++group) {
            if (window(group) > 0) {
                dropOutside(tables[std::size_t(group)], tokens - window(group) + 1);
            }
        }
        const int wanted = (tokens + more + m_size - 1) / m_size - int(tables.front().size());
        if (wanted * groups() > int(m_free.size())) {
            return false;
        }
        for (auto &table : tables) {
            take(table, wanted);
        }
        return true;
    }

    void commit(const Tables &tables, const Prompt &prompt)
    {
        for (int group = 0; group < groups(); ++group) {
            for (int i = 0; (i + 1) * m_size <= int(prompt.tokens.size()); ++i) {
                const int number = tables[std::size_t(group)][std::size_t(i)];
                Block &block = m_blocks[std::size_t(number)];
                if (number != 0 && !block.key) {
                    block.key = keyOf(group, prompt, i);
                    block.registered = ++m_registrations;
                }
            }
        }
    }

    void release(const Tables &tables)
    {
        for (const auto &table : tables) {
            free({table.rbegin(), table.rend()});
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
    int groups() const { return int(m_options.windows.size()); }
    int window(int group) const { return m_options.windows[std::size_t(group)]; }

    Key keyOf(int group, const Prompt &prompt, int block) const
    {
        Key key{group, prompt};
        key.prefix.tokens.resize(std::size_t((block + 1) * m_size));
        return key;
    }

    /// Does the first token after `length` blocks look back on this block?
    bool isSeen(int group, int block, int length) const
    {
        const int lastTokenOfBlock = (block + 1) * m_size - 1;
        const int nextToken = length * m_size;
        return window(group) == 0 || nextToken - lastTokenOfBlock < window(group);
    }

    int find(int group, const Prompt &prompt, int block) const
    {
        const Key key = keyOf(group, prompt, block);
        int oldest = 0;
        for (int i = 1; i < int(m_blocks.size()); ++i) {
            const Block &candidate = m_blocks[std::size_t(i)];
            if (candidate.key == key
                && (oldest == 0 || candidate.registered < m_blocks[std::size_t(oldest)].registered)) {
                oldest = i;
            }
        }
        return oldest;
    }

    int longest(const Prompt &prompt, int most) const
    {
        for (int length = most; length > 0; --length) {
            bool works = true;
            for (int group = 0; group < groups() && works; ++group) {
                for (int i = 0; i < length && works; ++i) {
                    works = !isSeen(group, i, length) || find(group, prompt, i) != 0;
                }
            }
            if (works) {
                return length;
            }
        }
        return 0;
    }

    void take(std::vector<int> &table, int count)
    {
        for (int i = 0; i < count; ++i) {
            const int number = m_free.front();
            m_free.erase(m_free.begin());
            m_blocks[std::size_t(number)].key.reset();
            m_blocks[std::size_t(number)].references = 1;
            table.push_back(number);
        }
    }

    /// Whole blocks among the first `tokens` that a window has left behind.
    void dropOutside(std::vector<int> &table, int tokens)
    {
        std::vector<int> gone;
        for (int i = 0; (i + 1) * m_size <= tokens && i < int(table.size()); ++i) {
            gone.insert(gone.begin(), table[std::size_t(i)]);
            table[std::size_t(i)] = 0;
        }
        free(gone);
    }

    void free(const std::vector<int> &lastFirst)
    {
        std::vector<int> head;
        for (const int number : lastFirst) {
            Block &block = m_blocks[std::size_t(number)];
            if (number == 0 || --block.references > 0) {
                continue;
            }
            (m_options.unhashed_to_head && !block.key ? head : m_free).push_back(number);
        }
        m_free.insert(m_free.begin(), head.begin(), head.end());
    }

    Options m_options;
    int m_size;
    std::vector<Block> m_blocks;
    std::vector<int> m_free;
    int m_registrations = 0;
};

} // namespace kvlab::tests
