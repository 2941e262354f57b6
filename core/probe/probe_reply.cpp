// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/probe_reply.h"

#include "probe/probe_access_manager.h"
#include "probe/probe_clock.h"
#include "probe/probe_messages.h"

#include <QNetworkProxy>

#include <algorithm>
#include <cstring>
#include <utility>

namespace kvlab::probe {

namespace {

/// A server may leave its answer open after [DONE]; nothing that matters can follow.
constexpr int afterDoneMs = 2'000;

bool isSecure(const QUrl &url)
{
    return url.scheme() == QLatin1String("https");
}

QByteArray hostHeader(const QUrl &url)
{
    QByteArray host = url.host(QUrl::FullyEncoded).toLatin1();
    if (host.contains(':')) {
        host = '[' + host + ']';
    }
    return url.port() < 0 ? host : host + ':' + QByteArray::number(url.port());
}

QByteArray target(const QUrl &url)
{
    QByteArray path = url.path(QUrl::FullyEncoded).toLatin1();
    if (path.isEmpty()) {
        path = "/";
    }
    return url.hasQuery() ? path + '?' + url.query(QUrl::FullyEncoded).toLatin1() : path;
}

/// What the framing of this request depends on is not for callers to change.
bool isOurs(const QByteArray &name)
{
    static const QByteArrayList ours{
        "host", "connection", "content-length", "transfer-encoding", "accept-encoding", "user-agent", "expect"};
    return ours.contains(name.toLower());
}

QByteArray serialised(const QNetworkRequest &request, const QByteArray &body)
{
    const QUrl url = request.url();
    QByteArray bytes = "POST " + target(url) + " HTTP/1.1\r\nHost: " + hostHeader(url)
        + "\r\nConnection: keep-alive\r\nUser-Agent: KVCacheLab/" KVLAB_VERSION
          "\r\nAccept-Encoding: identity\r\nContent-Length: "
        + QByteArray::number(body.size()) + "\r\n";
    if (!request.hasRawHeader("Content-Type")) {
        bytes += "Content-Type: application/json\r\n";
    }
    if (!request.hasRawHeader("Accept")) {
        bytes += "Accept: text/event-stream, application/json\r\n";
    }
    for (const QByteArray &name : request.rawHeaderList()) {
        if (!isOurs(name)) {
            bytes += name + ": " + request.rawHeader(name) + "\r\n";
        }
    }
    return bytes + "\r\n" + body;
}

Secrets secretsOf(const QNetworkRequest &request)
{
    QList<ProbeHeader> headers;
    for (const QByteArray &name : request.rawHeaderList()) {
        headers.append({name, request.rawHeader(name)});
    }
    return Secrets(headers);
}

QNetworkReply::NetworkError errorForStatus(int status)
{
    switch (status) {
    case 401:
        return QNetworkReply::AuthenticationRequiredError;
    case 403:
        return QNetworkReply::ContentAccessDenied;
    case 404:
        return QNetworkReply::ContentNotFoundError;
    case 503:
        return QNetworkReply::ServiceUnavailableError;
    default:
        return status >= 500 ? QNetworkReply::UnknownServerError : QNetworkReply::ProtocolInvalidOperationError;
    }
}

QNetworkReply::NetworkError errorFor(const ProbeSample &sample)
{
    switch (sample.outcome) {
    case Outcome::completed:
    case Outcome::no_token:
        return QNetworkReply::NoError;
    case Outcome::cancelled:
        return QNetworkReply::OperationCanceledError;
    case Outcome::connect_failed:
        return QNetworkReply::ConnectionRefusedError;
    case Outcome::connect_timeout:
    case Outcome::first_token_timeout:
    case Outcome::gap_timeout:
    case Outcome::total_timeout:
        return QNetworkReply::TimeoutError;
    case Outcome::http_error:
        return errorForStatus(sample.http_status);
    case Outcome::server_error:
        return QNetworkReply::UnknownServerError;
    case Outcome::not_streamed:
    case Outcome::protocol_error:
        return QNetworkReply::ProtocolFailure;
    case Outcome::truncated:
        return QNetworkReply::RemoteHostClosedError;
    }
    Q_UNREACHABLE();
}

/// The most telling of the errors of a handshake.
QString tlsCause(const QList<QSslError> &errors)
{
    const auto has = [&errors](std::initializer_list<QSslError::SslError> kinds) {
        return std::any_of(errors.begin(), errors.end(), [&kinds](const QSslError &error) {
            return std::find(kinds.begin(), kinds.end(), error.error()) != kinds.end();
        });
    };
    if (has({QSslError::CertificateExpired, QSslError::CertificateNotYetValid})) {
        return cause::tls_expired;
    }
    if (has({QSslError::SelfSignedCertificate, QSslError::SelfSignedCertificateInChain})) {
        return cause::tls_self_signed;
    }
    if (has({QSslError::HostNameMismatch})) {
        return cause::tls_wrong_host;
    }
    return errors.isEmpty() ? cause::tls_failed : cause::tls_untrusted;
}

} // namespace

ProbeReply::ProbeReply(ProbeAccessManager *manager, const QNetworkRequest &request, const QByteArray &body,
    const ProbeLimits &limits, const TlsTrust &trust)
    : QNetworkReply(manager)
    , m_manager(manager)
    , m_limits(limits)
    , m_trust(trust)
    , m_request(serialised(request, body))
    , m_reader(request.url(), secretsOf(request))
    , m_started_at(QDateTime::currentDateTimeUtc())
{
    setRequest(request);
    setUrl(request.url());
    setOperation(QNetworkAccessManager::PostOperation);
    open(ReadOnly | Unbuffered);
    setupTimers();
    QMetaObject::invokeMethod(this, &ProbeReply::start, Qt::QueuedConnection);
}

ProbeReply::~ProbeReply()
{
    if (m_socket) {
        ProbeAccessManager::dropConnection(std::exchange(m_socket, nullptr));
    }
}

void ProbeReply::setupTimers()
{
    m_phase_limit.setSingleShot(true);
    m_total_limit.setSingleShot(true);
    connect(&m_phase_limit, &QTimer::timeout, this, &ProbeReply::onPhaseLimit);
    connect(&m_total_limit, &QTimer::timeout, this, [this] {
        conclude({Outcome::total_timeout, {}, ProbeMessages::totalTimeout(m_limits.total_ms)});
    });
}

void ProbeReply::start()
{
    if (isFinished() || !m_manager) {
        return;
    }
    m_socket = m_manager->takeConnection(url());
    if (m_socket) {
        watchSocket();
        sendRequest();
    } else {
        openConnection();
    }
}

void ProbeReply::openConnection()
{
    m_new_connection = true;
    auto *secure = isSecure(url()) ? new QSslSocket(m_manager) : nullptr;
    m_socket = secure ? secure : new QTcpSocket(m_manager);
    m_socket->setProxy(QNetworkProxy::NoProxy);
    watchSocket();
    m_phase_limit.start(m_limits.connect_ms);
    m_connect_start_ns = monotonicNs();
    Q_EMIT socketStartedConnecting();
    if (secure) {
        connectSecurely(secure);
    } else {
        m_socket->connectToHost(url().host(), static_cast<quint16>(url().port(80)));
    }
}

void ProbeReply::connectSecurely(QSslSocket *socket)
{
    socket->setSslConfiguration(tlsConfiguration(m_trust));
    connect(socket, &QSslSocket::encrypted, this, &ProbeReply::onEncrypted);
    connect(socket, &QSslSocket::sslErrors, this, [this, socket] {
        if (isAccepted(m_trust, socket->peerCertificate())) {
            socket->ignoreSslErrors();
        }
    });
    socket->connectToHostEncrypted(url().host(), static_cast<quint16>(url().port(443)));
}

void ProbeReply::watchSocket()
{
    connect(m_socket, &QTcpSocket::connected, this, &ProbeReply::onConnected);
    connect(m_socket, &QTcpSocket::readyRead, this, &ProbeReply::onReadyRead);
    connect(m_socket, &QTcpSocket::bytesWritten, this, &ProbeReply::onBytesWritten);
    connect(m_socket, &QTcpSocket::errorOccurred, this, &ProbeReply::onSocketError);
}

void ProbeReply::onConnected()
{
    m_connected_ns = monotonicNs();
    m_socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    m_socket->setSocketOption(QAbstractSocket::KeepAliveOption, 1);
    if (!isSecure(url())) {
        sendRequest();
    }
}

void ProbeReply::onEncrypted()
{
    m_encrypted_ns = monotonicNs();
    sendRequest();
}

void ProbeReply::sendRequest()
{
    m_phase_limit.stop();
    m_t0_wall_ms = QDateTime::currentMSecsSinceEpoch();
    m_t0_ns = monotonicNs();
    m_socket->write(m_request);
    m_socket->flush(); // without it the bytes would wait for the event loop
    onBytesWritten();
    if (isFinished()) {
        return; // the write itself failed
    }
    m_phase_limit.start(m_limits.first_token_ms);
    m_total_limit.start(m_limits.total_ms);
    Q_EMIT requestSent();
}

void ProbeReply::onBytesWritten()
{
    if (!m_t0_ns || m_sent_ns || !m_socket || m_socket->bytesToWrite() > 0) {
        return;
    }
    const auto *secure = qobject_cast<QSslSocket *>(m_socket);
    if (!secure || secure->encryptedBytesToWrite() == 0) {
        m_sent_ns = monotonicNs();
    }
}

void ProbeReply::onReadyRead()
{
    const qint64 now_ns = monotonicNs();
    take(m_socket->readAll(), now_ns);
}

void ProbeReply::take(const QByteArray &bytes, qint64 now_ns)
{
    m_reader.feed(bytes, sinceStart(now_ns));
    publishHead();
    m_unread.append(m_reader.takeBody());
    restartPhase();
    if (!m_unread.isEmpty()) {
        Q_EMIT readyRead();
    }
    if (m_reader.isFinished()) {
        finish();
    }
}

void ProbeReply::publishHead()
{
    const HttpResponseParser &http = m_reader.http();
    if (!http.headComplete() || std::exchange(m_head_published, true)) {
        return;
    }
    setAttribute(QNetworkRequest::HttpStatusCodeAttribute, http.status());
    setAttribute(QNetworkRequest::HttpReasonPhraseAttribute, QString::fromLatin1(http.reason()));
    for (const ProbeHeader &header : http.headers()) {
        setRawHeader(header.name, header.value);
    }
    Q_EMIT metaDataChanged();
}

/// Only events that carry data move the limit on; comments and pings do not.
void ProbeReply::restartPhase()
{
    if (m_reader.sawDone()) {
        m_phase_limit.start(qMin(afterDoneMs, m_limits.gap_ms));
    } else if (sawToken() && m_reader.eventsSeen() != m_events_at_restart) {
        m_events_at_restart = m_reader.eventsSeen();
        m_phase_limit.start(m_limits.gap_ms);
    }
}

void ProbeReply::onPhaseLimit()
{
    if (!m_t0_ns) {
        conclude({Outcome::connect_timeout, {}, ProbeMessages::connectTimeout(url(), m_limits.connect_ms)});
    } else if (m_reader.sawDone()) {
        m_reader.endAfterDone();
        finish();
    } else if (m_reader.sample().http_status == 0) {
        conclude({Outcome::first_token_timeout, cause::never_answered,
            ProbeMessages::neverAnswered(m_limits.first_token_ms)});
    } else if (!sawToken()) {
        conclude({Outcome::first_token_timeout, cause::no_first_token,
            ProbeMessages::firstTokenTimeout(m_limits.first_token_ms)});
    } else {
        conclude({Outcome::gap_timeout, {}, ProbeMessages::gapTimeout(m_limits.gap_ms)});
    }
}

void ProbeReply::onSocketError(QAbstractSocket::SocketError error)
{
    const qint64 now_ns = monotonicNs();
    if (isFinished()) {
        return;
    }
    if (!m_t0_ns) {
        failConnecting(error);
        return;
    }
    take(m_socket->readAll(), now_ns);
    if (isFinished()) {
        return;
    }
    if (error == QAbstractSocket::RemoteHostClosedError) {
        m_reader.endOfConnection(sinceStart(now_ns));
    } else {
        const bool answered = m_reader.sample().http_status != 0;
        m_reader.conclude(answered ? Ending{Outcome::truncated, cause::truncated, ProbeMessages::truncated()}
                                   : Ending{Outcome::truncated, cause::no_answer, ProbeMessages::noAnswer()},
            sinceStart(now_ns));
    }
    finish();
}

void ProbeReply::failConnecting(QAbstractSocket::SocketError error)
{
    const auto *secure = qobject_cast<QSslSocket *>(m_socket);
    if (error == QAbstractSocket::HostNotFoundError) {
        conclude({Outcome::connect_failed, cause::host_not_found, ProbeMessages::hostNotFound(url())});
    } else if (error == QAbstractSocket::ConnectionRefusedError) {
        conclude({Outcome::connect_failed, cause::refused, ProbeMessages::connectRefused(url())});
    } else if (secure && m_connected_ns) {
        const QString word = tlsCause(secure->sslHandshakeErrors());
        conclude({Outcome::connect_failed, word, ProbeMessages::tlsFailed(url(), word, secure->errorString()),
            describeCertificate(secure->peerCertificate())});
    } else if (error == QAbstractSocket::SocketTimeoutError) {
        conclude({Outcome::connect_timeout, {}, ProbeMessages::connectTimeout(url(), m_limits.connect_ms)});
    } else {
        const bool unreachable = error == QAbstractSocket::NetworkError;
        conclude({Outcome::connect_failed, unreachable ? cause::no_route : cause::connect_failed,
            unreachable ? ProbeMessages::noRoute(url())
                        : ProbeMessages::connectFailed(url(), m_socket->errorString())});
    }
}

void ProbeReply::abort()
{
    conclude({Outcome::cancelled, {}, ProbeMessages::cancelled()});
}

void ProbeReply::conclude(const Ending &ending)
{
    if (isFinished()) {
        return;
    }
    m_reader.conclude(ending, sinceStart(monotonicNs()));
    finish();
}

void ProbeReply::finish()
{
    if (isFinished()) {
        return;
    }
    setFinished(true);
    if (m_t0_ns) {
        m_wall_ms = static_cast<double>(QDateTime::currentMSecsSinceEpoch() - m_t0_wall_ms);
    }
    m_phase_limit.stop();
    m_total_limit.stop();
    releaseSocket();
    const ProbeSample &sample = m_reader.sample();
    const NetworkError error = errorFor(sample);
    if (error != NoError) {
        setError(error, sample.message);
        Q_EMIT errorOccurred(error);
    }
    Q_EMIT finished();
}

void ProbeReply::releaseSocket()
{
    const QPointer<QTcpSocket> socket = std::exchange(m_socket, nullptr);
    if (!socket) {
        return;
    }
    socket->disconnect(this);
    const bool open = socket->state() == QAbstractSocket::ConnectedState && socket->bytesAvailable() == 0;
    if (open && m_manager && m_reader.http().mayBeKept()) {
        m_manager->keepConnection(url(), socket);
    } else {
        ProbeAccessManager::dropConnection(socket);
    }
}

ProbeSample ProbeReply::sample() const
{
    ProbeSample sample = m_reader.sample();
    sample.started_at = m_started_at;
    sample.new_connection = m_new_connection;
    sample.wall_ms = m_wall_ms;
    const auto relative = [this](std::optional<qint64> ns) {
        return ns && m_t0_ns ? std::optional<qint64>(*ns - *m_t0_ns) : std::nullopt;
    };
    sample.stamps.connect_start_ns = relative(m_connect_start_ns);
    sample.stamps.connected_ns = relative(m_connected_ns);
    sample.stamps.encrypted_ns = relative(m_encrypted_ns);
    sample.stamps.sent_ns = relative(m_sent_ns);
    if (!m_t0_ns) {
        sample.stamps.end_ns.reset(); // nothing was sent: there is no t0 to count from
    }
    return sample;
}

qint64 ProbeReply::bytesAvailable() const
{
    return QNetworkReply::bytesAvailable() + m_unread.size();
}

qint64 ProbeReply::readData(char *data, qint64 max_size)
{
    if (m_unread.isEmpty()) {
        return isFinished() ? -1 : 0;
    }
    const qsizetype size = qMin<qsizetype>(max_size, m_unread.size());
    std::memcpy(data, m_unread.constData(), static_cast<size_t>(size));
    m_unread.remove(0, size);
    return size;
}

} // namespace kvlab::probe
