// SPDX-License-Identifier: GPL-3.0-or-later
// Our figures beside a real server's, each difference with the reason that accounts for it to the last printed digit,
// or marked unexplained. A reason is given only when our figure, computed anew with it, prints as the server's does.
// Sources of the rules: allocation.h, capacity.h; vLLM v1/core/kv_cache_utils.py, llama.cpp llama-context.cpp.
#pragma once

#include "memory/allocation.h"
#include "memory/server_figures.h"

namespace kvlab::memory {

/// Closed list. Each has one sentence.
enum class CheckReason {
    printed_digits, ///< the server rounds what it prints
    other_engine, ///< the row counts what another engine sets aside
    other_cache_dtype,
    k_and_v_types_differ,
    other_block_size,
    other_context, ///< length or number of sequences
    other_parallelism,
    other_batched_tokens,
    other_ubatch,
    whole_blocks,
    equal_pages, ///< vLLM: layers of several kinds share the pool
    blocks_overridden,
    concurrency_times_length,
    null_block,
    padding,
    slots_padded,
    unified_context,
    sliding_window_slack,
    swa_full,
    window_ignored,
    states_in_f32,
    indexer_in_f16,
    state_copies,
    reserved_page, ///< SGLang keeps one more page or slot than it prints
    weights_included, ///< Ollama's size; never accounts for a difference, see Verdict::not_comparable
};

enum class Verdict {
    equal,
    explained,
    taken, ///< our figures are computed from it
    unexplained,
    contradictory, ///< the text says two things
    not_comparable, ///< we have no figure of that kind
};

QList<CheckReason> allCheckReasons();
QString checkReasonName(CheckReason reason); ///< stable word: "null_block"
QString checkReasonText(CheckReason reason); ///< a whole sentence
QString verdictName(Verdict verdict);
QString verdictText(Verdict verdict);
/// "Tokens in the cache", as a table names it.
QString figureTitle(const ServerFigure &figure);

/// An exact number: bytes, tokens, blocks, or times.
struct Quantity
{
    Bytes numerator = 0;
    Bytes denominator = 1;

    double toDouble() const;
    friend bool operator==(const Quantity &a, const Quantity &b);
};

struct FigureCheck
{
    ServerFigure figure;
    Verdict verdict = Verdict::not_comparable;
    QList<CheckReason> reasons; ///< in the order in which they apply; empty unless explained or not comparable
    std::optional<Quantity> theirs; ///< in bytes or counts; none for texts
    std::optional<Quantity> ours; ///< of the row as it stands; none when there is no such figure
    QString ours_text; ///< for texts: "bf16"
};

/// theirs − ours; nullopt when one is missing or the exact difference is beyond what is computed.
std::optional<Quantity> differenceOf(const FigureCheck &check);

struct ServerCheck
{
    QList<FigureCheck> rows;
    std::optional<Refusal> refusal; ///< why the row has no figures at all

    bool hasUnexplained() const;
};

/// `query` and `profile` are the row's; what the text itself says (type, lengths, blocks) is applied as reasons.
ServerCheck checkServer(
    const ModelSpec &model, const MemoryQuery &query, const AllocationProfile &profile, const ServerFigures &figures);

/// `quantity` in the figure's unit with its decimals, "." as the point, no grouping: "10.62". `more` = further
/// decimals.
QString quantityText(const Quantity &quantity, const ServerFigure &figure, int more = 0);

} // namespace kvlab::memory
