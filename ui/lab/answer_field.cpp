// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/answer_field.h"

#include "ui/lab/option_list.h"
#include "ui/widgets/appearance.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>

namespace kvlab::ui {

AnswerField::AnswerField(QWidget *parent)
    : QWidget(parent)
    , m_options(new OptionList(this))
    , m_text(new QPlainTextEdit(this))
{
    setupNumber();
    m_text->setObjectName(QStringLiteral("labText"));
    m_text->setTabChangesFocus(true);
    m_text->installEventFilter(this);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_numberRow);
    column->addWidget(m_options);
    column->addWidget(m_text);
    connect(m_options, &OptionList::submitted, this, &AnswerField::submitted);
    connect(m_number, &QLineEdit::returnPressed, this, &AnswerField::submitted);
}

void AnswerField::setupNumber()
{
    m_numberRow = new QWidget(this);
    m_before = new QLabel(m_numberRow);
    m_after = new QLabel(m_numberRow);
    m_number = new QLineEdit(m_numberRow);
    m_number->setObjectName(QStringLiteral("labNumber"));
    m_number->setAlignment(Qt::AlignRight);
    m_number->setMaxLength(100);
    auto *row = new QHBoxLayout(m_numberRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    row->addWidget(m_before);
    row->addWidget(m_number, 1);
    row->addWidget(m_after);
}

void AnswerField::setQuestion(const lab::Question &question, const QString &language, const QString &prompt)
{
    m_kind = question.kind;
    const bool numeric = lab::isNumeric(m_kind);
    const bool text = m_kind == lab::QuestionKind::text;
    m_numberRow->setVisible(numeric);
    m_options->setVisible(!numeric && !text);
    m_text->setVisible(text);
    m_text->setFixedHeight(QFontMetrics(bodyFont()).height() * 5);
    const QStringList around = question.answer.in(language).split(QStringLiteral("{value}"));
    m_before->setText(around.value(0).trimmed());
    m_after->setText(around.size() > 1 ? around.value(1).trimmed() : question.unit);
    m_before->setVisible(!m_before->text().isEmpty());
    m_number->setAccessibleName(prompt);
    m_number->setAccessibleDescription(m_after->text());
    m_text->setAccessibleName(prompt);
    m_options->setAccessibleName(prompt);
    m_options->setQuestion(question, language);
}

QString AnswerField::answer() const
{
    if (lab::isNumeric(m_kind))
        return m_number->text();
    return m_kind == lab::QuestionKind::text ? m_text->toPlainText() : m_options->chosen().join(u',');
}

void AnswerField::setAnswer(const QString &answer)
{
    m_number->setText(answer);
    m_text->setPlainText(answer);
    if (!answer.isEmpty())
        m_options->setChosen(answer.split(u','));
}

void AnswerField::setOpen(bool open)
{
    m_number->setReadOnly(!open);
    m_text->setReadOnly(!open);
    m_options->setEnabled(open);
}

void AnswerField::focusInput()
{
    if (lab::isNumeric(m_kind)) {
        m_number->setFocus();
        m_number->selectAll();
    } else if (m_kind == lab::QuestionKind::text) {
        m_text->setFocus();
    } else {
        m_options->setFocus(Qt::OtherFocusReason);
    }
}

/// Return makes a new line in a text; Ctrl+Return sends it.
bool AnswerField::eventFilter(QObject *object, QEvent *event)
{
    if (object == m_text && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) && (key->modifiers() & Qt::ControlModifier)) {
            Q_EMIT submitted();
            return true;
        }
    }
    return QWidget::eventFilter(object, event);
}

} // namespace kvlab::ui
