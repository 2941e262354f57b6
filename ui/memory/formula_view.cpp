// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/formula_view.h"

#include "ui/widgets/appearance.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace kvlab::ui {

namespace {

constexpr double lineGap = 4;

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

/// Sets pieces one after another into rows of a given width.
class FormulaView::Flow
{
public:
    Flow(double width, double gap, QList<Piece> *pieces)
        : m_width(width)
        , m_gap(gap)
        , m_pieces(pieces)
    {
    }

    void placeLine(const FormulaLine &line)
    {
        for (qsizetype i = 0; i < line.factors.size(); ++i) {
            const FormulaFactor &factor = line.factors[i];
            const double natural
                = std::max(m_bold.horizontalAdvance(factor.value), m_small.horizontalAdvance(factor.name));
            // One pixel more than measured, or rounding breaks a name that fits.
            place({{}, factor.value, factor.name, factor.source, false}, std::ceil(natural) + 1, i > 0);
        }
        if (!line.product.isEmpty())
            place({{}, line.product, {}, {}, false}, m_bold.horizontalAdvance(line.product) + m_gap, false);
        startRow();
    }

    double bottom() const { return m_top; }
    bool wrapped() const { return m_wrapped; }

private:
    void place(Piece piece, double wanted, bool withSign)
    {
        const double signWidth = withSign ? m_bold.horizontalAdvance(timesSign) + 2 * m_gap : 0;
        if (m_x > 0 && m_x + signWidth + wanted > m_width) {
            startRow();
            m_wrapped = true;
        }
        if (withSign)
            m_pieces->append({QRectF(m_x, m_top, signWidth, m_bold.height()), timesSign, {}, {}, true});
        m_x += signWidth;
        // A name that is wider than a whole row takes several lines.
        const double width = std::min(wanted, m_width - m_x);
        const double height = m_bold.height() + wrappedRect(m_small, piece.name, width, 0).height();
        piece.rect = QRectF(m_x, m_top, width, height);
        m_pieces->append(piece);
        m_rowHeight = std::max(m_rowHeight, height);
        m_x += width;
    }

    void startRow()
    {
        m_x = 0;
        m_top += m_rowHeight + lineGap;
        m_rowHeight = 0;
    }

    const QString timesSign = QStringLiteral("×");
    const QFontMetricsF m_bold{titleFont()};
    const QFontMetricsF m_small{secondaryFont()};
    double m_width;
    double m_gap;
    QList<Piece> *m_pieces;
    double m_x = 0;
    double m_top = 0;
    double m_rowHeight = 0;
    bool m_wrapped = false;
};

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
    Flow flow(width, gap, &layout.pieces);
    for (const FormulaLine &line : m_formula.lines)
        flow.placeLine(line);
    layout.wrapped = flow.wrapped();
    layout.total = wrappedRect(QFontMetricsF(titleFont()), m_formula.total, width, flow.bottom() + lineGap);
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
        painter.drawText(piece.rect.adjusted(0, boldHeight, 0, 0), Qt::AlignHCenter | Qt::TextWordWrap, piece.name);
    }
    painter.setPen(tokens().text);
    painter.setFont(titleFont());
    painter.drawText(layout.total, Qt::TextWordWrap, m_formula.total);
    painter.setPen(tokens().text2);
    painter.setFont(secondaryFont());
    painter.drawText(layout.per_token, Qt::TextWordWrap, m_formula.per_token);
}

bool FormulaView::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const Layout layout = layOut(width());
    for (const Piece &piece : layout.pieces) {
        if (piece.rect.contains(help->pos()) && !piece.tool_tip.isEmpty()) {
            QToolTip::showText(help->globalPos(),
                tr("%1 comes from %2", "a number of the formula and a field of a file").arg(piece.name, piece.tool_tip),
                this);
            return true;
        }
    }
    QToolTip::hideText();
    return true;
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
