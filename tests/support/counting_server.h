// SPDX-License-Identifier: GPL-3.0-or-later
// A server for tests that counts what it is asked: each GET gets the answer set for its path, other paths 404. Lives in
// the test's own thread.
#pragma once

#include <QMap>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUrl>

#include <utility>

namespace kvlab::test {

class CountingServer : public QObject
{
public:
    CountingServer()
    {
        m_server.listen(QHostAddress::LocalHost);
        connect(&m_server, &QTcpServer::newConnection, this, [this] {
            while (QTcpSocket *socket = m_server.nextPendingConnection()) {
                connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(socket); });
                connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            }
        });
    }

    QUrl url() const { return QUrl(QStringLiteral("http://127.0.0.1:%1").arg(m_server.serverPort())); }
    void answer(const QByteArray &path, int status, const QByteArray &body = {}) { m_answers[path] = {status, body}; }
    int asked(const QByteArray &path) const { return m_asked.value(path); }
    int askedInAll() const
    {
        int sum = 0;
        for (const int count : m_asked)
            sum += count;
        return sum;
    }
    QByteArray lastHead() const { return m_head; }
    bool silent = false; ///< takes questions and never answers

private:
    void read(QTcpSocket *socket)
    {
        QByteArray &buffer = m_buffers[socket];
        buffer += socket->readAll();
        const qsizetype end = buffer.indexOf("\r\n\r\n");
        if (end < 0)
            return;
        m_head = std::exchange(buffer, {}).left(end);
        const QByteArray path = m_head.split(' ').value(1);
        ++m_asked[path];
        if (silent)
            return;
        const auto [status, body] = m_answers.value(path, {404, "no"});
        socket->write("HTTP/1.1 " + QByteArray::number(status)
            + " x\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body);
    }

    QTcpServer m_server;
    QMap<QTcpSocket *, QByteArray> m_buffers;
    QMap<QByteArray, std::pair<int, QByteArray>> m_answers;
    QMap<QByteArray, int> m_asked;
    QByteArray m_head;
};

} // namespace kvlab::test
