// SPDX-License-Identifier: GPL-3.0-or-later
// An inline message: bold first sentence, plain rest, raw details that can be opened and copied. It pushes the layout,
// never covers it, and stays until it is closed.
#pragma once

#include <QFrame>

class QLabel;
class QPlainTextEdit;
class QToolButton;
class QHBoxLayout;
class QPushButton;

namespace kvlab::ui {

enum class MessageKind { info, warning, error };

class MessageBar : public QFrame
{
    Q_OBJECT
public:
    explicit MessageBar(QWidget *parent = nullptr);

    /// Shows the message in place of an earlier one. `text` is one or more whole sentences.
    void showMessage(MessageKind kind, const QString &text, const QString &details = {});
    /// One button beside the text ("Choose…"); removed by the next showMessage().
    QPushButton *addAction(const QString &text);
    QString text() const;
    MessageKind kind() const;

Q_SIGNALS:
    void closed();

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void setupLayout();
    void retranslate();

    MessageKind m_kind = MessageKind::info;
    QString m_text;
    QLabel *m_label = nullptr;
    QHBoxLayout *m_actions = nullptr;
    QPushButton *m_detailsButton = nullptr;
    QToolButton *m_closeButton = nullptr;
    QPlainTextEdit *m_details = nullptr;
};

} // namespace kvlab::ui
