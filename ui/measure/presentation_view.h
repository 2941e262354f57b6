// SPDX-License-Identifier: GPL-3.0-or-later
// For a projector: chart, one big number, badge, one line of origin; no text below 24 pt. Works from 1024 × 768 up and
// grows with the screen. Nothing moves.
#pragma once

#include "ui/measure/run_texts.h"

#include <QWidget>

class QLabel;

namespace kvlab::ui {

class Badge;
class ElidingLabel;
class ResultStrip;
class TtftChart;

class PresentationView : public QWidget
{
    Q_OBJECT
public:
    explicit PresentationView(QWidget *parent = nullptr);

    void showRun(const ShownRun &shown);
    /// The axis starts anew with the next data.
    void resetAxis();

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void setupLayout();
    void restyle();
    void refresh();

    ShownRun m_shown;
    double m_factor = 0;
    QLabel *m_title;
    ElidingLabel *m_unit;
    Badge *m_badge;
    TtftChart *m_chart;
    ResultStrip *m_result;
    QLabel *m_origin;
};

} // namespace kvlab::ui
