// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes of streamed chunks as the servers' own documentation and public issue threads show them.
#include "probe/chat_decoder.h"

#include <QTest>

using namespace kvlab::probe;

namespace {

ChatEvent decoded(const QByteArray &data, const QByteArray &type = {})
{
    SseEvent event;
    event.data = data;
    event.type = type;
    return decodeChatEvent(event);
}

QByteArray delta(const QByteArray &inside)
{
    return R"({"choices":[{"index":0,"delta":{)" + inside + "}}]}";
}

} // namespace

class TestChatDecoder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tokens_data();
    void tokens();
    void evidence_data();
    void evidence();
    void faults_data();
    void faults();
    void done_data();
    void done();
    void malformed_data();
    void malformed();
    void emptyData();
    void finishReason();
    void halfSurrogatesJoin();
    void errorTexts_data();
    void errorTexts();
    void errorTextIsBounded();
};

void TestChatDecoder::tokens_data()
{
    QTest::addColumn<QByteArray>("data");
    QTest::addColumn<QString>("content");
    QTest::addColumn<QString>("reasoning");
    QTest::addColumn<bool>("token");
    const auto row = [](const char *name, const QByteArray &data, const QString &content, const QString &reasoning,
                         bool token) { QTest::newRow(name) << data << content << reasoning << token; };
    const QString none;
    row("content", delta(R"("content":"Hi")"), u"Hi"_qs, none, true);
    row("one space is a token", delta(R"("content":" ")"), u" "_qs, none, true);
    row("role only", delta(R"("role":"assistant","content":"")"), none, none, false);
    row("role, null", delta(R"("role":"assistant","content":null)"), none, none, false);
    row("role and content", delta(R"("role":"assistant","content":"Hi")"), u"Hi"_qs, none, true);
    row("reasoning_content", delta(R"("reasoning_content":"Hm","content":null)"), none, u"Hm"_qs, true);
    row("reasoning", delta(R"("reasoning":"Hm")"), none, u"Hm"_qs, true);
    row("both names", delta(R"("reasoning":"Hm","reasoning_content":"Hm")"), none, u"Hm"_qs, true);
    row("empty reasoning", delta(R"("reasoning_content":"")"), none, none, false);
    row("tool call name", delta(R"("tool_calls":[{"index":0,"function":{"name":"f","arguments":""}}])"), none, none,
        true);
    row("tool call arguments", delta(R"("tool_calls":[{"index":0,"function":{"arguments":"{"}}])"), none, none, true);
    row("empty tool call", delta(R"("tool_calls":[{"index":0,"id":"c","function":{"name":"","arguments":""}}])"), none,
        none, false);
    row("refusal", delta(R"("refusal":"no")"), none, none, true);
    row("completions", R"({"choices":[{"index":0,"text":"Once"}]})", u"Once"_qs, none, true);
    row("completions, empty", R"({"choices":[{"index":0,"text":""}]})", none, none, false);
    row("TGI", R"({"token":{"id":9,"text":"Once","special":false}})", u"Once"_qs, none, true);
    row("TGI, special", R"({"token":{"id":2,"text":"</s>","special":true}})", none, none, false);
    row("no choices", R"({"id":"x"})", none, none, false);
    row("empty choices", R"({"choices":[],"prompt_filter_results":[]})", none, none, false);
    row("null choices", R"({"choices":null})", none, none, false);
    row("choices of another type", R"({"choices":["x"]})", none, none, false);
    row("no delta", R"({"choices":[{"finish_reason":"stop"}]})", none, none, false);
    row("content of another type", delta(R"("content":["a"])"), none, none, false);
    row("prompt progress", R"({"choices":[],"prompt_progress":{"total":9,"cache":4,"processed":5,"time_ms":1}})", none,
        none, false);
    row("invalid UTF-8",
        delta("\"content\":\"a\xff"
              "b\""),
        u"a\ufffd"
        "b"_qs,
        none, true);
}

void TestChatDecoder::tokens()
{
    QFETCH(const QByteArray, data);
    const ChatEvent event = decoded(data);
    QTEST(event.content, "content");
    QTEST(event.reasoning, "reasoning");
    QTEST(event.isToken(), "token");
    QVERIFY(!event.fault && !event.done && !event.empty);
    QCOMPARE(event.malformed, QString());
    QCOMPARE(event.prompt_progress, data.contains("prompt_progress"));
}

void TestChatDecoder::evidence_data()
{
    QTest::addColumn<QByteArray>("data");
    QTest::addColumn<std::optional<qint64>>("prompt");
    QTest::addColumn<std::optional<qint64>>("completion");
    QTest::addColumn<std::optional<qint64>>("cached");
    QTest::addColumn<QString>("source");
    QTest::addColumn<std::optional<double>>("ttft");
    using Count = std::optional<qint64>;
    using Time = std::optional<double>;
    const QString details = QStringLiteral("usage.prompt_tokens_details.cached_tokens");
    const auto usage = [](const QByteArray &inside) { return R"({"choices":[],"usage":{)" + inside + "}}"; };
    const QByteArray counts = R"("prompt_tokens":42,"completion_tokens":2)";
    QTest::newRow("hit") << usage(counts + R"(,"prompt_tokens_details":{"cached_tokens":32})") << Count(42) << Count(2)
                         << Count(32) << details << Time();
    QTest::newRow("explicit zero") << usage(counts + R"(,"prompt_tokens_details":{"cached_tokens":0})") << Count(42)
                                   << Count(2) << Count(0) << details << Time();
    QTest::newRow("details null") << usage(counts + R"(,"prompt_tokens_details":null)") << Count(42) << Count(2)
                                  << Count() << QString() << Time();
    QTest::newRow("count null") << usage(counts + R"(,"prompt_tokens_details":{"cached_tokens":null})") << Count(42)
                                << Count(2) << Count() << QString() << Time();
    QTest::newRow("no details") << usage(counts) << Count(42) << Count(2) << Count() << QString() << Time();
    QTest::newRow("DeepSeek") << usage(counts + R"(,"prompt_cache_hit_tokens":64,"prompt_cache_miss_tokens":36)")
                              << Count(42) << Count(2) << Count(64) << u"usage.prompt_cache_hit_tokens"_qs << Time();
    QTest::newRow("usage null") << QByteArray(R"({"choices":[],"usage":null})") << Count() << Count() << Count()
                                << QString() << Time();
    QTest::newRow("usage empty") << usage({}) << Count() << Count() << Count() << QString() << Time();
    QTest::newRow("nonsense counts") << usage(R"("prompt_tokens":-1,"completion_tokens":1.5)") << Count() << Count()
                                     << Count() << QString() << Time();
    QTest::newRow("counts as text") << usage(R"("prompt_tokens":"42")") << Count() << Count() << Count() << QString()
                                    << Time();
    QTest::newRow("llama.cpp timings") << QByteArray(
        R"({"choices":[],"timings":{"cache_n":1000,"prompt_n":24,"prompt_ms":31.5}})")
                                       << Count() << Count() << Count(1000) << u"timings.cache_n"_qs << Time();
    QTest::newRow("vLLM metrics") << QByteArray(R"({"choices":[],"metrics":{"time_to_first_token_ms":21.75}})")
                                  << Count() << Count() << Count() << QString() << Time(21.75);
}

void TestChatDecoder::evidence()
{
    QFETCH(const QByteArray, data);
    const ChatEvent event = decoded(data);
    QFETCH(const std::optional<qint64>, prompt);
    QFETCH(const std::optional<qint64>, completion);
    QFETCH(const std::optional<qint64>, cached);
    QFETCH(const std::optional<double>, ttft);
    QVERIFY(event.prompt_tokens == prompt);
    QVERIFY(event.completion_tokens == completion);
    QVERIFY(event.cached_tokens == cached);
    QTEST(event.cached_source, "source");
    QVERIFY(event.server_ttft_ms == ttft);
    QVERIFY(!event.isToken());
}

void TestChatDecoder::faults_data()
{
    QTest::addColumn<QByteArray>("data");
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, const QByteArray &data, const QByteArray &type, const QString &message) {
        QTest::newRow(name) << data << type << message;
    };
    row("error object", R"({"error":{"message":"engine died","code":500}})", "", u"engine died"_qs);
    row("error text", R"({"error":"engine died"})", "", u"engine died"_qs);
    row("error without words", R"({"error":{"code":500}})", "", QString());
    row("old vLLM", R"({"object":"error","message":"too long","code":400})", "", u"too long"_qs);
    row("event: error, object", R"({"message":"overloaded"})", "error", u"overloaded"_qs);
    row("event: error, plain text", "overloaded", "error", u"overloaded"_qs);
    row("error with choices",
        R"({"choices":[{"delta":{"content":""},"finish_reason":"error"}],"error":{"message":"x"}})", "", u"x"_qs);
}

