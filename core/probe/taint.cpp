// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/taint.h"

#include <QCoreApplication>

#include <cmath>

namespace kvlab::probe::taint {

namespace {

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::probe::Taint)
};

} // namespace

bool isBufferedStream(const QList<EventStamp> &events, std::optional<qint64> end_ns)
{
    constexpr qsizetype fewestTokens = 8;
    constexpr qint64 shortGap = 1'000'000;
    constexpr qint64 longAnswer = 200'000'000;
    qsizetype tokens = 0;
    qsizetype shortGaps = 0;
    qint64 last = 0;
    for (const EventStamp &event : events) {
        if (!event.token) {
            continue;
        }
        if (tokens > 0 && event.at_ns - last < shortGap) {
            ++shortGaps;
        }
        last = event.at_ns;
        ++tokens;
    }
    return tokens >= fewestTokens && 10 * shortGaps >= 8 * (tokens - 1) && end_ns.value_or(0) > longAnswer;
}

bool isClockGap(double wall_ms, double monotonic_ms)
{
    return std::abs(wall_ms - monotonic_ms) > 1000;
}

QStringList ofSample(const ProbeSample &sample)
{
    QStringList words;
    if (isBufferedStream(sample.events, sample.stamps.end_ns)) {
        words.append(buffered_stream);
    }
    if (sample.wall_ms && sample.totalMs() && isClockGap(*sample.wall_ms, *sample.totalMs())) {
        words.append(clock_gap);
    }
    return words;
}

QString reason(const QString &word)
{
    if (word == busy_thread) {
        return Texts::tr("This computer was too busy to time the sample; close what keeps it busy and measure again.");
    }
    if (word == buffered_stream) {
        return Texts::tr(
            "All tokens came in one burst, so something on the way holds the stream back and the first token "
            "is late; switch buffering off in the proxy before the server (nginx: proxy_buffering off).");
    }
    if (word == clock_gap) {
        return Texts::tr("This computer slept or its clock was set while the sample was taken; measure again.");
    }
    if (word == drift) {
        return Texts::tr("The times of NO CACHE drifted apart during the run, so the last third of its rounds is not "
                         "comparable with the first; let the computer cool down, end what else runs on it, and measure "
                         "again.");
    }
    return {};
}

} // namespace kvlab::probe::taint
