// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiers/hit_dialog.h"

#include "ui/tiers/chat_log_job.h"
#include "ui/tiers/hit_table.h"
#include "ui/tiers/hit_texts.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/text_color.h"

#include <QEvent>
#include <QFileDialog>
#include <QGridLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTextBlock>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace kvlab::ui {

namespace {

constexpr int typingPause = 300; ///< ms

} // namespace

HitDialog::HitDialog(QWidget *parent)
    : QDialog(parent)
{
    setupWidgets();
    setupLayout();
    setupReplay();
    retranslate();
    restyle();
    compare();
}

HitDialog::~HitDialog() = default;

void HitDialog::setupWidgets()
{
    m_wait = new QTimer(this);
    m_wait->setSingleShot(true);
    m_wait->setInterval(typingPause);
    connect(m_wait, &QTimer::timeout, this, &HitDialog::compare);
    for (Side &side : m_sides) {
        side.title = new QLabel(this);
        side.pasted = new QPlainTextEdit(this);
        side.pasted->setTabChangesFocus(true);
        side.read = new QPlainTextEdit(this);
        side.read->setReadOnly(true);
        side.read->setTabChangesFocus(true);
        side.title->setBuddy(side.pasted);
        connect(side.pasted, &QPlainTextEdit::textChanged, m_wait, qOverload<>(&QTimer::start));
    }
    m_sides[0].pasted->setObjectName(QStringLiteral("firstPrompt"));
    m_sides[1].pasted->setObjectName(QStringLiteral("secondPrompt"));
    m_sides[0].read->setObjectName(QStringLiteral("firstRead"));
    m_sides[1].read->setObjectName(QStringLiteral("secondRead"));
    m_hint = new QLabel(this);
    m_readTitle = new QLabel(this);
    m_parting = new QLabel(this);
    m_reason = new QLabel(this);
    m_notes = new QLabel(this);
    for (QLabel *label : {m_hint, m_parting, m_reason, m_notes}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    m_parting->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_reason->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_table = new HitTable(this);
    m_view = new QTableView(this);
    m_view->setModel(m_table);
    m_view->setShowGrid(false);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setTabKeyNavigation(false);
    m_view->setWordWrap(false);
    m_view->verticalHeader()->hide();
    m_view->horizontalHeader()->setSectionResizeMode(HitTable::DesignColumn, QHeaderView::Stretch);
}

QWidget *HitDialog::createComparePage()
{
    auto *page = new QWidget(this);
    auto *grid = new QGridLayout;
    grid->setSpacing(6);
    for (int side = 0; side < 2; ++side) {
        grid->addWidget(m_sides[side].title, 0, side);
        grid->addWidget(m_sides[side].pasted, 1, side);
        grid->addWidget(m_sides[side].read, 3, side);
    }
    grid->addWidget(m_readTitle, 2, 0, 1, 2);
    grid->setRowStretch(1, 2);
    grid->setRowStretch(3, 2);
    auto *words = new QVBoxLayout;
    words->addWidget(m_parting);
    words->addWidget(m_reason);
    words->addWidget(m_notes);
    words->addStretch();
    auto *result = new QHBoxLayout;
    result->setSpacing(16);
    result->addLayout(words, 4);
    result->addWidget(m_view, 5);
    auto *column = new QVBoxLayout(page);
    column->addWidget(m_hint);
    column->addLayout(grid, 3);
    column->addLayout(result, 2);
    return page;
}

QWidget *HitDialog::createLogPage()
{
    auto *page = new QWidget(this);
    m_logHint = new QLabel(page);
    m_logHint->setWordWrap(true);
    m_chooseLog = new QPushButton(page);
    m_stop = new QPushButton(page);
    m_stop->setObjectName(QStringLiteral("stopReplay"));
    m_progress = new QLabel(page);
    m_logResult = new QPlainTextEdit(page);
    m_logResult->setObjectName(QStringLiteral("replayResult"));
    m_logResult->setReadOnly(true);
    m_logResult->setTabChangesFocus(true);
    auto *row = new QHBoxLayout;
    row->addWidget(m_chooseLog);
    row->addWidget(m_stop);
    row->addWidget(m_progress, 1);
    auto *column = new QVBoxLayout(page);
    column->addWidget(m_logHint);
    column->addLayout(row);
    column->addWidget(m_logResult, 1);
    return page;
}

void HitDialog::setupLayout()
{
    m_tabs = new QTabWidget(this);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(createComparePage(), {});
    m_tabs->addTab(createLogPage(), {});
    m_close = new QPushButton(this);
    m_close->setAutoDefault(false);
    connect(m_close, &QPushButton::clicked, this, &QDialog::close);
    auto *foot = new QHBoxLayout;
    foot->addStretch();
    foot->addWidget(m_close);
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_tabs, 1);
    column->addLayout(foot);
    resize(980, 640);
    const QList<QWidget *> order{m_sides[0].pasted, m_sides[1].pasted, m_sides[0].read, m_sides[1].read, m_view,
        m_chooseLog, m_stop, m_logResult, m_close};
    for (qsizetype i = 0; i + 1 < order.size(); ++i)
        setTabOrder(order.at(i), order.at(i + 1));
    m_sides[0].pasted->setFocus();
}

