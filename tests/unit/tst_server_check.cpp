// SPDX-License-Identifier: GPL-3.0-or-later
// Our figures beside those of llama-server (54 starts in llama-kv-buffers.json, published logs) and Ollama; made-up
// figures, which nothing may explain; and what holds for every server.
#include "server_check_bench.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QtTest>

using namespace kvlab::memory;
using enum CheckReason;

namespace {

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
