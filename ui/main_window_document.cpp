// SPDX-License-Identifier: GPL-3.0-or-later
// The window's document: new, open, save, export. Nothing that the user had is lost when one of them fails.
#include "session/csv.h"
#include "session/samples_export.h"
#include "ui/document_keeper.h"
#include "ui/lab/lab_dock.h"
#include "ui/main_window.h"
#include "ui/measure/measure_panel.h"
#include "ui/measure/recorded_run.h"
#include "ui/memory/memory_panel.h"
#include "ui/planner/planner_page.h"
#include "ui/widgets/eliding_label.h"
#include "ui/widgets/message_bar.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonDocument>
#include <QLocale>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QUndoStack>

namespace kvlab::ui {

void MainWindow::newDocument()
{
    m_undoStack->clear();
    m_memory->setLibrary({});
    m_memory->setRows(memory::handoutGrid());
    m_lab->setState({});
    m_path.clear();
    m_runUnsaved = false;
    m_labUnsaved = false;
    m_measure->setKeptRuns({});
    if (m_keeper) {
        m_keeper->documentIsSafe();
        m_keeper->claim({});
    }
    if (const auto recorded = recordedRun()) {
        m_measure->showSampleData(*recorded);
        inviteToMeasure();
    }
    updateTitle();
    updateMeasuring();
}

void MainWindow::chooseAndOpen()
{
    if (!mayDiscard())
        return;
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a session"), QFileInfo(m_path).absolutePath(), tr("KV Cache Lab sessions (*.kvlab)"));
    if (!path.isEmpty())
        openFile(path);
}

void MainWindow::openFile(const QString &path)
{
    const auto loaded = session::loadSession(path);
    if (const auto *error = std::get_if<session::SessionError>(&loaded)) {
        showError(error->message);
        return;
    }
    const auto &opened = std::get<session::Session>(loaded);
    showDocument(opened);
    m_path = path;
    m_runUnsaved = false;
    m_labUnsaved = false;
    m_message->hide();
    if (m_keeper) {
        m_keeper->documentIsSafe();
        if (const auto warning = m_keeper->claim(path))
            m_message->showMessage(MessageKind::warning, *warning);
    }
    if (opened.measuredElsewhere())
        m_message->showMessage(MessageKind::info,
            tr("The run in this file was measured on another computer. Its times say nothing about this one."));
    noteRecent(path);
    updateTitle();
    updateMeasuring();
}

void MainWindow::showDocument(const session::Session &document)
{
    m_undoStack->clear();
    m_memory->setLibrary(document.library);
    m_memory->setRows(document.rows);
    m_lab->setState(document.lab);
    m_planner->setLibrary(document.library);
    if (!document.planner.isEmpty())
        m_planner->setPlannerSettings(plannerSettingsFromJson(document.planner));
    QList<session::KeptRun> runs = document.runs;
    // Files of earlier versions know only the last run.
    if (document.run && runs.isEmpty())
        runs.append({QString(), *document.run});
    m_measure->setKeptRuns(runs);
    if (document.run) {
        m_measure->showRun(*document.run);
        m_invitation->hide();
    }
}

session::Session MainWindow::document() const
{
    session::Session document;
    document.library = m_memory->library();
    document.rows = m_memory->rows();
    document.lab = m_lab->state();
    document.planner = plannerSettingsToJson(m_planner->plannerSettings());
    // A recording that came with the program is not the user's measurement.
    if (!m_measure->showsSampleData() && !m_measure->run().samples.isEmpty())
        document.run = m_measure->run();
    document.runs = m_measure->keptRuns();
    return document;
}

bool MainWindow::saveFile(const QString &path)
{
    if (const auto error = session::saveSession(path, document())) {
        showError(error->message);
        return false;
    }
    m_path = path;
    m_runUnsaved = false;
    m_labUnsaved = false;
    m_undoStack->setClean();
    if (m_keeper) {
        m_keeper->documentIsSafe();
        if (const auto warning = m_keeper->claim(path))
            m_message->showMessage(MessageKind::warning, *warning);
    }
    noteRecent(path);
    updateTitle();
    setStatus([path] { return tr("Saved as %1.").arg(QFileInfo(path).fileName()); });
    return true;
}

void MainWindow::keepCopiesIn(const QString &folder)
{
    m_keeper = new DocumentKeeper(
        folder, [this] { return document(); }, [this] { return m_path; }, this);
    connect(m_undoStack, &QUndoStack::indexChanged, m_keeper, [this] {
        if (!m_undoStack->isClean())
            m_keeper->touch();
    });
    connect(m_controller, &MeasureController::began, m_keeper, &DocumentKeeper::runBegan);
    connect(m_controller, &MeasureController::sampleFinished, m_keeper,
        [this](const experiment::MeasuredSample &sample) { m_keeper->sampleFinished(m_measure->run(), sample); });
    connect(m_keeper, &DocumentKeeper::failed, this,
        [this](const QString &message) { m_message->showMessage(MessageKind::warning, message); });
    offerLeftCopy();
}

/// The newest copy that a dead program left; the next one is offered when this one is dealt with.
void MainWindow::offerLeftCopy()
{
    const QList<session::LeftCopy> copies = m_keeper->leftCopies();
    m_recovery->hide();
    if (copies.isEmpty())
        return;
    const session::LeftCopy copy = copies.constFirst();
    const QString name = copy.document_path.isEmpty() ? tr("untitled") : QFileInfo(copy.document_path).fileName();
    m_recovery->showMessage(MessageKind::warning,
        tr("KV Cache Lab ended unexpectedly. A copy of “%1” of %2 is there: %3 rows, %n sample(s).", nullptr,
            copy.session.run ? int(copy.session.run->samples.size()) : 0)
            .arg(name, QLocale().toString(copy.written_at, QLocale::ShortFormat),
                QLocale().toString(copy.session.rows.size())));
    connect(m_recovery->addAction(tr("Recover")), &QPushButton::clicked, this, [this, copy] {
        if (!mayDiscard())
            return;
        showDocument(copy.session);
        m_path = copy.document_path;
        m_runUnsaved = true; // until it is saved
        m_keeper->removeCopy(copy.id);
        m_keeper->touch();
        updateTitle();
        updateMeasuring();
        offerLeftCopy();
    });
    connect(m_recovery->addAction(tr("Delete the copy")), &QPushButton::clicked, this, [this, copy] {
        m_keeper->removeCopy(copy.id);
        offerLeftCopy();
    });
}

void MainWindow::noteRecent(const QString &path)
{
    constexpr int most = 8;
    QSettings settings;
    QStringList recent = settings.value(QStringLiteral("recent")).toStringList();
    const QString whole = QFileInfo(path).absoluteFilePath();
    recent.removeAll(whole);
    recent.prepend(whole);
    settings.setValue(QStringLiteral("recent"), QStringList(recent.mid(0, most)));
}

/// When the menu opens: files may have come and gone.
void MainWindow::fillRecent()
{
    QMenu *menu = m_menus.value(QStringLiteral("recent"));
    menu->clear();
    for (const QString &path : QSettings().value(QStringLiteral("recent")).toStringList()) {
        if (!QFileInfo::exists(path))
            continue;
        QAction *action = menu->addAction(QString(path).replace(QLatin1Char('&'), QStringLiteral("&&")));
        connect(action, &QAction::triggered, this, [this, path] {
            if (mayDiscard())
                openFile(path);
        });
    }
    if (menu->isEmpty())
        menu->addAction(tr("none yet", "no recent file"))->setEnabled(false);
}

bool MainWindow::save()
{
    return m_path.isEmpty() ? saveAs() : saveFile(m_path);
}

bool MainWindow::saveAs()
{
    QString path = QFileDialog::getSaveFileName(this, tr("Save the session"),
        m_path.isEmpty() ? QStringLiteral("practice.kvlab") : m_path, tr("KV Cache Lab sessions (*.kvlab)"));
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".kvlab");
    return saveFile(path);
}

