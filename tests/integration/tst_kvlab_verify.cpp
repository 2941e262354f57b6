// SPDX-License-Identifier: GPL-3.0-or-later
// `kvlab verify`: a run as measured agrees; whatever number is changed in the file, it is found and named. And
// `kvlab calibrate`, which measures the program itself.
#include "experiment/experiment_runner.h"
#include "session/samples_export.h"
#include "session/verify.h"
#include "support/model_server.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace kvlab;
using namespace kvlab::experiment;
using kvlab::test::ModelServer;
using kvlab::test::ServerBehaviour;

namespace {

struct Result
{
    int code = -1;
    QByteArray out;
    QString err;
};

Result runKvlab(const QStringList &arguments)
{
    QProcess process;
    process.start(
        QStringLiteral(KVLAB_BINARY), QStringList{QStringLiteral("--lang"), QStringLiteral("en")} + arguments);
    if (!process.waitForFinished(120'000) || process.exitStatus() != QProcess::NormalExit)
        return {};
    return {process.exitCode(), process.readAllStandardOutput(), QString::fromUtf8(process.readAllStandardError())};
}

/// As a file holds it: written and read again.
QJsonObject measuredRun(const ServerBehaviour &behaviour, int rounds)
{
    ModelServer server(behaviour);
    ServerTarget target;
    target.base_url = server.url();
    ExperimentPlan plan;
    plan.rounds = rounds;
    plan.shared_tokens = 200;
    plan.arms = allArms();
    ExperimentRunner runner;
    QSignalSpy spy(&runner, &ExperimentRunner::finished);
    runner.start(target, plan);
    if (!QTest::qWaitFor([&] { return !spy.isEmpty(); }, 60'000))
        return {};
    const QByteArray file = QJsonDocument(session::runToJson(spy.first().first().value<RunResult>())).toJson();
    return QJsonDocument::fromJson(file).object();
}

QStringList disagreements(const QJsonObject &run)
{
    const auto result = session::verifyRun(run);
    if (const auto *problem = std::get_if<QString>(&result))
        return {QStringLiteral("refused: ") + *problem};
    QStringList places;
    for (const session::Disagreement &one : std::get<session::Verification>(result).disagreements)
        places << one.where;
    return places;
}

using Path = QVariantList; ///< keys and indices

void collectNumbers(const QJsonValue &value, const Path &path, QList<Path> &paths)
{
    if (value.isDouble()) {
        paths << path;
    } else if (value.isObject()) {
        const QJsonObject object = value.toObject();
        for (auto it = object.begin(); it != object.end(); ++it)
            collectNumbers(it.value(), path + Path{it.key()}, paths);
    } else if (value.isArray()) {
        const QJsonArray array = value.toArray();
        for (qsizetype i = 0; i < array.size(); ++i)
            collectNumbers(array.at(i), path + Path{i}, paths);
    }
}

/// The value with the number at `path` made larger by one.
QJsonValue changed(const QJsonValue &value, const Path &path)
{
    if (path.isEmpty())
        return value.toDouble() + 1;
    if (value.isObject()) {
        QJsonObject object = value.toObject();
        const QString key = path.first().toString();
        object.insert(key, changed(object.value(key), path.sliced(1)));
        return object;
    }
    QJsonArray array = value.toArray();
    const qsizetype index = path.first().toLongLong();
    array.replace(index, changed(array.at(index), path.sliced(1)));
    return array;
}

} // namespace

class TestKvlabVerify : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void measuredRunsAgree_data();
    void measuredRunsAgree();
    void anyChangedNumberIsFound();
    void changedFiguresAreNamed_data();
    void changedFiguresAreNamed();
    void withoutChecksumsWhatIsComputedIsStillFound();
    void commandSaysWhatDoesNotAgree();
    void sweepsAndRefusals();
    void calibrateShowsItsOwnError();
    void calibrateRefusesWrongOptions_data();
    void calibrateRefusesWrongOptions();

private:
    QJsonObject m_run;
};

void TestKvlabVerify::initTestCase()
{
    m_run = measuredRun({}, 5);
    QCOMPARE(m_run.value(u"end").toString(), u"finished"_qs);
}

void TestKvlabVerify::measuredRunsAgree_data()
{
    QTest::addColumn<int>("kind");
    QTest::newRow("blocks") << 0;
    QTest::newRow("token by token") << 1;
    QTest::newRow("counters only") << 2;
    QTest::newRow("no tokenizer") << 3;
    QTest::newRow("breaks off") << 4;
    QTest::newRow("claims to find everything") << 5;
}

void TestKvlabVerify::measuredRunsAgree()
{
    QFETCH(const int, kind);
    ServerBehaviour behaviour;
    behaviour.like_llama = kind == 1;
    behaviour.reports_cached = kind != 2;
    behaviour.has_tokenize = kind != 3;
    behaviour.ends_early_at = kind == 4 ? 12 : 0;
    behaviour.hits_always = kind == 5;
    const QJsonObject run = measuredRun(behaviour, 2);
    QVERIFY(!run.value(u"samples").toArray().isEmpty());
    QCOMPARE(disagreements(run), QStringList());
}

void TestKvlabVerify::anyChangedNumberIsFound()
{
    QList<Path> paths;
    collectNumbers(m_run, {}, paths);
    QVERIFY(paths.size() > 400);
    for (const Path &path : std::as_const(paths)) {
        const QStringList found = disagreements(changed(m_run, path).toObject());
        QVERIFY2(!found.isEmpty(), qPrintable(QVariant(path).toStringList().join(u'.')));
    }
}

void TestKvlabVerify::changedFiguresAreNamed_data()
{
    QTest::addColumn<QVariantList>("path");
    QTest::addColumn<QString>("named");
    QTest::newRow("ttft") << QVariantList{u"samples"_qs, 3, u"ttft_ms"_qs} << u"samples[3].ttft_ms"_qs;
    QTest::newRow("stamp") << QVariantList{u"samples"_qs, 2, u"stamps_ns"_qs, u"first_content"_qs}
                           << u"samples[2].stamps_ns.first_content"_qs;
    QTest::newRow("connect time") << QVariantList{u"samples"_qs, 0, u"total_ms"_qs} << u"samples[0].total_ms"_qs;
    QTest::newRow("median") << QVariantList{u"summary"_qs, u"arms"_qs, u"cold"_qs, u"median_ms"_qs}
                            << u"summary.arms.cold.median_ms"_qs;
    QTest::newRow("interval") << QVariantList{u"summary"_qs, u"ratio_low"_qs} << u"summary.ratio_low"_qs;
    QTest::newRow("kept") << QVariantList{u"summary"_qs, u"arms"_qs, u"warm"_qs, u"kept"_qs}
                          << u"summary.arms.warm.kept"_qs;
    QTest::newRow("plan") << QVariantList{u"plan"_qs, u"seed"_qs} << u"checksums.plan"_qs;
    QTest::newRow("reported count") << QVariantList{u"samples"_qs, 1, u"completion_tokens"_qs}
                                    << u"checksums.samples[1]"_qs;
}

void TestKvlabVerify::changedFiguresAreNamed()
{
    QFETCH(const QVariantList, path);
    QFETCH(const QString, named);
    const QStringList found = disagreements(changed(m_run, path).toObject());
    QVERIFY2(found.contains(named), qPrintable(found.join(u' ')));
}

void TestKvlabVerify::withoutChecksumsWhatIsComputedIsStillFound()
{
    QJsonObject run = m_run;
    run.remove(u"checksums"_qs);
    QCOMPARE(disagreements(run), QStringList());
    QVERIFY(!std::get<session::Verification>(session::verifyRun(run)).had_checksums);
    QJsonArray samples = run.value(u"samples").toArray();
    QJsonObject sample = samples.at(0).toObject();
    sample.insert(u"verdict"_qs, sample.value(u"verdict").toString() == u"likely"_qs ? u"confirmed"_qs : u"likely"_qs);
    samples.replace(0, sample);
    run.insert(u"samples"_qs, samples);
    QCOMPARE(disagreements(run), QStringList{u"samples[0].verdict"_qs});
}

void TestKvlabVerify::commandSaysWhatDoesNotAgree()
{
    const QTemporaryDir folder;
    const auto written = [&folder](const QJsonObject &run) {
        const QString path = folder.filePath(u"run.json"_qs);
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(run).toJson()) > 0 ? path : QString();
    };
    const Result right = runKvlab({u"verify"_qs, written(m_run)});
    QCOMPARE(right.code, 0);
    QVERIFY(right.out.contains("Everything agrees"));
    const Path ttft{u"samples"_qs, 3, u"ttft_ms"_qs};
    const Result wrong = runKvlab({u"verify"_qs, written(changed(m_run, ttft).toObject())});
    QCOMPARE(wrong.code, 1);
    QVERIFY2(wrong.out.contains("samples[3].ttft_ms: the file says"), wrong.out.constData());
    const Result session = runKvlab({u"verify"_qs, written(QJsonObject{{u"run"_qs, m_run}})});
    QCOMPARE(session.code, 0);
    const Result sweep = runKvlab({u"verify"_qs, written(QJsonObject{{u"runs"_qs, QJsonArray{m_run, m_run}}})});
    QCOMPARE(sweep.code, 0);
    QCOMPARE(sweep.out.count("Everything agrees"), 2);
}

void TestKvlabVerify::sweepsAndRefusals()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"other.json"_qs);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{\"a\":1}") > 0);
    file.close();
    const Result other = runKvlab({u"verify"_qs, path});
    QCOMPARE(other.code, 3);
    QVERIFY(other.err.contains(u"cannot be read"));
    QCOMPARE(runKvlab({u"verify"_qs}).code, 2);
}

