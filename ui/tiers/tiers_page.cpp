// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiers/tiers_page.h"

#include "session/csv.h"
#include "session/tier_export.h"
#include "ui/measure_controller.h"
#include "ui/planner/field_edge.h"
#include "ui/tiers/bar_rows.h"
#include "ui/tiers/tier_model.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/eliding_label.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/message_bar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace kvlab::ui {

namespace {

using servers::TierArm;
using servers::TierProgress;
using servers::TierSample;
using servers::TierSummary;

constexpr int fewestForBar = 5;
constexpr int mostRounds = 100;

/// A line below each row, and cells in line with their headers.
class LinedDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        constexpr int inset = 4;
        QStyleOptionViewItem inner = option;
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, option.palette.highlight());
        inner.rect.adjust(inset, 0, -inset, -1);
        QStyledItemDelegate::paint(painter, inner, index);
        painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), tokens().grid);
    }
};

BarFill fillOf(TierArm arm)
{
    static const std::array<BarFill, 6> fills{
        BarFill::solid, BarFill::empty, BarFill::lines, BarFill::stripes, BarFill::lattice, BarFill::dotted};
    return fills.at(std::size_t(arm));
}

QString secondLine(const TierSummary &summary)
{
    const QLocale locale;
    return TiersPage::tr("n %1 · hit %2").arg(locale.toString(summary.kept), locale.toString(summary.expected_tokens));
}

BarRow rowOf(const TierSummary &summary, const QList<TierSample> &samples)
{
    BarRow row;
    row.name = servers::tierArmTitle(summary.arm);
    row.second = secondLine(summary);
    row.fill = fillOf(summary.arm);
    row.value_ms = summary.median_ms;
    if (summary.kept >= fewestForBar)
        row.bar_ms = summary.median_ms;
    for (const TierSample &sample : samples) {
        const auto time = sample.probe.ttftMs();
        if (sample.arm == summary.arm && sample.shared_tokens == summary.shared_tokens && time)
            row.dots.append({*time, !sample.kept()});
    }
    return row;
}

} // namespace

TiersPage::TiersPage(MeasureController *controller, QWidget *parent)
    : QWidget(parent)
    , m_controller(controller)
{
    setupQuestion();
    setupAnswer();
    setupLayout();
    connectRun();
    retranslate();
}

TiersPage::~TiersPage()
{
    m_runner.disconnect(this);
    if (mine() && m_controller)
        m_controller->release();
}

void TiersPage::setupQuestion()
{
    for (const TierArm arm : servers::allTierArms()) {
        auto *box = new QCheckBox(this);
        box->setObjectName(servers::tierArmName(arm));
        box->setChecked(true);
        m_arms.insert(arm, box);
    }
    m_roundsLabel = new QLabel(this);
    m_rounds = new Edged<QSpinBox>(this);
    m_rounds->setObjectName(QStringLiteral("rounds"));
    m_rounds->setRange(1, mostRounds);
    m_rounds->setValue(servers::TierPlan().rounds);
    m_roundsLabel->setBuddy(m_rounds);
    m_lengthsLabel = new QLabel(this);
    m_lengths = new QLineEdit(QStringLiteral("3000"), this);
    m_lengths->setObjectName(QStringLiteral("lengths"));
    m_lengthsLabel->setBuddy(m_lengths);
    m_sizeLabel = new QLabel(this);
    m_size = new Edged<QComboBox>(this);
    m_size->setObjectName(QStringLiteral("size"));
    for (const char *size : {"auto", "small", "medium", "large"})
        m_size->addItem(QString(), QString::fromLatin1(size));
    m_sizeLabel->setBuddy(m_size);
    m_start = new QPushButton(this);
    m_start->setObjectName(QStringLiteral("start"));
    m_export = new QPushButton(this);
    m_export->setObjectName(QStringLiteral("export"));
    m_export->setIcon(icon(QStringLiteral("export")));
    m_bar = new QProgressBar(this);
    m_bar->setTextVisible(false);
    m_bar->setMaximumWidth(220);
    m_status = new ElidingLabel({}, this);
    m_status->setObjectName(QStringLiteral("status"));
    m_message = new MessageBar(this);
}

