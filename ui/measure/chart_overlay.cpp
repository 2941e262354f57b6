// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/chart_overlay.h"

#include "ui/measure/run_texts.h"

#include <QCoreApplication>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace kvlab::ui {

namespace {

constexpr int deepestStack = 4;
constexpr double largeMark = 1.6; ///< dots that stand in for a bar, against dots in a lane
constexpr double narrowestWhisker = 5;

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(TtftChart)
};

bool chinese()
{
    return QLocale().language() == QLocale::Chinese;
}

/// In pixels at 96 dpi, so that a picture is the same on every screen.
QFont pixelFont(double points, bool bold)
{
    QFont font = scaledFont(points, bold);
    font.setPixelSize(int(std::lround(points * 96 / 72)));
    return font;
}

QString secondLine(const ChartArm &arm, const ChartLook &look)
{
    const QLocale locale;
    const int measured = arm.samples - arm.failed;
    const bool failures = !look.lane && arm.failed > 0;
    // On a projector there is no room for both, and a failure must be seen.
    QStringList parts{failures ? QString() : ui::armGloss(arm.arm)};
    parts.removeAll(QString());
    const bool glossed = !parts.isEmpty();
    //: n = number of samples
    parts.append(arm.kept == measured
            ? Text::tr("n %1").arg(locale.toString(arm.kept))
            : Text::tr("n %1 of %2").arg(locale.toString(arm.kept), locale.toString(measured)));
    // The gloss takes the room of the cached tokens; those are in the table too.
    if (look.cached_tokens && arm.cached_tokens && !glossed)
        //: prompt tokens that were found in the cache
        parts.append(Text::tr("cached %1").arg(locale.toString(*arm.cached_tokens, 'f', 0)));
    if (failures)
        parts.append(Text::tr("%n failed", nullptr, arm.failed));
    return parts.join(QStringLiteral(" · "));
}

QString captionText(const ChartData &data)
{
    bool bars = false;
    bool dotsOnly = false;
    bool hollow = false;
    bool crossed = false;
    for (const ChartArm &arm : data.arms) {
        bars = bars || arm.hasBar();
        dotsOnly = dotsOnly || (!arm.hasBar() && !arm.marks.isEmpty());
        for (const ChartMark &mark : arm.marks) {
            hollow = hollow || mark.kind == ChartMark::Kind::hollow;
            crossed = crossed || mark.kind == ChartMark::Kind::crossed;
        }
        crossed = crossed || arm.failed > 0;
    }
    QStringList parts{Text::tr("time to first token (ms)")};
    if (bars)
        parts.append(Text::tr("bar median, whisker 95 % interval, dots samples"));
    if (dotsOnly)
        parts.append(Text::tr("fewer than %1 samples: dots only").arg(QLocale().toString(ChartArm::fewest_for_bar)));
    if (hollow)
        parts.append(Text::tr("hollow: not what the arm should be"));
    if (crossed)
        parts.append(Text::tr("×: left out or failed"));
    return parts.join(QStringLiteral(" · "));
}

double furthest(const ChartArm &arm)
{
    double ms = arm.median_ms.value_or(0);
    if (arm.hasBar()) {
        if (arm.interval_ms)
            ms = std::max(ms, arm.interval_ms->high);
        return ms;
    }
    for (const ChartMark &mark : arm.marks)
        ms = std::max(ms, mark.ms);
    return ms;
}

std::optional<double> labelled(const ChartArm &arm)
{
    return arm.median_ms ? arm.median_ms : arm.left_out_median_ms;
}

double labelGap(const ChartArm &arm, const ChartLook &look)
{
    const double gap = QFontMetricsF(look.value).height() * 0.35 + look.outline / 2;
    return arm.hasBar() ? gap : look.dot * largeMark / 2 + gap;
}

