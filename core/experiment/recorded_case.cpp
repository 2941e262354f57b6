// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/recorded_case.h"

#include "experiment/statistics.h"
#include "experiment/summary.h"

#include <QCoreApplication>
#include <QJsonArray>

#include <cmath>

namespace kvlab::experiment {

namespace {

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::experiment::RecordedCase)
};

/// Reads a case; the first field that is not what it should be is remembered.
class CaseReader
{
public:
    QList<MeasuredSample> read(const QJsonObject &one);

    VerdictRules rules;
    QString problem; ///< name of the field; empty = none

private:
    MeasuredSample sampleFrom(const QJsonObject &object);
    std::optional<qint64> integer(const QJsonObject &object, QLatin1String name);
    void readCounters(const QJsonObject &object, MeasuredSample &sample);
    void complain(const QString &field)
    {
        if (problem.isEmpty())
            problem = field;
    }
};

std::optional<qint64> CaseReader::integer(const QJsonObject &object, QLatin1String name)
{
    const QJsonValue value = object.value(name);
    if (value.isUndefined() || value.isNull())
        return std::nullopt;
    const double number = value.toDouble(-1);
    if (number < 0 || number != std::floor(number) || number > 9e15)
        complain(name);
    return value.toInteger();
}

void CaseReader::readCounters(const QJsonObject &object, MeasuredSample &sample)
{
    const QJsonValue value = object.value(QLatin1String("counters"));
    if (value.isUndefined() || value.isNull())
        return;
    const QJsonObject counters = value.toObject();
    const auto hits = integer(counters, QLatin1String("hits"));
    if (!hits)
        complain(QStringLiteral("counters.hits"));
    sample.counters = CounterDelta{hits.value_or(0), counters.value(QLatin1String("idle")).toBool()};
}

MeasuredSample CaseReader::sampleFrom(const QJsonObject &object)
{
    MeasuredSample sample;
    const auto arm = armFromName(object.value(QLatin1String("arm")).toString());
    if (!arm)
        complain(QStringLiteral("arm"));
    sample.arm = arm.value_or(Arm::cold);
    sample.round = static_cast<int>(integer(object, QLatin1String("round")).value_or(0)) + 1;
    const QString outcome = object.value(QLatin1String("outcome")).toString(QStringLiteral("completed"));
    // Which way a request failed makes no difference to the statistics.
    sample.probe.outcome = outcome == QLatin1String("completed") ? probe::Outcome::completed
        : outcome == QLatin1String("no_token")                   ? probe::Outcome::no_token
                                                                 : probe::Outcome::server_error;
    const QJsonValue ttft = object.value(QLatin1String("ttft_ms"));
    if (ttft.isDouble() && ttft.toDouble() >= 0)
        sample.probe.stamps.first_content_ns = std::llround(ttft.toDouble() * 1e6);
    else if (!ttft.isNull() && !ttft.isUndefined())
        complain(QStringLiteral("ttft_ms"));
    sample.probe.evidence.prompt_tokens = integer(object, QLatin1String("prompt_tokens"));
    sample.probe.evidence.cached_tokens = integer(object, QLatin1String("cached_tokens"));
    readCounters(object, sample);
    if (const auto shared = integer(object, QLatin1String("shared_prefix"))) {
        const qint64 block = std::max<qint64>(1, rules.block_size.value_or(1));
        sample.wanted_hit = *shared / block * block;
    }
    return sample;
}

QList<MeasuredSample> CaseReader::read(const QJsonObject &one)
{
    const QJsonObject params = one.value(QLatin1String("params")).toObject();
    rules.block_size = integer(params, QLatin1String("block_size"));
    rules.template_floor = integer(params, QLatin1String("template_floor"));
    rules.server_known_to_report = params.value(QLatin1String("server_known_to_report")).toBool();
    const QJsonValue list = one.value(QLatin1String("samples"));
    if (!list.isArray())
        complain(QStringLiteral("samples"));
    QList<MeasuredSample> samples;
    const QJsonArray array = list.toArray();
    for (qsizetype i = 0; i < array.size(); ++i) {
        const bool fine = problem.isEmpty();
        samples.append(sampleFrom(array.at(i).toObject()));
        if (fine && !problem.isEmpty())
            problem = QStringLiteral("samples[%1].%2").arg(QString::number(i), problem);
    }
    return samples;
}

