// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/samples_export.h"

#include "session/verify.h"

#include <QJsonArray>

namespace kvlab::session {

namespace {

using experiment::Arm;
using experiment::ArmSummary;
using experiment::MeasuredSample;
using experiment::RunResult;
using experiment::Summary;

QJsonValue json(std::optional<qint64> value)
{
    return value ? QJsonValue(*value) : QJsonValue(QJsonValue::Null);
}

QJsonValue json(std::optional<double> value)
{
    return value ? QJsonValue(*value) : QJsonValue(QJsonValue::Null);
}

QJsonValue json(const QDateTime &time)
{
    return time.isValid() ? QJsonValue(time.toUTC().toString(Qt::ISODateWithMs)) : QJsonValue(QJsonValue::Null);
}

QJsonValue json(const std::optional<experiment::Interval> &interval)
{
    if (!interval)
        return QJsonValue::Null;
    return QJsonObject{{QStringLiteral("low"), interval->low}, {QStringLiteral("high"), interval->high}};
}

QJsonValue json(const std::optional<experiment::CounterDelta> &counters)
{
    if (!counters)
        return QJsonValue::Null;
    return QJsonObject{{QStringLiteral("hits"), counters->hits}, {QStringLiteral("idle"), counters->idle}};
}

QJsonValue json(const std::optional<experiment::Verdict> &verdict)
{
    return verdict ? QJsonValue(experiment::verdictName(*verdict)) : QJsonValue(QJsonValue::Null);
}

QJsonArray json(const QList<Arm> &arms)
{
    QJsonArray names;
    for (const Arm arm : arms)
        names.append(experiment::armName(arm));
    return names;
}

QJsonObject planToJson(const experiment::ExperimentPlan &plan)
{
    const QJsonObject limits{{QStringLiteral("connect_ms"), plan.limits.connect_ms},
        {QStringLiteral("first_token_ms"), plan.limits.first_token_ms}, {QStringLiteral("gap_ms"), plan.limits.gap_ms},
        {QStringLiteral("total_ms"), plan.limits.total_ms}};
    return {{QStringLiteral("rounds"), plan.rounds}, {QStringLiteral("arms"), json(plan.arms)},
        {QStringLiteral("shared_tokens"), plan.shared_tokens}, {QStringLiteral("max_tokens"), plan.max_tokens},
        {QStringLiteral("seed"), static_cast<qint64>(plan.seed)},
        {QStringLiteral("endpoint"), experiment::endpointName(plan.endpoint)},
        {QStringLiteral("extra_body"), plan.extra_body},
        {QStringLiteral("transport"), experiment::transportName(plan.transport)},
        {QStringLiteral("cold"), experiment::coldMethodName(plan.cold)}, {QStringLiteral("document"), plan.document},
        {QStringLiteral("prime_question"), plan.prime_question}, {QStringLiteral("question"), plan.question},
        {QStringLiteral("limits"), limits}};
}

QJsonObject serverToJson(const experiment::ServerFacts &facts)
{
    return {{QStringLiteral("label"), facts.label}, {QStringLiteral("model"), facts.model},
        {QStringLiteral("url"), facts.base_url.toString(QUrl::RemoveUserInfo)},
        {QStringLiteral("practice_engine"), facts.practice_engine},
        {QStringLiteral("text"),
            facts.practice_engine ? QJsonValue(QStringLiteral("gibberish: untrained weights"))
                                  : QJsonValue(QJsonValue::Null)},
        {QStringLiteral("block_size"), json(facts.block_size)},
        {QStringLiteral("shared_prefix"), json(facts.shared_prefix)},
        {QStringLiteral("context_tokens"), json(facts.context_tokens)},
        {QStringLiteral("template_floor"), json(facts.template_floor)},
        {QStringLiteral("counts_tokens"), facts.counts_tokens},
        {QStringLiteral("reports_cached_tokens"), facts.reports_cached_tokens},
        {QStringLiteral("prefix_caching_off"), facts.prefix_caching_off},
        {QStringLiteral("cold"), experiment::coldMethodName(facts.cold)},
        {QStringLiteral("cold_note"), facts.cold_note},
        {QStringLiteral("notes"), QJsonArray::fromStringList(facts.notes)}};
}

QJsonObject stampsToJson(const probe::ProbeStamps &stamps)
{
    return {{QStringLiteral("connect_start"), json(stamps.connect_start_ns)},
        {QStringLiteral("connected"), json(stamps.connected_ns)},
        {QStringLiteral("encrypted"), json(stamps.encrypted_ns)}, {QStringLiteral("sent"), json(stamps.sent_ns)},
        {QStringLiteral("first_byte"), json(stamps.first_byte_ns)},
        {QStringLiteral("headers"), json(stamps.headers_ns)},
        {QStringLiteral("first_event"), json(stamps.first_event_ns)},
        {QStringLiteral("first_token"), json(stamps.first_token_ns)},
        {QStringLiteral("first_content"), json(stamps.first_content_ns)},
        {QStringLiteral("last_token"), json(stamps.last_token_ns)}, {QStringLiteral("end"), json(stamps.end_ns)}};
}

QJsonArray eventsToJson(const QList<probe::EventStamp> &events)
{
    QJsonArray array;
    for (const probe::EventStamp &event : events)
        array.append(QJsonObject{{QStringLiteral("at_ns"), event.at_ns}, {QStringLiteral("token"), event.token},
            {QStringLiteral("content"), event.content}, {QStringLiteral("bytes"), event.bytes}});
    return array;
}

void addEvidence(QJsonObject &object, const MeasuredSample &sample)
{
    const probe::Evidence &evidence = sample.probe.evidence;
    object.insert(QStringLiteral("prompt_tokens"), json(evidence.prompt_tokens));
    object.insert(QStringLiteral("completion_tokens"), json(evidence.completion_tokens));
    object.insert(QStringLiteral("cached_tokens"), json(evidence.cached_tokens));
    object.insert(QStringLiteral("cached_source"), evidence.cached_source);
    object.insert(QStringLiteral("server_ttft_ms"), json(evidence.server_ttft_ms));
    object.insert(QStringLiteral("counters"), json(sample.counters));
    object.insert(QStringLiteral("wanted_hit"), json(sample.wanted_hit));
    object.insert(QStringLiteral("expected_hit"), json(sample.expected_hit));
    object.insert(QStringLiteral("verdict"), json(sample.verdict));
    object.insert(QStringLiteral("kept"), sample.kept);
}

void addTimes(QJsonObject &object, const probe::ProbeSample &sample)
{
    object.insert(QStringLiteral("ttft_ms"), json(sample.ttftMs()));
    object.insert(QStringLiteral("ttft_any_ms"), json(sample.ttftAnyMs()));
    object.insert(QStringLiteral("connect_ms"), json(sample.connectMs()));
    object.insert(QStringLiteral("headers_ms"), json(sample.headersMs()));
    object.insert(QStringLiteral("total_ms"), json(sample.totalMs()));
    object.insert(QStringLiteral("wall_ms"), json(sample.wall_ms));
    object.insert(QStringLiteral("stamps_ns"), stampsToJson(sample.stamps));
    object.insert(QStringLiteral("events"), eventsToJson(sample.events));
}

QJsonObject sampleToJson(const MeasuredSample &sample)
{
    const probe::ProbeSample &probe = sample.probe;
    QJsonObject object{{QStringLiteral("number"), sample.number}, {QStringLiteral("round"), sample.round},
        {QStringLiteral("arm"), experiment::armName(sample.arm)},
        {QStringLiteral("outcome"), probe::outcomeName(probe.outcome)}, {QStringLiteral("cause"), probe.cause},
        {QStringLiteral("message"), probe.message}, {QStringLiteral("details"), probe.details},
        {QStringLiteral("http_status"),
            probe.http_status == 0 ? QJsonValue(QJsonValue::Null) : QJsonValue(probe.http_status)},
        {QStringLiteral("new_connection"), probe.new_connection},
        {QStringLiteral("started_at"), json(probe.started_at)}, {QStringLiteral("text"), probe.text},
        {QStringLiteral("reasoning"), probe.reasoning}, {QStringLiteral("finish_reason"), probe.finish_reason},
        {QStringLiteral("notes"), QJsonArray::fromStringList(probe.notes)},
        {QStringLiteral("tainted"), QJsonArray::fromStringList(probe.tainted)}};
    addEvidence(object, sample);
    addTimes(object, probe);
    return object;
}

QJsonObject armToJson(const ArmSummary &arm)
{
    return {{QStringLiteral("samples"), arm.samples}, {QStringLiteral("kept"), arm.kept},
        {QStringLiteral("failed"), arm.failed}, {QStringLiteral("excluded"), arm.excluded},
        {QStringLiteral("confirmed"), arm.confirmed}, {QStringLiteral("median_ms"), json(arm.median_ms)},
        {QStringLiteral("mad_ms"), json(arm.mad_ms)}, {QStringLiteral("min_ms"), json(arm.min_ms)},
        {QStringLiteral("max_ms"), json(arm.max_ms)}, {QStringLiteral("p90_ms"), json(arm.p90_ms)},
        {QStringLiteral("p99_ms"), json(arm.p99_ms)},
        {QStringLiteral("median_interval_ms"), json(arm.median_interval_ms)},
        {QStringLiteral("cached_tokens_median"), json(arm.cached_tokens_median)}};
}

QJsonObject summaryToJson(const Summary &summary)
{
    QJsonObject arms;
    for (auto it = summary.arms.cbegin(); it != summary.arms.cend(); ++it)
        arms.insert(experiment::armName(it.key()), armToJson(it.value()));
    const auto interval = summary.ratio_interval;
    return {{QStringLiteral("arms"), arms}, {QStringLiteral("pairs"), summary.pairs},
        {QStringLiteral("ratio_median"), json(summary.ratio_median)},
        {QStringLiteral("ratio_low"), json(interval ? std::optional(interval->low) : std::nullopt)},
        {QStringLiteral("ratio_high"), json(interval ? std::optional(interval->high) : std::nullopt)},
        {QStringLiteral("sign_flip_p"), json(summary.sign_flip_p)},
        {QStringLiteral("saved_ms_per_cached_token"), json(summary.saved_ms_per_cached_token)},
        {QStringLiteral("verdict"), json(summary.verdict)}, {QStringLiteral("reason"), summary.reason},
        {QStringLiteral("explanation"), summary.explanation}};
}

QJsonObject definitions(probe::Transport transport)
{
    return {{QStringLiteral("clock"),
                QStringLiteral("monotonic, nanoseconds; t0 is just before the first request byte is "
                               "written to an open connection")},
        {QStringLiteral("ttft_ms"),
            QStringLiteral("t0 to the arrival of the bytes that complete the first event with "
                           "non-empty content")},
        {QStringLiteral("ttft_any_ms"),
            QStringLiteral("the same for the first event with any generated text: content, "
                           "reasoning, tool call")},
        {QStringLiteral("intervals"),
            QStringLiteral("percentile bootstrap of the median, 95 %, 10,000 resamples, fixed seed")},
        {QStringLiteral("transport"),
            transport == probe::Transport::low_delay
                ? QStringLiteral("one socket, no delay, one write, never sent again")
                : QStringLiteral("stock QNetworkAccessManager: t0 is before the request is handed over, connecting "
                                 "counts, and larger prompts are held back on loopback")}};
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

} // namespace

QJsonObject runToJson(const RunResult &run)
{
    QJsonArray samples;
    for (const MeasuredSample &sample : run.samples)
        samples.append(sampleToJson(sample));
    QJsonObject object{{QStringLiteral("app"),
                           QJsonObject{{QStringLiteral("name"), QStringLiteral("KV Cache Lab")},
                               {QStringLiteral("version"), QStringLiteral(KVLAB_VERSION)}}},
        {QStringLiteral("definitions"), definitions(run.plan.transport)},
        {QStringLiteral("started_at"), json(run.started_at)}, {QStringLiteral("end"), endName(run.end)},
        {QStringLiteral("message"), run.message}, {QStringLiteral("details"), run.details},
        {QStringLiteral("server"), serverToJson(run.server)}, {QStringLiteral("plan"), planToJson(run.plan)},
        {QStringLiteral("samples"), samples}, {QStringLiteral("summary"), summaryToJson(run.summary)}};
    object.insert(QStringLiteral("checksums"), checksumsOf(object));
    return object;
}

} // namespace kvlab::session
