// SPDX-License-Identifier: GPL-3.0-or-later
// Everything of the TTFT chart that is not a bar or a grid line: arm names in two lines, whiskers, dots, value labels,
// zero line, caption. Geometry comes from font metrics and is a pure function; the same painting serves screen, SVG and
// PDF.
#pragma once

#include "ui/measure/chart_data.h"
#include "ui/widgets/appearance.h"

#include <QGraphicsItem>

namespace kvlab::ui {

/// Colours, fonts and line widths of one chart: in the window, on a projector, in a file. Lengths in pixels.
struct ChartLook
{
    Tokens colours;
    QFont name, second, value, axis;
    double outline = 2;
    double dot = 7; ///< diameter
    double strip_period = 8; ///< of the hatch
    double margin = 12;
    bool lane = true; ///< dots below the bars, and the caption that explains them
    bool cached_tokens = true; ///< in the second line of the names

    static ChartLook window();
    /// Text of 24 pt and more; `factor` enlarges it for screens above 1024 × 768.
    static ChartLook presentation(double factor);
    /// Always light, the same on every screen whatever its density, theme or zoom.
    static ChartLook exported();
};

/// Where things are, in the chart's own pixels.
struct ChartGeometry
{
    QSizeF size;
    QRectF plot;
    double band = 0; ///< height of one arm
    double bar_top = 0; ///< within the band
    double bar = 0; ///< height of the bar
    int levels = 4; ///< rows of dots in a lane
    double left_edge = 0; ///< x of 0 ms
    double right_edge = 0; ///< x of `maximum`
    double maximum = 1; ///< ms
    QRectF caption;

    double x(double ms) const { return left_edge + (right_edge - left_edge) * ms / maximum; }
    double barCentre(qsizetype row) const { return plot.top() + double(row) * band + bar_top + bar / 2; }
};

/// Everything but the axis (left_edge, right_edge, maximum). `narrowestNames` keeps the plot in place while a run is
/// live.
ChartGeometry layOut(const ChartData &data, const ChartLook &look, const QSizeF &size, double narrowestNames);
/// The axis ends here at the earliest: 1.2 × the largest value, and room for every value label.
double neededMaximum(const ChartData &data, const ChartLook &look, double plotWidth);
/// 1, 2, 2.5 or 5 × a power of ten: at most five grid lines, and labels that do not touch.
double tickStep(double maximum, const ChartLook &look, double plotWidth);

class ChartOverlay : public QGraphicsItem
{
public:
    explicit ChartOverlay(QGraphicsItem *parent);
    void show(const ChartData &data, const ChartLook &look, const ChartGeometry &geometry);

    QRectF boundingRect() const override;
    void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

private:
    struct PlacedMark
    {
        QPointF centre;
        ChartMark::Kind kind;
    };

    QList<PlacedMark> placeMarks(qsizetype row) const;
    double markDiameter(const ChartArm &arm) const;
    void paintNames(QPainter *painter, qsizetype row) const;
    void paintStrips(QPainter *painter, qsizetype row) const;
    void paintWhisker(QPainter *painter, qsizetype row) const;
    void paintMarks(QPainter *painter, qsizetype row) const;
    void paintMark(QPainter *painter, const PlacedMark &mark, const ChartArm &arm) const;
    void paintFailures(QPainter *painter, qsizetype row, const QList<PlacedMark> &marks) const;
    void paintCross(QPainter *painter, const QPointF &centre, double diameter) const;
    void paintValue(QPainter *painter, qsizetype row) const;

    ChartData m_data;
    ChartLook m_look;
    ChartGeometry m_geometry;
};

} // namespace kvlab::ui
