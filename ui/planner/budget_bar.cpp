// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/budget_bar.h"

#include "ui/memory/memory_text.h"
#include "ui/planner/planner_colors.h"
#include "ui/planner/planner_text.h"
#include "ui/widgets/appearance.h"

#include <QEvent>
#include <QPainter>

#include <cmath>

namespace kvlab::ui {

namespace {

constexpr double gap = 6;

QFontMetricsF small()
{
    return QFontMetricsF(secondaryFont());
}

QFontMetricsF bold()
{
    return QFontMetricsF(titleFont());
}

} // namespace

BudgetBar::BudgetBar(QWidget *parent)
    : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void BudgetBar::setCapacity(const memory::Capacity &capacity)
{
    m_capacity = capacity;
    setupParts();
    updateGeometry();
    update();
}

void BudgetBar::setupParts()
{
    using memory::Bytes;
    const Tokens &t = tokens();
    m_parts.clear();
    Bytes left = m_capacity.capacity;
    const auto add = [&](const QString &name, const Bytes &bytes, const QColor &color, bool over = false) {
        const Bytes drawn = std::min(left, bytes);
        left -= drawn;
        m_parts << Part{name, tr("%1 GiB").arg(PlannerText::gib(bytes)), drawn, color, over};
    };
    add(tr("Weights"), m_capacity.weights, t.accent);
    add(tr("Overhead"), m_capacity.overhead, t.ctl);
    const Bytes room = std::max(Bytes(0), m_capacity.budget);
    if (m_capacity.plan.fits) {
        add(tr("KV, this plan"), m_capacity.need, heatColor(4));
        add(tr("KV left"), Bytes(room - m_capacity.need), heatColor(1));
    } else {
        // Drawn as far as there is room; in words whole.
        add(tr("KV, this plan"), room, overColor(), true);
        m_parts.last().size = tr("%1 GiB").arg(PlannerText::gib(m_capacity.need));
    }
    add(tr("Kept free"), m_capacity.kept_free, t.base);
    m_budget = room > 0 ? tr("KV budget %1 GiB (%2)").arg(PlannerText::gib(room), MemoryText::bytes(room))
                        : tr("No KV budget: weights and overhead are %1 GiB too large")
                              .arg(PlannerText::gib(Bytes(-m_capacity.budget)));
    if (!m_capacity.plan.fits && room > 0)
        m_budget = tr("%1: the plan is %2 GiB short", "%1 is the KV budget")
                       .arg(m_budget, PlannerText::gib(m_capacity.plan.short_by));
    QStringList words;
    for (const Part &part : std::as_const(m_parts))
        words << tr("%1 %2", "a part of the memory and its size").arg(part.name, part.size);
    words << m_budget;
    setAccessibleName(tr("Memory of one device, %1 GiB: %2")
                          .arg(PlannerText::gib(m_capacity.capacity), words.join(QStringLiteral("; "))));
    setToolTip(words.join(QLatin1Char('\n')));
}

double BudgetBar::barTop() const
{
    return 0;
}

double BudgetBar::barBottom() const
{
    return barTop() + std::ceil(bold().height()) + 12;
}

QList<QRectF> BudgetBar::bars(double width) const
{
    QList<QRectF> bars;
    const double total = m_capacity.capacity.convert_to<double>();
    double x = 0;
    for (const Part &part : m_parts) {
        const double wide = total > 0 ? part.bytes.convert_to<double>() / total * width : 0;
        bars << QRectF(x, barTop(), wide, barBottom() - barTop());
        x += wide;
    }
    return bars;
}

QList<BudgetBar::Place> BudgetBar::legend(double width, double top) const
{
    const QFontMetricsF metrics = small();
    const double side = metrics.ascent();
    QList<Place> places;
    double x = 0;
    double y = top;
    for (const Part &part : m_parts) {
        const QString text = tr("%1 %2", "a part of the memory and its size").arg(part.name, part.size);
        const double wanted = side + gap + std::ceil(metrics.horizontalAdvance(text)) + 1;
        if (x > 0 && x + wanted > width) {
            x = 0;
            y += metrics.height() + 2;
        }
        places.append({QRectF(x, y + (metrics.height() - side) / 2, side, side),
            QRectF(x + side + gap, y, wanted - side - gap, metrics.height())});
        x += wanted + 3 * gap;
    }
    return places;
}

int BudgetBar::heightForWidth(int width) const
{
    const double budget
        = bold().boundingRect(QRectF(0, 0, width, 10'000), Qt::TextWordWrap | Qt::AlignRight, m_budget).height();
    const QList<Place> places = legend(width, barBottom() + gap + budget + gap / 2);
    return int(std::ceil((places.isEmpty() ? barBottom() : places.last().text.bottom()) + 1));
}

QSize BudgetBar::sizeHint() const
{
    const int width = int(small().averageCharWidth() * 60);
    return {width, heightForWidth(width)};
}

QSize BudgetBar::minimumSizeHint() const
{
    return {int(small().averageCharWidth() * 24), int(barBottom())};
}

void BudgetBar::paintBar(QPainter *painter) const
{
    const Tokens &t = tokens();
    const QList<QRectF> places = bars(width());
    painter->setFont(titleFont());
    for (qsizetype i = 0; i < m_parts.size(); ++i) {
        const Part &part = m_parts.at(i);
        const QRectF &rect = places.at(i);
        if (rect.width() <= 0)
            continue;
        if (part.over)
            paintOver(painter, rect);
        else
            painter->fillRect(rect, part.color);
        painter->setPen(QPen(t.text, 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        if (!part.over && bold().horizontalAdvance(part.size) + 2 * gap <= rect.width()) {
            painter->setPen(inkOn(part.color));
            painter->drawText(rect, Qt::AlignCenter, part.size);
        }
    }
}

void BudgetBar::paintEvent(QPaintEvent *)
{
    if (m_parts.isEmpty())
        return;
    const Tokens &t = tokens();
    QPainter painter(this);
    painter.setOpacity(isEnabled() ? 1.0 : 0.45);
    paintBar(&painter);

    // A bracket under the budget, and what it holds.
    const QList<QRectF> places = bars(width());
    const double left = places.at(2).left();
    const double right = places.at(m_parts.size() - 2).right();
    double y = barBottom() + gap / 2;
    if (right - left > 2) {
        painter.setPen(QPen(t.text, 1.5));
        painter.drawPolyline(QPolygonF{{QPointF(left + 1, y - 2), QPointF(left + 1, y + 2), QPointF(right - 1, y + 2),
            QPointF(right - 1, y - 2)}});
    }
    y = barBottom() + gap;
    painter.setFont(titleFont());
    painter.setPen(m_capacity.plan.fits ? t.text : t.bad);
    const QRectF whole(0, y, width(), height());
    const QRectF text = bold().boundingRect(whole, Qt::TextWordWrap | Qt::AlignRight, m_budget);
    painter.drawText(QRectF(0, y, width(), text.height()), Qt::TextWordWrap | Qt::AlignRight, m_budget);

    painter.setFont(secondaryFont());
    const QList<Place> names = legend(width(), y + text.height() + gap / 2);
    for (qsizetype i = 0; i < m_parts.size(); ++i) {
        const QRectF swatch = names.at(i).swatch;
        if (m_parts.at(i).over)
            paintOver(&painter, swatch);
        else
            painter.fillRect(swatch, m_parts.at(i).color);
        painter.setPen(QPen(t.text, 1));
        painter.drawRect(swatch.adjusted(0.5, 0.5, -0.5, -0.5));
        painter.setPen(t.text2);
        painter.drawText(names.at(i).text, Qt::AlignLeft | Qt::AlignVCenter,
            tr("%1 %2", "a part of the memory and its size").arg(m_parts.at(i).name, m_parts.at(i).size));
    }
}

void BudgetBar::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::StyleChange)
        setupParts(); // texts and colours
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange
        || event->type() == QEvent::LanguageChange) {
        updateGeometry();
        update();
    }
    QWidget::changeEvent(event);
}

} // namespace kvlab::ui
