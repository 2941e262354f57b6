// SPDX-License-Identifier: GPL-3.0-or-later
// Left half of the bench: the editable memory table, its header and the formula of the current row.
#pragma once

#include "memory/model_list.h"

#include <QWidget>

#include <memory>

class QAction;
class QSettings;
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

    /// The models that the document has beside the built-in list.
    void setLibrary(const memory::ModelLibrary &library);
    const memory::ModelLibrary &library() const;
    /// Adds a row below the current one, as an undo step.
    void addRow(const memory::MemoryRow &row);
    /// The current row, or nothing.
    std::optional<memory::MemoryRow> currentRow() const;

    void saveState(QSettings &settings) const; ///< GPU and unit
    void restoreState(const QSettings &settings);

    /// Add row, duplicate, remove, copy, chart, sort, paste, fill, move, with shortcuts; for the Edit menu and the
    /// context menu. Texts follow the language.
    QList<QAction *> editActions() const;

Q_SIGNALS:
    void importRequested();
    void currentRowChanged();
    /// A sentence: why nothing was pasted.
    void pasteRefused(const QString &message);

protected:
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *object, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::ui
