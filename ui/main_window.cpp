// SPDX-License-Identifier: GPL-3.0-or-later
// Set-up and language of the window; documents are in main_window_document.cpp, measuring in main_window_measuring.cpp.
#include "ui/main_window.h"

#include "i18n/language.h"
#include "ui/dialogs/handout_dialog.h"
#include "ui/dialogs/keeps_dialog.h"
#include "ui/dialogs/sweep_dialog.h"
#include "ui/document_keeper.h"
#include "ui/lab/lab_dock.h"
#include "ui/measure/measure_panel.h"
#include "ui/memory/memory_panel.h"
#include "ui/tiers/hit_dialog.h"
#include "ui/tiers/tiers_dialog.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/eliding_label.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/message_bar.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStatusBar>
#include <QToolBar>
#include <QUndoStack>

#include <utility>

namespace kvlab::ui {

namespace {

constexpr double zoomStep = 0.1;
constexpr double minZoom = 0.8;
constexpr double maxZoom = 2.0;

} // namespace

MainWindow::MainWindow(QWidget *parent)
    : QMainWindow(parent)
    , m_undoStack(new QUndoStack(this))
    , m_controller(new MeasureController(this))
{
    setupCentral();
    setupActions();
    setupViewActions();
    setupMenus();
    setupToolBar();
    setupStatusBar();
    setupLab();
    connectMeasuring();
    retranslate();
    newDocument();
    restoreState();
}

MainWindow::~MainWindow()
{
    // The presentation is a window of its own, without a parent that would delete it.
    delete m_presentation;
}

MeasureController *MainWindow::controller()
{
    return m_controller;
}

MeasurePanel *MainWindow::measurePanel()
{
    return m_measure;
}

MemoryPanel *MainWindow::memoryPanel()
{
    return m_memory;
}

void MainWindow::setupCentral()
{
    m_undoStack->setUndoLimit(200);
    m_message = new MessageBar(this);
    m_message->setObjectName(QStringLiteral("messageBar"));
    m_memory = new MemoryPanel(m_undoStack, this);
    m_measure = new MeasurePanel(this);
    m_invitation = new MessageBar(this);

    auto *right = new QWidget(this);
    auto *rightColumn = new QVBoxLayout(right);
    rightColumn->setContentsMargins(0, 0, 0, 0);
    rightColumn->setSpacing(0);
    rightColumn->addWidget(m_measure, 1);
    auto *invitationRow = new QHBoxLayout;
    invitationRow->setContentsMargins(12, 0, 12, 12);
    invitationRow->addWidget(m_invitation);
    rightColumn->addLayout(invitationRow);

    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->setHandleWidth(6);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(m_memory);
    m_splitter->addWidget(right);
    m_splitter->setStretchFactor(0, 4);
    m_splitter->setStretchFactor(1, 5);

    auto *central = new QWidget(this);
    auto *column = new QVBoxLayout(central);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto *messageRow = new QHBoxLayout;
    messageRow->setContentsMargins(0, 0, 0, 0);
    messageRow->addWidget(m_message);
    m_recovery = new MessageBar(this);
    m_recovery->setObjectName(QStringLiteral("recoveryBar"));
    column->addWidget(m_recovery);
    column->addLayout(messageRow);
    column->addWidget(setupPages(m_splitter), 1);
    setCentralWidget(central);
    connect(m_undoStack, &QUndoStack::cleanChanged, this, &MainWindow::updateTitle);
    connect(m_memory, &MemoryPanel::importRequested, this, [this] { importModel(); });
    connect(m_memory, &MemoryPanel::pasteRefused, this,
        [this](const QString &message) { m_message->showMessage(MessageKind::warning, message); });
    setAcceptDrops(true);
}

QAction *MainWindow::addAction(
    QMenu *menu, const char *name, const QKeySequence &shortcut, const std::function<void()> &run)
{
    auto *action = new QAction(this);
    action->setObjectName(QString::fromLatin1(name));
    action->setShortcut(shortcut);
    connect(action, &QAction::triggered, this, run);
    menu->addAction(action);
    m_actions.insert(action->objectName(), action);
    return action;
}

void MainWindow::setupActions()
{
    for (const char *name : {"file", "edit", "view", "measure", "lab", "help"})
        m_menus.insert(QString::fromLatin1(name), menuBar()->addMenu(QString()));
    QMenu *file = m_menus.value(QStringLiteral("file"));
    addAction(file, "new", QKeySequence::New, [this] {
        if (mayDiscard())
            newDocument();
    });
    addAction(file, "open", QKeySequence::Open, [this] { chooseAndOpen(); });
    m_menus.insert(QStringLiteral("recent"), file->addMenu(QString()));
    connect(m_menus.value(QStringLiteral("recent")), &QMenu::aboutToShow, this, &MainWindow::fillRecent);
    addAction(file, "save", QKeySequence::Save, [this] { save(); });
    addAction(file, "saveAs", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), [this] { saveAs(); });
    file->addSeparator();
    addAction(file, "importModel", QKeySequence(Qt::CTRL | Qt::Key_I), [this] { importModel(); });
    file->addSeparator();
    addAction(file, "exportSamples", QKeySequence(Qt::CTRL | Qt::Key_E), [this] {
        const QString path = chooseExportPath(tr("Export samples"), QStringLiteral("samples.csv"),
            tr("CSV table (*.csv);;JSON with raw stamps (*.json)"));
        if (!path.isEmpty())
            exportSamples(path);
    });
    addAction(file, "exportTable", {}, [this] {
        const QString path
            = chooseExportPath(tr("Export memory table"), QStringLiteral("kv-memory.csv"), tr("CSV table (*.csv)"));
        if (!path.isEmpty())
            exportTable(path);
    });
    addAction(file, "exportChart", {}, [this] {
        const QString path = chooseExportPath(
            tr("Export chart"), QStringLiteral("ttft.png"), tr("Picture (*.png);;Vector picture (*.svg);;PDF (*.pdf)"));
        if (!path.isEmpty())
            exportChart(path);
    });
    file->addSeparator();
    addAction(file, "quit", QKeySequence(Qt::CTRL | Qt::Key_Q), [this] { close(); })->setMenuRole(QAction::QuitRole);

