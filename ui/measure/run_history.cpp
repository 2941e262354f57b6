// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/run_history.h"

#include "ui/measure/run_texts.h"

#include <QColor>
#include <QLocale>

#include <array>
#include <cmath>

namespace kvlab::ui {

using experiment::Arm;
using experiment::ArmSummary;
using experiment::RunResult;
using session::KeptRun;

namespace {

constexpr int longestName = 80;
const QString unknown = QStringLiteral("–");

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(RunHistory)
};

QString timeText(const RunResult &run)
{
    return run.started_at.isValid() ? run.started_at.toLocalTime().toString(u"yyyy-MM-dd HH:mm") : unknown;
}

/// When every sample that says it says the same.
std::optional<qint64> promptTokens(const RunResult &run)
{
    std::optional<qint64> tokens;
    for (const experiment::MeasuredSample &sample : run.samples) {
        const std::optional<qint64> own = sample.probe.evidence.prompt_tokens;
        if (own && tokens && *own != *tokens)
            return std::nullopt;
        if (own)
            tokens = own;
    }
    return tokens;
}

QString medianText(const RunResult &run, Arm arm)
{
    const std::optional<double> median = run.summary.arms.value(arm).median_ms;
    return median ? formatMs(*median) : unknown;
}

/// As in the result line: none from too few samples or after a contradiction.
QString ratioText(const RunResult &run)
{
    const ResultText result = resultText({RunOrigin::document, run});
    if (result.ratio.isEmpty())
        return unknown;
    const auto &interval = run.summary.ratio_interval;
    return interval ? Text::tr("%1 (%2–%3)").arg(result.ratio, formatRatio(interval->low), formatRatio(interval->high))
                    : result.ratio;
}

QString verdictText(const RunResult &run)
{
    return run.summary.verdict ? experiment::verdictTitle(*run.summary.verdict) : Text::tr("no kept sample");
}

struct ColumnInfo
{
    const char *header;
    QString (*display)(const KeptRun &);
    Qt::Alignment alignment;
};

const std::array<ColumnInfo, RunHistory::ColumnCount> columns{{
    {QT_TRANSLATE_NOOP("RunHistory", "measured"), [](const KeptRun &kept) { return timeText(kept.run); },
        Qt::AlignLeft},
    {QT_TRANSLATE_NOOP("RunHistory", "name"), [](const KeptRun &kept) { return kept.label; }, Qt::AlignLeft},
    {QT_TRANSLATE_NOOP("RunHistory", "server"),
        [](const KeptRun &kept) { return kept.run.server.label.isEmpty() ? unknown : kept.run.server.label; },
        Qt::AlignLeft},
    {QT_TRANSLATE_NOOP("RunHistory", "prompt"),
        [](const KeptRun &kept) {
            const auto tokens = promptTokens(kept.run);
            return tokens ? QLocale().toString(*tokens) : unknown;
        },
        Qt::AlignRight},
    {nullptr, [](const KeptRun &kept) { return medianText(kept.run, Arm::cold); }, Qt::AlignRight},
    {nullptr, [](const KeptRun &kept) { return medianText(kept.run, Arm::warm); }, Qt::AlignRight},
    {QT_TRANSLATE_NOOP("RunHistory", "ratio"), [](const KeptRun &kept) { return ratioText(kept.run); }, Qt::AlignRight},
    {QT_TRANSLATE_NOOP("RunHistory", "verdict"), [](const KeptRun &kept) { return verdictText(kept.run); },
        Qt::AlignLeft},
}};

bool overlap(const experiment::Interval &a, const experiment::Interval &b)
{
    return a.low <= b.high && b.low <= a.high;
}

/// One arm of both; empty when one has no median.
QString armSentence(Arm arm, const ArmSummary &a, const ArmSummary &b)
{
    if (!a.median_ms || !b.median_ms || *a.median_ms <= 0)
        return {};
    const double change = (*b.median_ms / *a.median_ms - 1) * 100;
    const QString percent = QLocale().toString(std::abs(change), 'f', std::abs(change) < 9.95 ? 1 : 0);
    const QString difference = change < 0 ? Text::tr("%1: A %2, B %3; B is %4 % lower.", "%1 is an arm")
                                          : Text::tr("%1: A %2, B %3; B is %4 % higher.", "%1 is an arm");
    if (percent == QLocale().toString(0.0, 'f', 1)) {
        return Text::tr("%1: A %2, B %3; no difference.", "%1 is an arm")
            .arg(experiment::armTitle(arm), formatMs(*a.median_ms), formatMs(*b.median_ms));
    }
    QStringList sentences{
        difference.arg(experiment::armTitle(arm), formatMs(*a.median_ms), formatMs(*b.median_ms), percent)};
    if (!a.median_interval_ms || !b.median_interval_ms)
        sentences.append(Text::tr("There are too few samples for an interval, so it may be chance."));
    else if (overlap(*a.median_interval_ms, *b.median_interval_ms))
        sentences.append(Text::tr("The 95 % intervals overlap, so it may be chance."));
    else
        sentences.append(Text::tr("The 95 % intervals do not overlap."));
    return sentences.join(QLatin1Char(' '));
}

QStringList warnings(const RunResult &a, const RunResult &b)
{
    QStringList sentences;
    const auto one = promptTokens(a);
    const auto other = promptTokens(b);
    if (one && other && *one != *other) {
        sentences.append(Text::tr("The prompts differ in length (%1 and %2 tokens): longer ones take longer anyway.")
                             .arg(QLocale().toString(*one), QLocale().toString(*other)));
    }
    if (a.server.model != b.server.model) {
        sentences.append(Text::tr("The models differ (%1 and %2).")
                             .arg(a.server.model.isEmpty() ? unknown : a.server.model,
                                 b.server.model.isEmpty() ? unknown : b.server.model));
    }
    return sentences;
}

} // namespace

