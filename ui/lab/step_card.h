// SPDX-License-Identifier: GPL-3.0-or-later
// The step in hand: what to do, the question with its field, feedback, hints, and the ways on. It shows what it is
// given and asks for changes by signals.
#pragma once

#include "lab/lab_facts.h"
#include "lab/progress.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace kvlab::ui {

class AnswerField;

class StepCard : public QFrame
{
    Q_OBJECT
public:
    explicit StepCard(QWidget *parent = nullptr);

    /// What was typed stays while the step and the language do.
    void showStep(const lab::Lab &lab, const lab::LabState &state, const lab::LabFacts &facts);
    void forget(); ///< what was typed
    /// The field, or Continue when there is nothing left to do.
    void focusInput();

Q_SIGNALS:
    void answered(const QString &text);
    void continued();
    void hintWanted();
    void recordingWanted();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void setupTexts();
    void setupButtons();
    void showTexts(const lab::Lab &lab, const lab::LabState &state, const lab::LabFacts &facts, const lab::Step &step);
    void showQuestion(const lab::LabState &state, const lab::LabFacts &facts, const lab::Step &step);
    void showHints(const lab::Step &step, const lab::StepState &own, const lab::LabFacts &facts);
    void showButtons(const lab::Step &step, const lab::StepState &own, bool open);

    QLabel *m_comparison = nullptr;
    QLabel *m_text = nullptr;
    QLabel *m_prompt = nullptr;
    AnswerField *m_field = nullptr;
    QLabel *m_feedback = nullptr;
    QLabel *m_hints = nullptr;
    QLabel *m_attempt = nullptr;
    QLabel *m_waiting = nullptr;
    QPushButton *m_check = nullptr;
    QPushButton *m_hint = nullptr;
    QPushButton *m_recording = nullptr;
    QPushButton *m_continue = nullptr;
    QString m_shown; ///< step and language that the field was made for
};

} // namespace kvlab::ui
