// SPDX-License-Identifier: GPL-3.0-or-later
// The words around a run: badge, origin, result line, numbers with their units. One place, because panel, presentation
// and exported picture must say the same. Pure functions over values; all text is translated.
#pragma once

#include "ui/widgets/badge.h"

#include "experiment/experiment_result.h"

namespace kvlab::ui {

struct ChartData;

/// Where the run that is shown comes from.
enum class RunOrigin { none, live, measured, sample_data, document };

struct ShownRun
{
    RunOrigin origin = RunOrigin::none;
    experiment::RunResult run;

    bool isLive() const { return origin == RunOrigin::live; }
    int plannedSamples() const { return run.plan.rounds * int(run.plan.arms.size()); }
};

struct BadgeText
{
    BadgeState state = BadgeState::none;
    QString text;
};

/// LIVE, MEASURED, STOPPED AFTER 9 OF 30, SAMPLE DATA, RECORDED.
BadgeText badgeText(const ShownRun &shown);

/// Which server, when, on which computer. That the practice engine's text is gibberish is said wherever it is named.
QString originText(const ShownRun &shown);
/// The same for the last line of a presentation: server and prompt length, no time of day.
QString presentationOrigin(const ShownRun &shown);

/// The result in words. A ratio only from three samples on both sides on, never after a contradicted verdict.
struct ResultText
{
    enum class State { waiting, result, problem };
    State state = State::waiting;
    QString ratio; ///< "36 ×"
    QString claim; ///< HTML: <b>CACHED is 97 % lower</b> than NO CACHE
    QString short_claim; ///< plain: CACHED is 97 % lower
    QString spread; ///< 95 %: 35–38 ×, paired, n 10
    QString evidence; ///< how far the server confirms it, or what still is missing
    QString short_evidence;
    std::optional<experiment::Verdict> verdict;
    QString explanation; ///< the verdict in whole sentences
};
ResultText resultText(const ShownRun &shown);

/// The chart in one sentence per arm and one for the result.
QString chartSentence(const ChartData &data, const experiment::Summary &summary);

QString formatMs(double ms); ///< "718 ms", "19.8 ms"
QString formatRatio(double ratio); ///< "36", "9.8"
QString verdictIcon(std::optional<experiment::Verdict> verdict);
QColor verdictColor(std::optional<experiment::Verdict> verdict);

} // namespace kvlab::ui
