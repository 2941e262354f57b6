// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/class_timer.h"

#include "ui/widgets/appearance.h"

#include <QEvent>

namespace kvlab::ui {

ClassTimer::ClassTimer(QWidget *parent)
    : QLabel(parent)
{
    setObjectName(QStringLiteral("classTimer"));
    setKind(this, "secondary");
    m_tick.setInterval(1000);
    connect(&m_tick, &QTimer::timeout, this, &ClassTimer::refresh);
    hide();
}

void ClassTimer::start(int minutes)
{
    m_length = qint64(minutes) * 60'000;
    m_since.start();
    m_tick.start();
    refresh();
    show();
}

void ClassTimer::stop()
{
    m_tick.stop();
    hide();
}

QString ClassTimer::remainingText(qint64 milliseconds)
{
    if (milliseconds <= 0)
        return tr("time is up");
    const qint64 seconds = (milliseconds + 999) / 1000;
    //: %1 minutes and seconds: 12:40
    return tr("%1 left").arg(QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0')));
}

void ClassTimer::refresh()
{
    if (m_since.isValid())
        setText(remainingText(m_length - m_since.elapsed()));
}

void ClassTimer::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        refresh();
    QLabel::changeEvent(event);
}

} // namespace kvlab::ui
