// SPDX-License-Identifier: GPL-3.0-or-later
// What a real server says about its cache: a start log, a /metrics page or Ollama's /api/ps, read into figures. Any
// text may be given; what is not known is passed over. Pure: no model and no arithmetic here (server_check.h compares).
// Sources: vLLM v1/core/kv_cache_utils.py, worker.py and metrics; SGLang mem_cache/memory_pool.py; llama.cpp
// llama-kv-cache*.cpp, llama-memory-recurrent.cpp and llama-context.cpp; Ollama's API.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace kvlab::memory {

enum class ServerKind { vllm, sglang, llama_cpp, ollama };

QString serverKindName(ServerKind kind); ///< "vLLM", "SGLang", "llama.cpp", "Ollama"

enum class FigureKind {
    // vLLM and SGLang
    kv_cache_tokens, ///< “GPU KV cache size”, “#tokens”
    available_kv_bytes, ///< of one device; where devices differ, the least counts
    num_gpu_blocks,
    num_gpu_blocks_override,
    block_size,
    max_concurrency, ///< at `at_length`
    max_model_len,
    max_num_batched_tokens,
    cache_dtype,
    needed_kv_bytes, ///< admission failure: for one sequence of `at_length`
    estimated_max_len, ///< admission failure: what would fit
    tensor_parallel,
    pipeline_parallel,
    k_bytes, ///< of the pool or cache line `cache`
    v_bytes,
    kv_bytes, ///< K and V together, or both parts of a state
    conv_state_bytes,
    recurrent_state_bytes,
    state_slots,
    rs_seq, ///< llama.cpp: further copies of each state, for speculation
    // llama.cpp
    kv_cells,
    kv_layers,
    kv_streams,
    k_dtype,
    v_dtype,
    n_ctx,
    n_ctx_seq,
    n_seq_max,
    n_ubatch,
    kv_unified, ///< 1 or 0
    swa_full,
    // Ollama
    loaded_bytes, ///< weights, cache and work space together
};

/// The kind's field name: "kv_cache_tokens", …, for JSON.
QString figureKindName(FigureKind kind);

enum class FigureUnit { count, bytes, mib, gib, text };

struct ServerFigure
{
    FigureKind kind = FigureKind::kv_cache_tokens;
    ServerKind server = ServerKind::vllm;
    QString printed; ///< as the server wrote it: "174,720", "10.62", "q8_0"
    qint64 digits = 0; ///< the number is digits / 10^decimals, in `unit`
    int decimals = 0;
    FigureUnit unit = FigureUnit::count;
    std::optional<qint64> at_length = {};
    int cache = 0; ///< which of several pools or cache lines
    bool is_state = false; ///< the line is about fixed states, not tokens
    qint64 line = 0; ///< from 1; 0 = no lines (JSON)
    QString source; ///< the line, at most 300 characters
};

/// One thing said twice, differently.
struct Contradiction
{
    ServerFigure first;
    ServerFigure other;
};

struct ServerFigures
{
    QList<ServerKind> servers; ///< recognised, in order of appearance
    QList<ServerFigure> figures; ///< of each server's last start that printed any, each once
    QList<Contradiction> contradictions;
    qint64 earlier_starts = 0; ///< passed over: their figures were followed by another start
    bool truncated = false; ///< the text was longer than what is read, or held more figures

    std::optional<ServerFigure> find(ServerKind server, FigureKind kind, int cache = 0) const;
    bool isContradicted(const ServerFigure &figure) const;
};

/// The longest text that is read.
inline constexpr qsizetype maxServerText = 32 * 1024 * 1024;

/// `text` is UTF-8 or any bytes, with CR, LF, colour codes and prefixes before the lines as they come.
ServerFigures readServerFigures(const QByteArray &text);

} // namespace kvlab::memory
