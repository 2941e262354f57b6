// SPDX-License-Identifier: GPL-3.0-or-later
// Our figures beside those of vLLM and SGLang: recorded starts (real-captures/vllm), figures as published in bug
// reports, and made-up ones, which nothing may explain.
#include "server_check_bench.h"

#include <QtTest>

using namespace kvlab::memory;
using enum CheckReason;

namespace {

/// The lines of one start in startlog_key_lines.txt, without the file's own prefix.
QByteArray vllmLines(const char *start)
{
    QByteArray text;
    const QByteArray prefix = QByteArray(start) + ": ";
    for (const QByteArray &line : testData(QStringLiteral("real-captures/vllm/startlog_key_lines.txt")).split('\n')) {
        if (line.startsWith(prefix))
            text += line.mid(prefix.size()) + '\n';
    }
    return text;
}

} // namespace

class TestServerCheckVllm : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void vllmPrintedThese_data();
    void vllmPrintedThese();
    void vllmReasons();
    void vllmRefusesToStart();
    void vllmMetrics();
    void vllmMadeUpFigures();
    void publishedVllmFigures();
    void publishedSglangFigures();
    void sglangStates();
};

void TestServerCheckVllm::vllmPrintedThese_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("format");
    QTest::addColumn<qint64>("block_size");
    const auto row = [](const char *start, CacheFormat format, qint64 block_size) {
        QTest::addRow("%s", start) << vllmLines(start) << int(format) << block_size;
    };
    // All had 2 GiB and a model of Qwen2.5-0.5B's 24 × 2 × 2 × 64 elements a token.
    row("startlog_fullshape_bf16_bs128", CacheFormat::bf16, 128);
    row("startlog_fast_fp32_bs32", CacheFormat::f32, 32);
    row("startlog_bs16_rejected_by_cpu_backend", CacheFormat::f32, 16);
    row("startlog_fast_fp32_bs128", CacheFormat::f32, 128);
    row("startlog_fast_fp32_bs16_patched", CacheFormat::f32, 16);
    row("startlog_native_kv_offload_error", CacheFormat::f32, 32);
    row("startlog_lmcache_v1_inprocess_degraded", CacheFormat::f32, 32);
    row("startlog_lmcache_mp_noapc", CacheFormat::f32, 32);
    row("startlog_lmcache_mp_apc", CacheFormat::f32, 32);
    row("startlog_lmcache_mp_noapc_both_restarted", CacheFormat::f32, 32);
    row("startlog_fullshape_fp32_defaults", CacheFormat::f32, 128);
    row("startlog_apikey_sigterm", CacheFormat::f32, 32);
}

void TestServerCheckVllm::vllmPrintedThese()
{
    QFETCH(QByteArray, text);
    QFETCH(int, format);
    QFETCH(qint64, block_size);
    QVERIFY(!text.isEmpty());
    const ServerCheck result = check(vllmRow(model("qwen2.5-0.5b"), CacheFormat(format), block_size), text);
    QCOMPARE(figureOf(result, FigureKind::kv_cache_tokens).verdict, Verdict::equal);
    const FigureCheck concurrency = figureOf(result, FigureKind::max_concurrency);
    QVERIFY2(isAccounted(concurrency), qPrintable(told(concurrency)));
    QVERIFY(concurrency.reasons.isEmpty() || concurrency.reasons == QList{printed_digits});
    QCOMPARE(figureOf(result, FigureKind::available_kv_bytes).verdict, Verdict::taken);
    // The wrong type accounts for nothing.
    const CacheFormat wrong = CacheFormat(format) == CacheFormat::f32 ? CacheFormat::bf16 : CacheFormat::f32;
    const ServerCheck other = check(vllmRow(model("qwen2.5-0.5b"), wrong, block_size), text);
    QCOMPARE(figureOf(other, FigureKind::kv_cache_tokens).verdict, Verdict::unexplained);
    QCOMPARE(figureOf(other, FigureKind::max_concurrency).verdict, Verdict::unexplained);
}

