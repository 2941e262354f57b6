// SPDX-License-Identifier: GPL-3.0-or-later
// Starts a server: the form, the command line it amounts to, the running server's log with what is known about it. The
// server goes on while this window is hidden and ends with it.
#pragma once

#include "experiment/experiment_plan.h"
#include "servers/launched_server.h"

#include <QDialog>
#include <QTimer>

class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QScrollArea;

namespace kvlab::ui {

class LaunchForm;
class MessageBar;

class LaunchDialog : public QDialog
{
    Q_OBJECT
public:
    explicit LaunchDialog(QWidget *parent = nullptr);

    servers::LaunchedServer *server();
    /// The running server, to be measured; meaningful while it is ready.
    experiment::ServerTarget target() const;

Q_SIGNALS:
    /// “Use this server” was pressed while it was ready.
    void useRequested(const kvlab::experiment::ServerTarget &target);

protected:
    void changeEvent(QEvent *event) override;

private:
    void setupCommand();
    void setupLog();
    void followLog();
    void setupButtons();
    void setupLayout();
    void connectServer();
    void retranslate();
    void updateFonts();
    /// The form’s column is as wide as its widest kind so far needs, so that nothing is cut off.
    void fitForm();
    void showCommand();
    void showNotes();
    void showState();
    QString stateText() const;
    void showLines(const QStringList &lines);
    void showEnd(const servers::LaunchEnd &end);
    void showExplanations();
    void startOrStop();
    void copyCommand();
    void search(bool backwards);
    QString commandText() const;

    servers::LaunchedServer m_server;
    servers::LaunchCommand m_command; ///< what the form amounts to now
    servers::LaunchKind m_started = servers::LaunchKind::practice; ///< kind of the server that was started last
    std::optional<servers::LaunchEnd> m_end; ///< of the last start
    qsizetype m_explained = 0; ///< how many explanations the message shows
    LaunchForm *m_form = nullptr;
    QScrollArea *m_formArea = nullptr;
    QLabel *m_commandLabel = nullptr;
    QPlainTextEdit *m_commandView = nullptr;
    QPushButton *m_copy = nullptr;
    QLabel *m_notes = nullptr;
    MessageBar *m_message = nullptr;
    QLabel *m_logLabel = nullptr;
    QLineEdit *m_search = nullptr;
    QPushButton *m_previous = nullptr;
    QPushButton *m_next = nullptr;
    QPlainTextEdit *m_log = nullptr;
    bool m_follow = true;
    QLabel *m_state = nullptr;
    QDialogButtonBox *m_buttons = nullptr;
    QPushButton *m_start = nullptr;
    QPushButton *m_use = nullptr;
    QTimer m_tick; ///< seconds of a start
};

} // namespace kvlab::ui
