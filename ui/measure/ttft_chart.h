// SPDX-License-Identifier: GPL-3.0-or-later
// The TTFT chart: one horizontal bar per arm, drawn with Qt Charts. This header and its .cpp are the only place that
// knows Qt Charts; whoever wants another chart library replaces these two files.
#pragma once

#include "ui/measure/chart_overlay.h"

#include <QWidget>

#include <memory>

namespace kvlab::ui {

class TtftChart : public QWidget
{
    Q_OBJECT
public:
    explicit TtftChart(QWidget *parent = nullptr);
    ~TtftChart() override;

    /// Shown at once, but at most ten times a second while a run is live.
    void setData(const ChartData &next);
    void setLook(const ChartLook &look);
    /// Forgets the axis of the run before: the next data start from their own range.
    void resetAxis();

    /// Paints the chart into `target` without being shown.
    void paintInto(QPainter *painter, const QRectF &target);

    double axisMaximum() const; ///< milliseconds
    std::optional<double> barValue(experiment::Arm arm) const; ///< milliseconds; none = no bar is drawn

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::ui
