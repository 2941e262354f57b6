// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/count_box.h"

#include "memory/model_list.h"

#include <QLineEdit>
#include <QLocale>

namespace kvlab::ui {

CountBox::CountBox(qint64 most, QWidget *parent)
    : Edged<QAbstractSpinBox>(parent)
    , m_most(most)
{
    setAlignment(Qt::AlignRight);
    setCorrectionMode(QAbstractSpinBox::CorrectToPreviousValue);
    connect(lineEdit(), &QLineEdit::textEdited, this, &CountBox::edited);
}

void CountBox::setCount(qint64 count)
{
    if (this->count() != count || !lineEdit()->hasFocus())
        lineEdit()->setText(QLocale().toString(count));
}

std::optional<qint64> CountBox::count() const
{
    const auto count = memory::parseCount(lineEdit()->text());
    return count && *count <= m_most ? count : std::nullopt;
}

QString CountBox::typedText() const
{
    return lineEdit()->text();
}

void CountBox::stepBy(int steps)
{
    qint64 value = count().value_or(1);
    for (; steps > 0; --steps)
        value = value > m_most / 2 ? m_most : value * 2;
    for (; steps < 0; ++steps)
        value = std::max<qint64>(1, value / 2);
    lineEdit()->setText(QLocale().toString(value));
    Q_EMIT edited();
}

QAbstractSpinBox::StepEnabled CountBox::stepEnabled() const
{
    const qint64 value = count().value_or(1);
    StepEnabled enabled = StepNone;
    if (value < m_most)
        enabled |= StepUpEnabled;
    if (value > 1)
        enabled |= StepDownEnabled;
    return enabled;
}

} // namespace kvlab::ui
