// SPDX-License-Identifier: GPL-3.0-or-later
// The window's models: imported from files, dropped on it, edited as a copy, compared with what a server says.
#include "ui/dialogs/import_dialog.h"
#include "ui/dialogs/model_copy_dialog.h"
#include "ui/dialogs/server_check_dialog.h"
#include "ui/main_window.h"
#include "ui/memory/memory_panel.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>

namespace kvlab::ui {

void MainWindow::importModel(const QString &path)
{
    auto *dialog = path.isEmpty() ? new ImportDialog(this) : new ImportDialog(path, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        if (dialog->model())
            addModel(dialog->model()->model);
    });
    dialog->open();
}

/// The document knows it from now on, and a row shows what it costs.
void MainWindow::addModel(const memory::ModelSpec &model)
{
    memory::ModelLibrary library = m_memory->library();
    const QString name = library.add(model);
    m_memory->setLibrary(library);
    memory::MemoryRow row;
    row.model = name;
    m_memory->addRow(row);
    setStatus([name] { return tr("%1 is in the list of models now; a row with it was added.").arg(name); });
}

void MainWindow::editModelCopy()
{
    const std::optional<memory::MemoryRow> row = m_memory->currentRow();
    const memory::ModelSpec *model = row ? m_memory->library().find(row->model) : nullptr;
    if (model == nullptr) {
        showError(tr("There is no model to copy. Choose a row whose model is in the list."));
        return;
    }
    auto *dialog = new ModelCopyDialog(*model, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { addModel(*dialog->model()); });
    dialog->open();
}

void MainWindow::checkServerLog()
{
    const memory::MemoryRow row = m_memory->currentRow().value_or(memory::MemoryRow{});
    auto *dialog = new ServerCheckDialog(row.model, row, this, m_memory->library());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show(); // beside the table, not in its way
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (!ImportDialog::droppedPath(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    const QString path = ImportDialog::droppedPath(event->mimeData());
    if (path.isEmpty())
        return;
    event->acceptProposedAction();
    if (path.endsWith(QLatin1String(".kvlab"), Qt::CaseInsensitive)) {
        if (mayDiscard())
            openFile(path);
    } else {
        importModel(path);
    }
}

} // namespace kvlab::ui
