// SPDX-License-Identifier: GPL-3.0-or-later
// A run as CSV and JSON, and back.
#include "session/csv.h"
#include "session/samples_export.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using namespace kvlab;
using namespace kvlab::experiment;
using kvlab::session::runFromJson;
using kvlab::session::runToJson;

namespace {

MeasuredSample fullSample()
{
    MeasuredSample sample;
    sample.number = 1;
    sample.round = 1;
    sample.arm = Arm::warm;
    sample.probe.outcome = probe::Outcome::completed;
    sample.probe.http_status = 200;
    sample.probe.new_connection = true;
    sample.probe.started_at = QDateTime(QDate(2024, 3, 1), QTime(9, 30, 15, 250), Qt::UTC);
    sample.probe.stamps = {-1'500'000, -900'000, std::nullopt, 12'345, 20'000'000, 20'500'000, 30'000'000, 30'000'000,
        31'234'567, 90'000'000, 95'000'000};
    sample.probe.evidence = {1520, 16, 1488, QStringLiteral("usage.prompt_tokens_details.cached_tokens"), 28.5};
    sample.probe.text = QStringLiteral("river 河 \"quoted\", =1+1\n");
    sample.probe.reasoning = QStringLiteral("because");
    sample.probe.finish_reason = QStringLiteral("length");
    sample.probe.events = {{30'000'000, true, 210}, {31'234'567, true, 9'007'199'254'740'993}};
    sample.probe.notes = QStringList{QStringLiteral("no_done")};
    sample.probe.tainted = QStringList{QStringLiteral("busy_thread")};
    sample.counters = CounterDelta{1488, true};
    sample.expected_hit = 1488;
    sample.verdict = Verdict::confirmed;
    return sample;
}

MeasuredSample failedSample()
{
    MeasuredSample sample;
    sample.number = 2;
    sample.round = 1;
    sample.arm = Arm::cold;
    sample.probe.outcome = probe::Outcome::connect_failed;
    sample.probe.message = QStringLiteral("=No answer, \"none\" at all.");
    sample.probe.details = QStringLiteral("refused");
    return sample;
}

RunResult fullRun()
{
    RunResult run;
    run.end = RunEnd::stopped;
    run.message = QStringLiteral("why");
    run.details = QStringLiteral("raw");
    run.started_at = QDateTime(QDate(2024, 3, 1), QTime(9, 30, 0), Qt::UTC);
    run.plan.rounds = 7;
    run.plan.arms = {Arm::warm, Arm::cold};
    run.plan.seed = 4'294'967'295;
    run.plan.cold = ColdMethod::salt;
    run.plan.question = QStringLiteral("Why?");
    run.plan.limits.gap_ms = 1234;
    run.server.label = QStringLiteral("practice engine medium");
    run.server.model = QStringLiteral("kvlab-practice-medium");
    run.server.base_url = QUrl(QStringLiteral("http://127.0.0.1:8123"));
    run.server.block_size = 16;
    run.server.shared_prefix = 1500;
    run.server.template_floor = 0;
    run.server.counts_tokens = true;
    run.server.cold = ColdMethod::salt;
    run.server.cold_note = QStringLiteral("note");
    run.server.notes = QStringList{QStringLiteral("one"), QStringLiteral("two")};
    run.server.practice_engine = true;
    run.samples = {fullSample(), failedSample()};
    ArmSummary arm;
    arm.samples = 1;
    arm.excluded = 1;
    arm.median_ms = 0.1;
    arm.median_interval_ms = Interval{0.05, 1.0 / 3};
    run.summary.arms.insert(Arm::warm, arm);
    run.summary.pairs = 3;
    run.summary.ratio_median = 20.125;
    run.summary.ratio_interval = Interval{19.5, 21.75};
    run.summary.verdict = Verdict::contradicted;
    run.summary.reason = QStringLiteral("warm_not_cached");
    run.summary.explanation = QStringLiteral("It was not.");
    return run;
}

QJsonObject throughText(const QJsonObject &object)
{
    return QJsonDocument::fromJson(QJsonDocument(object).toJson()).object();
}

RunResult readBack(const RunResult &run)
{
    const auto result = runFromJson(throughText(runToJson(run)));
    if (const QString *problem = std::get_if<QString>(&result))
        qFatal("%s", qPrintable(*problem));
    return std::get<RunResult>(result);
}

/// Changes one field, named by its path.
QJsonObject changed(QJsonObject object, const QStringList &path, const QJsonValue &value)
{
    const QString name = path.first();
    if (path.size() == 1)
        object.insert(name, value);
    else
        object.insert(name, changed(object.value(name).toObject(), path.mid(1), value));
    return object;
}

} // namespace

class TestSamplesExport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void csvHasOneRowPerSample();
    void csvValuesArePlain();
    void csvUnknownIsEmpty();
    void csvGuardsText();
    void jsonReadsBackEqual();
    void jsonReadsBackFieldByField();
    void jsonUnknownIsNull();
    void jsonHasTheDocumentedShape();
    void practiceEngineIsMarked();
    void badFieldIsNamed_data();
    void badFieldIsNamed();
    void emptyObjectIsRefused();
};

void TestSamplesExport::csvHasOneRowPerSample()
{
    const auto rows = session::parseCsv(session::samplesToCsv(fullRun()));
    QCOMPARE(rows.size(), 3);
    QCOMPARE(rows.at(0).first(15),
        QStringLiteral("number round arm outcome ttft_ms ttft_any_ms connect_ms headers_ms total_ms prompt_tokens "
                       "completion_tokens cached_tokens expected_hit counter_hits verdict")
            .split(QLatin1Char(' ')));
    QCOMPARE(rows.at(1).size(), rows.at(0).size());
    QCOMPARE(rows.at(2).size(), rows.at(0).size());
}

void TestSamplesExport::csvValuesArePlain()
{
    const auto rows = session::parseCsv(session::samplesToCsv(fullRun()));
    const auto cell = [&rows](const char *name) { return rows.at(1).at(rows.at(0).indexOf(QLatin1String(name))); };
    QCOMPARE(cell("ttft_ms"), QStringLiteral("31.234567"));
    QCOMPARE(cell("ttft_any_ms"), QStringLiteral("30"));
    QCOMPARE(cell("connect_ms"), QStringLiteral("0.6"));
    QCOMPARE(cell("prompt_tokens"), QStringLiteral("1520"));
    QCOMPARE(cell("expected_hit"), QStringLiteral("1488"));
    QCOMPARE(cell("verdict"), QStringLiteral("confirmed"));
    QCOMPARE(cell("new_connection"), QStringLiteral("true"));
    QCOMPARE(cell("kept"), QStringLiteral("false"));
    QCOMPARE(cell("tainted"), QStringLiteral("busy_thread"));
    QCOMPARE(cell("started_at"), QStringLiteral("2024-03-01T09:30:15.250Z"));
    QCOMPARE(cell("practice_engine"), QStringLiteral("true"));
    QCOMPARE(cell("seed"), QStringLiteral("4294967295"));
}

void TestSamplesExport::csvUnknownIsEmpty()
{
    const auto rows = session::parseCsv(session::samplesToCsv(fullRun()));
    for (const char *name : {"ttft_ms", "ttft_any_ms", "connect_ms", "headers_ms", "total_ms", "prompt_tokens",
             "cached_tokens", "expected_hit", "counter_hits", "verdict", "http_status", "server_ttft_ms"})
        QCOMPARE(rows.at(2).at(rows.at(0).indexOf(QLatin1String(name))), QString());
}

void TestSamplesExport::csvGuardsText()
{
    QVERIFY(session::samplesToCsv(fullRun()).contains("\"'=No answer, \"\"none\"\" at all.\""));
}

void TestSamplesExport::jsonReadsBackEqual()
{
    const QJsonObject first = throughText(runToJson(fullRun()));
    QCOMPARE(throughText(runToJson(readBack(fullRun()))), first);
    QCOMPARE(throughText(runToJson(readBack(RunResult()))), throughText(runToJson(RunResult())));
}

void TestSamplesExport::jsonReadsBackFieldByField()
{
    const RunResult run = readBack(fullRun());
    QVERIFY(run.end == RunEnd::stopped);
    QCOMPARE(run.started_at, fullRun().started_at);
    QCOMPARE(run.plan.seed, 4'294'967'295U);
    QVERIFY(run.plan.arms == fullRun().plan.arms);
    QCOMPARE(run.plan.limits.gap_ms, 1234);
    QCOMPARE(run.server.notes.size(), 2);
    QCOMPARE(run.samples.size(), 2);
    const MeasuredSample &sample = run.samples.at(0);
    QCOMPARE(sample.probe.stamps.connect_start_ns.value(), -1'500'000);
    QVERIFY(!sample.probe.stamps.encrypted_ns);
    QCOMPARE(sample.probe.events.at(1).bytes, 9'007'199'254'740'993); // beyond 2^53
    QCOMPARE(sample.probe.text, fullSample().probe.text);
    QCOMPARE(sample.probe.evidence.server_ttft_ms.value(), 28.5);
    QCOMPARE(sample.counters.value().hits, 1488);
    QVERIFY(sample.verdict == Verdict::confirmed);
    QVERIFY(!run.samples.at(1).verdict && !run.samples.at(1).counters && !run.samples.at(1).expected_hit);
    QVERIFY(run.samples.at(1).probe.outcome == probe::Outcome::connect_failed);
    QCOMPARE(run.samples.at(1).probe.http_status, 0);
    QCOMPARE(run.summary.arms.value(Arm::warm).median_interval_ms.value().high, 1.0 / 3);
    QCOMPARE(run.summary.ratio_interval.value().low, 19.5);
    QVERIFY(run.summary.verdict == Verdict::contradicted);
}

void TestSamplesExport::jsonUnknownIsNull()
{
    const QJsonObject sample = runToJson(fullRun()).value(QStringLiteral("samples")).toArray().at(1).toObject();
    for (const char *name :
        {"ttft_ms", "prompt_tokens", "cached_tokens", "expected_hit", "verdict", "http_status", "counters"})
        QVERIFY2(sample.value(QLatin1String(name)).isNull(), name);
}

void TestSamplesExport::jsonHasTheDocumentedShape()
{
    const QJsonObject run = runToJson(fullRun());
    for (const char *name : {"app", "started_at", "server", "plan", "samples", "summary"})
        QVERIFY2(run.contains(QLatin1String(name)), name);
    const QJsonObject sample = run.value(QStringLiteral("samples")).toArray().at(0).toObject();
    QCOMPARE(sample.value(QStringLiteral("ttft_ms")).toDouble(), 31.234567);
    QCOMPARE(sample.value(QStringLiteral("arm")).toString(), QStringLiteral("warm"));
    QCOMPARE(sample.value(QStringLiteral("stamps_ns")).toObject().value(QStringLiteral("first_content")).toInteger(),
        31'234'567);
    const QJsonObject summary = run.value(QStringLiteral("summary")).toObject();
    QCOMPARE(summary.value(QStringLiteral("ratio_low")).toDouble(), 19.5);
    QVERIFY(summary.value(QStringLiteral("arms")).toObject().contains(QStringLiteral("warm")));
}

void TestSamplesExport::practiceEngineIsMarked()
{
    RunResult run = fullRun();
    const auto server = [&run] { return runToJson(run).value(QStringLiteral("server")).toObject(); };
    QCOMPARE(server().value(QStringLiteral("practice_engine")).toBool(), true);
    QCOMPARE(server().value(QStringLiteral("text")).toString(), QStringLiteral("gibberish: untrained weights"));
    run.server.practice_engine = false;
    QCOMPARE(server().value(QStringLiteral("practice_engine")).toBool(true), false);
    QVERIFY(server().value(QStringLiteral("text")).isNull());
}

void TestSamplesExport::badFieldIsNamed_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QJsonValue>("value");
    QTest::newRow("end") << QStringLiteral("end") << QJsonValue(QStringLiteral("soon"));
    QTest::newRow("plan") << QStringLiteral("plan.rounds") << QJsonValue(QStringLiteral("ten"));
    QTest::newRow("negative") << QStringLiteral("plan.rounds") << QJsonValue(-1);
    QTest::newRow("cold") << QStringLiteral("server.cold") << QJsonValue(QStringLiteral("ice"));
    QTest::newRow("samples") << QStringLiteral("samples") << QJsonValue(QStringLiteral("none"));
    QTest::newRow("fraction") << QStringLiteral("server.block_size") << QJsonValue(16.5);
    QTest::newRow("time") << QStringLiteral("started_at") << QJsonValue(QStringLiteral("yesterday"));
    QTest::newRow("verdict") << QStringLiteral("summary.verdict") << QJsonValue(QStringLiteral("guilty"));
}

void TestSamplesExport::badFieldIsNamed()
{
    QFETCH(const QString, path);
    QFETCH(const QJsonValue, value);
    const auto result = runFromJson(changed(runToJson(fullRun()), path.split(QLatin1Char('.')), value));
    const QString *problem = std::get_if<QString>(&result);
    QVERIFY(problem != nullptr);
    QVERIFY2(problem->contains(path), qPrintable(*problem));
}

void TestSamplesExport::emptyObjectIsRefused()
{
    QVERIFY(std::holds_alternative<QString>(runFromJson({})));
}

QTEST_APPLESS_MAIN(TestSamplesExport)
#include "tst_samples_export.moc"
