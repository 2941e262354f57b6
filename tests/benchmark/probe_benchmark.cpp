// SPDX-License-Identifier: GPL-3.0-or-later
// The probe's own error: TTFT against a server with a known delay, beside a raw blocking socket and the stock access
// manager, interleaved in one run, on kept connections. By hand, not part of the tests: times are no assertions.
#include "benchmark/raw_peers.h"
#include "probe/probe_client.h"
#include "probe/probe_clock.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QEventLoop>
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QTextStream>
#include <QThread>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

using namespace kvlab::benchmark;
using namespace kvlab::probe;

namespace {

enum Variant { raw, probe, stock, variantCount };

struct Options
{
    int rounds = 200;
    int delay_ms = 20;
    QList<int> sizes_kb{2, 17, 40, 200};
};

struct Measured
{
    int size_kb = 0;
    std::array<QList<double>, variantCount> errors_us;
};

QByteArray bodyOf(int size_kb)
{
    const QByteArray frame = R"({"stream":true,"prompt":""})";
    return R"({"stream":true,"prompt":")" + QByteArray(size_kb * 1'000 - frame.size(), 'x') + "\"}";
}

QByteArray rawRequest(quint16 port, const QByteArray &body)
{
    return "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:" + QByteArray::number(port)
        + "\r\nContent-Type: application/json\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n"
        + body;
}

/// The three clients, each with a connection of its own. Lives in one worker thread, as the experiment's probe does.
class Clients
{
public:
    explicit Clients(quint16 port)
        : m_port(port)
        , m_raw(port)
    {
        m_url.setScheme(QStringLiteral("http"));
        m_url.setHost(QStringLiteral("127.0.0.1"));
        m_url.setPort(port);
        m_url.setPath(QStringLiteral("/v1/chat/completions"));
        m_stock.setProxy(QNetworkProxy::NoProxy);
    }

    std::optional<qint64> measure(Variant variant, const QByteArray &body)
    {
        switch (variant) {
        case raw:
            return m_raw.timeToFirstToken(rawRequest(m_port, body));
        case probe:
            return measureProbe(body);
        default:
            return measureStock(body);
        }
    }

private:
    std::optional<qint64> measureProbe(const QByteArray &body)
    {
        ProbeRequest request;
        request.url = m_url;
        request.body = body;
        std::optional<qint64> ttft_ns;
        QEventLoop loop;
        QObject::connect(&m_probe, &ProbeClient::finished, &loop, [&](const ProbeSample &sample) {
            ttft_ns = sample.stamps.first_content_ns;
            loop.quit();
        });
        m_probe.send(request);
        loop.exec();
        return ttft_ns;
    }

    std::optional<qint64> measureStock(const QByteArray &body)
    {
        QNetworkRequest request(m_url);
        request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArray("application/json"));
        QByteArray answer;
        std::optional<qint64> ttft_ns;
        bool new_connection = false;
        QEventLoop loop;
        const qint64 t0 = monotonicNs();
        QNetworkReply *reply = m_stock.post(request, body);
        QObject::connect(reply, &QNetworkReply::socketStartedConnecting, &loop, [&] { new_connection = true; });
        QObject::connect(reply, &QNetworkReply::readyRead, &loop, [&] {
            const qint64 now = monotonicNs();
            answer += reply->readAll();
            if (!ttft_ns && holdsToken(answer)) {
                ttft_ns = now - t0;
            }
        });
        QObject::connect(reply, &QNetworkReply::finished, &loop, &QEventLoop::quit);
        loop.exec();
        reply->deleteLater();
        return new_connection ? std::nullopt : ttft_ns; // connecting is excluded for all
    }

    quint16 m_port;
    QUrl m_url;
    RawClient m_raw;
    ProbeClient m_probe;
    QNetworkAccessManager m_stock;
};

QList<Measured> run(const Options &options, quint16 port)
{
    Clients clients(port);
    std::mt19937 random(1);
    QList<Measured> all;
    for (const int size_kb : options.sizes_kb) {
        all.append(Measured{size_kb, {}});
    }
    for (int round = -2; round < options.rounds; ++round) { // two rounds to warm up
        for (Measured &measured : all) {
            const QByteArray body = bodyOf(measured.size_kb);
            std::array<Variant, variantCount> order{raw, probe, stock};
            std::shuffle(order.begin(), order.end(), random);
            for (const Variant variant : order) {
                const auto ttft_ns = clients.measure(variant, body);
                if (round >= 0 && ttft_ns) {
                    measured.errors_us[variant].append(static_cast<double>(*ttft_ns) / 1e3 - options.delay_ms * 1e3);
                }
            }
        }
    }
    return all;
}

/// Nearest rank.
double percentile(QList<double> values, double share)
{
    if (values.isEmpty()) {
        return std::nan("");
    }
    std::sort(values.begin(), values.end());
    const auto rank = static_cast<qsizetype>(std::ceil(share * static_cast<double>(values.size())));
    return values.at(std::clamp<qsizetype>(rank, 1, values.size()) - 1);
}

void print(const QList<Measured> &all)
{
    QTextStream out(stdout);
    out << "| body | client | n | median (us) | p95 (us) | p99 (us) | median over raw (us) "
           "|\n|---|---|---|---|---|---|---|\n";
    const std::array<QString, variantCount> names{QStringLiteral("raw blocking socket"), QStringLiteral("ProbeClient"),
        QStringLiteral("stock QNetworkAccessManager")};
    for (const Measured &measured : all) {
        const double base = percentile(measured.errors_us[raw], 0.5);
        for (int variant = 0; variant < variantCount; ++variant) {
            const QList<double> &errors = measured.errors_us[static_cast<std::size_t>(variant)];
            const double median = percentile(errors, 0.5);
            out << "| " << measured.size_kb << " KB | " << names[static_cast<std::size_t>(variant)] << " | "
                << errors.size();
            for (const double value : {median, percentile(errors, 0.95), percentile(errors, 0.99), median - base}) {
                out << " | " << QString::number(value, 'f', 0);
            }
            out << " |\n";
        }
    }
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Error of the measured TTFT against a server with a known delay."));
    parser.addHelpOption();
    const QCommandLineOption rounds(QStringLiteral("n"), QStringLiteral("Samples of each size and client."),
        QStringLiteral("count"), QStringLiteral("200"));
    const QCommandLineOption delay(QStringLiteral("delay"), QStringLiteral("Delay of the server in milliseconds."),
        QStringLiteral("ms"), QStringLiteral("20"));
    parser.addOptions({rounds, delay});
    parser.process(application);

    Options options;
    options.rounds = std::max(1, parser.value(rounds).toInt());
    options.delay_ms = std::max(1, parser.value(delay).toInt());
    DelayServer server(options.delay_ms * Q_INT64_C(1'000'000));
    QList<Measured> all;
    const std::unique_ptr<QThread> worker(QThread::create([&] { all = run(options, server.port()); }));
    worker->start();
    worker->wait();
    print(all);
    QTextStream(stdout) << "\nConnections accepted: " << server.connectionCount()
                        << " (3 = each client kept its own)\n";
    return 0;
}
