// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiers/step_list.h"

#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"

#include <QKeyEvent>
#include <QLocale>
#include <QPainter>

#include <algorithm>

namespace kvlab::ui {

void StepModel::setSteps(const QStringList &titles, const QStringList &summaries)
{
    const bool resized = titles.size() != m_titles.size();
    if (resized)
        beginResetModel();
    m_titles = titles;
    m_summaries = summaries;
    if (resized)
        endResetModel();
    else if (!m_titles.isEmpty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

int StepModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_titles.size());
}

QVariant StepModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return m_titles.at(index.row());
    case SummaryRole:
        return m_summaries.at(index.row());
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return tr("Step %1, %2: %3")
            .arg(QLocale().toString(index.row() + 1), m_titles.at(index.row()), m_summaries.at(index.row()));
    default:
        return {};
    }
}

void StepDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto *list = qobject_cast<const StepList *>(option.widget);
    const int current = list ? list->step() : -1;
    const bool isCurrent = index.row() == current;
    const Tokens &t = tokens();
    painter->save();
    painter->fillRect(option.rect, isCurrent ? t.sel : t.window);
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), t.line);
    const QFontMetricsF body(bodyFont());
    const QFontMetricsF small(secondaryFont());
    const double top = option.rect.top() + 4;
    const double side = body.ascent();
    const QRectF mark(option.rect.left() + 8, top + (body.height() - side) / 2, side, side);
    if (isCurrent || index.row() < current)
        paintIcon(painter, mark, isCurrent ? QStringLiteral("right") : QStringLiteral("tick"),
            isCurrent ? t.accent : t.text2);
    const double numberLeft = mark.right() + 6;
    const double numberWidth = body.horizontalAdvance(QStringLiteral("88"));
    const double left = numberLeft + numberWidth + 8;
    const double room = option.rect.right() - left - 6;
    painter->setFont(bodyFont());
    painter->setPen(t.text2);
    painter->drawText(QRectF(numberLeft, top, numberWidth, body.height()), Qt::AlignRight | Qt::AlignTop,
        QLocale().toString(index.row() + 1));
    const QFont titleFace = isCurrent ? titleFont() : bodyFont();
    painter->setFont(titleFace);
    painter->setPen(index.row() > current ? t.text2 : t.text);
    painter->drawText(QRectF(left, top, room, body.height()), Qt::AlignTop,
        QFontMetricsF(titleFace).elidedText(index.data().toString(), Qt::ElideRight, room));
    painter->setFont(secondaryFont());
    painter->setPen(t.text2);
    painter->drawText(QRectF(left, top + body.height(), room, small.height()), Qt::AlignTop,
        small.elidedText(index.data(StepModel::SummaryRole).toString(), Qt::ElideRight, room));
    if (isCurrent && option.widget && option.widget->hasFocus()) {
        painter->setPen(QPen(t.accent, 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(QRectF(option.rect).adjusted(1, 1, -1, -1));
    }
    painter->restore();
}

QSize StepDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const
{
    return {120, QFontMetrics(bodyFont()).height() + QFontMetrics(secondaryFont()).height() + 9};
}

StepList::StepList(QWidget *parent)
    : QListView(parent)
    , m_model(new StepModel(this))
{
    setModel(m_model);
    setItemDelegate(new StepDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setEditTriggers(NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setUniformItemSizes(true);
}

void StepList::setSteps(const QStringList &titles, const QStringList &summaries)
{
    m_model->setSteps(titles, summaries);
    viewport()->update();
}

void StepList::setStep(int step)
{
    setCurrentIndex(m_model->index(step));
}

int StepList::step() const
{
    return currentIndex().row();
}

void StepList::keyPressEvent(QKeyEvent *event)
{
    const int last = m_model->rowCount() - 1;
    if (last < 0)
        return;
    switch (event->key()) {
    case Qt::Key_Left:
        return setStep(std::max(0, step() - 1));
    case Qt::Key_Right:
        return setStep(std::min(last, step() + 1));
    case Qt::Key_Home:
        return setStep(0);
    case Qt::Key_End:
        return setStep(last);
    default:
        QListView::keyPressEvent(event);
    }
}

void StepList::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QListView::currentChanged(current, previous);
    viewport()->update();
    if (current.isValid())
        Q_EMIT stepChosen(current.row());
}

void StepList::changeEvent(QEvent *event)
{
    QListView::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        scheduleDelayedItemsLayout();
}

} // namespace kvlab::ui
