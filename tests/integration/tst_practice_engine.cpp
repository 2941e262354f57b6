// SPDX-License-Identifier: GPL-3.0-or-later
// The practice engine over HTTP, driven by Qt's client and by raw sockets. Expected shapes: OpenAI's chat interface as
// vLLM serves it (recorded answers: vLLM 0.32); expected hits: floor((n - 1) / block) × block, vLLM's rule.
#include "engine/chat_template.h"
#include "engine/engine_api.h"
#include "engine/engine_server.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QRegularExpression>
#include <QTcpSocket>
#include <QTest>
#include <QTimer>

#include <random>
#include <thread>

using namespace kvlab::engine;

namespace {

constexpr int patienceMs = 60'000;

struct Answer
{
    int status = 0;
    QByteArray body;
    QByteArray type;

    QJsonObject json() const { return QJsonDocument::fromJson(body).object(); }
    QJsonObject error() const { return json().value(QLatin1String("error")).toObject(); }
    QJsonObject usage() const { return json().value(QLatin1String("usage")).toObject(); }
    int cached() const
    {
        return usage()[QLatin1String("prompt_tokens_details")][QLatin1String("cached_tokens")].toInt(-1);
    }
    /// The JSON of every `data:` line but [DONE].
    QList<QJsonObject> events() const
    {
        QList<QJsonObject> list;
        for (const QByteArray &line : body.split('\n')) {
            if (line.startsWith("data: {"))
                list.append(QJsonDocument::fromJson(line.mid(6)).object());
        }
        return list;
    }
};

QJsonObject chat(const QString &system, const QString &user, int maxTokens = 4)
{
    const auto message = [](const char *role, const QString &text) {
        return QJsonObject{{QStringLiteral("role"), QLatin1String(role)}, {QStringLiteral("content"), text}};
    };
    return {{QStringLiteral("messages"), QJsonArray{message("system", system), message("user", user)}},
        {QStringLiteral("max_tokens"), maxTokens}};
}

QJsonObject streaming(QJsonObject request, bool usage = true)
{
    request.insert(QStringLiteral("stream"), true);
    if (usage)
        request.insert(QStringLiteral("stream_options"), QJsonObject{{QStringLiteral("include_usage"), true}});
    return request;
}

/// A server on a free port, in a thread of its own, for as long as the object lives.
class RunningServer
{
public:
    RunningServer(Engine &engine, const Tokenizer &tokenizer, const ServerOptions &options = {})
        : m_server(engine, tokenizer, options)
        , port(m_server.bind())
        , m_thread([this] { m_server.run(); })
    {
    }
    ~RunningServer() { m_server.stop(); }

private:
    EngineServer m_server;

public:
    const int port;

private:
    std::jthread m_thread;
};

} // namespace

class TestPracticeEngine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void modelsSayWhatItIs();
    void streamIsFramedAsVllmDoes();
    void usageOnlyWhenAsked();
    void wholeAnswer();
    void completionsFromTextAndTokens();
    void repeatHitsAllFullBlocks_data();
    void repeatHitsAllFullBlocks();
    void saltsSeparateAndResetForgets();
    void sharedPrefixIsHit();
    void tokenizeAndBack();
    void seedsDecideWhatIsDrawn();
    void answersHoldPrintableTextOnly();
    void longAnswersAreCutAtTheContext();
    void refusals_data();
    void refusals();
    void wrongPathsAndMethods();
    void postWithoutBodyOrLength();
    void mutatedBodiesDoNoHarm();
    void tooLargeBody();
    void apiKey();
    void manyRequestsOnOneConnection();
    void idleConnectionsLeaveRoom();
    void twoAtATime();
    void clientThatLeavesFreesTheEngine_data();
    void clientThatLeavesFreesTheEngine();
    void resetIsRefusedWhileRunning();
    void stopEndsOpenConnections();
    void bindProblems();

private:
    Answer send(const QByteArray &method, const QString &path, const QByteArray &body = {}, int port = 0,
        const QByteArray &key = {}, const QByteArray &type = "application/json");
    Answer post(const QString &path, const QJsonObject &body)
    {
        return send("POST", path, QJsonDocument(body).toJson(QJsonDocument::Compact));
    }
    Answer ask(const QJsonObject &body) { return post(QStringLiteral("/v1/chat/completions"), body); }
    /// Value of one line of /metrics; the name with its labels' start.
    double metric(const QByteArray &name);
    QByteArray rawRequest(const QJsonObject &body) const;

    Tokenizer m_tokenizer;
    std::unique_ptr<Engine> m_engine;
    std::unique_ptr<RunningServer> m_server;
    QNetworkAccessManager m_network;
};

