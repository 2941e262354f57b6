// SPDX-License-Identifier: GPL-3.0-or-later
// Colours of the heat map and the budget bar. Their order, legend and words tell them apart, not their hue.
#pragma once

#include <QColor>

class QPainter;
class QRectF;

namespace kvlab::ui {

inline constexpr int heatSteps = 5; ///< up to 10, 25, 50, 75 and 100 %

QColor heatColor(int step);
/// The step of a share of the budget, which is at most 1.
int heatStep(double share);
/// A surface that is beyond the limit: grey with a 45° hatch.
void paintOver(QPainter *painter, const QRectF &rect);
QColor overColor();
/// Dark or light ink, whichever is read more easily on `background`.
QColor inkOn(const QColor &background);

} // namespace kvlab::ui
