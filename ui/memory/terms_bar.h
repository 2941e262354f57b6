// SPDX-License-Identifier: GPL-3.0-or-later
// Which layers contribute: one bar divided by the terms of a row's sum, with a line of text per part below it.
#pragma once

#include "memory/memory_estimate.h"

#include <QWidget>

namespace kvlab::ui {

class TermsBar : public QWidget
{
    Q_OBJECT
public:
    explicit TermsBar(QWidget *parent = nullptr);

    /// A sum of one term needs no bar: the widget is then hidden by its owner.
    void setResult(const memory::MemoryResult &result);

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
        double share = 0.0;
        QString text; ///< "full attention, 12 layers: 80.2 %"
    };

    struct Place
    {
        QRectF swatch;
        QRectF text;
    };

    void setupParts();
    QList<Place> places(double width) const;
    static QString kindName(const QString &kind);
    void paintPart(QPainter *painter, const QRectF &rect, qsizetype index) const;

    memory::MemoryResult m_result;
    QList<Part> m_parts;
};

} // namespace kvlab::ui
