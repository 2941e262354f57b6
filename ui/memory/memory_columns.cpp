// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/memory_columns.h"

#include "memory/memory_estimate.h"

namespace kvlab::ui {

QList<MemoryColumnInfo> MemoryColumns::all()
{
    const Qt::Alignment text = Qt::AlignLeft | Qt::AlignVCenter;
    const Qt::Alignment number = Qt::AlignRight | Qt::AlignVCenter;
    return {
        {MemoryColumn::model, QStringLiteral("model"), tr("model", "table header: a language model"),
            tr("The model. Type part of a name to search the list."), text, CellEditor::model_search},
        {MemoryColumn::seq_len, QStringLiteral("seq_len"), tr("seq_len", "table header: a term of the field"),
            tr("Tokens of one sequence, prompt and answer together. 4k means 4096."), number, CellEditor::count,
            memory::maxSeqLen},
        {MemoryColumn::batch, QStringLiteral("batch"), tr("batch", "table header: a term of the field"),
            tr("Sequences kept at the same time."), number, CellEditor::count, memory::maxBatch},
        {MemoryColumn::kv_dtype, QStringLiteral("kv_dtype"), tr("cache", "table header: how the cache is stored"),
            tr("How one element of the cache is stored. q8_0 takes 34 bytes for 32 elements."), text,
            CellEditor::cache_format},
        {MemoryColumn::kv_cache, QStringLiteral("kv_gib"), tr("KV (GiB)", "table header: size of the KV cache"),
            tr("Size of the KV cache, computed from the cells before it. 1 GiB = 2³⁰ bytes."), number,
            CellEditor::none},
    };
}

} // namespace kvlab::ui
