// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/autosave.h"

#include "experiment/summary.h"
#include "session/csv.h"
#include "session/samples_export.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QStandardPaths>
#include <QUuid>

#include <algorithm>

namespace kvlab::session {

namespace {

const QString pathKey = QStringLiteral("document_path");
constexpr qint64 maxJournalBytes = 1024LL * 1024 * 1024;

QString file(const QString &folder, const QString &id, const char *suffix)
{
    return folder + QLatin1Char('/') + id + QLatin1String(suffix);
}

std::unique_ptr<QLockFile> lockOf(const QString &folder, const QString &id)
{
    auto lock = std::make_unique<QLockFile>(file(folder, id, ".lock"));
    lock->setStaleLockTime(0); // age says nothing: a program may stand open for days
    return lock;
}

SessionError cannotWrite(const QString &path, const QString &reason)
{
    return {QCoreApplication::translate("session",
        "The copy for the case of a crash could not be written to %1: %2. Free some space there; until then, save "
        "often.")
                .arg(QDir::toNativeSeparators(path), reason)};
}

/// The run of a journal; lines that a dying program left half written are passed over.
std::optional<experiment::RunResult> readJournal(const QString &path)
{
    QFile journal(path);
    if (!journal.open(QIODevice::ReadOnly) || journal.size() > maxJournalBytes)
        return std::nullopt;
    QJsonObject run = QJsonDocument::fromJson(journal.readLine()).object();
    QJsonArray samples;
    while (!journal.atEnd()) {
        const QJsonObject sample = QJsonDocument::fromJson(journal.readLine()).object();
        if (!sample.isEmpty())
            samples << sample;
    }
    if (run.isEmpty() || samples.isEmpty())
        return std::nullopt;
    run.insert(QStringLiteral("samples"), samples);
    auto read = runFromJson(run);
    auto *result = std::get_if<experiment::RunResult>(&read);
    if (result == nullptr)
        return std::nullopt;
    result->end = experiment::RunEnd::stopped;
    result->summary = experiment::summarize(result->samples, result->server);
    return *result;
}

std::optional<LeftCopy> readCopy(const QString &folder, const QString &id)
{
    LeftCopy copy;
    copy.id = id;
    const QString document = file(folder, id, ".kvlab");
    const QString journal = file(folder, id, ".jsonl");
    const auto run = readJournal(journal);
    copy.written_at = std::max(QFileInfo(document).lastModified(), QFileInfo(journal).lastModified());
    QFile source(document);
    if (source.open(QIODevice::ReadOnly)) {
        const QByteArray json = source.readAll();
        const auto read = sessionFromJson(json);
        const auto *session = std::get_if<Session>(&read);
        if (session == nullptr && !run)
            return std::nullopt;
        if (session != nullptr)
            copy.session = *session;
        copy.document_path = QJsonDocument::fromJson(json).object().value(pathKey).toString();
    } else if (!run) {
        return std::nullopt;
    }
    if (run)
        copy.session.run = run;
    return copy;
}

} // namespace

Autosave::Autosave(const QString &folder)
    : m_folder(folder)
    , m_id(QUuid::createUuid().toString(QUuid::WithoutBraces))
{
    QDir().mkpath(m_folder);
    QFile::setPermissions(m_folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    m_lock = lockOf(m_folder, m_id);
    m_lock->tryLock();
}

Autosave::~Autosave()
{
    discard();
}

QString Autosave::path(const char *suffix) const
{
    return file(m_folder, m_id, suffix);
}

std::optional<SessionError> Autosave::write(const Session &session, const QString &document_path)
{
    QJsonObject object = QJsonDocument::fromJson(sessionToJson(session)).object();
    object.insert(pathKey, document_path);
    const QByteArray json = QJsonDocument(object).toJson(QJsonDocument::Compact);
    if (const auto error = writeFileAtomically(path(".kvlab"), json))
        return cannotWrite(m_folder, *error);
    return std::nullopt;
}

std::optional<SessionError> Autosave::append(const experiment::RunResult &run, const experiment::MeasuredSample &sample)
{
    const auto line
        = [](const QJsonObject &object) { return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n'; };
    if (!m_journal.isOpen()) {
        m_journal.setFileName(path(".jsonl"));
        if (!m_journal.open(QIODevice::WriteOnly | QIODevice::Truncate))
            return cannotWrite(m_folder, m_journal.errorString());
        experiment::RunResult empty = run;
        empty.samples.clear();
        m_journal.write(line(runToJson(empty)));
    }
    experiment::RunResult one;
    one.samples << sample;
    m_journal.write(line(runToJson(one).value(QLatin1String("samples")).toArray().first().toObject()));
    // Handed to the system: what it holds outlives this program.
    if (!m_journal.flush())
        return cannotWrite(m_folder, m_journal.errorString());
    return std::nullopt;
}

void Autosave::forgetSamples()
{
    m_journal.close();
    QFile::remove(path(".jsonl"));
}

void Autosave::discard()
{
    forgetSamples();
    QFile::remove(path(".kvlab"));
}

QList<LeftCopy> Autosave::leftCopies(const QString &folder)
{
    QStringList ids;
    for (const QFileInfo &info :
        QDir(folder).entryInfoList({QStringLiteral("*.kvlab"), QStringLiteral("*.jsonl")}, QDir::Files)) {
        if (!ids.contains(info.completeBaseName()))
            ids << info.completeBaseName();
    }
    QList<LeftCopy> copies;
    for (const QString &id : std::as_const(ids)) {
        const auto lock = lockOf(folder, id);
        if (!lock->tryLock())
            continue; // its program is alive
        if (auto copy = readCopy(folder, id))
            copies << *copy;
    }
    std::sort(
        copies.begin(), copies.end(), [](const LeftCopy &a, const LeftCopy &b) { return a.written_at > b.written_at; });
    return copies;
}

void Autosave::remove(const QString &folder, const QString &id)
{
    for (const char *suffix : {".kvlab", ".jsonl", ".lock"})
        QFile::remove(file(folder, id, suffix));
}

QString Autosave::defaultFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + QStringLiteral("/autosave");
}

} // namespace kvlab::session
