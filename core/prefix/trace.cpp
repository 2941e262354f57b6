// SPDX-License-Identifier: GPL-3.0-or-later
#include "prefix/trace.h"

#include "prefix/lmcache_rules.h"
#include "prefix/radix_tree.h"
#include "prefix/slot_cache.h"
#include "prefix/trace_pool.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace kvlab::prefix {

namespace {

/// Context of this file's texts.
struct TraceFile
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::prefix::TraceFile)
};

/// A case in, what came out; throws BadTrace.
using CasePlayer = QJsonValue (*)(const TraceNode &group, const TraceNode &item);

std::vector<Token> numbered(int count, Token first = 0)
{
    std::vector<Token> tokens(static_cast<std::size_t>(count));
    std::generate(tokens.begin(), tokens.end(), [&first] { return first++; });
    return tokens;
}

constexpr Token otherTokens = 1 << 24; ///< first of the tokens that are in no cached prompt

/// A prompt of `length` whose first `common` tokens are those of numbered().
std::vector<Token> sharing(int common, int length, int other = 0)
{
    std::vector<Token> tokens = numbered(common);
    const auto rest = numbered(length - common, otherTokens + other * mostTraceTokens);
    tokens.insert(tokens.end(), rest.begin(), rest.end());
    return tokens;
}

int tokensOf(const TraceNode &node, const char *key, int low = 0)
{
    return node.number(QLatin1String(key), low, mostTraceTokens);
}

BlockPool::Options roomyPool(int blockSize, std::initializer_list<int> prompts, std::vector<KvGroup> groups = {{}})
{
    BlockPool::Options options;
    options.block_size = blockSize;
    options.blocks = 1;
    for (const int tokens : prompts)
        options.blocks += (tokens / blockSize + 1) * int(groups.size());
    options.groups = std::move(groups);
    return options;
}

HashChain chainOf(int blockSize, const std::vector<Token> &tokens)
{
    HashChain chain(blockSize);
    chain.append(tokens);
    return chain;
}

/// Caches a prompt, as a request that came and went.
BlockPool::Allocation cache(BlockPool &pool, const HashChain &chain)
{
    auto allocation = pool.allocate(chain).value();
    pool.commit(allocation, chain, chain.size());
    pool.release(allocation);
    return allocation;
}

QJsonValue samePrompt(const TraceNode &group, const TraceNode &item)
{
    const int blockSize = tokensOf(group, "block_size", 1);
    const int tokens = tokensOf(item, "tokens", 1);
    BlockPool pool(roomyPool(blockSize, {tokens}));
    const HashChain chain = chainOf(blockSize, numbered(tokens));
    cache(pool, chain);
    return pool.cachedPrefix(chain);
}

std::vector<Token> edited(const TraceNode &item, std::vector<Token> tokens)
{
    const QString edit = item.text(QLatin1String("edit"));
    const int length = int(tokens.size());
    if (edit == QLatin1String("change"))
        tokens[std::size_t(item.number(QLatin1String("at"), 0, length - 1))] = otherTokens;
    else if (edit == QLatin1String("insert"))
        tokens.insert(tokens.begin() + item.number(QLatin1String("at"), 0, length), otherTokens);
    else if (edit == QLatin1String("append"))
        tokens.resize(tokens.size() + std::size_t(tokensOf(item, "count")), otherTokens);
    else if (edit == QLatin1String("truncate"))
        tokens.resize(std::size_t(item.number(QLatin1String("to"), 0, length)));
    else if (edit == QLatin1String("swap_halves"))
        std::rotate(tokens.begin(), tokens.begin() + length / 2, tokens.end());
    else if (edit != QLatin1String("same"))
        item.refuse(
            TraceFile::tr("“%1” is no edit; edits are same, change, insert, append, truncate, swap_halves.").arg(edit));
    return tokens;
}

QJsonValue edit(const TraceNode &group, const TraceNode &item)
{
    const int blockSize = tokensOf(group, "block_size", 1);
    const int cached = tokensOf(group, "cached", 1);
    BlockPool pool(roomyPool(blockSize, {cached}));
    cache(pool, chainOf(blockSize, numbered(cached)));
    return pool.cachedPrefix(chainOf(blockSize, edited(item, numbered(cached))));
}

/// Full attention and one window; some blocks of each are evicted, then the same prompt comes again.
QJsonValue windowGroups(const TraceNode &group, const TraceNode &item)
{
    const int blockSize = tokensOf(group, "block_size", 1);
    const int blocks = group.number(QLatin1String("blocks"), 1, mostTraceTokens / blockSize);
    const int tokens = blocks * blockSize + 1; // the last token is computed whatever is cached
    BlockPool pool(roomyPool(blockSize, {tokens}, {{}, {tokensOf(group, "window", 1)}}));
    const HashChain chain = chainOf(blockSize, numbered(tokens));
    const auto allocation = cache(pool, chain);
    for (const int block : item.numbers(QLatin1String("evict_full"), 0, blocks - 1))
        pool.evict(allocation.tables[0][std::size_t(block)]);
    for (const int block : item.numbers(QLatin1String("evict_window"), 0, blocks - 1))
        pool.evict(allocation.tables[1][std::size_t(block)]);
    return pool.cachedPrefix(chain) / blockSize;
}

