// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of caches: figures worked out by hand, the factors that must multiply to them, and everything that is refused.
// The rows of kv-golden.json run through the command line in tst_calc.cpp.
#include "memory/model_list.h"

#include <QRegularExpression>
#include <QtTest>

using namespace kvlab::memory;

namespace {

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

FullAttention full(qint64 layers, qint64 kv_heads, qint64 head_dim, qint64 v_head_dim)
{
    return {layers, {kv_heads, std::nullopt, head_dim, v_head_dim}};
}

QString bytesOf(const Estimate &estimate)
{
    const auto *result = std::get_if<MemoryResult>(&estimate);
    return result == nullptr ? std::get<Refusal>(estimate).reason : toDecimalString(result->bytes);
}

QString perToken(const Estimate &estimate)
{
    const auto *result = std::get_if<MemoryResult>(&estimate);
    return result == nullptr ? std::get<Refusal>(estimate).reason : toDecimalString(result->bytes_per_token);
}

QString reasonOf(const Estimate &estimate)
{
    const auto *refusal = std::get_if<Refusal>(&estimate);
    return refusal == nullptr ? QStringLiteral("accepted") : refusal->reason;
}

/// Multiplies what the formula line shows: "28", "(192 + 128)", "min(4097, 1024)", "⌊4097/4⌋", "2 B", "34/32 B". −1
/// when that is no whole number.
boost::multiprecision::int512_t productOf(const QList<Factor> &factors)
{
    static const QRegularExpression sum(QStringLiteral(R"(^\((\d+) \+ (\d+)\)$)"));
    static const QRegularExpression least(QStringLiteral(R"(^min\((\d+), (\d+)\)$)"));
    static const QRegularExpression whole(QStringLiteral(R"(^⌊(\d+)/(\d+)⌋$)"));
    static const QRegularExpression quotient(QStringLiteral(R"(^(\d+)(?:/(\d+))?(?: B)?$)"));
    boost::multiprecision::int512_t product = 1;
    qint64 divisor = 1;
    for (const Factor &factor : factors) {
        if (const auto match = sum.match(factor.value); match.hasMatch()) {
            product *= match.captured(1).toLongLong() + match.captured(2).toLongLong();
            continue;
        }
        if (const auto match = least.match(factor.value); match.hasMatch()) {
            product *= std::min(match.captured(1).toLongLong(), match.captured(2).toLongLong());
            continue;
        }
        if (const auto match = whole.match(factor.value); match.hasMatch()) {
            product *= match.captured(1).toLongLong() / match.captured(2).toLongLong();
            continue;
        }
        const auto plain = quotient.match(factor.value);
        product *= plain.hasMatch() ? plain.captured(1).toLongLong() : 0;
        if (plain.capturedLength(2) > 0)
            divisor *= plain.captured(2).toLongLong();
    }
    if (product % divisor != 0)
        return -1;
    return product / divisor;
}

QStringList asTexts(const QList<Factor> &factors)
{
    QStringList texts;
    for (const Factor &factor : factors)
        texts << factor.value + u'|' + factor.name;
    return texts;
}

} // namespace

class TestMemoryEstimate : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void unitsRoundHalfUpAtEverySize();
    void figuresByHand_data();
    void figuresByHand();
    void factorsOfFullAttention();
    void factorsOfOtherShapes();
    void factorsMultiplyToBytes();
    void layersWithoutCacheCostNothing();
    void everyKindHasItsTerms();
    void everyModelIsComputed();
    void formatsByHand_data();
    void formatsByHand();
    void keysAndValuesApart();
    void formatsThatSkipLayers();
    void statesKeepTheirOwnType();
    void ranksShareHeads();
    void whatCannotBeDividedIsRefused();
    void rangeIsChecked_data();
    void rangeIsChecked();
    void nothingCostsNothing();
    void overflowIsRefused();
    void blocksRunAlongTheRow();
    void unknownModelIsRefused();
    void formatNames();
    void unitsRoundHalfUp();
};

