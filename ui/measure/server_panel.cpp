// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/server_panel.h"

#include "ui/measure/cache_chart.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/text_color.h"

#include <QBoxLayout>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>

namespace kvlab::ui {

using servers::ServerReading;

ServerPanel::ServerPanel(QWidget *parent)
    : QWidget(parent)
    , m_stateIcon(new QLabel(this))
    , m_state(new QLabel(this))
    , m_scroll(new QScrollArea(this))
    , m_body(new QWidget)
    , m_columns(new QBoxLayout(QBoxLayout::LeftToRight, m_body))
    , m_grid(new QGridLayout)
    , m_chart(new CacheChart(m_body))
{
    setupLayout();
    connect(&m_watch, &servers::ServerWatch::updated, this, &ServerPanel::takeReading);
    retranslate();
    restyle();
}

void ServerPanel::setupLayout()
{
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_body->setBackgroundRole(QPalette::Base);
    m_state->setWordWrap(true);
    m_state->setTextFormat(Qt::PlainText);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(12, 6, 12, 4);
    head->setSpacing(6);
    head->addWidget(m_stateIcon, 0, Qt::AlignTop);
    head->addWidget(m_state, 1);

    for (const auto &line : serverLines({})) {
        Q_UNUSED(line)
        const int row = int(m_names.size());
        for (QList<QLabel *> *column : {&m_names, &m_values, &m_meanings}) {
            auto *label = new QLabel(m_body);
            label->setTextFormat(Qt::PlainText);
            label->setWordWrap(column != &m_names);
            m_grid->addWidget(label, row, column == &m_names ? 0 : column == &m_values ? 1 : 2, Qt::AlignTop);
            column->append(label);
        }
    }
    m_grid->setHorizontalSpacing(12);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(1, 2);
    m_grid->setColumnStretch(2, 3);
    m_grid->setRowStretch(int(m_names.size()), 1);
    m_columns->setContentsMargins(12, 0, 12, 8);
    m_columns->setSpacing(12);
    m_columns->addLayout(m_grid, 3);
    m_columns->addWidget(m_chart, 2, Qt::AlignTop);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setWidget(m_body);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_scroll, 1);
}

void ServerPanel::setServer(const experiment::ServerTarget &server, bool measuring)
{
    if (server.base_url != m_server.base_url)
        m_readings.clear();
    m_server = server;
    m_measuring = measuring;
    updateWatch();
    updateState();
    updateLines();
}

void ServerPanel::setExpectedBytesPerToken(const std::optional<TableFigure> &figure)
{
    m_table = figure;
    updateLines();
}

QString ServerPanel::stateText() const
{
    return m_state->text();
}

QString ServerPanel::valueText(int line) const
{
    return m_values.at(line)->text();
}

/// The pause comes first: a change of server must not slip a question into a run.
void ServerPanel::updateWatch()
{
    m_watch.setPaused(m_measuring || !isVisible());
    m_watch.watch(m_server);
}

void ServerPanel::takeReading(const ServerReading &reading)
{
    m_readings.append(reading);
    while (m_readings.size() > 2 && m_readings.first().at.secsTo(reading.at) > CacheChart::shownSeconds)
        m_readings.removeFirst();
    updateState();
    updateLines();
}

