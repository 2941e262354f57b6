// SPDX-License-Identifier: GPL-3.0-or-later
// The command line that starts a server, from what somebody wants of it: pure, nothing is started here. Flags are those
// that the servers' own help and documentation name; where a flag's first version is not known, a note says so.
// Sources: vLLM 0.32 `vllm serve --help=all` and its documentation, LMCache's quickstart and MP pages, SGLang's server
// arguments, llama-server's --help, Ollama's envconfig.
#pragma once

#include <QList>
#include <QPair>
#include <QString>
#include <QStringList>
#include <QUrl>
#include <QVersionNumber>

#include <optional>

namespace kvlab::servers {

enum class LaunchKind {
    practice, ///< our own engine: `kvlab serve`
    vllm,
    lmcache, ///< vLLM beside an LMCache server, which is started first
    lmcache_in_process, ///< LMCache inside vLLM: one process, called deprecated by newer documentation
    sglang,
    llama_server,
    ollama,
};

const QList<LaunchKind> &allLaunchKinds();
QString launchKindName(LaunchKind kind); ///< as people call it: "vLLM", "llama.cpp (llama-server)"

/// What can be asked for beyond kind, program, version, port and further arguments.
enum class LaunchField {
    model,
    context_length,
    prefix_caching,
    report_cached_tokens,
    reset_route,
    kv_cache_dtype,
    gpu_memory_utilization,
    tensor_parallel,
    cpu_cache,
    offload,
    slots,
};

/// Whether a server of this kind has such a setting.
bool hasField(LaunchKind kind, LaunchField field);
/// Names that the kind takes for the type of its cache, the default first; empty when it cannot be chosen.
QStringList launchCacheTypes(LaunchKind kind);
int usualPort(LaunchKind kind); ///< what the server itself would take
/// A sentence or two: how the program of this kind gets onto this computer.
QString installHint(LaunchKind kind);

/// What is wanted. A setting that is left out is the server's own default.
struct LaunchPlan
{
    LaunchKind kind = LaunchKind::practice;
    QString program; ///< path or name; empty = the usual name
    QVersionNumber version; ///< of vLLM; null = not known
    QString model; ///< name or path; of the practice engine its size: auto, small, medium, large
    int port = 8000; ///< 1 … 65535
    std::optional<int> context_length; ///< tokens
    bool prefix_caching = true;
    bool report_cached_tokens = true; ///< every answer tells how many tokens were found in the cache
    bool reset_route = true; ///< vLLM: /reset_prefix_cache, so that a cold sample can be made by emptying the cache
    QString kv_cache_dtype; ///< empty = default
    std::optional<double> gpu_memory_utilization; ///< share of the GPU's memory, above 0 up to 1
    std::optional<int> tensor_parallel; ///< GPUs
    std::optional<double> cpu_cache_gib; ///< vLLM built for CPUs: room for the cache
    std::optional<double> offload_gib; ///< room in RAM for what leaves the GPU
    std::optional<int> slots; ///< requests at once, each with a cache of its own
    QString extra_arguments; ///< as typed in a shell
};

/// One process.
struct ProcessCommand
{
    QString program;
    QStringList arguments;
    QList<QPair<QString, QString>> environment; ///< set in addition
};

struct LaunchCommand
{
    std::optional<ProcessCommand> before; ///< must be running first
    QString before_ready; ///< what `before` prints once it can be used
    ProcessCommand server;
    QUrl base_url; ///< http://127.0.0.1:PORT
    QString health_path; ///< answers 200 once the server is ready
    QStringList ready_texts; ///< of its log: a line that holds one of them means that it is ready
    QString model; ///< what requests must name; empty = what /v1/models lists first
    QString install_hint;
    bool practice_engine = false;
    QStringList notes; ///< sentences: what is not obvious or not known
    QStringList refusals; ///< sentences: why this is no plan; then there is nothing to start
};

LaunchCommand launchCommand(const LaunchPlan &plan);

/// The words of a line as a POSIX shell divides it (quotes and backslashes, no expansions); nullopt when a quote is
/// left open.
std::optional<QStringList> splitArguments(const QString &line);

enum class Shell {
    posix,
    windows, ///< cmd; not tried
};

/// One line to paste into a shell; it reaches the program as exactly these arguments and variables.
QString shellLine(const ProcessCommand &command, Shell shell = Shell::posix);

} // namespace kvlab::servers
