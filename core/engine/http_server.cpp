// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http_server.h"

#include <QDeadlineTimer>
#include <QHostAddress>
#include <QTcpSocket>

#include <algorithm>
#include <limits>

namespace kvlab::engine {

namespace {

constexpr int waitSliceMs = 100; ///< how often a waiting thread looks whether the server stops
constexpr qint64 readAheadBytes = 1024 * 1024;

/// The system's own look at a connection, without taking data from it: false once the other side has closed.
bool isPeerThere(socket_t descriptor)
{
    char byte = 0;
    const auto count = recv(descriptor, &byte, 1, MSG_PEEK); // the socket is non-blocking
    if (count >= 0)
        return count > 0;
#ifdef _WIN32 // not tried
    return WSAGetLastError() == WSAEWOULDBLOCK;
#else
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
#endif
}

/// cpp-httplib would set SO_REUSEPORT: a second server on the same port would start without an error.
void setListenOptions(socket_t descriptor)
{
    const int yes = 1;
#ifdef _WIN32 // not tried
    setsockopt(descriptor, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, reinterpret_cast<const char *>(&yes), sizeof yes);
#else
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
#endif
}

/// Compressing a stream holds its events back, and what is measured here must not depend on what a client accepts. And
/// a request that says nothing of a body has none (`curl -X POST`); the library would wait for one.
void prepare(httplib::Request &request)
{
    request.headers.erase("Accept-Encoding");
    if (!request.has_header("Content-Length") && !request.has_header("Transfer-Encoding"))
        request.headers.emplace("Content-Length", "0");
}

class Connection : public httplib::Stream
{
public:
    Connection(socket_t descriptor, const HttpServer::Limits &limits, const std::atomic<bool> &stopping)
        : m_descriptor(descriptor)
        , m_limits(limits)
        , m_stopping(stopping)
    {
        m_socket.setSocketDescriptor(qintptr(descriptor));
        m_socket.setReadBufferSize(readAheadBytes);
        m_socket.setSocketOption(QAbstractSocket::LowDelayOption, 1);
    }

    /// Waits for the first byte of a request: false when the connection closes, idles too long or the server stops.
    bool waitForRequest(const std::atomic<int> &othersWaiting)
    {
        const QDeadlineTimer idle(m_limits.idle);
        const QDeadlineTimer idleWhenFull(m_limits.idle_when_full);
        while (m_socket.bytesAvailable() == 0) {
            if (m_stopping || idle.hasExpired() || (othersWaiting > 0 && idleWhenFull.hasExpired()))
                return false;
            if (!waitForData())
                return false;
        }
        m_receiveLimit = QDeadlineTimer(m_limits.receive);
        return !m_stopping;
    }

    bool is_readable() const override { return m_socket.bytesAvailable() > 0; }
    bool is_writable() const override { return isOpen() && isPeerThere(m_descriptor); }

    ssize_t read(char *data, std::size_t size) override
    {
        while (m_socket.bytesAvailable() == 0) {
            if (m_stopping || m_receiveLimit.hasExpired() || !waitForData())
                return -1;
        }
        return ssize_t(m_socket.read(data, qint64(std::min<std::size_t>(size, readAheadBytes))));
    }

    ssize_t write(const char *data, std::size_t size) override
    {
        if (!isOpen() || m_socket.write(data, qint64(size)) != qint64(size))
            return -1;
        m_socket.flush();
        const QDeadlineTimer limit(m_limits.send);
        while (isOpen() && m_socket.bytesToWrite() > 0) {
            if (m_stopping || limit.hasExpired())
                return -1;
            m_socket.waitForBytesWritten(waitSliceMs);
        }
        return isOpen() ? ssize_t(size) : -1;
    }

    void get_remote_ip_and_port(std::string &ip, int &port) const override
    {
        ip = m_socket.peerAddress().toString().toStdString();
        port = m_socket.peerPort();
    }

    void get_local_ip_and_port(std::string &ip, int &port) const override
    {
        ip = m_socket.localAddress().toString().toStdString();
        port = m_socket.localPort();
    }

    socket_t socket() const override { return m_descriptor; }

private:
    bool isOpen() const { return m_socket.state() == QAbstractSocket::ConnectedState; }

    /// False when nothing more can come. Data that came before the end is still read.
    bool waitForData()
    {
        if (isOpen())
            m_socket.waitForReadyRead(waitSliceMs);
        return isOpen() || m_socket.bytesAvailable() > 0;
    }

    socket_t m_descriptor;
    const HttpServer::Limits &m_limits;
    const std::atomic<bool> &m_stopping;
    QTcpSocket m_socket;
    QDeadlineTimer m_receiveLimit;
};

thread_local const Connection *t_connection = nullptr;

} // namespace

/// The library's pool of threads, counting who waits for one.
class HttpServer::Queue : public httplib::TaskQueue
{
public:
    explicit Queue(HttpServer &server)
        : m_server(server)
        , m_pool(server.m_limits.threads)
    {
    }

    void enqueue(std::function<void()> task) override
    {
        ++m_server.m_waiting;
        m_pool.enqueue([this, task = std::move(task)] {
            --m_server.m_waiting;
            task();
        });
    }

    void shutdown() override { m_pool.shutdown(); }

    /// Called now and then while nobody connects: catches a stop that came before the library had begun to listen.
    void on_idle() override
    {
        if (m_server.m_stopping)
            m_server.stop();
    }

private:
    HttpServer &m_server;
    httplib::ThreadPool m_pool;
};

HttpServer::HttpServer(const Limits &limits)
    : m_limits(limits)
{
    new_task_queue = [this] { return new Queue(*this); };
    set_socket_options(setListenOptions);
    set_tcp_nodelay(true);
    set_idle_interval(std::chrono::milliseconds(200));
    // Connections are ours, so these two only appear in the Keep-Alive header that clients read.
    set_keep_alive_timeout(std::chrono::duration_cast<std::chrono::seconds>(limits.idle).count());
    set_keep_alive_max_count(std::numeric_limits<int>::max());
}

void HttpServer::stopAll()
{
    m_stopping = true;
    stop();
}

std::function<bool()> HttpServer::clientWatch()
{
    return [connection = t_connection] { return connection && isPeerThere(connection->socket()); };
}

bool HttpServer::process_and_close_socket(socket_t descriptor)
{
    Connection connection(descriptor, m_limits, m_stopping);
    t_connection = &connection;
    bool open = true;
    while (open && connection.waitForRequest(m_waiting)) {
        bool closed = false;
        open = process_request(connection, false, closed, prepare) && !closed;
    }
    t_connection = nullptr;
    return open;
}

} // namespace kvlab::engine
