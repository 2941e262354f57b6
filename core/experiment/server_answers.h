// SPDX-License-Identifier: GPL-3.0-or-later
// Addresses of an OpenAI-compatible server and what its untimed answers say; pure functions.
// Shapes: vLLM (/v1/models, /tokenize, /metrics), llama.cpp (/tokenize, /apply-template, /props), SGLang's gauge names.
#pragma once

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QString>
#include <QUrl>

#include <optional>

namespace kvlab::experiment {

/// The server's root for any way of writing it: with or without /v1, with trailing slashes, with the chat path. User
/// information, query and fragment are dropped: they may hold secrets.
QUrl serverRoot(const QUrl &base_url);

/// `path` below the root: "/v1/models", "/metrics".
QUrl serverUrl(const QUrl &root, const QString &path);

struct OfferedModel
{
    QString id;
    QStringList aliases;
    std::optional<qint64> context_tokens;
};

/// nullopt when the body is not a list of models.
std::optional<QList<OfferedModel>> parseModels(const QByteArray &body);

/// Token ids of a /tokenize answer; nullopt when there are none.
std::optional<QList<qint32>> parseTokens(const QByteArray &body);

/// One line of the text exposition format: name{key="value",…} number
struct MetricLine
{
    QByteArray name;
    QMap<QByteArray, QByteArray> labels;
    double value = 0;
};

/// Every line that is readable and finite; comments and broken lines are passed over.
QList<MetricLine> parseMetricLines(const QByteArray &exposition);

/// One reading of /metrics. Counters are summed over engines.
struct ServerMetrics
{
    std::optional<qint64> block_size;
    std::optional<bool> prefix_caching;
    std::optional<qint64> hits; ///< tokens found in the prefix cache since the start, those of a connector included
    std::optional<qint64> queries; ///< tokens looked up
    std::optional<qint64> busy; ///< requests running and waiting
};

ServerMetrics parseMetrics(const QByteArray &exposition);

/// What the server's JSON says went wrong (error.message, error, message, detail), at most 500 characters; else empty.
QString errorText(const QByteArray &body);

/// Tokens a server with blocks reuses when `common` leading tokens of a prompt of `total` are stored: whole blocks, and
/// the last token is always computed (vLLM, kv_cache_manager.py). Block 1 gives llama.cpp's min(common, total - 1).
qint64 reusableTokens(qint64 common, qint64 total, qint64 block_size);

qint64 commonPrefix(const QList<qint32> &one, const QList<qint32> &other);

} // namespace kvlab::experiment
