// SPDX-License-Identifier: GPL-3.0-or-later
// What servers print, read into figures: against recorded start logs and /metrics pages, lines as published in bug
// reports, and any bytes at all.
#include "memory/server_figures.h"

#include <QElapsedTimer>
#include <QFile>
#include <QRandomGenerator>
#include <QtTest>

using namespace kvlab::memory;

namespace {

QByteArray testData(const char *name)
{
    QFile file(QStringLiteral(KVLAB_TEST_DATA "/real-captures/") + QLatin1String(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s is missing", name);
    return file.readAll();
}

/// "num_gpu_blocks=2730", "available_kv_bytes=2.0GiB", "kv_bytes#2=1.88MiB", "max_concurrency@4096=21.33"
QStringList listed(const ServerFigures &figures)
{
    QStringList list;
    for (const ServerFigure &figure : figures.figures) {
        QString text = figureKindName(figure.kind);
        if (figure.cache > 0)
            text += QStringLiteral("#%1").arg(figure.cache);
        if (figure.at_length)
            text += QStringLiteral("@%1").arg(*figure.at_length);
        text += u'=' + figure.printed;
        if (figure.unit == FigureUnit::mib)
            text += QStringLiteral("MiB");
        if (figure.unit == FigureUnit::gib)
            text += QStringLiteral("GiB");
        if (figure.unit == FigureUnit::bytes)
            text += QStringLiteral("B");
        list << text;
    }
    return list;
}

QStringList shortOf(const QByteArray &text)
{
    return listed(readServerFigures(text));
}

QStringList words(const char *text)
{
    return QString::fromLatin1(text).split(u' ');
}

const char *const gemma
    = "llama_kv_cache_iswa: creating non-SWA KV cache, size = 4096 cells\n"
      "llama_kv_cache:        CPU KV buffer size =     2.00 MiB\n"
      "llama_kv_cache: size =    2.00 MiB (  4096 cells,   1 layers,  1/1 seqs), K (f16):    1.00 MiB, V (f16):    "
      "1.00 MiB\n"
      "llama_kv_cache: size =    1.88 MiB (   768 cells,   5 layers,  1/1 seqs), K (q8_0):    0.94 MiB, V (f16):    "
      "0.94 MiB\n";

} // namespace

class TestServerFigures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void vllmStartLog();
    void vllmRefusesToStart();
    void vllmMetrics();
    void vllmOldVersions();
    void sglangPools();
    void llamaCaches();
    void llamaStates();
    void llamaOldVersions();
    void llamaWithoutDetails();
    void ollamaProcesses();
    void theLastStartCounts();
    void severalServers();
    void contradictions();
    void lineEndsAndColours();
    void fieldsWithLikeNames();
    void keysAreNotRepeated();
    void unrelatedTextIsFast();
    void longTextIsCut();
    void anyBytes();
};

void TestServerFigures::vllmStartLog()
{
    const ServerFigures figures = readServerFigures(testData("vllm/startlog_fast_fp32_bs32.log"));
    QCOMPARE(figures.servers, QList{ServerKind::vllm});
    QCOMPARE(listed(figures),
        words("cache_dtype=float32 max_model_len=4096 block_size=32 tensor_parallel=1 pipeline_parallel=1 "
              "available_kv_bytes=2.0GiB kv_cache_tokens=87,360 max_concurrency@4096=21.33"));
    QVERIFY(figures.contradictions.isEmpty());
    QVERIFY(!figures.truncated);
    const auto tokens = figures.find(ServerKind::vllm, FigureKind::kv_cache_tokens);
    QCOMPARE(tokens->digits, 87360);
    QCOMPARE(tokens->line, 41);
    QVERIFY(tokens->source.startsWith(QStringLiteral("(EngineCore pid=12223) INFO")));
}

void TestServerFigures::vllmRefusesToStart()
{
    const QStringList got = shortOf(testData("vllm/startlog_err_not_enough_kv.log"));
    for (const char *expected : {"num_gpu_blocks_override=100", "available_kv_bytes=1.0GiB",
             "available_kv_bytes=0.07GiB", "needed_kv_bytes@4096=0.09GiB", "estimated_max_len=3168"})
        QVERIFY2(got.contains(QLatin1String(expected)), qPrintable(got.join(u' ')));
    // Said twice in the log, by two loggers: one figure.
    QCOMPARE(got.count(QStringLiteral("estimated_max_len=3168")), 1);
    // Without the sentence about what would fit, and with the first parenthesis missing, as other versions have it.
    QCOMPARE(shortOf("ValueError: To serve at least one request with the models's max seq len (262144), 28.00 GiB KV "
                     "cache is needed, which is larger than the available KV cache memory (13.69 GiB). Try"),
        words("max_model_len=262144 available_kv_bytes=13.69GiB needed_kv_bytes@262144=28.00GiB"));
    QCOMPARE(shortOf("ValueError: The model's max seq len (131072) is larger than the maximum number of tokens that "
                     "can be stored in KV cache (31232). Try increasing"),
        words("max_model_len=131072 kv_cache_tokens=31232"));
}

void TestServerFigures::vllmMetrics()
{
    QCOMPARE(shortOf(testData("vllm/permetrics_metrics.response.http")),
        words("available_kv_bytes=2147483648B num_gpu_blocks=682 block_size=128 kv_cache_tokens=87296 "
              "max_concurrency=21.3125"));
}

void TestServerFigures::vllmOldVersions()
{
    const char *log
        = "INFO 03-01 10:30:57 worker.py:267] the current vLLM instance can use total_gpu_memory (22.06GiB) "
          "x gpu_memory_utilization (0.90) = 19.85GiB\n"
          "INFO 03-01 10:30:57 worker.py:267] model weights take 2.88GiB; non_torch_memory takes 0.05GiB; "
          "PyTorch activation peak memory takes 1.40GiB; the rest of the memory reserved for KV Cache is "
          "15.52GiB.\n"
          "INFO 03-01 10:30:57 executor_base.py:110] # CUDA blocks: 36332, # CPU blocks: 9362\n"
          "INFO 03-01 10:30:57 executor_base.py:115] Maximum concurrency for 4096 tokens per request: "
          "141.92x\n";
    QCOMPARE(shortOf(log), words("available_kv_bytes=15.52GiB num_gpu_blocks=36332 max_concurrency@4096=141.92"));
    QCOMPARE(
        shortOf("the rest of the memory reserved for KV Cache is -0.94GiB."), words("available_kv_bytes=-0.94GiB"));
    QCOMPARE(shortOf("# GPU blocks: 1952, # CPU blocks: 2048"), words("num_gpu_blocks=1952"));
    QCOMPARE(shortOf("non_torch_memory=0.34GiB kv_cache_size=8.77GiB gpu_memory_utilization=0.42"),
        words("available_kv_bytes=8.77GiB"));
    QCOMPARE(shortOf("INFO [gpu_worker.py:298] Available KV cache memory: 8.11 GiB\n"
                     "INFO [kv_cache_utils.py:864] GPU KV cache size: 178,880 tokens"),
        words("available_kv_bytes=8.11GiB kv_cache_tokens=178,880"));
}

void TestServerFigures::sglangPools()
{
    const char *log = "[2026-04-14 16:08:40] server_args=ServerArgs(model_path='x', tp_size=2, page_size=1, "
                      "kv_cache_dtype='auto')\n"
                      "[2026-04-14 16:08:49 TP0] Using KV cache dtype: torch.bfloat16\n"
                      "[2026-04-14 16:08:49 TP0] Mamba Cache is allocated. max_mamba_cache_size: 186, conv_state size: "
                      "0.10GB, ssm_state size: 4.38GB \n"
                      "[2026-04-14 16:08:49 TP1] Mamba Cache is allocated. max_mamba_cache_size: 186, conv_state size: "
                      "0.10GB, ssm_state size: 4.38GB \n"
                      "[2026-04-14 16:08:49 TP0] KV Cache is allocated. #tokens: 327310, K size: 2.50 GB, V size: 2.50 "
                      "GB\n"
                      "[2026-04-14 16:08:49 TP1] KV Cache is allocated. #tokens: 327310, K size: 2.50 GB, V size: 2.50 "
                      "GB\n"
                      "[2026-04-14 16:08:50 TP0] KV Cache is allocated. #tokens: 327310, K size: 0.33 GB, V size: 0.33 "
                      "GB\n";
    const ServerFigures figures = readServerFigures(log);
    QCOMPARE(figures.servers, QList{ServerKind::sglang});
    QCOMPARE(listed(figures),
        words("tensor_parallel=2 block_size=1 cache_dtype=bfloat16 state_slots=186 conv_state_bytes=0.10GiB "
              "recurrent_state_bytes=4.38GiB kv_cache_tokens#1=327310 k_bytes#1=2.50GiB v_bytes#1=2.50GiB "
              "kv_cache_tokens#2=327310 k_bytes#2=0.33GiB v_bytes#2=0.33GiB"));
    QCOMPARE(shortOf("KV Cache is allocated. dtype: torch.float8_e4m3fn, #tokens: 162943, KV size: 5.10 GB"),
        words("cache_dtype#1=float8_e4m3fn kv_cache_tokens#1=162943 kv_bytes#1=5.10GiB"));
}

void TestServerFigures::llamaCaches()
{
    const ServerFigures figures = readServerFigures(
        QByteArray("0.00.243.123 I llama_context: n_seq_max     = 1\nllama_context: n_ctx         = 4096\n"
                   "llama_context: n_ctx_seq     = 4096\nllama_context: n_ubatch      = 128\n"
                   "llama_context: kv_unified    = false\nprint_info: n_ctx_train           = 32768\n")
        + gemma);
    QCOMPARE(figures.servers, QList{ServerKind::llama_cpp});
    QCOMPARE(listed(figures),
        words("n_seq_max=1 n_ctx=4096 n_ctx_seq=4096 n_ubatch=128 kv_unified=0 kv_bytes#1=2.00MiB kv_cells#1=4096 "
              "kv_layers#1=1 kv_streams#1=1 k_dtype#1=f16 v_dtype#1=f16 k_bytes#1=1.00MiB v_bytes#1=1.00MiB "
              "kv_bytes#2=1.88MiB kv_cells#2=768 kv_layers#2=5 kv_streams#2=1 k_dtype#2=q8_0 v_dtype#2=f16 "
              "k_bytes#2=0.94MiB v_bytes#2=0.94MiB"));
    QCOMPARE(shortOf("llama_kv_cache_iswa: using full-size SWA cache (ref: https://example.org)"), words("swa_full=1"));
}

void TestServerFigures::llamaStates()
{
    const ServerFigures figures = readServerFigures(
        "llama_memory_recurrent: size =  448.88 MiB (     1 cells,  64 layers,  1 seqs  2 rs_seq), R "
        "(f32):   16.88 MiB, S (f32):  432.00 MiB");
    QCOMPARE(listed(figures),
        words("kv_bytes#1=448.88MiB state_slots#1=1 rs_seq#1=2 k_dtype#1=f32 v_dtype#1=f32 conv_state_bytes#1=16.88MiB "
              "recurrent_state_bytes#1=432.00MiB n_seq_max=1"));
    QVERIFY(figures.figures.constFirst().is_state);
}

void TestServerFigures::llamaOldVersions()
{
    QCOMPARE(
        shortOf("llama_context: n_ctx_per_seq = 2048\nllama_kv_cache_unified: KV self size  =  448.00 MiB, K (f16): "
                " 224.00 MiB, V (f16):  224.00 MiB"),
        words("n_ctx_seq=2048 kv_bytes#1=448.00MiB k_dtype#1=f16 k_bytes#1=224.00MiB v_dtype#1=f16 "
              "v_bytes#1=224.00MiB"));
}

void TestServerFigures::llamaWithoutDetails()
{
    QCOMPARE(shortOf("0.00.233.543 I srv    load_model: initializing, n_slots = 4, n_ctx_slot = 4096, kv_unified = "
                     "'false'"),
        words("kv_unified=0 n_seq_max=4 n_ctx_seq=4096"));
}

void TestServerFigures::ollamaProcesses()
{
    const QByteArray answer = R"({"models":[{"name":"qwen:latest","model":"qwen:latest","size":5137025024,"digest":"x",
        "details":{"family":"qwen2"},"size_vram":5137025024,"context_length":8192},
        {"name":"old","size":100,"size_vram":0},{"name":"odd","size":-5,"size_vram":"many"}]})";
    const ServerFigures figures
        = readServerFigures("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + answer);
    QCOMPARE(figures.servers, QList{ServerKind::ollama});
    QCOMPARE(listed(figures), words("loaded_bytes#1=5137025024B n_ctx#1=8192 loaded_bytes#2=100B"));
    QCOMPARE(figures.figures.constFirst().source, QStringLiteral("qwen:latest"));
    QVERIFY(readServerFigures(answer.left(100)).figures.isEmpty());
}

