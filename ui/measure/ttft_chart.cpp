// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/ttft_chart.h"

#include <QBarSet>
#include <QChart>
#include <QChartView>
#include <QGraphicsLayout>
#include <QHorizontalStackedBarSeries>
#include <QLocale>
#include <QMouseEvent>
#include <QTimer>
#include <QVBoxLayout>
#include <QValueAxis>
#include <QWheelEvent>

#include <cmath>
#include <functional>

namespace kvlab::ui {

using experiment::Arm;

namespace {

constexpr int repaintEveryMs = 100;

class ChartView : public QChartView
{
public:
    explicit ChartView(QChart *chart, QWidget *parent)
        : QChartView(chart, parent)
    {
        setFrameShape(QFrame::NoFrame);
        setFocusPolicy(Qt::NoFocus);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    }

    std::function<void()> resized;

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QChartView::resizeEvent(event);
        resized();
    }

    // QChartView of Qt 6.4 follows a null pointer when nothing lies under the pointer (QTBUG-118669).
    void mousePressEvent(QMouseEvent *event) override { QGraphicsView::mousePressEvent(event); }

    void wheelEvent(QWheelEvent *event) override { event->ignore(); }
};

/// "200", but "2.5" where the step needs it.
QString labelFormat(double step)
{
    int digits = 0;
    for (double scaled = step; digits < 3 && std::abs(scaled - std::round(scaled)) > 1e-9; scaled *= 10)
        ++digits;
    return QStringLiteral("%.%1f").arg(digits);
}

} // namespace

class TtftChart::Private
{
public:
    explicit Private(TtftChart *owner);

    void show();
    void rebuildSets();
    void applyLook();
    void layOut(const QSizeF &size);
    void setAxis(double plotWidth);

    TtftChart *q;
    ChartData data;
    ChartLook look;
    QTimer pause;
    bool waiting = false;
    double maximum = 0; ///< 0 = nothing to show yet
    double grown = 0; ///< what the axis reached while live: it does not shrink when the run ends
    double namesWidth = 0;

    QChart *chart = new QChart;
    ChartView *view;
    QHorizontalStackedBarSeries *series = new QHorizontalStackedBarSeries;
    QValueAxis *timeAxis = new QValueAxis;
    QValueAxis *armAxis = new QValueAxis;
    ChartOverlay *overlay;
};

TtftChart::Private::Private(TtftChart *owner)
    : q(owner)
    , look(ChartLook::window())
    , view(new ChartView(chart, owner))
    , overlay(new ChartOverlay(chart))
{
    chart->legend()->hide();
    chart->setMargins({});
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setBackgroundRoundness(0);
    chart->setBackgroundPen(Qt::NoPen);
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->setLocalizeNumbers(true);
    chart->addSeries(series);
    chart->addAxis(timeAxis, Qt::AlignBottom);
    chart->addAxis(armAxis, Qt::AlignLeft);
    series->attachAxis(timeAxis);
    series->attachAxis(armAxis);
    timeAxis->setTickType(QValueAxis::TicksDynamic);
    timeAxis->setTickAnchor(0);
    timeAxis->setLineVisible(false);
    // The arms' names are the overlay's: labels of an axis cannot follow a bar that leaves room for its dots.
    armAxis->setVisible(false);
    overlay->setZValue(100);
    pause.setSingleShot(true);
    pause.setInterval(repaintEveryMs);
    QObject::connect(&pause, &QTimer::timeout, owner, [this] {
        if (waiting)
            show();
    });
    view->resized = [this] { layOut(view->viewport()->size()); };
}

void TtftChart::Private::show()
{
    waiting = false;
    if (data.live)
        pause.start();
    if (series->count() != data.arms.size())
        rebuildSets();
    const QList<QBarSet *> sets = series->barSets();
    for (qsizetype i = 0; i < sets.size(); ++i) {
        const ChartArm &arm = data.arms.at(i);
        // Index 0 of a horizontal series lies at the bottom. A value of 0 draws nothing, not even an outline.
        const qsizetype slot = sets.size() - 1 - i;
        const double value = arm.hasBar() ? *arm.median_ms : 0;
        if (sets.at(i)->at(int(slot)) != value)
            sets.at(i)->replace(int(slot), value);
    }
    applyLook();
    layOut(chart->size().isEmpty() ? QSizeF(view->viewport()->size()) : chart->size());
    if (q->accessibleDescription() != data.sentence)
        q->setAccessibleDescription(data.sentence);
}

void TtftChart::Private::rebuildSets()
{
    series->clear();
    for (const ChartArm &arm : data.arms) {
        auto *set = new QBarSet(experiment::armTitle(arm.arm));
        for (qsizetype i = 0; i < data.arms.size(); ++i)
            set->append(0);
        series->append(set);
    }
}

