// SPDX-License-Identifier: GPL-3.0-or-later
// One row of a file of reference rows, in the calculator's own terms. Read strictly: a member that is not known here is
// never overlooked.
#pragma once

#include "memory/planner.h"

#include <QJsonObject>

namespace kvlab::cli {

/// A row that is not what its format promises: the file is at fault.
struct BadRow
{
    QString message;
};

/// Bytes of a cache, needed or set aside.
struct CacheQuestion
{
    memory::ModelSpec model;
    memory::MemoryQuery query;
    memory::AllocationProfile profile;
    bool published = false; ///< a published figure counts KV alone, without states
};

/// What fits a device; `round_tokens` 0 = lengths as they are.
struct PlanQuestion
{
    memory::ModelSpec model;
    memory::BudgetInput budget;
    qint64 seq_len = 0;
    qint64 batch = 0;
    qint64 round_tokens = 0;
};

struct ParameterQuestion
{
    memory::DenseShape shape;
};

/// A published figure that is a product of its own inputs; `products` holds several where the row asks for a list.
struct ProductQuestion
{
    QList<memory::Bytes> products;
    bool list = false;
};

/// Blocks that an engine makes of its memory.
struct PoolQuestion
{
    memory::Bytes available;
    qint64 page_bytes = 0;
    qint64 layers_per_group = 0;
    qint64 groups = 0;
    qint64 block_size = 0;
};

struct ConcurrencyQuestion
{
    qint64 tokens = 0;
    qint64 max_model_len = 0;
};

using RowQuestion
    = std::variant<CacheQuestion, PlanQuestion, ParameterQuestion, ProductQuestion, PoolQuestion, ConcurrencyQuestion>;

std::variant<RowQuestion, memory::Refusal, BadRow> readRow(const QJsonObject &row);

/// “The row asks for … which this version does not compute.”
memory::Refusal notComputed(const QString &what);

} // namespace kvlab::cli
