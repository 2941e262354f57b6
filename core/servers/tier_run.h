// SPDX-License-Identifier: GPL-3.0-or-later
// Where a prefix is found again, and at what cost: the same documents recomputed, found in the block pool, in RAM, on
// disk, after a restart and by another engine. Plain values and the rules that say what each arm must find; the run
// itself is TierRunner's. Two practice engines share one folder of chunks:
//   first   disk tier only: recompute, pool, disk, and after its restart
//   second  RAM and disk tier: other (it never saw the document), then RAM (what came from disk is kept there)
#pragma once

#include "experiment/experiment_result.h"

namespace kvlab::servers {

enum class TierArm { recompute, pool, ram, disk, restart, other };
QList<TierArm> allTierArms(); ///< in the order of tables and charts
QString tierArmName(TierArm arm); ///< the enumerator's own word, for CSV and JSON
std::optional<TierArm> tierArmFromName(const QString &name);
QString tierArmTitle(TierArm arm); ///< translated

struct TierPlan
{
    QList<TierArm> arms = allTierArms();
    int rounds = 5; ///< 1 … 100
    /// Shared tokens, each 16 … 8000: one length, or a sweep over several.
    QList<int> lengths = {3000};
    QString engine_size = QStringLiteral("auto");
    quint32 seed = 1;
    /// Where a folder of chunks is made for the run and removed after it; empty = the user's cache folder.
    QString parent_folder;
};

/// A sentence when the plan cannot be run.
std::optional<QString> validate(const TierPlan &plan);

constexpr int tierChunkSize = 256; ///< tokens; LMCache's default
constexpr int tierQuestionTokens = 20; ///< fresh ones behind the shared tokens
constexpr int tierAnswerTokens = 4;

/// What a sample must find, in tokens, by vLLM's rule for the pool and LMCache's for the tiers.
struct TierHit
{
    qint64 pool = 0;
    qint64 ram = 0;
    qint64 disk = 0;
    qint64 bytes = 0; ///< of K and V that are loaded for it

    qint64 tokens() const { return pool + ram + disk; }
    bool operator==(const TierHit &) const = default;
};

struct TierRules
{
    qint64 block_size = 16;
    qint64 chunk_size = tierChunkSize;
    qint64 kv_bytes_per_token = 0;
};

/// `common` leading tokens of a prompt of `total` are kept where the arm looks.
TierHit expectedHit(TierArm arm, qint64 common, qint64 total, const TierRules &rules);

struct TierSample
{
    int number = 0; ///< from 1, in the order measured
    int round = 0; ///< from 1
    TierArm arm = TierArm::recompute;
    int shared_tokens = 0;
    probe::ProbeSample probe;
    TierHit expected;
    TierHit reported; ///< by the engine's counters over this request
    double load_ms = 0; ///< reading and checking chunks, by the engine
    /// By the operating system for the engine's process over this request; none where it does not tell.
    std::optional<qint64> storage_bytes; ///< came from the storage itself, in whole pages
    std::optional<qint64> read_bytes; ///< handed over by read calls

    /// Counters and answer say exactly what was expected; nullopt for a request that was not answered.
    std::optional<bool> asPredicted() const;
    /// Its time counts: answered, as predicted, untouched.
    bool kept() const;
};

/// One arm at one length.
struct TierSummary
{
    TierArm arm = TierArm::recompute;
    int shared_tokens = 0;
    int samples = 0;
    int kept = 0;
    int as_predicted = 0;
    qint64 expected_tokens = 0;
    qint64 expected_bytes = 0;
    std::optional<double> median_ms; ///< TTFT, of the kept samples, as the other times
    std::optional<double> min_ms;
    std::optional<double> max_ms;
    std::optional<experiment::Interval> median_interval_ms; ///< bootstrap 95 %, from 5 samples on
    std::optional<double> load_ms; ///< median
    std::optional<double> reported_tokens; ///< median of all answered samples, as what follows
    std::optional<double> loaded_bytes;
    std::optional<double> storage_bytes;
};

struct TierResult
{
    experiment::RunEnd end = experiment::RunEnd::finished;
    QString message; ///< why it failed: what, why, what to do; empty otherwise
    QString details;
    TierPlan plan;
    TierRules rules;
    QString engine; ///< "medium, 25 M parameters, untrained"
    QDateTime started_at;
    QList<TierSample> samples; ///< whatever was finished

    bool evidenceEqualsPrediction() const; ///< in every sample, and there is one
};

/// In the order of arms, then of lengths; only what has a sample.
QList<TierSummary> summarizeTiers(const QList<TierSample> &samples);

struct TierProgress
{
    enum class Phase { starting_engines, warming_up, measuring, restarting };
    Phase phase = Phase::starting_engines;
    int done = 0;
    int total = 0;
    std::optional<TierArm> arm;
    std::optional<qint64> remaining_ms; ///< estimate; none before it can be made
};

/// One request of a run. Unmeasured ones bring the document to where a later arm looks for it.
struct TierStep
{
    TierArm arm = TierArm::recompute;
    int round = 0;
    int document = 0; ///< from 0; each is used in one round only
    int shared_tokens = 0;
    bool measured = true;
};

/// Every document is computed first and looked for after that, from the nearest place to the farthest; all that
/// belongs behind the restart comes last. Lengths take turns in an order of their own each round.
QList<TierStep> makeTierSchedule(const TierPlan &plan);

} // namespace kvlab::servers

Q_DECLARE_METATYPE(kvlab::servers::TierSample)
Q_DECLARE_METATYPE(kvlab::servers::TierResult)
Q_DECLARE_METATYPE(kvlab::servers::TierProgress)
