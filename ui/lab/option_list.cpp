// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/option_list.h"

#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QRadioButton>
#include <QToolButton>

namespace kvlab::ui {

namespace {

QLabel *wrappingLabel(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    label->setSizePolicy(policy);
    return label;
}

} // namespace

OptionList::OptionList(QWidget *parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this))
    , m_group(new QButtonGroup(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(4);
    setFocusPolicy(Qt::TabFocus);
}

void OptionList::setQuestion(const lab::Question &question, const QString &language)
{
    for (QAbstractButton *button : m_group->buttons())
        m_group->removeButton(button);
    while (QLayoutItem *item = m_column->takeAt(0)) {
        // Not at once: the style or the language may be changing, and Qt holds a list of all widgets meanwhile.
        item->widget()->setParent(nullptr);
        item->widget()->deleteLater();
        delete item;
    }
    m_ordering = question.kind == lab::QuestionKind::ordering;
    for (const lab::Option &option : question.options) {
        if (m_ordering)
            addPlace(option, language);
        else
            addChoice(option, language);
    }
    nameArrows();
}

void OptionList::addChoice(const lab::Option &option, const QString &language)
{
    auto *row = new QWidget(this);
    row->setProperty("option", option.id);
    auto *button = new QRadioButton(row);
    button->setObjectName(QStringLiteral("option-") + option.id);
    button->setProperty("option", option.id);
    button->setAccessibleName(option.text.in(language));
    button->installEventFilter(this);
    m_group->addButton(button);
    QLabel *label = wrappingLabel(option.text.in(language), row);
    label->installEventFilter(this);
    label->setProperty("option", option.id);
    auto *line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(4);
    line->addWidget(button, 0, Qt::AlignTop);
    line->addWidget(label, 1);
    m_column->addWidget(row);
}

void OptionList::addPlace(const lab::Option &option, const QString &language)
{
    auto *row = new QWidget(this);
    row->setProperty("option", option.id);
    row->setProperty("text", option.text.in(language));
    auto *line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(4);
    for (const int step : {-1, 1}) {
        auto *arrow = new QToolButton(row);
        arrow->setObjectName((step < 0 ? QStringLiteral("up-") : QStringLiteral("down-")) + option.id);
        arrow->setAutoRaise(true);
        arrow->setIcon(icon(step < 0 ? QStringLiteral("up") : QStringLiteral("down")));
        arrow->setProperty("option", option.id);
        arrow->setProperty("step", step);
        arrow->setFocusPolicy(Qt::StrongFocus);
        arrow->installEventFilter(this);
        connect(arrow, &QToolButton::clicked, this, [this, row, step] { move(row, step); });
        line->addWidget(arrow, 0, Qt::AlignTop);
    }
    line->addWidget(wrappingLabel(option.text.in(language), row), 1);
    m_column->addWidget(row);
}

void OptionList::move(QWidget *place, int step)
{
    const int index = m_column->indexOf(place);
    const int wanted = index + step;
    if (index < 0 || wanted < 0 || wanted >= m_column->count())
        return;
    const QWidget *focused = focusWidget();
    QToolButton *arrow = place->findChild<QToolButton *>(focused ? focused->objectName() : QString());
    m_column->removeWidget(place);
    m_column->insertWidget(wanted, place);
    nameArrows();
    if (arrow)
        arrow->setFocus();
}

/// Arrows say what they move and where it is now; the Tab key follows the order on screen.
void OptionList::nameArrows()
{
    QWidget *before = this;
    for (int i = 0; m_ordering && i < m_column->count(); ++i) {
        const QWidget *row = m_column->itemAt(i)->widget();
        for (QToolButton *arrow : row->findChildren<QToolButton *>()) {
            const QString text = row->property("text").toString();
            const QString place = QLocale().toString(i + 1);
            arrow->setAccessibleName(arrow->property("step").toInt() < 0
                    ? tr("Move up: %1, place %2").arg(text, place)
                    : tr("Move down: %1, place %2").arg(text, place));
            arrow->setToolTip(arrow->property("step").toInt() < 0 ? tr("Move up") : tr("Move down"));
            setTabOrder(before, arrow);
            before = arrow;
        }
    }
}

QStringList OptionList::chosen() const
{
    if (!m_ordering)
        return m_group->checkedButton() ? QStringList{m_group->checkedButton()->property("option").toString()}
                                        : QStringList();
    QStringList ids;
    for (int i = 0; i < m_column->count(); ++i)
        ids << m_column->itemAt(i)->widget()->property("option").toString();
    return ids;
}

void OptionList::setChosen(const QStringList &ids)
{
    if (!m_ordering) {
        for (QAbstractButton *button : m_group->buttons())
            button->setChecked(ids.contains(button->property("option").toString()));
        return;
    }
    for (const QString &id : ids) {
        for (int i = 0; i < m_column->count(); ++i) {
            QWidget *row = m_column->itemAt(i)->widget();
            if (row->property("option").toString() != id)
                continue;
            m_column->removeWidget(row);
            m_column->addWidget(row);
            break;
        }
    }
    nameArrows();
}

bool OptionList::eventFilter(QObject *object, QEvent *event)
{
    const QString id = object->property("option").toString();
    if (event->type() == QEvent::MouseButtonRelease && qobject_cast<QLabel *>(object)) {
        if (auto *button = findChild<QRadioButton *>(QStringLiteral("option-") + id)) {
            button->setChecked(true);
            button->setFocus();
        }
    }
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if ((key == Qt::Key_Return || key == Qt::Key_Enter)) {
            Q_EMIT submitted();
            return true;
        }
    }
    return QWidget::eventFilter(object, event);
}

/// The focus belongs to a button: the chosen one, or the first.
void OptionList::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    if (QAbstractButton *button = m_group->checkedButton()) {
        button->setFocus(event->reason());
        return;
    }
    const auto buttons = findChildren<QAbstractButton *>();
    if (!buttons.isEmpty() && event->reason() != Qt::BacktabFocusReason)
        buttons.first()->setFocus(event->reason());
}

} // namespace kvlab::ui
