// SPDX-License-Identifier: GPL-3.0-or-later
// Line icons from resources/icons/NAME.svg: `currentColor` becomes the palette's text colour when they are painted.
#pragma once

#include <QIcon>

namespace kvlab::ui {

/// 16 × 16 view box. `color` invalid = the palette's text (or on-accent text on primary buttons when given).
QIcon icon(const QString &name, const QColor &color = {});
void paintIcon(QPainter *painter, const QRectF &rect, const QString &name, const QColor &color);

} // namespace kvlab::ui
