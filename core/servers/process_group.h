// SPDX-License-Identifier: GPL-3.0-or-later
// A child process and everything it starts, ended together: asked, then killed, and also when this program dies without
// a chance to tidy up.
#pragma once

#include <memory>

class QProcess;

namespace kvlab::servers {

class ProcessGroup
{
public:
    ProcessGroup();
    ~ProcessGroup(); ///< nothing of the group outlives this object for longer than the grace time

    /// To be called before the process is started. Once per object.
    void prepare(QProcess &process);
    /// To be called as soon as it has a process id.
    void started(const QProcess &process);

    void terminate(); ///< asks every process of the group to end
    void kill();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::servers
