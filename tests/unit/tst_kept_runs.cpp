// SPDX-License-Identifier: GPL-3.0-or-later
// Earlier runs in the document: written, read, bounded; documents without them still open.
#include "session/session.h"
#include "ui/made_up_runs.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace kvlab;
using namespace kvlab::session;
using namespace kvlab::test;

namespace {

RunResult runAt(int minute)
{
    RunResult run = oneRound();
    run.started_at = QDateTime(QDate(2026, 3, 1), QTime(10, 0)).addSecs(60 * minute);
    return run;
}

Session reread(const Session &session)
{
    const auto read = sessionFromJson(sessionToJson(session));
    const auto *result = std::get_if<Session>(&read);
    return result != nullptr ? *result : Session();
}

} // namespace

class TestKeptRuns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void comeBackInOrder();
    void currentRunIsWrittenOnce();
    void oldDocumentsOpen();
    void boundedNumber();
    void boundedSize();
    void damagedRunIsRefused();
};

void TestKeptRuns::comeBackInOrder()
{
    Session session;
    session.runs = {{QStringLiteral("before"), runAt(0)}, {QString(), runAt(1)}};
    const Session read = reread(session);
    QCOMPARE(read.runs.size(), 2);
    QCOMPARE(read.runs.at(0).label, QStringLiteral("before"));
    QVERIFY(isSameRun(read.runs.at(1).run, runAt(1)));
    QCOMPARE(read.runs.at(0).run.samples.size(), 3);
    QVERIFY(!read.run);
}

void TestKeptRuns::currentRunIsWrittenOnce()
{
    Session session;
    session.run = runAt(1);
    session.runs = {{QString(), runAt(0)}, {QStringLiteral("now"), runAt(1)}};
    const QJsonArray runs
        = QJsonDocument::fromJson(sessionToJson(session)).object().value(QStringLiteral("runs")).toArray();
    QCOMPARE(runs.size(), 2);
    QVERIFY(runs.at(0).toObject().contains(QStringLiteral("run")));
    QVERIFY(!runs.at(1).toObject().contains(QStringLiteral("run")));
    const Session read = reread(session);
    QCOMPARE(read.runs.size(), 2);
    QCOMPARE(read.runs.at(1).label, QStringLiteral("now"));
    QVERIFY(isSameRun(read.runs.at(1).run, *read.run));
}

void TestKeptRuns::oldDocumentsOpen()
{
    Session session;
    session.run = runAt(0);
    const Session read = reread(session);
    QVERIFY(read.run && read.runs.isEmpty());
    QVERIFY(!sessionToJson(session).contains("\"runs\""));
    // A reference to a run that is not there is passed over.
    const auto lost = sessionFromJson(R"({"format":"kvlab","version":1,"rows":[],"runs":[{"label":"x"}]})");
    QVERIFY(std::holds_alternative<Session>(lost) && std::get<Session>(lost).runs.isEmpty());
}

void TestKeptRuns::boundedNumber()
{
    Session session;
    for (int minute = 0; minute < maxKeptRuns + 4; ++minute)
        session.runs.append({QString(), runAt(minute)});
    const Session read = reread(session);
    QCOMPARE(read.runs.size(), maxKeptRuns);
    QVERIFY(isSameRun(read.runs.first().run, runAt(4)));
}

void TestKeptRuns::boundedSize()
{
    // Four runs of about 12 MB each: the newest two are within 32 MiB.
    RunResult large = oneRound();
    for (MeasuredSample &sample : large.samples)
        sample.probe.text = QString(4'000'000, u'x');
    Session session;
    for (int minute = 0; minute < 4; ++minute) {
        large.started_at = runAt(minute).started_at;
        session.runs.append({QString::number(minute), large});
    }
    const QByteArray json = sessionToJson(session);
    QVERIFY(json.size() < 64 * 1024 * 1024);
    const auto read = sessionFromJson(json);
    QVERIFY(std::holds_alternative<Session>(read));
    QCOMPARE(std::get<Session>(read).runs.size(), 2);
    QCOMPARE(std::get<Session>(read).runs.last().label, QStringLiteral("3"));
}

void TestKeptRuns::damagedRunIsRefused()
{
    const auto read
        = sessionFromJson(R"({"format":"kvlab","version":1,"rows":[],"runs":[{"label":"x","run":{"samples":7}}]})");
    QVERIFY(std::holds_alternative<SessionError>(read));
    QVERIFY(std::get<SessionError>(read).message.startsWith(u"An earlier run in the session cannot be read."));
}

QTEST_APPLESS_MAIN(TestKeptRuns)
#include "tst_kept_runs.moc"
