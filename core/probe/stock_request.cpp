// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/stock_request.h"

#include "probe/probe_clock.h"
#include "probe/probe_messages.h"

#include <QNetworkReply>
#include <QNetworkRequest>
#include <QSslConfiguration>

#include <utility>

namespace kvlab::probe {

StockRequest::StockRequest(QNetworkAccessManager *manager, const ProbeRequest &request, QObject *parent)
    : QObject(parent)
    , m_url(request.url)
    , m_limits(request.limits)
    , m_trust(request.trust)
    , m_reader(request.url, Secrets(request.headers))
    , m_started_at(QDateTime::currentDateTimeUtc())
{
    m_limit.setSingleShot(true);
    m_total.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this, &StockRequest::onLimit);
    connect(&m_total, &QTimer::timeout, this, [this] {
        end({Outcome::total_timeout, {}, ProbeMessages::totalTimeout(m_limits.total_ms)});
    });
    start(manager, request);
}

StockRequest::~StockRequest()
{
    if (m_reply) {
        m_reply->disconnect(this);
        m_reply->abort();
        m_reply->deleteLater();
    }
}

void StockRequest::start(QNetworkAccessManager *manager, const ProbeRequest &request)
{
    QNetworkRequest message(request.url);
    message.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    message.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    message.setSslConfiguration(tlsConfiguration(m_trust));
    message.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
    message.setRawHeader("Accept-Encoding", "identity");
    message.setRawHeader("User-Agent", "KVCacheLab/" KVLAB_VERSION);
    for (const ProbeHeader &header : request.headers) {
        message.setRawHeader(header.name, header.value);
    }
    m_limit.start(m_limits.first_token_ms);
    m_total.start(m_limits.total_ms);
    m_t0_ns = monotonicNs();
    m_reply = manager->post(message, request.body);
    connect(m_reply, &QNetworkReply::socketStartedConnecting, this, [this] { m_new_connection = true; });
    connect(m_reply, &QNetworkReply::readyRead, this, &StockRequest::onReadyRead);
    connect(m_reply, &QNetworkReply::finished, this, &StockRequest::onFinished, Qt::QueuedConnection);
    connect(m_reply, &QNetworkReply::sslErrors, this, [this] {
        if (isAccepted(m_trust, m_reply->sslConfiguration().peerCertificate())) {
            m_reply->ignoreSslErrors();
        }
    });
}

/// The manager keeps the framing to itself: the reader gets a head without any, and the end of the connection as end.
void StockRequest::feedHead(qint64 now_ns)
{
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status == 0 || std::exchange(m_head_fed, true)) {
        return;
    }
    QByteArray head = "HTTP/1.1 " + QByteArray::number(status) + ' '
        + m_reply->attribute(QNetworkRequest::HttpReasonPhraseAttribute).toByteArray() + "\r\n";
    for (const QByteArray name : {"Content-Type", "Content-Encoding", "Retry-After", "Location"}) {
        if (m_reply->hasRawHeader(name)) {
            head += name + ": " + m_reply->rawHeader(name) + "\r\n";
        }
    }
    m_reader.feed(head + "\r\n", now_ns - m_t0_ns);
}

void StockRequest::onReadyRead()
{
    const qint64 now_ns = monotonicNs();
    feedHead(now_ns);
    m_reader.feed(m_reply->readAll(), now_ns - m_t0_ns);
    m_reader.takeBody();
    if (sawToken() && m_reader.eventsSeen() != m_events_at_restart) {
        m_events_at_restart = m_reader.eventsSeen();
        m_limit.start(m_limits.gap_ms);
    }
    Q_EMIT progressed();
}

void StockRequest::onFinished()
{
    if (m_done || !m_reply) {
        return;
    }
    const qint64 now_ns = monotonicNs();
    feedHead(now_ns);
    m_reader.feed(m_reply->readAll(), now_ns - m_t0_ns);
    const bool broke = m_reply->error() == QNetworkReply::RemoteHostClosedError
        || m_reply->error() == QNetworkReply::UnknownNetworkError;
    if (m_head_fed && !broke) {
        m_reader.endOfConnection(now_ns - m_t0_ns);
    } else if (m_head_fed) {
        m_reader.conclude({Outcome::truncated, cause::truncated, ProbeMessages::truncated()}, now_ns - m_t0_ns);
    } else {
        concludeUnanswered(now_ns);
    }
    end({});
}

void StockRequest::concludeUnanswered(qint64 now_ns)
{
    Ending ending{
        Outcome::connect_failed, cause::connect_failed, ProbeMessages::connectFailed(m_url, m_reply->errorString())};
    switch (m_reply->error()) {
    case QNetworkReply::ConnectionRefusedError:
        ending = {Outcome::connect_failed, cause::refused, ProbeMessages::connectRefused(m_url)};
        break;
    case QNetworkReply::HostNotFoundError:
        ending = {Outcome::connect_failed, cause::host_not_found, ProbeMessages::hostNotFound(m_url)};
        break;
    case QNetworkReply::SslHandshakeFailedError:
        ending = {Outcome::connect_failed, cause::tls_failed,
            ProbeMessages::tlsFailed(m_url, cause::tls_failed, m_reply->errorString())};
        break;
    case QNetworkReply::RemoteHostClosedError:
        ending = {Outcome::truncated, cause::no_answer, ProbeMessages::noAnswer()};
        break;
    default:
        break;
    }
    m_reader.conclude(ending, now_ns - m_t0_ns);
}

void StockRequest::onLimit()
{
    if (m_reader.sample().http_status == 0) {
        end({Outcome::first_token_timeout, cause::never_answered,
            ProbeMessages::neverAnswered(m_limits.first_token_ms)});
    } else if (!sawToken()) {
        end({Outcome::first_token_timeout, cause::no_first_token,
            ProbeMessages::firstTokenTimeout(m_limits.first_token_ms)});
    } else {
        end({Outcome::gap_timeout, {}, ProbeMessages::gapTimeout(m_limits.gap_ms)});
    }
}

void StockRequest::abort()
{
    end({Outcome::cancelled, {}, ProbeMessages::cancelled()});
}

void StockRequest::end(const Ending &ending)
{
    if (std::exchange(m_done, true)) {
        return;
    }
    const qint64 now_ns = monotonicNs();
    m_reader.conclude(ending, now_ns - m_t0_ns); // without effect when it ended by itself
    m_wall_ms = static_cast<double>(m_started_at.msecsTo(QDateTime::currentDateTimeUtc()));
    m_limit.stop();
    m_total.stop();
    if (m_reply) {
        m_reply->disconnect(this);
        m_reply->abort();
        m_reply->deleteLater();
        m_reply = nullptr;
    }
    Q_EMIT finished();
}

ProbeSample StockRequest::sample() const
{
    ProbeSample sample = m_reader.sample();
    sample.started_at = m_started_at;
    sample.new_connection = m_new_connection;
    sample.wall_ms = m_wall_ms;
    return sample;
}

} // namespace kvlab::probe
