// SPDX-License-Identifier: GPL-3.0-or-later
#include "servers/server_status.h"

#include "experiment/server_answers.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace kvlab::servers {

namespace {

using experiment::MetricLine;

struct Sum
{
    double total = 0;
    int lines = 0;
};
using Sums = QMap<QByteArray, Sum>;

std::optional<Sum> firstOf(const Sums &sums, std::initializer_list<const char *> names)
{
    for (const char *name : names) {
        const auto found = sums.constFind(QByteArray(name));
        if (found != sums.cend())
            return *found;
    }
    return std::nullopt;
}

std::optional<qint64> count(const std::optional<Sum> &sum)
{
    return sum ? std::optional<qint64>(std::llround(sum->total)) : std::nullopt;
}

std::optional<qint64> labelNumber(const MetricLine &line, const char *label)
{
    bool isNumber = false;
    const qint64 number = line.labels.value(label).toLongLong(&isNumber);
    return isNumber && number > 0 ? std::optional(number) : std::nullopt;
}

void readCacheConfig(const MetricLine &line, ServerStatus &status)
{
    status.block_size = labelNumber(line, "block_size");
    const auto add = [&line](std::optional<qint64> &sum, const char *label) {
        if (const auto number = labelNumber(line, label))
            sum = sum.value_or(0) + *number;
    };
    add(status.pool_blocks, "num_gpu_blocks");
    add(status.pool_bytes, "kv_cache_memory_bytes");
    // Newer vLLM says it outright; block size times blocks is not it where layers have several kinds of cache.
    add(status.pool_tokens, "kv_cache_size_tokens");
    const QByteArray caching = line.labels.value("enable_prefix_caching").toLower();
    if (caching == "true" || caching == "false")
        status.prefix_caching = caching == "true";
}

std::optional<CacheTraffic> traffic(const std::optional<qint64> &queries, const std::optional<qint64> &hits)
{
    if (!queries || !hits)
        return std::nullopt;
    return CacheTraffic{*queries, *hits};
}

/// llama.cpp counts computed and cached prompt tokens apart; what was looked up is both.
std::optional<CacheTraffic> llamaTraffic(const Sums &sums)
{
    const auto computed = count(firstOf(sums, {"llamacpp:prompt_tokens_total"}));
    const auto cached = count(firstOf(sums, {"llamacpp:prompt_tokens_cached_total"}));
    if (!computed || !cached)
        return std::nullopt;
    return CacheTraffic{*computed + *cached, *cached};
}

std::optional<CacheTraffic> prefixTraffic(const Sums &sums)
{
    const auto own = traffic(count(firstOf(sums,
                                 {"vllm:prefix_cache_queries_total", "vllm:prefix_cache_queries",
                                     "vllm:gpu_prefix_cache_queries_total", "vllm:gpu_prefix_cache_queries"})),
        count(firstOf(sums,
            {"vllm:prefix_cache_hits_total", "vllm:prefix_cache_hits", "vllm:gpu_prefix_cache_hits_total",
                "vllm:gpu_prefix_cache_hits"})));
    if (own)
        return own;
    const auto sglang = traffic(
        count(firstOf(sums, {"sglang:prompt_tokens_total"})), count(firstOf(sums, {"sglang:cached_tokens_total"})));
    return sglang ? sglang : llamaTraffic(sums);
}

} // namespace

std::optional<double> CacheTraffic::rate() const
{
    return queries > 0 ? std::optional(double(hits) / double(queries)) : std::nullopt;
}

std::optional<double> ServerStatus::bytesPerToken() const
{
    return pool_bytes && pool_tokens ? std::optional(double(*pool_bytes) / double(*pool_tokens)) : std::nullopt;
}

void readMetrics(const QByteArray &exposition, ServerStatus &status)
{
    Sums sums;
    for (const MetricLine &line : experiment::parseMetricLines(exposition)) {
        if (line.name == "vllm:cache_config_info")
            readCacheConfig(line, status);
        Sum &sum = sums[line.name];
        sum.total += line.value;
        ++sum.lines;
    }
    if (!status.pool_tokens && status.pool_blocks && status.block_size)
        status.pool_tokens = *status.pool_blocks * *status.block_size;
    if (!status.pool_tokens)
        status.pool_tokens = count(firstOf(sums, {"sglang:max_total_num_tokens"}));
    status.running = count(
        firstOf(sums, {"vllm:num_requests_running", "sglang:num_running_reqs", "llamacpp:requests_processing"}));
    status.waiting
        = count(firstOf(sums, {"vllm:num_requests_waiting", "sglang:num_queue_reqs", "llamacpp:requests_deferred"}));
    if (const auto usage = firstOf(sums,
            {"vllm:kv_cache_usage_perc", "vllm:gpu_cache_usage_perc", "sglang:token_usage",
                "llamacpp:kv_cache_usage_ratio"}))
        status.usage = usage->total / usage->lines;
    status.prefix_cache = prefixTraffic(sums);
    status.external_cache = traffic(
        count(firstOf(sums, {"vllm:external_prefix_cache_queries_total", "vllm:external_prefix_cache_queries"})),
        count(firstOf(sums, {"vllm:external_prefix_cache_hits_total", "vllm:external_prefix_cache_hits"})));
}

void readModels(const QByteArray &body, const QString &model, ServerStatus &status)
{
    const auto offered = experiment::parseModels(body);
    if (!offered || offered->isEmpty())
        return;
    const auto found = std::find_if(offered->begin(), offered->end(),
        [&model](const experiment::OfferedModel &one) { return one.id == model || one.aliases.contains(model); });
    const experiment::OfferedModel &chosen = found == offered->end() ? offered->first() : *found;
    status.model = chosen.id;
    status.context_tokens = chosen.context_tokens;
}

std::optional<CacheTraffic> since(const std::optional<CacheTraffic> &before, const std::optional<CacheTraffic> &now)
{
    if (!before || !now || now->queries < before->queries || now->hits < before->hits)
        return std::nullopt;
    return CacheTraffic{now->queries - before->queries, now->hits - before->hits};
}

} // namespace kvlab::servers
