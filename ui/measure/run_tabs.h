// SPDX-License-Identifier: GPL-3.0-or-later
// The tabs under the chart, each a page of its own; all can be enlarged to the whole window.
#pragma once

#include "experiment/experiment_result.h"

#include <QWidget>

#include <functional>

class QLabel;
class QShortcut;
class QStackedWidget;
class QTabBar;
class QToolButton;

namespace kvlab::ui {

class SamplesView;
class TimelineView;

class RunTabs : public QWidget
{
    Q_OBJECT
public:
    explicit RunTabs(QWidget *parent = nullptr);

    void setSamples(const QList<experiment::MeasuredSample> &samples);
    void addSample(const experiment::MeasuredSample &sample);
    /// One more tab, behind the others. The name is asked for again when the language changes. A page that needs all
    /// the room enlarges the tabs when it is chosen.
    void addPage(QWidget *page, const std::function<QString()> &name, bool enlarged = false);
    void showPage(QWidget *page);
    bool isEnlarged() const { return m_enlarged; }
    void setEnlarged(bool enlarged);

    void retranslate();
    void restyle();

Q_SIGNALS:
    void enlargedChanged(bool enlarged);

private:
    void setupLayout();
    void connectSamples();
    void updateEnlarge();
    void updateNote();

    SamplesView *m_samples;
    TimelineView *m_timeline;
    QTabBar *m_tabs;
    QLabel *m_note;
    QToolButton *m_enlarge;
    QShortcut *m_back;
    QStackedWidget *m_pages;
    QList<std::function<QString()>> m_names;
    QList<bool> m_opensEnlarged; ///< by page
    bool m_enlarged = false;
};

} // namespace kvlab::ui
