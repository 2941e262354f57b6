// SPDX-License-Identifier: GPL-3.0-or-later
// The look: one struct of colours per theme, one function that sets palette, style sheet and fonts. The data owns the
// hues, the program is ink: blue, orange and purple belong to the three arms and to nothing else.
#pragma once

#include "experiment/experiment_plan.h"

#include <QColor>
#include <QFont>

class QWidget;

namespace kvlab::ui {

enum class Theme { system, light, dark };

/// Colours by role. Contrast ratios hold WCAG 2: text at least 4.5:1, graphics 3:1.
struct Tokens
{
    QColor window, base, alt, computed, header, button;
    QColor text, text2, ctl, line, grid;
    QColor accent, on_accent, sel;
    QColor ok, okbg, warn, warnbg, warn_edge, bad, badbg, bad_edge, infobg;
    QColor live, on_live;
    QColor cold, warm, partial, different; ///< the arms
    bool dark = false;

    QColor arm(experiment::Arm arm) const;
};

/// The colours in use now.
const Tokens &tokens();
/// The light colours whatever the window wears: for pictures that go into reports.
const Tokens &paperTokens();

/// Sets Fusion, palette, style sheet and fonts of the whole application, and remembers the tokens. `zoom` 1.0 = 100 %.
/// Widgets that paint themselves react to QEvent::PaletteChange / FontChange / StyleChange.
void applyAppearance(Theme theme, double zoom);
Theme currentTheme();
double currentZoom();

/// Font of `points` at 96 dpi times the zoom; body 10 (10.5 in Chinese), secondary 9 (10), panel titles 10 bold.
QFont scaledFont(double points, bool bold = false);
QFont bodyFont();
QFont secondaryFont();
QFont titleFont();

/// Row = font height + 6, header + 8, control + 8: never typed in.
int rowHeight(const QFont &font);
int controlHeight(const QFont &font);

/// The arm's gloss in the interface language ("without reuse"); in Chinese 无缓存, 命中缓存, 前缀不同. May be empty in
/// English.
QString armGloss(experiment::Arm arm);

/// Paints the arm's fill into `rect`: colour and, for CACHED, 45° strips cut by arithmetic (the same on screen, PDF and
/// SVG).
void paintArmFill(QPainter *painter, const QRectF &rect, experiment::Arm arm, double stripPeriod = 8);
/// The same into any convex shape, for dots.
void paintArmFill(QPainter *painter, const QPolygonF &shape, experiment::Arm arm, double stripPeriod);

/// A frame of ours on one place: property "kind" = primary | stop | flat on QPushButton, "secondary" on QLabel.
void setKind(QWidget *widget, const char *kind);

} // namespace kvlab::ui
