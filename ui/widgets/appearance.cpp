// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/appearance.h"

#include <QApplication>
#include <QCoreApplication>
#include <QFontDatabase>
#include <QFontMetrics>
#include <QLocale>
#include <QPainter>
#include <QPalette>
#include <QPolygonF>
#include <QStyle>
#include <QStyleFactory>
#include <QWidget>

#include <cmath>

namespace kvlab::ui {

namespace {

struct Appearance
{
    Theme theme = Theme::system;
    double zoom = 1.0;
    Tokens tokens;
};

Tokens lightTokens()
{
    Tokens t;
    t.window = QColor(0xF3F4F6);
    t.base = QColor(0xFFFFFF);
    t.alt = QColor(0xF7F8FA);
    t.computed = QColor(0xF1F4F7);
    t.header = QColor(0xECEEF1);
    t.button = QColor(0xFBFBFC);
    t.text = QColor(0x1B1F24);
    t.text2 = QColor(0x545D68);
    t.ctl = QColor(0x858E98);
    t.line = QColor(0xD5D9DE);
    t.grid = QColor(0xE3E6EA);
    t.accent = QColor(0x2A475E);
    t.on_accent = QColor(0xFFFFFF);
    t.sel = QColor(0xDCE5EE);
    t.ok = QColor(0x0B6B4A);
    t.okbg = QColor(0xE3F3EC);
    t.warn = QColor(0x7A4B00);
    t.warnbg = QColor(0xFFF1D0);
    t.warn_edge = QColor(0xB07A12);
    t.bad = QColor(0xA8321A);
    t.badbg = QColor(0xFCE9E4);
    t.bad_edge = QColor(0xC9553B);
    t.infobg = QColor(0xE7EEF4);
    t.live = QColor(0xB3261E);
    t.on_live = QColor(0xFFFFFF);
    return t;
}

Tokens darkTokens()
{
    Tokens t;
    t.window = QColor(0x22262B);
    t.base = QColor(0x1A1D21);
    t.alt = QColor(0x1F2328);
    t.computed = QColor(0x20262C);
    t.header = QColor(0x2A2F35);
    t.button = QColor(0x2D3238);
    t.text = QColor(0xE7EAED);
    t.text2 = QColor(0xA9B1BA);
    t.ctl = QColor(0x79828C);
    t.line = QColor(0x3A4047);
    t.grid = QColor(0x30353B);
    t.accent = QColor(0xA9C7DF);
    t.on_accent = QColor(0x14202B);
    t.sel = QColor(0x2D4052);
    t.ok = QColor(0x6CCFA6);
    t.okbg = QColor(0x1D3A30);
    t.warn = QColor(0xF2C166);
    t.warnbg = QColor(0x3B2F16);
    t.warn_edge = QColor(0xB98A2B);
    t.bad = QColor(0xFF9D88);
    t.badbg = QColor(0x452620);
    t.bad_edge = QColor(0xC9614A);
    t.infobg = QColor(0x26343F);
    t.live = QColor(0xE5533D);
    t.on_live = QColor(0x14080A);
    t.dark = true;
    return t;
}

Tokens tokensOf(bool dark)
{
    Tokens t = dark ? darkTokens() : lightTokens();
    t.cold = QColor(0x0072B2);
    t.warm = QColor(0xE69F00);
    t.partial = QColor(0x56B4E9);
    t.different = QColor(0xCC79A7);
    return t;
}

Appearance &appearance()
{
    static Appearance current{Theme::light, 1.0, tokensOf(false)};
    return current;
}

/// Qt 6.4 has no colour-scheme API: the palette that the platform gave at start tells.
bool systemIsDark()
{
    static const bool dark = QApplication::palette().color(QPalette::Window).lightness() < 128;
    return dark;
}

QColor blend(const QColor &front, const QColor &back, double share)
{
    return QColor::fromRgbF(float(front.redF() * share + back.redF() * (1 - share)),
        float(front.greenF() * share + back.greenF() * (1 - share)),
        float(front.blueF() * share + back.blueF() * (1 - share)));
}

QPalette paletteOf(const Tokens &t)
{
    QPalette p;
    const QColor disabledText = blend(t.text2, t.window, 0.6);
    for (const QPalette::ColorGroup group : {QPalette::Active, QPalette::Inactive, QPalette::Disabled}) {
        const bool disabled = group == QPalette::Disabled;
        const QColor text = disabled ? disabledText : t.text;
        p.setColor(group, QPalette::Window, t.window);
        p.setColor(group, QPalette::Base, t.base);
        p.setColor(group, QPalette::AlternateBase, t.alt);
        p.setColor(group, QPalette::Button, t.button);
        p.setColor(group, QPalette::WindowText, text);
        p.setColor(group, QPalette::Text, text);
        p.setColor(group, QPalette::ButtonText, text);
        p.setColor(group, QPalette::PlaceholderText, disabled ? disabledText : t.text2);
        p.setColor(group, QPalette::Highlight, t.sel);
        p.setColor(group, QPalette::HighlightedText, text);
        p.setColor(group, QPalette::ToolTipBase, t.base);
        p.setColor(group, QPalette::ToolTipText, t.text);
        p.setColor(group, QPalette::Link, t.accent);
        p.setColor(group, QPalette::LinkVisited, t.accent);
        p.setColor(group, QPalette::BrightText, t.text);
        p.setColor(group, QPalette::Light, t.dark ? t.line : t.base);
        p.setColor(group, QPalette::Midlight, t.line);
        p.setColor(group, QPalette::Mid, t.ctl);
        p.setColor(group, QPalette::Dark, t.ctl);
        p.setColor(group, QPalette::Shadow, t.dark ? QColor(Qt::black) : t.ctl);
    }
    return p;
}

/// Only what the palette cannot say. All states are written, or Fusion loses some.
QString styleSheetOf(const Tokens &t)
{
    QString sheet = QStringLiteral(R"(
QPushButton, QToolButton[kind="segment"] {
    background: @button; border: 1px solid @ctl; border-radius: 4px; padding: 3px 10px; min-height: @controlpx;
}
QPushButton:hover, QToolButton[kind="segment"]:hover { background: @sel; }
QPushButton:pressed { background: @line; }
QPushButton:disabled { color: @disabled; border-color: @line; }
QPushButton:focus, QToolButton[kind="segment"]:focus { border: 2px solid @accent; padding: 2px 9px; }
QToolButton[kind="segment"]:checked { background: @accent; color: @onaccent; border-color: @accent; font-weight: bold; }
QToolButton[kind="segment"]:checked:focus { border: 2px solid @text; }
QPushButton[kind="primary"] { background: @accent; color: @onaccent; border-color: @accent; font-weight: bold; padding: 3px 14px; }
QPushButton[kind="primary"]:hover { background: @accenthover; }
QPushButton[kind="primary"]:focus { border: 2px solid @text; padding: 2px 13px; }
QPushButton[kind="primary"]:disabled { background: @line; color: @disabled; border-color: @line; }
QPushButton[kind="stop"] { background: @button; border: 2px solid @text; font-weight: bold; padding: 2px 13px; }
QPushButton[kind="stop"]:hover { background: @sel; }
QPushButton[kind="stop"]:focus { border: 2px solid @accent; }
QPushButton[kind="flat"] { background: transparent; border-color: transparent; }
QPushButton[kind="flat"]:hover { background: @sel; }
QPushButton[kind="flat"]:focus { border: 2px solid @accent; }
QLabel[kind="secondary"] { color: @text2; }
QLineEdit { border: 1px solid @ctl; border-radius: 4px; padding: 2px 5px; background: @base; min-height: @controlpx; }
QLineEdit:focus { border: 2px solid @accent; padding: 1px 4px; }
QTableView QLineEdit, QTableView QComboBox { border-radius: 0; padding: 0 3px; min-height: 0; }
QToolBar { border: none; border-bottom: 1px solid @line; spacing: 8px; padding: 6px 12px; background: @window; }
QStatusBar { border-top: 1px solid @line; }
QStatusBar::item { border: none; }
QSplitter::handle { background: @window; }
QSplitter::handle:horizontal { border-left: 1px solid @line; border-right: 1px solid @line; }
QSplitter::handle:vertical { border-top: 1px solid @line; border-bottom: 1px solid @line; }
QHeaderView { background: @header; }
QHeaderView::section { background: @header; border: none; border-right: 1px solid @line; border-bottom: 1px solid @line;
    padding: 4px 8px; font-weight: bold; }
QTableView { border: none; background: @base; selection-background-color: @sel; selection-color: @text; }
QTableView QTableCornerButton::section { background: @header; border: none; border-bottom: 1px solid @line; border-right: 1px solid @line; }
QTabBar::tab { background: transparent; border: none; border-bottom: 2px solid transparent; padding: 5px 12px; color: @text2; }
QTabBar::tab:selected { border-bottom: 2px solid @accent; color: @text; font-weight: bold; }
QTabBar::tab:hover { color: @text; }
QToolTip { background: @base; color: @text; border: 1px solid @ctl; padding: 3px; }
QProgressBar { border: 1px solid @ctl; border-radius: 0; background: @base; max-height: 10px; }
QProgressBar::chunk { background: @accent; }
)");
    const QList<std::pair<QString, QString>> values{
        {QStringLiteral("@accenthover"), blend(t.accent, t.base, 0.85).name()},
        {QStringLiteral("@onaccent"), t.on_accent.name()},
        {QStringLiteral("@accent"), t.accent.name()},
        {QStringLiteral("@disabled"), blend(t.text2, t.window, 0.6).name()},
        {QStringLiteral("@controlpx"), QStringLiteral("%1px").arg(QFontMetrics(bodyFont()).height())},
        {QStringLiteral("@button"), t.button.name()},
        {QStringLiteral("@window"), t.window.name()},
        {QStringLiteral("@header"), t.header.name()},
        {QStringLiteral("@base"), t.base.name()},
        {QStringLiteral("@text2"), t.text2.name()},
        {QStringLiteral("@text"), t.text.name()},
        {QStringLiteral("@line"), t.line.name()},
        {QStringLiteral("@ctl"), t.ctl.name()},
        {QStringLiteral("@sel"), t.sel.name()},
    };
    for (const auto &[name, value] : values)
        sheet.replace(name, value);
    return sheet;
}

bool chinese()
{
    return QLocale().language() == QLocale::Chinese;
}

} // namespace

QColor Tokens::arm(experiment::Arm which) const
{
    switch (which) {
    case experiment::Arm::cold:
        return cold;
    case experiment::Arm::warm:
        return warm;
    case experiment::Arm::partial:
        return partial;
    case experiment::Arm::different:
        return different;
    }
    return text;
}

const Tokens &tokens()
{
    return appearance().tokens;
}

const Tokens &paperTokens()
{
    static const Tokens paper = tokensOf(false);
    return paper;
}

Theme currentTheme()
{
    return appearance().theme;
}

double currentZoom()
{
    return appearance().zoom;
}

void applyAppearance(Theme theme, double zoom)
{
    const bool dark = theme == Theme::dark || (theme == Theme::system && systemIsDark());
    appearance() = {theme, zoom, tokensOf(dark)};
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(paletteOf(tokens()));
    // With a style sheet set, setFont() reaches no existing widget: clear it, set the font, set the sheet again.
    qApp->setStyleSheet({});
    QApplication::setFont(bodyFont());
    qApp->setStyleSheet(styleSheetOf(tokens()));
}

QFont scaledFont(double points, bool bold)
{
    QFont font;
    // Named in this order, or the C locale falls back to Japanese forms of Han characters.
    font.setFamilies(
        {QStringLiteral("Noto Sans"), QStringLiteral("Noto Sans CJK SC"), QStringLiteral("Microsoft YaHei UI"),
            QStringLiteral("PingFang SC"), QFontDatabase::systemFont(QFontDatabase::GeneralFont).family()});
    font.setPointSizeF(points * appearance().zoom);
    font.setBold(bold);
    return font;
}

QFont bodyFont()
{
    return scaledFont(chinese() ? 10.5 : 10);
}

QFont secondaryFont()
{
    return scaledFont(chinese() ? 10 : 9);
}

QFont titleFont()
{
    return scaledFont(chinese() ? 10.5 : 10, true);
}

int rowHeight(const QFont &font)
{
    return QFontMetrics(font).height() + 6;
}

int controlHeight(const QFont &font)
{
    return QFontMetrics(font).height() + 8;
}

QString armGloss(experiment::Arm arm)
{
    // The English titles say it all; other languages gloss them.
    if (QLocale().language() == QLocale::English || QLocale().language() == QLocale::C)
        return {};
    switch (arm) {
    case experiment::Arm::cold:
        return QCoreApplication::translate("kvlab::ui", "no cache", "gloss beside NO CACHE, which stays in English");
    case experiment::Arm::warm:
        return QCoreApplication::translate("kvlab::ui", "cache hit", "gloss beside CACHED, which stays in English");
    case experiment::Arm::partial:
        return QCoreApplication::translate(
            "kvlab::ui", "changed in the middle", "gloss beside PARTIAL, which stays in English");
    case experiment::Arm::different:
        return QCoreApplication::translate(
            "kvlab::ui", "prefix differs", "gloss beside DIFFERENT PREFIX, which stays in English");
    }
    return {};
}

namespace {

/// As the strips below by arithmetic, for the same reasons. Every other row is set off by half a period.
void paintDots(QPainter *painter, const QPolygonF &shape, double period)
{
    QColor ink(0x1B1F24);
    ink.setAlphaF(0.7f);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(ink);
    const QRectF rect = shape.boundingRect();
    const double radius = period / 6;
    const double side = radius * 0.414; // of an octagon, nearly a circle
    bool odd = false;
    for (double y = rect.top() + period / 4; y < rect.bottom() + radius; y += period / 2) {
        for (double x = rect.left() + (odd ? period / 2 : 0); x < rect.right() + radius; x += period) {
            const QPolygonF dot{{QPointF(x - radius, y - side), QPointF(x - side, y - radius),
                QPointF(x + side, y - radius), QPointF(x + radius, y - side), QPointF(x + radius, y + side),
                QPointF(x + side, y + radius), QPointF(x - side, y + radius), QPointF(x - radius, y + side)}};
            painter->drawPolygon(dot.intersected(shape));
        }
        odd = !odd;
    }
}

} // namespace

void paintArmFill(QPainter *painter, const QRectF &rect, experiment::Arm arm, double stripPeriod)
{
    if (!rect.isEmpty())
        paintArmFill(painter, QPolygonF(rect), arm, stripPeriod);
}

void paintArmFill(QPainter *painter, const QPolygonF &shape, experiment::Arm arm, double stripPeriod)
{
    const QRectF rect = shape.boundingRect();
    painter->save();
    painter->setPen(Qt::NoPen);
    painter->setBrush(tokens().arm(arm));
    painter->drawPolygon(shape);
    if (arm == experiment::Arm::partial)
        paintDots(painter, shape, stripPeriod);
    if (arm == experiment::Arm::warm) {
        // Strips are cut by arithmetic: Qt 6.4's SVG writer ignores clipping and leaves texture brushes empty.
        QColor strip(0x1B1F24);
        strip.setAlphaF(0.55f);
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setBrush(strip);
        const double width = stripPeriod / 4 * std::sqrt(2.0);
        for (double x = rect.left() - rect.height(); x < rect.right(); x += stripPeriod) {
            const QPolygonF band{{QPointF(x, rect.bottom()), QPointF(x + width, rect.bottom()),
                QPointF(x + width + rect.height(), rect.top()), QPointF(x + rect.height(), rect.top())}};
            painter->drawPolygon(band.intersected(shape));
        }
    }
    painter->restore();
}

void setKind(QWidget *widget, const char *kind)
{
    widget->setProperty("kind", QString::fromLatin1(kind));
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

} // namespace kvlab::ui
