// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/keeps_dialog.h"

#include "ui/measure/study_line.h"
#include "ui/measure_controller.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace kvlab::ui {

using experiment::KeepsResult;
using experiment::KeepsStep;

namespace {

QString purposeText(KeepsStep::Purpose purpose)
{
    switch (purpose) {
    case KeepsStep::Purpose::prime:
        return KeepsDialog::tr("Sends a new text, to be found again later.");
    case KeepsStep::Purpose::floor:
        return KeepsDialog::tr("Sends an unrelated text: what it finds belongs to the chat template.");
    case KeepsStep::Purpose::block:
        return KeepsDialog::tr("Shares one token more or less: where the hit jumps is the edge of a block.");
    case KeepsStep::Purpose::shortest:
        return KeepsDialog::tr("Shares only a short beginning: is that enough for a hit?");
    case KeepsStep::Purpose::generated:
        return KeepsDialog::tr("Sends an answer back: were its tokens kept too?");
    case KeepsStep::Purpose::fill:
        return KeepsDialog::tr("Fills the cache with other text.");
    case KeepsStep::Purpose::survivor:
        return KeepsDialog::tr("Asks for the oldest text again: is it still there?");
    }
    return {};
}

QString stepText(qsizetype number, const KeepsStep &step)
{
    const QLocale locale;
    QString text = KeepsDialog::tr("%1. %2", "a numbered step").arg(locale.toString(number), purposeText(step.purpose));
    if (step.hit && step.prompt_tokens)
        text = KeepsDialog::tr("%1 Found %2 of %3 tokens.", "%1 is a whole sentence")
                   .arg(text, locale.toString(*step.hit), locale.toString(*step.prompt_tokens));
    return text;
}

QString certainty(const KeepsResult &result)
{
    if (result.server.counts_tokens)
        return KeepsDialog::tr(
            "How sure: the server counts tokens itself, so lengths are exact; each finding rests on hits it reported.");
    return KeepsDialog::tr(
        "How sure: the server does not count tokens on request, so lengths may be off by a token or two; hits are as "
        "it reported them.");
}

QPlainTextEdit *textField(QWidget *parent, const char *name)
{
    auto *field = new QPlainTextEdit(parent);
    field->setObjectName(QString::fromLatin1(name));
    field->setReadOnly(true);
    return field;
}

} // namespace

KeepsDialog::KeepsDialog(MeasureController *controller, QWidget *parent)
    : QDialog(parent, Qt::Window)
    , m_controller(controller)
{
    setupLayout();
    connect(m_line, &StudyLine::startRequested, this, &KeepsDialog::start);
    connect(&m_runner, &experiment::KeepsRunner::stepFinished, this, &KeepsDialog::addStep);
    connect(&m_runner, &experiment::KeepsRunner::finished, this, [this](const KeepsResult &result) {
        m_line->end();
        setResult(result);
    });
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(report()); });
    retranslate();
    resize(860, 560);
}

KeepsDialog *KeepsDialog::open(MeasureController *controller, QWidget *window)
{
    auto *dialog = window->findChild<KeepsDialog *>(QString(), Qt::FindDirectChildrenOnly);
    if (dialog == nullptr)
        dialog = new KeepsDialog(controller, window);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
    return dialog;
}

void KeepsDialog::setupLayout()
{
    m_story = new QLabel(this);
    m_story->setWordWrap(true);
    m_line = new StudyLine(m_controller, this);
    m_logTitle = new QLabel(this);
    m_reportTitle = new QLabel(this);
    for (QLabel *title : {m_logTitle, m_reportTitle})
        title->setFont(titleFont());
    m_log = textField(this, "keepsLog");
    m_report = textField(this, "keepsReport");
    m_copy = new QPushButton(this);
    m_copy->setAutoDefault(false);
    m_copy->setIcon(icon(QStringLiteral("copy")));
    auto *head = new QHBoxLayout;
    head->addWidget(m_reportTitle);
    head->addStretch(1);
    head->addWidget(m_copy);
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_story);
    column->addWidget(m_line);
    column->addWidget(m_logTitle);
    column->addWidget(m_log, 1);
    column->addLayout(head);
    column->addWidget(m_report, 1);
}

void KeepsDialog::start()
{
    m_steps.clear();
    m_log->clear();
    m_result.reset();
    retranslate();
    m_line->begin(
        [this](const experiment::ServerTarget &target) {
            m_line->setStatus(tr("Asking the server what it offers."));
            experiment::KeepsPlan plan;
            plan.limits = m_controller->plan().limits;
            plan.endpoint = m_controller->plan().endpoint;
            plan.seed = m_controller->plan().seed;
            m_runner.start(target, plan);
        },
        [this] { m_runner.stop(); });
}

void KeepsDialog::addStep(int number, const KeepsStep &step)
{
    m_steps << step;
    m_log->appendPlainText(stepText(number, step));
    m_line->setStatus(tr("%n request(s) done; how many there will be depends on the answers.", nullptr, number));
}

void KeepsDialog::setResult(const KeepsResult &result)
{
    m_result = result;
    m_steps = result.steps;
    if (!result.message.isEmpty())
        m_line->showMessage(MessageKind::error, result.message, result.details);
    m_line->setStatus(result.stopped ? tr("Stopped; what was found is kept.") : tr("Done."));
    retranslate();
}

QString KeepsDialog::report() const
{
    if (!m_result || m_result->steps.isEmpty())
        return {};
    const QLocale locale;
    QStringList lines{tr("What %1 keeps, by the hits it reported:").arg(m_result->server.label)};
    lines << experiment::keepsReport(*m_result);
    if (m_result->reports_hits && m_result->keeps_anything)
        lines << certainty(*m_result);
    if (m_result->stopped)
        lines << tr("The run was stopped, so later questions are open.");
    lines << tr("%1 requests with %2 prompt tokens in all.")
                 .arg(locale.toString(m_result->steps.size()), locale.toString(m_result->tokens_sent));
    return lines.join(QLatin1Char('\n'));
}

void KeepsDialog::retranslate()
{
    setWindowTitle(tr("What does this server keep?"));
    m_story->setText(tr("A short run of small requests finds out from the hits that the server reports: its block "
                        "size, the shortest prefix that counts, whether generated tokens are kept, and how many tokens "
                        "fit before the oldest prefix is lost."));
    m_line->setStartText(tr("Find out"));
    m_logTitle->setText(tr("What is tried"));
    m_reportTitle->setText(tr("Report"));
    m_copy->setText(tr("Copy the report"));
    m_log->setAccessibleName(m_logTitle->text());
    m_report->setAccessibleName(m_reportTitle->text());
    QStringList log;
    for (qsizetype i = 0; i < m_steps.size(); ++i)
        log << stepText(i + 1, m_steps.at(i));
    m_log->setPlainText(log.join(QLatin1Char('\n')));
    m_report->setPlainText(report());
    m_copy->setEnabled(!m_report->toPlainText().isEmpty());
}

void KeepsDialog::done(int result)
{
    m_line->stop();
    QDialog::done(result);
}

void KeepsDialog::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QDialog::changeEvent(event);
}

} // namespace kvlab::ui
