// SPDX-License-Identifier: GPL-3.0-or-later
// What a program that dies leaves behind: its last copy and every finished sample; and nothing when it ends well.
#include "session/autosave.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace kvlab;
using namespace kvlab::session;

namespace {

experiment::MeasuredSample sample(int number)
{
    experiment::MeasuredSample made;
    made.number = number;
    made.round = 1 + (number - 1) / 3;
    made.arm = experiment::standardArms().at((number - 1) % 3);
    made.probe.outcome = probe::Outcome::completed;
    made.probe.stamps.first_content_ns = 1'000'000LL * (100 + number);
    made.probe.events = {{1'000'000LL * (100 + number), true, 12}};
    made.kept = true;
    made.verdict = experiment::Verdict::unconfirmed;
    return made;
}

Session document(int rows)
{
    Session session;
    for (int i = 0; i < rows; ++i)
        session.rows << memory::MemoryRow{QStringLiteral("Qwen2.5-7B"), 1024 + i, 1, memory::CacheFormat::bf16};
    return session;
}

/// As if the program were killed: what lies in the folder is copied before the object cleans up, without its lock.
void leave(const QString &from, const QString &to)
{
    for (const QFileInfo &info : QDir(from).entryInfoList(QDir::Files)) {
        if (info.suffix() != QLatin1String("lock"))
            QVERIFY(QFile::copy(info.filePath(), to + QLatin1Char('/') + info.fileName()));
    }
}

} // namespace

class TestAutosave : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void copyComesBack()
    {
        const QTemporaryDir alive, dead;
        Autosave autosave(alive.path());
        QVERIFY(!autosave.write(document(3), QStringLiteral("/home/me/lab.kvlab")));
        QVERIFY(!autosave.write(document(4), QStringLiteral("/home/me/lab.kvlab")));
        leave(alive.path(), dead.path());
        QVERIFY(Autosave::leftCopies(alive.path()).isEmpty()); // its program is alive
        const QList<LeftCopy> copies = Autosave::leftCopies(dead.path());
        QCOMPARE(copies.size(), 1);
        QCOMPARE(copies.first().session.rows, document(4).rows);
        QCOMPARE(copies.first().document_path, QStringLiteral("/home/me/lab.kvlab"));
        QVERIFY(!copies.first().session.run);
        Autosave::remove(dead.path(), copies.first().id);
        QVERIFY(Autosave::leftCopies(dead.path()).isEmpty());
    }

    void everyFinishedSampleComesBack()
    {
        const QTemporaryDir alive, dead;
        Autosave autosave(alive.path());
        experiment::RunResult run;
        run.plan.rounds = 10;
        run.server.label = QStringLiteral("practice engine");
        for (int number = 1; number <= 17; ++number)
            QVERIFY(!autosave.append(run, sample(number)));
        leave(alive.path(), dead.path());
        const QList<LeftCopy> copies = Autosave::leftCopies(dead.path());
        QCOMPARE(copies.size(), 1);
        const auto &found = copies.first().session.run;
        QVERIFY(found.has_value());
        QCOMPARE(found->samples.size(), 17);
        QCOMPARE(found->samples.last().number, 17);
        QCOMPARE(found->samples.last().probe.ttftMs(), std::optional<double>(117.0));
        QCOMPARE(found->end, experiment::RunEnd::stopped);
        QCOMPARE(found->server.label, run.server.label);
        QCOMPARE(found->plan.rounds, 10);
        // Computed from the samples: cold were 1, 4, 7, 10, 13, 16, their median lies between 107 and 110 ms.
        QCOMPARE(found->summary.arms.value(experiment::Arm::cold).median_ms, std::optional<double>(108.5));
    }

    void halfALineIsPassedOver()
    {
        const QTemporaryDir alive, dead;
        Autosave autosave(alive.path());
        for (int number = 1; number <= 3; ++number)
            QVERIFY(!autosave.append({}, sample(number)));
        leave(alive.path(), dead.path());
        const QString path = QDir(dead.path()).entryInfoList({QStringLiteral("*.jsonl")}).first().filePath();
        QFile journal(path);
        QVERIFY(journal.open(QIODevice::ReadOnly));
        const QByteArray whole = journal.readAll();
        journal.close();
        // Where each sample's line ends, its line feed left out.
        QList<qsizetype> ends;
        for (qsizetype at = whole.indexOf('\n', whole.indexOf('\n') + 1); at >= 0; at = whole.indexOf('\n', at + 1))
            ends << at;
        QCOMPARE(ends.size(), 3);
        QList<qsizetype> lengths;
        for (const qsizetype end : std::as_const(ends))
            lengths << end - 1 << end << end + 1;
        for (qsizetype length = 0; length < whole.size(); length += 211)
            lengths << length;
        for (const qsizetype length : std::as_const(lengths)) {
            QVERIFY(journal.open(QIODevice::WriteOnly | QIODevice::Truncate));
            journal.write(whole.left(length));
            journal.close();
            const QList<LeftCopy> copies = Autosave::leftCopies(dead.path());
            const qsizetype found = copies.isEmpty() ? 0 : copies.first().session.run->samples.size();
            QCOMPARE(found, std::count_if(ends.cbegin(), ends.cend(), [&](qsizetype end) { return end <= length; }));
        }
    }

    void nothingIsLeftOfAGoodEnd()
    {
        const QTemporaryDir folder;
        {
            Autosave autosave(folder.path());
            QVERIFY(!autosave.write(document(2), {}));
            QVERIFY(!autosave.append({}, sample(1)));
        }
        QVERIFY(QDir(folder.path()).entryList(QDir::Files).isEmpty());
    }

    void foreignFilesAreLeftAlone()
    {
        const QTemporaryDir folder;
        for (const char *name : {"a.kvlab", "b.jsonl", "c.txt"}) {
            QFile file(folder.filePath(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("\xff\x00 no document");
        }
        QVERIFY(Autosave::leftCopies(folder.path()).isEmpty());
        QCOMPARE(QDir(folder.path()).entryList({QStringLiteral("?.*")}, QDir::Files).size() >= 3, true);
    }

    void aFolderThatCannotBeWrittenIsSaid()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("in the way")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        Autosave autosave(file.fileName() + QStringLiteral("/autosave"));
        const auto error = autosave.write(document(1), {});
        QVERIFY(error && error->message.endsWith(QLatin1Char('.')));
        QVERIFY(autosave.append({}, sample(1)).has_value());
    }
};

QTEST_GUILESS_MAIN(TestAutosave)
#include "tst_autosave.moc"
