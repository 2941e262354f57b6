// SPDX-License-Identifier: GPL-3.0-or-later
// Known problems in a server's log, each as a sentence that says what happened, why, and what to do. Pure.
// Sources: recorded logs of vLLM 0.32, LMCache 0.5.6 and llama-server; public reports, named beside the rules.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace kvlab::servers {

enum class LogProblem {
    unknown_flag,
    enable_lmcache, ///< the flag that vLLM does not have
    kv_cache_too_small, ///< vLLM's three numbers: needed, available, estimated length
    gpu_memory_taken, ///< vLLM: free, total, wanted
    out_of_memory, ///< a GPU's allocator: tried, total, free
    host_out_of_memory,
    port_in_use,
    gated_model,
    model_not_found,
    no_network,
    unsupported_dtype,
    block_size,
    context_too_long,
    illegal_instruction,
    no_gpu,
    lmcache_degraded,
    lmcache_transfer_mode,
    offload_needs_gpu,
    missing_module,
};

struct LogExplanation
{
    LogProblem problem = LogProblem::unknown_flag;
    QString text; ///< sentences: what happened, why, what to do
    QString line; ///< of the log, at most 300 characters
};

/// Each problem once, in the order of its first line; lines may carry prefixes and colour codes. Lines that are not
/// known are passed over.
QList<LogExplanation> explainLog(const QStringList &lines);

/// A process that a signal ended (POSIX numbers); a null text when the number tells nothing.
QString explainSignal(int signal);

/// Without colour codes and other control characters; the last of what carriage returns wrote over each other.
QString plainLogLine(const QString &line);

} // namespace kvlab::servers
