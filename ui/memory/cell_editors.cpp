// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/cell_editors.h"

#include "memory/cache_format.h"
#include "ui/widgets/appearance.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QLineEdit>
#include <QPainter>

namespace kvlab::ui {

void CellBox::paintEvent(QPaintEvent *event)
{
    QComboBox::paintEvent(event);
    QPainter painter(this);
    painter.setPen(QPen(tokens().accent, 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
}

void makeModelSearch(QComboBox *box, const QStringList &names)
{
    box->setEditable(true);
    box->setInsertPolicy(QComboBox::NoInsert);
    box->addItems(names);
    QCompleter *completer = box->completer();
    completer->setCompletionMode(QCompleter::PopupCompletion);
    completer->setFilterMode(Qt::MatchContains);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    constexpr int shown_rows = 12;
    completer->setMaxVisibleItems(shown_rows);
}

ModelSearchBox::ModelSearchBox(const QStringList &names, QWidget *parent)
    : CellBox(parent)
{
    makeModelSearch(this, names);
    // A table's column is narrower than the longest names.
    const int wide = fontMetrics().averageCharWidth() * 44;
    completer()->popup()->setMinimumWidth(wide);
    view()->setMinimumWidth(wide);

    connect(this, &QComboBox::activated, this, [this] { Q_EMIT chosen(false); });
    connect(completer(), qOverload<const QString &>(&QCompleter::activated), this, [this](const QString &name) {
        setEditText(name);
        Q_EMIT chosen(false);
    });
    // While the list is open the key reaches the line directly and not the delegate's event filter.
    connect(lineEdit(), &QLineEdit::returnPressed, this, [this] { Q_EMIT chosen(true); });
}

QWidget *createCellEditor(const MemoryColumnInfo &column, const QStringList &modelNames, QWidget *parent)
{
    QWidget *editor = nullptr;
    switch (column.editor) {
    case CellEditor::model_search:
        editor = new ModelSearchBox(modelNames, parent);
        break;
    case CellEditor::count: {
        auto *line = new QLineEdit(parent);
        line->setAlignment(column.alignment);
        editor = line;
        break;
    }
    case CellEditor::cache_format: {
        auto *box = new CellBox(parent);
        for (const memory::CacheFormat format : memory::allCacheFormats())
            box->addItem(memory::cacheFormatName(format));
        box->view()->setMinimumWidth(box->sizeHint().width()); // the column may be narrower than the names
        editor = box;
        break;
    }
    case CellEditor::none:
        return nullptr;
    }
    editor->setAccessibleName(column.header);
    editor->setAccessibleDescription(column.tool_tip);
    editor->setAutoFillBackground(true);
    return editor;
}

QString editorText(const QWidget *editor)
{
    if (const auto *box = qobject_cast<const QComboBox *>(editor))
        return box->currentText();
    return qobject_cast<const QLineEdit *>(editor)->text();
}

void setEditorText(QWidget *editor, const QString &text)
{
    if (auto *box = qobject_cast<QComboBox *>(editor)) {
        box->setCurrentIndex(box->findText(text, Qt::MatchFixedString));
        if (!box->isEditable())
            return;
        box->setEditText(text);
        box->lineEdit()->selectAll();
        return;
    }
    auto *line = qobject_cast<QLineEdit *>(editor);
    line->setText(text);
    line->selectAll();
}

} // namespace kvlab::ui
