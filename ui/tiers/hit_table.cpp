// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiers/hit_table.h"

#include "prefix/lmcache_rules.h"

#include <QLocale>

namespace kvlab::ui {

namespace {

/// Early LMCache stored the part-filled chunk too; it is found only by a prompt that ends with it.
int unfullChunkHit(const prefix::RenderedPrompt &first, const prefix::RenderedPrompt &second, int common)
{
    if (first.keys.salt != second.keys.salt || first.keys.adapter != second.keys.adapter)
        return 0;
    prefix::LmcacheRules rules;
    rules.save_unfull_chunk = true;
    const int tokens = int(second.tokens.size());
    return prefix::LmcacheRules::cachedTokens(rules.hit(int(first.tokens.size()), tokens, common), tokens);
}

} // namespace

void HitTable::setPrompts(const prefix::RenderedPrompt &first, const prefix::RenderedPrompt &second)
{
    beginResetModel();
    m_rows.clear();
    m_tokens = int(second.tokens.size());
    prefix::ForecastRules rules;
    for (const int size : {16, 32, 128}) {
        rules.block_size = size;
        m_rows.append({Design::vllm, size, prefix::forecastHit(first, second, rules).pool_tokens});
    }
    for (const int page : {1, 64}) {
        rules.page_size = page;
        m_rows.append({Design::sglang, page, prefix::forecastHit(first, second, rules).radix_tokens});
    }
    const prefix::HitForecast forecast = prefix::forecastHit(first, second);
    m_rows.append({Design::llama, 1, forecast.slot_tokens});
    m_rows.append({Design::lmcache, 256, forecast.chunk_tokens});
    m_rows.append({Design::lmcache_unfull, 256, unfullChunkHit(first, second, forecast.common_tokens)});
    endResetModel();
}

void HitTable::clear()
{
    beginResetModel();
    m_rows.clear();
    endResetModel();
}

void HitTable::retranslate()
{
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (!m_rows.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int HitTable::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int HitTable::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString HitTable::name(Design design)
{
    switch (design) {
    case Design::vllm:
        return tr("vLLM, automatic prefix caching");
    case Design::sglang:
        return tr("SGLang, radix tree");
    case Design::llama:
        return tr("llama.cpp, the same slot");
    case Design::lmcache:
        return tr("LMCache alone");
    case Design::lmcache_unfull:
        return tr("LMCache, unfull chunk stored");
    }
    return {};
}

QVariant HitTable::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole) {
        const bool isNumber = index.column() == FoundColumn || index.column() == ComputedColumn;
        return int(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft));
    }
    if (role != Qt::DisplayRole)
        return {};
    const Row &row = m_rows.at(index.row());
    const QLocale locale;
    switch (index.column()) {
    case DesignColumn:
        return name(row.design);
    case UnitColumn:
        return row.unit == 1 ? tr("token by token") : tr("%1 tokens").arg(locale.toString(row.unit));
    case FoundColumn:
        return locale.toString(row.found);
    case ComputedColumn:
        return locale.toString(m_tokens - row.found);
    default:
        return {};
    }
}

QVariant HitTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case DesignColumn:
        return tr("Design");
    case UnitColumn:
        return tr("Unit");
    case FoundColumn:
        return tr("Found");
    case ComputedColumn:
        return tr("Computed");
    default:
        return {};
    }
}

} // namespace kvlab::ui
