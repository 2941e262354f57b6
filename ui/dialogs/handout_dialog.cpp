// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/handout_dialog.h"

#include "ui/measure/run_texts.h"
#include "ui/measure/study_line.h"
#include "ui/measure_controller.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"

#include <QButtonGroup>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTextBrowser>
#include <QTextDocumentFragment>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kvlab::ui {

using experiment::Arm;
using experiment::HandoutFlaw;
using experiment::HandoutPlace;
using experiment::HandoutResult;
using experiment::RunResult;
using State = MeasureController::State;

namespace {

enum Side { as_written, measured_right };

QString placeName(HandoutPlace place)
{
    switch (place) {
    case HandoutPlace::part1_table:
        return HandoutDialog::tr("Part 1, table");
    case HandoutPlace::part2_server:
        return HandoutDialog::tr("Part 2, server");
    case HandoutPlace::part2_script:
        return HandoutDialog::tr("Part 2, script");
    case HandoutPlace::part3_server:
        return HandoutDialog::tr("Part 3, server");
    case HandoutPlace::warm_up:
        return QStringLiteral("WARMUP");
    case HandoutPlace::no_cache:
        return QStringLiteral("NO CACHE");
    case HandoutPlace::cached:
        return QStringLiteral("CACHED");
    case HandoutPlace::different_prefix:
        return QStringLiteral("DIFFERENT PREFIX");
    case HandoutPlace::part3_first:
        return QStringLiteral("Request 1");
    case HandoutPlace::part3_second:
        return QStringLiteral("Request 2");
    }
    return {};
}

std::optional<Arm> armOf(HandoutPlace place)
{
    switch (place) {
    case HandoutPlace::no_cache:
    case HandoutPlace::part3_first:
        return Arm::cold;
    case HandoutPlace::cached:
    case HandoutPlace::part3_second:
        return Arm::warm;
    case HandoutPlace::different_prefix:
        return Arm::different;
    default:
        return std::nullopt;
    }
}

QString hitText(const experiment::HandoutSample &sample)
{
    const probe::Evidence &evidence = sample.probe.evidence;
    const QLocale locale;
    QString text = evidence.cached_tokens && evidence.prompt_tokens
        ? HandoutDialog::tr("cached %1 of %2")
              .arg(locale.toString(*evidence.cached_tokens), locale.toString(*evidence.prompt_tokens))
        : HandoutDialog::tr("hit not reported");
    if (!sample.request.printed)
        text = HandoutDialog::tr("not printed · %1", "%1 tells the cached tokens").arg(text);
    return text;
}

} // namespace

HandoutDialog::HandoutDialog(MeasureController *controller, QWidget *parent)
    : QDialog(parent, Qt::Window)
    , m_controller(controller)
{
    setupLayout();
    connectRuns();
    retranslate();
    resize(1000, 660);
}

HandoutDialog *HandoutDialog::open(MeasureController *controller, QWidget *window)
{
    auto *dialog = window->findChild<HandoutDialog *>(QString(), Qt::FindDirectChildrenOnly);
    if (dialog == nullptr)
        dialog = new HandoutDialog(controller, window);
    dialog->QDialog::show();
    dialog->raise();
    dialog->activateWindow();
    return dialog;
}

void HandoutDialog::setupLayout()
{
    m_story = new QLabel(this);
    m_story->setWordWrap(true);
    m_line = new StudyLine(m_controller, this);
    auto *charts = new QGridLayout;
    charts->setHorizontalSpacing(16);
    charts->addWidget(createSide(as_written), 0, 0);
    charts->addWidget(createSide(measured_right), 0, 1);
    charts->setColumnStretch(0, 1);
    charts->setColumnStretch(1, 1);
    m_flaws = new QTextBrowser(this);
    m_flaws->setObjectName(QStringLiteral("flaws"));
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_story);
    column->addWidget(m_line);
    column->addLayout(charts, 3);
    column->addWidget(m_flaws, 2);
}