/// Three shapes: one prompt twice, two prompts with a tail stored, and the smallest load worth doing.
QJsonValue lmcache(const TraceNode &group, const TraceNode &item)
{
    LmcacheRules rules;
    if (item.has(QLatin1String("min_retrieve_tokens"))) {
        rules.min_retrieve_tokens = tokensOf(item, "min_retrieve_tokens");
        return QJsonObject{{QStringLiteral("load"), rules.load(tokensOf(item, "need_to_load"))}};
    }
    rules.chunk_size = tokensOf(group, "chunk", 1);
    rules.save_unfull_chunk = group.flag(QLatin1String("save_unfull_chunk"));
    const bool twoPrompts = item.has(QLatin1String("first"));
    const int first = tokensOf(item, twoPrompts ? "first" : "tokens", 1);
    const int second = tokensOf(item, twoPrompts ? "second" : "tokens", 1);
    const int hit = rules.hit(first, second, twoPrompts ? tokensOf(item, "common") : first);
    QJsonObject got{{QStringLiteral("lmcache_hit"), hit},
        {QStringLiteral("need_to_load"), LmcacheRules::needToLoad(hit, tokensOf(item, "apc_hit"), second)}};
    if (twoPrompts) {
        QJsonArray ends;
        for (const int end : rules.storedEnds(first))
            ends.append(end);
        got.insert(QStringLiteral("stored_ends"), ends);
    } else {
        got.insert(QStringLiteral("stored"), rules.stored(first));
    }
    return got;
}

QJsonValue radix(const TraceNode &group, const TraceNode &item)
{
    const int length = tokensOf(item, "n", 1);
    const int common = item.number(QLatin1String("common"), 0, length);
    RadixTree tree({tokensOf(group, "page_size", 1), 100 * mostTraceTokens});
    for (const int cached : item.numbers(QLatin1String("cached"), 1, mostTraceTokens)) {
        const auto tokens = numbered(cached);
        tree.finish(tree.start(tokens).value(), tokens);
    }
    return tree.match(sharing(common, length));
}

QJsonValue slot(const TraceNode &group, const TraceNode &item)
{
    bool isNumber = false;
    const double perMille = group.text(QLatin1String("threshold")).toDouble(&isNumber) * 1000;
    if (!isNumber || perMille < 0 || perMille > 1000 || std::abs(perMille - std::round(perMille)) > 1e-9)
        group.refuseValue(QLatin1String("threshold"), TraceFile::tr("a text from 0 to 1 with at most three decimals"));
    const QJsonArray slots = item.list(QLatin1String("slots"));
    if (slots.isEmpty() || slots.size() > 1000)
        item.refuseValue(QLatin1String("slots"), TraceFile::tr("a list of 1 to 1,000 slots"));
    SlotCache::Options options;
    options.slots = int(slots.size());
    options.similarity_per_mille = int(std::lround(perMille));
    SlotCache cache(options);
    const int length = tokensOf(item, "n", 1);
    for (int i = 0; i < int(slots.size()); ++i) {
        const TraceNode state(slots[i].toObject(), item.name());
        const int tokens = tokensOf(state, "length");
        const int common = state.number(QLatin1String("common"), 0, std::min(tokens, length));
        cache.setSlot(i, sharing(common, tokens, i + 1), tokensOf(state, "last_used"));
    }
    const auto choice = cache.choose(sharing(length, length));
    return QJsonObject{{QStringLiteral("slot"), choice.slot}, {QStringLiteral("reuse"), choice.cached_tokens}};
}

struct CaseGroup
{
    const char *name;
    const char *expect; ///< key of the expectation; `got` stands beside it under the same ending
    CasePlayer play;
};

constexpr CaseGroup caseGroups[] = {{"same_prompt", "expect_hit", samePrompt}, {"edits", "expect_hit", edit},
    {"window_groups", "expect_hit_blocks", windowGroups}, {"lmcache", "expect", lmcache},
    {"radix", "expect_hit", radix}, {"slots", "expect", slot}};

/// Plays a file; collects the outcome beside each expectation.
class Player
{
public:
    explicit Player(FreeOrder order)
        : m_order(order)
    {
    }

    TraceResult play(const QJsonObject &file);

private:
    QJsonObject playPool(const TraceNode &scenario);
    QJsonObject playCases(const TraceNode &group, const CaseGroup &kind);
    QJsonArray playGroups(const TraceNode &file, QLatin1String key, const std::function<QJsonObject(TraceNode)> &play);
    QJsonObject judged(const TraceNode &item, QLatin1String expectKey, const QJsonValue &got);
    QJsonValue ofOrder(const QJsonValue &expected) const;

    FreeOrder m_order;
    TraceResult m_result;
};

