// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/verify.h"

#include "experiment/summary.h"
#include "probe/taint.h"
#include "session/samples_export.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <cmath>

namespace kvlab::session {

namespace {

using experiment::MeasuredSample;
using experiment::RunResult;

constexpr qsizetype mostEvents = 4096; // a longer stream is cut in the file, so its last events are not known

QString checksum(const QJsonObject &object)
{
    const QByteArray text = QJsonDocument(object).toJson(QJsonDocument::Compact);
    return QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex());
}

/// What the events say about the stamps that were taken from them.
void restampFromEvents(probe::ProbeSample &sample)
{
    probe::ProbeStamps &stamps = sample.stamps;
    stamps.first_token_ns.reset();
    stamps.first_content_ns.reset();
    std::optional<qint64> last;
    std::optional<qint64> first;
    for (const probe::EventStamp &event : std::as_const(sample.events)) {
        if (event.bytes > 0 && !first)
            first = event.at_ns;
        if (event.token && !stamps.first_token_ns)
            stamps.first_token_ns = event.at_ns;
        if (event.content && !stamps.first_content_ns)
            stamps.first_content_ns = event.at_ns;
        if (event.token)
            last = event.at_ns;
    }
    if (stamps.first_event_ns) // else the only event was the end mark
        stamps.first_event_ns = first;
    if (sample.events.size() < mostEvents)
        stamps.last_token_ns = last;
}

bool isDefined(const QJsonObject &run, QLatin1String member)
{
    for (const QJsonValue &sample : run.value(QLatin1String("samples")).toArray()) {
        for (const QJsonValue &event : sample.toObject().value(QLatin1String("events")).toArray())
            return event.toObject().contains(member);
    }
    return true;
}

/// The first of a row of instants that lies before the one before it.
QString outOfOrder(const probe::ProbeSample &sample)
{
    const probe::ProbeStamps &s = sample.stamps;
    const std::pair<const char *, std::optional<qint64>> order[]
        = {{"connect_start", s.connect_start_ns}, {"connected", s.connected_ns}, {"encrypted", s.encrypted_ns},
            {"first_byte", s.first_byte_ns}, {"headers", s.headers_ns}, {"first_event", s.first_event_ns},
            {"first_token", s.first_token_ns}, {"first_content", s.first_content_ns}, {"end", s.end_ns}};
    std::optional<qint64> before;
    for (const auto &[name, at] : order) {
        if (at && before && *at < *before)
            return QStringLiteral("stamps_ns.") + QLatin1String(name);
        before = at ? at : before;
    }
    for (qsizetype i = 1; i < sample.events.size(); ++i) {
        if (sample.events.at(i).at_ns < sample.events.at(i - 1).at_ns)
            return QStringLiteral("events[%1].at_ns").arg(QString::number(i));
    }
    return {};
}

QString asText(const QJsonValue &value)
{
    if (value.isUndefined())
        return QStringLiteral("-");
    const QByteArray text = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
    return QString::fromUtf8(text.mid(1, text.size() - 2)).left(120);
}

/// Compares what the file holds with what a recomputed run would hold.
class Comparison
{
public:
    explicit Comparison(Verification &result)
        : m_result(result)
    {
    }

    void compare(const QString &path, const QJsonValue &stored, const QJsonValue &computed)
    {
        if (stored.isObject() && computed.isObject())
            compareObjects(path, stored.toObject(), computed.toObject());
        else if (stored.isArray() && computed.isArray())
            compareArrays(path, stored.toArray(), computed.toArray());
        else
            compareValues(path, stored, computed);
    }

private:
    void compareObjects(const QString &path, const QJsonObject &stored, const QJsonObject &computed)
    {
        for (auto it = computed.begin(); it != computed.end(); ++it) {
            const bool isProse = it.key() == QLatin1String("explanation"); // in the language of its time
            if (!isProse && stored.contains(it.key()))
                compare(path.isEmpty() ? it.key() : path + u'.' + it.key(), stored.value(it.key()), it.value());
        }
    }

