// SPDX-License-Identifier: GPL-3.0-or-later
// Left half of the bench: the editable memory table, its header and the formula of the current row.
#pragma once

#include "memory/model_list.h"

#include <QWidget>

#include <memory>

class QAction;
class QUndoStack;

namespace kvlab::ui {

class MemoryPanel : public QWidget
{
    Q_OBJECT
public:
    /// Every edit goes through `undoStack`, which the window owns.
    explicit MemoryPanel(QUndoStack *undoStack, QWidget *parent = nullptr);
    ~MemoryPanel() override;

    /// Replaces all rows (a document was opened); clears nothing on the undo stack, the window does that.
    void setRows(const QList<memory::MemoryRow> &rows);
    QList<memory::MemoryRow> rows() const;

    /// Add row, duplicate, remove, with shortcuts; for the Edit menu and the context menu. Texts follow the language.
    QList<QAction *> editActions() const;

protected:
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *object, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::ui
