// SPDX-License-Identifier: GPL-3.0-or-later
// The arms over the tiers: what each must find (by hand), a whole run on real engines in which every sample's evidence
// equals that, the system's own count of the bytes read, stopping, and `kvlab tiers`.
#include "servers/page_cache.h"
#include "servers/process_io.h"
#include "servers/tier_runner.h"
#include "session/csv.h"
#include "session/tier_export.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QSignalSpy>
#include <QStorageInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace kvlab;
using namespace kvlab::servers;

namespace {

constexpr int patienceMs = 120'000;
constexpr qint64 smallBytesPerToken = 4096; // 2 × 4 layers × 2 KV heads × 64 × 4 bytes
constexpr qint64 page = 4096;

/// Beside the programs: the folder for temporary files often lies in RAM.
QString diskFolder()
{
    return QCoreApplication::applicationDirPath();
}

bool isInRam(const QString &folder)
{
    return QStorageInfo(folder).fileSystemType() == "tmpfs";
}

TierPlan smallPlan()
{
    TierPlan plan;
    plan.engine_size = QStringLiteral("small");
    plan.rounds = 2;
    plan.lengths = {600, 256};
    plan.parent_folder = diskFolder();
    return plan;
}

TierResult resultOf(const TierPlan &plan)
{
    TierRunner runner;
    QSignalSpy finished(&runner, &TierRunner::finished);
    runner.start(plan);
    if (!finished.wait(patienceMs))
        return {};
    return finished.first().first().value<TierResult>();
}

/// What the small engine must find, by hand: 600 = 37 blocks of 16 and 8 = 2 chunks of 256 and 88.
struct ByHand
{
    qint64 pool;
    qint64 chunks;
};
const QMap<int, ByHand> &byHand()
{
    static const QMap<int, ByHand> hits{{600, {592, 512}}, {256, {256, 256}}};
    return hits;
}

TierSample madeUp(TierArm arm, double ms, bool asPredicted = true)
{
    TierSample sample;
    sample.arm = arm;
    sample.shared_tokens = 600;
    sample.expected.pool = arm == TierArm::pool ? 592 : 0;
    sample.reported = sample.expected;
    sample.probe.outcome = probe::Outcome::completed;
    sample.probe.evidence.cached_tokens = asPredicted ? sample.expected.tokens() : 16;
    sample.probe.stamps.first_content_ns = qint64(ms * 1e6);
    return sample;
}

struct Command
{
    explicit Command(const QStringList &arguments)
    {
        process.start(QStringLiteral(KVLAB_BINARY),
            QStringList{QStringLiteral("--lang"), QStringLiteral("en"), QStringLiteral("tiers")} + arguments);
        ended = process.waitForFinished(patienceMs);
        output = process.readAllStandardOutput();
        errors = QString::fromUtf8(process.readAllStandardError());
    }
    QProcess process;
    bool ended = false;
    QByteArray output;
    QString errors;
};

} // namespace

class TestTierRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void expectation_data();
    void expectation();
    void scheduleComputesFirstAndRestartsLast();
    void everySampleFindsWhatIsPredicted();
    void fewArms();
    void stopKeepsWhatItHas();
    void refusedPlans();
    void folderThatCannotBe();
    void summaryByHand();
    void systemCountsWhatIsReadFromTheDisk();
    void commandWritesTableCsvAndJson();
    void commandUsedWrongly_data();
    void commandUsedWrongly();
};

void TestTierRun::initTestCase()
{
    qputenv("KVLAB_PROGRAM", KVLAB_BINARY);
}

void TestTierRun::expectation_data()
{
    QTest::addColumn<TierArm>("arm");
    QTest::addColumn<qint64>("common");
    QTest::addColumn<qint64>("total");
    QTest::addColumn<qint64>("pool");
    QTest::addColumn<qint64>("ram");
    QTest::addColumn<qint64>("disk");
    QTest::addColumn<qint64>("bytes");
    const auto row
        = [](const char *name, TierArm arm, qint64 common, qint64 total, qint64 pool, qint64 ram, qint64 disk,
              qint64 bytes) { QTest::newRow(name) << arm << common << total << pool << ram << disk << bytes; };
    // 10 bytes a token; blocks of 16, chunks of 256
    row("recompute", TierArm::recompute, 3000, 3020, 0, 0, 0, 0);
    row("pool", TierArm::pool, 3000, 3020, 2992, 0, 0, 0);
    row("pool, whole prompt", TierArm::pool, 48, 48, 32, 0, 0, 0);
    row("ram", TierArm::ram, 3000, 3020, 0, 2816, 0, 28160);
    row("disk", TierArm::disk, 300, 320, 0, 0, 256, 2560);
    row("disk, no chunk full", TierArm::disk, 255, 275, 0, 0, 0, 0);
    row("disk, whole prompt", TierArm::disk, 512, 512, 0, 0, 511, 5120);
    row("restart", TierArm::restart, 836, 856, 0, 0, 768, 7680);
    row("other", TierArm::other, 256, 276, 0, 0, 256, 2560);
}

