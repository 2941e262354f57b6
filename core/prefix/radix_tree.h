// SPDX-License-Identifier: GPL-3.0-or-later
// SGLang's RadixAttention (srt/mem_cache/radix_cache.py): prefixes as a radix tree over token ids. A match may end
// inside a node, which is then split there; with pages above one token, at the page before. Only leaves that nobody
// uses are evicted, the least recently used first. At most n - 1 tokens of a prompt are looked up. No I/O, no data.
#pragma once

#include "prefix/block_hash.h"

#include <memory>
#include <optional>
#include <string>

namespace kvlab::prefix {

class RadixTree
{
public:
    struct Options
    {
        int page_size = 1; ///< tokens
        int capacity = 1 << 20; ///< tokens
    };

    /// Throws std::invalid_argument unless a page and the capacity hold at least one token.
    explicit RadixTree(const Options &options);
    ~RadixTree();
    RadixTree(RadixTree &&) noexcept;
    RadixTree &operator=(RadixTree &&) noexcept;

    /// Leading tokens that a request with this prompt would find; whole pages. `space` keeps adapters and salts apart.
    int match(std::span<const Token> prompt, const std::string &space = {}) const;

    /// A running request: its hit cannot be evicted until finish(), and space for the rest of the prompt is made.
    /// Nothing when the tree cannot hold the prompt beside what other requests use.
    struct Request
    {
        int id = 0;
        int cached_tokens = 0;
    };
    std::optional<Request> start(std::span<const Token> prompt, const std::string &space = {});
    /// Keeps the whole pages of what was computed: the prompt, or the prompt and its answer.
    void finish(const Request &request, std::span<const Token> computed);

    int tokens() const; ///< cached
    int lockedTokens() const; ///< in use by running requests
    bool reset(); ///< false while a request runs

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::prefix
