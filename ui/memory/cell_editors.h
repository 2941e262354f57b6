// SPDX-License-Identifier: GPL-3.0-or-later
// The editors of the memory table's cells. A search box for the model, a line for counts, a list for the cache type.
#pragma once

#include "ui/memory/memory_columns.h"

#include <QComboBox>

namespace kvlab::ui {

/// A list with the frame that tells which cell is being edited.
class CellBox : public QComboBox
{
    Q_OBJECT
public:
    using QComboBox::QComboBox;

protected:
    void paintEvent(QPaintEvent *event) override;
};

/// Fills a list with models and lets it be searched: typing shows those whose name contains the text.
void makeModelSearch(QComboBox *box, const QStringList &names);

/// An editable list of models: typing shows those whose name contains the text.
class ModelSearchBox : public CellBox
{
    Q_OBJECT
public:
    explicit ModelSearchBox(const QStringList &names, QWidget *parent = nullptr);

Q_SIGNALS:
    /// A name was chosen from a list (mouse or Return), or Return was pressed in the text.
    void chosen(bool byReturn);
};

QWidget *createCellEditor(const MemoryColumnInfo &column, const QStringList &modelNames, QWidget *parent);
QString editorText(const QWidget *editor);
void setEditorText(QWidget *editor, const QString &text);

} // namespace kvlab::ui
