// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiers/block_cells.h"

#include "ui/widgets/appearance.h"

#include <QEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace kvlab::ui {

namespace {

constexpr double gap = 2;
constexpr double leastStripCell = 7; ///< px with its gap
constexpr double leastGridCell = 3;

double stripRowHeight()
{
    return QFontMetricsF(bodyFont()).height() + 10;
}

} // namespace

BlockCells::BlockCells(Shape shape, QWidget *parent)
    : QWidget(parent)
    , m_shape(shape)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Expanding, shape == Shape::strip ? QSizePolicy::Fixed : QSizePolicy::Expanding);
    policy.setHeightForWidth(shape == Shape::strip);
    setSizePolicy(policy);
}

void BlockCells::setCells(const QList<BlockCell> &cells, const std::function<QString(int)> &describe)
{
    const bool moved = cells.size() != m_cells.size();
    m_cells = cells;
    m_describe = describe;
    m_hovered = -1;
    if (m_cursor >= m_cells.size())
        m_cursor = -1;
    if (moved)
        updateGeometry();
    update();
    if (m_cursor >= 0)
        report(m_cursor);
}

void BlockCells::setCursorCell(int cell)
{
    if (m_cells.isEmpty())
        return;
    m_cursor = std::clamp(cell, 0, int(m_cells.size()) - 1);
    report(m_cursor);
    update();
}

void BlockCells::report(int cell)
{
    const QString text = m_describe ? m_describe(cell) : QString();
    setAccessibleDescription(text);
    Q_EMIT pointed(cell, text);
}

/// The largest cells that all fit, at most half as tall again as a line of text with its margins.
BlockCells::Lattice BlockCells::gridLattice(int width, int height) const
{
    const int count = std::max(1, int(m_cells.size()));
    const double most = stripRowHeight() * 1.5;
    for (double side = most; side > leastGridCell; side -= 0.5) {
        const int columns = std::max(1, int(width / side));
        const int rows = (count + columns - 1) / columns;
        if (rows * side <= height || side - 0.5 <= leastGridCell)
            return {columns, double(width) / columns, side};
    }
    return {std::max(1, int(width / leastGridCell)), leastGridCell, leastGridCell};
}

BlockCells::Lattice BlockCells::lattice(int width, int height) const
{
    if (m_shape == Shape::grid)
        return gridLattice(width, height);
    const int count = std::max(1, int(m_cells.size()));
    const double wished = QFontMetricsF(bodyFont()).height();
    int rows = 1;
    while (rows < 3 && width * rows < count * wished)
        ++rows;
    const int columns = std::max((count + rows - 1) / rows, 1);
    const double cell = std::clamp(double(width) / columns, leastStripCell, wished * 1.5);
    const int fitting = std::max(1, int(width / cell + 1e-6));
    return {std::min(columns, fitting), cell, stripRowHeight()};
}

int BlockCells::heightForWidth(int width) const
{
    const Lattice l = lattice(width, 0);
    const int rows = (std::max(1, int(m_cells.size())) + l.columns - 1) / l.columns;
    return int(std::ceil(rows * l.height));
}

QSize BlockCells::sizeHint() const
{
    return m_shape == Shape::strip ? QSize(400, heightForWidth(400)) : QSize(400, 200);
}

QSize BlockCells::minimumSizeHint() const
{
    return {160, int(m_shape == Shape::strip ? stripRowHeight() : 3 * stripRowHeight())};
}

QRectF BlockCells::cellRect(int cell) const
{
    const Lattice l = lattice(width(), height());
    const int row = cell / l.columns;
    const int column = cell % l.columns;
    const double left = std::round(column * l.width);
    const double right = std::round((column + 1) * l.width);
    const double between = l.width < 6 ? 1 : gap;
    return {left, std::round(row * l.height), right - left - between, std::floor(l.height) - between};
}

int BlockCells::cellAt(const QPointF &point) const
{
    const Lattice l = lattice(width(), height());
    const int column = int(point.x() / l.width);
    const int cell = int(point.y() / l.height) * l.columns + column;
    const bool inside = point.x() >= 0 && point.y() >= 0 && column < l.columns && cell < m_cells.size();
    return inside ? cell : -1;
}

