// SPDX-License-Identifier: GPL-3.0-or-later
// Our figures beside servers' own: 54 starts of llama-server (llama-kv-buffers.json), recorded starts of vLLM
// (real-captures/vllm), figures as published in bug reports; and made-up ones, which nothing may explain.
#include "memory/model_list.h"
#include "memory/server_check.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QtTest>

using namespace kvlab::memory;
using enum CheckReason;

namespace {

QByteArray testData(const QString &name)
{
    QFile file(QStringLiteral(KVLAB_TEST_DATA "/") + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s is missing", qPrintable(name));
    return file.readAll();
}

const ModelSpec &model(const char *id)
{
    const ModelSpec *found = findModel(QString::fromLatin1(id));
    if (found == nullptr)
        qFatal("no model %s", id);
    return *found;
}

ModelSpec modelOf(const QList<CacheSpec> &caches)
{
    ModelSpec spec;
    spec.name = QStringLiteral("Made up");
    spec.caches = caches;
    return spec;
}

/// A row of the table.
struct Row
{
    ModelSpec spec;
    MemoryQuery query;
    AllocationProfile profile;
};

Row rowOf(const ModelSpec &spec, qint64 seq_len, qint64 batch, CacheFormat format, Engine engine = Engine::ideal)
{
    MemoryQuery query;
    query.seq_len = seq_len;
    query.batch = batch;
    query.kv_dtype = format;
    return {spec, query, defaultProfile(engine)};
}

ServerCheck check(const Row &row, const QByteArray &text)
{
    return checkServer(row.spec, row.query, row.profile, readServerFigures(text));
}

FigureCheck figureOf(const ServerCheck &result, FigureKind kind, int cache = 0)
{
    for (const FigureCheck &figure : result.rows) {
        if (figure.figure.kind == kind && figure.figure.cache == cache)
            return figure;
    }
    return {};
}

/// "explained padding other_cache_dtype 20.00", "equal 8.00"; the number is ours.
QString told(const FigureCheck &figure)
{
    QString text = verdictName(figure.verdict);
    for (const CheckReason reason : figure.reasons)
        text += u' ' + checkReasonName(reason);
    if (figure.ours)
        text += u' ' + quantityText(*figure.ours, figure.figure);
    return text;
}

QString told(const ServerCheck &result, FigureKind kind, int cache = 0)
{
    return told(figureOf(result, kind, cache));
}

bool isAccounted(const FigureCheck &figure)
{
    return figure.verdict == Verdict::equal || figure.verdict == Verdict::explained || figure.verdict == Verdict::taken;
}

QString unaccounted(const ServerCheck &result)
{
    QStringList bad;
    for (const FigureCheck &figure : result.rows) {
        if (!isAccounted(figure))
            bad << figureKindName(figure.figure.kind) + u' ' + figure.figure.printed + u' ' + told(figure);
    }
    return bad.join(QStringLiteral("; "));
}

/// The model of a row of llama-kv-buffers.json.
ModelSpec llamaModel(const QJsonValue &shape)
{
    const auto number = [&shape](const char *key) { return shape[QLatin1String(key)].toInteger(); };
    const AttentionShape attention{number("n_head_kv"), std::nullopt, number("head_dim"), number("head_dim")};
    const qint64 layers = number("n_layer");
    if (shape[QLatin1String("sliding_window")].isUndefined())
        return modelOf({FullAttention{layers, attention}});
    const qint64 full = layers / number("swa_pattern");
    return modelOf({FullAttention{full, attention}, SlidingWindow{layers - full, attention, number("sliding_window")}});
}

/// What llama-server prints with -lv 4, as far as the recording kept it.
QByteArray llamaLog(const QJsonObject &row)
{
    const auto text = [&row](const char *key) { return row.value(QLatin1String(key)).toVariant().toString(); };
    QStringList lines{QStringLiteral("llama_context: n_seq_max     = ") + text("n_seq_max"),
        QStringLiteral("llama_context: n_ctx         = ") + text("n_ctx"),
        QStringLiteral("llama_context: n_ctx_seq     = ") + text("n_ctx_seq"),
        QStringLiteral("llama_context: kv_unified    = ") + text("kv_unified")};
    const QJsonArray extra = row.value(QLatin1String("extra")).toArray();
    if (extra.at(0) == QLatin1String("-ub"))
        lines << QStringLiteral("llama_context: n_ubatch      = ") + extra.at(1).toString();
    if (extra.contains(QLatin1String("--swa-full")))
        lines << QStringLiteral("llama_kv_cache_iswa: using full-size SWA cache");
    for (const QJsonValue &line : row.value(QLatin1String("kv_lines")).toArray())
        lines << line.toString();
    return lines.join(u'\n').toUtf8();
}

/// The row that somebody writes who wants that context.
Row llamaRow(const QJsonObject &recorded, CacheFormat format, Engine engine)
{
    const qint64 batch = recorded.value(QLatin1String("n_seq_max")).toInteger();
    const QJsonValue ctx = recorded.value(QLatin1String("ctx"));
    const qint64 asked = ctx.isDouble() ? ctx.toInteger() : recorded.value(QLatin1String("n_ctx")).toInteger();
    return rowOf(
        llamaModel(recorded.value(QLatin1String("shape"))), (asked + batch - 1) / batch, batch, format, engine);
}

QList<QJsonObject> llamaRecords()
{
    QList<QJsonObject> records;
    for (const QJsonValue &row : QJsonDocument::fromJson(testData(QStringLiteral("llama-kv-buffers.json"))).array())
        records << row.toObject();
    return records;
}

QJsonObject llamaRecord(const char *gguf, const char *args)
{
    for (const QJsonObject &record : llamaRecords()) {
        if (record.value(QLatin1String("model")) == QLatin1String(gguf)
            && record.value(QLatin1String("args")) == QLatin1String(args))
            return record;
    }
    qFatal("no record %s", args);
}

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

Row vllmRow(const ModelSpec &spec, CacheFormat format, qint64 block_size, qint64 seq_len = 4096)
{
    Row row = rowOf(spec, seq_len, 1, format, Engine::vllm);
    row.profile.block_size = block_size;
    return row;
}

} // namespace

class TestServerCheck : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void llamaServerPrintedThese_data();
    void llamaServerPrintedThese();
    void llamaReasons_data();
    void llamaReasons();
    void llamaMadeUpFigures();
    void llamaStates();
    void publishedLlamaFigures();
    void vllmPrintedThese_data();
    void vllmPrintedThese();
    void vllmReasons();
    void vllmRefusesToStart();
    void vllmMetrics();
    void vllmMadeUpFigures();
    void publishedVllmFigures();
    void publishedSglangFigures();
    void sglangStates();
    void ollamaSizes();
    void contradictions();
    void differences();
    void reasonsHaveTexts();
    void anyFigures();
};

