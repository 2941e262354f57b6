// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/import_dialog.h"

#include "ui/dialogs/imported_view.h"
#include "ui/dialogs/local_model_list.h"
#include "ui/widgets/appearance.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QSplitter>
#include <QTabWidget>
#include <QThread>
#include <QVBoxLayout>

namespace kvlab::ui {

ImportDialog::ImportDialog(QWidget *parent)
    : QDialog(parent)
{
    setAcceptDrops(true);
    setupSources();
    setupLayout();
    retranslate();
    forgetReading();
}

ImportDialog::ImportDialog(const QString &path, QWidget *parent)
    : ImportDialog(parent)
{
    readFile(path);
}

ImportDialog::~ImportDialog()
{
    for (QThread *thread : std::as_const(m_threads)) {
        thread->disconnect(this);
        thread->wait();
        delete thread;
    }
}

std::optional<memory::ImportedModel> ImportDialog::ask(QWidget *parent)
{
    ImportDialog dialog(parent);
    return dialog.exec() == QDialog::Accepted ? dialog.model() : std::nullopt;
}

QString ImportDialog::droppedPath(const QMimeData *data)
{
    const QList<QUrl> urls = data->urls();
    return urls.size() == 1 && urls.constFirst().isLocalFile() ? urls.constFirst().toLocalFile() : QString();
}

void ImportDialog::setupSources()
{
    m_sources = new QTabWidget(this);
    m_sources->setDocumentMode(true);
    auto *file_page = new QWidget(this);
    auto *file_layout = new QVBoxLayout(file_page);
    auto *row = new QHBoxLayout;
    m_path = new QLineEdit(file_page);
    m_path->setObjectName(QStringLiteral("path"));
    m_path->setAcceptDrops(false); // a dropped file is read, not written out
    connect(m_path, &QLineEdit::returnPressed, this, [this] { readFile(m_path->text().trimmed()); });
    row->addWidget(m_path, 1);
    m_choose = new QPushButton(file_page);
    m_choose->setObjectName(QStringLiteral("chooseFile"));
    m_choose->setAutoDefault(false);
    connect(m_choose, &QPushButton::clicked, this, &ImportDialog::chooseFile);
    row->addWidget(m_choose);
    file_layout->addLayout(row);
    m_dropNote = new QLabel(file_page);
    m_dropNote->setWordWrap(true);
    setKind(m_dropNote, "secondary");
    file_layout->addWidget(m_dropNote);
    file_layout->addStretch();
    m_sources->addTab(file_page, QString());

    m_text = new QPlainTextEdit(this);
    m_text->setObjectName(QStringLiteral("json"));
    m_text->setAcceptDrops(false);
    m_text->viewport()->setAcceptDrops(false);
    m_text->setTabChangesFocus(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] { readText(m_text->toPlainText()); });
    m_sources->addTab(m_text, QString());

    m_local = new LocalModelList(this);
    connect(m_local, &LocalModelList::chosen, this, &ImportDialog::readFile);
    m_sources->addTab(m_local, QString());
}

void ImportDialog::setupLayout()
{
    auto *layout = new QVBoxLayout(this);
    auto *parts = new QSplitter(Qt::Vertical, this);
    parts->setChildrenCollapsible(false);
    m_view = new ImportedView(this);
    parts->addWidget(m_sources);
    parts->addWidget(m_view);
    parts->setStretchFactor(1, 1);
    layout->addWidget(parts, 1);
    m_buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &ImportDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &ImportDialog::reject);
    layout->addWidget(m_buttons);
    const QFontMetrics metrics(bodyFont());
    // Large type on a small screen: the parts scroll.
    const QSize screen_size = screen()->availableSize();
    resize(QSize(metrics.averageCharWidth() * 110, metrics.lineSpacing() * 32).boundedTo(screen_size * 9 / 10));
    const int sources = metrics.lineSpacing() * 9;
    parts->setSizes({sources, height() - sources});
}

void ImportDialog::retranslate()
{
    setWindowTitle(tr("Import a model"));
    m_sources->setTabText(0, tr("&File"));
    m_sources->setTabText(1, tr("&Paste JSON"));
    m_sources->setTabText(2, tr("On this c&omputer"));
    m_path->setAccessibleName(tr("Path of the file"));
    m_path->setPlaceholderText(tr("config.json, a GGUF file, a safetensors file, or a folder with them"));
    m_choose->setText(tr("&Choose…"));
    m_dropNote->setText(tr("Files can be dropped here as well. Of large files only the header is read."));
    m_text->setAccessibleName(tr("Text of a config.json"));
    m_text->setPlaceholderText(QStringLiteral("{\n  \"num_hidden_layers\": 28,\n  …\n}"));
    m_buttons->button(QDialogButtonBox::Ok)->setText(tr("Use this model"));
    m_buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
}

void ImportDialog::chooseFile()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Import a model"), m_path->text(), tr("Models (*.json *.gguf *.safetensors);;All files (*)"));
    if (!path.isEmpty())
        readFile(path);
}

void ImportDialog::forgetReading()
{
    ++m_reading;
    m_model.reset();
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(false);
}

void ImportDialog::readFile(const QString &path)
{
    forgetReading();
    if (path.isEmpty())
        return m_view->showNothing();
    m_path->setText(QDir::toNativeSeparators(path));
    m_view->showReading(QFileInfo(path).fileName());
    const auto result = std::make_shared<memory::ImportResult>();
    QThread *const thread = QThread::create([result, path] { *result = memory::importModelFile(path); });
    m_threads << thread;
    connect(thread, &QThread::finished, this, [this, thread, result, number = m_reading] {
        m_threads.removeOne(thread);
        thread->deleteLater();
        if (number == m_reading)
            showResult(*result);
    });
    thread->start();
}

void ImportDialog::readText(const QString &text)
{
    forgetReading();
    if (text.trimmed().isEmpty())
        return m_view->showNothing();
    showResult(memory::importConfigJson(text.toUtf8(), tr("Pasted model", "name of a model without a name")));
}

void ImportDialog::showResult(const memory::ImportResult &result)
{
    m_model.reset();
    if (const auto *imported = std::get_if<memory::ImportedModel>(&result))
        m_model = *imported;
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(m_model.has_value());
    m_view->showResult(result);
}

void ImportDialog::accept()
{
    // Return in the path field reads the file first.
    if (m_model)
        QDialog::accept();
}

void ImportDialog::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QDialog::changeEvent(event);
}

void ImportDialog::dragEnterEvent(QDragEnterEvent *event)
{
    if (!droppedPath(event->mimeData()).isEmpty() || event->mimeData()->hasText())
        event->acceptProposedAction();
}

void ImportDialog::dropEvent(QDropEvent *event)
{
    const QString path = droppedPath(event->mimeData());
    if (!path.isEmpty()) {
        m_sources->setCurrentIndex(0);
        readFile(path);
    } else {
        m_sources->setCurrentIndex(1);
        m_text->setPlainText(event->mimeData()->text());
    }
    event->acceptProposedAction();
}

} // namespace kvlab::ui