void TestPracticeEngine::initTestCase()
{
    EngineOptions options;
    options.size = EngineSize::small;
    options.threads = 2;
    m_engine = std::make_unique<Engine>(options, m_tokenizer);
    m_server = std::make_unique<RunningServer>(*m_engine, m_tokenizer);
}

void TestPracticeEngine::cleanupTestCase()
{
    m_server.reset();
    m_engine.reset();
}

Answer TestPracticeEngine::send(const QByteArray &method, const QString &path, const QByteArray &body, int port,
    const QByteArray &key, const QByteArray &type)
{
    QUrl url;
    url.setScheme(QStringLiteral("http"));
    url.setHost(QStringLiteral("127.0.0.1"));
    url.setPort(port ? port : m_server->port);
    url.setPath(path);
    QNetworkRequest request(url);
    if (method == "POST")
        request.setHeader(QNetworkRequest::ContentTypeHeader, type);
    if (!key.isEmpty())
        request.setRawHeader("Authorization", "Bearer " + key);
    QNetworkReply *reply = m_network.sendCustomRequest(request, method, body);
    QEventLoop loop;
    connect(reply, &QNetworkReply::finished, &loop, &QEventLoop::quit);
    QTimer::singleShot(patienceMs, &loop, &QEventLoop::quit);
    loop.exec();
    Answer answer{reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(), reply->readAll(),
        reply->rawHeader("Content-Type")};
    reply->abort();
    reply->deleteLater();
    return answer;
}

double TestPracticeEngine::metric(const QByteArray &name)
{
    const Answer answer = send("GET", QStringLiteral("/metrics"));
    for (const QByteArray &line : answer.body.split('\n')) {
        if (line.startsWith(name + '{'))
            return line.mid(line.lastIndexOf(' ') + 1).toDouble();
    }
    return -1;
}

QByteArray TestPracticeEngine::rawRequest(const QJsonObject &body) const
{
    const QByteArray json = QJsonDocument(body).toJson(QJsonDocument::Compact);
    return "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip, deflate, "
           "br\r\nContent-Type: application/json\r\nContent-Length: "
        + QByteArray::number(json.size()) + "\r\n\r\n" + json;
}

void TestPracticeEngine::modelsSayWhatItIs()
{
    const Answer answer = send("GET", QStringLiteral("/v1/models"));
    QCOMPARE(answer.status, 200);
    const QJsonObject card = answer.json().value(QLatin1String("data")).toArray().at(0).toObject();
    QCOMPARE(card.value(QLatin1String("id")).toString(), QStringLiteral("kvlab-practice-small"));
    QCOMPARE(card.value(QLatin1String("object")).toString(), QStringLiteral("model"));
    QCOMPARE(card.value(QLatin1String("max_model_len")).toInt(), 8192);
    QVERIFY(card.value(QLatin1String("description")).toString().contains(QLatin1String("gibberish")));
    QVERIFY(send("GET", QStringLiteral("/health")).body.contains("gibberish"));
    const Answer metrics = send("GET", QStringLiteral("/metrics"));
    QVERIFY(metrics.type.startsWith("text/plain"));
    QVERIFY(metrics.body.contains("block_size=\"16\""));
    QVERIFY(metrics.body.contains("enable_prefix_caching=\"True\""));
}

