// SPDX-License-Identifier: GPL-3.0-or-later
// Pasted requests and chat logs: what is read, what becomes of it, what is refused and named. Counts by hand from the
// rules: whole blocks of 16 of the common prefix, whole chunks of 256, at most n - 1 tokens.
#include "prefix/chat_log.h"
#include "prefix/chat_request.h"

#include <QBuffer>
#include <QTest>

using namespace kvlab::prefix;

namespace {

QByteArray request(const QByteArray &system, const QByteArray &user)
{
    return R"({"messages":[{"role":"system","content":")" + system + R"("},{"role":"user","content":")" + user
        + R"("}]})";
}

ReplayResult replay(
    const QByteArray &log, const std::function<bool(int, int)> &goOn = [](int, int) { return true; })
{
    QBuffer buffer;
    buffer.setData(log);
    buffer.open(QIODevice::ReadOnly);
    const Tokenizer tokenizer;
    return replayChatLog(buffer, tokenizer, {}, goOn);
}

} // namespace

class TestChatRequest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void messagesAreRenderedAsTheEngineDoes();
    void fieldsAreRead();
    void orderOfKeysIsKept();
    void badRequestsAreNamed_data();
    void badRequestsAreNamed();
    void plainTextStaysPlain();
    void partsAreFound();
    void reasonsOfRequests_data();
    void reasonsOfRequests();
    void logSavesWhatRepeats();
    void stableFirstOrderSavesMore();
    void brokenLinesAreCountedAndNamed();
    void saltsAreKeptApart();
    void stopsAtOnce();
};

void TestChatRequest::messagesAreRenderedAsTheEngineDoes()
{
    const Tokenizer tokenizer;
    const auto parsed = requestFromPasted(request("Be brief.", "What is a block?"));
    QCOMPARE(int(parsed.messages.size()), 2);
    QVERIFY(renderRequest(parsed, tokenizer).prompt.tokens == applyChatTemplate(tokenizer, parsed.messages));
    const auto bare = requestFromPasted(R"([{"role":"user","content":"Hello"}])");
    QVERIFY(renderRequest(bare, tokenizer).prompt.tokens == applyChatTemplate(tokenizer, bare.messages));
}

void TestChatRequest::fieldsAreRead()
{
    const Tokenizer tokenizer;
    const auto read = requestFromPasted(R"({"body": {"cache_salt": "s1", "tools": [{"name": "a"}], "messages":
        [{"role": "user", "content": [{"type": "text", "text": "look: "}, {"type": "image_url"}]}]}})");
    QCOMPARE(QString::fromStdString(read.keys.salt), QStringLiteral("s1"));
    QCOMPARE(int(read.tools.size()), 1);
    QCOMPARE(QString::fromStdString(read.messages.front().content), QStringLiteral("look: "));
    QCOMPARE(int(read.notes.size()), 1);
    const QString text = renderRequest(read, tokenizer).text();
    QVERIFY(text.startsWith(QStringLiteral("<|im_start|>system\nYou are a helpful assistant.\n\n# Tools")));
    QVERIFY(text.contains(QStringLiteral("{\"name\":\"a\"}")));
}

void TestChatRequest::orderOfKeysIsKept()
{
    const auto read = requestFromPasted(R"({"messages":[{"role":"user","content":"x"}],"tools":[{"z":1,"a":2}]})");
    QCOMPARE(QString::fromStdString(read.tools.front()), QStringLiteral("{\"z\":1,\"a\":2}"));
}

void TestChatRequest::badRequestsAreNamed_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("named");
    QTest::newRow("cut off") << QByteArray(R"({"messages": [)") << QStringLiteral("no JSON from character");
    QTest::newRow("empty list") << QByteArray(R"({"messages": []})") << QStringLiteral("empty");
    QTest::newRow("no role") << QByteArray(R"({"messages": [{"content": "x"}]})") << QStringLiteral("Message 1");
    QTest::newRow("nothing") << QByteArray(R"({"model": "x"})") << QStringLiteral("neither");
    QTest::newRow("a number") << QByteArray("7") << QStringLiteral("no request");
    QTest::newRow("too deep") << QByteArray(200'000, '[') << QStringLiteral("deeply");
    QTest::newRow("not UTF-8 is text") << QByteArray("\"\xff") << QStringLiteral("no JSON");
}

void TestChatRequest::badRequestsAreNamed()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, named);
    const auto parsed = parseChatRequest(json);
    const QString *problem = std::get_if<QString>(&parsed);
    QVERIFY(problem);
    QVERIFY2(problem->contains(named), qPrintable(*problem));
}

void TestChatRequest::plainTextStaysPlain()
{
    const Tokenizer tokenizer;
    const auto plain = requestFromPasted("  Hello, world.");
    QVERIFY(plain.messages.empty() && plain.notes.isEmpty());
    QCOMPARE(renderRequest(plain, tokenizer).text(), QStringLiteral("  Hello, world."));
    const auto looksLikeJson = requestFromPasted("{not json");
    QCOMPARE(QString::fromStdString(looksLikeJson.prompt), QStringLiteral("{not json"));
    QCOMPARE(int(looksLikeJson.notes.size()), 1);
}