void TestServerCheck::llamaServerPrintedThese_data()
{
    QTest::addColumn<QJsonObject>("record");
    const QList<QJsonObject> records = llamaRecords();
    QCOMPARE(records.size(), 54);
    for (const QJsonObject &record : records)
        QTest::addRow("%s %s", qPrintable(record.value(QLatin1String("model")).toString()),
            qPrintable(record.value(QLatin1String("args")).toString()))
            << record;
}

void TestServerCheck::llamaServerPrintedThese()
{
    QFETCH(QJsonObject, record);
    const QByteArray log = llamaLog(record);
    const CacheFormat keys = *cacheFormatFromName(record.value(QLatin1String("type_k")).toString());
    for (const Engine engine : {Engine::ideal, Engine::llama_cpp, Engine::vllm}) {
        for (const CacheFormat format : {keys, CacheFormat::bf16, CacheFormat::q4_0}) {
            const ServerCheck result = check(llamaRow(record, format, engine), log);
            QVERIFY2(unaccounted(result).isEmpty(), qPrintable(unaccounted(result)));
            QVERIFY(!result.hasUnexplained());
        }
    }
    // A row that asks for something else altogether.
    Row other = llamaRow(record, CacheFormat::fp8, Engine::ideal);
    other.query.seq_len = 777;
    other.query.batch = 5;
    const ServerCheck result = check(other, log);
    QVERIFY2(unaccounted(result).isEmpty(), qPrintable(unaccounted(result)));
}

