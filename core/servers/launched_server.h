// SPDX-License-Identifier: GPL-3.0-or-later
// Runs one server from a LaunchCommand: finds the program, starts it, reads its log, notices when it answers, ends it
// cleanly. Nothing of it outlives this object, nor this program however that ends (process_group.h).
#pragma once

#include "servers/launch_command.h"
#include "servers/log_explanation.h"

#include <QObject>

#include <memory>

namespace kvlab::servers {

/// How a server ended that start() was called for.
struct LaunchEnd
{
    enum class Status { stopped, failed };
    Status status = Status::stopped;
    bool was_ready = false;
    std::optional<int> exit_code; ///< of a process that ended by itself
    std::optional<int> signal; ///< that ended it
    QString message; ///< sentences: what happened, why where that is known, what to do
};

/// Where the program is, as the shell would find it; empty when it is not there or may not be run.
QString findProgram(const QString &program);
/// Whether a server on this computer could listen there now.
bool isPortFree(int port);
/// `port`, or the next one that is free; a port of the system's choice when none of the next hundred is.
int freePort(int port);

class LaunchedServer : public QObject
{
    Q_OBJECT
public:
    enum class State { stopped, starting, ready, stopping };

    explicit LaunchedServer(QObject *parent = nullptr);
    ~LaunchedServer() override;

    /// Only while stopped. ended() follows once, never from inside this call, and ready() at most once before it.
    void start(const LaunchCommand &command);
    /// Asks it to end, and kills it after the grace time; ended() follows.
    void stop();

    State state() const;
    const LaunchCommand &command() const; ///< of the last start()
    qint64 elapsedMs() const; ///< since start(); 0 before the first
    const QStringList &log() const; ///< the last lines of output and errors, in order, without colour codes
    qint64 droppedLines() const; ///< at the head of the log, which is bounded
    const QList<LogExplanation> &explanations() const; ///< known problems in the whole log so far
    qint64 processId() const; ///< of the server itself; 0 unless it runs
    /// Between asking and killing; 10 s unless set.
    void setGraceTime(int ms);

    static constexpr qsizetype maxLines = 5000;
    static constexpr qsizetype maxLineLength = 2000; ///< characters

Q_SIGNALS:
    void stateChanged();
    void linesRead(const QStringList &lines);
    void ready();
    void ended(const kvlab::servers::LaunchEnd &end);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::servers
