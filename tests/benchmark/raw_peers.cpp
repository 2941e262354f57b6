// SPDX-License-Identifier: GPL-3.0-or-later
#include "benchmark/raw_peers.h"

#include "probe/probe_clock.h"

#include <QByteArrayList>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace kvlab::benchmark {

using boost::asio::ip::tcp;
using probe::monotonicNs;

namespace {

/// Long enough to wake up in time on a busy machine, short enough not to take a core from the client.
constexpr qint64 spinNs = 2'000'000;

QByteArray chunk(const QByteArray &bytes)
{
    return QByteArray::number(bytes.size(), 16) + "\r\n" + bytes + "\r\n";
}

void waitUntil(qint64 deadline_ns)
{
    const qint64 sleep_ns = deadline_ns - spinNs - monotonicNs();
    if (sleep_ns > 0) {
        std::this_thread::sleep_for(std::chrono::nanoseconds(sleep_ns));
    }
    while (monotonicNs() < deadline_ns) { }
}

/// Reads into `buffer` until it holds one request; false when the connection has ended.
bool readRequest(tcp::socket &socket, QByteArray &buffer)
{
    std::array<char, 65'536> piece;
    for (;;) {
        const qsizetype head = buffer.indexOf("\r\n\r\n");
        if (head >= 0) {
            constexpr QByteArrayView name("\r\nContent-Length:"); // as all three clients spell it
            const qsizetype field = QByteArrayView(buffer).first(head).indexOf(name);
            const qsizetype length
                = field < 0 ? 0 : buffer.mid(field + name.size(), 12).split('\r').first().trimmed().toLongLong();
            if (buffer.size() >= head + 4 + length) {
                buffer.remove(0, head + 4 + length);
                return true;
            }
        }
        boost::system::error_code error;
        const std::size_t size = socket.read_some(boost::asio::buffer(piece), error);
        if (error) {
            return false;
        }
        buffer.append(piece.data(), static_cast<qsizetype>(size));
    }
}

} // namespace

bool holdsToken(const QByteArray &answer)
{
    const qsizetype token = answer.indexOf("\"content\":\"t\"");
    return token >= 0 && answer.indexOf("\n\n", token) >= 0;
}

bool isWholeAnswer(const QByteArray &answer)
{
    return answer.endsWith("\r\n0\r\n\r\n");
}

class DelayServer::Private
{
public:
    void serve(tcp::socket &socket)
    {
        const QByteArray token
            = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
            + chunk("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"t\"}}]}\n\n");
        const QByteArray end = chunk("data: [DONE]\n\n") + "0\r\n\r\n";
        QByteArray received;
        while (readRequest(socket, received)) {
            waitUntil(monotonicNs() + delay_ns);
            boost::system::error_code error;
            boost::asio::write(
                socket, boost::asio::buffer(token.constData(), static_cast<std::size_t>(token.size())), error);
            boost::asio::write(
                socket, boost::asio::buffer(end.constData(), static_cast<std::size_t>(end.size())), error);
        }
    }

    void accept()
    {
        for (;;) {
            boost::system::error_code error;
            auto socket = std::make_shared<tcp::socket>(context);
            acceptor.accept(*socket, error);
            if (error || stopping) {
                return;
            }
            socket->set_option(tcp::no_delay(true));
            ++connections;
            const std::lock_guard lock(mutex);
            sockets.push_back(socket);
            threads.emplace_back([this, socket] { serve(*socket); });
        }
    }

    qint64 delay_ns = 0;
    boost::asio::io_context context;
    tcp::acceptor acceptor{context, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)};
    std::atomic<bool> stopping = false;
    std::atomic<int> connections = 0;
    std::mutex mutex;
    std::vector<std::shared_ptr<tcp::socket>> sockets;
    std::vector<std::thread> threads;
    std::thread accepting;
};

DelayServer::DelayServer(qint64 delay_ns)
    : d(std::make_unique<Private>())
{
    d->delay_ns = delay_ns;
    d->accepting = std::thread([this] { d->accept(); });
}

DelayServer::~DelayServer()
{
    d->stopping = true;
    boost::system::error_code ignored;
    {
        // A blocked accept() wakes up for a connection, not for a closed acceptor.
        tcp::socket knock(d->context);
        knock.connect(d->acceptor.local_endpoint(), ignored);
        d->accepting.join();
    }
    for (const auto &socket : d->sockets) {
        socket->shutdown(tcp::socket::shutdown_both, ignored);
    }
    for (std::thread &thread : d->threads) {
        thread.join();
    }
}

quint16 DelayServer::port() const
{
    return d->acceptor.local_endpoint().port();
}

int DelayServer::connectionCount() const
{
    return d->connections;
}

class RawClient::Private
{
public:
    boost::asio::io_context context;
    tcp::socket socket{context};
};

RawClient::RawClient(quint16 port)
    : d(std::make_unique<Private>())
{
    d->socket.connect(tcp::endpoint(boost::asio::ip::address_v4::loopback(), port));
    d->socket.set_option(tcp::no_delay(true));
}

RawClient::~RawClient() = default;

std::optional<qint64> RawClient::timeToFirstToken(const QByteArray &request)
{
    std::array<char, 65'536> piece;
    QByteArray answer;
    std::optional<qint64> ttft_ns;
    boost::system::error_code error;
    const qint64 t0 = monotonicNs();
    boost::asio::write(
        d->socket, boost::asio::buffer(request.constData(), static_cast<std::size_t>(request.size())), error);
    while (!error && !isWholeAnswer(answer)) {
        const std::size_t size = d->socket.read_some(boost::asio::buffer(piece), error);
        const qint64 now = monotonicNs();
        answer.append(piece.data(), static_cast<qsizetype>(size));
        if (!ttft_ns && holdsToken(answer)) {
            ttft_ns = now - t0;
        }
    }
    return error ? std::nullopt : ttft_ns;
}

} // namespace kvlab::benchmark
