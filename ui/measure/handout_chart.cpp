// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/handout_chart.h"

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
constexpr double maximumBefore = 1000; ///< ms, while nothing is measured

double lineHeight(const QFont &font)
{
    return std::ceil(QFontMetricsF(font).height());
}

double furthest(const HandoutBar &bar)
{
    double ms = std::max(bar.ms.value_or(0), bar.interval_ms ? bar.interval_ms->high : 0);
    for (const double dot : bar.dots)
        ms = std::max(ms, dot);
    return ms;
}

} // namespace

struct HandoutChart::Places
{
    QRectF plot;
    double band = 0;
    double bar = 0; ///< height
    double pixels_per_ms = 0;
};

HandoutChart::HandoutChart(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void HandoutChart::show(const QList<HandoutBar> &bars, const QList<HandoutBar> &neighbours, const QString &caption)
{
    m_bars = bars;
    m_neighbours = neighbours;
    double largest = 0;
    for (const HandoutBar &bar : bars + neighbours)
        largest = std::max(largest, furthest(bar));
    m_maximum = largest > 0 ? largest * 1.05 : maximumBefore;
    m_caption = caption;
    QStringList words;
    for (const HandoutBar &bar : bars) {
        if (bar.ms)
            words << QStringLiteral("%1: %2").arg(bar.name, formatMs(*bar.ms));
    }
    setAccessibleName(caption);
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

QSize HandoutChart::minimumSizeHint() const
{
    const double line = lineHeight(secondaryFont());
    return {int(line * 18),
        int((line + lineHeight(titleFont()) + 10) * std::max<double>(2, double(m_bars.size())) + line * 2.4)};
}

QSize HandoutChart::sizeHint() const
{
    return minimumSizeHint();
}

HandoutChart::Places HandoutChart::places() const
{
    const QFontMetricsF first(titleFont());
    const QFontMetricsF second(secondaryFont());
    double names = 0;
    double values = 0;
    for (const HandoutBar &bar : m_bars + m_neighbours) {
        names = std::max({names, first.horizontalAdvance(bar.name), second.horizontalAdvance(bar.second)});
        const double flaws = double(bar.flaws.size()) * (second.height() + 7);
        const double label = bar.ms ? first.horizontalAdvance(formatMs(*bar.ms)) : 0;
        // A short bar leaves the room of its numbers within the plot.
        values = std::max(values, label + 8 + flaws * std::min(1.0, furthest(bar) / m_maximum));
    }
    Places places;
    const double left = side + std::min(names, width() * 0.4) + 8;
    const double bottom = height() - second.height() * 2 - 8;
    places.plot = QRectF(left, 4, std::max(width() - left - values - side, 40.0), std::max(bottom - 4, 20.0));
    places.band = places.plot.height() / std::max<double>(1, double(m_bars.size()));
    places.bar = std::min(places.band * 0.5, 30.0);
    places.pixels_per_ms = places.plot.width() / m_maximum;
    return places;
}

void HandoutChart::paintEvent(QPaintEvent *)
{
    if (m_bars.isEmpty())
        return;
    QPainter painter(this);
    painter.fillRect(rect(), tokens().base);
    painter.setRenderHint(QPainter::Antialiasing);
    const Places at = places();
    paintAxis(painter, at);
    for (qsizetype row = 0; row < m_bars.size(); ++row)
        paintBar(painter, at, row);
}

void HandoutChart::paintAxis(QPainter &painter, const Places &at) const
{
    painter.setFont(secondaryFont());
    const double line = lineHeight(secondaryFont());
    const double step = tickStep(m_maximum, ChartLook::window(), at.plot.width());
    for (int i = 0; i * step <= m_maximum; ++i) {
        const double x = at.plot.left() + i * step * at.pixels_per_ms;
        painter.setPen(QPen(i == 0 ? tokens().text : tokens().grid, i == 0 ? 2 : 1));
        painter.drawLine(QPointF(x, at.plot.top()), QPointF(x, at.plot.bottom()));
        painter.setPen(tokens().text2);
        painter.drawText(QRectF(x - 60, at.plot.bottom() + 2, 120, line), Qt::AlignHCenter | Qt::AlignTop,
            QLocale().toString(i * step, 'g', 6));
    }
    const QRectF below(side, at.plot.bottom() + line + 4, width() - 2 * side, line);
    painter.drawText(below, Qt::AlignRight | Qt::AlignTop,
        QFontMetricsF(secondaryFont()).elidedText(m_caption, Qt::ElideRight, below.width()));
}

void HandoutChart::paintBar(QPainter &painter, const Places &at, qsizetype row) const
{
    const HandoutBar &bar = m_bars.at(row);
    const double centre = at.plot.top() + (double(row) + 0.45) * at.band;
    const double first = lineHeight(titleFont());
    const double second = lineHeight(secondaryFont());
    const double top = centre - (first + second) / 2;
    const double width = at.plot.left() - side - 8;
    painter.setFont(titleFont());
    painter.setPen(tokens().text);
    painter.drawText(QRectF(side, top, width, first), Qt::AlignRight | Qt::AlignVCenter, bar.name);
    painter.setFont(secondaryFont());
    painter.setPen(tokens().text2);
    painter.drawText(QRectF(side, top + first, width, second), Qt::AlignRight | Qt::AlignVCenter, bar.second);
    if (!bar.ms)
        return;
    const QRectF filled(at.plot.left(), centre - at.bar / 2, *bar.ms * at.pixels_per_ms, at.bar);
    if (bar.arm)
        paintArmFill(&painter, filled, *bar.arm);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(tokens().text, 1.5, bar.arm ? Qt::SolidLine : Qt::DashLine));
    painter.drawRect(filled);
    paintWhisker(painter, at, bar, centre);
    const double high = bar.interval_ms ? bar.interval_ms->high : 0;
    const double end = at.plot.left() + std::max(*bar.ms, high) * at.pixels_per_ms + 8;
    painter.setFont(titleFont());
    painter.setPen(tokens().text);
    const QString value = formatMs(*bar.ms);
    painter.drawText(QRectF(end, centre - first / 2, 200, first), Qt::AlignLeft | Qt::AlignVCenter, value);
    paintFlaws(painter, bar, end + QFontMetricsF(titleFont()).horizontalAdvance(value) + 7, centre);
    painter.setPen(QPen(tokens().base, 1));
    painter.setBrush(tokens().text);
    for (const double dot : bar.dots)
        painter.drawEllipse(QPointF(at.plot.left() + dot * at.pixels_per_ms, centre + at.bar / 2 + 6), 3.5, 3.5);
}

void HandoutChart::paintWhisker(QPainter &painter, const Places &at, const HandoutBar &bar, double centre) const
{
    if (!bar.interval_ms)
        return;
    const double low = at.plot.left() + bar.interval_ms->low * at.pixels_per_ms;
    const double high = at.plot.left() + bar.interval_ms->high * at.pixels_per_ms;
    if (high - low < narrowestWhisker)
        return;
    const double cap = at.bar / 4;
    const QList<QLineF> lines{QLineF(low, centre, high, centre), QLineF(low, centre - cap, low, centre + cap),
        QLineF(high, centre - cap, high, centre + cap)};
    for (const QPen &pen : {QPen(tokens().base, 4), QPen(tokens().text, 2)}) {
        painter.setPen(pen);
        painter.drawLines(lines);
    }
}

void HandoutChart::paintFlaws(QPainter &painter, const HandoutBar &bar, double left, double centre) const
{
    const double size = lineHeight(secondaryFont()) + 3;
    painter.setFont(secondaryFont());
    for (const int flaw : bar.flaws) {
        const QRectF circle(left, centre - size / 2, size, size);
        painter.setPen(QPen(tokens().warn_edge, 1.5));
        painter.setBrush(tokens().warnbg);
        painter.drawEllipse(circle);
        painter.setPen(tokens().warn);
        painter.drawText(circle, Qt::AlignCenter, QLocale().toString(flaw));
        left += size + 4;
    }
}

} // namespace kvlab::ui
