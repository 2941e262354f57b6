// SPDX-License-Identifier: GPL-3.0-or-later
// Cold and warm times over the length of the shared prefix: fitted lines in the arms' colours, measured medians as
// hollow marks with their 95 % intervals. Drawn with Qt Charts.
#pragma once

#include "experiment/sweep.h"

#include <QWidget>

class QChart;
class QChartView;
class QValueAxis;

namespace kvlab::ui {

class SweepChart : public QWidget
{
    Q_OBJECT
public:
    explicit SweepChart(QWidget *parent = nullptr);

    /// `runs` give the intervals of the medians, in the order of the summary's points where lengths rise.
    void show(const experiment::SweepSummary &summary, const QList<experiment::RunResult> &runs);
    /// nullopt when the picture (.png) was written; else a sentence: what happened, why, what to do.
    std::optional<QString> writePicture(const QString &path) const;
    const QChart *chart() const { return m_chart; }

protected:
    void changeEvent(QEvent *event) override;

private:
    void draw();
    void addLine(experiment::Arm arm, const std::optional<experiment::SweepLine> &line, double last);
    void addWhiskers(experiment::Arm arm);
    void addMarks(experiment::Arm arm);
    void styleAxes(double last, double most);

    experiment::SweepSummary m_summary;
    QList<experiment::RunResult> m_runs;
    QChart *m_chart;
    QChartView *m_view;
    QValueAxis *m_lengths;
    QValueAxis *m_times;
};

/// "256,512,1k,2k": token counts, k = 1,024. nullopt when one is no length from 64 to 1,000,000, or there are fewer
/// than two or more than twelve. Rising, each once.
std::optional<QList<int>> sweepLengths(const QString &text);

} // namespace kvlab::ui
