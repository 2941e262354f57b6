// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/memory_commands.h"

#include "ui/memory/memory_text.h"

#include <algorithm>

namespace kvlab::ui {

ChangeRowCommand::ChangeRowCommand(MemoryTableModel *model, int row, MemoryColumn column, const EditableRow &after)
    : QUndoCommand(tr("Change %1 of row %2", "undo step; %1 is a column's header")
                       .arg(model->column(column).header, MemoryText::count(row + 1)))
    , m_model(model)
    , m_row(row)
    , m_column(column)
    , m_before(model->editableRow(row))
    , m_after(after)
{
}

void ChangeRowCommand::undo()
{
    m_model->replaceRow(m_row, m_before, m_column);
}

void ChangeRowCommand::redo()
{
    m_model->replaceRow(m_row, m_after, m_column);
}

InsertRowsCommand::InsertRowsCommand(
    MemoryTableModel *model, int position, const QList<EditableRow> &rows, const QString &text)
    : QUndoCommand(text)
    , m_model(model)
    , m_position(position)
    , m_rows(rows)
{
}

void InsertRowsCommand::undo()
{
    m_model->removeEntries(m_position, int(m_rows.size()));
}

void InsertRowsCommand::redo()
{
    m_model->insertEntries(m_position, m_rows);
}

RemoveRowsCommand::RemoveRowsCommand(MemoryTableModel *model, const QList<int> &rows, const QString &text)
    : QUndoCommand(text)
    , m_model(model)
{
    for (const int row : rows) {
        if (m_blocks.isEmpty() || m_blocks.last().first + m_blocks.last().rows.size() != row)
            m_blocks.append(Block{row, {}});
        m_blocks.last().rows.append(model->editableRow(row));
    }
}

void RemoveRowsCommand::undo()
{
    for (const Block &block : m_blocks)
        m_model->insertEntries(block.first, block.rows);
}

void RemoveRowsCommand::redo()
{
    // From the end, so that the numbers of the blocks before stay true.
    for (auto block = m_blocks.crbegin(); block != m_blocks.crend(); ++block)
        m_model->removeEntries(block->first, int(block->rows.size()));
}

ReplaceRowsCommand::ReplaceRowsCommand(
    MemoryTableModel *model, int first, const QList<EditableRow> &rows, const QString &text)
    : QUndoCommand(text)
    , m_model(model)
    , m_first(first)
    , m_after(rows)
{
    for (int row = first; row < std::min(first + int(rows.size()), model->rowCount()); ++row)
        m_before.append(model->editableRow(row));
}

void ReplaceRowsCommand::undo()
{
    const int added = int(m_after.size() - m_before.size());
    if (added > 0)
        m_model->removeEntries(m_first + int(m_before.size()), added);
    m_model->replaceRows(m_first, m_before);
}

void ReplaceRowsCommand::redo()
{
    m_model->replaceRows(m_first, m_after.mid(0, m_before.size()));
    if (m_after.size() > m_before.size())
        m_model->insertEntries(m_first + int(m_before.size()), m_after.mid(m_before.size()));
}

ReorderRowsCommand::ReorderRowsCommand(MemoryTableModel *model, const QList<int> &order, const QString &text)
    : QUndoCommand(text)
    , m_model(model)
    , m_order(order)
    , m_inverse(order.size())
{
    for (int i = 0; i < order.size(); ++i)
        m_inverse[order[i]] = i;
}

void ReorderRowsCommand::undo()
{
    m_model->reorderEntries(m_inverse);
}

void ReorderRowsCommand::redo()
{
    m_model->reorderEntries(m_order);
}

} // namespace kvlab::ui
