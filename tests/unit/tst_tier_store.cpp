// SPDX-License-Identifier: GPL-3.0-or-later
// The tiers behind the block pool: what is kept within which budget, what survives, what is shared.
#include "unit/tier_testing.h"

#include <QTemporaryDir>

#include <atomic>
#include <future>

using namespace kvlab::engine;
using kvlab::prefix::TierIndex;

class TestTierStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void policiesChooseWhatGoes_data();
    void policiesChooseWhatGoes();
    void indexKeepsItsBudget();
    void lookupEndsAtTheFirstGap();
    void ramLoadsWhatWasStored();
    void ramKeepsItsBudget();
    void diskLoadsWhatWasStored();
    void diskHitGoesToRam();
    void diskKeepsItsBudget();
    void storingIsDoneWhenItSaysSo();
    void nothingIsStoredTwice();
    void diskSurvivesARestart();
    void orderOfUseSurvivesARestart();
    void indexInMemoryForgets();
    void twoEnginesShareAFolder();
    void otherLayoutsNeverHit();
    void foldersAreTheOwnersOnly();
    void enginesWorkAtTheSameTime();
    void impossibleTiersAreRefused_data();
    void impossibleTiersAreRefused();
};

void TestTierStore::policiesChooseWhatGoes_data()
{
    QTest::addColumn<EvictionPolicy>("policy");
    QTest::addColumn<std::vector<int>>("gone");
    // Four chunks of 1 fill the budget; 0 is used three times, 1 and 2 once, 3 never, 0 last. Then two more arrive.
    QTest::newRow("LRU") << EvictionPolicy::lru << std::vector<int>{3, 1};
    QTest::newRow("LFU") << EvictionPolicy::lfu << std::vector<int>{3, 4};
    QTest::newRow("FIFO") << EvictionPolicy::fifo << std::vector<int>{0, 1};
}

void TestTierStore::policiesChooseWhatGoes()
{
    QFETCH(EvictionPolicy, policy);
    QFETCH(std::vector<int>, gone);
    TierIndex index(policy, 4);
    for (int i = 0; i < 4; ++i)
        QVERIFY(index.insert(named(i), 1)->empty());
    for (const int used : {0, 1, 0, 2, 0})
        index.use(named(used));
    QCOMPARE(*index.insert(named(4), 1), std::vector<BlockHash>{named(gone[0])});
    QCOMPARE(*index.insert(named(5), 1), std::vector<BlockHash>{named(gone[1])});
    QCOMPARE(index.bytes(), 4);
}

void TestTierStore::indexKeepsItsBudget()
{
    TierIndex index(EvictionPolicy::lru, 100);
    QVERIFY(!index.insert(named(0), 101));
    std::vector<std::pair<int, int>> slow; // oldest first
    std::mt19937 random(1);
    for (int step = 0; step < 20000; ++step) {
        const int number = int(random() % 40);
        const auto known = std::find_if(slow.begin(), slow.end(), [=](const auto &e) { return e.first == number; });
        const int kind = int(random() % 4);
        std::vector<BlockHash> gone;
        if (kind == 0) {
            index.erase(named(number));
            slow.erase(known, known == slow.end() ? known : known + 1);
            continue;
        }
        if (known != slow.end())
            std::rotate(known, known + 1, slow.end());
        if (kind == 1) {
            index.use(named(number));
            continue;
        }
        const int bytes = 1 + int(random() % 30);
        if (known == slow.end()) {
            slow.emplace_back(number, bytes);
            for (int sum = 0; true; sum = 0) {
                std::for_each(slow.begin(), slow.end(), [&sum](const auto &e) { sum += e.second; });
                if (sum <= 100)
                    break;
                gone.push_back(named(slow.front().first));
                slow.erase(slow.begin());
            }
        }
        QCOMPARE(*index.insert(named(number), bytes), gone);
        std::vector<BlockHash> order;
        std::for_each(slow.begin(), slow.end(), [&order](const auto &e) { order.push_back(named(e.first)); });
        QCOMPARE(index.evictionOrder(), order);
        QVERIFY(index.bytes() <= 100);
    }
}

