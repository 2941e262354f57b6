// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_bar.h"

#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QToolButton>

namespace kvlab::ui {

namespace {

constexpr int iconSide = 20;

/// First sentence bold, the rest plain; the text itself is escaped.
QString asHtml(const QString &text)
{
    static const QRegularExpression sentenceEnd(QStringLiteral("[.!?](?=\\s|$)|[。！？]”?"));
    const QRegularExpressionMatch match = sentenceEnd.match(text);
    const qsizetype cut = match.hasMatch() ? match.capturedEnd() : text.size();
    return QStringLiteral("<b>%1</b>%2").arg(text.left(cut).toHtmlEscaped(), text.mid(cut).toHtmlEscaped());
}

} // namespace

MessageBar::MessageBar(QWidget *parent)
    : QFrame(parent)
{
    setupLayout();
    retranslate();
    hide();
}

void MessageBar::setupLayout()
{
    m_label = new QLabel(this);
    m_label->setWordWrap(true);
    m_label->setTextFormat(Qt::RichText);
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_label->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    m_actions = new QHBoxLayout;
    m_detailsButton = new QPushButton(this);
    setKind(m_detailsButton, "flat");
    m_detailsButton->setCheckable(true);
    m_closeButton = new QToolButton(this);
    m_closeButton->setAutoRaise(true);
    m_closeButton->setIcon(icon(QStringLiteral("close")));
    m_details = new QPlainTextEdit(this);
    m_details->setReadOnly(true);
    m_details->setMaximumHeight(140);
    m_details->hide();

    auto *row = new QHBoxLayout;
    row->setContentsMargins(iconSide + 12, 0, 0, 0);
    row->addWidget(m_label, 1);
    row->addLayout(m_actions);
    row->addWidget(m_detailsButton, 0, Qt::AlignTop);
    row->addWidget(m_closeButton, 0, Qt::AlignTop);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 8, 8);
    column->addLayout(row);
    column->addWidget(m_details);

    connect(m_detailsButton, &QPushButton::toggled, m_details, &QWidget::setVisible);
    connect(m_closeButton, &QToolButton::clicked, this, [this] {
        hide();
        Q_EMIT closed();
    });
}

void MessageBar::showMessage(MessageKind kind, const QString &text, const QString &details)
{
    m_kind = kind;
    m_text = text;
    m_label->setText(asHtml(text));
    setAccessibleName(text);
    while (QLayoutItem *item = m_actions->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    m_details->setPlainText(details);
    m_detailsButton->setVisible(!details.isEmpty());
    m_detailsButton->setChecked(false);
    m_details->hide();
    show();
    update();
}

QPushButton *MessageBar::addAction(const QString &text)
{
    auto *button = new QPushButton(text, this);
    m_actions->addWidget(button, 0, Qt::AlignTop);
    return button;
}

QString MessageBar::text() const
{
    return m_text;
}

MessageKind MessageBar::kind() const
{
    return m_kind;
}

void MessageBar::paintEvent(QPaintEvent *)
{
    const Tokens &t = tokens();
    const bool error = m_kind == MessageKind::error;
    const bool warning = m_kind == MessageKind::warning;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(error ? t.bad_edge : warning ? t.warn_edge : t.ctl, 1));
    painter.setBrush(error ? t.badbg : warning ? t.warnbg : t.infobg);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    paintIcon(&painter, QRectF(12, 10, iconSide, iconSide),
        error         ? QStringLiteral("cross-circle")
            : warning ? QStringLiteral("warning")
                      : QStringLiteral("info"),
        error         ? t.bad
            : warning ? t.warn
                      : t.text);
}

void MessageBar::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QFrame::changeEvent(event);
}

void MessageBar::retranslate()
{
    m_detailsButton->setText(tr("Details"));
    m_closeButton->setToolTip(tr("Close this message"));
    m_closeButton->setAccessibleName(tr("Close this message"));
}

} // namespace kvlab::ui
