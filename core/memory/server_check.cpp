// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/server_check.h"

#include "memory/cache_parts.h"
#include "memory/server_check_steps.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace kvlab::memory {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(ServerCheck)
};

struct ReasonText
{
    CheckReason reason;
    const char *name;
    const char *sentence;
};

using enum CheckReason;

constexpr std::array reasonTexts{
    ReasonText{printed_digits, "printed_digits",
        QT_TRANSLATE_NOOP("ServerCheck", "The server rounds what it prints; what is left lies below its last digit.")},
    ReasonText{other_engine, "other_engine",
        QT_TRANSLATE_NOOP("ServerCheck", "The row counts what another engine sets aside.")},
    ReasonText{other_cache_dtype, "other_cache_dtype",
        QT_TRANSLATE_NOOP("ServerCheck", "The server keeps its cache in another type than the row.")},
    ReasonText{k_and_v_types_differ, "k_and_v_types_differ",
        QT_TRANSLATE_NOOP("ServerCheck", "The server keeps K and V in different types.")},
    ReasonText{other_block_size, "other_block_size",
        QT_TRANSLATE_NOOP("ServerCheck", "The server uses blocks or pages of another size.")},
    ReasonText{other_context, "other_context",
        QT_TRANSLATE_NOOP("ServerCheck", "The server was started for another length or number of sequences.")},
    ReasonText{other_parallelism, "other_parallelism",
        QT_TRANSLATE_NOOP("ServerCheck", "The server spreads the model over another number of devices.")},
    ReasonText{other_batched_tokens, "other_batched_tokens",
        QT_TRANSLATE_NOOP(
            "ServerCheck", "The server takes another number of tokens per step (max_num_batched_tokens).")},
    ReasonText{other_ubatch, "other_ubatch",
        QT_TRANSLATE_NOOP(
            "ServerCheck", "The server uses another micro-batch (n_ubatch), which lies beside each window.")},
    ReasonText{whole_blocks, "whole_blocks",
        QT_TRANSLATE_NOOP("ServerCheck", "The server hands out whole blocks only; the rest of a block stays unused.")},
    ReasonText{equal_pages, "equal_pages",
        QT_TRANSLATE_NOOP("ServerCheck",
            "Layers of several kinds share vLLM's blocks: their pages are made equal, and slack is kept beside "
            "windows.")},
    ReasonText{blocks_overridden, "blocks_overridden",
        QT_TRANSLATE_NOOP(
            "ServerCheck", "The number of blocks was given at the start, whatever the memory would hold.")},
    ReasonText{concurrency_times_length, "concurrency_times_length",
        QT_TRANSLATE_NOOP(
            "ServerCheck", "Newer versions of vLLM print concurrency × length, not blocks × block size.")},
    ReasonText{
        null_block, "null_block", QT_TRANSLATE_NOOP("ServerCheck", "One block, the null block, is never handed out.")},
    ReasonText{padding, "padding",
        QT_TRANSLATE_NOOP("ServerCheck", "llama.cpp rounds the context up to a multiple of 256 tokens.")},
    ReasonText{slots_padded, "slots_padded",
        QT_TRANSLATE_NOOP(
            "ServerCheck", "llama.cpp rounds each slot's share of the context up to a multiple of 256 tokens.")},
    ReasonText{unified_context, "unified_context",
        QT_TRANSLATE_NOOP(
            "ServerCheck", "All slots share one context (kv_unified), or have their own where the row shares it.")},
    ReasonText{sliding_window_slack, "sliding_window_slack",
        QT_TRANSLATE_NOOP("ServerCheck", "llama.cpp keeps a micro-batch of tokens beside each window.")},
    ReasonText{swa_full, "swa_full",
        QT_TRANSLATE_NOOP("ServerCheck", "Layers with a window hold the whole context (--swa-full).")},
    ReasonText{window_ignored, "window_ignored",
        QT_TRANSLATE_NOOP("ServerCheck", "Every layer has a window, and llama.cpp then ignores it.")},
    ReasonText{states_in_f32, "states_in_f32", QT_TRANSLATE_NOOP("ServerCheck", "The server keeps states in f32.")},
    ReasonText{indexer_in_f16, "indexer_in_f16",
        QT_TRANSLATE_NOOP("ServerCheck", "llama.cpp keeps the indexer's keys in f16.")},
    ReasonText{state_copies, "state_copies",
        QT_TRANSLATE_NOOP("ServerCheck", "The server keeps further copies of each state for speculation (rs_seq).")},
    ReasonText{reserved_page, "reserved_page",
        QT_TRANSLATE_NOOP("ServerCheck", "SGLang sets aside one page or slot more than it prints.")},
    ReasonText{weights_included, "weights_included",
        QT_TRANSLATE_NOOP(
            "ServerCheck", "Ollama's size holds weights and work space as well; our figure is the cache alone.")},
};

