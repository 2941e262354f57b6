// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/fault_server.h"

#include "support/socket_reset.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMutex>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslServer>
#include <QTcpServer>
#include <QTcpSocket>
#include <QThread>
#include <QTimer>

#include <utility>

namespace kvlab::test {

namespace {

using Step = FaultScript::Step;

/// What both threads look at.
struct Shared
{
    mutable QMutex mutex;
    QList<FaultScript> scripts;
    FaultScript default_script;
    QList<FaultRequest> requests;
    int connections = 0;
    int open = 0;
};

/// One accepted socket: collects a request, plays a script, starts again.
class Connection : public QObject
{
public:
    Connection(QTcpSocket *socket, Shared *shared, int number)
        : QObject(socket)
        , m_socket(socket)
        , m_shared(shared)
        , m_number(number)
    {
        socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        m_timer.setSingleShot(true);
        m_timer.setTimerType(Qt::PreciseTimer);
        connect(&m_timer, &QTimer::timeout, this, [this] { play(); });
        connect(socket, &QTcpSocket::readyRead, this, [this] { read(); });
        connect(socket, &QTcpSocket::disconnected, this, [this] { end(); });
    }

private:
    void read()
    {
        m_received += m_socket->readAll();
        const qsizetype head_end = m_received.indexOf("\r\n\r\n");
        if (m_playing || head_end < 0) {
            return;
        }
        FaultRequest request;
        request.head = m_received.first(head_end);
        const qsizetype length = request.header("content-length").toLongLong();
        if (m_received.size() < head_end + 4 + length) {
            return;
        }
        request.body = m_received.sliced(head_end + 4, length);
        request.connection = m_number;
        m_received.remove(0, head_end + 4 + length);
        QMutexLocker lock(&m_shared->mutex);
        m_shared->requests.append(request);
        const FaultScript script
            = m_shared->scripts.isEmpty() ? m_shared->default_script : m_shared->scripts.takeFirst();
        lock.unlock();
        m_steps = script.steps();
        m_playing = true;
        play();
    }

    void play()
    {
        while (!m_steps.isEmpty() && m_socket->state() == QAbstractSocket::ConnectedState) {
            const Step step = m_steps.takeFirst();
            switch (step.kind) {
            case Step::Kind::wait:
                m_timer.start(step.wait_ms);
                return;
            case Step::Kind::send:
                m_socket->write(step.bytes);
                m_socket->flush();
                break;
            case Step::Kind::close:
                m_socket->disconnectFromHost();
                return;
            case Step::Kind::reset:
                resetOnClose(m_socket->socketDescriptor());
                m_socket->abort();
                return;
            }
        }
        m_playing = false;
        if (!m_received.isEmpty()) {
            read();
        }
    }

    void end()
    {
        m_timer.stop();
        const QMutexLocker lock(&m_shared->mutex);
        --m_shared->open;
        m_socket->deleteLater();
    }

    QTcpSocket *m_socket;
    Shared *m_shared;
    int m_number;
    QByteArray m_received;
    QList<Step> m_steps;
    QTimer m_timer;
    bool m_playing = false;
};

} // namespace

class FaultServer::Thread
{
public:
    explicit Thread(Security security)
        : is_secure(security != Security::plain)
        , server(is_secure ? secureServer(security) : std::make_unique<QTcpServer>())
    {
        server->moveToThread(&thread);
        thread.start();
        inThread([this] { listen(); });
    }

    ~Thread()
    {
        inThread([this] { shutDown(); });
        thread.quit();
        thread.wait();
    }

    template <typename Function> void inThread(Function function)
    {
        QMetaObject::invokeMethod(server.get(), function, Qt::BlockingQueuedConnection);
    }

    static QString certificateFile(Security security)
    {
        switch (security) {
        case Security::tls_expired:
            return QStringLiteral("expired");
        case Security::tls_wrong_host:
            return QStringLiteral("wrong_host");
        case Security::tls_unknown_issuer:
            return QStringLiteral("issued");
        default:
            return QStringLiteral("certificate");
        }
    }

    static std::unique_ptr<QTcpServer> secureServer(Security security)
    {
        QFile key(QStringLiteral(KVLAB_TEST_DATA "/tls/key.pem"));
        key.open(QIODevice::ReadOnly);
        QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
        tls.setPrivateKey(QSslKey(&key, QSsl::Ec));
        tls.setLocalCertificateChain(
            QSslCertificate::fromPath(QStringLiteral(KVLAB_TEST_DATA "/tls/%1.pem").arg(certificateFile(security))));
        auto secure = std::make_unique<QSslServer>();
        secure->setSslConfiguration(tls);
        return secure;
    }

    void listen()
    {
        QObject::connect(server.get(), &QTcpServer::pendingConnectionAvailable, server.get(), [this] { accept(); });
        if (server->listen(QHostAddress::LocalHost)) {
            port = server->serverPort();
        }
    }

