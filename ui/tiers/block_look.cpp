// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiers/block_look.h"

#include "ui/widgets/appearance.h"

#include <QCoreApplication>
#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace kvlab::ui {

namespace {

/// Context of this file's texts.
struct BlockWords
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::ui::BlockWords)
};

QColor mixed(const QColor &front, const QColor &back)
{
    return QColor((front.red() + back.red()) / 2, (front.green() + back.green()) / 2, (front.blue() + back.blue()) / 2);
}

QColor fillOf(BlockLook look)
{
    const Tokens &t = tokens();
    switch (look) {
    case BlockLook::found:
    case BlockLook::ram:
    case BlockLook::disk:
        return t.warm;
    case BlockLook::computed:
        return mixed(t.cold, t.base); // a number is read on it
    case BlockLook::cached:
        return t.header;
    case BlockLook::empty:
        return t.base;
    case BlockLook::null_block:
        return t.line;
    }
    return t.base;
}

/// Upright lines for RAM, level ones for disk: told apart from the 45° strips of a hit in the pool.
void paintLines(QPainter *painter, const QRectF &rect, bool upright)
{
    QColor ink(0x1B1F24);
    ink.setAlphaF(0.55f);
    const double length = upright ? rect.width() : rect.height();
    for (double at = 2; at < length; at += 5) {
        const QRectF line = upright ? QRectF(rect.left() + at, rect.top(), std::min(1.6, length - at), rect.height())
                                    : QRectF(rect.left(), rect.top() + at, rect.width(), std::min(1.6, length - at));
        painter->fillRect(line, ink);
    }
}

} // namespace

BlockLook lookOf(prefix::BlockOrigin origin)
{
    switch (origin) {
    case prefix::BlockOrigin::pool:
        return BlockLook::found;
    case prefix::BlockOrigin::ram:
        return BlockLook::ram;
    case prefix::BlockOrigin::disk:
        return BlockLook::disk;
    case prefix::BlockOrigin::computed:
        break;
    }
    return BlockLook::computed;
}

BlockLook lookOf(const prefix::BlockState &block, int number)
{
    if (number == 0)
        return BlockLook::null_block;
    if (block.references > 0)
        return lookOf(block.origin);
    return block.hash ? BlockLook::cached : BlockLook::empty;
}

QString blockWord(BlockLook look)
{
    switch (look) {
    case BlockLook::found:
        return BlockWords::tr("found in the pool");
    case BlockLook::ram:
        return BlockWords::tr("loaded from RAM");
    case BlockLook::disk:
        return BlockWords::tr("loaded from disk");
    case BlockLook::computed:
        return BlockWords::tr("computed now");
    case BlockLook::cached:
        return BlockWords::tr("cached, free");
    case BlockLook::empty:
        return BlockWords::tr("empty or part-filled, free");
    case BlockLook::null_block:
        return BlockWords::tr("null block");
    }
    return {};
}

void paintBlock(QPainter *painter, const QRectF &rect, BlockLook look)
{
    painter->fillRect(rect, fillOf(look));
    if (look == BlockLook::found)
        paintArmFill(painter, rect, experiment::Arm::warm);
    if (look == BlockLook::ram || look == BlockLook::disk)
        paintLines(painter, rect, look == BlockLook::ram);
    const bool inUse = look != BlockLook::cached && look != BlockLook::empty && look != BlockLook::null_block;
    // Too narrow for an edge, cells would be nothing but edges.
    if (rect.width() < 5)
        return;
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setPen(QPen(inUse ? tokens().text : tokens().ctl, 1));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(QRectF(
        std::floor(rect.left()), std::floor(rect.top()), std::ceil(rect.width()) - 1, std::ceil(rect.height()) - 1));
}

void paintNotch(QPainter *painter, const QRectF &rect)
{
    const double side = std::min({rect.width() * 0.6, rect.height() * 0.4, 9.0});
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(tokens().base, 1));
    painter->setBrush(tokens().text);
    painter->drawPolygon(
        QPolygonF{{rect.topRight() - QPointF(side, 0), rect.topRight(), rect.topRight() + QPointF(0, side)}});
}

BlockLegend::BlockLegend(QWidget *parent)
    : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void BlockLegend::setLooks(const QList<BlockLook> &looks, bool withNotch)
{
    m_looks = looks;
    m_withNotch = withNotch;
    updateGeometry();
    update();
}

double BlockLegend::walk(double width, QPainter *painter) const
{
    const QFontMetricsF metrics(secondaryFont());
    const QSizeF swatch(18, std::floor(metrics.ascent()));
    const double rowStep = metrics.height() + 4;
    QPointF at(0, 0);
    const int count = int(m_looks.size()) + (m_withNotch ? 1 : 0);
    for (int i = 0; i < count; ++i) {
        const bool notch = i == m_looks.size();
        const QString word = notch ? tr("lost in a later step") : blockWord(m_looks.at(i));
        const double needed = swatch.width() + 6 + std::ceil(metrics.horizontalAdvance(word));
        if (at.x() > 0 && at.x() + needed > width)
            at = {0, at.y() + rowStep};
        if (painter) {
            const QRectF box(at + QPointF(0, (metrics.height() - swatch.height()) / 2), swatch);
            paintBlock(painter, box, notch ? BlockLook::empty : m_looks.at(i));
            if (notch)
                paintNotch(painter, box);
            painter->setFont(secondaryFont());
            painter->setPen(tokens().text);
            painter->drawText(QPointF(at.x() + swatch.width() + 6, at.y() + metrics.ascent()), word);
        }
        at.rx() += needed + 18;
    }
    return at.y() + metrics.height() + 2;
}

int BlockLegend::heightForWidth(int width) const
{
    return int(std::ceil(walk(width, nullptr)));
}

QSize BlockLegend::sizeHint() const
{
    return {300, heightForWidth(300)};
}

void BlockLegend::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    walk(width(), &painter);
}

void BlockLegend::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange
        || event->type() == QEvent::LanguageChange) {
        updateGeometry();
        update();
    }
    QWidget::changeEvent(event);
}

} // namespace kvlab::ui
