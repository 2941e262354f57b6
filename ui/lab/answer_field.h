// SPDX-License-Identifier: GPL-3.0-or-later
// Where a question is answered: a line for numbers with the words around it, options, or a few lines of text.
#pragma once

#include "lab/lab.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace kvlab::ui {

class OptionList;

class AnswerField : public QWidget
{
    Q_OBJECT
public:
    explicit AnswerField(QWidget *parent = nullptr);

    void setQuestion(const lab::Question &question, const QString &language, const QString &prompt);
    QString answer() const; ///< as lab::judge() wants it
    void setAnswer(const QString &answer);
    void setOpen(bool open); ///< false: the answer is shown, not asked for
    void focusInput();

Q_SIGNALS:
    void submitted();

protected:
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    void setupNumber();

    lab::QuestionKind m_kind = lab::QuestionKind::text;
    QWidget *m_numberRow = nullptr;
    QLabel *m_before = nullptr;
    QLabel *m_after = nullptr;
    QLineEdit *m_number = nullptr;
    OptionList *m_options = nullptr;
    QPlainTextEdit *m_text = nullptr;
};

} // namespace kvlab::ui
