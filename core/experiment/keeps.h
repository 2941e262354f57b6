// SPDX-License-Identifier: GPL-3.0-or-later
// What a server keeps, found out from the hits it reports alone: block size, shortest prefix that counts, whether
// generated tokens are kept, and how many tokens fit before the oldest prefix is lost. A short run of small requests;
// each answers one question and decides the next. Nothing is taken from the server's own settings.
#pragma once

#include "experiment/experiment_plan.h"
#include "experiment/experiment_result.h"

#include <functional>

namespace kvlab::experiment {

struct KeepsPlan
{
    probe::ProbeLimits limits;
    Endpoint endpoint = Endpoint::chat;
    qint64 fill_tokens = 60'000; ///< most prompt tokens spent on filling the cache
    quint32 seed = 1;
};

/// One request and what it showed.
struct KeepsStep
{
    enum class Purpose { prime, floor, block, shortest, generated, fill, survivor };
    Purpose purpose = Purpose::prime;
    std::optional<qint64> prompt_tokens;
    std::optional<qint64> hit;
};
QString keepsPurposeName(KeepsStep::Purpose purpose);

struct KeepsResult
{
    ServerFacts server;
    bool reports_hits = false; ///< without it nothing else can be known
    bool keeps_anything = false;
    std::optional<qint64> floor; ///< tokens that unrelated prompts find: the chat template's
    std::optional<qint64> block_size;
    std::optional<qint64> shortest_prefix;
    bool shortest_is_bound = false; ///< it may be shorter: the template's hit hides what lies below
    std::optional<bool> keeps_generated; ///< none: the generated text does not come back as the same tokens
    std::optional<qint64> pool_tokens; ///< that fit before the oldest prefix is lost
    std::optional<qint64> pool_at_least; ///< all that was tried fitted
    std::optional<int> prompts_kept; ///< the server keeps this many prompts, however long they are
    bool stores_late = false; ///< a prompt is found only a second or two after its answer
    QList<KeepsStep> steps;
    qint64 tokens_sent = 0;
    bool stopped = false;
    QString message; ///< why it ended early: what, why, what to do; else empty
    QString details;
};

/// In the calling thread, which must be able to run event loops. `goOn` is asked about 20 times a second with the
/// number of requests done; false ends the run at once. `onStep` is given each request soon after it is done.
KeepsResult studyKeeps(const ServerTarget &target, const KeepsPlan &plan,
    const std::function<bool(qsizetype done)> &goOn, const std::function<void(const KeepsStep &step)> &onStep = {});

/// The findings as translated sentences, one each.
QStringList keepsReport(const KeepsResult &result);

} // namespace kvlab::experiment
