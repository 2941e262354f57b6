// SPDX-License-Identifier: GPL-3.0-or-later
#include "calc_rows.h"
#include "commands.h"
#include "options.h"

#include "memory/model_json.h"
#include "memory/model_list.h"
#include "session/csv.h"

#include <QCoreApplication>
#include <QJsonDocument>

#include <array>
#include <cstdio>

namespace {

using namespace kvlab;
using namespace kvlab::cli;
using memory::MemoryRow;

enum class Output { table, csv, json };

struct CalcRequest
{
    QList<MemoryRow> rows;
    bool models_named = false;
    Output output = Output::table;
    QString reference_file; ///< --rows; empty = none
};

/// A row with its answer.
struct Line
{
    MemoryRow row;
    const memory::ModelSpec *model = nullptr; ///< none when the list has no such model
    memory::Estimate estimate;

    const memory::MemoryResult *result() const { return std::get_if<memory::MemoryResult>(&estimate); }
    const memory::Refusal *refusal() const { return std::get_if<memory::Refusal>(&estimate); }
};

// Command line
// ---------------------------------------------------------------------------------------------------------

struct Options
{
    QCommandLineParser parser;
    QCommandLineOption model{QStringLiteral("model"),
        QCoreApplication::translate("kvlab", "Models of the list, by name or id."),
        QCoreApplication::translate("kvlab", "NAME[,…]")};
    QCommandLineOption seq_len{QStringLiteral("seq-len"),
        QCoreApplication::translate("kvlab", "Tokens of one sequence; 4k is 4096. Default: 4096."),
        QStringLiteral("N[,…]")};
    QCommandLineOption batch{QStringLiteral("batch"),
        QCoreApplication::translate("kvlab", "Sequences at once. Default: 1."), QStringLiteral("N[,…]")};
    QCommandLineOption kv_dtype{QStringLiteral("kv-dtype"),
        QCoreApplication::translate("kvlab", "Cache format: f32, f16, bf16, fp8 or q8_0."), QStringLiteral("T"),
        QStringLiteral("bf16")};
    QCommandLineOption format{QStringLiteral("format"), QCoreApplication::translate("kvlab", "table, csv or json."),
        QStringLiteral("FORMAT"), QStringLiteral("table")};
    QCommandLineOption rows{QStringLiteral("rows"),
        QCoreApplication::translate("kvlab",
            "Compute every row of a file of reference rows; prints JSON with what was got beside "
            "what is expected."),
        QCoreApplication::translate("kvlab", "FILE")};

