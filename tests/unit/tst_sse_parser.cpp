// SPDX-License-Identifier: GPL-3.0-or-later
// Rules of WHATWG HTML, "Server-sent events" (its own examples among them), each in every division into two pieces and
// byte by byte.
#include "probe/sse_parser.h"

#include <QTest>

using namespace kvlab::probe;

namespace {

struct Seen
{
    QStringList events;
    qint64 comments = 0;
    bool tail = false;
};

QString written(const SseEvent &event)
{
    const auto text = [](const QByteArray &bytes) { return QString::fromUtf8(bytes.toPercentEncoding(" ", {}, '~')); };
    QString out = text(event.type) + u'|' + text(event.data) + u'|' + text(event.last_id);
    if (event.error_field) {
        out += QStringLiteral("|error=") + text(*event.error_field);
    }
    return event.unterminated ? out + QStringLiteral("|unterminated") : out;
}

Seen parsed(const QList<QByteArray> &pieces)
{
    SseParser parser;
    QList<SseEvent> events;
    for (const QByteArray &piece : pieces) {
        events += parser.feed(piece);
    }
    events += parser.finish();
    Seen seen{{}, parser.comments(), parser.hadUnterminatedTail()};
    for (const SseEvent &event : events) {
        seen.events.append(written(event));
    }
    return seen;
}

QList<QByteArray> bytewise(const QByteArray &stream)
{
    QList<QByteArray> pieces;
    for (const char byte : stream) {
        pieces.append(QByteArray(1, byte));
    }
    return pieces;
}

} // namespace

class TestSseParser : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rules_data();
    void rules();
    void loneCrCompletesAtOnce();
    void blankLineCompletesAtOnce();
    void severalEventsInOneRead();
    void longLine();
    void lineLimit();
    void eventLimit();
    void nothingAfterTheEnd();
};

void TestSseParser::rules_data()
{
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<QStringList>("events"); // type|data|id, percent signs written as ~
    QTest::addColumn<int>("comments");
    const auto row = [](const char *name, const QByteArray &stream, const QByteArrayList &events, int comments = 0) {
        QStringList expected;
        for (const QByteArray &event : events) {
            expected.append(QString::fromUtf8(event));
        }
        QTest::newRow(name) << stream << expected << comments;
    };
    row("standard: several data lines", "data: YHOO\ndata: +2\ndata: 10\n\n", {"|YHOO~0A~2B2~0A10|"});
    row("standard: comment, ids, spaces",
        ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
        {"|first event|1", "|second event|", "| third event|"}, 1);
    row("standard: data without colon", "data\n\ndata\ndata\n\ndata:", {"||", "|~0A|", "|||unterminated"});
    row("standard: space after the colon is optional", "data:test\n\ndata: test\n\n", {"|test|", "|test|"});
    row("LF", "data: a\n\ndata: b\n\n", {"|a|", "|b|"});
    row("CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", {"|a|", "|b|"});
    row("CR", "data: a\r\rdata: b\r\r", {"|a|", "|b|"});
    row("mixed", "data: a\r\n\ndata: b\r\r\ndata: c\n\r\n", {"|a|", "|b|", "|c|"});
    row("CRLF between two data lines", "data: a\r\ndata: b\r\n\r\n", {"|a~0Ab|"});
    row("byte order mark",
        "\xef\xbb\xbf"
        "data: a\n\n",
        {"|a|"});
    row("two byte order marks",
        "\xef\xbb\xbf\xef\xbb\xbf"
        "data: a\n\n",
        {});
    row("byte order mark later is data",
        "data: \xef\xbb\xbf\n\n\xef\xbb\xbf"
        "data: a\n\n",
        {"|~EF~BB~BF|"});
    row("only a byte order mark", "\xef\xbb\xbf", {});
    row("comments only", ":\n\n: ping\n\n:x\n", {}, 3);
    row("comment inside an event", "data: a\n: c\ndata: b\n\n", {"|a~0Ab|"}, 1);
    row("one space only is dropped", "data:  a\ndata:\tb\n\n", {"| a~0A~09b|"});
    row("colon in the value", "data: a: b:c\n\n", {"|a~3A b~3Ac|"});
    row("event type", "event: ping\ndata: a\n\ndata: b\n\n", {"ping|a|", "|b|"});
    row("event type without data is forgotten", "event: ping\n\ndata: b\n\n", {"|b|"});
    row("id stays", "id: 7\ndata: a\n\ndata: b\n\nid: 8\n\ndata: c\n\n", {"|a|7", "|b|7", "|c|8"});
    row("NUL in an id", QByteArray("id: 1\nid: a\0b\ndata: a\n\n", 23), {"|a|1"});
    row("unknown fields and retry", "retry: 3000\nfoo: bar\nDATA: x\n data: y\ndata: a\n\n", {"|a|"});
    row("empty data", "data:\n\n", {"||"});
    row("error field", "error: {\"code\":500}\n\n", {"|||error=~7B~22code~22~3A500~7D"});
    row("characters of several bytes", "data: 你好\n\n", {"|~E4~BD~A0~E5~A5~BD|"});
    row("invalid UTF-8 is passed on",
        "data: a\xff"
        "b\n\n",
        {"|a~FFb|"});
    row("end after a data line", "data: a\n\ndata: b\n", {"|a|", "|b||unterminated"});
    row("end inside a line", "data: a\n\ndata: b", {"|a|", "|b||unterminated"});
    row("end inside a field name", "data: a\n\nda", {"|a|"});
    row("end after CR", "data: a\r", {"|a||unterminated"});
    row("end inside a comment", "data: a\n\n: x", {"|a|"}, 1);
    row("empty", "", {});
}

