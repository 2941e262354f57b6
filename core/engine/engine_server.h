// SPDX-License-Identifier: GPL-3.0-or-later
// The practice engine behind an OpenAI-compatible HTTP server (cpp-httplib): POST /v1/chat/completions (stream and
// whole), /v1/completions, GET /v1/models, /health, /metrics (vLLM's names), POST /tokenize, /detokenize,
// /reset_prefix_cache. Limits: 16 MiB a body, 32 connections at a time, 60 s for a request to arrive. A client that
// leaves ends its generation.
#pragma once

#include "engine/engine.h"

namespace kvlab::engine {

struct ServerOptions
{
    std::string host = "127.0.0.1";
    int port = 0; ///< 0 = any free one
    std::string api_key; ///< empty = none asked
};

class EngineServer
{
public:
    EngineServer(Engine &engine, const Tokenizer &tokenizer, const ServerOptions &options);
    ~EngineServer();

    /// Binds; returns the port. Throws std::runtime_error with a whole sentence when it cannot.
    int bind();
    /// Serves until stop(); call from the thread that may block.
    void run();
    /// From any thread or a signal handler's helper thread.
    void stop();

private:
    class Private;
    std::unique_ptr<Private> d;
};

/// The model's name as /v1/models lists it: "kvlab-practice-medium".
std::string practiceModelName(EngineSize size);

} // namespace kvlab::engine