void TestServerCheckVllm::vllmReasons()
{
    const QByteArray whole = testData(QStringLiteral("real-captures/vllm/startlog_fast_fp32_bs32.log"));
    // 2 GiB ÷ 12,288 B = 174,762 tokens in bf16; the log itself says float32 and blocks of 32.
    const ServerCheck result = check(rowOf(model("qwen2.5-0.5b"), 4096, 1, CacheFormat::bf16), whole);
    QVERIFY2(unaccounted(result).isEmpty(), qPrintable(unaccounted(result)));
    QCOMPARE(told(result, FigureKind::kv_cache_tokens),
        QStringLiteral("explained other_cache_dtype whole_blocks other_block_size 174762"));
    QCOMPARE(told(result, FigureKind::cache_dtype), QStringLiteral("explained other_cache_dtype"));
    QCOMPARE(told(result, FigureKind::block_size), QStringLiteral("explained other_block_size 16"));
    // Blocks of 128 and a length that they do not divide: newer versions print int(682 ÷ 8 × 1000) = 85,250.
    const ServerCheck newer = check(vllmRow(model("qwen2.5-0.5b"), CacheFormat::f32, 128, 1000),
        "Explicitly set (2.0/23.54) GiB for KV cache on node 0.\nCPU KV cache size: 85,250 tokens, Maximum concurrency "
        "for 1,000 tokens per request: 85.25x");
    QCOMPARE(told(newer, FigureKind::kv_cache_tokens), QStringLiteral("explained concurrency_times_length 87296"));
    QCOMPARE(told(newer, FigureKind::max_concurrency), QStringLiteral("equal 85.25"));
    // A log that gives the blocks, of which one is not counted.
    const ServerCheck less = check(vllmRow(model("qwen2.5-0.5b"), CacheFormat::f32, 32),
        "# GPU blocks: 2730, # CPU blocks: 0\nGPU KV cache size: 87,328 tokens");
    QCOMPARE(told(less, FigureKind::kv_cache_tokens), QStringLiteral("explained null_block 87360"));
    // Another engine's row.
    const ServerCheck engine = check(rowOf(model("qwen2.5-0.5b"), 4096, 1, CacheFormat::f32, Engine::llama_cpp), whole);
    QVERIFY2(unaccounted(engine).isEmpty(), qPrintable(unaccounted(engine)));
}

void TestServerCheckVllm::vllmRefusesToStart()
{
    // 100 blocks of 32 tokens, 24,576 B each: 96 MiB wanted, 75 MiB there; 99 blocks = 3,168 tokens can be used.
    const ServerCheck result = check(vllmRow(model("qwen2.5-0.5b"), CacheFormat::f32, 32),
        testData(QStringLiteral("real-captures/vllm/startlog_err_not_enough_kv.log")));
    QVERIFY2(unaccounted(result).isEmpty(), qPrintable(unaccounted(result)));
    QCOMPARE(told(result, FigureKind::needed_kv_bytes), QStringLiteral("explained printed_digits 0.09"));
    const FigureCheck longest = figureOf(result, FigureKind::estimated_max_len);
    QCOMPARE(longest.reasons, (QList{blocks_overridden, null_block}));
    QByteArray made_up = testData(QStringLiteral("real-captures/vllm/startlog_err_not_enough_kv.log"));
    made_up.replace("model length is 3168", "model length is 3136").replace("(0.09 GiB", "(0.10 GiB");
    const ServerCheck wrong = check(vllmRow(model("qwen2.5-0.5b"), CacheFormat::f32, 32), made_up);
    QCOMPARE(figureOf(wrong, FigureKind::estimated_max_len).verdict, Verdict::unexplained);
    QCOMPARE(figureOf(wrong, FigureKind::needed_kv_bytes).verdict, Verdict::unexplained);
    // The server that did start with as many blocks.
    const ServerCheck small = check(vllmRow(model("qwen2.5-0.5b"), CacheFormat::f32, 32),
        testData(QStringLiteral("real-captures/vllm/startlog_small_kv_and_ctrl_c.log")));
    QVERIFY2(unaccounted(small).isEmpty(), qPrintable(unaccounted(small)));
    QVERIFY(figureOf(small, FigureKind::kv_cache_tokens).theirs.has_value());
}

