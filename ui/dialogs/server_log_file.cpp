// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/server_log_file.h"

#include "memory/server_figures.h"

#include <QDir>
#include <QFile>

namespace kvlab::ui {

namespace {

/// Starts are told at the start; of a log that is too long the last start is near its end, if it is not there.
QByteArray readEnds(QFile &file)
{
    constexpr qint64 half = memory::maxServerText / 2 - 1;
    if (file.size() <= 2 * half)
        return file.readAll().left(2 * half);
    QByteArray text = file.read(half);
    file.seek(file.size() - half);
    return text + '\n' + file.read(half);
}

} // namespace

ServerLogFile::ServerLogFile(QObject *parent)
    : QObject(parent)
{
    constexpr int settle_ms = 300;
    constexpr int retry_ms = 1000;
    m_settle.setSingleShot(true);
    m_settle.setInterval(settle_ms);
    m_retry.setSingleShot(true);
    m_retry.setInterval(retry_ms);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, [this] {
        if (!m_settle.isActive()) // not restarted, or a busy log would never be read
            m_settle.start();
    });
    connect(&m_settle, &QTimer::timeout, this, &ServerLogFile::read);
    connect(&m_retry, &QTimer::timeout, this, &ServerLogFile::read);
}

void ServerLogFile::setPath(const QString &path)
{
    m_settle.stop();
    m_retry.stop();
    if (!m_watcher.files().isEmpty())
        m_watcher.removePaths(m_watcher.files());
    m_path = path;
    m_text.clear();
    m_problem.clear();
    if (!path.isEmpty())
        read();
}

void ServerLogFile::read()
{
    QFile file(m_path);
    m_problem.clear();
    if (file.open(QIODevice::ReadOnly)) {
        m_text = readEnds(file);
    } else {
        m_text.clear();
        m_problem
            = tr("The log file %1 cannot be read: %2. It is read again as soon as it can be, or open another one.")
                  .arg(QDir::toNativeSeparators(m_path), file.errorString());
    }
    watch();
    Q_EMIT changed();
}

void ServerLogFile::watch()
{
    // A replaced file is not watched any more.
    const bool is_watched = m_watcher.files().contains(m_path) || m_watcher.addPath(m_path);
    if (!is_watched)
        m_retry.start();
}

} // namespace kvlab::ui
