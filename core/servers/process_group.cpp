// SPDX-License-Identifier: GPL-3.0-or-later
// The only file that knows how an operating system keeps processes together.
#include "servers/process_group.h"

#include <QProcess>

#ifdef Q_OS_WIN
#include <windows.h>
#else
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace kvlab::servers {

#ifdef Q_OS_WIN // not tried

/// A job object ends its processes when its last handle is closed, also when that happens because this program died.
class ProcessGroup::Private
{
public:
    Private()
        : job(CreateJobObjectW(nullptr, nullptr))
    {
        JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {};
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    }

    ~Private() { CloseHandle(job); }

    HANDLE job;
};

void ProcessGroup::prepare(QProcess &process)
{
    process.setCreateProcessArgumentsModifier(
        [](QProcess::CreateProcessArguments *arguments) { arguments->flags |= CREATE_NEW_PROCESS_GROUP; });
}

void ProcessGroup::started(const QProcess &process)
{
    const HANDLE handle = OpenProcess(PROCESS_SET_QUOTA | PROCESS_TERMINATE, FALSE, DWORD(process.processId()));
    if (handle == nullptr)
        return;
    AssignProcessToJobObject(d->job, handle);
    CloseHandle(handle);
}

void ProcessGroup::terminate()
{
    // A console program without a window cannot be asked.
    kill();
}

void ProcessGroup::kill()
{
    TerminateJobObject(d->job, 1);
}

#else

namespace {

/// Ends the group when its standard input, a pipe that only our program holds open, is closed. It belongs to the group
/// itself, so the group's number cannot be given to others while this waits.
constexpr const char *guardScript
    = "trap '' TERM INT HUP; read -r line; kill -s TERM -- -\"$1\"; sleep 5; kill -s KILL -- "
      "-\"$1\"";

/// In the forked child: nothing here may allocate.
void writeNumber(char *text, pid_t number)
{
    char digits[24];
    int count = 0;
    do {
        digits[count++] = char('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0)
        *text++ = digits[--count];
    *text = '\0';
}

[[noreturn]] void becomeGuard(int readEnd, const char *group)
{
    dup2(readEnd, STDIN_FILENO);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execl("/bin/sh", "sh", "-c", guardScript, "sh", group, static_cast<char *>(nullptr));
    _exit(127);
}

/// In the forked child, before it becomes the server.
void leadGroup(int readEnd)
{
    setsid();
    char group[24];
    writeNumber(group, getpid());
    // Forked twice, so that the server never sees a child it did not start.
    const pid_t between = fork();
    if (between == 0) {
        if (fork() == 0)
            becomeGuard(readEnd, group);
        _exit(0);
    }
    int status = 0;
    if (between > 0)
        waitpid(between, &status, 0);
}

} // namespace

class ProcessGroup::Private
{
public:
    ~Private() { closeEnds(); }

    void closeEnds()
    {
        for (int &end : pipe) {
            if (end >= 0)
                ::close(end);
            end = -1;
        }
    }

    int pipe[2] = {-1, -1}; ///< the guard reads, we hold the other end
    pid_t group = 0;
};

void ProcessGroup::prepare(QProcess &process)
{
    if (::pipe(d->pipe) != 0)
        return; // without a guard: stop() still works
    for (const int end : d->pipe)
        fcntl(end, F_SETFD, FD_CLOEXEC);
    process.setChildProcessModifier([readEnd = d->pipe[0]] { leadGroup(readEnd); });
}

void ProcessGroup::started(const QProcess &process)
{
    d->group = pid_t(process.processId());
    ::close(d->pipe[0]);
    d->pipe[0] = -1;
}

void ProcessGroup::terminate()
{
    if (d->group > 0)
        ::kill(d->group, SIGTERM);
}

void ProcessGroup::kill()
{
    // Right after the fork there may be a process but no group yet.
    if (d->group > 0 && ::kill(-d->group, SIGKILL) != 0)
        ::kill(d->group, SIGKILL);
    d->group = 0;
}

#endif

ProcessGroup::ProcessGroup()
    : d(std::make_unique<Private>())
{
}

ProcessGroup::~ProcessGroup() = default;

} // namespace kvlab::servers
