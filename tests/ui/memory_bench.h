// SPDX-License-Identifier: GPL-3.0-or-later
// A memory panel with its undo stack and a model tester that watches every change, for the tests of the panel.
#pragma once

#include "ui/memory/memory_panel.h"
#include "ui/memory/memory_table_model.h"
#include "ui/memory/memory_table_view.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QTest>
#include <QUndoStack>

namespace kvlab::ui {

/// Qwen2.5-7B keeps 2 × 28 × 4 × 128 × 2 B = 57,344 B per token, so 4,096 tokens take 234,881,024 B = 0.219 GiB.
inline const memory::MemoryRow qwen7b{QStringLiteral("Qwen2.5-7B"), 4096, 1, memory::CacheFormat::bf16};
inline const memory::MemoryRow qwen72b{QStringLiteral("Qwen2.5-72B"), 8192, 8, memory::CacheFormat::bf16};

/// 24 GiB, of which 90 % less 2 GiB overhead may hold weights and cache.
inline memory::Machine rtx4090()
{
    memory::Machine machine;
    machine.device = QStringLiteral("RTX 4090");
    machine.capacity = memory::Bytes(24) << 30;
    return machine;
}

struct MemoryBench
{
    explicit MemoryBench(const QList<memory::MemoryRow> &rows, const QSize &size = {560, 640})
        : panel(&undo)
        , table(panel.findChild<MemoryTableView *>())
        , model(qobject_cast<MemoryTableModel *>(table->model()))
        , tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest)
    {
        panel.setRows(rows);
        panel.resize(size);
        panel.show();
    }

    bool activate() { return QTest::qWaitForWindowActive(&panel); }

    void choose(int row, MemoryColumn column)
    {
        table->setFocus();
        table->setCurrentIndex(model->cell(row, column));
    }

    void type(const QString &text, Qt::Key end = Qt::Key_Return)
    {
        QTest::keyClicks(table, text.left(1));
        QWidget *editor = QApplication::focusWidget();
        QTest::keyClicks(editor, text.mid(1));
        QTest::keyClick(editor, end);
    }

    QString text(int row, MemoryColumn column) const { return model->cell(row, column).data().toString(); }
    QString toolTip(int row, MemoryColumn column) const
    {
        return model->cell(row, column).data(Qt::ToolTipRole).toString();
    }
    QString problem(int row, MemoryColumn column) const
    {
        return model->cell(row, column).data(MemoryTableModel::problem_role).toString();
    }
    QAction *action(int place) const { return panel.editActions().at(place); }

    QUndoStack undo;
    MemoryPanel panel;
    MemoryTableView *table;
    MemoryTableModel *model;
    QAbstractItemModelTester tester;
};

} // namespace kvlab::ui
