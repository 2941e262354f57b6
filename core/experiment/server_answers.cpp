// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/server_answers.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace kvlab::experiment {

namespace {

QJsonObject objectIn(const QByteArray &body)
{
    return QJsonDocument::fromJson(body).object();
}

std::optional<qint64> positive(const QJsonValue &value)
{
    const qint64 number = value.toInteger(0);
    return number > 0 ? std::optional(number) : std::nullopt;
}

OfferedModel modelFrom(const QJsonObject &entry)
{
    OfferedModel model;
    model.id = entry.value(QStringLiteral("id")).toString();
    for (const QJsonValue &alias : entry.value(QStringLiteral("aliases")).toArray())
        model.aliases << alias.toString();
    model.context_tokens = positive(entry.value(QStringLiteral("max_model_len")));
    if (!model.context_tokens)
        model.context_tokens = positive(entry.value(QStringLiteral("meta")).toObject().value(QStringLiteral("n_ctx")));
    return model;
}

/// Reads labels from `at` (just behind the brace) to the closing brace, and returns the position behind it.
qsizetype readLabels(const QByteArray &line, qsizetype at, QMap<QByteArray, QByteArray> &labels)
{
    while (at < line.size() && line.at(at) != '}') {
        const qsizetype equals = line.indexOf('=', at);
        if (equals < 0 || equals + 1 >= line.size() || line.at(equals + 1) != '"')
            return -1;
        QByteArray value;
        qsizetype end = equals + 2;
        for (; end < line.size() && line.at(end) != '"'; ++end) {
            if (line.at(end) == '\\')
                ++end;
            if (end < line.size())
                value += line.at(end);
        }
        labels.insert(line.mid(at, equals - at).trimmed(), value);
        at = end + 1;
        if (at < line.size() && line.at(at) == ',')
            ++at;
    }
    return at + 1;
}

std::optional<MetricLine> parseLine(const QByteArray &line)
{
    if (line.isEmpty() || line.startsWith('#'))
        return std::nullopt;
    MetricLine result;
    const qsizetype brace = line.indexOf('{');
    qsizetype rest = line.indexOf(' ');
    if (brace >= 0 && (rest < 0 || brace < rest)) {
        result.name = line.left(brace);
        rest = readLabels(line, brace + 1, result.labels);
    } else {
        result.name = line.left(rest);
    }
    if (rest < 0 || rest > line.size())
        return std::nullopt;
    bool isNumber = false;
    result.value = line.mid(rest).trimmed().split(' ').first().toDouble(&isNumber);
    if (!isNumber || !std::isfinite(result.value))
        return std::nullopt;
    return result;
}

using Sums = QMap<QByteArray, qint64>;

/// The first of several names for the same counter: old and new ones are exposed together for a while.
std::optional<qint64> firstOf(const Sums &sums, std::initializer_list<const char *> names)
{
    for (const char *name : names) {
        const auto found = sums.constFind(QByteArray(name));
        if (found != sums.cend())
            return *found;
    }
    return std::nullopt;
}

void readCacheConfig(const MetricLine &line, ServerMetrics &metrics)
{
    bool isNumber = false;
    const qint64 block = line.labels.value("block_size").toLongLong(&isNumber);
    if (isNumber && block > 0)
        metrics.block_size = block;
    const QByteArray caching = line.labels.value("enable_prefix_caching").toLower();
    if (caching == "true" || caching == "false")
        metrics.prefix_caching = caching == "true";
}

} // namespace

QUrl serverRoot(const QUrl &base_url)
{
    QUrl root = base_url.adjusted(QUrl::RemoveUserInfo | QUrl::RemoveQuery | QUrl::RemoveFragment);
    QString path = root.path();
    const QStringList endings{QStringLiteral("/"), QStringLiteral("/chat/completions"), QStringLiteral("/completions"),
        QStringLiteral("/v1")};
    bool cut = true;
    while (cut) {
        cut = false;
        for (const QString &ending : endings) {
            if (path.endsWith(ending)) {
                path.chop(ending.size());
                cut = true;
            }
        }
    }
    root.setPath(path);
    return root;
}

QUrl serverUrl(const QUrl &root, const QString &path)
{
    QUrl url = root;
    url.setPath(root.path() + path);
    return url;
}

std::optional<QList<OfferedModel>> parseModels(const QByteArray &body)
{
    const QJsonValue data = objectIn(body).value(QStringLiteral("data"));
    if (!data.isArray())
        return std::nullopt;
    QList<OfferedModel> models;
    for (const QJsonValue &entry : data.toArray()) {
        const OfferedModel model = modelFrom(entry.toObject());
        if (!model.id.isEmpty())
            models.append(model);
    }
    return models;
}

std::optional<QList<qint32>> parseTokens(const QByteArray &body)
{
    QList<qint32> tokens;
    for (const QJsonValue &token : objectIn(body).value(QStringLiteral("tokens")).toArray()) {
        if (!token.isDouble())
            return std::nullopt;
        tokens.append(token.toInt());
    }
    return tokens.isEmpty() ? std::nullopt : std::optional(tokens);
}

QList<MetricLine> parseMetricLines(const QByteArray &exposition)
{
    QList<MetricLine> lines;
    for (const QByteArray &raw : exposition.split('\n')) {
        if (const auto line = parseLine(raw.trimmed()))
            lines.append(*line);
    }
    return lines;
}

ServerMetrics parseMetrics(const QByteArray &exposition)
{
    ServerMetrics metrics;
    Sums sums;
    for (const MetricLine &line : parseMetricLines(exposition)) {
        if (line.name == "vllm:cache_config_info")
            readCacheConfig(line, metrics);
        sums[line.name] += std::llround(line.value);
    }
    metrics.hits = firstOf(sums,
        {"vllm:prefix_cache_hits_total", "vllm:prefix_cache_hits", "vllm:gpu_prefix_cache_hits_total",
            "vllm:gpu_prefix_cache_hits"});
    if (metrics.hits)
        *metrics.hits
            += firstOf(sums, {"vllm:external_prefix_cache_hits_total", "vllm:external_prefix_cache_hits"}).value_or(0);
    metrics.queries = firstOf(sums,
        {"vllm:prefix_cache_queries_total", "vllm:prefix_cache_queries", "vllm:gpu_prefix_cache_queries_total",
            "vllm:gpu_prefix_cache_queries"});
    const auto running
        = firstOf(sums, {"vllm:num_requests_running", "sglang:num_running_reqs", "llamacpp:requests_processing"});
    const auto waiting
        = firstOf(sums, {"vllm:num_requests_waiting", "sglang:num_queue_reqs", "llamacpp:requests_deferred"});
    if (running)
        metrics.busy = *running + waiting.value_or(0);
    return metrics;
}

QString errorText(const QByteArray &body)
{
    constexpr qsizetype longest = 500;
    const QJsonObject object = objectIn(body);
    const QJsonValue error = object.value(QStringLiteral("error"));
    const QJsonValue candidates[] = {error.toObject().value(QStringLiteral("message")), error,
        object.value(QStringLiteral("message")), object.value(QStringLiteral("detail"))};
    for (const QJsonValue &candidate : candidates) {
        if (candidate.isString())
            return candidate.toString().left(longest);
    }
    return {};
}

qint64 reusableTokens(qint64 common, qint64 total, qint64 block_size)
{
    if (total <= 0 || common <= 0)
        return 0;
    return block_size * std::min(common / block_size, (total - 1) / block_size);
}

qint64 commonPrefix(const QList<qint32> &one, const QList<qint32> &other)
{
    return std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first - one.begin();
}

} // namespace kvlab::experiment
