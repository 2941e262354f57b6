// SPDX-License-Identifier: GPL-3.0-or-later
// `kvlab plan`: what fits a device.
#include "commands.h"
#include "listing.h"
#include "options.h"
#include "row_figures.h"

#include "memory/gpu_list.h"
#include "memory/importers/model_import.h"
#include "memory/model_list.h"
#include "memory/weights.h"

#include <QCoreApplication>
#include <QJsonDocument>

#include <cmath>
#include <memory>

namespace {

using namespace kvlab;
using namespace kvlab::cli;
using memory::Bytes;

struct PlanRequest
{
    std::shared_ptr<const memory::ModelSpec> model; ///< of the list, or read from a file
    QString device; ///< name or size, as it is shown
    qint64 gpus = 1;
    memory::BudgetInput budget; ///< of one device
    QString weights_source;
    memory::MemoryQuery query; ///< batch and seq_len that are asked about
    memory::Engine engine = memory::Engine::vllm;
    Output output = Output::table;
};

QString translated(const char *text)
{
    return QCoreApplication::translate("kvlab", text);
}

template <typename List> QString namesOf(const List &list, QString (*name)(typename List::const_reference))
{
    QStringList names;
    for (const auto &entry : list)
        names << name(entry);
    return names.join(QStringLiteral(", "));
}

QString formatName(const memory::CacheFormat &format)
{
    return memory::cacheFormatName(format);
}

QString weightName(const memory::WeightFormat &format)
{
    return format.name;
}

QString engineName(const memory::Engine &engine)
{
    return memory::engineName(engine);
}

struct Options
{
    QCommandLineParser parser;
    QCommandLineOption model{QStringLiteral("model"), translated(QT_TRANSLATE_NOOP("kvlab", "A model of the list.")),
        QStringLiteral("NAME")};
    QCommandLineOption config{QStringLiteral("config"),
        translated(QT_TRANSLATE_NOOP("kvlab",
            "A model's own file instead: config.json, a GGUF file, a safetensors index, or a folder with them.")),
        translated(QT_TRANSLATE_NOOP("kvlab", "FILE"))};
    QCommandLineOption gpu{QStringLiteral("gpu"),
        translated(QT_TRANSLATE_NOOP("kvlab", "A device of the list, or part of its name that fits one only.")),
        QStringLiteral("NAME")};
    QCommandLineOption memory{QStringLiteral("memory"),
        translated(QT_TRANSLATE_NOOP("kvlab", "Memory of one device instead, with its unit: 24GiB or 80GB.")),
        QStringLiteral("SIZE")};
    QCommandLineOption gpus{QStringLiteral("gpus"),
        translated(QT_TRANSLATE_NOOP("kvlab", "How many of them, with tensor parallelism. Default: 1.")),
        QStringLiteral("N"), QStringLiteral("1")};
    QCommandLineOption weights_dtype{QStringLiteral("weights-dtype"),
        QCoreApplication::translate("kvlab", "Format of the weights: %1. Default: bf16.")
            .arg(namesOf(memory::weightFormats(), weightName)),
        QStringLiteral("T"), QStringLiteral("bf16")};
    QCommandLineOption weights{QStringLiteral("weights"),
        translated(QT_TRANSLATE_NOOP("kvlab",
            "Size of all weights instead, for models whose parameters the list does "
            "not know: 61GB.")),
        QStringLiteral("SIZE")};
    QCommandLineOption util{QStringLiteral("util"),
        translated(QT_TRANSLATE_NOOP("kvlab",
            "Share of the memory that the engine may use. Default: 0.9; newer "
            "versions of vLLM take 0.92.")),
        QStringLiteral("SHARE"), QStringLiteral("0.9")};
    QCommandLineOption overhead{QStringLiteral("overhead"),
        translated(QT_TRANSLATE_NOOP("kvlab",
            "Activations, graphs and libraries on one device. Default: 2GiB, a "
            "guess: engines need 2 to 4 and sometimes far more.")),
        QStringLiteral("SIZE"), QStringLiteral("2GiB")};
    QCommandLineOption seq_len{QStringLiteral("seq-len"),
        translated(QT_TRANSLATE_NOOP("kvlab", "Tokens of one sequence; 4k is 4096. Default: 4096.")),
        QStringLiteral("N"), QStringLiteral("4096")};
    QCommandLineOption batch{QStringLiteral("batch"),
        translated(QT_TRANSLATE_NOOP("kvlab", "Sequences at once. Default: 1.")), QStringLiteral("N"),
        QStringLiteral("1")};
    QCommandLineOption kv_dtype{QStringLiteral("kv-dtype"),
        QCoreApplication::translate("kvlab", "Cache format: %1.").arg(namesOf(memory::allCacheFormats(), formatName)),
        QStringLiteral("T"), QStringLiteral("bf16")};
    QCommandLineOption v_dtype{QStringLiteral("v-dtype"),
        translated(QT_TRANSLATE_NOOP("kvlab", "Cache format of V. Default: that of --kv-dtype.")), QStringLiteral("T")};
    QCommandLineOption engine{QStringLiteral("engine"),
        QCoreApplication::translate("kvlab", "Whose allocation counts: %1. Default: vllm.")
            .arg(namesOf(memory::allEngines(), engineName)),
        QStringLiteral("NAME"), QStringLiteral("vllm")};
    QCommandLineOption format{QStringLiteral("format"), translated(QT_TRANSLATE_NOOP("kvlab", "table or json.")),
        QStringLiteral("FORMAT"), QStringLiteral("table")};

