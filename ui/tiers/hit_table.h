// SPDX-License-Identifier: GPL-3.0-or-later
// What each design finds of a second prompt, one row a design.
#pragma once

#include "prefix/hit_forecast.h"

#include <QAbstractTableModel>

namespace kvlab::ui {

class HitTable : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { DesignColumn, UnitColumn, FoundColumn, ComputedColumn, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void setPrompts(const prefix::RenderedPrompt &first, const prefix::RenderedPrompt &second);
    void clear();
    void retranslate();

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    enum class Design { vllm, sglang, llama, lmcache, lmcache_unfull };
    struct Row
    {
        Design design = Design::vllm;
        int unit = 1; ///< tokens
        int found = 0;
    };
    static QString name(Design design);

    QList<Row> m_rows;
    int m_tokens = 0; ///< of the second prompt
};

} // namespace kvlab::ui
