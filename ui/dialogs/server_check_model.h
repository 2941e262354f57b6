// SPDX-License-Identifier: GPL-3.0-or-later
// The comparison with a server as a table: figure, the server's, ours, difference, reason.
#pragma once

#include "memory/server_check.h"

#include <QAbstractTableModel>

namespace kvlab::ui {

class ServerCheckModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { FigureColumn, TheirsColumn, OursColumn, DifferenceColumn, ReasonColumn, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setCheck(const memory::ServerCheck &check);
    const memory::ServerCheck &check() const { return m_check; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// The whole table with its header, cells separated by tabs.
    QString plainText() const;
    /// Texts and colours anew, after the language or the theme changed.
    void refresh();

private:
    QString cellText(const memory::FigureCheck &row, int column) const;

    memory::ServerCheck m_check;
};

} // namespace kvlab::ui
