// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/memory_table_model.h"

#include "ui/memory/memory_commands.h"
#include "ui/memory/memory_text.h"

#include <QLocale>
#include <QUndoStack>

#include <algorithm>
#include <numeric>
#include <utility>

namespace kvlab::ui {

namespace {

qint64 *countField(memory::MemoryRow &row, MemoryColumn column)
{
    return column == MemoryColumn::seq_len ? &row.seq_len : &row.batch;
}

memory::MemoryQuery queryOf(const memory::MemoryRow &row)
{
    memory::MemoryQuery query;
    query.seq_len = row.seq_len;
    query.batch = row.batch;
    query.kv_dtype = row.kv_dtype;
    return query;
}

bool inRange(qint64 value, qint64 maximum)
{
    return value >= 1 && value <= maximum;
}

} // namespace

QStringList MemoryTableModel::modelsContaining(const QString &text) const
{
    return m_library.names().filter(text, Qt::CaseInsensitive);
}

/// What a typed name stands for: a model by id or name, the only one that contains the text, or the text itself.
QString MemoryTableModel::resolvedModelName(const QString &text) const
{
    if (const memory::ModelSpec *model = m_library.find(text))
        return model->name;
    const QStringList candidates = modelsContaining(text);
    return candidates.size() == 1 ? candidates.first() : text;
}

MemoryTableModel::MemoryTableModel(QUndoStack *undoStack, QObject *parent)
    : QAbstractTableModel(parent)
    , m_undoStack(undoStack)
    , m_columns(MemoryColumns::all())
{
}

int MemoryTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_entries.size());
}

int MemoryTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : MemoryColumns::count;
}

bool MemoryTableModel::isCell(const QModelIndex &index) const
{
    return index.isValid() && index.model() == this && index.row() < rowCount() && index.column() < columnCount();
}

QVariant MemoryTableModel::data(const QModelIndex &index, int role) const
{
    if (!isCell(index))
        return {};
    const int row = index.row();
    const auto column = MemoryColumn(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return displayValue(row, column);
    case Qt::EditRole:
        return editValue(row, column);
    case raw_role:
        return rawValue(row, column);
    case problem_role:
        return problem(row, column);
    case Qt::ToolTipRole:
        return toolTip(row, column);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(m_columns.at(index.column()).alignment);
    default:
        return {};
    }
}

QVariant MemoryTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical) {
        if (role == Qt::DisplayRole && section >= 0 && section < rowCount())
            return MemoryText::count(section + 1);
        if (role == Qt::TextAlignmentRole)
            return QVariant::fromValue<Qt::Alignment>(Qt::AlignRight | Qt::AlignVCenter);
        return {};
    }
    if (section < 0 || section >= columnCount())
        return {};
    const MemoryColumnInfo &info = m_columns.at(section);
    switch (role) {
    case Qt::DisplayRole:
        return info.header;
    case Qt::ToolTipRole:
        return info.tool_tip;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(info.alignment);
    default:
        return {};
    }
}

Qt::ItemFlags MemoryTableModel::flags(const QModelIndex &index) const
{
    if (!isCell(index))
        return Qt::NoItemFlags;
    const Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    return m_columns.at(index.column()).editor == CellEditor::none ? flags : flags | Qt::ItemIsEditable;
}

bool MemoryTableModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!isCell(index) || role != Qt::EditRole || !flags(index).testFlag(Qt::ItemIsEditable))
        return false;
    const auto column = MemoryColumn(index.column());
    const EditableRow &before = m_entries.at(index.row()).cells;
    const QString text = value.toString().trimmed();
    if (text.isEmpty())
        return false; // nothing was typed: the cell keeps what it has
    const EditableRow after = edited(before, column, text);
    if (after == before)
        return false;
    m_undoStack->push(new ChangeRowCommand(this, index.row(), column, after));
    return true;
}

EditableRow MemoryTableModel::edited(const EditableRow &before, MemoryColumn column, const QString &text) const
{
    EditableRow after = before;
    after.rejected.remove(column);
    const MemoryColumnInfo &info = m_columns.at(int(column));
    switch (info.editor) {
    case CellEditor::model_search:
        after.row.model = resolvedModelName(text);
        break;
    case CellEditor::count:
        if (const std::optional<qint64> count = memory::parseCount(text); count && inRange(*count, info.maximum))
            *countField(after.row, column) = *count;
        else
            after.rejected.insert(column, text);
        break;
    case CellEditor::cache_format:
        if (const std::optional<memory::CacheFormat> format = memory::cacheFormatFromName(text))
            after.row.kv_dtype = *format;
        else
            after.rejected.insert(column, text);
        break;
    case CellEditor::none:
        break;
    }
    return after;
}

