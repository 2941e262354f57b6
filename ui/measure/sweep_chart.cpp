// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/sweep_chart.h"

#include "ui/widgets/appearance.h"

#include <QChart>
#include <QChartView>
#include <QEvent>
#include <QLegendMarker>
#include <QLineSeries>
#include <QScatterSeries>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>

namespace kvlab::ui {

using experiment::Arm;
using experiment::RunResult;
using experiment::SweepLine;
using experiment::SweepPoint;

namespace {

constexpr double casing = 5.5; // px; look.md's widths for curves
constexpr double stroke = 3;

QLineSeries *segment(const QPointF &from, const QPointF &to, const QPen &pen)
{
    auto *series = new QLineSeries;
    series->append(from);
    series->append(to);
    series->setPen(pen);
    return series;
}

double sharedOf(const RunResult &run)
{
    return double(run.server.shared_prefix.value_or(run.plan.shared_tokens));
}

} // namespace

SweepChart::SweepChart(QWidget *parent)
    : QWidget(parent)
    , m_chart(new QChart)
    , m_view(new QChartView(m_chart, this))
    , m_lengths(new QValueAxis(m_chart))
    , m_times(new QValueAxis(m_chart))
{
    m_chart->setAnimationOptions(QChart::NoAnimation);
    m_chart->setBackgroundRoundness(0);
    m_chart->legend()->setAlignment(Qt::AlignBottom);
    m_chart->legend()->setMarkerShape(QLegend::MarkerShapeFromSeries);
    m_chart->addAxis(m_lengths, Qt::AlignBottom);
    m_chart->addAxis(m_times, Qt::AlignLeft);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setRenderHint(QPainter::Antialiasing);
    m_view->setFocusPolicy(Qt::NoFocus);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_view);
    setMinimumSize(320, 200);
    draw();
}

void SweepChart::show(const experiment::SweepSummary &summary, const QList<RunResult> &runs)
{
    m_summary = summary;
    m_runs = runs;
    draw();
}

void SweepChart::draw()
{
    m_chart->removeAllSeries();
    double last = 0;
    double most = 0;
    for (const SweepPoint &point : std::as_const(m_summary.points)) {
        last = std::max(last, double(point.shared_tokens));
        most = std::max({most, point.cold_ms.value_or(0), point.warm_ms.value_or(0)});
    }
    for (const RunResult &run : std::as_const(m_runs)) {
        for (const Arm arm : {Arm::cold, Arm::warm}) {
            if (const auto interval = run.summary.arms.value(arm).median_interval_ms)
                most = std::max(most, interval->high);
        }
    }
    addLine(Arm::cold, m_summary.cold, last);
    addLine(Arm::warm, m_summary.warm, last);
    for (const Arm arm : {Arm::cold, Arm::warm}) {
        addWhiskers(arm);
        addMarks(arm);
    }
    styleAxes(last, most);
}

void SweepChart::addLine(Arm arm, const std::optional<SweepLine> &line, double last)
{
    if (!line)
        return;
    const QPointF from(0, line->at_zero_ms);
    const QPointF to(last, line->at_zero_ms + line->ms_per_1000_tokens * last / 1000);
    QLineSeries *below = segment(from, to, QPen(tokens().text, casing, Qt::SolidLine, Qt::FlatCap));
    QLineSeries *above = segment(from, to, QPen(tokens().arm(arm), stroke, Qt::SolidLine, Qt::FlatCap));
    //: %1 an arm such as NO CACHE
    above->setName(tr("%1: fitted line").arg(experiment::armTitle(arm)));
    m_chart->addSeries(below);
    m_chart->addSeries(above);
    for (QLegendMarker *marker : m_chart->legend()->markers(below))
        marker->setVisible(false);
}

