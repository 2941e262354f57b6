// SPDX-License-Identifier: GPL-3.0-or-later
// Measure → Sweep over length: the experiment at several lengths of the shared prefix, cold and warm curves as they
// grow, slopes and the length from which caching pays.
#pragma once

#include "experiment/experiment_runner.h"
#include "experiment/sweep.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace kvlab::ui {

class MeasureController;
class StudyLine;
class SweepChart;

class SweepDialog : public QDialog
{
    Q_OBJECT
public:
    explicit SweepDialog(MeasureController *controller, QWidget *parent = nullptr);

    /// Brings the one of this window to the front.
    static SweepDialog *open(MeasureController *controller, QWidget *window);

    void setRuns(const QList<experiment::RunResult> &runs);
    QByteArray csv() const; ///< one row a length; plain C locale
    /// .csv or .png; shows why when it cannot.
    void exportTo(const QString &path);

    void done(int result) override; ///< closing it ends its run

protected:
    void changeEvent(QEvent *event) override;

private:
    void setupLayout();
    void connectRuns();
    void start();
    void startNext();
    void endRun(const experiment::RunResult &run);
    void chooseExport();
    void refresh();
    void fillTable();
    QString resultText() const;
    void retranslate();

    MeasureController *m_controller;
    experiment::ExperimentRunner m_runner;
    experiment::ServerTarget m_target;
    QList<int> m_left; ///< lengths still to do
    int m_total = 0; ///< samples of the whole sweep
    int m_done = 0; ///< of the runs that have ended
    QList<experiment::RunResult> m_runs;
    experiment::SweepSummary m_summary;
    StudyLine *m_line = nullptr;
    QLabel *m_story = nullptr;
    QLabel *m_lengthsLabel = nullptr;
    QLineEdit *m_lengths = nullptr;
    SweepChart *m_chart = nullptr;
    QTableWidget *m_table = nullptr;
    QLabel *m_result = nullptr;
    QPushButton *m_export = nullptr;
};

} // namespace kvlab::ui
