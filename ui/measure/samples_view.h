// SPDX-License-Identifier: GPL-3.0-or-later
// The Samples tab: every request of the run as a table.
#pragma once

#include "ui/measure/sample_model.h"

#include <QWidget>

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
    const SampleModel *model() const { return m_model; }
    QString countText() const; ///< "30 samples, newest first"
    void chooseSample(int number);

    void retranslate();
    void restyle();

Q_SIGNALS:
    void countChanged();
    void sampleChosen(int number); ///< 0 = none any more

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void setupTable();
    void setupLayout();
    void noteVerdicts();
    bool noteVerdict(int row); ///< true when it is the longest so far
    void fitColumns();
    QList<int> columnWidths() const;
    int narrowArmWidth() const; ///< without the gloss

    SampleModel *m_model;
    SampleSortModel *m_sorted;
    QTableView *m_table;
    QString m_longestVerdict;
};

} // namespace kvlab::ui
