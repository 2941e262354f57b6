// SPDX-License-Identifier: GPL-3.0-or-later
// `kvlab decode` and `kvlab summarize` as a user meets them: every reference stream and every reference case through
// the program, and what it says about files that it cannot read.
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

namespace {

const QString dataFolder = QStringLiteral(KVLAB_TEST_DATA "/");

struct Result
{
    int code = -1;
    QByteArray out;
    QString err;
};

Result run(const QStringList &arguments)
{
    QProcess process;
    process.start(
        QStringLiteral(KVLAB_BINARY), QStringList{QStringLiteral("--lang"), QStringLiteral("en")} + arguments);
    if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit)
        return {};
    return {process.exitCode(), process.readAllStandardOutput(), QString::fromUtf8(process.readAllStandardError())};
}

QJsonDocument jsonIn(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()) : QJsonDocument();
}

QString written(const QTemporaryDir &folder, const QByteArray &content)
{
    const QString path = folder.filePath(QStringLiteral("input"));
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size() ? path : QString();
}

/// Every expected figure that the output must repeat as it is.
QString differences(const QJsonObject &got, const QJsonObject &expected)
{
    static const QStringList others{u"file"_qs, u"kind"_qs, u"server"_qs, u"note"_qs, u"alternative"_qs,
        u"error_message_contains"_qs, u"first_token_data_end"_qs, u"first_token_dispatch"_qs, u"notes"_qs};
    QStringList found;
    for (auto it = expected.begin(); it != expected.end(); ++it) {
        if (!others.contains(it.key()) && got.value(it.key()) != it.value())
            found << it.key();
    }
    if (!got.value(u"error_message").toString().contains(expected.value(u"error_message_contains").toString()))
        found << u"error_message"_qs;
    return found.join(u", "_qs);
}

bool isClose(const QJsonValue &got, const QJsonValue &want)
{
    if (!want.isDouble())
        return got.isNull() == (want.isNull() || want.isUndefined());
    return got.isDouble() && std::abs(got.toDouble() - want.toDouble()) < 1e-6;
}

/// The expectation gives a range for each bound.
bool isWithin(const QJsonValue &got, const QJsonValue &want)
{
    if (!want.isObject())
        return got.isNull();
    for (const QString &bound : {u"low"_qs, u"high"_qs}) {
        const QJsonArray range = want.toObject().value(bound).toArray();
        const double value = got.toObject().value(bound).toDouble();
        if (!got.isObject() || value < range.at(0).toDouble() - 1e-6 || value > range.at(1).toDouble() + 1e-6)
            return false;
    }
    return true;
}

void compareArm(const QJsonObject &got, const QJsonObject &want)
{
    for (const QString &key : {u"sent"_qs, u"n"_qs, u"excluded"_qs, u"failed"_qs, u"show_p90"_qs, u"show_p99"_qs})
        QCOMPARE(got.value(key), want.value(key));
    for (const QString &key : {u"median"_qs, u"min"_qs, u"max"_qs, u"mad"_qs})
        QVERIFY2(isClose(got.value(key), want.value(key)), qPrintable(key));
    QVERIFY(isWithin(got.value(u"ci95_median"), want.value(u"ci95_median")));
}

void compareCase(const QJsonObject &got, const QJsonObject &one)
{
    const QJsonObject want = one.value(u"expect").toObject();
    QCOMPARE(got.value(u"id"), one.value(u"id"));
    for (const QString &key :
        {u"sample_verdicts"_qs, u"pairs"_qs, u"show_ratio"_qs, u"show_interval"_qs, u"run_verdict"_qs, u"reason"_qs})
        QCOMPARE(got.value(key), want.value(key));
    for (const QString &key : {u"ratio_median"_qs, u"sign_flip_p"_qs, u"saved_ms_per_cached_token"_qs})
        QVERIFY2(isClose(got.value(key), want.value(key)), qPrintable(one.value(u"id").toString() + key));
    QVERIFY(isWithin(got.value(u"ratio_ci95"), want.value(u"ratio_ci95")));
    const QJsonObject arms = want.value(u"arms").toObject();
    QCOMPARE(got.value(u"arms").toObject().keys(), arms.keys());
    for (auto it = arms.begin(); it != arms.end(); ++it)
        compareArm(got.value(u"arms").toObject().value(it.key()).toObject(), it.value().toObject());
}

} // namespace

class TestKvlabRecorded : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void decodesEveryStream();
    void decodesEveryRecording();
    void splitsDoNotMatter();
    void summarizesEveryCase();
    void oneCaseAndAnArray();
    void unusableFilesAreExplained_data();
    void unusableFilesAreExplained();
};

void TestKvlabRecorded::decodesEveryStream()
{
    const QJsonArray all = jsonIn(dataFolder + u"sse-streams/expected.json"_qs).array();
    QCOMPARE(all.size(), 64);
    for (const QJsonValue &entry : all) {
        const QString file = entry.toObject().value(u"file").toString();
        const Result result = run({u"decode"_qs, dataFolder + u"sse-streams/"_qs + file});
        QCOMPARE(result.code, 0);
        QVERIFY2(differences(QJsonDocument::fromJson(result.out).object(), entry.toObject()).isEmpty(),
            qPrintable(file + differences(QJsonDocument::fromJson(result.out).object(), entry.toObject())));
    }
}

