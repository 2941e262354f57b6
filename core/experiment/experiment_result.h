// SPDX-License-Identifier: GPL-3.0-or-later
// What a run showed: samples with their verdicts, and the summary over them.
// Rules (verdicts, exclusion, intervals): made exact in tests/data/experiment-cases.json, described in summary.h.
#pragma once

#include "experiment/experiment_plan.h"

#include <QDateTime>
#include <QMap>
#include <QStringList>

namespace kvlab::experiment {

enum class Verdict { confirmed, likely, unconfirmed, contradicted };
QString verdictName(Verdict verdict);
std::optional<Verdict> verdictFromName(const QString &name);
QString verdictTitle(Verdict verdict); ///< translated

/// What the server's counters (/metrics) moved by during one request. Tokens.
struct CounterDelta
{
    qint64 hits = 0;
    bool idle = false; ///< nothing else ran meanwhile; otherwise the counters prove nothing
};

struct MeasuredSample
{
    int number = 0; ///< from 1, in the order measured
    int round = 0; ///< from 1
    Arm arm = Arm::cold;
    probe::ProbeSample probe;
    std::optional<CounterDelta> counters; ///< only looked at when the answer itself reports no cached tokens
    std::optional<qint64> wanted_hit; ///< what a warm or partial sample is to find: its shared prefix in whole blocks
    std::optional<qint64> expected_hit; ///< tokens, by the server's block rule; nullopt when it cannot be known
    std::optional<Verdict> verdict; ///< none for a sample that failed
    bool kept = false; ///< counts in the summary
};

struct Interval
{
    double low = 0;
    double high = 0;
};

struct ArmSummary
{
    int samples = 0; ///< all, failed ones too
    int kept = 0;
    int failed = 0;
    int excluded = 0; ///< contradicted or tainted: left out by a rule fixed beforehand, never by their time
    int confirmed = 0; ///< of the kept ones
    std::optional<double> median_ms;
    std::optional<double> mad_ms;
    std::optional<double> min_ms;
    std::optional<double> max_ms;
    std::optional<double> p90_ms; ///< from 20 samples on
    std::optional<double> p99_ms; ///< from 200 samples on
    std::optional<Interval> median_interval_ms; ///< bootstrap 95 %, from 5 samples on
    std::optional<double> cached_tokens_median;
};

/// What the whole run says. `reason` is a stable word (cold_already_cached, warm_not_cached,
/// different_prefix_as_fast_as_warm) or empty.
struct Summary
{
    QMap<Arm, ArmSummary> arms;
    int pairs = 0;
    std::optional<double> ratio_median; ///< cold / warm of the same round; from 3 kept samples on both sides
    std::optional<Interval> ratio_interval; ///< from 5 pairs on
    std::optional<double> sign_flip_p; ///< exact two-sided sign-flip test on the log ratios, 5 … 15 pairs
    std::optional<double> saved_ms_per_cached_token;
    std::optional<Verdict> verdict; ///< none before any kept sample
    QString reason;
    QString explanation; ///< a translated sentence: what the verdict means and what to do about it
};

/// What was learned about the server before the first sample.
struct ServerFacts
{
    QString label;
    QString model;
    QUrl base_url;
    std::optional<qint64> block_size; ///< tokens; 1 = the server reuses token by token (llama.cpp)
    std::optional<qint64> shared_prefix; ///< tokens that a prime and the CACHED prompt after it have in common
    std::optional<qint64> context_tokens; ///< longest prompt and answer together
    bool counts_tokens
        = false; ///< it has /tokenize; otherwise lengths are estimates and no hit can be expected exactly
    bool reports_cached_tokens = false; ///< an answer has carried the count: a missing one then means 0
    std::optional<qint64> template_floor; ///< tokens that unrelated prompts share (chat template), in whole blocks
    bool prefix_caching_off = false; ///< the server said so itself
    ColdMethod cold = ColdMethod::nonce; ///< the method used
    QStringList notes; ///< translated sentences about anything else that limits what the run can show
    QString cold_note; ///< a translated sentence when the method asked for was not to be had; else empty
    bool practice_engine = false;
};

enum class RunEnd { finished, stopped, failed };

struct RunResult
{
    RunEnd end = RunEnd::finished;
    QString message; ///< why it failed: what, why, what to do; empty otherwise
    QString details; ///< raw text, may be empty
    ExperimentPlan plan;
    ServerFacts server;
    QDateTime started_at;
    QList<MeasuredSample> samples; ///< whatever was finished
    Summary summary;
};

/// Where a run is. `total` counts measured samples; primes and warm-ups are named by `phase`.
struct RunProgress
{
    enum class Phase { connecting, warming_up, priming, measuring };
    Phase phase = Phase::connecting;
    int done = 0;
    int total = 0;
    std::optional<Arm> arm;
    std::optional<qint64> remaining_ms; ///< estimate; none before it can be made
};

} // namespace kvlab::experiment

Q_DECLARE_METATYPE(kvlab::experiment::MeasuredSample)
Q_DECLARE_METATYPE(kvlab::experiment::RunResult)
Q_DECLARE_METATYPE(kvlab::experiment::RunProgress)
Q_DECLARE_METATYPE(kvlab::experiment::ServerFacts)
Q_DECLARE_METATYPE(kvlab::experiment::Summary)
