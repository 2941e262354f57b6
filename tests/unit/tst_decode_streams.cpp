// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded answers through the whole chain, HTTP, SSE, chat, without a socket: tests/data/sse-streams (one quirk each)
// and tests/data/real-captures (vLLM, LMCache, llama.cpp). Each must give its expected result whole, byte by byte and
// in random pieces. The instant of a read is the offset of its last byte, so that stamps are positions in the file.
#include "probe/response_reader.h"

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
constexpr int randomDivisions = 20;

/// Formats that are not read yet: they must end in a clear outcome, and must not pass by chance.
const QStringList leftForLater{QStringLiteral("ollama_native_ndjson.http"),
    QStringLiteral("lmstudio_named_events.http"), QStringLiteral("lmstudio_model_load_first.http")};

QByteArray contentsOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Facts of the body that a sample does not keep.
struct BodyFacts
{
    qint64 comments = 0;
    std::optional<int> first_generated_event;
    qsizetype text_length = 0; ///< characters
};

struct Decoded
{
    ProbeSample sample;
    BodyFacts body;
    QByteArray retry_after;
};

BodyFacts factsOf(const QByteArray &body)
{
    SseParser parser;
    BodyFacts facts;
    QString text;
    int index = 0;
    QList<SseEvent> events = parser.feed(body);
    events += parser.finish();
    for (const SseEvent &event : events) {
        const ChatEvent chat = decodeChatEvent(event);
        text += chat.content;
        if (chat.completion_tokens.value_or(0) >= 1 && !facts.first_generated_event) {
            facts.first_generated_event = index;
        }
        ++index;
    }
    facts.comments = parser.comments();
    facts.text_length = text.toUcs4().size();
    return facts;
}

/// `sizes` yields the size of the next piece.
template <typename Sizes> Decoded decode(const QByteArray &raw, Sizes sizes)
{
    ResponseReader reader(address);
    qsizetype at = 0;
    while (at < raw.size()) {
        const qsizetype size = qMin<qsizetype>(sizes(), raw.size() - at);
        reader.feed(QByteArrayView(raw).sliced(at, size), at + size - 1);
        at += size;
    }
    reader.endOfConnection(raw.size());
    return {reader.sample(), factsOf(reader.takeBody()), reader.http().header("Retry-After")};
}

Decoded decodeBytewise(const QByteArray &raw)
{
    return decode(raw, [] { return 1; });
}

Decoded decodeWhole(const QByteArray &raw)
{
    return decode(raw, [&raw] { return raw.size(); });
}

std::optional<qint64> number(const QJsonValue &value)
{
    return value.isDouble() ? std::optional<qint64>(value.toInteger()) : std::nullopt;
}

QString outcomeWord(const QJsonObject &expected)
{
    static const QHash<QString, Outcome> kinds{
        {u"http_status"_qs, Outcome::http_error},
        {u"redirect"_qs, Outcome::http_error},
        {u"error_with_status_200"_qs, Outcome::server_error},
        {u"stream_error"_qs, Outcome::server_error},
        {u"not_streamed"_qs, Outcome::not_streamed},
        {u"not_event_stream"_qs, Outcome::not_streamed},
        {u"content_encoding"_qs, Outcome::protocol_error},
        {u"bad_json"_qs, Outcome::protocol_error},
        {u"bad_framing"_qs, Outcome::protocol_error},
        {u"truncated"_qs, Outcome::truncated},
    };
    const QString result = expected.value(u"result").toString();
    if (result == QLatin1String("error")) {
        return outcomeName(kinds.value(expected.value(u"error_kind").toString()));
    }
    return result == QLatin1String("ok") ? outcomeName(Outcome::completed) : result;
}

/// Words by which outcomes with several causes are told apart.
QString causeWord(const QString &error_kind)
{
    static const QHash<QString, QString> words{
        {u"redirect"_qs, u"redirects"_qs},
        {u"http_status"_qs, u"refused"_qs},
        {u"content_encoding"_qs, u"compressed"_qs},
        {u"bad_json"_qs, u"not valid JSON"_qs},
        {u"bad_framing"_qs, u"rules of HTTP"_qs},
        {u"truncated"_qs, u"ended before"_qs},
    };
    return words.value(error_kind);
}

