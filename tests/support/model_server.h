// SPDX-License-Identifier: GPL-3.0-or-later
// A server for tests that behaves like an OpenAI-compatible one with a prefix cache, without a model: a word is a
// token, a block is cached once a prompt with that beginning was answered, and an answer takes as long as its uncached
// tokens say. What it can do, and what goes wrong, is set beforehand. It runs in a thread of its own on a free loopback
// port; all calls may be made from any thread. For broken streams and sockets see fault_server.h.
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QStringList>
#include <QUrl>

#include <memory>

namespace kvlab::test {

struct ServerBehaviour
{
    QStringList models{QStringLiteral("tiny")};
    int context_tokens = 8192;
    int block_size = 16;
    bool caches = true;
    int pool_blocks = 0; ///< that fit; the end of the prompt used longest ago goes first; 0 = no limit
    bool keeps_generated = false;
    bool has_reset = false; ///< POST /reset_prefix_cache
    bool reset_lies = false; ///< it says that it emptied the cache, but does not
    int slots = 1; ///< like_llama: prompts kept
    /// As llama.cpp's server: one slot that keeps its last prompt, reuse token by token (`timings.cache_n`), salts
    /// ignored, /props and /apply-template. block_size, honours_salt and reports_cached mean nothing then.
    bool like_llama = false;
    bool honours_salt = true;
    bool hits_always = false; ///< claims to have found everything, whatever the prompt
    bool refuses_salt = false; ///< status 400
    bool reports_cached = true; ///< usage.prompt_tokens_details.cached_tokens
    bool has_tokenize = true;
    bool has_metrics = true;
    bool caching_off_in_metrics = false;
    bool refuses_stream_options = false; ///< status 400
    bool refuses_system_role = false; ///< status 400
    bool wants_max_completion_tokens = false; ///< status 400 for max_tokens
    bool has_models = true; ///< else 404
    bool reports_context = true; ///< max_model_len in the list of models
    QByteArray api_key; ///< empty = none asked
    int token_us = 20; ///< time for each uncached token
    int ends_early_at = 0; ///< this chat request (from 1) breaks off after its first token
    int dies_at = 0; ///< at this chat request (from 1) everything is closed, for good
    int silent_at = 0; ///< this chat request (from 1) is never answered
    int fault_at = 0; ///< from this chat request (from 1) on every one gets `fault`, byte for byte
    QByteArray fault;
    bool fault_closes = true; ///< the connection ends behind it
};

struct ChatRequest
{
    QJsonObject body;
    QByteArray authorization;
    QByteArray head; ///< request line and header fields
    QStringList tokens;
    int cached = 0; ///< tokens found
    QString answer;
};

class ModelServer
{
public:
    explicit ModelServer(const ServerBehaviour &behaviour = {});
    ~ModelServer();

    QUrl url(const QString &path = QString()) const;
    QList<ChatRequest> chats() const;

private:
    class Thread;
    std::unique_ptr<Thread> d;
};

} // namespace kvlab::test
