// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/sample_model.h"

#include "probe/taint.h"
#include "ui/widgets/appearance.h"

#include <QLocale>

#include <array>

namespace kvlab::ui {

using experiment::Arm;
using experiment::MeasuredSample;
using experiment::Verdict;
using probe::Outcome;

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(SampleModel)
};

const QString unknown = QStringLiteral("–");

QString number(const std::optional<qint64> &value)
{
    return value ? QLocale().toString(*value) : unknown;
}

QString milliseconds(const std::optional<double> &value)
{
    return value ? QLocale().toString(*value, 'f', 1) : unknown;
}

QVariant raw(const std::optional<qint64> &value)
{
    return value ? QVariant(*value) : QVariant();
}

QString outcomeText(const probe::ProbeSample &probe)
{
    switch (probe.outcome) {
    case Outcome::completed:
        return Text::tr("failed: no time");
    case Outcome::no_token:
        return Text::tr("failed: no token");
    case Outcome::cancelled:
        return Text::tr("stopped");
    case Outcome::connect_failed:
        return Text::tr("failed: no connection");
    case Outcome::connect_timeout:
        return Text::tr("failed: no connection in time");
    case Outcome::first_token_timeout:
        return Text::tr("failed: no token in time");
    case Outcome::gap_timeout:
        return Text::tr("failed: went silent");
    case Outcome::total_timeout:
        return Text::tr("failed: took too long");
    case Outcome::http_error:
        return Text::tr("failed: HTTP %1").arg(probe.http_status);
    case Outcome::server_error:
        return Text::tr("failed: error in the answer");
    case Outcome::not_streamed:
        return Text::tr("failed: not a stream");
    case Outcome::protocol_error:
        return Text::tr("failed: unreadable answer");
    case Outcome::truncated:
        return Text::tr("failed: answer broke off");
    }
    return {};
}

QString cachedOfPrompt(const MeasuredSample &sample)
{
    const probe::Evidence &evidence = sample.probe.evidence;
    //: cached tokens / prompt tokens
    return Text::tr("%1 / %2").arg(number(evidence.cached_tokens), number(evidence.prompt_tokens));
}

QString armText(const MeasuredSample &sample)
{
    return QStringLiteral("%1 %2").arg(experiment::armTitle(sample.arm), ui::armGloss(sample.arm)).trimmed();
}

QString timeText(const MeasuredSample &sample)
{
    const QDateTime time = sample.probe.started_at;
    return time.isValid() ? time.toLocalTime().toString(u"HH:mm:ss") : unknown;
}

QVariant rawTtft(const MeasuredSample &sample)
{
    const std::optional<double> ttft = sample.probe.ttftMs();
    return ttft ? QVariant(*ttft) : QVariant();
}

/// One column: header, what to show, what to sort by. The words are marked for translation and translated when shown.
struct ColumnInfo
{
    const char *header;
    const char *toolTip;
    Qt::Alignment alignment;
    QString (*display)(const MeasuredSample &);
    QVariant (*rawValue)(const MeasuredSample &);
};

const std::array<ColumnInfo, SampleModel::ColumnCount> columns{{
    {QT_TRANSLATE_NOOP("SampleModel", "#"), QT_TRANSLATE_NOOP("SampleModel", "In the order measured"), Qt::AlignRight,
        [](const MeasuredSample &s) { return QLocale().toString(s.number); },
        [](const MeasuredSample &s) { return QVariant(s.number); }},
    {QT_TRANSLATE_NOOP("SampleModel", "arm"),
        QT_TRANSLATE_NOOP("SampleModel", "The treatment: what the server had in its cache"), Qt::AlignLeft, armText,
        [](const MeasuredSample &s) { return QVariant(int(s.arm)); }},
    {QT_TRANSLATE_NOOP("SampleModel", "TTFT (ms)"),
        QT_TRANSLATE_NOOP("SampleModel", "Time to first token: from the first request byte to the first content"),
        Qt::AlignRight, [](const MeasuredSample &s) { return milliseconds(s.probe.ttftMs()); }, rawTtft},
    {QT_TRANSLATE_NOOP("SampleModel", "cached / prompt"),
        QT_TRANSLATE_NOOP("SampleModel", "Prompt tokens that the server found in its cache, and all prompt tokens"),
        Qt::AlignRight, cachedOfPrompt, [](const MeasuredSample &s) { return raw(s.probe.evidence.cached_tokens); }},
    {QT_TRANSLATE_NOOP("SampleModel", "expected"),
        QT_TRANSLATE_NOOP("SampleModel", "Cached tokens expected by the server's block rule"), Qt::AlignRight,
        [](const MeasuredSample &s) { return number(s.expected_hit); },
        [](const MeasuredSample &s) { return raw(s.expected_hit); }},
    {QT_TRANSLATE_NOOP("SampleModel", "verdict"),
        QT_TRANSLATE_NOOP("SampleModel", "Whether the server's own figures bear out what the arm should be"),
        Qt::AlignLeft, sampleStateText, [](const MeasuredSample &s) { return QVariant(int(sampleState(s))); }},
    {QT_TRANSLATE_NOOP("SampleModel", "time"), QT_TRANSLATE_NOOP("SampleModel", "When the request was sent"),
        Qt::AlignLeft, timeText, [](const MeasuredSample &s) { return QVariant(s.probe.started_at); }},
}};