void TestPracticeEngine::streamIsFramedAsVllmDoes()
{
    QTcpSocket socket;
    socket.connectToHost(QStringLiteral("127.0.0.1"), quint16(m_server->port));
    QVERIFY(socket.waitForConnected(patienceMs));
    socket.write(rawRequest(streaming(chat(QStringLiteral("Framing."), QStringLiteral("什么是GPU?"), 3))));
    QByteArray received;
    while (!received.endsWith("0\r\n\r\n") && socket.waitForReadyRead(patienceMs))
        received += socket.readAll();

    const qsizetype headerEnd = received.indexOf("\r\n\r\n");
    const QByteArray header = received.left(headerEnd).toLower();
    QVERIFY(header.startsWith("http/1.1 200"));
    QVERIFY(header.contains("content-type: text/event-stream"));
    QVERIFY(header.contains("transfer-encoding: chunked"));
    QVERIFY(!header.contains("content-encoding")); // a compressor would hold events back

    // Every chunk is one event: "data: …" and an empty line.
    QList<QByteArray> chunks;
    qsizetype at = headerEnd + 4;
    while (true) {
        const qsizetype lineEnd = received.indexOf("\r\n", at);
        const qsizetype size = received.mid(at, lineEnd - at).toLongLong(nullptr, 16);
        if (size == 0)
            break;
        chunks.append(received.mid(lineEnd + 2, size));
        QVERIFY(chunks.last().startsWith("data: ") && chunks.last().endsWith("\n\n"));
        at = lineEnd + 2 + size + 2;
    }
    // Role, three tokens, usage, [DONE]; the last token carries the finish reason.
    QCOMPARE(chunks.size(), 6);
    QCOMPARE(chunks.at(5), QByteArray("data: [DONE]\n\n"));
    const QList<QJsonObject> events = Answer{200, received, {}}.events();
    QCOMPARE(events.size(), 5);
    const auto choice = [&events](int i) { return events.at(i)[QLatin1String("choices")][0]; };
    QCOMPARE(choice(0)[QLatin1String("delta")].toObject(),
        (QJsonObject{{QStringLiteral("role"), QStringLiteral("assistant")}, {QStringLiteral("content"), QString()}}));
    for (int i = 1; i <= 3; ++i) {
        QVERIFY(!choice(i)[QLatin1String("delta")][QLatin1String("content")].toString().isEmpty());
        QCOMPARE(choice(i)[QLatin1String("finish_reason")],
            i == 3 ? QJsonValue(QStringLiteral("length")) : QJsonValue(QJsonValue::Null));
    }
    QVERIFY(events.at(4)[QLatin1String("choices")].toArray().isEmpty());
    const QJsonValue usage = events.at(4)[QLatin1String("usage")];
    QCOMPARE(usage[QLatin1String("completion_tokens")].toInt(), 3);
    QCOMPARE(usage[QLatin1String("total_tokens")].toInt(), usage[QLatin1String("prompt_tokens")].toInt() + 3);
    // An explicit 0: absent would mean unknown.
    QCOMPARE(usage[QLatin1String("prompt_tokens_details")][QLatin1String("cached_tokens")], QJsonValue(0));
    for (const QJsonObject &event : events) {
        QCOMPARE(event.value(QLatin1String("id")), events.at(0).value(QLatin1String("id")));
        QCOMPARE(event.value(QLatin1String("object")).toString(), QStringLiteral("chat.completion.chunk"));
    }
}

void TestPracticeEngine::usageOnlyWhenAsked()
{
    const Answer answer = ask(streaming(chat(QStringLiteral("No usage."), QStringLiteral("Hello")), false));
    QCOMPARE(answer.status, 200);
    QVERIFY(!answer.body.contains("usage"));
    QCOMPARE(answer.events().size(), 5);
    QVERIFY(answer.body.endsWith("data: [DONE]\n\n"));
}

void TestPracticeEngine::wholeAnswer()
{
    QJsonObject request = chat(QStringLiteral("Whole."), QStringLiteral("Hello"), 5);
    request.insert(QStringLiteral("model"), QStringLiteral("kvlab-practice-small"));
    const Answer answer = ask(request);
    QCOMPARE(answer.status, 200);
    QCOMPARE(answer.json().value(QLatin1String("object")).toString(), QStringLiteral("chat.completion"));
    const QJsonValue choice = answer.json()[QLatin1String("choices")][0];
    QCOMPARE(choice[QLatin1String("message")][QLatin1String("role")].toString(), QStringLiteral("assistant"));
    QVERIFY(!choice[QLatin1String("message")][QLatin1String("content")].toString().isEmpty());
    QCOMPARE(choice[QLatin1String("finish_reason")].toString(), QStringLiteral("length"));
    QCOMPARE(answer.usage().value(QLatin1String("completion_tokens")).toInt(), 5);
    QCOMPARE(answer.cached(), 0);
}

void TestPracticeEngine::completionsFromTextAndTokens()
{
    const Answer text = post(QStringLiteral("/v1/completions"),
        {{QStringLiteral("prompt"), QStringLiteral("The KV cache is")}, {QStringLiteral("max_tokens"), 4}});
    QCOMPARE(text.status, 200);
    QJsonArray ids;
    for (const Token token : m_tokenizer.encode("The KV cache is"))
        ids.append(token);
    QCOMPARE(text.usage().value(QLatin1String("prompt_tokens")).toInt(), int(ids.size()));
    QJsonObject request{{QStringLiteral("prompt"), ids}, {QStringLiteral("max_tokens"), 4}};
    const Answer tokens = post(QStringLiteral("/v1/completions"), request);
    // The same prompt and temperature 0: the same text.
    QCOMPARE(tokens.json()[QLatin1String("choices")][0][QLatin1String("text")],
        text.json()[QLatin1String("choices")][0][QLatin1String("text")]);
    const Answer stream = post(QStringLiteral("/v1/completions"), streaming(request));
    QCOMPARE(stream.events().size(), 5); // four tokens, usage; no role
    QCOMPARE(stream.events().at(0).value(QLatin1String("object")).toString(), QStringLiteral("text_completion"));
}

