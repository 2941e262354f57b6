// SPDX-License-Identifier: GPL-3.0-or-later
// Below the table: the formula of the current row with what it means for the chosen GPU, or why it has no number and
// what to do; two chosen rows compared; the note on the handout.
#pragma once

#include "ui/memory/memory_table_model.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace kvlab::ui {

class ElidingLabel;
class FormulaView;
class HandoutNote;
class MessageBar;
class TermsBar;

class RowDetails : public QWidget
{
    Q_OBJECT
public:
    explicit RowDetails(MemoryTableModel *model, QWidget *parent = nullptr);

    /// The row to explain, nullopt = none is current; and the chosen ones, which are compared when they are two.
    void setRow(std::optional<int> row, const QList<int> &chosen = {});
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
    void setupFacts();
    void setupRepair();
    void setupNote();
    void retranslate();
    void showNumber();
    void showRefusal();
    void showNote();
    void showComparison();
    QString sourceText() const;

    MemoryTableModel *m_model;
    std::optional<int> m_row;
    QList<int> m_chosen;
    QWidget *m_titleRow = nullptr;
    ElidingLabel *m_title = nullptr;
    QToolButton *m_copy = nullptr;
    FormulaView *m_formula = nullptr;
    TermsBar *m_terms = nullptr;
    QLabel *m_budget = nullptr;
    QLabel *m_comparison = nullptr;
    QLabel *m_source = nullptr;
    MessageBar *m_message = nullptr;
    QWidget *m_repair = nullptr;
    QPushButton *m_edit = nullptr;
    QPushButton *m_back = nullptr;
    HandoutNote *m_note = nullptr;
};

} // namespace kvlab::ui
