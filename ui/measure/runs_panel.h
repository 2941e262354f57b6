// SPDX-License-Identifier: GPL-3.0-or-later
// The Runs tab: every run of this session. Two chosen rows are drawn on one axis, with the difference in words. The
// earlier one is A.
#pragma once

#include "ui/measure/run_history.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QScrollArea;
class QTableView;

namespace kvlab::ui {

class CompareChart;

class RunsPanel : public QWidget
{
    Q_OBJECT
public:
    explicit RunsPanel(QWidget *parent = nullptr);

    RunHistory *history() { return m_history; }
    /// Writes the chosen run, .csv or .json; a sentence when it cannot.
    std::optional<QString> exportRun(const QString &path) const;
    QString comparison() const; ///< in words; what is to be done when not two runs are chosen

    void retranslate();
    void restyle();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void setupTable();
    void setupLayout();
    QList<int> chosenRows() const; ///< ascending
    void updateChoice();
    void chooseFileAndExport();
    void fitColumns();

    RunHistory *m_history;
    QTableView *m_table;
    QPushButton *m_rename;
    QPushButton *m_remove;
    QPushButton *m_bringBack;
    QPushButton *m_export;
    QLabel *m_note; ///< what to do next, or how an export went
    QScrollArea *m_scroll;
    QLabel *m_titles;
    CompareChart *m_chart;
    QLabel *m_words;
};

} // namespace kvlab::ui
