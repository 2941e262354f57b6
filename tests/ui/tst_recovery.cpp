// SPDX-License-Identifier: GPL-3.0-or-later
// A window that died: the next one offers its edits and samples; two windows on one file; a file of another computer.
#include "i18n/language.h"
#include "made_up_runs.h"
#include "ui/document_keeper.h"
#include "ui/main_window.h"
#include "ui/measure/measure_panel.h"
#include "ui/memory/memory_panel.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace kvlab;
using namespace kvlab::ui;

namespace {

const memory::MemoryRow edited{QStringLiteral("Qwen2.5-7B"), 12'345, 6, memory::CacheFormat::q8_0};

/// What lies in the folder when the program is killed now: all but its lock, which dies with it.
void leave(const QString &from, const QString &to)
{
    for (const QFileInfo &info : QDir(from).entryInfoList(QDir::Files)) {
        if (info.suffix() != QLatin1String("lock"))
            QVERIFY(QFile::copy(info.filePath(), to + QLatin1Char('/') + info.fileName()));
    }
}

QPushButton *button(const QWidget *bar, const QString &text)
{
    for (QPushButton *candidate : bar->findChildren<QPushButton *>()) {
        if (candidate->text() == text)
            return candidate;
    }
    return nullptr;
}

MessageBar *recoveryBar(const MainWindow &window)
{
    return window.findChild<MessageBar *>(QStringLiteral("recoveryBar"));
}

} // namespace

class TestRecovery : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("kvlab-tests"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_recovery"));
        QSettings().clear();
        i18n::installLanguage(QStringLiteral("en"));
        applyAppearance(Theme::light, 1.0);
    }

    void editsAreOffered()
    {
        const QTemporaryDir alive, dead;
        {
            MainWindow window;
            window.keepCopiesIn(alive.path());
            window.show();
            QVERIFY(!recoveryBar(window)->isVisible());
            window.memoryPanel()->addRow(edited);
            QTRY_VERIFY_WITH_TIMEOUT(!QDir(alive.path()).entryList({QStringLiteral("*.kvlab")}).isEmpty(), 10'000);
            leave(alive.path(), dead.path());
            window.findChild<QAction *>(QStringLiteral("undo"))->trigger();
        }
        MainWindow next;
        next.keepCopiesIn(dead.path());
        next.show();
        QVERIFY(recoveryBar(next)->isVisible());
        button(recoveryBar(next), QStringLiteral("Recover"))->click();
        QVERIFY(next.memoryPanel()->rows().contains(edited));
        QVERIFY(next.isWindowModified());
        QVERIFY(!recoveryBar(next)->isVisible());
        QVERIFY(next.saveFile(dead.filePath(QStringLiteral("kept.kvlab"))));
        QVERIFY(QDir(dead.path()).entryList({QStringLiteral("*.jsonl")}).isEmpty());
    }

    void samplesAreOffered()
    {
        const QTemporaryDir alive, dead;
        const experiment::RunResult run = test::tenRounds();
        {
            MainWindow window;
            window.keepCopiesIn(alive.path());
            window.show();
            Q_EMIT window.controller()->began(run.plan);
            Q_EMIT window.controller()->serverLearned(run.server);
            for (int i = 0; i < 11; ++i)
                Q_EMIT window.controller()->sampleFinished(run.samples.at(i), run.summary);
            leave(alive.path(), dead.path()); // at once: a finished sample is never lost
        }
        MainWindow next;
        next.keepCopiesIn(dead.path());
        next.show();
        QVERIFY2(
            recoveryBar(next)->text().contains(QStringLiteral("11 samples")), qPrintable(recoveryBar(next)->text()));
        button(recoveryBar(next), QStringLiteral("Recover"))->click();
        QCOMPARE(next.memoryPanel()->rows(), memory::handoutGrid()); // nothing was edited, and nothing is lost
        QCOMPARE(next.measurePanel()->run().samples.size(), 11);
        QCOMPARE(next.measurePanel()->run().samples.last().probe.ttftMs(), run.samples.at(10).probe.ttftMs());
        QVERIFY(!next.measurePanel()->showsSampleData());
    }

    void aGoodEndLeavesNothing()
    {
        const QTemporaryDir folder;
        {
            MainWindow window;
            window.keepCopiesIn(folder.path());
            window.memoryPanel()->addRow(edited);
            QTRY_VERIFY_WITH_TIMEOUT(!QDir(folder.path()).entryList({QStringLiteral("*.kvlab")}).isEmpty(), 10'000);
        }
        MainWindow next;
        next.keepCopiesIn(folder.path());
        next.show();
        QVERIFY(!recoveryBar(next)->isVisible());
    }

    void deletedCopiesAreGone()
    {
        const QTemporaryDir alive, dead;
        session::Autosave autosave(alive.path());
        session::Session document;
        document.rows << edited;
        QVERIFY(!autosave.write(document, {}));
        leave(alive.path(), dead.path());
        MainWindow window;
        window.keepCopiesIn(dead.path());
        window.show();
        const QList<memory::MemoryRow> before = window.memoryPanel()->rows();
        button(recoveryBar(window), QStringLiteral("Delete the copy"))->click();
        QCOMPARE(window.memoryPanel()->rows(), before);
        QVERIFY(session::Autosave::leftCopies(dead.path()).isEmpty());
    }

    void twoWindowsOnOneFile()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("class.kvlab"));
        MainWindow first, second;
        first.keepCopiesIn(folder.path());
        second.keepCopiesIn(folder.path());
        first.show();
        second.show();
        QVERIFY(first.saveFile(path));
        second.openFile(path);
        auto *bar = second.findChild<MessageBar *>(QStringLiteral("messageBar"));
        QVERIFY(bar->isVisible());
        QVERIFY(bar->text().contains(QStringLiteral("open in another window")));
        QVERIFY(!first.findChild<MessageBar *>(QStringLiteral("messageBar"))->isVisible());
    }

    void aFileOfAnotherComputerSaysSo()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("theirs.kvlab"));
        session::Session session;
        session.rows << edited;
        session.run = test::tenRounds();
        QJsonObject object = QJsonDocument::fromJson(session::sessionToJson(session)).object();
        QCOMPARE(object.value(QStringLiteral("computer")).toString(), session::computerId());
        object.insert(QStringLiteral("computer"), QStringLiteral("0123456789ab"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QJsonDocument(object).toJson());
        file.close();
        MainWindow window;
        window.show();
        window.openFile(path);
        auto *bar = window.findChild<MessageBar *>(QStringLiteral("messageBar"));
        QVERIFY(bar->isVisible() && bar->text().contains(QStringLiteral("another computer")));
    }

    void recentFilesAreListed()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a & b.kvlab"));
        MainWindow window;
        QVERIFY(window.saveFile(path));
        QMenu *recent = nullptr;
        for (QMenu *menu : window.findChildren<QMenu *>()) {
            if (menu->title() == QStringLiteral("Open &recent"))
                recent = menu;
        }
        QVERIFY(recent != nullptr);
        Q_EMIT recent->aboutToShow();
        QCOMPARE(recent->actions().first()->text(), QString(path).replace(QStringLiteral("&"), QStringLiteral("&&")));
        QVERIFY(QFile::remove(path));
        Q_EMIT recent->aboutToShow();
        QVERIFY(recent->actions().first()->text() != path);
    }
};

QTEST_MAIN(TestRecovery)
#include "tst_recovery.moc"
