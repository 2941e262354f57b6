// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiers/tier_model.h"

#include "ui/tiers/bar_rows.h"
#include "ui/widgets/appearance.h"

#include <QLocale>

namespace kvlab::ui {

namespace {

QString count(qint64 value)
{
    return QLocale().toString(value);
}

} // namespace

QString tierBytesText(double bytes)
{
    constexpr double mib = 1024 * 1024;
    return bytes == 0 ? count(0) : TierModel::tr("%1 MiB").arg(QLocale().toString(bytes / mib, 'f', 2));
}

void TierModel::setSamples(const QList<servers::TierSample> &samples)
{
    beginResetModel();
    m_rows = servers::summarizeTiers(samples);
    endResetModel();
}

void TierModel::retranslate()
{
    beginResetModel();
    endResetModel();
}

int TierModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int TierModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString TierModel::text(const servers::TierSummary &row, int column) const
{
    const QString unknown = QStringLiteral("–");
    switch (column) {
    case ArmColumn:
        return servers::tierArmTitle(row.arm);
    case SharedColumn:
        return count(row.shared_tokens);
    case SamplesColumn:
        return count(row.kept);
    case TtftColumn:
        return row.median_ms ? millisecondsText(*row.median_ms) : unknown;
    case ExpectedColumn:
        return count(row.expected_tokens);
    case ReportedColumn:
        return row.reported_tokens ? count(qint64(*row.reported_tokens)) : unknown;
    case EqualColumn:
        return tr("%1 of %2").arg(count(row.as_predicted), count(row.samples));
    case LoadedColumn:
        return row.loaded_bytes ? tierBytesText(*row.loaded_bytes) : unknown;
    case StorageColumn:
        return row.storage_bytes ? tierBytesText(*row.storage_bytes) : unknown;
    default:
        return {};
    }
}

QVariant TierModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const servers::TierSummary &row = m_rows.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (index.column() == ArmColumn ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::ToolTipRole:
        if (index.column() == LoadedColumn || index.column() == StorageColumn)
            return tr("The hit is %1 of K and V.").arg(tierBytesText(double(row.expected_bytes)));
        return {};
    case Qt::ForegroundRole:
        if (index.column() == EqualColumn && row.as_predicted != row.samples)
            return tokens().bad;
        return {};
    default:
        return {};
    }
}

QVariant TierModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const QStringList names{tr("arm"), tr("shared"), QStringLiteral("n"), tr("TTFT (median)"), tr("hit expected"),
        tr("hit reported"), tr("as predicted"), tr("bytes loaded"), tr("from storage")};
    const QStringList tips{QString(), tr("Tokens that the prompt shares with one sent before"),
        tr("Samples whose time counts: answered, as predicted, undisturbed"), tr("Time to first token"),
        tr("Tokens, by the rules for blocks of 16 and chunks of 256"), tr("Tokens, by the engine's counters: median"),
        tr("Samples in which answer and counters say exactly what was expected"),
        tr("K and V that the engine loaded from a tier, by its own count: median"),
        tr("Bytes that the operating system fetched from the storage for the engine, in whole pages: median")};
    if (role == Qt::DisplayRole)
        return names.value(section);
    if (role == Qt::ToolTipRole)
        return tips.value(section);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter | (section == ArmColumn ? Qt::AlignLeft : Qt::AlignRight));
    return {};
}

} // namespace kvlab::ui
