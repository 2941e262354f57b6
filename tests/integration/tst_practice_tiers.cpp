// SPDX-License-Identifier: GPL-3.0-or-later
// `kvlab serve` with tiers, as programs over HTTP: one prompt of about 3,000 tokens recomputed, hit in the pool, in
// RAM, on disk, after a restart and in a second engine; killed while storing; and options that cannot be.
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <random>

namespace {

constexpr int patienceMs = 60'000;
constexpr int promptTokens = 3000;
constexpr int chunk = 256;
constexpr int wholeChunks = promptTokens / chunk * chunk; // 2,816
constexpr int wholeBlocks = (promptTokens - 1) / 16 * 16; // 2,992

QJsonObject requestOf(unsigned seed)
{
    std::mt19937 random(seed);
    QJsonArray prompt;
    for (int i = 0; i < promptTokens; ++i)
        prompt.append(300 + int(random() % 4000));
    return {{QStringLiteral("prompt"), prompt}, {QStringLiteral("max_tokens"), 4}};
}

struct Answer
{
    QString text;
    int cached = -1;
};

/// A running `kvlab serve`.
class Serve
{
public:
    explicit Serve(const QStringList &arguments)
    {
        m_process.start(QStringLiteral(KVLAB_BINARY),
            QStringList{QStringLiteral("--lang"), QStringLiteral("en"), QStringLiteral("serve"),
                QStringLiteral("--size"), QStringLiteral("small")}
                + arguments);
        while (!m_process.canReadLine() && m_process.waitForReadyRead(patienceMs)) { }
        m_ready = QJsonDocument::fromJson(m_process.readLine()).object();
    }
    ~Serve() { end(); }

    /// As Ctrl+C would: what is on its way to the disk is completed.
    void end()
    {
        m_process.terminate();
        if (!m_process.waitForFinished(patienceMs))
            kill();
    }
    void kill()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

    const QJsonObject &ready() const { return m_ready; }
    QString messages() { return QString::fromUtf8(m_process.readAllStandardError()); }

    Answer ask(const QJsonObject &request)
    {
        const QJsonObject answer = QJsonDocument::fromJson(send(QStringLiteral("/v1/completions"), &request)).object();
        return {answer[u"choices"][0][u"text"].toString(),
            answer[u"usage"][u"prompt_tokens_details"][u"cached_tokens"].toInt(-1)};
    }
    bool resetPool()
    {
        const QJsonObject nothing;
        return send(QStringLiteral("/reset_prefix_cache"), &nothing).contains("true");
    }
    double metric(const QByteArray &name, const QByteArray &label = {})
    {
        for (const QByteArray &line : send(QStringLiteral("/metrics"), nullptr).split('\n')) {
            if (line.startsWith(name + '{') && line.contains(label))
                return line.mid(line.lastIndexOf(' ') + 1).toDouble();
        }
        return -1;
    }
    bool storesAreDone() { return metric("kvlab:tier_pending_stores") == 0; }

private:
    QByteArray send(const QString &path, const QJsonObject *body)
    {
        QNetworkRequest request(QUrl(m_ready.value(QLatin1String("url")).toString() + path));
        request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
        const std::unique_ptr<QNetworkReply> reply(body
                ? m_network.post(request, QJsonDocument(*body).toJson(QJsonDocument::Compact))
                : m_network.get(request));
        QSignalSpy finished(reply.get(), &QNetworkReply::finished);
        finished.wait(patienceMs);
        return reply->readAll();
    }

    QProcess m_process;
    QJsonObject m_ready;
    QNetworkAccessManager m_network;
};

QFileInfoList chunkFiles(const QString &folder)
{
    QFileInfoList files;
    for (const QFileInfo &sub : QDir(folder).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot))
        files += QDir(sub.filePath()).entryInfoList({QStringLiteral("*.kv")}, QDir::Files, QDir::Name);
    return files;
}

QStringList diskOf(const QTemporaryDir &folder, const QString &size = QStringLiteral("1GiB"))
{
    return {QStringLiteral("--tier-disk"), folder.path() + u':' + size};
}

const QStringList ramTier{QStringLiteral("--tier-ram"), QStringLiteral("1GiB")};

} // namespace

