// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the cells of the memory table after the design language and makes their editors.
#pragma once

#include <QStyledItemDelegate>

namespace kvlab::ui {

class MemoryDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    /// Space left and right of a cell's text (pixels).
    static constexpr int padding = 8;

    /// What the share column needs for its bar and “100.0 %”.
    static int shareWidth(const QFontMetrics &metrics);

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void setEditorData(QWidget *editor, const QModelIndex &index) const override;
    void setModelData(QWidget *editor, QAbstractItemModel *model, const QModelIndex &index) const override;
    void updateEditorGeometry(
        QWidget *editor, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

    /// Rows to move after the editor that closes now: 1 after Return, -1 after Shift+Return, else 0. Reading forgets
    /// it.
    int takeStep();

protected:
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    void commitAndClose(QWidget *editor, int step);

    int m_step = 0;
};

} // namespace kvlab::ui
