// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/probe_sample.h"

#include <QCoreApplication>

namespace kvlab::probe {

namespace {

std::optional<double> milliseconds(std::optional<qint64> ns)
{
    if (!ns) {
        return std::nullopt;
    }
    return static_cast<double>(*ns) / 1e6;
}

} // namespace

QString outcomeName(Outcome outcome)
{
    switch (outcome) {
    case Outcome::completed:
        return QStringLiteral("completed");
    case Outcome::no_token:
        return QStringLiteral("no_token");
    case Outcome::cancelled:
        return QStringLiteral("cancelled");
    case Outcome::connect_failed:
        return QStringLiteral("connect_failed");
    case Outcome::connect_timeout:
        return QStringLiteral("connect_timeout");
    case Outcome::first_token_timeout:
        return QStringLiteral("first_token_timeout");
    case Outcome::gap_timeout:
        return QStringLiteral("gap_timeout");
    case Outcome::total_timeout:
        return QStringLiteral("total_timeout");
    case Outcome::http_error:
        return QStringLiteral("http_error");
    case Outcome::server_error:
        return QStringLiteral("server_error");
    case Outcome::not_streamed:
        return QStringLiteral("not_streamed");
    case Outcome::protocol_error:
        return QStringLiteral("protocol_error");
    case Outcome::truncated:
        return QStringLiteral("truncated");
    }
    Q_UNREACHABLE();
}

QString outcomeTitle(Outcome outcome)
{
    struct Texts
    {
        Q_DECLARE_TR_FUNCTIONS(kvlab::probe::Outcome)
    };
    switch (outcome) {
    case Outcome::completed:
        return Texts::tr("completed", "how a request ended");
    case Outcome::no_token:
        return Texts::tr("no token", "how a request ended");
    case Outcome::cancelled:
        return Texts::tr("stopped", "how a request ended");
    case Outcome::connect_failed:
        return Texts::tr("no connection", "how a request ended");
    case Outcome::connect_timeout:
        return Texts::tr("no connection in time", "how a request ended");
    case Outcome::first_token_timeout:
        return Texts::tr("no token in time", "how a request ended");
    case Outcome::gap_timeout:
        return Texts::tr("went silent", "how a request ended");
    case Outcome::total_timeout:
        return Texts::tr("took too long", "how a request ended");
    case Outcome::http_error:
        return Texts::tr("refused", "how a request ended");
    case Outcome::server_error:
        return Texts::tr("server error", "how a request ended");
    case Outcome::not_streamed:
        return Texts::tr("not a stream", "how a request ended");
    case Outcome::protocol_error:
        return Texts::tr("broken answer", "how a request ended");
    case Outcome::truncated:
        return Texts::tr("broke off", "how a request ended");
    }
    Q_UNREACHABLE();
}

std::optional<double> ProbeSample::ttftMs() const
{
    return milliseconds(stamps.first_content_ns);
}

std::optional<double> ProbeSample::ttftAnyMs() const
{
    return milliseconds(stamps.first_token_ns);
}

std::optional<double> ProbeSample::connectMs() const
{
    if (!stamps.connect_start_ns || !stamps.connected_ns) {
        return std::nullopt;
    }
    const qint64 open = stamps.encrypted_ns ? *stamps.encrypted_ns : *stamps.connected_ns;
    return milliseconds(open - *stamps.connect_start_ns);
}

std::optional<double> ProbeSample::headersMs() const
{
    return milliseconds(stamps.headers_ns);
}

std::optional<double> ProbeSample::totalMs() const
{
    return milliseconds(stamps.end_ns);
}

} // namespace kvlab::probe
