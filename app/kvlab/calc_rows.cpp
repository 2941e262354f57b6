// SPDX-License-Identifier: GPL-3.0-or-later
#include "calc_rows.h"

#include "commands.h"
#include "options.h"

#include "memory/model_json.h"
#include "memory/model_list.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonDocument>
#include <QMap>

namespace kvlab::cli {

namespace {

using memory::Refusal;

constexpr qint64 maxFileBytes = 64 * 1024 * 1024;

Refusal notComputed(const QString &what)
{
    return {QStringLiteral("unsupported_field"),
        QCoreApplication::translate("kvlab", "The row asks for “%1”, which this version does not compute.").arg(what)};
}

/// What a row asks for, in the calculator's own terms.
struct Question
{
    memory::ModelSpec model;
    memory::MemoryQuery query;
    QJsonObject expect;
};

/// A row that is not what its format promises: the file is at fault.
struct BadRow
{
    QString message;
};

using RowReading = std::variant<Question, Refusal, BadRow>;

/// The first member that is not in `known`: fail closed, so that a field that changes the figure is never overlooked.
std::optional<Refusal> unknownMember(const QJsonObject &object, const QStringList &known)
{
    for (const QString &key : object.keys()) {
        if (!known.contains(key))
            return notComputed(key);
    }
    return std::nullopt;
}

std::optional<Refusal> unsupportedSettings(const QJsonObject &row, const QJsonObject &inputs)
{
    static const QStringList row_members{QStringLiteral("id"), QStringLiteral("group"), QStringLiteral("label"),
        QStringLiteral("model"), QStringLiteral("architecture"), QStringLiteral("kv_dtype"), QStringLiteral("seq_len"),
        QStringLiteral("batch"), QStringLiteral("tp"), QStringLiteral("rounding"), QStringLiteral("expect"),
        QStringLiteral("inputs"), QStringLiteral("source"), QStringLiteral("published")};
    static const QStringList input_members{QStringLiteral("model"), QStringLiteral("architecture"),
        QStringLiteral("tokens"), QStringLiteral("blocks"), QStringLiteral("block_size"), QStringLiteral("tp")};
    if (auto refusal = unknownMember(row, row_members))
        return refusal;
    if (auto refusal = unknownMember(inputs, input_members))
        return refusal;
    for (const QJsonObject &object : {row, inputs}) {
        if (const QJsonValue tp = object.value(QLatin1String("tp")); !tp.isUndefined() && tp.toInteger() != 1)
            return notComputed(QStringLiteral("tp %1").arg(tp.toInteger()));
    }
    const QString rounding = row.value(QLatin1String("rounding")).toString(QStringLiteral("none"));
    if (rounding != QLatin1String("none"))
        return notComputed(QStringLiteral("rounding ") + rounding);
    return std::nullopt;
}

std::variant<memory::ModelSpec, Refusal, BadRow> readModel(const QJsonObject &object)
{
    if (const QJsonValue name = object.value(QLatin1String("model")); name.isString()) {
        if (const memory::ModelSpec *model = memory::findModel(name.toString()))
            return *model;
        return BadRow{QCoreApplication::translate("kvlab", "it names the model “%1”, which the list does not hold")
                          .arg(name.toString())};
    }
    const QJsonValue groups = object.value(QLatin1String("architecture"));
    if (!groups.isArray())
        return Refusal{QStringLiteral("no_model"),
            QCoreApplication::translate("kvlab", "The row names neither a model nor an architecture.")};
    const auto caches = memory::cachesFromJson(groups.toArray());
    if (const auto *error = std::get_if<QString>(&caches))
        return BadRow{*error};
    memory::ModelSpec model;
    model.name = QCoreApplication::translate("kvlab", "The row's architecture");
    model.caches = std::get<QList<memory::CacheSpec>>(caches);
    return model;
}

/// Packed MLA entries have a layout of their own, so the name of the format does not matter for them.
bool isPacked(const memory::ModelSpec &model)
{
    return std::all_of(model.caches.cbegin(), model.caches.cend(), [](const memory::CacheSpec &cache) {
        const auto *mla = std::get_if<memory::MlaLatent>(&cache);
        return mla != nullptr && mla->entry_bytes;
    });
}

/// Tokens of one sequence, counted in blocks in some published figures; nullopt when the row does not say.
std::optional<qint64> readTokens(const QJsonObject &row, const QJsonObject &inputs)
{
    const auto number = [](const QJsonObject &object, const QString &key) -> std::optional<qint64> {
        const QJsonValue value = object.value(key);
        const qint64 count = value.toInteger(-1);
        return value.isDouble() && count >= 0 && count <= memory::maxSeqLen ? std::optional(count) : std::nullopt;
    };
    if (const auto tokens = number(row, QStringLiteral("seq_len")))
        return tokens;
    if (const auto tokens = number(inputs, QStringLiteral("tokens")))
        return tokens;
    const auto block_size = number(inputs, QStringLiteral("block_size"));
    if (!block_size)
        return std::nullopt;
    if (!inputs.contains(QLatin1String("blocks")))
        return block_size;
    const auto blocks = number(inputs, QStringLiteral("blocks"));
    return blocks && *blocks <= memory::maxBatch && *block_size <= memory::maxBatch
        ? std::optional(*blocks * *block_size)
        : std::nullopt;
}

RowReading readRow(const QJsonObject &row)
{
    const QJsonObject inputs = row.value(QLatin1String("inputs")).toObject();
    if (const auto refusal = unsupportedSettings(row, inputs))
        return *refusal;
    const auto model = readModel(inputs.isEmpty() ? row : inputs);
    if (const auto *refusal = std::get_if<Refusal>(&model))
        return *refusal;
    if (const auto *bad = std::get_if<BadRow>(&model))
        return *bad;
    Question question{std::get<memory::ModelSpec>(model), {}, row.value(QLatin1String("expect")).toObject()};

    const QString dtype = row.value(QLatin1String("kv_dtype")).toString(QStringLiteral("bf16"));
    const auto format = memory::cacheFormatFromName(dtype);
    if (!format && !isPacked(question.model))
        return Refusal{QStringLiteral("unsupported_format"),
            QCoreApplication::translate("kvlab", "The cache format “%1” is not computed by this version.").arg(dtype)};
    question.query.kv_dtype = format.value_or(memory::CacheFormat::bf16);

    const auto tokens = readTokens(row, inputs);
    if (!tokens)
        return BadRow{QCoreApplication::translate(
            "kvlab", "it does not say how many tokens a sequence has, in a range that can be computed")};
    question.query.seq_len = *tokens;
    const QJsonValue batch = row.value(QLatin1String("batch"));
    question.query.batch = batch.isUndefined() ? 1 : batch.toInteger(-1);
    if (question.query.batch < 0 || question.query.batch > memory::maxBatch)
        return BadRow{QCoreApplication::translate("kvlab", "its batch cannot be computed")};
    if (question.expect.isEmpty())
        return BadRow{QCoreApplication::translate("kvlab", "it expects nothing")};
    return question;
}

/// Digits after the point, as the expected text shows them; no figure has more than 30.
int decimalsOf(const QJsonValue &text)
{
    const QString shown = text.toString();
    const qsizetype point = shown.indexOf(u'.');
    return point < 0 ? 0 : static_cast<int>(std::min<qsizetype>(shown.size() - point - 1, 30));
}

/// One figure under its name in the file; undefined when this version has no such figure.
QJsonValue figure(const QString &name, const Question &question, const memory::MemoryResult &result)
{
    const QJsonValue expected = question.expect.value(name);
    const memory::Bytes &bytes = result.bytes;
    if (name == QLatin1String("total_bytes") || name == QLatin1String("kv_bytes"))
        return bytesJson(bytes);
    if (name.startsWith(QLatin1String("bytes_per_token")))
        return bytesJson(result.bytes_per_token);
    if (name == QLatin1String("tokens_per_sequence"))
        return question.query.seq_len;
    if (name.startsWith(QLatin1String("gib")))
        return memory::toUnitString(bytes, 30, decimalsOf(expected));
    if (name == QLatin1String("mib"))
        return memory::toUnitString(bytes, 20, decimalsOf(expected));
    if (name == QLatin1String("kib"))
        return memory::toUnitString(bytes, 10, decimalsOf(expected));
    if (name == QLatin1String("mib_tenths_floor"))
        return bytesJson(memory::Bytes(bytes * 10 / (1 << 20)));
    if (name == QLatin1String("exceeds_2_53"))
        return bytes > (memory::Bytes(1) << 53);
    if (name == QLatin1String("exceeds_int64"))
        return bytes > std::numeric_limits<qint64>::max();
    // One rank holds every head, so any count of them divides.
    if (name == QLatin1String("query_heads_divisible") && question.model.num_attention_heads)
        return true;
    return QJsonValue(QJsonValue::Undefined);
}

/// Numbers and decimal strings compare as texts: exact whatever their size.
QString figureText(const QJsonValue &value)
{
    if (value.isBool())
        return value.toBool() ? QStringLiteral("true") : QStringLiteral("false");
    if (value.isDouble() && value.toDouble() == static_cast<double>(value.toInteger()))
        return QString::number(value.toInteger());
    return value.isString() ? value.toString() : QStringLiteral("not a figure");
}

struct Outcome
{
    QString result; ///< "passed", "failed", "unsupported"
    QJsonObject got;
    std::optional<Refusal> refusal;
};

Outcome check(const Question &question)
{
    const memory::Estimate estimate = memory::cacheNeed(question.model, question.query);
    if (const auto *refusal = std::get_if<Refusal>(&estimate)) {
        const bool unsupported = refusal->reason == QLatin1String("unsupported_cache_kind");
        return {unsupported ? QStringLiteral("unsupported") : QStringLiteral("failed"), {}, *refusal};
    }
    Outcome outcome{QStringLiteral("passed"), {}, std::nullopt};
    for (const QString &name : question.expect.keys()) {
        const QJsonValue got = figure(name, question, std::get<memory::MemoryResult>(estimate));
        if (got.isUndefined())
            return {QStringLiteral("unsupported"), {}, notComputed(name)};
        outcome.got.insert(name, got);
        if (figureText(got) != figureText(question.expect.value(name)))
            outcome.result = QStringLiteral("failed");
    }
    return outcome;
}

std::variant<QJsonArray, QString> readRows(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return QCoreApplication::translate("kvlab", "“%1” was not read: %2. Name a file of reference rows.")
            .arg(path, file.errorString());
    if (file.size() > maxFileBytes)
        return QCoreApplication::translate(
            "kvlab", "“%1” is larger than 64 MiB, which no file of reference rows is. Name another file.")
            .arg(path);
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &error);
    if (error.error != QJsonParseError::NoError)
        return QCoreApplication::translate(
            "kvlab", "“%1” cannot be read as JSON (byte %2: %3). Correct it, or name a file of reference rows.")
            .arg(path, QString::number(error.offset), error.errorString());
    if (!document.isArray())
        return QCoreApplication::translate("kvlab", "“%1” is not a list of rows. Name a file of reference rows.")
            .arg(path);
    return document.array();
}

struct Counts
{
    QMap<QString, int> results;
    QMap<QString, int> reasons; ///< of the unsupported rows