void TestKvlabVerify::calibrateShowsItsOwnError()
{
    for (const QString &transport : {u"low-delay"_qs, u"qnam"_qs}) {
        const Result result = runKvlab({u"calibrate"_qs, u"--bodies"_qs, u"2k,17k"_qs, u"--rounds"_qs, u"20"_qs,
            u"--transport"_qs, transport, u"--format"_qs, u"json"_qs});
        QVERIFY2(result.code == 0, qPrintable(result.err));
        const QJsonObject object = QJsonDocument::fromJson(result.out).object();
        QCOMPARE(object.value(u"transport").toString(), transport);
        const QJsonArray rows = object.value(u"rows").toArray();
        QCOMPARE(rows.size(), 4);
        for (qsizetype i = 0; i < rows.size(); ++i) {
            const QJsonObject row = rows.at(i).toObject();
            QCOMPARE(row.value(u"body_bytes").toInt(), i < 2 ? 2048 : 17'408);
            QCOMPARE(row.value(u"connection").toString(), i % 2 == 0 ? u"kept"_qs : u"new"_qs);
            QCOMPARE(row.value(u"samples").toInt(), 20);
            QCOMPARE(row.value(u"failed").toInt(), 0);
            // Nothing can be faster than the server's own delay.
            QVERIFY(row.value(u"error_median_ms").toDouble() > 0);
            QVERIFY(row.value(u"error_p95_ms").toDouble() >= row.value(u"error_median_ms").toDouble());
            QVERIFY(row.value(u"error_p99_ms").isNull()); // from 200 samples on
        }
    }
}

void TestKvlabVerify::calibrateRefusesWrongOptions_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("bodies") << QStringList{u"--bodies"_qs, u"2k,big"_qs};
    QTest::newRow("no bytes") << QStringList{u"--bodies"_qs, u"0"_qs};
    QTest::newRow("huge") << QStringList{u"--bodies"_qs, u"99999k"_qs};
    QTest::newRow("rounds") << QStringList{u"--rounds"_qs, u"0"_qs};
    QTest::newRow("transport") << QStringList{u"--transport"_qs, u"pigeon"_qs};
    QTest::newRow("format") << QStringList{u"--format"_qs, u"xml"_qs};
}

void TestKvlabVerify::calibrateRefusesWrongOptions()
{
    QFETCH(const QStringList, arguments);
    const Result result = runKvlab(QStringList{u"calibrate"_qs} + arguments);
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains(arguments.first()) && result.out.isEmpty(), qPrintable(result.err));
}

QTEST_GUILESS_MAIN(TestKvlabVerify)
#include "tst_kvlab_verify.moc"
