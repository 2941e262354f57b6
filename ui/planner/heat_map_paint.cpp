// SPDX-License-Identifier: GPL-3.0-or-later
// Where everything on the heat map stands, and how it is drawn.
#include "ui/memory/memory_text.h"
#include "ui/planner/heat_map.h"
#include "ui/planner/planner_colors.h"
#include "ui/planner/planner_text.h"
#include "ui/widgets/appearance.h"

#include <QPainter>

#include <cmath>

namespace kvlab::ui {

namespace {

constexpr double gap = 4;
constexpr double tagPadding = 5;
constexpr double limitWidth = 3;

QFontMetricsF small()
{
    return QFontMetricsF(secondaryFont());
}

/// "4k", "1M": powers of two only are marked.
QString tickText(qint64 value)
{
    constexpr qint64 kilo = 1024;
    if (value >= kilo * kilo)
        return QStringLiteral("%1M").arg(value / (kilo * kilo));
    return value >= kilo ? QStringLiteral("%1k").arg(value / kilo) : QString::number(value);
}

/// Every second power of two, and the end of the axis.
QList<qint64> tickValues(const QList<qint64> &axis)
{
    QList<qint64> ticks;
    for (qint64 value = 1; value <= axis.constLast(); value *= 4) {
        if (value >= axis.constFirst())
            ticks << value;
    }
    if (ticks.constLast() < axis.constLast())
        ticks << axis.constLast();
    return ticks;
}

/// Where a value stands among the cells, which are centred on theirs; 0 = left edge of the first.
double positionAmong(const QList<qint64> &axis, qint64 value)
{
    if (value <= axis.constFirst())
        return 0.5;
    if (value >= axis.constLast())
        return double(axis.size()) - 0.5;
    const auto above = std::upper_bound(axis.cbegin(), axis.cend(), value);
    const double high = double(*above);
    const double low = double(*(above - 1));
    return double(above - axis.cbegin()) - 1 + std::log(double(value) / low) / std::log(high / low) + 0.5;
}

QSizeF tagSize(const QString &text, bool bold)
{
    const QFontMetricsF metrics(
        bold ? scaledFont(secondaryFont().pointSizeF() / currentZoom(), true) : secondaryFont());
    return {std::ceil(metrics.horizontalAdvance(text)) + 2 * tagPadding, std::ceil(metrics.height()) + 2};
}

QFont tagFont(bool bold)
{
    return bold ? scaledFont(secondaryFont().pointSizeF() / currentZoom(), true) : secondaryFont();
}

bool meets(const QRectF &rect, const QList<QRectF> &others)
{
    return std::any_of(others.cbegin(), others.cend(),
        [&](const QRectF &other) { return other.adjusted(-2, -2, 2, 2).intersects(rect); });
}

} // namespace

QSize HeatMap::sizeHint() const
{
    // It takes whatever is left; a larger wish would make the page scroll.
    return minimumSizeHint();
}

QSize HeatMap::minimumSizeHint() const
{
    const double em = small().height();
    return {int(em * 14), int(em * 12)};
}

QList<HeatMap::LegendEntry> HeatMap::legend() const
{
    const QFontMetricsF metrics = small();
    const QStringList texts{tr("share of the KV budget"), tr("to 10 %"), tr("25 %", "up to this share"),
        tr("50 %", "up to this share"), tr("75 %", "up to this share"), tr("100 %", "up to this share"),
        tr("over", "more than there is room for")};
    QList<LegendEntry> entries;
    double x = 0;
    double y = 0;
    for (int i = 0; i < int(texts.size()); ++i) {
        const double swatch = i == 0 ? 0 : metrics.ascent() * 1.4 + gap;
        const double wide = std::ceil(metrics.horizontalAdvance(texts.at(i))) + 1;
        if (x > 0 && x + swatch + wide > width()) {
            x = 0;
            y += metrics.height() + gap;
        }
        entries << LegendEntry{texts.at(i), QRectF(x + swatch, y, wide, metrics.height()), i - 1};
        x += swatch + wide + 3 * gap;
    }
    return entries;
}

QRectF HeatMap::plot() const
{
    const QFontMetricsF metrics = small();
    const double line = metrics.height();
    const double left = line + gap + metrics.horizontalAdvance(QStringLiteral("256")) + 2 * gap;
    const double top = legend().constLast().rect.bottom() + line / 2 + gap;
    const double right = metrics.horizontalAdvance(QStringLiteral("10M")) / 2 + 1;
    return {left, top, std::max(1.0, width() - left - right), std::max(1.0, height() - top - 2 * line - 3 * gap)};
}

QRectF HeatMap::cellRect(const QPoint &cell) const
{
    const QRectF area = plot();
    const double wide = area.width() / double(m_answer->map.seq_lens.size());
    const double high = area.height() / double(m_answer->map.batches.size());
    return {area.left() + cell.x() * wide, area.bottom() - (cell.y() + 1) * high, wide, high};
}

std::optional<QPoint> HeatMap::cellAt(const QPointF &position) const
{
    const QRectF area = plot();
    if (!m_answer || !area.contains(position))
        return std::nullopt;
    const double columns = double(m_answer->map.seq_lens.size());
    const double rows = double(m_answer->map.batches.size());
    const auto place = [](double share, double count) { return std::min(int(share * count), int(count) - 1); };
    return QPoint(place((position.x() - area.left()) / area.width(), columns),
        place((area.bottom() - position.y()) / area.height(), rows));
}

double HeatMap::xOf(qint64 seq_len) const
{
    const QRectF area = plot();
    const QList<qint64> &axis = m_answer->map.seq_lens;
    return area.left() + positionAmong(axis, seq_len) / double(axis.size()) * area.width();
}

double HeatMap::yOf(qint64 batch) const
{
    const QRectF area = plot();
    const QList<qint64> &axis = m_answer->map.batches;
    return area.bottom() - positionAmong(axis, batch) / double(axis.size()) * area.height();
}

QPointF HeatMap::spot() const
{
    if (m_cell)
        return cellRect(*m_cell).center();
    return {xOf(cursor().first), yOf(cursor().second)};
}

bool HeatMap::isOver(const QPointF &position) const
{
    const auto cell = cellAt(position);
    return cell && !m_answer->map.fits(cell->x(), cell->y());
}

QRectF HeatMap::readOutRect() const
{
    const QStringList lines = readOut();
    if (lines.isEmpty())
        return {};
    double wide = QFontMetricsF(titleFont()).horizontalAdvance(lines.first());
    wide = std::max(wide, small().horizontalAdvance(lines.last()));
    const QSizeF size(std::ceil(wide) + 4 * tagPadding,
        std::ceil(QFontMetricsF(titleFont()).height() + small().height()) + 2 * tagPadding);
    const QRectF area = plot();
    const QPointF at = m_hovered ? cellRect(*m_hovered).center() : spot();
    constexpr double away = 12;
    // Below and left first: there the plan's neighbours fit, and the limit line stays free.
    for (const QPointF &corner :
        {QPointF(at.x() - away - size.width(), at.y() + away), QPointF(at.x() + away, at.y() + away),
            QPointF(at.x() - away - size.width(), at.y() - away - size.height()),
            QPointF(at.x() + away, at.y() - away - size.height())}) {
        const QRectF rect(corner, size);
        if (area.contains(rect))
            return rect;
    }
    const double x = std::clamp(at.x() - size.width() / 2, 0.0, std::max(0.0, width() - size.width()));
    const double y = at.y() > area.center().y() ? at.y() - away - size.height() : at.y() + away;
    return {{x, std::clamp(y, 0.0, std::max(0.0, height() - size.height()))}, size};
}

std::optional<QRectF> HeatMap::place(
    const QString &text, bool bold, const QList<QPointF> &candidates, bool overOnly, const QList<QRectF> &taken) const
{
    const QRectF area = plot().adjusted(2, 2, -2, -2);
    for (const QPointF &corner : candidates) {
        const QRectF rect(corner, tagSize(text, bold));
        if (!area.contains(rect) || meets(rect, taken))
            continue;
        if (!overOnly
            || (isOver(rect.topLeft()) && isOver(rect.topRight()) && isOver(rect.bottomLeft())
                && isOver(rect.bottomRight())))
            return rect;
    }
    return std::nullopt;
}

QList<HeatMap::Tag> HeatMap::tags() const
{
    QList<Tag> tags;
    const QRectF area = plot();
    const QPointF at = spot();
    QList<QRectF> taken{readOutRect(), QRectF(at.x() - 9, at.y() - 9, 18, 18)};
    const auto add = [&](const QString &text, bool bold, const QList<QPointF> &candidates, bool overOnly) {
        const auto rect = place(text, bold, candidates, overOnly, taken);
        if (rect) {
            tags << Tag{text, *rect, bold};
            taken << *rect;
        }
        return rect.has_value();
    };
    const auto &limit = m_answer->model.max_position;
    if (limit && *limit >= m_answer->map.seq_lens.constFirst() && *limit <= m_answer->map.seq_lens.constLast()) {
        const QString text = tr("model's limit: %1 tokens").arg(MemoryText::count(*limit));
        const QSizeF size = tagSize(text, false);
        const double x = xOf(*limit);
        QList<QPointF> candidates;
        for (const double y : {area.bottom() - size.height() - 8, area.top() + 8, area.center().y()})
            candidates << QPointF(x + 8, y) << QPointF(x - 8 - size.width(), y);
        if (!add(text, false, candidates, true)) // beyond the limit line it covers nothing
            add(text, false, candidates, false);
        taken << QRectF(x - 1, area.top(), 2, area.height());
    }
    if (m_answer->map.budget > 0) {
        const QString text = tr("limit: %1 GiB").arg(PlannerText::gib(m_answer->map.budget));
        QList<QPointF> candidates;
        for (int column = int(m_answer->map.seq_lens.size()) * 6 / 10; column > 0; column -= 2) {
            int row = 0;
            while (row < int(m_answer->map.batches.size()) && m_answer->map.fits(column, row))
                ++row;
            const QRectF cell = cellRect({column, row});
            candidates << QPointF(cell.right() + 6, cell.bottom() - tagSize(text, true).height() - 4);
        }
        add(text, true, candidates, true);
    }
    const QString over = tr("does not fit");
    QList<QPointF> candidates;
    for (const double y : {0.25, 0.1, 0.4, 0.6, 0.8}) {
        for (const double x : {0.78, 0.65, 0.88, 0.5, 0.3})
            candidates << QPointF(area.left() + x * area.width(), area.top() + y * area.height());
    }
    add(over, true, candidates, true);
    return tags;
}

QList<QRectF> HeatMap::labelRects() const
{
    QList<QRectF> rects;
    if (!m_answer)
        return rects;
    for (const LegendEntry &entry : legend())
        rects << entry.rect;
    rects << readOutRect();
    for (const Tag &tag : tags())
        rects << tag.rect;
    return rects;
}

void HeatMap::paintLegend(QPainter *painter) const
{
    painter->setFont(secondaryFont());
    for (const LegendEntry &entry : legend()) {
        painter->setPen(tokens().text2);
        painter->drawText(entry.rect, Qt::AlignLeft | Qt::AlignVCenter, entry.text);
        if (entry.step < 0)
            continue;
        const double high = small().ascent();
        const QRectF swatch(entry.rect.left() - gap - high * 1.4, entry.rect.center().y() - high / 2, high * 1.4, high);
        if (entry.step == heatSteps)
            paintOver(painter, swatch);
        else
            painter->fillRect(swatch, heatColor(entry.step));
        painter->setPen(QPen(tokens().text, 1));
        painter->drawRect(swatch.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void HeatMap::paintCells(QPainter *painter) const
{
    const QRectF area = plot();
    paintOver(painter, area);
    for (int column = 0; column < int(m_answer->map.seq_lens.size()); ++column) {
        for (int row = 0; row < int(m_answer->map.batches.size()) && m_answer->map.fits(column, row); ++row) {
            const QRectF cell = cellRect({column, row});
            // Edges on whole pixels, or neighbours leave a seam.
            const QRect whole(QPoint(int(std::round(cell.left())), int(std::round(cell.top()))),
                QPoint(int(std::round(cell.right())) - 1, int(std::round(cell.bottom())) - 1));
            painter->fillRect(whole, heatColor(heatStep(m_answer->map.share(column, row))));
        }
    }
}

void HeatMap::paintLimit(QPainter *painter) const
{
    const QRectF area = plot();
    const int rows = int(m_answer->map.batches.size());
    QPolygonF line;
    for (int column = 0; column < int(m_answer->map.seq_lens.size()); ++column) {
        int fitting = 0;
        while (fitting < rows && m_answer->map.fits(column, fitting))
            ++fitting;
        const QRectF cell = cellRect({column, 0});
        const double y = area.bottom() - fitting * cell.height();
        line << QPointF(cell.left(), y) << QPointF(cell.right(), y);
    }
    painter->save();
    painter->setClipRect(area);
    painter->setPen(QPen(tokens().text, limitWidth, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter->drawPolyline(line);
    const auto &limit = m_answer->model.max_position;
    if (limit && *limit >= m_answer->map.seq_lens.constFirst() && *limit <= m_answer->map.seq_lens.constLast()) {
        painter->setPen(QPen(tokens().text, 1.5, Qt::DashLine));
        painter->drawLine(QPointF(xOf(*limit), area.top()), QPointF(xOf(*limit), area.bottom()));
    }
    painter->restore();
    for (const Tag &tag : tags()) {
        painter->fillRect(tag.rect, tokens().base);
        painter->setPen(tokens().text);
        painter->setFont(tagFont(tag.bold));
        painter->drawText(tag.rect, Qt::AlignCenter, tag.text);
    }
}

void HeatMap::paintAxes(QPainter *painter) const
{
    const QRectF area = plot();
    const QFontMetricsF metrics = small();
    painter->setFont(secondaryFont());
    painter->setPen(tokens().text2);
    double free = -1e9;
    const QList<qint64> ticks = tickValues(m_answer->map.seq_lens);
    for (const qint64 value : ticks) {
        const double wide = metrics.horizontalAdvance(tickText(value));
        QRectF rect(xOf(value) - wide / 2, area.bottom() + gap, wide + 1, metrics.height());
        rect.moveRight(std::min(rect.right(), double(width())));
        if (rect.left() < free)
            continue;
        painter->drawText(rect, Qt::AlignCenter, tickText(value));
        free = rect.right() + 2 * gap;
    }
    double above = 1e9;
    for (const qint64 value : tickValues(m_answer->map.batches)) {
        const QRectF rect(0, yOf(value) - metrics.height() / 2, area.left() - gap, metrics.height());
        if (rect.bottom() > above)
            continue;
        painter->drawText(rect, Qt::AlignRight | Qt::AlignVCenter, tickText(value));
        above = rect.top();
    }
    painter->drawText(QRectF(area.left(), area.bottom() + 2 * gap + metrics.height(), area.width(), metrics.height()),
        Qt::AlignCenter, tr("seq_len (tokens, log scale)"));
    painter->save();
    painter->translate(0, area.bottom());
    painter->rotate(-90);
    painter->drawText(QRectF(0, 0, area.height(), metrics.height()), Qt::AlignCenter, tr("batch (log scale)"));
    painter->restore();
}

void HeatMap::paintCursor(QPainter *painter) const
{
    const QRectF area = plot();
    const QPointF at = spot();
    const Tokens &t = tokens();
    painter->setPen(QPen(t.text, 1, Qt::DotLine));
    painter->drawLine(QPointF(area.left(), at.y()), at);
    painter->drawLine(QPointF(at.x(), area.bottom()), at);
    painter->setRenderHint(QPainter::Antialiasing);
    // Light and dark around each other: seen on every cell.
    painter->setPen(QPen(t.text, 2));
    painter->setBrush(t.base);
    painter->drawEllipse(at, 7, 7);
    painter->setBrush(hasFocus() ? t.accent : t.text);
    painter->setPen(Qt::NoPen);
    painter->drawEllipse(at, hasFocus() ? 4 : 2, hasFocus() ? 4 : 2);
    painter->setRenderHint(QPainter::Antialiasing, false);
    if (hasFocus()) {
        painter->setPen(QPen(t.accent, 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(area.adjusted(-1, -1, 1, 1));
    }
}

void HeatMap::paintReadOut(QPainter *painter) const
{
    const QStringList lines = readOut();
    if (lines.isEmpty())
        return;
    const Tokens &t = tokens();
    const QRectF rect = readOutRect();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(t.text, 1.5));
    painter->setBrush(t.base);
    painter->drawRoundedRect(rect.adjusted(1, 1, -1, -1), 4, 4);
    const QRectF inner = rect.adjusted(2 * tagPadding, tagPadding, 0, -tagPadding);
    painter->setFont(titleFont());
    painter->setPen(t.text);
    painter->drawText(inner, Qt::AlignLeft | Qt::AlignTop, lines.first());
    painter->setFont(secondaryFont());
    painter->setPen(t.text2);
    painter->drawText(inner, Qt::AlignLeft | Qt::AlignBottom, lines.last());
}

void HeatMap::paintEvent(QPaintEvent *)
{
    if (!m_answer)
        return;
    QPainter painter(this);
    painter.setOpacity(isEnabled() ? 1.0 : 0.45);
    paintLegend(&painter);
    paintCells(&painter);
    paintLimit(&painter);
    paintAxes(&painter);
    paintCursor(&painter);
    paintReadOut(&painter);
}

} // namespace kvlab::ui
