// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine_server.h"

#include "engine/engine_api.h"

#include <httplib.h>

#include <chrono>
#include <thread>

namespace kvlab::engine {

namespace {

constexpr std::size_t maxBodyBytes = 16 * 1024 * 1024;
constexpr std::size_t workerThreads = 32; // each open connection holds one, idle ones too
constexpr std::size_t keepAliveRequests = 1'000'000;
constexpr int keepAliveSeconds = 60;
constexpr auto watchInterval = std::chrono::milliseconds(25);

void answer(httplib::Response &response, const QByteArray &body, int status = 200)
{
    response.status = status;
    response.set_content(body.constData(), std::size_t(body.size()), "application/json");
}

void answer(httplib::Response &response, const std::variant<QByteArray, ApiError> &result)
{
    if (const auto *error = std::get_if<ApiError>(&result))
        answer(response, errorBody(*error), error->status);
    else
        answer(response, std::get<QByteArray>(result));
}

QByteArray bodyOf(const httplib::Request &request)
{
    return QByteArray::fromRawData(request.body.data(), qsizetype(request.body.size()));
}

/// Sets `cancelled` when the client has gone or the server stops, also while a prefill sends nothing.
class DisconnectWatch
{
public:
    DisconnectWatch(std::function<bool()> connected, const std::atomic<bool> &stopping)
        : m_thread([this, connected = std::move(connected), &stopping](const std::stop_token &done) {
            while (!done.stop_requested() && !m_cancelled) {
                if (stopping || !connected())
                    m_cancelled = true;
                std::this_thread::sleep_for(watchInterval);
            }
        })
    {
    }

    const std::atomic<bool> *cancelled() const { return &m_cancelled; }

private:
    std::atomic<bool> m_cancelled = false;
    std::jthread m_thread;
};

} // namespace

std::string practiceModelName(EngineSize size)
{
    return "kvlab-practice-" + engineSizeName(size);
}

class EngineServer::Private
{
public:
    Private(Engine &theEngine, const Tokenizer &tokenizer, const ServerOptions &theOptions)
        : engine(theEngine)
        , context{tokenizer, practiceModelName(theEngine.options().size)}
        , options(theOptions)
    {
        limit();
        guard();
        route();
    }

    void limit();
    void guard();
    void route();
    void complete(const httplib::Request &request, httplib::Response &response, bool chat);
    void completeWhole(const CompletionRequest &request, httplib::Response &response);
    void completeStream(CompletionRequest request, httplib::Response &response);

