// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session.h"

#include "memory/model_json.h"
#include "session/csv.h"
#include "session/samples_export.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QSysInfo>

namespace kvlab::session {

namespace {

using memory::MemoryRow;

constexpr qint64 maxSessionBytes = 64 * 1024 * 1024;
constexpr int sessionVersion = 1;

SessionError refuse(const QString &message)
{
    return {message};
}

SessionError tooLarge()
{
    return refuse(QCoreApplication::translate(
        "session", "The session is larger than 64 MiB, which no session of this program is. Choose another file."));
}

/// A row's complaint names the row as the table counts it, and the field.
SessionError badField(qsizetype row, const QString &field, const QString &wanted)
{
    return refuse(QCoreApplication::translate("session",
        "Row %1 of the session cannot be read: the field “%2” must be %3. Correct it in the file, or "
        "open another session.")
                      .arg(QString::number(row), field, wanted));
}

/// A whole number between 1 and `largest`, or the complaint.
std::variant<qint64, SessionError> readCount(
    const QJsonObject &object, qsizetype row, const QString &field, qint64 largest)
{
    const qint64 value = object.value(field).toInteger(0);
    if (value >= 1 && value <= largest)
        return value;
    //: fills “the field must be …”
    return badField(row, field,
        QCoreApplication::translate("session", "a whole number between 1 and %1").arg(QLocale().toString(largest)));
}

std::variant<MemoryRow, SessionError> readRow(const QJsonValue &value, qsizetype number)
{
    if (!value.isObject())
        return refuse(QCoreApplication::translate("session",
            "Row %1 of the session is not an object, so it cannot be read. Correct it in the file, or open "
            "another session.")
                          .arg(number));
    const QJsonObject object = value.toObject();
    const QJsonValue model = object.value(QLatin1String("model"));
    if (!model.isString())
        //: fills “the field must be …”
        return badField(number, QStringLiteral("model"), QCoreApplication::translate("session", "the name of a model"));
    const auto seq_len = readCount(object, number, QStringLiteral("seq_len"), memory::maxSeqLen);
    if (const auto *error = std::get_if<SessionError>(&seq_len))
        return *error;
    const auto batch = readCount(object, number, QStringLiteral("batch"), memory::maxBatch);
    if (const auto *error = std::get_if<SessionError>(&batch))
        return *error;
    const auto kv_dtype = memory::cacheFormatFromName(object.value(QLatin1String("kv_dtype")).toString());
    if (!kv_dtype) {
        QStringList names;
        for (const memory::CacheFormat format : memory::allCacheFormats())
            names << memory::cacheFormatName(format);
        //: fills “the field must be …”; %1 is a list of names
        return badField(number, QStringLiteral("kv_dtype"),
            QCoreApplication::translate("session", "one of %1").arg(names.join(QStringLiteral(", "))));
    }
    return MemoryRow{model.toString(), std::get<qint64>(seq_len), std::get<qint64>(batch), *kv_dtype};
}

/// nullopt when the document is a session that this version reads.
std::optional<SessionError> checkHeader(const QJsonObject &object)
{
    if (object.value(QLatin1String("format")).toString() != QLatin1String("kvlab"))
        return refuse(QCoreApplication::translate(
            "session", "The file is JSON, but not a session of KV Cache Lab. Choose a .kvlab file."));
    const qint64 version = object.value(QLatin1String("version")).toInteger(0);
    if (version < 1)
        return refuse(QCoreApplication::translate(
            "session", "The session does not say its version, so it cannot be read safely. Choose another file."));
    if (version > sessionVersion)
        return refuse(QCoreApplication::translate("session",
            "The session was written by a newer version of KV Cache Lab (format %1; this one reads %2). "
            "Update the program to open it.")
                          .arg(version)
                          .arg(sessionVersion));
    if (!object.value(QLatin1String("rows")).isArray())
        return refuse(QCoreApplication::translate(
            "session", "The session has no list of rows, so it is damaged. Choose another file."));
    const QJsonValue run = object.value(QLatin1String("run"));
    if (!run.isUndefined() && !run.isObject())
        return refuse(QCoreApplication::translate(
            "session", "The run in the session is not an object, so the session is damaged. Choose another file."));
    const QJsonValue lab = object.value(QLatin1String("lab"));
    if (!lab.isUndefined() && !lab.isObject())
        return refuse(QCoreApplication::translate(
            "session", "The lab in the session is not an object, so the session is damaged. Choose another file."));
    return std::nullopt;
}

std::optional<SessionError> readModels(const QJsonValue &models, memory::ModelLibrary &library)
{
    if (!models.isUndefined() && !models.isArray())
        return refuse(QCoreApplication::translate(
            "session", "The models in the session are not a list, so the session is damaged. Choose another file."));
    for (const QJsonValue &value : models.toArray()) {
        const auto model = memory::modelFromJson(value.toObject());
        if (const auto *error = std::get_if<QString>(&model))
            return refuse(
                QCoreApplication::translate("session", "A model in the session cannot be read. %1").arg(*error));
        library.add(std::get<memory::ModelSpec>(model));
    }
    return std::nullopt;
}

QJsonObject rowToJson(const MemoryRow &row)
{
    return {{QStringLiteral("model"), row.model}, {QStringLiteral("seq_len"), row.seq_len},
        {QStringLiteral("batch"), row.batch}, {QStringLiteral("kv_dtype"), memory::cacheFormatName(row.kv_dtype)}};
}

} // namespace

QString computerId()
{
    constexpr qsizetype digits = 12;
    const QByteArray hash
        = QCryptographicHash::hash("kvlab" + QSysInfo::machineUniqueId(), QCryptographicHash::Sha256).toHex();
    return QString::fromLatin1(hash.left(digits));
}

bool Session::measuredElsewhere() const
{
    return run && !computer.isEmpty() && computer != computerId();
}

std::variant<Session, SessionError> sessionFromJson(const QByteArray &json)
{
    if (json.size() > maxSessionBytes)
        return tooLarge();
    QJsonParseError parse_error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &parse_error);
    if (parse_error.error != QJsonParseError::NoError)
        return refuse(QCoreApplication::translate("session",
            "The file is not a session of KV Cache Lab: it cannot be read as JSON (byte %1: %2). Choose another file.")
                          .arg(QString::number(parse_error.offset), parse_error.errorString()));
    // A list or a number has no header either.
    const QJsonObject object = document.object();
    if (const auto error = checkHeader(object))
        return *error;

