// SPDX-License-Identifier: GPL-3.0-or-later
// The options of `kvlab probe` that shape the requests themselves: route, headers, body, certificates, lengths.
#pragma once

#include "experiment/experiment_plan.h"

#include <QCommandLineParser>

namespace kvlab::cli {

/// Why an option was refused: exit code and sentence.
struct Refusal
{
    int code = 0;
    QString message;
};

struct RequestFlags
{
    RequestFlags();

    QCommandLineOption endpoint;
    QCommandLineOption header;
    QCommandLineOption extraBody;
    QCommandLineOption caCert;
    QCommandLineOption sweep;
    QCommandLineOption transport;
    QCommandLineOption handout;
    QCommandLineOption keeps;
    QCommandLineOption fillTokens;

    QList<QCommandLineOption> all() const
    {
        return {endpoint, header, extraBody, caCert, sweep, transport, handout, keeps, fillTokens};
    }
};

struct RequestOrder
{
    experiment::Endpoint endpoint = experiment::Endpoint::chat;
    QList<probe::ProbeHeader> headers;
    QJsonObject extra_body;
    probe::TlsTrust trust;
    probe::Transport transport = probe::Transport::low_delay;
    QList<int> sweep; ///< lengths of the shared prefix; empty = no sweep
    bool keeps = false; ///< find out what the server keeps
    qint64 fill_tokens = 60'000; ///< most prompt tokens spent on filling its cache
    int handout = 0; ///< part of the course handout to run as it is; 0 = none
};

std::optional<Refusal> readRequestOptions(
    const QCommandLineParser &parser, const RequestFlags &flags, RequestOrder &order);

} // namespace kvlab::cli
