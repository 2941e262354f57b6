// SPDX-License-Identifier: GPL-3.0-or-later
// The map as a widget: content, cursor, keys. Its geometry and painting are in heat_map_paint.cpp.
#include "ui/planner/heat_map.h"

#include "ui/memory/memory_text.h"
#include "ui/planner/planner_text.h"
#include "ui/widgets/appearance.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>

#include <cmath>

namespace kvlab::ui {

HeatMap::HeatMap(QWidget *parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void HeatMap::setAnswer(const PlannerAnswer &answer)
{
    const memory::MemoryQuery &now = answer.query.memory;
    if (m_answer && (m_answer->query.memory.seq_len != now.seq_len || m_answer->query.memory.batch != now.batch))
        m_cell.reset();
    m_answer = answer;
    describe();
    update();
}

std::pair<qint64, qint64> HeatMap::cursor() const
{
    if (!m_answer)
        return {};
    if (m_cell)
        return {m_answer->map.seq_lens.at(m_cell->x()), m_answer->map.batches.at(m_cell->y())};
    return {m_answer->query.memory.seq_len, m_answer->query.memory.batch};
}

std::pair<qint64, qint64> HeatMap::shown() const
{
    if (m_hovered)
        return {m_answer->map.seq_lens.at(m_hovered->x()), m_answer->map.batches.at(m_hovered->y())};
    return cursor();
}

QStringList HeatMap::readOut() const
{
    if (!m_answer)
        return {};
    const auto [seq_len, batch] = shown();
    const auto bytes = m_answer->bytes(seq_len, batch);
    if (!bytes)
        return {};
    const QString first = tr("%1 × %2 = %3 GiB", "seq_len × batch = size")
                              .arg(MemoryText::count(seq_len), MemoryText::count(batch), PlannerText::gib(*bytes));
    const memory::Bytes &budget = m_answer->map.budget;
    if (budget <= 0)
        return {first, tr("no room beside the weights")};
    if (*bytes > budget)
        return {first, tr("%1 GiB over · Enter adds the row").arg(PlannerText::gib(memory::Bytes(*bytes - budget)))};
    return {first,
        tr("%1 · Enter adds the row", "%1 is a share in percent")
            .arg(PlannerText::percent(bytes->convert_to<double>() / budget.convert_to<double>()))};
}

QPoint HeatMap::nearestCell() const
{
    if (m_cell)
        return *m_cell;
    const auto nearest = [](const QList<qint64> &values, qint64 value) {
        int best = 0;
        for (int i = 1; i < int(values.size()); ++i) {
            if (std::abs(std::log(double(values.at(i)) / double(value)))
                < std::abs(std::log(double(values.at(best)) / double(value))))
                best = i;
        }
        return best;
    };
    const auto [seq_len, batch] = cursor();
    return {nearest(m_answer->map.seq_lens, seq_len), nearest(m_answer->map.batches, batch)};
}

void HeatMap::moveTo(const QPoint &cell)
{
    m_hovered.reset();
    m_cell = QPoint(std::clamp(cell.x(), 0, int(m_answer->map.seq_lens.size()) - 1),
        std::clamp(cell.y(), 0, int(m_answer->map.batches.size()) - 1));
    describe();
    update();
}

void HeatMap::describe()
{
    if (!m_answer)
        return;
    setAccessibleName(tr("Map of what fits, seq_len by batch. At the cursor: %1.").arg(readOut().join(tr(", "))));
    setAccessibleDescription(
        tr("Arrow keys move the cursor, Home and End along the row, Page Up and Page Down by four cells, Escape goes "
           "back to the plan, Enter adds the row to the table."));
    QAccessibleEvent changed(this, QAccessible::NameChanged);
    QAccessible::updateAccessibility(&changed);
}

void HeatMap::keyPressEvent(QKeyEvent *event)
{
    if (!m_answer)
        return QWidget::keyPressEvent(event);
    constexpr int page = 4;
    const QPoint cell = nearestCell();
    switch (event->key()) {
    case Qt::Key_Left:
        return moveTo(cell - QPoint(1, 0));
    case Qt::Key_Right:
        return moveTo(cell + QPoint(1, 0));
    case Qt::Key_Up:
        return moveTo(cell + QPoint(0, 1));
    case Qt::Key_Down:
        return moveTo(cell - QPoint(0, 1));
    case Qt::Key_PageUp:
        return moveTo(cell + QPoint(0, page));
    case Qt::Key_PageDown:
        return moveTo(cell - QPoint(0, page));
    case Qt::Key_Home:
        return moveTo({0, cell.y()});
    case Qt::Key_End:
        return moveTo({int(m_answer->map.seq_lens.size()) - 1, cell.y()});
    case Qt::Key_Return:
    case Qt::Key_Enter:
        Q_EMIT chosen(cursor().first, cursor().second);
        return;
    case Qt::Key_Escape:
        if (m_cell) {
            m_cell.reset();
            describe();
            update();
            return;
        }
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void HeatMap::mouseMoveEvent(QMouseEvent *event)
{
    m_hovered = cellAt(event->position());
    update();
}

void HeatMap::mousePressEvent(QMouseEvent *event)
{
    const auto cell = cellAt(event->position());
    if (event->button() != Qt::LeftButton || !cell)
        return QWidget::mousePressEvent(event);
    moveTo(*cell);
    Q_EMIT chosen(cursor().first, cursor().second);
}

void HeatMap::leaveEvent(QEvent *event)
{
    m_hovered.reset();
    update();
    QWidget::leaveEvent(event);
}

void HeatMap::focusInEvent(QFocusEvent *event)
{
    update();
    QWidget::focusInEvent(event);
}

void HeatMap::focusOutEvent(QFocusEvent *event)
{
    update();
    QWidget::focusOutEvent(event);
}

void HeatMap::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        describe();
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::StyleChange
        || event->type() == QEvent::FontChange || event->type() == QEvent::EnabledChange) {
        updateGeometry();
        update();
    }
    QWidget::changeEvent(event);
}

} // namespace kvlab::ui
