// SPDX-License-Identifier: GPL-3.0-or-later
// The arms of a run over the tiers as a table: what was predicted beside what was counted.
#pragma once

#include "servers/tier_run.h"

#include <QAbstractTableModel>

namespace kvlab::ui {

class TierModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column {
        ArmColumn,
        SharedColumn,
        SamplesColumn,
        TtftColumn,
        ExpectedColumn,
        ReportedColumn,
        EqualColumn,
        LoadedColumn,
        StorageColumn,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setSamples(const QList<servers::TierSample> &samples);
    const QList<servers::TierSummary> &summaries() const { return m_rows; }
    void retranslate();

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const servers::TierSummary &row, int column) const;

    QList<servers::TierSummary> m_rows;
};

/// "22.0 MiB"
QString tierBytesText(double bytes);

} // namespace kvlab::ui