    QMenu *measure = m_menus.value(QStringLiteral("measure"));
    addAction(measure, "measure", QKeySequence(Qt::Key_F5), [this] { m_controller->start(); });
    addAction(measure, "stop", QKeySequence(Qt::SHIFT | Qt::Key_F5), [this] { m_controller->stop(); });
    measure->addSeparator();
    addAction(measure, "plan", QKeySequence(Qt::CTRL | Qt::Key_P), [this] { editPlan(); });
    addAction(measure, "server", {}, [this] { enterServer(); });
    addAction(measure, "startServer", {}, [this] { startServer(); });
    measure->addSeparator();
    addAction(measure, "tiers", {}, [this] { TiersDialog::open(m_controller, this); });
    addAction(measure, "handout", {}, [this] { HandoutDialog::open(m_controller, this); });
    addAction(measure, "sweep", {}, [this] { SweepDialog::open(m_controller, this); });
    addAction(measure, "keeps", {}, [this] { KeepsDialog::open(m_controller, this); });
    addAction(measure, "serverLog", {}, [this] { checkServerLog(); });
    addAction(measure, "willItHit", QKeySequence(Qt::CTRL | Qt::Key_H), [this] { HitDialog(this).exec(); });

    setupLabMenu();
    QMenu *help = m_menus.value(QStringLiteral("help"));
    addAction(help, "about", {}, [this] { showAbout(); })->setMenuRole(QAction::AboutRole);
    addAction(help, "aboutQt", {}, [this] { QMessageBox::aboutQt(this); })->setMenuRole(QAction::AboutQtRole);
}