void TestServerFigures::theLastStartCounts()
{
    // Fourteen logs of one server, one after the other.
    const ServerFigures figures = readServerFigures(testData("vllm/startlog_key_lines.txt"));
    QVERIFY(figures.earlier_starts > 5);
    QVERIFY(figures.contradictions.isEmpty());
    const QByteArray first = testData("vllm/startlog_fullshape_bf16_bs128.log");
    const QByteArray second = testData("vllm/startlog_fast_fp32_bs32.log");
    const ServerFigures both = readServerFigures(first + second);
    QCOMPARE(both.earlier_starts, 1);
    QCOMPARE(listed(both), shortOf(second));
    // A start that printed nothing yet leaves the earlier one's figures.
    QCOMPARE(shortOf(gemma + QByteArray("build: 6527 (7f766929c) with cc\n")), shortOf(gemma));
}

void TestServerFigures::severalServers()
{
    const ServerFigures figures = readServerFigures(
        testData("vllm/startlog_fast_fp32_bs32.log") + gemma + testData("vllm/permetrics_metrics.response.http"));
    QCOMPARE(figures.servers, (QList{ServerKind::vllm, ServerKind::llama_cpp}));
    QVERIFY(figures.find(ServerKind::llama_cpp, FigureKind::kv_bytes, 2).has_value());
}

