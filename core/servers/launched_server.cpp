// SPDX-License-Identifier: GPL-3.0-or-later
#include "servers/launched_server.h"

#include "servers/process_group.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QPointer>
#include <QProcess>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTimer>

#include <vector>

namespace kvlab::servers {

namespace {

constexpr int usualGraceMs = 10'000;
constexpr int goodbyeMs = 2'000; ///< when this object goes away
constexpr int pollMs = 500;
constexpr int answerLimitMs = 2'000;
constexpr int highestPort = 65535;
constexpr qsizetype maxPartialLine = 64 * 1024; ///< bytes kept of a line that has not ended

/// One process with its output.
struct Child
{
    std::unique_ptr<QProcess> process;
    std::unique_ptr<ProcessGroup> group;
    QByteArray partial;
    bool is_server = false; ///< not what runs before it
    bool has_ended = false;
};

} // namespace

QString findProgram(const QString &program)
{
    if (!program.contains(u'/') && !program.contains(QDir::separator()))
        return QStandardPaths::findExecutable(program);
    const QFileInfo file(program);
    return file.isFile() && file.isExecutable() ? file.absoluteFilePath() : QString();
}

bool isPortFree(int port)
{
    QTcpServer server;
    return port > 0 && port <= highestPort && server.listen(QHostAddress::LocalHost, quint16(port));
}

int freePort(int port)
{
    for (int candidate = port; candidate > 0 && candidate < port + 100; ++candidate) {
        if (isPortFree(candidate))
            return candidate;
    }
    QTcpServer server;
    return server.listen(QHostAddress::LocalHost) ? server.serverPort() : port;
}

class LaunchedServer::Private
{
public:
    explicit Private(LaunchedServer *owner)
        : q(owner)
    {
        network.setProxy(QNetworkProxy::NoProxy);
        poll.setInterval(pollMs);
        QObject::connect(&poll, &QTimer::timeout, q, [this] { ask(); });
        grace.setSingleShot(true);
        grace.setInterval(usualGraceMs);
        QObject::connect(&grace, &QTimer::timeout, q, [this] { killAll(); });
    }

    void setState(State value);
    QString obstacle() const;
    void begin();
    void launch(const ProcessCommand &command, bool isServer);
    void readOutput(Child &child);
    QStringList takeLines(Child &child, bool last);
    void keepLines(const QStringList &lines);
    void noticeReadiness(const Child &child, const QStringList &lines);
    void ask();
    void becomeReady();
    void processEnded(Child &child);
    void failedToStart(Child &child);
    LaunchEnd endOf(const Child &child) const;
    void finish(const LaunchEnd &value);
    void terminateAll();
    void killAll();
    void reportWhenAllEnded();
    void sayGoodbye();

    LaunchedServer *q;
    LaunchCommand command;
    std::vector<std::unique_ptr<Child>> children;
    QNetworkAccessManager network;
    QPointer<QNetworkReply> question;
    QTimer poll;
    QTimer grace;
    QElapsedTimer clock;
    State state = State::stopped;
    bool wasReady = false;
    bool serverLaunched = false;
    std::optional<LaunchEnd> end; ///< decided, and reported when every process has ended
    QStringList log;
    qint64 dropped = 0;
    QList<LogExplanation> explanations;
};

void LaunchedServer::Private::setState(State value)
{
    if (state == value)
        return;
    state = value;
    Q_EMIT q->stateChanged();
}

/// Why nothing can be started; empty when it can.
QString LaunchedServer::Private::obstacle() const
{
    if (!command.refusals.isEmpty())
        return command.refusals.join(u' ');
    QList<ProcessCommand> processes{command.server};
    if (command.before)
        processes.prepend(*command.before);
    for (const ProcessCommand &process : processes) {
        if (findProgram(process.program).isEmpty()) {
            const QString missing = LaunchedServer::tr("The program “%1” was not found on this computer.")
                                        .arg(QDir::toNativeSeparators(process.program));
            return QStringList{missing, command.install_hint}.join(u' ');
        }
    }
    if (!isPortFree(command.base_url.port()))
        return LaunchedServer::tr(
            "Port %1 is taken: another program listens on it, or it may not be used. Choose another "
            "port, or end that program.")
            .arg(command.base_url.port());
    return {};
}

void LaunchedServer::Private::begin()
{
    if (state != State::starting)
        return; // stopped in the meantime
    if (const QString reason = obstacle(); !reason.isEmpty()) {
        LaunchEnd failed;
        failed.status = LaunchEnd::Status::failed;
        failed.message = reason;
        finish(failed);
        return;
    }
    launch(command.before.value_or(command.server), !command.before);
}

void LaunchedServer::Private::launch(const ProcessCommand &what, bool isServer)
{
    children.push_back(std::make_unique<Child>());
    Child *child = children.back().get();
    child->is_server = isServer;
    child->process = std::make_unique<QProcess>();
    child->group = std::make_unique<ProcessGroup>();
    QProcess *process = child->process.get();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    // Otherwise Python keeps lines back until its buffer is full.
    environment.insert(QStringLiteral("PYTHONUNBUFFERED"), QStringLiteral("1"));
    for (const auto &[name, value] : what.environment)
        environment.insert(name, value);
    process->setProcessEnvironment(environment);
    process->setProcessChannelMode(QProcess::MergedChannels);
    process->setProgram(findProgram(what.program));
    process->setArguments(what.arguments);
    child->group->prepare(*process);
    QObject::connect(process, &QProcess::readyReadStandardOutput, q, [this, child] { readOutput(*child); });
    QObject::connect(
        process, &QProcess::finished, q, [this, child] { processEnded(*child); }, Qt::QueuedConnection);
    QObject::connect(
        process, &QProcess::errorOccurred, q,
        [this, child](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart)
                failedToStart(*child);
        },
        Qt::QueuedConnection);
    if (isServer) {
        serverLaunched = true;
        poll.start();
    }
    process->start();
    if (process->processId() > 0)
        child->group->started(*process);
}

