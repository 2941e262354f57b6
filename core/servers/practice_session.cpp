// SPDX-License-Identifier: GPL-3.0-or-later
#include "servers/practice_session.h"

#include "experiment/server_answers.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QJsonArray>
#include <QScopedValueRollback>

namespace kvlab::servers {

namespace {

constexpr int settleLimitMs = 60'000;
constexpr int pollMs = 10;

} // namespace

EngineReading parseEngineReading(const QByteArray &exposition)
{
    EngineReading reading;
    const auto fromTier = [](const experiment::MetricLine &line, const char *tier) {
        return line.labels.value(QByteArrayLiteral("source")) == tier;
    };
    for (const experiment::MetricLine &line : experiment::parseMetricLines(exposition)) {
        const auto tokens = qint64(line.value);
        if (line.name == "vllm:prefix_cache_hits_total")
            reading.pool_tokens += tokens;
        else if (line.name == "vllm:prompt_tokens_cached_by_source_total" && fromTier(line, "host"))
            reading.ram_tokens += tokens;
        else if (line.name == "vllm:prompt_tokens_cached_by_source_total" && fromTier(line, "disk"))
            reading.disk_tokens += tokens;
        else if (line.name == "kvlab:tier_loaded_bytes_total")
            reading.loaded_bytes += tokens;
        else if (line.name == "kvlab:tier_load_seconds_total")
            reading.load_seconds += line.value;
        else if (line.name == "vllm:num_requests_running" || line.name == "vllm:num_requests_waiting")
            reading.busy += int(line.value);
        else if (line.name == "kvlab:tier_pending_stores")
            reading.pending_stores += int(line.value);
    }
    return reading;
}

PracticeSession::PracticeSession()
{
    QObject::connect(
        &m_server, &PracticeServer::failed, &m_server, [this](const QString &message, const QString &details) {
            m_failure = experiment::Failure{message, details};
            if (m_loop != nullptr)
                m_loop->quit();
        });
    QObject::connect(&m_server, &PracticeServer::ready, &m_server, [this] {
        if (m_loop != nullptr)
            m_loop->quit();
    });
}

PracticeSession::~PracticeSession() = default;

std::optional<experiment::Failure> PracticeSession::start(const QString &size, const QStringList &options)
{
    if (m_stopped)
        return std::nullopt;
    QEventLoop loop;
    const QScopedValueRollback rollback(m_loop, &loop);
    m_server.start(size, options);
    loop.exec();
    if (m_failure || m_stopped)
        return m_failure;
    experiment::ServerTarget target;
    target.base_url = m_server.baseUrl();
    target.practice_engine = true;
    m_link = std::make_unique<experiment::ServerLink>(target);
    return std::nullopt;
}

QString PracticeSession::size() const
{
    return m_server.facts().value(QLatin1String("size")).toString();
}

qint64 PracticeSession::blockSize() const
{
    return m_server.facts().value(QLatin1String("block_size")).toInteger(1);
}

qint64 PracticeSession::kvBytesPerToken() const
{
    return m_server.facts().value(QLatin1String("kv_bytes_per_token")).toInteger();
}

QString PracticeSession::description() const
{
    return m_server.description();
}

qint64 PracticeSession::processId() const
{
    return m_server.processId();
}

probe::ProbeSample PracticeSession::ask(const QList<qint32> &prompt, int maxTokens, const QString &salt)
{
    probe::ProbeSample none;
    none.outcome = probe::Outcome::cancelled;
    if (!m_link)
        return none;
    QJsonArray tokens;
    for (const qint32 token : prompt)
        tokens.append(token);
    QJsonObject body{{QStringLiteral("prompt"), tokens}, {QStringLiteral("max_tokens"), maxTokens},
        {QStringLiteral("temperature"), 0}, {QStringLiteral("stream"), true},
        {QStringLiteral("stream_options"), QJsonObject{{QStringLiteral("include_usage"), true}}}};
    if (!salt.isEmpty())
        body.insert(QStringLiteral("cache_salt"), salt);
    return m_link->ask(experiment::Endpoint::completions, body, {});
}

EngineReading PracticeSession::read()
{
    return m_link ? parseEngineReading(m_link->get(QStringLiteral("/metrics")).body) : EngineReading();
}

bool PracticeSession::settle()
{
    QElapsedTimer waited;
    waited.start();
    while (m_link && !m_stopped && !m_failure && waited.elapsed() < settleLimitMs) {
        const experiment::HttpAnswer answer = m_link->get(QStringLiteral("/metrics"));
        const EngineReading reading = parseEngineReading(answer.body);
        if (answer.ok() && reading.busy == 0 && reading.pending_stores == 0)
            return true;
        m_link->pause(pollMs);
    }
    return false;
}

bool PracticeSession::resetPool()
{
    return m_link && m_link->post(QStringLiteral("/reset_prefix_cache"), {}).body.contains("true");
}

void PracticeSession::stop()
{
    m_stopped = true;
    if (m_link)
        m_link->stop();
    if (m_loop != nullptr)
        m_loop->quit();
}

} // namespace kvlab::servers