    Session session;
    session.computer = object.value(QLatin1String("computer")).toString();
    session.planner = object.value(QLatin1String("planner")).toObject();
    if (const auto error = readModels(object.value(QLatin1String("models")), session.library))
        return *error;
    for (const QJsonValue &value : object.value(QLatin1String("rows")).toArray()) {
        const auto row = readRow(value, session.rows.size() + 1);
        if (const auto *error = std::get_if<SessionError>(&row))
            return *error;
        session.rows << std::get<MemoryRow>(row);
    }
    if (const QJsonValue run = object.value(QLatin1String("run")); run.isObject()) {
        const auto read = runFromJson(run.toObject());
        if (const auto *error = std::get_if<QString>(&read))
            return refuse(
                QCoreApplication::translate("session", "The run in the session cannot be read. %1").arg(*error));
        session.run = std::get<experiment::RunResult>(read);
    }
    const auto runs = keptRunsFromJson(object.value(QLatin1String("runs")).toArray(), session.run);
    if (const auto *error = std::get_if<QString>(&runs))
        return refuse(
            QCoreApplication::translate("session", "An earlier run in the session cannot be read. %1").arg(*error));
    session.runs = std::get<QList<KeptRun>>(runs);
    if (const QJsonValue state = object.value(QLatin1String("lab")); !state.isUndefined()) {
        const auto read = lab::labStateFromJson(state.toObject());
        if (const auto *error = std::get_if<QString>(&read))
            return refuse(
                QCoreApplication::translate("session", "The lab in the session cannot be read. %1").arg(*error));
        session.lab = std::get<lab::LabState>(read);
    }
    return session;
}

