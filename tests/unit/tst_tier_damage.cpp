// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever happens to a tier's folder, nothing but the stored bytes ever comes back, and the program says what it
// found.
#include "unit/tier_testing.h"

#include <QDateTime>
#include <QMap>
#include <QTemporaryDir>

using namespace kvlab::engine;

namespace {

/// One of many ways in which a file can be wrong.
QByteArray damagedCopy(QByteArray bytes, const QByteArray &other, std::mt19937 &random)
{
    const auto anywhere = [&random](qsizetype size) { return qsizetype(random() % std::uint32_t(size)); };
    switch (random() % 9) {
    case 0: { // one bit
        const auto at = anywhere(bytes.size());
        bytes[at] = char(bytes[at] ^ (1 << random() % 8));
        break;
    }
    case 1: // cut off
        bytes.truncate(anywhere(bytes.size()));
        break;
    case 2: // something appended
        bytes.append(qsizetype(1 + anywhere(5000)), char(random()));
        break;
    case 3: { // a lost sector
        const auto at = anywhere(bytes.size());
        std::fill(bytes.begin() + at, bytes.begin() + std::min(bytes.size(), at + 512), '\0');
        break;
    }
    case 4: // the file of another chunk
        bytes = other;
        break;
    case 5: // noise of the right length
        std::generate(bytes.begin(), bytes.end(), [&random] { return char(random()); });
        break;
    case 6: // everything moved by some bytes
        std::rotate(bytes.begin(), bytes.begin() + 1 + anywhere(bytes.size() - 1), bytes.end());
        break;
    case 7: // a header byte
        bytes[anywhere(100)] = char(random());
        break;
    default: // two pieces exchanged
        std::swap_ranges(bytes.begin() + 200, bytes.begin() + 200 + 1 + anywhere(800), bytes.begin() + 1500);
    }
    return bytes;
}

} // namespace

class TestTierDamage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void evictionByAnotherEngineIsAQuietMiss();
    void damageIsReportedOnceAndHealed_data();
    void damageIsReportedOnceAndHealed();
    void noDamageYieldsOtherBytes();
    void strangersInTheFolderAreLeftAlone();
    void leftoversOfAKilledEngineGo();
    void fullDiskEndsStoring();
    void vanishedFolderEndsStoring();
    void clockJumpsDoNotMatter();
};

void TestTierDamage::evictionByAnotherEngineIsAQuietMiss()
{
    const QTemporaryDir folder;
    Messages messages;
    TierOptions options = onDisk(folder.path());
    options.on_message = messages.sink();
    TierStore store(options, layout, chunkBytes);
    fill(store, 0, 2);
    QVERIFY(QFile::remove(fileOf(folder.path(), 0)));
    QVERIFY(!store.load(named(0)));
    QVERIFY(store.wants(named(0)));
    QVERIFY(store.load(named(1)));
    QCOMPARE(messages.list, QStringList());
}

void TestTierDamage::damageIsReportedOnceAndHealed_data()
{
    QTest::addColumn<int>("length"); // kept of the file
    QTest::addColumn<int>("flipped"); // byte
    QTest::addColumn<QString>("why");
    QTest::newRow("empty") << 0 << -1 << QStringLiteral("cut off");
    QTest::newRow("half a header") << 50 << -1 << QStringLiteral("cut off");
    QTest::newRow("half the bytes") << 2000 << -1 << QStringLiteral("wrong length");
    QTest::newRow("magic") << -1 << 0 << QStringLiteral("not a file of this program");
    QTest::newRow("version") << -1 << 8 << QStringLiteral("another version");
    QTest::newRow("length") << -1 << 12 << QStringLiteral("another model, layout or prefix");
    QTest::newRow("layout") << -1 << 25 << QStringLiteral("another model, layout or prefix");
    QTest::newRow("chunk") << -1 << 60 << QStringLiteral("another model, layout or prefix");
    QTest::newRow("checksum") << -1 << 90 << QStringLiteral("checksum");
    QTest::newRow("first byte") << -1 << 100 << QStringLiteral("checksum");
    QTest::newRow("last byte") << -1 << int(chunkFileBytes(chunkBytes)) - 1 << QStringLiteral("checksum");
}

