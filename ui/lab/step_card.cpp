// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/step_card.h"

#include "i18n/language.h"
#include "lab/placeholders.h"
#include "ui/lab/answer_field.h"
#include "ui/lab/lab_texts.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/text_color.h"

#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPushButton>

namespace kvlab::ui {

namespace {

/// Shown only when it says something.
void setWords(QLabel *label, const QString &text)
{
    if (label->text() != text)
        label->setText(text);
    label->setVisible(!text.isEmpty());
}

} // namespace

StepCard::StepCard(QWidget *parent)
    : QFrame(parent)
{
    setObjectName(QStringLiteral("stepCard"));
    setupTexts();
    setupButtons();
}

void StepCard::setupTexts()
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(10, 10, 10, 10);
    column->setSpacing(8);
    m_field = new AnswerField(this);
    for (QLabel **label : {&m_comparison, &m_text, &m_prompt, &m_feedback, &m_hints, &m_attempt, &m_waiting}) {
        *label = new QLabel(this);
        (*label)->setWordWrap(true);
        (*label)->setTextFormat(Qt::PlainText);
        (*label)->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    for (QWidget *widget : std::initializer_list<QWidget *>{
             m_comparison, m_text, m_prompt, m_field, m_feedback, m_hints, m_attempt, m_waiting})
        column->addWidget(widget);
    setKind(m_waiting, "secondary");
    m_comparison->setObjectName(QStringLiteral("labComparison"));
    m_text->setObjectName(QStringLiteral("labInstruction"));
    m_feedback->setObjectName(QStringLiteral("labFeedback"));
    m_hints->setObjectName(QStringLiteral("labHints"));
    connect(m_field, &AnswerField::submitted, m_field, [this] { Q_EMIT answered(m_field->answer()); });
}

void StepCard::setupButtons()
{
    m_check = new QPushButton(this);
    m_check->setObjectName(QStringLiteral("labCheck"));
    m_hint = new QPushButton(this);
    m_hint->setObjectName(QStringLiteral("labHint"));
    m_hint->setIcon(icon(QStringLiteral("bulb")));
    m_recording = new QPushButton(this);
    m_recording->setObjectName(QStringLiteral("labRecording"));
    m_continue = new QPushButton(this);
    m_continue->setObjectName(QStringLiteral("labContinue"));
    for (QPushButton *button : {m_check, m_hint, m_recording, m_continue})
        button->setAutoDefault(true); // Return presses the one with the focus
    auto *buttons = new QGridLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_check, 0, 0);
    buttons->addWidget(m_hint, 0, 1);
    buttons->addWidget(m_continue, 1, 0, 1, 2, Qt::AlignLeft);
    buttons->addWidget(m_recording, 2, 0, 1, 2, Qt::AlignLeft);
    buttons->setColumnStretch(2, 1);
    static_cast<QVBoxLayout *>(layout())->addLayout(buttons);
    connect(m_check, &QPushButton::clicked, this, [this] { Q_EMIT answered(m_field->answer()); });
    connect(m_hint, &QPushButton::clicked, this, &StepCard::hintWanted);
    connect(m_recording, &QPushButton::clicked, this, &StepCard::recordingWanted);
    connect(m_continue, &QPushButton::clicked, this, &StepCard::continued);
}

void StepCard::showStep(const lab::Lab &lab, const lab::LabState &state, const lab::LabFacts &facts)
{
    const lab::Step *step = lab.step(state.current);
    setVisible(step != nullptr);
    if (!step)
        return;
    showTexts(lab, state, facts, *step);
    showQuestion(state, facts, *step);
    const lab::StepState own = state.steps.value(step->id);
    const bool open = lab::stepStatus(lab, state, step->id) == lab::StepStatus::open;
    showHints(*step, own, facts);
    showButtons(*step, own, open);
}

