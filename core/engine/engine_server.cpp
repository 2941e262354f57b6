// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine_server.h"

#include "engine/engine_api.h"
#include "engine/http_server.h"

#include <QHostInfo>
#include <QTcpServer>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace kvlab::engine {

namespace {

constexpr std::size_t maxBodyBytes = 16 * 1024 * 1024;
constexpr auto watchInterval = std::chrono::milliseconds(25);
constexpr const char *getRoutes[] = {"/health", "/metrics", "/v1/models"};
constexpr const char *postRoutes[]
    = {"/v1/chat/completions", "/v1/completions", "/tokenize", "/detokenize", "/reset_prefix_cache"};

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
    explicit DisconnectWatch(const std::atomic<bool> &stopping)
        : m_thread([this, connected = HttpServer::clientWatch(), &stopping](const std::stop_token &done) {
            std::unique_lock lock(m_mutex);
            // Waits for `done` alone: a request that ends must not wait for the next look.
            while (!m_wake.wait_for(lock, done, watchInterval, [&done] { return done.stop_requested(); })) {
                if (stopping || !connected())
                    m_cancelled = true;
            }
        })
    {
    }

    const std::atomic<bool> *cancelled() const { return &m_cancelled; }

private:
    std::atomic<bool> m_cancelled = false;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::jthread m_thread;
};

bool isOneOf(const std::string &path, std::span<const char *const> paths)
{
    return std::find(paths.begin(), paths.end(), path) != paths.end();
}

ApiError noRoom()
{
    return {400,
        "The prompt does not fit into the block pool: send a shorter one, or start the engine with more blocks.", {}};
}

/// Why nothing can listen there, found out by trying with a library that says so.
std::string listenProblem(const ServerOptions &options)
{
    const QString host = QString::fromStdString(options.host);
    const QHostInfo info = QHostInfo::fromName(host);
    if (info.addresses().isEmpty())
        return "This computer does not know the host “" + options.host + "”: check --host.";
    QTcpServer attempt;
    attempt.listen(info.addresses().constFirst(), quint16(options.port));
    const std::string place
        = "The practice engine cannot listen on " + options.host + ", port " + std::to_string(options.port) + ": ";
    switch (attempt.serverError()) {
    case QAbstractSocket::AddressInUseError:
        return place + "another program uses that port. Choose another --port, or 0 for a free one.";
    case QAbstractSocket::SocketAccessError:
        return place + "that needs rights this user does not have. Choose a --port of 1024 or above.";
    case QAbstractSocket::SocketAddressNotAvailableError:
        return place + "the address is not one of this computer's. Choose another --host.";
    default:
        return place + attempt.errorString().toStdString() + ". Choose another --host or --port.";
    }
}

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
        server.set_payload_max_length(maxBodyBytes);
        guard();
        route();
    }

    void guard();
    httplib::Server::Handler keyed(httplib::Server::Handler handler);
    void route();
    void complete(const httplib::Request &request, httplib::Response &response, bool chat);
    void completeWhole(const CompletionRequest &request, httplib::Response &response);
    void completeStream(CompletionRequest request, httplib::Response &response);
    bool stream(const CompletionRequest &request, httplib::DataSink &sink);

    Engine &engine;
    ApiContext context;
    ServerOptions options;
    HttpServer server{HttpServer::Limits{}};
    std::atomic<std::uint64_t> number = 0;
};

void EngineServer::Private::guard()
{
    server.set_error_handler([](const httplib::Request &request, httplib::Response &response) {
        if (!response.body.empty())
            return;
        if (response.status == 413) {
            answer(response, errorBody({413, "The request body is larger than 16 MiB.", {}}), 413);
        } else if (isOneOf(
                       request.path, request.method == "POST" ? std::span<const char *const>(getRoutes) : postRoutes)) {
            answer(response, QByteArray("{\"detail\":\"Method Not Allowed\"}"), 405);
        } else if (response.status == 404) {
            answer(response, QByteArray("{\"detail\":\"Not Found\"}"), 404);
        } else {
            answer(response, errorBody({response.status, "The request could not be understood.", {}}), response.status);
        }
    });
    server.set_exception_handler([](const httplib::Request &, httplib::Response &response, const std::exception_ptr &) {
        answer(response, errorBody({500, "The practice engine failed on this request.", {}}), 500);
    });
}

/// A handler that asks for the key first. It runs when the body has been read: an answer before that would leave the
/// body on the connection, to be taken for the next request.
httplib::Server::Handler EngineServer::Private::keyed(httplib::Server::Handler handler)
{
    return [this, handler = std::move(handler)](const httplib::Request &request, httplib::Response &response) {
        if (options.api_key.empty() || request.get_header_value("Authorization") == "Bearer " + options.api_key)
            handler(request, response);
        else
            answer(response, errorBody({401, "The API key is missing or wrong.", {}}), 401);
    };
}

