// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/answer_cards.h"

#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/text_color.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>

namespace kvlab::ui {

namespace {

constexpr int padding = 10;
constexpr int iconGap = 6;
constexpr int gap = 10;

} // namespace

AnswerCard::AnswerCard(QWidget *parent)
    : QFrame(parent)
    , m_icon(new QLabel(this))
    , m_heading(new QLabel(this))
    , m_value(new QLabel(this))
    , m_detail(new QLabel(this))
{
    for (QLabel *label : {m_heading, m_value, m_detail}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setMinimumWidth(1);
    }
    m_detail->setWordWrap(true);
    m_icon->hide();
    auto *top = new QHBoxLayout;
    top->setSpacing(iconGap);
    top->addWidget(m_icon);
    top->addWidget(m_heading, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(padding, 6, padding, 6);
    column->setSpacing(0);
    column->addLayout(top);
    column->addWidget(m_value);
    column->addWidget(m_detail);
    column->addStretch(1);
    updateLook();
}

void AnswerCard::setText(const CardText &text, State state)
{
    m_state = state;
    m_heading->setText(text.heading);
    m_value->setText(text.value);
    m_detail->setText(text.detail);
    setAccessibleName(QStringList{text.heading, text.value, text.detail}.join(QStringLiteral(", ")));
    updateLook();
}

int AnswerCard::widthWanted() const
{
    const int icon = m_state == State::plain ? 0 : QFontMetrics(bodyFont()).height() + iconGap;
    const int heading = QFontMetrics(titleFont()).horizontalAdvance(m_heading->text()) + icon;
    const int value = QFontMetrics(scaledFont(15, true)).horizontalAdvance(m_value->text());
    // The detail may take two lines.
    const int detail = QFontMetrics(secondaryFont()).horizontalAdvance(m_detail->text()) * 6 / 10;
    return std::max({heading, value, detail}) + 2 * padding + 4;
}

void AnswerCard::updateLook()
{
    const bool plain = m_state == State::plain;
    const Tokens &t = tokens();
    m_heading->setFont(plain ? secondaryFont() : titleFont());
    m_value->setFont(scaledFont(15, true));
    m_detail->setFont(secondaryFont());
    const auto color = [this](QLabel *label, QColor ink) {
        ink.setAlphaF(isEnabled() ? 1.0F : 0.45F);
        setTextColor(label, ink);
    };
    color(m_heading, plain ? t.text2 : m_state == State::good ? t.ok : t.bad);
    color(m_value, t.text);
    color(m_detail, plain ? t.text2 : t.text);
    const int side = QFontMetrics(bodyFont()).ascent() + 3;
    m_icon->setVisible(!plain);
    if (!plain)
        m_icon->setPixmap(icon(m_state == State::good ? QStringLiteral("tick-circle") : QStringLiteral("cross-circle"),
            m_state == State::good ? t.ok : t.bad)
                              .pixmap(side, side));
    update();
}

void AnswerCard::paintEvent(QPaintEvent *)
{
    const Tokens &t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setOpacity(isEnabled() ? 1.0 : 0.5);
    painter.setPen(m_state == State::good ? t.ok : m_state == State::bad ? t.bad_edge : t.line);
    painter.setBrush(m_state == State::good ? t.okbg : m_state == State::bad ? t.badbg : t.base);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
}

void AnswerCard::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::EnabledChange)
        updateLook();
}

AnswerCards::AnswerCards(QWidget *parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(gap);
    for (int i = 0; i < 4; ++i)
        m_cards << new AnswerCard(this);
    m_cards.at(0)->setObjectName(QStringLiteral("fitsCard"));
    m_cards.at(1)->setObjectName(QStringLiteral("largestBatchCard"));
    m_cards.at(2)->setObjectName(QStringLiteral("longestAtBatchCard"));
    m_cards.at(3)->setObjectName(QStringLiteral("longestAloneCard"));
    arrange();
}

void AnswerCards::setAnswer(const PlannerAnswer &answer)
{
    m_cards.at(0)->setText(
        PlannerText::fits(answer), answer.capacity.plan.fits ? AnswerCard::State::good : AnswerCard::State::bad);
    m_cards.at(1)->setText(PlannerText::largestBatch(answer));
    m_cards.at(2)->setText(PlannerText::longestAtBatch(answer));
    m_cards.at(3)->setText(PlannerText::longestAlone(answer));
    arrange();
}

void AnswerCards::arrange()
{
    int widest = 0;
    for (const AnswerCard *card : std::as_const(m_cards))
        widest = std::max(widest, card->widthWanted());
    int columns = 4;
    while (columns > 1 && columns * widest + (columns - 1) * gap > width())
        columns /= 2;
    if (columns == m_columns)
        return;
    m_columns = columns;
    for (AnswerCard *card : std::as_const(m_cards))
        m_grid->removeWidget(card);
    for (int i = 0; i < 4; ++i) {
        m_grid->addWidget(m_cards.at(i), i / columns, i % columns);
        m_grid->setColumnStretch(i, i < columns ? 1 : 0);
    }
}

void AnswerCards::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void AnswerCards::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange)
        arrange();
}

} // namespace kvlab::ui
