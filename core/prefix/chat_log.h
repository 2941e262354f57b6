// SPDX-License-Identifier: GPL-3.0-or-later
// A chat log (JSONL: one OpenAI request a line, bare or under "request" or "body") replayed through every design's
// prefix cache: tokens that would not have been computed, as the log is, and with what does not change put first: tools
// in the order of their text, lines of the system message by how many requests have them, and those that no other
// request has in the last message.
#pragma once

#include "prefix/chat_request.h"

#include <functional>

class QIODevice;

namespace kvlab::prefix {

inline constexpr qint64 mostLogBytes = 64LL << 20;

struct ReplayOptions
{
    int block_size = 16; ///< vLLM
    int pool_tokens = 65'536; ///< room of vLLM's pool and SGLang's tree
    int slots = 4; ///< llama.cpp, without a host cache
    int chunk_size = 256; ///< LMCache, with room for everything
};

/// Tokens found in the cache, by design.
struct ReplaySavings
{
    qint64 pool = 0;
    qint64 radix = 0;
    qint64 slots = 0;
    qint64 chunks = 0;
};

struct BrokenLine
{
    int line = 0; ///< from 1
    QString why; ///< a whole sentence
};

struct ReplayResult
{
    int requests = 0; ///< replayed
    qint64 prompt_tokens = 0;
    ReplaySavings as_logged;
    ReplaySavings stable_first;
    int too_long = 0; ///< requests that do not fit the pool; they count as not found there
    int broken = 0;
    std::vector<BrokenLine> first_broken; ///< at most 20
    bool cut = false; ///< the file is larger than mostLogBytes; the rest was not read
    bool stopped = false;
};

/// Reads and replays; `goOn` is told how many requests are done of how many and stops it by false.
ReplayResult replayChatLog(QIODevice &log, const Tokenizer &tokenizer, const ReplayOptions &options,
    const std::function<bool(int done, int of)> &goOn);

} // namespace kvlab::prefix