    void accept()
    {
        while (QTcpSocket *socket = server->nextPendingConnection()) {
            const QMutexLocker lock(&shared.mutex);
            ++shared.open;
            new Connection(socket, &shared, ++shared.connections);
        }
    }

    void shutDown()
    {
        server->close();
        // A secure socket has a plain one as its child: direct children only.
        for (QTcpSocket *socket : server->findChildren<QTcpSocket *>(Qt::FindDirectChildrenOnly)) {
            socket->disconnect();
            delete socket;
        }
    }

    Shared shared;
    bool is_secure;
    std::unique_ptr<QTcpServer> server;
    QThread thread;
    quint16 port = 0;
};

FaultScript &FaultScript::wait(int ms)
{
    m_steps.append({Step::Kind::wait, {}, ms});
    return *this;
}

FaultScript &FaultScript::send(const QByteArray &bytes)
{
    m_steps.append({Step::Kind::send, bytes, 0});
    return *this;
}

FaultScript &FaultScript::sendSplit(const QByteArray &bytes, int pause_ms)
{
    for (const char byte : bytes) {
        send(QByteArray(1, byte));
        if (pause_ms > 0) {
            wait(pause_ms);
        }
    }
    return *this;
}

FaultScript &FaultScript::close()
{
    m_steps.append({Step::Kind::close, {}, 0});
    return *this;
}

FaultScript &FaultScript::reset()
{
    m_steps.append({Step::Kind::reset, {}, 0});
    return *this;
}

QByteArray FaultRequest::method() const
{
    return head.left(head.indexOf(' '));
}

QByteArray FaultRequest::header(const QByteArray &name) const
{
    for (const QByteArray &line : head.split('\n')) {
        const qsizetype colon = line.indexOf(':');
        if (colon > 0 && line.first(colon).toLower() == name.toLower()) {
            return line.sliced(colon + 1).trimmed();
        }
    }
    return {};
}

FaultServer::FaultServer(const FaultScript &default_script, Security security)
    : d(std::make_unique<Thread>(security))
{
    setDefault(default_script);
}

FaultServer::~FaultServer() = default;

quint16 FaultServer::port() const
{
    return d->port;
}

QUrl FaultServer::url(const QString &path) const
{
    QUrl url;
    url.setScheme(d->is_secure ? QStringLiteral("https") : QStringLiteral("http"));
    url.setHost(QStringLiteral("127.0.0.1"));
    url.setPort(d->port);
    url.setPath(path);
    return url;
}

void FaultServer::enqueue(const FaultScript &script)
{
    const QMutexLocker lock(&d->shared.mutex);
    d->shared.scripts.append(script);
}

void FaultServer::setDefault(const FaultScript &script)
{
    const QMutexLocker lock(&d->shared.mutex);
    d->shared.default_script = script;
}

QList<FaultRequest> FaultServer::requests() const
{
    const QMutexLocker lock(&d->shared.mutex);
    return d->shared.requests;
}

int FaultServer::connectionCount() const
{
    const QMutexLocker lock(&d->shared.mutex);
    return d->shared.connections;
}

int FaultServer::openConnections() const
{
    const QMutexLocker lock(&d->shared.mutex);
    return d->shared.open;
}

namespace fault {

QByteArray answer(int status, const QByteArray &content_type, const QByteArray &body, const QByteArray &more_headers)
{
    return "HTTP/1.1 " + QByteArray::number(status) + " Status\r\nContent-Type: " + content_type
        + "\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n" + more_headers + "\r\n" + body;
}

QByteArray streamHead()
{
    return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n";
}

QByteArray chunk(const QByteArray &bytes)
{
    return QByteArray::number(bytes.size(), 16) + "\r\n" + bytes + "\r\n";
}

QByteArray lastChunk()
{
    return "0\r\n\r\n";
}

QByteArray event(const QByteArray &data)
{
    return "data: " + data + "\n\n";
}

QByteArray role()
{
    return event(R"({"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]})");
}

QByteArray content(const QString &text)
{
    const QByteArray quoted
        = QJsonDocument(QJsonObject{{QStringLiteral("content"), text}}).toJson(QJsonDocument::Compact);
    return event(R"({"choices":[{"index":0,"delta":)" + quoted + R"(,"finish_reason":null}]})");
}

QByteArray usage(int prompt_tokens, int completion_tokens, int cached_tokens)
{
    return event(R"({"choices":[],"usage":{"prompt_tokens":)" + QByteArray::number(prompt_tokens)
        + R"(,"completion_tokens":)" + QByteArray::number(completion_tokens)
        + R"(,"prompt_tokens_details":{"cached_tokens":)" + QByteArray::number(cached_tokens) + "}}}");
}

QByteArray done()
{
    return event("[DONE]");
}

FaultScript wholeStream(const QString &text, int delay_ms)
{
    FaultScript script;
    script.send(streamHead() + chunk(role()));
    if (delay_ms > 0) {
        script.wait(delay_ms);
    }
    return script.send(chunk(content(text))).send(chunk(usage(42, 2, 32)) + chunk(done()) + lastChunk());
}

} // namespace fault

} // namespace kvlab::test