class TestPracticeTiers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyWayInOneRun();
    void readyLineNamesTheTiers();
    void killedWhileStoring();
    void indexInMemoryAndUnequalSeedsMiss();
    void damageIsSaidAndComputedAgain();
    void refusals_data();
    void refusals();
};

void TestPracticeTiers::everyWayInOneRun()
{
    const QTemporaryDir folder;
    const QJsonObject request = requestOf(1);
    Serve first(ramTier + diskOf(folder));
    const Answer recomputed = first.ask(request);
    QCOMPARE(recomputed.cached, 0);
    QVERIFY(!recomputed.text.isEmpty());
    const auto external = [](Serve &engine) { return engine.metric("vllm:external_prefix_cache_hits_total"); };

    const Answer pool = first.ask(request);
    QCOMPARE(pool.cached, wholeBlocks);
    QCOMPARE(external(first), 0.0);

    QVERIFY(first.resetPool());
    const Answer ram = first.ask(request);
    QCOMPARE(ram.cached, wholeChunks);
    QCOMPARE(external(first), double(wholeChunks));
    QCOMPARE(first.metric("vllm:prompt_tokens_cached_by_source_total", "source=\"host\""), double(wholeChunks));
    QTRY_VERIFY_WITH_TIMEOUT(first.storesAreDone(), 30000);

    Serve second(diskOf(folder)); // while the first one lives
    const Answer disk = second.ask(request);
    QCOMPARE(disk.cached, wholeChunks);
    QCOMPARE(second.metric("vllm:prompt_tokens_cached_by_source_total", "source=\"disk\""), double(wholeChunks));
    QCOMPARE(second.metric("vllm:prompt_tokens_by_source_total", "source=\"local_compute\""),
        double(promptTokens - wholeChunks));
    const auto chunkFileBytes = chunkFiles(folder.path()).constFirst().size() - 100; // without the header
    QCOMPARE(second.metric("kvlab:tier_loaded_bytes_total", "tier=\"disk\""),
        double(chunkFileBytes * (wholeChunks / chunk)));

    first.end();
    Serve restarted(ramTier + diskOf(folder));
    const Answer after = restarted.ask(request);
    QCOMPARE(after.cached, wholeChunks);
    QCOMPARE(restarted.metric("vllm:prefix_cache_hits_total"), 0.0);
    QCOMPARE(restarted.metric("vllm:external_prefix_cache_queries_total"), double(promptTokens));

    for (const Answer &answer : {pool, ram, disk, after})
        QCOMPARE(answer.text, recomputed.text);
}

void TestPracticeTiers::readyLineNamesTheTiers()
{
    const QTemporaryDir folder;
    const Serve engine(ramTier + diskOf(folder, QStringLiteral("64MiB"))
        + QStringList{QStringLiteral("--chunk-size"), QStringLiteral("512")});
    QCOMPARE(engine.ready()[u"chunk_size"].toInt(), 512);
    QCOMPARE(engine.ready()[u"tier_ram_bytes"].toInteger(), qint64(1) << 30);
    QCOMPARE(engine.ready()[u"tier_disk"].toString(), folder.path());
    QCOMPARE(engine.ready()[u"tier_disk_bytes"].toInteger(), qint64(64) << 20);
    const Serve plain({});
    QVERIFY(!plain.ready().contains(u"tier_ram_bytes"));
}

void TestPracticeTiers::killedWhileStoring()
{
    const QTemporaryDir folder;
    QString truth;
    for (unsigned round = 0; round < 4; ++round) {
        const QJsonObject request = requestOf(2);
        Serve engine(diskOf(folder));
        const Answer answer = engine.ask(request);
        QCOMPARE(answer.cached % chunk, 0);
        truth = truth.isEmpty() ? answer.text : truth;
        QCOMPARE(answer.text, truth);
        engine.ask(requestOf(10 + round)); // something to store
        engine.kill();
    }
    Serve engine(diskOf(folder));
    const Answer answer = engine.ask(requestOf(2));
    QCOMPARE(answer.text, truth);
    QCOMPARE(engine.metric("kvlab:tier_damaged_files_total"), 0.0); // half a file never bears a chunk's name
}