/// Every stamp of the request, one a line; a stamp that does not exist is not named.
QString stampsText(const MeasuredSample &sample)
{
    const probe::ProbeSample &probe = sample.probe;
    QStringList lines;
    const auto add = [&lines](const QString &text, const std::optional<double> &value) {
        if (value)
            lines.append(text.arg(milliseconds(value)));
    };
    add(Text::tr("connecting: %1 ms, before the clock starts"), probe.connectMs());
    add(Text::tr("headers: %1 ms"), probe.headersMs());
    add(Text::tr("first token of any kind: %1 ms"), probe.ttftAnyMs());
    add(Text::tr("first content (TTFT): %1 ms"), probe.ttftMs());
    add(Text::tr("end of the answer: %1 ms"), probe.totalMs());
    return lines.join(QLatin1Char('\n'));
}

QString toolTip(const MeasuredSample &sample, int column)
{
    const probe::Evidence &evidence = sample.probe.evidence;
    if (column == SampleModel::CachedColumn && !(evidence.cached_tokens && evidence.prompt_tokens))
        return Text::tr("not reported by the server");
    if (column == SampleModel::ExpectedColumn && !sample.expected_hit)
        return Text::tr("not known for this server");
    QStringList parts;
    if (column == SampleModel::VerdictColumn)
        parts.append(sampleStateText(sample));
    if (!sample.probe.message.isEmpty())
        parts.append(sample.probe.message);
    const QString stamps = stampsText(sample);
    if (!stamps.isEmpty())
        parts.append(stamps);
    return parts.join(QLatin1Char('\n'));
}

} // namespace

SampleState sampleState(const MeasuredSample &sample)
{
    if (!sample.verdict)
        return SampleState::failed;
    if (*sample.verdict == Verdict::contradicted)
        return SampleState::contradicted;
    if (!sample.kept)
        return SampleState::left_out;
    switch (*sample.verdict) {
    case Verdict::confirmed:
        return SampleState::confirmed;
    case Verdict::likely:
        return SampleState::likely;
    case Verdict::unconfirmed:
    case Verdict::contradicted:
        break;
    }
    return SampleState::unconfirmed;
}

/// Why the rules leave a sample out, short enough for a cell; the Timeline has the whole sentence.
static QString leftOutText(const MeasuredSample &sample)
{
    const QStringList &words = sample.probe.tainted;
    if (words.contains(probe::taint::busy_thread))
        return Text::tr("left out: computer busy");
    if (words.contains(probe::taint::buffered_stream))
        return Text::tr("left out: tokens held back");
    if (words.contains(probe::taint::clock_gap))
        return Text::tr("left out: clock jumped");
    if (words.contains(probe::taint::drift))
        return Text::tr("left out: run drifted");
    return Text::tr("left out");
}

QString sampleStateText(const MeasuredSample &sample)
{
    switch (sampleState(sample)) {
    case SampleState::confirmed:
        return Text::tr("confirmed");
    case SampleState::likely:
        return Text::tr("likely");
    case SampleState::unconfirmed:
        return Text::tr("unconfirmed");
    case SampleState::contradicted:
        return sample.arm == Arm::warm ? Text::tr("contradicted: not cached")
                                       : Text::tr("contradicted: already cached");
    case SampleState::left_out:
        return leftOutText(sample);
    case SampleState::failed:
        return outcomeText(sample.probe);
    }
    return {};
}

SampleModel::SampleModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void SampleModel::setSamples(const QList<MeasuredSample> &samples)
{
    beginResetModel();
    m_samples = samples;
    endResetModel();
}

void SampleModel::addSample(const MeasuredSample &sample)
{
    beginInsertRows({}, 0, 0);
    m_samples.append(sample);
    endInsertRows();
}

void SampleModel::retranslate()
{
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (!m_samples.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int SampleModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_samples.size());
}

int SampleModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

const MeasuredSample &SampleModel::sampleAt(int row) const
{
    return m_samples.at(m_samples.size() - 1 - row);
}

QVariant SampleModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const MeasuredSample &sample = sampleAt(index.row());
    const ColumnInfo &column = columns.at(size_t(index.column()));
    switch (role) {
    case Qt::DisplayRole:
        return column.display(sample);
    case Qt::TextAlignmentRole:
        return QVariant(column.alignment | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return toolTip(sample, index.column());
    case RawRole:
        return column.rawValue(sample);
    case ArmRole:
        return int(sample.arm);
    case StateRole:
        return int(sampleState(sample));
    default:
        return {};
    }
}

QVariant SampleModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    const ColumnInfo &column = columns.at(size_t(section));
    switch (role) {
    case Qt::DisplayRole:
        return Text::tr(column.header);
    case Qt::ToolTipRole:
        return Text::tr(column.toolTip);
    case Qt::TextAlignmentRole:
        return QVariant(column.alignment | Qt::AlignVCenter);
    default:
        return {};
    }
}

bool SampleSortModel::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    const QVariant a = left.data(SampleModel::RawRole);
    const QVariant b = right.data(SampleModel::RawRole);
    if (a.isValid() != b.isValid())
        return a.isValid() == (sortOrder() == Qt::AscendingOrder);
    if (!a.isValid())
        return false;
    return QVariant::compare(a, b) == QPartialOrdering::Less;
}

} // namespace kvlab::ui