    Options()
    {
        parser.setApplicationDescription(QCoreApplication::translate("kvlab",
            "What fits a device: whether a batch does, the largest batch and the longest length.\n\n"
            "Example: kvlab plan --gpu \"RTX 4090\" --model Llama-3.1-8B --seq-len 8k --batch 4"));
        parser.addOptions({model, config, gpu, memory, gpus, weights_dtype, weights, util, overhead, seq_len, batch,
            kv_dtype, v_dtype, engine, format});
    }
};

/// Takes the options one by one and keeps the first complaint.
class Reader
{
public:
    explicit Reader(const Options &options)
        : m_options(options)
        , m_parser(options.parser)
    {
    }

    std::optional<PlanRequest> read()
    {
        if (!m_parser.positionalArguments().isEmpty())
            complain(QCoreApplication::translate(
                "kvlab", "“%1” belongs to no option. kvlab plan --help shows how a model is named.")
                         .arg(m_parser.positionalArguments().constFirst()));
        readModel();
        readDevice();
        m_request.gpus = count(m_options.gpus, memory::maxRanks);
        m_request.query.seq_len = count(m_options.seq_len, memory::maxSeqLen);
        m_request.query.batch = count(m_options.batch, memory::maxBatch);
        m_request.query.tp = m_request.gpus;
        readFormats();
        readShare();
        m_request.budget.overhead = size(m_options.overhead);
        readWeights();
        if (m_complaint.isEmpty())
            return m_request;
        return std::nullopt;
    }

    const QString &complaint() const { return m_complaint; }
    /// Why the model's file cannot be used; not a matter of the command line.
    const std::optional<memory::Refusal> &refusal() const { return m_refusal; }

private:
    void complain(const QString &text)
    {
        if (m_complaint.isEmpty())
            m_complaint = text;
    }

    qint64 count(const QCommandLineOption &option, qint64 most)
    {
        const QString text = m_parser.value(option);
        const auto number = memory::parseCount(text);
        if (number && *number <= most)
            return *number;
        complain(
            QCoreApplication::translate("kvlab", "--%1: “%2” is not a count. Write a whole number between 1 and %3.")
                .arg(option.names().constFirst(), text, QString::number(most)));
        return 1;
    }

