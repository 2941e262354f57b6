// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/formula_view.h"

#include "ui/widgets/appearance.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace kvlab::ui {

namespace {

constexpr double lineGap = 4;

/// A factor above its name.
double factorHeight()
{
    return std::ceil(QFontMetricsF(titleFont()).height() + QFontMetricsF(secondaryFont()).height());
}

QRectF wrappedRect(const QFontMetricsF &metrics, const QString &text, double width, double top)
{
    const QRectF rect = metrics.boundingRect(QRectF(0, 0, width, 1e6), Qt::TextWordWrap, text);
    return {0, top, width, std::ceil(rect.height())};
}

} // namespace

FormulaView::FormulaView(QWidget *parent)
    : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void FormulaView::setFormula(const Formula &formula)
{
    m_formula = formula;
    setAccessibleName(text());
    updateGeometry();
    update();
}

QString FormulaView::text() const
{
    return MemoryText::plainText(m_formula);
}

bool FormulaView::hasHeightForWidth() const
{
    return true;
}

int FormulaView::heightForWidth(int width) const
{
    return int(std::ceil(layOut(width).height));
}

QSize FormulaView::sizeHint() const
{
    const int width = QFontMetrics(titleFont()).averageCharWidth() * 50;
    return {width, heightForWidth(width)};
}

QSize FormulaView::minimumSizeHint() const
{
    // As narrow as one factor with the longest name; the height follows the width.
    return {QFontMetrics(secondaryFont()).averageCharWidth() * 24, QFontMetrics(titleFont()).height()};
}

double FormulaView::placeLine(const FormulaLine &line, double width, double gap, double top, QList<Piece> *pieces) const
{
    const QFontMetricsF bold(titleFont());
    const QFontMetricsF small(secondaryFont());
    const double rowHeight = factorHeight();
    double x = 0;
    double y = top;
    const auto place = [&](const Piece &piece, double pieceWidth, const QString &sign) {
        const double signWidth = sign.isEmpty() ? 0 : bold.horizontalAdvance(sign) + 2 * gap;
        if (x > 0 && x + signWidth + pieceWidth > width) {
            x = 0;
            y += rowHeight + lineGap;
        }
        if (!sign.isEmpty()) {
            pieces->append({QRectF(x, y, signWidth, bold.height()), sign, {}, true});
            x += signWidth;
        }
        pieces->append(piece);
        pieces->last().rect = QRectF(x, y, pieceWidth, rowHeight);
        x += pieceWidth;
    };
    for (qsizetype i = 0; i < line.factors.size(); ++i) {
        const memory::Factor &factor = line.factors[i];
        const double factorWidth
            = std::ceil(std::max(bold.horizontalAdvance(factor.value), small.horizontalAdvance(factor.name)));
        place({{}, factor.value, factor.name, false}, factorWidth, i == 0 ? QString() : QStringLiteral("×"));
    }
    if (!line.product.isEmpty())
        place({{}, line.product, {}, false}, bold.horizontalAdvance(line.product) + gap, QString());
    return y + rowHeight + lineGap;
}

FormulaView::Layout FormulaView::layOut(double width) const
{
    // A tighter setting beats a single factor on a line of its own.
    const double gap = QFontMetricsF(titleFont()).averageCharWidth();
    const Layout wide = layOut(width, gap);
    if (!wide.wrapped)
        return wide;
    const Layout tight = layOut(width, gap / 2);
    return tight.wrapped ? wide : tight;
}

FormulaView::Layout FormulaView::layOut(double width, double gap) const
{
    Layout layout;
    double y = 0;
    for (const FormulaLine &line : m_formula.lines) {
        const double bottom = placeLine(line, width, gap, y, &layout.pieces);
        layout.wrapped = layout.wrapped || bottom - y > factorHeight() + lineGap;
        y = bottom;
    }
    layout.total = wrappedRect(QFontMetricsF(titleFont()), m_formula.total, width, y + lineGap);
    layout.per_token
        = wrappedRect(QFontMetricsF(secondaryFont()), m_formula.per_token, width, layout.total.bottom() + lineGap);
    layout.height = layout.per_token.bottom();
    return layout;
}

void FormulaView::paintEvent(QPaintEvent *)
{
    const Layout layout = layOut(width());
    const double boldHeight = QFontMetricsF(titleFont()).height();
    QPainter painter(this);
    for (const Piece &piece : layout.pieces) {
        const QRectF above(piece.rect.topLeft(), QSizeF(piece.rect.width(), boldHeight));
        painter.setFont(piece.sign ? bodyFont() : titleFont());
        painter.setPen(piece.sign ? tokens().text2 : tokens().text);
        painter.drawText(above, Qt::AlignCenter, piece.text);
        painter.setFont(secondaryFont());
        painter.setPen(tokens().text2);
        painter.drawText(piece.rect, Qt::AlignHCenter | Qt::AlignBottom, piece.name);
    }
    painter.setPen(tokens().text);
    painter.setFont(titleFont());
    painter.drawText(layout.total, Qt::TextWordWrap, m_formula.total);
    painter.setPen(tokens().text2);
    painter.setFont(secondaryFont());
    painter.drawText(layout.per_token, Qt::TextWordWrap, m_formula.per_token);
}

void FormulaView::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        updateGeometry();
        update();
    }
    QWidget::changeEvent(event);
}

} // namespace kvlab::ui
