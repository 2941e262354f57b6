// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/badge.h"

#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"

#include <QEvent>
#include <QPainter>

namespace kvlab::ui {

namespace {

struct BadgeLook
{
    QColor fill, edge, text;
    QString icon;
};

BadgeLook lookOf(BadgeState state)
{
    const Tokens &t = tokens();
    switch (state) {
    case BadgeState::live:
        return {t.live, t.live, t.on_live, QStringLiteral("dot")};
    case BadgeState::measured:
        return {t.okbg, t.ok, t.ok, QStringLiteral("tick")};
    case BadgeState::stopped:
        return {t.base, t.ctl, t.text, QStringLiteral("square")};
    case BadgeState::sample_data:
    case BadgeState::warning:
        return {t.warnbg, t.warn_edge, t.warn, {}};
    case BadgeState::none:
        break;
    }
    return {t.window, t.line, t.text2, {}};
}

} // namespace

Badge::Badge(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    hide();
}

void Badge::set(BadgeState state, const QString &text)
{
    m_state = state;
    m_text = text;
    setAccessibleName(text);
    setVisible(state != BadgeState::none);
    updateGeometry();
    update();
}

BadgeState Badge::state() const
{
    return m_state;
}

QString Badge::text() const
{
    return m_text;
}

QSize Badge::sizeHint() const
{
    QFont bold = font();
    bold.setBold(true);
    const QFontMetrics metrics(bold);
    const int iconWidth = lookOf(m_state).icon.isEmpty() ? 0 : metrics.ascent() + 4;
    return {metrics.horizontalAdvance(m_text) + iconWidth + 16, metrics.height() + 4};
}

QSize Badge::minimumSizeHint() const
{
    return sizeHint();
}

void Badge::paintEvent(QPaintEvent *)
{
    const BadgeLook look = lookOf(m_state);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(look.edge, 1));
    painter.setBrush(look.fill);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    QRect textRect = rect().adjusted(8, 0, -8, 0);
    if (!look.icon.isEmpty()) {
        const int side = QFontMetrics(bold).ascent();
        paintIcon(&painter, QRectF(8, (height() - side) / 2.0, side, side), look.icon, look.text);
        textRect.setLeft(8 + side + 4);
    }
    painter.setPen(look.text);
    painter.drawText(textRect, Qt::AlignVCenter | Qt::AlignLeft, m_text);
}

void Badge::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange
        || event->type() == QEvent::StyleChange) {
        updateGeometry();
        update();
    }
    QWidget::changeEvent(event);
}

} // namespace kvlab::ui
