// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/launch_dialog.h"

#include "ui/dialogs/launch_form.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text_color.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QEvent>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QStyle>
#include <QVBoxLayout>

namespace kvlab::ui {

using servers::LaunchedServer;
using servers::LaunchEnd;
using State = LaunchedServer::State;

namespace {

constexpr int commandLines = 6;

constexpr servers::Shell nativeShell()
{
#ifdef Q_OS_WIN // not tried
    return servers::Shell::windows;
#else
    return servers::Shell::posix;
#endif
}

QLabel *wrappedLabel(const QString &name, QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QPlainTextEdit *textView(const QString &name, QWidget *parent)
{
    auto *view = new QPlainTextEdit(parent);
    view->setObjectName(name);
    view->setReadOnly(true);
    view->setTabChangesFocus(true);
    view->setUndoRedoEnabled(false);
    return view;
}

} // namespace

LaunchDialog::LaunchDialog(QWidget *parent)
    : QDialog(parent)
{
    m_form = new LaunchForm(this);
    setupCommand();
    setupLog();
    setupButtons();
    setupLayout();
    connectServer();
    updateFonts();
    retranslate();
}

void LaunchDialog::setupCommand()
{
    m_commandLabel = new QLabel(this);
    m_commandView = textView(QStringLiteral("command"), this);
    m_commandView->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    // As terminals do: at word boundaries a flag would be torn at its dashes.
    m_commandView->setWordWrapMode(QTextOption::WrapAnywhere);
    m_commandLabel->setBuddy(m_commandView);
    m_copy = new QPushButton(this);
    m_copy->setObjectName(QStringLiteral("copy"));
    m_copy->setAutoDefault(false);
    m_notes = wrappedLabel(QStringLiteral("notes"), this);
    connect(m_form, &LaunchForm::changed, this, &LaunchDialog::showCommand);
    connect(m_copy, &QPushButton::clicked, this, &LaunchDialog::copyCommand);
}

void LaunchDialog::setupLog()
{
    m_message = new MessageBar(this);
    m_message->setObjectName(QStringLiteral("message"));
    m_logLabel = new QLabel(this);
    m_log = textView(QStringLiteral("log"), this);
    m_log->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_log->setMaximumBlockCount(int(LaunchedServer::maxLines));
    m_logLabel->setBuddy(m_log);
    followLog();
    m_search = new QLineEdit(this);
    m_search->setObjectName(QStringLiteral("search"));
    m_search->setClearButtonEnabled(true);
    for (QPushButton **button : {&m_previous, &m_next}) {
        *button = new QPushButton(this);
        (*button)->setAutoDefault(false);
        (*button)->setEnabled(false);
    }
    m_previous->setObjectName(QStringLiteral("previous"));
    m_next->setObjectName(QStringLiteral("next"));
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_previous->setEnabled(!text.isEmpty());
        m_next->setEnabled(!text.isEmpty());
        setTextColor(m_search, tokens().text);
    });
    connect(m_search, &QLineEdit::returnPressed, this, [this] { search(false); });
    connect(m_next, &QPushButton::clicked, this, [this] { search(false); });
    connect(m_previous, &QPushButton::clicked, this, [this] { search(true); });
    auto *find = new QShortcut(QKeySequence::Find, this);
    connect(find, &QShortcut::activated, m_search, qOverload<>(&QLineEdit::setFocus));
}

/// Its end stays in sight until somebody scrolls away; also when a message above makes the view smaller.
void LaunchDialog::followLog()
{
    QScrollBar *bar = m_log->verticalScrollBar();
    connect(bar, &QScrollBar::valueChanged, this, [this, bar](int value) { m_follow = value == bar->maximum(); });
    connect(bar, &QScrollBar::rangeChanged, this, [this, bar](int, int maximum) {
        if (m_follow)
            bar->setValue(maximum);
    });
}

