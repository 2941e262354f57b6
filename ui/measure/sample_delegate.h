// SPDX-License-Identifier: GPL-3.0-or-later
// Cells of the samples table: swatch before the arm, icon before the verdict, a line under each row.
#pragma once

#include <QStyledItemDelegate>

namespace kvlab::ui {

class SampleDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    /// Width of a swatch or icon with its gap, before the text.
    static int markWidth(const QFont &font);

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

} // namespace kvlab::ui
