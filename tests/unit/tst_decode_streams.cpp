// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded answers through the whole chain, HTTP, SSE, chat, without a socket: tests/data/sse-streams (one quirk each)
// and tests/data/real-captures (vLLM, LMCache, llama.cpp). Each must give its expected result whole, byte by byte and
// in random pieces. The instant of a read is the offset of its last byte, so that stamps are positions in the file.
#include "probe/recorded_answer.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QTest>

using namespace kvlab::probe;

namespace {

const QUrl address(QStringLiteral("http://127.0.0.1:8000/v1/chat/completions"));
constexpr int randomDivisions = 200;

QByteArray contentsOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

RecordedAnswer decodeBytewise(const QByteArray &raw)
{
    return decodeRecording(raw, [] { return 1; });
}

RecordedAnswer decodeWhole(const QByteArray &raw)
{
    return decodeRecording(raw, [&raw] { return raw.size(); });
}

/// Keys that describe the case or are looked at in a way of their own.
bool isPlain(const QString &key)
{
    static const QStringList others{u"file"_qs, u"kind"_qs, u"server"_qs, u"note"_qs, u"alternative"_qs,
        u"error_message_contains"_qs, u"first_token_data_end"_qs, u"first_token_dispatch"_qs, u"notes"_qs};
    return !others.contains(key);
}

QSet<QString> notesOf(const QJsonObject &object)
{
    const QStringList notes = object.value(u"notes").toVariant().toStringList();
    return {notes.begin(), notes.end()};
}

/// Names of what differs; empty when nothing does.
QString differences(const RecordedAnswer &answer, const QJsonObject &expected)
{
    const QJsonObject got = toJson(answer);
    QStringList found;
    for (auto it = expected.begin(); it != expected.end(); ++it) {
        if (isPlain(it.key()) && got.value(it.key()) != it.value()) {
            found.append(it.key());
        }
    }
    if (!got.value(u"error_message").toString().contains(expected.value(u"error_message_contains").toString())) {
        found.append(u"error_message"_qs);
    }
    if (expected.contains(u"notes") && notesOf(got) != notesOf(expected)) {
        found.append(u"notes"_qs);
    }
    if (!expected.contains(u"server_ttft_ms") && !got.value(u"server_ttft_ms").isNull()) {
        found.append(u"server_ttft_ms"_qs);
    }
    return found.join(u", "_qs);
}

/// Everything but the instants.
QString summary(const RecordedAnswer &answer)
{
    QString out = QString::fromUtf8(QJsonDocument(toJson(answer)).toJson()) + answer.sample.details;
    for (const EventStamp &event : answer.sample.events) {
        out += QStringLiteral(" %1:%2").arg(event.bytes).arg(event.token);
    }
    return out;
}

void addRows(const QString &folder, const QString &suffix, const QList<std::pair<QString, QJsonObject>> &cases)
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QJsonObject>("expected");
    for (const auto &[name, expected] : cases) {
        QTest::newRow(qPrintable(name)) << folder + u'/' + name + suffix << expected;
    }
}

QString dataFolder(const QString &name)
{
    return QStringLiteral(KVLAB_TEST_DATA "/") + name;
}

QList<std::pair<QString, QJsonObject>> quirkCases()
{
    QList<std::pair<QString, QJsonObject>> cases;
    const QByteArray text = contentsOf(dataFolder(QStringLiteral("sse-streams/expected.json")));
    for (const QJsonValue &entry : QJsonDocument::fromJson(text).array()) {
        cases.append({entry.toObject().value(u"file").toString(), entry.toObject()});
    }
    return cases;
}

