// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/run_worker.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QLocale>
#include <QRandomGenerator>
#include <QUuid>

namespace kvlab::experiment {

namespace {

constexpr int mostFailuresInARow = 5;
constexpr int mostConnectFailuresInARow = 2;

bool isConnectFailure(const probe::ProbeSample &sample)
{
    return sample.outcome == probe::Outcome::connect_failed || sample.outcome == probe::Outcome::connect_timeout;
}

/// Trying another prompt would not help.
bool isRefusedForGood(const probe::ProbeSample &sample)
{
    const int status = sample.http_status;
    return status >= 400 && status < 500 && status != 408 && status != 429;
}

/// Stands for a measurement that did not take place.
probe::ProbeSample unmeasured(const probe::ProbeSample &prime)
{
    probe::ProbeSample sample;
    sample.outcome = prime.outcome;
    sample.http_status = prime.http_status;
    sample.started_at = prime.started_at;
    sample.details = prime.details;
    sample.notes << QStringLiteral("prime_failed");
    sample.message = QCoreApplication::translate(
        "experiment", "Not measured, because the request that should have warmed the cache before it failed: %1")
                         .arg(prime.message);
    return sample;
}

} // namespace

struct RunWorker::Talk
{
    Talk(const ServerTarget &target, const ExperimentPlan &plan)
        : link(target)
        , sender(link, plan)
        , book(plan, QRandomGenerator::system()->generate())
        , study(link, sender, book, target, plan)
    {
    }

    ServerLink link;
    ChatSender sender;
    PromptBook book;
    ServerStudy study;
};

RunWorker::RunWorker(const ServerTarget &server, const ExperimentPlan &plan)
    : m_server(server)
{
    m_result.plan = plan;
}

RunWorker::~RunWorker() = default;

void RunWorker::requestStop()
{
    m_stop = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (m_talk)
                m_talk->link.stop();
        },
        Qt::QueuedConnection);
}

void RunWorker::run()
{
    m_result.started_at = QDateTime::currentDateTimeUtc();
    m_talk = std::make_unique<Talk>(m_server, m_result.plan);
    const std::optional<Failure> failure = m_stop ? std::nullopt : learnAndMeasure();
    if (m_stop) {
        m_result.end = RunEnd::stopped;
    } else if (failure) {
        m_result.end = RunEnd::failed;
        m_result.message = failure->message;
        m_result.details = failure->details;
    }
    m_result.server = m_talk->study.facts();
    m_result.server.reports_cached_tokens = m_talk->sender.serverReports();
    judge(m_result.samples, rules());
    m_result.summary = summarize(m_result.samples, m_result.server);
    m_talk.reset();
    Q_EMIT finished(m_result);
}

std::optional<Failure> RunWorker::learnAndMeasure()
{
    if (auto problem = validate(m_result.plan))
        return Failure{*problem, {}};
    RunProgress progress;
    progress.total = static_cast<int>(m_result.plan.arms.size()) * m_result.plan.rounds;
    Q_EMIT progressed(progress);
    if (const auto failure = m_talk->study.run())
        return failure;
    if (m_stop)
        return std::nullopt;
    m_result.server = m_talk->study.facts();
    Q_EMIT serverLearned(m_result.server);
    return measureAll();
}

std::optional<Failure> RunWorker::measureAll()
{
    QList<Step> left = makeSchedule(m_result.plan);
    while (!left.isEmpty()) {
        const Step step = left.first();
        announce(step, left);
        QElapsedTimer duration;
        duration.start();
        const std::optional<Failure> failure = takeStep(step);
        if (failure || m_stop)
            return failure;
        m_times.add(step, duration.elapsed());
        left.removeFirst();
    }
    return std::nullopt;
}

void RunWorker::announce(const Step &step, const QList<Step> &left)
{
    RunProgress progress;
    progress.phase = step.kind == StepKind::warm_up ? RunProgress::Phase::warming_up
        : step.kind == StepKind::prime              ? RunProgress::Phase::priming
                                                    : RunProgress::Phase::measuring;
    progress.done = static_cast<int>(m_result.samples.size());
    progress.total = static_cast<int>(m_result.plan.arms.size()) * m_result.plan.rounds;
    progress.arm = step.arm;
    progress.remaining_ms = m_times.remainingMs(left);
    Q_EMIT progressed(progress);
}

std::optional<Failure> RunWorker::takeStep(const Step &step)
{
    switch (step.kind) {
    case StepKind::warm_up:
        return takeWarmUp();
    case StepKind::prime:
        return takePrime();
    case StepKind::measure:
        return takeMeasurement(step);
    }
    return std::nullopt;
}

std::optional<Failure> RunWorker::takeWarmUp()
{
    const probe::ProbeSample sample = m_talk->sender.send(m_talk->book.unrelated(m_result.plan.shared_tokens)).sample;
    if (isRefusedForGood(sample))
        return contextFailure(sample).value_or(Failure{sample.message, sample.details});
    return countFailure(sample);
}

std::optional<Failure> RunWorker::takePrime()
{
    const Prompt prompt = m_talk->book.prime();
    const Exchange exchange = m_talk->sender.send(prompt);
    m_talk->book.noteSent(prompt);
    m_failed_prime.reset();
    if (!exchange.answered())
        m_failed_prime = exchange.sample;
    return countFailure(exchange.sample);
}

