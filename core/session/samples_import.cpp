// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/samples_export.h"

#include <QCoreApplication>
#include <QJsonArray>

#include <array>
#include <cmath>

namespace kvlab::session {

namespace {

using experiment::Arm;
using experiment::ArmSummary;
using experiment::MeasuredSample;
using experiment::RunResult;
using experiment::Summary;

/// Reads the fields of one object. The first that has the wrong type, or a word nobody knows, is remembered with its
/// path; a missing field counts as null. All readers of a document share one `problem`.
class Reader
{
public:
    Reader(const QJsonObject &object, const QString &path, QString &problem)
        : m_object(object)
        , m_path(path)
        , m_problem(problem)
    {
    }

    Reader child(const char *name) const
    {
        return {value(name, QJsonValue::Object).toObject(), pathOf(name), m_problem};
    }

    QJsonObject object(const char *name) const { return value(name, QJsonValue::Object).toObject(); }
    QString text(const char *name) const { return value(name, QJsonValue::String).toString(); }
    bool truth(const char *name) const { return value(name, QJsonValue::Bool).toBool(); }
    QJsonArray array(const char *name) const { return value(name, QJsonValue::Array).toArray(); }

    std::optional<double> number(const char *name) const
    {
        const QJsonValue found = value(name, QJsonValue::Double);
        return found.isDouble() ? std::optional(found.toDouble()) : std::nullopt;
    }

    std::optional<qint64> integer(const char *name) const
    {
        const QJsonValue found = value(name, QJsonValue::Double);
        if (!found.isDouble())
            return std::nullopt;
        const double number = found.toDouble();
        if (number != std::floor(number) || std::abs(number) > 9.2e18)
            complain(pathOf(name));
        return found.toInteger();
    }

    int count(const char *name) const
    {
        const qint64 found = integer(name).value_or(0);
        if (found < 0 || found > std::numeric_limits<int>::max())
            complain(pathOf(name));
        return static_cast<int>(found);
    }

    QDateTime time(const char *name) const
    {
        const QString found = text(name);
        const QDateTime result = QDateTime::fromString(found, Qt::ISODateWithMs);
        if (!found.isEmpty() && !result.isValid())
            complain(pathOf(name));
        return result;
    }

    QStringList texts(const char *name) const
    {
        QStringList list;
        for (const QJsonValue &entry : array(name)) {
            if (!entry.isString())
                complain(pathOf(name));
            list << entry.toString();
        }
        return list;
    }

    /// A word that `fromName` turns into a value; null only where that is allowed.
    template <typename FromName> auto word(const char *name, FromName fromName) const
    {
        const QString found = text(name);
        auto result = fromName(found);
        if (!found.isEmpty() && !result)
            complain(pathOf(name));
        return result;
    }

    template <typename FromName> auto needed(const char *name, FromName fromName) const
    {
        const auto result = word(name, fromName);
        if (!result)
            complain(pathOf(name));
        return result.value_or(typename std::remove_cvref_t<decltype(result)>::value_type{});
    }

    /// Every object of an array, each with a reader of its own.
    template <typename Read> auto each(const char *name, Read read) const
    {
        QList<decltype(read(*this))> list;
        const QJsonArray entries = array(name);
        for (qsizetype i = 0; i < entries.size(); ++i) {
            const QString path = QStringLiteral("%1[%2]").arg(pathOf(name), QString::number(i));
            if (!entries.at(i).isObject())
                complain(path);
            list.append(read(Reader(entries.at(i).toObject(), path, m_problem)));
        }
        return list;
    }

    bool has(const char *name) const { return m_object.value(QLatin1String(name)).isObject(); }

private:
    QJsonValue value(const char *name, QJsonValue::Type type) const
    {
        const QJsonValue found = m_object.value(QLatin1String(name));
        if (!found.isUndefined() && !found.isNull() && found.type() != type)
            complain(pathOf(name));
        return found;
    }

    QString pathOf(const char *name) const
    {
        return m_path.isEmpty() ? QString::fromLatin1(name) : m_path + QLatin1Char('.') + QLatin1String(name);
    }