void RunHistory::setRuns(const QList<KeptRun> &runs)
{
    beginResetModel();
    m_runs = runs.mid(std::max<qsizetype>(0, runs.size() - session::maxKeptRuns));
    m_removed.clear();
    endResetModel();
}

void RunHistory::insert(qsizetype place, const KeptRun &run)
{
    const int row = int(m_runs.size() - place);
    beginInsertRows({}, row, row);
    m_runs.insert(place, run);
    endInsertRows();
}

void RunHistory::take(qsizetype place)
{
    const int row = int(m_runs.size() - 1 - place);
    beginRemoveRows({}, row, row);
    m_runs.removeAt(place);
    endRemoveRows();
}

void RunHistory::add(const RunResult &run)
{
    insert(m_runs.size(), {QString(), run});
    if (m_runs.size() > session::maxKeptRuns)
        take(0);
}

const KeptRun &RunHistory::runAt(int row) const
{
    return m_runs.at(m_runs.size() - 1 - row);
}

void RunHistory::remove(int row)
{
    const qsizetype place = m_runs.size() - 1 - row;
    m_removed.append({place, m_runs.at(place)});
    take(place);
    Q_EMIT changed();
}

int RunHistory::bringBack()
{
    const Removed last = m_removed.takeLast();
    const qsizetype place = std::min(last.place, m_runs.size());
    insert(place, last.run);
    Q_EMIT changed();
    return int(m_runs.size() - 1 - place);
}

void RunHistory::retranslate()
{
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (!m_runs.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int RunHistory::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_runs.size());
}

int RunHistory::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant RunHistory::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const KeptRun &kept = runAt(index.row());
    const ColumnInfo &column = columns.at(size_t(index.column()));
    switch (role) {
    case Qt::EditRole:
    case Qt::DisplayRole:
        return column.display(kept);
    case Qt::TextAlignmentRole:
        return QVariant(column.alignment | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        if (index.column() == NameColumn)
            return tr("F2 names the run.");
        return index.column() == VerdictColumn && !kept.run.summary.explanation.isEmpty() ? kept.run.summary.explanation
                                                                                          : column.display(kept);
    case Qt::ForegroundRole:
        return index.column() == VerdictColumn ? QVariant(verdictColor(kept.run.summary.verdict)) : QVariant();
    default:
        return {};
    }
}

QVariant RunHistory::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    const ColumnInfo &column = columns.at(size_t(section));
    if (role == Qt::TextAlignmentRole)
        return QVariant(column.alignment | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    if (section == ColdColumn || section == WarmColumn)
        return experiment::armTitle(section == ColdColumn ? Arm::cold : Arm::warm);
    return Text::tr(column.header);
}

Qt::ItemFlags RunHistory::flags(const QModelIndex &index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.column() == NameColumn ? flags | Qt::ItemIsEditable : flags;
}

bool RunHistory::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || role != Qt::EditRole || index.column() != NameColumn)
        return false;
    KeptRun &kept = m_runs[m_runs.size() - 1 - index.row()];
    const QString name = value.toString().simplified().left(longestName);
    if (name == kept.label)
        return false;
    kept.label = name;
    Q_EMIT dataChanged(index, index);
    Q_EMIT changed();
    return true;
}

QString runTitle(const QString &letter, const KeptRun &run)
{
    const QString what = run.label.isEmpty() ? run.run.server.label : run.label;
    return what.isEmpty()
        ? Text::tr("%1: %2", "%1 is a letter, %2 a time").arg(letter, timeText(run.run))
        : Text::tr("%1: %2, %3", "%1 is a letter, %2 a name, %3 a time").arg(letter, what, timeText(run.run));
}

QString comparisonText(const KeptRun &a, const KeptRun &b)
{
    QStringList sentences;
    for (const Arm arm : experiment::allArms()) {
        const auto inA = a.run.summary.arms.constFind(arm);
        const auto inB = b.run.summary.arms.constFind(arm);
        if (inA != a.run.summary.arms.cend() && inB != b.run.summary.arms.cend())
            sentences.append(armSentence(arm, *inA, *inB));
    }
    sentences.removeAll(QString());
    if (sentences.isEmpty())
        sentences.append(Text::tr("The two runs have no arm with a median in common."));
    const QString one = ratioText(a.run);
    const QString other = ratioText(b.run);
    if (one != unknown && other != unknown)
        sentences.append(Text::tr("NO CACHE takes %1 as long as CACHED in A, %2 in B.").arg(one, other));
    sentences.append(warnings(a.run, b.run));
    return sentences.join(QLatin1Char('\n'));
}

} // namespace kvlab::ui
