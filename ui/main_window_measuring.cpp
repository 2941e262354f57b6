// SPDX-License-Identifier: GPL-3.0-or-later
// The window's measuring: Measure and Stop, server chooser, status line.
#include "ui/dialogs/launch_dialog.h"
#include "ui/dialogs/plan_dialog.h"
#include "ui/dialogs/server_dialog.h"
#include "ui/lab/lab_dock.h"
#include "ui/main_window.h"
#include "ui/measure/measure_panel.h"
#include "ui/memory/memory_panel.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/eliding_label.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/message_bar.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>

namespace kvlab::ui {

using experiment::RunEnd;
using experiment::RunProgress;
using State = MeasureController::State;

void MainWindow::connectMeasuring()
{
    connect(m_controller, &MeasureController::stateChanged, this, &MainWindow::updateMeasuring);
    connect(m_controller, &MeasureController::began, this, [this](const experiment::ExperimentPlan &plan) {
        m_message->hide();
        m_invitation->hide();
        m_measure->beginRun(plan);
        m_coldMethod.clear();
        showFacts();
    });
    connect(m_controller, &MeasureController::serverLearned, this, [this](const experiment::ServerFacts &facts) {
        m_measure->setServerFacts(facts);
        m_coldMethod = experiment::coldMethodName(facts.cold);
        showFacts();
        if (!facts.cold_note.isEmpty())
            m_message->showMessage(MessageKind::warning, facts.cold_note);
    });
    connect(m_controller, &MeasureController::progressed, this, &MainWindow::showProgress);
    connect(m_controller, &MeasureController::sampleFinished, m_measure, &MeasurePanel::addSample);
    connect(m_controller, &MeasureController::ended, this, &MainWindow::finishRun);
    connect(m_controller, &MeasureController::engineFailed, this, &MainWindow::showError);
    connect(m_measure, &MeasurePanel::keptRunsChanged, this, [this] {
        m_runUnsaved = true;
        updateTitle();
    });
    connect(m_measure, &MeasurePanel::tabsEnlarged, m_memory, &QWidget::setHidden);
    connect(m_memory, &MemoryPanel::currentRowChanged, m_measure, [this] {
        const std::optional<memory::MemoryRow> row = m_memory->currentRow();
        const memory::Estimate estimate
            = row ? memory::estimateRow(*row, m_memory->library()) : memory::Estimate(memory::Refusal());
        const auto *result = std::get_if<memory::MemoryResult>(&estimate);
        m_measure->setExpectedBytesPerToken(row ? row->model : QString(),
            result != nullptr ? std::optional(result->bytes_per_token.convert_to<double>()) : std::nullopt);
    });
    connect(
        m_measure, &MeasurePanel::exportRequested, m_actions.value(QStringLiteral("exportSamples")), &QAction::trigger);
}

/// What the run in hand is measured with.
void MainWindow::showFacts()
{
    const QString method = m_coldMethod == QLatin1String("salt") ? QStringLiteral("cache_salt") : m_coldMethod;
    m_statusFacts->setText(m_coldMethod.isEmpty()
            ? QString()
            : tr("seed %1 · cold by %2").arg(QString::number(m_controller->plan().seed), method));
}

void MainWindow::toggleMeasuring()
{
    if (m_controller->state() == State::idle)
        m_controller->start();
    else
        m_controller->stop();
}

void MainWindow::updateMeasuring()
{
    const bool idle = m_controller->state() == State::idle;
    m_measureButton->setText(idle ? tr("Measure") : tr("Stop"));
    m_measureButton->setIcon(idle ? icon(QStringLiteral("play"), tokens().on_accent) : icon(QStringLiteral("stop")));
    m_measureButton->setToolTip(idle ? tr("Measure the arms (F5)") : tr("Stop and keep what was measured (Esc)"));
    setKind(m_measureButton, idle ? "primary" : "stop");
    const QString held = idle ? m_lab->heldBack() : QString();
    m_measureButton->setEnabled(held.isEmpty());
    m_invitation->setEnabled(held.isEmpty());
    if (!held.isEmpty())
        m_measureButton->setToolTip(held);
    m_actions.value(QStringLiteral("measure"))->setEnabled(idle && held.isEmpty());
    m_actions.value(QStringLiteral("stop"))->setEnabled(!idle);
    m_actions.value(QStringLiteral("plan"))->setEnabled(idle);
    m_actions.value(QStringLiteral("server"))->setEnabled(idle);
    m_planButton->setEnabled(idle);
    m_serverBox->setEnabled(idle);
    const bool samples = !m_measure->run().samples.isEmpty();
    m_actions.value(QStringLiteral("exportSamples"))->setEnabled(samples);
    m_actions.value(QStringLiteral("exportChart"))->setEnabled(samples);
    if (m_controller->state() == State::starting_engine)
        setStatus(
            [] { return tr("The practice engine is starting: it measures this computer and makes its weights."); });
    m_progress->setVisible(m_controller->state() == State::running);
    m_progress->setRange(0, 0);
    if (m_controller->state() == State::running)
        m_statusBadge->set(BadgeState::live, tr("LIVE"));
    else
        m_statusBadge->set(
            m_measure->showsSampleData() ? BadgeState::sample_data : BadgeState::none, tr("SAMPLE DATA"));
    if (idle && m_measure->showsSampleData())
        setStatus([] { return tr("Nothing measured yet."); });
    updateServerState();
}

void MainWindow::updateServerState()
{
    const bool practice = m_controller->server().practice_engine;
    const auto engineState = m_controller->practiceServer().state();
    QString text;
    QString iconName = QStringLiteral("ring");
    QColor color = tokens().text2;
    if (m_controller->state() == State::running) {
        text = tr("busy with this run");
        iconName = QStringLiteral("clock");
    } else if (!practice) {
        text = tr("asked when Measure is pressed");
    } else if (engineState == servers::PracticeServer::State::ready) {
        text = tr("ready · %1: its text is gibberish, its times and hits are real")
                   .arg(m_controller->practiceServer().description());
        iconName = QStringLiteral("tick-circle");
        color = tokens().ok;
    } else if (engineState == servers::PracticeServer::State::starting) {
        text = tr("starting");
        iconName = QStringLiteral("clock");
    } else {
        text = tr("starts with Measure · untrained: its text is gibberish, its times and hits are real");
    }
    m_serverState->setFullText(text);
    experiment::ServerTarget watched = m_controller->server();
    if (practice)
        watched.base_url = m_controller->practiceServer().baseUrl();
    m_measure->watchServer(watched, m_controller->state() != State::idle);
    m_serverStateIcon->setPixmap(icon(iconName, color).pixmap(QSize(16, 16), devicePixelRatioF()));

    const QSignalBlocker blocker(m_serverBox);
    m_serverBox->clear();
    m_serverBox->addItem(tr("Practice engine"));
    if (m_otherServer)
        m_serverBox->addItem(m_otherServer->label);
    m_serverBox->addItem(tr("Enter a server…"));
    m_serverBox->setCurrentIndex(practice ? 0 : 1);
}

void MainWindow::chooseServer(int index)
{
    if (index == m_serverBox->count() - 1)
        enterServer();
    else
        m_controller->setServer(index == 0 ? practiceEngineTarget() : *m_otherServer);
}

void MainWindow::enterServer()
{
    auto *dialog = new ServerDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (m_otherServer)
        dialog->setTarget(*m_otherServer);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_otherServer = dialog->target();
        m_controller->setServer(*m_otherServer);
    });
    connect(dialog, &QDialog::rejected, this, &MainWindow::updateServerState);
    dialog->open();
}