void SweepChart::addWhiskers(Arm arm)
{
    for (const RunResult &run : std::as_const(m_runs)) {
        const auto interval = run.summary.arms.value(arm).median_interval_ms;
        if (!interval)
            continue;
        QLineSeries *whisker
            = segment({sharedOf(run), interval->low}, {sharedOf(run), interval->high}, QPen(tokens().text, 2));
        m_chart->addSeries(whisker);
        for (QLegendMarker *marker : m_chart->legend()->markers(whisker))
            marker->setVisible(false);
    }
}

void SweepChart::addMarks(Arm arm)
{
    auto *marks = new QScatterSeries;
    for (const SweepPoint &point : std::as_const(m_summary.points)) {
        if (const auto ms = arm == Arm::cold ? point.cold_ms : point.warm_ms)
            marks->append(double(point.shared_tokens), *ms);
    }
    marks->setName(tr("%1: median, whisker 95 %", "%1 is an arm").arg(experiment::armTitle(arm)));
    marks->setMarkerShape(arm == Arm::cold ? QScatterSeries::MarkerShapeCircle : QScatterSeries::MarkerShapeRectangle);
    marks->setMarkerSize(10);
    marks->setBrush(tokens().base);
    marks->setPen(QPen(tokens().text, 2));
    m_chart->addSeries(marks);
}

void SweepChart::styleAxes(double last, double most)
{
    m_lengths->setRange(0, last > 0 ? last * 1.05 : 2000);
    m_times->setRange(0, most > 0 ? most * 1.1 : 1000);
    m_lengths->applyNiceNumbers();
    m_times->applyNiceNumbers();
    m_lengths->setTitleText(tr("shared prefix (tokens)"));
    m_times->setTitleText(tr("time to first token (ms)"));
    m_lengths->setLabelFormat(QStringLiteral("%.0f"));
    m_times->setLabelFormat(most > 0 && most < 20 ? QStringLiteral("%.1f") : QStringLiteral("%.0f"));
    for (QValueAxis *axis : {m_lengths, m_times}) {
        axis->setLabelsFont(secondaryFont());
        axis->setLabelsColor(tokens().text2);
        axis->setTitleFont(secondaryFont());
        axis->setTitleBrush(tokens().text2);
        axis->setGridLineColor(tokens().grid);
        axis->setLinePenColor(tokens().ctl);
        for (QAbstractSeries *series : m_chart->series()) {
            if (!series->attachedAxes().contains(axis))
                series->attachAxis(axis);
        }
    }
    m_view->setBackgroundBrush(tokens().base);
    m_chart->setBackgroundBrush(tokens().base);
    m_chart->legend()->setLabelBrush(tokens().text);
    m_chart->legend()->setFont(secondaryFont());
    m_view->setAccessibleName(tr("Cold and warm time to first token over the length of the shared prefix"));
}

std::optional<QString> SweepChart::writePicture(const QString &path) const
{
    if (m_view->grab().save(path, "PNG"))
        return std::nullopt;
    return tr("The chart could not be written to %1. Choose another folder or free some space.").arg(path);
}

void SweepChart::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::LanguageChange)
        draw();
    QWidget::changeEvent(event);
}

std::optional<QList<int>> sweepLengths(const QString &text)
{
    constexpr int shortest = 64;
    constexpr int longest = 1'000'000;
    QList<int> lengths;
    for (QString part : text.split(QLatin1Char(','))) {
        part = part.trimmed().toLower();
        const bool kilo = part.endsWith(QLatin1Char('k'));
        if (kilo)
            part.chop(1);
        bool isNumber = false;
        const qint64 length = qint64(part.toInt(&isNumber)) * (kilo ? 1024 : 1);
        if (!isNumber || length < shortest || length > longest)
            return std::nullopt;
        if (!lengths.contains(int(length)))
            lengths << int(length);
    }
    std::sort(lengths.begin(), lengths.end());
    return lengths.size() < 2 || lengths.size() > 12 ? std::nullopt : std::optional(lengths);
}

} // namespace kvlab::ui