/// True when nothing unsaved would be lost, or the user agrees.
bool MainWindow::mayDiscard()
{
    if (m_undoStack->isClean() && !m_runUnsaved && !m_labUnsaved)
        return true;
    QMessageBox question(QMessageBox::Warning, tr("KV Cache Lab"),
        tr("This session has changes or measurements that are not saved. Save them?"), {}, this);
    QPushButton *saveButton = question.addButton(tr("Save"), QMessageBox::AcceptRole);
    QPushButton *discardButton = question.addButton(tr("Discard"), QMessageBox::DestructiveRole);
    question.addButton(tr("Keep working"), QMessageBox::RejectRole);
    question.setDefaultButton(saveButton);
    question.exec();
    if (question.clickedButton() == saveButton)
        return save();
    return question.clickedButton() == discardButton;
}

void MainWindow::updateTitle()
{
    const QString name = m_path.isEmpty() ? tr("untitled") : QFileInfo(m_path).fileName();
    setWindowTitle(tr("KV Cache Lab – %1[*]").arg(name));
    setWindowModified(!m_undoStack->isClean() || m_runUnsaved || m_labUnsaved);
}

QString MainWindow::chooseExportPath(const QString &title, const QString &name, const QString &filter)
{
    const QString folder = m_path.isEmpty() ? QString() : QFileInfo(m_path).absolutePath() + QLatin1Char('/');
    QString chosen;
    QString path = QFileDialog::getSaveFileName(this, title, folder + name, filter, &chosen);
    if (!path.isEmpty() && QFileInfo(path).suffix().isEmpty()) {
        const qsizetype dot = chosen.indexOf(QLatin1String("*."));
        path += QLatin1Char('.') + chosen.mid(dot + 2).section(QLatin1Char(')'), 0, 0);
    }
    return path;
}

void MainWindow::exportSamples(const QString &path)
{
    const bool json = QFileInfo(path).suffix().compare(QLatin1String("json"), Qt::CaseInsensitive) == 0;
    const experiment::RunResult &run = m_measure->run();
    const QByteArray content = json ? QJsonDocument(session::runToJson(run)).toJson() : session::samplesToCsv(run);
    reportWritten(path, session::writeFileAtomically(path, content), QStringLiteral("samples_exported"));
}

void MainWindow::exportTable(const QString &path)
{
    reportWritten(path, session::writeFileAtomically(path, session::rowsToCsv(m_memory->rows(), m_memory->library())),
        QStringLiteral("table_exported"));
}

void MainWindow::exportChart(const QString &path)
{
    reportWritten(path, m_measure->exportChart(path), QStringLiteral("chart_exported"));
}

void MainWindow::reportWritten(const QString &path, const std::optional<QString> &error, const QString &event)
{
    if (error) {
        showError(*error);
        return;
    }
    m_lab->noteEvent(event);
    setStatus([path] { return tr("Written: %1.").arg(QFileInfo(path).fileName()); });
}

void MainWindow::showError(const QString &message, const QString &details)
{
    m_message->showMessage(MessageKind::error, message, details);
}

} // namespace kvlab::ui
