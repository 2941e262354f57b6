// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/csv.h"
#include "session/samples_export.h"

#include <array>

namespace kvlab::session {

namespace {

using experiment::MeasuredSample;
using experiment::RunResult;

constexpr int nanosecondDecimals = 6;

QString number(std::optional<double> value)
{
    return value ? csvNumberCell(csvNumber(*value, nanosecondDecimals)) : csvNumberCell(std::nullopt);
}

QString number(std::optional<qint64> value)
{
    return csvNumberCell(value ? std::optional(QString::number(*value)) : std::nullopt);
}

QString truth(bool value)
{
    return value ? QStringLiteral("true") : QStringLiteral("false");
}

struct Column
{
    const char *name;
    QString (*cell)(const RunResult &run, const MeasuredSample &sample);
};

constexpr std::array columns{
    Column{
        "number", [](const RunResult &, const MeasuredSample &s) { return number(std::optional<qint64>(s.number)); }},
    Column{"round", [](const RunResult &, const MeasuredSample &s) { return number(std::optional<qint64>(s.round)); }},
    Column{"arm", [](const RunResult &, const MeasuredSample &s) { return csvTextCell(experiment::armName(s.arm)); }},
    Column{"outcome",
        [](const RunResult &, const MeasuredSample &s) { return csvTextCell(probe::outcomeName(s.probe.outcome)); }},
    Column{"ttft_ms", [](const RunResult &, const MeasuredSample &s) { return number(s.probe.ttftMs()); }},
    Column{"ttft_any_ms", [](const RunResult &, const MeasuredSample &s) { return number(s.probe.ttftAnyMs()); }},
    Column{"connect_ms", [](const RunResult &, const MeasuredSample &s) { return number(s.probe.connectMs()); }},
    Column{"headers_ms", [](const RunResult &, const MeasuredSample &s) { return number(s.probe.headersMs()); }},
    Column{"total_ms", [](const RunResult &, const MeasuredSample &s) { return number(s.probe.totalMs()); }},
    Column{"prompt_tokens",
        [](const RunResult &, const MeasuredSample &s) { return number(s.probe.evidence.prompt_tokens); }},
    Column{"completion_tokens",
        [](const RunResult &, const MeasuredSample &s) { return number(s.probe.evidence.completion_tokens); }},
    Column{"cached_tokens",
        [](const RunResult &, const MeasuredSample &s) { return number(s.probe.evidence.cached_tokens); }},
    Column{"expected_hit", [](const RunResult &, const MeasuredSample &s) { return number(s.expected_hit); }},
    Column{"counter_hits",
        [](const RunResult &, const MeasuredSample &s) {
            return number(s.counters && s.counters->idle ? std::optional(s.counters->hits) : std::nullopt);
        }},
    Column{"verdict",
        [](const RunResult &, const MeasuredSample &s) {
            return s.verdict ? csvTextCell(experiment::verdictName(*s.verdict)) : QString();
        }},
    Column{"kept", [](const RunResult &, const MeasuredSample &s) { return truth(s.kept); }},
    Column{"tainted",
        [](const RunResult &, const MeasuredSample &s) { return csvTextCell(s.probe.tainted.join(QLatin1Char(' '))); }},
    Column{"server_ttft_ms",
        [](const RunResult &, const MeasuredSample &s) { return number(s.probe.evidence.server_ttft_ms); }},
    Column{"http_status",
        [](const RunResult &, const MeasuredSample &s) {
            return number(s.probe.http_status == 0 ? std::nullopt : std::optional<qint64>(s.probe.http_status));
        }},
    Column{"new_connection", [](const RunResult &, const MeasuredSample &s) { return truth(s.probe.new_connection); }},
    Column{
        "finish_reason", [](const RunResult &, const MeasuredSample &s) { return csvTextCell(s.probe.finish_reason); }},
    Column{"started_at",
        [](const RunResult &, const MeasuredSample &s) {
            return csvTextCell(s.probe.started_at.toUTC().toString(Qt::ISODateWithMs));
        }},
    Column{"model", [](const RunResult &r, const MeasuredSample &) { return csvTextCell(r.server.model); }},
    Column{"server", [](const RunResult &r, const MeasuredSample &) { return csvTextCell(r.server.label); }},
    Column{
        "practice_engine", [](const RunResult &r, const MeasuredSample &) { return truth(r.server.practice_engine); }},
    Column{"cold",
        [](const RunResult &r, const MeasuredSample &) {
            return csvTextCell(experiment::coldMethodName(r.server.cold));
        }},
    Column{
        "seed", [](const RunResult &r, const MeasuredSample &) { return number(std::optional<qint64>(r.plan.seed)); }},
    Column{"message", [](const RunResult &, const MeasuredSample &s) { return csvTextCell(s.probe.message); }},
};

} // namespace

QByteArray samplesToCsv(const RunResult &run)
{
    CsvWriter writer;
    QStringList cells;
    for (const Column &column : columns)
        cells << csvTextCell(QString::fromLatin1(column.name));
    writer.addRow(cells);
    for (const MeasuredSample &sample : run.samples) {
        cells.clear();
        for (const Column &column : columns)
            cells << column.cell(run, sample);
        writer.addRow(cells);
    }
    return writer.toUtf8();
}

} // namespace kvlab::session
