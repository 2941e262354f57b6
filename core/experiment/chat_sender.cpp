// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/chat_sender.h"

#include <QElapsedTimer>

namespace kvlab::experiment {

namespace {

constexpr int pauseMs = 50; // lets the server finish what follows an answer
constexpr int pollMs = 50;
constexpr int idleLimitMs = 5'000;
constexpr int counterLimitMs = 1'000; // counters may lag a little behind the answer

} // namespace

bool Exchange::answered() const
{
    return sample.outcome == probe::Outcome::completed || sample.outcome == probe::Outcome::no_token;
}

std::optional<qint64> Exchange::hit() const
{
    if (sample.evidence.cached_tokens)
        return sample.evidence.cached_tokens;
    if (counters && counters->idle)
        return counters->hits;
    return std::nullopt;
}

ChatSender::ChatSender(ServerLink &link, const ExperimentPlan &plan)
    : m_link(link)
    , m_endpoint(plan.endpoint)
    , m_extra_body(plan.extra_body)
    , m_max_tokens(plan.max_tokens)
    , m_limits(plan.limits)
    , m_transport(plan.transport)
{
}

QJsonObject ChatSender::body(const Prompt &prompt, const QString &salt, bool noCache) const
{
    QJsonObject object{{QStringLiteral("temperature"), 0}, {QStringLiteral("stream"), true}};
    if (m_endpoint == Endpoint::chat)
        object.insert(QStringLiteral("messages"), toMessages(prompt, m_shape.document_role));
    else
        object.insert(QStringLiteral("prompt"), toText(prompt));
    object.insert(
        m_shape.max_completion_tokens ? QStringLiteral("max_completion_tokens") : QStringLiteral("max_tokens"),
        m_max_tokens);
    if (!m_model.isEmpty())
        object.insert(QStringLiteral("model"), m_model);
    if (m_shape.include_usage)
        object.insert(QStringLiteral("stream_options"), QJsonObject{{QStringLiteral("include_usage"), true}});
    if (!salt.isEmpty())
        object.insert(QStringLiteral("cache_salt"), salt);
    if (noCache)
        object.insert(QStringLiteral("cache_prompt"), false);
    for (auto it = m_extra_body.begin(); it != m_extra_body.end(); ++it) {
        if (it.value().isNull())
            object.remove(it.key());
        else
            object.insert(it.key(), it.value());
    }
    return object;
}

Exchange ChatSender::send(const Prompt &prompt, const QString &salt, bool noCache)
{
    const ServerMetrics before = waitUntilIdle();
    m_link.pause(pauseMs);
    Exchange exchange;
    exchange.sample = m_link.ask(m_endpoint, body(prompt, salt, noCache), m_limits, m_transport);
    m_server_reports = m_server_reports || exchange.sample.evidence.cached_tokens.has_value();
    if (before.hits && !m_server_reports && exchange.answered())
        exchange.counters = countersSince(before, exchange.sample.evidence.prompt_tokens);
    return exchange;
}

ServerMetrics ChatSender::readMetrics()
{
    const HttpAnswer answer = m_link.get(QStringLiteral("/metrics"));
    return answer.ok() ? parseMetrics(answer.body) : ServerMetrics();
}

ServerMetrics ChatSender::waitUntilIdle()
{
    if (!m_has_metrics)
        return {};
    QElapsedTimer waited;
    waited.start();
    ServerMetrics metrics = readMetrics();
    while (metrics.busy.value_or(0) > 0 && waited.elapsed() < idleLimitMs && !m_link.isStopped()) {
        m_link.pause(pollMs);
        metrics = readMetrics();
    }
    return metrics;
}

/// Idle means: nothing ran before or after, and exactly this prompt was looked up in between.
std::optional<CounterDelta> ChatSender::countersSince(const ServerMetrics &before, std::optional<qint64> promptTokens)
{
    QElapsedTimer waited;
    waited.start();
    ServerMetrics after = waitUntilIdle();
    const auto lookedUp = [&] { return after.queries.value_or(0) - before.queries.value_or(0); };
    while (promptTokens && lookedUp() < *promptTokens && waited.elapsed() < counterLimitMs && !m_link.isStopped()) {
        m_link.pause(pollMs);
        after = waitUntilIdle();
    }
    if (!after.hits || *after.hits < *before.hits)
        return std::nullopt;
    const bool quiet = before.busy == 0 && after.busy == 0;
    return CounterDelta{*after.hits - *before.hits, quiet && promptTokens && lookedUp() == *promptTokens};
}

} // namespace kvlab::experiment
