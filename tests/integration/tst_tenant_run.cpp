// SPDX-License-Identifier: GPL-3.0-or-later
// Two tenants on one engine: what the second one's requests find with and without salts, the guess by time alone, and
// stopping.
#include "servers/tenant_run.h"

#include <QSignalSpy>
#include <QTest>

using namespace kvlab;
using namespace kvlab::servers;

namespace {
constexpr int patienceMs = 120'000;
}

class TestTenantRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void guess();
    void onlyTheUnsaltedSecretIsFound();
    void stopKeepsWhatItHas();
    void refusedPlans();
};

void TestTenantRun::initTestCase()
{
    qputenv("KVLAB_PROGRAM", KVLAB_BINARY);
}

void TestTenantRun::guess()
{
    QCOMPARE(guessByTime({100.0, 20.0, 110.0, 90.0}), 1); // 20 < 50
    QCOMPARE(guessByTime({100.0, 49.0, 110.0, 90.0}), 1);
    QCOMPARE(guessByTime({100.0, 50.0, 110.0, 90.0}), std::nullopt); // half the median is not below it
    QCOMPARE(guessByTime({100.0, 101.0, 99.0}), std::nullopt);
    QCOMPARE(guessByTime({20.0, 21.0, 100.0, 100.0}), 0); // others: 21, 100, 100
    QCOMPARE(guessByTime({20.0, std::nullopt, 100.0}), std::nullopt);
    QCOMPARE(guessByTime({20.0}), std::nullopt);
    QCOMPARE(guessByTime({}), std::nullopt);
}

void TestTenantRun::onlyTheUnsaltedSecretIsFound()
{
    TenantPlan plan;
    plan.trials = 2;
    plan.text_tokens = 700;
    TenantRunner runner;
    QSignalSpy probed(&runner, &TenantRunner::probed);
    QSignalSpy finished(&runner, &TenantRunner::finished);
    runner.start(plan);
    QVERIFY(finished.wait(patienceMs));
    const auto result = finished.first().first().value<TenantResult>();
    QVERIFY2(result.end == experiment::RunEnd::finished, qPrintable(result.message + result.details));
    QCOMPARE(result.trials.size(), 4);
    QCOMPARE(result.probes.size(), 16);
    QCOMPARE(probed.size(), 16);
    QCOMPARE(probed.last().at(1).toInt(), 16);
    QCOMPARE(probed.last().at(2).toInt(), 16);
    int secrets = 0;
    for (const TenantProbe &probe : result.probes) {
        // 700 tokens are 43 whole blocks of 16
        const qint64 hit = probe.sent_by_a && !probe.salted ? 688 : 0;
        QCOMPARE(probe.expected_hit, hit);
        QCOMPARE(probe.cached_tokens, hit);
        QVERIFY(probe.ttft_ms.has_value());
        secrets += probe.sent_by_a ? 1 : 0;
    }
    QCOMPARE(secrets, 4); // one a trial
    QCOMPARE(result.count(false), 2);
    QCOMPARE(result.count(true), 2);
}

void TestTenantRun::stopKeepsWhatItHas()
{
    TenantPlan plan;
    plan.trials = 20;
    plan.text_tokens = 3000;
    TenantRunner runner;
    QSignalSpy probed(&runner, &TenantRunner::probed);
    QSignalSpy finished(&runner, &TenantRunner::finished);
    runner.start(plan);
    QVERIFY(probed.wait(patienceMs));
    runner.stop();
    QVERIFY(finished.wait(20'000));
    const auto result = finished.first().first().value<TenantResult>();
    QCOMPARE(result.end, experiment::RunEnd::stopped);
    QCOMPARE(result.probes.size(), probed.size());
}

void TestTenantRun::refusedPlans()
{
    QVERIFY(!validate(TenantPlan()));
    TenantPlan plan;
    plan.candidates = 2;
    QVERIFY(validate(plan)->contains(QStringLiteral("texts")));
    plan = {};
    plan.trials = 0;
    QVERIFY(validate(plan)->contains(QStringLiteral("trials")));
    plan = {};
    plan.text_tokens = 8001;
    QVERIFY(validate(plan)->contains(QStringLiteral("8,000")));
}

QTEST_GUILESS_MAIN(TestTenantRun)
#include "tst_tenant_run.moc"