void TestPracticeEngine::repeatHitsAllFullBlocks_data()
{
    QTest::addColumn<int>("words");
    for (const int words : {1, 11, 12, 13, 14, 27, 28, 29, 100, 1000})
        QTest::addRow("%d words", words) << words;
}

void TestPracticeEngine::repeatHitsAllFullBlocks()
{
    QFETCH(int, words);
    QJsonObject request = chat(QStringLiteral(" river").repeated(words), QStringLiteral("Question %1").arg(words), 2);
    request.insert(QStringLiteral("cache_salt"), QStringLiteral("repeat %1").arg(words));
    const double queries = metric("vllm:prefix_cache_queries_total");
    const double hits = metric("vllm:prefix_cache_hits_total");
    const Answer first = ask(request);
    QCOMPARE(first.cached(), 0);
    const Answer second = ask(request);
    const int prompt = second.usage().value(QLatin1String("prompt_tokens")).toInt();
    QCOMPARE(prompt, first.usage().value(QLatin1String("prompt_tokens")).toInt());
    QCOMPARE(second.cached(), (prompt - 1) / 16 * 16);
    QCOMPARE(metric("vllm:prefix_cache_queries_total") - queries, 2.0 * prompt);
    QCOMPARE(metric("vllm:prefix_cache_hits_total") - hits, double(second.cached()));
    QCOMPARE(second.json()[QLatin1String("choices")], first.json()[QLatin1String("choices")]);
}

void TestPracticeEngine::saltsSeparateAndResetForgets()
{
    QJsonObject request = chat(QStringLiteral("A salted prompt. ").repeated(20), QStringLiteral("Hello"));
    request.insert(QStringLiteral("cache_salt"), QStringLiteral("a"));
    QCOMPARE(ask(request).cached(), 0);
    const int warm = ask(request).cached();
    QVERIFY(warm > 0);
    request.insert(QStringLiteral("cache_salt"), QStringLiteral("b"));
    QCOMPARE(ask(request).cached(), 0);
    request.remove(QStringLiteral("cache_salt"));
    QCOMPARE(ask(request).cached(), 0);
    QCOMPARE(ask(request).cached(), warm);
    const Answer reset = post(QStringLiteral("/reset_prefix_cache"), {});
    QCOMPARE(reset.status, 200);
    QCOMPARE(reset.json(), (QJsonObject{{QStringLiteral("success"), true}}));
    QCOMPARE(ask(request).cached(), 0);
}

void TestPracticeEngine::sharedPrefixIsHit()
{
    const QString document = QStringLiteral("你是AI专家。").repeated(100);
    const auto counted = [this](const QString &system, const QString &user) {
        return applyChatTemplate(m_tokenizer, {{"system", system.toStdString()}, {"user", user.toStdString()}});
    };
    const QString first = QStringLiteral("什么是GPU的Tensor Core?");
    const QString second = QStringLiteral("什么是CPU的SIMD指令?");
    const std::vector<Token> a = counted(document, first);
    const std::vector<Token> b = counted(document, second);
    const auto common = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
    QCOMPARE(ask(chat(document, first)).cached(), 0);
    QCOMPARE(ask(chat(document, second)).cached(), int(common) / 16 * 16);
    QVERIFY(common > 400);
}

void TestPracticeEngine::tokenizeAndBack()
{
    const QString text = QStringLiteral("缓存 of <|im_start|> 🙂\n\ttab");
    const Answer tokens = post(QStringLiteral("/tokenize"), {{QStringLiteral("prompt"), text}});
    QCOMPARE(tokens.status, 200);
    const QJsonArray ids = tokens.json().value(QLatin1String("tokens")).toArray();
    QCOMPARE(tokens.json().value(QLatin1String("count")).toInt(), int(ids.size()));
    QCOMPARE(tokens.json().value(QLatin1String("max_model_len")).toInt(), 8192);
    const Answer back = post(QStringLiteral("/detokenize"), {{QStringLiteral("tokens"), ids}});
    QCOMPARE(back.json(), (QJsonObject{{QStringLiteral("prompt"), text}}));

    // What /tokenize says of a chat is what the chat is charged for.
    const QJsonObject request = chat(QStringLiteral("Counted."), text);
    const int count = post(QStringLiteral("/tokenize"), request).json().value(QLatin1String("count")).toInt();
    QCOMPARE(ask(request).usage().value(QLatin1String("prompt_tokens")).toInt(), count);
    QJsonObject closed = request;
    closed.insert(QStringLiteral("add_generation_prompt"), false);
    QCOMPARE(post(QStringLiteral("/tokenize"), closed).json().value(QLatin1String("count")).toInt(), count - 3);
}