/// Complete lines of what has arrived; of a process that has ended also an incomplete one.
QStringList LaunchedServer::Private::takeLines(Child &child, bool last)
{
    child.partial += child.process->readAllStandardOutput();
    QStringList lines;
    qsizetype from = 0;
    for (qsizetype to = child.partial.indexOf('\n'); to >= 0; to = child.partial.indexOf('\n', from)) {
        lines << QString::fromUtf8(child.partial.sliced(from, to - from));
        from = to + 1;
    }
    child.partial.remove(0, from);
    if (!child.partial.isEmpty() && (last || child.partial.size() > maxPartialLine)) {
        lines << QString::fromUtf8(child.partial);
        child.partial.clear();
    }
    for (QString &line : lines)
        line = plainLogLine(line).left(maxLineLength);
    return lines;
}

void LaunchedServer::Private::readOutput(Child &child)
{
    const QStringList lines = takeLines(child, child.process->state() == QProcess::NotRunning);
    if (lines.isEmpty())
        return;
    keepLines(lines);
    noticeReadiness(child, lines);
}

void LaunchedServer::Private::keepLines(const QStringList &lines)
{
    log += lines;
    if (log.size() > maxLines) {
        dropped += log.size() - maxLines;
        log = log.mid(log.size() - maxLines);
    }
    for (const LogExplanation &found : explainLog(lines)) {
        const bool known = std::any_of(explanations.begin(), explanations.end(),
            [&found](const LogExplanation &other) { return other.problem == found.problem; });
        if (!known)
            explanations << found;
    }
    Q_EMIT q->linesRead(lines);
}

/// The log only says when to look: what counts is that the server answers.
void LaunchedServer::Private::noticeReadiness(const Child &child, const QStringList &lines)
{
    const auto says = [&lines](const QString &text) {
        return std::any_of(lines.begin(), lines.end(),
            [&text](const QString &line) { return !text.isEmpty() && line.contains(text); });
    };
    if (state != State::starting || end)
        return;
    if (!child.is_server) {
        if (!serverLaunched && says(command.before_ready))
            launch(command.server, true);
    } else if (std::any_of(command.ready_texts.begin(), command.ready_texts.end(), says)) {
        ask();
    }
}

void LaunchedServer::Private::ask()
{
    if (question || state != State::starting)
        return;
    QUrl url = command.base_url;
    url.setPath(command.health_path);
    QNetworkRequest request(url);
    request.setTransferTimeout(answerLimitMs);
    question = network.get(request);
    QObject::connect(question, &QNetworkReply::finished, q, [this, reply = question.data()] {
        reply->deleteLater();
        question = nullptr;
        const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
        if (state == State::starting && !end && status == 200)
            becomeReady();
    });
}

void LaunchedServer::Private::becomeReady()
{
    poll.stop();
    wasReady = true;
    setState(State::ready);
    Q_EMIT q->ready();
}

LaunchEnd LaunchedServer::Private::endOf(const Child &child) const
{
    LaunchEnd value;
    value.status = LaunchEnd::Status::failed;
    const int code = child.process->exitCode();
    const bool crashed = child.process->exitStatus() == QProcess::CrashExit;
    if (crashed)
        value.signal = code; // on POSIX systems
    else
        value.exit_code = code;
    const QString name = QFileInfo(child.process->program()).fileName();
    QStringList sentences;
    if (crashed)
        sentences << LaunchedServer::tr("%1 was ended by signal %2.").arg(name).arg(code) << explainSignal(code);
    else if (wasReady)
        sentences << LaunchedServer::tr("%1 ended by itself with code %2.").arg(name).arg(code);
    else
        sentences << LaunchedServer::tr("%1 ended with code %2 before it was ready.").arg(name).arg(code);
    for (const LogExplanation &known : explanations)
        sentences << known.text;
    if (explanations.isEmpty() && !crashed)
        sentences << LaunchedServer::tr("The last lines of its log may say why.");
    sentences.removeAll(QString());
    value.message = sentences.join(u' ');
    return value;
}