void TestServerFigures::contradictions()
{
    const ServerFigures figures = readServerFigures("GPU KV cache size: 1,024 tokens\nGPU KV cache size: 2,048 tokens\n"
                                                    "Maximum concurrency for 100 tokens per request: 21.33x\n"
                                                    "Maximum concurrency for 200 tokens per request: 10.67x\n"
                                                    "Available KV cache memory: 8.11 GiB\n"
                                                    "Available KV cache memory: 8.12 GiB\n");
    QCOMPARE(figures.contradictions.size(), 1); // devices may differ in room, and lengths are different questions
    QCOMPARE(figures.contradictions.constFirst().first.printed, QStringLiteral("1,024"));
    QCOMPARE(figures.contradictions.constFirst().other.printed, QStringLiteral("2,048"));
    QVERIFY(figures.isContradicted(figures.figures.constFirst()));
    // The log rounds what /metrics gives in full.
    const ServerFigures same = readServerFigures(
        "Maximum concurrency for 4096 tokens per request: 21.31x\nvllm:cache_config_info{kv_cache_max_concurrency="
        "\"21.3125\",kv_cache_size_tokens=\"87296\"} 1.0\nGPU KV cache size: 87,296 tokens");
    QVERIFY(same.contradictions.isEmpty());
    QCOMPARE(same.figures.size(), 3);
}

