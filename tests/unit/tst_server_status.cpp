// SPDX-License-Identifier: GPL-3.0-or-later
// What real servers' /metrics pages say, against what a person reads in the captured files.
#include "servers/server_status.h"

#include <QFile>
#include <QTest>

using namespace kvlab::servers;

namespace {

QByteArray captured(const QString &name)
{
    QFile file(QStringLiteral(KVLAB_TEST_DATA "/real-captures/") + name + QStringLiteral(".response.http"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

ServerStatus statusOf(const QByteArray &metrics)
{
    ServerStatus status;
    readMetrics(metrics, status);
    return status;
}

} // namespace

class TestServerStatus : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void vllm();
    void oneRequestBetweenTwoReadings();
    void llama();
    void sglang();
    void severalEnginesAreAddedUp();
    void absentIsNotZero();
    void restartGivesNoDifference();
    void models();
};

void TestServerStatus::vllm()
{
    const ServerStatus status = statusOf(captured(QStringLiteral("vllm/metrics_3_after_cached")));
    QCOMPARE(*status.block_size, 32);
    QCOMPARE(*status.pool_blocks, 2730);
    QCOMPARE(*status.pool_tokens, 87'360);
    QCOMPARE(*status.pool_bytes, 2'147'483'648);
    QCOMPARE(*status.prefix_caching, true);
    QCOMPARE(*status.running, 0);
    QCOMPARE(*status.waiting, 0);
    QCOMPARE(*status.usage, 0.0);
    QCOMPARE(status.prefix_cache->queries, 7628);
    QCOMPARE(status.prefix_cache->hits, 3072);
    QCOMPARE(status.external_cache->queries, 0);
    QVERIFY(!status.external_cache->rate());
    // Qwen2 0.5B in float32: 2 × 24 layers × 2 heads × 64 × 4 B = 24,576 B; 2 GiB hold 87,381 tokens, of which whole
    // blocks are 87,360.
    QVERIFY(qAbs(*status.bytesPerToken() - 24'576) < 8);
}

void TestServerStatus::oneRequestBetweenTwoReadings()
{
    // One prompt of 1,458 tokens between each two: cold, then the same again, of which 45 blocks of 32 are found.
    const auto first = statusOf(captured(QStringLiteral("vllm/metrics_1_before"))).prefix_cache;
    const auto second = statusOf(captured(QStringLiteral("vllm/metrics_2_after_cold"))).prefix_cache;
    const auto third = statusOf(captured(QStringLiteral("vllm/metrics_3_after_cached"))).prefix_cache;
    const auto cold = since(first, second);
    const auto cached = since(second, third);
    QCOMPARE(cold->queries, 1458);
    QCOMPARE(cold->hits, 0);
    QCOMPARE(*cold->rate(), 0.0);
    QCOMPARE(cached->queries, 1458);
    QCOMPARE(cached->hits, 1440);
}

void TestServerStatus::llama()
{
    const ServerStatus status = statusOf(captured(QStringLiteral("llama.cpp/metrics_after")));
    // 10,645 computed and 11,331 cached.
    QCOMPARE(status.prefix_cache->queries, 21'976);
    QCOMPARE(status.prefix_cache->hits, 11'331);
    QCOMPARE(*status.running, 0);
    QVERIFY(!status.usage && !status.block_size && !status.pool_tokens && !status.external_cache);
}

void TestServerStatus::sglang()
{
    const ServerStatus status = statusOf("sglang:num_running_reqs{tp_rank=\"0\"} 2.0\nsglang:num_queue_reqs 1\n"
                                         "sglang:prompt_tokens_total 1000\n"
                                         "sglang:cached_tokens_total{cache_source=\"device\"} 300\n"
                                         "sglang:cached_tokens_total{cache_source=\"host\"} 50\n"
                                         "sglang:token_usage 0.25\n");
    QCOMPARE(*status.running, 2);
    QCOMPARE(*status.waiting, 1);
    QCOMPARE(status.prefix_cache->queries, 1000);
    QCOMPARE(status.prefix_cache->hits, 350);
    QCOMPARE(*status.usage, 0.25);
}

void TestServerStatus::severalEnginesAreAddedUp()
{
    const ServerStatus status = statusOf("vllm:cache_config_info{block_size=\"16\",num_gpu_blocks=\"100\"} 1\n"
                                         "vllm:cache_config_info{block_size=\"16\",num_gpu_blocks=\"50\"} 1\n"
                                         "vllm:num_requests_running{engine=\"0\"} 3\n"
                                         "vllm:num_requests_running{engine=\"1\"} 4\n"
                                         "vllm:kv_cache_usage_perc{engine=\"0\"} 0.5\n"
                                         "vllm:kv_cache_usage_perc{engine=\"1\"} 0.1\n"
                                         "vllm:gpu_prefix_cache_queries{engine=\"0\"} 10\n"
                                         "vllm:gpu_prefix_cache_hits{engine=\"0\"} 5\n");
    QCOMPARE(*status.pool_blocks, 150);
    QCOMPARE(*status.pool_tokens, 2400);
    QCOMPARE(*status.running, 7);
    QCOMPARE(*status.usage, 0.3);
    QCOMPARE(*status.prefix_cache->rate(), 0.5);
}

void TestServerStatus::absentIsNotZero()
{
    for (const QByteArray &page : {QByteArray(), QByteArray("<html>no</html>"),
             QByteArray("vllm:cache_config_info{block_size=\"None\",num_gpu_blocks=\"None\"} 1\n"),
             captured(QStringLiteral("llama.cpp/metrics_disabled"))}) {
        const ServerStatus status = statusOf(page);
        QVERIFY(!status.running && !status.waiting && !status.usage && !status.prefix_cache && !status.external_cache);
        QVERIFY(!status.block_size && !status.pool_blocks && !status.pool_tokens && !status.pool_bytes);
        QVERIFY(!status.prefix_caching && !status.bytesPerToken());
    }
}

void TestServerStatus::restartGivesNoDifference()
{
    QVERIFY(!since(CacheTraffic{100, 50}, CacheTraffic{20, 10}));
    QVERIFY(!since(std::nullopt, CacheTraffic{20, 10}));
    QVERIFY(!since(CacheTraffic{20, 10}, std::nullopt));
}

void TestServerStatus::models()
{
    const QByteArray body = R"({"data":[{"id":"one","max_model_len":4096},{"id":"two","meta":{"n_ctx":512}}]})";
    ServerStatus status;
    readModels(body, QStringLiteral("two"), status);
    QCOMPARE(*status.model, QStringLiteral("two"));
    QCOMPARE(*status.context_tokens, 512);
    readModels(body, {}, status);
    QCOMPARE(*status.model, QStringLiteral("one"));
    ServerStatus unknown;
    readModels("{\"error\":\"no\"}", {}, unknown);
    QVERIFY(!unknown.model && !unknown.context_tokens);
}

QTEST_APPLESS_MAIN(TestServerStatus)
#include "tst_server_status.moc"
