// SPDX-License-Identifier: GPL-3.0-or-later
// Four answers side by side; two by two or one below the other where the width does not hold them.
#pragma once

#include "ui/planner/planner_text.h"

#include <QFrame>

class QGridLayout;
class QLabel;

namespace kvlab::ui {

class AnswerCard : public QFrame
{
    Q_OBJECT
public:
    enum class State { plain, good, bad };

    explicit AnswerCard(QWidget *parent = nullptr);
    void setText(const CardText &text, State state = State::plain);
    int widthWanted() const; ///< that shows every text in one line

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void updateLook();

    State m_state = State::plain;
    QLabel *m_icon;
    QLabel *m_heading;
    QLabel *m_value;
    QLabel *m_detail;
};

class AnswerCards : public QWidget
{
    Q_OBJECT
public:
    explicit AnswerCards(QWidget *parent = nullptr);
    void setAnswer(const PlannerAnswer &answer);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void arrange();

    QList<AnswerCard *> m_cards;
    QGridLayout *m_grid;
    int m_columns = 0;
};

} // namespace kvlab::ui
