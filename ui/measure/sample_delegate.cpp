// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/sample_delegate.h"

#include "ui/measure/sample_model.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"

#include <QPainter>

namespace kvlab::ui {

namespace {

struct StateLook
{
    QString icon;
    QColor color;
};

StateLook lookOf(SampleState state)
{
    const Tokens &t = tokens();
    switch (state) {
    case SampleState::confirmed:
        return {QStringLiteral("tick-circle"), t.ok};
    case SampleState::likely:
        return {QStringLiteral("tick"), t.text2};
    case SampleState::unconfirmed:
        return {QStringLiteral("ring"), t.text2};
    case SampleState::contradicted:
    case SampleState::failed:
        return {QStringLiteral("cross-circle"), t.bad};
    case SampleState::left_out:
        return {QStringLiteral("warning"), t.warn};
    }
    return {QStringLiteral("ring"), t.text2};
}

SampleState stateOf(const QModelIndex &index)
{
    return SampleState(index.data(SampleModel::StateRole).toInt());
}

int markSide(const QFont &font)
{
    return QFontMetrics(font).ascent();
}

constexpr int cellMargin = 8;
constexpr int markGap = 6;

void paintSwatch(QPainter *painter, const QRect &cell, const QFont &font, const QModelIndex &index)
{
    const auto arm = experiment::Arm(index.data(SampleModel::ArmRole).toInt());
    const int side = markSide(font);
    const QRectF box(
        cell.left() + cellMargin + 0.5, cell.center().y() - side * 0.42, side - 1, std::round(side * 0.84));
    paintArmFill(painter, box, arm, side / 2.0);
    painter->setPen(QPen(tokens().text, 1.2));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(box);
}

} // namespace

int SampleDelegate::markWidth(const QFont &font)
{
    return markSide(font) + markGap;
}

void SampleDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    // The whole row is chosen; a frame around one of its cells would say something else.
    option->state &= ~QStyle::State_HasFocus;
    const SampleState state = stateOf(index);
    if (state == SampleState::left_out)
        option->backgroundBrush = tokens().warnbg;
    QColor color = tokens().text;
    if (index.column() == SampleModel::VerdictColumn)
        color = lookOf(state).color;
    else if (index.column() == SampleModel::TimeColumn)
        color = tokens().text2;
    option->palette.setColor(QPalette::Text, color);
    option->palette.setColor(QPalette::HighlightedText, color);
}

void SampleDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    QString text = cell.text;
    cell.text.clear();
    const QStyle *style = cell.widget ? cell.widget->style() : nullptr;
    if (style)
        style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);

    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    QRect textRect = cell.rect.adjusted(cellMargin, 0, -cellMargin, 0);
    const int side = markSide(cell.font);
    if (index.column() == SampleModel::ArmColumn) {
        paintSwatch(painter, cell.rect, cell.font, index);
        if (QFontMetrics(cell.font).horizontalAdvance(text) > textRect.width() - side - markGap)
            text = experiment::armTitle(experiment::Arm(index.data(SampleModel::ArmRole).toInt()));
        textRect.setLeft(textRect.left() + side + markGap);
    } else if (index.column() == SampleModel::VerdictColumn) {
        const StateLook look = lookOf(stateOf(index));
        paintIcon(painter, QRectF(textRect.left(), cell.rect.center().y() - side / 2.0 + 0.5, side, side), look.icon,
            look.color);
        textRect.setLeft(textRect.left() + side + markGap);
    }
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setPen(cell.palette.color(QPalette::Text));
    painter->setFont(cell.font);
    painter->drawText(textRect, int(cell.displayAlignment),
        QFontMetrics(cell.font).elidedText(text, Qt::ElideRight, textRect.width()));
    painter->setPen(tokens().grid);
    painter->drawLine(cell.rect.bottomLeft(), cell.rect.bottomRight());
    painter->restore();
}

} // namespace kvlab::ui
