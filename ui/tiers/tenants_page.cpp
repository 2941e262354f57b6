// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiers/tenants_page.h"

#include "ui/measure_controller.h"
#include "ui/tiers/bar_rows.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/eliding_label.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/message_bar.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kvlab::ui {

namespace {

using servers::TenantProbe;
using servers::TenantTrial;

QLabel *wrapped(QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QString nameOf(int candidate)
{
    return TenantsPage::tr("Text %1").arg(QLocale().toString(candidate + 1));
}

} // namespace

TenantsPage::TenantsPage(MeasureController *controller, QWidget *parent)
    : QWidget(parent)
    , m_controller(controller)
{
    setupLayout();
    connectRun();
    retranslate();
}

TenantsPage::~TenantsPage()
{
    m_runner.disconnect(this);
    if (m_runner.isRunning() && m_controller)
        m_controller->release();
}

void TenantsPage::setupLayout()
{
    m_story = wrapped(this);
    m_start = new QPushButton(this);
    m_start->setObjectName(QStringLiteral("startTenants"));
    m_bar = new QProgressBar(this);
    m_bar->setTextVisible(false);
    m_bar->setMaximumWidth(220);
    m_status = new ElidingLabel({}, this);
    m_message = new MessageBar(this);
    auto *line = new QHBoxLayout;
    line->addWidget(m_start);
    line->addWidget(m_bar);
    line->addWidget(m_status, 1);
    auto *charts = new QGridLayout;
    charts->setHorizontalSpacing(16);
    for (int i = 0; i < 2; ++i) {
        m_titles[i] = new QLabel(this);
        m_charts[i] = new BarRows(this);
        m_trials[i] = wrapped(this);
        charts->addWidget(m_titles[i], 0, i);
        charts->addWidget(m_charts[i], 1, i);
        charts->addWidget(m_trials[i], 2, i);
        charts->setColumnStretch(i, 1);
    }
    m_answer = wrapped(this);
    m_answer->setObjectName(QStringLiteral("answer"));
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_story);
    column->addLayout(line);
    column->addWidget(m_message);
    column->addLayout(charts);
    column->addWidget(m_answer);
    column->addStretch();
}

void TenantsPage::connectRun()
{
    connect(m_start, &QPushButton::clicked, this, [this] {
        if (m_runner.isRunning())
            stop();
        else
            start();
    });
    connect(m_controller, &MeasureController::stateChanged, this, &TenantsPage::updateState);
    connect(&m_runner, &servers::TenantRunner::probed, this, [this](const TenantProbe &probe, int done, int total) {
        m_result.probes.append(probe);
        m_done = done;
        m_total = total;
        draw();
        updateState();
    });
    connect(&m_runner, &servers::TenantRunner::finished, this, [this](const servers::TenantResult &result) {
        m_controller->release();
        showResult(result);
        if (result.end == experiment::RunEnd::failed)
            m_message->showMessage(MessageKind::error, result.message, result.details);
        Q_EMIT ended();
    });
}

void TenantsPage::start()
{
    if (m_runner.isRunning() || !m_controller->occupy([this] { m_runner.stop(); }))
        return;
    m_message->hide();
    const servers::TenantPlan plan = m_result.plan;
    m_result = {};
    m_result.plan = plan;
    m_done = 0;
    m_total = 0;
    m_runner.start(plan);
    draw();
    updateState();
}

void TenantsPage::stop()
{
    m_runner.stop();
}

void TenantsPage::showResult(const servers::TenantResult &result)
{
    m_result = result;
    draw();
    updateState();
}

