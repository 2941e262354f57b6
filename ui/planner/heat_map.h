// SPDX-License-Identifier: GPL-3.0-or-later
// Which seq_len × batch fits: cells coloured by their share of the KV budget, with the limit as a line. The cursor
// stands on the plan until the arrow keys move it.
#pragma once

#include "ui/planner/planner_answer.h"

#include <QWidget>

#include <optional>

namespace kvlab::ui {

class HeatMap : public QWidget
{
    Q_OBJECT
public:
    explicit HeatMap(QWidget *parent = nullptr);

    /// The cursor goes back to the plan when that has changed.
    void setAnswer(const PlannerAnswer &answer);
    /// What the cursor stands on: seq_len and batch.
    std::pair<qint64, qint64> cursor() const;
    /// The read-out as two lines: "8,192 × 8 = 3.50 GiB", "64.6 % · Enter adds the row".
    QStringList readOut() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// Every text that is drawn into the plot, and where; for tests: none may cover another or leave the widget.
    QList<QRectF> labelRects() const;

Q_SIGNALS:
    /// A cell was clicked, or Enter pressed.
    void chosen(qint64 seq_len, qint64 batch);

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    /// A text with its place in the plot.
    struct Tag
    {
        QString text;
        QRectF rect;
        bool bold = false;
    };

    struct LegendEntry
    {
        QString text;
        QRectF rect; ///< of the text; the swatch is left of it
        int step = 0; ///< -1 = no swatch, heatSteps = over
    };

    QList<LegendEntry> legend() const;
    QRectF plot() const;
    QRectF cellRect(const QPoint &cell) const;
    std::optional<QPoint> cellAt(const QPointF &position) const;
    double xOf(qint64 seq_len) const;
    double yOf(qint64 batch) const;
    QPointF spot() const; ///< of the cursor
    QPoint nearestCell() const;
    void moveTo(const QPoint &cell);
    void describe();

    std::pair<qint64, qint64> shown() const; ///< under the mouse, else the cursor
    QRectF readOutRect() const;
    QList<Tag> tags() const;
    std::optional<QRectF> place(const QString &text, bool bold, const QList<QPointF> &candidates, bool overOnly,
        const QList<QRectF> &taken) const;
    bool isOver(const QPointF &position) const;

    void paintLegend(QPainter *painter) const;
    void paintCells(QPainter *painter) const;
    void paintLimit(QPainter *painter) const;
    void paintAxes(QPainter *painter) const;
    void paintCursor(QPainter *painter) const;
    void paintReadOut(QPainter *painter) const;

    std::optional<PlannerAnswer> m_answer;
    std::optional<QPoint> m_cell; ///< column and row of the cursor; unset = on the plan
    std::optional<QPoint> m_hovered;
};

} // namespace kvlab::ui