void MainWindow::setupViewActions()
{
    QMenu *view = m_menus.value(QStringLiteral("view"));
    setupPageActions(view);
    addAction(view, "presentation", QKeySequence(Qt::Key_F11), [this] { togglePresentation(); });
    addAction(view, "blocks", QKeySequence(Qt::CTRL | Qt::Key_B), [this] { m_measure->showBlocks(); });
    view->addSeparator();
    addAction(view, "zoomIn", QKeySequence::ZoomIn, [this] { setZoom(currentZoom() + zoomStep); });
    addAction(view, "zoomOut", QKeySequence::ZoomOut, [this] { setZoom(currentZoom() - zoomStep); });
    addAction(view, "zoomReset", QKeySequence(Qt::CTRL | Qt::Key_0), [this] { setZoom(1.0); });
    view->addSeparator();
    m_menus.insert(QStringLiteral("theme"), view->addMenu(QString()));
    m_themeGroup = new QActionGroup(this);
    for (const auto &[name, theme] : {std::pair{"themeSystem", Theme::system}, std::pair{"themeLight", Theme::light},
             std::pair{"themeDark", Theme::dark}}) {
        QAction *action = addAction(
            m_menus.value(QStringLiteral("theme")), name, {}, [this, value = int(theme)] { setTheme(value); });
        action->setCheckable(true);
        action->setChecked(theme == currentTheme());
        m_themeGroup->addAction(action);
    }
    m_menus.insert(QStringLiteral("language"), view->addMenu(QString()));
    m_languageGroup = new QActionGroup(this);
    for (const QString &language : i18n::availableLanguages()) {
        QAction *action = addAction(m_menus.value(QStringLiteral("language")), qPrintable(language), {},
            [this, language] { setLanguage(language); });
        // Each language is named in itself, so that it is found by those who cannot read the other.
        action->setText(language == QLatin1String("zh") ? QStringLiteral("简体中文") : QStringLiteral("English"));
        action->setCheckable(true);
        action->setChecked(language == i18n::currentLanguage());
        m_languageGroup->addAction(action);
    }
}

void MainWindow::setupMenus()
{
    QMenu *edit = m_menus.value(QStringLiteral("edit"));
    m_undo = addAction(edit, "undo", QKeySequence::Undo, [this] { m_undoStack->undo(); });
    m_redo = addAction(edit, "redo", {}, [this] { m_undoStack->redo(); });
    m_redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    // Texts of our own: the stack's actions keep the language in which they were made.
    connect(m_undoStack, &QUndoStack::indexChanged, this, &MainWindow::retranslateUndo);
    connect(m_undoStack, &QUndoStack::canUndoChanged, m_undo, &QAction::setEnabled);
    connect(m_undoStack, &QUndoStack::canRedoChanged, m_redo, &QAction::setEnabled);
    m_undo->setEnabled(false);
    m_redo->setEnabled(false);
    edit->addSeparator();
    edit->addActions(m_memory->editActions());
    edit->addSeparator();
    addAction(edit, "editCopy", {}, [this] { editModelCopy(); });
}

void MainWindow::setupToolBar()
{
    m_toolBar = new QToolBar(this);
    m_toolBar->setMovable(false);
    m_toolBar->setContextMenuPolicy(Qt::PreventContextMenu);
    QMainWindow::addToolBar(m_toolBar);
    m_measureButton = new QPushButton(this);
    m_measureButton->setObjectName(QStringLiteral("measureButton"));
    setKind(m_measureButton, "primary");
    m_serverLabel = new QLabel(this);
    setKind(m_serverLabel, "secondary");
    m_serverBox = new QComboBox(this);
    m_serverBox->setObjectName(QStringLiteral("serverBox"));
    m_serverBox->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_serverBox->setMinimumContentsLength(14);
    m_serverLabel->setBuddy(m_serverBox);
    m_serverStateIcon = new QLabel(this);
    m_serverState = new ElidingLabel({}, this);
    setKind(m_serverState, "secondary");
    m_serverState->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_planButton = new QPushButton(this);
    m_languageBox = new QComboBox(this);
    m_languageBox->setObjectName(QStringLiteral("languageBox"));
    for (const QString &language : i18n::availableLanguages())
        m_languageBox->addItem(icon(QStringLiteral("globe")),
            language == QLatin1String("zh") ? QStringLiteral("简体中文") : QStringLiteral("English"), language);
    m_languageBox->setCurrentIndex(m_languageBox->findData(i18n::currentLanguage()));
    m_presentationButton = new QPushButton(this);
    m_presentationButton->setIcon(icon(QStringLiteral("screen")));
    const QList<QWidget *> widgets{m_measureButton, m_serverLabel, m_serverBox, m_serverStateIcon, m_serverState,
        m_planButton, createPageSwitch(), m_languageBox, m_presentationButton};
    for (QWidget *widget : widgets)
        m_toolBar->addWidget(widget);

    connect(m_measureButton, &QPushButton::clicked, this, &MainWindow::toggleMeasuring);
    connect(m_serverBox, &QComboBox::activated, this, &MainWindow::chooseServer);
    connect(m_planButton, &QPushButton::clicked, this, &MainWindow::editPlan);
    connect(m_languageBox, &QComboBox::activated, this,
        [this](int index) { setLanguage(m_languageBox->itemData(index).toString()); });
    connect(m_presentationButton, &QPushButton::clicked, this, [this] { togglePresentation(); });
}

