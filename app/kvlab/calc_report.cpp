// SPDX-License-Identifier: GPL-3.0-or-later
#include "calc_report.h"

#include "listing.h"
#include "row_figures.h"

#include "memory/model_json.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>

#include <array>

namespace kvlab::cli {

namespace {

QString bytesPerToken(const QString &model)
{
    const memory::Estimate estimate = memory::estimateRow({model, 1, 1, memory::CacheFormat::bf16});
    return memory::toDecimalString(std::get<memory::MemoryResult>(estimate).bytes_per_token);
}

/// DeepSeek V4: what its authors say that it keeps.
QString modelOnlyNote(const memory::ModelSpec &model)
{
    const bool compressed = std::any_of(model.caches.cbegin(), model.caches.cend(),
        [](const auto &cache) { return std::holds_alternative<memory::CompressedAttention>(cache); });
    if (!compressed)
        return {};
    return QCoreApplication::translate("kvlab", "the published model of its compressed cache, not an allocation");
}

/// Empty unless engines would refuse the tensor parallel size because of the query heads.
QString queryHeadsNote(const memory::ModelSpec &model, qint64 tp)
{
    if (!model.num_attention_heads || *model.num_attention_heads % tp == 0)
        return {};
    return QCoreApplication::translate(
        "kvlab", "%1 query heads cannot be divided over %2 ranks: engines refuse to start so")
        .arg(QString::number(*model.num_attention_heads), QString::number(tp));
}

QString noteOf(const CalcLine &line)
{
    if (line.refusal() != nullptr)
        return line.refusal()->message;
    if (const QString note = queryHeadsNote(*line.model, line.settings.tp); !note.isEmpty())
        return note;
    if (const QString note = modelOnlyNote(*line.model); !note.isEmpty())
        return note;
    if (line.model != nullptr && line.model->teaching_only)
        return QCoreApplication::translate("kvlab", "the handout's figure: 3.56 times too much");
    return {};
}

/// One column of the table and of the CSV file; a figure is empty where there is none.
struct Column
{
    const char *name;
    bool is_text;
    bool in_every_table; ///< else only when some row has something to say there
    QString (*cell)(const CalcLine &line);
};

QString figureOf(const CalcLine &line, memory::Bytes memory::MemoryResult::*field)
{
    return line.result() == nullptr ? QString() : memory::toDecimalString(line.result()->*field);
}

const std::array columns{
    Column{"model", true, true, [](const CalcLine &line) { return line.row.model; }},
    Column{"seq_len", false, true, [](const CalcLine &line) { return QString::number(line.row.seq_len); }},
    Column{"batch", false, true, [](const CalcLine &line) { return QString::number(line.row.batch); }},
    Column{"kv_dtype", true, true, [](const CalcLine &line) { return memory::cacheFormatName(line.row.kv_dtype); }},
    Column{"v_dtype", true, false,
        [](const CalcLine &line) {
            return memory::cacheFormatName(line.settings.v_dtype.value_or(line.row.kv_dtype));
        }},
    Column{"tp", false, false, [](const CalcLine &line) { return QString::number(line.settings.tp); }},
    Column{"kv_bytes", false, true, [](const CalcLine &line) { return figureOf(line, &memory::MemoryResult::bytes); }},
    Column{"kv_gib", false, true,
        [](const CalcLine &line) {
            return line.result() == nullptr ? QString() : memory::toGibString(line.result()->bytes);
        }},
    Column{"bytes_per_token", false, true,
        [](const CalcLine &line) { return figureOf(line, &memory::MemoryResult::bytes_per_token); }},
    Column{"bytes_per_token_above_window", false, false,
        [](const CalcLine &line) { return figureOf(line, &memory::MemoryResult::bytes_per_token_above_window); }},
    Column{"fixed_bytes_per_sequence", false, false,
        [](const CalcLine &line) { return figureOf(line, &memory::MemoryResult::fixed_bytes_per_sequence); }},
    Column{"engine", true, false, [](const CalcLine &line) { return memory::engineName(line.settings.engine); }},
    Column{"allocated_bytes", false, false,
        [](const CalcLine &line) {
            return line.result() == nullptr ? QString() : memory::toDecimalString(line.allocated);
        }},
    Column{"note", true, true, noteOf},
};

/// Does some row differ here from what the columns of every table say already?
bool isNeeded(const Column &column, const QList<CalcLine> &lines)
{
    const QLatin1String name(column.name);
    return column.in_every_table || std::any_of(lines.cbegin(), lines.cend(), [name](const CalcLine &line) {
        if (name == QLatin1String("v_dtype"))
            return line.settings.v_dtype.has_value();
        if (name == QLatin1String("tp"))
            return line.settings.tp > 1;
        if (line.result() == nullptr)
            return false;
        if (name == QLatin1String("bytes_per_token_above_window"))
            return line.result()->bytes_per_token_above_window != line.result()->bytes_per_token;
        if (name == QLatin1String("fixed_bytes_per_sequence"))
            return line.result()->fixed_bytes_per_sequence > 0;
        return line.settings.engine != memory::Engine::ideal;
    });
}

Listing listing(const QList<CalcLine> &lines, bool everything)
{
    Listing listing;
    QList<const Column *> shown;
    for (const Column &column : columns) {
        if (!everything && !isNeeded(column, lines))
            continue;
        shown << &column;
        listing.names << QLatin1String(column.name);
        listing.is_text << column.is_text;
        listing.may_be_empty << (column.cell == noteOf);
    }
    for (const CalcLine &line : lines) {
        QStringList cells;
        for (const Column *column : shown)
            cells << column->cell(line);
        listing.rows << cells;
    }
    return listing;
}

QJsonObject refusalJson(const memory::Refusal &refusal)
{
    return {{QStringLiteral("result"), QStringLiteral("refuse")}, {QStringLiteral("reason"), refusal.reason},
        {QStringLiteral("message"), refusal.message}};
}

QJsonObject rowJson(const CalcLine &line)
{
    QJsonObject object{{QStringLiteral("model"), line.row.model}, {QStringLiteral("seq_len"), line.row.seq_len},
        {QStringLiteral("batch"), line.row.batch},
        {QStringLiteral("kv_dtype"), memory::cacheFormatName(line.row.kv_dtype)},
        {QStringLiteral("v_dtype"), memory::cacheFormatName(line.settings.v_dtype.value_or(line.row.kv_dtype))},
        {QStringLiteral("tp"), line.settings.tp}, {QStringLiteral("engine"), memory::engineName(line.settings.engine)}};
    if (const auto *result = line.result()) {
        object.insert(QStringLiteral("ideal_bytes"), bytesJson(result->bytes));
        object.insert(QStringLiteral("allocated_bytes"), bytesJson(line.allocated));
        object.insert(QStringLiteral("bytes_per_token"), bytesJson(result->bytes_per_token));
        object.insert(QStringLiteral("bytes_per_token_above_window"), bytesJson(result->bytes_per_token_above_window));
        object.insert(QStringLiteral("fixed_bytes_per_sequence"), bytesJson(result->fixed_bytes_per_sequence));
        object.insert(QStringLiteral("gib"), memory::toGibString(result->bytes));
    } else {
        object.insert(QStringLiteral("reason"), line.refusal()->reason);
        object.insert(QStringLiteral("message"), line.refusal()->message);
    }
    return object;
}

QJsonArray warningsOf(const memory::ModelSpec &model, const QList<CalcLine> &lines)
{
    QJsonArray warnings;
    const auto warn = [&warnings](const QString &field, const QString &text) {
        warnings << QJsonObject{{QStringLiteral("field"), field}, {QStringLiteral("text"), text}};
    };
    if (model.teaching_only)
        warn(QStringLiteral("architecture"), handoutNote());
    if (const QString text = modelOnlyNote(model); !text.isEmpty())
        warn(QStringLiteral("architecture"), text);
    if (const QString text = queryHeadsNote(model, lines.constFirst().settings.tp); !text.isEmpty())
        warn(QStringLiteral("num_attention_heads"), text);
    for (const CalcLine &line : lines) {
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

/// What a file adds to modelJson().
void insertImported(QJsonObject &object, const memory::ImportedModel &imported)
{
    QJsonArray warnings = object.value(QLatin1String("warnings")).toArray();
    for (const memory::ImportWarning &warning : imported.warnings)
        warnings << QJsonObject{{QStringLiteral("field"), warning.field}, {QStringLiteral("text"), warning.text}};
    object.insert(QStringLiteral("warnings"), warnings);
    object.insert(QStringLiteral("kv_dtype_default"), imported.kv_dtype_default);
    if (imported.kv_dtype_hint)
        object.insert(QStringLiteral("kv_dtype_hint"), *imported.kv_dtype_hint);
    QJsonObject sources;
    const QMap<QString, QString> &fields = imported.model.field_sources;
    for (auto field = fields.cbegin(); field != fields.cend(); ++field)
        sources.insert(field.key(), field.value());
    object.insert(QStringLiteral("field_sources"), sources);
    if (imported.model.params)
        object.insert(QStringLiteral("params"), *imported.model.params);
    if (imported.model.weight_bytes)
        object.insert(QStringLiteral("weight_bytes"), *imported.model.weight_bytes);
}

memory::Bytes stateBytes(const memory::MemoryResult &result)
{
    memory::Bytes bytes = 0;
    for (const memory::MemoryTerm &term : result.terms) {
        if (term.kind == QLatin1String("state"))
            bytes += term.bytes;
    }
    return bytes;
}

/// The shape for one model: what it is, then its rows.
QJsonObject modelJson(const memory::ModelSpec &model, const QList<CalcLine> &lines)
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
        object.insert(
            QStringLiteral("bytes_per_token_above_window_16bit"), bytesJson(per_token->bytes_per_token_above_window));
        if (const auto state = stateBytes(*per_token); state > 0)
            object.insert(QStringLiteral("state_bytes"), bytesJson(state));
    }
    return object;
}

} // namespace

CalcLine calcLine(const memory::ModelSpec &model, const memory::MemoryRow &row, const CalcSettings &settings)
{
    CalcLine line{row, settings, &model, {}, {}};
    line.row.model = model.name;
    memory::MemoryQuery query{row.seq_len, row.batch, row.kv_dtype};
    query.v_dtype = settings.v_dtype;
    query.tp = settings.tp;
    line.estimate = memory::estimate(model, query);
    if (line.result() == nullptr)
        return line;
    const memory::Allocation allocation = memory::allocate(model, query, memory::defaultProfile(settings.engine));
    if (const auto *refusal = std::get_if<memory::Refusal>(&allocation))
        line.estimate = *refusal;
    else
        line.allocated = std::get<memory::Allocated>(allocation).bytes;
    return line;
}

QString handoutNote()
{
    return QCoreApplication::translate("kvlab",
        "DeepSeek-V3 uses MLA: each layer keeps one latent of 512 + 64 values per token, without heads and "
        "without the factor 2, so 61 × 576 × 2 B = %1 B per token. The handout counts it like ordinary "
        "attention with 8 KV heads of 128 values, 2 × 61 × 8 × 128 × 2 B = %2 B per token: 3.56 times too much.")
        .arg(bytesPerToken(QStringLiteral("DeepSeek-V3")), bytesPerToken(memory::handoutDeepSeekName()));
}

QString tableText(const QList<CalcLine> &lines)
{
    return listing(lines, false).table();
}

QString csvText(const QList<CalcLine> &lines)
{
    return listing(lines, true).csv();
}

QString jsonText(const memory::Refusal &refusal)
{
    return QString::fromUtf8(QJsonDocument(refusalJson(refusal)).toJson(QJsonDocument::Indented));
}

QString jsonText(const QList<CalcLine> &lines, bool one_model, const memory::ImportedModel *imported)
{
    QJsonObject object;
    if (one_model && lines.constFirst().refusal() != nullptr) {
        object = refusalJson(*lines.constFirst().refusal());
    } else {
        if (one_model)
            object = modelJson(*lines.constFirst().model, lines);
        if (imported != nullptr)
            insertImported(object, *imported);
        QJsonArray rows;
        for (const CalcLine &line : lines)
            rows << rowJson(line);
        object.insert(QStringLiteral("rows"), rows);
    }
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Indented));
}

} // namespace kvlab::cli
