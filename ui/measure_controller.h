// SPDX-License-Identifier: GPL-3.0-or-later
// Makes Measure one button: starts the practice engine when it is the chosen server, then the experiment; Stop ends
// either.
#pragma once

#include "experiment/experiment_runner.h"
#include "servers/practice_server.h"

#include <QObject>

#include <functional>

namespace kvlab::ui {

class MeasureController : public QObject
{
    Q_OBJECT
public:
    enum class State { idle, starting_engine, running };

    explicit MeasureController(QObject *parent = nullptr);

    void setServer(const experiment::ServerTarget &server);
    const experiment::ServerTarget &server() const;
    void setPlan(const experiment::ExperimentPlan &plan);
    const experiment::ExperimentPlan &plan() const;
    /// auto, small, medium, large: the practice engine is started with it, again when another size is running.
    void setEngineSize(const QString &size);
    const QString &engineSize() const;

    void start();
    void stop();
    /// For a measurement that is not the experiment: false while another one goes on. Until release() the state is
    /// running, and stop() calls `stop`.
    bool occupy(const std::function<void()> &stop);
    /// The same with the chosen server: the practice engine is started first when it is that, then `run` is called
    /// with the server's address. When the engine fails or is stopped before, the state is idle again without `run`.
    bool occupyServer(
        const std::function<void(const experiment::ServerTarget &)> &run, const std::function<void()> &stop);
    void release();
    State state() const;
    const servers::PracticeServer &practiceServer() const;

Q_SIGNALS:
    void stateChanged();
    void began(const kvlab::experiment::ExperimentPlan &plan);
    void serverLearned(const kvlab::experiment::ServerFacts &facts);
    void progressed(const kvlab::experiment::RunProgress &progress);
    void sampleFinished(const kvlab::experiment::MeasuredSample &sample, const kvlab::experiment::Summary &summary);
    /// One for every began().
    void ended(const kvlab::experiment::RunResult &result);
    /// The engine could not start, or died outside a run.
    void engineFailed(const QString &message, const QString &details);

private:
    void connectEngine();
    void connectRunner();
    void run(const experiment::ServerTarget &server);
    void setState(State state);

    servers::PracticeServer m_engine;
    experiment::ExperimentRunner m_runner;
    experiment::ServerTarget m_server;
    experiment::ExperimentPlan m_plan;
    QString m_engineSize = QStringLiteral("auto");
    State m_state = State::idle;
    std::function<void()> m_stopOther; ///< while occupied
    std::function<void(const experiment::ServerTarget &)> m_runOther; ///< until the engine is ready
};

/// The built-in engine as a target; its address is known once it runs.
experiment::ServerTarget practiceEngineTarget();

} // namespace kvlab::ui
