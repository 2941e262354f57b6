// SPDX-License-Identifier: GPL-3.0-or-later
// What survives when the program dies: a copy of the open document, written while it is edited, and a journal with one
// line per finished sample. Both lie in a folder of the program's own; a lock tells the copies of living programs from
// those that were left behind.
//   <id>.kvlab   the document, as saveSession() writes it, with "document_path"
//   <id>.jsonl   first line: the run without samples, as runToJson() writes it; then one sample a line
//   <id>.lock    held while the program runs
#pragma once

#include "session/session.h"

#include <QFile>
#include <QLockFile>

#include <memory>

namespace kvlab::session {

/// A copy whose program is gone.
struct LeftCopy
{
    QString id;
    QString document_path; ///< where the document was saved; empty = never
    QDateTime written_at;
    Session session; ///< with every sample that was finished
};

class Autosave
{
public:
    /// `folder` is made when it is not there (0700).
    explicit Autosave(const QString &folder);
    /// The copy goes with its program when that ends as it should.
    ~Autosave();

    /// Writes the document; a sentence when it cannot.
    std::optional<SessionError> write(const Session &session, const QString &document_path);
    /// Appends a finished sample of `run`, whose plan and server are written before the first one.
    std::optional<SessionError> append(const experiment::RunResult &run, const experiment::MeasuredSample &sample);
    /// The run's samples are in the document now, or are not wanted any more.
    void forgetSamples();
    /// Nothing unsaved is left: removes the copy and the journal.
    void discard();

    /// Copies of programs that are gone, newest first. What cannot be read is left where it is and not named.
    static QList<LeftCopy> leftCopies(const QString &folder);
    static void remove(const QString &folder, const QString &id);
    /// Where the window keeps its copies.
    static QString defaultFolder();

private:
    QString path(const char *suffix) const;

    QString m_folder;
    QString m_id;
    std::unique_ptr<QLockFile> m_lock;
    QFile m_journal;
};

} // namespace kvlab::session