void TestTierDamage::damageIsReportedOnceAndHealed()
{
    QFETCH(int, length);
    QFETCH(int, flipped);
    QFETCH(QString, why);
    const QTemporaryDir folder;
    Messages messages;
    TierOptions options = onDisk(folder.path());
    options.on_message = messages.sink();
    TierStore store(options, layout, chunkBytes);
    fill(store, 0, 2);
    const QString path = fileOf(folder.path(), 0);
    QByteArray bytes = contentOfFile(path);
    if (length >= 0)
        bytes.truncate(length);
    if (flipped >= 0)
        bytes[flipped] = char(bytes[flipped] ^ 0x10);
    overwrite(path, bytes);

    for (int i = 0; i < 3; ++i)
        QVERIFY(!store.load(named(0)));
    QVERIFY(!holds(store, 0));
    QCOMPARE(messages.list.size(), 1);
    QVERIFY2(messages.list.first().contains(why), qPrintable(messages.list.first()));
    QVERIFY(messages.list.first().contains(path));
    QCOMPARE(store.counters().damaged_files, 1);
    QVERIFY(*store.load(named(1))->bytes == contentOf(1));

    QVERIFY(store.wants(named(0)));
    fill(store, 0, 1);
    QVERIFY(*store.load(named(0))->bytes == contentOf(0));
    QCOMPARE(messages.list.size(), 1);
}

void TestTierDamage::noDamageYieldsOtherBytes()
{
    constexpr int rounds = 50;
    constexpr int perRound = 200;
    const QTemporaryDir sound;
    QMap<QString, QByteArray> good; ///< by path below the tier's folder
    {
        TierStore store(onDisk(sound.path()), layout, chunkBytes);
        fill(store, 0, perRound);
    }
    for (const QFileInfo &file : chunkFiles(sound.path()))
        good.insert(QDir(sound.path()).relativeFilePath(file.filePath()), contentOfFile(file.filePath()));
    QCOMPARE(good.size(), perRound);
    QCOMPARE(good.first().size(), chunkFileBytes(chunkBytes));

    std::mt19937 random(7);
    int misses = 0;
    for (int round = 0; round < rounds; ++round) {
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath(QFileInfo(good.firstKey()).path()));
        QByteArray previous = good.last();
        for (auto file = good.cbegin(); file != good.cend(); ++file) {
            overwrite(folder.filePath(file.key()), damagedCopy(file.value(), previous, random));
            previous = file.value();
        }
        TierStore store(onDisk(folder.path()), layout, chunkBytes);
        for (int i = 0; i < perRound; ++i) {
            const auto loaded = store.load(named(i));
            QVERIFY(!loaded || *loaded->bytes == contentOf(i));
            misses += loaded ? 0 : 1;
        }
    }
    QVERIFY(misses > rounds * perRound * 9 / 10); // some damages change nothing
}

void TestTierDamage::strangersInTheFolderAreLeftAlone()
{
    const QTemporaryDir folder;
    QString sub;
    {
        TierStore store(onDisk(folder.path()), layout, chunkBytes);
        fill(store, 0, 1);
        sub = QFileInfo(fileOf(folder.path(), 0)).path() + u'/';
    }
    const QStringList strangers{folder.filePath(QStringLiteral("notes.txt")), sub + QStringLiteral("readme"),
        sub + QStringLiteral("0123.kv"), sub + QString(64, u'g') + QStringLiteral(".kv")};
    for (const QString &path : strangers)
        overwrite(path, "not yours");
    // A folder where a chunk would lie.
    QVERIFY(QDir().mkdir(sub + QString::fromStdString(named(5).hex()) + QStringLiteral(".kv")));
    TierStore store(onDisk(folder.path()), layout, chunkBytes);
    QCOMPARE(store.counters().disk.chunks, 1);
    QVERIFY(!store.load(named(5)));
    for (const QString &path : strangers)
        QCOMPARE(contentOfFile(path), QByteArrayLiteral("not yours"));
}

