// SPDX-License-Identifier: GPL-3.0-or-later
// What untimed answers say, on answers recorded from vLLM and llama.cpp, and the rules of reuse on hits they reported.
#include "experiment/server_answers.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace kvlab::experiment;

namespace {

QByteArray fileContent(const QString &name)
{
    QFile file(QStringLiteral(KVLAB_TEST_DATA "/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The body of a recorded answer that is not chunked.
QByteArray recordedBody(const char *name)
{
    const QByteArray answer = fileContent(QStringLiteral("real-captures/%1.response.http").arg(QLatin1String(name)));
    const qsizetype end = answer.indexOf("\r\n\r\n");
    return end < 0 ? QByteArray() : answer.mid(end + 4);
}

QJsonArray hitVectors(const char *file, const char *key)
{
    return QJsonDocument::fromJson(fileContent(QLatin1String(file))).object().value(QLatin1String(key)).toArray();
}

} // namespace

class TestServerAnswers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rootOfAnAddress_data();
    void rootOfAnAddress();
    void secretsLeaveTheAddress();
    void modelsOfRealServers();
    void damagedModelLists_data();
    void damagedModelLists();
    void tokensOfRealServers();
    void metricsOfRealServers();
    void metricNamesOldAndNew();
    void metricsWithAwkwardLines();
    void errorTexts();
    void reuseAsVllmReported();
    void reuseAsLlamaReported();
};

void TestServerAnswers::rootOfAnAddress_data()
{
    QTest::addColumn<QString>("address");
    QTest::addColumn<QString>("root");
    const QString plain = QStringLiteral("http://127.0.0.1:8000");
    for (const char *ending : {"", "/", "//", "/v1", "/v1/", "/v1//", "/v1/chat/completions", "/v1/chat/completions/"})
        QTest::newRow(ending) << plain + QLatin1String(ending) << plain;
    QTest::newRow("path") << QStringLiteral("https://host/api/v1/") << QStringLiteral("https://host/api");
    QTest::newRow("v1 inside") << QStringLiteral("https://host/v1/api") << QStringLiteral("https://host/v1/api");
}

void TestServerAnswers::rootOfAnAddress()
{
    QFETCH(const QString, address);
    QFETCH(const QString, root);
    const QUrl got = serverRoot(QUrl(address));
    QCOMPARE(got, QUrl(root));
    QCOMPARE(serverUrl(got, QStringLiteral("/v1/models")), QUrl(root + QStringLiteral("/v1/models")));
}

void TestServerAnswers::secretsLeaveTheAddress()
{
    QCOMPARE(serverRoot(QUrl(QStringLiteral("http://me:secret@host:1/v1?key=secret#secret"))),
        QUrl(QStringLiteral("http://host:1")));
}

void TestServerAnswers::modelsOfRealServers()
{
    const auto vllm = parseModels(recordedBody("vllm/models_two_names"));
    QVERIFY(vllm.has_value());
    QCOMPARE(vllm->size(), 2);
    QCOMPARE(vllm->at(0).id, QStringLiteral("qwen2-0.5b-dummy"));
    QCOMPARE(vllm->at(1).id, QStringLiteral("extra-alias"));
    QCOMPARE(vllm->at(0).context_tokens, std::optional<qint64>(4096));
    const auto llama = parseModels(recordedBody("llama.cpp/v1_models"));
    QVERIFY(llama.has_value());
    QCOMPARE(llama->size(), 1);
    QCOMPARE(llama->at(0).id, QStringLiteral("small"));
    QCOMPARE(llama->at(0).aliases, QStringList{QStringLiteral("small")});
    QCOMPARE(llama->at(0).context_tokens, std::optional<qint64>(4096));
}

void TestServerAnswers::damagedModelLists_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("models"); // -1: no list at all
    QTest::newRow("empty") << QByteArray() << -1;
    QTest::newRow("page") << QByteArray("<html>") << -1;
    QTest::newRow("array") << QByteArray("[]") << -1;
    QTest::newRow("data is text") << QByteArray(R"({"data":"x"})") << -1;
    QTest::newRow("no models") << QByteArray(R"({"data":[]})") << 0;
    QTest::newRow("entries without a name")
        << QByteArray(R"({"data":[1,{},{"id":""},{"id":"a","max_model_len":-5}]})") << 1;
}

void TestServerAnswers::damagedModelLists()
{
    QFETCH(const QByteArray, body);
    QFETCH(const int, models);
    const auto list = parseModels(body);
    QCOMPARE(list.has_value(), models >= 0);
    if (list)
        QCOMPARE(list->size(), models);
    if (models == 1)
        QVERIFY(!list->at(0).context_tokens);
}

void TestServerAnswers::tokensOfRealServers()
{
    const auto vllm = parseTokens(recordedBody("vllm/tokenize_messages"));
    QVERIFY(vllm.has_value());
    QCOMPARE(vllm->size(), 17); // the answer's own count
    QCOMPARE(vllm->first(), 151644);
    const auto llama = parseTokens(recordedBody("llama.cpp/tokenize"));
    QVERIFY(llama.has_value());
    QCOMPARE(llama->first(3), (QList<qint32>{22519, 60, 279}));
    QVERIFY(!parseTokens(R"({"tokens":[]})"));
    QVERIFY(!parseTokens(R"({"tokens":["a"]})"));
    QVERIFY(!parseTokens("nonsense"));
    QCOMPARE(commonPrefix({1, 2, 3}, {1, 2, 4, 5}), 2);
    QCOMPARE(commonPrefix({1, 2}, {1, 2, 4}), 2);
    QCOMPARE(commonPrefix({}, {1}), 0);
}

void TestServerAnswers::metricsOfRealServers()
{
    const ServerMetrics before = parseMetrics(recordedBody("vllm/metrics_1_before"));
    const ServerMetrics after = parseMetrics(recordedBody("vllm/metrics_2_after_cold"));
    QCOMPARE(before.block_size, std::optional<qint64>(32));
    QVERIFY(before.prefix_caching == true);
    QCOMPARE(before.busy, std::optional<qint64>(0));
    QCOMPARE(before.hits, std::optional<qint64>(1632));
    QCOMPARE(before.queries, std::optional<qint64>(4712));
    QCOMPARE(after.hits, std::optional<qint64>(1632)); // one cold request in between
    QCOMPARE(after.queries, std::optional<qint64>(6170));
    const ServerMetrics llama = parseMetrics(recordedBody("llama.cpp/metrics_after"));
    QCOMPARE(llama.busy, std::optional<qint64>(0));
    QVERIFY(!llama.hits && !llama.block_size && !llama.prefix_caching);
}

void TestServerAnswers::metricNamesOldAndNew()
{
    // Old and new names are exposed together for a while: one of them counts, not the sum. Engines add up.
    const ServerMetrics metrics = parseMetrics("vllm:gpu_prefix_cache_hits_total{engine=\"0\"} 70\n"
                                               "vllm:prefix_cache_hits_total{engine=\"0\"} 64\n"
                                               "vllm:prefix_cache_hits_total{engine=\"1\"} 32\n"
                                               "vllm:external_prefix_cache_hits_total 256\n"
                                               "vllm:num_requests_running 1\nvllm:num_requests_waiting 2\n");
    QCOMPARE(metrics.hits, std::optional<qint64>(64 + 32 + 256));
    QCOMPARE(metrics.busy, std::optional<qint64>(3));
    QCOMPARE(parseMetrics("vllm:gpu_prefix_cache_hits 70\n").hits, std::optional<qint64>(70));
    QCOMPARE(parseMetrics("sglang:num_running_reqs{x=\"y\"} 1\nsglang:num_queue_reqs{x=\"y\"} 0\n").busy,
        std::optional<qint64>(1));
}

void TestServerAnswers::metricsWithAwkwardLines()
{
    const ServerMetrics metrics = parseMetrics(
        "\n# HELP x {\nnonsense\nx{\nx{a\nx{a=\"b\nx{a=\"b\"\nx{a=\"b\"}\nvllm:num_requests_running NaN\n"
        "vllm:cache_config_info{a=\"quote \\\" "
        "block_size=\\\"7\\\"\",user_block_size=\"5\",block_size=\"16\",enable_prefix_caching=\"False\"} 1 "
        "1700000000\r\n");
    QCOMPARE(metrics.block_size, std::optional<qint64>(16));
    QVERIFY(metrics.prefix_caching == false);
    QVERIFY(!metrics.busy);
    QVERIFY(!parseMetrics("vllm:cache_config_info{block_size=\"None\"} 1\n").block_size);
}

void TestServerAnswers::errorTexts()
{
    QCOMPARE(errorText(recordedBody("vllm/auth_missing_401")), QStringLiteral("Unauthorized"));
    QVERIFY(
        errorText(recordedBody("llama.cpp/err_too_long")).startsWith(QLatin1String("request (6680 tokens) exceeds")));
    QCOMPARE(errorText(R"({"detail":"Not Found"})"), QStringLiteral("Not Found"));
    QCOMPARE(errorText("<html>"), QString());
    QCOMPARE(errorText(QByteArray(R"({"message":")") + QByteArray(9000, 'x') + "\"}").size(), 500);
}

void TestServerAnswers::reuseAsVllmReported()
{
    const QJsonArray rows = hitVectors("vllm-hit-vectors.json", "prefix_cache");
    QCOMPARE(rows.size(), 70);
    int compared = 0;
    for (const QJsonValue &value : rows) {
        const QJsonObject row = value.toObject();
        // Prompts that go on where an answer ended: the last generated token was never computed, so it is not stored.
        if (row.contains(QStringLiteral("generated_first")))
            continue;
        ++compared;
        const qint64 got = reusableTokens(row.value(QStringLiteral("common_prefix_tokens")).toInteger(),
            row.value(QStringLiteral("n_tokens")).toInteger(), row.value(QStringLiteral("block_size")).toInteger());
        QVERIFY2(
            got == row.value(QStringLiteral("cached_observed")).toInteger(), QJsonDocument(row).toJson().constData());
    }
    QCOMPARE(compared, 58);
}

void TestServerAnswers::reuseAsLlamaReported()
{
    int compared = 0;
    for (const QJsonValue &value : hitVectors("llama-hit-vectors.json", "cached_vectors")) {
        const QJsonObject row = value.toObject();
        if (!row.value(QStringLiteral("prime_tokens")).isDouble())
            continue;
        ++compared;
        const qint64 got = reusableTokens(row.value(QStringLiteral("common_prefix")).toInteger(),
            row.value(QStringLiteral("prompt_tokens")).toInteger(), 1);
        QVERIFY2(got == row.value(QStringLiteral("cached")).toInteger(), QJsonDocument(row).toJson().constData());
    }
    QVERIFY(compared >= 15);
    QCOMPARE(reusableTokens(0, 0, 16), 0);
}

QTEST_APPLESS_MAIN(TestServerAnswers)
#include "tst_server_answers.moc"