    Options()
    {
        parser.setApplicationDescription(QCoreApplication::translate("kvlab",
            "Bytes of the KV cache. Without arguments: the handout's table, DeepSeek-V3 right and as the "
            "handout has it.\n\n"
            "Example: kvlab calc --model Qwen2.5-7B --seq-len 4k,32k --batch 1,8 --kv-dtype q8_0"));
        parser.addOptions({model, seq_len, batch, kv_dtype, format, rows});
    }
};

/// The wanted models: a name may hold commas itself, so the whole text is tried first.
QStringList namedModels(const Options &options)
{
    QStringList names;
    for (const QString &value : options.parser.values(options.model)) {
        if (memory::findModel(value) != nullptr)
            names << value;
        else
            names << value.split(u',');
    }
    return names;
}

/// nullopt after a message when an entry is not a count.
std::optional<QList<qint64>> counts(
    const Options &options, const QCommandLineOption &option, const QList<qint64> &otherwise)
{
    if (!options.parser.isSet(option))
        return otherwise;
    QList<qint64> numbers;
    for (const QString &value : options.parser.values(option)) {
        for (const QString &text : value.split(u',')) {
            const auto number = memory::parseCount(text);
            if (!number) {
                fail(exitUsage,
                    QCoreApplication::translate(
                        "kvlab", "--%1: “%2” is not a count. Write whole numbers between 1 and %3, like 4096 or 4k.")
                        .arg(option.names().constFirst(), text, QString::number(memory::maxSeqLen)));
                return std::nullopt;
            }
            numbers << *number;
        }
    }
    return numbers;
}

/// What the handout's grid holds in one column, each value once.
template <typename Value> QList<Value> handoutValues(Value MemoryRow::*column)
{
    QList<Value> values;
    for (const MemoryRow &row : memory::handoutGrid()) {
        if (!values.contains(row.*column))
            values << row.*column;
    }
    return values;
}

/// The grid of all combinations; what is not named comes from the handout when no model is named either.
std::optional<QList<MemoryRow>> requestedRows(const Options &options, memory::CacheFormat kv_dtype)
{
    const bool named = options.parser.isSet(options.model);
    const QStringList models = named ? namedModels(options) : QStringList(handoutValues(&MemoryRow::model));
    const auto seq_lens
        = counts(options, options.seq_len, named ? QList<qint64>{4096} : handoutValues(&MemoryRow::seq_len));
    const auto batches = counts(options, options.batch, named ? QList<qint64>{1} : handoutValues(&MemoryRow::batch));
    if (!seq_lens || !batches)
        return std::nullopt;
    QList<MemoryRow> rows;
    for (const QString &model : models) {
        for (const qint64 seq_len : *seq_lens) {
            for (const qint64 batch : *batches)
                rows << MemoryRow{model, seq_len, batch, kv_dtype};
        }
    }
    return rows;
}

std::optional<Output> outputFromName(const QString &name)
{
    if (name == QLatin1String("table"))
        return Output::table;
    if (name == QLatin1String("csv"))
        return Output::csv;
    if (name == QLatin1String("json"))
        return Output::json;
    return std::nullopt;
}

/// nullopt after a message on wrong usage.
std::optional<CalcRequest> readRequest(const Options &options)
{
    const QCommandLineParser &parser = options.parser;
    if (!parser.positionalArguments().isEmpty()) {
        fail(exitUsage,
            QCoreApplication::translate(
                "kvlab", "“%1” belongs to no option. kvlab calc --help shows how a model is named.")
                .arg(parser.positionalArguments().constFirst()));
        return std::nullopt;
    }
    const auto output = outputFromName(parser.value(options.format));
    if (!output) {
        fail(exitUsage,
            QCoreApplication::translate("kvlab", "--format is table, csv or json, not “%1”.")
                .arg(parser.value(options.format)));
        return std::nullopt;
    }
    const auto kv_dtype = memory::cacheFormatFromName(parser.value(options.kv_dtype));
    if (!kv_dtype) {
        fail(exitUsage,
            QCoreApplication::translate("kvlab", "--kv-dtype is f32, f16, bf16, fp8 or q8_0, not “%1”.")
                .arg(parser.value(options.kv_dtype)));
        return std::nullopt;
    }
    if (parser.isSet(options.rows) && parser.optionNames().size() > 1
        && !(parser.optionNames().size() == 2 && *output == Output::json)) {
        fail(exitUsage,
            QCoreApplication::translate(
                "kvlab", "--rows takes everything from its file and prints JSON; leave the other options out."));
        return std::nullopt;
    }
    const auto rows = requestedRows(options, *kv_dtype);
    if (!rows)
        return std::nullopt;
    return CalcRequest{*rows, parser.isSet(options.model), *output, parser.value(options.rows)};
}

// Answers
// --------------------------------------------------------------------------------------------------------------

QList<Line> answer(const QList<MemoryRow> &rows)
{
    QList<Line> lines;
    for (const MemoryRow &row : rows) {
        Line line{row, memory::findModel(row.model), memory::estimateRow(row)};
        if (line.model != nullptr)
            line.row.model = line.model->name;
        lines << line;
    }
    return lines;
}

QString bytesPerToken(const QString &model)
{
    const memory::Estimate estimate = memory::estimateRow({model, 1, 1, memory::CacheFormat::bf16});
    return memory::toDecimalString(std::get<memory::MemoryResult>(estimate).bytes_per_token);
}

/// Why the handout's DeepSeek-V3 is there twice.
QString handoutNote()
{
    return QCoreApplication::translate("kvlab",
        "DeepSeek-V3 uses MLA: each layer keeps one latent of 512 + 64 values per token, without heads and "
        "without the factor 2, so 61 × 576 × 2 B = %1 B per token. The handout counts it like ordinary "
        "attention with 8 KV heads of 128 values, 2 × 61 × 8 × 128 × 2 B = %2 B per token: 3.56 times too much.")
        .arg(bytesPerToken(QStringLiteral("DeepSeek-V3")), bytesPerToken(memory::handoutDeepSeekName()));
}

QString noteOf(const Line &line)
{
    if (line.refusal() != nullptr)
        return line.refusal()->message;
    if (line.model != nullptr && line.model->teaching_only)
        return QCoreApplication::translate("kvlab", "the handout's figure: 3.56 times too much");
    return {};
}

/// model, seq_len, batch, kv_dtype, kv_bytes, kv_gib, bytes_per_token, note; the figures empty when there are none.
QStringList cellsOf(const Line &line)
{
    QStringList cells{line.row.model, QString::number(line.row.seq_len), QString::number(line.row.batch),
        memory::cacheFormatName(line.row.kv_dtype)};
    if (const auto *result = line.result())
        cells << memory::toDecimalString(result->bytes) << memory::toGibString(result->bytes)
              << memory::toDecimalString(result->bytes_per_token);
    else
        cells << QString() << QString() << QString();
    return cells << noteOf(line);
}

const QStringList &columnNames()
{
    static const QStringList names{QStringLiteral("model"), QStringLiteral("seq_len"), QStringLiteral("batch"),
        QStringLiteral("kv_dtype"), QStringLiteral("kv_bytes"), QStringLiteral("kv_gib"),
        QStringLiteral("bytes_per_token"), QStringLiteral("note")};
    return names;
}

bool isTextColumn(qsizetype column)
{
    return column == 0 || column == 3 || column == 7;
}

QString tableText(const QList<Line> &lines)
{
    QList<QStringList> rows{columnNames()};
    for (const Line &line : lines)
        rows << cellsOf(line);
    std::array<qsizetype, 8> widths{};
    for (const QStringList &cells : rows) {
        for (qsizetype column = 0; column < cells.size(); ++column)
            widths.at(column) = std::max(widths.at(column), cells.at(column).size());
    }
    QString text;
    for (const QStringList &cells : rows) {
        QStringList padded;
        for (qsizetype column = 0; column < cells.size(); ++column) {
            const QString cell = cells.at(column).isEmpty() && column < 7 ? QStringLiteral("–") : cells.at(column);
            padded << (isTextColumn(column) ? cell.leftJustified(widths.at(column))
                                            : cell.rightJustified(widths.at(column)));
        }
        QString joined = padded.join(QStringLiteral("  "));
        while (joined.endsWith(u' '))
            joined.chop(1);
        text += joined + u'\n';
    }
    return text;
}

QString csvText(const QList<Line> &lines)
{
    session::CsvWriter csv;
    csv.addRow(columnNames());
    for (const Line &line : lines) {
        QStringList cells = cellsOf(line);
        for (qsizetype column = 0; column < cells.size(); ++column) {
            if (isTextColumn(column))
                cells[column] = session::csvTextCell(cells.at(column));
        }
        csv.addRow(cells);
    }
    return QString::fromUtf8(csv.toUtf8(session::ByteOrderMark::no));
}

QJsonObject refusalJson(const memory::Refusal &refusal)
{
    return {{QStringLiteral("result"), QStringLiteral("refuse")}, {QStringLiteral("reason"), refusal.reason},
        {QStringLiteral("message"), refusal.message}};
}

QJsonObject rowJson(const Line &line)
{
    QJsonObject object{{QStringLiteral("model"), line.row.model}, {QStringLiteral("seq_len"), line.row.seq_len},
        {QStringLiteral("batch"), line.row.batch},
        {QStringLiteral("kv_dtype"), memory::cacheFormatName(line.row.kv_dtype)}};
    if (const auto *result = line.result()) {
        object.insert(QStringLiteral("ideal_bytes"), bytesJson(result->bytes));
        object.insert(QStringLiteral("bytes_per_token"), bytesJson(result->bytes_per_token));
        object.insert(QStringLiteral("gib"), memory::toGibString(result->bytes));
    } else {
        object.insert(QStringLiteral("reason"), line.refusal()->reason);
        object.insert(QStringLiteral("message"), line.refusal()->message);
    }
    return object;
}

QJsonArray warningsOf(const memory::ModelSpec &model, const QList<Line> &lines)
{
    QJsonArray warnings;
    const auto warn = [&warnings](const QString &field, const QString &text) {
        warnings << QJsonObject{{QStringLiteral("field"), field}, {QStringLiteral("text"), text}};
    };
    if (model.teaching_only)
        warn(QStringLiteral("architecture"), handoutNote());
    for (const Line &line : lines) {
        if (model.max_position && line.row.seq_len > *model.max_position) {
            warn(QStringLiteral("max_position"),
                QCoreApplication::translate(
                    "kvlab", "The model is made for at most %1 tokens; longer rows are arithmetic only.")
                    .arg(*model.max_position));
            break;
        }
    }
    return warnings;
}

/// The shape for one model: what it is, then its rows.
QJsonObject modelJson(const memory::ModelSpec &model, const QList<Line> &lines)
{
    const auto of16bit = memory::estimate(model, {1, 1, memory::CacheFormat::bf16});
    const auto *per_token = std::get_if<memory::MemoryResult>(&of16bit);
    const QJsonValue null(QJsonValue::Null);
    QJsonObject object{
        {QStringLiteral("result"), QStringLiteral("accept")},
        {QStringLiteral("model"),
            QJsonObject{{QStringLiteral("id"), model.id}, {QStringLiteral("name"), model.name},
                {QStringLiteral("family"), model.family}}},
        {QStringLiteral("architecture"), memory::cachesToJson(model.caches)},
        {QStringLiteral("num_layers"), model.num_layers ? QJsonValue(*model.num_layers) : null},
        {QStringLiteral("max_position"), model.max_position ? QJsonValue(*model.max_position) : null},
        {QStringLiteral("kv_dtype_default"), model.default_dtype.isEmpty() ? null : QJsonValue(model.default_dtype)},
        {QStringLiteral("warnings"), warningsOf(model, lines)},
    };
    if (per_token != nullptr) {
        object.insert(QStringLiteral("bytes_per_token_16bit"), bytesJson(per_token->bytes_per_token));
        // Nothing that is computed here has a window, so every further token costs the same.
        object.insert(QStringLiteral("bytes_per_token_above_window_16bit"), bytesJson(per_token->bytes_per_token));
    }
    return object;
}

QString jsonText(const QList<Line> &lines, bool one_model)
{
    QJsonObject object;
    if (one_model && lines.constFirst().refusal() != nullptr) {
        object = refusalJson(*lines.constFirst().refusal());
    } else {
        if (one_model)
            object = modelJson(*lines.constFirst().model, lines);
        QJsonArray rows;
        for (const Line &line : lines)
            rows << rowJson(line);
        object.insert(QStringLiteral("rows"), rows);
    }
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Indented));
}

