// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs on one axis: for each arm the bar of run A above the bar of run B, medians with their 95 % intervals.
#pragma once

#include "experiment/experiment_result.h"

#include <QWidget>

namespace kvlab::ui {

class CompareChart : public QWidget
{
    Q_OBJECT
public:
    struct Bar
    {
        experiment::Arm arm = experiment::Arm::cold;
        QString letter; ///< "A", "B"
        double median_ms = 0;
        std::optional<experiment::Interval> interval_ms;
        int kept = 0;
    };
    /// Arms in the order of charts; an arm that one run lacks has one bar.
    static QList<Bar> bars(const experiment::Summary &a, const experiment::Summary &b);

    explicit CompareChart(QWidget *parent = nullptr);
    void show(const experiment::Summary &a, const experiment::Summary &b);
    void restyle();
    double axisMaximum() const; ///< ms, common to both

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void paintBar(QPainter &painter, const Bar &bar, const QRectF &place, double pixelsPerMs) const;

    QList<Bar> m_bars;
};

} // namespace kvlab::ui
