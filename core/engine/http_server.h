// SPDX-License-Identifier: GPL-3.0-or-later
// cpp-httplib's parser and routes over connections of our own (QTcpSocket). The library's own connections would hold a
// thread each for as long as they are idle, delay a stop until the last of them has timed out, and tell a handler
// nothing about a client that has gone.
#pragma once

#include <httplib.h>

#include <atomic>
#include <chrono>
#include <functional>

namespace kvlab::engine {

class HttpServer : public httplib::Server
{
public:
    struct Limits
    {
        std::size_t threads = 32; ///< connections served at a time; others wait
        std::chrono::milliseconds idle{60'000}; ///< an open connection without a request is closed after this …
        std::chrono::milliseconds idle_when_full{500}; ///< … or this, when others wait for its thread
        std::chrono::milliseconds receive{60'000}; ///< for one whole request
        std::chrono::milliseconds send{30'000}; ///< for one write
    };

    explicit HttpServer(const Limits &limits);

    /// Ends listen_after_bind() and every connection, within about 0.3 s; from any thread, also before listening.
    void stopAll();
    const std::atomic<bool> &stopping() const { return m_stopping; }

    /// For handlers: tells whether the client whose request this thread answers is still there. The function may be
    /// called from another thread, as long as the handler (or its content provider) runs.
    static std::function<bool()> clientWatch();

private:
    class Queue;

    bool process_and_close_socket(socket_t descriptor) override;

    Limits m_limits;
    std::atomic<bool> m_stopping = false;
    std::atomic<int> m_waiting = 0; ///< accepted connections that no thread serves yet
};

} // namespace kvlab::engine