void TestPracticeEngine::seedsDecideWhatIsDrawn()
{
    QJsonObject request = chat(QStringLiteral("Draw."), QStringLiteral("Hello"), 12);
    request.insert(QStringLiteral("temperature"), 1.0);
    const auto text = [&](int seed) {
        request.insert(QStringLiteral("seed"), seed);
        return ask(request)
            .json()[QLatin1String("choices")][0][QLatin1String("message")][QLatin1String("content")]
            .toString();
    };
    const QString one = text(1);
    QCOMPARE(text(1), one);
    QVERIFY(text(2) != one);
}

void TestPracticeEngine::answersHoldPrintableTextOnly()
{
    QJsonObject request = streaming(chat(QStringLiteral("Print."), QStringLiteral("Hello"), 300));
    request.insert(QStringLiteral("temperature"), 2.0);
    int seen = 0;
    for (const QJsonObject &event : ask(request).events()) {
        const QString text
            = event[QLatin1String("choices")][0][QLatin1String("delta")][QLatin1String("content")].toString();
        seen += text.isEmpty() ? 0 : 1;
        QVERIFY(!text.contains(QChar::ReplacementCharacter));
        QVERIFY(!text.contains(QLatin1String("<|")));
        for (const QChar character : text)
            QVERIFY(character.category() != QChar::Other_Control);
    }
    QCOMPARE(seen, 300); // no token arrives as empty text
}

void TestPracticeEngine::longAnswersAreCutAtTheContext()
{
    // 8,180 tokens of prompt leave room for 12 of the 4,000 asked for; vLLM clamps silently too.
    const ApiContext context{m_tokenizer, "kvlab-practice-small"};
    QJsonArray ids;
    for (int i = 0; i < 8180; ++i)
        ids.append(300);
    const auto parse = [&context, &ids] {
        return parseCompletion(
            QJsonDocument(QJsonObject{{QStringLiteral("prompt"), ids}, {QStringLiteral("max_tokens"), 4000}}).toJson(),
            false, context);
    };
    const auto clamped = parse();
    QVERIFY(std::holds_alternative<CompletionRequest>(clamped));
    QCOMPARE(std::get<CompletionRequest>(clamped).generate.max_tokens, 12);
    for (int i = 8180; i < 8191; ++i)
        ids.append(300);
    QCOMPARE(std::get<CompletionRequest>(parse()).generate.max_tokens, 1);
    ids.append(300); // no room for a single new token
    QCOMPARE(std::get<ApiError>(parse()).status, 400);
}

void TestPracticeEngine::refusals_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, const char *body, int status, const char *says) {
        QTest::newRow(name) << QByteArray(body) << status << QString::fromUtf8(says);
    };
    const QByteArray m = R"("messages":[{"role":"user","content":"x"}])";
    const auto with = [&m](const char *field) { return QByteArray("{" + m + "," + field + "}"); };
    row("empty body", "", 400, "JSON");
    row("cut JSON", R"({"messages":[)", 400, "JSON");
    row("not an object", "[1,2]", 400, "object");
    row("not UTF-8", "{\"messages\":\"\xff\"}", 400, "JSON");
    row("no messages", "{}", 400, "messages");
    row("empty messages", R"({"messages":[]})", 400, "messages");
    row("messages are text", R"({"messages":"hi"})", 400, "messages");
    row("message is a number", R"({"messages":[1]})", 400, "role");
    row("unknown role", R"({"messages":[{"role":"robot","content":"x"}]})", 400, "role");
    row("content is a number", R"({"messages":[{"role":"user","content":5}]})", 400, "content");
    row("content is a picture", R"({"messages":[{"role":"user","content":[{"type":"image_url"}]}]})", 400, "text");
    QTest::newRow("unknown model") << with(R"("model":"gpt")") << 404
                                   << QStringLiteral("The model `gpt` does not exist.");
    QTest::newRow("model is a number") << with(R"("model":3)") << 400 << QStringLiteral("model");
    QTest::newRow("max_tokens 0") << with(R"("max_tokens":0)") << 400 << QStringLiteral("max_tokens");
    QTest::newRow("max_tokens -1") << with(R"("max_tokens":-1)") << 400 << QStringLiteral("max_tokens");
    QTest::newRow("max_tokens half") << with(R"("max_tokens":1.5)") << 400 << QStringLiteral("max_tokens");
    QTest::newRow("max_tokens huge") << with(R"("max_tokens":1e300)") << 400 << QStringLiteral("max_tokens");
    QTest::newRow("max_tokens text") << with(R"("max_completion_tokens":"5")") << 400
                                     << QStringLiteral("max_completion_tokens");
    QTest::newRow("temperature -1") << with(R"("temperature":-1)") << 400 << QStringLiteral("temperature");
    QTest::newRow("temperature text") << with(R"("temperature":"hot")") << 400 << QStringLiteral("temperature");
    QTest::newRow("two answers") << with(R"("n":2)") << 400 << QStringLiteral("n must be 1");
    QTest::newRow("stop text") << with(R"("stop":"x")") << 400 << QStringLiteral("stop");
    QTest::newRow("stream text") << with(R"("stream":"yes")") << 400 << QStringLiteral("stream");
    QTest::newRow("options without stream")
        << with(R"("stream_options":{"include_usage":true})") << 400 << QStringLiteral("stream");
    QTest::newRow("empty salt") << with(R"("cache_salt":"")") << 400 << QStringLiteral("cache_salt");
    QTest::newRow("salt is a number") << with(R"("cache_salt":7)") << 400 << QStringLiteral("cache_salt");
    QTest::newRow("too long") << QByteArray(
        R"({"messages":[{"role":"user","content":")" + QByteArray(" river").repeated(9000) + R"("}]})")
                              << 400 << QStringLiteral("maximum context length is 8192");
}