void TtftChart::Private::applyLook()
{
    // Never setTheme(): it overwrites brushes, pens and fonts.
    view->setBackgroundBrush(look.colours.base);
    chart->setBackgroundBrush(look.colours.base);
    chart->setLocale(QLocale());
    timeAxis->setLabelsFont(look.axis);
    timeAxis->setLabelsBrush(look.colours.text2);
    timeAxis->setGridLinePen(QPen(look.colours.grid, std::max(1.0, look.outline / 2)));
    QPen outline(look.colours.text, look.outline);
    outline.setJoinStyle(Qt::MiterJoin);
    const QList<QBarSet *> sets = series->barSets();
    for (qsizetype i = 0; i < sets.size(); ++i) {
        sets.at(i)->setBrush(look.colours.arm(data.arms.at(i).arm));
        sets.at(i)->setPen(outline);
    }
    // Whole pixels are crisp without antialiasing; at 125 % there are none.
    const double ratio = view->devicePixelRatioF();
    view->setRenderHint(QPainter::Antialiasing, ratio != std::floor(ratio));
}

void TtftChart::Private::setAxis(double plotWidth)
{
    const double needed = neededMaximum(data, look, plotWidth);
    if (needed > 0 && (needed > maximum || !data.live)) {
        const double step = tickStep(needed, look, plotWidth);
        // Half a step of reserve: the next slightly slower sample need not move the axis again.
        maximum = std::max(std::ceil(needed / (step / 2)) * step / 2, grown);
        if (data.live)
            grown = maximum;
    }
    timeAxis->setLabelsVisible(maximum > 0);
    timeAxis->setGridLineVisible(maximum > 0);
    const double shown = maximum > 0 ? maximum : 1;
    const double step = tickStep(shown, look, plotWidth);
    // Never a wide range with a narrow interval in between: that would make thousands of grid lines.
    timeAxis->setTickInterval(std::max(step, timeAxis->tickInterval()));
    timeAxis->setRange(0, shown);
    timeAxis->setTickInterval(step);
    timeAxis->setLabelFormat(labelFormat(step));
}

void TtftChart::Private::layOut(const QSizeF &size)
{
    if (size.isEmpty() || data.arms.isEmpty())
        return;
    ChartGeometry geometry = kvlab::ui::layOut(data, look, size, data.live ? namesWidth : 0);
    namesWidth = geometry.plot.left() - 2 * look.margin;
    if (geometry.plot.width() < 20)
        return;
    chart->setPlotArea(geometry.plot);
    setAxis(geometry.plot.width());
    // The bar sits high in its band: the axis is shifted by the difference.
    const double rows = double(data.arms.size());
    const double shift = (geometry.bar_top + geometry.bar / 2) / geometry.band - 1;
    armAxis->setRange(shift, shift + rows);
    series->setBarWidth(geometry.bar / geometry.band);
    chart->layout()->activate();
    geometry.maximum = timeAxis->max();
    geometry.left_edge = chart->mapToPosition(QPointF(0, 0), series).x();
    geometry.right_edge = chart->mapToPosition(QPointF(geometry.maximum, 0), series).x();
    overlay->show(data, look, geometry);
}

TtftChart::TtftChart(QWidget *parent)
    : QWidget(parent)
    , d(std::make_unique<Private>(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(d->view);
}

TtftChart::~TtftChart() = default;

void TtftChart::setData(const ChartData &next)
{
    d->data = next;
    d->waiting = true;
    if (!next.live || !d->pause.isActive())
        d->show();
}

void TtftChart::setLook(const ChartLook &look)
{
    d->look = look;
    d->namesWidth = 0;
    d->show();
}

void TtftChart::resetAxis()
{
    d->maximum = 0;
    d->grown = 0;
    d->namesWidth = 0;
}

void TtftChart::paintInto(QPainter *painter, const QRectF &target)
{
    // A view that was never shown gets no resize event.
    d->chart->resize(target.size());
    d->chart->scene()->setSceneRect(QRectF(QPointF(0, 0), target.size()));
    d->layOut(target.size());
    d->chart->scene()->render(painter, target, QRectF(QPointF(0, 0), target.size()));
}

double TtftChart::axisMaximum() const
{
    return d->maximum;
}

std::optional<double> TtftChart::barValue(Arm arm) const
{
    const QList<QBarSet *> sets = d->series->barSets();
    for (qsizetype i = 0; i < sets.size(); ++i) {
        const double value = sets.at(i)->sum();
        if (d->data.arms.at(i).arm == arm && value > 0)
            return value;
    }
    return std::nullopt;
}

QSize TtftChart::minimumSizeHint() const
{
    const int names = QFontMetrics(d->look.name).height() + QFontMetrics(d->look.second).height();
    const int axis = QFontMetrics(d->look.axis).height();
    return {names * 8, int(d->data.arms.size()) * (names + 4) + axis * 2 + 16};
}

QSize TtftChart::sizeHint() const
{
    const QSize least = minimumSizeHint();
    return {least.width() * 2, least.height() * 3 / 2};
}

} // namespace kvlab::ui