void TestChatDecoder::faults()
{
    QFETCH(const QByteArray, data);
    QFETCH(const QByteArray, type);
    const ChatEvent event = decoded(data, type);
    QVERIFY(event.fault);
    QTEST(event.fault->message, "message");
    QCOMPARE(event.fault->raw, data);

    SseEvent field; // "error: …", a line no standard knows
    field.error_field = R"({"code":500,"message":"context size has been exceeded"})";
    QCOMPARE(decodeChatEvent(field).fault->message, QStringLiteral("context size has been exceeded"));
    QVERIFY(!decoded(R"({"choices":[],"error":null})").fault);
}

void TestChatDecoder::done_data()
{
    QTest::addColumn<QByteArray>("data");
    QTest::addColumn<bool>("done");
    QTest::newRow("plain") << QByteArray("[DONE]") << true;
    QTest::newRow("with blanks") << QByteArray(" [DONE] \r") << true;
    QTest::newRow("other case") << QByteArray("[done]") << false;
}

void TestChatDecoder::done()
{
    QFETCH(const QByteArray, data);
    QTEST(decoded(data).done, "done");
}

void TestChatDecoder::malformed_data()
{
    QTest::addColumn<QByteArray>("data");
    QTest::newRow("cut off") << QByteArray(R"({"choices":[{"delta":)");
    QTest::newRow("not JSON") << QByteArray("hello");
    QTest::newRow("array") << QByteArray("[1]");
    QTest::newRow("number") << QByteArray("1");
    QTest::newRow("raw NUL") << delta(QByteArray("\"content\":\"a\0b\"", 15));
    QTest::newRow("too deep") << QByteArray(5'000, '[');
}

void TestChatDecoder::malformed()
{
    QFETCH(const QByteArray, data);
    const ChatEvent event = decoded(data);
    QVERIFY(!event.malformed.isEmpty());
    QVERIFY(!event.isToken() && !event.fault && !event.done);
}

void TestChatDecoder::emptyData()
{
    QVERIFY(decoded("").empty);
    QVERIFY(decoded(" \n").empty);
    QVERIFY(!decoded("{}").empty);
    QCOMPARE(decoded("{}").malformed, QString());
}

void TestChatDecoder::finishReason()
{
    QCOMPARE(decoded(R"({"choices":[{"delta":{},"finish_reason":"length"}]})").finish_reason, QStringLiteral("length"));
    QCOMPARE(decoded(R"({"choices":[{"delta":{},"finish_reason":null}]})").finish_reason, QString());
    const ChatEvent both = decoded(R"({"choices":[{"delta":{"content":"All of it"},"finish_reason":"stop"}]})");
    QCOMPARE(both.content, QStringLiteral("All of it"));
    QCOMPARE(both.finish_reason, QStringLiteral("stop"));
}

/// Some servers cut between the two halves of a character outside the basic plane.
void TestChatDecoder::halfSurrogatesJoin()
{
    const QString joined
        = decoded(delta(R"("content":"\ud83d")")).content + decoded(delta(R"("content":"\ude00")")).content;
    QCOMPARE(joined, QStringLiteral("😀"));
}

void TestChatDecoder::errorTexts_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("text");
    QTest::newRow("OpenAI") << QByteArray(
        R"({"error":{"message":"The model `x` does not exist.","type":"NotFoundError"}})")
                            << u"The model `x` does not exist."_qs;
    QTest::newRow("Ollama") << QByteArray(R"({"error":"model 'x' not found"})") << u"model 'x' not found"_qs;
    QTest::newRow("message") << QByteArray(R"({"object":"error","message":"no"})") << u"no"_qs;
    QTest::newRow("detail") << QByteArray(R"({"detail":"Not Found"})") << u"Not Found"_qs;
    QTest::newRow("FastAPI 422") << QByteArray(
        R"({"detail":[{"loc":["body","max_tokens"],"msg":"must be positive"},{"loc":["body",0],"msg":"b"}]})")
                                 << u"body.max_tokens: must be positive; body.0: b"_qs;
    QTest::newRow("web page") << QByteArray("<!DOCTYPE html><HTML><head><Title a='b'>\n 502 Bad\r\nGateway </title>")
                              << u"502 Bad Gateway"_qs;
    QTest::newRow("plain text") << QByteArray("\n Internal Server Error \nat line 3") << u"Internal Server Error"_qs;
    QTest::newRow("empty") << QByteArray() << QString();
    QTest::newRow("JSON without words") << QByteArray(R"({"ok":false})") << QString();
}

void TestChatDecoder::errorTexts()
{
    QFETCH(const QByteArray, body);
    QTEST(serverErrorText(body), "text");
}

void TestChatDecoder::errorTextIsBounded()
{
    QCOMPARE(serverErrorText(R"({"error":")" + QByteArray(100'000, 'x') + R"("})").size(), 300);
    QCOMPARE(serverErrorText(QByteArray(100'000, 'x')).size(), 300);
}

QTEST_GUILESS_MAIN(TestChatDecoder)
#include "tst_chat_decoder.moc"