    void add(const Outcome &outcome)
    {
        ++results[outcome.result];
        if (outcome.result == QLatin1String("unsupported"))
            ++reasons[outcome.refusal->reason];
    }
};

void report(const QJsonArray &rows, const Counts &counts)
{
    QJsonObject object{{QStringLiteral("rows"), rows}};
    for (const QString &result : {QStringLiteral("passed"), QStringLiteral("failed"), QStringLiteral("unsupported")})
        object.insert(result, counts.results.value(result));
    standardOutput() << QJsonDocument(object).toJson(QJsonDocument::Indented);
    standardError() << QCoreApplication::translate(
        "kvlab", "Rows that match to the byte: %1. Rows that differ: %2. Rows this version does not compute: %3.")
                           .arg(counts.results.value(QStringLiteral("passed")))
                           .arg(counts.results.value(QStringLiteral("failed")))
                           .arg(counts.results.value(QStringLiteral("unsupported")))
                    << '\n';
    for (const QJsonValue &row : rows) {
        if (row[QLatin1String("result")].toString() == QLatin1String("failed"))
            standardError()
                << QCoreApplication::translate("kvlab", "  differs: %1").arg(row[QLatin1String("id")].toString())
                << '\n';
    }
    for (auto reason = counts.reasons.cbegin(); reason != counts.reasons.cend(); ++reason)
        standardError() << "  " << reason.key() << ": " << reason.value() << '\n';
    standardError().flush();
}

} // namespace

