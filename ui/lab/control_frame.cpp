// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/control_frame.h"

#include "ui/widgets/appearance.h"

#include <QEvent>
#include <QPainter>
#include <QScrollArea>

namespace kvlab::ui {

namespace {

constexpr int margin = 5;
constexpr int shownMs = 6000;

} // namespace

ControlFrame::ControlFrame(QWidget *window)
    : QWidget(window)
{
    setObjectName(QStringLiteral("controlFrame"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    m_end.setSingleShot(true);
    connect(&m_end, &QTimer::timeout, this, &ControlFrame::finish);
    hide();
}

void ControlFrame::point(QWidget *target)
{
    finish();
    m_target = target;
    if (!target)
        return;
    for (QWidget *ancestor = target->parentWidget(); ancestor; ancestor = ancestor->parentWidget()) {
        if (auto *area = qobject_cast<QScrollArea *>(ancestor))
            area->ensureWidgetVisible(target);
    }
    if (target->focusPolicy() != Qt::NoFocus && target->isEnabled())
        target->setFocus(Qt::OtherFocusReason);
    target->installEventFilter(this);
    follow();
    raise();
    show();
    m_end.start(shownMs);
}

void ControlFrame::follow()
{
    if (!m_target)
        return;
    const QRect place(m_target->mapTo(parentWidget(), QPoint(0, 0)), m_target->size());
    setGeometry(place.adjusted(-margin, -margin, margin, margin).intersected(parentWidget()->rect()));
}

void ControlFrame::finish()
{
    m_end.stop();
    if (m_target)
        m_target->removeEventFilter(this);
    m_target = nullptr;
    hide();
}

void ControlFrame::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    // Light around dark, or the other way about: it is seen on every background.
    painter.setPen(QPen(tokens().base, 5));
    painter.drawRoundedRect(QRectF(rect()).adjusted(2.5, 2.5, -2.5, -2.5), 6, 6);
    painter.setPen(QPen(tokens().accent, 3));
    painter.drawRoundedRect(QRectF(rect()).adjusted(2.5, 2.5, -2.5, -2.5), 6, 6);
}

bool ControlFrame::eventFilter(QObject *object, QEvent *event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move)
        follow();
    else if (event->type() == QEvent::Hide)
        finish();
    return QWidget::eventFilter(object, event);
}

} // namespace kvlab::ui
