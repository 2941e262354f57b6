// SPDX-License-Identifier: GPL-3.0-or-later
// A frame around a real control, for some seconds: “Show me” points with it. It covers nothing and takes no clicks.
#pragma once

#include <QPointer>
#include <QTimer>
#include <QWidget>

namespace kvlab::ui {

class ControlFrame : public QWidget
{
    Q_OBJECT
public:
    explicit ControlFrame(QWidget *window);

    /// Scrolls the control into view, gives it the focus where it takes any, and frames it.
    void point(QWidget *target);
    QWidget *target() const { return m_target; }

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    void follow();
    void finish();

    QPointer<QWidget> m_target;
    QTimer m_end;
};

} // namespace kvlab::ui
