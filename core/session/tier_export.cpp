// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/tier_export.h"

#include "session/csv.h"

#include <QJsonArray>

namespace kvlab::session {

namespace {

using servers::TierHit;
using servers::TierResult;
using servers::TierSample;
using servers::TierSummary;

template <typename Value> QJsonValue json(const std::optional<Value> &value)
{
    return value ? QJsonValue(*value) : QJsonValue(QJsonValue::Null);
}

QString cell(std::optional<double> value)
{
    return csvNumberCell(value ? std::optional(csvNumber(*value)) : std::nullopt);
}

QString cell(std::optional<qint64> value)
{
    return csvNumberCell(value ? std::optional(QString::number(*value)) : std::nullopt);
}

QString number(qint64 value)
{
    return csvNumberCell(QString::number(value));
}

QString cell(std::optional<bool> value)
{
    return value ? (*value ? QStringLiteral("yes") : QStringLiteral("no")) : QString();
}

QStringList csvRow(const TierSample &sample)
{
    // What the engine counted over a request that failed proves nothing.
    const bool answered = sample.asPredicted().has_value();
    const auto counted = [answered](qint64 value) { return cell(answered ? std::optional(value) : std::nullopt); };
    return {number(sample.number), number(sample.round), csvTextCell(servers::tierArmName(sample.arm)),
        number(sample.shared_tokens), csvTextCell(probe::outcomeName(sample.probe.outcome)),
        cell(sample.probe.ttftMs()), cell(sample.probe.totalMs()), cell(sample.probe.evidence.prompt_tokens),
        cell(sample.probe.evidence.cached_tokens), number(sample.expected.tokens()), counted(sample.reported.pool),
        counted(sample.reported.ram), counted(sample.reported.disk), number(sample.expected.bytes),
        counted(sample.reported.bytes), cell(answered ? std::optional(sample.load_ms) : std::nullopt),
        cell(sample.storage_bytes), cell(sample.read_bytes), cell(sample.asPredicted()),
        csvTextCell(sample.probe.tainted.join(QLatin1Char(' '))), cell(std::optional(sample.kept())),
        csvTextCell(sample.probe.message)};
}

QJsonObject hitToJson(const TierHit &hit)
{
    return {{QStringLiteral("pool_tokens"), hit.pool}, {QStringLiteral("ram_tokens"), hit.ram},
        {QStringLiteral("disk_tokens"), hit.disk}, {QStringLiteral("loaded_bytes"), hit.bytes}};
}

QJsonObject sampleToJson(const TierSample &sample)
{
    const bool answered = sample.asPredicted().has_value();
    return {{QStringLiteral("number"), sample.number}, {QStringLiteral("round"), sample.round},
        {QStringLiteral("arm"), servers::tierArmName(sample.arm)},
        {QStringLiteral("shared_tokens"), sample.shared_tokens},
        {QStringLiteral("outcome"), probe::outcomeName(sample.probe.outcome)},
        {QStringLiteral("message"), sample.probe.message}, {QStringLiteral("ttft_ms"), json(sample.probe.ttftMs())},
        {QStringLiteral("total_ms"), json(sample.probe.totalMs())},
        {QStringLiteral("prompt_tokens"), json(sample.probe.evidence.prompt_tokens)},
        {QStringLiteral("cached_tokens"), json(sample.probe.evidence.cached_tokens)},
        {QStringLiteral("expected"), hitToJson(sample.expected)},
        {QStringLiteral("reported"), answered ? QJsonValue(hitToJson(sample.reported)) : QJsonValue()},
        {QStringLiteral("load_ms"), answered ? QJsonValue(sample.load_ms) : QJsonValue()},
        {QStringLiteral("storage_bytes"), json(sample.storage_bytes)},
        {QStringLiteral("read_bytes"), json(sample.read_bytes)},
        {QStringLiteral("as_predicted"), json(sample.asPredicted())},
        {QStringLiteral("tainted"), QJsonArray::fromStringList(sample.probe.tainted)},
        {QStringLiteral("kept"), sample.kept()}};
}

QJsonObject summaryToJson(const TierSummary &summary)
{
    const auto interval = summary.median_interval_ms
        ? QJsonValue(QJsonObject{{QStringLiteral("low"), summary.median_interval_ms->low},
            {QStringLiteral("high"), summary.median_interval_ms->high}})
        : QJsonValue();
    return {{QStringLiteral("arm"), servers::tierArmName(summary.arm)},
        {QStringLiteral("shared_tokens"), summary.shared_tokens}, {QStringLiteral("samples"), summary.samples},
        {QStringLiteral("kept"), summary.kept}, {QStringLiteral("as_predicted"), summary.as_predicted},
        {QStringLiteral("expected_tokens"), summary.expected_tokens},
        {QStringLiteral("expected_bytes"), summary.expected_bytes},
        {QStringLiteral("median_ms"), json(summary.median_ms)}, {QStringLiteral("min_ms"), json(summary.min_ms)},
        {QStringLiteral("max_ms"), json(summary.max_ms)}, {QStringLiteral("median_interval_ms"), interval},
        {QStringLiteral("load_ms"), json(summary.load_ms)},
        {QStringLiteral("reported_tokens"), json(summary.reported_tokens)},
        {QStringLiteral("loaded_bytes"), json(summary.loaded_bytes)},
        {QStringLiteral("storage_bytes"), json(summary.storage_bytes)}};
}

QJsonObject planToJson(const servers::TierPlan &plan)
{
    QJsonArray arms;
    for (const servers::TierArm arm : plan.arms)
        arms.append(servers::tierArmName(arm));
    QJsonArray lengths;
    for (const int length : plan.lengths)
        lengths.append(length);
    return {{QStringLiteral("arms"), arms}, {QStringLiteral("rounds"), plan.rounds},
        {QStringLiteral("shared_tokens"), lengths}, {QStringLiteral("size"), plan.engine_size},
        {QStringLiteral("seed"), qint64(plan.seed)}};
}

QString endName(experiment::RunEnd end)
{
    switch (end) {
    case experiment::RunEnd::finished:
        return QStringLiteral("finished");
    case experiment::RunEnd::stopped:
        return QStringLiteral("stopped");
    case experiment::RunEnd::failed:
        return QStringLiteral("failed");
    }
    return {};
}

QJsonObject definitions()
{
    return {{QStringLiteral("ttft_ms"),
                QStringLiteral("from the first request byte to the event with the first content, measured by the "
                               "client")},
        {QStringLiteral("loaded_bytes"), QStringLiteral("K and V loaded from a tier, as the engine counts them")},
        {QStringLiteral("storage_bytes"),
            QStringLiteral("fetched from the storage for the engine's process, as the operating system counts them; "
                           "whole pages, so somewhat more than the chunks")},
        {QStringLiteral("read_bytes"), QStringLiteral("handed to the engine's process by read calls")},
        {QStringLiteral("load_ms"), QStringLiteral("reading and checking chunks, by the engine; part of ttft_ms")},
        {QStringLiteral("median_interval_ms"),
            QStringLiteral("percentile bootstrap of the median, 95 %, 10,000 resamples, fixed seed")}};
}

} // namespace

QByteArray tiersToCsv(const TierResult &result)
{
    CsvWriter writer;
    writer.addRow({QStringLiteral("number"), QStringLiteral("round"), QStringLiteral("arm"),
        QStringLiteral("shared_tokens"), QStringLiteral("outcome"), QStringLiteral("ttft_ms"),
        QStringLiteral("total_ms"), QStringLiteral("prompt_tokens"), QStringLiteral("cached_tokens"),
        QStringLiteral("expected_hit"), QStringLiteral("pool_tokens"), QStringLiteral("ram_tokens"),
        QStringLiteral("disk_tokens"), QStringLiteral("expected_bytes"), QStringLiteral("loaded_bytes"),
        QStringLiteral("load_ms"), QStringLiteral("storage_bytes"), QStringLiteral("read_bytes"),
        QStringLiteral("as_predicted"), QStringLiteral("tainted"), QStringLiteral("kept"), QStringLiteral("message")});
    for (const TierSample &sample : result.samples)
        writer.addRow(csvRow(sample));
    return writer.toUtf8();
}

QJsonObject tiersToJson(const TierResult &result)
{
    QJsonArray samples;
    for (const TierSample &sample : result.samples)
        samples.append(sampleToJson(sample));
    QJsonArray summaries;
    for (const TierSummary &summary : servers::summarizeTiers(result.samples))
        summaries.append(summaryToJson(summary));
    const QJsonObject rules{{QStringLiteral("block_size"), result.rules.block_size},
        {QStringLiteral("chunk_size"), result.rules.chunk_size},
        {QStringLiteral("kv_bytes_per_token"), result.rules.kv_bytes_per_token}};
    return {{QStringLiteral("app"),
                QJsonObject{{QStringLiteral("name"), QStringLiteral("KV Cache Lab")},
                    {QStringLiteral("version"), QStringLiteral(KVLAB_VERSION)}}},
        {QStringLiteral("definitions"), definitions()},
        {QStringLiteral("started_at"), result.started_at.toUTC().toString(Qt::ISODateWithMs)},
        {QStringLiteral("end"), endName(result.end)}, {QStringLiteral("message"), result.message},
        {QStringLiteral("server"), QStringLiteral("practice engine, untrained: its text is gibberish")},
        {QStringLiteral("plan"), planToJson(result.plan)}, {QStringLiteral("rules"), rules},
        {QStringLiteral("evidence_equals_prediction"), result.evidenceEqualsPrediction()},
        {QStringLiteral("samples"), samples}, {QStringLiteral("summary"), summaries}};
}

} // namespace kvlab::session