void EngineServer::Private::route()
{
    // As at vLLM, state and metrics need no key: they tell nothing of the prompts.
    server.Get("/health", [](const httplib::Request &, httplib::Response &response) {
        answer(response, QByteArray("{\"status\":\"ok\",\"text\":\"gibberish: untrained weights\"}"));
    });
    server.Get("/metrics", [this](const httplib::Request &, httplib::Response &response) {
        const QByteArray text = metricsAnswer(engine, context);
        response.set_content(text.constData(), std::size_t(text.size()), "text/plain; version=0.0.4; charset=utf-8");
    });
    server.Get("/v1/models", keyed([this](const httplib::Request &, httplib::Response &response) {
        answer(response, modelsAnswer(context));
    }));
    server.Post("/tokenize", keyed([this](const httplib::Request &request, httplib::Response &response) {
        answer(response, tokenizeAnswer(bodyOf(request), context));
    }));
    server.Post("/detokenize", keyed([this](const httplib::Request &request, httplib::Response &response) {
        answer(response, detokenizeAnswer(bodyOf(request), context));
    }));
    server.Post("/reset_prefix_cache", keyed([this](const httplib::Request &, httplib::Response &response) {
        answer(response, QByteArray(engine.resetPrefixCache() ? "{\"success\":true}" : "{\"success\":false}"));
    }));
    server.Post("/v1/chat/completions", keyed([this](const httplib::Request &request, httplib::Response &response) {
        complete(request, response, true);
    }));
    server.Post("/v1/completions", keyed([this](const httplib::Request &request, httplib::Response &response) {
        complete(request, response, false);
    }));
}

void EngineServer::Private::complete(const httplib::Request &request, httplib::Response &response, bool chat)
{
    if (request.get_header_value("Content-Type").rfind("application/json", 0) != 0) {
        answer(response, errorBody({400, "Unsupported Media Type: Only 'application/json' is allowed", {}}), 400);
        return;
    }
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
    const DisconnectWatch watch(server.stopping());
    const GenerateResult result = engine.generate(
        request.generate,
        [&tokens](Token token) {
            tokens.push_back(token);
            return true;
        },
        watch.cancelled());
    if (result.finish == GenerateResult::Finish::no_room)
        answer(response, errorBody(noRoom()), noRoom().status);
    else
        answer(response, AnswerWriter(context, request, ++number).wholeAnswer(result, tokens));
}

void EngineServer::Private::completeStream(CompletionRequest request, httplib::Response &response)
{
    // The provider runs in this connection's thread after the headers have left, as they do at vLLM.
    response.set_chunked_content_provider("text/event-stream; charset=utf-8",
        [this, request = std::move(request)](std::size_t, httplib::DataSink &sink) { return stream(request, sink); });
}

bool EngineServer::Private::stream(const CompletionRequest &request, httplib::DataSink &sink)
{
    AnswerWriter writer(context, request, ++number);
    const auto send
        = [&sink](const QByteArray &bytes) { return sink.write(bytes.constData(), std::size_t(bytes.size())); };
    GenerateResult result;
    try {
        const DisconnectWatch watch(server.stopping());
        // One write per event, so that each is a chunk of its own.
        const auto onToken = [&](Token token) {
            const QByteArrayList events = writer.tokenEvents(token);
            return std::all_of(events.cbegin(), events.cend(), send);
        };
        result = engine.generate(request.generate, onToken, watch.cancelled());
    } catch (const std::exception &) {
        send(AnswerWriter::errorEvent({500, "The practice engine failed on this request.", {}}));
        send(AnswerWriter::doneEvent());
        sink.done();
        return true;
    }
    // A client that left gets nothing more: the connection just ends.
    if (result.finish == GenerateResult::Finish::cancelled || result.finish == GenerateResult::Finish::stop)
        return false;
    QByteArrayList events = result.finish == GenerateResult::Finish::no_room
        ? QByteArrayList{AnswerWriter::errorEvent(noRoom())}
        : writer.endEvents(result);
    events.append(AnswerWriter::doneEvent());
    if (!std::all_of(events.cbegin(), events.cend(), send))
        return false;
    sink.done();
    return true;
}

EngineServer::EngineServer(Engine &engine, const Tokenizer &tokenizer, const ServerOptions &options)
    : d(std::make_unique<Private>(engine, tokenizer, options))
{
}

EngineServer::~EngineServer() = default;

int EngineServer::bind()
{
    const ServerOptions &options = d->options;
    if (options.port == 0) {
        const int port = d->server.bind_to_any_port(options.host);
        if (port > 0)
            return port;
    } else if (d->server.bind_to_port(options.host, options.port)) {
        return options.port;
    }
    throw std::runtime_error(listenProblem(options));
}

void EngineServer::run()
{
    d->server.listen_after_bind();
}

void EngineServer::stop()
{
    d->server.stopAll();
}

} // namespace kvlab::engine