void verifyEveryDivision(const QByteArray &raw, const QJsonObject &expected)
{
    const RecordedAnswer bytewise = decodeBytewise(raw);
    QCOMPARE(differences(bytewise, expected), QString());
    const RecordedAnswer whole = decodeWhole(raw);
    QCOMPARE(differences(whole, expected), QString());
    QCOMPARE(summary(whole), summary(bytewise));
    QRandomGenerator random(20261130);
    for (int i = 0; i < randomDivisions; ++i) {
        const int largest = 1 << random.bounded(1, 16);
        const RecordedAnswer pieces = decodeRecording(raw, [&] { return random.bounded(1, largest + 1); });
        QCOMPARE(differences(pieces, expected), QString());
        QCOMPARE(summary(pieces), summary(bytewise));
    }
}

} // namespace

class TestDecodeStreams : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFileIsExpected();
    void quirks_data() { addRows(dataFolder(QStringLiteral("sse-streams")), {}, quirkCases()); }
    void quirks();
    void recordings_data();
    void recordings();
    void everyPrefix_data();
    void everyPrefix();
    void damaged_data();
    void damaged();
    void endlessLines_data();
    void endlessLines();
    void boundedTexts();
};

void TestDecodeStreams::everyFileIsExpected()
{
    QStringList named;
    for (const auto &[name, expected] : quirkCases()) {
        named.append(name);
    }
    named.sort();
    const QDir folder(dataFolder(QStringLiteral("sse-streams")));
    QCOMPARE(named, folder.entryList({QStringLiteral("*.http")}, QDir::Files, QDir::Name));
    QCOMPARE(named.size(), 64);
}

void TestDecodeStreams::quirks()
{
    QFETCH(const QString, path);
    QFETCH(const QJsonObject, expected);
    const QByteArray raw = contentsOf(path);
    QVERIFY(!raw.isEmpty());
    verifyEveryDivision(raw, expected);
    if (!expected.value(u"first_token_dispatch").isDouble()) {
        return;
    }
    // Before the end of the data line nothing may be seen; with the byte that completes the event it must be.
    const qsizetype data_end = expected.value(u"first_token_data_end").toInteger();
    const qsizetype dispatch = expected.value(u"first_token_dispatch").toInteger();
    ResponseReader early(address);
    early.feed(QByteArrayView(raw).first(data_end), 0);
    QVERIFY(!early.sample().stamps.first_token_ns);
    const auto first_token = decodeWhole(raw).first_token_offset;
    if (expected.value(u"file").toString() == u"last_event_without_line_end.http") { // it shows only after the end
        QVERIFY(*first_token > dispatch);
        return;
    }
    QCOMPARE(*first_token, dispatch);
    ResponseReader enough(address);
    enough.feed(QByteArrayView(raw).first(dispatch + 1), 0);
    QVERIFY(enough.sample().stamps.first_token_ns);
}

void TestDecodeStreams::recordings_data()
{
    QList<std::pair<QString, QJsonObject>> cases;
    const QString folder = dataFolder(QStringLiteral("real-captures"));
    const QJsonObject all = QJsonDocument::fromJson(contentsOf(folder + QStringLiteral("/expected.json"))).object();
    for (auto it = all.begin(); it != all.end(); ++it) {
        cases.append({it.key(), it.value().toObject()});
    }
    addRows(folder, QStringLiteral(".response.http"), cases);
}

void TestDecodeStreams::recordings()
{
    QFETCH(const QString, path);
    QFETCH(const QJsonObject, expected);
    const QByteArray raw = contentsOf(path);
    QVERIFY(!raw.isEmpty());
    verifyEveryDivision(raw, expected);
}

void TestDecodeStreams::everyPrefix_data()
{
    quirks_data();
}