void TestMemoryEstimate::figuresByHand_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<qint64>("seq_len");
    QTest::addColumn<qint64>("batch");
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("per_token");
    QTest::addColumn<QString>("bytes");
    const auto row = [](const char *id, qint64 seq_len, qint64 batch, const char *format, const char *per_token,
                         const char *bytes) {
        QTest::addRow("%s %s", id, format) << QString::fromLatin1(id) << seq_len << batch << QString::fromLatin1(format)
                                           << QString::fromLatin1(per_token) << QString::fromLatin1(bytes);
    };
    // 2 × 28 × 4 × 128 × 2 B
    row("qwen2.5-7b", 4096, 1, "bf16", "57344", "234881024");
    row("qwen2.5-7b", 1000, 3, "f16", "57344", "172032000");
    // 28672 values in 896 blocks of 34 B
    row("qwen2.5-7b", 4096, 1, "q8_0", "30464", "124780544");
    row("qwen2.5-7b", 4096, 1, "f32", "114688", "469762048");
    // 61 × 576 × 2 B, without heads and without the factor 2
    row("deepseek-v3", 1, 1, "bf16", "70272", "70272");
    row("deepseek-v3", 4096, 8, "fp8", "35136", "1151336448");
    // 61 × 18 blocks × 34 B
    row("deepseek-v3", 1, 1, "q8_0", "37332", "37332");
    // 61 × (512 + 16 + 128) B
    row("deepseek-v3", 1, 1, "fp8_ds_mla", "40016", "40016");
    row("deepseek-v3-handout", 1, 1, "bf16", "249856", "249856");
    // 67 heads over all layers: 2 × 67 × 128 × 2 B
    row("decilm-7b", 1, 1, "bf16", "34304", "34304");
    // 5 × 3 + 7 × 4 + 4 × 5 = 63 heads: 2 × 63 × 64 × 2 B
    row("openelm-270m", 2048, 1, "bf16", "16128", "33030144");
}

void TestMemoryEstimate::figuresByHand()
{
    QFETCH(QString, id);
    QFETCH(qint64, seq_len);
    QFETCH(qint64, batch);
    QFETCH(QString, format);
    const Estimate got
        = estimate(model(id.toLatin1().constData()), {seq_len, batch, cacheFormatFromName(format).value()});
    QTEST(perToken(got), "per_token");
    QTEST(bytesOf(got), "bytes");
}

void TestMemoryEstimate::factorsOfFullAttention()
{
    const auto got = std::get<MemoryResult>(estimate(model("qwen2.5-7b"), {4096, 2, CacheFormat::bf16}));
    QCOMPARE(got.terms.size(), 1);
    QCOMPARE(got.terms.constFirst().kind, QStringLiteral("full"));
    const QStringList expected{QStringLiteral("2|K, V"), QStringLiteral("28|layers"), QStringLiteral("4|kv_heads"),
        QStringLiteral("128|head_dim"), QStringLiteral("4096|seq_len"), QStringLiteral("2|batch"),
        QStringLiteral("2 B|bf16")};
    QCOMPARE(asTexts(got.terms.constFirst().factors), expected);
    const auto quantised = std::get<MemoryResult>(estimate(model("qwen2.5-7b"), {4096, 2, CacheFormat::q8_0}));
    QCOMPARE(asTexts(quantised.terms.constFirst().factors).constLast(), QStringLiteral("34/32 B|q8_0"));
}

void TestMemoryEstimate::factorsOfOtherShapes()
{
    const MemoryQuery query{10, 3, CacheFormat::bf16};
    const auto wide = std::get<MemoryResult>(estimate(modelOf({full(61, 128, 192, 128)}), query));
    QCOMPARE(toDecimalString(wide.bytes_per_token), QStringLiteral("4997120")); // 61 × 128 × 320 × 2 B
    QCOMPARE(asTexts(wide.terms.constFirst().factors),
        (QStringList{QStringLiteral("61|layers"), QStringLiteral("128|kv_heads"),
            QStringLiteral("(192 + 128)|head_dim + v_head_dim"), QStringLiteral("10|seq_len"),
            QStringLiteral("3|batch"), QStringLiteral("2 B|bf16")}));

    const auto latent = std::get<MemoryResult>(estimate(model("deepseek-v3"), query));
    QCOMPARE(asTexts(latent.terms.constFirst().factors),
        (QStringList{QStringLiteral("61|layers"), QStringLiteral("(512 + 64)|kv_lora_rank + qk_rope_head_dim"),
            QStringLiteral("10|seq_len"), QStringLiteral("3|batch"), QStringLiteral("2 B|bf16")}));

    // The packed layout is what it is, whatever format is chosen.
    const ModelSpec packed = modelOf({MlaLatent{61, 512, 64, 656}});
    for (const CacheFormat format : allCacheFormats()) {
        const auto got = std::get<MemoryResult>(estimate(packed, {4096, 1, format}));
        QCOMPARE(toDecimalString(got.bytes_per_token), QStringLiteral("40016"));
        QCOMPARE(toDecimalString(got.bytes), QStringLiteral("163905536"));
        QCOMPARE(asTexts(got.terms.constFirst().factors).constLast(), QStringLiteral("656 B|packed entry"));
    }
}