void TestTierRun::expectation()
{
    QFETCH(TierArm, arm);
    QFETCH(qint64, common);
    QFETCH(qint64, total);
    QFETCH(qint64, pool);
    QFETCH(qint64, ram);
    QFETCH(qint64, disk);
    QFETCH(qint64, bytes);
    const TierHit hit = expectedHit(arm, common, total, {16, 256, 10});
    QCOMPARE(hit.pool, pool);
    QCOMPARE(hit.ram, ram);
    QCOMPARE(hit.disk, disk);
    QCOMPARE(hit.bytes, bytes);
}

void TestTierRun::scheduleComputesFirstAndRestartsLast()
{
    TierPlan plan = smallPlan();
    plan.arms = {TierArm::ram, TierArm::restart};
    const QList<TierStep> steps = makeTierSchedule(plan);
    // Of each of 4 documents: computed, brought to the second engine, found in RAM; and found behind the restart.
    QCOMPARE(steps.size(), 16);
    for (int i = 0; i < 12; i += 3) {
        QCOMPARE(steps[i].arm, TierArm::recompute);
        QVERIFY(!steps[i].measured);
        QCOMPARE(steps[i + 1].arm, TierArm::other);
        QVERIFY(!steps[i + 1].measured);
        QCOMPARE(steps[i + 2].arm, TierArm::ram);
        QVERIFY(steps[i + 2].measured);
        QCOMPARE(steps[i].document, steps[i + 2].document);
    }
    for (int i = 12; i < 16; ++i)
        QCOMPARE(steps[i].arm, TierArm::restart);
}

void TestTierRun::everySampleFindsWhatIsPredicted()
{
    const TierResult result = resultOf(smallPlan());
    QVERIFY2(result.end == experiment::RunEnd::finished, qPrintable(result.message + result.details));
    QCOMPARE(result.samples.size(), 6 * 2 * 2);
    QCOMPARE(result.rules.kv_bytes_per_token, smallBytesPerToken);
    QVERIFY(result.evidenceEqualsPrediction());
    for (const TierSample &sample : result.samples) {
        const ByHand hand = byHand().value(sample.shared_tokens);
        const bool disk = sample.arm == TierArm::disk || sample.arm == TierArm::restart || sample.arm == TierArm::other;
        const bool tier = disk || sample.arm == TierArm::ram;
        QCOMPARE(sample.reported.pool, sample.arm == TierArm::pool ? hand.pool : 0);
        QCOMPARE(sample.reported.ram, sample.arm == TierArm::ram ? hand.chunks : 0);
        QCOMPARE(sample.reported.disk, disk ? hand.chunks : 0);
        QCOMPARE(sample.reported.bytes, tier ? hand.chunks * smallBytesPerToken : 0);
        QCOMPARE(sample.probe.evidence.cached_tokens, sample.reported.tokens());
        QCOMPARE(sample.probe.evidence.prompt_tokens, sample.shared_tokens + 20);
        QVERIFY(sample.probe.ttftMs().has_value());
#ifdef Q_OS_LINUX
        // A header before each chunk, whole pages only, and no page of it was left in the cache.
        const qint64 chunks = disk ? hand.chunks / 256 : 0;
        QVERIFY(sample.storage_bytes && sample.read_bytes);
        QVERIFY(*sample.read_bytes >= (disk ? sample.reported.bytes : 0));
        if (isInRam(diskFolder()))
            QCOMPARE(*sample.storage_bytes, 0);
        else if (disk)
            QVERIFY(*sample.storage_bytes >= sample.reported.bytes
                && *sample.storage_bytes <= sample.reported.bytes + chunks * 2 * page);
        else
            QVERIFY2(*sample.storage_bytes < 256 * smallBytesPerToken, "less than one chunk");
#endif
    }
    QVERIFY(QDir(diskFolder()).entryList({QStringLiteral("kvlab-tiers-*")}, QDir::Dirs).isEmpty());
}

