// SPDX-License-Identifier: GPL-3.0-or-later
// The guided lab beside the bench: parts, steps, the step in hand. It owns the lab and what was done of it; facts come
// from the window, and what it wants of the window it says by signals.
#pragma once

#include "lab/lab_facts.h"
#include "lab/lab_reader.h"
#include "lab/progress.h"

#include <QDockWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace kvlab::ui {

class ClassTimer;
class ElidingLabel;
class MessageBar;
class StepCard;
class StepRow;

class LabDock : public QDockWidget
{
    Q_OBJECT
public:
    explicit LabDock(QWidget *parent = nullptr);

    void setLab(const lab::Lab &lab); ///< another lab begins anew
    const lab::Lab &lab() const { return m_lab; }
    void setState(const lab::LabState &state);
    /// Of this lab; or of another one that the session was made with, as long as nothing was done here.
    const lab::LabState &state() const;
    void setFacts(const lab::LabFacts &facts);
    void noteEvent(const QString &name); ///< one of lab::eventNames()

    /// Why Measure has to wait, a sentence; empty when it need not. Only while the dock is open at such a step.
    QString heldBack() const;
    void skipStep();
    void resetStep();
    void setTimerShown(bool shown);
    void focusStep(); ///< the field of the step in hand

Q_SIGNALS:
    void stateChanged(); ///< something was answered, read, completed: the session changed
    void holdChanged();
    void showRequested(const QString &target);
    void recordingRequested(const QString &name);

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void setupTitle();
    void setupContent();
    QWidget *createFooter();
    void connectCard();
    void begin();
    void openStep(const QString &id);
    void openNext();
    void answer(const QString &text);
    void takeRecording();
    void settle(bool focus);
    void refresh();
    void refreshParts();
    void refreshRows();
    void refreshNote();
    void retranslate();
    void scrollToCard();

    lab::Lab m_lab;
    lab::LabState m_state;
    lab::LabState m_foreign; ///< answers to a lab that is not open here
    lab::LabFacts m_facts;
    QWidget *m_titleBar = nullptr;
    ElidingLabel *m_title = nullptr;
    QToolButton *m_float = nullptr;
    QToolButton *m_close = nullptr;
    QComboBox *m_parts = nullptr;
    QLabel *m_progress = nullptr;
    MessageBar *m_note = nullptr;
    QScrollArea *m_area = nullptr;
    QVBoxLayout *m_column = nullptr;
    QList<StepRow *> m_rows;
    StepCard *m_card = nullptr;
    QPushButton *m_show = nullptr;
    ClassTimer *m_timer = nullptr;
    QString m_shownPart;
    bool m_held = false;
};

} // namespace kvlab::ui
