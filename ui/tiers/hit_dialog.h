// SPDX-License-Identifier: GPL-3.0-or-later
// "Will it hit?": two prompts or requests are pasted; they are aligned token by token, the first difference is marked
// in both, each design's hit is counted, and the likely reason is told with what to change. A chat log can be replayed.
#pragma once

#include "prefix/chat_request.h"

#include <QDialog>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTabWidget;
class QTableView;
class QTimer;

namespace kvlab::ui {

class ChatLogJob;
class HitTable;

class HitDialog : public QDialog
{
    Q_OBJECT
public:
    explicit HitDialog(QWidget *parent = nullptr);
    ~HitDialog() override;

    void setPrompts(const QString &first, const QString &second);
    void replay(const QString &path); ///< of a chat log, JSONL
    QString verdict() const; ///< where they part and why, as shown
    QString replayText() const;
    HitTable *table() const { return m_table; }

protected:
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    /// One side: what was pasted, and what the model reads of it.
    struct Side
    {
        QLabel *title = nullptr;
        QPlainTextEdit *pasted = nullptr;
        QPlainTextEdit *read = nullptr;
        prefix::ReadPrompt prompt;
    };

    void setupWidgets();
    void setupLayout();
    void setupReplay();
    QWidget *createComparePage();
    QWidget *createLogPage();
    void compare();
    void mark(Side &side, const prefix::HitForecast &forecast);
    void chooseLog();
    void endReplay(const QString &text);
    void retranslate();
    void restyle();

    prefix::Tokenizer m_tokenizer;
    Side m_sides[2];
    QTimer *m_wait; ///< compares once typing pauses
    HitTable *m_table;
    QTabWidget *m_tabs;
    QLabel *m_hint;
    QLabel *m_readTitle;
    QLabel *m_parting;
    QLabel *m_reason;
    QLabel *m_notes;
    QTableView *m_view;
    ChatLogJob *m_job;
    QLabel *m_logHint;
    QPushButton *m_chooseLog;
    QPushButton *m_stop;
    QLabel *m_progress;
    QPlainTextEdit *m_logResult;
    QPushButton *m_close;
};

} // namespace kvlab::ui
