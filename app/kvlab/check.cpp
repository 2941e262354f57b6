// SPDX-License-Identifier: GPL-3.0-or-later
// `kvlab check`: our figures beside a server's log.
#include "commands.h"
#include "input_file.h"
#include "listing.h"
#include "options.h"

#include "memory/importers/model_import.h"
#include "memory/model_list.h"
#include "memory/server_check.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <memory>

namespace {

using namespace kvlab;
using namespace kvlab::cli;

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::cli::Check)
};

struct CheckRequest
{
    QString log;
    std::shared_ptr<const memory::ModelSpec> model;
    memory::MemoryQuery query;
    memory::AllocationProfile profile;
    Output output = Output::table;
};

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
    QCommandLineOption log{QStringLiteral("log"),
        Texts::tr("What the server printed at its start, its /metrics page or Ollama's /api/ps; - is standard input."),
        Texts::tr("FILE")};
    QCommandLineOption model{
        QStringLiteral("model"), Texts::tr("A model of the list, by name or id."), Texts::tr("NAME")};
    QCommandLineOption config{QStringLiteral("config"),
        Texts::tr("A model's own file instead: config.json, a GGUF file, or a folder with them."), Texts::tr("FILE")};
    QCommandLineOption seq_len{QStringLiteral("seq-len"), Texts::tr("Tokens of one sequence. Default: 4096."),
        QStringLiteral("N"), QStringLiteral("4096")};
    QCommandLineOption batch{
        QStringLiteral("batch"), Texts::tr("Sequences at once. Default: 1."), QStringLiteral("N"), QStringLiteral("1")};
    QCommandLineOption kv_dtype{QStringLiteral("kv-dtype"), Texts::tr("Type of the cache. Default: bf16."),
        QStringLiteral("T"), QStringLiteral("bf16")};
    QCommandLineOption tp{QStringLiteral("tp"), Texts::tr("Tensor parallel ranks. Default: 1."), QStringLiteral("N"),
        QStringLiteral("1")};
    QCommandLineOption engine{QStringLiteral("engine"),
        Texts::tr("Whose allocation our figures count: %1. Default: ideal.").arg(engineNames()), QStringLiteral("NAME"),
        QStringLiteral("ideal")};
    QCommandLineOption block_size{QStringLiteral("block-size"),
        Texts::tr("Tokens per block or page of that engine, where the log does not say it."), QStringLiteral("N")};
    QCommandLineOption format{
        QStringLiteral("format"), Texts::tr("table, csv or json."), QStringLiteral("FORMAT"), QStringLiteral("table")};

    Options()
    {
        parser.setApplicationDescription(
            Texts::tr("Our figures beside a server's, each difference with its reason, or marked unexplained. What the "
                      "log itself says (type, blocks, lengths) is taken from it.\n\n"
                      "Example: kvlab check --log server.log --model Qwen2.5-7B --seq-len 8k\n\n"
                      "Exit codes: 0 everything is equal or explained, 1 something is not, 2 wrong usage, 3 no figures "
                      "in the log, or no model."));
        parser.addOptions({log, model, config, seq_len, batch, kv_dtype, tp, engine, block_size, format});
    }
};

/// nullopt after a message.
std::optional<qint64> count(const Options &options, const QCommandLineOption &option, qint64 largest)
{
    const auto number = memory::parseCount(options.parser.value(option));
    if (number && *number >= 1 && *number <= largest)
        return number;
    fail(exitUsage,
        Texts::tr("--%1: “%2” is not a count. Write a whole number between 1 and %3, like 4096 or 4k.")
            .arg(option.names().constFirst(), options.parser.value(option), QString::number(largest)));
    return std::nullopt;
}

