// SPDX-License-Identifier: GPL-3.0-or-later
// Measure → What does this server keep?: what is tried, as it is tried, and a plain report at the end.
#pragma once

#include "experiment/keeps_runner.h"

#include <QDialog>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace kvlab::ui {

class MeasureController;
class StudyLine;

class KeepsDialog : public QDialog
{
    Q_OBJECT
public:
    explicit KeepsDialog(MeasureController *controller, QWidget *parent = nullptr);

    /// Brings the one of this window to the front.
    static KeepsDialog *open(MeasureController *controller, QWidget *window);

    void addStep(int number, const experiment::KeepsStep &step);
    void setResult(const experiment::KeepsResult &result);
    QString report() const; ///< plain text, as it is copied

    void done(int result) override; ///< closing it ends its run

protected:
    void changeEvent(QEvent *event) override;

private:
    void setupLayout();
    void start();
    void retranslate();

    MeasureController *m_controller;
    experiment::KeepsRunner m_runner;
    std::optional<experiment::KeepsResult> m_result;
    QList<experiment::KeepsStep> m_steps;
    StudyLine *m_line = nullptr;
    QLabel *m_story = nullptr;
    QLabel *m_logTitle = nullptr;
    QLabel *m_reportTitle = nullptr;
    QPlainTextEdit *m_log = nullptr;
    QPlainTextEdit *m_report = nullptr;
    QPushButton *m_copy = nullptr;
};

} // namespace kvlab::ui