void TiersPage::setupAnswer()
{
    m_shownLabel = new QLabel(this);
    m_shown = new Edged<QComboBox>(this);
    m_shown->setObjectName(QStringLiteral("shown"));
    m_shownLabel->setBuddy(m_shown);
    m_chart = new BarRows(this);
    m_model = new TierModel(this);
    m_table = new QTableView(this);
    m_table->setObjectName(QStringLiteral("table"));
    m_table->setModel(m_model);
    m_table->setShowGrid(false);
    m_table->setItemDelegate(new LinedDelegate(m_table));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(TierModel::ArmColumn, QHeaderView::Stretch);
    m_verdict = new QLabel(this);
    m_verdict->setObjectName(QStringLiteral("verdict"));
    m_verdict->setWordWrap(true);
    m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse);
}

void TiersPage::setupLayout()
{
    auto *arms = new QHBoxLayout;
    arms->setSpacing(16);
    for (QCheckBox *box : std::as_const(m_arms))
        arms->addWidget(box);
    arms->addStretch();
    auto *question = new QHBoxLayout;
    for (QWidget *widget : {static_cast<QWidget *>(m_start), static_cast<QWidget *>(m_roundsLabel),
             static_cast<QWidget *>(m_rounds), static_cast<QWidget *>(m_lengthsLabel),
             static_cast<QWidget *>(m_lengths), static_cast<QWidget *>(m_sizeLabel), static_cast<QWidget *>(m_size)})
        question->addWidget(widget, widget == m_lengths ? 1 : 0);
    question->addWidget(m_export);
    auto *progress = new QHBoxLayout;
    progress->addWidget(m_bar);
    progress->addWidget(m_status, 1);
    progress->addWidget(m_shownLabel);
    progress->addWidget(m_shown);
    auto *column = new QVBoxLayout(this);
    column->addLayout(question);
    column->addLayout(arms);
    column->addWidget(m_message);
    column->addLayout(progress);
    column->addWidget(m_chart, 3);
    column->addWidget(m_table, 2);
    column->addWidget(m_verdict);
}

void TiersPage::connectRun()
{
    connect(m_start, &QPushButton::clicked, this, [this] {
        if (mine())
            stop();
        else
            start();
    });
    connect(m_export, &QPushButton::clicked, this, &TiersPage::chooseExport);
    connect(m_shown, &QComboBox::currentIndexChanged, this, &TiersPage::draw);
    connect(m_controller, &MeasureController::stateChanged, this, &TiersPage::updateState);
    connect(&m_runner, &servers::TierRunner::progressed, this, [this](const TierProgress &progress) {
        m_progress = progress;
        showProgress();
    });
    connect(&m_runner, &servers::TierRunner::sampleFinished, this, [this](const TierSample &sample) {
        m_result.samples.append(sample);
        draw();
    });
    connect(&m_runner, &servers::TierRunner::finished, this, &TiersPage::finish);
}

std::optional<servers::TierPlan> TiersPage::plan()
{
    servers::TierPlan plan;
    plan.arms.clear();
    for (const TierArm arm : servers::allTierArms()) {
        if (m_arms.value(arm)->isChecked())
            plan.arms.append(arm);
    }
    plan.rounds = m_rounds->value();
    plan.engine_size = m_size->currentData().toString();
    plan.lengths.clear();
    static const QRegularExpression separator(QStringLiteral("[,;，、\\s]+"));
    for (const QString &part : m_lengths->text().split(separator, Qt::SkipEmptyParts)) {
        bool isNumber = false;
        const int length = part.toInt(&isNumber);
        if (!isNumber) {
            m_message->showMessage(MessageKind::error,
                tr("“%1” is not a number of tokens. Write whole numbers with commas between them: 500, 1000, 2000.")
                    .arg(part));
            return std::nullopt;
        }
        if (!plan.lengths.contains(length))
            plan.lengths.append(length);
    }
    if (const auto problem = servers::validate(plan)) {
        m_message->showMessage(MessageKind::error, *problem);
        return std::nullopt;
    }
    return plan;
}

void TiersPage::startWith(const QList<TierArm> &arms, const QList<int> &lengths)
{
    if (mine())
        return;
    for (const TierArm arm : servers::allTierArms())
        m_arms.value(arm)->setChecked(arms.contains(arm));
    QStringList texts;
    for (const int length : lengths)
        texts << QString::number(length);
    m_lengths->setText(texts.join(QStringLiteral(", ")));
    start();
}