void TestMemoryEstimate::factorsMultiplyToBytes()
{
    int terms = 0;
    for (const ModelSpec &spec : builtInModels()) {
        for (const CacheFormat format : allCacheFormats()) {
            const Estimate got = estimate(spec, {4097, 7, format});
            const auto *result = std::get_if<MemoryResult>(&got);
            if (result == nullptr) {
                // Only formats in blocks have rows that do not come out even.
                QVERIFY2(blockElements(format) > 1 || format == CacheFormat::fp8_ds_mla, qPrintable(spec.id));
                continue;
            }
            Bytes sum = 0;
            for (const MemoryTerm &term : result->terms) {
                QVERIFY2(productOf(term.factors) == boost::multiprecision::int512_t(term.bytes), qPrintable(spec.id));
                sum += term.bytes;
                ++terms;
            }
            QCOMPARE(toDecimalString(sum), toDecimalString(result->bytes));
        }
    }
    QVERIFY(terms > 5 * 137);
}

void TestMemoryEstimate::layersWithoutCacheCostNothing()
{
    const Estimate got = estimate(model("llama-3.2-11b-vision"), {1, 1, CacheFormat::bf16});
    QCOMPARE(bytesOf(got), QStringLiteral("131072")); // 2 × 32 of the 40 layers × 8 × 128 × 2 B
    QCOMPARE(std::get<MemoryResult>(got).terms.size(), 1);
    QCOMPARE(bytesOf(estimate(modelOf({NoCache{8, {}}}), {})), QStringLiteral("0"));
}

void TestMemoryEstimate::everyKindHasItsTerms()
{
    const AttentionShape shape{4, std::nullopt, 128, 128};
    const ModelSpec spec = modelOf({SlidingWindow{5, shape, 1024}, ChunkedAttention{3, shape, 8192},
        Indexer{2, 128, 132}, CompressedAttention{6, 512, 128, 4, 256}, FixedState{7, {}, 100, 2000},
        CrossAttention{2, 4, 64, 1500}, NoCache{9, {}}});
    const auto got = std::get<MemoryResult>(estimate(spec, {4097, 3, CacheFormat::bf16}));
    QStringList terms;
    for (const MemoryTerm &term : got.terms)
        terms << term.kind + u' ' + asTexts(term.factors).join(u' ') + u' ' + toDecimalString(term.bytes);
    const QStringList expected{
        QStringLiteral("sliding 2|K, V 5|layers 4|kv_heads 128|head_dim min(4097, 1024)|min(seq_len, window) 3|batch "
                       "2 B|bf16 31457280"),
        QStringLiteral("chunked 2|K, V 3|layers 4|kv_heads 128|head_dim min(4097, 8192)|min(seq_len, chunk) 3|batch "
                       "2 B|bf16 75515904"),
        QStringLiteral("indexer 2|layers 4097|seq_len 3|batch 132 B|indexer entry 3244824"),
        QStringLiteral("compressed 6|layers 512|head_dim min(4097, 128)|min(seq_len, window) 3|batch 2 B|bf16 2359296"),
        QStringLiteral("compressed 6|layers 512|head_dim ⌊4097/4⌋|⌊seq_len / ratio⌋ 3|batch 2 B|bf16 18874368"),
        QStringLiteral("compressed 6|layers ⌊4097/4⌋|⌊seq_len / ratio⌋ 3|batch 256 B|indexer entry 4718592"),
        QStringLiteral("state 7|layers 100|conv_elements 3|batch 2 B|bf16 4200"),
        QStringLiteral("state 7|layers 2000|recurrent_elements 3|batch 2 B|bf16 84000"),
        QStringLiteral("cross 2|K, V 2|layers 4|kv_heads 64|head_dim 1500|encoder_tokens 3|batch 2 B|bf16 9216000"),
    };
    QCOMPARE(terms, expected);
    // 5 × 2048 + 3 × 2048 + 264 + 6 × (1024 + 1024/4 + 256/4), without and with the window and the chunk
    QCOMPARE(toDecimalString(got.bytes_per_token), QStringLiteral("24712"));
    QCOMPARE(toDecimalString(got.bytes_per_token_above_window), QStringLiteral("2184"));
    QCOMPARE(toDecimalString(got.fixed_bytes_per_sequence), QStringLiteral("3101400")); // 29,400 + 3,072,000
}

