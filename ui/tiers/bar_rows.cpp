// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiers/bar_rows.h"

#include "ui/widgets/appearance.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace kvlab::ui {

namespace {

constexpr double margin = 12;
constexpr double dotSize = 7;
constexpr double largeDotSize = 9; ///< where no bar is drawn
constexpr double barShare = 0.42; ///< of a band's height

/// 1, 2, 2.5 or 5 × a power of ten: at most five steps up to `maximum`.
double stepFor(double maximum)
{
    const double least = maximum / 5;
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 2.5, 5.0, 10.0}) {
        if (factor * power >= least)
            return factor * power;
    }
    return 10 * power;
}

void paintFill(QPainter &painter, const QRectF &rect, BarFill fill)
{
    static const std::array<Qt::BrushStyle, 6> styles{
        Qt::NoBrush, Qt::NoBrush, Qt::HorPattern, Qt::BDiagPattern, Qt::DiagCrossPattern, Qt::Dense5Pattern};
    const Tokens &ink = tokens();
    painter.fillRect(rect, fill == BarFill::solid ? ink.ctl : fill == BarFill::empty ? ink.base : ink.header);
    const Qt::BrushStyle style = styles.at(std::size_t(fill));
    if (style != Qt::NoBrush)
        painter.fillRect(rect, QBrush(ink.text2, style));
    painter.setPen(QPen(ink.text, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect);
}

} // namespace

QString millisecondsText(double ms)
{
    return BarRows::tr("%1 ms").arg(QLocale().toString(ms, 'f', ms < 10000 ? 1 : 0));
}

/// Where things are, in the widget's pixels.
struct BarRows::Places
{
    double left = 0; ///< x of 0 ms
    double right = 0; ///< x of `maximum`
    double top = 0;
    double band = 0;
    double bottom = 0; ///< y of the axis
    double maximum = 1;
    double step = 1;

    double x(double ms) const { return left + (right - left) * ms / maximum; }
};

BarRows::BarRows(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void BarRows::setRows(const QList<BarRow> &rows, double least_maximum)
{
    const bool resized = rows.size() != m_rows.size();
    m_rows = rows;
    m_leastMaximum = least_maximum;
    describe();
    if (resized)
        updateGeometry();
    update();
}

void BarRows::setCaption(const QString &caption)
{
    m_caption = caption;
    update();
}

double BarRows::largest() const
{
    double most = 0;
    for (const BarRow &row : m_rows) {
        most = std::max({most, row.bar_ms.value_or(0), row.value_ms.value_or(0)});
        for (const BarDot &dot : row.dots)
            most = std::max(most, dot.ms);
    }
    return most;
}

int BarRows::bandHeight() const
{
    return QFontMetrics(scaledFont(10, true)).height() + QFontMetrics(secondaryFont()).height() + 6;
}

QSize BarRows::sizeHint() const
{
    const int axis = 2 * QFontMetrics(secondaryFont()).height() + 12;
    return {QFontMetrics(bodyFont()).height() * 32, int(m_rows.size()) * bandHeight() * 5 / 4 + axis + 8};
}

QSize BarRows::minimumSizeHint() const
{
    const int axis = 2 * QFontMetrics(secondaryFont()).height() + 12;
    return {QFontMetrics(bodyFont()).height() * 18, int(m_rows.size()) * bandHeight() + axis + 8};
}

BarRows::Places BarRows::places() const
{
    Places places;
    const QFontMetricsF bold(titleFont());
    const QFontMetricsF small(secondaryFont());
    double names = 0;
    double values = 0;
    for (const BarRow &row : m_rows) {
        names = std::max({names, bold.horizontalAdvance(row.name), small.horizontalAdvance(row.second)});
        if (row.value_ms)
            values = std::max(values, bold.horizontalAdvance(millisecondsText(*row.value_ms)));
    }
    places.maximum = std::max({largest(), m_leastMaximum, 1.0});
    places.step = stepFor(places.maximum);
    places.left = margin + names + margin;
    places.right = std::max(places.left + 40, width() - values - 2 * margin);
    places.top = 4;
    places.bottom = height() - 2 * small.height() - 8;
    const double room = m_rows.isEmpty() ? 0 : (places.bottom - places.top) / double(m_rows.size());
    places.band = std::min(room, bandHeight() * 1.5);
    places.bottom = places.top + places.band * double(m_rows.size());
    return places;
}

void BarRows::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), tokens().base);
    const Places at = places();
    paintAxis(painter, at);
    for (int i = 0; i < int(m_rows.size()); ++i)
        paintRow(painter, at, i);
}

