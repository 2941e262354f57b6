// SPDX-License-Identifier: GPL-3.0-or-later
// The Server tab: what the chosen server says of itself, live, with the last two minutes as a chart. It asks only while
// it is seen, and never while a run is going on.
#pragma once

#include "servers/server_watch.h"
#include "ui/measure/server_texts.h"

#include <QWidget>

class QBoxLayout;
class QGridLayout;
class QLabel;
class QScrollArea;

namespace kvlab::ui {

class CacheChart;

class ServerPanel : public QWidget
{
    Q_OBJECT
public:
    explicit ServerPanel(QWidget *parent = nullptr);

    /// One without an address is not running. While `measuring` nothing is asked.
    void setServer(const experiment::ServerTarget &server, bool measuring);
    /// Part 1's figure for the chosen row of the memory table; none when no row with a figure is chosen.
    void setExpectedBytesPerToken(const std::optional<TableFigure> &figure);
    servers::ServerWatch *watch() { return &m_watch; }
    QString stateText() const; ///< the sentence above the figures
    QString valueText(int line) const; ///< as shown, in the order of serverLines()

    void retranslate();
    void restyle();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void setupLayout();
    void takeReading(const servers::ServerReading &reading);
    void updateWatch();
    void updateState();
    void updateLines();
    void fitWidth();
    ServerFigures figures() const;

    servers::ServerWatch m_watch;
    experiment::ServerTarget m_server;
    bool m_measuring = false;
    std::optional<TableFigure> m_table;
    QList<servers::ServerReading> m_readings; ///< those of the last minutes, and at least two
    QLabel *m_stateIcon;
    QLabel *m_state;
    QScrollArea *m_scroll;
    QWidget *m_body;
    QBoxLayout *m_columns;
    QGridLayout *m_grid;
    QList<QLabel *> m_names, m_values, m_meanings;
    CacheChart *m_chart;
};

} // namespace kvlab::ui