void TestSseParser::rules()
{
    QFETCH(const QByteArray, stream);
    QFETCH(const QStringList, events);
    QFETCH(const int, comments);
    QCOMPARE(parsed({stream}).events, events);
    QCOMPARE(parsed({stream}).comments, comments);
    const bool blank_end = stream.endsWith('\n') || stream.endsWith('\r') || stream.isEmpty();
    QCOMPARE(parsed({stream}).tail, !blank_end || (!events.isEmpty() && events.last().endsWith(u"|unterminated")));
    QCOMPARE(parsed(bytewise(stream)).events, events);
    for (qsizetype at = 0; at <= stream.size(); ++at) {
        const Seen seen = parsed({stream.first(at), stream.sliced(at)});
        QCOMPARE(seen.events, events);
        QCOMPARE(seen.comments, comments);
    }
}

/// Waiting for a possible LF would put the time stamp of the next read on this event.
void TestSseParser::loneCrCompletesAtOnce()
{
    SseParser parser;
    QCOMPARE(parser.feed("data: a\r").size(), 0);
    QCOMPARE(parser.feed("\r").size(), 1);
    QCOMPARE(parser.feed("\n").size(), 0);
    QCOMPARE(parser.feed("data: b\r\n\r").size(), 1);
}

void TestSseParser::blankLineCompletesAtOnce()
{
    SseParser parser;
    QCOMPARE(parser.feed("data: a\n").size(), 0);
    QCOMPARE(parser.feed("\n").size(), 1);
}

void TestSseParser::severalEventsInOneRead()
{
    SseParser parser;
    QCOMPARE(parser.feed("data: a\n\ndata: b\n\ndata: c\n\ndata: d\n").size(), 3);
}

void TestSseParser::longLine()
{
    const QByteArray text(10'000'000, 'x');
    SseParser parser;
    QList<SseEvent> events;
    const QByteArray stream = "data: " + text + "\n\n";
    for (qsizetype at = 0; at < stream.size(); at += 1'448) {
        events += parser.feed(QByteArrayView(stream).sliced(at, qMin<qsizetype>(1'448, stream.size() - at)));
    }
    QCOMPARE(events.size(), 1);
    QVERIFY(events.first().data == text);
    QVERIFY(!parser.failed());
}

void TestSseParser::lineLimit()
{
    const QByteArray longest(SseParser::maxLineBytes, ':');
    SseParser fits;
    fits.feed(longest + "\ndata: a\n\n");
    QVERIFY(!fits.failed());
    QCOMPARE(fits.comments(), 1);

    SseParser whole;
    QCOMPARE(whole.feed("data: a\n\n" + longest + ":\ndata: b\n\n").size(), 1);
    QVERIFY(whole.failed());
    SseParser pieces;
    pieces.feed(longest);
    QVERIFY(!pieces.failed());
    pieces.feed(":");
    QVERIFY(pieces.failed());
    QCOMPARE(pieces.feed("\ndata: b\n\n").size(), 0);
    QCOMPARE(pieces.finish().size(), 0);
}

void TestSseParser::eventLimit()
{
    const QByteArray line = "data: " + QByteArray(1'000'000, 'x') + "\n";
    SseParser parser;
    for (int i = 0; i < 16; ++i) {
        parser.feed(line);
    }
    QVERIFY(!parser.failed());
    parser.feed(line);
    QVERIFY(parser.failed());
}

void TestSseParser::nothingAfterTheEnd()
{
    SseParser parser;
    parser.feed("data: a\n\n");
    QCOMPARE(parser.finish().size(), 0);
    QCOMPARE(parser.feed("data: b\n\n").size(), 0);
    QCOMPARE(parser.finish().size(), 0);
}

QTEST_GUILESS_MAIN(TestSseParser)
#include "tst_sse_parser.moc"
