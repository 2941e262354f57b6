// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/search_box.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QLineEdit>

namespace kvlab::ui {

SearchBox::SearchBox(QWidget *parent)
    : Edged<QComboBox>(parent)
{
    setEditable(true);
    setInsertPolicy(QComboBox::NoInsert);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(12);
    completer()->setCompletionMode(QCompleter::PopupCompletion);
    completer()->setFilterMode(Qt::MatchContains);
    completer()->setCaseSensitivity(Qt::CaseInsensitive);
    completer()->setMaxVisibleItems(12);
    const int wide = fontMetrics().averageCharWidth() * 44;
    completer()->popup()->setMinimumWidth(wide);
    view()->setMinimumWidth(wide);
    connect(this, &QComboBox::activated, this, &SearchBox::committed);
    connect(completer(), qOverload<const QString &>(&QCompleter::activated), this, [this](const QString &name) {
        setEditText(name);
        Q_EMIT committed();
    });
    connect(lineEdit(), &QLineEdit::editingFinished, this, &SearchBox::committed);
}

} // namespace kvlab::ui
