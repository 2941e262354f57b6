// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the memory table and what each costs. Edits made by people become commands on the undo stack; only those
// commands call the functions that change rows. Results are computed when a row changes, never while painting.
#pragma once

#include "memory/model_list.h"
#include "ui/memory/memory_columns.h"
#include "ui/memory/row_budget.h"

#include <QAbstractTableModel>
#include <QMap>

class QUndoStack;

namespace kvlab::ui {

/// A row as it is being edited. Text that cannot be used stays beside the last value that could: the document keeps
/// that value, the screen shows the text.
struct EditableRow
{
    memory::MemoryRow row;
    QMap<MemoryColumn, QString> rejected;

    friend bool operator==(const EditableRow &, const EditableRow &) = default;
};

class MemoryTableModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Role {
        raw_role = Qt::UserRole, ///< name, count, GiB or share as a number: for sorting and charts
        problem_role, ///< why this cell cannot be used, whole sentences; empty = nothing wrong
    };

    static constexpr int maxPastedRows = 10'000;

    explicit MemoryTableModel(QUndoStack *undoStack, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    /// Puts the rows in another order, as one undo step; rows without a number come last. Column -1 changes nothing.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

    const MemoryColumnInfo &column(MemoryColumn column) const;
    QModelIndex cell(int row, MemoryColumn column) const;

    /// Replaces everything; not undoable.
    void setRows(const QList<memory::MemoryRow> &rows);
    QList<memory::MemoryRow> rows() const;
    const EditableRow &editableRow(int row) const;

    /// The models that rows may name; every row is computed anew.
    void setLibrary(const memory::ModelLibrary &library);
    const memory::ModelLibrary &library() const { return m_library; }

    /// The devices that the share column is about; nullopt empties it.
    void setMachine(const std::optional<memory::Machine> &machine);
    const std::optional<memory::Machine> &machine() const { return m_machine; }
    /// nullopt when no machine is chosen or the row has no number.
    std::optional<RowBudget> budget(int row) const;

    void setUnit(SizeUnit unit);
    SizeUnit unit() const { return m_unit; }

    /// The row's model; nullptr = unknown name.
    const memory::ModelSpec *modelOf(int row) const;

    bool isHandoutGrid() const; ///< nothing else, nothing changed
    /// Rows, ascending, that use this model.
    QList<int> rowsOf(const memory::ModelSpec *model) const;

    bool hasNumber(int row) const;
    /// The terms behind a row's number, or nothing where there is none (see refusal()).
    std::optional<memory::MemoryResult> result(int row) const;
    /// Two rows with numbers in one sentence: how many times as much the larger needs, and in what they differ.
    QString comparison(int first, int second) const;
    /// Why a row has no number, whole sentences; empty when it has one.
    QString refusal(int row) const;
    /// The first cell of a row that cannot be used.
    std::optional<MemoryColumn> problemColumn(int row) const;

    /// What restoreCell() would bring back; empty when there is nothing to restore.
    QString restorableText(int row, MemoryColumn column) const;

    /// Each of these is one step on the undo stack.
    void addRow(int position, const memory::MemoryRow &row);
    void duplicateRows(QList<int> rows);
    void removeRowsAt(QList<int> rows);
    /// Cells of a spreadsheet into the table from this cell on, rows added at the end where they run past it, as one
    /// undo step. One single cell fills `chosen` rows. A first row of captions says which columns follow. What cannot
    /// be read stays in its cell as typed text does. A sentence when nothing can be pasted.
    std::optional<QString> paste(
        int row, MemoryColumn column, const QList<QStringList> &cells, const QList<int> &chosen);
    /// Gives each of the rows what the first of them has in this column.
    void fillDown(const QList<int> &rows, MemoryColumn column);
    /// The chosen rows one place up (-1) or down (+1).
    void moveRows(QList<int> rows, int step);

    /// Forgets text that cannot be used: the cell shows its last good value again.
    void restoreCell(int row, MemoryColumn column);

    /// Texts in the new language.
    void retranslate();

Q_SIGNALS:
    /// A command changed this cell (or the row it is in): the view shows it.
    void touched(int row, kvlab::ui::MemoryColumn column);

private:
    friend class ChangeRowCommand;
    friend class InsertRowsCommand;
    friend class RemoveRowsCommand;
    friend class ReorderRowsCommand;
    friend class ReplaceRowsCommand;

    struct Entry
    {
        EditableRow cells;
        std::optional<memory::Bytes> bytes; ///< nullopt = no number
        QString size; ///< as shown
        QString refusal; ///< the estimate's own reason; empty when a cell's problem is the reason
        const memory::ModelSpec *model = nullptr; ///< of the library; nullptr = unknown name
        mutable std::optional<RowBudget> budget; ///< once somebody has asked for it
    };

    Entry computed(const EditableRow &cells) const;
    void computeAll();
    /// Entry `i` becomes the one that was at `order[i]`.
    void reorderEntries(const QList<int> &order);
    void replaceRow(int row, const EditableRow &cells, MemoryColumn column);
    void replaceRows(int first, const QList<EditableRow> &rows);
    EditableRow rowFromCells(
        const EditableRow &before, const QList<MemoryColumn> &columns, const QStringList &cells) const;
    std::optional<QList<MemoryColumn>> columnsOfCaptions(const QStringList &captions) const;
    void insertEntries(int position, const QList<EditableRow> &rows);
    void removeEntries(int first, int count);
    void insertAsCommand(int position, const QList<EditableRow> &rows, const QString &text);

    bool isCell(const QModelIndex &index) const;
    bool hasProblem(int row, MemoryColumn column) const;
    QString problem(int row, MemoryColumn column) const;
    QString displayValue(int row, MemoryColumn column) const;
    QString goodValue(const Entry &entry, MemoryColumn column) const;
    std::optional<RowBudget> budgetOf(const Entry &entry) const;
    QStringList modelsContaining(const QString &text) const;
    QString resolvedModelName(const QString &text) const;
    QString editValue(int row, MemoryColumn column) const;
    QVariant rawValue(int row, MemoryColumn column) const;
    QString toolTip(int row, MemoryColumn column) const;
    EditableRow edited(const EditableRow &before, MemoryColumn column, const QString &text) const;

    QUndoStack *m_undoStack;
    SizeUnit m_unit = SizeUnit::gib;
    QList<MemoryColumnInfo> m_columns;
    memory::ModelLibrary m_library;
    std::optional<memory::Machine> m_machine;
    QList<Entry> m_entries;
};

} // namespace kvlab::ui