/// `digits` behind the dot: figures read from decimals come out as decimals again.
QJsonValue rounded(std::optional<double> value, int digits = 6)
{
    if (!value)
        return QJsonValue::Null;
    return QString::number(*value, 'f', digits).toDouble();
}

QJsonValue rounded(const std::optional<Interval> &interval)
{
    if (!interval)
        return QJsonValue::Null;
    return QJsonObject{
        {QStringLiteral("low"), rounded(interval->low)}, {QStringLiteral("high"), rounded(interval->high)}};
}

QJsonObject armJson(const ArmSummary &arm)
{
    return {{QStringLiteral("sent"), arm.samples}, {QStringLiteral("n"), arm.kept},
        {QStringLiteral("excluded"), arm.excluded}, {QStringLiteral("failed"), arm.failed},
        {QStringLiteral("median"), rounded(arm.median_ms)}, {QStringLiteral("min"), rounded(arm.min_ms)},
        {QStringLiteral("max"), rounded(arm.max_ms)}, {QStringLiteral("mad"), rounded(arm.mad_ms)},
        {QStringLiteral("ci95_median"), rounded(arm.median_interval_ms)},
        {QStringLiteral("show_p90"), arm.p90_ms.has_value()}, {QStringLiteral("show_p99"), arm.p99_ms.has_value()}};
}

QJsonArray verdictsJson(const QList<MeasuredSample> &samples)
{
    QJsonArray verdicts;
    for (const MeasuredSample &sample : samples)
        verdicts.append(sample.verdict ? QJsonValue(verdictName(*sample.verdict)) : QJsonValue(QJsonValue::Null));
    return verdicts;
}

} // namespace

std::variant<QJsonObject, QString> summarizeCase(const QJsonObject &one)
{
    CaseReader reader;
    QList<MeasuredSample> samples = reader.read(one);
    const QString id = one.value(QLatin1String("id")).toString();
    if (!reader.problem.isEmpty())
        return Texts::tr(
            "The case “%1” cannot be summed up, because its field %2 is missing or is not what it should be; "
            "correct the file.")
            .arg(id, reader.problem);
    judge(samples, reader.rules);
    const Summary summary = summarize(samples);
    QJsonObject arms;
    for (auto it = summary.arms.cbegin(); it != summary.arms.cend(); ++it)
        arms.insert(armName(it.key()), armJson(it.value()));
    const QList<double> ratios = pairedRatios(samples);
    const QJsonValue ratio = ratios.isEmpty() ? QJsonValue(QJsonValue::Null) : rounded(median(ratios));
    return QJsonObject{{QStringLiteral("id"), id}, {QStringLiteral("sample_verdicts"), verdictsJson(samples)},
        {QStringLiteral("arms"), arms}, {QStringLiteral("pairs"), summary.pairs},
        {QStringLiteral("ratio_median"), ratio}, {QStringLiteral("show_ratio"), summary.ratio_median.has_value()},
        {QStringLiteral("show_interval"), summary.ratio_interval.has_value()},
        {QStringLiteral("ratio_ci95"), rounded(summary.ratio_interval)},
        {QStringLiteral("sign_flip_p"), rounded(summary.sign_flip_p, 12)},
        {QStringLiteral("saved_ms_per_cached_token"), rounded(summary.saved_ms_per_cached_token, 9)},
        {QStringLiteral("run_verdict"),
            summary.verdict ? QJsonValue(verdictName(*summary.verdict)) : QJsonValue(QJsonValue::Null)},
        {QStringLiteral("reason"),
            summary.reason.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(summary.reason)}};
}

} // namespace kvlab::experiment
