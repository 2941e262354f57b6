// SPDX-License-Identifier: GPL-3.0-or-later
// `kvlab models` and `kvlab gpus`: what the built-in lists hold.
#include "commands.h"
#include "listing.h"
#include "options.h"
#include "row_figures.h"

#include "memory/gpu_list.h"
#include "memory/model_list.h"

#include <QCoreApplication>
#include <QJsonDocument>

namespace {

using namespace kvlab;
using namespace kvlab::cli;

/// Parses `arguments` that know --format only, then prints. The JSON is an array of objects.
int printList(const QStringList &arguments, const QString &description, const Listing &listing, const QJsonArray &json)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(description);
    const QCommandLineOption format{QStringLiteral("format"),
        QCoreApplication::translate("kvlab", "table, csv or json."), QStringLiteral("FORMAT"), QStringLiteral("table")};
    parser.addOption(format);
    if (const auto code = parseArguments(parser, arguments))
        return *code;
    if (!parser.positionalArguments().isEmpty())
        return fail(exitUsage,
            QCoreApplication::translate("kvlab", "“%1” belongs to no option. Leave it out.")
                .arg(parser.positionalArguments().constFirst()));
    const auto output = outputFromName(parser.value(format));
    if (!output)
        return fail(exitUsage,
            QCoreApplication::translate("kvlab", "--format is table, csv or json, not “%1”.")
                .arg(parser.value(format)));
    if (*output == Output::table)
        standardOutput() << listing.table();
    else if (*output == Output::csv)
        standardOutput() << listing.csv();
    else
        standardOutput() << QJsonDocument(json).toJson(QJsonDocument::Indented);
    return flushed(exitDone);
}

QString shown(std::optional<qint64> number)
{
    return number ? QString::number(*number) : QString();
}

QJsonValue json(std::optional<qint64> number)
{
    return number ? QJsonValue(*number) : QJsonValue(QJsonValue::Null);
}

QStringList kindsOf(const memory::ModelSpec &model)
{
    QStringList kinds;
    for (const memory::CacheSpec &cache : model.caches) {
        if (const QString kind = memory::cacheKindName(cache); !kinds.contains(kind))
            kinds << kind;
    }
    return kinds;
}

void addModel(const memory::ModelSpec &model, Listing &listing, QJsonArray &array)
{
    const memory::Estimate estimate = memory::estimate(model, {1, 1, memory::CacheFormat::bf16});
    const auto *need = std::get_if<memory::MemoryResult>(&estimate);
    const auto bytes = [need](memory::Bytes memory::MemoryResult::*field) {
        return need == nullptr ? QJsonValue(QJsonValue::Null) : bytesJson(need->*field);
    };
    const QStringList kinds = kindsOf(model);
    const QJsonValue below = bytes(&memory::MemoryResult::bytes_per_token);
    const QJsonValue above = bytes(&memory::MemoryResult::bytes_per_token_above_window);
    const QJsonValue fixed = bytes(&memory::MemoryResult::fixed_bytes_per_sequence);
    const auto text = [](const QJsonValue &value) { return value.toVariant().toString(); };
    listing.rows << QStringList{model.id, model.name, shown(model.params), shown(model.num_layers),
        shown(model.max_position), kinds.join(u'+'), text(below), text(above), text(fixed)};
    array << QJsonObject{{QStringLiteral("id"), model.id}, {QStringLiteral("name"), model.name},
        {QStringLiteral("family"), model.family}, {QStringLiteral("params"), json(model.params)},
        {QStringLiteral("num_layers"), json(model.num_layers)},
        {QStringLiteral("max_position"), json(model.max_position)},
        {QStringLiteral("kinds"), QJsonArray::fromStringList(kinds)}, {QStringLiteral("bytes_per_token_16bit"), below},
        {QStringLiteral("bytes_per_token_above_window_16bit"), above},
        {QStringLiteral("fixed_bytes_per_sequence_16bit"), fixed},
        {QStringLiteral("teaching_only"), model.teaching_only}};
}

QString shown(std::optional<double> number)
{
    return number ? QString::number(*number) : QString();
}

void addGpu(const memory::GpuSpec &gpu, Listing &listing, QJsonArray &array)
{
    listing.rows << QStringList{gpu.name, shown(gpu.memory_gb), QString::number(gpu.memory_bandwidth_gb_s),
        QString::number(gpu.dense_tflops), gpu.host_link, shown(gpu.host_link_gb_s),
        gpu.unverified.join(QStringLiteral(", ")), gpu.note};
    const QJsonValue null(QJsonValue::Null);
    array << QJsonObject{{QStringLiteral("name"), gpu.name},
        {QStringLiteral("memory_gb"), gpu.memory_gb ? QJsonValue(*gpu.memory_gb) : null},
        {QStringLiteral("memory_bytes"), json(gpu.memory_bytes)},
        {QStringLiteral("memory_bandwidth_gb_s"), gpu.memory_bandwidth_gb_s},
        {QStringLiteral("dense_tflops"), gpu.dense_tflops}, {QStringLiteral("tflops_kind"), gpu.tflops_kind},
        {QStringLiteral("host_link"), gpu.host_link},
        {QStringLiteral("host_link_gb_s"), gpu.host_link_gb_s ? QJsonValue(*gpu.host_link_gb_s) : null},
        {QStringLiteral("unified_memory"), gpu.unified_memory},
        {QStringLiteral("unverified"), QJsonArray::fromStringList(gpu.unverified)}, {QStringLiteral("note"), gpu.note}};
}

} // namespace

int kvlab::cli::runModels(const QStringList &arguments)
{
    Listing listing;
    listing.names = QStringList{QStringLiteral("id"), QStringLiteral("name"), QStringLiteral("params"),
        QStringLiteral("num_layers"), QStringLiteral("max_position"), QStringLiteral("kinds"),
        QStringLiteral("bytes_per_token_16bit"), QStringLiteral("above_window"), QStringLiteral("fixed_per_sequence")};
    listing.is_text = {true, true, false, false, false, true, false, false, false};
    QJsonArray json;
    for (const memory::ModelSpec &model : memory::builtInModels())
        addModel(model, listing, json);
    return printList(arguments,
        QCoreApplication::translate("kvlab",
            "The built-in models: what they keep per token below and above their window, and per sequence, in bytes "
            "with a 16-bit cache.\n\nExample: kvlab models --format csv"),
        listing, json);
}

int kvlab::cli::runGpus(const QStringList &arguments)
{
    Listing listing;
    listing.names = QStringList{QStringLiteral("name"), QStringLiteral("memory_gb"),
        QStringLiteral("memory_bandwidth_gb_s"), QStringLiteral("dense_tflops"), QStringLiteral("host_link"),
        QStringLiteral("host_link_gb_s"), QStringLiteral("unverified"), QStringLiteral("note")};
    listing.is_text = {true, false, false, false, true, false, true, true};
    listing.may_be_empty = {false, false, false, false, false, false, true, true};
    QJsonArray json;
    for (const memory::GpuSpec &gpu : memory::builtInGpus())
        addGpu(gpu, listing, json);
    return printList(arguments,
        QCoreApplication::translate("kvlab",
            "The built-in devices, as sold; “unverified” names the figures that no public source confirmed.\n\n"
            "Example: kvlab gpus --format json"),
        listing, json);
}
