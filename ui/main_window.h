// SPDX-License-Identifier: GPL-3.0-or-later
// The window: menus, tool bar, the bench (memory table beside TTFT charts), status line. It owns the document and the
// undo stack; measuring is MeasureController's.
#pragma once

#include "session/session.h"
#include "ui/measure_controller.h"

#include <QMainWindow>
#include <QMap>
#include <QPointer>

#include <functional>

class QAction;
class QActionGroup;
class QButtonGroup;
class QComboBox;
class QLabel;
class QProgressBar;
class QSettings;
class QPushButton;
class QSplitter;
class QTimer;
class QStackedWidget;
class QToolBar;
class QUndoStack;

namespace kvlab::servers {
class ThisMachine;
}

namespace kvlab::ui {

class Badge;
class DocumentKeeper;
class ElidingLabel;
class ControlFrame;
class LabDock;
class LaunchDialog;
class MeasurePanel;
class MemoryPanel;
class MessageBar;
class PlannerPage;

class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    explicit MainWindow(QWidget *parent = nullptr);
    ~MainWindow() override;

    /// Opens a document; on failure the window keeps what it had and shows why.
    void openFile(const QString &path);
    /// Keeps a copy of the document in `folder` while it is edited, and offers what was left there.
    void keepCopiesIn(const QString &folder);
    /// Saves there; false when it could not, and the reason is shown.
    bool saveFile(const QString &path);
    void exportSamples(const QString &path); ///< .csv or .json
    void exportTable(const QString &path);
    void exportChart(const QString &path); ///< .png, .svg or .pdf

    MeasureController *controller();
    MeasurePanel *measurePanel();
    MemoryPanel *memoryPanel();
    PlannerPage *plannerPage();
    LabDock *labDock();
    void openLab(const QString &path); ///< a guided lab of one's own; problems are shown
    QWidget *labTarget(const QString &name) const; ///< what “Show me” points at
    QWidget *togglePresentation(); ///< the full-screen chart, or nullptr when this closed it
    void setLanguage(const QString &language);

protected:
    void changeEvent(QEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void setupCentral();
    void setupActions();
    void setupViewActions();
    void setupMenus();
    void setupToolBar();
    void setupStatusBar();
    QWidget *setupPages(QWidget *bench);
    void setupPageActions(QMenu *view);
    QWidget *createPageSwitch();
    void showPage(int page);
    void openPlanner();
    void savePages(QSettings &settings) const;
    void restorePages(const QSettings &settings);
    void retranslatePages();
    void connectMeasuring();
    void setupLab();
    void setupLabMenu();
    void retranslateLab();
    void toggleLab();
    void updateLab();
    void showLabTarget(const QString &name);
    void restoreState();
    void retranslate();
    void retranslateActions();
    void retranslateUndo();

    QAction *addAction(QMenu *menu, const char *name, const QKeySequence &shortcut, const std::function<void()> &run);
    void newDocument();
    session::Session document() const;
    void showDocument(const session::Session &document);
    void offerLeftCopy();
    void noteRecent(const QString &path);
    void fillRecent();
    void chooseAndOpen();
    bool save();
    bool saveAs();
    bool mayDiscard();
    void updateTitle();
    QString chooseExportPath(const QString &title, const QString &name, const QString &filter);
    void showError(const QString &message, const QString &details = {});
    /// `event` is what the guided lab is told: samples_exported, …
    void reportWritten(const QString &path, const std::optional<QString> &error, const QString &event);

    void importModel(const QString &path = {});
    void addModel(const memory::ModelSpec &model);
    void editModelCopy();
    void checkServerLog();

    void toggleMeasuring();
    void chooseServer(int index);
    void enterServer();
    void startServer();
    void editPlan();
    void updateMeasuring();
    void updateServerState();
    /// The text is asked for again when the language changes.
    void setStatus(const std::function<QString()> &text);
    static QString progressText(const experiment::RunProgress &progress);
    static QString endText(const experiment::RunResult &result);
    void showFacts();
    void showProgress(const experiment::RunProgress &progress);
    void finishRun(const experiment::RunResult &result);
    void inviteToMeasure();
    void setTheme(int theme);
    void setZoom(double zoom);
    void showAbout();

    QUndoStack *m_undoStack = nullptr;
    MeasureController *m_controller = nullptr;
    MemoryPanel *m_memory = nullptr;
    MeasurePanel *m_measure = nullptr;
    MessageBar *m_message = nullptr;
    MessageBar *m_invitation = nullptr;
    MessageBar *m_recovery = nullptr;
    DocumentKeeper *m_keeper = nullptr; ///< none until keepCopiesIn()
    QSplitter *m_splitter = nullptr;
    QStackedWidget *m_pages = nullptr;
    QButtonGroup *m_pageGroup = nullptr;
    PlannerPage *m_planner = nullptr;
    servers::ThisMachine *m_machine = nullptr;
    QString m_plannedModel; ///< of the row with which the planner was opened last
    QToolBar *m_toolBar = nullptr;
    QPushButton *m_measureButton = nullptr;
    QPushButton *m_planButton = nullptr;
    QPushButton *m_presentationButton = nullptr;
    QLabel *m_serverLabel = nullptr;
    QComboBox *m_serverBox = nullptr;
    QLabel *m_serverStateIcon = nullptr;
    ElidingLabel *m_serverState = nullptr;
    QComboBox *m_languageBox = nullptr;
    ElidingLabel *m_status = nullptr;
    QProgressBar *m_progress = nullptr;
    Badge *m_statusBadge = nullptr;
    QLabel *m_statusFacts = nullptr;
    QMap<QString, QAction *> m_actions;
    QMap<QString, QMenu *> m_menus;
    QAction *m_undo = nullptr;
    QAction *m_redo = nullptr;
    QActionGroup *m_themeGroup = nullptr;
    QActionGroup *m_languageGroup = nullptr;
    QPointer<QWidget> m_presentation;
    LabDock *m_lab = nullptr;
    ControlFrame *m_labFrame = nullptr;
    QTimer *m_labRefresh = nullptr; ///< gathers what changes in one go
    LaunchDialog *m_launch = nullptr; ///< made when first asked for; its server ends with it
    std::function<QString()> m_statusText;
    QString m_coldMethod; ///< of the run in hand; empty until the server has answered
    bool m_shown = false; ///< at least once
    QString m_path; ///< of the document; empty = untitled
    bool m_runUnsaved = false;
    bool m_labUnsaved = false;
    bool m_engineEverReady = false;
    std::optional<experiment::ServerTarget> m_otherServer; ///< kept for this run of the program only
};

} // namespace kvlab::ui
