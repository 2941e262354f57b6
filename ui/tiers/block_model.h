// SPDX-License-Identifier: GPL-3.0-or-later
// The blocks of the pool as a table: the same facts as the painted grid, for screen readers, sorting eyes and copying.
#pragma once

#include "prefix/tokenizer.h"
#include "prefix/trace_player.h"

#include <QAbstractTableModel>

namespace kvlab::ui {

class BlockModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column {
        NumberColumn,
        StateColumn,
        ReferencesColumn,
        PlaceColumn,
        StepColumn,
        HashColumn,
        ParentColumn,
        TextColumn,
        ColumnCount
    };

    explicit BlockModel(const prefix::Tokenizer &tokenizer, QObject *parent = nullptr);

    /// `titles`: of the steps.
    void setState(const prefix::PoolState &state, const QStringList &titles);
    void retranslate();

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    const prefix::Tokenizer &m_tokenizer;
    prefix::PoolState m_state;
    QStringList m_titles;
};

} // namespace kvlab::ui
