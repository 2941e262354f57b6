// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure_controller.h"

#include <utility>

namespace kvlab::ui {

using experiment::RunResult;
using servers::PracticeServer;

experiment::ServerTarget practiceEngineTarget()
{
    experiment::ServerTarget target;
    target.practice_engine = true;
    return target;
}

MeasureController::MeasureController(QObject *parent)
    : QObject(parent)
    , m_server(practiceEngineTarget())
{
    connectEngine();
    connectRunner();
}

void MeasureController::setServer(const experiment::ServerTarget &server)
{
    m_server = server;
    Q_EMIT stateChanged();
}

const experiment::ServerTarget &MeasureController::server() const
{
    return m_server;
}

void MeasureController::setPlan(const experiment::ExperimentPlan &plan)
{
    m_plan = plan;
}

const experiment::ExperimentPlan &MeasureController::plan() const
{
    return m_plan;
}

void MeasureController::setEngineSize(const QString &size)
{
    if (m_engineSize == size)
        return;
    m_engineSize = size;
    if (m_state == State::idle)
        m_engine.stop();
}

const QString &MeasureController::engineSize() const
{
    return m_engineSize;
}

MeasureController::State MeasureController::state() const
{
    return m_state;
}

const PracticeServer &MeasureController::practiceServer() const
{
    return m_engine;
}

void MeasureController::start()
{
    if (m_state != State::idle)
        return;
    if (!m_server.practice_engine) {
        run(m_server);
    } else if (m_engine.state() == PracticeServer::State::ready) {
        experiment::ServerTarget target = m_server;
        target.base_url = m_engine.baseUrl();
        target.label = tr("practice engine, %1").arg(m_engine.description());
        run(target);
    } else {
        setState(State::starting_engine);
        m_engine.start(m_engineSize);
    }
}

void MeasureController::stop()
{
    if (m_stopOther) {
        m_stopOther();
    } else if (m_state == State::running) {
        m_runner.stop();
    } else if (m_state == State::starting_engine) {
        m_runOther = {};
        setState(State::idle);
        m_engine.stop();
    }
}

bool MeasureController::occupy(const std::function<void()> &stop)
{
    if (m_state != State::idle)
        return false;
    m_stopOther = stop;
    setState(State::running);
    return true;
}

bool MeasureController::occupyServer(
    const std::function<void(const experiment::ServerTarget &)> &run, const std::function<void()> &stop)
{
    if (m_state != State::idle)
        return false;
    m_runOther = [this, run, stop](const experiment::ServerTarget &server) {
        m_stopOther = stop;
        setState(State::running);
        run(server);
    };
    start();
    return true;
}

void MeasureController::release()
{
    m_stopOther = {};
    setState(State::idle);
}

void MeasureController::connectEngine()
{
    connect(&m_engine, &PracticeServer::stateChanged, this, &MeasureController::stateChanged);
    connect(&m_engine, &PracticeServer::ready, this, [this] {
        if (m_state != State::starting_engine)
            return;
        m_state = State::idle; // for start() alone: nobody is to see it
        start();
    });
    connect(&m_engine, &PracticeServer::failed, this, [this](const QString &message, const QString &details) {
        // During a run the runner notices the loss itself and keeps its samples.
        if (m_state == State::running)
            return;
        m_runOther = {};
        setState(State::idle);
        Q_EMIT engineFailed(message, details);
    });
}

void MeasureController::connectRunner()
{
    connect(&m_runner, &experiment::ExperimentRunner::serverLearned, this, &MeasureController::serverLearned);
    connect(&m_runner, &experiment::ExperimentRunner::progressed, this, &MeasureController::progressed);
    connect(&m_runner, &experiment::ExperimentRunner::sampleFinished, this, &MeasureController::sampleFinished);
    connect(&m_runner, &experiment::ExperimentRunner::finished, this, [this](const RunResult &result) {
        setState(State::idle);
        Q_EMIT ended(result);
    });
}

void MeasureController::run(const experiment::ServerTarget &server)
{
    if (const auto other = std::exchange(m_runOther, {})) {
        other(server);
        return;
    }
    setState(State::running);
    Q_EMIT began(m_plan);
    m_runner.start(server, m_plan);
}

void MeasureController::setState(State state)
{
    if (m_state == state)
        return;
    m_state = state;
    Q_EMIT stateChanged();
}

} // namespace kvlab::ui
