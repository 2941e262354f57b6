// SPDX-License-Identifier: GPL-3.0-or-later
// The undo steps of the memory table. Each holds values only and names what it does in its text.
#pragma once

#include "ui/memory/memory_table_model.h"

#include <QCoreApplication>
#include <QUndoCommand>

namespace kvlab::ui {

class ChangeRowCommand : public QUndoCommand
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::ui::ChangeRowCommand)
public:
    /// `column` is the cell that was edited: for the text and to show it again.
    ChangeRowCommand(MemoryTableModel *model, int row, MemoryColumn column, const EditableRow &after);
    void undo() override;
    void redo() override;

private:
    MemoryTableModel *m_model;
    int m_row;
    MemoryColumn m_column;
    EditableRow m_before;
    EditableRow m_after;
};

class InsertRowsCommand : public QUndoCommand
{
public:
    InsertRowsCommand(MemoryTableModel *model, int position, const QList<EditableRow> &rows, const QString &text);
    void undo() override;
    void redo() override;

private:
    MemoryTableModel *m_model;
    int m_position;
    QList<EditableRow> m_rows;
};

class RemoveRowsCommand : public QUndoCommand
{
public:
    /// `rows` ascending; they need not be neighbours.
    RemoveRowsCommand(MemoryTableModel *model, const QList<int> &rows, const QString &text);
    void undo() override;
    void redo() override;

private:
    struct Block
    {
        int first = 0;
        QList<EditableRow> rows;
    };

    MemoryTableModel *m_model;
    QList<Block> m_blocks; ///< ascending
};

/// Replaces neighbouring rows and adds others behind the last one.
class ReplaceRowsCommand : public QUndoCommand
{
public:
    ReplaceRowsCommand(MemoryTableModel *model, int first, const QList<EditableRow> &rows, const QString &text);
    void undo() override;
    void redo() override;

private:
    MemoryTableModel *m_model;
    int m_first;
    QList<EditableRow> m_before; ///< shorter where rows are added
    QList<EditableRow> m_after;
};

class ReorderRowsCommand : public QUndoCommand
{
public:
    /// Row `i` becomes the one that was at `order[i]`.
    ReorderRowsCommand(MemoryTableModel *model, const QList<int> &order, const QString &text);
    void undo() override;
    void redo() override;

private:
    MemoryTableModel *m_model;
    QList<int> m_order;
    QList<int> m_inverse;
};

} // namespace kvlab::ui