/// Values that depend on the free order come as {"A": …, "B": …}.
QJsonValue Player::ofOrder(const QJsonValue &expected) const
{
    const QJsonObject object = expected.toObject();
    if (object.keys() != QStringList{QStringLiteral("A"), QStringLiteral("B")})
        return expected;
    return object.value(m_order == FreeOrder::tail ? QLatin1String("A") : QLatin1String("B"));
}

QJsonObject Player::judged(const TraceNode &item, QLatin1String expectKey, const QJsonValue &got)
{
    const QJsonValue expect = item.object().value(expectKey);
    bool same = expect.isObject() == got.isObject();
    if (expect.isObject()) {
        const QJsonObject wanted = expect.toObject();
        for (auto value = wanted.begin(); value != wanted.end(); ++value) {
            const bool isComment = value.key() == QLatin1String("why");
            if (!isComment && !got.toObject().contains(value.key()))
                item.refuse(TraceFile::tr("“%1” is nothing that this case can tell.").arg(value.key()));
            same = same && (isComment || ofOrder(value.value()) == got[value.key()]);
        }
    } else {
        same = expect == got;
    }
    QJsonObject object = item.object();
    object.insert(QString(expectKey).replace(QLatin1String("expect"), QLatin1String("got")), got);
    object.insert(QStringLiteral("result"), same ? QStringLiteral("passed") : QStringLiteral("failed"));
    ++(same ? m_result.passed : m_result.failed);
    if (!same)
        m_result.differences.append(item.name());
    return object;
}

QJsonArray Player::playGroups(
    const TraceNode &file, QLatin1String key, const std::function<QJsonObject(TraceNode)> &play)
{
    QJsonArray groups;
    for (const QJsonValue &value : file.list(key)) {
        const TraceNode unnamed(value.toObject(), key);
        const QString name = key + QLatin1Char(' ') + unnamed.text(QLatin1String("id"));
        groups.append(play({value.toObject(), name}));
    }
    return groups;
}

QJsonObject Player::playPool(const TraceNode &scenario)
{
    TracePool pool(scenario, m_order);
    QJsonArray steps;
    for (const QJsonValue &value : scenario.list(QLatin1String("steps"))) {
        const QString name = TraceFile::tr("%1, step %2").arg(scenario.name()).arg(steps.size() + 1);
        const TraceNode step(value.toObject(), name);
        steps.append(judged(step, QLatin1String("expect"), pool.play(step)));
    }
    QJsonObject object = scenario.object();
    object.insert(QStringLiteral("steps"), steps);
    return object;
}

QJsonObject Player::playCases(const TraceNode &group, const CaseGroup &kind)
{
    const QLatin1String expect(kind.expect);
    QJsonArray cases;
    for (const QJsonValue &value : group.list(QLatin1String("cases"))) {
        const TraceNode item(value.toObject(), TraceFile::tr("%1, case %2").arg(group.name()).arg(cases.size() + 1));
        if (expect == QLatin1String("expect"))
            item.child(expect);
        else
            tokensOf(item, kind.expect);
        cases.append(judged(item, expect, kind.play(group, item)));
    }
    QJsonObject object = group.object();
    object.insert(QStringLiteral("cases"), cases);
    return object;
}

TraceResult Player::play(const QJsonObject &file)
{
    const TraceNode root(file, TraceFile::tr("The file"));
    m_result.file = file;
    if (root.has(QLatin1String("apc"))) {
        m_result.file[QLatin1String("apc")]
            = playGroups(root, QLatin1String("apc"), [this](const TraceNode &node) { return playPool(node); });
    }
    for (const CaseGroup &kind : caseGroups) {
        if (root.has(QLatin1String(kind.name))) {
            m_result.file[QLatin1String(kind.name)] = playGroups(
                root, QLatin1String(kind.name), [this, &kind](const TraceNode &node) { return playCases(node, kind); });
        }
    }
    const QStringList keys = file.keys();
    for (const QString &key : keys) {
        const auto isKnown = [&key](const CaseGroup &kind) { return key == QLatin1String(kind.name); };
        if (key != QLatin1String("apc") && file.value(key).isArray()
            && std::none_of(std::begin(caseGroups), std::end(caseGroups), isKnown)) {
            root.refuse(TraceFile::tr("“%1” is no group of scenarios; groups are apc, same_prompt, edits, "
                                      "window_groups, lmcache, radix and slots.")
                            .arg(key));
        }
    }
    if (m_result.passed + m_result.failed == 0)
        root.refuse(TraceFile::tr("it holds no scenario. Name a file with at least one group of scenarios."));
    m_result.file.insert(QStringLiteral("passed"), m_result.passed);
    m_result.file.insert(QStringLiteral("failed"), m_result.failed);
    return m_result;
}

} // namespace

std::variant<TraceResult, QString> runTrace(const QJsonObject &file, FreeOrder order)
{
    try {
        return Player(order).play(file);
    } catch (const BadTrace &bad) {
        return bad.what;
    }
}

} // namespace kvlab::prefix
