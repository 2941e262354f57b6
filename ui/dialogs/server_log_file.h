// SPDX-License-Identifier: GPL-3.0-or-later
// A log file that may grow, be replaced or go away while it is being read.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include <optional>

namespace kvlab::ui {

class ServerLogFile : public QObject
{
    Q_OBJECT
public:
    explicit ServerLogFile(QObject *parent = nullptr);

    /// Reads it and goes on watching it; an empty path ends that.
    void setPath(const QString &path);
    const QString &path() const { return m_path; }
    /// What it holds; where it is too long, its first and its last part. Empty after an error.
    const QByteArray &text() const { return m_text; }
    /// A sentence: why it cannot be read.
    const QString &problem() const { return m_problem; }

Q_SIGNALS:
    /// Read anew, or not readable any more.
    void changed();

private:
    void read();
    void watch();

    QFileSystemWatcher m_watcher;
    QTimer m_settle; ///< a server writes in small pieces
    QTimer m_retry; ///< a file that was replaced is not there for a moment
    QString m_path;
    QByteArray m_text;
    QString m_problem;
};

} // namespace kvlab::ui
