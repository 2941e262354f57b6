// SPDX-License-Identifier: GPL-3.0-or-later
// Below the table: the formula of the current row, or why it has no number and what to do, and the note on the handout.
#pragma once

#include "ui/memory/memory_table_model.h"

#include <QWidget>

class QHBoxLayout;
class QPushButton;
class QToolButton;

namespace kvlab::ui {

class ElidingLabel;
class FormulaView;
class HandoutNote;
class MessageBar;

class RowDetails : public QWidget
{
    Q_OBJECT
public:
    explicit RowDetails(MemoryTableModel *model, QWidget *parent = nullptr);

    /// The row to explain; nullopt = none is current.
    void setRow(std::optional<int> row);
    void refresh();

    /// Nothing forces the height: the scroll area around it decides.
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void editRequested(const QModelIndex &cell);
    void rowsRequested(const QList<int> &rows);

protected:
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void setupTitle();
    void setupRepair();
    void setupNote();
    void retranslate();
    void showNumber();
    void showRefusal();
    void showNote();

    MemoryTableModel *m_model;
    std::optional<int> m_row;
    QWidget *m_titleRow = nullptr;
    ElidingLabel *m_title = nullptr;
    QToolButton *m_copy = nullptr;
    FormulaView *m_formula = nullptr;
    MessageBar *m_message = nullptr;
    QWidget *m_repair = nullptr;
    QPushButton *m_edit = nullptr;
    QPushButton *m_back = nullptr;
    HandoutNote *m_note = nullptr;
};

} // namespace kvlab::ui