void LaunchedServer::Private::processEnded(Child &child)
{
    if (child.has_ended)
        return;
    child.has_ended = true;
    if (const QStringList rest = takeLines(child, true); !rest.isEmpty())
        keepLines(rest);
    child.group.reset(); // ends what the process has left behind
    if (end)
        reportWhenAllEnded();
    else
        finish(endOf(child));
}

void LaunchedServer::Private::failedToStart(Child &child)
{
    if (child.has_ended)
        return;
    child.has_ended = true;
    LaunchEnd failed;
    failed.status = LaunchEnd::Status::failed;
    failed.message
        = LaunchedServer::tr("The program “%1” could not be started: %2. Choose another program, or install it "
                             "again.")
              .arg(QDir::toNativeSeparators(child.process->program()), child.process->errorString());
    child.group.reset();
    finish(end.value_or(failed));
}

/// Decides how it ended, and ends what still runs.
void LaunchedServer::Private::finish(const LaunchEnd &value)
{
    end = value;
    end->was_ready = wasReady;
    poll.stop();
    if (question)
        question->abort();
    setState(State::stopping);
    terminateAll();
    grace.start();
    reportWhenAllEnded();
}

void LaunchedServer::Private::terminateAll()
{
    for (const auto &child : children) {
        if (child->has_ended)
            continue;
        child->process->closeWriteChannel();
        child->group->terminate();
    }
}

void LaunchedServer::Private::killAll()
{
    for (const auto &child : children) {
        if (child->has_ended)
            continue;
        child->group->kill();
        child->process->kill(); // in case it left its group
    }
}

void LaunchedServer::Private::reportWhenAllEnded()
{
    const bool all = std::all_of(children.begin(), children.end(), [](const auto &child) { return child->has_ended; });
    if (!all || !end)
        return;
    grace.stop();
    for (const auto &child : children) {
        child->process->disconnect(q);
        child->process.release()->deleteLater(); // this may be one of its own signals
    }
    children.clear();
    const LaunchEnd value = *std::exchange(end, std::nullopt);
    setState(State::stopped);
    Q_EMIT q->ended(value);
}

void LaunchedServer::Private::sayGoodbye()
{
    for (const auto &child : children)
        child->process->disconnect(q);
    terminateAll();
    for (const auto &child : children) {
        if (child->process->state() == QProcess::NotRunning || child->process->waitForFinished(goodbyeMs))
            continue;
        child->group->kill();
        child->process->kill();
        child->process->waitForFinished();
    }
}

LaunchedServer::LaunchedServer(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this))
{
}

LaunchedServer::~LaunchedServer()
{
    if (d->question)
        d->question->disconnect(this);
    d->sayGoodbye();
}

void LaunchedServer::start(const LaunchCommand &command)
{
    if (d->state != State::stopped)
        return;
    d->command = command;
    d->log.clear();
    d->dropped = 0;
    d->explanations.clear();
    d->wasReady = false;
    d->serverLaunched = false;
    d->clock.start();
    d->setState(State::starting);
    QTimer::singleShot(0, this, [this] { d->begin(); });
}

void LaunchedServer::stop()
{
    if (d->state != State::starting && d->state != State::ready)
        return;
    LaunchEnd stopped;
    stopped.message = tr("The server was stopped.");
    d->end = stopped;
    // Queued, so that ended() never comes from inside this call.
    d->setState(State::stopping);
    QTimer::singleShot(0, this, [this] {
        if (d->end)
            d->finish(*d->end);
    });
}

LaunchedServer::State LaunchedServer::state() const
{
    return d->state;
}

const LaunchCommand &LaunchedServer::command() const
{
    return d->command;
}

qint64 LaunchedServer::elapsedMs() const
{
    return d->clock.isValid() ? d->clock.elapsed() : 0;
}

const QStringList &LaunchedServer::log() const
{
    return d->log;
}

qint64 LaunchedServer::droppedLines() const
{
    return d->dropped;
}

const QList<LogExplanation> &LaunchedServer::explanations() const
{
    return d->explanations;
}

qint64 LaunchedServer::processId() const
{
    for (const auto &child : d->children) {
        if (child->is_server && !child->has_ended)
            return child->process->processId();
    }
    return 0;
}

void LaunchedServer::setGraceTime(int ms)
{
    d->grace.setInterval(ms);
}

} // namespace kvlab::servers