const MemoryColumnInfo &MemoryTableModel::column(MemoryColumn column) const
{
    return m_columns.at(int(column));
}

QModelIndex MemoryTableModel::cell(int row, MemoryColumn column) const
{
    return index(row, int(column));
}

void MemoryTableModel::setRows(const QList<memory::MemoryRow> &rows)
{
    beginResetModel();
    m_entries.clear();
    m_entries.reserve(rows.size());
    for (const memory::MemoryRow &row : rows)
        m_entries.append(computed({row, {}}));
    endResetModel();
}

QList<memory::MemoryRow> MemoryTableModel::rows() const
{
    QList<memory::MemoryRow> rows;
    rows.reserve(m_entries.size());
    for (const Entry &entry : m_entries)
        rows.append(entry.cells.row);
    return rows;
}

const EditableRow &MemoryTableModel::editableRow(int row) const
{
    return m_entries.at(row).cells;
}

bool MemoryTableModel::isHandoutGrid() const
{
    static const QList<memory::MemoryRow> grid = memory::handoutGrid();
    if (m_entries.size() != grid.size())
        return false;
    return std::equal(
        grid.cbegin(), grid.cend(), m_entries.cbegin(), [](const memory::MemoryRow &row, const Entry &entry) {
            return entry.cells == EditableRow{row, {}};
        });
}

QList<int> MemoryTableModel::rowsOf(const memory::ModelSpec *model) const
{
    QList<int> rows;
    for (int row = 0; row < rowCount(); ++row) {
        if (m_entries.at(row).model == model)
            rows.append(row);
    }
    return rows;
}

bool MemoryTableModel::hasNumber(int row) const
{
    return m_entries.at(row).bytes.has_value();
}

std::optional<memory::MemoryResult> MemoryTableModel::result(int row) const
{
    const Entry &entry = m_entries.at(row);
    if (!entry.bytes)
        return std::nullopt;
    const memory::MemoryRow &cells = entry.cells.row;
    memory::Estimate estimate = memory::estimate(*entry.model, queryOf(cells));
    if (auto *result = std::get_if<memory::MemoryResult>(&estimate))
        return std::move(*result);
    return std::nullopt;
}

QString MemoryTableModel::comparison(int first, int second) const
{
    const bool second_is_larger = *m_entries.at(second).bytes >= *m_entries.at(first).bytes;
    const int small = second_is_larger ? first : second;
    const int large = second_is_larger ? second : first;
    const memory::Bytes &least = *m_entries.at(small).bytes;
    const memory::Bytes &most = *m_entries.at(large).bytes;
    QStringList differences;
    for (const MemoryColumnInfo &info : m_columns) {
        const QString a = displayValue(large, info.column);
        const QString b = displayValue(small, info.column);
        if (info.editor != CellEditor::none && a != b)
            differences << tr("%1 %2 against %3", "a column's header and two values").arg(info.header, a, b);
    }
    const QString larger = MemoryText::count(large + 1);
    const QString smaller = MemoryText::count(small + 1);
    if (differences.isEmpty())
        return tr("Rows %1 and %2 are the same.").arg(smaller, larger);
    const QString what = differences.join(QStringLiteral("; "));
    if (least == most)
        return tr("Rows %1 and %2 need the same, though they differ: %3.").arg(smaller, larger, what);
    if (least == 0)
        return tr("Row %1 needs nothing, row %2 does. They differ: %3.").arg(smaller, larger, what);
    const double times = most.convert_to<double>() / least.convert_to<double>();
    return tr("Row %1 needs %2 times what row %3 needs. They differ: %4.")
        .arg(larger, QLocale().toString(times, 'g', 4), smaller, what);
}

QString MemoryTableModel::refusal(int row) const
{
    if (const std::optional<MemoryColumn> column = problemColumn(row))
        return problem(row, *column);
    return m_entries.at(row).refusal;
}

std::optional<MemoryColumn> MemoryTableModel::problemColumn(int row) const
{
    for (const MemoryColumnInfo &info : m_columns) {
        if (hasProblem(row, info.column))
            return info.column;
    }
    return std::nullopt;
}