/// A connection may end anywhere: always an outcome with a sentence, never more tokens than the whole has.
void TestDecodeStreams::everyPrefix()
{
    QFETCH(const QString, path);
    const QByteArray raw = contentsOf(path).left(4'096);
    const QString whole = decodeWhole(raw).sample.text;
    for (qsizetype size = 0; size < raw.size(); ++size) {
        ResponseReader reader(address);
        reader.feed(QByteArrayView(raw).first(size), 0);
        reader.endOfConnection(1);
        QVERIFY(reader.isFinished());
        const ProbeSample &sample = reader.sample();
        QVERIFY(whole.startsWith(sample.text));
        const bool silent = sample.outcome == Outcome::completed;
        QCOMPARE(sample.message.isEmpty(), silent && sample.stamps.first_content_ns.has_value());
    }
}

void TestDecodeStreams::damaged_data()
{
    quirks_data();
}

/// Bytes changed, lost and doubled at random: the parsers must hold, and all divisions must still agree.
void TestDecodeStreams::damaged()
{
    QFETCH(const QString, path);
    const QByteArray raw = contentsOf(path).left(4'096);
    QRandomGenerator random(3);
    for (int round = 0; round < 60; ++round) {
        QByteArray bytes = raw;
        for (int i = 0; i < 1 + round % 4; ++i) {
            const qsizetype at = random.bounded(bytes.size());
            switch (random.bounded(3)) {
            case 0:
                bytes[at] = static_cast<char>(random.bounded(256));
                break;
            case 1:
                bytes.remove(at, random.bounded(1, 8));
                break;
            default:
                bytes.insert(at, bytes.mid(random.bounded(bytes.size()), random.bounded(1, 8)));
            }
        }
        const RecordedAnswer whole = decodeWhole(bytes);
        QCOMPARE(summary(decodeBytewise(bytes)), summary(whole));
        QCOMPARE(summary(decodeRecording(bytes, [&] { return random.bounded(1, 40); })), summary(whole));
    }
}

void TestDecodeStreams::endlessLines_data()
{
    QTest::addColumn<QByteArray>("start");
    QTest::newRow("status line") << QByteArray("HTTP/1.1 200 O");
    QTest::newRow("header field") << QByteArray("HTTP/1.1 200 OK\r\nX: ");
    QTest::newRow("chunk size") << QByteArray(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n1;");
    QTest::newRow("stream line") << QByteArray("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: ");
}

/// Given up long before memory runs out.
void TestDecodeStreams::endlessLines()
{
    QFETCH(const QByteArray, start);
    ResponseReader reader(address);
    reader.feed(start, 0);
    const QByteArray more(100'000, 'x');
    for (int i = 0; i < 200 && !reader.isFinished(); ++i) {
        reader.feed(more, i);
    }
    QVERIFY(reader.isFinished());
    QCOMPARE(reader.sample().outcome, Outcome::protocol_error);
}

void TestDecodeStreams::boundedTexts()
{
    const QByteArray head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    const QByteArray event
        = R"(data: {"choices":[{"delta":{"content":"0123456789abcdef","reasoning":"0123456789abcdef"}}]})";
    ResponseReader stream(address);
    stream.feed(head, 0);
    for (int i = 0; i < 5'000; ++i) {
        stream.feed(event + "\n\n", i);
    }
    stream.endOfConnection(5'000);
    QCOMPARE(stream.sample().outcome, Outcome::completed);
    QCOMPARE(stream.sample().text.size(), 65'536);
    QCOMPARE(stream.sample().reasoning.size(), 65'536);
    QCOMPARE(stream.sample().events.size(), 4'096);
    QCOMPARE(*stream.sample().stamps.last_token_ns, 4'999);

    ResponseReader refusal(address);
    refusal.feed("HTTP/1.1 500 Oops\r\nContent-Type: text/plain\r\n\r\n", 0);
    for (int i = 0; i < 100 && !refusal.isFinished(); ++i) {
        refusal.feed(QByteArray(10'000, 'x'), i);
    }
    QCOMPARE(refusal.sample().outcome, Outcome::http_error);
    QCOMPARE(refusal.sample().details.size(), 65'536);
    QVERIFY(refusal.sample().message.size() < 1'000);
}

QTEST_GUILESS_MAIN(TestDecodeStreams)
#include "tst_decode_streams.moc"
