// SPDX-License-Identifier: GPL-3.0-or-later
// What fits a machine: figures by hand and from the reference, and brute force beside the quick answers.
#include "memory/cache_parts.h"
#include "memory/capacity.h"
#include "memory/model_list.h"

#include <QTest>

using namespace kvlab::memory;

namespace {

CapacityQuery rtx4090(const ModelSpec &model)
{
    CapacityQuery query;
    query.machine.device = QStringLiteral("GeForce RTX 4090");
    query.machine.capacity = Bytes(24) << 30;
    query.weights = modelWeights(model, weightFormatFromName(QStringLiteral("bf16"))).value_or(Bytes(0));
    query.profile = defaultProfile(Engine::vllm);
    return query;
}

Capacity planned(const ModelSpec &model, const CapacityQuery &query)
{
    const auto answer = planCapacity(model, query);
    if (const auto *refusal = std::get_if<Refusal>(&answer))
        qFatal("%s", qPrintable(refusal->message));
    return std::get<Capacity>(answer);
}

/// What the engine would set aside for the whole batch on one device: not by way of the planner.
Product allocated(const ModelSpec &model, const CapacityQuery &query, qint64 seq_len, qint64 batch)
{
    MemoryQuery asked = query.memory;
    asked.seq_len = seq_len;
    asked.batch = batch;
    asked.tp = query.machine.tp;
    asked.pp = query.machine.pp;
    asked.dp = query.machine.dp;
    const Allocation answer = allocate(model, asked, query.profile);
    if (const auto *refusal = std::get_if<Refusal>(&answer))
        qFatal("%s", qPrintable(refusal->message));
    return Product(std::get<Allocated>(answer).bytes);
}

} // namespace

class TestCapacity : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void qwenOnAnRtx4090();
    void whatVllmPrints();
    void overBudget();
    void bruteForce_data();
    void bruteForce();
    void pipelineHoldsItsShareOfLayers();
    void dataParallelAttention();
    void impossibleSetups();
    void mapAgreesWithAllocation();
    void axesAreWholeAndAscending();
};