void TestServerCheck::llamaReasons_data()
{
    QTest::addColumn<QString>("gguf");
    QTest::addColumn<QString>("args");
    QTest::addColumn<int>("cache");
    QTest::addColumn<QString>("bytes");
    QTest::addColumn<QString>("cells");
    const auto row = [](const char *gguf, const char *args, int cache, const char *bytes, const char *cells) {
        QTest::addRow("%s %s", gguf, args) << QString::fromLatin1(gguf) << QString::fromLatin1(args) << cache
                                           << QString::fromLatin1(bytes) << QString::fromLatin1(cells);
    };
    // 8 layers × 2 × 2 heads × 64 × 2 B = 4,096 B a token; the rows are f16 and ideal. 5,000 tokens: 19.53 MiB.
    row("small.gguf", "-c 2048 -np 1", 1, "equal 8.00", "equal 2048");
    row("small.gguf", "-c 5000 -np 1", 1, "explained padding 19.53", "explained padding 5000");
    row("small.gguf", "-c 4096 -np 1 -ctk q8_0 -ctv q8_0 -fa on", 1, "explained other_cache_dtype 16.00", "equal 4096");
    row("small.gguf", "-c 4096 -np 1 -ctk q8_0 -ctv f16", 1, "explained other_cache_dtype k_and_v_types_differ 16.00",
        "equal 4096");
    // Rounding up to 5,120 is padding; 10.625 is printed as 10.62.
    row("small.gguf", "-c 5000 -np 4 -ctk q8_0 -ctv q8_0 -fa on", 1,
        "explained other_cache_dtype padding printed_digits 19.53", "explained padding 1250");
    row("small.gguf", "-c 4096 -np 4", 1, "equal 16.00", "equal 1024");
    row("small.gguf", "-c 5000 -np 4 --kv-unified", 1, "explained padding 19.53",
        "explained unified_context padding 1250");
    // 5 layers × 512 B: the window's 512 tokens and 512 of the micro-batch beside it.
    row("swa.gguf", "-c 4096 -np 1", 2, "explained sliding_window_slack 1.25", "explained sliding_window_slack 512");
    // 512 + 128 tokens are rounded up to 768; 1.875 MiB.
    row("swa.gguf", "-c 4096 -np 1 -ub 128", 2, "explained sliding_window_slack slots_padded printed_digits 1.25",
        "explained sliding_window_slack slots_padded 512");
    row("swa.gguf", "-c 8192 -np 1 --swa-full", 2, "explained sliding_window_slack swa_full 1.25",
        "explained sliding_window_slack swa_full 512");
}

void TestServerCheck::llamaReasons()
{
    QFETCH(QString, gguf);
    QFETCH(QString, args);
    QFETCH(int, cache);
    QFETCH(QString, bytes);
    QFETCH(QString, cells);
    const QJsonObject record = llamaRecord(gguf.toLatin1().constData(), args.toLatin1().constData());
    const ServerCheck result = check(llamaRow(record, CacheFormat::f16, Engine::ideal), llamaLog(record));
    QCOMPARE(told(result, FigureKind::kv_bytes, cache), bytes);
    QCOMPARE(told(result, FigureKind::kv_cells, cache), cells);
    if (cache == 2) // both lines together
        QVERIFY(isAccounted(figureOf(result, FigureKind::kv_bytes, 0)));
}