    Engine &engine;
    ApiContext context;
    ServerOptions options;
    httplib::Server server;
    std::atomic<bool> stopping = false;
    std::atomic<std::uint64_t> number = 0;
};

void EngineServer::Private::limit()
{
    server.new_task_queue = [] { return new httplib::ThreadPool(workerThreads); };
    server.set_tcp_nodelay(true);
    server.set_keep_alive_max_count(keepAliveRequests);
    server.set_keep_alive_timeout(keepAliveSeconds);
    server.set_payload_max_length(maxBodyBytes);
    server.set_read_timeout(std::chrono::seconds(30));
    server.set_write_timeout(std::chrono::seconds(30));
}

void EngineServer::Private::guard()
{
    server.set_pre_routing_handler([this](const httplib::Request &request, httplib::Response &response) {
        const bool open = options.api_key.empty() || request.path == "/health" || request.path == "/metrics";
        if (open || request.get_header_value("Authorization") == "Bearer " + options.api_key)
            return httplib::Server::HandlerResponse::Unhandled;
        answer(response, errorBody({401, "The API key is missing or wrong.", {}}), 401);
        return httplib::Server::HandlerResponse::Handled;
    });
    server.set_error_handler([](const httplib::Request &request, httplib::Response &response) {
        if (!response.body.empty())
            return;
        const int status = response.status;
        const std::string text = status == 413 ? "The request body is larger than 16 MiB."
            : status == 404                    ? "There is no " + request.method + " " + request.path + " here."
                                               : "The request could not be understood.";
        answer(response, errorBody({status, text, {}}), status);
    });
    server.set_exception_handler([](const httplib::Request &, httplib::Response &response, const std::exception_ptr &) {
        answer(response, errorBody({500, "The practice engine failed on this request.", {}}), 500);
    });
}

void EngineServer::Private::route()
{
    server.Get("/health", [](const httplib::Request &, httplib::Response &response) { response.status = 200; });
    server.Get("/v1/models",
        [this](const httplib::Request &, httplib::Response &response) { answer(response, modelsAnswer(context)); });
    server.Get("/metrics", [this](const httplib::Request &, httplib::Response &response) {
        const QByteArray text = metricsAnswer(engine, context);
        response.set_content(text.constData(), std::size_t(text.size()), "text/plain; version=0.0.4");
    });
    server.Post("/tokenize", [this](const httplib::Request &request, httplib::Response &response) {
        answer(response, tokenizeAnswer(bodyOf(request), context));
    });
    server.Post("/detokenize", [this](const httplib::Request &request, httplib::Response &response) {
        answer(response, detokenizeAnswer(bodyOf(request), context));
    });
    server.Post("/reset_prefix_cache", [this](const httplib::Request &, httplib::Response &response) {
        answer(response, QByteArray(engine.resetPrefixCache() ? "{\"success\":true}" : "{\"success\":false}"));
    });
    server.Post("/v1/chat/completions",
        [this](const httplib::Request &request, httplib::Response &response) { complete(request, response, true); });
    server.Post("/v1/completions",
        [this](const httplib::Request &request, httplib::Response &response) { complete(request, response, false); });
}

void EngineServer::Private::complete(const httplib::Request &request, httplib::Response &response, bool chat)
{
    auto parsed = parseCompletion(bodyOf(request), chat, context);
    if (const auto *error = std::get_if<ApiError>(&parsed))
        answer(response, errorBody(*error), error->status);
    else if (std::get<CompletionRequest>(parsed).stream)
        completeStream(std::get<CompletionRequest>(std::move(parsed)), response);
    else
        completeWhole(std::get<CompletionRequest>(parsed), response);
}

void EngineServer::Private::completeWhole(const CompletionRequest &request, httplib::Response &response)
{
    std::vector<Token> tokens;
    const GenerateResult result = engine.generate(
        request.generate,
        [&](Token token) {
            tokens.push_back(token);
            return true;
        },
        &stopping);
    if (result.finish == GenerateResult::Finish::no_room)
        answer(response, errorBody({400, "The prompt does not fit into the block pool: send a shorter one.", {}}), 400);
    else
        answer(response, AnswerWriter(context, request, ++number).wholeAnswer(result, tokens));
}

void EngineServer::Private::completeStream(CompletionRequest request, httplib::Response &response)
{
    // The provider runs in this connection's thread after the headers have left, as they do at vLLM.
    response.set_chunked_content_provider(
        "text/event-stream", [this, request = std::move(request)](std::size_t, httplib::DataSink &sink) {
            AnswerWriter writer(context, request, ++number);
            const auto send
                = [&sink](const QByteArray &bytes) { return sink.write(bytes.constData(), std::size_t(bytes.size())); };
            GenerateResult result;
            {
                const DisconnectWatch watch(sink.is_writable, stopping);
                result = engine.generate(
                    request.generate, [&](Token token) { return send(writer.tokenEvents(token)); }, watch.cancelled());
            }
            if (result.finish == GenerateResult::Finish::no_room)
                send(AnswerWriter::errorEvents(
                    {400, "The prompt does not fit into the block pool: send a shorter one.", {}}));
            else
                send(writer.endEvents(result));
            sink.done();
            return true;
        });
}

EngineServer::EngineServer(Engine &engine, const Tokenizer &tokenizer, const ServerOptions &options)
    : d(std::make_unique<Private>(engine, tokenizer, options))
{
}

EngineServer::~EngineServer() = default;

int EngineServer::bind()
{
    const ServerOptions &options = d->options;
    const int port = options.port == 0 ? d->server.bind_to_any_port(options.host)
                                       : (d->server.bind_to_port(options.host, options.port) ? options.port : -1);
    if (port <= 0) {
        throw std::runtime_error("The practice engine could not listen on " + options.host + ":"
            + std::to_string(options.port)
            + ". The port may be in use or the address may not be this computer's: choose another --port or --host.");
    }
    return port;
}

void EngineServer::run()
{
    d->server.listen_after_bind();
}

void EngineServer::stop()
{
    d->stopping = true;
    d->server.stop();
}

} // namespace kvlab::engine
