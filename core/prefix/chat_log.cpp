// SPDX-License-Identifier: GPL-3.0-or-later
#include "prefix/chat_log.h"

#include "prefix/block_pool.h"
#include "prefix/lmcache_rules.h"
#include "prefix/radix_tree.h"
#include "prefix/slot_cache.h"

#include <QCoreApplication>
#include <QIODevice>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

namespace kvlab::prefix {

namespace {

constexpr std::size_t mostBrokenShown = 20;

/// One state of every design's cache.
class Caches
{
public:
    explicit Caches(const ReplayOptions &options)
        : m_options(options)
        , m_pool(poolOptions(options))
        , m_tree({1, options.pool_tokens})
        , m_slots(slotOptions(options))
    {
    }

    /// False when the pool cannot hold the prompt.
    bool serve(const RenderedPrompt &prompt, ReplaySavings &savings)
    {
        HashChain chain(m_options.block_size, prompt.keys);
        chain.append(prompt.tokens);
        const auto allocation = m_pool.allocate(chain);
        if (allocation) {
            auto held = *allocation;
            savings.pool += held.cached_tokens;
            m_pool.commit(held, chain, chain.size());
            m_pool.release(held);
        }
        const std::string space
            = std::to_string(prompt.keys.adapter.size()) + ' ' + prompt.keys.adapter + prompt.keys.salt;
        if (const auto request = m_tree.start(prompt.tokens, space)) {
            savings.radix += request->cached_tokens;
            m_tree.finish(*request, prompt.tokens);
        }
        savings.slots += m_slots.serve(prompt.tokens).cached_tokens;
        savings.chunks += serveChunks(prompt);
        return allocation.has_value();
    }

private:
    static BlockPool::Options poolOptions(const ReplayOptions &options)
    {
        BlockPool::Options pool;
        pool.block_size = options.block_size;
        pool.blocks = options.pool_tokens / options.block_size + 1;
        return pool;
    }
    static SlotCache::Options slotOptions(const ReplayOptions &options)
    {
        SlotCache::Options slots;
        slots.slots = options.slots;
        return slots;
    }
    qint64 serveChunks(const RenderedPrompt &prompt)
    {
        HashChain chunks(m_options.chunk_size, prompt.keys);
        chunks.append(prompt.tokens);
        int found = 0;
        for (const BlockHash &hash : chunks.hashes()) {
            if (!m_chunks.contains(hash))
                break;
            ++found;
        }
        m_chunks.insert(chunks.hashes().begin(), chunks.hashes().end());
        return LmcacheRules::cachedTokens(found * m_options.chunk_size, chunks.size());
    }

    ReplayOptions m_options;
    BlockPool m_pool;
    RadixTree m_tree;
    SlotCache m_slots;
    std::unordered_set<BlockHash, BlockHashKey> m_chunks;
};

std::vector<ChatRequest> readLog(QIODevice &log, ReplayResult &result, const std::function<bool(int, int)> &goOn)
{
    std::vector<ChatRequest> requests;
    qint64 read = 0;
    for (int number = 1; !log.atEnd(); ++number) {
        const QByteArray line = log.readLine(mostLogBytes - read + 1);
        read += line.size();
        if (read > mostLogBytes || line.isEmpty()) {
            result.cut = read > mostLogBytes;
            break;
        }
        if (line.trimmed().isEmpty())
            continue;
        auto parsed = parseChatRequest(line.trimmed());
        if (auto *request = std::get_if<ChatRequest>(&parsed)) {
            requests.push_back(std::move(*request));
        } else {
            ++result.broken;
            if (result.first_broken.size() < mostBrokenShown)
                result.first_broken.push_back({number, std::get<QString>(parsed)});
        }
        if (number % 64 == 0 && !goOn(0, 0)) {
            result.stopped = true;
            break;
        }
    }
    return requests;
}

std::vector<std::string> linesOf(const std::string &text)
{
    std::vector<std::string> lines;
    std::size_t begin = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    lines.push_back(text.substr(begin));
    return lines;
}

bool hasSystem(const ChatRequest &request)
{
    return !request.messages.empty() && request.messages.front().role == "system";
}

using LineCounts = std::map<std::string, int>;

/// How many requests have each line in their system message.
LineCounts countLines(const std::vector<ChatRequest> &requests)
{
    LineCounts counts;
    for (const ChatRequest &request : requests) {
        if (!hasSystem(request))
            continue;
        const auto lines = linesOf(request.messages.front().content);
        for (const std::string &line : std::set<std::string>(lines.begin(), lines.end()))
            ++counts[line];
    }
    return counts;
}

/// What is the same in most requests comes first; what only this one has goes where everything is new anyway.
ChatRequest stableFirst(ChatRequest request, const LineCounts &counts)
{
    std::sort(request.tools.begin(), request.tools.end());
    if (!hasSystem(request))
        return request;
    auto lines = linesOf(request.messages.front().content);
    std::stable_sort(lines.begin(), lines.end(),
        [&counts](const std::string &a, const std::string &b) { return counts.at(a) > counts.at(b); });
    std::string shared;
    std::string own;
    for (const std::string &line : lines) {
        std::string &text = counts.at(line) > 1 ? shared : own;
        text += (text.empty() ? "" : "\n") + line;
    }
    request.messages.front().content = shared;
    ChatMessage &last = request.messages.back();
    if (!own.empty())
        last.content = request.messages.size() == 1 ? shared + "\n" + own : own + "\n" + last.content;
    return request;
}

} // namespace

ReplayResult replayChatLog(
    QIODevice &log, const Tokenizer &tokenizer, const ReplayOptions &options, const std::function<bool(int, int)> &goOn)
{
    ReplayResult result;
    const auto requests = readLog(log, result, goOn);
    const LineCounts counts = countLines(requests);
    Caches logged(options);
    Caches ordered(options);
    for (const ChatRequest &request : requests) {
        if (result.stopped || !goOn(result.requests, int(requests.size()))) {
            result.stopped = true;
            break;
        }
        const RenderedPrompt prompt = renderRequest(request, tokenizer).prompt;
        result.too_long += logged.serve(prompt, result.as_logged) ? 0 : 1;
        ordered.serve(renderRequest(stableFirst(request, counts), tokenizer).prompt, result.stable_first);
        result.prompt_tokens += qint64(prompt.tokens.size());
        ++result.requests;
    }
    return result;
}

} // namespace kvlab::prefix