void TestTierDamage::leftoversOfAKilledEngineGo()
{
    const QTemporaryDir folder;
    QString path;
    {
        TierStore store(onDisk(folder.path()), layout, chunkBytes);
        fill(store, 0, 1);
        path = fileOf(folder.path(), 0);
    }
    const QString old = path + QStringLiteral(".aBcDeF");
    const QString young = path + QStringLiteral(".gHiJkL"); // another engine may be writing it just now
    overwrite(old, "half of it");
    overwrite(young, "half of it");
    for (const auto &[name, seconds] : {std::pair(old, 3600), std::pair(young, 60)}) {
        QFile file(name);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.setFileTime(QDateTime::currentDateTime().addSecs(-seconds), QFileDevice::FileModificationTime));
    }
    TierStore store(onDisk(folder.path()), layout, chunkBytes);
    QVERIFY(!QFile::exists(old));
    QVERIFY(QFile::exists(young));
    QVERIFY(*store.load(named(0))->bytes == contentOf(0));
}

void TestTierDamage::fullDiskEndsStoring()
{
    const QTemporaryDir folder;
    Messages messages;
    TierOptions options = onDisk(folder.path(), roomy, roomy);
    {
        TierStore store(options, layout, chunkBytes);
        fill(store, 0, 1);
    }
    options.on_message = messages.sink();
    options.disk->keep_free_bytes = std::numeric_limits<std::int64_t>::max() / 2; // as good as a full disk
    TierStore store(options, layout, chunkBytes);
    bool stored = true;
    store.store(named(1), contentOf(1), [&stored](bool yes) { stored = yes; });
    store.waitForStores();
    QVERIFY(!stored);
    fill(store, 2, 3);
    QCOMPARE(messages.list.size(), 1);
    QVERIFY(messages.list.first().contains(QStringLiteral("full")));
    QVERIFY(messages.list.first().contains(folder.path()));
    QVERIFY(!store.counters().disk_storing);
    QCOMPARE(chunkFiles(folder.path()).size(), 1);
    QVERIFY(*store.load(named(0))->bytes == contentOf(0)); // from disk, still
    QVERIFY(*store.load(named(3))->bytes == contentOf(3)); // from RAM
}

void TestTierDamage::vanishedFolderEndsStoring()
{
    const QTemporaryDir folder;
    Messages messages;
    TierOptions options = onDisk(folder.path());
    options.on_message = messages.sink();
    TierStore store(options, layout, chunkBytes);
    fill(store, 0, 1);
    QVERIFY(QDir(QFileInfo(fileOf(folder.path(), 0)).path()).removeRecursively());
    fill(store, 1, 3);
    QCOMPARE(messages.list.size(), 1);
    QVERIFY(!store.load(named(0)));
    QVERIFY(!store.load(named(1)));
    QVERIFY(!store.wants(named(2)));
}

void TestTierDamage::clockJumpsDoNotMatter()
{
    const QTemporaryDir folder;
    {
        TierStore store(onDisk(folder.path()), layout, chunkBytes);
        fill(store, 0, 4);
    }
    const QDate days[] = {QDate(1980, 1, 1), QDate(2037, 1, 1), QDate(1980, 1, 1), QDate(2037, 1, 1)};
    for (int i = 0; i < 4; ++i) {
        QFile file(fileOf(folder.path(), i));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.setFileTime(days[i].startOfDay(), QFileDevice::FileModificationTime));
    }
    TierStore store(onDisk(folder.path(), 4 * chunkFileBytes(chunkBytes)), layout, chunkBytes);
    QCOMPARE(store.lookup(names(4)), 4);
    fill(store, 4, 2); // those from 1980 go first
    QVERIFY(!holds(store, 0) && holds(store, 1) && !holds(store, 2) && holds(store, 3) && holds(store, 4));
}

QTEST_GUILESS_MAIN(TestTierDamage)
#include "tst_tier_damage.moc"
