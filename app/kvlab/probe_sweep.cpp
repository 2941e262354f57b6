// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe_sweep.h"

#include "listing.h"

#include "session/samples_export.h"

#include <QCoreApplication>
#include <QJsonArray>

namespace kvlab::cli {

namespace {

using namespace experiment;

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::cli::ProbeSweep)
};

QString fixed(std::optional<double> value, int decimals)
{
    return value ? QString::number(*value, 'f', decimals) : QString();
}

QStringList row(const SweepPoint &point)
{
    const QString interval = point.ratio_interval
        ? QStringLiteral("%1 - %2").arg(fixed(point.ratio_interval->low, 2), fixed(point.ratio_interval->high, 2))
        : QString();
    return {QString::number(point.shared_tokens), fixed(point.prompt_tokens, 0), fixed(point.cold_ms, 1),
        fixed(point.warm_ms, 1), fixed(point.ratio, 2), interval, fixed(point.cached_tokens, 0),
        point.verdict ? verdictTitle(*point.verdict) : QString()};
}

QString lineText(Arm arm, const std::optional<SweepLine> &line)
{
    if (!line)
        return {};
    //: %1 an arm such as NO CACHE
    return Texts::tr("%1: %2 ms per 1,000 tokens, %3 ms at length 0 (least squares on the medians)")
               .arg(armTitle(arm), fixed(line->ms_per_1000_tokens, 2), fixed(line->at_zero_ms, 2))
        + QLatin1Char('\n');
}

QJsonValue json(std::optional<double> value)
{
    return value ? QJsonValue(*value) : QJsonValue(QJsonValue::Null);
}

QJsonValue json(const std::optional<SweepLine> &line)
{
    if (!line)
        return QJsonValue::Null;
    return QJsonObject{{QStringLiteral("ms_per_1000_tokens"), line->ms_per_1000_tokens},
        {QStringLiteral("at_zero_ms"), line->at_zero_ms}};
}

QJsonObject json(const SweepPoint &point)
{
    const auto &interval = point.ratio_interval;
    return {{QStringLiteral("shared_tokens"), point.shared_tokens},
        {QStringLiteral("prompt_tokens"), json(point.prompt_tokens)}, {QStringLiteral("cold_ms"), json(point.cold_ms)},
        {QStringLiteral("warm_ms"), json(point.warm_ms)}, {QStringLiteral("cached_tokens"), json(point.cached_tokens)},
        {QStringLiteral("ratio_median"), json(point.ratio)},
        {QStringLiteral("ratio_low"), interval ? QJsonValue(interval->low) : QJsonValue(QJsonValue::Null)},
        {QStringLiteral("ratio_high"), interval ? QJsonValue(interval->high) : QJsonValue(QJsonValue::Null)},
        {QStringLiteral("verdict"),
            point.verdict ? QJsonValue(verdictName(*point.verdict)) : QJsonValue(QJsonValue::Null)},
        {QStringLiteral("pays"), point.pays}};
}

} // namespace

QString sweepAsTable(const SweepSummary &sweep)
{
    Listing listing;
    listing.names
        = {Texts::tr("shared prefix"), Texts::tr("prompt tokens"), Texts::tr("cold, ms"), Texts::tr("warm, ms"),
            Texts::tr("cold / warm"), QStringLiteral("95 %"), Texts::tr("cached tokens"), Texts::tr("verdict")};
    listing.is_text = QList<bool>(listing.names.size(), false);
    for (const SweepPoint &point : sweep.points)
        listing.rows << row(point);
    QString text = listing.table() + lineText(Arm::cold, sweep.cold) + lineText(Arm::warm, sweep.warm);
    text += sweep.pays_from_tokens
        ? Texts::tr("Caching pays from a shared prefix of %1 tokens on, the shortest of this sweep at which it does.")
              .arg(QString::number(*sweep.pays_from_tokens))
        : Texts::tr("At the longest length of this sweep caching does not pay; try longer ones.");
    return text + QLatin1Char('\n');
}

QJsonObject sweepToJson(const SweepSummary &sweep, const QList<RunResult> &runs)
{
    QJsonArray points;
    for (const SweepPoint &point : sweep.points)
        points.append(json(point));
    QJsonArray all;
    for (const RunResult &run : runs)
        all.append(session::runToJson(run));
    return {{QStringLiteral("sweep"),
                QJsonObject{{QStringLiteral("points"), points}, {QStringLiteral("cold"), json(sweep.cold)},
                    {QStringLiteral("warm"), json(sweep.warm)},
                    {QStringLiteral("pays_from_tokens"),
                        sweep.pays_from_tokens ? QJsonValue(*sweep.pays_from_tokens) : QJsonValue(QJsonValue::Null)}}},
        {QStringLiteral("runs"), all}};
}

RunResult mergedSamples(const QList<RunResult> &runs)
{
    RunResult merged = runs.value(0);
    for (qsizetype i = 1; i < runs.size(); ++i) {
        for (MeasuredSample sample : runs.at(i).samples) {
            sample.number = static_cast<int>(merged.samples.size()) + 1;
            merged.samples.append(sample);
        }
    }
    return merged;
}

} // namespace kvlab::cli