void TestServerFigures::lineEndsAndColours()
{
    const QByteArray log = testData("vllm/startlog_fast_fp32_bs32.log");
    const QStringList expected = shortOf(log);
    QByteArray crlf = log;
    QCOMPARE(shortOf(crlf.replace('\n', "\r\n")), expected);
    QByteArray cr = log;
    QCOMPARE(shortOf(cr.replace('\n', '\r')), expected);
    QByteArray coloured = log;
    coloured.replace("INFO", "\x1b[32mINFO\x1b[0m")
        .replace("KV cache size: ", "KV \x1b[1;31mcache\x1b[m size: \x1b[0m");
    QCOMPARE(shortOf(coloured), expected);
    QByteArray prefixed = log;
    QCOMPARE(shortOf("vllm-1  | " + prefixed.replace('\n', "\nvllm-1  | ")), expected);
    QByteArray marked = "\xef\xbb\xbf" + log;
    QCOMPARE(shortOf(marked), expected);
    // Cut anywhere, the lines before are still read.
    QVERIFY(
        !shortOf(log.left(log.indexOf("Maximum concurrency"))).contains(QStringLiteral("max_concurrency@4096=21.33")));
    QVERIFY(shortOf(log.left(log.indexOf("Maximum concurrency"))).contains(QStringLiteral("kv_cache_tokens=87,360")));
}

void TestServerFigures::fieldsWithLikeNames()
{
    QVERIFY(
        shortOf("vllm:cache_config_info{effective_attention_block_size=\"32\",mamba_block_size=\"16\"} 1.0").isEmpty());
    QVERIFY(shortOf("# HELP vllm:cache_config_info{block_size=\"32\"} Information").isEmpty());
    QVERIFY(shortOf("CPU KV cache usage: 0.0%, Prefix cache hit rate: 31.2%").isEmpty());
    QVERIFY(shortOf("llama_context: n_ctx_train   = 32768").isEmpty());
    QVERIFY(shortOf("GPU KV cache size: many tokens").isEmpty());
    QVERIFY(shortOf("GPU KV cache size: 9999999999999999999999 tokens").isEmpty());
    QVERIFY(readServerFigures("").servers.isEmpty());
}

