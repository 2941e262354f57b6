// SPDX-License-Identifier: GPL-3.0-or-later
#include "prefix/trace_pool.h"

#include <QCoreApplication>

namespace kvlab::prefix {

namespace {

/// Context of this file's texts.
struct PoolText
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::prefix::PoolText)
};

BlockPool::Options poolOptions(const TraceNode &scenario, FreeOrder order, int shift)
{
    BlockPool::Options options;
    options.blocks = scenario.number(QLatin1String("pool_blocks"), 1, mostTraceBlocks) + shift;
    options.block_size = scenario.number(QLatin1String("block_size"), 1, mostTraceTokens);
    options.prefix_caching = scenario.flag(QLatin1String("caching"));
    options.eagle = scenario.flag(QLatin1String("eagle"));
    options.free_order = order;
    options.events = true;
    return options;
}

} // namespace

TracePool::TracePool(const TraceNode &scenario, FreeOrder order)
    : m_shift(scenario.flag(QLatin1String("null_block")) ? 0 : 1)
    , m_pool(poolOptions(scenario, order, m_shift))
{
}

QJsonObject TracePool::play(const TraceNode &step)
{
    const QString op = step.text(QLatin1String("op"));
    QJsonObject got;
    if (op == QLatin1String("request"))
        got = request(step);
    else if (op == QLatin1String("append"))
        got = append(step);
    else if (op == QLatin1String("free"))
        release(step);
    else if (op == QLatin1String("reset"))
        got.insert(QStringLiteral("ok"), m_pool.reset());
    else
        step.refuse(PoolText::tr("“%1” is no step; steps are request, append, free and reset.").arg(op));

    m_evicted.clear();
    for (const BlockEvent &event : m_pool.takeEvents()) {
        if (event.kind == BlockEvent::Kind::removed)
            m_evicted.insert(m_evicted.end(), event.blocks.begin(), event.blocks.end());
    }
    QJsonObject asked;
    const QStringList keys = step.child(QLatin1String("expect")).object().keys();
    for (const QString &key : keys)
        asked.insert(key, got.contains(key) ? got.value(key) : state(step, key));
    return asked;
}

QJsonObject TracePool::request(const TraceNode &step)
{
    const QString id = step.text(QLatin1String("id"));
    if (m_running.contains(id))
        step.refuse(
            PoolText::tr("a request “%1” is running already; free it first, or name this one otherwise.").arg(id));
    HashChain chain(m_pool.options().block_size,
        {step.optionalText(QLatin1String("lora")), step.optionalText(QLatin1String("salt"))});
    chain.append(m_alphabet.tokens(step, QLatin1String("tokens")));
    const bool skip = step.has(QLatin1String("skip_lookup")) && step.flag(QLatin1String("skip_lookup"));
    const int hit = skip ? 0 : m_pool.cachedPrefix(chain);
    auto allocation = m_pool.allocate(chain, skip);
    QJsonObject got{{QStringLiteral("scheduled"), allocation.has_value()}, {QStringLiteral("hit"), hit}};
    got.insert(QStringLiteral("table"), QJsonValue());
    got.insert(QStringLiteral("table_len"), QJsonValue());
    if (!allocation)
        return got;
    m_pool.commit(*allocation, chain, chain.size());
    got.insert(QStringLiteral("table"), fileNumbers(allocation->blocks()));
    got.insert(QStringLiteral("table_len"), int(allocation->blocks().size()));
    m_running.emplace(id, Request{std::move(chain), std::move(*allocation)});
    return got;
}

QJsonObject TracePool::append(const TraceNode &step)
{
    Request &request = running(step);
    const auto tokens = m_alphabet.tokens(step, QLatin1String("tokens"));
    const auto before = std::ptrdiff_t(request.allocation.blocks().size());
    const bool room = m_pool.append(request.allocation, request.chain.size(), int(tokens.size()));
    if (room) {
        request.chain.append(tokens);
        m_pool.commit(request.allocation, request.chain, request.chain.size());
    }
    const auto &table = request.allocation.blocks();
    return {{QStringLiteral("scheduled"), room},
        {QStringLiteral("new_blocks"), fileNumbers({table.begin() + before, table.end()})}};
}

void TracePool::release(const TraceNode &step)
{
    m_pool.release(running(step).allocation);
    m_running.erase(step.text(QLatin1String("id")));
}

TracePool::Request &TracePool::running(const TraceNode &step)
{
    const QString id = step.text(QLatin1String("id"));
    const auto found = m_running.find(id);
    if (found == m_running.end())
        step.refuse(
            PoolText::tr("no request “%1” is running; a request must be scheduled before it can be used.").arg(id));
    return found->second;
}

int TracePool::poolNumber(const TraceNode &step, int number) const
{
    const int block = number + m_shift;
    if (block < 0 || block >= m_pool.options().blocks)
        step.refuse(PoolText::tr("there is no block %1 in this pool.").arg(number));
    return block;
}

QJsonArray TracePool::fileNumbers(const std::vector<int> &blocks) const
{
    QJsonArray numbers;
    for (const int block : blocks)
        numbers.append(block - m_shift);
    return numbers;
}

/// Those of the blocks named there that have, or lack, a hash.
QJsonArray TracePool::withHash(const TraceNode &expect, QLatin1String key, bool hashed) const
{
    QJsonArray numbers;
    for (const int number : expect.numbers(key, 0, mostTraceBlocks)) {
        if (m_pool.hashOf(poolNumber(expect, number)).has_value() == hashed)
            numbers.append(number);
    }
    return numbers;
}

/// What can be asked after any step.
QJsonValue TracePool::state(const TraceNode &step, const QString &key) const
{
    const TraceNode expect = step.child(QLatin1String("expect"));
    if (key == QLatin1String("free_count"))
        return m_pool.freeBlocks();
    if (key == QLatin1String("free_list"))
        return fileNumbers(m_pool.freeQueue());
    if (key == QLatin1String("cached_blocks"))
        return m_pool.cachedBlocks();
    if (key == QLatin1String("evicted"))
        return fileNumbers(m_evicted);
    if (key == QLatin1String("hashed") || key == QLatin1String("unhashed"))
        return withHash(expect, QLatin1String(key.toLatin1()), key == QLatin1String("hashed"));
    if (key == QLatin1String("refs")) {
        QJsonObject refs;
        const QStringList blocks = expect.child(QLatin1String("refs")).object().keys();
        for (const QString &block : blocks) {
            bool isNumber = false;
            const int number = block.toInt(&isNumber);
            refs.insert(block, m_pool.references(poolNumber(step, isNumber ? number : -1 - m_shift)));
        }
        return refs;
    }
    if (key == QLatin1String("same_hash")) {
        QJsonArray same;
        for (const QJsonValue &pair : expect.object().value(key).toArray()) {
            const auto first = m_pool.hashOf(poolNumber(step, pair[0].toInt(-1)));
            if (first && first == m_pool.hashOf(poolNumber(step, pair[1].toInt(-1))))
                same.append(pair);
        }
        return same;
    }
    step.refuse(PoolText::tr("“%1” is nothing that this step can tell.").arg(key));
}

} // namespace kvlab::prefix