void TestServerCheckVllm::vllmMetrics()
{
    const QByteArray page = testData(QStringLiteral("real-captures/vllm/permetrics_metrics.response.http"));
    const ServerCheck result = check(vllmRow(model("qwen2.5-0.5b"), CacheFormat::f32, 128), page);
    for (const FigureKind kind :
        {FigureKind::num_gpu_blocks, FigureKind::kv_cache_tokens, FigureKind::max_concurrency, FigureKind::block_size})
        QCOMPARE(figureOf(result, kind).verdict, Verdict::equal);
    // Memory and blocks are exact here, so that nothing near them is right either.
    for (const char *wrong : {"num_gpu_blocks=\"681\"", "num_gpu_blocks=\"683\""}) {
        QByteArray changed = page;
        changed.replace("num_gpu_blocks=\"682\"", wrong);
        const ServerCheck other = check(vllmRow(model("qwen2.5-0.5b"), CacheFormat::f32, 128), changed);
        QCOMPARE(figureOf(other, FigureKind::num_gpu_blocks).verdict, Verdict::unexplained);
        QCOMPARE(figureOf(other, FigureKind::kv_cache_tokens).verdict, Verdict::equal);
    }
}

void TestServerCheckVllm::vllmMadeUpFigures()
{
    const Row row = vllmRow(model("qwen2.5-0.5b"), CacheFormat::f32, 32);
    const auto text = [](const QByteArray &tokens, const QByteArray &times) -> QByteArray {
        return "Explicitly set (2.0/23.54) GiB for KV cache on node 0.\nCPU KV cache size: " + tokens
            + " tokens, Maximum concurrency for 4,096 tokens per request: " + times + "x";
    };
    QVERIFY(!check(row, text("87,360", "21.33")).hasUnexplained());
    for (const char *tokens : {"87,359", "87,361", "87,328", "87,392", "43,680", "174,720", "1", "0", "900,000,000"}) {
        const ServerCheck result = check(row, text(tokens, "21.33"));
        QCOMPARE(figureOf(result, FigureKind::kv_cache_tokens).verdict, Verdict::unexplained);
        QVERIFY(isAccounted(figureOf(result, FigureKind::max_concurrency)));
    }
    for (const char *times : {"21.32", "21.34", "0.00", "2133.00", "42.66"}) {
        const ServerCheck result = check(row, text("87,360", times));
        QVERIFY(isAccounted(figureOf(result, FigureKind::kv_cache_tokens)));
        QCOMPARE(figureOf(result, FigureKind::max_concurrency).verdict, Verdict::unexplained);
    }
}

void TestServerCheckVllm::publishedVllmFigures()
{
    // vllm #10517: 3.81 GiB, 1952 blocks of 2 MiB = 3.8125 GiB.
    const ServerCheck llama = check(vllmRow(model("llama-3.1-8b"), CacheFormat::bf16, 16),
        "the rest of the memory reserved for KV Cache is 3.81GiB.\n# GPU blocks: 1952, # CPU blocks: 2048\n");
    QCOMPARE(told(llama, FigureKind::num_gpu_blocks), QStringLiteral("explained printed_digits 1950"));
    // vllm #11251: 3.76 GiB, 3852 blocks of 1 MiB, 1.54 times 40,000 tokens.
    const ModelSpec half = modelOf({FullAttention{16, {8, std::nullopt, 128, 128}}});
    const ServerCheck third = check(vllmRow(half, CacheFormat::bf16, 16, 40000),
        "the rest of the memory reserved for KV Cache is 3.76GiB.\n# CUDA blocks: 3852, # CPU blocks: 4096\nMaximum "
        "concurrency for 40000 tokens per request: 1.54x\n");
    QVERIFY2(unaccounted(third).isEmpty(), qPrintable(unaccounted(third)));
    // hf-mem #60: gpt-oss-120b, two groups of 18 layers share the blocks.
    const ServerCheck oss = check(rowOf(model("gpt-oss-120b"), 131072, 1, CacheFormat::bf16),
        "Available KV cache memory: 5.38 GiB\nGPU KV cache size: 78,384 tokens\n");
    QVERIFY2(unaccounted(oss).isEmpty(), qPrintable(unaccounted(oss)));
    QCOMPARE(figureOf(oss, FigureKind::kv_cache_tokens).reasons, (QList{equal_pages, printed_digits}));
    // hf-mem PR 61: Gemma-4-31B, six groups.
    const ServerCheck gemma = check(rowOf(model("gemma-4-31b"), 131072, 1, CacheFormat::bf16),
        "Available KV cache memory: 24.54 GiB\nGPU KV cache size: 26,800 tokens\n");
    QVERIFY2(unaccounted(gemma).isEmpty(), qPrintable(unaccounted(gemma)));
    // A refusal of Qwen2.5-7B: 1.75 GiB wanted at 32,768 tokens, 1.1 GiB there, 20,512 tokens = 1,282 blocks fit.
    const ServerCheck qwen = check(vllmRow(model("qwen2.5-7b"), CacheFormat::bf16, 16, 32768),
        "ValueError: To serve at least one request with the model's max seq len (32768), (1.75 GiB KV cache is needed, "
        "which is larger than the available KV cache memory (1.1 GiB). Based on the available memory, the estimated "
        "maximum model length is 20512.");
    QCOMPARE(told(qwen, FigureKind::needed_kv_bytes), QStringLiteral("equal 1.75"));
    QCOMPARE(told(qwen, FigureKind::estimated_max_len), QStringLiteral("explained printed_digits 20592"));
    // vllm #21348: Qwen3-235B on four GPUs, 8.11 GiB, 178,880 tokens: 1.1 % short of every number that fits; nobody
    // knows why, and neither do we.
    Row row = vllmRow(model("qwen3-235b-a22b"), CacheFormat::bf16, 16, 32768);
    row.query.tp = 4;
    const ServerCheck unknown = check(row, "Available KV cache memory: 8.11 GiB\nGPU KV cache size: 178,880 tokens\n");
    QCOMPARE(figureOf(unknown, FigureKind::kv_cache_tokens).verdict, Verdict::unexplained);
}

