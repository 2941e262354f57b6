// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiers/queue_bar.h"

#include "ui/widgets/appearance.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace kvlab::ui {

namespace {

constexpr double inset = 8;
constexpr double gap = 4;

double boxHeight()
{
    return std::ceil(QFontMetricsF(titleFont()).height() + QFontMetricsF(secondaryFont()).height() + 6);
}

double boxWidth(const QueueBox &box)
{
    return std::ceil(std::max(QFontMetricsF(titleFont()).horizontalAdvance(box.numbers),
               QFontMetricsF(secondaryFont()).horizontalAdvance(box.words)))
        + 2 * inset;
}

} // namespace

QueueBar::QueueBar(QWidget *parent)
    : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void QueueBar::setBoxes(const QList<QueueBox> &boxes, const QString &sentence)
{
    m_boxes = boxes;
    setAccessibleDescription(sentence);
    setToolTip(sentence);
    updateGeometry();
    update();
}

double QueueBar::walk(double width, QPainter *painter) const
{
    const QFontMetricsF bold(titleFont());
    const QString head = tr("head");
    const QString tail = tr("tail");
    const double height = boxHeight();
    const auto word = [&](const QPointF &at, const QString &text) {
        if (!painter)
            return;
        painter->setFont(titleFont());
        painter->setPen(tokens().text);
        painter->drawText(QRectF(at, QSizeF(bold.horizontalAdvance(text) + 2, height)), Qt::AlignVCenter, text);
    };
    word({0, 0}, head);
    QPointF at(std::ceil(bold.horizontalAdvance(head)) + inset, 0);
    const double start = at.x();
    for (const QueueBox &box : m_boxes) {
        const double needed = std::min(boxWidth(box), width - start);
        if (at.x() > start && at.x() + needed > width)
            at = {start, at.y() + height + gap};
        if (painter)
            paintBox(painter, {at, QSizeF(needed, height)}, box);
        at.rx() += needed + gap;
    }
    at.rx() += gap;
    if (at.x() + bold.horizontalAdvance(tail) > width)
        at = {start, at.y() + height + gap};
    word(at, tail);
    return at.y() + height;
}

void QueueBar::paintBox(QPainter *painter, const QRectF &rect, const QueueBox &box) const
{
    const double edge = box.next ? 2 : 1;
    painter->fillRect(rect, box.cached ? tokens().header : tokens().base);
    painter->setPen(QPen(box.next ? tokens().accent : tokens().ctl, edge));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(rect.adjusted(edge / 2, edge / 2, -edge / 2, -edge / 2));
    const QRectF inner = rect.adjusted(inset, 2, -inset, -2);
    const QFontMetricsF bold(titleFont());
    const QFontMetricsF plain(secondaryFont());
    painter->setFont(titleFont());
    painter->setPen(tokens().text);
    painter->drawText(inner, Qt::AlignTop, bold.elidedText(box.numbers, Qt::ElideRight, inner.width() + 1));
    painter->setFont(secondaryFont());
    painter->drawText(inner, Qt::AlignBottom, plain.elidedText(box.words, Qt::ElideRight, inner.width() + 1));
}

int QueueBar::heightForWidth(int width) const
{
    return int(walk(width, nullptr));
}

QSize QueueBar::sizeHint() const
{
    return {400, heightForWidth(400)};
}

QSize QueueBar::minimumSizeHint() const
{
    return {160, int(boxHeight())};
}

void QueueBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    walk(width(), &painter);
}

void QueueBar::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange
        || event->type() == QEvent::LanguageChange) {
        updateGeometry();
        update();
    }
    QWidget::changeEvent(event);
}

} // namespace kvlab::ui
