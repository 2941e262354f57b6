// SPDX-License-Identifier: GPL-3.0-or-later
// The free queue from head to tail, summed up: neighbours that the same step wrote are one box, with the block numbers
// above and what they hold in words below. What is lost first stands first.
#pragma once

#include <QWidget>

namespace kvlab::ui {

struct QueueBox
{
    QString numbers; ///< "234 … 255"
    QString words; ///< "22 empty"
    bool next = false; ///< holds the block that is taken next
    bool cached = false;
};

class QueueBar : public QWidget
{
    Q_OBJECT
public:
    explicit QueueBar(QWidget *parent = nullptr);
    /// `sentence` says the same for screen readers and as tool tip.
    void setBoxes(const QList<QueueBox> &boxes, const QString &sentence);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    double walk(double width, QPainter *painter) const; ///< height
    void paintBox(QPainter *painter, const QRectF &rect, const QueueBox &box) const;

    QList<QueueBox> m_boxes;
};

} // namespace kvlab::ui
