// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/memory_columns.h"

#include "memory/memory_estimate.h"

namespace kvlab::ui {

QString sizeUnitName(SizeUnit unit)
{
    return unit == SizeUnit::gib ? QStringLiteral("GiB") : QStringLiteral("GB");
}

QList<MemoryColumnInfo> MemoryColumns::all(SizeUnit unit)
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
        {MemoryColumn::kv_cache, QStringLiteral("kv_gib"),
            tr("KV (%1)", "table header: size of the KV cache; %1 is GiB or GB").arg(sizeUnitName(unit)),
            unit == SizeUnit::gib ? tr("Size of the KV cache, computed from the cells before it. 1 GiB = 2³⁰ bytes.")
                                  : tr("Size of the KV cache, computed from the cells before it. 1 GB = 10⁹ bytes."),
            number, CellEditor::none},
        {MemoryColumn::share, QStringLiteral("share"), tr("of my GPU", "table header: share of the room for the cache"),
            tr("Share of the room that the chosen GPU has left for the cache beside this model's weights."), number,
            CellEditor::none},
        {MemoryColumn::fits, QStringLiteral("fits"), tr("fits", "table header: does it fit the GPU?"),
            tr("Whether the row fits the chosen GPU beside the model's weights."), text, CellEditor::none},
    };
}

} // namespace kvlab::ui