void TestChatRequest::partsAreFound()
{
    const Tokenizer tokenizer;
    const auto read = renderRequest(
        requestFromPasted(R"({"messages":[{"role":"system","content":"Rules."},{"role":"user","content":"Hi"}],
            "tools":[{"name":"lookup"}]})"),
        tokenizer);
    QVERIFY(read.partAt(0)->kind == PromptPart::Kind::message);
    QCOMPARE(read.partAt(0)->message, 1);
    const qsizetype tool = read.text().indexOf(QStringLiteral("lookup"));
    int token = 0;
    while (read.characterOf(token) < tool)
        ++token;
    QVERIFY(read.partAt(token)->kind == PromptPart::Kind::tools);
    QCOMPARE(read.partAt(int(read.prompt.tokens.size()) - 5)->message, 2);
    QCOMPARE(read.characterOf(0), 0);
}

void TestChatRequest::reasonsOfRequests_data()
{
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("second");
    QTest::addColumn<int>("reason");
    const auto row = [](const char *name, const QByteArray &first, const QByteArray &second, MissReason reason) {
        QTest::newRow(name) << first << second << int(reason);
    };
    row("the same", request("Be brief.", "Hi"), request("Be brief.", "Hi"), MissReason::none);
    row("date", request("Today is 2026-03-14. Be brief.", "Hi"), request("Today is 2026-03-15. Be brief.", "Hi"),
        MissReason::timestamp);
    row("white space", request("Be brief.", "Hi"), request("Be  brief.", "Hi"), MissReason::whitespace);
    row("salt", R"({"cache_salt":"a","messages":[{"role":"user","content":"Hi"}]})",
        R"({"cache_salt":"b","messages":[{"role":"user","content":"Hi"}]})", MissReason::salt);
    row("tools", R"({"messages":[{"role":"user","content":"Hi"}],"tools":[{"name":"alpha"},{"name":"beta"}]})",
        R"({"messages":[{"role":"user","content":"Hi"}],"tools":[{"name":"beta"},{"name":"alpha"}]})",
        MissReason::order);
    row("another question", request("Be brief.", "What is a block?"), request("Be brief.", "Who evicts it?"),
        MissReason::text);
}

void TestChatRequest::reasonsOfRequests()
{
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, second);
    QFETCH(int, reason);
    const Tokenizer tokenizer;
    const auto a = renderRequest(requestFromPasted(first), tokenizer);
    const auto b = renderRequest(requestFromPasted(second), tokenizer);
    QCOMPARE(int(forecastHit(a.prompt, b.prompt).reason), reason);
}

void TestChatRequest::logSavesWhatRepeats()
{
    const QByteArray line = request(QByteArray("word ").repeated(700), "Hi") + '\n';
    const auto result = replay(line + line);
    QCOMPARE(result.requests, 2);
    QCOMPARE(result.broken, 0);
    const qint64 n = result.prompt_tokens / 2;
    QVERIFY(n > 512);
    QCOMPARE(result.as_logged.pool, (n - 1) / 16 * 16);
    QCOMPARE(result.as_logged.radix, n - 1);
    QCOMPARE(result.as_logged.slots, n - 1);
    QCOMPARE(result.as_logged.chunks, std::min(n / 256 * 256, n - 1));
    QCOMPARE(result.stable_first.pool, result.as_logged.pool);
}

/// A date in the first line of a long system message spoils every hit; behind it, nothing.
void TestChatRequest::stableFirstOrderSavesMore()
{
    QByteArray log;
    for (const char *day : {"11", "12", "13"}) {
        log += request(QByteArray("It is 2026-03-") + day + "\\n" + QByteArray("rule ").repeated(640),
                   QByteArray("Question of the day ") + day)
            + '\n';
    }
    const auto result = replay(log);
    QCOMPARE(result.requests, 3);
    QVERIFY2(result.as_logged.pool <= 3 * 16, qPrintable(QString::number(result.as_logged.pool)));
    QVERIFY2(result.stable_first.pool >= 2 * 600, qPrintable(QString::number(result.stable_first.pool)));
    // Dates that come twice are no stable part either: lines that more requests have stand before them.
    const auto twice = replay(log + log);
    QVERIFY2(twice.stable_first.pool >= 5 * 600, qPrintable(QString::number(twice.stable_first.pool)));
}

void TestChatRequest::brokenLinesAreCountedAndNamed()
{
    const QByteArray good = request("Be brief.", "Hi") + '\n';
    const auto result = replay(good + "{\"messages\": [\n\n" + good + "no json\n" + good.chopped(1));
    QCOMPARE(result.requests, 3);
    QCOMPARE(result.broken, 2);
    QCOMPARE(result.first_broken[0].line, 2);
    QCOMPARE(result.first_broken[1].line, 5);
    QVERIFY(!result.first_broken[0].why.isEmpty());
    QVERIFY(!result.cut && !result.stopped);
    QCOMPARE(replay({}).requests, 0);
}

void TestChatRequest::saltsAreKeptApart()
{
    QByteArray log;
    for (const char *salt : {"a", "b", "a"}) {
        log += QByteArray(R"({"cache_salt":")") + salt + R"(","messages":[{"role":"user","content":")"
            + QByteArray("word ").repeated(100) + "\"}]}\n";
    }
    const auto result = replay(log);
    const qint64 n = result.prompt_tokens / 3;
    QCOMPARE(result.as_logged.pool, (n - 1) / 16 * 16); // the third finds the first
}

void TestChatRequest::stopsAtOnce()
{
    const QByteArray line = request("Be brief.", "Hi") + '\n';
    const auto result = replay(line.repeated(50), [](int done, int) { return done < 3; });
    QVERIFY(result.stopped);
    QCOMPARE(result.requests, 3);
}

QTEST_APPLESS_MAIN(TestChatRequest)
#include "tst_chat_request.moc"