void TestMemoryEstimate::everyModelIsComputed()
{
    for (const ModelSpec &spec : builtInModels()) {
        const Estimate got = estimate(spec, {});
        QVERIFY2(std::holds_alternative<MemoryResult>(got), qPrintable(spec.id));
        QVERIFY(std::get<MemoryResult>(got).bytes > 0);
    }
}

void TestMemoryEstimate::formatsByHand_data()
{
    QTest::addColumn<QString>("format");
    QTest::addColumn<qint64>("head_dim");
    QTest::addColumn<QString>("bytes");
    const auto row = [](const char *format, qint64 head_dim, const char *bytes) {
        QTest::addRow("%s %lld", format, static_cast<long long>(head_dim))
            << QString::fromLatin1(format) << head_dim << QString::fromLatin1(bytes);
    };
    // K and V of one head of one layer.
    row("q5_1", 128, "192"); // 8 blocks of 24 B
    row("q5_0", 128, "176");
    row("q4_1", 128, "160");
    row("q4_0", 128, "144");
    row("iq4_nl", 128, "144");
    row("int8_per_token_head", 80, "168"); // 2 × (80 + 4): any even head will do
    row("int4_per_token_head", 80, "88"); // 2 × (40 + 4)
    row("nvfp4", 80, "90"); // 2 × (40 + 5)
    row("mlx_q8_g64", 64, "136");
    row("mlx_q4_g64", 64, "72");
    row("lightllm_int8_g8", 80, "200");
    row("lightllm_int4_g8", 80, "120");
    row("exl3_8", 96, "204");
    row("exl3_4", 96, "108");
    row("mlx_q4_g64", 80, "unaligned_row");
    row("nvfp4", 72, "unaligned_row");
    row("exl3_4", 80, "unaligned_row");
    row("int4_per_token_head", 81, "unaligned_row");
    row("fp8_ds_mla", 128, "format_needs_mla");
}

void TestMemoryEstimate::formatsByHand()
{
    QFETCH(QString, format);
    QFETCH(qint64, head_dim);
    const CacheFormat asked = cacheFormatFromName(format).value();
    QTEST(bytesOf(estimate(modelOf({full(1, 1, head_dim, head_dim)}), {1, 1, asked})), "bytes");
    // Unlike ggml's rows, a second head does not help.
    if (blocksStayInHead(asked) && elementSize(asked, 1, head_dim) == std::nullopt)
        QTEST(bytesOf(estimate(modelOf({full(1, 2, head_dim, head_dim)}), {1, 1, asked})), "bytes");
}

void TestMemoryEstimate::keysAndValuesApart()
{
    MemoryQuery query{8192, 1, CacheFormat::q8_0};
    query.v_dtype = CacheFormat::q4_0;
    const auto got = std::get<MemoryResult>(estimate(model("qwen2.5-7b"), query));
    QCOMPARE(toDecimalString(got.bytes), QStringLiteral("190840832")); // 28 × 4 × 128 × (34 + 18) / 32 × 8192
    QCOMPARE(got.terms.size(), 2);
    QCOMPARE(asTexts(got.terms.at(0).factors).join(u' '),
        QStringLiteral("28|layers 4|kv_heads 128|head_dim of K 8192|seq_len 1|batch 34/32 B|q8_0"));
    QCOMPARE(asTexts(got.terms.at(1).factors).join(u' '),
        QStringLiteral("28|layers 4|kv_heads 128|head_dim of V 8192|seq_len 1|batch 18/32 B|q4_0"));
    // A latent is both K and V, so the type of V changes nothing.
    query.kv_dtype = CacheFormat::bf16;
    QCOMPARE(perToken(estimate(model("deepseek-v3"), query)), QStringLiteral("70272"));
    // Scales per head weigh more on the shorter V: 192 + 4 and 128 + 4.
    QCOMPARE(bytesOf(estimate(modelOf({full(1, 2, 192, 128)}), {1, 1, CacheFormat::int8_per_token_head})),
        QStringLiteral("656"));
}