bool BlockCells::showsNumbers() const
{
    if (m_cells.isEmpty())
        return false;
    const QRectF rect = cellRect(0);
    const QFontMetricsF metrics(secondaryFont());
    return rect.height() >= metrics.height() + 4
        && rect.width() >= metrics.horizontalAdvance(QString::number(m_cells.size())) + 4;
}

void BlockCells::paintCell(QPainter &painter, int cell) const
{
    const BlockCell &what = m_cells.at(cell);
    const QRectF rect = cellRect(cell);
    paintBlock(&painter, rect, what.look);
    if (what.lost)
        paintNotch(&painter, rect);
    if (!what.number.isEmpty() && showsNumbers()) {
        const QFont font = what.bold ? titleFont() : secondaryFont();
        const QFontMetricsF metrics(font);
        // On a pattern nothing is read: the number stands on a disc.
        if (what.look == BlockLook::found || what.look == BlockLook::ram || what.look == BlockLook::disk) {
            const double width = std::max(metrics.horizontalAdvance(what.number) + 6, metrics.capHeight() * 1.9);
            QRectF disc(0, 0, width, metrics.capHeight() * 1.9);
            disc.moveCenter(rect.center());
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(tokens().base);
            painter.drawRoundedRect(disc, disc.height() / 2, disc.height() / 2);
        }
        painter.setFont(font);
        painter.setPen(tokens().text);
        if (metrics.horizontalAdvance(what.number) <= rect.width() - 2)
            painter.drawText(rect, Qt::AlignCenter, what.number);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    if (what.next) {
        painter.setPen(QPen(tokens().accent, 2));
        painter.drawRect(rect.adjusted(0, 0, -1, -1));
    }
}

void BlockCells::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    for (int cell = 0; cell < m_cells.size(); ++cell)
        paintCell(painter, cell);
    const int shown = hasFocus() ? m_cursor : m_hovered;
    if (shown < 0 || shown >= m_cells.size())
        return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QRectF rect = cellRect(shown).adjusted(-1, -1, 1, 1);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(tokens().base, 4));
    painter.drawRect(rect);
    painter.setPen(QPen(tokens().accent, hasFocus() ? 3 : 2));
    painter.drawRect(rect);
}

void BlockCells::keyPressEvent(QKeyEvent *event)
{
    const int columns = lattice(width(), height()).columns;
    const int last = int(m_cells.size()) - 1;
    int to = m_cursor;
    switch (event->key()) {
    case Qt::Key_Left:
        to = m_cursor - 1;
        break;
    case Qt::Key_Right:
        to = m_cursor + 1;
        break;
    case Qt::Key_Up:
        to = m_cursor - columns < 0 ? m_cursor : m_cursor - columns;
        break;
    case Qt::Key_Down:
        to = m_cursor + columns > last ? m_cursor : m_cursor + columns;
        break;
    case Qt::Key_Home:
        to = 0;
        break;
    case Qt::Key_End:
        to = last;
        break;
    default:
        return QWidget::keyPressEvent(event);
    }
    setCursorCell(to);
}

void BlockCells::mouseMoveEvent(QMouseEvent *event)
{
    const int cell = cellAt(event->position());
    if (cell == m_hovered)
        return;
    m_hovered = cell;
    if (cell >= 0)
        report(cell);
    update();
}

void BlockCells::mousePressEvent(QMouseEvent *event)
{
    if (const int cell = cellAt(event->position()); cell >= 0)
        setCursorCell(cell);
}

void BlockCells::leaveEvent(QEvent *)
{
    m_hovered = -1;
    update();
    if (m_cursor >= 0)
        report(m_cursor);
}

void BlockCells::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    if (m_cursor < 0 && event->reason() != Qt::MouseFocusReason)
        setCursorCell(0);
    update();
}

bool BlockCells::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const int cell = cellAt(help->pos());
    if (cell >= 0 && m_describe)
        QToolTip::showText(help->globalPos(), m_describe(cell), this, cellRect(cell).toRect());
    else
        QToolTip::hideText();
    return true;
}

void BlockCells::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        updateGeometry();
        update();
    }
    QWidget::changeEvent(event);
}

} // namespace kvlab::ui
