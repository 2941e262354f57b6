// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine_api.h"

namespace kvlab::engine {

namespace {

/// Prometheus text, one metric after the other; all carry the model's name.
class MetricsText
{
public:
    explicit MetricsText(const std::string &model)
        : m_model("model_name=\"" + QByteArray::fromStdString(model) + '"')
    {
    }

    void type(const char *name, const char *type) { m_text += QByteArray("# TYPE ") + name + ' ' + type + '\n'; }
    void value(const QByteArray &name, const QByteArray &labels, const QByteArray &value)
    {
        m_text += name + '{' + m_model + (labels.isEmpty() ? "" : ",") + labels + "} " + value + '\n';
    }
    void counter(const char *name, std::int64_t count)
    {
        type(name, "counter");
        value(name, {}, QByteArray::number(qint64(count)));
    }
    void gauge(const char *name, double level)
    {
        type(name, "gauge");
        value(name, {}, QByteArray::number(level, 'g', 15));
    }
    /// One counter, a value for each of a label's values.
    void counters(const char *name, const char *label, const QList<std::pair<const char *, double>> &values)
    {
        type(name, "counter");
        for (const auto &[labelValue, count] : values)
            value(name, QByteArray(label) + "=\"" + labelValue + '"', QByteArray::number(count, 'g', 15));
    }
    void line(const QByteArray &line) { m_text += line + '\n'; }

    const QByteArray &text() const { return m_text; }

private:
    QByteArray m_model;
    QByteArray m_text;
};

/// How many prompt tokens came from where: all of vLLM's names for it.
void addSources(MetricsText &out, const EngineCounters &counters)
{
    out.counter("vllm:prefix_cache_queries_total", counters.prefix_cache_queries);
    out.counter("vllm:prefix_cache_hits_total", counters.prefix_cache_hits);
    out.counter("vllm:external_prefix_cache_queries_total", counters.external_prefix_cache_queries);
    out.counter("vllm:external_prefix_cache_hits_total", counters.external_prefix_cache_hits);
    out.counter("vllm:prompt_tokens_cached_total", counters.prefix_cache_hits + counters.external_prefix_cache_hits);
    out.counters("vllm:prompt_tokens_by_source_total", "source",
        {{"local_compute", double(counters.computed_prompt_tokens)},
            {"local_cache_hit", double(counters.prefix_cache_hits)},
            {"external_kv_transfer", double(counters.external_prefix_cache_hits)}});
    out.counters("vllm:prompt_tokens_cached_by_source_total", "source",
        {{"device", double(counters.prefix_cache_hits)}, {"host", double(counters.ram_tokens)},
            {"disk", double(counters.disk_tokens)}});
}

/// The tiers under LMCache's names, and what it has no name for under ours.
void addTiers(MetricsText &out, const EngineCounters &counters)
{
    const TierCounters &tiers = counters.tiers;
    out.counter("lmcache:num_requested_tokens_total", counters.external_prefix_cache_queries);
    out.counter("lmcache:num_hit_tokens_total", counters.external_prefix_cache_hits);
    out.counter("lmcache:num_vllm_hit_tokens_total", counters.prefix_cache_hits);
    out.gauge("lmcache:local_cache_usage", double(tiers.ram.bytes));
    out.gauge("lmcache:local_storage_usage", double(tiers.disk.bytes));
    out.counter("lmcache:local_cpu_evict_count_total", tiers.ram.evictions);
    const auto both = [&out](const char *name, double ram, double disk) {
        out.counters(name, "tier", {{"ram", ram}, {"disk", disk}});
    };
    both("kvlab:tier_stored_chunks_total", double(tiers.ram.stored_chunks), double(tiers.disk.stored_chunks));
    both("kvlab:tier_loaded_chunks_total", double(tiers.ram.loaded_chunks), double(tiers.disk.loaded_chunks));
    both("kvlab:tier_loaded_bytes_total", double(tiers.ram.loaded_bytes), double(tiers.disk.loaded_bytes));
    both("kvlab:tier_load_seconds_total", tiers.ram.load_seconds, tiers.disk.load_seconds);
    both("kvlab:tier_evictions_total", double(tiers.ram.evictions), double(tiers.disk.evictions));
    out.counter("kvlab:tier_damaged_files_total", tiers.damaged_files);
    out.gauge("kvlab:tier_pending_stores", tiers.pending_stores);
    out.gauge("kvlab:tier_disk_storing", tiers.disk_storing ? 1 : 0);
}

void addTtft(MetricsText &out, const EngineCounters &counters)
{
    out.type("vllm:time_to_first_token_seconds", "histogram");
    double below = 0;
    for (std::size_t i = 0; i < ttftBuckets().size(); ++i) {
        below += i < counters.ttft_seconds_buckets.size() ? counters.ttft_seconds_buckets[i] : 0;
        out.value("vllm:time_to_first_token_seconds_bucket", "le=\"" + QByteArray::number(ttftBuckets()[i]) + '"',
            QByteArray::number(below, 'g', 15));
    }
    const QByteArray count = QByteArray::number(qint64(counters.ttft_count));
    out.value("vllm:time_to_first_token_seconds_bucket", "le=\"+Inf\"", count);
    out.value("vllm:time_to_first_token_seconds_sum", {}, QByteArray::number(counters.ttft_seconds_sum, 'g', 10));
    out.value("vllm:time_to_first_token_seconds_count", {}, count);
}

} // namespace

QByteArray metricsAnswer(const Engine &engine, const ApiContext &context)
{
    const EngineCounters counters = engine.counters();
    const EngineOptions &options = engine.options();
    MetricsText out(context.model);
    out.gauge("vllm:num_requests_running", counters.running);
    out.gauge("vllm:num_requests_waiting", counters.waiting);
    out.gauge("vllm:kv_cache_usage_perc", counters.kv_cache_usage);
    addSources(out, counters);
    out.counter("vllm:prompt_tokens_total", counters.prompt_tokens);
    out.counter("vllm:generation_tokens_total", counters.generation_tokens);
    out.counter("vllm:request_success_total", counters.requests_finished);
    addTtft(out, counters);
    if (options.tiers.any())
        addTiers(out, counters);
    out.type("vllm:cache_config_info", "gauge");
    out.line("vllm:cache_config_info{block_size=\"" + QByteArray::number(options.block_size)
        + "\",enable_prefix_caching=\"" + (options.prefix_caching ? "True" : "False") + "\",num_gpu_blocks=\""
        + QByteArray::number(options.pool_blocks) + "\"} 1");
    return out.text();
}

} // namespace kvlab::engine
