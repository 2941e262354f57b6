// SPDX-License-Identifier: GPL-3.0-or-later
#include "servers/server_watch.h"

#include "experiment/server_answers.h"
#include "probe/secrets.h"

#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QNetworkRequest>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace kvlab::servers {

namespace {

constexpr int intervalMs = 2'000;
constexpr int transferTimeoutMs = 5'000; // of silence
constexpr qint64 largestBody = 16 * 1024 * 1024;

bool isSame(const experiment::ServerTarget &one, const experiment::ServerTarget &other)
{
    const auto sameHeaders = [](const probe::ProbeHeader &a, const probe::ProbeHeader &b) {
        return a.name == b.name && a.value == b.value;
    };
    return one.base_url == other.base_url && one.model == other.model && one.api_key == other.api_key
        && one.trust.accepted_sha256 == other.trust.accepted_sha256 && one.trust.authorities == other.trust.authorities
        && std::equal(one.headers.begin(), one.headers.end(), other.headers.begin(), other.headers.end(), sameHeaders);
}

} // namespace

class ServerWatch::Private
{
public:
    explicit Private(ServerWatch *owner);

    void ask();
    void get(const QString &path, void (Private::*read)(const QNetworkReply &, int status, const QByteArray &body));
    void drop();
    void finish();
    void readMetricsPage(const QNetworkReply &reply, int status, const QByteArray &body);
    void readHealth(const QNetworkReply &reply, int status, const QByteArray &body);
    void readModelList(const QNetworkReply &reply, int status, const QByteArray &body);
    QString metricsProblem(int status) const;

    ServerWatch *q;
    experiment::ServerTarget target;
    QList<probe::ProbeHeader> headers;
    probe::Secrets secrets;
    QNetworkAccessManager manager;
    QTimer timer;
    QList<QNetworkReply *> replies;
    ServerReading reading;
    QByteArray modelList; ///< asked for once
    bool paused = false;
};

ServerWatch::Private::Private(ServerWatch *owner)
    : q(owner)
{
    // As the probe: both must meet the same server.
    manager.setProxy(QNetworkProxy::NoProxy);
    manager.setTransferTimeout(transferTimeoutMs);
    manager.setRedirectPolicy(QNetworkRequest::ManualRedirectPolicy);
    timer.setSingleShot(true);
    timer.setInterval(intervalMs);
    QObject::connect(&timer, &QTimer::timeout, owner, [this] { ask(); });
}

void ServerWatch::Private::ask()
{
    if (paused || target.base_url.isEmpty() || !replies.isEmpty())
        return;
    reading = {};
    get(QStringLiteral("/metrics"), &Private::readMetricsPage);
    get(QStringLiteral("/health"), &Private::readHealth);
    if (modelList.isEmpty())
        get(QStringLiteral("/v1/models"), &Private::readModelList);
}

void ServerWatch::Private::get(
    const QString &path, void (Private::*read)(const QNetworkReply &, int status, const QByteArray &body))
{
    QNetworkRequest request(experiment::serverUrl(experiment::serverRoot(target.base_url), path));
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setSslConfiguration(probe::tlsConfiguration(target.trust));
    for (const probe::ProbeHeader &header : std::as_const(headers))
        request.setRawHeader(header.name, header.value);
    QNetworkReply *reply = manager.get(request);
    replies.append(reply);
    QObject::connect(reply, &QNetworkReply::sslErrors, q, [this, reply] {
        if (probe::isAccepted(target.trust, reply->sslConfiguration().peerCertificate()))
            reply->ignoreSslErrors();
    });
    QObject::connect(reply, &QNetworkReply::downloadProgress, q, [reply](qint64 received, qint64) {
        if (received > largestBody)
            reply->abort();
    });
    QObject::connect(reply, &QNetworkReply::finished, q, [this, reply, read] {
        reply->deleteLater();
        replies.removeOne(reply);
        const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
        (this->*read)(*reply, status, status == 0 ? QByteArray() : reply->readAll());
        if (replies.isEmpty())
            finish();
    });
}

void ServerWatch::Private::readMetricsPage(const QNetworkReply &reply, int status, const QByteArray &body)
{
    reading.reachable = status != 0;
    if (status == 0) {
        modelList.clear();
        reading.problem = ServerWatch::tr("The server at %1 did not answer: %2. Start it, or check the address.")
                              .arg(experiment::serverRoot(target.base_url).toDisplayString(),
                                  secrets.removedFrom(reply.errorString()));
        return;
    }
    reading.offers_metrics = status == 200;
    if (status == 200)
        readMetrics(body, reading.status);
    else
        reading.problem = metricsProblem(status);
}

QString ServerWatch::Private::metricsProblem(int status) const
{
    switch (status) {
    case 401:
    case 403:
        return ServerWatch::tr("The server wants a key for /metrics (status %1). Enter it with the server.")
            .arg(status);
    case 404:
    case 405:
    case 501:
        return ServerWatch::tr("The server offers no /metrics (status %1), so its cache cannot be watched. Start "
                               "llama-server with --metrics, SGLang with --enable-metrics; vLLM has it always.")
            .arg(status);
    default:
        return ServerWatch::tr("The server answered /metrics with status %1. If that stays, look into its log.")
            .arg(status);
    }
}

void ServerWatch::Private::readHealth(const QNetworkReply &, int status, const QByteArray &)
{
    if (status == 200)
        reading.healthy = true;
    else if (status >= 500)
        reading.healthy = false;
}

void ServerWatch::Private::readModelList(const QNetworkReply &, int status, const QByteArray &body)
{
    if (status == 200)
        modelList = body;
}

void ServerWatch::Private::finish()
{
    readModels(modelList, target.model, reading.status);
    reading.at = QDateTime::currentDateTime();
    timer.start();
    Q_EMIT q->updated(reading);
}

/// Ends what is under way; nobody may take that for an answer.
void ServerWatch::Private::drop()
{
    timer.stop();
    const QList<QNetworkReply *> dropped = std::exchange(replies, {});
    for (QNetworkReply *reply : dropped) {
        reply->disconnect(q);
        delete reply;
    }
}

ServerWatch::ServerWatch(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this))
{
}

ServerWatch::~ServerWatch()
{
    d->drop();
}

void ServerWatch::watch(const experiment::ServerTarget &server)
{
    if (isSame(d->target, server))
        return;
    d->drop();
    d->target = server;
    d->headers = server.headers;
    if (!server.api_key.isEmpty())
        d->headers.prepend({"Authorization", "Bearer " + server.api_key});
    d->secrets = probe::Secrets(d->headers);
    d->modelList.clear();
    d->ask();
}

void ServerWatch::setPaused(bool paused)
{
    if (d->paused == paused)
        return;
    d->paused = paused;
    if (paused)
        d->drop();
    else
        d->ask();
}

bool ServerWatch::isPaused() const
{
    return d->paused;
}

void ServerWatch::setInterval(int ms)
{
    d->timer.setInterval(ms);
}

} // namespace kvlab::servers