/// Each reason once on standard error, whatever the format.
int reportRefusals(const QList<Line> &lines)
{
    QStringList messages;
    for (const Line &line : lines) {
        if (line.refusal() != nullptr && !messages.contains(line.refusal()->message))
            messages << line.refusal()->message;
    }
    for (const QString &message : messages)
        fail(exitInputRefused, message);
    return messages.isEmpty() ? exitDone : exitInputRefused;
}

/// A full disk behind a redirection shows only when everything has been handed over.
int flushed(int code)
{
    standardOutput().flush();
    if (standardOutput().status() == QTextStream::Ok && std::fflush(stdout) == 0)
        return code;
    return fail(exitCannotWrite,
        QCoreApplication::translate(
            "kvlab", "The result could not be written to standard output. Make room or redirect it elsewhere."));
}

} // namespace

int kvlab::cli::runCalc(const QStringList &arguments)
{
    Options options;
    if (const auto code = parseArguments(options.parser, arguments))
        return *code;
    const auto request = readRequest(options);
    if (!request)
        return exitUsage;
    if (!request->reference_file.isEmpty())
        return flushed(checkReferenceRows(request->reference_file));

    const QList<Line> lines = answer(request->rows);
    switch (request->output) {
    case Output::table:
        standardOutput() << tableText(lines);
        if (!request->models_named)
            standardOutput() << '\n' << handoutNote() << '\n';
        break;
    case Output::csv:
        standardOutput() << csvText(lines);
        break;
    case Output::json: {
        const bool one_model = request->models_named
            && std::all_of(lines.cbegin(), lines.cend(),
                [&lines](const Line &line) { return line.row.model == lines.constFirst().row.model; });
        standardOutput() << jsonText(lines, one_model);
        break;
    }
    }
    return flushed(reportRefusals(lines));
}
