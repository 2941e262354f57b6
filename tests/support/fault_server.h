// SPDX-License-Identifier: GPL-3.0-or-later
// An HTTP server for tests that does exactly what a script says, right or wrong: wait, send bytes as they are, split
// them, close, reset, never answer. It runs in a thread of its own on a free loopback port and records what it
// received.
//
//   FaultServer server;
//   server.enqueue(FaultScript().send(fault::streamHead()).wait(200).send(fault::chunk(fault::content(u"Hi"_qs))).reset());
//   client.send({server.url(), body, …});
//   … server.requests().at(0).body, server.connectionCount()
//
// One script is used up for every request, in order; when there is none left, the default script answers. A script that
// does not close leaves the connection open for the next request. Nothing is sent before the request has come in whole.
// All calls may be made from any thread.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <QUrl>

#include <memory>

namespace kvlab::test {

class FaultScript
{
public:
    struct Step
    {
        enum class Kind { wait, send, close, reset };
        Kind kind = Kind::wait;
        QByteArray bytes;
        int wait_ms = 0;
    };

    FaultScript &wait(int ms);
    FaultScript &send(const QByteArray &bytes); ///< in one write
    FaultScript &sendSplit(const QByteArray &bytes, int pause_ms = 0); ///< every byte in a write of its own
    FaultScript &close(); ///< after everything sent has left: the client sees an orderly end
    FaultScript &reset(); ///< the client sees a broken connection (RST)

    const QList<Step> &steps() const { return m_steps; }

private:
    QList<Step> m_steps;
};

struct FaultRequest
{
    QByteArray head; ///< request line and header fields, without the blank line
    QByteArray body;
    int connection = 0; ///< which connection it came on, counted from 1

    QByteArray method() const;
    QByteArray header(const QByteArray &name) const; ///< any case; empty when there is none
};

class FaultServer
{
public:
    enum class Security {
        plain,
        tls, ///< with the self-signed certificate for 127.0.0.1 in tests/data/tls
        tls_expired, ///< issued by tests/data/tls/authority.pem for 127.0.0.1, but no longer valid
        tls_wrong_host, ///< issued by the same for another host
        tls_unknown_issuer, ///< issued by the same for 127.0.0.1 and valid
    };

    explicit FaultServer(const FaultScript &default_script = {}, Security security = Security::plain);
    ~FaultServer();

    quint16 port() const;
    QUrl url(const QString &path = QStringLiteral("/v1/chat/completions")) const;

    void enqueue(const FaultScript &script);
    void setDefault(const FaultScript &script);

    QList<FaultRequest> requests() const;
    int connectionCount() const; ///< accepted since the start
    int openConnections() const;

private:
    class Thread;
    std::unique_ptr<Thread> d;
};

/// Pieces of answers.
namespace fault {

QByteArray answer(
    int status, const QByteArray &content_type, const QByteArray &body, const QByteArray &more_headers = {});
QByteArray streamHead(); ///< 200, text/event-stream, chunked
QByteArray chunk(const QByteArray &bytes); ///< HTTP chunk framing around it
QByteArray lastChunk();
QByteArray event(const QByteArray &data); ///< "data: …" and a blank line
QByteArray role(); ///< the event that names the role and carries no token
QByteArray content(const QString &text);
QByteArray usage(int prompt_tokens, int completion_tokens, int cached_tokens);
QByteArray done();
FaultScript wholeStream(const QString &text, int delay_ms = 0); ///< role, wait, text, usage, [DONE]; connection kept

} // namespace fault

} // namespace kvlab::test
