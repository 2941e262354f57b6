// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/timeline_track.h"

#include "ui/measure/chart_overlay.h"
#include "ui/measure/run_texts.h"
#include "ui/measure/sample_model.h"
#include "ui/measure/timeline_texts.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace kvlab::ui {

namespace {

constexpr double side = 12;
constexpr double labelOffset = 4; ///< from the leader line to the text
constexpr double labelGap = 8;
constexpr double reach = 5; ///< pixels around a mark in which the mouse finds it
constexpr double narrowestColumn = 3;
constexpr double widestColumn = 40;

double ms(qint64 ns)
{
    return double(ns) / 1e6;
}

} // namespace

TimelineTrack::TimelineTrack(QWidget *parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void TimelineTrack::show(const experiment::MeasuredSample &sample, const MedianTrack &median)
{
    const bool other = sample.number != m_sample.number;
    m_sample = sample;
    m_median = median;
    m_marks = timelineMarks(sample.probe);
    m_gaps = tokenGapsMs(sample.probe.events);
    if (other)
        m_cursor = -1;
    refresh();
}

void TimelineTrack::clear()
{
    m_marks.clear();
    m_gaps.clear();
    m_cursor = -1;
    refresh();
}

void TimelineTrack::refresh()
{
    layOut();
    updateGeometry();
    update();
    setAccessibleDescription(m_marks.isEmpty() ? QString() : timelineSentence(m_sample, m_median));
}

void TimelineTrack::setCursor(int mark)
{
    const int next = m_marks.isEmpty() ? -1 : std::clamp(mark, -1, int(m_marks.size()) - 1);
    if (next == m_cursor)
        return;
    m_cursor = next;
    update();
    Q_EMIT cursorMoved();
}

bool TimelineTrack::isFailed() const
{
    return sampleState(m_sample) == SampleState::failed;
}

void TimelineTrack::layOutLabels()
{
    const QFontMetricsF metrics(secondaryFont());
    m_labels.clear();
    QList<LabelInput> inputs;
    double last = m_median.end_ns ? ms(*m_median.end_ns) : 0;
    double first = 0;
    for (int i = 0; i < m_marks.size(); ++i) {
        const TimelineMark &mark = m_marks.at(i);
        last = std::max(last, ms(mark.at_ns));
        first = std::min(first, ms(mark.at_ns));
        if (mark.kind == MarkKind::token)
            continue;
        Label label;
        label.mark = i;
        //: a mark on a timeline and its time: "headers 2.4 ms"
        label.text = tr("%1 %2").arg(markName(mark.kind), formatMs(ms(mark.at_ns)));
        label.input = {ms(mark.at_ns), std::ceil(metrics.horizontalAdvance(label.text)) + labelOffset};
        m_labels.append(label);
        inputs.append(label.input);
    }
    m_scale = fitScale(inputs, first, last, side, width() - side);
    const QList<int> rows = labelRows(inputs, m_scale, labelGap);
    m_rows = 1;
    for (int i = 0; i < rows.size(); ++i) {
        m_labels[i].row = rows.at(i);
        m_rows = std::max(m_rows, rows.at(i) + 1);
    }
}

void TimelineTrack::layOut()
{
    layOutLabels();
    Places p;
    p.line = std::ceil(QFontMetricsF(secondaryFont()).height());
    const double left = m_scale.x(m_scale.first_ms);
    const double breadth = m_scale.right - left;
    double y = 4 + m_rows * p.line + 6;
    p.track = QRectF(left, y, breadth, std::round(p.line * 1.1));
    y = p.track.bottom() + 3;
    p.median = QRectF(left, y, breadth, std::round(p.line * 0.45));
    y = p.median.bottom() + 2;
    p.axis = QRectF(left, y, breadth, p.line);
    y = p.axis.bottom() + 2;
    p.gapsText = QPointF(side, y);
    y += p.line + 2;
    p.gaps = QRectF(side, y, width() - 2 * side, std::clamp(height() - y - 6, p.line, p.line * 10));
    m_places = p;
}

QSize TimelineTrack::minimumSizeHint() const
{
    const double line = std::ceil(QFontMetricsF(secondaryFont()).height());
    const double gaps = m_gaps.isEmpty() ? 0 : line * 2 + 8;
    return {int(line * 16), int(m_places.gapsText.y() + gaps)};
}

QSize TimelineTrack::sizeHint() const
{
    return {minimumSizeHint().width() * 2, minimumSizeHint().height()};
}

QRectF TimelineTrack::labelRect(const Label &label) const
{
    const double x = m_scale.x(label.input.at_ms);
    const double bottom = m_places.track.top() - 6 - label.row * m_places.line;
    return {x + labelOffset, bottom - m_places.line, label.input.width - labelOffset + 1, m_places.line};
}

QList<QRectF> TimelineTrack::labelRects() const
{
    QList<QRectF> rects;
    for (const Label &label : m_labels)
        rects.append(labelRect(label));
    return rects;
}

int TimelineTrack::markAt(const QPointF &position) const
{
    for (const Label &label : m_labels) {
        if (labelRect(label).contains(position))
            return label.mark;
    }
    int nearest = -1;
    double least = reach;
    for (int i = 0; i < m_marks.size() && position.y() < m_places.axis.top(); ++i) {
        const double distance = std::abs(m_scale.x(ms(m_marks.at(i).at_ns)) - position.x());
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

bool TimelineTrack::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const int mark = markAt(help->pos());
        if (mark >= 0)
            QToolTip::showText(help->globalPos(), markSentence(m_sample, m_marks.at(mark)), this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void TimelineTrack::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        setCursor(std::max(m_cursor - 1, 0));
        return;
    case Qt::Key_Right:
        setCursor(m_cursor + 1);
        return;
    case Qt::Key_Home:
        setCursor(0);
        return;
    case Qt::Key_End:
        setCursor(int(m_marks.size()) - 1);
        return;
    case Qt::Key_Up:
    case Qt::Key_PageUp:
        Q_EMIT otherSampleAsked(+1);
        return;
    case Qt::Key_Down:
    case Qt::Key_PageDown:
        Q_EMIT otherSampleAsked(-1);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void TimelineTrack::mousePressEvent(QMouseEvent *event)
{
    setCursor(markAt(event->position()));
}

void TimelineTrack::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    update();
}

void TimelineTrack::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    update();
}

void TimelineTrack::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    layOut();
    updateGeometry();
}

void TimelineTrack::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!m_marks.isEmpty()) {
        paintAxis(painter);
        paintTrack(painter);
        paintMedian(painter);
        paintLabels(painter);
        paintGaps(painter);
        paintCursor(painter);
    }
    if (hasFocus()) {
        painter.setPen(QPen(tokens().accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void TimelineTrack::paintLabels(QPainter &painter) const
{
    painter.setFont(secondaryFont());
    for (const Label &label : m_labels) {
        const QRectF text = labelRect(label);
        const double x = m_scale.x(label.input.at_ms);
        painter.setPen(QPen(tokens().ctl, 1));
        painter.drawLine(QPointF(x, text.top() + 3), QPointF(x, m_places.track.top()));
        const MarkKind kind = m_marks.at(label.mark).kind;
        painter.setPen(kind == MarkKind::first_token || kind == MarkKind::end || label.mark == m_cursor
                ? tokens().text
                : tokens().text2);
        painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, label.text);
    }
}

void TimelineTrack::paintTrack(QPainter &painter) const
{
    const QRectF &track = m_places.track;
    const double zero = m_scale.x(0);
    const double end = m_scale.x(ms(m_marks.last().at_ns));
    const std::optional<qint64> ttft = isFailed() ? std::nullopt : m_sample.probe.stamps.first_content_ns;
    const double first = ttft ? m_scale.x(ms(*ttft)) : zero;
    painter.setBrush(Qt::NoBrush);
    if (m_marks.first().at_ns < 0) {
        // Before the clock starts: an outline only.
        painter.setPen(QPen(tokens().ctl, 1, Qt::DashLine));
        painter.drawRect(
            QRectF(QPointF(m_scale.x(ms(m_marks.first().at_ns)), track.top() + 2), QPointF(zero, track.bottom() - 2)));
    }
    if (first > zero)
        paintArmFill(&painter, QRectF(QPointF(zero, track.top()), QPointF(first, track.bottom())), m_sample.arm);
    painter.setPen(QPen(tokens().text, 1.5, isFailed() ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.drawRect(QRectF(QPointF(zero, track.top()), QPointF(std::max(first, zero), track.bottom())));
    painter.drawRect(QRectF(QPointF(first, track.top()), QPointF(std::max(end, first), track.bottom())));
    painter.setPen(QPen(tokens().text, 1));
    for (const TimelineMark &mark : m_marks) {
        if (mark.kind != MarkKind::token && mark.kind != MarkKind::last_token)
            continue;
        const double x = m_scale.x(ms(mark.at_ns));
        painter.drawLine(QPointF(x, track.top() + track.height() * 0.3), QPointF(x, track.bottom()));
    }
    if (isFailed())
        paintIcon(
            &painter, QRectF(end - 8, track.center().y() - 8, 16, 16), QStringLiteral("cross-circle"), tokens().bad);
}

void TimelineTrack::paintMedian(QPainter &painter) const
{
    if (!m_median.first_content_ns || !m_median.end_ns)
        return;
    const QRectF &lane = m_places.median;
    const QRectF first(
        QPointF(m_scale.x(0), lane.top()), QPointF(m_scale.x(ms(*m_median.first_content_ns)), lane.bottom()));
    paintArmFill(&painter, first, m_sample.arm);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(tokens().text, 1));
    painter.drawRect(first);
    painter.drawRect(QRectF(first.topRight(), QPointF(m_scale.x(ms(*m_median.end_ns)), lane.bottom())));
}

void TimelineTrack::paintAxis(QPainter &painter) const
{
    const double range = m_scale.last_ms - m_scale.first_ms;
    const double step = tickStep(range, ChartLook::window(), m_scale.right - m_scale.left);
    painter.setFont(secondaryFont());
    const QFontMetricsF metrics(secondaryFont());
    const QString unit = tr("ms");
    for (int i = 0; i * step <= m_scale.last_ms; ++i) {
        const double x = m_scale.x(i * step);
        painter.setPen(QPen(i == 0 ? tokens().text : tokens().grid, i == 0 ? 2 : 1));
        painter.drawLine(QPointF(x, m_places.track.top() - 3), QPointF(x, m_places.axis.top() + 2));
        QString text = QLocale().toString(i * step, 'g', 6);
        if ((i + 1) * step > m_scale.last_ms)
            text = QStringLiteral("%1 %2").arg(text, unit);
        painter.setPen(tokens().text2);
        const double wide = metrics.horizontalAdvance(text) + 2;
        const double from = std::clamp(x - wide / 2, 2.0, width() - wide - 2);
        painter.drawText(QRectF(from, m_places.axis.top(), wide, m_places.axis.height()), Qt::AlignCenter, text);
    }
}

void TimelineTrack::paintGaps(QPainter &painter) const
{
    if (m_gaps.isEmpty())
        return;
    paintLine(painter, m_places.gapsText, gapsSentence(m_gaps));
    const QRectF &area = m_places.gaps;
    const QList<double> columns = gapColumns(m_gaps, area.width(), narrowestColumn);
    const double longest = std::max(*std::max_element(columns.begin(), columns.end()), 1e-6);
    const double pitch = std::min(area.width() / double(columns.size()), widestColumn);
    const qsizetype each = (m_gaps.size() + columns.size() - 1) / columns.size();
    const int current = m_cursor >= 0 ? m_marks.at(m_cursor).token : 0;
    painter.setPen(Qt::NoPen);
    for (qsizetype i = 0; i < columns.size(); ++i) {
        const double height = std::max(1.0, area.height() * columns.at(i) / longest);
        // Gap 0 lies before token event 2.
        const bool marked = current >= 2 && (current - 2) / each == i;
        painter.setBrush(marked ? tokens().accent : tokens().ctl);
        painter.drawRect(QRectF(area.left() + double(i) * pitch, area.bottom() - height,
            std::max(pitch - (pitch > 4 ? 2 : 0), 1.0), height));
    }
    painter.setPen(QPen(tokens().text, 1));
    painter.drawLine(area.bottomLeft(), QPointF(area.left() + pitch * double(columns.size()), area.bottom()));
}

void TimelineTrack::paintCursor(QPainter &painter) const
{
    if (m_cursor < 0)
        return;
    const double x = m_scale.x(ms(m_marks.at(m_cursor).at_ns));
    for (const QPen &pen : {QPen(tokens().base, 5), QPen(tokens().accent, 3)}) {
        painter.setPen(pen);
        painter.drawLine(QPointF(x, m_places.track.top() - 4), QPointF(x, m_places.median.bottom() + 2));
    }
}

void TimelineTrack::paintLine(QPainter &painter, const QPointF &topLeft, const QString &text) const
{
    painter.setFont(secondaryFont());
    painter.setPen(tokens().text2);
    const double wide = width() - 2 * side;
    painter.drawText(QRectF(topLeft, QSizeF(wide, m_places.line)), Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(secondaryFont()).elidedText(text, Qt::ElideRight, wide));
}

} // namespace kvlab::ui
