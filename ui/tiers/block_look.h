// SPDX-License-Identifier: GPL-3.0-or-later
// How a block looks and what it is called: found and computed wear the arms' colours, what comes from a tier is a hit
// with another pattern; never colour alone.
#pragma once

#include "prefix/trace_player.h"

#include <QRectF>
#include <QString>
#include <QWidget>

class QPainter;

namespace kvlab::ui {

enum class BlockLook { found, ram, disk, computed, cached, empty, null_block };

BlockLook lookOf(prefix::BlockOrigin origin);
/// `number` 0 is the null block.
BlockLook lookOf(const prefix::BlockState &block, int number);
QString blockWord(BlockLook look); ///< "found in the pool"

void paintBlock(QPainter *painter, const QRectF &rect, BlockLook look);

/// Swatches and their words in rows; also explains the notch of what is lost later.
class BlockLegend : public QWidget
{
    Q_OBJECT
public:
    explicit BlockLegend(QWidget *parent = nullptr);
    void setLooks(const QList<BlockLook> &looks, bool withNotch);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    double walk(double width, QPainter *painter) const; ///< height

    QList<BlockLook> m_looks;
    bool m_withNotch = false;
};

/// The corner of a block that a later step throws out.
void paintNotch(QPainter *painter, const QRectF &rect);

} // namespace kvlab::ui
