// SPDX-License-Identifier: GPL-3.0-or-later
#include "calc_report.h"
#include "calc_rows.h"
#include "commands.h"
#include "listing.h"
#include "options.h"

#include "memory/model_list.h"

#include <QCoreApplication>

namespace {

using namespace kvlab;
using namespace kvlab::cli;
using memory::MemoryRow;

struct CalcRequest
{
    QList<MemoryRow> rows;
    CalcSettings settings;
    bool models_named = false;
    QString config_file; ///< --config; empty = none
    Output output = Output::table;
    QString reference_file; ///< --rows; empty = none
};

// Command line
// ---------------------------------------------------------------------------------------------------------

QString formatNames()
{
    QStringList names;
    for (const memory::CacheFormat format : memory::allCacheFormats())
        names << memory::cacheFormatName(format);
    return names.join(QStringLiteral(", "));
}

QString engineNames()
{
    QStringList names;
    for (const memory::Engine engine : memory::allEngines())
        names << memory::engineName(engine);
    return names.join(QStringLiteral(", "));
}

struct Options
{
    QCommandLineParser parser;
    QCommandLineOption model{QStringLiteral("model"),
        QCoreApplication::translate("kvlab", "Models of the list, by name or id."),
        QCoreApplication::translate("kvlab", "NAME[,…]")};
    QCommandLineOption config{QStringLiteral("config"),
        QCoreApplication::translate("kvlab",
            "A model's own file instead: config.json, a GGUF file, a safetensors index, or a folder with them."),
        QCoreApplication::translate("kvlab", "FILE")};
    QCommandLineOption seq_len{QStringLiteral("seq-len"),
        QCoreApplication::translate("kvlab", "Tokens of one sequence; 4k is 4096. Default: 4096."),
        QStringLiteral("N[,…]")};
    QCommandLineOption batch{QStringLiteral("batch"),
        QCoreApplication::translate("kvlab", "Sequences at once. Default: 1."), QStringLiteral("N[,…]")};
    QCommandLineOption kv_dtype{QStringLiteral("kv-dtype"),
        QCoreApplication::translate("kvlab", "Cache format: %1.").arg(formatNames()), QStringLiteral("T"),
        QStringLiteral("bf16")};
    QCommandLineOption v_dtype{QStringLiteral("v-dtype"),
        QCoreApplication::translate("kvlab", "Cache format of V. Default: that of --kv-dtype."), QStringLiteral("T")};
    QCommandLineOption tp{QStringLiteral("tp"),
        QCoreApplication::translate("kvlab", "Tensor parallel ranks; all figures are for one of them. Default: 1."),
        QStringLiteral("N"), QStringLiteral("1")};
    QCommandLineOption engine{QStringLiteral("engine"),
        QCoreApplication::translate("kvlab",
            "Whose allocation is shown beside the need: %1 (vllm: blocks of 16 tokens, 2048 batched tokens; "
            "llama.cpp: one slot per sequence, 512 tokens a micro-batch).")
            .arg(engineNames()),
        QStringLiteral("NAME"), QStringLiteral("ideal")};
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
        parser.addOptions({model, config, seq_len, batch, kv_dtype, v_dtype, tp, engine, format, rows});
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
    const bool imported = options.parser.isSet(options.config);
    const bool named = imported || options.parser.isSet(options.model);
    // The name of an imported model is known once its file is read.
    const QStringList models = imported ? QStringList{QString()}
        : named                         ? namedModels(options)
                                        : QStringList(handoutValues(&MemoryRow::model));
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

/// nullopt after a message when the name is none.
std::optional<memory::CacheFormat> readFormat(const Options &options, const QCommandLineOption &option)
{
    const QString name = options.parser.value(option);
    const auto format = memory::cacheFormatFromName(name);
    if (!format)
        fail(exitUsage,
            QCoreApplication::translate("kvlab", "--%1 is one of %2, not “%3”.")
                .arg(option.names().constFirst(), formatNames(), name));
    return format;
}

/// nullopt after a message on wrong usage.
std::optional<CalcSettings> readSettings(const Options &options)
{
    CalcSettings settings;
    const auto kv_dtype = readFormat(options, options.kv_dtype);
    if (!kv_dtype)
        return std::nullopt;
    settings.kv_dtype = *kv_dtype;
    if (options.parser.isSet(options.v_dtype)) {
        settings.v_dtype = readFormat(options, options.v_dtype);
        if (!settings.v_dtype)
            return std::nullopt;
    }
    const QString ranks = options.parser.value(options.tp);
    bool is_number = false;
    settings.tp = ranks.toLongLong(&is_number);
    if (!is_number || settings.tp < 1 || settings.tp > memory::maxRanks) {
        fail(exitUsage,
            QCoreApplication::translate("kvlab", "--tp is a whole number between 1 and %1, not “%2”.")
                .arg(QString::number(memory::maxRanks), ranks));
        return std::nullopt;
    }
    const auto engine = memory::engineFromName(options.parser.value(options.engine));
    if (!engine) {
        fail(exitUsage,
            QCoreApplication::translate("kvlab", "--engine is one of %1, not “%2”.")
                .arg(engineNames(), options.parser.value(options.engine)));
        return std::nullopt;
    }
    settings.engine = *engine;
    return settings;
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
    const auto settings = readSettings(options);
    if (!settings)
        return std::nullopt;
    if (parser.isSet(options.rows) && parser.optionNames().size() > 1
        && !(parser.optionNames().size() == 2 && *output == Output::json)) {
        fail(exitUsage,
            QCoreApplication::translate(
                "kvlab", "--rows takes everything from its file and prints JSON; leave the other options out."));
        return std::nullopt;
    }
    if (parser.isSet(options.config) && (parser.isSet(options.model) || parser.values(options.config).size() > 1)) {
        fail(exitUsage,
            QCoreApplication::translate(
                "kvlab", "--config takes one file and stands instead of --model; leave one out."));
        return std::nullopt;
    }
    const auto rows = requestedRows(options, settings->kv_dtype);
    if (!rows)
        return std::nullopt;
    return CalcRequest{*rows, *settings, parser.isSet(options.model), parser.value(options.config), *output,
        parser.value(options.rows)};
}

// Answers
// --------------------------------------------------------------------------------------------------------------

QList<CalcLine> answer(const CalcRequest &request)
{
    QList<CalcLine> lines;
    for (const MemoryRow &row : request.rows) {
        if (const memory::ModelSpec *model = memory::findModel(row.model))
            lines << calcLine(*model, row, request.settings);
        else
            lines << CalcLine{row, request.settings, nullptr, memory::estimateRow(row), {}}; // says why
    }
    return lines;
}

/// Each reason once on standard error, whatever the format.
int reportRefusals(const QList<CalcLine> &lines)
{
    QStringList messages;
    for (const CalcLine &line : lines) {
        if (line.refusal() != nullptr && !messages.contains(line.refusal()->message))
            messages << line.refusal()->message;
    }
    for (const QString &message : messages)
        fail(exitInputRefused, message);
    return messages.isEmpty() ? exitDone : exitInputRefused;
}

void printLines(const CalcRequest &request, const QList<CalcLine> &lines, const memory::ImportedModel *imported)
{
    switch (request.output) {
    case Output::table:
        standardOutput() << tableText(lines);
        if (!request.models_named && imported == nullptr)
            standardOutput() << '\n' << handoutNote() << '\n';
        break;
    case Output::csv:
        standardOutput() << csvText(lines);
        break;
    case Output::json: {
        const bool one_model = (request.models_named || imported != nullptr)
            && std::all_of(lines.cbegin(), lines.cend(),
                [&lines](const CalcLine &line) { return line.row.model == lines.constFirst().row.model; });
        standardOutput() << jsonText(lines, one_model, imported);
        break;
    }
    }
}

/// The rows of a model from a file; what the import warns about goes to standard error.
int runImported(const CalcRequest &request)
{
    const memory::ImportResult result = memory::importModelFile(request.config_file);
    if (const auto *refusal = std::get_if<memory::Refusal>(&result)) {
        if (request.output == Output::json)
            standardOutput() << jsonText(*refusal);
        return flushed(fail(exitInputRefused, refusal->message));
    }
    const auto &imported = std::get<memory::ImportedModel>(result);
    QList<CalcLine> lines;
    for (const MemoryRow &row : request.rows)
        lines << calcLine(imported.model, row, request.settings);
    printLines(request, lines, &imported);
    if (request.output != Output::json) {
        for (const memory::ImportWarning &warning : imported.warnings)
            standardError() << "kvlab: " << warning.text << '\n';
    }
    return flushed(reportRefusals(lines));
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

    if (!request->config_file.isEmpty())
        return runImported(*request);

    const QList<CalcLine> lines = answer(*request);
    printLines(*request, lines, nullptr);
    return flushed(reportRefusals(lines));
}