    void compareArrays(const QString &path, const QJsonArray &stored, const QJsonArray &computed)
    {
        if (stored.size() != computed.size())
            add(path, stored, computed);
        for (qsizetype i = 0; i < std::min(stored.size(), computed.size()); ++i)
            compare(QStringLiteral("%1[%2]").arg(path, QString::number(i)), stored.at(i), computed.at(i));
    }

    void compareValues(const QString &path, const QJsonValue &stored, const QJsonValue &computed)
    {
        ++m_result.figures;
        if (stored.isDouble() && computed.isDouble()) {
            const double a = stored.toDouble();
            const double b = computed.toDouble();
            // Another compiler may round the last digit differently.
            if (std::abs(a - b) > 1e-12 * std::max(std::abs(a), std::abs(b)))
                add(path, stored, computed);
        } else if (stored != computed) {
            add(path, stored, computed);
        }
    }

    void add(const QString &path, const QJsonValue &stored, const QJsonValue &computed)
    {
        m_result.disagreements.append({path, asText(stored), asText(computed)});
    }

    Verification &m_result;
};

RunResult recomputed(RunResult run, bool hasContentMarks)
{
    for (MeasuredSample &sample : run.samples) {
        if (hasContentMarks && !sample.probe.events.isEmpty()) {
            restampFromEvents(sample.probe);
            for (const QString &word : {probe::taint::buffered_stream, probe::taint::clock_gap})
                sample.probe.tainted.removeAll(word);
            sample.probe.tainted.append(probe::taint::ofSample(sample.probe));
        }
        sample.verdict.reset();
        sample.kept = false;
    }
    experiment::VerdictRules rules;
    rules.block_size = run.server.block_size;
    rules.template_floor = run.server.template_floor;
    rules.server_known_to_report = run.server.reports_cached_tokens;
    if (run.server.shared_prefix) {
        const qint64 block = std::max<qint64>(1, run.server.block_size.value_or(1));
        rules.warm_want = *run.server.shared_prefix / block * block;
    }
    experiment::judge(run.samples, rules);
    run.summary = experiment::summarize(run.samples, run.server);
    return run;
}

void checkOrder(const RunResult &run, Verification &result)
{
    for (qsizetype i = 0; i < run.samples.size(); ++i) {
        const QString found = outOfOrder(run.samples.at(i).probe);
        if (!found.isEmpty())
            result.disagreements.append({QStringLiteral("samples[%1].%2").arg(QString::number(i), found),
                QStringLiteral("earlier than the one before"), QStringLiteral("not earlier")});
    }
}

void checkChecksums(const QJsonObject &run, Verification &result)
{
    result.had_checksums = run.value(QLatin1String("checksums")).isObject();
    if (!result.had_checksums)
        return;
    Comparison comparison(result);
    comparison.compare(QStringLiteral("checksums"), run.value(QLatin1String("checksums")), checksumsOf(run));
}

} // namespace

QJsonObject checksumsOf(const QJsonObject &run)
{
    QJsonObject rest = run;
    QJsonObject sums;
    for (const QString &part : {QStringLiteral("plan"), QStringLiteral("server"), QStringLiteral("summary")}) {
        sums.insert(part, checksum(run.value(part).toObject()));
        rest.remove(part);
    }
    QJsonArray samples;
    for (const QJsonValue &sample : run.value(QLatin1String("samples")).toArray())
        samples.append(checksum(sample.toObject()));
    sums.insert(QStringLiteral("samples"), samples);
    rest.remove(QStringLiteral("samples"));
    rest.remove(QStringLiteral("checksums"));
    sums.insert(QStringLiteral("rest"), checksum(rest));
    return sums;
}

std::variant<Verification, QString> verifyRun(const QJsonObject &run)
{
    const auto read = runFromJson(run);
    if (const auto *problem = std::get_if<QString>(&read))
        return *problem;
    const RunResult &stored = std::get<RunResult>(read);
    Verification result;
    result.samples = static_cast<int>(stored.samples.size());
    checkOrder(stored, result);
    const QJsonObject fresh = runToJson(recomputed(stored, isDefined(run, QLatin1String("content"))));
    Comparison comparison(result);
    for (const QString &part : {QStringLiteral("samples"), QStringLiteral("summary")})
        comparison.compare(part, run.value(part), fresh.value(part));
    checkChecksums(run, result);
    return result;
}

} // namespace kvlab::session