std::optional<qint64> indexOfFirstToken(const ProbeSample &sample)
{
    for (qsizetype i = 0; i < sample.events.size(); ++i) {
        if (sample.events.at(i).token) {
            return i;
        }
    }
    return std::nullopt;
}

/// Only byte by byte does every event have an instant of its own.
std::optional<qint64> indexAt(const ProbeSample &sample, std::optional<qint64> at_ns)
{
    for (qsizetype i = 0; at_ns && i < sample.events.size(); ++i) {
        if (sample.events.at(i).at_ns == *at_ns) {
            return i;
        }
    }
    return std::nullopt;
}

/// Collects what differs from the expectation, in words.
class Differences
{
public:
    template <typename T> void compare(const char *what, const T &got, const T &want)
    {
        if (!(got == want)) {
            found.append(QString::fromLatin1(what));
        }
    }

    QStringList found;
};

void compareOutcome(Differences &out, const Decoded &decoded, const QJsonObject &expected)
{
    const ProbeSample &sample = decoded.sample;
    out.compare("outcome", outcomeName(sample.outcome), outcomeWord(expected));
    const QString kind = expected.value(u"error_kind").toString();
    out.compare("cause", sample.message.contains(causeWord(kind)), true);
    const QString words = expected.value(u"error_message_contains").toString();
    out.compare("message", sample.message.contains(words), true);
    if (expected.contains(u"http_status")) {
        out.compare("status", sample.http_status, expected.value(u"http_status").toInt());
    }
    if (expected.contains(u"retry_after")) {
        out.compare("retry_after", decoded.retry_after, expected.value(u"retry_after").toString().toUtf8());
    }
}