void ServerPanel::updateState()
{
    const bool any = !m_readings.isEmpty();
    const QString time = any ? m_readings.last().at.toString(u"HH:mm:ss") : QString();
    QString text;
    QString iconName = QStringLiteral("clock");
    QColor colour = tokens().text2;
    if (m_measuring) {
        text = any
            ? tr("Paused while measuring, because every question would disturb the times. Figures of %1.").arg(time)
            : tr("Paused while measuring, because every question would disturb the times.");
    } else if (m_server.base_url.isEmpty()) {
        text = tr("The server is not running. The practice engine starts with Measure.");
        iconName = QStringLiteral("ring");
    } else if (!any) {
        text = tr("Asking the server.");
    } else if (!m_readings.last().problem.isEmpty()) {
        text = m_readings.last().problem;
        iconName = QStringLiteral("cross-circle");
        colour = tokens().bad;
    } else if (m_readings.last().healthy == false) {
        text = tr("The server says that it is not ready: it may still be loading its model.");
        iconName = QStringLiteral("warning");
        colour = tokens().warn;
    } else {
        text = tr("Asked every two seconds, last at %1.").arg(time);
        iconName = QStringLiteral("tick-circle");
        colour = tokens().ok;
    }
    m_state->setText(text);
    setTextColor(m_state, colour);
    m_stateIcon->setPixmap(icon(iconName, colour).pixmap(QSize(16, 16), devicePixelRatioF()));
}

ServerFigures ServerPanel::figures() const
{
    ServerFigures result;
    result.table = m_table;
    if (m_readings.isEmpty())
        return result;
    result.now = m_readings.last().status;
    if (m_readings.size() < 2)
        return result;
    const ServerReading &before = m_readings.at(m_readings.size() - 2);
    result.recent = servers::since(before.status.prefix_cache, result.now.prefix_cache);
    result.seconds = double(before.at.msecsTo(m_readings.last().at)) / 1000;
    return result;
}

void ServerPanel::updateLines()
{
    const QList<ServerLine> lines = serverLines(figures());
    const bool answered = !m_readings.isEmpty() && m_readings.last().reachable;
    QStringList sentences;
    for (int i = 0; i < lines.size(); ++i) {
        const ServerLine &line = lines.at(i);
        m_names.at(i)->setText(line.name);
        m_values.at(i)->setText(answered ? line.value : QStringLiteral("–"));
        m_meanings.at(i)->setText(line.meaning);
        for (QLabel *label : {m_names.at(i), m_values.at(i)})
            label->setToolTip(line.meaning);
        sentences.append(tr("%1: %2.", "name and value of a figure").arg(line.name, m_values.at(i)->text()));
    }
    m_body->setAccessibleDescription(answered ? sentences.join(QLatin1Char(' ')) : m_state->text());
    QList<CachePoint> points;
    for (int i = 0; i < m_readings.size(); ++i) {
        CachePoint point{m_readings.at(i).at, m_readings.at(i).status.usage, std::nullopt};
        if (i > 0) {
            const auto traffic
                = servers::since(m_readings.at(i - 1).status.prefix_cache, m_readings.at(i).status.prefix_cache);
            point.hit_rate = traffic ? traffic->rate() : std::nullopt;
        }
        points.append(point);
    }
    m_chart->setPoints(points);
}

/// Meanings go away first (they are tool tips too), then the chart moves below the figures.
void ServerPanel::fitWidth()
{
    const int line = QFontMetrics(bodyFont()).height();
    const bool wide = width() > line * 56;
    for (QLabel *label : std::as_const(m_meanings))
        label->setVisible(wide);
    m_grid->setColumnStretch(2, wide ? 3 : 0);
    m_columns->setDirection(width() > line * 36 ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void ServerPanel::retranslate()
{
    m_body->setAccessibleName(tr("Figures of the server"));
    m_chart->retranslate();
    updateState();
    updateLines();
}

void ServerPanel::restyle()
{
    m_state->setFont(secondaryFont());
    for (QLabel *label : std::as_const(m_names)) {
        label->setFont(secondaryFont());
        setTextColor(label, tokens().text2);
    }
    for (QLabel *label : std::as_const(m_values))
        label->setFont(bodyFont());
    for (QLabel *label : std::as_const(m_meanings)) {
        label->setFont(secondaryFont());
        setTextColor(label, tokens().text2);
    }
    m_chart->restyle();
    updateState();
    fitWidth();
}

void ServerPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    updateWatch();
    fitWidth();
}

void ServerPanel::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_watch.setPaused(true);
}

void ServerPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitWidth();
}

} // namespace kvlab::ui