/// False after a message.
bool readQuery(const Options &options, CheckRequest &request)
{
    const auto seq_len = count(options, options.seq_len, memory::maxSeqLen);
    const auto batch = count(options, options.batch, memory::maxBatch);
    const auto tp = count(options, options.tp, memory::maxRanks);
    if (!seq_len || !batch || !tp)
        return false;
    request.query.seq_len = *seq_len;
    request.query.batch = *batch;
    request.query.tp = *tp;
    const auto format = memory::cacheFormatFromName(options.parser.value(options.kv_dtype));
    if (!format) {
        fail(exitUsage,
            Texts::tr("--kv-dtype: “%1” is no type of a cache. kvlab calc --help lists them.")
                .arg(options.parser.value(options.kv_dtype)));
        return false;
    }
    request.query.kv_dtype = *format;
    return true;
}

bool readProfile(const Options &options, CheckRequest &request)
{
    const auto engine = memory::engineFromName(options.parser.value(options.engine));
    if (!engine) {
        fail(exitUsage,
            Texts::tr("--engine is one of %1, not “%2”.").arg(engineNames(), options.parser.value(options.engine)));
        return false;
    }
    request.profile = memory::defaultProfile(*engine);
    if (!options.parser.isSet(options.block_size))
        return true;
    const auto block_size = count(options, options.block_size, memory::maxRanks);
    if (!block_size)
        return false;
    request.profile.block_size = *block_size;
    return true;
}

/// The exit code when there is no model, after a message.
std::optional<int> readModel(const Options &options, CheckRequest &request)
{
    const bool is_named = options.parser.isSet(options.model);
    if (is_named == options.parser.isSet(options.config))
        return fail(exitUsage, Texts::tr("Name one model: --model NAME of the list, or --config FILE of your own."));
    if (!is_named) {
        const auto read = memory::importModelFile(options.parser.value(options.config));
        if (const auto *refusal = std::get_if<memory::Refusal>(&read))
            return fail(exitInputRefused, refusal->message);
        request.model = std::make_shared<memory::ModelSpec>(std::get<memory::ImportedModel>(read).model);
        return std::nullopt;
    }
    const memory::ModelSpec *found = memory::findModel(options.parser.value(options.model));
    if (found == nullptr)
        return fail(exitInputRefused,
            Texts::tr("There is no built-in model “%1”. kvlab models lists them.")
                .arg(options.parser.value(options.model)));
    request.model = std::make_shared<memory::ModelSpec>(*found);
    return std::nullopt;
}

std::variant<CheckRequest, int> readRequest(const Options &options)
{
    CheckRequest request;
    if (!options.parser.positionalArguments().isEmpty() || !options.parser.isSet(options.log))
        return fail(exitUsage, Texts::tr("Name the log with --log FILE. kvlab check --help shows an example."));
    request.log = options.parser.value(options.log);
    const auto output = outputFromName(options.parser.value(options.format));
    if (!output)
        return fail(exitUsage,
            Texts::tr("--format is table, csv or json, not “%1”.").arg(options.parser.value(options.format)));
    request.output = *output;
    if (!readQuery(options, request) || !readProfile(options, request))
        return exitUsage;
    if (const auto code = readModel(options, request))
        return *code;
    return request;
}

std::optional<QByteArray> readLog(const QString &path)
{
    if (path != QLatin1String("-"))
        return readInputFile(path, memory::maxServerText);
    QFile input;
    if (!input.open(stdin, QIODevice::ReadOnly))
        return std::nullopt;
    return input.readAll();
}

QString oursText(const memory::FigureCheck &row)
{
    // Two further decimals show what lies below the server's last digit.
    const bool is_rounded = row.reasons.contains(memory::CheckReason::printed_digits)
        && (row.figure.decimals > 0 || row.figure.unit == memory::FigureUnit::gib);
    const int more = is_rounded ? 2 : 0;
    return row.ours ? memory::quantityText(*row.ours, row.figure, more) : row.ours_text;
}

QString unitText(const memory::ServerFigure &figure)
{
    switch (figure.unit) {
    case memory::FigureUnit::bytes:
        return QStringLiteral("B");
    case memory::FigureUnit::mib:
        return QStringLiteral("MiB");
    case memory::FigureUnit::gib:
        return QStringLiteral("GiB");
    default:
        return {};
    }
}

