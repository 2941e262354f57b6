// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "interrupt.h"
#include "options.h"
#include "probe_handout.h"
#include "probe_keeps.h"
#include "probe_options.h"
#include "probe_report.h"
#include "probe_sweep.h"

#include "experiment/experiment_runner.h"
#include "servers/practice_server.h"
#include "session/csv.h"
#include "session/samples_export.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QTimer>

#include <algorithm>

namespace kvlab::cli {

namespace {

using namespace experiment;

/// From the order to the exit code, driven by the event loop of main().
class ProbeCommand : public QObject
{
public:
    explicit ProbeCommand(const ProbeOrder &order)
        : m_order(order)
    {
        watchRunner();
        watchPracticeEngine();
        watchInterrupt();
    }

    int run();

private:
    void watchRunner();
    void watchPracticeEngine();
    void watchInterrupt();
    void startRun();
    void startNext();
    void takeHandout();
    void takeKeeps();
    void conclude(const QString &table, const QJsonObject &json, int code);
    void end(const RunResult &run);
    void print() const;
    QJsonObject toJson() const;
    int exitCode() const;
    bool writeFiles() const;

    ProbeOrder m_order;
    ProgressPrinter m_progress;
    servers::PracticeServer m_engine;
    ExperimentRunner m_runner;
    QList<ExperimentPlan> m_left; ///< runs still to do
    QList<RunResult> m_runs;
    QTimer m_interrupt_watch;
};

void ProbeCommand::watchRunner()
{
    const int total = m_order.plan.rounds * static_cast<int>(m_order.plan.arms.size()); // the same for each run
    connect(&m_runner, &ExperimentRunner::progressed, this,
        [this](const RunProgress &progress) { m_progress.show(progress); });
    connect(&m_runner, &ExperimentRunner::sampleFinished, this,
        [this, total](const MeasuredSample &sample) { m_progress.show(sample, total); });
    connect(&m_runner, &ExperimentRunner::finished, this, [this](const RunResult &run) { end(run); });
}

void ProbeCommand::watchPracticeEngine()
{
    connect(&m_engine, &servers::PracticeServer::ready, this, [this] {
        m_order.target.base_url = m_engine.baseUrl();
        m_order.target.practice_engine = true;
        m_order.target.label
            = QCoreApplication::translate("kvlab probe", "practice engine (%1)").arg(m_engine.description());
        startRun();
    });
    connect(&m_engine, &servers::PracticeServer::failed, this, [this](const QString &message, const QString &details) {
        m_progress.finish();
        fail(exitServer, details.isEmpty() ? message : message + QLatin1Char('\n') + details);
        if (!m_runner.isRunning()) // else the run notices by itself and keeps its samples
            QCoreApplication::exit(exitServer);
    });
}

void ProbeCommand::watchInterrupt()
{
    watchForInterrupt();
    m_interrupt_watch.setInterval(20);
    connect(&m_interrupt_watch, &QTimer::timeout, this, [this] {
        if (!wasInterrupted())
            return;
        m_interrupt_watch.stop();
        if (m_runner.isRunning())
            m_runner.stop();
        else
            QCoreApplication::exit(exitStopped);
    });
    m_interrupt_watch.start();
}

int ProbeCommand::run()
{
    if (m_order.practice_engine) {
        standardError() << QCoreApplication::translate("kvlab probe", "Starting the practice engine") << Qt::endl;
        m_engine.start(m_order.practice_size);
    } else {
        QMetaObject::invokeMethod(
            this, [this] { startRun(); }, Qt::QueuedConnection);
    }
    return QCoreApplication::exec();
}

/// In this thread: its event loops also serve the practice engine's process.
void ProbeCommand::takeHandout()
{
    m_interrupt_watch.stop(); // its way out would end inner loops too
    const HandoutResult result
        = runHandout(m_order.target, m_order.handout, m_order.plan.limits, [] { return !wasInterrupted(); });
    if (!result.message.isEmpty())
        fail(exitServer,
            result.details.isEmpty() ? result.message : result.message + QLatin1Char('\n') + result.details);
    const int code = result.stopped ? int(exitStopped) : result.message.isEmpty() ? int(exitDone) : int(exitServer);
    conclude(result.samples.isEmpty() ? QString() : handoutAsTable(result), handoutToJson(result), code);
}

void ProbeCommand::takeKeeps()
{
    m_interrupt_watch.stop();
    KeepsPlan plan;
    plan.limits = m_order.plan.limits;
    plan.endpoint = m_order.plan.endpoint;
    plan.seed = m_order.plan.seed;
    plan.fill_tokens = m_order.fill_tokens;
    const KeepsResult result = studyKeeps(m_order.target, plan, [this](qsizetype done) {
        m_progress.showRequests(static_cast<int>(done));
        return !wasInterrupted();
    });
    m_progress.finish();
    if (!result.message.isEmpty())
        fail(exitServer,
            result.details.isEmpty() ? result.message : result.message + QLatin1Char('\n') + result.details);
    const int code = result.stopped ? int(exitStopped) : result.message.isEmpty() ? int(exitDone) : int(exitServer);
    conclude(result.steps.isEmpty() ? QString() : keepsAsTable(result), keepsToJson(result), code);
}

void ProbeCommand::conclude(const QString &table, const QJsonObject &json, int code)
{
    const QByteArray text = QJsonDocument(json).toJson();
    standardOutput() << (m_order.print_json ? QString::fromUtf8(text) : table) << Qt::flush;
    if (!m_order.json_file.isEmpty()) {
        if (const auto problem = session::writeFileAtomically(m_order.json_file, text))
            code = fail(exitCannotWrite, *problem);
    }
    QCoreApplication::exit(code);
}

void ProbeCommand::startRun()
{
    if (m_order.handout != 0) {
        takeHandout();
        return;
    }
    if (m_order.keeps) {
        takeKeeps();
        return;
    }
    m_left = {m_order.plan};
    if (!m_order.sweep.isEmpty())
        m_left.clear();
    for (const int length : std::as_const(m_order.sweep)) {
        ExperimentPlan plan = m_order.plan;
        plan.shared_tokens = length;
        m_left.append(plan);
    }
    startNext();
}

void ProbeCommand::startNext()
{
    const ExperimentPlan plan = m_left.takeFirst();
    if (!m_order.sweep.isEmpty())
        standardError() << QCoreApplication::translate("kvlab probe", "Shared prefix of %1 tokens")
                               .arg(QString::number(plan.shared_tokens))
                        << Qt::endl;
    m_runner.start(m_order.target, plan);
}

void ProbeCommand::end(const RunResult &run)
{
    m_progress.finish();
    m_runs.append(run);
    if (run.end == RunEnd::failed)
        fail(exitServer, run.details.isEmpty() ? run.message : run.message + QLatin1Char('\n') + run.details);
    if (run.end == RunEnd::finished && !m_left.isEmpty()) {
        startNext();
        return;
    }
    m_interrupt_watch.stop();
    print();
    QCoreApplication::exit(writeFiles() ? exitCode() : int(exitCannotWrite));
}

void ProbeCommand::print() const
{
    const RunResult &run = m_runs.first();
    if (m_order.print_json)
        standardOutput() << QString::fromUtf8(QJsonDocument(toJson()).toJson()) << Qt::flush;
    else if (!m_order.sweep.isEmpty())
        standardOutput() << sweepAsTable(summarizeSweep(m_runs)) << Qt::flush;
    else if (!run.samples.isEmpty())
        standardOutput() << runAsTable(run) << Qt::flush;
}

QJsonObject ProbeCommand::toJson() const
{
    return m_order.sweep.isEmpty() ? session::runToJson(m_runs.first()) : sweepToJson(summarizeSweep(m_runs), m_runs);
}

int ProbeCommand::exitCode() const
{
    if (m_runs.last().end == RunEnd::stopped)
        return exitStopped;
    if (m_runs.last().end == RunEnd::failed)
        return exitServer;
    for (const RunResult &run : m_runs) {
        const bool anyFailed
            = std::any_of(run.samples.begin(), run.samples.end(), [](const auto &sample) { return !sample.verdict; });
        if (anyFailed || run.summary.verdict == Verdict::contradicted)
            return exitContradicted;
    }
    return exitDone;
}

bool ProbeCommand::writeFiles() const
{
    bool written = true;
    const auto write = [&written](const QString &path, const QByteArray &content) {
        if (path.isEmpty())
            return;
        if (const auto problem = session::writeFileAtomically(path, content)) {
            fail(exitCannotWrite, *problem);
            written = false;
        }
    };
    write(m_order.csv_file, session::samplesToCsv(mergedSamples(m_runs)));
    write(m_order.json_file, QJsonDocument(toJson()).toJson());
    return written;
}

} // namespace

int runProbe(const QStringList &arguments)
{
    const auto order = readProbeOrder(arguments);
    if (const int *code = std::get_if<int>(&order))
        return *code;
    ProbeCommand command(std::get<ProbeOrder>(order));
    return command.run();
}

} // namespace kvlab::cli
