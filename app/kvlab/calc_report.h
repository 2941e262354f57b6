// SPDX-License-Identifier: GPL-3.0-or-later
// What `kvlab calc` prints: answers as a table, as CSV or as JSON.
#pragma once

#include "memory/allocation.h"
#include "memory/importers/model_import.h"
#include "memory/model_list.h"

namespace kvlab::cli {

/// What is the same in every row.
struct CalcSettings
{
    memory::CacheFormat kv_dtype = memory::CacheFormat::bf16;
    std::optional<memory::CacheFormat> v_dtype; ///< unset = kv_dtype
    qint64 tp = 1;
    memory::Engine engine = memory::Engine::ideal;
};

/// A row with its answer.
struct CalcLine
{
    memory::MemoryRow row;
    CalcSettings settings;
    const memory::ModelSpec *model = nullptr; ///< none when the list has no such model
    memory::Estimate estimate;
    memory::Bytes allocated; ///< what the engine sets aside; without meaning when the estimate is a refusal

    const memory::MemoryResult *result() const { return std::get_if<memory::MemoryResult>(&estimate); }
    const memory::Refusal *refusal() const { return std::get_if<memory::Refusal>(&estimate); }
};

/// The answer for one row, whatever list the model comes from; the line keeps its address.
CalcLine calcLine(const memory::ModelSpec &model, const memory::MemoryRow &row, const CalcSettings &settings);

/// Why the handout's DeepSeek-V3 is there twice.
QString handoutNote();

QString tableText(const QList<CalcLine> &lines);
QString csvText(const QList<CalcLine> &lines);

/// `one_model`: all lines are of one model, which is described too; `imported` is what else is known when it comes from
/// a file.
QString jsonText(const QList<CalcLine> &lines, bool one_model, const memory::ImportedModel *imported = nullptr);

/// {"result":"refuse",…}
QString jsonText(const memory::Refusal &refusal);

} // namespace kvlab::cli