/// 24 GiB × 0.9 = 23,192,823,398 B (rounded down); 7,615,616,512 parameters × 2 B; 2 GiB overhead.
void TestCapacity::qwenOnAnRtx4090()
{
    const ModelSpec &model = *findModel(QStringLiteral("qwen2.5-7b"));
    CapacityQuery query = rtx4090(model);
    query.memory.seq_len = 8192;
    query.memory.batch = 8;
    const Capacity answer = planned(model, query);
    QCOMPARE(toDecimalString(answer.budget), QStringLiteral("5814106726"));
    QCOMPARE(toDecimalString(answer.need), QStringLiteral("3758096384"));
    QVERIFY(answer.plan.fits);
    QCOMPARE(answer.plan.max_batch, 12);
    QCOMPARE(answer.plan.max_seq_len, 12'672);
    QCOMPARE(answer.max_seq_len_alone, 101'376);
    // The bar adds up to the device.
    QCOMPARE(Bytes(answer.weights + answer.overhead + answer.budget + answer.kept_free), answer.capacity);
}

/// 5,814,106,726 B ÷ 917,504 B a block = 6,336 whole blocks of 16 tokens; one sequence of 8,192 tokens takes 512.
void TestCapacity::whatVllmPrints()
{
    const ModelSpec &model = *findModel(QStringLiteral("qwen2.5-7b"));
    CapacityQuery query = rtx4090(model);
    query.memory.seq_len = 8192;
    Capacity answer = planned(model, query);
    QCOMPARE(answer.kv_cache_tokens, std::optional<qint64>(101'376));
    QCOMPARE(answer.max_concurrency, 6336.0 / 512.0);
    // vllm issue 11251: 3,852 blocks at 40,000 tokens per request are 1.54x. 2 MiB a block of Llama-3.1-8B.
    const ModelSpec &llama = *findModel(QStringLiteral("llama-3.1-8b"));
    query = {};
    query.profile = defaultProfile(Engine::vllm);
    query.machine.capacity = Bytes(3852) * (Bytes(2) << 20);
    query.machine.util_permille = 1000;
    query.machine.overhead = 0;
    query.memory.seq_len = 40'000;
    answer = planned(llama, query);
    QCOMPARE(QString::number(answer.max_concurrency, 'f', 4), QStringLiteral("1.5408"));
    // Other engines print no such line.
    query.profile = defaultProfile(Engine::llama_cpp);
    QVERIFY(!planned(llama, query).kv_cache_tokens);
}

void TestCapacity::overBudget()
{
    const ModelSpec &model = *findModel(QStringLiteral("qwen2.5-72b"));
    const CapacityQuery query = rtx4090(model);
    const Capacity answer = planned(model, query);
    QVERIFY(answer.budget < 0);
    QVERIFY(!answer.plan.fits);
    QCOMPARE(answer.plan.short_by, Bytes(answer.need - answer.budget));
    QCOMPARE(answer.plan.max_batch, 0);
    QCOMPARE(answer.max_seq_len_alone, 0);
    QVERIFY(!answer.kv_cache_tokens);
}

void TestCapacity::bruteForce_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<Engine>("engine");
    for (const char *model : {"qwen2.5-0.5b", "gpt-oss-20b", "gemma-3-1b", "deepseek-v3", "qwen3-next-80b-a3b"}) {
        for (const Engine engine : {Engine::ideal, Engine::vllm, Engine::sglang, Engine::llama_cpp})
            QTest::addRow("%s, %s", model, qPrintable(engineName(engine))) << QString::fromLatin1(model) << engine;
    }
}

/// A budget of 96 MiB: small enough to try every length and batch one after another.
void TestCapacity::bruteForce()
{
    QFETCH(QString, model);
    QFETCH(Engine, engine);
    const ModelSpec &spec = *findModel(model);
    CapacityQuery query;
    query.machine.capacity = Bytes(spec.id == QLatin1String("qwen3-next-80b-a3b") ? 960 : 96) << 20;
    query.machine.util_permille = 1000;
    query.machine.overhead = 0;
    query.profile = defaultProfile(engine);
    for (const qint64 seq_len : {1, 100, 257, 1000, 1024}) {
        for (const qint64 batch : {1, 2, 5}) {
            query.memory.seq_len = seq_len;
            query.memory.batch = batch;
            const Capacity answer = planned(spec, query);
            const Product budget(answer.budget);
            qint64 most = 0;
            // llama.cpp pads the whole context: what one sequence takes is counted, as a slot of its own.
            const Product one = allocated(spec, query, seq_len, 1);
            while ((most + 1) * one <= budget)
                ++most;
            QCOMPARE(answer.plan.max_batch, most);
            QCOMPARE(answer.plan.fits, batch <= most);
            qint64 longest = 0;
            const qint64 top = std::min<qint64>(spec.max_position.value_or(20'000), 20'000);
            for (qint64 length = 1; length <= top; ++length) {
                if (batch * allocated(spec, query, length, 1) > budget)
                    break;
                longest = length;
            }
            if (longest < top)
                QCOMPARE(answer.plan.max_seq_len, longest);
            else
                QVERIFY(answer.plan.max_seq_len >= top);
        }
    }
}

/// 28 layers in 4 stages: 7 each; in 8 stages the worst has 4. 2 × 4 × 128 × 2 B = 2,048 B a layer and token.
void TestCapacity::pipelineHoldsItsShareOfLayers()
{
    const ModelSpec &model = *findModel(QStringLiteral("qwen2.5-7b"));
    MemoryQuery query;
    query.seq_len = 1000;
    for (const auto &[stages, layers] : {std::pair<qint64, qint64>{1, 28}, {4, 7}, {8, 4}, {28, 1}}) {
        query.pp = stages;
        const Estimate answer = estimate(model, query);
        QCOMPARE(std::get<MemoryResult>(answer).bytes, Bytes(layers * 2048 * 1000));
        QCOMPARE(std::get<Bytes>(estimateBytes(model, query)), Bytes(layers * 2048 * 1000));
    }
    // Two ranks in each of four stages: half of the heads, a quarter of the layers, an eighth of everything.
    query.pp = 4;
    query.tp = 2;
    QCOMPARE(std::get<MemoryResult>(estimate(model, query)).bytes, Bytes(28 * 2048 * 1000 / 8));
}

/// DeepSeek-V3 on 8 ranks: latents are whole on every rank, so 16 sequences cost 16 × 70,272 B a token on each; with 8
/// groups of data-parallel attention each rank has 2 of them.
void TestCapacity::dataParallelAttention()
{
    const ModelSpec &model = *findModel(QStringLiteral("deepseek-v3"));
    MemoryQuery query;
    query.seq_len = 1000;
    query.batch = 16;
    query.tp = 8;
    QCOMPARE(std::get<MemoryResult>(estimate(model, query)).bytes, Bytes(16LL * 1000 * 70'272));
    query.dp = 8;
    QCOMPARE(std::get<MemoryResult>(estimate(model, query)).bytes, Bytes(2LL * 1000 * 70'272));
    query.batch = 17; // one rank has three
    QCOMPARE(std::get<MemoryResult>(estimate(model, query)).bytes, Bytes(3LL * 1000 * 70'272));
    QCOMPARE(std::get<Bytes>(estimateBytes(model, query)), Bytes(3LL * 1000 * 70'272));
    // Llama-3.1-70B, tp 8 in 2 groups: 8 KV heads over 4 ranks are 2 each. 80 layers × 2 × 2 × 128 × 2 B = 81,920 B.
    const ModelSpec &llama = *findModel(QStringLiteral("llama-3.1-70b"));
    query.batch = 4;
    query.dp = 2;
    QCOMPARE(std::get<MemoryResult>(estimate(llama, query)).bytes, Bytes(2LL * 1000 * 81'920));
    // The planner's largest batch counts the sequences of all groups.
    CapacityQuery plan;
    plan.machine.capacity = Bytes(1000LL * 70'272 * 3);
    plan.machine.util_permille = 1000;
    plan.machine.overhead = 0;
    plan.machine.tp = 8;
    plan.machine.dp = 8;
    plan.memory.seq_len = 1000;
    plan.profile = defaultProfile(Engine::ideal);
    QCOMPARE(planned(model, plan).plan.max_batch, 24);
}

void TestCapacity::impossibleSetups()
{
    const ModelSpec &model = *findModel(QStringLiteral("qwen2.5-7b"));
    const auto reason = [&](qint64 tp, qint64 pp, qint64 dp) {
        MemoryQuery query;
        query.tp = tp;
        query.pp = pp;
        query.dp = dp;
        const auto answer = estimateBytes(model, query);
        const auto *refusal = std::get_if<Refusal>(&answer);
        return refusal == nullptr ? QString() : refusal->reason;
    };
    QCOMPARE(reason(3, 1, 1), QStringLiteral("tp_invalid"));
    QCOMPARE(reason(4, 1, 3), QStringLiteral("dp_invalid"));
    QCOMPARE(reason(1, 29, 1), QStringLiteral("pp_invalid"));
    QCOMPARE(reason(1, 0, 1), QStringLiteral("out_of_range"));
    QCOMPARE(reason(1, 1, 0), QStringLiteral("out_of_range"));
    QCOMPARE(reason(4, 28, 4), QString());
}

void TestCapacity::mapAgreesWithAllocation()
{
    for (const char *id : {"qwen2.5-7b", "gpt-oss-20b", "gemma-3-27b", "deepseek-v3"}) {
        const ModelSpec &model = *findModel(QString::fromLatin1(id));
        CapacityQuery query = rtx4090(model);
        query.machine.capacity = Bytes(2000) << 30;
        const auto answer = fitMap(model, query);
        QVERIFY(std::holds_alternative<FitMap>(answer));
        const auto &map = std::get<FitMap>(answer);
        for (qsizetype column = 0; column < map.seq_lens.size(); column += 3) {
            for (qsizetype row = 0; row < map.batches.size(); row += 2) {
                const Product need = allocated(model, query, map.seq_lens.at(column), map.batches.at(row));
                QCOMPARE(map.fits(column, row), need <= Product(map.budget));
            }
        }
    }
}

void TestCapacity::axesAreWholeAndAscending()
{
    const ModelSpec &model = *findModel(QStringLiteral("qwen2.5-7b"));
    const auto answer = fitMap(model, rtx4090(model));
    const auto &map = std::get<FitMap>(answer);
    QCOMPARE(map.seq_lens.size(), 60);
    QCOMPARE(map.seq_lens.first(), 256);
    QCOMPARE(map.seq_lens.last(), 10'485'760);
    QCOMPARE(map.batches.first(), 1);
    QCOMPARE(map.batches.last(), 4096);
    QVERIFY(std::is_sorted(map.seq_lens.cbegin(), map.seq_lens.cend(), std::less_equal<>()));
    QVERIFY(std::is_sorted(map.batches.cbegin(), map.batches.cend(), std::less_equal<>()));
}

QTEST_GUILESS_MAIN(TestCapacity)
#include "tst_capacity.moc"
