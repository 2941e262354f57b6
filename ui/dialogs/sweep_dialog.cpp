// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/sweep_dialog.h"

#include "session/csv.h"
#include "ui/measure/study_line.h"
#include "ui/measure/sweep_chart.h"
#include "ui/measure_controller.h"
#include "ui/widgets/appearance.h"

#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>

namespace kvlab::ui {

using experiment::Arm;
using experiment::RunEnd;
using experiment::RunResult;
using experiment::SweepLine;
using experiment::SweepPoint;

namespace {

QString shown(std::optional<double> value, int decimals)
{
    return value ? QLocale().toString(*value, 'f', decimals) : QStringLiteral("–");
}

std::optional<QString> plain(std::optional<double> value, int decimals)
{
    return value ? std::optional(session::csvNumber(*value, decimals)) : std::nullopt;
}

QString slope(Arm arm, const std::optional<SweepLine> &line)
{
    if (!line)
        return {};
    //: %1 an arm such as NO CACHE
    return SweepDialog::tr("%1: %2 ms per 1,000 tokens, fitted to the medians.")
        .arg(experiment::armTitle(arm), QLocale().toString(line->ms_per_1000_tokens, 'f', 2));
}

} // namespace

SweepDialog::SweepDialog(MeasureController *controller, QWidget *parent)
    : QDialog(parent, Qt::Window)
    , m_controller(controller)
{
    setupLayout();
    connectRuns();
    retranslate();
    resize(980, 600);
}

SweepDialog *SweepDialog::open(MeasureController *controller, QWidget *window)
{
    auto *dialog = window->findChild<SweepDialog *>(QString(), Qt::FindDirectChildrenOnly);
    if (dialog == nullptr)
        dialog = new SweepDialog(controller, window);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
    return dialog;
}

void SweepDialog::setupLayout()
{
    m_story = new QLabel(this);
    m_story->setWordWrap(true);
    m_lengthsLabel = new QLabel(this);
    m_lengths = new QLineEdit(QStringLiteral("256, 512, 1k, 2k"), this);
    m_lengths->setObjectName(QStringLiteral("lengths"));
    m_lengthsLabel->setBuddy(m_lengths);
    m_export = new QPushButton(this);
    m_export->setAutoDefault(false);
    auto *typed = new QHBoxLayout;
    typed->addWidget(m_lengthsLabel);
    typed->addWidget(m_lengths, 1);
    typed->addWidget(m_export);
    m_line = new StudyLine(m_controller, this);
    m_chart = new SweepChart(this);
    m_table = new QTableWidget(0, 6, this);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    auto *both = new QSplitter(Qt::Horizontal, this);
    both->addWidget(m_chart);
    both->addWidget(m_table);
    both->setStretchFactor(0, 1);
    both->setSizes({480, 480});
    m_result = new QLabel(this);
    m_result->setObjectName(QStringLiteral("sweepResult"));
    m_result->setWordWrap(true);
    m_result->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_story);
    column->addLayout(typed);
    column->addWidget(m_line);
    column->addWidget(both, 1);
    column->addWidget(m_result);
}

void SweepDialog::connectRuns()
{
    connect(m_line, &StudyLine::startRequested, this, &SweepDialog::start);
    connect(m_export, &QPushButton::clicked, this, &SweepDialog::chooseExport);
    connect(&m_runner, &experiment::ExperimentRunner::serverLearned, this,
        [this](const experiment::ServerFacts &facts) { m_runs.last().server = facts; });
    connect(
        &m_runner, &experiment::ExperimentRunner::progressed, this, [this](const experiment::RunProgress &progress) {
            m_line->setProgress(m_done + progress.done, m_total);
            const QLocale locale;
            m_line->setStatus(
                tr("Shared prefix of %1 tokens: sample %2 of %3 in all")
                    .arg(locale.toString(m_runs.last().plan.shared_tokens),
                        locale.toString(std::min(m_done + progress.done + 1, m_total)), locale.toString(m_total)));
        });
    connect(&m_runner, &experiment::ExperimentRunner::sampleFinished, this,
        [this](const experiment::MeasuredSample &sample, const experiment::Summary &summary) {
            m_runs.last().samples << sample;
            m_runs.last().summary = summary;
            refresh();
        });
    connect(&m_runner, &experiment::ExperimentRunner::finished, this, &SweepDialog::endRun);
}

void SweepDialog::start()
{
    const auto lengths = sweepLengths(m_lengths->text());
    if (!lengths) {
        m_line->showMessage(MessageKind::error,
            tr("These lengths cannot be measured: give 2 to 12 different ones between 64 and 1,000,000 tokens, "
               "separated by commas, such as 256, 512, 1k, 2k."));
        return;
    }
    m_left = *lengths;
    m_total = int(m_left.size()) * m_controller->plan().rounds * 2;
    m_done = 0;
    m_runs.clear();
    refresh();
    m_line->begin(
        [this](const experiment::ServerTarget &target) {
            m_target = target;
            startNext();
        },
        [this] { m_runner.stop(); });
}

void SweepDialog::startNext()
{
    RunResult run;
    run.plan = m_controller->plan();
    run.plan.arms = {Arm::cold, Arm::warm};
    run.plan.shared_tokens = m_left.takeFirst();
    m_runs << run;
    m_runner.start(m_target, run.plan);
}