struct VerdictText
{
    const char *name;
    const char *text;
};

constexpr std::array verdictTexts{
    VerdictText{"equal", QT_TRANSLATE_NOOP("ServerCheck", "Equal.")},
    VerdictText{"explained", QT_TRANSLATE_NOOP("ServerCheck", "Explained to the last printed digit.")},
    VerdictText{"taken", QT_TRANSLATE_NOOP("ServerCheck", "Taken from the server; our figures are computed from it.")},
    VerdictText{"unexplained",
        QT_TRANSLATE_NOOP("ServerCheck", "Unexplained: no reason known here accounts for the difference exactly.")},
    VerdictText{
        "contradictory", QT_TRANSLATE_NOOP("ServerCheck", "The text gives this figure twice, with different values.")},
    VerdictText{"not_comparable", QT_TRANSLATE_NOOP("ServerCheck", "There is no figure of ours to set beside it.")},
};

static_assert(reasonTexts.size() == std::size_t(CheckReason::weights_included) + 1);
static_assert(verdictTexts.size() == std::size_t(Verdict::not_comparable) + 1);

constexpr std::array titles{QT_TRANSLATE_NOOP("ServerCheck", "Tokens in the cache"),
    QT_TRANSLATE_NOOP("ServerCheck", "Memory for the cache"), QT_TRANSLATE_NOOP("ServerCheck", "Blocks"),
    QT_TRANSLATE_NOOP("ServerCheck", "Blocks, as given at the start"),
    QT_TRANSLATE_NOOP("ServerCheck", "Tokens per block"), QT_TRANSLATE_NOOP("ServerCheck", "Sequences at once"),
    QT_TRANSLATE_NOOP("ServerCheck", "Longest sequence"), QT_TRANSLATE_NOOP("ServerCheck", "Tokens per step"),
    QT_TRANSLATE_NOOP("ServerCheck", "Type of the cache"), QT_TRANSLATE_NOOP("ServerCheck", "Memory for one sequence"),
    QT_TRANSLATE_NOOP("ServerCheck", "Longest sequence that would fit"),
    QT_TRANSLATE_NOOP("ServerCheck", "Tensor parallel ranks"), QT_TRANSLATE_NOOP("ServerCheck", "Pipeline stages"),
    QT_TRANSLATE_NOOP("ServerCheck", "K"), QT_TRANSLATE_NOOP("ServerCheck", "V"),
    QT_TRANSLATE_NOOP("ServerCheck", "K and V"), QT_TRANSLATE_NOOP("ServerCheck", "Convolution states"),
    QT_TRANSLATE_NOOP("ServerCheck", "Recurrent states"), QT_TRANSLATE_NOOP("ServerCheck", "Places for states"),
    QT_TRANSLATE_NOOP("ServerCheck", "Further copies of states"), QT_TRANSLATE_NOOP("ServerCheck", "Tokens per slot"),
    QT_TRANSLATE_NOOP("ServerCheck", "Layers"), QT_TRANSLATE_NOOP("ServerCheck", "Slots"),
    QT_TRANSLATE_NOOP("ServerCheck", "Type of K"), QT_TRANSLATE_NOOP("ServerCheck", "Type of V"),
    QT_TRANSLATE_NOOP("ServerCheck", "Context (n_ctx)"), QT_TRANSLATE_NOOP("ServerCheck", "Context of one sequence"),
    QT_TRANSLATE_NOOP("ServerCheck", "Sequences"), QT_TRANSLATE_NOOP("ServerCheck", "Micro-batch (n_ubatch)"),
    QT_TRANSLATE_NOOP("ServerCheck", "One context for all (kv_unified)"),
    QT_TRANSLATE_NOOP("ServerCheck", "Windows hold everything (--swa-full)"),
    QT_TRANSLATE_NOOP("ServerCheck", "Size in memory")};