void compareTokens(Differences &out, const Decoded &decoded, const QJsonObject &expected)
{
    const ProbeSample &sample = decoded.sample;
    if (expected.contains(u"text")) {
        out.compare("text", sample.text, expected.value(u"text").toString());
    }
    if (expected.contains(u"text_length")) {
        const qint64 length = expected.value(u"text_length").toInteger();
        out.compare<qint64>("text length", decoded.body.text_length, length);
        out.compare<qint64>("kept text", sample.text.toUcs4().size(), qMin<qint64>(length, 65'536));
    }
    if (expected.contains(u"reasoning")) {
        out.compare("reasoning", sample.reasoning, expected.value(u"reasoning").toString());
    }
    if (expected.contains(u"finish_reason")) {
        out.compare("finish reason", sample.finish_reason, expected.value(u"finish_reason").toString());
    }
    if (expected.contains(u"first_token_event")) {
        out.compare("first token", indexOfFirstToken(sample), number(expected.value(u"first_token_event")));
    }
    if (expected.contains(u"first_content_event")) {
        const bool any = !expected.value(u"first_content_event").isNull();
        out.compare("any content", sample.stamps.first_content_ns.has_value(), any);
    }
}

void compareEvidence(Differences &out, const Decoded &decoded, const QJsonObject &expected)
{
    const Evidence &evidence = decoded.sample.evidence;
    if (expected.contains(u"usage")) {
        const QJsonObject usage = expected.value(u"usage").toObject();
        out.compare("prompt tokens", evidence.prompt_tokens, number(usage.value(u"prompt_tokens")));
        out.compare("completion tokens", evidence.completion_tokens, number(usage.value(u"completion_tokens")));
    }
    if (expected.contains(u"cached_tokens")) {
        out.compare("cached tokens", evidence.cached_tokens, number(expected.value(u"cached_tokens")));
        out.compare("source", evidence.cached_source.isEmpty(), !evidence.cached_tokens.has_value());
    }
    const QJsonValue ttft = expected.value(u"server_ttft_ms");
    out.compare("server ttft", evidence.server_ttft_ms,
        ttft.isDouble() ? std::optional<double>(ttft.toDouble()) : std::nullopt);
}

void compareStream(Differences &out, const Decoded &decoded, const QJsonObject &expected)
{
    if (expected.contains(u"events")) {
        out.compare<qint64>("events", decoded.sample.events.size(), expected.value(u"events").toInteger());
    }
    if (expected.contains(u"comments")) {
        out.compare<qint64>("comments", decoded.body.comments, expected.value(u"comments").toInteger());
    }
    if (expected.contains(u"first_generated_event")) {
        out.compare("first generated", decoded.body.first_generated_event,
            std::optional<int>(expected.value(u"first_generated_event").toInt()));
    }
    if (expected.contains(u"notes")) {
        QStringList notes;
        for (const QJsonValue &note : expected.value(u"notes").toArray()) {
            notes.append(note.toString());
        }
        out.compare("notes", QSet<QString>(decoded.sample.notes.begin(), decoded.sample.notes.end()),
            QSet<QString>(notes.begin(), notes.end()));
    }
}

/// Names of what differs; empty when nothing does.
QString differences(const Decoded &decoded, const QJsonObject &expected)
{
    Differences out;
    compareOutcome(out, decoded, expected);
    compareTokens(out, decoded, expected);
    compareEvidence(out, decoded, expected);
    compareStream(out, decoded, expected);
    return out.found.join(QStringLiteral(", "));
}

/// Everything but the instants.
QString summary(const ProbeSample &sample)
{
    QString out = outcomeName(sample.outcome) + sample.message + sample.details + sample.text + sample.reasoning
        + sample.finish_reason + sample.notes.join(u',') + sample.evidence.cached_source;
    for (const EventStamp &event : sample.events) {
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
    const Decoded bytewise = decodeBytewise(raw);
    QCOMPARE(differences(bytewise, expected), QString());
    if (expected.contains(u"first_content_event")) {
        QCOMPARE(indexAt(bytewise.sample, bytewise.sample.stamps.first_content_ns),
            number(expected.value(u"first_content_event")));
    }
    const Decoded whole = decodeWhole(raw);
    QCOMPARE(differences(whole, expected), QString());
    QCOMPARE(summary(whole.sample), summary(bytewise.sample));
    QRandomGenerator random(20261130);
    for (int i = 0; i < randomDivisions; ++i) {
        const int largest = 1 << random.bounded(1, 16);
        const Decoded pieces = decode(raw, [&] { return random.bounded(1, largest + 1); });
        QCOMPARE(differences(pieces, expected), QString());
        QCOMPARE(summary(pieces.sample), summary(bytewise.sample));
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
    for (const QString &name : leftForLater) {
        QVERIFY(named.contains(name));
    }
}

void TestDecodeStreams::quirks()
{
    QFETCH(const QString, path);
    QFETCH(const QJsonObject, expected);
    const QByteArray raw = contentsOf(path);
    QVERIFY(!raw.isEmpty());
    if (leftForLater.contains(expected.value(u"file").toString())) {
        const Decoded decoded = decodeBytewise(raw);
        QVERIFY2(!differences(decoded, expected).isEmpty(), "passes now: take it off the list");
        QVERIFY(decoded.sample.outcome == Outcome::not_streamed || decoded.sample.outcome == Outcome::no_token);
        QVERIFY(!decoded.sample.message.isEmpty());
        QCOMPARE(summary(decodeWhole(raw).sample), summary(decoded.sample));
        return;
    }
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
    const auto first_token = decodeBytewise(raw).sample.stamps.first_token_ns;
    if (data_end == dispatch) { // unterminated: it shows only after the end
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
        const ProbeSample whole = decodeWhole(bytes).sample;
        QCOMPARE(summary(decodeBytewise(bytes).sample), summary(whole));
        QCOMPARE(summary(decode(bytes, [&] { return random.bounded(1, 40); }).sample), summary(whole));
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
