// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/terms_bar.h"

#include "ui/memory/memory_text.h"
#include "ui/widgets/appearance.h"

#include <QEvent>
#include <QHash>
#include <QLocale>
#include <QPainter>

#include <cmath>

namespace kvlab::ui {

namespace {

constexpr double gap = 4;
constexpr double barHeight = 12;

/// Steps from the accent to the base, so that neighbours differ in lightness and not in hue.
QColor shade(qsizetype index, qsizetype count)
{
    const double part = count > 1 ? 0.75 * double(index) / double(count - 1) : 0.0;
    const QColor a = tokens().accent;
    const QColor b = tokens().base;
    return QColor::fromRgbF(float(a.redF() + (b.redF() - a.redF()) * part),
        float(a.greenF() + (b.greenF() - a.greenF()) * part), float(a.blueF() + (b.blueF() - a.blueF()) * part));
}

QString factorValue(const memory::MemoryTerm &term, const QString &name)
{
    for (const memory::Factor &factor : term.factors) {
        if (factor.name == name)
            return factor.value;
    }
    return {};
}

} // namespace

TermsBar::TermsBar(QWidget *parent)
    : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void TermsBar::setResult(const memory::MemoryResult &result)
{
    m_result = result;
    setupParts();
    updateGeometry();
    update();
}

void TermsBar::setupParts()
{
    m_parts.clear();
    QStringList texts;
    const double total = m_result.bytes.convert_to<double>();
    for (const memory::MemoryTerm &term : m_result.terms) {
        Part part;
        part.share = total > 0 ? term.bytes.convert_to<double>() / total : 0.0;
        const QString percent = QLocale().toString(part.share * 100, 'f', 1);
        const QString layers = factorValue(term, QStringLiteral("layers"));
        part.text = layers.isEmpty() ? tr("%1: %2 %", "kind of cache and its share").arg(kindName(term.kind), percent)
                                     : tr("%1, %n layer(s): %2 %", "kind of cache and its share", layers.toInt())
                                           .arg(kindName(term.kind), percent);
        texts << part.text;
        m_parts << part;
    }
    setAccessibleName(tr("Which layers contribute: %1").arg(texts.join(QStringLiteral("; "))));
}

QString TermsBar::kindName(const QString &kind)
{
    const QHash<QString, QString> names{
        {QStringLiteral("full"), tr("full attention", "kind of cache")},
        {QStringLiteral("sliding"), tr("sliding window", "kind of cache")},
        {QStringLiteral("chunked"), tr("chunked attention", "kind of cache")},
        {QStringLiteral("mla"), tr("MLA latents", "kind of cache")},
        {QStringLiteral("indexer"), tr("indexer keys", "kind of cache")},
        {QStringLiteral("compressed"), tr("compressed attention", "kind of cache")},
        {QStringLiteral("state"), tr("fixed state", "kind of cache")},
        {QStringLiteral("cross"), tr("cross attention", "kind of cache")},
    };
    return names.value(kind, kind);
}

QList<TermsBar::Place> TermsBar::places(double width) const
{
    const QFontMetricsF metrics(secondaryFont());
    const double side = metrics.ascent();
    QList<Place> places;
    double x = 0;
    double y = barHeight + gap;
    for (const Part &part : m_parts) {
        const double wanted = side + gap + std::ceil(metrics.horizontalAdvance(part.text)) + 1;
        if (x > 0 && x + wanted > width) {
            x = 0;
            y += metrics.height() + gap / 2;
        }
        places.append({QRectF(x, y + (metrics.height() - side) / 2, side, side),
            QRectF(x + side + gap, y, wanted - side - gap, metrics.height())});
        x += wanted + 3 * gap;
    }
    return places;
}

int TermsBar::heightForWidth(int width) const
{
    const QList<Place> all = places(width);
    return all.isEmpty() ? 0 : int(std::ceil(all.last().text.bottom()));
}

QSize TermsBar::sizeHint() const
{
    const int width = QFontMetrics(secondaryFont()).averageCharWidth() * 50;
    return {width, heightForWidth(width)};
}

QSize TermsBar::minimumSizeHint() const
{
    return {QFontMetrics(secondaryFont()).averageCharWidth() * 24, int(barHeight)};
}

void TermsBar::paintPart(QPainter *painter, const QRectF &rect, qsizetype index) const
{
    painter->fillRect(rect, shade(index, m_parts.size()));
    painter->setPen(QPen(tokens().text, 1));
    painter->drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
}

void TermsBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    double x = 0;
    const QList<Place> all = places(width());
    for (qsizetype i = 0; i < m_parts.size(); ++i) {
        const double right = i + 1 == m_parts.size() ? width() : x + m_parts[i].share * width();
        if (right > x)
            paintPart(&painter, QRectF(x, 0, right - x, barHeight), i);
        x = right;
        paintPart(&painter, all[i].swatch, i);
        painter.setFont(secondaryFont());
        painter.setPen(tokens().text2);
        painter.drawText(all[i].text, Qt::AlignLeft | Qt::AlignVCenter, m_parts[i].text);
    }
}

void TermsBar::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        setupParts();
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange
        || event->type() == QEvent::LanguageChange) {
        updateGeometry();
        update();
    }
    QWidget::changeEvent(event);
}

} // namespace kvlab::ui
