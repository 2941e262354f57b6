// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs against the practice engine: `kvlab serve` in a process of its own.
#include "experiment/experiment_runner.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>

using namespace kvlab;
using namespace kvlab::experiment;

namespace {

constexpr int patienceMs = 120'000;

/// A small engine that listens on a free port.
class Engine
{
public:
    explicit Engine(const QStringList &more = {})
    {
        process.start(QStringLiteral(KVLAB_BINARY),
            QStringList{QStringLiteral("serve"), QStringLiteral("--size"), QStringLiteral("small"),
                QStringLiteral("--port"), QStringLiteral("0")}
                + more);
        while (process.waitForReadyRead(patienceMs)) {
            while (process.canReadLine()) {
                const QJsonObject event = QJsonDocument::fromJson(process.readLine()).object();
                if (event.value(QStringLiteral("event")).toString() == QLatin1String("ready")) {
                    target.base_url = QUrl(event.value(QStringLiteral("url")).toString());
                    target.practice_engine = true;
                    return;
                }
            }
        }
    }

    ~Engine()
    {
        process.kill();
        process.waitForFinished();
    }

    QProcess process;
    ServerTarget target;
};

ExperimentPlan shortPlan()
{
    ExperimentPlan plan;
    plan.rounds = 3;
    plan.shared_tokens = 300;
    plan.max_tokens = 4;
    return plan;
}

RunResult runToEnd(const ServerTarget &target, const ExperimentPlan &plan)
{
    ExperimentRunner runner;
    QSignalSpy finished(&runner, &ExperimentRunner::finished);
    runner.start(target, plan);
    if (!finished.wait(patienceMs))
        return {};
    return finished.at(0).at(0).value<RunResult>();
}

} // namespace

class TestPracticeRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everySampleIsConfirmedAndExplained_data();
    void everySampleIsConfirmedAndExplained();
    void withoutPrefixCachingItIsContradicted();
    void stopKeepsSamples();
    void killedEngineEndsTheRunWithASentence();
};

void TestPracticeRun::everySampleIsConfirmedAndExplained_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("cold");
    QTest::newRow("salt") << QStringList() << int(ColdMethod::automatic);
    QTest::newRow("nonce") << QStringList() << int(ColdMethod::nonce);
    QTest::newRow("blocks of 64") << QStringList{QStringLiteral("--block-size"), QStringLiteral("64")}
                                  << int(ColdMethod::salt);
}

void TestPracticeRun::everySampleIsConfirmedAndExplained()
{
    QFETCH(const QStringList, options);
    QFETCH(const int, cold);
    const Engine engine(options);
    ExperimentPlan plan = shortPlan();
    plan.cold = static_cast<ColdMethod>(cold);
    const RunResult run = runToEnd(engine.target, plan);
    QVERIFY2(run.end == RunEnd::finished, qPrintable(run.message));
    QCOMPARE(run.samples.size(), 9);
    QVERIFY(run.server.practice_engine);
    QVERIFY(run.server.counts_tokens);
    QCOMPARE(run.server.cold, plan.cold == ColdMethod::nonce ? ColdMethod::nonce : ColdMethod::salt);
    for (const MeasuredSample &sample : run.samples) {
        QVERIFY2(sample.probe.outcome == probe::Outcome::completed, qPrintable(sample.probe.message));
        QVERIFY(sample.verdict == Verdict::confirmed);
        QVERIFY(sample.expected_hit.has_value());
        QCOMPARE(sample.probe.evidence.cached_tokens, sample.expected_hit);
        QCOMPARE(*sample.expected_hit > 0, sample.arm == Arm::warm);
        // Equally long to the token.
        QCOMPARE(sample.probe.evidence.prompt_tokens, run.samples.first().probe.evidence.prompt_tokens);
    }
}

void TestPracticeRun::withoutPrefixCachingItIsContradicted()
{
    const Engine engine({QStringLiteral("--no-prefix-caching")});
    const RunResult run = runToEnd(engine.target, shortPlan());
    QVERIFY2(run.end == RunEnd::finished, qPrintable(run.message));
    QVERIFY(run.server.prefix_caching_off);
    QVERIFY(run.summary.verdict == Verdict::contradicted);
    QCOMPARE(run.summary.reason, QStringLiteral("warm_not_cached"));
}

void TestPracticeRun::stopKeepsSamples()
{
    const Engine engine;
    ExperimentPlan plan = shortPlan();
    plan.rounds = 200;
    ExperimentRunner runner;
    QSignalSpy finished(&runner, &ExperimentRunner::finished);
    QSignalSpy sampled(&runner, &ExperimentRunner::sampleFinished);
    runner.start(engine.target, plan);
    QTRY_VERIFY_WITH_TIMEOUT(sampled.size() >= 3, patienceMs);
    runner.stop();
    QVERIFY(finished.wait(2000));
    const auto run = finished.at(0).at(0).value<RunResult>();
    QVERIFY(run.end == RunEnd::stopped);
    QCOMPARE(run.samples.size(), sampled.size());
}

void TestPracticeRun::killedEngineEndsTheRunWithASentence()
{
    Engine engine;
    ExperimentPlan plan = shortPlan();
    plan.rounds = 200;
    ExperimentRunner runner;
    QSignalSpy finished(&runner, &ExperimentRunner::finished);
    QSignalSpy sampled(&runner, &ExperimentRunner::sampleFinished);
    runner.start(engine.target, plan);
    QTRY_VERIFY_WITH_TIMEOUT(sampled.size() >= 3, patienceMs);
    engine.process.kill();
    QVERIFY(finished.wait(patienceMs));
    const auto run = finished.at(0).at(0).value<RunResult>();
    QVERIFY(run.end == RunEnd::failed);
    QVERIFY2(run.message.contains(QLatin1String("no longer answers")), qPrintable(run.message));
    QVERIFY(run.samples.size() >= 3);
    QVERIFY(run.samples.first().kept);
    QVERIFY(run.summary.arms.size() > 0);
}

QTEST_GUILESS_MAIN(TestPracticeRun)
#include "tst_practice_run.moc"