void TestServerFigures::keysAreNotRepeated()
{
    for (const char *line : {"non-default args: {'api_key': ['sk-hidden', 'sk-hidden2'], 'block_size': 32}",
             "non-default args: {'block_size': 32, 'api_key': 'sk-hidden'}",
             "server_args=ServerArgs(api_key='sk-hidden', page_size=1, tp_size=2)",
             "server_args=ServerArgs(page_size=1, hf_token=sk-hidden, admin_api_key=\"sk-hidden\")",
             "non-default args: {'block_size': 32} --api-key=sk-hidden Authorization: sk-hidden"}) {
        const ServerFigures figures = readServerFigures(line);
        QVERIFY(!figures.figures.isEmpty());
        for (const ServerFigure &figure : figures.figures)
            QVERIFY2(!figure.source.contains(QStringLiteral("hidden")), qPrintable(figure.source));
    }
    // Tokens of text are no keys.
    const ServerFigures tokens = readServerFigures("KV Cache is allocated. #tokens: 4096, KV size: 1.00 GB");
    QVERIFY(tokens.figures.constFirst().source.contains(QStringLiteral("#tokens: 4096")));
}

void TestServerFigures::unrelatedTextIsFast()
{
    const QByteArray line = "(APIServer pid=8752) INFO 11-30 19:30:47 [loggers.py:335] Engine 000: Avg prompt "
                            "throughput: 0.0 tokens/s, Running: 0 reqs, CPU KV cache usage: 0.0%\n";
    const QByteArray text = line.repeated(10 * 1024 * 1024 / int(line.size())) + "GPU KV cache size: 87,360 tokens\n";
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(shortOf(text), words("kv_cache_tokens=87,360"));
    QTest::setBenchmarkResult(qreal(timer.elapsed()), QTest::WalltimeMilliseconds); // told, not asserted
}

void TestServerFigures::longTextIsCut()
{
    const QByteArray known = "GPU KV cache size: 87,360 tokens\n";
    const ServerFigures figures = readServerFigures(known + QByteArray(maxServerText, '\n') + gemma);
    QVERIFY(figures.truncated);
    QCOMPARE(listed(figures), words("kv_cache_tokens=87,360"));
    // As many figures as anybody can read; no more.
    QByteArray many;
    for (int i = 0; i < 5000; ++i)
        many += "Maximum concurrency for " + QByteArray::number(i + 1) + " tokens per request: 1.00x\n";
    const ServerFigures most = readServerFigures(many);
    QVERIFY(most.truncated);
    QVERIFY(most.figures.size() < 5000);
    // No line of a log is this long.
    QVERIFY(shortOf("GPU KV cache size: 87,360 tokens" + QByteArray(100'000, 'x')).isEmpty());
}

void TestServerFigures::anyBytes()
{
    QRandomGenerator random(20261201);
    QList<QByteArray> seeds{testData("vllm/startlog_key_lines.txt").left(6000), gemma,
        testData("vllm/permetrics_metrics.response.http").right(3000), R"({"models":[{"size":1,"size_vram":1}]})",
        "KV Cache is allocated. dtype: torch.bfloat16, #tokens: 1, K size: 8.23 GB, V size: 8.23 GB\n"};
    for (int round = 0; round < 400; ++round) {
        QByteArray text = seeds.at(random.bounded(int(seeds.size())));
        for (int change = random.bounded(1, 30); change > 0; --change) {
            const int place = random.bounded(int(text.size()));
            switch (random.bounded(4)) {
            case 0:
                text[place] = char(random.bounded(256));
                break;
            case 1:
                text.remove(place, random.bounded(20));
                break;
            case 2:
                text.insert(place, text.mid(random.bounded(int(text.size())), random.bounded(60)));
                break;
            default:
                text.insert(place, random.bounded(2) == 0 ? "\x1b[" : "99999999999999");
            }
            if (text.isEmpty())
                text = "x";
        }
        const ServerFigures figures = readServerFigures(text);
        for (const ServerFigure &figure : figures.figures) {
            QVERIFY(figures.servers.contains(figure.server));
            QVERIFY(!figure.source.isEmpty() || figure.server == ServerKind::ollama);
            QVERIFY(figure.decimals >= 0 && figure.decimals <= 18);
        }
    }
    QByteArray noise(200'000, '\0');
    for (char &c : noise)
        c = char(random.bounded(256));
    QVERIFY(readServerFigures(noise).figures.isEmpty());
}

QTEST_GUILESS_MAIN(TestServerFigures)
#include "tst_server_figures.moc"
