// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/probe_client.h"

#include "probe/probe_access_manager.h"
#include "probe/probe_clock.h"
#include "probe/probe_messages.h"
#include "probe/probe_reply.h"
#include "probe/stock_request.h"
#include "probe/taint.h"

#include <QNetworkRequest>
#include <QTimer>

#include <algorithm>
#include <chrono>

namespace kvlab::probe {

namespace {

using namespace std::chrono_literals;

bool isUsable(const QUrl &url)
{
    const bool http = url.scheme() == QLatin1String("http") || url.scheme() == QLatin1String("https");
    return url.isValid() && http && !url.host().isEmpty();
}

/// The first header that would break the request apart.
const ProbeHeader *badHeader(const QList<ProbeHeader> &headers)
{
    const auto bad = std::find_if(headers.begin(), headers.end(), [](const ProbeHeader &header) {
        const auto control = [](char c) { return static_cast<uchar>(c) < 0x20 || c == 0x7f; };
        return std::any_of(header.value.begin(), header.value.end(), control)
            || std::any_of(header.name.begin(), header.name.end(), control);
    });
    return bad == headers.end() ? nullptr : &*bad;
}

/// Beats while the first token is awaited. A gap shows that the thread was kept from running: then the token may have
/// been stamped late, and the sample says so.
class ThreadBeat
{
public:
    ThreadBeat()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.setInterval(50ms);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { look(); });
    }

    void reset() { m_longest_ns = 0; }

    void start()
    {
        m_last_ns = monotonicNs();
        m_timer.start();
    }

    void stop()
    {
        if (m_timer.isActive()) {
            look();
            m_timer.stop();
        }
    }

    bool missed() const { return m_longest_ns > std::chrono::nanoseconds(100ms).count(); }

private:
    void look()
    {
        const qint64 now = monotonicNs();
        m_longest_ns = qMax(m_longest_ns, now - m_last_ns);
        m_last_ns = now;
    }

    QTimer m_timer;
    qint64 m_last_ns = 0;
    qint64 m_longest_ns = 0;
};

} // namespace

class ProbeClient::Private
{
public:
    explicit Private(ProbeClient *owner)
        : q(owner)
    {
    }

    void post(const ProbeRequest &request);
    void postByStockManager(const ProbeRequest &request);
    void onReplyFinished();
    void conclude(ProbeSample sample);
    void report(const ProbeSample &sample);
    void refuse(const QString &cause, const QString &message);

    ProbeClient *q;
    ProbeAccessManager manager;
    ProbeReply *reply = nullptr;
    QNetworkAccessManager stock_manager;
    StockRequest *stock = nullptr;
    ThreadBeat beat;
    bool busy = false;
};

void ProbeClient::Private::post(const ProbeRequest &request)
{
    QNetworkRequest message(request.url);
    for (const ProbeHeader &header : request.headers) {
        message.setRawHeader(header.name, header.value);
    }
    beat.reset();
    manager.setLimits(request.limits);
    manager.setTrust(request.trust);
    reply = qobject_cast<ProbeReply *>(manager.post(message, request.body));
    QObject::connect(reply, &QNetworkReply::requestSent, q, [this] { beat.start(); });
    QObject::connect(reply, &QNetworkReply::readyRead, q, [this] {
        reply->readAll(); // the reader has seen it already
        if (reply->sawToken()) {
            beat.stop();
        }
    });
    QObject::connect(reply, &QNetworkReply::finished, q, [this] { onReplyFinished(); });
}

void ProbeClient::Private::postByStockManager(const ProbeRequest &request)
{
    beat.reset();
    stock = new StockRequest(&stock_manager, request, q);
    beat.start();
    QObject::connect(stock, &StockRequest::progressed, q, [this] {
        if (stock->sawToken()) {
            beat.stop();
        }
    });
    QObject::connect(stock, &StockRequest::finished, q, [this] {
        const ProbeSample sample = stock->sample();
        stock->deleteLater();
        stock = nullptr;
        conclude(sample);
    });
}

void ProbeClient::Private::onReplyFinished()
{
    const ProbeSample sample = reply->sample();
    reply->deleteLater();
    reply = nullptr;
    conclude(sample);
}

void ProbeClient::Private::conclude(ProbeSample sample)
{
    beat.stop();
    if (beat.missed()) {
        sample.tainted.append(taint::busy_thread);
    }
    sample.tainted.append(taint::ofSample(sample));
    report(sample);
}

/// Queued, so that finished() never comes from inside send() or cancel().
void ProbeClient::Private::report(const ProbeSample &sample)
{
    QMetaObject::invokeMethod(
        q,
        [this, sample] {
            busy = false;
            Q_EMIT q->finished(sample);
        },
        Qt::QueuedConnection);
}

void ProbeClient::Private::refuse(const QString &cause, const QString &message)
{
    ProbeSample sample;
    sample.outcome = Outcome::connect_failed;
    sample.cause = cause;
    sample.message = message;
    sample.started_at = QDateTime::currentDateTimeUtc();
    report(sample);
}

ProbeClient::ProbeClient(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this))
{
}

ProbeClient::~ProbeClient() = default;

void ProbeClient::send(const ProbeRequest &request)
{
    Q_ASSERT_X(!d->busy, "ProbeClient::send", "one request at a time");
    d->busy = true;
    if (!isUsable(request.url)) {
        d->refuse(cause::bad_address, ProbeMessages::badUrl(request.url));
    } else if (const ProbeHeader *header = badHeader(request.headers)) {
        d->refuse(cause::bad_header, ProbeMessages::badHeader(header->name));
    } else if (request.transport == Transport::stock) {
        d->postByStockManager(request);
    } else {
        d->post(request);
    }
}

void ProbeClient::cancel()
{
    if (d->reply) {
        d->reply->abort();
    } else if (d->stock) {
        d->stock->abort();
    }
}

bool ProbeClient::isBusy() const
{
    return d->busy;
}

} // namespace kvlab::probe
