// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_colors.h"

#include "ui/widgets/appearance.h"

#include <QPainter>

#include <array>
#include <cmath>

namespace kvlab::ui {

namespace {

/// Relative luminance after WCAG 2.
double luminance(const QColor &color)
{
    const auto linear
        = [](double part) { return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor &a, const QColor &b)
{
    const double first = luminance(a) + 0.05;
    const double second = luminance(b) + 0.05;
    return std::max(first, second) / std::min(first, second);
}

} // namespace

QColor heatColor(int step)
{
    static constexpr std::array light{0xEAF4F1, 0xC6E3DB, 0x97CBBE, 0x5FAE9D, 0x1F7465};
    static constexpr std::array dark{0x22332F, 0x27493F, 0x2D6655, 0x358570, 0x46A98F};
    return QColor(QRgb((tokens().dark ? dark : light).at(std::size_t(step))));
}

int heatStep(double share)
{
    static constexpr std::array limits{0.10, 0.25, 0.50, 0.75};
    int step = 0;
    for (const double limit : limits)
        step += share > limit ? 1 : 0;
    return step;
}

QColor overColor()
{
    return tokens().dark ? QColor(0x2B2F34) : QColor(0xE1E4E8);
}

void paintOver(QPainter *painter, const QRectF &rect)
{
    painter->fillRect(rect, overColor());
    painter->fillRect(rect, QBrush(tokens().dark ? QColor(0x565E67) : QColor(0xAEB5BD), Qt::BDiagPattern));
}

QColor inkOn(const QColor &background)
{
    const QColor dark(0x14202B);
    const QColor light(Qt::white);
    return contrast(dark, background) > contrast(light, background) ? dark : light;
}

} // namespace kvlab::ui
