// SPDX-License-Identifier: GPL-3.0-or-later
// What a server says about itself while it runs: model, pool, load, prefix-cache traffic. Pure functions over its
// answers. Names of the figures: vLLM (old and new), SGLang, llama.cpp's server, the practice engine (vLLM's names).
// What a server does not offer is absent, never 0.
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>

namespace kvlab::servers {

/// Prompt tokens looked up in a cache, and those found there, since the server's start.
struct CacheTraffic
{
    qint64 queries = 0;
    qint64 hits = 0;

    std::optional<double> rate() const; ///< 0 … 1; none when nothing was looked up
};

struct ServerStatus
{
    std::optional<QString> model;
    std::optional<qint64> context_tokens; ///< longest prompt and answer together
    std::optional<bool> prefix_caching;
    std::optional<qint64> block_size; ///< tokens
    std::optional<qint64> pool_blocks;
    std::optional<qint64> pool_tokens;
    std::optional<qint64> pool_bytes; ///< of one device
    std::optional<qint64> running; ///< requests
    std::optional<qint64> waiting;
    std::optional<double> usage; ///< of the pool, by running requests: 0 … 1
    std::optional<CacheTraffic> prefix_cache;
    std::optional<CacheTraffic> external_cache; ///< behind a connector

    /// What the pool takes for each token; none unless both are known.
    std::optional<double> bytesPerToken() const;
};

/// Fills what a /metrics page says; several engines are added up, their usage averaged.
void readMetrics(const QByteArray &exposition, ServerStatus &status);
/// Fills what /v1/models says: of `model`, or of the first one when that is empty or not offered.
void readModels(const QByteArray &body, const QString &model, ServerStatus &status);

/// What happened between two readings; none when a counter went back, because the server was started again.
std::optional<CacheTraffic> since(const std::optional<CacheTraffic> &before, const std::optional<CacheTraffic> &now);

} // namespace kvlab::servers
