// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/result_strip.h"

#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QTextDocumentFragment>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace kvlab::ui {

namespace {

constexpr int frameInset = 12;

QString coloured(const QString &text, const QColor &color)
{
    return QStringLiteral("<span style=\"color:%1\">%2</span>").arg(color.name(), text.toHtmlEscaped());
}

} // namespace

BigNumber::BigNumber(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void BigNumber::setText(const QString &text)
{
    m_text = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

QString BigNumber::text() const
{
    return m_text;
}

void BigNumber::setNumberFont(const QFont &font)
{
    m_font = font;
    updateGeometry();
    update();
}

QSize BigNumber::sizeHint() const
{
    const QFontMetricsF metrics(m_font);
    return {int(std::ceil(metrics.horizontalAdvance(m_text))), int(std::ceil(metrics.capHeight() * 1.3))};
}

QSize BigNumber::minimumSizeHint() const
{
    return sizeHint();
}

void BigNumber::paintEvent(QPaintEvent *)
{
    const QFontMetricsF metrics(m_font);
    QPainter painter(this);
    painter.setFont(m_font);
    painter.setPen(tokens().text);
    painter.drawText(QPointF(0, (height() + metrics.capHeight()) / 2), m_text);
}

StateIcon::StateIcon(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void StateIcon::set(const QString &name, const QColor &color, const QFontMetrics &line)
{
    m_name = name;
    m_color = color;
    m_side = line.ascent();
    m_height = line.height();
    updateGeometry();
    update();
}

QSize StateIcon::sizeHint() const
{
    return {m_side, m_height};
}

void StateIcon::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintIcon(&painter, QRectF(0, (m_height - m_side) / 2.0, m_side, m_side), m_name, m_color);
}

StripLook StripLook::window()
{
    StripLook look;
    look.number = scaledFont(QLocale().language() == QLocale::Chinese ? 26 : 22, true);
    look.claim = bodyFont();
    look.detail = bodyFont();
    return look;
}

StripLook StripLook::presentation(double factor)
{
    const double points = factor / currentZoom();
    StripLook look;
    look.number = scaledFont(110 * points, true);
    look.claim = scaledFont(30 * points);
    look.detail = scaledFont(24 * points);
    look.brief = true;
    look.framed = false;
    return look;
}

ResultStrip::ResultStrip(QWidget *parent)
    : QWidget(parent)
    , m_look(StripLook::window())
    , m_number(new BigNumber(this))
    , m_claim(new QLabel(this))
    , m_icon(new StateIcon(this))
    , m_evidence(new QLabel(this))
{
    setupLayout();
    refresh();
}

void ResultStrip::setupLayout()
{
    for (QLabel *label : {m_claim, m_evidence}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    }
    m_claim->setTextFormat(Qt::RichText);
    m_evidence->setTextFormat(Qt::PlainText);
    auto *evidence = new QHBoxLayout;
    evidence->setSpacing(6);
    evidence->addWidget(m_icon, 0, Qt::AlignTop);
    evidence->addWidget(m_evidence, 1);
    auto *words = new QVBoxLayout;
    words->setSpacing(2);
    words->addStretch();
    words->addWidget(m_claim);
    words->addLayout(evidence);
    words->addStretch();
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(12, 8, 12, 8);
    row->setSpacing(20);
    row->addWidget(m_number, 0, Qt::AlignVCenter);
    row->addLayout(words, 1);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Minimum);
}

void ResultStrip::show(const ResultText &text)
{
    m_text = text;
    refresh();
}

void ResultStrip::setLook(const StripLook &look)
{
    m_look = look;
    refresh();
}

QString ResultStrip::bigNumber() const
{
    return m_number->isHidden() ? QString() : m_number->text();
}

QString ResultStrip::plainText() const
{
    QStringList parts{bigNumber()};
    if (!m_claim->isHidden())
        parts.append(QTextDocumentFragment::fromHtml(m_claim->text()).toPlainText());
    parts.append(m_evidence->text());
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

void ResultStrip::refresh()
{
    const Tokens &t = tokens();
    const bool problem = m_text.state == ResultText::State::problem;
    const bool result = m_text.state == ResultText::State::result;
    m_number->setNumberFont(m_look.number);
    // At 110 pt the space before the cross would be a hole.
    m_number->setText(m_look.brief ? QString(m_text.ratio).remove(u' ') : m_text.ratio);
    m_number->setVisible(result);
    m_claim->setFont(m_look.claim);
    m_evidence->setFont(m_look.detail);
    QString claim = m_look.brief ? QStringLiteral("<b>%1</b>").arg(m_text.short_claim.toHtmlEscaped()) : m_text.claim;
    if (m_look.brief)
        claim += QStringLiteral("<div style=\"font-size:%1pt\">%2</div>")
                     .arg(m_look.detail.pointSizeF())
                     .arg(coloured(m_text.spread, t.text));
    else
        //: after the claim: 95 %: 35–38 ×, paired, n 10
        claim += QLatin1Char(' ') + coloured(tr("(%1)").arg(m_text.spread), t.text2);
    m_claim->setText(claim);
    m_claim->setVisible(result);
    // The room of a result from the start, or the chart above would shrink in the middle of a run.
    const int words
        = QFontMetrics(m_look.claim).height() + QFontMetrics(m_look.detail).height() * (m_look.brief ? 2 : 1);
    setMinimumHeight(std::max(words, int(QFontMetricsF(m_look.number).capHeight() * 1.3)) + 18);

    const QFontMetrics line(m_look.detail);
    QColor color = problem ? t.bad : verdictColor(m_text.verdict);
    if (m_text.state == ResultText::State::waiting)
        m_icon->set(QStringLiteral("clock"), color = t.text2, line);
    else
        m_icon->set(problem ? QStringLiteral("warning") : verdictIcon(m_text.verdict), color, line);
    m_evidence->setText(problem ? m_text.explanation : m_look.brief ? m_text.short_evidence : m_text.evidence);
    m_evidence->setToolTip(problem ? QString() : m_text.explanation);
    setTextColor(m_evidence, problem && m_look.framed ? t.text : color);
    const int inset = problem && m_look.framed ? frameInset : 0;
    layout()->setContentsMargins(12 + inset, 8, 12 + inset, 8 + inset / 2);
    update();
}

void ResultStrip::paintEvent(QPaintEvent *)
{
    if (!m_look.framed)
        return;
    QPainter painter(this);
    if (m_text.state != ResultText::State::problem) {
        painter.fillRect(QRect(12, 0, width() - 24, 1), tokens().line);
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(tokens().bad_edge, 1));
    painter.setBrush(tokens().badbg);
    painter.drawRoundedRect(QRectF(rect()).adjusted(12.5, 0.5, -12.5, -8.5), 4, 4);
}

} // namespace kvlab::ui
