// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/quantity.h"

#include "memory/capacity.h"
#include "memory/gpu_list.h"

#include <algorithm>

namespace kvlab::lab {

namespace {

using experiment::Arm;
using Value = std::optional<double>;

QString textOf(const Quantity &quantity, const char *name)
{
    return quantity.arguments.value(QLatin1String(name)).toString();
}

qint64 countOf(const Quantity &quantity, const char *name)
{
    return quantity.arguments.value(QLatin1String(name)).toInteger();
}

Arm armOf(const Quantity &quantity)
{
    return experiment::armFromName(textOf(quantity, "arm")).value_or(Arm::cold);
}

memory::MemoryQuery queryOf(const Quantity &quantity)
{
    memory::MemoryQuery query;
    query.seq_len = std::max<qint64>(1, countOf(quantity, "seq_len"));
    query.batch = std::max<qint64>(1, countOf(quantity, "batch"));
    query.kv_dtype = memory::cacheFormatFromName(textOf(quantity, "kv_dtype")).value_or(memory::CacheFormat::bf16);
    return query;
}

Value kvBytes(const Quantity &quantity, const LabFacts &facts)
{
    const memory::ModelSpec *model = facts.library.find(textOf(quantity, "model"));
    if (!model)
        return std::nullopt;
    const auto bytes = memory::estimateBytes(*model, queryOf(quantity));
    const auto *value = std::get_if<memory::Bytes>(&bytes);
    return value ? Value(value->convert_to<double>()) : std::nullopt;
}

Value kvBytesPerToken(const Quantity &quantity, const LabFacts &facts)
{
    const memory::ModelSpec *model = facts.library.find(textOf(quantity, "model"));
    if (!model)
        return std::nullopt;
    const auto estimate = memory::estimate(*model, queryOf(quantity));
    const auto *result = std::get_if<memory::MemoryResult>(&estimate);
    return result ? Value(result->bytes_per_token.convert_to<double>()) : std::nullopt;
}

/// As the table's own share column counts: 90 % of the device, 16-bit weights, 2 GiB overhead, vLLM's blocks.
Value maxBatch(const Quantity &quantity, const LabFacts &facts)
{
    const memory::ModelSpec *model = facts.library.find(textOf(quantity, "model"));
    const QList<memory::GpuSpec> devices = memory::findGpus(textOf(quantity, "device"));
    if (!model || devices.size() != 1 || !devices.first().memory_bytes)
        return std::nullopt;
    const auto weights = memory::modelWeights(*model, memory::weightFormatFromName(QStringLiteral("bf16")));
    if (!weights)
        return std::nullopt;
    memory::CapacityQuery query;
    query.machine.device = devices.first().name;
    query.machine.capacity = *devices.first().memory_bytes;
    query.weights = *weights;
    query.memory = queryOf(quantity);
    query.profile = memory::defaultProfile(memory::Engine::vllm);
    const auto capacity = memory::planCapacity(*model, query);
    const auto *answer = std::get_if<memory::Capacity>(&capacity);
    return answer ? Value(double(answer->plan.max_batch)) : std::nullopt;
}

Value loadMs(const Quantity &quantity, const LabFacts &facts)
{
    const Value bytes = kvBytes(quantity, facts);
    const double gb_per_s = quantity.arguments.value(QLatin1String("gb_per_s")).toDouble();
    if (!bytes || gb_per_s <= 0)
        return std::nullopt;
    return *bytes / (gb_per_s * 1e9) * 1e3;
}

/// vLLM's rule: whole blocks of the common prefix, and at least one token is computed.
Value prefixHit(const Quantity &quantity, const LabFacts &)
{
    const qint64 block = std::max<qint64>(1, countOf(quantity, "block_size"));
    const qint64 most = std::max<qint64>(0, countOf(quantity, "prompt_tokens") - 1);
    return double(std::min(countOf(quantity, "common_tokens"), most) / block * block);
}

Value chunkHit(const Quantity &quantity, const LabFacts &)
{
    const qint64 chunk = std::max<qint64>(1, countOf(quantity, "chunk_size"));
    return double(countOf(quantity, "tokens") / chunk * chunk);
}

const experiment::RunResult *finishedRun(const LabFacts &facts)
{
    return facts.run && !facts.measuring ? &*facts.run : nullptr;
}

/// The middle one of the kept samples that have the figure.
Value medianOver(
    const LabFacts &facts, Arm arm, const std::function<std::optional<qint64>(const experiment::MeasuredSample &)> &of)
{
    const experiment::RunResult *run = finishedRun(facts);
    QList<qint64> values;
    if (run) {
        for (const experiment::MeasuredSample &sample : run->samples) {
            const std::optional<qint64> value = of(sample);
            if (sample.arm == arm && sample.kept && value)
                values << *value;
        }
    }
    if (values.isEmpty())
        return std::nullopt;
    std::sort(values.begin(), values.end());
    return double(values.at((values.size() - 1) / 2));
}

Value medianTtft(const LabFacts &facts, Arm arm)
{
    const experiment::RunResult *run = finishedRun(facts);
    return run ? run->summary.arms.value(arm).median_ms : std::nullopt;
}

Value medianTtftOf(const Quantity &quantity, const LabFacts &facts)
{
    return medianTtft(facts, armOf(quantity));
}

Value ratio(const Quantity &, const LabFacts &facts)
{
    const Value cold = medianTtft(facts, Arm::cold);
    const Value warm = medianTtft(facts, Arm::warm);
    return cold && warm && *warm > 0 ? Value(*cold / *warm) : std::nullopt;
}

Value reduction(const Quantity &, const LabFacts &facts)
{
    const Value cold = medianTtft(facts, Arm::cold);
    const Value warm = medianTtft(facts, Arm::warm);
    return cold && warm && *cold > 0 ? Value(100 * (1 - *warm / *cold)) : std::nullopt;
}

Value promptTokens(const Quantity &quantity, const LabFacts &facts)
{
    return medianOver(facts, armOf(quantity), [](const auto &sample) { return sample.probe.evidence.prompt_tokens; });
}

Value cachedTokens(const Quantity &quantity, const LabFacts &facts)
{
    return medianOver(facts, armOf(quantity), [](const auto &sample) { return sample.probe.evidence.cached_tokens; });
}

Value expectedHit(const Quantity &quantity, const LabFacts &facts)
{
    return medianOver(facts, armOf(quantity), [](const auto &sample) { return sample.expected_hit; });
}

Value computedTokens(const Quantity &quantity, const LabFacts &facts)
{
    return medianOver(facts, armOf(quantity), [](const auto &sample) -> std::optional<qint64> {
        const probe::Evidence &evidence = sample.probe.evidence;
        if (!evidence.prompt_tokens || !evidence.cached_tokens)
            return std::nullopt;
        return *evidence.prompt_tokens - *evidence.cached_tokens;
    });
}

/// Prompt tokens computed in a second by NO CACHE: what a machine's prefill is worth.
Value tokensPerSecond(const Quantity &, const LabFacts &facts)
{
    const Value tokens = promptTokens({{}, {{QStringLiteral("arm"), QStringLiteral("cold")}}}, facts);
    const Value cold = medianTtft(facts, Arm::cold);
    return tokens && cold && *cold > 0 ? Value(*tokens / *cold * 1e3) : std::nullopt;
}

struct Rule
{
    QuantityKind kind;
    Value (*evaluate)(const Quantity &, const LabFacts &);
};

QList<Rule> makeRules()
{
    const Argument model{QStringLiteral("model"), ArgumentKind::model};
    const Argument seq_len{QStringLiteral("seq_len"), ArgumentKind::count};
    const Argument batch{QStringLiteral("batch"), ArgumentKind::count};
    const Argument kv_dtype{QStringLiteral("kv_dtype"), ArgumentKind::cache_format};
    const Argument device{QStringLiteral("device"), ArgumentKind::device};
    const Argument speed{QStringLiteral("gb_per_s"), ArgumentKind::number};
    const Argument arm{QStringLiteral("arm"), ArgumentKind::arm};
    const auto count = [](const char *name) { return Argument{QString::fromLatin1(name), ArgumentKind::count}; };
    const auto rule = [](const char *name, Dimension dimension, bool measured, const QList<Argument> &arguments,
                          Value (*evaluate)(const Quantity &, const LabFacts &)) {
        return Rule{{QString::fromLatin1(name), dimension, measured, arguments}, evaluate};
    };
    return {
        rule("kv_bytes", Dimension::bytes, false, {model, seq_len, batch, kv_dtype}, kvBytes),
        rule("kv_bytes_per_token", Dimension::bytes, false, {model, kv_dtype}, kvBytesPerToken),
        rule("max_batch", Dimension::count, false, {model, seq_len, kv_dtype, device}, maxBatch),
        rule("load_ms", Dimension::time, false, {model, seq_len, batch, kv_dtype, speed}, loadMs),
        rule("prefix_hit", Dimension::tokens, false,
            {count("common_tokens"), count("prompt_tokens"), count("block_size")}, prefixHit),
        rule("chunk_hit", Dimension::tokens, false, {count("tokens"), count("chunk_size")}, chunkHit),
        rule("median_ttft", Dimension::time, true, {arm}, medianTtftOf),
        rule("ratio", Dimension::times, true, {}, ratio),
        rule("ttft_reduction", Dimension::percent, true, {}, reduction),
        rule("prompt_tokens", Dimension::tokens, true, {arm}, promptTokens),
        rule("cached_tokens", Dimension::tokens, true, {arm}, cachedTokens),
        rule("expected_hit", Dimension::tokens, true, {arm}, expectedHit),
        rule("computed_tokens", Dimension::tokens, true, {arm}, computedTokens),
        rule("tokens_per_second", Dimension::count, true, {}, tokensPerSecond),
    };
}

const QList<Rule> &rules()
{
    static const QList<Rule> all = makeRules();
    return all;
}

} // namespace

const QList<QuantityKind> &quantityKinds()
{
    static const QList<QuantityKind> kinds = [] {
        QList<QuantityKind> all;
        for (const Rule &rule : rules())
            all << rule.kind;
        return all;
    }();
    return kinds;
}

const QuantityKind *quantityKind(const QString &name)
{
    for (const QuantityKind &kind : quantityKinds()) {
        if (kind.name == name)
            return &kind;
    }
    return nullptr;
}

std::optional<double> evaluate(const Quantity &quantity, const LabFacts &facts)
{
    for (const Rule &rule : rules()) {
        if (rule.kind.name == quantity.name)
            return rule.evaluate(quantity, facts);
    }
    return std::nullopt;
}

std::optional<double> expectedNumber(const Question &question, const LabFacts &facts)
{
    if (question.number)
        return question.number;
    if (!question.quantity)
        return std::nullopt;
    const Value value = evaluate(*question.quantity, facts);
    const auto unit = unitFromText(question.unit);
    return value && unit ? Value(*value / unit->factor) : std::nullopt;
}

} // namespace kvlab::lab