QWidget *HandoutDialog::createSide(int side)
{
    auto *box = new QWidget(this);
    m_titles[side] = new QLabel(box);
    m_titles[side]->setFont(titleFont());
    m_charts[side] = new HandoutChart(box);
    m_findings[side] = new QLabel(box);
    m_findings[side]->setObjectName(side == as_written ? QStringLiteral("finding") : QStringLiteral("fairFinding"));
    m_findings[side]->setWordWrap(true);
    m_findings[side]->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    // The same on both sides, so that the charts above stay level.
    m_findings[side]->setFixedHeight(m_findings[side]->fontMetrics().lineSpacing() * 3);
    m_findings[side]->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *head = new QHBoxLayout;
    head->addWidget(m_titles[side]);
    head->addStretch(1);
    if (side == as_written) {
        m_parts = new QButtonGroup(this);
        for (const int part : {2, 3}) {
            auto *button = new QToolButton(box);
            button->setCheckable(true);
            button->setChecked(part == m_part);
            setKind(button, "segment");
            m_parts->addButton(button, part);
            head->addWidget(button);
        }
    } else {
        m_fairButton = new QPushButton(box);
        m_fairButton->setObjectName(QStringLiteral("measureRight"));
        m_fairButton->setAutoDefault(false);
        head->addWidget(m_fairButton);
    }
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(head);
    column->addWidget(m_charts[side], 1);
    column->addWidget(m_findings[side]);
    return box;
}

void HandoutDialog::connectRuns()
{
    connect(m_line, &StudyLine::startRequested, this, &HandoutDialog::start);
    connect(m_parts, &QButtonGroup::idClicked, this, &HandoutDialog::showPart);
    connect(m_fairButton, &QPushButton::clicked, this, &HandoutDialog::measureRight);
    connect(&m_runner, &experiment::HandoutRunner::progressed, this, [this](int done, int total) {
        m_line->setProgress(done, total);
        m_line->setStatus(
            tr("Request %1 of %2").arg(QLocale().toString(std::min(done + 1, total)), QLocale().toString(total)));
    });
    connect(&m_runner, &experiment::HandoutRunner::partChanged, this, &HandoutDialog::setHandout);
    connect(&m_runner, &experiment::HandoutRunner::finished, this, &HandoutDialog::finish);
    connect(m_controller, &MeasureController::stateChanged, this, [this] {
        const bool idle = m_controller->state() == State::idle;
        m_fairButton->setEnabled(idle || m_fairAsked);
        if (idle)
            m_fairAsked = false;
        retranslate();
    });
    connect(m_controller, &MeasureController::sampleFinished, this,
        [this](const experiment::MeasuredSample &sample, const experiment::Summary &summary) {
            if (!m_fairAsked || !m_fair)
                return;
            m_fair->samples.append(sample);
            m_fair->summary = summary;
            refresh();
        });
    connect(m_controller, &MeasureController::ended, this, [this](const RunResult &run) {
        if (m_fair)
            setFair(run);
    });
}

void HandoutDialog::start()
{
    m_results.clear();
    refresh();
    m_line->begin(
        [this](const experiment::ServerTarget &target) {
            m_line->setStatus(tr("Request %1 of %2").arg(QLocale().toString(1), QLocale().toString(6)));
            m_runner.start(target, {2, 3}, m_controller->plan().limits);
        },
        [this] { m_runner.stop(); });
}

void HandoutDialog::finish(const QList<HandoutResult> &results)
{
    m_line->end();
    for (const HandoutResult &result : results) {
        m_results.insert(result.part, result);
        if (!result.message.isEmpty())
            m_line->showMessage(MessageKind::error, result.message, result.details);
    }
    const bool stopped = !results.isEmpty() && results.last().stopped;
    m_line->setStatus(stopped ? tr("Stopped; what was measured is kept.") : tr("Done; choose Part 2 or Part 3."));
    refresh();
}

void HandoutDialog::measureRight()
{
    if (m_fairAsked) {
        m_controller->stop();
        return;
    }
    if (m_controller->state() != State::idle)
        return;
    m_fairAsked = true;
    m_fair = RunResult();
    refresh();
    m_controller->start();
}

void HandoutDialog::setHandout(const HandoutResult &result)
{
    m_results.insert(result.part, result);
    refresh();
}

void HandoutDialog::setFair(const RunResult &run)
{
    m_fair = run;
    refresh();
}

void HandoutDialog::showPart(int part)
{
    m_part = part;
    m_parts->button(part)->setChecked(true);
    refresh();
}

QList<HandoutBar> HandoutDialog::handoutBars() const
{
    QList<HandoutBar> bars;
    const QList<experiment::HandoutSample> samples = m_results.value(m_part).samples;
    for (const experiment::HandoutRequest &request : experiment::handoutRequests(m_part)) {
        HandoutBar bar;
        bar.name = request.label;
        bar.second = request.printed ? QString() : tr("not printed");
        bar.arm = armOf(request.place);
        for (const HandoutFlaw &flaw : experiment::handoutFlaws(request.place))
            bar.flaws << flaw.number;
        for (const experiment::HandoutSample &sample : samples) {
            if (sample.request.place != request.place)
                continue;
            bar.ms = sample.handout_ms;
            bar.second = hitText(sample);
        }
        bars << bar;
    }
    return bars;
}

