// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/server_lines.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <array>
#include <string_view>

namespace kvlab::memory {

namespace {

using Match = QRegularExpressionMatch;
using enum FigureKind;

constexpr ServerKind vllm = ServerKind::vllm;
constexpr ServerKind sglang = ServerKind::sglang;
constexpr ServerKind llama_cpp = ServerKind::llama_cpp;

/// A kind of line: what it must contain, how it reads, and what that gives.
struct Rule
{
    const char *needle;
    const char *pattern;
    void (*read)(const Match &match, FigureCollector &figures);
};

template <ServerKind server, FigureKind kind, FigureUnit unit = FigureUnit::count>
void readNumber(const Match &match, FigureCollector &figures)
{
    figures.addNumber(server, kind, match.captured(1), unit);
}

using StartSign = FigureCollector::StartSign;

template <ServerKind server, StartSign sign> void readStart(const Match &, FigureCollector &figures)
{
    figures.start(server, sign);
}

void readConcurrency(const Match &match, FigureCollector &figures)
{
    figures.setLength(match.captured(1));
    figures.addNumber(vllm, max_concurrency, match.captured(2));
}

void readAdmissionFailure(const Match &match, FigureCollector &figures)
{
    figures.addNumber(vllm, max_model_len, match.captured(1));
    figures.addNumber(vllm, available_kv_bytes, match.captured(3), FigureUnit::gib);
    if (match.hasCaptured(4))
        figures.addNumber(vllm, estimated_max_len, match.captured(4));
    figures.setLength(match.captured(1));
    figures.addNumber(vllm, needed_kv_bytes, match.captured(2), FigureUnit::gib);
}

void readOldAdmissionFailure(const Match &match, FigureCollector &figures)
{
    figures.addNumber(vllm, max_model_len, match.captured(1));
    figures.addNumber(vllm, kv_cache_tokens, match.captured(2));
}

/// "torch.float32" → "float32"; "auto" is what the model has, so it says nothing.
void addDtype(ServerKind server, QString name, FigureCollector &figures)
{
    name.remove(QStringLiteral("torch."));
    if (!name.isEmpty() && name != QLatin1String("auto") && name != QLatin1String("None"))
        figures.addText(server, cache_dtype, name);
}

QString field(const QString &line, const char *pattern)
{
    const QRegularExpression expression(QLatin1String(pattern) + QStringLiteral("'?[:=] ?'?([\\w.]+)"));
    return expression.match(line).captured(1);
}

/// vLLM's whole configuration and the arguments that were given, in one line each.
void readVllmConfig(const Match &match, FigureCollector &figures)
{
    const QString line = match.captured(0);
    const QString cache = field(line, "\\bkv_cache_dtype");
    addDtype(
        vllm, cache.isEmpty() || cache == QLatin1String("auto") ? field(line, "(?<![_\\w])dtype") : cache, figures);
    const std::array<std::pair<FigureKind, const char *>, 6> numbers{{{max_model_len, "\\bmax_(?:seq|model)_len"},
        {tensor_parallel, "\\btensor_parallel_size"}, {pipeline_parallel, "\\bpipeline_parallel_size"},
        {block_size, "(?<![_\\w])block_size"}, {num_gpu_blocks_override, "\\bnum_gpu_blocks_override"},
        {max_num_batched_tokens, "\\bmax_num_batched_tokens"}}};
    for (const auto &[kind, pattern] : numbers)
        figures.addNumber(vllm, kind, field(line, pattern));
}

void readSglangConfig(const Match &match, FigureCollector &figures)
{
    figures.start(sglang, StartSign::first);
    const QString line = match.captured(0);
    addDtype(sglang, field(line, "\\bkv_cache_dtype"), figures);
    figures.addNumber(sglang, tensor_parallel, field(line, "\\btp_size"));
    figures.addNumber(sglang, pipeline_parallel, field(line, "\\bpp_size"));
    figures.addNumber(sglang, block_size, field(line, "\\bpage_size"));
}

void readSglangDtype(const Match &match, FigureCollector &figures)
{
    addDtype(sglang, match.captured(1), figures);
}

/// Ranks print the same line each; another pool (window, draft model) prints another one.
void readSglangPool(const Match &match, FigureCollector &figures)
{
    const FigureKind size = match.hasCaptured(3) ? k_bytes : kv_bytes;
    const QString printed = match.captured(match.hasCaptured(3) ? 3 : 5);
    if (figures.hasPool(sglang, {{kv_cache_tokens, match.captured(2)}, {size, printed}}))
        return;
    figures.setCache(figures.caches(sglang) + 1, false);
    addDtype(sglang, match.captured(1), figures);
    figures.addNumber(sglang, kv_cache_tokens, match.captured(2));
    if (match.hasCaptured(3)) {
        figures.addNumber(sglang, k_bytes, match.captured(3), FigureUnit::gib);
        figures.addNumber(sglang, v_bytes, match.captured(4), FigureUnit::gib);
    }
    if (match.hasCaptured(5))
        figures.addNumber(sglang, kv_bytes, match.captured(5), FigureUnit::gib);
}

void readSglangStates(const Match &match, FigureCollector &figures)
{
    figures.setCache(0, true);
    figures.addNumber(sglang, state_slots, match.captured(1));
    figures.addNumber(sglang, conv_state_bytes, match.captured(2), FigureUnit::gib);
    figures.addNumber(sglang, recurrent_state_bytes, match.captured(3), FigureUnit::gib);
}

/// "size = 4.25 MiB ( 512 cells, 8 layers, 4/4 seqs), K (q8_0): 2.12 MiB, V (q8_0): 2.12 MiB"; R and S for states.
void readLlamaCache(const Match &match, FigureCollector &figures)
{
    const bool is_state = match.captured(7) == u"R";
    figures.setCache(figures.caches(llama_cpp) + 1, is_state);
    figures.addNumber(llama_cpp, kv_bytes, match.captured(1), FigureUnit::mib);
    figures.addNumber(llama_cpp, is_state ? state_slots : kv_cells, match.captured(2));
    if (!is_state)
        figures.addNumber(llama_cpp, kv_layers, match.captured(3));
    static const QRegularExpression copies(QStringLiteral("(\\d+) rs_seq"));
    figures.addNumber(llama_cpp, rs_seq, copies.match(match.captured(6)).captured(1));
    if (match.hasCaptured(5) && !match.captured(5).isEmpty())
        figures.addNumber(llama_cpp, kv_streams, match.captured(5));
    figures.addText(llama_cpp, k_dtype, match.captured(8));
    figures.addText(llama_cpp, v_dtype, match.captured(11));
    figures.addNumber(llama_cpp, is_state ? conv_state_bytes : k_bytes, match.captured(9), FigureUnit::mib);
    figures.addNumber(llama_cpp, is_state ? recurrent_state_bytes : v_bytes, match.captured(12), FigureUnit::mib);
    figures.setCache(0, false);
    figures.addNumber(llama_cpp, n_seq_max, match.captured(4));
}

/// The same in versions before 2025-06.
void readOldLlamaCache(const Match &match, FigureCollector &figures)
{
    figures.setCache(figures.caches(llama_cpp) + 1, false);
    figures.addNumber(llama_cpp, kv_bytes, match.captured(1), FigureUnit::mib);
    figures.addText(llama_cpp, k_dtype, match.captured(2));
    figures.addNumber(llama_cpp, k_bytes, match.captured(3), FigureUnit::mib);
    figures.addText(llama_cpp, v_dtype, match.captured(4));
    figures.addNumber(llama_cpp, v_bytes, match.captured(5), FigureUnit::mib);
}

void readUnified(const Match &match, FigureCollector &figures)
{
    figures.addNumber(llama_cpp, kv_unified, match.captured(1) == u"true" ? QStringLiteral("1") : QStringLiteral("0"));
}

void readSwaFull(const Match &, FigureCollector &figures)
{
    figures.addNumber(llama_cpp, swa_full, QStringLiteral("1"));
}

void readSlots(const Match &match, FigureCollector &figures)
{
    figures.addNumber(llama_cpp, n_seq_max, match.captured(1));
    figures.addNumber(llama_cpp, n_ctx_seq, match.captured(2));
}

void readMetrics(const Match &match, FigureCollector &figures)
{
    readCacheConfigInfo(match.captured(0), figures);
}

constexpr FigureUnit gib = FigureUnit::gib;

constexpr std::array rules{
    // Starts
    Rule{"LLM engine (v", "Initializing an? (?:V1 )?LLM engine \\(v", readStart<vllm, StartSign::later>},
    Rule{"vLLM API server version", "vLLM API server version", readStart<vllm, StartSign::first>},
    Rule{"version ", "\\x{2588}.*\\bversion \\d", readStart<vllm, StartSign::first>},
    Rule{"llama_server: initializing", "llama_server: initializing", readStart<llama_cpp, StartSign::first>},
    Rule{"build: ", "\\bbuild: \\d+ \\([0-9a-f]{6,}\\)", readStart<llama_cpp, StartSign::first>},
    // vLLM
    Rule{"with config:", "LLM engine \\(v.*", readVllmConfig},
    Rule{"non-default args", "non-default args.*", readVllmConfig},
    Rule{"max_num_batched_tokens=", "Chunked prefill is enabled with max_num_batched_tokens=(\\d+)",
        readNumber<vllm, max_num_batched_tokens>},
    Rule{"attention block size to", "Setting attention block size to (\\d+) tokens", readNumber<vllm, block_size>},
    Rule{"KV cache size:", "KV cache size: (\\d+(?:,\\d{3})*) tokens", readNumber<vllm, kv_cache_tokens>},
    Rule{"Maximum concurrency for", "Maximum concurrency for (\\d+(?:,\\d{3})*) tokens per request: ([\\d.]+)x",
        readConcurrency},
    Rule{"Available KV cache memory:", "Available KV cache memory: (-?[\\d.]+) ?GiB",
        readNumber<vllm, available_kv_bytes, gib>},
    Rule{"for KV cache on node", "Explicitly set \\(([\\d.]+)/[\\d.]+\\) GiB for KV cache",
        readNumber<vllm, available_kv_bytes, gib>},
    Rule{"reserved for KV Cache is", "reserved for KV Cache is (-?[\\d.]+) ?GiB",
        readNumber<vllm, available_kv_bytes, gib>},
    Rule{"kv_cache_size=", "\\bkv_cache_size=(-?[\\d.]+) ?GiB", readNumber<vllm, available_kv_bytes, gib>},
    Rule{"CPU blocks:", "# \\w+ blocks: (\\d+(?:,\\d{3})*), # CPU blocks:", readNumber<vllm, num_gpu_blocks>},
    Rule{"KV cache is needed",
        "max seq len \\((\\d+)\\),? \\(?([\\d.]+) GiB KV cache is needed, which is larger than the available KV cache "
        "memory \\((-?[\\d.]+) GiB\\)(?:.*estimated maximum model length is (\\d+))?",
        readAdmissionFailure},
    Rule{"stored in KV cache (", "max seq len \\((\\d+)\\) is larger than .* stored in KV cache \\((\\d+)\\)",
        readOldAdmissionFailure},
    Rule{"vllm:cache_config_info{", "^\\s*vllm:cache_config_info\\{.*", readMetrics},
    // SGLang
    Rule{"ServerArgs(", "\\bServerArgs\\(.*", readSglangConfig},
    Rule{"Using KV cache dtype:", "Using KV cache dtype: ([\\w.]+)", readSglangDtype},
    Rule{"KV Cache is allocated",
        "KV Cache is allocated\\.(?: dtype: ([\\w.]+),)? #tokens: (\\d+(?:,\\d{3})*)(?:, K size: ([\\d.]+) ?GB, V "
        "size: "
        "([\\d.]+) ?GB)?(?:, KV size: ([\\d.]+) ?GB)?",
        readSglangPool},
    Rule{"Mamba Cache is allocated",
        "max_mamba_cache_size: (\\d+), conv_state size: ([\\d.]+) ?GB, ssm_state size: ([\\d.]+) ?GB",
        readSglangStates},
    // llama.cpp
    Rule{" cells, ",
        "\\bsize =\\s*([\\d.]+) MiB \\(\\s*(\\d+) cells,\\s*(\\d+) layers,\\s*(\\d+)(?:/(\\d+))? seqs([^)]*)\\), "
        "([KR]) "
        "\\((\\w+)\\):\\s*([\\d.]+) MiB, ([VS]) \\((\\w+)\\):\\s*([\\d.]+) MiB",
        readLlamaCache},
    Rule{"KV self size",
        "KV self size\\s*=\\s*([\\d.]+) MiB, K \\((\\w+)\\):\\s*([\\d.]+) MiB, V \\((\\w+)\\):\\s*([\\d.]+) MiB",
        readOldLlamaCache},
    Rule{"n_ctx ", "\\w: n_ctx\\s+= (\\d+)\\s*$", readNumber<llama_cpp, n_ctx>},
    Rule{"n_ctx_seq ", "\\w: n_ctx_seq\\s+= (\\d+)\\s*$", readNumber<llama_cpp, n_ctx_seq>},
    Rule{"n_ctx_per_seq ", "\\w: n_ctx_per_seq\\s+= (\\d+)\\s*$", readNumber<llama_cpp, n_ctx_seq>},
    Rule{"n_seq_max ", "\\w: n_seq_max\\s+= (\\d+)\\s*$", readNumber<llama_cpp, n_seq_max>},
    Rule{"n_ubatch ", "\\w: n_ubatch\\s+= (\\d+)\\s*$", readNumber<llama_cpp, n_ubatch>},
    Rule{"kv_unified", "\\bkv_unified\\s*= '?(true|false)\\b", readUnified},
    Rule{"n_ctx_slot = ", "n_slots = (\\d+), n_ctx_slot = (\\d+)", readSlots},
    Rule{"using full-size SWA cache", "using full-size SWA cache", readSwaFull},
};

/// Compiled once.
const std::array<QRegularExpression, rules.size()> &expressions()
{
    static const auto compiled = [] {
        std::array<QRegularExpression, rules.size()> list;
        for (std::size_t i = 0; i < rules.size(); ++i)
            list.at(i).setPattern(QString::fromLatin1(rules.at(i).pattern));
        return list;
    }();
    return compiled;
}

} // namespace

bool mayHoldFigures(QByteArrayView line)
{
    const std::string_view text(line.data(), static_cast<std::size_t>(line.size()));
    return std::any_of(
        rules.begin(), rules.end(), [text](const Rule &rule) { return text.find(rule.needle) != text.npos; });
}

void readServerLine(const QString &line, FigureCollector &figures)
{
    for (std::size_t i = 0; i < rules.size(); ++i) {
        if (!line.contains(QLatin1String(rules.at(i).needle)))
            continue;
        const Match match = expressions().at(i).match(line);
        if (match.hasMatch())
            rules.at(i).read(match, figures);
    }
}

void readCacheConfigInfo(const QString &line, FigureCollector &figures)
{
    static const QRegularExpression label(QStringLiteral("[{,](\\w+)=\"([^\"]*)\""));
    QHash<QString, QString> labels; // several contain "block_size": names are matched whole
    for (auto found = label.globalMatch(line); found.hasNext();) {
        const Match match = found.next();
        labels.insert(match.captured(1), match.captured(2));
    }
    const auto number = [&](FigureKind kind, const char *name, FigureUnit unit = FigureUnit::count) {
        figures.addNumber(vllm, kind, labels.value(QLatin1String(name)), unit);
    };
    number(available_kv_bytes, "kv_cache_memory_bytes", FigureUnit::bytes);
    number(num_gpu_blocks, "num_gpu_blocks");
    number(num_gpu_blocks_override, "num_gpu_blocks_override");
    number(block_size, "block_size");
    number(kv_cache_tokens, "kv_cache_size_tokens");
    number(max_concurrency, "kv_cache_max_concurrency");
    addDtype(vllm, labels.value(QStringLiteral("cache_dtype")), figures);
}

void readOllamaProcesses(const QByteArray &text, FigureCollector &figures)
{
    constexpr qsizetype largest = 1024 * 1024; // a list of loaded models
    const qsizetype begin = text.indexOf('{');
    const qsizetype end = text.lastIndexOf('}');
    if (begin < 0 || end - begin > largest || !text.contains("\"size_vram\""))
        return;
    const QJsonObject answer = QJsonDocument::fromJson(text.mid(begin, end - begin + 1)).object();
    const QJsonArray models = answer.value(QLatin1String("models")).toArray();
    int place = 0;
    for (const QJsonValue &model : models) {
        figures.setLine(0, model[QLatin1String("name")].toString());
        figures.setCache(++place, false);
        const auto add = [&](FigureKind kind, const char *name, FigureUnit unit) {
            const qint64 value = model[QLatin1String(name)].toInteger(-1);
            if (value >= 0)
                figures.addNumber(ServerKind::ollama, kind, QString::number(value), unit);
        };
        add(loaded_bytes, "size", FigureUnit::bytes);
        add(n_ctx, "context_length", FigureUnit::count);
    }
}

} // namespace kvlab::memory