void TestServerCheck::llamaMadeUpFigures()
{
    // Every number of every size line, one too many in its last digit.
    static const QRegularExpression number(QStringLiteral("([0-9.]+)(?= MiB| cells| layers|/\\d+ seqs| seqs)"));
    int made_up = 0;
    for (const QJsonObject &record : llamaRecords()) {
        const QString log = QString::fromUtf8(llamaLog(record));
        const Row row = llamaRow(record, CacheFormat::f16, Engine::ideal);
        for (qsizetype from = log.indexOf(QStringLiteral("llama_kv_cache: size")); from >= 0;) {
            const auto match = number.match(log, from);
            if (!match.hasMatch())
                break;
            from = match.capturedEnd();
            const QString line = log.mid(log.lastIndexOf(u'\n', from) + 1, 22);
            if (!line.startsWith(QStringLiteral("llama_kv_cache: size")))
                continue;
            QString digits = match.captured(1);
            digits.back() = digits.back() == u'9' ? u'8' : QChar(digits.back().unicode() + 1);
            QString changed = log;
            changed.replace(match.capturedStart(), match.capturedLength(), digits);
            const ServerCheck result = check(row, changed.toUtf8());
            QVERIFY2(result.hasUnexplained(), qPrintable(changed));
            ++made_up;
        }
    }
    QVERIFY(made_up > 54 * 5);
    // A context that is no multiple of 256, and a slot that no division gives.
    const QJsonObject record = llamaRecord("small.gguf", "-c 4096 -np 4");
    const Row row = llamaRow(record, CacheFormat::f16, Engine::ideal);
    QByteArray log = llamaLog(record);
    QCOMPARE(told(check(row, log.replace("n_ctx         = 4096", "n_ctx         = 4100")), FigureKind::n_ctx),
        QStringLiteral("unexplained 4096"));
    log = llamaLog(record);
    QCOMPARE(told(check(row, log.replace("n_ctx_seq     = 1024", "n_ctx_seq     = 1280")), FigureKind::n_ctx_seq),
        QStringLiteral("unexplained 1024"));
    // The type's name alone: the sizes do not belong to it.
    log = llamaLog(record);
    const ServerCheck other = check(row, log.replace("K (f16)", "K (q8_0)"));
    QCOMPARE(told(other, FigureKind::kv_bytes, 1), QStringLiteral("unexplained 16.00"));
    QCOMPARE(
        told(check(row, log.replace("K (q8_0)", "K (zz9)")), FigureKind::k_dtype, 1), QStringLiteral("unexplained"));
}

void TestServerCheck::llamaStates()
{
    // Qwen3.5-27B as two users' logs show it: 16 layers with a cache of 64 KiB a token, states of 149.62 MiB, three
    // times as much with rs_seq 2.
    const Row row = rowOf(model("qwen3.5-27b"), 8192, 1, CacheFormat::f16);
    const QByteArray cache
        = "llama_context: n_ctx         = 8192\n"
          "llama_kv_cache: size =  512.00 MiB (  8192 cells,  16 layers,  1/1 seqs), K (f16):  256.00 "
          "MiB, V (f16):  256.00 MiB\n";
    const ServerCheck once = check(row,
        cache
            + "llama_memory_recurrent: size =  149.62 MiB (     1 cells,  64 layers,  1 seqs), R (f32):    5.62 MiB, S "
              "(f32):  144.00 MiB\n");
    QVERIFY2(unaccounted(once).isEmpty(), qPrintable(unaccounted(once)));
    QCOMPARE(told(once, FigureKind::kv_bytes, 1), QStringLiteral("equal 512.00"));
    QVERIFY(figureOf(once, FigureKind::kv_bytes, 2).reasons.contains(states_in_f32));
    QCOMPARE(figureOf(once, FigureKind::kv_bytes, 0).figure.printed, QStringLiteral("661.62"));
    const ServerCheck copies = check(row,
        cache
            + "llama_memory_recurrent: size =  448.88 MiB (     1 cells,  64 layers,  1 seqs  2 rs_seq), R (f32):   "
              "16.88 "
              "MiB, S (f32):  432.00 MiB\n");
    QVERIFY2(unaccounted(copies).isEmpty(), qPrintable(unaccounted(copies)));
    QVERIFY(figureOf(copies, FigureKind::kv_bytes, 2).reasons.contains(state_copies));
}

void TestServerCheck::publishedLlamaFigures()
{
    // ollama PR 17037, gemma3:4b at 131,072 tokens.
    const ServerCheck gemma = check(rowOf(model("gemma-3-4b"), 131072, 1, CacheFormat::f16),
        "llama_kv_cache: size = 2560.00 MiB (131072 cells,   5 layers,  1/1 seqs), K (f16): 1280.00 MiB, V (f16): "
        "1280.00 "
        "MiB\nllama_kv_cache: size =  174.00 MiB (  1536 cells,  29 layers,  1/1 seqs), K (f16):   87.00 MiB, V (f16): "
        "  "
        "87.00 MiB\n");
    QVERIFY2(unaccounted(gemma).isEmpty(), qPrintable(unaccounted(gemma)));
    QCOMPARE(told(gemma, FigureKind::kv_bytes, 2), QStringLiteral("explained sliding_window_slack 116.00"));
    // The two lines added up by the user, which was the error of that issue's predecessor, are no line of the server.
    QVERIFY(check(rowOf(model("gemma-3-4b"), 131072, 1, CacheFormat::f16),
                "llama_kv_cache: size = 2734.00 MiB (131072 cells,   5 layers,  1/1 seqs), K (f16): 1280.00 MiB, V "
                "(f16): 1280.00 "
                "MiB\n")
                .rows.constFirst()
                .verdict
        == Verdict::not_comparable);
}