/// The last trial of each kind that has begun.
void TenantsPage::draw()
{
    double most = 0;
    QList<BarRow> rows[2];
    for (int i = 0; i < 2; ++i) {
        int trial = 0;
        for (const TenantProbe &probe : std::as_const(m_result.probes)) {
            if (probe.salted == (i == 1))
                trial = std::max(trial, probe.trial);
        }
        for (int candidate = 0; candidate < m_result.plan.candidates; ++candidate) {
            BarRow row{nameOf(candidate), tr("not asked yet"), BarFill::stripes, {}, {}, {}};
            for (const TenantProbe &probe : std::as_const(m_result.probes)) {
                if (probe.salted != (i == 1) || probe.trial != trial || probe.candidate != candidate)
                    continue;
                row.second = probe.sent_by_a ? tr("sent by tenant A") : tr("not sent by A");
                row.fill = probe.sent_by_a ? BarFill::solid : BarFill::empty;
                row.bar_ms = probe.ttft_ms;
                row.value_ms = probe.ttft_ms;
                most = std::max(most, probe.ttft_ms.value_or(0));
            }
            rows[i].append(row);
        }
    }
    for (int i = 0; i < 2; ++i) {
        m_charts[i]->setRows(rows[i], most);
        m_trials[i]->setText(trialText(i == 1));
    }
    m_answer->setText(answerText());
}

QString TenantsPage::trialText(bool salted) const
{
    QStringList lines;
    const QLocale locale;
    for (const TenantTrial &trial : m_result.trials) {
        if (trial.salted != salted)
            continue;
        const QString number = locale.toString(trial.trial);
        lines << (trial.guess ? tr("Trial %1: A sent text %2; by time, B says text %3.")
                                    .arg(number, locale.toString(trial.secret + 1), locale.toString(*trial.guess + 1))
                              : tr("Trial %1: A sent text %2; by time, B cannot tell.")
                                    .arg(number, locale.toString(trial.secret + 1)));
    }
    return lines.join(QLatin1Char('\n'));
}

QString TenantsPage::answerText() const
{
    if (m_result.trials.isEmpty())
        return {};
    const QLocale locale;
    return tr("Without salts tenant B found the text of tenant A in %1 of %2 trials; with a salt for each tenant in "
              "%3 of %4.")
        .arg(locale.toString(m_result.found(false)), locale.toString(m_result.count(false)),
            locale.toString(m_result.found(true)), locale.toString(m_result.count(true)));
}

void TenantsPage::updateState()
{
    const bool running = m_runner.isRunning();
    const bool idle = m_controller->state() == MeasureController::State::idle;
    const QLocale locale;
    m_start->setText(running ? tr("Stop") : tr("Show it"));
    m_start->setIcon(
        running ? icon(QStringLiteral("stop")) : icon(QStringLiteral("play"), idle ? tokens().on_accent : QColor()));
    setKind(m_start, running ? "stop" : "primary");
    m_start->setEnabled(running || idle);
    m_bar->setVisible(running);
    m_bar->setRange(0, m_total);
    m_bar->setValue(m_done);
    if (running) {
        m_status->setFullText(m_total == 0
                ? tr("The practice engine is starting.")
                : tr("Request %1 of %2 of tenant B").arg(locale.toString(m_done), locale.toString(m_total)));
    } else if (!m_result.probes.isEmpty()) {
        m_status->setFullText(m_result.end == experiment::RunEnd::finished
                ? tr("Measured on this computer, practice engine %1.").arg(m_result.engine)
                : tr("Ended early; what was measured is kept."));
    } else {
        m_status->setFullText(idle ? tr("Takes less than half a minute.")
                                   : tr("Another measurement is going on: stop it, or wait for its end."));
    }
}

void TenantsPage::retranslate()
{
    m_story->setText(
        tr("Two tenants share one engine. Tenant A sends one of four long texts. Tenant B sees neither A's request nor "
           "its answer, but has the four texts: B sends each of them and looks at the time to the first token. A text "
           "that somebody sent before is found in the cache and answered sooner, so the time tells B what A sent. With "
           "a cache_salt of their own the tenants share no blocks, and all times are alike. Both tenants are this "
           "program, on an engine that it starts and ends; no other server is asked."));
    m_titles[0]->setText(tr("Without salts"));
    m_titles[1]->setText(tr("With a cache_salt for each tenant"));
    for (int i = 0; i < 2; ++i) {
        m_titles[i]->setFont(titleFont());
        m_charts[i]->setAccessibleName(m_titles[i]->text());
        m_charts[i]->setCaption(tr("TTFT of tenant B in ms · each bar is one request of the last trial"));
    }
    draw();
    updateState();
}

void TenantsPage::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange || (event->type() == QEvent::StyleChange && m_answer))
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace kvlab::ui
