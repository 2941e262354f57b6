// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/step_row.h"

#include "ui/lab/lab_texts.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"

#include <QEvent>
#include <QLocale>
#include <QPainter>

namespace kvlab::ui {

namespace {

constexpr int space = 4;

int iconSide()
{
    return qRound(16 * currentZoom());
}

QRect wrapped(const QFont &font, int width, const QString &text)
{
    return text.isEmpty() ? QRect() : QFontMetrics(font).boundingRect(0, 0, width, 10'000, Qt::TextWordWrap, text);
}

QString iconOf(const StepRow::Content &content)
{
    switch (content.status) {
    case lab::StepStatus::complete:
        return QStringLiteral("tick-circle");
    case lab::StepStatus::skipped:
        return QStringLiteral("step-skipped");
    case lab::StepStatus::locked:
        return QStringLiteral("lock");
    case lab::StepStatus::open:
        break;
    }
    return content.current ? QStringLiteral("step-current") : QStringLiteral("ring");
}

QColor colorOf(const StepRow::Content &content)
{
    const bool done = content.status == lab::StepStatus::complete;
    return done ? tokens().ok : content.current ? tokens().accent : tokens().text2;
}

} // namespace

StepRow::StepRow(QWidget *parent)
    : QAbstractButton(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

QString StepRow::titleText() const
{
    return tr("%1  %2", "number and title of a step").arg(QLocale().toString(m_content.number), m_content.title);
}

void StepRow::setContent(const Content &content)
{
    if (m_content == content)
        return;
    m_content = content;
    setEnabled(content.status != lab::StepStatus::locked);
    //: %1 number, %2 kind of step, %3 its title, %4 its state
    setAccessibleName(tr("Step %1, %2: %3, %4")
                          .arg(QLocale().toString(content.number), content.kind, content.title,
                              LabTexts::status(content.status, content.current)));
    setAccessibleDescription(content.detail);
    setToolTip(content.status == lab::StepStatus::locked ? LabTexts::status(content.status, false) : content.kind);
    updateGeometry();
    update();
}

int StepRow::textLeft() const
{
    return space + iconSide() + 2 * space;
}

int StepRow::heightForWidth(int width) const
{
    const int room = qMax(20, width - textLeft() - space);
    // As wide as the bold text of the current step, so that no row changes its height when it becomes that.
    const int title = wrapped(titleFont(), room, titleText()).height();
    return title + wrapped(secondaryFont(), room, m_content.detail).height() + 2 * space;
}

QSize StepRow::sizeHint() const
{
    const int width = QFontMetrics(bodyFont()).averageCharWidth() * 26;
    return {width, heightForWidth(width)};
}

QSize StepRow::minimumSizeHint() const
{
    return {QFontMetrics(bodyFont()).averageCharWidth() * 16, QFontMetrics(bodyFont()).height()};
}

void StepRow::paintEvent(QPaintEvent *)
{
    const Tokens &t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (isEnabled() && underMouse()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(t.sel);
        painter.drawRoundedRect(rect(), 4, 4);
    }
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
    const int line = QFontMetrics(bodyFont()).height();
    paintIcon(&painter, QRectF(space, space + (line - iconSide()) / 2.0, iconSide(), iconSide()), iconOf(m_content),
        colorOf(m_content));
    const int room = width() - textLeft() - space;
    const QRect title = wrapped(titleFont(), room, titleText());
    painter.setFont(m_content.current ? titleFont() : bodyFont());
    painter.setPen(isEnabled() ? t.text : t.text2);
    painter.drawText(QRect(textLeft(), space, room, title.height()), Qt::TextWordWrap, titleText());
    painter.setFont(secondaryFont());
    painter.setPen(t.text2);
    painter.drawText(QRect(textLeft(), space + title.height(), room, height()), Qt::TextWordWrap, m_content.detail);
}

void StepRow::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        updateGeometry();
    QAbstractButton::changeEvent(event);
}

} // namespace kvlab::ui
