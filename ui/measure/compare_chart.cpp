// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/compare_chart.h"

#include "ui/measure/chart_overlay.h"
#include "ui/measure/run_texts.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace kvlab::ui {

namespace {

constexpr double side = 12;
constexpr double narrowestWhisker = 5;

double furthest(const CompareChart::Bar &bar)
{
    return bar.interval_ms ? std::max(bar.median_ms, bar.interval_ms->high) : bar.median_ms;
}

double line()
{
    return std::ceil(QFontMetricsF(secondaryFont()).height()) + 3;
}

} // namespace

QList<CompareChart::Bar> CompareChart::bars(const experiment::Summary &a, const experiment::Summary &b)
{
    QList<Bar> result;
    for (const experiment::Arm arm : experiment::allArms()) {
        for (const auto &[letter, summary] : {std::pair(QStringLiteral("A"), &a), std::pair(QStringLiteral("B"), &b)}) {
            const experiment::ArmSummary one = summary->arms.value(arm);
            if (one.median_ms)
                result.append({arm, letter, *one.median_ms, one.median_interval_ms, one.kept});
        }
    }
    return result;
}

CompareChart::CompareChart(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void CompareChart::show(const experiment::Summary &a, const experiment::Summary &b)
{
    m_bars = bars(a, b);
    updateGeometry();
    update();
}

void CompareChart::restyle()
{
    updateGeometry();
    update();
}

double CompareChart::axisMaximum() const
{
    double maximum = 0;
    for (const Bar &bar : m_bars)
        maximum = std::max(maximum, furthest(bar));
    return maximum > 0 ? maximum * 1.05 : 1;
}

QSize CompareChart::minimumSizeHint() const
{
    return {int(line() * 14), int(line() * (double(m_bars.size()) + 1.6))};
}

QSize CompareChart::sizeHint() const
{
    return minimumSizeHint();
}

void CompareChart::paintBar(QPainter &painter, const Bar &bar, const QRectF &place, double pixelsPerMs) const
{
    const QRectF filled(place.left(), place.top(), bar.median_ms * pixelsPerMs, place.height());
    paintArmFill(&painter, filled, bar.arm);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(tokens().text, 1.5));
    painter.drawRect(filled);
    double end = filled.right();
    if (bar.interval_ms) {
        const double low = place.left() + bar.interval_ms->low * pixelsPerMs;
        const double high = place.left() + bar.interval_ms->high * pixelsPerMs;
        end = std::max(end, high);
        const double y = place.center().y();
        const double cap = place.height() / 4;
        const QList<QLineF> lines{
            QLineF(low, y, high, y), QLineF(low, y - cap, low, y + cap), QLineF(high, y - cap, high, y + cap)};
        for (const QPen &pen : {QPen(tokens().base, 4), QPen(tokens().text, 2)}) {
            painter.setPen(pen);
            if (high - low >= narrowestWhisker)
                painter.drawLines(lines);
        }
    }
    painter.setPen(tokens().text);
    //: value at a bar and number of samples: "456 ms, n 10"
    painter.drawText(QRectF(end + 6, place.top() - 2, width() - end - 6, place.height() + 4),
        Qt::AlignLeft | Qt::AlignVCenter, tr("%1, n %2").arg(formatMs(bar.median_ms), QLocale().toString(bar.kept)));
}

void CompareChart::paintEvent(QPaintEvent *)
{
    if (m_bars.isEmpty())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(secondaryFont());
    const QFontMetricsF metrics(secondaryFont());
    double names = 0;
    const auto name
        = [](const Bar &bar) { return QStringLiteral("%1 %2").arg(experiment::armTitle(bar.arm), bar.letter); };
    double values = 0;
    for (const Bar &bar : std::as_const(m_bars)) {
        names = std::max(names, metrics.horizontalAdvance(name(bar)));
        values = std::max(values,
            metrics.horizontalAdvance(tr("%1, n %2").arg(formatMs(bar.median_ms), QLocale().toString(bar.kept))));
    }
    const double left = side + names + 8;
    const double plot = std::max(width() - left - values - 8 - side, 20.0);
    const double maximum = axisMaximum();
    const double step = tickStep(maximum, ChartLook::window(), plot);
    const double bottom = line() * double(m_bars.size()) + 4;
    for (int i = 0; i * step <= maximum; ++i) {
        const double x = left + i * step / maximum * plot;
        painter.setPen(QPen(i == 0 ? tokens().text : tokens().grid, i == 0 ? 2 : 1));
        painter.drawLine(QPointF(x, 2), QPointF(x, bottom));
        painter.setPen(tokens().text2);
        painter.drawText(QRectF(x - 60, bottom + 1, 120, line()), Qt::AlignHCenter | Qt::AlignTop,
            QLocale().toString(i * step, 'g', 6));
    }
    painter.setPen(tokens().text2);
    painter.drawText(QRectF(side, bottom + 1, names, line()), Qt::AlignRight | Qt::AlignTop, tr("TTFT (ms)"));
    for (qsizetype i = 0; i < m_bars.size(); ++i) {
        const double top = 4 + line() * double(i);
        painter.setPen(tokens().text);
        painter.drawText(QRectF(side, top - 2, names, line()), Qt::AlignRight | Qt::AlignVCenter, name(m_bars.at(i)));
        paintBar(painter, m_bars.at(i), QRectF(left, top, plot, line() - 5), plot / maximum);
    }
}

} // namespace kvlab::ui