QJsonValue bytesJson(const memory::Bytes &bytes)
{
    if (bytes <= (memory::Bytes(1) << 53))
        return bytes.convert_to<qint64>();
    return memory::toDecimalString(bytes);
}

int checkReferenceRows(const QString &path)
{
    const auto read = readRows(path);
    if (const auto *error = std::get_if<QString>(&read))
        return fail(exitInputRefused, *error);
    QJsonArray rows = std::get<QJsonArray>(read);
    Counts counts;
    for (qsizetype i = 0; i < rows.size(); ++i) {
        QJsonObject row = rows.at(i).toObject();
        const RowReading reading = readRow(row);
        if (const auto *bad = std::get_if<BadRow>(&reading))
            return fail(exitInputRefused,
                QCoreApplication::translate("kvlab", "Row %1 of “%2” cannot be used: %3. Correct the file.")
                    .arg(QString::number(i + 1), path, bad->message));
        const auto *refusal = std::get_if<Refusal>(&reading);
        const Outcome outcome = refusal != nullptr ? Outcome{QStringLiteral("unsupported"), {}, *refusal}
                                                   : check(std::get<Question>(reading));
        row.insert(QStringLiteral("result"), outcome.result);
        if (!outcome.got.isEmpty())
            row.insert(QStringLiteral("got"), outcome.got);
        if (outcome.refusal) {
            row.insert(QStringLiteral("reason"), outcome.refusal->reason);
            row.insert(QStringLiteral("message"), outcome.refusal->message);
        }
        rows[i] = row;
        counts.add(outcome);
    }
    report(rows, counts);
    return counts.results.value(QStringLiteral("failed")) > 0 ? exitContradicted : exitDone;
}

} // namespace kvlab::cli
