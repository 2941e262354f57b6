// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/server_check_dialog.h"

#include "memory/server_check.h"
#include "ui/dialogs/server_check_model.h"
#include "ui/dialogs/server_dialog.h"
#include "ui/dialogs/server_log_file.h"
#include "ui/dialogs/server_question.h"
#include "ui/memory/cell_editors.h"
#include "ui/memory/memory_text.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/text_color.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QStyledItemDelegate>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace kvlab::ui {

namespace {

enum Page { PastePage, FilePage, ServerPage };

QLabel *secondaryLabel(QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setKind(label, "secondary");
    return label;
}

/// Cells of several lines, which do not touch the lines around them.
class RoomyDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        constexpr int margin = 3;
        return QStyledItemDelegate::sizeHint(option, index) + QSize(2 * margin, 2 * margin);
    }
};

/// In line with what is above and below the pages.
QVBoxLayout *pageLayout(QWidget *page)
{
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, layout->contentsMargins().top(), 0, 0);
    return layout;
}

/// A page with controls in one line and a text below.
QWidget *pageOf(const QList<QWidget *> &controls, QWidget *below, QWidget *parent)
{
    auto *page = new QWidget(parent);
    auto *line = new QHBoxLayout;
    for (QWidget *control : controls)
        line->addWidget(control, qobject_cast<QLineEdit *>(control) != nullptr ? 1 : 0);
    if (controls.size() == 1)
        line->addStretch();
    auto *layout = pageLayout(page);
    layout->addLayout(line);
    layout->addWidget(below, 1);
    return page;
}

} // namespace

ServerCheckDialog::ServerCheckDialog(
    const QString &model, const memory::MemoryRow &row, QWidget *parent, const memory::ModelLibrary &library)
    : QDialog(parent)
    , m_row(row)
    , m_library(library)
{
    setupQuestion(model);
    setupPaste();
    setupFile();
    setupServer();
    setupTable();
    setupLayout();
    updateFonts();
    retranslate();
    m_paste->setFocus();
}

void ServerCheckDialog::setupQuestion(const QString &model)
{
    m_modelLabel = new QLabel(this);
    m_model = new QComboBox(this);
    makeModelSearch(m_model, m_library.names());
    m_model->setObjectName(QStringLiteral("model"));
    const memory::ModelSpec *known = m_library.find(model);
    setEditorText(m_model, known == nullptr ? model : known->name);
    m_modelLabel->setBuddy(m_model);
    m_dtypeLabel = new QLabel(this);
    m_dtype = new QComboBox(this);
    m_dtype->setObjectName(QStringLiteral("kv_dtype"));
    for (const memory::CacheFormat format : memory::allCacheFormats())
        m_dtype->addItem(memory::cacheFormatName(format));
    m_dtype->setCurrentText(memory::cacheFormatName(m_row.kv_dtype));
    m_dtypeLabel->setBuddy(m_dtype);
    m_rowText = new QLabel(this);
    setKind(m_rowText, "secondary");
    connect(m_model, &QComboBox::editTextChanged, this, &ServerCheckDialog::compare);
    connect(m_dtype, &QComboBox::currentIndexChanged, this, &ServerCheckDialog::compare);
}

void ServerCheckDialog::setupPaste()
{
    constexpr int settle_ms = 150;
    m_pages = new QTabWidget(this);
    m_pages->setObjectName(QStringLiteral("pages"));
    m_pages->setDocumentMode(true);
    m_paste = new QPlainTextEdit(this);
    m_paste->setObjectName(QStringLiteral("paste"));
    m_paste->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_paste->setTabChangesFocus(true);
    m_paste->setUndoRedoEnabled(false);
    auto *page = new QWidget(this);
    pageLayout(page)->addWidget(m_paste);
    m_pages->addTab(page, QString());
    m_settle.setSingleShot(true);
    m_settle.setInterval(settle_ms);
    connect(m_paste, &QPlainTextEdit::textChanged, &m_settle, qOverload<>(&QTimer::start));
    connect(&m_settle, &QTimer::timeout, this, &ServerCheckDialog::readText);
}

void ServerCheckDialog::setupFile()
{
    m_file = new ServerLogFile(this);
    m_open = new QPushButton(this);
    m_open->setObjectName(QStringLiteral("openLog"));
    m_open->setAutoDefault(false);
    m_fileText = secondaryLabel(this);
    m_fileText->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_pages->addTab(pageOf({m_open}, m_fileText, this), QString());
    connect(m_open, &QPushButton::clicked, this, &ServerCheckDialog::chooseLog);
    connect(m_file, &ServerLogFile::changed, this, &ServerCheckDialog::readText);
}

