// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/presentation_view.h"

#include "ui/measure/result_strip.h"
#include "ui/measure/ttft_chart.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/eliding_label.h"
#include "ui/widgets/text_color.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace kvlab::ui {

namespace {

/// The sizes of the look are those of the smallest projector.
constexpr double baseWidth = 1024;
constexpr double baseHeight = 768;

} // namespace

PresentationView::PresentationView(QWidget *parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_unit(new ElidingLabel({}, this))
    , m_badge(new Badge(this))
    , m_chart(new TtftChart(this))
    , m_result(new ResultStrip(this))
    , m_origin(new QLabel(this))
{
    setupLayout();
    restyle();
}

void PresentationView::setupLayout()
{
    setFocusPolicy(Qt::StrongFocus);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(12, 0, 12, 0);
    head->setSpacing(16);
    head->addWidget(m_title);
    head->addWidget(m_unit, 1);
    head->addWidget(m_badge);
    auto *foot = new QHBoxLayout;
    foot->setContentsMargins(12, 0, 12, 0);
    m_origin->setWordWrap(true); // a whole line of origin, however narrow the projector
    foot->addWidget(m_origin, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(8);
    column->addLayout(head);
    column->addWidget(m_chart, 1);
    column->addWidget(m_result);
    column->addLayout(foot);
}

void PresentationView::showRun(const ShownRun &shown)
{
    m_shown = shown;
    refresh();
}

void PresentationView::resetAxis()
{
    m_chart->resetAxis();
}

void PresentationView::refresh()
{
    m_title->setText(tr("Time to first token"));
    //: the unit beside the title of the presentation
    m_unit->setFullText(tr("ms"));
    const BadgeText badge = badgeText(m_shown);
    m_badge->set(badge.state, badge.text);
    m_chart->setData(chartData(m_shown.run, m_shown.isLive()));
    m_result->show(resultText(m_shown));
    m_origin->setText(presentationOrigin(m_shown));
    m_chart->setAccessibleName(tr("Chart of the time to first token"));
}

void PresentationView::restyle()
{
    m_factor = std::max(1.0, std::min(width() / baseWidth, height() / baseHeight));
    const double points = m_factor / currentZoom();
    m_title->setFont(scaledFont(27 * points, true));
    m_unit->setFont(scaledFont(24 * points));
    m_badge->setFont(scaledFont(24 * points));
    m_origin->setFont(scaledFont(24 * points));
    setTextColor(m_unit, tokens().text2);
    setTextColor(m_origin, tokens().text2);
    m_chart->setLook(ChartLook::presentation(m_factor));
    m_result->setLook(StripLook::presentation(m_factor));
    refresh();
    update();
}

void PresentationView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const double factor = std::max(1.0, std::min(width() / baseWidth, height() / baseHeight));
    if (factor != m_factor)
        restyle();
}

void PresentationView::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    switch (event->type()) {
    case QEvent::LanguageChange:
    case QEvent::PaletteChange:
    case QEvent::FontChange:
    case QEvent::StyleChange:
        restyle();
        break;
    default:
        break;
    }
}

void PresentationView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), tokens().base);
    const int line = int(3 * m_factor);
    painter.fillRect(QRect(28, m_result->y() - line / 2, width() - 56, line), tokens().text);
}

} // namespace kvlab::ui
