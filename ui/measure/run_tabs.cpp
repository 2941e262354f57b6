// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/run_tabs.h"

#include "ui/measure/samples_view.h"
#include "ui/measure/timeline_view.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QShortcut>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace kvlab::ui {

RunTabs::RunTabs(QWidget *parent)
    : QWidget(parent)
    , m_samples(new SamplesView(this))
    , m_timeline(new TimelineView(m_samples->model(), this))
    , m_tabs(new QTabBar(this))
    , m_note(new QLabel(this))
    , m_enlarge(new QToolButton(this))
    , m_back(new QShortcut(Qt::Key_Escape, this))
    , m_pages(new QStackedWidget(this))
{
    setupLayout();
    connectSamples();
    retranslate();
    restyle();
}

void RunTabs::setupLayout()
{
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(false);
    m_enlarge->setAutoRaise(true);
    m_enlarge->setObjectName(QStringLiteral("enlargeTabs"));
    auto *head = new QHBoxLayout;
    head->setContentsMargins(8, 0, 8, 0);
    head->addWidget(m_tabs);
    head->addStretch();
    head->addWidget(m_note);
    head->addWidget(m_enlarge);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_pages, 1);
    addPage(m_samples, [] { return tr("Samples"); });
    addPage(m_timeline, [] { return tr("Timeline"); });
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        m_pages->setCurrentIndex(index);
        // The current tab's name is bold, hence wider.
        m_tabs->updateGeometry();
        updateNote();
        if (m_opensEnlarged.at(index))
            setEnlarged(true);
    });
    connect(m_enlarge, &QToolButton::clicked, this, [this] { setEnlarged(!m_enlarged); });
    // Only while enlarged: otherwise Escape stops a run.
    m_back->setEnabled(false);
    connect(m_back, &QShortcut::activated, this, [this] { setEnlarged(false); });
}

void RunTabs::connectSamples()
{
    connect(m_samples, &SamplesView::countChanged, this, &RunTabs::updateNote);
    connect(m_samples, &SamplesView::sampleChosen, m_timeline, &TimelineView::showSample);
    connect(m_timeline, &TimelineView::sampleChosen, m_samples, &SamplesView::chooseSample);
}

void RunTabs::setSamples(const QList<experiment::MeasuredSample> &samples)
{
    m_samples->setSamples(samples);
}

void RunTabs::addSample(const experiment::MeasuredSample &sample)
{
    m_samples->addSample(sample);
}

void RunTabs::addPage(QWidget *page, const std::function<QString()> &name, bool enlarged)
{
    m_names.append(name);
    m_opensEnlarged.append(enlarged);
    m_pages->addWidget(page);
    m_tabs->addTab(name());
}

void RunTabs::showPage(QWidget *page)
{
    m_tabs->setCurrentIndex(m_pages->indexOf(page));
}

void RunTabs::setEnlarged(bool enlarged)
{
    if (m_enlarged == enlarged)
        return;
    m_enlarged = enlarged;
    m_back->setEnabled(enlarged);
    updateEnlarge();
    Q_EMIT enlargedChanged(enlarged);
}

void RunTabs::updateEnlarge()
{
    m_enlarge->setIcon(icon(m_enlarged ? QStringLiteral("shrink") : QStringLiteral("enlarge")));
    m_enlarge->setAccessibleName(m_enlarged ? tr("Back to the bench") : tr("Enlarge to the whole page"));
    m_enlarge->setToolTip(m_enlarged ? tr("Back to the bench (Esc)") : tr("Enlarge to the whole page"));
}

void RunTabs::updateNote()
{
    m_note->setText(m_pages->currentWidget() == m_samples ? m_samples->countText() : QString());
}

void RunTabs::retranslate()
{
    for (int i = 0; i < m_names.size(); ++i)
        m_tabs->setTabText(i, m_names.at(i)());
    m_tabs->setAccessibleName(tr("Views of the run"));
    m_samples->retranslate();
    m_timeline->retranslate();
    updateEnlarge();
    updateNote();
}

void RunTabs::restyle()
{
    m_note->setFont(secondaryFont());
    setTextColor(m_note, tokens().text2);
    m_samples->restyle();
    m_timeline->restyle();
    updateEnlarge();
}

} // namespace kvlab::ui
