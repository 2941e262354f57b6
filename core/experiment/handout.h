// SPDX-License-Identifier: GPL-3.0-or-later
// The course handout's measurements of Parts 2 and 3 as it has them: its prompts, order, max_tokens and definitions of
// time, without streaming in Part 3; and what is wrong with them, as data. Two things differ, or nothing could be
// learned from it: usage is asked for, and every answer is read to its end (the course drops the connection at the
// first token).
#pragma once

#include "experiment/experiment_plan.h"

#include <QStringList>

#include <functional>

namespace kvlab::experiment {

/// Where a flaw acts: a figure of Part 2 or 3, or a step of the handout that prints none.
enum class HandoutPlace {
    part1_table,
    part2_server, ///< starting the first server
    part2_script,
    warm_up,
    no_cache,
    cached,
    different_prefix,
    part3_server, ///< starting the second one
    part3_first,
    part3_second,
};

struct HandoutFlaw
{
    int number = 0; ///< 1 … 19, as in the lab's texts
    QList<HandoutPlace> places;
    QString title; ///< translated, one sentence: what is wrong
    QString detail; ///< translated, one sentence: what it does, or what to do instead
};

QList<HandoutFlaw> handoutFlaws(); ///< all, by number
QList<HandoutFlaw> handoutFlaws(HandoutPlace place);

struct HandoutRequest
{
    HandoutPlace place = HandoutPlace::warm_up;
    QString label; ///< the handout's own: "NO CACHE"
    QString system;
    QString user;
    int max_tokens = 0;
    bool streams = true;
    bool printed = true; ///< the handout shows its figure
};

/// In the handout's order; empty for any part but 2 and 3.
QList<HandoutRequest> handoutRequests(int part);

struct HandoutSample
{
    HandoutRequest request;
    probe::ProbeSample probe;
    /// What the handout calls TTFT. Part 2: from before the connection is opened to the first non-empty content; Part
    /// 3: to the end of the whole answer. Milliseconds; none when there was no such thing.
    std::optional<double> handout_ms;
};

struct HandoutResult
{
    int part = 0;
    QString server; ///< its address
    QString model;
    QList<HandoutSample> samples;
    bool stopped = false;
    QString message; ///< why it ended early: what, why, what to do; else empty
    QString details;
};

/// Sends the requests one after the other, in the calling thread, which must be able to run event loops. `goOn` is
/// asked about 20 times a second; false ends the run at once. `onSample` is given the result so far after each request.
HandoutResult runHandout(const ServerTarget &target, int part, const probe::ProbeLimits &limits,
    const std::function<bool()> &goOn, const std::function<void(const HandoutResult &soFar)> &onSample = {});

/// What the result says about itself, against the handout's own expectation ("CACHED is 50 to 80 % below NO CACHE");
/// translated; empty when figures are missing.
QString handoutFinding(const HandoutResult &result);

} // namespace kvlab::experiment
