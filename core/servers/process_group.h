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
    ~ProcessGroup();

    /// To be called before the process is started. Once per object.
    void prepare(QProcess &process);
    /// To be called as soon as it has a process id.
    void started(const QProcess &process);

    /// Asks the first process to end; a server ends its own workers then. What it leaves behind is asked, and killed
    /// after 5 s, when this object goes.
    void terminate();
    void kill(); ///< all of them

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::servers