void TestKvlabRecorded::decodesEveryRecording()
{
    const QJsonObject all = jsonIn(dataFolder + u"real-captures/expected.json"_qs).object();
    QCOMPARE(all.size(), 63);
    for (auto it = all.begin(); it != all.end(); ++it) {
        const Result result = run({u"decode"_qs, dataFolder + u"real-captures/"_qs + it.key() + u".response.http"_qs});
        QCOMPARE(result.code, 0);
        const QString found = differences(QJsonDocument::fromJson(result.out).object(), it.value().toObject());
        QVERIFY2(found.isEmpty(), qPrintable(it.key() + found));
    }
}

void TestKvlabRecorded::splitsDoNotMatter()
{
    const QString file = dataFolder + u"sse-streams/deepseek_reasoning_content.http"_qs;
    const Result whole = run({u"decode"_qs, file});
    QVERIFY(!whole.out.isEmpty());
    QCOMPARE(run({u"decode"_qs, file, u"--split"_qs, u"1"_qs}).out, whole.out);
    QCOMPARE(run({u"decode"_qs, file, u"--split"_qs, u"random:7"_qs}).out, whole.out);
}

void TestKvlabRecorded::summarizesEveryCase()
{
    const QString path = dataFolder + u"experiment-cases.json"_qs;
    const QJsonArray cases = jsonIn(path).object().value(u"cases").toArray();
    QCOMPARE(cases.size(), 22);
    const Result result = run({u"summarize"_qs, path});
    QCOMPARE(result.code, 0);
    const QJsonArray got = QJsonDocument::fromJson(result.out).object().value(u"cases").toArray();
    QCOMPARE(got.size(), cases.size());
    for (qsizetype i = 0; i < cases.size(); ++i)
        compareCase(got.at(i).toObject(), cases.at(i).toObject());
}

void TestKvlabRecorded::oneCaseAndAnArray()
{
    const QTemporaryDir folder;
    const QJsonObject one
        = jsonIn(dataFolder + u"experiment-cases.json"_qs).object().value(u"cases").toArray().at(0).toObject();
    const Result single = run({u"summarize"_qs, written(folder, QJsonDocument(one).toJson())});
    QCOMPARE(QJsonDocument::fromJson(single.out).object().value(u"run_verdict").toString(), u"confirmed"_qs);
    const Result list = run({u"summarize"_qs, written(folder, QJsonDocument(QJsonArray{one, one}).toJson())});
    QCOMPARE(QJsonDocument::fromJson(list.out).array().size(), 2);
}

void TestKvlabRecorded::unusableFilesAreExplained_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("mustSay");
    QTest::newRow("no file") << QStringList{u"decode"_qs} << QByteArray() << 2 << u"takes one file"_qs;
    QTest::newRow("missing") << QStringList{u"decode"_qs, u"/no/such/answer.http"_qs} << QByteArray() << 3
                             << u"cannot be read"_qs;
    QTest::newRow("split 0") << QStringList{u"decode"_qs, u"x"_qs, u"--split"_qs, u"0"_qs} << QByteArray() << 2
                             << u"--split"_qs;
    QTest::newRow("split word") << QStringList{u"decode"_qs, u"x"_qs, u"--split"_qs, u"random:x"_qs} << QByteArray()
                                << 2 << u"random:x"_qs;
    QTest::newRow("not JSON") << QStringList{u"summarize"_qs} << QByteArray("{oops") << 3 << u"is not JSON"_qs;
    QTest::newRow("no samples") << QStringList{u"summarize"_qs} << QByteArray(R"({"id":"A"})") << 3 << u"samples"_qs;
    QTest::newRow("unknown arm") << QStringList{u"summarize"_qs}
                                 << QByteArray(R"({"id":"A","samples":[{"arm":"tepid"}]})") << 3
                                 << u"samples[0].arm"_qs;
    QTest::newRow("negative count") << QStringList{u"summarize"_qs}
                                    << QByteArray(R"({"id":"A","samples":[{"arm":"cold","cached_tokens":-1}]})") << 3
                                    << u"samples[0].cached_tokens"_qs;
    QTest::newRow("time as text") << QStringList{u"summarize"_qs}
                                  << QByteArray(R"({"id":"A","samples":[{"arm":"cold","ttft_ms":"5"}]})") << 3
                                  << u"samples[0].ttft_ms"_qs;
}

void TestKvlabRecorded::unusableFilesAreExplained()
{
    QFETCH(QStringList, arguments);
    QFETCH(const QByteArray, content);
    QFETCH(const int, code);
    QFETCH(const QString, mustSay);
    const QTemporaryDir folder;
    if (!content.isEmpty())
        arguments << written(folder, content);
    const Result result = run(arguments);
    QCOMPARE(result.code, code);
    QVERIFY2(result.err.contains(mustSay), qPrintable(result.err));
    QVERIFY(result.out.isEmpty());
}

QTEST_GUILESS_MAIN(TestKvlabRecorded)
#include "tst_kvlab_recorded.moc"