    qint64 size(const QCommandLineOption &option)
    {
        const QString text = m_parser.value(option);
        const auto bytes = memory::parseSize(text);
        if (!bytes)
            complain(QCoreApplication::translate(
                "kvlab", "--%1: “%2” is not a size. Write a number with its unit, like 24GiB (2^30) or 80GB (10^9).")
                         .arg(option.names().constFirst(), text));
        return bytes.value_or(1);
    }

    void readModel()
    {
        if (m_parser.isSet(m_options.config))
            return readConfig();
        const QString name = m_parser.value(m_options.model);
        if (const memory::ModelSpec *model = memory::findModel(name))
            m_request.model = std::make_shared<memory::ModelSpec>(*model);
        if (name.isEmpty())
            complain(translated(QT_TRANSLATE_NOOP("kvlab", "Name a model with --model; kvlab models lists them.")));
        else if (m_request.model == nullptr)
            complain(
                QCoreApplication::translate("kvlab", "The list has no model “%1”; kvlab models shows it.").arg(name));
    }

    void readConfig()
    {
        if (m_parser.isSet(m_options.model))
            return complain(translated(
                QT_TRANSLATE_NOOP("kvlab", "--config takes one file and stands instead of --model; leave one out.")));
        const memory::ImportResult result = memory::importModelFile(m_parser.value(m_options.config));
        if (const auto *refusal = std::get_if<memory::Refusal>(&result))
            m_refusal = *refusal;
        else
            m_request.model = std::make_shared<memory::ModelSpec>(std::get<memory::ImportedModel>(result).model);
    }

    void readDevice()
    {
        if (m_parser.isSet(m_options.gpu) == m_parser.isSet(m_options.memory))
            return complain(translated(
                QT_TRANSLATE_NOOP("kvlab", "Name one device: --gpu NAME (kvlab gpus lists them) or --memory SIZE.")));
        if (m_parser.isSet(m_options.memory)) {
            m_request.budget.capacity = size(m_options.memory);
            m_request.device = m_parser.value(m_options.memory);
            return;
        }
        const QString text = m_parser.value(m_options.gpu);
        const QList<memory::GpuSpec> fitting = memory::findGpus(text);
        if (fitting.size() != 1) {
            QStringList names;
            for (const memory::GpuSpec &gpu : fitting)
                names << gpu.name;
            return complain(names.isEmpty()
                    ? QCoreApplication::translate("kvlab", "The list has no device “%1”; kvlab gpus shows it.")
                          .arg(text)
                    : QCoreApplication::translate("kvlab", "“%1” fits several devices: %2. Write more of the name.")
                          .arg(text, names.join(QStringLiteral(", "))));
        }
        if (!fitting.constFirst().memory_bytes)
            return complain(
                QCoreApplication::translate("kvlab", "How much memory “%1” has differs; say it with --memory SIZE.")
                    .arg(fitting.constFirst().name));
        m_request.device = fitting.constFirst().name;
        m_request.budget.capacity = *fitting.constFirst().memory_bytes;
    }

    std::optional<memory::CacheFormat> cacheFormat(const QCommandLineOption &option)
    {
        const auto format = memory::cacheFormatFromName(m_parser.value(option));
        if (!format)
            complain(QCoreApplication::translate("kvlab", "--%1 is one of %2, not “%3”.")
                         .arg(option.names().constFirst(), namesOf(memory::allCacheFormats(), formatName),
                             m_parser.value(option)));
        return format;
    }

    void readFormats()
    {
        m_request.query.kv_dtype = cacheFormat(m_options.kv_dtype).value_or(memory::CacheFormat::bf16);
        if (m_parser.isSet(m_options.v_dtype))
            m_request.query.v_dtype = cacheFormat(m_options.v_dtype);
        const auto engine = memory::engineFromName(m_parser.value(m_options.engine));
        if (!engine)
            complain(QCoreApplication::translate("kvlab", "--engine is one of %1, not “%2”.")
                         .arg(namesOf(memory::allEngines(), engineName), m_parser.value(m_options.engine)));
        m_request.engine = engine.value_or(memory::Engine::ideal);
        const auto output = outputFromName(m_parser.value(m_options.format));
        if (!output || *output == Output::csv)
            complain(QCoreApplication::translate("kvlab", "--format is table or json, not “%1”.")
                         .arg(m_parser.value(m_options.format)));
        m_request.output = output.value_or(Output::table);
    }

