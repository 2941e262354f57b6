// SPDX-License-Identifier: GPL-3.0-or-later
// The tabs under the chart; Samples is the only one that exists: every request of the run as a table.
#pragma once

#include "ui/measure/sample_model.h"

#include <QWidget>

class QLabel;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace kvlab::ui {

class SamplesView : public QWidget
{
    Q_OBJECT
public:
    explicit SamplesView(QWidget *parent = nullptr);

    void setSamples(const QList<experiment::MeasuredSample> &samples);
    void addSample(const experiment::MeasuredSample &sample);
    QTableView *table() const;

    void retranslate();
    void restyle();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void setupTable();
    void setupLayout();
    void updateCount();
    void noteVerdicts();
    bool noteVerdict(int row); ///< true when it is the longest so far
    void fitColumns();
    QList<int> columnWidths() const;
    int narrowArmWidth() const; ///< without the gloss

    SampleModel *m_model;
    SampleSortModel *m_sorted;
    QTabBar *m_tabs;
    QLabel *m_count;
    QStackedWidget *m_pages;
    QTableView *m_table;
    QString m_longestVerdict;
};

} // namespace kvlab::ui
