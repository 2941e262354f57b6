// SPDX-License-Identifier: GPL-3.0-or-later
#include "servers/tier_worker.h"

#include "servers/page_cache.h"
#include "servers/practice_session.h"
#include "servers/process_io.h"

#include "experiment/seeded_random.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QLocale>
#include <QStandardPaths>
#include <QStorageInfo>
#include <QTemporaryDir>

#include <algorithm>

namespace kvlab::servers {

namespace {

using experiment::Failure;

constexpr qint64 mib = 1024 * 1024;
constexpr qint64 keptFree = 256 * mib; ///< of the file system, for everybody else
constexpr qint64 largestDiskTier = 64 * 1024 * mib;
constexpr int mostFailuresInARow = 3;
constexpr int warmUpDocument = -1;
// Tokens that the practice engine's vocabulary has for sure and that are no control tokens.
constexpr quint32 firstToken = 300;
constexpr quint32 tokenChoices = 4000;

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::servers::TierWorker)
};

QString parentFolder(const TierPlan &plan)
{
    if (!plan.parent_folder.isEmpty())
        return plan.parent_folder;
    // Rather than the folder for temporary files: that one often lies in RAM, where no disk can be measured.
    const QString cache = QStandardPaths::writableLocation(QStandardPaths::CacheLocation);
    return !cache.isEmpty() && QDir().mkpath(cache) ? cache : QDir::tempPath();
}

} // namespace

TierWorker::TierWorker(const TierPlan &plan)
{
    m_result.plan = plan;
}

TierWorker::~TierWorker() = default;

void TierWorker::requestStop()
{
    m_stop = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            for (PracticeSession *engine : {m_first.get(), m_second.get()}) {
                if (engine != nullptr)
                    engine->stop();
            }
        },
        Qt::QueuedConnection);
}

void TierWorker::run()
{
    m_result.started_at = QDateTime::currentDateTimeUtc();
    const std::optional<Failure> failure = m_stop ? std::nullopt : measure();
    if (m_stop) {
        m_result.end = experiment::RunEnd::stopped;
    } else if (failure) {
        m_result.end = experiment::RunEnd::failed;
        m_result.message = failure->message;
        m_result.details = failure->details;
    }
    m_second.reset();
    m_first.reset();
    m_folder.reset();
    Q_EMIT finished(m_result);
}

std::optional<Failure> TierWorker::measure()
{
    if (const auto problem = validate(m_result.plan))
        return Failure{*problem, {}};
    m_left = makeTierSchedule(m_result.plan);
    m_total = int(std::count_if(m_left.begin(), m_left.end(), [](const TierStep &step) { return step.measured; }));
    if (const auto failure = prepareFolder())
        return failure;
    if (const auto failure = startEngines())
        return failure;
    while (!m_left.isEmpty() && !m_stop) {
        const TierStep step = m_left.first();
        if (step.arm == TierArm::restart && !std::exchange(m_restarted, true)) {
            if (const auto failure = restart())
                return failure;
        }
        announce(TierProgress::Phase::measuring, step.arm);
        QElapsedTimer duration;
        duration.start();
        if (const auto failure = takeStep(step))
            return failure;
        noteTime(step, duration.elapsed());
        m_left.removeFirst();
    }
    return std::nullopt;
}

std::optional<Failure> TierWorker::prepareFolder()
{
    const QString parent = parentFolder(m_result.plan);
    m_folder = std::make_unique<QTemporaryDir>(QDir(parent).filePath(QStringLiteral("kvlab-tiers-XXXXXX")));
    if (m_folder->isValid())
        return std::nullopt;
    return Failure{Texts::tr("No folder for the chunks could be made in %1: %2. Name another folder, or free the way "
                             "there.")
                       .arg(QDir::toNativeSeparators(parent), m_folder->errorString()),
        {}};
}

