// SPDX-License-Identifier: GPL-3.0-or-later
// Our figures of a model beside those of a real server: from a pasted log, a log file that grows, or the server itself.
#pragma once

#include "memory/model_list.h"
#include "memory/server_figures.h"

#include <QDialog>
#include <QTimer>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTabWidget;
class QTableView;

namespace kvlab::ui {

class ServerCheckModel;
class ServerLogFile;
class ServerQuestion;

class ServerCheckDialog : public QDialog
{
    Q_OBJECT
public:
    /// `model` by name or id; `row` gives length, batch and type of the cache that are compared.
    ServerCheckDialog(const QString &model, const memory::MemoryRow &row, QWidget *parent = nullptr,
        const memory::ModelLibrary &library = {});

    /// Reads and follows a log file.
    void openLog(const QString &path);

protected:
    void changeEvent(QEvent *event) override;

private:
    void setupQuestion(const QString &model);
    void setupPaste();
    void setupFile();
    void setupServer();
    void setupTable();
    void setupLayout();
    void retranslate();
    void retranslatePages();
    void updateFonts();
    void chooseLog();
    void askServer();
    /// Reads the text of the page in front and compares.
    void readText();
    void compare();
    void showState();
    QString stateText() const;
    QString problemText() const;
    QByteArray text() const;
    void copyTable();

    memory::MemoryRow m_row;
    memory::ModelLibrary m_library;
    memory::ServerFigures m_figures;
    QLabel *m_modelLabel = nullptr;
    QComboBox *m_model = nullptr;
    QLabel *m_dtypeLabel = nullptr;
    QComboBox *m_dtype = nullptr;
    QLabel *m_rowText = nullptr;
    QTabWidget *m_pages = nullptr;
    QPlainTextEdit *m_paste = nullptr;
    ServerLogFile *m_file = nullptr;
    QPushButton *m_open = nullptr;
    QLabel *m_fileText = nullptr;
    ServerQuestion *m_server = nullptr;
    QLabel *m_addressLabel = nullptr;
    QLineEdit *m_address = nullptr;
    QPushButton *m_ask = nullptr;
    QLabel *m_serverText = nullptr;
    QString m_addressProblem;
    QLabel *m_state = nullptr;
    QTableView *m_table = nullptr;
    ServerCheckModel *m_check = nullptr;
    QDialogButtonBox *m_buttons = nullptr;
    QPushButton *m_copy = nullptr;
    QTimer m_settle; ///< while somebody types
};

} // namespace kvlab::ui