MemoryTableModel::Entry MemoryTableModel::computed(const EditableRow &cells) const
{
    Entry entry;
    entry.cells = cells;
    entry.model = m_library.find(cells.row.model);
    if (!entry.model || !cells.rejected.isEmpty())
        return entry;
    const auto estimate = memory::estimateBytes(*entry.model, queryOf(cells.row));
    if (const auto *bytes = std::get_if<memory::Bytes>(&estimate)) {
        entry.bytes = *bytes;
        entry.size = MemoryText::size(*bytes, m_unit);
    } else {
        entry.refusal = std::get<memory::Refusal>(estimate).message;
    }
    return entry;
}

void MemoryTableModel::computeAll()
{
    for (Entry &entry : m_entries)
        entry = computed(EditableRow(entry.cells));
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void MemoryTableModel::setLibrary(const memory::ModelLibrary &library)
{
    // Rows point into the library that they were computed with: it must outlive them.
    const memory::ModelLibrary before = std::exchange(m_library, library);
    computeAll();
}

void MemoryTableModel::setMachine(const std::optional<memory::Machine> &machine)
{
    if (machine == m_machine)
        return;
    m_machine = machine;
    for (const Entry &entry : std::as_const(m_entries))
        entry.budget.reset();
    if (rowCount() > 0)
        Q_EMIT dataChanged(cell(0, MemoryColumn::share), cell(rowCount() - 1, MemoryColumn::fits));
}

std::optional<RowBudget> MemoryTableModel::budget(int row) const
{
    return budgetOf(m_entries.at(row));
}

std::optional<RowBudget> MemoryTableModel::budgetOf(const Entry &entry) const
{
    if (!m_machine || !entry.bytes)
        return std::nullopt;
    if (!entry.budget)
        entry.budget = RowBudgets::of(*entry.model, entry.cells.row, *m_machine);
    return entry.budget;
}

void MemoryTableModel::setUnit(SizeUnit unit)
{
    m_unit = unit;
    retranslate();
}

const memory::ModelSpec *MemoryTableModel::modelOf(int row) const
{
    return m_entries.at(row).model;
}

void MemoryTableModel::sort(int column, Qt::SortOrder order)
{
    if (column < 0 || column >= columnCount())
        return;
    QList<QVariant> keys;
    for (int row = 0; row < rowCount(); ++row)
        keys << rawValue(row, MemoryColumn(column));
    QList<int> rows(rowCount());
    std::iota(rows.begin(), rows.end(), 0);
    std::stable_sort(rows.begin(), rows.end(), [&](int a, int b) {
        if (!keys[a].isValid() || !keys[b].isValid())
            return keys[a].isValid() && !keys[b].isValid();
        const QPartialOrdering less = QVariant::compare(keys[a], keys[b]);
        return order == Qt::AscendingOrder ? less == QPartialOrdering::Less : less == QPartialOrdering::Greater;
    });
    if (!std::is_sorted(rows.cbegin(), rows.cend()))
        m_undoStack->push(new ReorderRowsCommand(
            this, rows, tr("Sort by %1", "undo step; %1 is a column's header").arg(m_columns.at(column).header)));
}

void MemoryTableModel::reorderEntries(const QList<int> &order)
{
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    QList<Entry> entries;
    entries.reserve(m_entries.size());
    QList<int> places(order.size());
    for (int i = 0; i < order.size(); ++i) {
        entries.append(m_entries.at(order[i]));
        places[order[i]] = i;
    }
    m_entries = entries;
    QModelIndexList moved;
    for (const QModelIndex &index : persistentIndexList())
        moved << this->index(places[index.row()], index.column());
    changePersistentIndexList(persistentIndexList(), moved);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void MemoryTableModel::replaceRow(int row, const EditableRow &cells, MemoryColumn column)
{
    m_entries[row] = computed(cells);
    Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
    Q_EMIT touched(row, column);
}

void MemoryTableModel::replaceRows(int first, const QList<EditableRow> &rows)
{
    if (rows.isEmpty())
        return;
    for (int i = 0; i < rows.size(); ++i)
        m_entries[first + i] = computed(rows.at(i));
    Q_EMIT dataChanged(index(first, 0), index(first + int(rows.size()) - 1, columnCount() - 1));
    Q_EMIT touched(first, MemoryColumn::model);
}

void MemoryTableModel::insertEntries(int position, const QList<EditableRow> &rows)
{
    beginInsertRows({}, position, position + int(rows.size()) - 1);
    QList<Entry> entries;
    entries.reserve(m_entries.size() + rows.size());
    entries.append(m_entries.mid(0, position));
    for (const EditableRow &row : rows)
        entries.append(computed(row));
    entries.append(m_entries.mid(position));
    m_entries = entries;
    endInsertRows();
    Q_EMIT touched(position, MemoryColumn::model);
}

void MemoryTableModel::removeEntries(int first, int count)
{
    beginRemoveRows({}, first, first + count - 1);
    m_entries.remove(first, count);
    endRemoveRows();
}

void MemoryTableModel::insertAsCommand(int position, const QList<EditableRow> &rows, const QString &text)
{
    if (!rows.isEmpty())
        m_undoStack->push(new InsertRowsCommand(this, std::clamp(position, 0, rowCount()), rows, text));
}

QString MemoryTableModel::restorableText(int row, MemoryColumn column) const
{
    const Entry &entry = m_entries.at(row);
    return entry.cells.rejected.contains(column) ? goodValue(entry, column) : QString();
}

void MemoryTableModel::addRow(int position, const memory::MemoryRow &row)
{
    insertAsCommand(position, {{row, {}}}, tr("Add row %1", "undo step").arg(MemoryText::count(position + 1)));
}

void MemoryTableModel::duplicateRows(QList<int> rows)
{
    if (rows.isEmpty())
        return;
    std::sort(rows.begin(), rows.end());
    QList<EditableRow> copies;
    for (const int row : std::as_const(rows))
        copies.append(m_entries.at(row).cells);
    const QString text = rows.size() == 1 ? tr("Duplicate row %1", "undo step").arg(MemoryText::count(rows.first() + 1))
                                          : tr("Duplicate %n rows", "undo step", int(rows.size()));
    insertAsCommand(rows.last() + 1, copies, text);
}

void MemoryTableModel::removeRowsAt(QList<int> rows)
{
    if (rows.isEmpty())
        return;
    std::sort(rows.begin(), rows.end());
    const QString text = rows.size() == 1 ? tr("Remove row %1", "undo step").arg(MemoryText::count(rows.first() + 1))
                                          : tr("Remove %n rows", "undo step", int(rows.size()));
    m_undoStack->push(new RemoveRowsCommand(this, rows, text));
}

/// The columns that a row of captions names: by the stable name, as an exported table has it, or as on screen.
std::optional<QList<MemoryColumn>> MemoryTableModel::columnsOfCaptions(const QStringList &captions) const
{
    QList<MemoryColumn> columns;
    int known = 0;
    for (const QString &caption : captions) {
        const auto info = std::find_if(m_columns.cbegin(), m_columns.cend(), [&](const MemoryColumnInfo &candidate) {
            return caption.trimmed().compare(candidate.key, Qt::CaseInsensitive) == 0
                || caption.trimmed().compare(candidate.header, Qt::CaseInsensitive) == 0;
        });
        // What the table does not have (kv_bytes) is passed over like what it computes itself.
        columns << (info == m_columns.cend() ? MemoryColumn::kv_cache : info->column);
        known += info != m_columns.cend() && info->editor != CellEditor::none ? 1 : 0;
    }
    return known >= 2 || (known == 1 && captions.size() == 1) ? std::optional(columns) : std::nullopt;
}

EditableRow MemoryTableModel::rowFromCells(
    const EditableRow &before, const QList<MemoryColumn> &columns, const QStringList &cells) const
{
    EditableRow row = before;
    for (qsizetype i = 0; i < std::min(columns.size(), cells.size()); ++i) {
        const QString text = cells.at(i).trimmed();
        if (m_columns.at(int(columns.at(i))).editor != CellEditor::none && !text.isEmpty())
            row = edited(row, columns.at(i), text);
    }
    return row;
}

std::optional<QString> MemoryTableModel::paste(
    int row, MemoryColumn column, const QList<QStringList> &cells, const QList<int> &chosen)
{
    QList<MemoryColumn> columns;
    for (int i = int(column); i < columnCount(); ++i)
        columns << MemoryColumn(i);
    QList<QStringList> rows = cells;
    if (const auto named = columnsOfCaptions(rows.value(0))) {
        columns = *named;
        rows.removeFirst();
    }
    if (rows.isEmpty() || (rows.size() == 1 && rows.first().join(QString()).trimmed().isEmpty()))
        return tr("There is nothing on the clipboard that the table could take. Copy cells of a spreadsheet first.");
    if (rows.size() > maxPastedRows)
        return tr("The clipboard holds %1 rows, and at most %2 are pasted at once. Paste fewer.")
            .arg(MemoryText::count(rows.size()), MemoryText::count(maxPastedRows));
    int first = std::clamp(row, 0, rowCount());
    if (rows.size() == 1 && rows.first().size() == 1 && chosen.size() > 1) {
        first = chosen.first();
        rows = QList<QStringList>(chosen.last() - first + 1, rows.first());
    }
    const memory::MemoryRow fresh
        = rowCount() > 0 ? m_entries.last().cells.row : memory::MemoryRow{QStringLiteral("Qwen2.5-7B")};
    QList<EditableRow> after;
    for (qsizetype i = 0; i < rows.size(); ++i) {
        const bool there = first + i < rowCount();
        const EditableRow before = there ? m_entries.at(first + i).cells : EditableRow{fresh, {}};
        const bool taken = chosen.size() < 2 || cells.size() > 1 || chosen.contains(int(first + i));
        after << (taken ? rowFromCells(before, columns, rows.at(i)) : before);
    }
    m_undoStack->push(
        new ReplaceRowsCommand(this, first, after, tr("Paste %n row(s)", "undo step", int(after.size()))));
    return std::nullopt;
}

void MemoryTableModel::fillDown(const QList<int> &rows, MemoryColumn column)
{
    if (rows.size() < 2 || m_columns.at(int(column)).editor == CellEditor::none)
        return;
    const QString text = editValue(rows.first(), column);
    QList<EditableRow> after;
    for (int row = rows.first(); row <= rows.last(); ++row) {
        const EditableRow &before = m_entries.at(row).cells;
        after << (rows.contains(row) ? edited(before, column, text) : before);
    }
    m_undoStack->push(new ReplaceRowsCommand(this, rows.first(), after,
        tr("Fill %1 down", "undo step; %1 is a column's header").arg(m_columns.at(int(column)).header)));
}

void MemoryTableModel::moveRows(QList<int> rows, int step)
{
    std::sort(rows.begin(), rows.end());
    if (rows.isEmpty() || rows.first() + step < 0 || rows.last() + step >= rowCount())
        return;
    QList<int> order(rowCount());
    std::iota(order.begin(), order.end(), 0);
    if (step > 0)
        std::reverse(rows.begin(), rows.end());
    for (const int row : std::as_const(rows))
        std::swap(order[row], order[row + step]);
    m_undoStack->push(new ReorderRowsCommand(this, order,
        step < 0 ? tr("Move %n row(s) up", "undo step", int(rows.size()))
                 : tr("Move %n row(s) down", "undo step", int(rows.size()))));
}

void MemoryTableModel::restoreCell(int row, MemoryColumn column)
{
    EditableRow cells = m_entries.at(row).cells;
    if (cells.rejected.remove(column) > 0)
        m_undoStack->push(new ChangeRowCommand(this, row, column, cells));
}

void MemoryTableModel::retranslate()
{
    m_columns = MemoryColumns::all(m_unit);
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    if (rowCount() > 0)
        Q_EMIT headerDataChanged(Qt::Vertical, 0, rowCount() - 1);
    computeAll();
}

bool MemoryTableModel::hasProblem(int row, MemoryColumn column) const
{
    const Entry &entry = m_entries.at(row);
    if (entry.cells.rejected.contains(column))
        return true;
    switch (column) {
    case MemoryColumn::model:
        return !entry.model;
    case MemoryColumn::seq_len:
        return !inRange(entry.cells.row.seq_len, memory::maxSeqLen);
    case MemoryColumn::batch:
        return !inRange(entry.cells.row.batch, memory::maxBatch);
    case MemoryColumn::kv_dtype:
    case MemoryColumn::kv_cache:
    case MemoryColumn::share:
    case MemoryColumn::fits:
        return false;
    }
    return false;
}

QString MemoryTableModel::problem(int row, MemoryColumn column) const
{
    if (!hasProblem(row, column))
        return {};
    const MemoryColumnInfo &info = m_columns.at(int(column));
    const QString text = displayValue(row, column);
    const QString place = tr("Row %1, %2", "%2 is a column's header").arg(MemoryText::count(row + 1), info.header);
    const QString again = tr("The row counts again as soon as it can be read.");
    if (info.editor == CellEditor::count) {
        return tr("%1: “%2” is not a whole number from 1 to %3. Type 4096, 4k or 32K, for example.")
                   .arg(place, text, MemoryText::count(info.maximum))
            + QLatin1Char(' ') + again;
    }
    if (info.editor == CellEditor::cache_format) {
        QStringList names;
        for (const memory::CacheFormat format : memory::allCacheFormats())
            names.append(memory::cacheFormatName(format));
        return tr("%1: “%2” is not a cache type that this table knows. Choose one of %3.")
                   .arg(place, text, names.join(QStringLiteral(", ")))
            + QLatin1Char(' ') + again;
    }
    const QStringList candidates = text.isEmpty() ? QStringList() : modelsContaining(text);
    if (candidates.isEmpty())
        return tr(
            "%1: “%2” is not in the list of models. Type part of a name, for example 7B, and choose from the list.")
            .arg(place, text);
    constexpr int most = 4;
    const QString some = candidates.mid(0, most).join(QStringLiteral(", "))
        + (candidates.size() > most ? QStringLiteral(", …") : QString());
    return tr("%1: “%2” fits several models (%3). Type more of the name or choose from the list.")
        .arg(place, text, some);
}

QString MemoryTableModel::displayValue(int row, MemoryColumn column) const
{
    const Entry &entry = m_entries.at(row);
    return entry.cells.rejected.contains(column) ? entry.cells.rejected.value(column) : goodValue(entry, column);
}

QString MemoryTableModel::goodValue(const Entry &entry, MemoryColumn column) const
{
    switch (column) {
    case MemoryColumn::model:
        return entry.cells.row.model;
    case MemoryColumn::seq_len:
        return MemoryText::count(entry.cells.row.seq_len);
    case MemoryColumn::batch:
        return MemoryText::count(entry.cells.row.batch);
    case MemoryColumn::kv_dtype:
        return memory::cacheFormatName(entry.cells.row.kv_dtype);
    case MemoryColumn::kv_cache:
        return entry.bytes ? entry.size : QStringLiteral("–");
    case MemoryColumn::share:
    case MemoryColumn::fits:
        break;
    }
    const std::optional<RowBudget> budget = budgetOf(entry);
    if (!budget)
        return QStringLiteral("–");
    return column == MemoryColumn::share ? RowBudgets::share(*budget) : RowBudgets::fits(*budget);
}

QString MemoryTableModel::editValue(int row, MemoryColumn column) const
{
    const EditableRow &cells = m_entries.at(row).cells;
    if (cells.rejected.contains(column))
        return cells.rejected.value(column);
    // Plain digits: grouping would be in the way of editing.
    if (column == MemoryColumn::seq_len)
        return QString::number(cells.row.seq_len);
    if (column == MemoryColumn::batch)
        return QString::number(cells.row.batch);
    return displayValue(row, column);
}

QVariant MemoryTableModel::rawValue(int row, MemoryColumn column) const
{
    const Entry &entry = m_entries.at(row);
    switch (column) {
    case MemoryColumn::model:
        return entry.cells.row.model;
    case MemoryColumn::seq_len:
        return entry.cells.row.seq_len;
    case MemoryColumn::batch:
        return entry.cells.row.batch;
    case MemoryColumn::kv_dtype:
        return memory::cacheFormatName(entry.cells.row.kv_dtype);
    case MemoryColumn::kv_cache:
        return entry.bytes ? QVariant(memory::toGib(*entry.bytes)) : QVariant();
    case MemoryColumn::share:
    case MemoryColumn::fits:
        break;
    }
    const std::optional<RowBudget> budget = budgetOf(entry);
    if (!budget || !budget->isKnown())
        return {};
    return column == MemoryColumn::share ? QVariant(budget->share) : QVariant(budget->fits() ? 1 : 0);
}

QString MemoryTableModel::toolTip(int row, MemoryColumn column) const
{
    if (hasProblem(row, column))
        return problem(row, column);
    if (column == MemoryColumn::model)
        return m_entries.at(row).cells.row.model; // the cell may be too narrow for it
    const Entry &entry = m_entries.at(row);
    if (column == MemoryColumn::kv_cache)
        return entry.bytes ? MemoryText::bytesAndSize(*entry.bytes, m_unit) : refusal(row);
    if (column != MemoryColumn::share && column != MemoryColumn::fits)
        return {};
    if (!entry.bytes)
        return refusal(row);
    const std::optional<RowBudget> budget = budgetOf(entry);
    return budget ? RowBudgets::explanation(*budget, *entry.model, entry.cells.row, *m_machine)
                  : tr("Choose a GPU above the table.");
}

} // namespace kvlab::ui
