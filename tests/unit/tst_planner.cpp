// SPDX-License-Identifier: GPL-3.0-or-later
// Budgets, weights, sizes and devices. The planner rows of kv-golden.json run in tst_calc.cpp, largest batch and
// longest length against plain counting in tst_memory_properties.cpp.
#include "memory/gpu_list.h"
#include "memory/planner.h"
#include "memory/weights.h"

#include <QtTest>

using namespace kvlab::memory;

class TestPlanner : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void budgetByHand();
    void nothingToSpend();
    void flatNeedIsLimitedByPosition();
    void refusalsComeThrough();
    void weightsByHand();
    void sizes_data();
    void sizes();
    void devices();
    void devicesByName();
};

namespace {

/// A cache of 100 B per token that stops growing at 50 tokens.
std::variant<Bytes, Refusal> flat(qint64 seq_len)
{
    return Bytes(std::min<qint64>(seq_len, 50) * 100);
}

} // namespace

void TestPlanner::budgetByHand()
{
    // 24 GiB × 0.9 = 23,192,823,398.4 B; minus 16,060,522,496 and 2 GiB
    QCOMPARE(toDecimalString(cacheBudget({Bytes(24) << 30, 900, Bytes(16060522496), Bytes(2) << 30})),
        QStringLiteral("4984817254"));
    QCOMPARE(toDecimalString(cacheBudget({Bytes(1000), 1, Bytes(5), Bytes(6)})), QStringLiteral("-10"));
}

void TestPlanner::nothingToSpend()
{
    const auto got = std::get<Plan>(plan({Bytes(-700), 10, 3, 100}, flat));
    QVERIFY(!got.fits);
    QCOMPARE(toDecimalString(got.short_by), QStringLiteral("3700")); // three sequences of 1000 B and the 700
    QCOMPARE(got.max_batch, 0);
    QCOMPARE(got.max_seq_len, 0);
    QVERIFY(!got.limited_by_position);
}

void TestPlanner::flatNeedIsLimitedByPosition()
{
    const auto got = std::get<Plan>(plan({Bytes(10'000), 10, 2, 4096}, flat));
    QVERIFY(got.fits && got.short_by == 0);
    QCOMPARE(got.max_batch, 10);
    QCOMPARE(got.max_seq_len, 4096);
    QVERIFY(got.limited_by_position);
    const auto tight = std::get<Plan>(plan({Bytes(9'999), 10, 2, 4096}, flat));
    QCOMPARE(tight.max_seq_len, 49);
    QVERIFY(!tight.limited_by_position);
    const auto free = std::get<Plan>(plan({Bytes(10'000), 10, 2, std::nullopt}, flat));
    QCOMPARE(free.max_seq_len, maxSeqLen);
}

void TestPlanner::refusalsComeThrough()
{
    const SequenceNeed never = [](qint64) -> std::variant<Bytes, Refusal> {
        return Refusal{QStringLiteral("tp_invalid"), QStringLiteral("No.")};
    };
    QCOMPARE(std::get<Refusal>(plan({Bytes(1), 1, 1, 10}, never)).reason, QStringLiteral("tp_invalid"));
}

void TestPlanner::weightsByHand()
{
    const auto bytes = [](qint64 parameters, const char *format) {
        return toDecimalString(weightBytes(parameters, weightFormatFromName(QLatin1String(format)).value()));
    };
    QCOMPARE(bytes(8030261248, "bf16"), QStringLiteral("16060522496"));
    QCOMPARE(bytes(671026419200, "FP8"), QStringLiteral("671026419200"));
    QCOMPARE(bytes(256, "q6_K"), QStringLiteral("210")); // ggml's block
    QCOMPARE(bytes(256, "q3_k"), QStringLiteral("110"));
    QCOMPARE(bytes(256, "q2_K"), QStringLiteral("84"));
    QCOMPARE(bytes(32, "mxfp4"), QStringLiteral("17"));
    QCOMPARE(bytes(1, "q4_0"), QStringLiteral("1")); // rounded up
    QVERIFY(!weightFormatFromName(QStringLiteral("q9_Z")));
}

void TestPlanner::sizes_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("bytes");
    const auto row = [](const char *text, qint64 bytes) { QTest::newRow(text) << QString::fromUtf8(text) << bytes; };
    row("24GiB", 25769803776);
    row(" 80 GB ", 80'000'000'000);
    row("23.6 gib", 25340307046); // 25,340,307,046.4
    row("1.5TiB", 1649267441664);
    row("512MiB", 536870912);
    row("7 kB", 7000);
    row("1024 B", 1024);
    // 0 stands for refused.
    row("24", 0);
    row("24G", 0);
    row("GiB", 0);
    row("0 GB", 0);
    row("-1GB", 0);
    row("1e3 GB", 0);
    row("3 iB", 0);
    row("4 PiB", 0);
    row("999999999999 TiB", 0);
    row("123456789012345.123456789 B", 0);
}

void TestPlanner::sizes()
{
    QFETCH(QString, text);
    QTEST(parseSize(text).value_or(0), "bytes");
}

void TestPlanner::devices()
{
    const QList<GpuSpec> &gpus = builtInGpus();
    QCOMPARE(gpus.size(), 37);
    for (const GpuSpec &gpu : gpus) {
        QVERIFY2(!gpu.name.isEmpty() && gpu.memory_bandwidth_gb_s > 0 && gpu.dense_tflops > 0, qPrintable(gpu.name));
        QCOMPARE(gpu.memory_gb.has_value(), gpu.memory_bytes.has_value());
    }
    const GpuSpec a100 = findGpus(QStringLiteral("a100 80gb")).value(0);
    QCOMPARE(a100.memory_bytes, std::optional<qint64>(qint64(80) << 30));
    QCOMPARE(a100.memory_bandwidth_gb_s, 2039.0);
    QVERIFY(findGpus(QStringLiteral("Apple M4 Max")).value(0).unified_memory);
    const GpuSpec cpu = findGpus(QStringLiteral("CPU server")).value(0);
    QVERIFY(!cpu.name.isEmpty() && !cpu.memory_bytes);
}

void TestPlanner::devicesByName()
{
    QCOMPARE(findGpus(QStringLiteral("4090")).size(), 1);
    QCOMPARE(findGpus(QStringLiteral("a100")).size(), 2);
    QCOMPARE(findGpus(QStringLiteral("Apple M1")).size(), 1);
    QCOMPARE(findGpus(QStringLiteral("Apple M4")).size(), 1); // the whole name, though others begin so
    QVERIFY(findGpus(QStringLiteral("GeForce 9999")).isEmpty());
    QVERIFY(findGpus(QStringLiteral("  ")).isEmpty());
}

QTEST_GUILESS_MAIN(TestPlanner)
#include "tst_planner.moc"