/// The window is kept: its server goes on while it is closed.
void MainWindow::startServer()
{
    if (m_launch == nullptr) {
        m_launch = new LaunchDialog(this);
        connect(m_launch, &LaunchDialog::useRequested, this, [this](const experiment::ServerTarget &target) {
            m_otherServer = target;
            if (m_controller->state() == State::idle)
                m_controller->setServer(target);
            else
                m_message->showMessage(MessageKind::info,
                    tr("The run goes on with the server it began with. Choose the new one when it has ended: press "
                       "“Use "
                       "this server” again."));
        });
    }
    m_launch->show();
    m_launch->raise();
    m_launch->activateWindow();
}

void MainWindow::editPlan()
{
    auto *dialog = new PlanDialog(m_controller->plan(), m_controller->engineSize(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_controller->setPlan(dialog->plan());
        m_controller->setEngineSize(dialog->engineSize());
        updateLab();
    });
    dialog->open();
}

QString MainWindow::progressText(const RunProgress &progress)
{
    QString text;
    switch (progress.phase) {
    case RunProgress::Phase::connecting:
        text = tr("Asking the server what it offers.");
        break;
    case RunProgress::Phase::warming_up:
        text = tr("Warming up with another prompt.");
        break;
    case RunProgress::Phase::priming:
    case RunProgress::Phase::measuring:
        text = tr("Sample %1 of %2 – %3")
                   .arg(QLocale().toString(qMin(progress.done + 1, progress.total)), QLocale().toString(progress.total),
                       progress.arm ? experiment::armTitle(*progress.arm) : QString());
        break;
    }
    if (progress.remaining_ms)
        text += tr(" – about %n s left", nullptr, int((*progress.remaining_ms + 999) / 1000));
    return text;
}

void MainWindow::showProgress(const RunProgress &progress)
{
    setStatus([progress] { return progressText(progress); });
    if (progress.total > 0) {
        m_progress->setRange(0, progress.total);
        m_progress->setValue(progress.done);
    }
}

QString MainWindow::endText(const experiment::RunResult &result)
{
    const qsizetype count = result.samples.size();
    const int planned = result.plan.rounds * int(result.plan.arms.size());
    switch (result.end) {
    case RunEnd::finished:
        return tr("Finished: %n sample(s).", nullptr, int(count));
    case RunEnd::stopped:
        return tr("Stopped after %1 of %2 samples; they are kept.")
            .arg(QLocale().toString(count), QLocale().toString(planned));
    case RunEnd::failed:
        return tr("Ended early: %1 of %2 samples are kept.")
            .arg(QLocale().toString(count), QLocale().toString(planned));
    }
    return {};
}

void MainWindow::finishRun(const experiment::RunResult &result)
{
    m_measure->endRun(result);
    if (!result.samples.isEmpty())
        m_runUnsaved = true;
    setStatus([result] { return endText(result); });
    if (result.end == RunEnd::failed)
        showError(result.message, result.details);
    updateTitle();
    updateMeasuring();
}

void MainWindow::inviteToMeasure()
{
    m_invitation->showMessage(MessageKind::info,
        tr("Measure your own. The practice engine runs on this computer, offline, without a GPU; "
           "your samples replace the sample data."));
    QPushButton *button = m_invitation->addAction(tr("Measure"));
    button->setIcon(icon(QStringLiteral("play")));
    connect(button, &QPushButton::clicked, m_controller, &MeasureController::start);
}

} // namespace kvlab::ui