static_assert(titles.size() == std::size_t(FigureKind::loaded_bytes) + 1);

const ReasonText &textOf(CheckReason reason)
{
    return reasonTexts.at(static_cast<std::size_t>(reason));
}

QList<FigureCheck> rowsOf(const CheckState &start, const ServerText &text)
{
    switch (text.server) {
    case ServerKind::vllm:
        return checkVllm(start, text);
    case ServerKind::sglang:
        return checkSglang(start, text);
    case ServerKind::llama_cpp:
        return checkLlama(start, text);
    case ServerKind::ollama:
        break;
    }
    return checkOllama(start, text);
}

} // namespace

QList<CheckReason> allCheckReasons()
{
    QList<CheckReason> reasons;
    for (const ReasonText &entry : reasonTexts)
        reasons << entry.reason;
    return reasons;
}

QString checkReasonName(CheckReason reason)
{
    return QLatin1String(textOf(reason).name);
}

QString checkReasonText(CheckReason reason)
{
    return Text::tr(textOf(reason).sentence);
}

QString verdictName(Verdict verdict)
{
    return QLatin1String(verdictTexts.at(static_cast<std::size_t>(verdict)).name);
}

QString verdictText(Verdict verdict)
{
    return Text::tr(verdictTexts.at(static_cast<std::size_t>(verdict)).text);
}

QString figureTitle(const ServerFigure &figure)
{
    const bool is_states = figure.is_state && figure.kind == FigureKind::kv_bytes;
    const QString title = is_states ? Text::tr("States") : Text::tr(titles.at(static_cast<std::size_t>(figure.kind)));
    const QLocale locale;
    if (figure.at_length)
        return Text::tr("%1, of %2 tokens").arg(title, locale.toString(*figure.at_length));
    if (figure.cache > 0)
        return Text::tr("%1 (cache %2)").arg(title, locale.toString(figure.cache));
    return title;
}

std::optional<Quantity> differenceOf(const FigureCheck &check)
{
    if (!check.ours || !check.theirs)
        return std::nullopt;
    const Product denominator = Product(check.theirs->denominator) * Product(check.ours->denominator);
    const Product numerator = Product(check.theirs->numerator) * Product(check.ours->denominator)
        - Product(check.ours->numerator) * Product(check.theirs->denominator);
    const Product shared = gcd(numerator, denominator);
    const Product above = numerator / shared;
    const Product below = denominator / shared;
    if (abs(above) > Product(maxBytes()) || below > Product(maxBytes()))
        return std::nullopt;
    return Quantity{Bytes(above), Bytes(below)};
}

bool ServerCheck::hasUnexplained() const
{
    return std::any_of(rows.cbegin(), rows.cend(), [](const FigureCheck &row) {
        return row.verdict == Verdict::unexplained || row.verdict == Verdict::contradictory;
    });
}

ServerCheck checkServer(
    const ModelSpec &model, const MemoryQuery &query, const AllocationProfile &profile, const ServerFigures &figures)
{
    ServerCheck check;
    if (const auto refusal = checkRange(query)) {
        check.refusal = refusal;
        return check;
    }
    const Allocation allocation = allocate(model, query, profile);
    if (const auto *refusal = std::get_if<Refusal>(&allocation))
        check.refusal = *refusal;
    for (const ServerKind server : figures.servers) {
        try {
            check.rows << rowsOf({model, query, profile}, ServerText{server, figures});
        } catch (const std::overflow_error &) { // a log may claim anything
            check.refusal = overflowRefusal();
        }
    }
    return check;
}

} // namespace kvlab::memory
