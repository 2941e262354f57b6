// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/memory_delegate.h"

#include "ui/memory/cell_editors.h"
#include "ui/memory/memory_table_model.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"

#include <QAbstractItemView>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace kvlab::ui {

namespace {

const MemoryTableModel *modelOf(const QModelIndex &index)
{
    return qobject_cast<const MemoryTableModel *>(index.model());
}

/// Side of the warning sign: 14 pixels at 100 %.
int markSide(const QFontMetrics &metrics)
{
    return metrics.height() * 3 / 4;
}

constexpr int markGap = 4;

QColor background(const QStyleOptionViewItem &option, const QModelIndex &index, bool problem)
{
    if (problem)
        return tokens().badbg;
    if (option.state.testFlag(QStyle::State_Selected))
        return tokens().sel;
    return index.flags().testFlag(Qt::ItemIsEditable) ? tokens().base : tokens().computed;
}

/// The bar of a share: 26 × 8 pixels at 100 %, filled to the share.
QSize barSize(const QFontMetrics &metrics)
{
    return {metrics.height() * 13 / 9, metrics.height() * 4 / 9};
}

void drawShareBar(QPainter *painter, const QRect &cell, const QSize &size, double share)
{
    const QRectF bar(QPointF(cell.left(), cell.center().y() - size.height() / 2), size);
    painter->fillRect(bar, tokens().base);
    painter->fillRect(
        QRectF(bar.topLeft(), QSizeF(bar.width() * std::clamp(share, 0.0, 1.0), bar.height())), tokens().accent);
    painter->setPen(QPen(tokens().ctl, 1));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
}

void drawFrame(QPainter *painter, const QRect &cell, const QColor &color, double width)
{
    painter->setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter->setBrush(Qt::NoBrush);
    const double inset = width / 2;
    painter->drawRect(QRectF(cell).adjusted(inset, inset, -inset, -inset));
}

} // namespace

void MemoryDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const bool problem = !index.data(MemoryTableModel::problem_role).toString().isEmpty();
    const QRect cell = option.rect;
    painter->save();
    painter->fillRect(cell, background(option, index, problem));
    painter->fillRect(QRect(cell.left(), cell.bottom(), cell.width(), 1), tokens().grid);

    QRect textRect = cell.adjusted(padding, 0, -padding, 0);
    if (problem) {
        const int side = markSide(option.fontMetrics);
        paintIcon(painter, QRect(cell.left() + padding - 1, cell.center().y() - side / 2 + 1, side, side),
            QStringLiteral("warning"), tokens().bad);
        textRect.setLeft(textRect.left() + side + markGap);
    }
    if (MemoryColumn(index.column()) == MemoryColumn::share) {
        const QVariant share = index.data(MemoryTableModel::raw_role);
        const QSize size = barSize(option.fontMetrics);
        // In words where it does not fit, so that a full bar is not taken for one that does.
        if (share.isValid() && share.toDouble() <= 1.0) {
            drawShareBar(painter, textRect, size, share.toDouble());
            textRect.setLeft(textRect.left() + size.width() + markGap);
        }
    }
    const auto alignment = index.data(Qt::TextAlignmentRole).value<Qt::Alignment>();
    painter->setFont(option.font);
    painter->setPen(tokens().text);
    painter->drawText(textRect, alignment | Qt::TextSingleLine,
        option.fontMetrics.elidedText(index.data().toString(), Qt::ElideMiddle, textRect.width()));

    const auto *view = qobject_cast<const QAbstractItemView *>(option.widget);
    if (problem)
        drawFrame(painter, cell, tokens().bad_edge, 1.5);
    if (view && view->currentIndex() == index)
        drawFrame(painter, cell, view->hasFocus() ? tokens().accent : tokens().ctl, 2);
    painter->restore();
}

int MemoryDelegate::shareWidth(const QFontMetrics &metrics)
{
    return metrics.horizontalAdvance(QStringLiteral("100.0 %")) + 2 * padding + markGap + barSize(metrics).width();
}

QSize MemoryDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const int mark
        = index.data(MemoryTableModel::problem_role).toString().isEmpty() ? 0 : markSide(option.fontMetrics) + markGap;
    if (MemoryColumn(index.column()) == MemoryColumn::share)
        return {shareWidth(option.fontMetrics), rowHeight(option.font)};
    const int text = option.fontMetrics.horizontalAdvance(index.data().toString());
    return {text + 2 * padding + mark + 1, rowHeight(option.font)};
}

QWidget *MemoryDelegate::createEditor(QWidget *parent, const QStyleOptionViewItem &, const QModelIndex &index) const
{
    QWidget *editor = createCellEditor(
        modelOf(index)->column(MemoryColumn(index.column())), modelOf(index)->library().names(), parent);
    // The factory function is const for Qt; closing the editor later is not.
    auto *self = const_cast<MemoryDelegate *>(this);
    if (auto *search = qobject_cast<ModelSearchBox *>(editor))
        connect(search, &ModelSearchBox::chosen, self,
            [self, search](bool byReturn) { self->commitAndClose(search, byReturn ? 1 : 0); });
    else if (auto *box = qobject_cast<QComboBox *>(editor))
        connect(box, &QComboBox::activated, self, [self, box] { self->commitAndClose(box, 0); });
    return editor;
}

void MemoryDelegate::setEditorData(QWidget *editor, const QModelIndex &index) const
{
    // Only when it opens: a later change of the row must not take away what is being typed.
    if (editor->property("filled").toBool())
        return;
    editor->setProperty("filled", true);
    setEditorText(editor, index.data(Qt::EditRole).toString());
}

void MemoryDelegate::setModelData(QWidget *editor, QAbstractItemModel *model, const QModelIndex &index) const
{
    model->setData(index, editorText(editor));
}

void MemoryDelegate::updateEditorGeometry(
    QWidget *editor, const QStyleOptionViewItem &option, const QModelIndex &) const
{
    QRect rect = option.rect;
    if (qobject_cast<ModelSearchBox *>(editor)) {
        const int wanted = option.fontMetrics.averageCharWidth() * 32;
        rect.setWidth(std::max(rect.width(), std::min(wanted, editor->parentWidget()->width() - rect.left())));
    }
    editor->setGeometry(rect);
}

int MemoryDelegate::takeStep()
{
    return std::exchange(m_step, 0);
}

bool MemoryDelegate::eventFilter(QObject *object, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        m_step = !enter ? 0 : key->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1;
    }
    return QStyledItemDelegate::eventFilter(object, event);
}

void MemoryDelegate::commitAndClose(QWidget *editor, int step)
{
    // Return in an open list reports twice: as the key and as the choice.
    if (editor->property("closing").toBool())
        return;
    editor->setProperty("closing", true);
    m_step = step;
    Q_EMIT commitData(editor);
    Q_EMIT closeEditor(editor, QAbstractItemDelegate::SubmitModelCache);
}

} // namespace kvlab::ui