double namesWidth(const ChartData &data, const ChartLook &look)
{
    double width = 0;
    for (const ChartArm &arm : data.arms) {
        width = std::max({width, QFontMetricsF(look.name).horizontalAdvance(experiment::armTitle(arm.arm)),
            QFontMetricsF(look.second).horizontalAdvance(secondLine(arm, look))});
    }
    return std::ceil(width) + 1;
}

QPen flatPen(const QColor &colour, double width)
{
    return QPen(colour, width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin);
}

} // namespace

ChartLook ChartLook::window()
{
    ChartLook look;
    look.colours = tokens();
    look.name = scaledFont(chinese() ? 11 : 10, true);
    look.second = secondaryFont();
    look.value = scaledFont(chinese() ? 12 : 10, true);
    look.axis = secondaryFont();
    const double scale = QFontMetricsF(look.second).height() / 17;
    look.dot = std::max(6.0, std::round(7 * scale));
    look.strip_period = look.dot > 9 ? 10 : 8;
    return look;
}

ChartLook ChartLook::presentation(double factor)
{
    // On a projector the zoom of the window does not matter: the sizes are those of the screen.
    const double points = factor / currentZoom();
    ChartLook look;
    look.colours = tokens();
    look.name = scaledFont(24 * points, true);
    look.second = scaledFont(24 * points);
    look.value = scaledFont(30 * points, true);
    look.axis = scaledFont(24 * points);
    look.outline = 3 * factor;
    look.dot = 14 * factor;
    look.strip_period = 18 * factor;
    look.lane = false;
    look.cached_tokens = false;
    return look;
}

ChartLook ChartLook::exported()
{
    ChartLook look;
    look.colours = paperTokens();
    look.name = pixelFont(13, true);
    look.second = pixelFont(12, false);
    look.value = pixelFont(14, true);
    look.axis = pixelFont(12, false);
    look.dot = 9;
    look.strip_period = 10;
    return look;
}