    void readShare()
    {
        bool is_number = false;
        const double share = m_parser.value(m_options.util).toDouble(&is_number);
        if (!is_number || !(share >= 0.001 && share <= 1.0))
            return complain(QCoreApplication::translate("kvlab", "--util is a share between 0.001 and 1, not “%1”.")
                                .arg(m_parser.value(m_options.util)));
        m_request.budget.util_permille = std::lround(share * 1000);
    }

    void readWeights()
    {
        Bytes all = 1;
        if (m_parser.isSet(m_options.weights)) {
            all = size(m_options.weights);
            m_request.weights_source = QStringLiteral("--weights");
        } else if (m_request.model && m_request.model->weight_bytes && !m_parser.isSet(m_options.weights_dtype)) {
            all = *m_request.model->weight_bytes;
            m_request.weights_source = translated(QT_TRANSLATE_NOOP("kvlab", "size in the model's files"));
        } else {
            const auto format = memory::weightFormatFromName(m_parser.value(m_options.weights_dtype));
            if (!format)
                return complain(
                    QCoreApplication::translate("kvlab", "--weights-dtype is one of %1, not “%2”.")
                        .arg(namesOf(memory::weightFormats(), weightName), m_parser.value(m_options.weights_dtype)));
            if (m_request.model == nullptr)
                return;
            if (!m_request.model->params)
                return complain(QCoreApplication::translate("kvlab",
                    "How many parameters %1 has is not known exactly, so its weights cannot be counted. Say their size "
                    "with --weights, for example the size of the model's files.")
                                    .arg(m_request.model->name));
            all = memory::weightBytes(*m_request.model->params, *format);
            m_request.weights_source = QStringLiteral("%1 × %2 bit")
                                           .arg(QString::number(*m_request.model->params),
                                               QString::number(static_cast<double>(format->bits_e4) / 10'000));
        }
        m_request.budget.weights = (all + m_request.gpus - 1) / m_request.gpus;
    }

    const Options &m_options;
    const QCommandLineParser &m_parser;
    PlanRequest m_request;
    QString m_complaint;
    std::optional<memory::Refusal> m_refusal;
};

std::variant<memory::Plan, memory::Refusal> planned(const PlanRequest &request)
{
    const memory::AllocationProfile profile = memory::defaultProfile(request.engine);
    const memory::SequenceNeed need = [&](qint64 seq_len) -> std::variant<Bytes, memory::Refusal> {
        memory::MemoryQuery query = request.query;
        query.seq_len = seq_len;
        query.batch = 1;
        const memory::Allocation allocation = memory::allocate(*request.model, query, profile);
        if (const auto *refusal = std::get_if<memory::Refusal>(&allocation))
            return *refusal;
        return std::get<memory::Allocated>(allocation).bytes;
    };
    return memory::plan(
        {memory::cacheBudget(request.budget), request.query.seq_len, request.query.batch, request.model->max_position},
        need);
}

QJsonObject planJson(const PlanRequest &request, const memory::Plan &plan)
{
    return {{QStringLiteral("model"), request.model->name}, {QStringLiteral("gpu"), request.device},
        {QStringLiteral("gpus"), request.gpus}, {QStringLiteral("capacity_bytes"), bytesJson(request.budget.capacity)},
        {QStringLiteral("util"), static_cast<double>(request.budget.util_permille) / 1000},
        {QStringLiteral("weights_bytes"), bytesJson(request.budget.weights)},
        {QStringLiteral("weights_source"), request.weights_source},
        {QStringLiteral("overhead_bytes"), bytesJson(request.budget.overhead)},
        {QStringLiteral("budget_bytes"), bytesJson(memory::cacheBudget(request.budget))},
        {QStringLiteral("kv_dtype"), memory::cacheFormatName(request.query.kv_dtype)},
        {QStringLiteral("v_dtype"), memory::cacheFormatName(request.query.v_dtype.value_or(request.query.kv_dtype))},
        {QStringLiteral("engine"), memory::engineName(request.engine)},
        {QStringLiteral("seq_len"), request.query.seq_len}, {QStringLiteral("batch"), request.query.batch},
        {QStringLiteral("need_bytes"), bytesJson(plan.need)}, {QStringLiteral("fits"), plan.fits},
        {QStringLiteral("short_by_bytes"), bytesJson(plan.short_by)}, {QStringLiteral("max_batch"), plan.max_batch},
        {QStringLiteral("max_seq_len"), plan.max_seq_len},
        {QStringLiteral("limited_by"),
            plan.limited_by_position ? QStringLiteral("max_position") : QStringLiteral("memory")}};
}

QString sized(const Bytes &bytes)
{
    return QStringLiteral("%1 GiB").arg(memory::toGibString(bytes));
}

/// One line a thing, labels left.
QString planText(const PlanRequest &request, const memory::Plan &plan)
{
    const auto line
        = [](const QString &label, const QString &value) { return label + QStringLiteral(": ") + value + u'\n'; };
    QString text = line(translated(QT_TRANSLATE_NOOP("kvlab", "Memory of one device")), sized(request.budget.capacity));
    text += line(translated(QT_TRANSLATE_NOOP("kvlab", "Share the engine may use")),
        QString::number(static_cast<double>(request.budget.util_permille) / 1000));
    text += line(translated(QT_TRANSLATE_NOOP("kvlab", "Weights on one device (approximately)")),
        QStringLiteral("%1 (%2)").arg(sized(request.budget.weights), request.weights_source));
    text += line(translated(QT_TRANSLATE_NOOP("kvlab", "Overhead (a guess)")), sized(request.budget.overhead));
    text += line(
        translated(QT_TRANSLATE_NOOP("kvlab", "Left for the cache")), sized(memory::cacheBudget(request.budget)));
    text += line(QCoreApplication::translate("kvlab", "One sequence of %1 tokens (%2)")
                     .arg(QString::number(request.query.seq_len), memory::engineName(request.engine)),
        sized(plan.need));
    const QString batch = QCoreApplication::translate("kvlab", "Batch of %1").arg(QString::number(request.query.batch));
    text += line(batch,
        plan.fits ? translated(QT_TRANSLATE_NOOP("kvlab", "fits"))
                  : QCoreApplication::translate("kvlab", "short by %1").arg(sized(plan.short_by)));
    text += line(
        translated(QT_TRANSLATE_NOOP("kvlab", "Largest batch of that length")), QString::number(plan.max_batch));
    const QString length = QString::number(plan.max_seq_len);
    text += line(translated(QT_TRANSLATE_NOOP("kvlab", "Longest length of that batch")),
        plan.limited_by_position ? QCoreApplication::translate("kvlab", "%1, the model's own limit").arg(length)
                                 : length);
    return text;
}

} // namespace

int kvlab::cli::runPlan(const QStringList &arguments)
{
    Options options;
    if (const auto code = parseArguments(options.parser, arguments))
        return *code;
    Reader reader(options);
    const auto request = reader.read();
    if (!request)
        return fail(exitUsage, reader.complaint());
    if (reader.refusal())
        return fail(exitInputRefused, reader.refusal()->message);
    const auto answer = planned(*request);
    if (const auto *refusal = std::get_if<memory::Refusal>(&answer))
        return fail(exitInputRefused, refusal->message);
    const auto &plan = std::get<memory::Plan>(answer);
    if (request->output == Output::json)
        standardOutput() << QJsonDocument(planJson(*request, plan)).toJson(QJsonDocument::Indented);
    else
        standardOutput() << planText(*request, plan);
    return flushed(exitDone);
}
