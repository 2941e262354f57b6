// SPDX-License-Identifier: GPL-3.0-or-later
// The window's guided lab: what the dock is told, what it may point at, and when Measure waits for a prediction.
#include "lab/lab_reader.h"
#include "ui/lab/control_frame.h"
#include "ui/lab/lab_dock.h"
#include "ui/main_window.h"
#include "ui/measure/measure_panel.h"
#include "ui/measure/recorded_run.h"
#include "ui/measure/result_strip.h"
#include "ui/measure/samples_view.h"
#include "ui/measure/ttft_chart.h"
#include "ui/memory/memory_panel.h"
#include "ui/memory/row_details.h"
#include "ui/widgets/message_bar.h"

#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QTimer>
#include <QUndoStack>

namespace kvlab::ui {

void MainWindow::setupLab()
{
    m_lab = new LabDock(this);
    addDockWidget(Qt::LeftDockWidgetArea, m_lab);
    m_lab->hide();
    m_labFrame = new ControlFrame(this);
    m_labRefresh = new QTimer(this);
    m_labRefresh->setSingleShot(true);
    m_labRefresh->setInterval(0);
    connect(m_labRefresh, &QTimer::timeout, this, &MainWindow::updateLab);
    const auto refresh = [this] { m_labRefresh->start(); };
    connect(m_memory, &MemoryPanel::currentRowChanged, this, refresh);
    connect(m_undoStack, &QUndoStack::indexChanged, this, refresh);
    connect(m_controller, &MeasureController::stateChanged, this, refresh);
    connect(m_controller, &MeasureController::ended, this, refresh);
    connect(m_lab, &LabDock::visibilityChanged, this, refresh);
    connect(m_lab, &LabDock::holdChanged, this, &MainWindow::updateMeasuring);
    connect(m_lab, &LabDock::stateChanged, this, [this] {
        m_labUnsaved = true;
        updateTitle();
    });
    connect(m_lab, &LabDock::showRequested, this, &MainWindow::showLabTarget);
    connect(m_lab, &LabDock::recordingRequested, this, [this](const QString &name) {
        if (const auto run = recordedRun(name)) {
            m_measure->showSampleData(*run);
            updateMeasuring();
            updateLab();
        }
    });
}

void MainWindow::setupLabMenu()
{
    QMenu *menu = m_menus.value(QStringLiteral("lab"));
    addAction(menu, "lab", QKeySequence(Qt::CTRL | Qt::Key_L), [this] { toggleLab(); });
    menu->addSeparator();
    addAction(menu, "labSkip", {}, [this] { m_lab->skipStep(); });
    addAction(menu, "labReset", {}, [this] { m_lab->resetStep(); });
    QAction *timer = addAction(menu, "labTimer", {}, [] {});
    timer->setCheckable(true);
    connect(timer, &QAction::toggled, this, [this](bool on) { m_lab->setTimerShown(on); });
    menu->addSeparator();
    addAction(menu, "labOpen", {}, [this] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Open a lab"), {}, tr("Guided labs (*.json)"));
        if (!path.isEmpty())
            openLab(path);
    });
}

void MainWindow::retranslateLab()
{
    m_menus.value(QStringLiteral("lab"))->setTitle(tr("&Lab"));
    m_actions.value(QStringLiteral("lab"))->setText(tr("&Guided lab"));
    m_actions.value(QStringLiteral("labSkip"))->setText(tr("&Skip this step"));
    m_actions.value(QStringLiteral("labReset"))->setText(tr("&Reset this step"));
    m_actions.value(QStringLiteral("labTimer"))->setText(tr("Class &timer"));
    m_actions.value(QStringLiteral("labOpen"))->setText(tr("&Open a lab…"));
}

LabDock *MainWindow::labDock()
{
    return m_lab;
}

/// Opens it, goes to it, or closes it when the focus is in it: one key there and back.
void MainWindow::toggleLab()
{
    const QWidget *focus = focusWidget();
    if (m_lab->isVisible() && focus && m_lab->isAncestorOf(focus)) {
        m_lab->hide();
        return;
    }
    m_lab->show();
    m_lab->raise();
    updateLab();
    m_lab->focusStep();
}

void MainWindow::openLab(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        showError(tr("The lab was not opened: %1. Choose another file.").arg(file.errorString()));
        return;
    }
    const auto read = lab::readLab(file.read(lab::maxLabBytes + 1));
    if (const auto *problems = std::get_if<QList<lab::LabProblem>>(&read)) {
        QStringList lines;
        for (const lab::LabProblem &problem : *problems)
            lines << lab::problemLine(problem);
        showError(tr("The file cannot be used as a guided lab. Correct what the details name, or choose another file."),
            lines.join(u'\n'));
        return;
    }
    m_lab->setLab(std::get<lab::Lab>(read));
    m_lab->show();
    updateLab();
}

void MainWindow::updateLab()
{
    lab::LabFacts facts;
    facts.rows = m_memory->rows();
    facts.current_row = m_memory->currentRow();
    facts.library = m_memory->library();
    facts.plan = m_controller->plan();
    facts.measuring = m_controller->state() != MeasureController::State::idle;
    facts.recorded = m_measure->showsSampleData();
    if (!m_measure->run().samples.isEmpty())
        facts.run = m_measure->run();
    m_lab->setFacts(facts);
}

/// Every name of lab::targetNames() is here; a test goes through them.
QWidget *MainWindow::labTarget(const QString &name) const
{
    static const QMap<QString, QString> byObjectName{{QStringLiteral("add_row"), QStringLiteral("addRow")},
        {QStringLiteral("import_model"), QStringLiteral("importModel")},
        {QStringLiteral("gpu"), QStringLiteral("gpuBox")}, {QStringLiteral("unit"), QStringLiteral("unitBox")},
        {QStringLiteral("row_filter"), QStringLiteral("rowFilter")},
        {QStringLiteral("room"), QStringLiteral("roomForCache")}};
    if (const auto found = byObjectName.constFind(name); found != byObjectName.constEnd())
        return m_memory->findChild<QWidget *>(*found);
    const QMap<QString, QWidget *> widgets{{QStringLiteral("memory_table"), m_memory->findChild<QTableView *>()},
        {QStringLiteral("row_details"), m_memory->findChild<RowDetails *>()},
        {QStringLiteral("measure"), m_measureButton}, {QStringLiteral("server"), m_serverBox},
        {QStringLiteral("plan"), m_planButton}, {QStringLiteral("presentation"), m_presentationButton},
        {QStringLiteral("language"), m_languageBox}, {QStringLiteral("chart"), m_measure->findChild<TtftChart *>()},
        {QStringLiteral("result"), m_measure->findChild<ResultStrip *>()},
        {QStringLiteral("samples"), m_measure->findChild<SamplesView *>()},
        {QStringLiteral("export"), m_measure->findChild<QWidget *>(QStringLiteral("exportRun"))}};
    return widgets.value(name);
}

void MainWindow::showLabTarget(const QString &name)
{
    m_pages->setCurrentIndex(0); // all of them are on the bench
    if (QWidget *target = labTarget(name))
        m_labFrame->point(target);
}

} // namespace kvlab::ui