void StepCard::showTexts(
    const lab::Lab &lab, const lab::LabState &state, const lab::LabFacts &facts, const lab::Step &step)
{
    const QString language = i18n::currentLanguage();
    if (m_comparison->font() != titleFont())
        m_comparison->setFont(titleFont());
    setWords(m_comparison, LabTexts::comparison(lab, state, step));
    setWords(m_text, lab::fillIn(step.text.in(language), facts));
    const bool done = state.steps.value(step.id).completed_at.isValid();
    const QString attempt = step.question && !done ? QString() : step.attempt.in(language);
    setWords(m_attempt, attempt.isEmpty() ? QString() : tr("Try: %1").arg(lab::fillIn(attempt, facts)));
}

void StepCard::showQuestion(const lab::LabState &state, const lab::LabFacts &facts, const lab::Step &step)
{
    const QString language = i18n::currentLanguage();
    const lab::StepState own = state.steps.value(step.id);
    m_field->setVisible(step.question.has_value());
    if (!step.question) {
        m_shown.clear();
        setWords(m_prompt, {});
        setWords(m_feedback, {});
        return;
    }
    const QString prompt = lab::fillIn(step.question->prompt.in(language), facts);
    setWords(m_prompt, prompt);
    if (const QString wanted = step.id + u'|' + language; m_shown != wanted) {
        m_shown = wanted;
        m_field->setQuestion(*step.question, language, prompt);
        m_field->setAnswer(own.answer ? own.answer->text : QString());
    }
    m_field->setOpen(!own.completed_at.isValid());
    QString feedback = own.answer ? LabTexts::feedback(*step.question, *own.answer) : QString();
    const QString explanation = step.question->explanation.in(language);
    if (own.completed_at.isValid() && own.answer && !explanation.isEmpty())
        //: %1 “Right.” or “Recorded.”, %2 an explanation: two whole sentences
        feedback = tr("%1 %2", "two sentences")
                       .arg(feedback, lab::fillIn(explanation, facts, &*step.question, &*own.answer));
    setWords(m_feedback, feedback);
    setTextColor(m_feedback, own.answer && own.answer->counts() ? tokens().ok : tokens().warn);
}

void StepCard::showHints(const lab::Step &step, const lab::StepState &own, const lab::LabFacts &facts)
{
    QStringList shown;
    for (qsizetype i = 0; i < qMin<qsizetype>(own.hints, step.hints.size()); ++i)
        shown << tr("Hint %1: %2")
                     .arg(QLocale().toString(i + 1), lab::fillIn(step.hints.at(i).in(i18n::currentLanguage()), facts));
    setWords(m_hints, own.completed_at.isValid() ? QString() : shown.join(u'\n'));
    m_hint->setText(tr("Hint %1 of %2")
                        .arg(QLocale().toString(qMin<qsizetype>(own.hints + 1, step.hints.size())),
                            QLocale().toString(step.hints.size())));
    m_hint->setEnabled(own.hints < step.hints.size());
}

void StepCard::showButtons(const lab::Step &step, const lab::StepState &own, bool open)
{
    m_check->setText(step.kind == lab::StepKind::predict ? tr("Record") : tr("Check"));
    m_continue->setText(tr("Continue"));
    m_recording->setText(tr("Use the recorded run"));
    m_recording->setToolTip(tr("For a computer that cannot measure: samples from another one, marked as sample data"));
    m_check->setVisible(open && step.question);
    m_hint->setVisible(open && !step.hints.isEmpty());
    m_recording->setVisible(open && !step.recorded.isEmpty() && !own.uses_recording);
    const bool to_read = open && step.done.kind == lab::ConditionKind::read;
    m_continue->setVisible(!open || to_read);
    setWords(m_waiting, open && !step.question && !to_read ? tr("This step ticks itself off.") : QString());
}

void StepCard::forget()
{
    m_shown.clear();
}

void StepCard::focusInput()
{
    if (m_continue->isVisibleTo(this))
        m_continue->setFocus();
    else if (m_check->isVisibleTo(this))
        m_field->focusInput();
}

void StepCard::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(tokens().line, 1));
    painter.setBrush(tokens().base);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
}

} // namespace kvlab::ui