void SweepDialog::endRun(const RunResult &run)
{
    m_runs.last() = run;
    m_done += int(run.samples.size());
    refresh();
    if (run.end == RunEnd::finished && !m_left.isEmpty()) {
        startNext();
        return;
    }
    m_line->end();
    m_line->setStatus(run.end == RunEnd::finished ? tr("Done.") : tr("Ended early; what was measured is kept."));
    if (run.end == RunEnd::failed)
        m_line->showMessage(MessageKind::error, run.message, run.details);
    refresh();
}

void SweepDialog::setRuns(const QList<RunResult> &runs)
{
    m_runs = runs;
    refresh();
}

void SweepDialog::refresh()
{
    m_summary = experiment::summarizeSweep(m_runs);
    m_chart->show(m_summary, m_runs);
    fillTable();
    m_result->setText(resultText());
    m_export->setEnabled(!m_runs.isEmpty() && !m_line->isRunning());
    m_lengths->setEnabled(!m_line->isRunning());
}

void SweepDialog::fillTable()
{
    m_table->setRowCount(int(m_summary.points.size()));
    int row = 0;
    for (const SweepPoint &point : std::as_const(m_summary.points)) {
        const QStringList cells{QLocale().toString(point.shared_tokens), shown(point.cold_ms, 1),
            shown(point.warm_ms, 1), shown(point.ratio, 2), shown(point.cached_tokens, 0),
            point.verdict ? experiment::verdictTitle(*point.verdict) : QString()};
        for (int column = 0; column < cells.size(); ++column) {
            auto *item = new QTableWidgetItem(cells.at(column));
            if (column < 5)
                item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            m_table->setItem(row, column, item);
        }
        ++row;
    }
}

QString SweepDialog::resultText() const
{
    QStringList lines{slope(Arm::cold, m_summary.cold), slope(Arm::warm, m_summary.warm)};
    if (m_summary.pays_from_tokens)
        lines << tr("Caching pays from a shared prefix of %1 tokens on, the shortest of this sweep at which it does.")
                     .arg(QLocale().toString(*m_summary.pays_from_tokens));
    else if (m_summary.cold)
        lines << tr("At the longest length of this sweep caching does not pay; try longer ones.");
    lines.removeAll(QString());
    return lines.isEmpty() ? tr("Nothing measured yet.") : lines.join(QLatin1Char('\n'));
}

QByteArray SweepDialog::csv() const
{
    session::CsvWriter writer;
    writer.addRow({QStringLiteral("shared_tokens"), QStringLiteral("prompt_tokens"), QStringLiteral("cold_ms"),
        QStringLiteral("warm_ms"), QStringLiteral("ratio_median"), QStringLiteral("ratio_low"),
        QStringLiteral("ratio_high"), QStringLiteral("cached_tokens"), QStringLiteral("verdict"),
        QStringLiteral("pays")});
    for (const SweepPoint &point : m_summary.points) {
        const auto &interval = point.ratio_interval;
        const auto number
            = [](std::optional<double> value, int decimals) { return session::csvNumberCell(plain(value, decimals)); };
        writer.addRow({QString::number(point.shared_tokens), number(point.prompt_tokens, 1), number(point.cold_ms, 3),
            number(point.warm_ms, 3), number(point.ratio, 4),
            number(interval ? std::optional(interval->low) : std::nullopt, 4),
            number(interval ? std::optional(interval->high) : std::nullopt, 4), number(point.cached_tokens, 1),
            point.verdict ? experiment::verdictName(*point.verdict) : QString(),
            point.pays ? QStringLiteral("true") : QStringLiteral("false")});
    }
    return writer.toUtf8();
}

void SweepDialog::chooseExport()
{
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export the sweep"), QStringLiteral("sweep.csv"), tr("Table (*.csv);;Picture (*.png)"));
    if (!path.isEmpty())
        exportTo(path);
}

void SweepDialog::exportTo(const QString &path)
{
    const bool picture = path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive);
    const std::optional<QString> problem
        = picture ? m_chart->writePicture(path) : session::writeFileAtomically(path, csv());
    if (problem)
        m_line->showMessage(MessageKind::error, *problem);
    else
        m_line->setStatus(tr("Written to %1.").arg(path));
}

void SweepDialog::retranslate()
{
    setWindowTitle(tr("Sweep over length"));
    m_story->setText(tr("The same experiment at several lengths of the shared prefix: what a token of prompt costs "
                        "cold and warm, and from which length on caching pays."));
    m_lengthsLabel->setText(tr("&Lengths in tokens"));
    m_line->setStartText(tr("Sweep"));
    m_export->setText(tr("Export…"));
    m_table->setHorizontalHeaderLabels(
        {tr("shared prefix"), tr("cold, ms"), tr("warm, ms"), tr("cold / warm"), tr("cached tokens"), tr("verdict")});
    refresh();
}

void SweepDialog::done(int result)
{
    m_line->stop();
    QDialog::done(result);
}

void SweepDialog::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QDialog::changeEvent(event);
}

} // namespace kvlab::ui
