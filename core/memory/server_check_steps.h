// SPDX-License-Identifier: GPL-3.0-or-later
// From the row's question to the server's in single steps, each with its reason; used by server_check*.cpp only.
#pragma once

#include "memory/server_check.h"

#include <functional>

namespace kvlab::memory {

/// The question at one step.
struct CheckState
{
    ModelSpec model;
    MemoryQuery query;
    AllocationProfile profile;
};

struct CheckStep
{
    CheckReason reason;
    std::function<void(CheckState &)> apply;
};

/// A figure as a function of the question; nullopt = cannot be computed.
using Evaluate = std::function<std::optional<Quantity>(const CheckState &)>;

/// What a walk through the steps gives: the row's figure, the server's question's, and the steps that changed it.
struct Walk
{
    std::optional<Quantity> first;
    std::optional<Quantity> last;
    QList<CheckReason> reasons;
    CheckState state;
};

Walk walk(const CheckState &start, const QList<CheckStep> &steps, const Evaluate &evaluate);

/// Number of the figure in bytes or counts.
Quantity quantityOf(const ServerFigure &figure);
/// Does the server's own print of `quantity` read like the figure?
bool prints(const Quantity &quantity, const ServerFigure &figure);

/// equal where the first prints like it, explained where the last does (printed_digits added where only rounding is
/// left), else unexplained.
FigureCheck judge(const ServerFigure &figure, const Walk &walked);
/// The same with further ways to compute the last one, each with what it adds to the reasons.
struct Alternative
{
    std::optional<Quantity> value;
    QList<CheckReason> reasons;
};
FigureCheck judge(const ServerFigure &figure, const Walk &walked, const QList<Alternative> &alternatives);

/// A setting: equal, or its reason, where `is_possible`; else unexplained.
FigureCheck checkSetting(const ServerFigure &figure, qint64 ours, CheckReason reason, bool is_possible = true);
/// A cache type's name.
FigureCheck checkDtype(const ServerFigure &figure, CacheFormat ours, CheckReason reason);
FigureCheck taken(const ServerFigure &figure);

/// One server's part of the text.
struct ServerText
{
    ServerKind server = ServerKind::vllm;
    const ServerFigures &figures;

    QList<ServerFigure> all() const;
    std::optional<ServerFigure> find(FigureKind kind, int cache = 0) const;
    std::optional<ServerFigure> last(FigureKind kind) const; ///< of any cache
    std::optional<qint64> number(FigureKind kind) const; ///< of last(kind), whole
    std::optional<qint64> numberUpTo(FigureKind kind, qint64 largest) const; ///< from 1
    std::optional<CacheFormat> format(FigureKind kind) const; ///< of last(kind)
};

/// Which layers.
enum class LayerClass { all, base, windowed, indexer, state };
/// Which half.
enum class CachePiece { both, k, v, conv, recurrent };

struct ClassShare
{
    Bytes bytes = 0;
    qint64 tokens = 0;
    qint64 layers = 0;
    qint64 sequences = 0;
};

std::optional<ClassShare> classShare(const CheckState &state, LayerClass layers, CachePiece piece = CachePiece::both);
LayerClass classOf(const QString &kind);
bool hasClass(const ModelSpec &model, LayerClass layers);

/// Steps that every server shares: another engine's row, ranks, type of the cache.
QList<CheckStep> commonSteps(const CheckState &start, const ServerText &text, Engine engine);

QList<FigureCheck> checkVllm(const CheckState &start, const ServerText &text);
QList<FigureCheck> checkSglang(const CheckState &start, const ServerText &text);
QList<FigureCheck> checkLlama(const CheckState &start, const ServerText &text);
QList<FigureCheck> checkOllama(const CheckState &start, const ServerText &text);

} // namespace kvlab::memory