void HitDialog::setupReplay()
{
    m_job = new ChatLogJob(this);
    m_stop->setEnabled(false);
    connect(m_chooseLog, &QPushButton::clicked, this, &HitDialog::chooseLog);
    connect(m_stop, &QPushButton::clicked, m_job, &ChatLogJob::stop);
    connect(m_job, &ChatLogJob::progressed, this, [this](int done, int of) {
        const QLocale locale;
        m_progress->setText(of == 0 ? tr("Reading the file…")
                                    : tr("%1 of %2 requests").arg(locale.toString(done), locale.toString(of)));
    });
    connect(m_job, &ChatLogJob::finished, this,
        [this](const prefix::ReplayResult &result) { endReplay(hit_texts::replayed(result, {})); });
    connect(m_job, &ChatLogJob::failed, this, &HitDialog::endReplay);
}

void HitDialog::setPrompts(const QString &first, const QString &second)
{
    m_sides[0].pasted->setPlainText(first);
    m_sides[1].pasted->setPlainText(second);
    compare();
}

void HitDialog::compare()
{
    m_wait->stop();
    QStringList notes;
    for (Side &side : m_sides) {
        const auto request = prefix::requestFromPasted(side.pasted->toPlainText().toUtf8());
        side.prompt = prefix::renderRequest(request, m_tokenizer);
        side.read->setPlainText(side.prompt.text());
        for (const QString &note : request.notes)
            notes << QStringLiteral("%1: %2").arg(side.title->text().remove(u'&'), note);
    }
    m_notes->setText(notes.join(u'\n'));
    m_notes->setVisible(!notes.isEmpty());
    if (m_sides[0].prompt.prompt.tokens.empty() || m_sides[1].prompt.prompt.tokens.empty()) {
        m_table->clear();
        m_parting->setText(tr("Paste two prompts, or two requests as JSON, to see where they part."));
        m_reason->clear();
        return;
    }
    const auto forecast = prefix::forecastHit(m_sides[0].prompt.prompt, m_sides[1].prompt.prompt);
    m_parting->setText(hit_texts::parting(forecast, m_sides[1].prompt));
    m_reason->setText(hit_texts::reason(forecast));
    m_table->setPrompts(m_sides[0].prompt.prompt, m_sides[1].prompt.prompt);
    for (Side &side : m_sides)
        mark(side, forecast);
}

/// Common text steps back, the first different token is framed; tokens near it are told apart by their shading.
void HitDialog::mark(Side &side, const prefix::HitForecast &forecast)
{
    constexpr int near = 12;
    const int count = int(side.prompt.prompt.tokens.size());
    const int parting = std::min(forecast.common_tokens, count);
    QList<QTextEdit::ExtraSelection> marks;
    const auto select = [&](int from, int until) {
        QTextCursor cursor(side.read->document());
        cursor.setPosition(int(side.prompt.characterOf(from)));
        cursor.setPosition(int(side.prompt.characterOf(until)), QTextCursor::KeepAnchor);
        return cursor;
    };
    QTextEdit::ExtraSelection common;
    common.cursor = select(0, parting);
    common.format.setForeground(tokens().text2);
    marks << common;
    for (int token = std::max(0, parting - near); token < std::min(count, parting + near); ++token) {
        QTextEdit::ExtraSelection shade;
        shade.cursor = select(token, token + 1);
        const bool isFirst = token == parting && forecast.first_difference;
        if (isFirst) {
            shade.format.setBackground(tokens().warnbg);
            shade.format.setForeground(tokens().warn);
            shade.format.setFontWeight(QFont::Bold);
            shade.format.setFontUnderline(true);
        } else {
            shade.format.setBackground(token % 2 == 0 ? tokens().header : tokens().base);
        }
        marks << shade;
    }
    side.read->setExtraSelections(marks);
    QTextCursor at = select(parting, parting);
    side.read->setTextCursor(at);
    side.read->centerCursor();
}

