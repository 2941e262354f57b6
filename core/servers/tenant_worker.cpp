// SPDX-License-Identifier: GPL-3.0-or-later
#include "servers/tenant_worker.h"

#include "servers/practice_session.h"

#include "experiment/seeded_random.h"
#include "experiment/server_answers.h"

namespace kvlab::servers {

namespace {

using experiment::Failure;

constexpr int questionTokens = 20;
constexpr int answerTokens = 1;
// Tokens that the practice engine's vocabulary has for sure and that are no control tokens.
constexpr quint32 firstToken = 300;
constexpr quint32 tokenChoices = 4000;

} // namespace

TenantWorker::TenantWorker(const TenantPlan &plan)
{
    m_result.plan = plan;
}

TenantWorker::~TenantWorker() = default;

void TenantWorker::requestStop()
{
    m_stop = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (m_engine)
                m_engine->stop();
        },
        Qt::QueuedConnection);
}

void TenantWorker::run()
{
    const std::optional<Failure> failure = m_stop ? std::nullopt : measure();
    if (m_stop) {
        m_result.end = experiment::RunEnd::stopped;
    } else if (failure) {
        m_result.end = experiment::RunEnd::failed;
        m_result.message = failure->message;
        m_result.details = failure->details;
    }
    m_engine.reset();
    Q_EMIT finished(m_result);
}

std::optional<Failure> TenantWorker::measure()
{
    if (const auto problem = validate(m_result.plan))
        return Failure{*problem, {}};
    const TenantPlan &plan = m_result.plan;
    m_engine = std::make_unique<PracticeSession>();
    // All texts of a trial and their questions stay in the pool.
    const int tokens = (plan.candidates + 1) * (plan.text_tokens + questionTokens + 64);
    if (const auto failure
        = m_engine->start(plan.engine_size, {QStringLiteral("--pool-blocks"), QString::number(tokens / 16 + 1)});
        failure || m_stop)
        return failure;
    m_result.engine = m_engine->description();
    // The first request of an engine touches its memory for the first time.
    if (const auto failure = send(promptOf(-1, 0), {}, nullptr); failure || m_stop)
        return failure;
    for (int trial = 1; trial <= plan.trials; ++trial) {
        for (const bool salted : {false, true}) {
            if (const auto failure = takeTrial(trial, salted); failure || m_stop)
                return failure;
        }
    }
    return std::nullopt;
}

std::optional<Failure> TenantWorker::takeTrial(int trial, bool salted)
{
    const TenantPlan &plan = m_result.plan;
    const int first = ((trial - 1) * 2 + (salted ? 1 : 0)) * plan.candidates; // of this trial's texts
    experiment::SeededRandom random(plan.seed + quint32(first));
    const int secret = int(random.below(quint32(plan.candidates)));
    const auto saltOf = [salted](const char *tenant) { return salted ? QString::fromLatin1(tenant) : QString(); };
    if (const auto failure = send(promptOf(first + secret, 1), saltOf("tenant-a"), nullptr); failure || m_stop)
        return failure;
    QList<std::optional<double>> times;
    for (int candidate = 0; candidate < plan.candidates; ++candidate) {
        TenantProbe probe;
        probe.trial = trial;
        probe.salted = salted;
        probe.candidate = candidate;
        probe.sent_by_a = candidate == secret;
        const QList<qint32> prompt = promptOf(first + candidate, 2);
        const bool shared = probe.sent_by_a && !salted;
        probe.expected_hit
            = shared ? experiment::reusableTokens(plan.text_tokens, prompt.size(), m_engine->blockSize()) : 0;
        if (const auto failure = send(prompt, saltOf("tenant-b"), &probe); failure || m_stop)
            return failure;
        times.append(probe.ttft_ms);
        m_result.probes.append(probe);
        Q_EMIT probed(probe, int(m_result.probes.size()), plan.trials * 2 * plan.candidates);
    }
    m_result.trials.append({trial, salted, secret, guessByTime(times)});
    return std::nullopt;
}

std::optional<Failure> TenantWorker::send(const QList<qint32> &prompt, const QString &salt, TenantProbe *probe)
{
    m_engine->settle(); // the answer before is really over
    const probe::ProbeSample sample = m_engine->ask(prompt, answerTokens, salt);
    if (m_stop)
        return std::nullopt;
    if (sample.outcome != probe::Outcome::completed)
        return m_engine->failure().value_or(Failure{sample.message, sample.details});
    if (probe != nullptr) {
        probe->ttft_ms = sample.ttftMs();
        probe->cached_tokens = sample.evidence.cached_tokens;
    }
    return std::nullopt;
}

/// Texts differ from their first token on, questions behind equal texts too.
QList<qint32> TenantWorker::promptOf(int text, int question) const
{
    QList<qint32> prompt;
    const auto write = [&prompt](quint32 seed, int count, quint32 first) {
        experiment::SeededRandom random(seed);
        prompt.append(qint32(firstToken + first % tokenChoices));
        for (int i = 1; i < count; ++i)
            prompt.append(qint32(firstToken + random.below(tokenChoices)));
    };
    write(m_result.plan.seed + 7919U * quint32(text + 2), m_result.plan.text_tokens, quint32(text + 1));
    write(m_result.plan.seed + 104'729U * quint32(question + 1), questionTokens, quint32(question));
    return prompt;
}

} // namespace kvlab::servers
