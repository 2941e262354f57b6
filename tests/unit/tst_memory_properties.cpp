// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold for any architecture, checked on 3,000 made-up ones: groups, sequences and tokens add up, nothing
// shrinks when more is asked for, and no engine sets aside less than the need. The seed is fixed, so every run sees the
// same.
#include "memory/planner.h"

#include <QtTest>

#include <random>

using namespace kvlab::memory;

namespace {

class Architect
{
public:
    qint64 between(qint64 least, qint64 most) { return std::uniform_int_distribution<qint64>(least, most)(m_random); }

    template <typename T> T oneOf(std::initializer_list<T> values)
    {
        return *(values.begin() + between(0, static_cast<qint64>(values.size()) - 1));
    }

    AttentionShape shape()
    {
        const qint64 dim = 64 * between(1, 4);
        return {qint64(1) << between(0, 5), std::nullopt, dim, between(0, 3) == 0 ? 64 : dim};
    }

    CacheSpec cache()
    {
        const qint64 layers = between(1, 80);
        switch (between(0, 7)) {
        case 0:
            return FullAttention{layers, shape()};
        case 1:
            return SlidingWindow{layers, shape(), between(1, 5000)};
        case 2:
            return ChunkedAttention{layers, shape(), between(1, 9000)};
        case 3:
            return MlaLatent{layers, 128 * between(1, 6), 64, std::nullopt};
        case 4:
            return Indexer{layers, 128, 132};
        case 5:
            return CompressedAttention{
                layers, 512, between(1, 500), oneOf<qint64>({0, 4, 128}), oneOf<qint64>({0, 256})};
        case 6:
            return FixedState{layers, {}, between(0, 100'000), between(1, 1'000'000)};
        default:
            return CrossAttention{layers, between(1, 32), 64, between(1, 3000)};
        }
    }

    ModelSpec model()
    {
        ModelSpec spec;
        spec.name = QStringLiteral("Made up");
        spec.recurrent_state_fp32 = between(0, 1) == 1;
        for (qint64 left = between(1, 4); left > 0; --left)
            spec.caches << cache();
        return spec;
    }

    MemoryQuery query()
    {
        MemoryQuery asked;
        asked.seq_len = between(1, between(0, 1) == 0 ? 10'000 : 1'000'000);
        asked.batch = between(1, 300);
        const auto format = [this] {
            return oneOf({CacheFormat::f32, CacheFormat::bf16, CacheFormat::fp8, CacheFormat::q8_0, CacheFormat::q4_0,
                CacheFormat::int8_per_token_head, CacheFormat::nvfp4, CacheFormat::mlx_q4_g64});
        };
        asked.kv_dtype = format();
        if (between(0, 2) == 0)
            asked.v_dtype = format();
        return asked;
    }

private:
    std::mt19937_64 m_random{20261130};
};

MemoryResult need(const ModelSpec &spec, const MemoryQuery &query)
{
    const Estimate estimate = kvlab::memory::estimate(spec, query);
    if (const auto *refusal = std::get_if<Refusal>(&estimate))
        qFatal("%s", qPrintable(refusal->message));
    return std::get<MemoryResult>(estimate);
}

MemoryQuery with(MemoryQuery query, qint64 seq_len, qint64 batch)
{
    query.seq_len = seq_len;
    query.batch = batch;
    return query;
}

/// The longest window or chunk; 0 without one.
qint64 longestWindow(const ModelSpec &spec)
{
    qint64 longest = 0;
    for (const CacheSpec &cache : spec.caches) {
        if (const auto *sliding = std::get_if<SlidingWindow>(&cache))
            longest = std::max(longest, sliding->window);
        if (const auto *chunked = std::get_if<ChunkedAttention>(&cache))
            longest = std::max(longest, chunked->chunk);
    }
    return longest;
}

bool holds(const ModelSpec &spec, const char *kind)
{
    return std::any_of(spec.caches.cbegin(), spec.caches.cend(),
        [kind](const CacheSpec &cache) { return cacheKindName(cache) == QLatin1String(kind); });
}

constexpr int architectures = 3000;

} // namespace

class TestMemoryProperties : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void groupsAddUp();
    void sequencesAddUp();
    void tokensAddUp();
    void moreNeverTakesLess();
    void ranksNeverHoldMore();
    void enginesNeverSetAsideLess();
    void plansMatchCounting();
};

void TestMemoryProperties::groupsAddUp()
{
    Architect architect;
    for (int i = 0; i < architectures; ++i) {
        const ModelSpec spec = architect.model();
        const MemoryQuery query = architect.query();
        const MemoryResult whole = need(spec, query);
        MemoryResult sum;
        for (const CacheSpec &cache : spec.caches) {
            ModelSpec part = spec;
            part.caches = {cache};
            const MemoryResult one = need(part, query);
            sum.bytes += one.bytes;
            sum.bytes_per_token += one.bytes_per_token;
            sum.bytes_per_token_above_window += one.bytes_per_token_above_window;
            sum.fixed_bytes_per_sequence += one.fixed_bytes_per_sequence;
        }
        QVERIFY(sum.bytes == whole.bytes && sum.bytes_per_token == whole.bytes_per_token);
        QVERIFY(sum.bytes_per_token_above_window == whole.bytes_per_token_above_window);
        QVERIFY(sum.fixed_bytes_per_sequence == whole.fixed_bytes_per_sequence);
    }
}

void TestMemoryProperties::sequencesAddUp()
{
    Architect architect;
    for (int i = 0; i < architectures; ++i) {
        const ModelSpec spec = architect.model();
        const MemoryQuery query = architect.query();
        const Bytes one = need(spec, with(query, query.seq_len, 1)).bytes;
        QVERIFY(need(spec, query).bytes == one * query.batch);
    }
}

void TestMemoryProperties::tokensAddUp()
{
    Architect architect;
    int checked = 0;
    for (int i = 0; i < architectures; ++i) {
        const ModelSpec spec = architect.model();
        if (holds(spec, "compressed"))
            continue; // an entry comes once in `ratio` tokens
        ++checked;
        const MemoryQuery query = with(architect.query(), 1, 1);
        const MemoryResult first = need(spec, query);
        QVERIFY(first.bytes == first.bytes_per_token + first.fixed_bytes_per_sequence);
        const qint64 window = longestWindow(spec);
        const Bytes full = need(spec, with(query, window + 1, 1)).bytes;
        QVERIFY(need(spec, with(query, window + 1001, 1)).bytes == full + first.bytes_per_token_above_window * 1000);
    }
    QVERIFY(checked > architectures / 3);
}

void TestMemoryProperties::moreNeverTakesLess()
{
    Architect architect;
    for (int i = 0; i < architectures; ++i) {
        const ModelSpec spec = architect.model();
        const MemoryQuery query = architect.query();
        const Bytes bytes = need(spec, query).bytes;
        const qint64 longer = query.seq_len + architect.between(1, 5000);
        QVERIFY(need(spec, with(query, longer, query.batch)).bytes >= bytes);
        for (const Engine engine : allEngines()) {
            const Allocation before = allocate(spec, query, defaultProfile(engine));
            const Allocation after = allocate(spec, with(query, longer, query.batch + 1), defaultProfile(engine));
            if (std::holds_alternative<Allocated>(before))
                QVERIFY(std::get<Allocated>(after).bytes >= std::get<Allocated>(before).bytes);
        }
    }
}

void TestMemoryProperties::ranksNeverHoldMore()
{
    Architect architect;
    int divided = 0;
    for (int i = 0; i < architectures; ++i) {
        const ModelSpec spec = architect.model();
        MemoryQuery query = architect.query();
        query.kv_dtype = CacheFormat::bf16; // whole rows whatever the number of heads
        query.v_dtype = std::nullopt;
        const Bytes whole = need(spec, query).bytes;
        query.tp = qint64(1) << architect.between(1, 5);
        const Estimate rank = estimate(spec, query);
        if (const auto *refusal = std::get_if<Refusal>(&rank)) {
            QVERIFY(refusal->reason == QLatin1String("tp_unknown") ? holds(spec, "state") : holds(spec, "cross"));
            continue;
        }
        ++divided;
        const Bytes bytes = std::get<MemoryResult>(rank).bytes;
        QVERIFY(bytes <= whole && bytes * query.tp >= whole);
    }
    QVERIFY(divided > architectures / 4);
}

void TestMemoryProperties::enginesNeverSetAsideLess()
{
    Architect architect;
    QMap<Engine, int> allocated;
    for (int i = 0; i < architectures; ++i) {
        const ModelSpec spec = architect.model();
        const MemoryQuery query = architect.query();
        const Bytes bytes = need(spec, query).bytes;
        for (const Engine engine : allEngines()) {
            AllocationProfile profile = defaultProfile(engine);
            profile.kv_unified = architect.between(0, 1) == 1;
            profile.swa_full = architect.between(0, 3) == 0;
            const Allocation got = allocate(spec, query, profile);
            if (const auto *refusal = std::get_if<Refusal>(&got)) {
                QCOMPARE(refusal->reason, QStringLiteral("allocation_unknown"));
                continue;
            }
            ++allocated[engine];
            QVERIFY(std::get<Allocated>(got).bytes >= bytes);
        }
    }
    QCOMPARE(allocated.value(Engine::ideal), architectures);
    for (const Engine engine : allEngines())
        QVERIFY(allocated.value(engine) > architectures / 4);
}

void TestMemoryProperties::plansMatchCounting()
{
    Architect architect;
    for (int i = 0; i < 60; ++i) {
        const ModelSpec spec = architect.model();
        const SequenceNeed one = [&spec](qint64 seq_len) -> std::variant<Bytes, Refusal> {
            return need(spec, {seq_len, 1, CacheFormat::bf16}).bytes;
        };
        const qint64 top = architect.between(1, 3000);
        const qint64 seq_len = architect.between(1, 3000);
        const qint64 batch = architect.between(1, 20);
        const Bytes most = need(spec, {3000, 20, CacheFormat::bf16}).bytes;
        const Bytes budget = most * architect.between(0, 1100) / 1000;
        const auto got = std::get<Plan>(plan({budget, seq_len, batch, top}, one));

        qint64 sequences = 0;
        while (sequences < 100'000 && need(spec, {seq_len, sequences + 1, CacheFormat::bf16}).bytes <= budget)
            ++sequences;
        QCOMPARE(std::min<qint64>(got.max_batch, 100'000), sequences);
        qint64 length = 0;
        for (qint64 tokens = 1; tokens <= top; ++tokens) {
            if (need(spec, {tokens, batch, CacheFormat::bf16}).bytes <= budget)
                length = tokens;
        }
        QCOMPARE(got.max_seq_len, length);
        const Bytes wanted = need(spec, {seq_len, batch, CacheFormat::bf16}).bytes;
        QCOMPARE(got.fits, wanted <= budget);
        QVERIFY(got.short_by == (wanted <= budget ? Bytes(0) : Bytes(wanted - budget)));
        QCOMPARE(got.limited_by_position, budget > 0 && length == top);
    }
}

QTEST_GUILESS_MAIN(TestMemoryProperties)
#include "tst_memory_properties.moc"
