// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of the memory table, described once: model, view, delegate and copying take everything from here.
#pragma once

#include <QCoreApplication>
#include <QList>
#include <QString>

namespace kvlab::ui {

enum class MemoryColumn { model, seq_len, batch, kv_dtype, kv_cache, share, fits };

/// How sizes are shown: GiB = 2^30 bytes, GB = 10^9 bytes.
enum class SizeUnit { gib, gb };

QString sizeUnitName(SizeUnit unit); ///< "GiB", "GB"

enum class CellEditor { none, model_search, count, cache_format };

struct MemoryColumnInfo
{
    MemoryColumn column;
    QString key; ///< stable name, the same in the document and in the CSV's header
    QString header; ///< caption on screen, with the unit
    QString tool_tip;
    Qt::Alignment alignment;
    CellEditor editor; ///< none = computed
    qint64 maximum = 0; ///< largest count (tokens, sequences); counts only
};

class MemoryColumns
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::ui::MemoryColumns)
public:
    static constexpr int count = 7;
    /// In the order of the screen, texts in the language in use now.
    static QList<MemoryColumnInfo> all(SizeUnit unit = SizeUnit::gib);
};

} // namespace kvlab::ui
