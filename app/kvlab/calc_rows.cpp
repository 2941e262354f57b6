// SPDX-License-Identifier: GPL-3.0-or-later
#include "calc_rows.h"

#include "commands.h"
#include "options.h"
#include "row_figures.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QMap>

namespace kvlab::cli {

namespace {

using memory::Refusal;

constexpr qint64 maxFileBytes = 64 * 1024 * 1024;

/// Numbers and decimal strings compare as texts: exact whatever their size.
QString figureText(const QJsonValue &value)
{
    if (value.isBool())
        return value.toBool() ? QStringLiteral("true") : QStringLiteral("false");
    if (value.isDouble() && value.toDouble() == static_cast<double>(value.toInteger()))
        return QString::number(value.toInteger());
    if (value.isArray())
        return QString::fromUtf8(QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact));
    return value.isString() ? value.toString() : QStringLiteral("not a figure");
}

struct Outcome
{
    QString result; ///< "passed", "failed", "unsupported"
    QJsonObject got;
    std::optional<Refusal> refusal;
};

Outcome check(const RowQuestion &question, const QJsonObject &expect)
{
    const auto got = figures(question, expect);
    if (const auto *refusal = std::get_if<Refusal>(&got))
        return {QStringLiteral("unsupported"), {}, *refusal};
    Outcome outcome{QStringLiteral("passed"), std::get<QJsonObject>(got), std::nullopt};
    for (const QString &name : expect.keys()) {
        if (figureText(outcome.got.value(name)) != figureText(expect.value(name)))
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

int checkReferenceRows(const QString &path)
{
    const auto read = readRows(path);
    if (const auto *error = std::get_if<QString>(&read))
        return fail(exitInputRefused, *error);
    QJsonArray rows = std::get<QJsonArray>(read);
    Counts counts;
    for (qsizetype i = 0; i < rows.size(); ++i) {
        QJsonObject row = rows.at(i).toObject();
        const auto reading = readRow(row);
        if (const auto *bad = std::get_if<BadRow>(&reading))
            return fail(exitInputRefused,
                QCoreApplication::translate("kvlab", "Row %1 of “%2” cannot be used: %3. Correct the file.")
                    .arg(QString::number(i + 1), path, bad->message));
        const auto *refusal = std::get_if<Refusal>(&reading);
        const Outcome outcome = refusal != nullptr
            ? Outcome{QStringLiteral("unsupported"), {}, *refusal}
            : check(std::get<RowQuestion>(reading), row.value(QLatin1String("expect")).toObject());
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
