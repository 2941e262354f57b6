// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/cache_chart.h"

#include "ui/widgets/appearance.h"

#include <QChart>
#include <QChartView>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLegendMarker>
#include <QLineSeries>
#include <QLocale>
#include <QMouseEvent>
#include <QScatterSeries>
#include <QVBoxLayout>
#include <QValueAxis>

namespace kvlab::ui {

namespace {

constexpr double longestBreak = 10; ///< seconds without a reading: the line is broken there

class View : public QChartView
{
public:
    using QChartView::QChartView;

protected:
    // QChartView of Qt 6.4 follows a null pointer when nothing lies under the pointer (QTBUG-118669).
    void mousePressEvent(QMouseEvent *event) override { QGraphicsView::mousePressEvent(event); }
};

} // namespace

class CacheChart::Private
{
public:
    explicit Private(CacheChart *owner);

    void draw();
    void add(QXYSeries *series);
    void describe();

    CacheChart *q;
    QList<CachePoint> points;
    QChart *chart = new QChart;
    View *view;
    QValueAxis *time = new QValueAxis;
    QValueAxis *share = new QValueAxis;
};

CacheChart::Private::Private(CacheChart *owner)
    : q(owner)
    , view(new View(chart, owner))
{
    view->setFrameShape(QFrame::NoFrame);
    view->setFocusPolicy(Qt::NoFocus);
    view->setRenderHint(QPainter::Antialiasing);
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->setBackgroundRoundness(0);
    chart->setMargins({});
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setLocalizeNumbers(true);
    chart->legend()->setAlignment(Qt::AlignBottom);
    chart->legend()->setMarkerShape(QLegend::MarkerShapeFromSeries);
    chart->addAxis(time, Qt::AlignBottom);
    chart->addAxis(share, Qt::AlignLeft);
    time->setRange(-shownSeconds, 0);
    time->setTickCount(5);
    time->setLabelFormat(QStringLiteral("%.0f"));
    share->setRange(0, 100);
    share->setTickCount(3);
    share->setLabelFormat(QStringLiteral("%.0f"));
}

void CacheChart::Private::add(QXYSeries *series)
{
    chart->addSeries(series);
    series->attachAxis(time);
    series->attachAxis(share);
}

void CacheChart::Private::draw()
{
    chart->removeAllSeries();
    auto *rates = new QScatterSeries;
    QLineSeries *line = nullptr;
    double before = 0;
    for (const CachePoint &point : std::as_const(points)) {
        const double x = double(points.last().at.msecsTo(point.at)) / 1000;
        if (x < -shownSeconds)
            continue;
        if (point.hit_rate)
            rates->append(x, *point.hit_rate * 100);
        if (!point.usage)
            continue;
        if (line == nullptr || x - before > longestBreak) {
            line = new QLineSeries;
            line->setPen(QPen(tokens().text, 2));
            line->setName(CacheChart::tr("pool in use (%)"));
            const bool first = chart->series().isEmpty();
            add(line);
            for (QLegendMarker *marker : chart->legend()->markers(line))
                marker->setVisible(first);
        }
        line->append(x, *point.usage * 100);
        before = x;
    }
    rates->setName(CacheChart::tr("hit rate of an interval (%)"));
    rates->setMarkerSize(8);
    rates->setBrush(tokens().base);
    rates->setPen(QPen(tokens().accent, 2));
    add(rates);
    chart->legend()->setVisible(!points.isEmpty());
    describe();
}

void CacheChart::Private::describe()
{
    QStringList sentences;
    const auto last = [this](std::optional<double> CachePoint::*field) {
        std::optional<double> value;
        for (const CachePoint &point : std::as_const(points)) {
            if (point.*field)
                value = point.*field;
        }
        return value;
    };
    const QLocale locale;
    if (const auto usage = last(&CachePoint::usage))
        sentences << CacheChart::tr("Pool in use: %1 % at last.").arg(locale.toString(*usage * 100, 'f', 1));
    if (const auto rate = last(&CachePoint::hit_rate))
        sentences << CacheChart::tr("Hit rate: %1 % at last.").arg(locale.toString(*rate * 100, 'f', 1));
    q->setAccessibleDescription(sentences.join(QLatin1Char(' ')));
}

CacheChart::CacheChart(QWidget *parent)
    : QWidget(parent)
    , d(std::make_unique<Private>(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(d->view);
    retranslate();
    restyle();
}

CacheChart::~CacheChart() = default;

void CacheChart::setPoints(const QList<CachePoint> &points)
{
    d->points = points;
    d->draw();
}

void CacheChart::retranslate()
{
    setAccessibleName(tr("Cache of the server over the last two minutes"));
    d->chart->setLocale(QLocale());
    d->time->setTitleText(tr("seconds before the last reading"));
    d->draw();
}

void CacheChart::restyle()
{
    d->view->setBackgroundBrush(tokens().base);
    d->chart->setBackgroundBrush(tokens().base);
    d->chart->legend()->setFont(secondaryFont());
    d->chart->legend()->setLabelBrush(tokens().text2);
    for (QValueAxis *axis : {d->time, d->share}) {
        axis->setLabelsFont(secondaryFont());
        axis->setLabelsColor(tokens().text2);
        axis->setTitleFont(secondaryFont());
        axis->setTitleBrush(tokens().text2);
        axis->setGridLineColor(tokens().grid);
        axis->setLinePenColor(tokens().ctl);
    }
    const int line = QFontMetrics(secondaryFont()).height();
    setMinimumSize(line * 14, line * 7);
    setMaximumHeight(line * 24);
    d->draw();
}

} // namespace kvlab::ui