QString theirsText(const memory::FigureCheck &row)
{
    return row.theirs ? memory::quantityText(*row.theirs, row.figure) : row.figure.printed;
}

Listing listing(const memory::ServerCheck &check)
{
    Listing list;
    list.names = {Texts::tr("Figure"), Texts::tr("Server"), Texts::tr("Ours"), Texts::tr("Unit"), Texts::tr("Reason")};
    list.is_text = {true, false, false, true, true};
    list.may_be_empty = {false, false, false, true, false};
    for (const memory::FigureCheck &row : check.rows) {
        QStringList sentences;
        for (const memory::CheckReason reason : row.reasons)
            sentences << memory::checkReasonText(reason);
        if (sentences.isEmpty())
            sentences << memory::verdictText(row.verdict);
        list.rows << QStringList{memory::figureTitle(row.figure), theirsText(row), oursText(row), unitText(row.figure),
            sentences.join(u' ')};
    }
    return list;
}

QJsonObject json(const memory::FigureCheck &row)
{
    const memory::ServerFigure &figure = row.figure;
    QJsonArray reasons;
    for (const memory::CheckReason reason : row.reasons)
        reasons << memory::checkReasonName(reason);
    QJsonObject object{{QStringLiteral("figure"), memory::figureKindName(figure.kind)},
        {QStringLiteral("server"), memory::serverKindName(figure.server)},
        {QStringLiteral("theirs"), QString(figure.printed).remove(u',')},
        {QStringLiteral("ours"), oursText(row).isEmpty() ? QJsonValue() : QJsonValue(oursText(row))},
        {QStringLiteral("unit"), unitText(figure)}, {QStringLiteral("verdict"), memory::verdictName(row.verdict)},
        {QStringLiteral("reasons"), reasons}, {QStringLiteral("source"), figure.source}};
    if (figure.line > 0)
        object.insert(QStringLiteral("line"), figure.line);
    if (figure.cache > 0)
        object.insert(QStringLiteral("cache"), figure.cache);
    if (figure.at_length)
        object.insert(QStringLiteral("at_length"), *figure.at_length);
    return object;
}

void print(const CheckRequest &request, const memory::ServerFigures &figures, const memory::ServerCheck &check)
{
    if (request.output == Output::table) {
        standardOutput() << listing(check).table();
        return;
    }
    if (request.output == Output::csv) {
        standardOutput() << listing(check).csv();
        return;
    }
    QJsonArray rows;
    for (const memory::FigureCheck &row : check.rows)
        rows << json(row);
    const QJsonObject object{{QStringLiteral("model"), request.model->name}, {QStringLiteral("figures"), rows},
        {QStringLiteral("earlier_starts"), figures.earlier_starts}, {QStringLiteral("truncated"), figures.truncated}};
    standardOutput() << QString::fromUtf8(QJsonDocument(object).toJson());
}

} // namespace

int kvlab::cli::runCheck(const QStringList &arguments)
{
    Options options;
    if (const auto code = parseArguments(options.parser, arguments))
        return *code;
    const auto read = readRequest(options);
    if (const int *code = std::get_if<int>(&read))
        return *code;
    const auto &request = std::get<CheckRequest>(read);
    const auto text = readLog(request.log);
    if (!text)
        return exitInputRefused;
    const memory::ServerFigures figures = memory::readServerFigures(*text);
    if (figures.figures.isEmpty())
        return fail(exitInputRefused,
            Texts::tr("Nothing in %1 is a figure of vLLM, SGLang, llama.cpp or Ollama about its cache. Give what the "
                      "server prints when it starts; llama.cpp prints it only with -lv 4.")
                .arg(request.log));
    const memory::ServerCheck check = memory::checkServer(*request.model, request.query, request.profile, figures);
    if (check.refusal)
        fail(exitInputRefused, check.refusal->message);
    print(request, figures, check);
    return flushed(check.hasUnexplained() || check.refusal ? exitContradicted : exitDone);
}