std::optional<Failure> RunWorker::takeMeasurement(const Step &step)
{
    if (m_failed_prime) {
        addSample(step, {unmeasured(*m_failed_prime), {}}, std::nullopt);
        m_failed_prime.reset();
        return std::nullopt;
    }
    const bool salted = step.arm == Arm::cold && m_result.server.cold == ColdMethod::salt;
    const bool uncached = step.arm == Arm::cold && m_result.server.cold == ColdMethod::no_cache;
    if (step.arm == Arm::cold && m_result.server.cold == ColdMethod::reset && !emptyCache())
        return Failure{QCoreApplication::translate("experiment",
                           "The server did not empty its cache before a NO CACHE sample, so the run cannot go on; "
                           "finished samples are kept. Make sure that nothing else uses it, and measure again."),
            {}};
    const Prompt prompt = promptFor(*step.arm, step.round, salted);
    const std::optional<qint64> expected = expectedHit(step, prompt, salted);
    const QString salt = salted ? QUuid::createUuid().toString(QUuid::WithoutBraces) : QString();
    const Exchange exchange = m_talk->sender.send(prompt, salt, uncached);
    if (!salted)
        m_talk->book.noteSent(prompt);
    if (m_stop)
        return std::nullopt;
    addSample(step, exchange, expected);
    return countFailure(exchange.sample);
}

Prompt RunWorker::promptFor(Arm arm, int round, bool salted)
{
    PromptBook &book = m_talk->book;
    if (arm == Arm::partial)
        return book.freshlyRevised(round);
    if (arm == Arm::cold && (m_result.server.cold == ColdMethod::reset || m_result.server.cold == ColdMethod::no_cache))
        return book.measuredApart();
    return arm == Arm::warm || salted ? book.measured(round) : book.freshlyTagged(round);
}

/// A reset fails while blocks are in use: the answer before may still be on its way out.
bool RunWorker::emptyCache()
{
    constexpr int attempts = 10;
    constexpr int pauseMs = 200;
    for (int i = 0; i < attempts && !m_stop; ++i) {
        if (m_talk->link.resetCache()) {
            m_talk->book.forgetSent();
            return true;
        }
        m_talk->link.pause(pauseMs);
    }
    return m_stop;
}

/// What a prompt after its prime must find, by what both share; nullopt for the arms that are to find nothing.
std::optional<qint64> RunWorker::wantedHit(Arm arm, std::optional<qint64> promptTokens) const
{
    if (arm != Arm::warm && arm != Arm::partial)
        return std::nullopt;
    const PromptBook &book = m_talk->book;
    const qint64 block = m_result.server.block_size.value_or(1);
    const auto &layout = book.layout();
    const qint64 shared = arm == Arm::warm ? (layout ? layout->shared : book.estimatedShared(promptTokens))
                                           : (layout ? layout->middle.value_or(0) : book.estimatedMiddle(promptTokens));
    return shared / block * block;
}

std::optional<qint64> RunWorker::expectedHit(const Step &step, const Prompt &prompt, bool salted) const
{
    const PromptBook &book = m_talk->book;
    const bool emptied = m_result.server.cold == ColdMethod::reset || m_result.server.cold == ColdMethod::no_cache;
    if (salted || m_result.server.prefix_caching_off || (step.arm == Arm::cold && emptied))
        return 0;
    if (step.arm == Arm::cold && !book.layout())
        return m_result.server.template_floor;
    if (!book.layout() || !m_result.server.block_size)
        return std::nullopt;
    return reusableTokens(book.sharedWithEarlier(prompt), book.layout()->total, *m_result.server.block_size);
}

void RunWorker::addSample(const Step &step, const Exchange &exchange, std::optional<qint64> expectedHit)
{
    MeasuredSample sample;
    sample.number = static_cast<int>(m_result.samples.size()) + 1;
    sample.round = step.round;
    sample.arm = *step.arm;
    sample.probe = exchange.sample;
    sample.counters = exchange.counters;
    const auto &layout = m_talk->book.layout();
    const auto reported = exchange.sample.evidence.prompt_tokens;
    const bool countedAlike = !layout || !reported || *reported == layout->total;
    sample.expected_hit = countedAlike ? expectedHit : std::nullopt;
    sample.wanted_hit = wantedHit(sample.arm, reported);
    m_result.samples.append(sample);
    judge(m_result.samples, rules());
    m_result.summary = summarize(m_result.samples, m_result.server);
    Q_EMIT sampleFinished(m_result.samples.last(), m_result.summary);
}

std::optional<Failure> RunWorker::countFailure(const probe::ProbeSample &sample)
{
    const bool answered = sample.outcome == probe::Outcome::completed || sample.outcome == probe::Outcome::no_token;
    m_failures_in_a_row = answered ? 0 : m_failures_in_a_row + 1;
    m_connect_failures_in_a_row = isConnectFailure(sample) ? m_connect_failures_in_a_row + 1 : 0;
    const bool over
        = m_failures_in_a_row >= mostFailuresInARow || m_connect_failures_in_a_row >= mostConnectFailuresInARow;
    return over ? std::optional(endOfTheLine(sample)) : std::nullopt;
}

Failure RunWorker::endOfTheLine(const probe::ProbeSample &sample) const
{
    const QLocale locale;
    const QString measured = locale.toString(m_result.samples.size());
    const QString planned = locale.toString(m_result.plan.arms.size() * m_result.plan.rounds);
    const QString text = isConnectFailure(sample)
        ? QCoreApplication::translate("experiment",
            "The run ended after %1 of %2 samples, because the server no longer answers; finished samples are kept. %3")
        : QCoreApplication::translate("experiment",
            "The run ended after %1 of %2 samples, because one request after the other failed; finished samples are "
            "kept. %3");
    return {text.arg(measured, planned, sample.message), sample.details};
}

VerdictRules RunWorker::rules() const
{
    const ServerFacts &facts = m_result.server;
    VerdictRules rules;
    rules.block_size = facts.block_size;
    rules.template_floor = facts.template_floor;
    rules.server_known_to_report = m_talk->sender.serverReports();
    return rules;
}

} // namespace kvlab::experiment
