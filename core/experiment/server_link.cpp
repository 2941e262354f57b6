// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/server_link.h"

#include "experiment/server_answers.h"

#include <QEventLoop>
#include <QJsonDocument>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QNetworkRequest>
#include <QScopedValueRollback>
#include <QTimer>

#include <memory>

namespace kvlab::experiment {

namespace {

constexpr int transferTimeoutMs = 10'000; // of silence
constexpr qint64 largestBody = 16 * 1024 * 1024;

QByteArray json(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

struct DeleteLater
{
    void operator()(QObject *object) const { object->deleteLater(); }
};

} // namespace

ServerLink::ServerLink(const ServerTarget &target)
    : m_root(serverRoot(target.base_url))
    , m_trust(target.trust)
    , m_has_key(!target.api_key.isEmpty())
{
    if (m_has_key)
        m_headers.append({"Authorization", "Bearer " + target.api_key});
    m_headers.append(target.headers);
    m_secrets = probe::Secrets(m_headers);
    m_manager.setProxy(QNetworkProxy::NoProxy); // as the probe: both must meet the same server
    m_manager.setTransferTimeout(transferTimeoutMs);
    m_manager.setRedirectPolicy(QNetworkRequest::ManualRedirectPolicy);
}

QNetworkRequest ServerLink::requestFor(const QString &path) const
{
    QNetworkRequest request(serverUrl(m_root, path));
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setRawHeader("User-Agent", "kvlab/" KVLAB_VERSION);
    request.setSslConfiguration(probe::tlsConfiguration(m_trust));
    for (const probe::ProbeHeader &header : m_headers)
        request.setRawHeader(header.name, header.value);
    return request;
}

HttpAnswer ServerLink::get(const QString &path)
{
    if (m_stopped)
        return {};
    return wait(m_manager.get(requestFor(path)));
}

HttpAnswer ServerLink::post(const QString &path, const QJsonObject &body)
{
    if (m_stopped)
        return {};
    QNetworkRequest request = requestFor(path);
    request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
    return wait(m_manager.post(request, json(body)));
}

HttpAnswer ServerLink::wait(QNetworkReply *reply)
{
    const std::unique_ptr<QNetworkReply, DeleteLater> owner(reply);
    QEventLoop loop;
    const QScopedValueRollback rollback(m_loop, &loop);
    QObject::connect(reply, &QNetworkReply::finished, &loop, &QEventLoop::quit);
    QObject::connect(reply, &QNetworkReply::sslErrors, &loop, [this, reply] {
        if (probe::isAccepted(m_trust, reply->sslConfiguration().peerCertificate()))
            reply->ignoreSslErrors();
    });
    QObject::connect(reply, &QNetworkReply::downloadProgress, &loop, [reply](qint64 received, qint64) {
        if (received > largestBody)
            reply->abort();
    });
    if (!reply->isFinished())
        loop.exec();
    HttpAnswer answer;
    if (!reply->isFinished()) {
        reply->abort();
        return answer;
    }
    answer.status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    answer.location = reply->attribute(QNetworkRequest::RedirectionTargetAttribute).toUrl();
    answer.body = reply->readAll();
    if (answer.status == 0)
        answer.error = reply->errorString();
    return answer;
}

probe::ProbeSample ServerLink::ask(
    Endpoint endpoint, const QJsonObject &body, const probe::ProbeLimits &limits, probe::Transport transport)
{
    probe::ProbeSample result;
    result.outcome = probe::Outcome::cancelled;
    if (m_stopped)
        return result;
    probe::ProbeRequest request;
    request.url = serverUrl(m_root,
        endpoint == Endpoint::chat ? QStringLiteral("/v1/chat/completions") : QStringLiteral("/v1/completions"));
    request.body = json(body);
    request.limits = limits;
    request.headers = m_headers;
    request.trust = m_trust;
    request.transport = transport;
    QEventLoop loop;
    const QScopedValueRollback rollback(m_loop, &loop);
    QObject::connect(&m_probe, &probe::ProbeClient::finished, &loop, [&](const probe::ProbeSample &sample) {
        result = sample;
        loop.quit();
    });
    m_probe.send(request);
    loop.exec();
    return result;
}

/// vLLM answers {"success": bool} (older versions nothing), SGLang a sentence; a refusal may come with status 200.
bool ServerLink::resetCache()
{
    for (const QString &path : {QStringLiteral("/reset_prefix_cache"), QStringLiteral("/flush_cache")}) {
        const HttpAnswer answer = post(path, {});
        if (answer.status == 404 || answer.status == 405)
            continue;
        const QJsonValue success = QJsonDocument::fromJson(answer.body).object().value(QStringLiteral("success"));
        const bool refused = success.isBool() ? !success.toBool() : answer.body.toLower().contains("fail");
        return answer.ok() && !refused;
    }
    return false;
}

void ServerLink::pause(int ms)
{
    if (m_stopped)
        return;
    QEventLoop loop;
    const QScopedValueRollback rollback(m_loop, &loop);
    QTimer::singleShot(ms, &loop, &QEventLoop::quit);
    loop.exec();
}

void ServerLink::stop()
{
    m_stopped = true;
    m_probe.cancel();
    if (m_loop != nullptr)
        m_loop->quit();
}

} // namespace kvlab::experiment
