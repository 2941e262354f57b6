// SPDX-License-Identifier: GPL-3.0-or-later
// A formula with the row's own numbers: each factor above its name, the result below; wraps where it is narrow.
// The same text is its accessible name.
#pragma once

#include "ui/memory/memory_text.h"

#include <QWidget>

namespace kvlab::ui {

class FormulaView : public QWidget
{
    Q_OBJECT
public:
    explicit FormulaView(QWidget *parent = nullptr);

    void setFormula(const Formula &formula);
    QString text() const; ///< as one would read it; for the clipboard

    bool hasHeightForWidth() const override;
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    /// A piece of text at its place: a factor with its name, a times sign or a result.
    struct Piece
    {
        QRectF rect;
        QString text;
        QString name; ///< below the text; factors only
        QString tool_tip; ///< the field that the number came from
        bool sign = false;
    };
    struct Layout
    {
        QList<Piece> pieces;
        QRectF total;
        QRectF per_token;
        double height = 0;
        bool wrapped = false; ///< a line did not fit
    };
    class Flow;

    Layout layOut(double width) const;
    Layout layOut(double width, double gap) const;

    Formula m_formula;
};

} // namespace kvlab::ui
