// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/model_server.h"

#include <QCryptographicHash>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QMutex>
#include <QPointer>
#include <QRegularExpression>
#include <QTcpServer>
#include <QTcpSocket>
#include <QThread>
#include <QTimer>

#include <algorithm>

namespace kvlab::test {

namespace {

QByteArray json(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

QByteArray sseEvent(const QJsonObject &object)
{
    return "data: " + json(object) + "\n\n";
}

QByteArray whole(int status, const QByteArray &body, const QByteArray &type = "application/json")
{
    return "HTTP/1.1 " + QByteArray::number(status) + " X\r\nContent-Type: " + type
        + "\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

QByteArray refusal(int status, const QString &message)
{
    return whole(status, json({{QStringLiteral("error"), QJsonObject{{QStringLiteral("message"), message}}}}));
}

QByteArray chunk(const QByteArray &bytes)
{
    return QByteArray::number(bytes.size(), 16) + "\r\n" + bytes + "\r\n";
}

bool refusesCache(const QJsonObject &body)
{
    return body.contains(QStringLiteral("cache_prompt")) && !body.value(QStringLiteral("cache_prompt")).toBool();
}

QJsonObject text(const QString &content)
{
    const QJsonObject choice{{QStringLiteral("index"), 0}, {QStringLiteral("text"), content}};
    return {{QStringLiteral("choices"), QJsonArray{choice}}};
}

QJsonObject delta(const QString &content)
{
    const QJsonObject choice{{QStringLiteral("index"), 0},
        {QStringLiteral("delta"), QJsonObject{{QStringLiteral("content"), content}}},
        {QStringLiteral("finish_reason"), QJsonValue::Null}};
    return {{QStringLiteral("choices"), QJsonArray{choice}}};
}

QStringList words(const QString &text)
{
    static const QRegularExpression word(QStringLiteral("\\w+|[^\\w\\s]"));
    QStringList list;
    for (auto it = word.globalMatch(text); it.hasNext();)
        list << it.next().captured();
    return list;
}

QString applyTemplate(const QJsonArray &messages)
{
    QString text;
    for (const QJsonValue &message : messages)
        text += QStringLiteral("im_start %1 %2 im_end ")
                    .arg(message.toObject().value(QStringLiteral("role")).toString(),
                        message.toObject().value(QStringLiteral("content")).toString());
    return text + QStringLiteral("im_start assistant");
}

QStringList promptTokens(const QJsonObject &body)
{
    if (body.contains(QStringLiteral("prompt")))
        return words(body.value(QStringLiteral("prompt")).toString());
    return words(applyTemplate(body.value(QStringLiteral("messages")).toArray()));
}

struct HttpRequest
{
    QByteArray method;
    QByteArray path;
    QByteArray authorization;
    QByteArray head;
    QJsonObject body;
};

/// One request off the front of `buffer`, once it is there in whole.
std::optional<HttpRequest> takeRequest(QByteArray &buffer)
{
    const qsizetype headEnd = buffer.indexOf("\r\n\r\n");
    if (headEnd < 0)
        return std::nullopt;
    HttpRequest request;
    qsizetype length = 0;
    for (const QByteArray &line : buffer.left(headEnd).split('\n')) {
        const QByteArray name = line.left(line.indexOf(':')).toLower();
        if (name == "content-length")
            length = line.mid(line.indexOf(':') + 1).trimmed().toLongLong();
        if (name == "authorization")
            request.authorization = line.mid(line.indexOf(':') + 1).trimmed();
    }
    if (buffer.size() < headEnd + 4 + length)
        return std::nullopt;
    const QList<QByteArray> first = buffer.left(buffer.indexOf('\r')).split(' ');
    request.method = first.value(0);
    request.path = first.value(1);
    request.head = buffer.left(headEnd);
    request.body = QJsonDocument::fromJson(buffer.mid(headEnd + 4, length)).object();
    buffer.remove(0, headEnd + 4 + length);
    return request;
}

} // namespace

/// Lives in the server's thread.
class Responder : public QObject
{
public:
    Responder(const ServerBehaviour &behaviour, QMutex &mutex, QList<ChatRequest> &chats)
        : m_behaviour(behaviour)
        , m_mutex(mutex)
        , m_chats(chats)
    {
        connect(&m_server, &QTcpServer::newConnection, this, [this] { accept(); });
        m_server.listen(QHostAddress::LocalHost);
    }

    quint16 port() const { return m_server.serverPort(); }

private:
    void accept();
    void answer(QTcpSocket *socket, const HttpRequest &request);
    void chat(QTcpSocket *socket, const HttpRequest &request);
    std::optional<QByteArray> refusalFor(const QJsonObject &body, const QStringList &tokens) const;
    int find(const QStringList &tokens, const QString &salt) const;
    void store(QStringList tokens, const QString &salt);
    void storeInSlot(const QStringList &tokens);
    QString answerTo(const QStringList &tokens) const;
    QList<QByteArray> keysOf(const QStringList &tokens, const QString &salt) const;
    QByteArray streamFor(const QJsonObject &body, const ChatRequest &chat, bool whole) const;
    QJsonObject usageFor(const ChatRequest &chat) const;
    QByteArray wholeAnswer(const ChatRequest &chat) const;
    QByteArray models() const;
    QByteArray metrics() const;
    QByteArray tokenize(const QJsonObject &body);
    QByteArray properties() const;
    void die();

    ServerBehaviour m_behaviour;
    QMutex &m_mutex;
    QList<ChatRequest> &m_chats;
    QHash<QTcpSocket *, QByteArray> m_buffers;
    QHash<QByteArray, qint64> m_cached; ///< blocks and when they were last used
    qint64 m_clock = 0;
    QList<QStringList> m_slots; ///< prompts, the one used longest ago first
    QHash<QString, int> m_ids;
    int m_chat_count = 0;
    int m_max_tokens = 1; ///< of the chat request being answered
    qint64 m_hits = 0;
    qint64 m_queries = 0;
    QTcpServer m_server; ///< last: closing its sockets still uses the rest
};

void Responder::accept()
{
    while (QTcpSocket *socket = m_server.nextPendingConnection()) {
        socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
            m_buffers.remove(socket);
            socket->deleteLater();
        });
        connect(socket, &QTcpSocket::readyRead, this, [this, socket] {
            m_buffers[socket] += socket->readAll();
            while (const auto request = takeRequest(m_buffers[socket]))
                answer(socket, *request);
        });
    }
}

void Responder::answer(QTcpSocket *socket, const HttpRequest &request)
{
    if (!m_behaviour.api_key.isEmpty() && request.authorization != "Bearer " + m_behaviour.api_key)
        socket->write(refusal(401, QStringLiteral("Wrong key: ") + QString::fromUtf8(request.authorization)));
    else if (request.path == "/v1/models" && m_behaviour.has_models)
        socket->write(whole(200, models()));
    else if (request.path == "/metrics" && m_behaviour.has_metrics)
        socket->write(whole(200, metrics(), "text/plain"));
    else if (request.path == "/tokenize" && m_behaviour.has_tokenize)
        socket->write(whole(200, tokenize(request.body)));
    else if (request.path == "/reset_prefix_cache" && m_behaviour.has_reset) {
        if (!m_behaviour.reset_lies)
            m_cached.clear();
        socket->write(whole(200, R"({"success":true})"));
    } else if (request.path == "/props" && m_behaviour.like_llama)
        socket->write(whole(200, properties()));
    else if (request.path == "/apply-template" && m_behaviour.like_llama)
        socket->write(whole(200,
            json({{QStringLiteral("prompt"),
                applyTemplate(request.body.value(QStringLiteral("messages")).toArray())}})));
    else if (request.path == "/v1/chat/completions" || request.path == "/v1/completions")
        chat(socket, request);
    else
        socket->write(whole(404, R"({"detail":"Not Found"})"));
}

void Responder::chat(QTcpSocket *socket, const HttpRequest &request)
{
    ++m_chat_count;
    if (m_chat_count == m_behaviour.dies_at) {
        die();
        return;
    }
    const QString salt
        = m_behaviour.honours_salt ? request.body.value(QStringLiteral("cache_salt")).toString() : QString();
    const QStringList tokens = promptTokens(request.body);
    m_max_tokens = request.body.value(QStringLiteral("max_tokens")).toInt(1);
    const ChatRequest seen{request.body, request.authorization, request.head, tokens,
        m_behaviour.like_llama && refusesCache(request.body) ? 0 : find(tokens, salt), answerTo(tokens)};
    {
        const QMutexLocker lock(&m_mutex);
        m_chats.append(seen);
    }
    if (m_chat_count == m_behaviour.silent_at)
        return;
    if (m_behaviour.fault_at > 0 && m_chat_count >= m_behaviour.fault_at) {
        socket->write(m_behaviour.fault);
        if (m_behaviour.fault_closes)
            socket->disconnectFromHost();
        return;
    }
    if (const auto refused = refusalFor(request.body, tokens)) {
        socket->write(*refused);
        return;
    }
    store(tokens, salt);
    m_hits += seen.cached;
    m_queries += tokens.size();
    const bool endsEarly = m_chat_count == m_behaviour.ends_early_at;
    const int delay = static_cast<int>((tokens.size() - seen.cached) * m_behaviour.token_us / 1000);
    const QPointer<QTcpSocket> guard(socket);
    QTimer::singleShot(delay, Qt::PreciseTimer, socket, [this, guard, request, seen, endsEarly] {
        const bool streams = request.body.value(QStringLiteral("stream")).toBool();
        guard->write(streams ? streamFor(request.body, seen, !endsEarly) : wholeAnswer(seen));
        if (endsEarly)
            guard->disconnectFromHost();
    });
}

std::optional<QByteArray> Responder::refusalFor(const QJsonObject &body, const QStringList &tokens) const
{
    if (m_behaviour.refuses_stream_options && body.contains(QStringLiteral("stream_options")))
        return refusal(400, QStringLiteral("unknown field stream_options"));
    if (m_behaviour.wants_max_completion_tokens && body.contains(QStringLiteral("max_tokens")))
        return refusal(400,
            QStringLiteral("Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                           "'max_completion_tokens' instead."));
    if (m_behaviour.refuses_salt && body.contains(QStringLiteral("cache_salt")))
        return refusal(400, QStringLiteral("unknown field cache_salt"));
    const QString role
        = body.value(QStringLiteral("messages")).toArray().at(0).toObject().value(QStringLiteral("role")).toString();
    if (m_behaviour.refuses_system_role && role == QLatin1String("system"))
        return refusal(400, QStringLiteral("System role not supported"));
    if (tokens.size() > m_behaviour.context_tokens)
        return refusal(400, QStringLiteral("This model's maximum context length is exceeded"));
    return std::nullopt;
}

/// One key for each whole block: a block is the same only behind the same ones.
QList<QByteArray> Responder::keysOf(const QStringList &tokens, const QString &salt) const
{
    QList<QByteArray> keys;
    QByteArray chain = salt.toUtf8();
    const int block = m_behaviour.block_size;
    for (int end = block; end <= tokens.size(); end += block) {
        chain = QCryptographicHash::hash(
            chain + tokens.mid(end - block, block).join(QLatin1Char(' ')).toUtf8(), QCryptographicHash::Sha1);
        keys.append(chain);
    }
    return keys;
}

int Responder::find(const QStringList &tokens, const QString &salt) const
{
    const int block = m_behaviour.block_size;
    if (m_behaviour.hits_always)
        return static_cast<int>((tokens.size() - 1) / block * block);
    if (m_behaviour.like_llama) {
        qsizetype longest = 0;
        for (const QStringList &slot : m_slots)
            longest = std::max<qsizetype>(
                longest, std::mismatch(tokens.begin(), tokens.end(), slot.begin(), slot.end()).first - tokens.begin());
        return static_cast<int>(std::min<qsizetype>(longest, tokens.size() - 1));
    }
    int found = 0;
    if (m_behaviour.caches) {
        for (const QByteArray &key : keysOf(tokens, salt)) {
            if (found + block >= tokens.size() || !m_cached.contains(key))
                break;
            found += block;
        }
    }
    return found;
}

/// The slot that shares most of the prompt takes it, unless that is hardly anything; then the one used longest ago.
void Responder::storeInSlot(const QStringList &tokens)
{
    const auto similar = std::find_if(m_slots.begin(), m_slots.end(), [&tokens](const QStringList &slot) {
        const auto common
            = std::mismatch(tokens.begin(), tokens.end(), slot.begin(), slot.end()).first - tokens.begin();
        return 2 * common > tokens.size();
    });
    if (similar != m_slots.end())
        m_slots.erase(similar);
    m_slots.append(tokens);
    if (m_slots.size() > m_behaviour.slots)
        m_slots.removeFirst();
}

void Responder::store(QStringList tokens, const QString &salt)
{
    if (m_behaviour.keeps_generated)
        tokens << answerTo(tokens).split(QLatin1Char(' '));
    storeInSlot(tokens);
    const QList<QByteArray> keys = keysOf(tokens, salt);
    for (auto key = keys.crbegin(); key != keys.crend(); ++key) // the end is the oldest
        m_cached.insert(*key, ++m_clock);
    while (m_behaviour.pool_blocks > 0 && m_cached.size() > m_behaviour.pool_blocks) {
        auto oldest = m_cached.begin();
        for (auto it = m_cached.begin(); it != m_cached.end(); ++it) {
            if (it.value() < oldest.value())
                oldest = it;
        }
        m_cached.erase(oldest);
    }
}

/// As many words as asked for, at most three; other ones for another prompt.
QString Responder::answerTo(const QStringList &tokens) const
{
    const QString word = QStringLiteral("word%1").arg(qHash(tokens.join(QLatin1Char(' ')), 1) % 1000);
    return QStringList(std::clamp(m_max_tokens, 1, 3), word).join(QLatin1Char(' '));
}

QJsonObject Responder::usageFor(const ChatRequest &chat) const
{
    QJsonObject usage{{QStringLiteral("prompt_tokens"), static_cast<qint64>(chat.tokens.size())},
        {QStringLiteral("completion_tokens"), static_cast<qint64>(chat.answer.split(QLatin1Char(' ')).size())}};
    if (m_behaviour.reports_cached && !m_behaviour.like_llama)
        usage.insert(
            QStringLiteral("prompt_tokens_details"), QJsonObject{{QStringLiteral("cached_tokens"), chat.cached}});
    return usage;
}

QByteArray Responder::wholeAnswer(const ChatRequest &chat) const
{
    const QJsonObject message{
        {QStringLiteral("role"), QStringLiteral("assistant")}, {QStringLiteral("content"), chat.answer}};
    return whole(200,
        json({{QStringLiteral("choices"), QJsonArray{QJsonObject{{QStringLiteral("message"), message}}}},
            {QStringLiteral("usage"), usageFor(chat)}}));
}

QByteArray Responder::streamFor(const QJsonObject &body, const ChatRequest &chat, bool complete) const
{
    QByteArray bytes = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    if (body.contains(QStringLiteral("prompt")))
        bytes += chunk(sseEvent(text(chat.answer)));
    else
        bytes += chunk(sseEvent(delta(QString()))) + chunk(sseEvent(delta(chat.answer)));
    if (!complete)
        return bytes;
    if (body.contains(QStringLiteral("stream_options"))) {
        QJsonObject last{{QStringLiteral("choices"), QJsonArray()}, {QStringLiteral("usage"), usageFor(chat)}};
        if (m_behaviour.like_llama)
            last.insert(QStringLiteral("timings"), QJsonObject{{QStringLiteral("cache_n"), chat.cached}});
        bytes += chunk(sseEvent(last));
    }
    return bytes + chunk("data: [DONE]\n\n") + "0\r\n\r\n";
}

QByteArray Responder::models() const
{
    QJsonArray list;
    for (const QString &name : m_behaviour.models) {
        QJsonObject model{{QStringLiteral("id"), name}};
        if (m_behaviour.reports_context && !m_behaviour.like_llama)
            model.insert(QStringLiteral("max_model_len"), m_behaviour.context_tokens);
        list.append(model);
    }
    return json({{QStringLiteral("object"), QStringLiteral("list")}, {QStringLiteral("data"), list}});
}

QByteArray Responder::metrics() const
{
    if (m_behaviour.like_llama)
        return "llamacpp:requests_processing 0\nllamacpp:requests_deferred 0\n";
    const QByteArray block = QByteArray::number(m_behaviour.block_size);
    return "# TYPE vllm:cache_config_info "
           "gauge\nvllm:cache_config_info{effective_attention_block_size=\"9\",block_size=\""
        + block + "\",enable_prefix_caching=\"" + (m_behaviour.caching_off_in_metrics ? "False" : "True")
        + "\"} 1.0\nvllm:num_requests_running{engine=\"0\"} 0.0\nvllm:num_requests_waiting{engine=\"0\"} 0.0\n"
          "vllm:prefix_cache_hits_total{engine=\"0\"} "
        + QByteArray::number(m_hits) + ".0\nvllm:prefix_cache_queries_total{engine=\"0\"} "
        + QByteArray::number(m_queries) + ".0\nvllm:prefix_cache_hits_created{engine=\"0\"} 1.7e+09\n";
}

QByteArray Responder::tokenize(const QJsonObject &body)
{
    const char *textKey = m_behaviour.like_llama ? "content" : "prompt";
    const bool hasMessages = !m_behaviour.like_llama && body.contains(QStringLiteral("messages"));
    const QStringList tokens = hasMessages ? promptTokens(body) : words(body.value(QLatin1String(textKey)).toString());
    QJsonArray ids;
    for (const QString &token : tokens) {
        if (!m_ids.contains(token))
            m_ids.insert(token, static_cast<int>(m_ids.size()));
        ids.append(m_ids.value(token));
    }
    return json({{QStringLiteral("count"), ids.size()}, {QStringLiteral("tokens"), ids}});
}

QByteArray Responder::properties() const
{
    const QJsonObject settings{{QStringLiteral("n_ctx"), m_behaviour.context_tokens}};
    return json({{QStringLiteral("default_generation_settings"), settings}, {QStringLiteral("total_slots"), 1}});
}

void Responder::die()
{
    m_server.close();
    const QList<QTcpSocket *> sockets = m_buffers.keys();
    for (QTcpSocket *socket : sockets)
        socket->abort();
}

class ModelServer::Thread : public QThread
{
public:
    QMutex mutex;
    QList<ChatRequest> chats;
    Responder *responder = nullptr;
    quint16 port = 0;
};

ModelServer::ModelServer(const ServerBehaviour &behaviour)
    : d(std::make_unique<Thread>())
{
    d->start();
    auto *anchor = new QObject;
    anchor->moveToThread(d.get());
    QMetaObject::invokeMethod(
        anchor,
        [this, behaviour] {
            d->responder = new Responder(behaviour, d->mutex, d->chats);
            d->port = d->responder->port();
        },
        Qt::BlockingQueuedConnection);
    anchor->deleteLater();
}

ModelServer::~ModelServer()
{
    QMetaObject::invokeMethod(
        d->responder, [this] { delete d->responder; }, Qt::BlockingQueuedConnection);
    d->quit();
    d->wait();
}

QUrl ModelServer::url(const QString &path) const
{
    return QUrl(QStringLiteral("http://127.0.0.1:%1%2").arg(QString::number(d->port), path));
}

QList<ChatRequest> ModelServer::chats() const
{
    const QMutexLocker lock(&d->mutex);
    return d->chats;
}

} // namespace kvlab::test