void TestServerCheck::vllmPrintedThese_data()
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

void TestServerCheck::vllmPrintedThese()
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

void TestServerCheck::vllmReasons()
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

void TestServerCheck::vllmRefusesToStart()
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

void TestServerCheck::vllmMetrics()
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

void TestServerCheck::vllmMadeUpFigures()
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

void TestServerCheck::publishedVllmFigures()
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

void TestServerCheck::publishedSglangFigures()
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

void TestServerCheck::sglangStates()
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

void TestServerCheck::ollamaSizes()
{
    const QByteArray answer
        = R"({"models":[{"name":"qwen","size":5137025024,"size_vram":5137025024,"context_length":8192}]})";
    const ServerCheck result = check(rowOf(model("qwen2.5-7b"), 4096, 1, CacheFormat::f16), answer);
    // 8,192 × 57,344 B, a part of 5 GB
    QCOMPARE(told(result, FigureKind::loaded_bytes, 1), QStringLiteral("not_comparable weights_included 469762048"));
    QCOMPARE(told(result, FigureKind::n_ctx, 1), QStringLiteral("explained other_context 4096"));
    QByteArray small = answer;
    const ServerCheck impossible = check(
        rowOf(model("qwen2.5-7b"), 4096, 1, CacheFormat::f16), small.replace("\"size\":5137025024", "\"size\":1000"));
    QCOMPARE(figureOf(impossible, FigureKind::loaded_bytes, 1).verdict, Verdict::unexplained);
}

void TestServerCheck::contradictions()
{
    const ServerCheck result = check(vllmRow(model("qwen2.5-0.5b"), CacheFormat::f32, 32),
        "Explicitly set (2.0/23.54) GiB for KV cache on node 0.\nGPU KV cache size: 87,360 tokens\nGPU KV cache size: "
        "80,000 tokens\n");
    QCOMPARE(figureOf(result, FigureKind::kv_cache_tokens).verdict, Verdict::contradictory);
    QVERIFY(result.hasUnexplained());
    // A row that has no figures at all says why.
    Row row = vllmRow(model("qwen2.5-0.5b"), CacheFormat::f32, 32);
    row.query.seq_len = 0;
    const ServerCheck none = check(row, "GPU KV cache size: 87,360 tokens\n");
    QVERIFY(none.refusal && none.rows.isEmpty());
    const ServerCheck unknown = check(
        rowOf(model("deepseek-v4-pro"), 4096, 1, CacheFormat::bf16, Engine::vllm), "GPU KV cache size: 1 tokens");
    QVERIFY(unknown.refusal.has_value());
    QCOMPARE(figureOf(unknown, FigureKind::kv_cache_tokens).verdict, Verdict::not_comparable);
}

void TestServerCheck::differences()
{
    // 87,360 of theirs, 87,381 of ours; 21.33 of 42.666…
    const ServerCheck result = check(rowOf(model("qwen2.5-0.5b"), 4096, 1, CacheFormat::f32),
        "Explicitly set (2.0/23.54) GiB for KV cache on node 0.\nCPU KV cache size: 87,360 tokens\n");
    const auto apart = differenceOf(figureOf(result, FigureKind::kv_cache_tokens));
    QVERIFY(apart && *apart == (Quantity{-21, 1}));
    QVERIFY(!differenceOf(figureOf(result, FigureKind::available_kv_bytes)));
    FigureCheck third;
    third.theirs = Quantity{1, 3};
    third.ours = Quantity{1, 6};
    QVERIFY(*differenceOf(third) == (Quantity{1, 6}));
    third.theirs = Quantity{maxBytes(), 3};
    third.ours = Quantity{1, maxBytes()};
    QVERIFY(!differenceOf(third));
}