void TestPracticeEngine::refusals()
{
    QFETCH(QByteArray, body);
    QFETCH(int, status);
    QFETCH(QString, says);
    const Answer answer = send("POST", QStringLiteral("/v1/chat/completions"), body);
    QCOMPARE(answer.status, status);
    const QJsonObject error = answer.error();
    QVERIFY2(error.value(QLatin1String("message")).toString().contains(says), answer.body.constData());
    QCOMPARE(error.value(QLatin1String("code")).toInt(), status);
    QVERIFY(error.contains(QLatin1String("type")) && error.contains(QLatin1String("param")));
}

void TestPracticeEngine::wrongPathsAndMethods()
{
    QCOMPARE(send("GET", QStringLiteral("/v1/nope")).status, 404);
    QCOMPARE(send("GET", QStringLiteral("/v1/chat/completions")).status, 405);
    QCOMPARE(send("POST", QStringLiteral("/metrics"), "{}").status, 405);
    const Answer answer = send("POST", QStringLiteral("/v1/chat/completions"), "{}", 0, {}, "text/plain");
    QCOMPARE(answer.status, 400);
    QVERIFY(answer.body.contains("application/json"));
    // Unknown fields, an empty model and a tool's turn are accepted, as at vLLM.
    const Answer lenient = send("POST", QStringLiteral("/v1/chat/completions"),
        R"({"model":"","max_tokens":1,"whatever":[1],"top_p":0.5,"messages":[{"role":"assistant","content":null},)"
        R"({"role":"tool","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]})");
    QCOMPARE(lenient.status, 200);
}

