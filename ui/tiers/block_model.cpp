// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiers/block_model.h"

#include "ui/tiers/block_look.h"
#include "ui/tiers/block_texts.h"

#include <QLocale>

namespace kvlab::ui {

BlockModel::BlockModel(const prefix::Tokenizer &tokenizer, QObject *parent)
    : QAbstractTableModel(parent)
    , m_tokenizer(tokenizer)
{
}

void BlockModel::setState(const prefix::PoolState &state, const QStringList &titles)
{
    const bool resized = state.blocks.size() != m_state.blocks.size();
    if (resized)
        beginResetModel();
    m_state = state;
    m_titles = titles;
    if (resized)
        endResetModel();
    else if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void BlockModel::retranslate()
{
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int BlockModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_state.blocks.size());
}

int BlockModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant BlockModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const int column = index.column();
    if (role == Qt::TextAlignmentRole) {
        const bool isNumber = column == NumberColumn || column == ReferencesColumn || column == PlaceColumn;
        return int(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft));
    }
    if (role != Qt::DisplayRole)
        return {};
    const prefix::BlockState &block = m_state.blocks[std::size_t(index.row())];
    const QLocale locale;
    switch (column) {
    case NumberColumn:
        return locale.toString(index.row());
    case StateColumn:
        return blockWord(lookOf(block, index.row()));
    case ReferencesColumn:
        return locale.toString(block.references);
    case PlaceColumn:
        return block.queue_place ? locale.toString(*block.queue_place) : QString();
    case StepColumn:
        return block.filled_in ? m_titles.value(*block.filled_in) : QString();
    case HashColumn:
        return block.hash ? block_texts::shortHash(block.hash) : QString();
    case ParentColumn:
        return block.parent ? block_texts::shortHash(block.parent) : QString();
    case TextColumn:
        return block_texts::textOf(block.tokens, m_tokenizer);
    default:
        return {};
    }
}

QVariant BlockModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NumberColumn:
        return tr("Block");
    case StateColumn:
        return tr("State");
    case ReferencesColumn:
        return tr("Requests");
    case PlaceColumn:
        return tr("Place in the queue");
    case StepColumn:
        return tr("Written by");
    case HashColumn:
        return tr("Hash");
    case ParentColumn:
        return tr("Parent");
    case TextColumn:
        return tr("Text");
    default:
        return {};
    }
}

} // namespace kvlab::ui
