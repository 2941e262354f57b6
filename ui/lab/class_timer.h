// SPDX-License-Identifier: GPL-3.0-or-later
// The class's clock: counts down while it is shown. Off unless asked for; nothing happens when it has run out.
#pragma once

#include <QElapsedTimer>
#include <QLabel>
#include <QTimer>

namespace kvlab::ui {

class ClassTimer : public QLabel
{
    Q_OBJECT
public:
    explicit ClassTimer(QWidget *parent = nullptr);
    void start(int minutes);
    void stop();
    static QString remainingText(qint64 milliseconds); ///< “12:40 left”

protected:
    void changeEvent(QEvent *event) override;

private:
    void refresh();

    QTimer m_tick;
    QElapsedTimer m_since;
    qint64 m_length = 0; ///< milliseconds
};

} // namespace kvlab::ui