QList<HandoutBar> HandoutDialog::fairBars() const
{
    QList<HandoutBar> bars;
    for (const Arm arm : experiment::standardArms()) {
        HandoutBar bar;
        bar.name = experiment::armTitle(arm);
        bar.arm = arm;
        if (m_fair) {
            const experiment::ArmSummary summary = m_fair->summary.arms.value(arm);
            bar.ms = summary.median_ms;
            bar.interval_ms = summary.median_interval_ms;
            bar.second = tr("n %1").arg(QLocale().toString(summary.kept));
            if (summary.cached_tokens_median)
                bar.second = tr("n %1 · cached %2")
                                 .arg(QLocale().toString(summary.kept),
                                     QLocale().toString(*summary.cached_tokens_median, 'f', 0));
            for (const experiment::MeasuredSample &sample : m_fair->samples) {
                if (const auto ttft = sample.probe.ttftMs(); ttft && sample.arm == arm && sample.kept)
                    bar.dots << *ttft;
            }
        }
        bars << bar;
    }
    return bars;
}

void HandoutDialog::refresh()
{
    const QList<HandoutBar> written = handoutBars();
    const QList<HandoutBar> fair = fairBars();
    m_charts[as_written]->show(written, fair,
        m_part == 2 ? tr("time to first token (ms) · one request each, so no median and no interval")
                    : tr("time of the whole answer (ms), which the handout calls time to first token"));
    m_charts[measured_right]->show(
        fair, written, tr("time to first token (ms) · bar median, whisker 95 % interval, dots samples"));
    const QString finding = experiment::handoutFinding(m_results.value(m_part));
    m_findings[as_written]->setText(finding.isEmpty() ? tr("Nothing measured yet.") : finding);
    QString right = tr("Nothing measured yet.");
    if (m_fair) {
        const ResultText text = resultText({m_fairAsked ? RunOrigin::live : RunOrigin::measured, *m_fair});
        QStringList parts{QTextDocumentFragment::fromHtml(text.claim).toPlainText(), text.spread, text.evidence};
        if (text.state == ResultText::State::problem)
            parts = {text.explanation};
        parts.removeAll(QString());
        right = parts.join(QStringLiteral(" · "));
    }
    m_findings[measured_right]->setText(right);
    refreshFlaws();
}

void HandoutDialog::refreshFlaws()
{
    QString html = QStringLiteral("<table cellpadding=\"3\">");
    for (const HandoutFlaw &flaw : experiment::handoutFlaws()) {
        QStringList places;
        for (const HandoutPlace place : flaw.places)
            places << placeName(place);
        html += QStringLiteral("<tr><td align=\"right\"><b>%1</b></td><td><b>%2</b> %3</td><td><i>%4</i></td></tr>")
                    .arg(QLocale().toString(flaw.number), flaw.title.toHtmlEscaped(), flaw.detail.toHtmlEscaped(),
                        places.join(QStringLiteral(", ")).toHtmlEscaped());
    }
    html += QLatin1String("</table>");
    if (m_flaws->property("shown").toString() == html)
        return; // a list that is read is not to jump back to its beginning
    m_flaws->setProperty("shown", html);
    m_flaws->setHtml(html);
}

void HandoutDialog::retranslate()
{
    setWindowTitle(tr("As the handout does it"));
    m_story->setText(
        tr("The course's Parts 2 and 3 exactly as written, each flaw's number at the figure it spoils, beside the same "
           "question measured fairly on the same server. Both charts have one axis."));
    m_line->setStartText(tr("Run Parts 2 and 3"));
    m_titles[as_written]->setText(tr("As the handout has it"));
    m_titles[measured_right]->setText(tr("Measured right"));
    m_parts->button(2)->setText(tr("Part 2"));
    m_parts->button(3)->setText(tr("Part 3"));
    m_fairButton->setText(m_fairAsked ? tr("Stop") : tr("Measure it right"));
    m_fairButton->setIcon(icon(m_fairAsked ? QStringLiteral("stop") : QStringLiteral("play")));
    m_flaws->setAccessibleName(tr("The 19 flaws of the handout"));
    refresh();
}

void HandoutDialog::done(int result)
{
    m_line->stop();
    QDialog::done(result);
}

void HandoutDialog::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QDialog::changeEvent(event);
}

} // namespace kvlab::ui
