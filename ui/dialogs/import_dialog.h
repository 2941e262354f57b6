// SPDX-License-Identifier: GPL-3.0-or-later
// Takes a model from its own file, from pasted text, or from what is on this computer, and shows what was understood of
// it before it is used. Takes files dropped on it, too.
#pragma once

#include "memory/importers/model_import.h"

#include <QDialog>

class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QMimeData;
class QPlainTextEdit;
class QPushButton;
class QTabWidget;

namespace kvlab::ui {

class ImportedView;
class LocalModelList;

class ImportDialog : public QDialog
{
    Q_OBJECT
public:
    explicit ImportDialog(QWidget *parent = nullptr);
    /// With a file that was dropped somewhere else.
    explicit ImportDialog(const QString &path, QWidget *parent = nullptr);
    ~ImportDialog() override;

    /// Asks; nullopt when it is cancelled.
    static std::optional<memory::ImportedModel> ask(QWidget *parent);
    /// The file that a drag brings, if it is one that can be asked about; empty when not.
    static QString droppedPath(const QMimeData *data);

    /// Reads it and shows what it holds; at once for the eye, but in a thread of its own.
    void readFile(const QString &path);
    void readText(const QString &text);

    /// What OK would hand over.
    const std::optional<memory::ImportedModel> &model() const { return m_model; }

    void accept() override;

protected:
    void changeEvent(QEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void setupSources();
    void setupLayout();
    void retranslate();
    void chooseFile();
    void showResult(const memory::ImportResult &result);
    /// Ends what is being read; its result does not count any more.
    void forgetReading();

    QTabWidget *m_sources = nullptr;
    QLineEdit *m_path = nullptr;
    QPushButton *m_choose = nullptr;
    QLabel *m_dropNote = nullptr;
    QPlainTextEdit *m_text = nullptr;
    LocalModelList *m_local = nullptr;
    ImportedView *m_view = nullptr;
    QDialogButtonBox *m_buttons = nullptr;
    QList<QThread *> m_threads; ///< of files that are being read
    int m_reading = 0; ///< number of the newest; older results are dropped
    std::optional<memory::ImportedModel> m_model;
};

} // namespace kvlab::ui