void HitDialog::chooseLog()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a chat log"), {},
        tr("Chat logs, one request a line (*.jsonl *.ndjson *.json *.txt);;All files (*)"));
    if (!path.isEmpty())
        replay(path);
}

void HitDialog::replay(const QString &path)
{
    m_tabs->setCurrentIndex(1);
    m_chooseLog->setEnabled(false);
    m_stop->setEnabled(true);
    m_logResult->clear();
    m_progress->setText(tr("Reading the file…"));
    m_job->start(path, {});
}

void HitDialog::endReplay(const QString &text)
{
    m_chooseLog->setEnabled(true);
    m_stop->setEnabled(false);
    m_progress->clear();
    m_logResult->setPlainText(text);
}

QString HitDialog::verdict() const
{
    return m_parting->text() + u'\n' + m_reason->text();
}

QString HitDialog::replayText() const
{
    return m_logResult->toPlainText();
}

void HitDialog::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && m_job->isRunning())
        m_job->stop();
    else
        QDialog::keyPressEvent(event);
}

void HitDialog::changeEvent(QEvent *event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        compare();
    }
    if (event->type() == QEvent::StyleChange && m_close) {
        restyle();
        compare();
    }
}

void HitDialog::retranslate()
{
    setWindowTitle(tr("Will it hit?"));
    m_tabs->setTabText(0, tr("Two prompts"));
    m_tabs->setTabText(1, tr("Chat log"));
    m_hint->setText(
        tr("The first prompt has just been served; how much of the second one is found in the cache? Tokens "
           "are the practice engine's, in the shape of Qwen2.5's template: other models divide text "
           "otherwise."));
    m_sides[0].title->setText(tr("&First prompt or request"));
    m_sides[1].title->setText(tr("&Second prompt or request"));
    m_readTitle->setText(tr("What the model reads, with the first different token marked"));
    m_sides[0].read->setAccessibleName(tr("What the model reads of the first prompt"));
    m_sides[1].read->setAccessibleName(tr("What the model reads of the second prompt"));
    for (Side &side : m_sides)
        side.pasted->setPlaceholderText(tr("Text, or {\"messages\": […], \"tools\": […], \"cache_salt\": …}"));
    m_view->setAccessibleName(tr("Tokens found, by design"));
    m_table->retranslate();
    m_logHint->setText(
        tr("A file with one request a line (JSONL), bare or under “request” or “body”, at most 64 MiB. It "
           "is replayed through each design as it is, and once more with what stays the same put first. "
           "Nothing leaves this computer."));
    m_chooseLog->setText(tr("&Open a chat log…"));
    m_stop->setText(tr("Stop"));
    m_logResult->setAccessibleName(tr("What the replay showed"));
    m_close->setText(tr("Close"));
}

void HitDialog::restyle()
{
    for (Side &side : m_sides)
        side.title->setFont(titleFont());
    m_readTitle->setFont(titleFont());
    m_parting->setFont(titleFont());
    for (QLabel *label : {m_hint, m_logHint, m_notes, m_progress}) {
        label->setFont(secondaryFont());
        setTextColor(label, tokens().text2);
    }
    m_view->verticalHeader()->setDefaultSectionSize(rowHeight(bodyFont()));
    // All designs at a glance.
    m_view->setMinimumHeight(rowHeight(bodyFont()) * 8 + rowHeight(titleFont()) + 12);
    const int character = QFontMetrics(bodyFont()).averageCharWidth();
    m_view->setColumnWidth(HitTable::UnitColumn, character * 15);
    m_view->setColumnWidth(HitTable::FoundColumn, character * 9);
    m_view->setColumnWidth(HitTable::ComputedColumn, character * 12);
}

} // namespace kvlab::ui
