// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of the probe share.
#pragma once

#include "probe/probe_client.h"
#include "support/fault_server.h"

#include <QSignalSpy>
#include <QTest>

namespace kvlab::test {

inline constexpr int patience = 20'000; // milliseconds; only a hang lasts that long

inline probe::ProbeRequest requestTo(const QUrl &url, const QByteArray &body = R"({"stream":true})")
{
    probe::ProbeRequest request;
    request.url = url;
    request.body = body;
    return request;
}

/// Sends and waits for the one finished(). An extra one would be caught by the next spy on the same client.
inline probe::ProbeSample measure(probe::ProbeClient &client, const probe::ProbeRequest &request)
{
    QSignalSpy spy(&client, &probe::ProbeClient::finished);
    client.send(request);
    if (!QTest::qWaitFor([&] { return !spy.isEmpty(); }, patience)) {
        qWarning("no finished()");
        return {};
    }
    QTest::qWait(0);
    if (spy.size() != 1 || client.isBusy()) {
        qWarning("finished() came %lld times", static_cast<long long>(spy.size()));
        return {};
    }
    return spy.first().first().value<probe::ProbeSample>();
}

inline probe::ProbeSample measure(const FaultScript &script, const probe::ProbeLimits &limits = {})
{
    FaultServer server(script);
    probe::ProbeClient client;
    probe::ProbeRequest request = requestTo(server.url());
    request.limits = limits;
    return measure(client, request);
}

/// A sentence: begins large, ends with a full stop, says something.
inline void verifySentence(const QString &message)
{
    QVERIFY2(message.size() > 30 && message.front().isUpper(), qPrintable(message));
    QVERIFY2(message.endsWith(u'.') || message.contains(u"http://"), qPrintable(message));
}

} // namespace kvlab::test