std::optional<Failure> TierWorker::startEngine(std::unique_ptr<PracticeSession> &engine, bool ram)
{
    QElapsedTimer duration;
    duration.start();
    engine = std::make_unique<PracticeSession>();
    const qint64 room = QStorageInfo(m_folder->path()).bytesAvailable() - keptFree;
    const qint64 budget = std::clamp<qint64>(room, 1, largestDiskTier);
    // Two prompts fit, so that nothing is evicted before it is looked for.
    const qint64 poolTokens = 2 * (longest() + tierQuestionTokens + tierAnswerTokens) + 64;
    QStringList options{QStringLiteral("--tier-disk"), QStringLiteral("%1:%2B").arg(m_folder->path()).arg(budget),
        QStringLiteral("--chunk-size"), QString::number(tierChunkSize), QStringLiteral("--pool-blocks"),
        QString::number(poolTokens / 16 + 1)};
    if (ram)
        options << QStringLiteral("--tier-ram") << QStringLiteral("1GiB");
    if (const auto failure = engine->start(m_result.plan.engine_size, options))
        return failure;
    if (m_stop)
        return std::nullopt;
    if (m_result.engine.isEmpty()) {
        m_result.engine = engine->description();
        m_result.plan.engine_size = engine->size(); // the next one does not choose anew
        m_result.rules = {engine->blockSize(), tierChunkSize, engine->kvBytesPerToken()};
    }
    announce(TierProgress::Phase::warming_up);
    const std::optional<Failure> failure = warmUp(*engine);
    m_start_ms = duration.elapsed();
    return failure;
}

std::optional<Failure> TierWorker::startEngines()
{
    announce(TierProgress::Phase::starting_engines);
    if (const auto failure = startEngine(m_first, false); failure || m_stop)
        return failure;
    if (const auto failure = checkRoom())
        return failure;
    const bool needed
        = std::any_of(m_left.begin(), m_left.end(), [](const TierStep &step) { return step.arm == TierArm::other; });
    if (!needed)
        return std::nullopt;
    announce(TierProgress::Phase::starting_engines);
    return startEngine(m_second, true);
}

std::optional<Failure> TierWorker::checkRoom() const
{
    qint64 bytes = 0;
    for (const TierStep &step : m_left) {
        if (step.arm == TierArm::recompute)
            bytes += step.shared_tokens * m_result.rules.kv_bytes_per_token;
    }
    const qint64 room = QStorageInfo(m_folder->path()).bytesAvailable() - keptFree;
    if (bytes <= std::min(room, largestDiskTier))
        return std::nullopt;
    const QLocale locale;
    return Failure{Texts::tr("The run would store %1 of K and V, and the disk at %2 has room for %3. Choose fewer "
                             "rounds or shorter prompts, or free some space.")
                       .arg(locale.formattedDataSize(bytes), QDir::toNativeSeparators(parentFolder(m_result.plan)),
                           locale.formattedDataSize(std::max<qint64>(0, room))),
        {}};
}

/// One prompt of full length, as every later one: the first request of an engine touches its memory for the first time.
std::optional<Failure> TierWorker::warmUp(PracticeSession &engine)
{
    const probe::ProbeSample sample = engine.ask(promptOf(warmUpDocument, longest()), tierAnswerTokens);
    if (m_stop || sample.outcome == probe::Outcome::completed)
        return std::nullopt;
    return engine.failure().value_or(Failure{sample.message, sample.details});
}

std::optional<Failure> TierWorker::restart()
{
    announce(TierProgress::Phase::restarting);
    m_first->settle(); // what is on its way to the disk arrives there
    m_first.reset();
    if (const auto failure = startEngine(m_first, false))
        return failure;
    return std::nullopt;
}

std::optional<Failure> TierWorker::takeStep(const TierStep &step)
{
    const bool second = step.arm == TierArm::other || step.arm == TierArm::ram;
    PracticeSession &engine = second ? *m_second : *m_first;
    if (const auto failure = makeReady(step, engine); failure || m_stop)
        return failure;
    TierSample sample = ask(step, engine);
    if (m_stop)
        return std::nullopt;
    if (step.measured) {
        sample.number = int(m_result.samples.size()) + 1;
        m_result.samples.append(sample);
        Q_EMIT sampleFinished(sample);
    }
    if (engine.failure())
        return engine.failure();
    return countFailure(sample.probe);
}

/// Nothing else runs or is being written, and the document is only where the arm looks for it.
std::optional<Failure> TierWorker::makeReady(const TierStep &step, PracticeSession &engine)
{
    for (PracticeSession *each : {m_first.get(), m_second.get()}) {
        if (each != nullptr && !each->settle() && !m_stop) {
            return each->failure().value_or(
                Failure{Texts::tr("An engine was still busy a minute after its last answer, so the run ended; finished "
                                  "samples are kept. The disk may be too slow or the computer too busy: try again."),
                    {}});
        }
    }
    const bool emptied = step.arm != TierArm::disk && step.arm != TierArm::ram;
    if (!m_stop && !emptied && !engine.resetPool() && !m_stop)
        return Failure{Texts::tr("The engine did not empty its block pool, so the run ended; finished samples are "
                                 "kept. Try again."),
            {}};
    if (step.arm == TierArm::disk || step.arm == TierArm::other || step.arm == TierArm::restart)
        dropPageCache();
    return std::nullopt;
}