void TestTierStore::lookupEndsAtTheFirstGap()
{
    TierStore store(inRam(roomy), layout, chunkBytes);
    for (const int number : {0, 1, 3})
        store.store(named(number), contentOf(number));
    QCOMPARE(store.lookup(names(5)), 2);
    QCOMPARE(store.lookup({}), 0);
    store.store(named(2), contentOf(2));
    QCOMPARE(store.lookup(names(5)), 4);
}

void TestTierStore::ramLoadsWhatWasStored()
{
    TierStore store(inRam(roomy), layout, chunkBytes);
    fill(store, 0, 20);
    for (int i = 0; i < 20; ++i) {
        const auto loaded = store.load(named(i));
        QVERIFY(loaded);
        QVERIFY(loaded->tier == Tier::ram);
        QVERIFY(*loaded->bytes == contentOf(i));
    }
    QVERIFY(!store.load(named(20)));
    const TierCounters counters = store.counters();
    QCOMPARE(counters.ram.loaded_chunks, 20);
    QCOMPARE(counters.ram.loaded_bytes, 20 * chunkBytes);
    QCOMPARE(counters.ram.stored_chunks, 20);
    QCOMPARE(counters.ram.bytes, 20 * chunkBytes);
    QVERIFY(!counters.disk_storing);
}

void TestTierStore::ramKeepsItsBudget()
{
    TierStore store(inRam(5 * chunkBytes + 100, EvictionPolicy::fifo), layout, chunkBytes);
    fill(store, 0, 8);
    for (int i = 0; i < 8; ++i)
        QCOMPARE(holds(store, i), i >= 3);
    QCOMPARE(store.counters().ram.chunks, 5);
    QCOMPARE(store.counters().ram.evictions, 3);
}

void TestTierStore::diskLoadsWhatWasStored()
{
    const QTemporaryDir folder;
    TierStore store(onDisk(folder.path()), layout, chunkBytes);
    fill(store, 0, 20);
    QCOMPARE(chunkFiles(folder.path()).size(), 20);
    for (int i = 0; i < 20; ++i) {
        const auto loaded = store.load(named(i));
        QVERIFY(loaded);
        QVERIFY(loaded->tier == Tier::disk);
        QVERIFY(*loaded->bytes == contentOf(i));
    }
    QVERIFY(!store.load(named(20)));
    const TierCounters counters = store.counters();
    QCOMPARE(counters.disk.loaded_bytes, 20 * chunkBytes);
    QCOMPARE(counters.disk.bytes, 20 * chunkFileBytes(chunkBytes));
    QCOMPARE(counters.disk.stored_chunks, 20);
    QCOMPARE(counters.ram.chunks, 0);
}

void TestTierStore::diskHitGoesToRam()
{
    const QTemporaryDir folder;
    {
        TierStore store(onDisk(folder.path()), layout, chunkBytes);
        fill(store, 0, 1);
    }
    TierStore store(onDisk(folder.path(), roomy, roomy), layout, chunkBytes);
    QVERIFY(store.load(named(0))->tier == Tier::disk);
    const auto again = store.load(named(0));
    QVERIFY(again->tier == Tier::ram);
    QVERIFY(*again->bytes == contentOf(0));
}

void TestTierStore::diskKeepsItsBudget()
{
    const QTemporaryDir folder;
    const std::int64_t budget = 4 * chunkFileBytes(chunkBytes) + 10;
    TierStore store(onDisk(folder.path(), budget), layout, chunkBytes);
    for (int i = 0; i < 12; ++i) {
        store.store(named(i), contentOf(i), [&](bool) {
            std::int64_t used = 0;
            for (const QFileInfo &file : chunkFiles(folder.path()))
                used += file.size();
            QVERIFY(used <= budget);
        });
    }
    store.waitForStores();
    QCOMPARE(chunkFiles(folder.path()).size(), 4);
    for (int i = 0; i < 12; ++i)
        QCOMPARE(holds(store, i), i >= 8);
    QCOMPARE(store.counters().disk.evictions, 8);
}