std::variant<Session, SessionError> loadSession(const QString &path)
{
    const QString shown = QDir::toNativeSeparators(path);
    const QFileInfo info(path);
    if (!info.exists())
        return refuse(QCoreApplication::translate(
            "session", "“%1” was not opened, because there is no such file. Choose another file.")
                          .arg(shown));
    if (!info.isFile())
        return refuse(QCoreApplication::translate(
            "session", "“%1” was not opened, because it is not a file. Choose a .kvlab file.")
                          .arg(shown));
    if (info.size() > maxSessionBytes)
        return tooLarge();
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return refuse(QCoreApplication::translate(
            "session", "“%1” was not opened: %2. Get the right to read it, or choose another file.")
                          .arg(shown, file.errorString()));
    // One byte more than allowed shows a file that grew after it was measured.
    return sessionFromJson(file.read(maxSessionBytes + 1));
}

QByteArray sessionToJson(const Session &session)
{
    QJsonArray rows;
    for (const MemoryRow &row : session.rows)
        rows << rowToJson(row);
    QJsonObject object{{QStringLiteral("format"), QStringLiteral("kvlab")}, {QStringLiteral("version"), sessionVersion},
        {QStringLiteral("rows"), rows}};
    QJsonArray models;
    for (const auto &model : session.library.imported())
        models << memory::modelToJson(*model);
    if (!models.isEmpty())
        object.insert(QStringLiteral("models"), models);
    if (!session.planner.isEmpty())
        object.insert(QStringLiteral("planner"), session.planner);
    if (session.run) {
        object.insert(QStringLiteral("run"), runToJson(*session.run));
        // A run that was measured elsewhere stays so, whoever saves it again.
        object.insert(QStringLiteral("computer"), session.computer.isEmpty() ? computerId() : session.computer);
    }
    const QJsonArray runs = keptRunsToJson(session.runs, session.run);
    if (!runs.isEmpty())
        object.insert(QStringLiteral("runs"), runs);
    if (!session.lab.isEmpty())
        object.insert(QStringLiteral("lab"), lab::labStateToJson(session.lab));
    return QJsonDocument(object).toJson(QJsonDocument::Indented);
}

std::optional<SessionError> saveSession(const QString &path, const Session &session)
{
    if (const auto error = writeFileAtomically(path, sessionToJson(session)))
        return refuse(*error);
    return std::nullopt;
}

QByteArray rowsToCsv(const QList<MemoryRow> &rows, const memory::ModelLibrary &library)
{
    CsvWriter csv;
    csv.addRow({QStringLiteral("model"), QStringLiteral("seq_len"), QStringLiteral("batch"), QStringLiteral("kv_dtype"),
        QStringLiteral("kv_bytes"), QStringLiteral("kv_gib"), QStringLiteral("bytes_per_token")});
    for (const MemoryRow &row : rows) {
        const memory::Estimate estimate = memory::estimateRow(row, library);
        std::optional<QString> bytes;
        std::optional<QString> gib;
        std::optional<QString> per_token;
        if (const auto *result = std::get_if<memory::MemoryResult>(&estimate)) {
            bytes = memory::toDecimalString(result->bytes);
            gib = memory::toGibString(result->bytes);
            per_token = memory::toDecimalString(result->bytes_per_token);
        }
        csv.addRow({csvTextCell(row.model), QString::number(row.seq_len), QString::number(row.batch),
            csvTextCell(memory::cacheFormatName(row.kv_dtype)), csvNumberCell(bytes), csvNumberCell(gib),
            csvNumberCell(per_token)});
    }
    return csv.toUtf8();
}

} // namespace kvlab::session