TierSample TierWorker::ask(const TierStep &step, PracticeSession &engine)
{
    TierSample sample;
    sample.round = step.round;
    sample.arm = step.arm;
    sample.shared_tokens = step.shared_tokens;
    const QList<qint32> prompt = promptOf(step.document, step.shared_tokens);
    sample.expected = expectedHit(step.arm, step.shared_tokens, prompt.size(), m_result.rules);
    const EngineReading before = engine.read();
    const std::optional<ProcessReads> readsBefore = readsOfProcess(engine.processId());
    sample.probe = engine.ask(prompt, tierAnswerTokens);
    engine.settle(); // the counters of this request are complete
    const std::optional<ProcessReads> reads = readsOfProcess(engine.processId());
    const EngineReading after = engine.read();
    sample.reported = {after.pool_tokens - before.pool_tokens, after.ram_tokens - before.ram_tokens,
        after.disk_tokens - before.disk_tokens, after.loaded_bytes - before.loaded_bytes};
    sample.load_ms = (after.load_seconds - before.load_seconds) * 1000;
    if (reads && readsBefore) {
        sample.read_bytes = reads->read_bytes - readsBefore->read_bytes;
        if (reads->storage_bytes && readsBefore->storage_bytes)
            sample.storage_bytes = *reads->storage_bytes - *readsBefore->storage_bytes;
    }
    return sample;
}

std::optional<Failure> TierWorker::countFailure(const probe::ProbeSample &sample)
{
    m_failures_in_a_row = sample.outcome == probe::Outcome::completed ? 0 : m_failures_in_a_row + 1;
    if (m_failures_in_a_row < mostFailuresInARow)
        return std::nullopt;
    return Failure{Texts::tr("The run ended, because one request after the other failed; finished samples are kept. %1")
                       .arg(sample.message),
        sample.details};
}

void TierWorker::announce(TierProgress::Phase phase, std::optional<TierArm> arm)
{
    TierProgress progress;
    progress.phase = phase;
    progress.done = int(m_result.samples.size());
    progress.total = m_total;
    progress.arm = arm;
    progress.remaining_ms = remainingMs();
    Q_EMIT progressed(progress);
}

void TierWorker::noteTime(const TierStep &step, qint64 ms)
{
    auto &[sum, tokens] = m_times[step.arm];
    sum += double(ms);
    tokens += step.shared_tokens;
}

/// None before every kind of step that is left has been seen; a restart counts as a start and a hit on disk.
std::optional<qint64> TierWorker::remainingMs() const
{
    double ms = 0;
    bool restarts = false;
    for (const TierStep &step : m_left) {
        const bool known = m_times.contains(step.arm);
        restarts = restarts || step.arm == TierArm::restart;
        const TierArm arm = !known && step.arm == TierArm::restart ? TierArm::recompute : step.arm;
        if (!m_times.contains(arm))
            return std::nullopt;
        const auto &[sum, tokens] = m_times[arm];
        ms += sum / tokens * step.shared_tokens;
    }
    if (restarts && !m_restarted)
        ms += double(m_start_ms.value_or(0));
    return qint64(ms);
}

void TierWorker::dropPageCache() const
{
    QDirIterator files(m_folder->path(), {QStringLiteral("*.kv")}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext())
        dropFromPageCache(files.next());
}

QList<qint32> TierWorker::promptOf(int document, int shared)
{
    QList<qint32> prompt;
    prompt.reserve(shared + tierQuestionTokens);
    const auto write = [&prompt](experiment::SeededRandom &random, int count, int first) {
        prompt.append(qint32(firstToken + quint32(first) % tokenChoices)); // unlike that of any other text
        for (int i = 1; i < count; ++i)
            prompt.append(qint32(firstToken + random.below(tokenChoices)));
    };
    experiment::SeededRandom text(m_result.plan.seed + quint32(document) * 7919U);
    write(text, shared, document == warmUpDocument ? int(tokenChoices) - 1 - m_prompts : document);
    experiment::SeededRandom question(m_result.plan.seed + 104'729U * quint32(m_prompts + 1));
    write(question, tierQuestionTokens, m_prompts);
    ++m_prompts;
    return prompt;
}

int TierWorker::longest() const
{
    return *std::max_element(m_result.plan.lengths.begin(), m_result.plan.lengths.end());
}

} // namespace kvlab::servers