void TestPracticeTiers::indexInMemoryAndUnequalSeedsMiss()
{
    const QTemporaryDir folder;
    const QJsonObject request = requestOf(3);
    {
        Serve engine(diskOf(folder));
        engine.ask(request);
        QTRY_VERIFY_WITH_TIMEOUT(engine.storesAreDone(), 30000);
    }
    QCOMPARE(chunkFiles(folder.path()).size(), wholeChunks / chunk);
    const QStringList memory{QStringLiteral("--tier-index"), QStringLiteral("memory")};
    const QStringList seed{QStringLiteral("--hash-seed"), QStringLiteral("7")};
    const QStringList random{QStringLiteral("--hash-seed"), QStringLiteral("random")};
    for (const QStringList &options : {memory, seed, random}) {
        Serve engine(diskOf(folder) + options);
        QCOMPARE(engine.ask(request).cached, 0);
    }
    Serve engine(diskOf(folder));
    QCOMPARE(engine.ask(request).cached, wholeChunks);
}

void TestPracticeTiers::damageIsSaidAndComputedAgain()
{
    const QTemporaryDir folder;
    const QJsonObject request = requestOf(4);
    QString truth;
    {
        Serve engine(diskOf(folder));
        truth = engine.ask(request).text;
        QTRY_VERIFY_WITH_TIMEOUT(engine.storesAreDone(), 30000);
    }
    for (const QFileInfo &info : chunkFiles(folder.path())) {
        QFile file(info.filePath());
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.seek(file.size() / 2));
        file.write("damaged");
    }
    Serve engine(diskOf(folder));
    const Answer answer = engine.ask(request);
    QCOMPARE(answer.cached, 0);
    QCOMPARE(answer.text, truth);
    QCOMPARE(engine.metric("kvlab:tier_damaged_files_total"), 1.0); // loading ended at the first one
    engine.end();
    QVERIFY(engine.messages().contains(QStringLiteral("its checksum does not match")));
}

void TestPracticeTiers::refusals_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, const char *options, int code, const char *says) {
        QTest::newRow(name) << QString::fromLatin1(options).split(u' ') << code << QString::fromLatin1(says);
    };
    row("missing folder", "--tier-disk DIR/nowhere", 3, "does not exist");
    row("folder is a file", "--tier-disk DIR/file", 3, "is a file");
    row("disk budget 0", "--tier-disk DIR:0", 2, "--tier-disk");
    row("disk budget without unit", "--tier-disk DIR:5", 2, "--tier-disk");
    row("disk budget below a chunk", "--tier-disk DIR:1KiB", 3, "may take 1024 bytes, but one chunk");
    row("disk budget beyond the disk", "--tier-disk DIR:900000TiB", 3, "has room for only");
    row("RAM budget 0", "--tier-ram 0GiB", 2, "--tier-ram");
    row("RAM budget below a chunk", "--tier-ram 1KiB", 3, "may take 1024 bytes, but one chunk");
    row("chunk no multiple", "--chunk-size 100", 2, "multiple of the block size (16)");
    row("chunk smaller than a block", "--block-size 32 --chunk-size 16", 2, "multiple of the block size (32)");
    row("seed", "--hash-seed -1", 2, "--hash-seed");
    row("policy", "--tier-policy mru", 2, "--tier-policy");
    row("index", "--tier-index disk", 2, "--tier-index");
}

void TestPracticeTiers::refusals()
{
    QFETCH(QStringList, options);
    QFETCH(int, code);
    QFETCH(QString, says);
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("file")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    options.replaceInStrings(QStringLiteral("DIR"), folder.path());
    QProcess process;
    process.start(QStringLiteral(KVLAB_BINARY),
        QStringList{QStringLiteral("--lang"), QStringLiteral("en"), QStringLiteral("serve"), QStringLiteral("--size"),
            QStringLiteral("small")}
            + options);
    QVERIFY(process.waitForFinished(patienceMs));
    QCOMPARE(process.exitCode(), code);
    QCOMPARE(process.readAllStandardOutput(), QByteArray());
    const QString message = QString::fromUtf8(process.readAllStandardError());
    QVERIFY2(message.contains(says), qPrintable(message));
}

QTEST_GUILESS_MAIN(TestPracticeTiers)
#include "tst_practice_tiers.moc"