void TestServerCheckVllm::publishedSglangFigures()
{
    // vllm #21348 again: 94 × 1 × 128 × 2 B × 367,404 tokens on each of four GPUs.
    const QByteArray log = "server_args=ServerArgs(model_path='x', tp_size=4, page_size=1)\n"
                           "KV Cache is allocated. #tokens: 367404, K size: 8.23 GB, V size: 8.23 GB\n";
    const ServerCheck qwen = check(rowOf(model("qwen3-235b-a22b"), 4096, 1, CacheFormat::bf16), log);
    QVERIFY2(unaccounted(qwen).isEmpty(), qPrintable(unaccounted(qwen)));
    QCOMPARE(figureOf(qwen, FigureKind::k_bytes, 1).reasons, (QList{other_parallelism, printed_digits}));
    QByteArray wrong = log;
    QCOMPARE(figureOf(check(rowOf(model("qwen3-235b-a22b"), 4096, 1, CacheFormat::bf16),
                          wrong.replace("K size: 8.23", "K size: 8.24")),
                 FigureKind::k_bytes, 1)
                 .verdict,
        Verdict::unexplained);
    // Llama-3.1-8B: 38,141 tokens of 65,536 B in K and as much in V.
    const ServerCheck llama = check(rowOf(model("llama-3.1-8b"), 4096, 1, CacheFormat::bf16),
        "[2025-07-14 05:48:43] KV Cache is allocated. #tokens: 38141, K size: 2.33 GB, V size: 2.33 GB\n");
    QCOMPARE(told(llama, FigureKind::k_bytes, 1), QStringLiteral("explained printed_digits 2.33"));
    // Two layers of 2 × 256 in bf16, ten million tokens: 19.26 GB each.
    const ServerCheck reduced
        = check(rowOf(modelOf({FullAttention{2, {2, std::nullopt, 256, 256}}}), 4096, 1, CacheFormat::fp8),
            "KV Cache is allocated. dtype: torch.bfloat16, #tokens: 10,097,100, K size: 19.26 GB, V size: 19.26 GB\n");
    QVERIFY(figureOf(reduced, FigureKind::k_bytes, 1).reasons.contains(other_cache_dtype));
}

void TestServerCheckVllm::sglangStates()
{
    // One of two ranks of a model with 48 such layers: 24 heads × 128 × 128; 43 slots and the one that is never given
    // out, 72 MiB each in f32 = 3.09 GiB.
    const ModelSpec rank = modelOf({FixedState{48, {}, 5120 * 3, 24 * 128 * 128}});
    const ServerCheck result = check(rowOf(rank, 4096, 1, CacheFormat::bf16),
        "Mamba Cache is allocated. max_mamba_cache_size: 43, conv_state size: 0.12GB, ssm_state size: 3.09GB\n");
    QCOMPARE(figureOf(result, FigureKind::recurrent_state_bytes).reasons,
        (QList{states_in_f32, reserved_page, printed_digits}));
    QVERIFY2(unaccounted(result).isEmpty(), qPrintable(unaccounted(result)));
}

QTEST_GUILESS_MAIN(TestServerCheckVllm)
#include "tst_server_check_vllm.moc"
