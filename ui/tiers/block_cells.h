// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks as painted cells, for a prompt as a strip and for a pool as a grid: a keyboard cursor, a read-out under the
// pointer, a tool tip and a sentence for screen readers. The numbers go away where a cell is too small for them.
#pragma once

#include "ui/tiers/block_look.h"

#include <functional>

namespace kvlab::ui {

struct BlockCell
{
    BlockLook look = BlockLook::empty;
    QString number;
    bool bold = false; ///< a reference count; else a place in the queue
    bool next = false; ///< the block that is taken next
    bool lost = false; ///< a later step throws it out
};

class BlockCells : public QWidget
{
    Q_OBJECT
public:
    enum class Shape { strip, grid };
    explicit BlockCells(Shape shape, QWidget *parent = nullptr);

    /// `describe` tells all about one cell in a sentence.
    void setCells(const QList<BlockCell> &cells, const std::function<QString(int)> &describe);
    const QList<BlockCell> &cells() const { return m_cells; }
    int cursor() const { return m_cursor; } ///< -1 = none
    void setCursorCell(int cell);
    QRectF cellRect(int cell) const;
    bool showsNumbers() const; ///< the cells are large enough

    bool hasHeightForWidth() const override { return m_shape == Shape::strip; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// Pointer or cursor is on a cell; `text` describes it.
    void pointed(int cell, const QString &text);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    struct Lattice
    {
        int columns = 1;
        double width = 0; ///< of one cell with its gap
        double height = 0;
    };
    Lattice lattice(int width, int height) const;
    Lattice gridLattice(int width, int height) const;
    int cellAt(const QPointF &point) const;
    void paintCell(QPainter &painter, int cell) const;
    void report(int cell);

    Shape m_shape;
    QList<BlockCell> m_cells;
    std::function<QString(int)> m_describe;
    int m_cursor = -1;
    int m_hovered = -1;
};

} // namespace kvlab::ui
