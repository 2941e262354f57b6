// SPDX-License-Identifier: GPL-3.0-or-later
// The window: menus, tool bar, the bench (memory table beside TTFT charts), status line; it owns the document, the undo
// stack, the practice engine's process and the experiment runner.
#pragma once

#include "session/session.h"

#include <QMainWindow>

#include <memory>

namespace kvlab::ui {

class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    explicit MainWindow(QWidget *parent = nullptr);
    ~MainWindow() override;

    /// Opens a document; on failure the window keeps what it had and shows why.
    void openFile(const QString &path);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::ui
