// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of this session as a table, newest first: when, which server, medians, ratio, verdict. Names can be edited;
// what was removed can be brought back. The oldest go when there are more than maxKeptRuns.
#pragma once

#include "session/session.h"

#include <QAbstractTableModel>

namespace kvlab::ui {

class RunHistory : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column {
        TimeColumn,
        NameColumn,
        ServerColumn,
        PromptColumn,
        ColdColumn,
        WarmColumn,
        RatioColumn,
        VerdictColumn,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setRuns(const QList<session::KeptRun> &runs); ///< in the order measured
    const QList<session::KeptRun> &runs() const { return m_runs; } ///< in the order measured
    void add(const experiment::RunResult &run);
    const session::KeptRun &runAt(int row) const;
    void remove(int row);
    bool canBringBack() const { return !m_removed.isEmpty(); }
    /// The one removed last, at its old place; its row.
    int bringBack();
    void retranslate();

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;

Q_SIGNALS:
    void changed(); ///< by the user: a name, a removal, a return

private:
    struct Removed
    {
        qsizetype place = 0;
        session::KeptRun run;
    };

    void insert(qsizetype place, const session::KeptRun &run);
    void take(qsizetype place);

    QList<session::KeptRun> m_runs;
    QList<Removed> m_removed;
};

/// "Run A (14:32, fast GPU)" – a letter, and what tells the run from others.
QString runTitle(const QString &letter, const session::KeptRun &run);
/// Two runs in whole sentences: every arm that both measured, the ratios, and why they may not be comparable.
QString comparisonText(const session::KeptRun &a, const session::KeptRun &b);

} // namespace kvlab::ui
