// SPDX-License-Identifier: GPL-3.0-or-later
// Options of a question, their texts wrapped as a radio button's own would not be: one to choose, or all to put in
// order with the arrows beside each.
#pragma once

#include "lab/lab.h"

#include <QWidget>

class QButtonGroup;
class QVBoxLayout;

namespace kvlab::ui {

class OptionList : public QWidget
{
    Q_OBJECT
public:
    explicit OptionList(QWidget *parent = nullptr);

    void setQuestion(const lab::Question &question, const QString &language);
    QStringList chosen() const; ///< one id or none of a choice; all of an ordering, in order
    void setChosen(const QStringList &ids);

Q_SIGNALS:
    void submitted(); ///< Return was pressed

protected:
    bool eventFilter(QObject *object, QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;

private:
    void addChoice(const lab::Option &option, const QString &language);
    void addPlace(const lab::Option &option, const QString &language);
    void move(QWidget *place, int step);
    void nameArrows();

    QVBoxLayout *m_column = nullptr;
    QButtonGroup *m_group = nullptr;
    bool m_ordering = false;
};

} // namespace kvlab::ui
