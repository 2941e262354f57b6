// SPDX-License-Identifier: GPL-3.0-or-later
// One request drawn in time: its marks with labels over the track, the arm's median thin below it, the gaps between
// tokens. A cursor goes over the marks by keyboard or mouse. Painted with the arm's own fill up to the first token, as
// in the chart of the run.
#pragma once

#include "ui/measure/timeline_layout.h"

#include <QWidget>

namespace kvlab::ui {

class TimelineTrack : public QWidget
{
    Q_OBJECT
public:
    explicit TimelineTrack(QWidget *parent = nullptr);

    void show(const experiment::MeasuredSample &sample, const MedianTrack &median);
    void clear();
    /// Fonts and words anew.
    void refresh();

    const QList<TimelineMark> &marks() const { return m_marks; }
    int cursor() const { return m_cursor; } ///< index of marks(); -1 = none
    void setCursor(int mark);
    /// Where labels lie, by the marks that have one; for tests of what is painted.
    QList<QRectF> labelRects() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void cursorMoved();
    void otherSampleAsked(int direction); ///< +1 = the one measured after it

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    struct Label
    {
        int mark = 0;
        QString text;
        LabelInput input;
        int row = 0;
    };
    /// Heights and positions, top to bottom.
    struct Places
    {
        double line = 0;
        QRectF track, median, axis, gaps;
        QPointF gapsText; ///< left, top
    };

    void layOut();
    void layOutLabels();
    int markAt(const QPointF &position) const; ///< -1 = none near enough
    QRectF labelRect(const Label &label) const;
    bool isFailed() const;

    void paintLabels(QPainter &painter) const;
    void paintTrack(QPainter &painter) const;
    void paintMedian(QPainter &painter) const;
    void paintAxis(QPainter &painter) const;
    void paintGaps(QPainter &painter) const;
    void paintCursor(QPainter &painter) const;
    void paintLine(QPainter &painter, const QPointF &topLeft, const QString &text) const;

    experiment::MeasuredSample m_sample;
    MedianTrack m_median;
    QList<TimelineMark> m_marks;
    QList<Label> m_labels;
    QList<double> m_gaps;
    TimeScale m_scale;
    Places m_places;
    int m_rows = 1;
    int m_cursor = -1;
};

} // namespace kvlab::ui
