// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document_keeper.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>

namespace kvlab::ui {

DocumentKeeper::DocumentKeeper(
    const QString &folder, std::function<session::Session()> collect, std::function<QString()> path, QObject *parent)
    : QObject(parent)
    , m_folder(folder)
    , m_collect(std::move(collect))
    , m_path(std::move(path))
    , m_autosave(folder)
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(writeEveryMs);
    connect(&m_pause, &QTimer::timeout, this, &DocumentKeeper::write);
}

DocumentKeeper::~DocumentKeeper() = default;

void DocumentKeeper::touch()
{
    // Not started anew by each edit: who types without a pause is kept, too.
    if (!m_pause.isActive())
        m_pause.start();
}

void DocumentKeeper::write()
{
    report(m_autosave.write(m_collect(), m_path()));
}

void DocumentKeeper::runBegan()
{
    m_autosave.forgetSamples();
    write(); // the samples to come belong to these rows
}

void DocumentKeeper::sampleFinished(const experiment::RunResult &run, const experiment::MeasuredSample &sample)
{
    report(m_autosave.append(run, sample));
}

void DocumentKeeper::documentIsSafe()
{
    m_pause.stop();
    m_autosave.discard();
}

QList<session::LeftCopy> DocumentKeeper::leftCopies() const
{
    return session::Autosave::leftCopies(m_folder);
}

void DocumentKeeper::removeCopy(const QString &id)
{
    session::Autosave::remove(m_folder, id);
}

std::optional<QString> DocumentKeeper::claim(const QString &path)
{
    m_claim.reset();
    if (path.isEmpty())
        return std::nullopt;
    const QByteArray name = QFileInfo(path).canonicalFilePath().toUtf8();
    const QString hash = QString::fromLatin1(QCryptographicHash::hash(name, QCryptographicHash::Sha1).toHex());
    m_claim = std::make_unique<QLockFile>(m_folder + QStringLiteral("/open-%1.lock").arg(hash));
    m_claim->setStaleLockTime(0);
    if (m_claim->tryLock() || m_claim->error() != QLockFile::LockFailedError)
        return std::nullopt;
    m_claim.reset();
    return tr(
        "“%1” is open in another window of KV Cache Lab, too. What is saved last replaces what the other one saved; "
        "save under another name to keep both.")
        .arg(QFileInfo(path).fileName());
}

void DocumentKeeper::report(const std::optional<session::SessionError> &error)
{
    if (error && !m_failing)
        Q_EMIT failed(error->message);
    m_failing = error.has_value();
}

} // namespace kvlab::ui
