// SPDX-License-Identifier: GPL-3.0-or-later
// One bar that adds up to a device's memory: weights, overhead, the plan's cache, what is left for it, what stays free.
// Below it each part in words.
#pragma once

#include "memory/capacity.h"

#include <QWidget>

namespace kvlab::ui {

class BudgetBar : public QWidget
{
    Q_OBJECT
public:
    explicit BudgetBar(QWidget *parent = nullptr);

    void setCapacity(const memory::Capacity &capacity);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    struct Part
    {
        QString name;
        QString size; ///< "14.19 GiB"
        memory::Bytes bytes; ///< as drawn: at most what the device has left
        QColor color;
        bool over = false; ///< hatched: more than there is room for
    };

    struct Place
    {
        QRectF swatch;
        QRectF text;
    };

    void setupParts();
    QList<Place> legend(double width, double top) const;
    QList<QRectF> bars(double width) const;
    double barTop() const;
    double barBottom() const;
    void paintBar(QPainter *painter) const;

    memory::Capacity m_capacity;
    QList<Part> m_parts;
    QString m_budget; ///< the line under the bar
};

} // namespace kvlab::ui
