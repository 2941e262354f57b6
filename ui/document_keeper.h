// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps a copy of the open document for the case that the program dies, offers what an earlier one left behind, and
// notices when another window has the same file open.
#pragma once

#include "session/autosave.h"

#include <QObject>
#include <QTimer>

#include <functional>

namespace kvlab::ui {

class DocumentKeeper : public QObject
{
    Q_OBJECT
public:
    /// `collect` gives the document as it is now, `path` where it was saved.
    DocumentKeeper(const QString &folder, std::function<session::Session()> collect, std::function<QString()> path,
        QObject *parent = nullptr);
    ~DocumentKeeper() override;

    /// Something was edited: the copy is written soon, at the latest after writeEveryMs.
    void touch();
    void runBegan();
    void sampleFinished(const experiment::RunResult &run, const experiment::MeasuredSample &sample);
    /// The document is saved, or another one is open: the copy is not needed any more.
    void documentIsSafe();

    /// What programs that are gone left behind.
    QList<session::LeftCopy> leftCopies() const;
    void removeCopy(const QString &id);

    /// Takes the file for this window; a sentence when another one has it open.
    std::optional<QString> claim(const QString &path);

    static constexpr int writeEveryMs = 2000;

Q_SIGNALS:
    /// A sentence; once, until a copy could be written again.
    void failed(const QString &message);

private:
    void write();
    void report(const std::optional<session::SessionError> &error);

    QString m_folder;
    std::function<session::Session()> m_collect;
    std::function<QString()> m_path;
    session::Autosave m_autosave;
    std::unique_ptr<QLockFile> m_claim;
    QTimer m_pause;
    bool m_failing = false;
};

} // namespace kvlab::ui