    void complain(const QString &path) const
    {
        if (m_problem.isEmpty())
            m_problem = path;
    }

    QJsonObject m_object;
    QString m_path;
    QString &m_problem;
};

std::optional<probe::Outcome> outcomeFromName(const QString &name)
{
    for (int i = 0; i <= static_cast<int>(probe::Outcome::truncated); ++i) {
        if (probe::outcomeName(static_cast<probe::Outcome>(i)) == name)
            return static_cast<probe::Outcome>(i);
    }
    return std::nullopt;
}

std::optional<experiment::RunEnd> endFromName(const QString &name)
{
    if (name == QLatin1String("finished"))
        return experiment::RunEnd::finished;
    if (name == QLatin1String("stopped"))
        return experiment::RunEnd::stopped;
    if (name == QLatin1String("failed"))
        return experiment::RunEnd::failed;
    return std::nullopt;
}

experiment::ExperimentPlan planFrom(const Reader &reader)
{
    experiment::ExperimentPlan plan;
    plan.rounds = reader.count("rounds");
    plan.arms.clear();
    for (const QString &name : reader.texts("arms")) {
        if (const auto arm = experiment::armFromName(name))
            plan.arms.append(*arm);
    }
    plan.shared_tokens = reader.count("shared_tokens");
    plan.max_tokens = reader.count("max_tokens");
    plan.seed = static_cast<quint32>(reader.integer("seed").value_or(0));
    plan.cold = reader.needed("cold", experiment::coldMethodFromName);
    plan.document = reader.text("document");
    plan.prime_question = reader.text("prime_question");
    plan.question = reader.text("question");
    plan.endpoint = reader.word("endpoint", experiment::endpointFromName).value_or(experiment::Endpoint::chat);
    plan.transport = reader.word("transport", experiment::transportFromName).value_or(probe::Transport::low_delay);
    plan.extra_body = reader.object("extra_body");
    const Reader limits = reader.child("limits");
    plan.limits = {
        limits.count("connect_ms"), limits.count("first_token_ms"), limits.count("gap_ms"), limits.count("total_ms")};
    return plan;
}

experiment::ServerFacts serverFrom(const Reader &reader)
{
    experiment::ServerFacts facts;
    facts.label = reader.text("label");
    facts.model = reader.text("model");
    facts.base_url = QUrl(reader.text("url"));
    facts.practice_engine = reader.truth("practice_engine");
    facts.block_size = reader.integer("block_size");
    facts.shared_prefix = reader.integer("shared_prefix");
    facts.context_tokens = reader.integer("context_tokens");
    facts.template_floor = reader.integer("template_floor");
    facts.counts_tokens = reader.truth("counts_tokens");
    facts.reports_cached_tokens = reader.truth("reports_cached_tokens");
    facts.prefix_caching_off = reader.truth("prefix_caching_off");
    facts.cold = reader.needed("cold", experiment::coldMethodFromName);
    facts.cold_note = reader.text("cold_note");
    facts.notes = reader.texts("notes");
    return facts;
}

probe::ProbeStamps stampsFrom(const Reader &reader)
{
    return {reader.integer("connect_start"), reader.integer("connected"), reader.integer("encrypted"),
        reader.integer("sent"), reader.integer("first_byte"), reader.integer("headers"), reader.integer("first_event"),
        reader.integer("first_token"), reader.integer("first_content"), reader.integer("last_token"),
        reader.integer("end")};
}

probe::ProbeSample probeFrom(const Reader &reader)
{
    probe::ProbeSample sample;
    sample.outcome = reader.needed("outcome", outcomeFromName);
    sample.cause = reader.text("cause");
    sample.message = reader.text("message");
    sample.details = reader.text("details");
    sample.http_status = reader.count("http_status");
    sample.new_connection = reader.truth("new_connection");
    sample.started_at = reader.time("started_at");
    sample.stamps = stampsFrom(reader.child("stamps_ns"));
    sample.evidence = {reader.integer("prompt_tokens"), reader.integer("completion_tokens"),
        reader.integer("cached_tokens"), reader.text("cached_source"), reader.number("server_ttft_ms")};
    sample.text = reader.text("text");
    sample.reasoning = reader.text("reasoning");
    sample.finish_reason = reader.text("finish_reason");
    sample.events = reader.each("events", [](const Reader &event) {
        return probe::EventStamp{event.integer("at_ns").value_or(0), event.truth("token"),
            event.integer("bytes").value_or(0), event.truth("content")};
    });
    sample.notes = reader.texts("notes");
    sample.tainted = reader.texts("tainted");
    sample.wall_ms = reader.number("wall_ms");
    return sample;
}

MeasuredSample sampleFrom(const Reader &reader)
{
    MeasuredSample sample;
    sample.number = reader.count("number");
    sample.round = reader.count("round");
    sample.arm = reader.needed("arm", experiment::armFromName);
    sample.probe = probeFrom(reader);
    if (reader.has("counters")) {
        const Reader counters = reader.child("counters");
        sample.counters = experiment::CounterDelta{counters.integer("hits").value_or(0), counters.truth("idle")};
    }
    sample.wanted_hit = reader.integer("wanted_hit");
    sample.expected_hit = reader.integer("expected_hit");
    sample.verdict = reader.word("verdict", experiment::verdictFromName);
    sample.kept = reader.truth("kept");
    return sample;
}

std::optional<experiment::Interval> intervalOf(std::optional<double> low, std::optional<double> high)
{
    return low && high ? std::optional(experiment::Interval{*low, *high}) : std::nullopt;
}

ArmSummary armFrom(const Reader &reader)
{
    ArmSummary arm;
    arm.samples = reader.count("samples");
    arm.kept = reader.count("kept");
    arm.failed = reader.count("failed");
    arm.excluded = reader.count("excluded");
    arm.confirmed = reader.count("confirmed");
    arm.median_ms = reader.number("median_ms");
    arm.mad_ms = reader.number("mad_ms");
    arm.min_ms = reader.number("min_ms");
    arm.max_ms = reader.number("max_ms");
    arm.p90_ms = reader.number("p90_ms");
    arm.p99_ms = reader.number("p99_ms");
    const Reader interval = reader.child("median_interval_ms");
    arm.median_interval_ms = intervalOf(interval.number("low"), interval.number("high"));
    arm.cached_tokens_median = reader.number("cached_tokens_median");
    return arm;
}

Summary summaryFrom(const Reader &reader)
{
    Summary summary;
    const Reader arms = reader.child("arms");
    for (const Arm arm : experiment::allArms()) {
        const QByteArray name = experiment::armName(arm).toLatin1();
        if (arms.has(name.constData()))
            summary.arms.insert(arm, armFrom(arms.child(name.constData())));
    }
    summary.pairs = reader.count("pairs");
    summary.ratio_median = reader.number("ratio_median");
    summary.ratio_interval = intervalOf(reader.number("ratio_low"), reader.number("ratio_high"));
    summary.sign_flip_p = reader.number("sign_flip_p");
    summary.saved_ms_per_cached_token = reader.number("saved_ms_per_cached_token");
    summary.verdict = reader.word("verdict", experiment::verdictFromName);
    summary.reason = reader.text("reason");
    summary.explanation = reader.text("explanation");
    return summary;
}

} // namespace

std::variant<RunResult, QString> runFromJson(const QJsonObject &object)
{
    QString problem;
    const Reader reader(object, {}, problem);
    RunResult run;
    run.started_at = reader.time("started_at");
    run.end = reader.needed("end", endFromName);
    run.message = reader.text("message");
    run.details = reader.text("details");
    run.server = serverFrom(reader.child("server"));
    run.plan = planFrom(reader.child("plan"));
    run.samples = reader.each("samples", sampleFrom);
    run.summary = summaryFrom(reader.child("summary"));
    if (problem.isEmpty())
        return run;
    return QCoreApplication::translate("session",
        "The measured run cannot be read, because its field “%1” is missing or is not what it should be. Correct it in "
        "the "
        "file, or measure again.")
        .arg(problem);
}

} // namespace kvlab::session