ChartGeometry layOut(const ChartData &data, const ChartLook &look, const QSizeF &size, double narrowestNames)
{
    ChartGeometry g;
    g.size = size;
    const double names = std::min(std::max(namesWidth(data, look), narrowestNames), size.width() * 0.45);
    const double left = std::round(look.margin + names + look.margin);
    const QFontMetricsF axis(look.axis);
    // The last grid line may lie at the very end, and half of its number beyond.
    const double half = axis.horizontalAdvance(QLocale().toString(10'000)) / 2;
    const double right = std::round(size.width() - std::max(look.margin, half));
    double bottom = size.height() - axis.height() - 8;
    if (look.lane) {
        const double width = right - left;
        const int lines = axis.horizontalAdvance(captionText(data)) > width ? 2 : 1;
        const double height = std::ceil(axis.height() * lines);
        bottom -= height + 4;
        g.caption = QRectF(left, size.height() - height - 4, width, height);
    }
    g.plot = QRectF(QPointF(left, std::round(look.margin / 2)), QPointF(right, std::max(std::floor(bottom), 20.0)));
    const double rows = std::max<double>(1, double(data.arms.size()));
    g.band = g.plot.height() / rows;
    const double pitch = look.dot + 1;
    const double wanted = look.lane ? deepestStack * pitch + 6 : 0;
    g.bar = std::round(std::clamp(g.band - wanted - 4, g.band * 0.4, g.band * 0.6));
    // The names stand beside the bar's middle and are higher than a thin bar.
    const double names_above
        = (QFontMetricsF(look.name).height() + QFontMetricsF(look.second).height() - g.bar) / 2 - g.plot.top() + 2;
    g.bar_top = look.lane ? std::round(std::max({2.0, names_above, (g.band - g.bar - wanted) / 3}))
                          : std::round((g.band - g.bar) / 2);
    g.levels = std::clamp(int((g.band - g.bar_top - g.bar - 4) / pitch), 1, deepestStack);
    return g;
}

double neededMaximum(const ChartData &data, const ChartLook &look, double plotWidth)
{
    double maximum = 0;
    for (const ChartArm &arm : data.arms) {
        double largest = furthest(arm);
        for (const ChartMark &mark : arm.marks)
            largest = std::max(largest, mark.ms);
        maximum = std::max(maximum, 1.2 * largest);
        if (const std::optional<double> value = labelled(arm)) {
            const double label
                = labelGap(arm, look) + QFontMetricsF(look.value).horizontalAdvance(formatMs(*value)) + look.margin / 2;
            const double room = std::max(plotWidth - label, plotWidth * 0.3);
            maximum = std::max(maximum, furthest(arm) * plotWidth / room);
        }
    }
    return maximum;
}

double tickStep(double maximum, const ChartLook &look, double plotWidth)
{
    constexpr double steps[] = {1, 2, 2.5, 5, 10};
    constexpr int mostLines = 5;
    const QFontMetricsF metrics(look.axis);
    double power = std::pow(10.0, std::floor(std::log10(maximum / mostLines)));
    for (;; power *= 10) {
        for (const double step : steps) {
            const double wide = metrics.horizontalAdvance(QLocale().toString(maximum, 'f', 0)) * 1.6;
            if (maximum / (step * power) <= mostLines + 0.5 && step * power / maximum * plotWidth >= wide)
                return step * power;
        }
        if (power > maximum)
            return maximum;
    }
}

ChartOverlay::ChartOverlay(QGraphicsItem *parent)
    : QGraphicsItem(parent)
{
    setAcceptedMouseButtons(Qt::NoButton);
}

void ChartOverlay::show(const ChartData &data, const ChartLook &look, const ChartGeometry &geometry)
{
    prepareGeometryChange();
    m_data = data;
    m_look = look;
    m_geometry = geometry;
    update();
}

QRectF ChartOverlay::boundingRect() const
{
    return {QPointF(0, 0), m_geometry.size};
}

void ChartOverlay::paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *)
{
    if (m_data.arms.isEmpty())
        return;
    painter->setRenderHint(QPainter::Antialiasing, true);
    for (qsizetype row = 0; row < m_data.arms.size(); ++row) {
        paintNames(painter, row);
        paintStrips(painter, row);
        paintWhisker(painter, row);
        paintMarks(painter, row);
        paintValue(painter, row);
    }
    painter->setRenderHint(QPainter::Antialiasing, false);
    const QRectF &plot = m_geometry.plot;
    painter->fillRect(
        QRectF(plot.left() - m_look.outline / 2, plot.top(), m_look.outline, plot.height()), m_look.colours.text);
    if (m_look.lane) {
        painter->setFont(m_look.axis);
        painter->setPen(m_look.colours.text2);
        painter->drawText(m_geometry.caption, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, captionText(m_data));
    }
}

void ChartOverlay::paintNames(QPainter *painter, qsizetype row) const
{
    const ChartArm &arm = m_data.arms.at(row);
    const QFontMetricsF nameMetrics(m_look.name);
    const QFontMetricsF secondMetrics(m_look.second);
    const double width = m_geometry.plot.left() - 2 * m_look.margin;
    double top = m_geometry.barCentre(row) - (nameMetrics.height() + secondMetrics.height()) / 2;
    // Without room above, the block moves down rather than out of the picture.
    top = std::max(top, 0.0);
    const auto line = [&](const QFont &font, const QFontMetricsF &metrics, const QColor &colour, const QString &text) {
        painter->setFont(font);
        painter->setPen(colour);
        painter->drawText(QRectF(m_look.margin, top, width, metrics.height()), Qt::AlignRight | Qt::AlignVCenter,
            metrics.elidedText(text, Qt::ElideRight, width));
        top += metrics.height();
    };
    line(m_look.name, nameMetrics, m_look.colours.text, experiment::armTitle(arm.arm));
    line(m_look.second, secondMetrics, m_look.colours.text2, secondLine(arm, m_look));
}

void ChartOverlay::paintStrips(QPainter *painter, qsizetype row) const
{
    const ChartArm &arm = m_data.arms.at(row);
    if (!arm.hasBar())
        return;
    const double inset = m_look.outline / 2;
    const double centre = m_geometry.barCentre(row);
    const QRectF bar(QPointF(m_geometry.left_edge + inset, centre - m_geometry.bar / 2 + inset),
        QPointF(m_geometry.x(*arm.median_ms) - inset, centre + m_geometry.bar / 2 - inset));
    if (bar.width() > 0)
        paintArmFill(painter, bar, arm.arm, m_look.strip_period);
}

void ChartOverlay::paintWhisker(QPainter *painter, qsizetype row) const
{
    const ChartArm &arm = m_data.arms.at(row);
    if (!arm.hasBar() || !arm.interval_ms)
        return;
    const double low = m_geometry.x(arm.interval_ms->low);
    const double high = m_geometry.x(arm.interval_ms->high);
    if (high - low < narrowestWhisker)
        return;
    const double y = m_geometry.barCentre(row);
    const double cap = m_geometry.bar / 4;
    const QList<QLineF> lines{
        QLineF(low, y, high, y), QLineF(low, y - cap, low, y + cap), QLineF(high, y - cap, high, y + cap)};
    const QPen halo(m_look.colours.base, m_look.outline + 2, Qt::SolidLine, Qt::SquareCap);
    for (const QPen &pen : {halo, flatPen(m_look.colours.text, m_look.outline)}) {
        painter->setPen(pen);
        painter->drawLines(lines);
    }
}

double ChartOverlay::markDiameter(const ChartArm &arm) const
{
    return arm.hasBar() ? m_look.dot : m_look.dot * largeMark;
}

QList<ChartOverlay::PlacedMark> ChartOverlay::placeMarks(qsizetype row) const
{
    const ChartArm &arm = m_data.arms.at(row);
    const double diameter = markDiameter(arm);
    const double pitch = diameter + 1;
    const double centre = m_geometry.barCentre(row);
    const double top = arm.hasBar() ? centre + m_geometry.bar / 2 + 4 + diameter / 2 : centre;
    const double bottom = m_geometry.plot.top() + double(row + 1) * m_geometry.band - diameter / 2;
    const int levels = arm.hasBar() ? m_geometry.levels : std::clamp(int((bottom - top) / pitch) + 1, 1, deepestStack);
    QList<QList<double>> taken(levels);
    QList<PlacedMark> placed;
    for (const ChartMark &mark : arm.marks) {
        const double x = m_geometry.x(mark.ms);
        const auto isFree = [&](const QList<double> &others) {
            return std::none_of(
                others.begin(), others.end(), [&](double other) { return std::abs(other - x) < pitch - 0.5; });
        };
        int level = 0;
        while (level < levels - 1 && !isFree(taken.at(level)))
            ++level;
        taken[level].append(x);
        placed.append({QPointF(x, top + level * pitch), mark.kind});
    }
    return placed;
}

void ChartOverlay::paintMarks(QPainter *painter, qsizetype row) const
{
    const ChartArm &arm = m_data.arms.at(row);
    const QList<PlacedMark> marks = placeMarks(row);
    if (m_look.lane || !arm.hasBar()) {
        for (const PlacedMark &mark : marks)
            paintMark(painter, mark, arm);
    }
    if (m_look.lane && arm.failed > 0)
        paintFailures(painter, row, marks);
}

void ChartOverlay::paintMark(QPainter *painter, const PlacedMark &mark, const ChartArm &arm) const
{
    const double diameter = markDiameter(arm);
    if (mark.kind == ChartMark::Kind::crossed) {
        paintCross(painter, mark.centre, diameter);
        return;
    }
    const QRectF circle(mark.centre.x() - diameter / 2, mark.centre.y() - diameter / 2, diameter, diameter);
    const bool hollow = mark.kind == ChartMark::Kind::hollow;
    painter->setPen(Qt::NoPen);
    painter->setBrush(m_look.colours.base);
    painter->drawEllipse(circle.adjusted(-1, -1, 1, 1));
    if (!hollow && arm.hasBar()) {
        painter->setBrush(m_look.colours.text);
        painter->drawEllipse(circle);
        return;
    }
    const double pen = std::max(1.5, diameter / 8);
    const QRectF line = circle.adjusted(pen / 2, pen / 2, -pen / 2, -pen / 2);
    if (!hollow) {
        QPainterPath path;
        path.addEllipse(line);
        paintArmFill(painter, path.toFillPolygon(), arm.arm, m_look.strip_period * 0.75);
    }
    painter->setPen(QPen(m_look.colours.text, pen));
    painter->setBrush(Qt::NoBrush);
    painter->drawEllipse(line);
}

void ChartOverlay::paintCross(QPainter *painter, const QPointF &centre, double diameter) const
{
    const double arm = diameter * 0.4;
    const QList<QLineF> lines{QLineF(centre - QPointF(arm, arm), centre + QPointF(arm, arm)),
        QLineF(centre - QPointF(arm, -arm), centre + QPointF(arm, -arm))};
    const double width = std::max(1.5, diameter / 5);
    for (const QPen &pen : {QPen(m_look.colours.base, width + 2), QPen(m_look.colours.text, width)}) {
        painter->setPen(pen);
        painter->drawLines(lines);
    }
}

void ChartOverlay::paintFailures(QPainter *painter, qsizetype row, const QList<PlacedMark> &marks) const
{
    const ChartArm &arm = m_data.arms.at(row);
    const QString text = Text::tr("%n failed", nullptr, arm.failed);
    const QFontMetricsF metrics(m_look.second);
    const double width = m_look.dot + 4 + metrics.horizontalAdvance(text);
    // They have no time: a count at the start of the axis, beside the dots that may be there.
    double x = m_geometry.left_edge + 6;
    QList<double> dots;
    for (const PlacedMark &mark : marks)
        dots.append(mark.centre.x());
    std::sort(dots.begin(), dots.end());
    const double half = markDiameter(arm) / 2 + 4;
    for (const double dot : dots) {
        if (dot + half > x && dot - half < x + width)
            x = dot + half;
    }
    const double y = m_geometry.barCentre(row) + m_geometry.bar / 2 + 4 + metrics.height() / 2;
    paintCross(painter, QPointF(x + m_look.dot / 2, y), m_look.dot);
    painter->setFont(m_look.second);
    painter->setPen(m_look.colours.text2);
    painter->drawText(
        QRectF(x + m_look.dot + 4, y - metrics.height() / 2, metrics.horizontalAdvance(text) + 2, metrics.height()),
        Qt::AlignLeft | Qt::AlignVCenter, text);
}

void ChartOverlay::paintValue(QPainter *painter, qsizetype row) const
{
    const ChartArm &arm = m_data.arms.at(row);
    const std::optional<double> value = labelled(arm);
    if (!value)
        return;
    // What was left out as a whole is a number to read, not a result: not bold.
    QFont font = m_look.value;
    font.setBold(arm.median_ms.has_value());
    const QFontMetricsF metrics(font);
    painter->setFont(font);
    painter->setPen(arm.median_ms ? m_look.colours.text : m_look.colours.text2);
    const double x = m_geometry.x(furthest(arm)) + labelGap(arm, m_look);
    painter->drawText(QRectF(x, m_geometry.barCentre(row) - metrics.height() / 2,
                          metrics.horizontalAdvance(formatMs(*value)) + 2, metrics.height()),
        Qt::AlignLeft | Qt::AlignVCenter, formatMs(*value));
}

} // namespace kvlab::ui
