// SPDX-License-Identifier: GPL-3.0-or-later
// An edge around a field that is seen in both themes: Fusion draws that of boxes too faint on a dark window.
#pragma once

#include "ui/widgets/appearance.h"

#include <QPaintEvent>
#include <QPainter>

namespace kvlab::ui {

template <typename Field> class Edged : public Field
{
public:
    using Field::Field;

protected:
    void paintEvent(QPaintEvent *event) override
    {
        Field::paintEvent(event);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const bool focused = this->hasFocus();
        const double width = focused ? 2 : 1;
        const QColor edge = focused ? tokens().accent : this->isEnabled() ? tokens().ctl : tokens().line;
        painter.setPen(QPen(edge, width));
        painter.drawRoundedRect(QRectF(this->rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2), 3, 3);
    }
};

} // namespace kvlab::ui