/// As `curl -X POST` sends it; the connection stays usable.
void TestPracticeEngine::postWithoutBodyOrLength()
{
    QTcpSocket socket;
    socket.connectToHost(QStringLiteral("127.0.0.1"), quint16(m_server->port));
    QVERIFY(socket.waitForConnected(patienceMs));
    for (int i = 0; i < 2; ++i) {
        socket.write("POST /reset_prefix_cache HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
        QByteArray received;
        while (!received.contains("success") && socket.waitForReadyRead(patienceMs))
            received += socket.readAll();
        QVERIFY2(received.startsWith("HTTP/1.1 200"), received.constData());
        QVERIFY(received.contains("true"));
    }
}

void TestPracticeEngine::mutatedBodiesDoNoHarm()
{
    const QByteArray good = QJsonDocument(streaming(chat(QStringLiteral("Mutate."), QStringLiteral("Hi"), 1)))
                                .toJson(QJsonDocument::Compact);
    std::mt19937 random(11);
    for (int round = 0; round < 120; ++round) {
        QByteArray body = good;
        for (unsigned i = 0; i <= random() % 4; ++i) {
            const auto at = qsizetype(random() % unsigned(body.size()));
            switch (random() % 3) {
            case 0:
                body[at] = char(random() % 256);
                break;
            case 1:
                body.remove(at, random() % 10);
                break;
            default:
                body.insert(at, body.mid(qsizetype(random() % unsigned(body.size())), 6));
            }
            if (body.isEmpty())
                body = "{";
        }
        const QString path = round % 3 ? QStringLiteral("/v1/chat/completions") : QStringLiteral("/tokenize");
        const Answer answer = send("POST", path, body);
        QVERIFY2(answer.status == 200 || answer.status == 400 || answer.status == 404,
            (QByteArray::number(answer.status) + ' ' + body).constData());
    }
    QCOMPARE(send("GET", QStringLiteral("/health")).status, 200);
}

void TestPracticeEngine::tooLargeBody()
{
    const Answer answer = send("POST", QStringLiteral("/v1/chat/completions"), QByteArray(17 * 1024 * 1024, ' '));
    QCOMPARE(answer.status, 413);
    QVERIFY(answer.error().value(QLatin1String("message")).toString().contains(QLatin1String("16 MiB")));
}

void TestPracticeEngine::apiKey()
{
    ServerOptions options;
    options.api_key = "secret-key";
    const RunningServer guarded(*m_engine, m_tokenizer, options);
    const QByteArray body = QJsonDocument(chat(QStringLiteral("Key."), QStringLiteral("Hi"), 1)).toJson();
    for (const QByteArray key : {"", "wrong", "secret-key2"}) {
        const Answer answer = send("POST", QStringLiteral("/v1/chat/completions"), body, guarded.port, key);
        QCOMPARE(answer.status, 401);
        QVERIFY(!answer.body.contains("secret"));
    }
    QCOMPARE(send("GET", QStringLiteral("/v1/models"), {}, guarded.port).status, 401);
    QCOMPARE(send("GET", QStringLiteral("/health"), {}, guarded.port).status, 200);
    QCOMPARE(send("POST", QStringLiteral("/v1/chat/completions"), body, guarded.port, "secret-key").status, 200);
}

void TestPracticeEngine::manyRequestsOnOneConnection()
{
    QTcpSocket socket;
    socket.connectToHost(QStringLiteral("127.0.0.1"), quint16(m_server->port));
    QVERIFY(socket.waitForConnected(patienceMs));
    const QByteArray request = rawRequest(streaming(chat(QStringLiteral("Again."), QStringLiteral("Hi"), 1)));
    for (int i = 0; i < 30; ++i) { // the library's own limit is 5
        socket.write(request);
        QByteArray received;
        while (!received.endsWith("0\r\n\r\n") && socket.waitForReadyRead(patienceMs))
            received += socket.readAll();
        QVERIFY(received.startsWith("HTTP/1.1 200"));
        QVERIFY(!received.toLower().contains("connection: close"));
        QCOMPARE(socket.state(), QAbstractSocket::ConnectedState);
    }
}

void TestPracticeEngine::idleConnectionsLeaveRoom()
{
    // More connections than the server has threads, all idle: a request on a new one is answered nevertheless.
    std::vector<std::unique_ptr<QTcpSocket>> idle;
    for (int i = 0; i < 40; ++i) {
        idle.push_back(std::make_unique<QTcpSocket>());
        idle.back()->connectToHost(QStringLiteral("127.0.0.1"), quint16(m_server->port));
        QVERIFY(idle.back()->waitForConnected(patienceMs));
    }
    QCOMPARE(ask(chat(QStringLiteral("Crowd."), QStringLiteral("Hi"), 1)).status, 200);
}

void TestPracticeEngine::twoAtATime()
{
    const QByteArray request = rawRequest(streaming(chat(QStringLiteral("Two."), QStringLiteral("Hi"), 40)));
    QTcpSocket first;
    QTcpSocket second;
    for (QTcpSocket *socket : {&first, &second}) {
        socket->connectToHost(QStringLiteral("127.0.0.1"), quint16(m_server->port));
        QVERIFY(socket->waitForConnected(patienceMs));
        socket->write(request);
        socket->flush();
    }
    for (QTcpSocket *socket : {&first, &second}) {
        QByteArray received;
        while (!received.endsWith("0\r\n\r\n") && socket->waitForReadyRead(patienceMs))
            received += socket->readAll();
        QCOMPARE(received.count("\"content\":"), 41);
        QVERIFY(received.contains("data: [DONE]"));
    }
}

void TestPracticeEngine::clientThatLeavesFreesTheEngine_data()
{
    QTest::addColumn<bool>("stream");
    QTest::addColumn<bool>("duringPrefill");
    QTest::newRow("stream, while it decodes") << true << false;
    QTest::newRow("stream, during the prefill") << true << true;
    QTest::newRow("whole answer") << false << true;
}

void TestPracticeEngine::clientThatLeavesFreesTheEngine()
{
    QFETCH(bool, stream);
    QFETCH(bool, duringPrefill);
    constexpr int asked = 7000;
    const double before = metric("vllm:generation_tokens_total");
    const int words = duringPrefill ? 1000 : 5; // the engine would then decode 7,000 tokens, for many seconds
    QJsonObject request = chat(QStringLiteral("Leave. ") + QStringLiteral(" river").repeated(words),
        QStringLiteral("%1 %2").arg(stream).arg(duringPrefill), asked);
    QTcpSocket socket;
    socket.connectToHost(QStringLiteral("127.0.0.1"), quint16(m_server->port));
    QVERIFY(socket.waitForConnected(patienceMs));
    socket.write(rawRequest(stream ? streaming(request) : request));
    socket.flush();
    if (duringPrefill) {
        QTRY_COMPARE_WITH_TIMEOUT(m_engine->counters().running, 1, patienceMs);
    } else {
        QByteArray received;
        while (!received.contains("\"content\":\"") && socket.waitForReadyRead(patienceMs))
            received += socket.readAll();
    }
    socket.abort();
    QTRY_COMPARE_WITH_TIMEOUT(m_engine->counters().running, 0, patienceMs);
    QVERIFY(metric("vllm:generation_tokens_total") - before < asked);
    QCOMPARE(ask(chat(QStringLiteral("Next."), QStringLiteral("Hi"), 1)).status, 200);
}

void TestPracticeEngine::resetIsRefusedWhileRunning()
{
    QTcpSocket socket;
    socket.connectToHost(QStringLiteral("127.0.0.1"), quint16(m_server->port));
    QVERIFY(socket.waitForConnected(patienceMs));
    socket.write(rawRequest(streaming(chat(QStringLiteral("Busy."), QStringLiteral("Hi"), 7000))));
    QVERIFY(socket.waitForReadyRead(patienceMs));
    QTRY_COMPARE_WITH_TIMEOUT(m_engine->counters().running, 1, patienceMs);
    const Answer answer = post(QStringLiteral("/reset_prefix_cache"), {});
    QCOMPARE(answer.status, 200);
    QCOMPARE(answer.json(), (QJsonObject{{QStringLiteral("success"), false}}));
    QCOMPARE(metric("vllm:num_requests_running"), 1.0);
    socket.abort();
    QTRY_COMPARE_WITH_TIMEOUT(m_engine->counters().running, 0, patienceMs);
}

void TestPracticeEngine::stopEndsOpenConnections()
{
    auto server = std::make_unique<RunningServer>(*m_engine, m_tokenizer);
    QTcpSocket idle;
    idle.connectToHost(QStringLiteral("127.0.0.1"), quint16(server->port));
    QVERIFY(idle.waitForConnected(patienceMs));
    QTcpSocket busy;
    busy.connectToHost(QStringLiteral("127.0.0.1"), quint16(server->port));
    QVERIFY(busy.waitForConnected(patienceMs));
    busy.write(rawRequest(streaming(chat(QStringLiteral("Stop."), QStringLiteral("Hi"), 7000))));
    QVERIFY(busy.waitForReadyRead(patienceMs));
    QElapsedTimer timer;
    timer.start();
    server.reset(); // joins the thread of run()
    QVERIFY2(timer.elapsed() < 20'000, "the idle limit of a connection, 60 s, must not delay the stop");
    QVERIFY(idle.state() == QAbstractSocket::UnconnectedState || idle.waitForDisconnected(patienceMs));
    QCOMPARE(m_engine->counters().running, 0);
    // The stream ends without the mark of a complete answer.
    QByteArray received;
    while (busy.waitForReadyRead(1000))
        received += busy.readAll();
    QVERIFY(!received.contains("[DONE]"));
}

void TestPracticeEngine::bindProblems()
{
    ServerOptions taken;
    taken.port = m_server->port;
    EngineServer second(*m_engine, m_tokenizer, taken);
    try {
        second.bind();
        QFAIL("two servers on one port");
    } catch (const std::runtime_error &error) {
        QVERIFY2(QByteArray(error.what()).contains("another program uses that port"), error.what());
    }
    ServerOptions nowhere;
    nowhere.host = "no-such-host.invalid";
    EngineServer third(*m_engine, m_tokenizer, nowhere);
    try {
        third.bind();
        QFAIL("an unknown host");
    } catch (const std::runtime_error &error) {
        QVERIFY2(QByteArray(error.what()).contains("no-such-host.invalid"), error.what());
    }
}

QTEST_GUILESS_MAIN(TestPracticeEngine)
#include "tst_practice_engine.moc"