void TiersPage::start()
{
    const std::optional<servers::TierPlan> wanted = mine() ? std::nullopt : plan();
    if (!wanted || !m_controller->occupy([this] { m_runner.stop(); }))
        return;
    m_message->hide();
    m_finished = false;
    m_result = {};
    m_result.plan = *wanted;
    m_progress = {};
    m_runner.start(*wanted);
    showResult(m_result);
}

void TiersPage::stop()
{
    m_runner.stop();
}

void TiersPage::showResult(const servers::TierResult &result)
{
    m_result = result;
    m_finished = !mine() && !result.samples.isEmpty();
    m_shown->clear();
    QList<int> lengths = result.plan.lengths;
    std::sort(lengths.begin(), lengths.end());
    for (const int length : std::as_const(lengths))
        m_shown->addItem(QLocale().toString(length), length);
    m_shown->setCurrentIndex(m_shown->count() - 1);
    draw();
    updateState();
}

void TiersPage::finish(const servers::TierResult &result)
{
    m_controller->release();
    showResult(result);
    if (result.end == experiment::RunEnd::failed)
        m_message->showMessage(MessageKind::error, result.message, result.details);
    Q_EMIT ended();
}

void TiersPage::draw()
{
    m_model->setSamples(m_result.samples);
    QList<BarRow> rows;
    for (const TierArm arm : servers::allTierArms()) {
        if (!m_result.plan.arms.contains(arm))
            continue;
        TierSummary empty;
        empty.arm = arm;
        BarRow row{servers::tierArmTitle(arm), tr("n 0"), fillOf(arm), {}, {}, {}};
        for (const TierSummary &summary : m_model->summaries()) {
            if (summary.arm == arm && summary.shared_tokens == m_shown->currentData().toInt())
                row = rowOf(summary, m_result.samples);
        }
        rows.append(row);
    }
    m_chart->setRows(rows);
    const int lines = std::clamp(int(m_model->rowCount()), 3, 6);
    m_table->setMinimumHeight(lines * rowHeight(bodyFont()) + m_table->horizontalHeader()->sizeHint().height() + 4);
    m_table->verticalHeader()->setDefaultSectionSize(rowHeight(bodyFont()));
    showVerdict();
}

void TiersPage::showVerdict()
{
    const auto equal = std::count_if(m_result.samples.begin(), m_result.samples.end(),
        [](const TierSample &sample) { return sample.asPredicted().value_or(false); });
    const QLocale locale;
    if (m_result.samples.isEmpty()) {
        m_verdict->setText(tr("Two practice engines are started for the run and ended after it. Before every hit on "
                              "disk the operating system forgets the files, so that they come from the disk itself."));
        return;
    }
    m_verdict->setText(equal == m_result.samples.size()
            ? tr("All %n sample(s) found exactly what was predicted, in pool, RAM or disk.", nullptr, int(equal))
            : tr("%1 of %2 samples found exactly what was predicted; hollow dots are the others, and those whose time "
                 "cannot be trusted.")
                  .arg(locale.toString(equal), locale.toString(m_result.samples.size())));
}

void TiersPage::showProgress()
{
    const QLocale locale;
    m_bar->setRange(0, m_progress.total);
    m_bar->setValue(m_progress.done);
    QString text;
    switch (m_progress.phase) {
    case TierProgress::Phase::starting_engines:
        text = tr("The practice engines are starting.");
        break;
    case TierProgress::Phase::warming_up:
        text = tr("An engine warms up.");
        break;
    case TierProgress::Phase::restarting:
        text = tr("An engine is ended and started again.");
        break;
    case TierProgress::Phase::measuring:
        text = tr("Sample %1 of %2: %3")
                   .arg(locale.toString(std::min(m_progress.done + 1, m_progress.total)),
                       locale.toString(m_progress.total), servers::tierArmTitle(*m_progress.arm));
        break;
    }
    if (m_progress.remaining_ms)
        //: %1 is a sentence or “Sample 3 of 30: RAM tier”
        text = tr("%1 · about %2 s left").arg(text, locale.toString(*m_progress.remaining_ms / 1000));
    m_status->setFullText(text);
}

