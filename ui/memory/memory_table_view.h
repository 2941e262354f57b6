// SPDX-License-Identifier: GPL-3.0-or-later
// The table as a spreadsheet: typing or F2 edits, Return goes down, Shift+Return up, Tab right, Esc restores.
#pragma once

#include <QTableView>

namespace kvlab::ui {

class MemoryDelegate;
class MemoryTableModel;

class MemoryTableView : public QTableView
{
    Q_OBJECT
public:
    explicit MemoryTableView(MemoryTableModel *model, QWidget *parent = nullptr);

    /// Hides rows that do not hold every word of the text; empty shows all. New and edited rows stay in sight.
    void setFilter(const QString &text);
    int shownRows() const;

    /// Rows in sight with a selected cell, ascending; the current row when none is selected.
    QList<int> chosenRows() const;
    void chooseRows(const QList<int> &rows);
    /// The chosen rows as cells, as the screen shows them, columns out of sight left out.
    QList<QStringList> chosenCells() const;

    /// Fonts, style or language changed: heights and widths anew.
    void updateMetrics();

    using QTableView::edit;

protected:
    bool edit(const QModelIndex &index, EditTrigger trigger, QEvent *event) override;
    void closeEditor(QWidget *editor, QAbstractItemDelegate::EndEditHint hint) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool focusNextPrevChild(bool next) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void setupLook();
    void followModel();
    void applyFilter();
    void widen(int firstRow, int lastRow);
    void hideColumns(int leastModelWidth);
    void layOutColumns();
    void moveRows(int step);

    MemoryTableModel *m_model;
    MemoryDelegate *m_delegate;
    QStringList m_filter; ///< words
    QList<int> m_widths; ///< wanted by headers and contents
    QList<qsizetype> m_longest; ///< characters of the longest cell measured so far
};

} // namespace kvlab::ui