void ServerCheckDialog::setupServer()
{
    m_server = new ServerQuestion(this);
    m_server->setObjectName(QStringLiteral("question"));
    m_addressLabel = new QLabel(this);
    m_address = new QLineEdit(this);
    m_address->setObjectName(QStringLiteral("address"));
    m_address->setInputMethodHints(Qt::ImhUrlCharactersOnly | Qt::ImhNoPredictiveText);
    m_address->setPlaceholderText(QStringLiteral("http://localhost:8000"));
    m_addressLabel->setBuddy(m_address);
    m_ask = new QPushButton(this);
    m_ask->setObjectName(QStringLiteral("ask"));
    m_ask->setAutoDefault(false);
    m_serverText = secondaryLabel(this);
    m_serverText->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_pages->addTab(pageOf({m_addressLabel, m_address, m_ask}, m_serverText, this), QString());
    connect(m_ask, &QPushButton::clicked, this, &ServerCheckDialog::askServer);
    connect(m_address, &QLineEdit::returnPressed, this, &ServerCheckDialog::askServer);
    connect(m_server, &ServerQuestion::finished, this, &ServerCheckDialog::readText);
    connect(m_pages, &QTabWidget::currentChanged, this, &ServerCheckDialog::readText);
}

void ServerCheckDialog::setupTable()
{
    m_check = new ServerCheckModel(this);
    m_table = new QTableView(this);
    m_table->setObjectName(QStringLiteral("table"));
    m_table->setModel(m_check);
    m_table->setWordWrap(true);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTabKeyNavigation(false);
    m_table->setItemDelegate(new RoomyDelegate(m_table));
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(ServerCheckModel::ReasonColumn, QHeaderView::Stretch);
    connect(m_table->horizontalHeader(), &QHeaderView::sectionResized, m_table, [this](int column) {
        if (column == ServerCheckModel::ReasonColumn)
            m_table->resizeRowsToContents();
    });
    m_state = new QLabel(this);
    m_state->setObjectName(QStringLiteral("state"));
    m_state->setWordWrap(true);
    m_state->setTextFormat(Qt::PlainText);
    auto *copy = new QShortcut(QKeySequence::Copy, m_table, nullptr, nullptr, Qt::WidgetShortcut);
    connect(copy, &QShortcut::activated, this, &ServerCheckDialog::copyTable);
}

void ServerCheckDialog::setupLayout()
{
    auto *question = new QHBoxLayout;
    question->addWidget(m_modelLabel);
    question->addWidget(m_model, 1);
    question->addWidget(m_dtypeLabel);
    question->addWidget(m_dtype);
    question->addWidget(m_rowText);
    m_buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_copy = m_buttons->addButton(QString(), QDialogButtonBox::ActionRole);
    m_copy->setObjectName(QStringLiteral("copy"));
    m_copy->setAutoDefault(false);
    m_buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_copy, &QPushButton::clicked, this, &ServerCheckDialog::copyTable);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(question);
    layout->addWidget(m_pages, 2);
    layout->addWidget(m_state);
    layout->addWidget(m_table, 5);
    layout->addWidget(m_buttons);
    const QFontMetrics metrics(bodyFont());
    resize(metrics.averageCharWidth() * 130, metrics.height() * 38);
}

void ServerCheckDialog::retranslate()
{
    setWindowTitle(tr("Compare with a server’s log"));
    m_modelLabel->setText(tr("&Model"));
    m_dtypeLabel->setText(tr("Cache &type"));
    m_rowText->setText(tr("%1 tokens × %2 at once", "length and batch of the row")
                           .arg(MemoryText::count(m_row.seq_len), MemoryText::count(m_row.batch)));
    m_model->setAccessibleName(tr("Model"));
    m_dtype->setAccessibleName(tr("Cache type"));
    retranslatePages();
    m_table->setAccessibleName(tr("Comparison"));
    m_copy->setText(tr("&Copy as text"));
    m_buttons->button(QDialogButtonBox::Close)->setText(tr("Close"));
    m_check->refresh();
    showState();
}

void ServerCheckDialog::retranslatePages()
{
    m_pages->setTabText(PastePage, tr("Pasted text"));
    m_pages->setTabText(FilePage, tr("Log file"));
    m_pages->setTabText(ServerPage, tr("Running server"));
    m_paste->setAccessibleName(tr("Pasted text"));
    m_paste->setPlaceholderText(
        tr("Paste what the server printed when it started, its /metrics page or Ollama’s /api/ps."));
    m_open->setText(tr("&Open a log file…"));
    m_addressLabel->setText(tr("&Address"));
    m_address->setAccessibleName(tr("Address"));
    m_ask->setText(tr("As&k"));
    m_serverText->setText(tr("Reads /metrics (vLLM) and /api/ps (Ollama). For llama.cpp and SGLang open the log."));
}

