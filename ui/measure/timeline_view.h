// SPDX-License-Identifier: GPL-3.0-or-later
// The Timeline tab: the sample chosen in the table (the newest one without a choice) as a track in time, why it failed
// or is left out, and the read-out of the cursor. Up and Down go to other samples, Left and Right over the marks.
#pragma once

#include "ui/measure/sample_model.h"

#include <QWidget>

class QLabel;
class QScrollArea;
class QToolButton;

namespace kvlab::ui {

class ElidingLabel;
class TimelineTrack;

class TimelineView : public QWidget
{
    Q_OBJECT
public:
    explicit TimelineView(const SampleModel *model, QWidget *parent = nullptr);

    /// By its number; 0 = the newest, whichever that is.
    void showSample(int number);
    int shownNumber() const; ///< 0 = none
    TimelineTrack *track() const { return m_track; }
    QString readOut() const;
    QString reason() const;

    void retranslate();
    void restyle();

Q_SIGNALS:
    void sampleChosen(int number); ///< by a key or a button of this view

protected:
    void showEvent(QShowEvent *event) override;

private:
    void setupLayout();
    void connectModel();
    void update();
    void updateReadOut();
    void step(int direction);
    const experiment::MeasuredSample *sample() const;

    const SampleModel *m_model;
    ElidingLabel *m_title;
    ElidingLabel *m_median;
    QToolButton *m_earlier;
    QToolButton *m_later;
    QWidget *m_reasonRow;
    QLabel *m_reasonIcon;
    QLabel *m_reason;
    QScrollArea *m_scroll;
    TimelineTrack *m_track;
    QLabel *m_readOut;
    int m_number = 0;
};

} // namespace kvlab::ui