void TestTierStore::storingIsDoneWhenItSaysSo()
{
    const QTemporaryDir folder;
    TierStore store(onDisk(folder.path()), layout, chunkBytes);
    std::promise<bool> done;
    store.store(named(0), contentOf(0), [&](bool stored) {
        const bool complete = contentOfFile(fileOf(folder.path(), 0)).size() == chunkFileBytes(chunkBytes);
        done.set_value(stored && complete);
    });
    auto future = done.get_future();
    QVERIFY(future.wait_for(std::chrono::seconds(30)) == std::future_status::ready);
    QVERIFY(future.get());
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, store.store(named(1), ChunkBytes(7)));
}

void TestTierStore::nothingIsStoredTwice()
{
    const QTemporaryDir folder;
    TierStore store(onDisk(folder.path(), roomy, roomy), layout, chunkBytes);
    QVERIFY(store.wants(named(0)));
    fill(store, 0, 1);
    QVERIFY(!store.wants(named(0)));
    bool called = false;
    store.store(named(0), contentOf(0), [&called](bool stored) { called = stored; });
    QVERIFY(called);
    QCOMPARE(store.counters().disk.stored_chunks, 1);
    QCOMPARE(store.counters().ram.stored_chunks, 1);
    // Who holds it on disk only still wants it in RAM.
    TierStore restarted(onDisk(folder.path(), roomy, roomy), layout, chunkBytes);
    QVERIFY(restarted.wants(named(0)));
}

void TestTierStore::diskSurvivesARestart()
{
    const QTemporaryDir folder;
    {
        TierStore store(onDisk(folder.path()), layout, chunkBytes);
        for (int i = 0; i < 9; ++i)
            store.store(named(i), contentOf(i)); // the destructor completes them
    }
    TierStore store(onDisk(folder.path()), layout, chunkBytes);
    QCOMPARE(store.counters().disk.chunks, 9);
    QCOMPARE(store.lookup(names(10)), 9);
    for (int i = 0; i < 9; ++i)
        QVERIFY(*store.load(named(i))->bytes == contentOf(i));
}

void TestTierStore::orderOfUseSurvivesARestart()
{
    const QTemporaryDir folder;
    const std::int64_t budget = 3 * chunkFileBytes(chunkBytes);
    {
        TierStore store(onDisk(folder.path(), budget), layout, chunkBytes);
        for (int i = 0; i < 3; ++i) {
            fill(store, i, 1);
            QTest::qWait(20); // file times must differ
        }
        QVERIFY(store.load(named(0)));
    }
    TierStore store(onDisk(folder.path(), budget), layout, chunkBytes);
    fill(store, 3, 1);
    QVERIFY(holds(store, 0) && !holds(store, 1) && holds(store, 2) && holds(store, 3));
}

void TestTierStore::indexInMemoryForgets()
{
    const QTemporaryDir folder;
    TierOptions options = onDisk(folder.path());
    options.disk->index_in_memory = true;
    {
        TierStore store(options, layout, chunkBytes);
        fill(store, 0, 3);
        QVERIFY(*store.load(named(2))->bytes == contentOf(2));
    }
    TierStore store(options, layout, chunkBytes);
    QCOMPARE(chunkFiles(folder.path()).size(), 3); // the files are there
    QCOMPARE(store.lookup(names(3)), 0); // the hits are gone
    QVERIFY(!store.load(named(0)));
}

void TestTierStore::twoEnginesShareAFolder()
{
    const QTemporaryDir folder;
    TierStore one(onDisk(folder.path()), layout, chunkBytes);
    TierStore two(onDisk(folder.path()), layout, chunkBytes);
    fill(one, 0, 3);
    QCOMPARE(two.lookup(names(4)), 3);
    QVERIFY(*two.load(named(1))->bytes == contentOf(1));
    QVERIFY(!two.wants(named(2)));
    fill(two, 3, 1);
    QVERIFY(*one.load(named(3))->bytes == contentOf(3));
}

void TestTierStore::otherLayoutsNeverHit()
{
    const QTemporaryDir folder;
    TierStore store(onDisk(folder.path()), layout, chunkBytes);
    fill(store, 0, 1);
    TierStore other(onDisk(folder.path()), rootHash("other model"), chunkBytes);
    QVERIFY(!holds(other, 0));
    // Nor when somebody copies the file over.
    fill(other, 1, 1);
    const QFileInfo theirs(fileOf(folder.path(), 1));
    QVERIFY(
        QFile::copy(fileOf(folder.path(), 0), theirs.path() + u'/' + QFileInfo(fileOf(folder.path(), 0)).fileName()));
    QVERIFY(!other.load(named(0)));
    QCOMPARE(other.counters().damaged_files, 1);
}