void TestMemoryEstimate::formatsThatSkipLayers()
{
    MemoryQuery query{131072, 1, CacheFormat::fp8};
    query.sliding_dtype = CacheFormat::bf16;
    // 12 × 2 × 8 × 64 × 131072 × 1 B + 12 × 2 × 8 × 64 × 128 × 2 B
    QCOMPARE(bytesOf(estimate(model("gpt-oss-20b"), query)), QStringLiteral("1613758464"));
}

void TestMemoryEstimate::statesKeepTheirOwnType()
{
    ModelSpec spec = modelOf({FixedState{2, {}, 10, 100}});
    QCOMPARE(bytesOf(estimate(spec, {1, 1, CacheFormat::bf16})), QStringLiteral("440"));
    // Whatever K and V are stored as.
    QCOMPARE(bytesOf(estimate(spec, {1'000'000, 1, CacheFormat::q4_0})), QStringLiteral("440"));
    spec.recurrent_state_fp32 = true;
    QCOMPARE(bytesOf(estimate(spec, {1, 1, CacheFormat::bf16})), QStringLiteral("840"));
    MemoryQuery query{1, 1, CacheFormat::bf16};
    query.recurrent_dtype = StateFormat::f16;
    QCOMPARE(bytesOf(estimate(spec, query)), QStringLiteral("440"));
    query.conv_dtype = StateFormat::f32;
    query.recurrent_dtype = std::nullopt;
    QCOMPARE(bytesOf(estimate(spec, query)), QStringLiteral("880"));
}

void TestMemoryEstimate::ranksShareHeads()
{
    MemoryQuery query{1, 1, CacheFormat::bf16};
    query.tp = 4;
    const auto divided = std::get<MemoryResult>(estimate(model("qwen2.5-72b"), query)); // 8 heads, 2 on each rank
    QCOMPARE(toDecimalString(divided.bytes), QStringLiteral("81920"));
    QVERIFY(asTexts(divided.terms.constFirst().factors).contains(QStringLiteral("2|kv_heads per rank")));
    query.tp = 16;
    QCOMPARE(bytesOf(estimate(model("qwen2.5-72b"), query)), QStringLiteral("40960")); // each head on two ranks
    QCOMPARE(bytesOf(estimate(model("deepseek-v3"), query)), QStringLiteral("70272")); // the latent is whole everywhere
    // ggml's blocks run along what one rank holds: 2 heads of 80 fill five blocks, one head does not.
    query = {1, 1, CacheFormat::q8_0};
    query.tp = 2;
    QCOMPARE(reasonOf(estimate(modelOf({full(1, 2, 80, 80)}), query)), QStringLiteral("unaligned_row"));
}

void TestMemoryEstimate::whatCannotBeDividedIsRefused()
{
    MemoryQuery query{1, 1, CacheFormat::bf16};
    query.tp = 3;
    const Estimate indivisible = estimate(modelOf({full(40, 10, 128, 128)}), query);
    QCOMPARE(reasonOf(indivisible), QStringLiteral("tp_invalid"));
    QVERIFY(std::get<Refusal>(indivisible).message.contains(QStringLiteral("10 KV heads")));
    query.tp = 2;
    QCOMPARE(reasonOf(estimate(model("decilm-7b"), query)), QStringLiteral("tp_unknown"));
    QCOMPARE(reasonOf(estimate(modelOf({FixedState{1, {}, 8, 8}}), query)), QStringLiteral("tp_unknown"));
    query.tp = 0;
    QCOMPARE(reasonOf(estimate(model("qwen2.5-7b"), query)), QStringLiteral("out_of_range"));
}