void TestTierRun::fewArms()
{
    TierPlan plan = smallPlan();
    plan.arms = {TierArm::restart, TierArm::ram};
    plan.rounds = 1;
    plan.lengths = {600};
    const TierResult result = resultOf(plan);
    QVERIFY2(result.end == experiment::RunEnd::finished, qPrintable(result.message + result.details));
    QCOMPARE(result.samples.size(), 2);
    QCOMPARE(result.samples[0].arm, TierArm::ram);
    QCOMPARE(result.samples[0].reported.ram, 512);
    QCOMPARE(result.samples[1].arm, TierArm::restart);
    QCOMPARE(result.samples[1].reported.disk, 512);
}

void TestTierRun::stopKeepsWhatItHas()
{
    TierPlan plan = smallPlan();
    plan.rounds = 100;
    plan.lengths = {4000};
    TierRunner runner;
    QSignalSpy sampled(&runner, &TierRunner::sampleFinished);
    QSignalSpy finished(&runner, &TierRunner::finished);
    runner.start(plan);
    QVERIFY(sampled.wait(patienceMs));
    runner.stop();
    QVERIFY(finished.wait(20'000));
    const auto result = finished.first().first().value<TierResult>();
    QCOMPARE(result.end, experiment::RunEnd::stopped);
    QCOMPARE(result.samples.size(), sampled.size());
    QVERIFY(!runner.isRunning());
    QVERIFY(QDir(diskFolder()).entryList({QStringLiteral("kvlab-tiers-*")}, QDir::Dirs).isEmpty());
    // Stopped before anything is measured.
    finished.clear();
    runner.start(plan);
    runner.stop();
    QVERIFY(finished.wait(20'000));
    QVERIFY(finished.first().first().value<TierResult>().samples.isEmpty());
}

void TestTierRun::refusedPlans()
{
    QVERIFY(!validate({}));
    TierPlan plan;
    plan.arms.clear();
    QVERIFY(validate(plan)->contains(QStringLiteral("No arm")));
    plan = {};
    plan.rounds = 0;
    QVERIFY(validate(plan)->contains(QStringLiteral("rounds")));
    plan.rounds = 101;
    QVERIFY(validate(plan));
    plan = {};
    plan.lengths = {8001};
    QVERIFY(validate(plan)->contains(QStringLiteral("8,000")));
    plan.lengths = {};
    QVERIFY(validate(plan));
    QCOMPARE(resultOf(plan).end, experiment::RunEnd::failed);
}

void TestTierRun::folderThatCannotBe()
{
    TierPlan plan = smallPlan();
    plan.parent_folder = QStringLiteral("/nowhere/at/all");
    const TierResult result = resultOf(plan);
    QCOMPARE(result.end, experiment::RunEnd::failed);
    QVERIFY2(result.message.contains(QStringLiteral("nowhere")), qPrintable(result.message));
}

void TestTierRun::summaryByHand()
{
    QList<TierSample> samples;
    for (const double ms : {40.0, 10.0, 20.0})
        samples.append(madeUp(TierArm::pool, ms));
    samples.append(madeUp(TierArm::pool, 1000, false));
    samples.append(madeUp(TierArm::recompute, 90));
    samples.append(madeUp(TierArm::recompute, 80));
    samples.last().probe.outcome = probe::Outcome::truncated;
    const QList<TierSummary> summaries = summarizeTiers(samples);
    QCOMPARE(summaries.size(), 2);
    QCOMPARE(summaries[0].arm, TierArm::recompute);
    QCOMPARE(summaries[0].samples, 2);
    QCOMPARE(summaries[0].kept, 1);
    QCOMPARE(summaries[1].samples, 4);
    QCOMPARE(summaries[1].kept, 3);
    QCOMPARE(summaries[1].as_predicted, 3);
    QCOMPARE(summaries[1].median_ms, 20.0);
    QCOMPARE(summaries[1].min_ms, 10.0);
    QCOMPARE(summaries[1].max_ms, 40.0);
    QVERIFY(!summaries[1].median_interval_ms);
    TierResult result;
    result.samples = samples;
    QVERIFY(!result.evidenceEqualsPrediction());
    result.samples = samples.mid(0, 3);
    QVERIFY(result.evidenceEqualsPrediction());
    result.samples.clear();
    QVERIFY(!result.evidenceEqualsPrediction());
}

void TestTierRun::systemCountsWhatIsReadFromTheDisk()
{
    const QTemporaryDir folder(diskFolder() + QStringLiteral("/page-cache-XXXXXX"));
    QFile file(folder.filePath(QStringLiteral("file")));
    constexpr qint64 size = 1 << 20;
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(QByteArray(size, 'x')), size);
    file.close();
    QVERIFY(dropFromPageCache(file.fileName()));
    QVERIFY(!dropFromPageCache(folder.filePath(QStringLiteral("missing"))));
    const auto before = readsOfProcess(QCoreApplication::applicationPid());
    QVERIFY(file.open(QIODevice::ReadOnly | QIODevice::Unbuffered));
    QCOMPARE(file.readAll(), QByteArray(size, 'x'));
    const auto after = readsOfProcess(QCoreApplication::applicationPid());
    QVERIFY(before && after);
    QVERIFY(after->read_bytes - before->read_bytes >= size);
    if (after->storage_bytes && !isInRam(folder.path()))
        QVERIFY(*after->storage_bytes - *before->storage_bytes >= size);
    QVERIFY(!readsOfProcess(0));
}

void TestTierRun::commandWritesTableCsvAndJson()
{
    const QTemporaryDir folder;
    const QString csv = folder.filePath(QStringLiteral("tiers.csv"));
    const Command run({QStringLiteral("--size"), QStringLiteral("small"), QStringLiteral("--rounds"),
        QStringLiteral("1"), QStringLiteral("--shared-tokens"), QStringLiteral("600"), QStringLiteral("--arms"),
        QStringLiteral("recompute,disk"), QStringLiteral("--folder"), diskFolder(), QStringLiteral("--format"),
        QStringLiteral("json"), QStringLiteral("--csv"), csv});
    QVERIFY(run.ended);
    QVERIFY2(run.process.exitCode() == 0, qPrintable(run.errors));
    const QJsonObject json = QJsonDocument::fromJson(run.output).object();
    QCOMPARE(json[u"end"].toString(), QStringLiteral("finished"));
    QCOMPARE(json[u"evidence_equals_prediction"].toBool(), true);
    QCOMPARE(json[u"samples"].toArray().size(), 2);
    QCOMPARE(json[u"samples"][1][u"reported"][u"disk_tokens"].toInt(), 512);
    QCOMPARE(json[u"summary"][1][u"arm"].toString(), QStringLiteral("disk"));
    QCOMPARE(json[u"summary"][1][u"expected_bytes"].toInteger(), 512 * smallBytesPerToken);
    QFile file(csv);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QStringList> rows = session::parseCsv(file.readAll());
    QCOMPARE(rows.size(), 3);
    QCOMPARE(rows[2].value(rows[0].indexOf(QStringLiteral("arm"))), QStringLiteral("disk"));
    QCOMPARE(rows[2].value(rows[0].indexOf(QStringLiteral("loaded_bytes"))), QStringLiteral("2097152"));
    QCOMPARE(rows[2].value(rows[0].indexOf(QStringLiteral("as_predicted"))), QStringLiteral("yes"));
}

void TestTierRun::commandUsedWrongly_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, const char *options, int code, const char *says) {
        QTest::newRow(name) << QString::fromLatin1(options).split(u' ') << code << QString::fromLatin1(says);
    };
    row("arm", "--arms pool,tape", 2, "tape");
    row("length", "--shared-tokens 3k", 2, "--shared-tokens");
    row("length out of range", "--shared-tokens 9000", 2, "8,000");
    row("rounds", "--rounds 0", 2, "rounds");
    row("size", "--size huge", 2, "--size");
    row("format", "--format pdf", 2, "--format");
    row("argument", "recompute", 2, "options only");
    row("folder", "--folder /nowhere/at/all --size small", 4, "/nowhere");
}

void TestTierRun::commandUsedWrongly()
{
    QFETCH(QStringList, options);
    QFETCH(int, code);
    QFETCH(QString, says);
    const Command run(options);
    QVERIFY(run.ended);
    QCOMPARE(run.process.exitCode(), code);
    QVERIFY2(run.errors.contains(says), qPrintable(run.errors));
    QVERIFY(run.output.isEmpty());
}

QTEST_GUILESS_MAIN(TestTierRun)
#include "tst_tier_run.moc"