void TestTierStore::foldersAreTheOwnersOnly()
{
    const QTemporaryDir folder;
    TierStore store(onDisk(folder.path()), layout, chunkBytes);
    const auto others = QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ExeGroup
        | QFileDevice::ReadOther | QFileDevice::WriteOther | QFileDevice::ExeOther;
    const QFileInfoList folders = QDir(folder.path()).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot);
    QCOMPARE(folders.size(), 1);
    QCOMPARE(folders.first().permissions() & others, QFileDevice::Permissions());
}

void TestTierStore::enginesWorkAtTheSameTime()
{
    const QTemporaryDir folder;
    const std::int64_t budget = 10 * chunkFileBytes(chunkBytes);
    Messages messages;
    std::atomic<int> hits = 0;
    std::atomic<int> lies = 0;
    const auto engine = [&](unsigned seed) {
        TierOptions options = onDisk(folder.path(), budget, 3 * chunkBytes);
        options.on_message = messages.sink();
        TierStore store(options, layout, chunkBytes);
        std::mt19937 random(seed);
        for (int step = 0; step < 1500; ++step) {
            const int number = int(random() % 30);
            if (random() % 3 == 0 && store.wants(named(number)))
                store.store(named(number), contentOf(number));
            const auto loaded = store.load(named(number));
            hits += loaded ? 1 : 0;
            lies += loaded && *loaded->bytes != contentOf(number) ? 1 : 0;
        }
    };
    {
        auto one = std::async(std::launch::async, engine, 1U);
        auto two = std::async(std::launch::async, engine, 2U);
    }
    QCOMPARE(lies.load(), 0);
    QVERIFY(hits > 100);
    QCOMPARE(messages.list, QStringList());
}

void TestTierStore::impossibleTiersAreRefused_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("why");
    QTest::newRow("missing folder") << QStringLiteral("missing") << QStringLiteral("does not exist");
    QTest::newRow("a file") << QStringLiteral("file") << QStringLiteral("is a file");
    QTest::newRow("not writable") << QStringLiteral("blocked") << QStringLiteral("Nothing can be written");
    QTest::newRow("budget 0") << QStringLiteral("0") << QStringLiteral("may take 0 bytes, but one chunk");
    QTest::newRow("budget below a chunk") << QString::number(chunkBytes) << QStringLiteral("but one chunk");
    QTest::newRow("budget beyond the disk") << QString::number(1LL << 60) << QStringLiteral("has room for only");
    QTest::newRow("RAM below a chunk") << QStringLiteral("ram") << QStringLiteral("The RAM tier may take 10 bytes");
}

void TestTierStore::impossibleTiersAreRefused()
{
    QFETCH(QString, kind);
    QFETCH(QString, why);
    const QTemporaryDir folder;
    TierOptions options = onDisk(folder.path());
    bool isBudget = false;
    const qint64 budget = kind.toLongLong(&isBudget);
    if (isBudget)
        options.disk->budget_bytes = budget;
    if (kind == u"missing")
        options.disk->folder = folder.filePath(QStringLiteral("nowhere"));
    if (kind == u"file") {
        options.disk->folder = folder.filePath(QStringLiteral("plain"));
        overwrite(options.disk->folder, "x");
    }
    if (kind == u"blocked") { // by a file where the folder of this layout would be
        overwrite(folder.filePath(QString::fromStdString(layout.hex()).first(32)), "x");
    }
    if (kind == u"ram")
        options = inRam(10);
    try {
        const TierStore store(options, layout, chunkBytes);
        QFAIL("was not refused");
    } catch (const std::runtime_error &error) {
        QVERIFY2(QString::fromUtf8(error.what()).contains(why), error.what());
    }
}

QTEST_GUILESS_MAIN(TestTierStore)
#include "tst_tier_store.moc"