void ServerCheckDialog::updateFonts()
{
    QFont log = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    log.setPointSizeF(bodyFont().pointSizeF());
    m_paste->setFont(log);
    m_table->verticalHeader()->setMinimumSectionSize(rowHeight(bodyFont()));
    m_table->resizeRowsToContents();
}

void ServerCheckDialog::openLog(const QString &path)
{
    m_pages->setCurrentIndex(FilePage);
    m_file->setPath(path);
}

void ServerCheckDialog::chooseLog()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a log file"), QString(), tr("Logs (*.log *.txt *.out);;All files (*)"));
    if (!path.isEmpty())
        openLog(path);
}

void ServerCheckDialog::askServer()
{
    m_addressProblem.clear();
    const auto address = readServerAddress(m_address->text());
    if (const QString *problem = std::get_if<QString>(&address))
        m_addressProblem = *problem;
    else
        m_server->ask(std::get<QUrl>(address));
    readText();
}

QByteArray ServerCheckDialog::text() const
{
    switch (m_pages->currentIndex()) {
    case FilePage:
        return m_file->text();
    case ServerPage:
        return m_server->text();
    default:
        return m_paste->toPlainText().toUtf8();
    }
}

void ServerCheckDialog::readText()
{
    m_figures = memory::readServerFigures(text());
    compare();
}

void ServerCheckDialog::compare()
{
    m_row.kv_dtype = memory::cacheFormatFromName(m_dtype->currentText()).value_or(m_row.kv_dtype);
    memory::ServerCheck check;
    if (const memory::ModelSpec *model = m_library.find(m_model->currentText())) {
        memory::MemoryQuery query;
        query.seq_len = m_row.seq_len;
        query.batch = m_row.batch;
        query.kv_dtype = m_row.kv_dtype;
        check = memory::checkServer(*model, query, memory::defaultProfile(memory::Engine::ideal), m_figures);
    }
    m_check->setCheck(check);
    m_table->resizeRowsToContents();
    showState();
}

/// What went wrong; empty when nothing did.
QString ServerCheckDialog::problemText() const
{
    const int page = m_pages->currentIndex();
    if (page == FilePage && !m_file->problem().isEmpty())
        return m_file->problem();
    if (page == ServerPage && !m_addressProblem.isEmpty())
        return m_addressProblem;
    if (page == ServerPage && !m_server->isAsking() && !m_server->problem().isEmpty())
        return m_server->problem();
    if (m_library.find(m_model->currentText()) == nullptr)
        return tr("There is no model “%1” in the list. Choose one of the list, or import it first.")
            .arg(m_model->currentText().trimmed());
    if (m_check->check().refusal)
        return m_check->check().refusal->message;
    if (m_figures.figures.isEmpty() && !text().trimmed().isEmpty())
        return tr(
            "Nothing in this text is a figure of vLLM, SGLang, llama.cpp or Ollama about its cache. Take what the "
            "server prints when it starts; llama.cpp prints it only with -lv 4.");
    return {};
}

QString ServerCheckDialog::stateText() const
{
    const int page = m_pages->currentIndex();
    if (page == ServerPage && m_server->isAsking())
        return tr("Asking the server…");
    if (m_figures.figures.isEmpty())
        return tr("Nothing to compare yet.");
    QStringList servers;
    for (const memory::ServerKind server : m_figures.servers)
        servers << memory::serverKindName(server);
    QStringList sentences{
        tr("Recognised: %1. %n figure(s).", nullptr, int(m_figures.figures.size())).arg(servers.join(u", "))};
    if (m_figures.earlier_starts > 0)
        sentences << tr("%n earlier start(s) passed over.", nullptr, int(m_figures.earlier_starts));
    if (m_figures.truncated)
        sentences << tr("The text was too long to be read whole.");
    return sentences.join(u' ');
}

void ServerCheckDialog::showState()
{
    const QString problem = problemText();
    setTextColor(m_state, problem.isEmpty() ? tokens().text2 : tokens().bad);
    m_state->setText(problem.isEmpty() ? stateText() : problem);
    m_fileText->setVisible(m_file->problem().isEmpty());
    m_fileText->setText(m_file->path().isEmpty()
            ? tr("The file is read again whenever it grows.")
            : tr("%1 is read again whenever it grows.").arg(QDir::toNativeSeparators(m_file->path())));
    m_copy->setEnabled(m_check->rowCount() > 0);
}

void ServerCheckDialog::copyTable()
{
    QGuiApplication::clipboard()->setText(m_check->plainText());
}

void ServerCheckDialog::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    if (event->type() == QEvent::FontChange && m_state != nullptr)
        updateFonts();
    if (event->type() == QEvent::PaletteChange && m_state != nullptr) {
        m_check->refresh();
        showState();
    }
    QDialog::changeEvent(event);
}

} // namespace kvlab::ui