void LaunchDialog::setupButtons()
{
    m_state = wrappedLabel(QStringLiteral("state"), this);
    m_buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_use = m_buttons->addButton(QString(), QDialogButtonBox::ActionRole);
    m_use->setObjectName(QStringLiteral("use"));
    m_start = m_buttons->addButton(QString(), QDialogButtonBox::ActionRole);
    m_start->setObjectName(QStringLiteral("start"));
    for (QPushButton *button : {m_start, m_use, m_buttons->button(QDialogButtonBox::Close)})
        button->setAutoDefault(false);
    connect(m_start, &QPushButton::clicked, this, &LaunchDialog::startOrStop);
    connect(m_use, &QPushButton::clicked, this, [this] {
        Q_EMIT useRequested(target());
        accept();
    });
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void LaunchDialog::setupLayout()
{
    m_formArea = new QScrollArea(this);
    m_formArea->setWidget(m_form);
    m_formArea->setWidgetResizable(true);
    m_formArea->setFrameShape(QFrame::NoFrame);
    m_formArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

    auto *commandHead = new QHBoxLayout;
    commandHead->addWidget(m_commandLabel, 1);
    commandHead->addWidget(m_copy);
    auto *logHead = new QHBoxLayout;
    logHead->addWidget(m_logLabel);
    logHead->addStretch(1);
    logHead->addWidget(m_search, 2);
    logHead->addWidget(m_previous);
    logHead->addWidget(m_next);
    auto *right = new QVBoxLayout;
    right->addLayout(commandHead);
    right->addWidget(m_commandView);
    right->addWidget(m_notes);
    right->addWidget(m_message);
    right->addLayout(logHead);
    right->addWidget(m_log, 1);

    auto *columns = new QHBoxLayout;
    columns->addWidget(m_formArea, 2);
    columns->addSpacing(8);
    columns->addLayout(right, 3);
    auto *foot = new QHBoxLayout;
    foot->addWidget(m_state, 1);
    foot->addWidget(m_buttons);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(columns, 1);
    layout->addLayout(foot);
    const QFontMetrics metrics(bodyFont());
    resize(metrics.averageCharWidth() * 140, metrics.height() * 38);
}

void LaunchDialog::connectServer()
{
    m_tick.setInterval(1000);
    connect(&m_tick, &QTimer::timeout, this, &LaunchDialog::showState);
    connect(&m_server, &LaunchedServer::stateChanged, this, &LaunchDialog::showState);
    connect(&m_server, &LaunchedServer::linesRead, this, &LaunchDialog::showLines);
    connect(&m_server, &LaunchedServer::ended, this, &LaunchDialog::showEnd);
}

void LaunchDialog::retranslate()
{
    setWindowTitle(tr("Start a server"));
    m_commandLabel->setText(tr("&Command"));
    m_commandView->setAccessibleName(tr("Command"));
    m_copy->setText(tr("Copy"));
    m_logLabel->setText(tr("What the server prints"));
    m_log->setAccessibleName(tr("What the server prints"));
    m_log->setPlaceholderText(tr("Nothing was started yet."));
    m_search->setPlaceholderText(tr("Search the log"));
    m_search->setAccessibleName(tr("Search the log"));
    m_previous->setText(tr("Previous"));
    m_next->setText(tr("Next"));
    m_use->setText(tr("Us&e this server"));
    m_use->setToolTip(tr("It is measured when Measure is pressed."));
    m_buttons->button(QDialogButtonBox::Close)->setText(tr("Close"));
    m_buttons->button(QDialogButtonBox::Close)
        ->setToolTip(tr("A running server goes on; it ends with KV Cache Lab at the latest."));
    showCommand();
    showState();
}

void LaunchDialog::updateFonts()
{
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPointSizeF(secondaryFont().pointSizeF());
    m_log->setFont(fixed);
    m_commandView->setFont(fixed);
    const int margins = int(2 * m_commandView->document()->documentMargin()) + 2 * m_commandView->frameWidth();
    m_commandView->setFixedHeight(QFontMetrics(fixed).lineSpacing() * commandLines + margins);
}

void LaunchDialog::fitForm()
{
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    m_formArea->setMinimumWidth(std::max(m_formArea->minimumWidth(), m_form->minimumSizeHint().width() + bar));
}

QString LaunchDialog::commandText() const
{
    QStringList lines{servers::shellLine(m_command.server, nativeShell())};
    if (m_command.before)
        lines.prepend(servers::shellLine(*m_command.before, nativeShell()));
    return lines.join(u'\n');
}

void LaunchDialog::showCommand()
{
    m_command = servers::launchCommand(m_form->plan());
    const bool possible = m_command.refusals.isEmpty();
    m_commandView->setPlainText(possible ? commandText() : QString());
    m_commandView->setPlaceholderText(tr("There is no command yet: see below."));
    m_copy->setEnabled(possible);
    fitForm();
    showNotes();
    showState();
}

void LaunchDialog::showNotes()
{
    const bool possible = m_command.refusals.isEmpty();
    QStringList sentences = possible ? m_command.notes : m_command.refusals;
    if (possible) {
        if (m_command.before)
            sentences.prepend(tr("Two processes: the first line must be running before the second is started."));
        if (servers::findProgram(m_command.server.program).isEmpty())
            sentences.prepend(tr("The program “%1” was not found on this computer; the command can still be copied. %2")
                                  .arg(QDir::toNativeSeparators(m_command.server.program), m_command.install_hint));
        if (nativeShell() == servers::Shell::windows)
            sentences << tr("How Windows reads this line was not tried.");
    }
    setTextColor(m_notes, possible ? tokens().text2 : tokens().bad);
    m_notes->setText(sentences.join(u'\n'));
    m_notes->setVisible(!sentences.isEmpty());
}

QString LaunchDialog::stateText() const
{
    const QString seconds = QLocale().toString(m_server.elapsedMs() / 1000);
    switch (m_server.state()) {
    case State::starting:
        return tr("Starting for %1 s. The first start of a model can take minutes.").arg(seconds);
    case State::ready:
        return tr("Ready at %1.").arg(m_server.command().base_url.toString());
    case State::stopping:
        return tr("The server is being ended.");
    case State::stopped:
        break;
    }
    if (!m_end)
        return tr("Not started.");
    if (m_end->status == LaunchEnd::Status::stopped)
        return tr("Stopped.");
    if (m_end->exit_code)
        return tr("Ended with code %1.").arg(*m_end->exit_code);
    return m_end->signal ? tr("Ended by signal %1.").arg(*m_end->signal) : tr("Could not be started.");
}

void LaunchDialog::showState()
{
    const State state = m_server.state();
    m_state->setText(stateText());
    const bool failed = state == State::stopped && m_end && m_end->status == LaunchEnd::Status::failed;
    setTextColor(m_state, failed ? tokens().bad : state == State::ready ? tokens().ok : tokens().text2);
    const bool stopped = state == State::stopped;
    m_start->setText(stopped ? tr("Start") : tr("Stop"));
    m_start->setIcon(stopped ? icon(QStringLiteral("play"), tokens().on_accent) : icon(QStringLiteral("stop")));
    setKind(m_start, stopped ? "primary" : "stop");
    m_start->setEnabled(stopped ? m_command.refusals.isEmpty() : state != State::stopping);
    m_form->setEnabled(stopped);
    m_use->setEnabled(state == State::ready);
    if (state == State::starting)
        m_tick.start();
    else
        m_tick.stop();
}

void LaunchDialog::startOrStop()
{
    if (m_server.state() != State::stopped) {
        m_server.stop();
        return;
    }
    m_log->clear();
    m_message->hide();
    m_end.reset();
    m_explained = 0;
    m_started = m_form->plan().kind;
    m_server.start(m_command);
}

void LaunchDialog::showLines(const QStringList &lines)
{
    m_log->appendPlainText(lines.join(u'\n'));
    if (m_server.explanations().size() > m_explained)
        showExplanations();
}

/// While it runs: problems that do not end it, as LMCache that is silently off.
void LaunchDialog::showExplanations()
{
    m_explained = m_server.explanations().size();
    QStringList texts;
    QStringList lines;
    for (const servers::LogExplanation &known : m_server.explanations()) {
        texts << known.text;
        lines << known.line;
    }
    m_message->showMessage(MessageKind::warning, texts.join(u' '), lines.join(u'\n'));
}

void LaunchDialog::showEnd(const LaunchEnd &end)
{
    m_end = end;
    if (end.status == LaunchEnd::Status::failed) {
        QStringList lines;
        for (const servers::LogExplanation &known : m_server.explanations())
            lines << known.line;
        m_message->showMessage(MessageKind::error, end.message, lines.join(u'\n'));
    }
    showState();
}

void LaunchDialog::copyCommand()
{
    QGuiApplication::clipboard()->setText(commandText());
}

void LaunchDialog::search(bool backwards)
{
    const QString text = m_search->text();
    if (text.isEmpty())
        return;
    const QTextDocument::FindFlags flags = backwards ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    bool found = m_log->find(text, flags);
    if (!found) { // once around
        m_log->moveCursor(backwards ? QTextCursor::End : QTextCursor::Start);
        found = m_log->find(text, flags);
    }
    setTextColor(m_search, found ? tokens().text : tokens().bad);
}

LaunchedServer *LaunchDialog::server()
{
    return &m_server;
}

experiment::ServerTarget LaunchDialog::target() const
{
    experiment::ServerTarget target;
    target.base_url = m_server.command().base_url;
    target.model = m_server.command().model;
    //: kind of a server, its address
    target.label = tr("%1 at %2").arg(servers::launchKindName(m_started), target.base_url.toString());
    return target;
}

void LaunchDialog::changeEvent(QEvent *event)
{
    if (m_start != nullptr) {
        if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange)
            m_formArea->setMinimumWidth(0);
        if (event->type() == QEvent::LanguageChange)
            retranslate();
        if (event->type() == QEvent::FontChange) {
            updateFonts();
            fitForm();
        }
        if (event->type() == QEvent::PaletteChange) {
            showNotes();
            showState();
        }
    }
    QDialog::changeEvent(event);
}

} // namespace kvlab::ui
