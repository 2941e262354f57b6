// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/explanation.h"

#include "probe/taint.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace kvlab::experiment {

namespace {

QString contradicted(const QString &reason, const ServerFacts &facts)
{
    if (reason == QLatin1String("cold_already_cached"))
        return QCoreApplication::translate("experiment",
            "Contradicted: the server had NO CACHE prompts in its cache already, so they were not cold. Measure again; "
            "if "
            "this comes back, choose another cold method or restart the server.");
    if (reason == QLatin1String("different_prefix_as_fast_as_warm"))
        return QCoreApplication::translate("experiment",
            "Contradicted: DIFFERENT PREFIX is as fast as CACHED although its beginning was never sent before, so the "
            "speed-up is not prefix caching. Look for a server that was still warming up, or one that caches by "
            "content, "
            "and measure again.");
    if (facts.prefix_caching_off)
        return QCoreApplication::translate("experiment",
            "Contradicted: CACHED prompts were not cached, because prefix caching is switched off on this server. "
            "Start it "
            "with prefix caching on (vLLM: --enable-prefix-caching) and measure again.");
    return QCoreApplication::translate("experiment",
        "Contradicted: CACHED prompts were not cached; the server did not reuse the prefix although the same document "
        "was "
        "sent just before. Check that prefix caching is on (vLLM: --enable-prefix-caching), that the shared text is "
        "longer "
        "than a cache block, and that the cache is large enough to keep it.");
}

bool anyArmMissing(const Summary &summary)
{
    return summary.arms.value(Arm::cold).kept == 0 || summary.arms.value(Arm::warm).kept == 0;
}

bool anyHitReported(const QList<MeasuredSample> &samples)
{
    return std::any_of(samples.begin(), samples.end(),
        [](const MeasuredSample &sample) { return sample.probe.evidence.cached_tokens.has_value(); });
}

bool anyHitCounted(const QList<MeasuredSample> &samples)
{
    return std::any_of(samples.begin(), samples.end(),
        [](const MeasuredSample &sample) { return sample.counters && sample.counters->idle; });
}

QString unconfirmed(const Summary &summary, const QList<MeasuredSample> &samples)
{
    if (anyArmMissing(summary))
        return QCoreApplication::translate("experiment",
            "Unconfirmed: a verdict needs usable samples of both NO CACHE and CACHED, and one of them has none yet.");
    if (!anyHitReported(samples) && !anyHitCounted(samples))
        return QCoreApplication::translate("experiment",
            "Unconfirmed: the server does not say how many prompt tokens came from its cache, so the times alone must "
            "speak. Start vLLM with --enable-prompt-tokens-details (SGLang: --enable-cache-report) and measure again.");
    return QCoreApplication::translate("experiment",
        "Unconfirmed: some CACHED samples reused only a part of the shared prefix. A longer shared text or a larger "
        "cache "
        "on the server makes the hit clear; the samples list shows the cached tokens of each.");
}

QString verdictSentence(const Summary &summary, const QList<MeasuredSample> &samples, const ServerFacts &facts)
{
    switch (*summary.verdict) {
    case Verdict::confirmed:
        if (summary.arms.value(Arm::different).kept > 0)
            return QCoreApplication::translate("experiment",
                "Confirmed by the server: CACHED prompts found their prefix in the cache, NO CACHE and DIFFERENT "
                "PREFIX "
                "prompts did not.");
        return QCoreApplication::translate("experiment",
            "Confirmed by the server: CACHED prompts found their prefix in the cache, NO CACHE prompts did not.");
    case Verdict::likely:
        if (!anyHitReported(samples))
            return QCoreApplication::translate("experiment",
                "Likely: the server's counters moved as they should, but its answers do not report cached tokens. "
                "Start "
                "vLLM with --enable-prompt-tokens-details to have each sample confirmed.");
        return QCoreApplication::translate("experiment",
            "Likely: CACHED prompts found their prefix in the cache, but not every prompt that should be cold was "
            "proven "
            "to be. The samples list shows the cached tokens of each.");
    case Verdict::unconfirmed:
        return unconfirmed(summary, samples);
    case Verdict::contradicted:
        return contradicted(summary.reason, facts);
    }
    return {};
}

/// Prompts of different length are different work: their times must not be compared without saying so.
QString lengthWarning(const QList<MeasuredSample> &samples)
{
    constexpr qint64 tolerated = 2;
    std::optional<qint64> shortest;
    std::optional<qint64> longest;
    for (const MeasuredSample &sample : samples) {
        const auto tokens = sample.probe.evidence.prompt_tokens;
        if (!sample.kept || !tokens)
            continue;
        shortest = std::min(shortest.value_or(*tokens), *tokens);
        longest = std::max(longest.value_or(*tokens), *tokens);
    }
    if (!shortest || *longest - *shortest <= tolerated)
        return {};
    const QLocale locale;
    return QCoreApplication::translate("experiment",
        "The prompts are not equally long (%1 to %2 tokens), so a part of the difference in time comes from their "
        "length.")
        .arg(locale.toString(*shortest), locale.toString(*longest));
}

QString failureCount(const QList<MeasuredSample> &samples)
{
    const auto failed = static_cast<int>(
        std::count_if(samples.begin(), samples.end(), [](const auto &sample) { return !sample.verdict; }));
    if (failed == 0)
        return {};
    return QCoreApplication::translate("experiment", "%n sample(s) failed and are not counted.", nullptr, failed);
}

QString taintedCount(const QList<MeasuredSample> &samples)
{
    const auto tainted = static_cast<int>(std::count_if(samples.begin(), samples.end(),
        [](const auto &sample) { return sample.verdict && !sample.probe.tainted.isEmpty(); }));
    if (tainted == 0)
        return {};
    QStringList sentences{QCoreApplication::translate("experiment",
        "%n sample(s) are shown but not counted, because their times cannot be trusted.", nullptr, tainted)};
    QStringList words;
    for (const MeasuredSample &sample : samples) {
        for (const QString &word : sample.probe.tainted) {
            if (sample.verdict && !words.contains(word))
                words << word;
        }
    }
    for (const QString &word : std::as_const(words))
        sentences << probe::taint::reason(word);
    sentences.removeAll(QString());
    return sentences.join(QCoreApplication::translate("experiment", " ", "between sentences"));
}

} // namespace

QString explain(const Summary &summary, const QList<MeasuredSample> &samples, const ServerFacts &facts)
{
    QStringList sentences;
    if (summary.verdict)
        sentences << verdictSentence(summary, samples, facts);
    sentences << lengthWarning(samples) << failureCount(samples) << taintedCount(samples);
    sentences.removeAll(QString());
    //: between two sentences; nothing in Chinese
    return sentences.join(QCoreApplication::translate("experiment", " ", "between sentences"));
}

} // namespace kvlab::experiment
