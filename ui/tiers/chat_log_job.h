// SPDX-License-Identifier: GPL-3.0-or-later
// Replays a chat log in a thread of its own: progress, then exactly one finished() or failed(). stop() takes effect at
// the next request.
#pragma once

#include "prefix/chat_log.h"

#include <QObject>

#include <atomic>
#include <memory>

class QThread;

namespace kvlab::ui {

class ChatLogJob : public QObject
{
    Q_OBJECT
public:
    explicit ChatLogJob(QObject *parent = nullptr);
    ~ChatLogJob() override; ///< stops and waits

    void start(const QString &path, const prefix::ReplayOptions &options);
    void stop();
    bool isRunning() const { return m_thread != nullptr; }

Q_SIGNALS:
    void progressed(int done, int of); ///< requests; 0 of 0 while the file is read
    void finished(const kvlab::prefix::ReplayResult &result);
    void failed(const QString &why); ///< a whole sentence

private:
    void end();

    QThread *m_thread = nullptr;
    std::atomic<bool> m_stop = false;
    std::optional<prefix::ReplayResult> m_result; ///< written by the thread, read after it ended
    QString m_problem;
};

} // namespace kvlab::ui