void MainWindow::setupStatusBar()
{
    m_status = new ElidingLabel({}, this);
    m_status->setObjectName(QStringLiteral("statusText"));
    m_progress = new QProgressBar(this);
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(220);
    m_progress->hide();
    m_statusBadge = new Badge(this);
    m_statusFacts = new QLabel(this);
    setKind(m_statusFacts, "secondary");
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(12, 0, 12, 0);
    statusBar()->addWidget(m_statusBadge);
    statusBar()->addWidget(m_status, 1);
    statusBar()->addWidget(m_progress);
    statusBar()->addPermanentWidget(m_statusFacts);
}

void MainWindow::restoreState()
{
    const QSettings settings;
    m_memory->restoreState(settings);
    restorePages(settings);
    resize(1280, 720);
    if (!restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray()))
        resize(1280, 720);
    if (!m_splitter->restoreState(settings.value(QStringLiteral("window/splitter")).toByteArray()))
        m_splitter->setSizes({560, 720});
}

void MainWindow::setLanguage(const QString &language)
{
    i18n::installLanguage(language);
    QSettings().setValue(QStringLiteral("language"), language);
    // Chinese text is half a point larger.
    applyAppearance(currentTheme(), currentZoom());
}

void MainWindow::setTheme(int theme)
{
    applyAppearance(Theme(theme), currentZoom());
    QSettings().setValue(QStringLiteral("theme"), theme);
}

void MainWindow::setZoom(double zoom)
{
    applyAppearance(currentTheme(), qBound(minZoom, zoom, maxZoom));
    QSettings().setValue(QStringLiteral("zoom"), currentZoom());
}

void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    // The first language change can come before the window is set up.
    if (event->type() == QEvent::LanguageChange && m_statusFacts)
        retranslate();
    if (event->type() == QEvent::StyleChange && m_statusFacts)
        updateServerState();
}

void MainWindow::retranslateActions()
{
    const QList<std::pair<QString, QString>> texts{
        {QStringLiteral("new"), tr("&New")},
        {QStringLiteral("open"), tr("&Open…")},
        {QStringLiteral("save"), tr("&Save")},
        {QStringLiteral("saveAs"), tr("Save &as…")},
        {QStringLiteral("importModel"), tr("&Import a model…")},
        {QStringLiteral("editCopy"), tr("Edit a copy of this mo&del…")},
        {QStringLiteral("tiers"), tr("&Tiers…")},
        {QStringLiteral("handout"), tr("&Handout…")},
        {QStringLiteral("sweep"), tr("Sweep over &length…")},
        {QStringLiteral("keeps"), tr("What does this server &keep?")},
        {QStringLiteral("serverLog"), tr("&Compare with what a server says…")},
        {QStringLiteral("exportSamples"), tr("&Export samples…")},
        {QStringLiteral("exportTable"), tr("Export &memory table…")},
        {QStringLiteral("exportChart"), tr("Export &chart…")},
        {QStringLiteral("quit"), tr("&Quit")},
        {QStringLiteral("measure"), tr("&Measure")},
        {QStringLiteral("stop"), tr("&Stop")},
        {QStringLiteral("plan"), tr("&Plan…")},
        {QStringLiteral("server"), tr("Enter a se&rver…")},
        {QStringLiteral("startServer"), tr("S&tart a server…")},
        {QStringLiteral("willItHit"), tr("&Will it hit?…")},
        {QStringLiteral("presentation"), tr("&Presentation")},
        {QStringLiteral("blocks"), tr("&Blocks")},
        {QStringLiteral("zoomIn"), tr("Zoom &in")},
        {QStringLiteral("zoomOut"), tr("Zoom &out")},
        {QStringLiteral("zoomReset"), tr("&Normal size")},
        {QStringLiteral("themeSystem"), tr("Like the &system")},
        {QStringLiteral("themeLight"), tr("&Light")},
        {QStringLiteral("themeDark"), tr("&Dark")},
        {QStringLiteral("about"), tr("&About KV Cache Lab")},
        {QStringLiteral("aboutQt"), tr("About &Qt")},
    };
    for (const auto &[name, text] : texts)
        m_actions.value(name)->setText(text);
    m_menus.value(QStringLiteral("file"))->setTitle(tr("&File"));
    m_menus.value(QStringLiteral("recent"))->setTitle(tr("Open &recent"));
    m_menus.value(QStringLiteral("edit"))->setTitle(tr("&Edit"));
    m_menus.value(QStringLiteral("view"))->setTitle(tr("&View"));
    m_menus.value(QStringLiteral("measure"))->setTitle(tr("&Measure"));
    retranslateLab();
    m_menus.value(QStringLiteral("help"))->setTitle(tr("&Help"));
    m_menus.value(QStringLiteral("theme"))->setTitle(tr("&Theme"));
    // Bilingual on purpose, so that the way back is found.
    m_menus.value(QStringLiteral("language"))->setTitle(QStringLiteral("&Language / 语言"));
}

