// SPDX-License-Identifier: GPL-3.0-or-later
// Colour of a label's text by its palette. A rule of the style sheet would give the label the style sheet's font as
// well and undo its own.
#pragma once

#include <QColor>
#include <QPalette>
#include <QWidget>

namespace kvlab::ui {

inline void setTextColor(QWidget *widget, const QColor &color)
{
    QPalette palette = widget->palette();
    // Which of the two is used depends on what lies below the label.
    palette.setColor(QPalette::WindowText, color);
    palette.setColor(QPalette::Text, color);
    widget->setPalette(palette);
}

} // namespace kvlab::ui
