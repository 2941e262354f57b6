// SPDX-License-Identifier: GPL-3.0-or-later
// Runs made up by hand: samples with chosen times and hits, and summaries whose figures are written down, not computed
// by the program.
#pragma once

#include "experiment/experiment_result.h"

namespace kvlab::test {

using namespace kvlab::experiment;

inline MeasuredSample sample(int number, Arm arm, double ttftMs, Verdict verdict = Verdict::confirmed)
{
    MeasuredSample sample;
    sample.number = number;
    sample.round = (number - 1) / 3 + 1;
    sample.arm = arm;
    sample.probe.outcome = probe::Outcome::completed;
    sample.probe.http_status = 200;
    sample.probe.started_at = QDateTime(QDate(2026, 3, 1), QTime(14, 32, 0)).addSecs(number);
    sample.probe.stamps.headers_ns = 1'000'000;
    sample.probe.stamps.first_token_ns = qint64(ttftMs * 1e6);
    sample.probe.stamps.first_content_ns = qint64(ttftMs * 1e6);
    sample.probe.stamps.end_ns = qint64((ttftMs + 100) * 1e6);
    sample.probe.evidence.prompt_tokens = 1504;
    sample.probe.evidence.cached_tokens = arm == Arm::warm ? 1488 : 0;
    sample.probe.evidence.completion_tokens = 16;
    sample.expected_hit = arm == Arm::warm ? 1488 : 0;
    sample.verdict = verdict;
    sample.kept = verdict != Verdict::contradicted;
    return sample;
}

inline MeasuredSample failedSample(int number, Arm arm)
{
    MeasuredSample sample;
    sample.number = number;
    sample.round = (number - 1) / 3 + 1;
    sample.arm = arm;
    sample.probe.outcome = probe::Outcome::connect_failed;
    sample.probe.message
        = QStringLiteral("Could not reach http://localhost:8000: nothing listens there. Start the server.");
    return sample;
}

inline ServerFacts practiceFacts()
{
    ServerFacts facts;
    facts.label = QStringLiteral("practice engine 25M");
    facts.model = QStringLiteral("kvlab-medium");
    facts.base_url = QUrl(QStringLiteral("http://127.0.0.1:8137"));
    facts.block_size = 16;
    facts.cold = ColdMethod::salt;
    facts.practice_engine = true;
    return facts;
}

inline ArmSummary armSummary(int n, double median, std::optional<Interval> interval, double cached)
{
    ArmSummary arm;
    arm.samples = n;
    arm.kept = n;
    arm.confirmed = n;
    arm.median_ms = median;
    arm.median_interval_ms = interval;
    arm.cached_tokens_median = cached;
    return arm;
}

/// Ten rounds. Medians by hand: NO CACHE (715 + 721) / 2 = 718, CACHED 19.8, DIFFERENT PREFIX (724 + 730) / 2 = 727.
inline RunResult tenRounds()
{
    const QList<double> cold{702, 709, 740, 721, 715, 735, 695, 728, 712, 733};
    const QList<double> warm{19.2, 19.5, 20.4, 19.7, 19.9, 20.0, 19.6, 21.1, 19.4, 20.6};
    const QList<double> different{724, 730, 722, 735, 718, 733, 760, 726, 728, 720};
    RunResult run;
    run.server = practiceFacts();
    run.started_at = QDateTime(QDate(2026, 3, 1), QTime(14, 32));
    for (int round = 0; round < 10; ++round) {
        run.samples.append(sample(3 * round + 1, Arm::cold, cold.at(round)));
        run.samples.append(sample(3 * round + 2, Arm::warm, warm.at(round)));
        run.samples.append(sample(3 * round + 3, Arm::different, different.at(round)));
    }
    run.summary.arms[Arm::cold] = armSummary(10, 718, Interval{702, 735}, 0);
    run.summary.arms[Arm::warm] = armSummary(10, 19.8, Interval{19.4, 20.6}, 1488);
    run.summary.arms[Arm::different] = armSummary(10, 727, Interval{720, 735}, 0);
    run.summary.pairs = 10;
    run.summary.ratio_median = 36.2;
    run.summary.ratio_interval = Interval{35.1, 37.6};
    run.summary.verdict = Verdict::confirmed;
    run.summary.explanation
        = QStringLiteral("Confirmed by the server: CACHED prompts found their prefix in the cache.");
    return run;
}

/// One round: three dots, no bar, no ratio.
inline RunResult oneRound()
{
    RunResult run = tenRounds();
    run.samples = run.samples.first(3);
    run.summary = {};
    run.summary.arms[Arm::cold] = armSummary(1, 702, std::nullopt, 0);
    run.summary.arms[Arm::warm] = armSummary(1, 19.2, std::nullopt, 1488);
    run.summary.arms[Arm::different] = armSummary(1, 724, std::nullopt, 0);
    run.summary.pairs = 1;
    run.summary.ratio_median = 36.6;
    run.summary.verdict = Verdict::confirmed;
    return run;
}

/// Stopped after 9 of 30: NO CACHE was in the cache already, one sample left out, one failed.
inline RunResult contradictedRun()
{
    RunResult run;
    run.end = RunEnd::failed;
    run.server.label = QStringLiteral("http://localhost:8000");
    run.server.base_url = QUrl(run.server.label);
    run.started_at = QDateTime(QDate(2026, 3, 1), QTime(14, 32));
    run.samples = {sample(1, Arm::cold, 69.0, Verdict::contradicted), sample(2, Arm::warm, 75.2),
        sample(3, Arm::different, 168), sample(4, Arm::cold, 75.0, Verdict::contradicted), sample(5, Arm::warm, 88.0),
        sample(6, Arm::cold, 80.1, Verdict::contradicted), sample(7, Arm::different, 171.9, Verdict::contradicted),
        sample(8, Arm::cold, 118.4), sample(9, Arm::warm, 131.7), failedSample(10, Arm::different)};
    for (MeasuredSample &sample : run.samples) {
        if (sample.verdict == Verdict::contradicted)
            sample.probe.evidence.cached_tokens = 1152;
    }
    run.samples[7].kept = false;
    run.samples[7].probe.tainted = {QStringLiteral("busy_thread")};
    ArmSummary cold;
    cold.samples = 4;
    cold.excluded = 4;
    run.summary.arms[Arm::cold] = cold;
    run.summary.arms[Arm::warm] = armSummary(3, 88, std::nullopt, 1488);
    ArmSummary different = armSummary(1, 168, std::nullopt, 0);
    different.samples = 3;
    different.failed = 1;
    different.excluded = 1;
    run.summary.arms[Arm::different] = different;
    run.summary.ratio_median = 0.9;
    run.summary.verdict = Verdict::contradicted;
    run.summary.reason = QStringLiteral("cold_already_cached");
    run.summary.explanation = QStringLiteral("Contradicted: the server had NO CACHE prompts in its cache already, so "
                                             "they were not cold. Measure again; if this "
                                             "comes back, choose another cold method or restart the server.");
    return run;
}

} // namespace kvlab::test