void MainWindow::retranslateUndo()
{
    const QString undo = m_undoStack->undoText();
    const QString redo = m_undoStack->redoText();
    m_undo->setText(undo.isEmpty() ? tr("&Undo") : tr("&Undo: %1", "%1 is what was done last").arg(undo));
    m_redo->setText(redo.isEmpty() ? tr("&Redo") : tr("&Redo: %1", "%1 is what was undone last").arg(redo));
}

void MainWindow::setStatus(const std::function<QString()> &text)
{
    m_statusText = text;
    m_status->setFullText(text());
}

void MainWindow::retranslate()
{
    retranslateActions();
    retranslateUndo();
    retranslatePages();
    showFacts();
    if (m_statusText)
        m_status->setFullText(m_statusText());
    m_serverLabel->setText(tr("Server"));
    m_serverBox->setAccessibleName(tr("Server to measure"));
    m_planButton->setText(tr("Plan…"));
    m_planButton->setToolTip(tr("Rounds, prompt length and order of the next run"));
    m_presentationButton->setText(tr("Presentation"));
    m_presentationButton->setToolTip(tr("Full screen for a projector (F11)"));
    m_languageBox->setAccessibleName(tr("Language of the program"));
    m_languageBox->setCurrentIndex(m_languageBox->findData(i18n::currentLanguage()));
    for (QAction *action : m_languageGroup->actions())
        action->setChecked(action->objectName() == i18n::currentLanguage());
    updateTitle();
    updateMeasuring();
    updateServerState();
    if (m_invitation->isVisible() || m_measure->showsSampleData())
        inviteToMeasure();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (!mayDiscard()) {
        event->ignore();
        return;
    }
    m_controller->stop();
    if (m_keeper)
        m_keeper->documentIsSafe(); // saved, or not wanted
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/splitter"), m_splitter->saveState());
    m_memory->saveState(settings);
    savePages(settings);
    if (m_presentation)
        m_presentation->close();
    event->accept();
}

void MainWindow::showEvent(QShowEvent *event)
{
    QMainWindow::showEvent(event);
    // Before it is shown, the first widget of the page would take the focus from it.
    if (!std::exchange(m_shown, true))
        m_measureButton->setFocus();
}

void MainWindow::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && m_controller->state() != MeasureController::State::idle)
        m_controller->stop();
    else
        QMainWindow::keyPressEvent(event);
}

QWidget *MainWindow::togglePresentation()
{
    if (m_presentation) {
        m_presentation->close();
        return nullptr;
    }
    m_presentation = m_measure->createPresentation(nullptr);
    m_presentation->setAttribute(Qt::WA_DeleteOnClose);
    m_presentation->setWindowTitle(tr("KV Cache Lab – presentation"));
    auto *leave = new QAction(m_presentation);
    leave->setShortcuts({QKeySequence(Qt::Key_F11), QKeySequence(Qt::Key_Escape)});
    connect(leave, &QAction::triggered, m_presentation, &QWidget::close);
    m_presentation->addAction(leave);
    m_presentation->showFullScreen();
    m_lab->noteEvent(QStringLiteral("presentation_opened"));
    return m_presentation;
}

void MainWindow::showAbout()
{
    QMessageBox::about(this, tr("About KV Cache Lab"),
        tr("KV Cache Lab %1 shows and measures the key/value cache of large language models. "
           "It is free software under the GNU General Public License, version 3 or later, without any warranty. "
           "Qt Charts is used under the GNU GPL version 3.")
            .arg(QCoreApplication::applicationVersion()));
}

} // namespace kvlab::ui