void TestMemoryEstimate::rangeIsChecked_data()
{
    QTest::addColumn<qint64>("seq_len");
    QTest::addColumn<qint64>("batch");
    QTest::addColumn<QString>("field");
    QTest::newRow("no tokens") << qint64(0) << qint64(1) << QStringLiteral("seq_len");
    QTest::newRow("negative tokens") << qint64(-5) << qint64(1) << QStringLiteral("seq_len");
    QTest::newRow("too many tokens") << qint64(1'000'000'000'001) << qint64(1) << QStringLiteral("seq_len");
    QTest::newRow("no sequence") << qint64(1) << qint64(0) << QStringLiteral("batch");
    QTest::newRow("too many sequences") << qint64(1) << qint64(1'000'000'001) << QStringLiteral("batch");
}

void TestMemoryEstimate::rangeIsChecked()
{
    QFETCH(qint64, seq_len);
    QFETCH(qint64, batch);
    QFETCH(QString, field);
    const Estimate got = estimate(model("qwen2.5-7b"), {seq_len, batch, CacheFormat::bf16});
    QCOMPARE(reasonOf(got), QStringLiteral("out_of_range"));
    QVERIFY(std::get<Refusal>(got).message.contains(field));
    QVERIFY(checkRange({seq_len, batch, CacheFormat::bf16}).has_value());
    QVERIFY(!checkRange({maxSeqLen, maxBatch, CacheFormat::bf16}).has_value());
}

void TestMemoryEstimate::nothingCostsNothing()
{
    QCOMPARE(bytesOf(cacheNeed(model("qwen2.5-7b"), {0, 1, CacheFormat::bf16})), QStringLiteral("0"));
    QCOMPARE(bytesOf(cacheNeed(model("qwen2.5-7b"), {4096, 0, CacheFormat::bf16})), QStringLiteral("0"));
}

void TestMemoryEstimate::overflowIsRefused()
{
    // layers × heads × 2 × dim × seq_len × batch = 2^(16 + 19 + 1 + 23 + 39 + 29) = 2^127 with one byte per value.
    const MemoryQuery query{qint64(1) << 39, qint64(1) << 29, CacheFormat::fp8};
    QCOMPARE(
        reasonOf(estimate(modelOf({full(1 << 16, 1 << 19, 1 << 23, 1 << 23)}), query)), QStringLiteral("overflow"));
    // One value less per K row stays below: 2^127 − 2^103.
    QCOMPARE(bytesOf(estimate(modelOf({full(1 << 16, 1 << 19, (1 << 23) - 1, 1 << 23)}), query)),
        QStringLiteral("170141173319264429905852091742258462720"));
    // Two groups that fit alone and not together.
    const FullAttention half = full(1 << 15, 1 << 19, 1 << 23, 1 << 23);
    QCOMPARE(bytesOf(estimate(modelOf({half}), query)), QStringLiteral("85070591730234615865843651857942052864"));
    QCOMPARE(reasonOf(estimate(modelOf({half, half}), query)), QStringLiteral("overflow"));
    QCOMPARE(toDecimalString(maxBytes()), QStringLiteral("170141183460469231731687303715884105727"));
}

void TestMemoryEstimate::blocksRunAlongTheRow()
{
    const MemoryQuery query{1, 1, CacheFormat::q8_0};
    // Rows of 80 values hold two and a half blocks; two heads together hold five.
    QCOMPARE(reasonOf(estimate(modelOf({full(1, 1, 80, 80)}), query)), QStringLiteral("unaligned_row"));
    QCOMPARE(bytesOf(estimate(modelOf({full(1, 2, 80, 80)}), query)), QStringLiteral("340"));
    // K fits and V does not.
    QCOMPARE(reasonOf(estimate(modelOf({full(1, 1, 64, 80)}), query)), QStringLiteral("unaligned_row"));
    QCOMPARE(
        reasonOf(estimate(modelOf({MlaLatent{1, 512, 80, std::nullopt}}), query)), QStringLiteral("unaligned_row"));
    // Where only the sum of heads is known, nothing says that each layer's row is even.
    QCOMPARE(reasonOf(estimate(modelOf({FullAttention{2, {0, 4, 80, 80}}}), query)), QStringLiteral("unaligned_row"));
    QCOMPARE(bytesOf(estimate(modelOf({FullAttention{2, {0, 3, 64, 64}}}), query)), QStringLiteral("408"));
    // Without scales any row will do.
    QCOMPARE(bytesOf(estimate(modelOf({full(1, 1, 80, 80)}), {1, 1, CacheFormat::fp8})), QStringLiteral("160"));
}

void TestMemoryEstimate::unknownModelIsRefused()
{
    const Estimate got = estimateRow({QStringLiteral("Nobody-1B"), 1, 1, CacheFormat::bf16});
    QCOMPARE(reasonOf(got), QStringLiteral("unknown_model"));
    QVERIFY(std::get<Refusal>(got).message.contains(QStringLiteral("Nobody-1B")));
    QCOMPARE(
        bytesOf(estimateRow({QStringLiteral("qwen2.5-7B"), 4096, 1, CacheFormat::bf16})), QStringLiteral("234881024"));
}

void TestMemoryEstimate::formatNames()
{
    const QStringList names{QStringLiteral("f32"), QStringLiteral("f16"), QStringLiteral("bf16"), QStringLiteral("fp8"),
        QStringLiteral("q8_0"), QStringLiteral("q5_1"), QStringLiteral("q5_0"), QStringLiteral("q4_1"),
        QStringLiteral("q4_0"), QStringLiteral("iq4_nl")};
    QStringList got;
    for (const CacheFormat format : allCacheFormats()) {
        got << cacheFormatName(format);
        QCOMPARE(cacheFormatFromName(cacheFormatName(format)), std::optional(format));
    }
    QCOMPARE(got.mid(0, names.size()), names);
    QCOMPARE(QSet<QString>(got.cbegin(), got.cend()).size(), got.size());
    QCOMPARE(cacheFormatFromName(QStringLiteral(" FP16 ")), std::optional(CacheFormat::f16));
    QCOMPARE(cacheFormatFromName(QStringLiteral("float32")), std::optional(CacheFormat::f32));
    QCOMPARE(cacheFormatFromName(QStringLiteral("bfloat16")), std::optional(CacheFormat::bf16));
    QCOMPARE(cacheFormatFromName(QStringLiteral("q3_7")), std::nullopt);
    QCOMPARE(cacheFormatFromName(QString()), std::nullopt);
}

void TestMemoryEstimate::unitsRoundHalfUp()
{
    QCOMPARE(toGibString(Bytes(0)), QStringLiteral("0.000"));
    // 0.0005 GiB = 536,870.912 B
    QCOMPARE(toGibString(Bytes(536870)), QStringLiteral("0.000"));
    QCOMPARE(toGibString(Bytes(536871)), QStringLiteral("0.001"));
    QCOMPARE(toGibString(Bytes(3) << 29, 0), QStringLiteral("2"));
    QCOMPARE(toGibString(maxBytes(), 0), QStringLiteral("158456325028528675187087900672"));
    QCOMPARE(toUnitString(Bytes(458752), 20, 4), QStringLiteral("0.4375"));
    QCOMPARE(toGib(Bytes(3) << 29), 1.5);
}

/// Bytes, in GiB and in GB; computed with fractions outside this program. 2^53 is where the quick way ends.
void TestMemoryEstimate::unitsRoundHalfUpAtEverySize()
{
    const struct
    {
        const char *bytes, *gib, *gb;
    } cases[] = {
        {"0", "0.000", "0.000"},
        {"1", "0.000", "0.000"},
        {"536870", "0.000", "0.001"},
        {"536871", "0.001", "0.001"},
        {"1073741823", "1.000", "1.074"},
        {"9007199254740991", "8388608.000", "9007199.255"},
        {"9007199254740992", "8388608.000", "9007199.255"},
        {"9007199254740993", "8388608.000", "9007199.255"},
        {"4611686018427387904", "4294967296.000", "4611686018.427"},
        {"999999999", "0.931", "1.000"},
        {"499999", "0.000", "0.000"},
        {"500000", "0.000", "0.001"},
        {"170141183460469231731687303715884105727", "158456325028528675187087900672.000",
            "170141183460469231731687303715.884"},
    };
    for (const auto &[bytes, gib, gb] : cases) {
        QCOMPARE(toGibString(Bytes(bytes)), QString::fromLatin1(gib));
        QCOMPARE(toGbString(Bytes(bytes)), QString::fromLatin1(gb));
    }
}

QTEST_GUILESS_MAIN(TestMemoryEstimate)
#include "tst_memory_estimate.moc"
