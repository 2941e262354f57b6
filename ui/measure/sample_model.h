// SPDX-License-Identifier: GPL-3.0-or-later
// The samples of a run as a table, newest first: one row per request. Display for eyes (locale, units, words), RawRole
// for sorting. Unknown is "–", never 0.
#pragma once

#include "experiment/experiment_result.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace kvlab::ui {

/// How a sample is judged on screen: its verdict, or why it does not count.
enum class SampleState { confirmed, likely, unconfirmed, contradicted, left_out, failed };

SampleState sampleState(const experiment::MeasuredSample &sample);
/// The same in words, and why: "contradicted: already cached", "failed: no connection".
QString sampleStateText(const experiment::MeasuredSample &sample);

class SampleModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column {
        NumberColumn,
        ArmColumn,
        TtftColumn,
        CachedColumn,
        ExpectedColumn,
        VerdictColumn,
        TimeColumn,
        ColumnCount
    };
    enum Role {
        RawRole = Qt::UserRole, ///< number, string or date and time; invalid = unknown
        ArmRole, ///< int of experiment::Arm
        StateRole, ///< int of SampleState
    };

    explicit SampleModel(QObject *parent = nullptr);

    void setSamples(const QList<experiment::MeasuredSample> &samples); ///< in the order measured
    void addSample(const experiment::MeasuredSample &sample);
    /// Words follow the language.
    void retranslate();

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    const experiment::MeasuredSample &sampleAt(int row) const;
    const QList<experiment::MeasuredSample> &samples() const { return m_samples; } ///< in the order measured

private:
    QList<experiment::MeasuredSample> m_samples; ///< in the order measured
};

/// Sorts by RawRole; unknown values come last in both directions.
class SampleSortModel : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;
};

} // namespace kvlab::ui
