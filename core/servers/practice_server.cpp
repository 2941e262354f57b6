// SPDX-License-Identifier: GPL-3.0-or-later
#include "servers/practice_server.h"

#include <QCoreApplication>
#include <QDir>
#include <QHash>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QProcess>
#include <QTimer>

namespace kvlab::servers {

namespace {

constexpr int startLimitMs = 60'000;
constexpr int stopLimitMs = 2'000;
constexpr int keptLines = 20;

/// `kvlab` stands beside the program that runs now; KVLAB_PROGRAM names another one, for tests that live elsewhere.
QString programPath()
{
    const QString named = qEnvironmentVariable("KVLAB_PROGRAM");
    return named.isEmpty() ? QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("kvlab")) : named;
}

} // namespace

class PracticeServer::Private
{
public:
    explicit Private(PracticeServer *owner)
        : q(owner)
    {
        startLimit.setSingleShot(true);
        startLimit.setInterval(startLimitMs);
        QObject::connect(&startLimit, &QTimer::timeout, q, [this] {
            fail(PracticeServer::tr("The practice engine did not become ready within a minute. The computer may be too "
                                    "busy: close other programs and press Measure again."));
        });
    }

    void setState(State value)
    {
        if (state == value)
            return;
        state = value;
        Q_EMIT q->stateChanged();
    }

    void launch(const QString &size, const QStringList &options);
    void readOutput();
    void readLog();
    void becomeReady(const QJsonObject &event);
    void processEnded();
    void fail(const QString &message);
    void release();

    PracticeServer *q;
    QProcess *process = nullptr; ///< the engine that is starting or ready
    QTimer startLimit;
    State state = State::stopped;
    QUrl baseUrl;
    QJsonObject facts; ///< its ready line
    QStringList log;
};

void PracticeServer::Private::launch(const QString &size, const QStringList &options)
{
    log.clear();
    process = new QProcess(q);
    QObject::connect(process, &QProcess::readyReadStandardOutput, q, [this] { readOutput(); });
    QObject::connect(process, &QProcess::readyReadStandardError, q, [this] { readLog(); });
    QObject::connect(process, &QProcess::finished, q, [this] { processEnded(); });
    // Queued: some systems report a program that is missing from inside start().
    QObject::connect(
        process, &QProcess::errorOccurred, q,
        [this, started = process](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart && process == started) {
                fail(PracticeServer::tr("The practice engine could not be started: the program “%1” is missing or may "
                                        "not be run. Install or build KV Cache Lab again.")
                         .arg(QDir::toNativeSeparators(process->program())));
            }
        },
        Qt::QueuedConnection);
    setState(State::starting);
    startLimit.start();
    process->start(programPath(),
        QStringList{QStringLiteral("serve"), QStringLiteral("--port"), QStringLiteral("0"),
            QStringLiteral("--exit-with-parent"), QStringLiteral("--size"), size}
            + options);
}

/// One line of JSON tells the port; see `kvlab serve --help`.
void PracticeServer::Private::readOutput()
{
    while (process && process->canReadLine()) {
        const QJsonObject event = QJsonDocument::fromJson(process->readLine()).object();
        if (event.value(QLatin1String("event")).toString() == QLatin1String("ready"))
            becomeReady(event);
    }
}

void PracticeServer::Private::readLog()
{
    const QString text = QString::fromUtf8(process->readAllStandardError());
    log += text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    if (log.size() > keptLines)
        log = log.mid(log.size() - keptLines);
}

void PracticeServer::Private::becomeReady(const QJsonObject &event)
{
    startLimit.stop();
    baseUrl = QUrl(event.value(QLatin1String("url")).toString());
    facts = event;
    setState(State::ready);
    Q_EMIT q->ready();
}

void PracticeServer::Private::processEnded()
{
    readLog();
    fail(state == State::starting
            ? PracticeServer::tr("The practice engine ended before it was ready. What it printed last is in the "
                                 "details; press Measure to try again.")
            : PracticeServer::tr("The practice engine ended unexpectedly. Finished samples are kept; press Measure to "
                                 "start it again."));
}

void PracticeServer::Private::fail(const QString &message)
{
    const QString details = log.join(QLatin1Char('\n'));
    release();
    setState(State::stopped);
    Q_EMIT q->failed(message, details);
}

/// Lets go of the process without waiting for it: closing its input asks it to end, and a timer sees to it.
void PracticeServer::Private::release()
{
    startLimit.stop();
    baseUrl.clear();
    facts = {};
    QProcess *leaving = std::exchange(process, nullptr);
    if (!leaving)
        return;
    leaving->disconnect(q);
    if (leaving->state() == QProcess::NotRunning) {
        leaving->deleteLater();
        return;
    }
    QObject::connect(leaving, &QProcess::finished, leaving, &QObject::deleteLater);
    QTimer::singleShot(stopLimitMs, leaving, &QProcess::kill);
    leaving->closeWriteChannel();
    leaving->terminate();
}

PracticeServer::PracticeServer(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this))
{
}

PracticeServer::~PracticeServer()
{
    // One that stop() has let go of may still be ending.
    const QList<QProcess *> processes = findChildren<QProcess *>();
    for (QProcess *process : processes) {
        process->disconnect(this);
        process->closeWriteChannel();
        process->terminate();
    }
    for (QProcess *process : processes) {
        if (process->state() != QProcess::NotRunning && !process->waitForFinished(stopLimitMs)) {
            process->kill();
            process->waitForFinished();
        }
    }
}

void PracticeServer::start(const QString &size, const QStringList &options)
{
    if (d->state == State::stopped)
        d->launch(size, options);
    else if (d->state == State::ready)
        QTimer::singleShot(0, this, &PracticeServer::ready);
}

void PracticeServer::stop()
{
    d->release();
    d->setState(State::stopped);
}

PracticeServer::State PracticeServer::state() const
{
    return d->state;
}

QUrl PracticeServer::baseUrl() const
{
    return d->baseUrl;
}

QString PracticeServer::description() const
{
    if (d->facts.isEmpty())
        return {};
    const QString size = d->facts.value(QLatin1String("size")).toString();
    const int millions = qRound(d->facts.value(QLatin1String("parameters")).toDouble() / 1e6);
    const QHash<QString, QString> sizes{{QStringLiteral("small"), tr("small", "size of the practice engine")},
        {QStringLiteral("medium"), tr("medium", "size of the practice engine")},
        {QStringLiteral("large"), tr("large", "size of the practice engine")}};
    //: size of the practice engine (small, medium, large), its parameters in millions
    return tr("%1, %2 M parameters, untrained").arg(sizes.value(size, size), QLocale().toString(millions));
}

qint64 PracticeServer::processId() const
{
    return d->process ? d->process->processId() : 0;
}

QJsonObject PracticeServer::facts() const
{
    return d->facts;
}

} // namespace kvlab::servers
