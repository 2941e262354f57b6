// SPDX-License-Identifier: GPL-3.0-or-later
// What engines set aside: against the sizes that llama-server printed for 54 starts (llama-kv-buffers.json), against
// vLLM's start log (real-captures/vllm/startlog_key_lines.txt), and worked out by hand.
#include "memory/allocation.h"
#include "memory/model_list.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QtTest>

#include <array>
#include <cstdio>

using namespace kvlab::memory;

namespace {

QByteArray testData(const char *name)
{
    QFile file(QStringLiteral(KVLAB_TEST_DATA "/") + QLatin1String(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s is missing", name);
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

MemoryQuery query(qint64 seq_len, qint64 batch = 1, CacheFormat format = CacheFormat::bf16)
{
    return {seq_len, batch, format};
}

QString bytesOf(const Allocation &allocation)
{
    const auto *allocated = std::get_if<Allocated>(&allocation);
    return allocated == nullptr ? std::get<Refusal>(allocation).reason : toDecimalString(allocated->bytes);
}

QString bytesOf(const ModelSpec &spec, const MemoryQuery &asked, Engine engine)
{
    return bytesOf(allocate(spec, asked, defaultProfile(engine)));
}

QList<qint64> tokensOf(const ModelSpec &spec, const MemoryQuery &asked, Engine engine)
{
    const auto allocated = std::get<Allocated>(allocate(spec, asked, defaultProfile(engine)));
    QList<qint64> tokens;
    for (const AllocatedGroup &group : allocated.groups)
        tokens << group.tokens;
    return tokens;
}

/// The model that a row of llama-kv-buffers.json describes; llama.cpp's log has layers without a window first.
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

/// As llama.cpp and vLLM print it: the C library rounds 10.625 to 10.62, Qt's own functions do not.
QString twoDecimals(double value)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.2f", value);
    return QString::fromLatin1(text.data());
}

QString mib(const Bytes &bytes)
{
    return twoDecimals(bytes.convert_to<double>() / (1024.0 * 1024.0));
}

} // namespace

class TestMemoryAllocation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void llamaServerPrintedThese_data();
    void llamaServerPrintedThese();
    void vllmPrintedThese();
    void engineNames();
    void idealIsTheNeed();
    void vllmRoundsToBlocks();
    void vllmKeepsSlackBeyondWindows();
    void vllmMakesPagesEqual();
    void vllmFillsGroupsUp();
    void llamaKeepsItsOwnTypes();
    void sglangCountsPages();
    void whatIsNotKnownIsRefused();
    void nothingTakesNoPlace();
};

void TestMemoryAllocation::llamaServerPrintedThese_data()
{
    QTest::addColumn<QJsonObject>("row");
    const QJsonArray rows = QJsonDocument::fromJson(testData("llama-kv-buffers.json")).array();
    QCOMPARE(rows.size(), 54);
    for (const QJsonValue &row : rows)
        QTest::addRow("%s %s", qPrintable(row[QLatin1String("model")].toString()),
            qPrintable(row[QLatin1String("args")].toString()))
            << row.toObject();
}

void TestMemoryAllocation::llamaServerPrintedThese()
{
    QFETCH(QJsonObject, row);
    AllocationProfile profile = defaultProfile(Engine::llama_cpp);
    // Without -c the server takes the context from the model's file.
    const QJsonValue asked = row.value(QLatin1String("ctx"));
    profile.n_ctx = asked.isDouble() ? asked.toInteger() : row.value(QLatin1String("n_ctx")).toInteger();
    profile.kv_unified = row.value(QLatin1String("kv_unified")).toString() == QLatin1String("true");
    const QJsonArray extra = row.value(QLatin1String("extra")).toArray();
    profile.swa_full = extra.contains(QLatin1String("--swa-full"));
    if (extra.at(0) == QLatin1String("-ub"))
        profile.n_ubatch = extra.at(1).toString().toLongLong();
    MemoryQuery asking = query(1, row.value(QLatin1String("n_seq_max")).toInteger());
    asking.kv_dtype = cacheFormatFromName(row.value(QLatin1String("type_k")).toString()).value();
    asking.v_dtype = cacheFormatFromName(row.value(QLatin1String("type_v")).toString()).value();

    const ModelSpec spec = llamaModel(row.value(QLatin1String("shape")));
    const auto got = std::get<Allocated>(allocate(spec, asking, profile));
    const QJsonArray printed = row.value(QLatin1String("caches")).toArray();
    QCOMPARE(got.groups.size(), printed.size());
    for (qsizetype i = 0; i < printed.size(); ++i) {
        const QJsonValue &line = printed.at(i);
        QCOMPARE(got.groups.at(i).tokens, line[QLatin1String("cells")].toInteger());
        QCOMPARE(got.groups.at(i).layers, line[QLatin1String("layers")].toInteger());
        QCOMPARE(got.groups.at(i).sequences, line[QLatin1String("streams")].toInteger());
        QCOMPARE(mib(got.groups.at(i).bytes), twoDecimals(line[QLatin1String("total_mib")].toDouble()));
    }
    QCOMPARE(mib(got.bytes), twoDecimals(row.value(QLatin1String("kv_total_mib")).toDouble()));
    QCOMPARE(toDecimalString(got.bytes), QString::number(row.value(QLatin1String("formula_bytes")).toInteger()));
}

void TestMemoryAllocation::vllmPrintedThese()
{
    // “CPU KV cache size: 174,720 tokens, Maximum concurrency for 4,096 tokens per request: 42.66x”, 2 GiB each time, a
    // model of Qwen2.5-0.5B's shape, or smaller with as many bytes per token.
    const QString log = QString::fromUtf8(testData("real-captures/vllm/startlog_key_lines.txt"));
    const auto check = [&log](const char *start, CacheFormat format, qint64 block_size) {
        const QRegularExpression line(QLatin1String(start)
            + QStringLiteral(": .*KV cache size: ([0-9,]+) tokens, Maximum concurrency for 4,096 tokens per request: "
                             "([0-9.]+)x"));
        const auto printed = line.match(log);
        QVERIFY2(printed.hasMatch(), start);
        AllocationProfile profile = defaultProfile(Engine::vllm);
        profile.block_size = block_size;
        const auto block = std::get<Allocated>(allocate(model("qwen2.5-0.5b"), query(1, 1, format), profile));
        const Bytes tokens = (Bytes(1) << 31) / block.bytes * block_size;
        QCOMPARE(toDecimalString(tokens), printed.captured(1).remove(u','));
        QCOMPARE(twoDecimals(tokens.convert_to<double>() / 4096), printed.captured(2));
    };
    check("startlog_fullshape_bf16_bs128", CacheFormat::bf16, 128);
    check("startlog_fast_fp32_bs32", CacheFormat::f32, 32);
}

void TestMemoryAllocation::engineNames()
{
    QCOMPARE(allEngines().size(), 4);
    for (const Engine engine : allEngines())
        QCOMPARE(engineFromName(engineName(engine)), std::optional(engine));
    QCOMPARE(engineName(Engine::llama_cpp), QStringLiteral("llama.cpp"));
    QCOMPARE(engineFromName(QStringLiteral(" VLLM ")), std::optional(Engine::vllm));
    QCOMPARE(engineFromName(QStringLiteral("tgi")), std::nullopt);
}

void TestMemoryAllocation::idealIsTheNeed()
{
    for (const ModelSpec &spec : builtInModels()) {
        const auto need = std::get<MemoryResult>(estimate(spec, query(5000, 3)));
        QCOMPARE(bytesOf(spec, query(5000, 3), Engine::ideal), toDecimalString(need.bytes));
    }
}

void TestMemoryAllocation::vllmRoundsToBlocks()
{
    QCOMPARE(bytesOf(model("qwen2.5-7b"), query(1000, 3), Engine::vllm), QStringLiteral("173408256")); // 63 blocks each
    QCOMPARE(bytesOf(model("qwen2.5-7b"), query(1), Engine::vllm), QStringLiteral("917504"));
    // Latents and the indexer's keys: 16 × (61 × 1152 + 61 × 132)
    QCOMPARE(bytesOf(model("deepseek-v3.2-bf16"), query(1), Engine::vllm), QStringLiteral("1253184"));
    // Cross attention in whole blocks too: 32 × 2 × 20 × 64 × 2 × (16 + 1504)
    QCOMPARE(bytesOf(model("whisper-large-v3"), query(1), Engine::vllm), QStringLiteral("249036800"));
    QCOMPARE(tokensOf(model("whisper-large-v3"), query(1), Engine::vllm), (QList<qint64>{16, 1504}));
}

void TestMemoryAllocation::vllmKeepsSlackBeyondWindows()
{
    AllocationProfile profile = defaultProfile(Engine::vllm);
    profile.max_num_batched_tokens = 8192;
    // kv-memory: 521 blocks in 12 sliding layers, 8192 in 12 full ones, 2 × 8 × 64 × 2 B per token and layer
    const auto oss = std::get<Allocated>(allocate(model("gpt-oss-20b"), query(131072), profile));
    QCOMPARE(toDecimalString(oss.bytes), QStringLiteral("3426091008"));
    // Below the window there is still one block more: 1000 tokens in 63 + 1 blocks.
    const ModelSpec sliding = modelOf({SlidingWindow{1, {1, std::nullopt, 64, 64}, 4096}});
    QCOMPARE(tokensOf(sliding, query(1000), Engine::vllm), QList<qint64>{1024});
    // Chunks: 8192 + 2048 tokens, no block more.
    const ModelSpec chunked = modelOf({ChunkedAttention{1, {1, std::nullopt, 64, 64}, 8192}});
    QCOMPARE(tokensOf(chunked, query(131072), Engine::vllm), QList<qint64>{10240});
}

void TestMemoryAllocation::vllmMakesPagesEqual()
{
    // Qwen3-Next: a state of 24,576 × 2 + 524,288 × 2 B per layer, 2 × 2 × 256 × 2 B per token and layer:
    // 1,097,728 B need 34 × 16 = 544 tokens a block, as vLLM says at the start ("Setting attention block size to 544").
    const ModelSpec &next = model("qwen3-next-80b-a3b");
    const auto got = std::get<Allocated>(allocate(next, query(1000), defaultProfile(Engine::vllm)));
    QStringList groups;
    for (const AllocatedGroup &group : got.groups)
        groups << QStringLiteral("%1 %2 %3").arg(group.kind).arg(group.tokens).arg(toDecimalString(group.bytes));
    groups.sort();
    // 12 × 2048 × 1088; 36 × 544 × 2048
    QCOMPARE(groups, (QStringList{QStringLiteral("full 1088 26738688"), QStringLiteral("state 0 40108032")}));

    // Gemma-4-31B: 16,384 B per token in sliding layers and 8,192 B in full ones, so a page of 262,144 B (hf-mem PR 61)
    // holds 16 tokens of the one and 32 of the other: 17 tokens take two blocks and one more, or one.
    QList<qint64> tokens = tokensOf(model("gemma-4-31b"), query(17), Engine::vllm);
    std::sort(tokens.begin(), tokens.end());
    QCOMPARE(tokens, (QList<qint64>{32, 48}));
}

void TestMemoryAllocation::vllmFillsGroupsUp()
{
    // Gemma-3-27B: 10 full and 52 sliding layers of 8,192 B make six groups of 10, so 60 sliding layers are paid for:
    // 60 × 8192 × (3072 + 16) + 10 × 8192 × 32768
    QCOMPARE(bytesOf(model("gemma-3-27b"), query(32768), Engine::vllm), QStringLiteral("4202168320"));
    // 10 and 12 layers: less than half as many again, so both get 12.
    const AttentionShape shape{1, std::nullopt, 64, 64};
    const ModelSpec near = modelOf({FullAttention{10, shape}, SlidingWindow{12, shape, 64}});
    const auto got = std::get<Allocated>(allocate(near, query(16), defaultProfile(Engine::vllm)));
    QCOMPARE(got.groups.at(0).layers, 12);
    QCOMPARE(toDecimalString(got.bytes), QStringLiteral("147456")); // 12 × 256 × 16 + 12 × 256 × 32
}

void TestMemoryAllocation::llamaKeepsItsOwnTypes()
{
    // ik_llama.cpp PR 2093: the indexer of GLM-5.2 takes 672 MiB at 131,072 tokens.
    const auto glm = std::get<Allocated>(allocate(model("glm-5.2"), query(131072), defaultProfile(Engine::llama_cpp)));
    const auto indexer = std::find_if(glm.groups.cbegin(), glm.groups.cend(),
        [](const AllocatedGroup &group) { return group.kind == QLatin1String("indexer"); });
    QVERIFY(indexer != glm.groups.cend());
    QCOMPARE(toDecimalString(indexer->bytes), QStringLiteral("704643072"));
    // States in f32, one per slot.
    QCOMPARE(bytesOf(modelOf({FixedState{2, {}, 10, 100}}), query(1, 3), Engine::llama_cpp), QStringLiteral("2640"));
    // Where every layer has a window it is ignored: 32 × 2 × 8 × 128 × 2 × 32768
    QCOMPARE(bytesOf(model("mistral-7b-v0.1-window-honoured"), query(32768), Engine::llama_cpp),
        QStringLiteral("4294967296"));
    // Gemma 3 270M as llama-server showed it with -c 4096 -np 1: 12 MiB (4096 cells × 3 layers) + 15 MiB (1024 × 15)
    const AttentionShape gemma{1, std::nullopt, 256, 256};
    QCOMPARE(bytesOf(modelOf({FullAttention{3, gemma}, SlidingWindow{15, gemma, 512}}), query(4096), Engine::llama_cpp),
        QStringLiteral("28311552"));
    // ollama PR 17037, gemma3:4b at 131,072 tokens: 2560 + 174 MiB
    QCOMPARE(bytesOf(model("gemma-3-4b"), query(131072), Engine::llama_cpp), QStringLiteral("2866806784"));
}

void TestMemoryAllocation::sglangCountsPages()
{
    QCOMPARE(bytesOf(model("qwen2.5-7b"), query(1000), Engine::sglang), QStringLiteral("57344000"));
    AllocationProfile pages = defaultProfile(Engine::sglang);
    pages.block_size = 64;
    QCOMPARE(bytesOf(allocate(model("qwen2.5-7b"), query(1000), pages)), QStringLiteral("58720256")); // 1024 tokens
}

void TestMemoryAllocation::whatIsNotKnownIsRefused()
{
    for (const Engine engine : {Engine::vllm, Engine::sglang, Engine::llama_cpp}) {
        const Allocation got = allocate(model("deepseek-v4-pro"), query(4096), defaultProfile(engine));
        QCOMPARE(bytesOf(got), QStringLiteral("allocation_unknown"));
        QVERIFY(std::get<Refusal>(got).message.contains(engineName(engine)));
    }
    // 96 and 64 values per head: no block of whole tokens makes both pages equal.
    const ModelSpec odd
        = modelOf({FullAttention{1, {1, std::nullopt, 96, 96}}, SlidingWindow{1, {1, std::nullopt, 80, 80}, 64}});
    QCOMPARE(bytesOf(odd, query(16), Engine::vllm), QStringLiteral("allocation_unknown"));
    // What has no need has no allocation either, and for the same reason.
    MemoryQuery ranks = query(16);
    ranks.tp = 3;
    QCOMPARE(bytesOf(model("phi-4-14b"), ranks, Engine::vllm), QStringLiteral("tp_invalid"));
    const ModelSpec vast = modelOf({FullAttention{1 << 16, {1 << 19, std::nullopt, 1 << 23, 1 << 23}}});
    QCOMPARE(bytesOf(vast, query(qint64(1) << 39, qint64(1) << 29), Engine::vllm), QStringLiteral("overflow"));
}

void TestMemoryAllocation::nothingTakesNoPlace()
{
    for (const Engine engine : allEngines()) {
        QCOMPARE(bytesOf(model("qwen3-next-80b-a3b"), query(0), engine), QStringLiteral("0"));
        QCOMPARE(bytesOf(model("qwen3-next-80b-a3b"), query(4096, 0), engine), QStringLiteral("0"));
    }
}

QTEST_GUILESS_MAIN(TestMemoryAllocation)
#include "tst_memory_allocation.moc"