void BarRows::paintAxis(QPainter &painter, const Places &at) const
{
    painter.setFont(secondaryFont());
    const QFontMetricsF small(secondaryFont());
    const QLocale locale;
    for (int i = 0; i * at.step <= at.maximum * 1.001; ++i) {
        const double x = at.x(i * at.step);
        painter.setPen(QPen(i == 0 ? tokens().text : tokens().grid, i == 0 ? 2 : 1));
        painter.drawLine(QPointF(x, at.top), QPointF(x, at.bottom));
        const QString label = locale.toString(i * at.step, 'g', 6);
        painter.setPen(tokens().text2);
        painter.drawText(QPointF(x - small.horizontalAdvance(label) / 2, at.bottom + small.ascent() + 2), label);
    }
    const QRectF below(margin, at.bottom + small.height() + 4, width() - 2 * margin, small.height());
    painter.setPen(tokens().text2);
    painter.drawText(below, Qt::AlignLeft, small.elidedText(m_caption, Qt::ElideRight, below.width()));
}

void BarRows::paintRow(QPainter &painter, const Places &at, int index) const
{
    const BarRow &row = m_rows.at(index);
    const double top = at.top + at.band * index;
    const QFontMetricsF bold(titleFont());
    const QFontMetricsF small(secondaryFont());
    const double texts = bold.height() + (row.second.isEmpty() ? 0 : small.height());
    const double firstLine = top + (at.band - texts) / 2 + bold.ascent();
    painter.setPen(tokens().text);
    painter.setFont(titleFont());
    painter.drawText(QPointF(margin, firstLine), row.name);
    painter.setPen(tokens().text2);
    painter.setFont(secondaryFont());
    painter.drawText(QPointF(margin, firstLine + bold.descent() + small.ascent()), row.second);

    const QRectF bar(
        at.left, top + at.band * 0.12, row.bar_ms ? std::max(1.0, at.x(*row.bar_ms) - at.left) : 0, at.band * barShare);
    if (row.bar_ms)
        paintFill(painter, bar, row.fill);
    if (row.value_ms) {
        painter.setPen(tokens().text);
        painter.setFont(titleFont());
        const double baseline = bar.center().y() + (bold.ascent() - bold.descent()) / 2;
        painter.drawText(QPointF(at.x(*row.value_ms) + 8, baseline), millisecondsText(*row.value_ms));
    }
    paintDots(painter, at, row, top + at.band * 0.78);
}

void BarRows::paintDots(QPainter &painter, const Places &at, const BarRow &row, double centre) const
{
    const double size = row.bar_ms ? dotSize : largeDotSize;
    for (const BarDot &dot : row.dots) {
        const QPointF place(at.x(dot.ms), centre);
        painter.setPen(QPen(tokens().base, 1));
        painter.setBrush(tokens().text);
        if (dot.hollow) {
            painter.setPen(QPen(tokens().text, 1.5));
            painter.setBrush(tokens().base);
        }
        painter.drawEllipse(place, size / 2, size / 2);
    }
}

void BarRows::describe()
{
    QStringList sentences;
    for (const BarRow &row : std::as_const(m_rows)) {
        //: %1 is the name of a row, %2 a time such as “57.8 ms”, %3 more about it
        sentences << tr("%1: %2; %3.")
                         .arg(row.name, row.value_ms ? millisecondsText(*row.value_ms) : tr("not measured yet"),
                             row.second);
    }
    setAccessibleDescription(sentences.join(QLatin1Char(' ')));
}

void BarRows::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange
        || event->type() == QEvent::PaletteChange) {
        updateGeometry();
        update();
    }
    QWidget::changeEvent(event);
}

} // namespace kvlab::ui