void TiersPage::updateState()
{
    const bool running = mine();
    const bool idle = m_controller->state() == MeasureController::State::idle;
    m_start->setText(running ? tr("Stop") : tr("Measure"));
    m_start->setIcon(
        running ? icon(QStringLiteral("stop")) : icon(QStringLiteral("play"), idle ? tokens().on_accent : QColor()));
    setKind(m_start, running ? "stop" : "primary");
    m_start->setEnabled(running || idle);
    for (QWidget *widget : QList<QWidget *>{m_rounds, m_lengths, m_size})
        widget->setEnabled(!running);
    for (QCheckBox *box : std::as_const(m_arms))
        box->setEnabled(!running);
    m_bar->setVisible(running);
    const bool sweep = m_shown->count() > 1;
    m_shownLabel->setVisible(sweep);
    m_shown->setVisible(sweep);
    m_export->setEnabled(m_finished);
    if (running) {
        showProgress();
        return;
    }
    const QLocale locale;
    const auto done = locale.toString(m_result.samples.size());
    m_status->setFullText(!m_finished ? (idle ? tr("Nothing measured yet.")
                                              : tr("Another measurement is going on: stop it, or wait for its end."))
            : m_result.end == experiment::RunEnd::finished
            ? tr("Measured on this computer: %1 samples, practice engine %2.").arg(done, m_result.engine)
            : tr("Ended early after %1 samples, which are kept. Practice engine %2.").arg(done, m_result.engine));
}

void TiersPage::exportTo(const QString &path)
{
    std::optional<QString> problem;
    if (path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive)) {
        if (!m_chart->grab().save(path))
            problem = tr("The picture could not be written to %1. Choose another place, or free some space there.")
                          .arg(QDir::toNativeSeparators(path));
    } else {
        const bool json = path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
        problem = session::writeFileAtomically(
            path, json ? QJsonDocument(session::tiersToJson(m_result)).toJson() : session::tiersToCsv(m_result));
    }
    m_message->showMessage(problem ? MessageKind::error : MessageKind::info,
        problem ? *problem : tr("Written: %1").arg(QDir::toNativeSeparators(path)));
}

void TiersPage::chooseExport()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Export the run over the tiers"),
        QStringLiteral("tiers.csv"), tr("CSV table (*.csv);;JSON (*.json);;Picture of the chart (*.png)"));
    if (!path.isEmpty())
        exportTo(path);
}

void TiersPage::retranslate()
{
    for (const TierArm arm : servers::allTierArms())
        m_arms.value(arm)->setText(servers::tierArmTitle(arm));
    m_arms.value(TierArm::recompute)->setToolTip(tr("Nothing of the prompt is kept anywhere: all of it is computed."));
    m_arms.value(TierArm::pool)->setToolTip(tr("The engine's own KV blocks still hold the shared tokens."));
    m_arms.value(TierArm::ram)->setToolTip(tr("The block pool is emptied; chunks of 256 tokens are still in RAM."));
    m_arms.value(TierArm::disk)
        ->setToolTip(
            tr("The block pool is emptied and there is no RAM tier; the chunks are files, and the operating system has "
               "forgotten them."));
    m_arms.value(TierArm::restart)->setToolTip(tr("The engine was ended and started again: only the files are left."));
    m_arms.value(TierArm::other)
        ->setToolTip(tr("An engine that never saw the prompt finds the files of another one in the shared folder."));
    m_roundsLabel->setText(tr("Rounds"));
    m_lengthsLabel->setText(tr("Shared tokens"));
    m_lengths->setToolTip(tr("Several lengths make a sweep: 500, 1000, 2000, 4000."));
    m_sizeLabel->setText(tr("Engine"));
    const QStringList sizes{tr("automatic"), tr("small"), tr("medium"), tr("large")};
    for (int i = 0; i < m_size->count(); ++i)
        m_size->setItemText(i, sizes.at(i));
    m_export->setText(tr("Export…"));
    m_shownLabel->setText(tr("Chart shows"));
    m_chart->setAccessibleName(tr("Time to first token of each arm"));
    m_chart->setCaption(tr("TTFT in ms · bar: median of 5 and more samples · dots: samples, hollow = left out"));
    m_table->setAccessibleName(tr("What each arm was to find, and what was counted"));
    m_model->retranslate();
    draw();
    updateState();
}

void TiersPage::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    else if (event->type() == QEvent::StyleChange && m_verdict)
        updateState();
    QWidget::changeEvent(event);
}

} // namespace kvlab::ui
