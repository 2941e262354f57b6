// SPDX-License-Identifier: GPL-3.0-or-later
// Measure → Handout: the course's Parts 2 and 3 as they are written, each flaw at the figure it spoils, beside the same
// question measured fairly, on one axis.
#pragma once

#include "experiment/handout_runner.h"
#include "ui/measure/handout_chart.h"

#include <QDialog>

class QButtonGroup;
class QLabel;
class QPushButton;
class QTextBrowser;

namespace kvlab::ui {

class MeasureController;
class StudyLine;

class HandoutDialog : public QDialog
{
    Q_OBJECT
public:
    explicit HandoutDialog(MeasureController *controller, QWidget *parent = nullptr);

    /// Brings the one of this window to the front.
    static HandoutDialog *open(MeasureController *controller, QWidget *window);

    void showPart(int part); ///< 2 or 3
    void setHandout(const experiment::HandoutResult &result);
    void setFair(const experiment::RunResult &run);

    void done(int result) override; ///< closing it ends a run that it started

protected:
    void changeEvent(QEvent *event) override;

private:
    void setupLayout();
    QWidget *createSide(int side);
    void connectRuns();
    void start();
    void finish(const QList<experiment::HandoutResult> &results);
    void measureRight();
    void refresh();
    void refreshFlaws();
    void retranslate();
    QList<HandoutBar> handoutBars() const;
    QList<HandoutBar> fairBars() const;

    MeasureController *m_controller;
    experiment::HandoutRunner m_runner;
    int m_part = 2;
    QMap<int, experiment::HandoutResult> m_results; ///< by part
    std::optional<experiment::RunResult> m_fair;
    bool m_fairAsked = false;
    StudyLine *m_line = nullptr;
    QLabel *m_story = nullptr;
    QButtonGroup *m_parts = nullptr;
    QPushButton *m_fairButton = nullptr;
    QLabel *m_titles[2] = {};
    HandoutChart *m_charts[2] = {};
    QLabel *m_findings[2] = {};
    QTextBrowser *m_flaws = nullptr;
};

} // namespace kvlab::ui