void TestServerCheck::reasonsHaveTexts()
{
    QStringList names;
    for (const CheckReason reason : allCheckReasons()) {
        QVERIFY(checkReasonText(reason).endsWith(u'.'));
        names << checkReasonName(reason);
    }
    QCOMPARE(names.removeDuplicates(), 0);
    QCOMPARE(names.constLast(), QStringLiteral("weights_included"));
}

void TestServerCheck::anyFigures()
{
    // Figures of any size in lines of every kind: an answer, never a crash; and no reason without our figure.
    QRandomGenerator random(20261202);
    const QStringList lines{QStringLiteral("GPU KV cache size: %1 tokens"),
        QStringLiteral("Maximum concurrency for %1 tokens per request: %2x"),
        QStringLiteral("Available KV cache memory: %1 GiB"), QStringLiteral("# GPU blocks: %1, # CPU blocks: 0"),
        QStringLiteral(
            "max seq len (%1), (%2 GiB KV cache is needed, which is larger than the available KV cache memory "
            "(%2 GiB). the estimated maximum model length is %1"),
        QStringLiteral("non-default args: {'block_size': %1, 'tensor_parallel_size': %2, 'max_model_len': %1}"),
        QStringLiteral("KV Cache is allocated. #tokens: %1, K size: %2 GB, V size: %1 GB"),
        QStringLiteral(
            "max_mamba_cache_size: %1, conv_state size: %2GB, ssm_state size: %1GB Mamba Cache is allocated"),
        QStringLiteral("llama_context: n_ctx = %1"), QStringLiteral("llama_context: n_seq_max = %1"),
        QStringLiteral("llama_context: n_ubatch = %1"), QStringLiteral("kv_unified = 'true'"),
        QStringLiteral("x: size = %2 MiB ( %1 cells, %1 layers, %1/%1 seqs), K (f16): %2 MiB, V (q8_0): %2 MiB"),
        QStringLiteral("x: size = %2 MiB ( %1 cells, %1 layers, %1 seqs %1 rs_seq), R (f32): %2 MiB, S (f32): %2 MiB")};
    const QStringList numbers{QStringLiteral("0"), QStringLiteral("1"), QStringLiteral("16"), QStringLiteral("4096"),
        QStringLiteral("123456789012345678"), QStringLiteral("999999999999999999"), QStringLiteral("1000000000000")};
    const QStringList decimals{QStringLiteral("0.00"), QStringLiteral("8.11"), QStringLiteral("2.0"),
        QStringLiteral("9999999999999.99"), QStringLiteral("21.328125"), QStringLiteral("0.000000000000001")};
    QList<ModelSpec> models = builtInModels();
    models << modelOf({FullAttention{1 << 16, {1 << 10, std::nullopt, 1 << 14, 1 << 14}}});
    models << modelOf({FullAttention{1 << 16, {1 << 19, std::nullopt, 1 << 22, 1 << 22}}, FixedState{9, {}, 1, 1}});
    for (int round = 0; round < 1000; ++round) {
        QStringList text;
        for (int i = random.bounded(1, 8); i > 0; --i)
            text << QString(lines.at(random.bounded(int(lines.size()))))
                        .replace(QStringLiteral("%1"), numbers.at(random.bounded(int(numbers.size()))))
                        .replace(QStringLiteral("%2"), decimals.at(random.bounded(int(decimals.size()))));
        const Row row = rowOf(models.at(random.bounded(int(models.size()))), random.bounded(2) == 0 ? 4096 : maxSeqLen,
            random.bounded(2) == 0 ? 1 : maxBatch, CacheFormat::bf16, allEngines().at(random.bounded(4)));
        const ServerCheck result = check(row, text.join(u'\n').toUtf8());
        for (const FigureCheck &figure : result.rows) {
            const auto apart = differenceOf(figure);
            QVERIFY(!apart || figure.verdict != Verdict::equal || apart->numerator == 0
                || figure.reasons.contains(printed_digits));
            QVERIFY(figure.verdict != Verdict::unexplained || figure.reasons.isEmpty());
            QVERIFY(figure.verdict != Verdict::explained || !figure.reasons.isEmpty());
        }
    }
}

QTEST_GUILESS_MAIN(TestServerCheck)
#include "tst_server_check.moc"
