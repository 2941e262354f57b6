// SPDX-License-Identifier: GPL-3.0-or-later
// Times as horizontal bars with the numbers of the flaws that spoil them; two of these beside each other share one
// axis.
#pragma once

#include "experiment/experiment_result.h"
#include "experiment/handout.h"

#include <QWidget>

namespace kvlab::ui {

struct HandoutBar
{
    QString name;
    QString second; ///< below the name
    std::optional<experiment::Arm> arm; ///< its fill; none = an empty, dashed bar
    std::optional<double> ms;
    std::optional<experiment::Interval> interval_ms;
    QList<double> dots; ///< milliseconds
    QList<int> flaws;
};

class HandoutChart : public QWidget
{
    Q_OBJECT
public:
    explicit HandoutChart(QWidget *parent = nullptr);

    /// `neighbours` are the bars of the chart beside it: both have the same axis, and the same room for names and
    /// values.
    void show(const QList<HandoutBar> &bars, const QList<HandoutBar> &neighbours, const QString &caption);
    const QList<HandoutBar> &bars() const { return m_bars; }
    double axisMaximum() const { return m_maximum; }

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Places;
    Places places() const;
    void paintAxis(QPainter &painter, const Places &places) const;
    void paintBar(QPainter &painter, const Places &places, qsizetype row) const;
    void paintWhisker(QPainter &painter, const Places &places, const HandoutBar &bar, double centre) const;
    void paintFlaws(QPainter &painter, const HandoutBar &bar, double left, double centre) const;

    QList<HandoutBar> m_bars;
    QList<HandoutBar> m_neighbours;
    double m_maximum = 1;
    QString m_caption;
};

} // namespace kvlab::ui
