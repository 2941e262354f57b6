// SPDX-License-Identifier: GPL-3.0-or-later
// The window driven as a student would, with the real practice engine as its child process.
#include "i18n/language.h"
#include "session/csv.h"
#include "session/samples_export.h"
#include "ui/main_window.h"
#include "ui/measure/measure_panel.h"
#include "ui/memory/memory_panel.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/eliding_label.h"
#include "ui/widgets/message_bar.h"

#include <QAction>
#include <QComboBox>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace kvlab;
using ui::MainWindow;
using State = ui::MeasureController::State;

namespace {

constexpr int runLimitMs = 240'000;

/// Rows of a panel's table, found by the panel: the samples have a table too.
QTableView *tableOf(QWidget *panel)
{
    return panel->findChild<QTableView *>();
}

QPushButton *measureButton(MainWindow &window)
{
    return window.findChild<QPushButton *>(QStringLiteral("measureButton"));
}

} // namespace

class TestMainWindow : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    static void useSmallRun(MainWindow &window, int rounds)
    {
        experiment::ExperimentPlan plan;
        plan.rounds = rounds;
        plan.shared_tokens = 400;
        plan.max_tokens = 4;
        window.controller()->setPlan(plan);
        window.controller()->setEngineSize(QStringLiteral("small"));
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        qputenv("KVLAB_PROGRAM", KVLAB_PROGRAM_PATH);
        QCoreApplication::setOrganizationName(QStringLiteral("kvcachelab-test"));
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
        i18n::installLanguage(QStringLiteral("en"));
        ui::applyAppearance(ui::Theme::light, 1.0);
    }

    /// Qwen2.5-7B: 2 × 28 × 4 × 128 × seq_len × 1 × 2 B; 4,096 → 234,881,024, 8,192 → 469,762,048.
    void editingChangesTheBytesAndUndoRestoresThem()
    {
        MainWindow window;
        window.show();
        QTableView *table = tableOf(window.memoryPanel());
        const QModelIndex cell = table->model()->index(10, 1);
        QCOMPARE(window.memoryPanel()->rows().at(10).model, QStringLiteral("Qwen2.5-7B"));
        QCOMPARE(window.memoryPanel()->rows().at(10).seq_len, 4096);
        const QModelIndex bytes = table->model()->index(10, 4);
        QVERIFY(bytes.data(Qt::ToolTipRole).toString().contains(QStringLiteral("234,881,024")));

        table->setFocus();
        table->setCurrentIndex(cell);
        QTest::keyClick(table, Qt::Key_F2);
        auto *editor = table->findChild<QLineEdit *>();
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, QStringLiteral("8k"));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(window.memoryPanel()->rows().at(10).seq_len, 8192);
        QVERIFY(bytes.data(Qt::ToolTipRole).toString().contains(QStringLiteral("469,762,048")));
        QVERIFY(window.isWindowModified());

        QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(window.memoryPanel()->rows().at(10).seq_len, 4096);
        QVERIFY(bytes.data(Qt::ToolTipRole).toString().contains(QStringLiteral("234,881,024")));
        QVERIFY(!window.isWindowModified());
    }

    void measuresThirtySamplesAndExportsThem()
    {
        MainWindow window;
        window.show();
        useSmallRun(window, 10);
        QSignalSpy ended(window.controller(), &ui::MeasureController::ended);
        QSignalSpy samples(window.controller(), &ui::MeasureController::sampleFinished);
        QTest::mouseClick(measureButton(window), Qt::LeftButton);
        QCOMPARE(measureButton(window)->text(), QStringLiteral("Stop"));
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, runLimitMs);

        const experiment::RunResult &run = window.measurePanel()->run();
        QCOMPARE(run.end, experiment::RunEnd::finished);
        QCOMPARE(run.samples.size(), 30);
        QCOMPARE(samples.size(), 30);
        QVERIFY(!window.measurePanel()->showsSampleData());
        QCOMPARE(
            window.measurePanel()->findChild<QTableView *>(QStringLiteral("samplesTable"))->model()->rowCount(), 30);
        QCOMPARE(measureButton(window)->text(), QStringLiteral("Measure"));
        for (const experiment::MeasuredSample &sample : run.samples) {
            QCOMPARE(sample.probe.outcome, probe::Outcome::completed);
            QVERIFY(sample.probe.evidence.cached_tokens.has_value());
            QCOMPARE(sample.probe.evidence.cached_tokens, sample.expected_hit);
        }
        QCOMPARE(run.summary.verdict, experiment::Verdict::confirmed);

        const QString csv = m_folder.filePath(QStringLiteral("samples.csv"));
        window.exportSamples(csv);
        QFile file(csv);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QList<QStringList> rows = session::parseCsv(file.readAll());
        QCOMPARE(rows.size(), 31);
        const qsizetype ttft = rows.at(0).indexOf(QStringLiteral("ttft_ms"));
        const qsizetype cached = rows.at(0).indexOf(QStringLiteral("cached_tokens"));
        for (int i = 0; i < 30; ++i) {
            const experiment::MeasuredSample &sample = run.samples.at(i);
            QVERIFY(qAbs(rows.at(i + 1).at(ttft).toDouble() - *sample.probe.ttftMs()) < 0.001);
            QCOMPARE(rows.at(i + 1).at(cached).toLongLong(), *sample.probe.evidence.cached_tokens);
        }

        const QString saved = m_folder.filePath(QStringLiteral("run.kvlab"));
        QVERIFY(window.saveFile(saved));
        QVERIFY(!window.isWindowModified());
        MainWindow second;
        second.openFile(saved);
        QCOMPARE(second.measurePanel()->run().samples.size(), 30);
        QCOMPARE(second.memoryPanel()->rows(), window.memoryPanel()->rows());
    }

    /// In practice under 200 ms; the bound is wide because test machines are busy.
    void stopKeepsWhatWasMeasured()
    {
        MainWindow window;
        window.show();
        useSmallRun(window, 200);
        QSignalSpy ended(window.controller(), &ui::MeasureController::ended);
        QSignalSpy samples(window.controller(), &ui::MeasureController::sampleFinished);
        QTest::mouseClick(measureButton(window), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(samples.size() >= 2, runLimitMs);
        QElapsedTimer clock;
        clock.start();
        QTest::mouseClick(measureButton(window), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, 10'000);
        QVERIFY2(clock.elapsed() < 2'000, qPrintable(QString::number(clock.elapsed())));
        const experiment::RunResult &run = window.measurePanel()->run();
        QCOMPARE(run.end, experiment::RunEnd::stopped);
        QCOMPARE(run.samples.size(), samples.size());
        QVERIFY(window.findChild<ui::ElidingLabel *>(QStringLiteral("statusText"))
                    ->fullText()
                    .contains(QStringLiteral("kept")));
    }

    void aDeadEngineIsSaidAndSamplesStay()
    {
        MainWindow window;
        window.show();
        useSmallRun(window, 200);
        QSignalSpy ended(window.controller(), &ui::MeasureController::ended);
        QSignalSpy samples(window.controller(), &ui::MeasureController::sampleFinished);
        QTest::mouseClick(measureButton(window), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(samples.size() >= 2, runLimitMs);
        QProcess killer;
#ifdef Q_OS_WIN
        killer.start(QStringLiteral("taskkill"),
            {QStringLiteral("/F"), QStringLiteral("/PID"),
                QString::number(window.controller()->practiceServer().processId())});
#else
        killer.start(QStringLiteral("kill"),
            {QStringLiteral("-9"), QString::number(window.controller()->practiceServer().processId())});
#endif
        QVERIFY(killer.waitForFinished());
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, 60'000);
        QCOMPARE(window.measurePanel()->run().end, experiment::RunEnd::failed);
        QVERIFY(window.measurePanel()->run().samples.size() >= 2);
        auto *message = window.findChild<ui::MessageBar *>(QStringLiteral("messageBar"));
        QVERIFY(message->isVisible());
        QVERIFY(!message->text().isEmpty());

        // And the next Measure starts a new engine.
        useSmallRun(window, 1);
        QTRY_COMPARE_WITH_TIMEOUT(
            window.controller()->practiceServer().state(), servers::PracticeServer::State::stopped, 10'000);
        QTest::mouseClick(measureButton(window), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 2, runLimitMs);
        QCOMPARE(window.measurePanel()->run().end, experiment::RunEnd::finished);
    }

    void anUnreachableServerIsSaid()
    {
        MainWindow window;
        window.show();
        experiment::ServerTarget target;
        target.base_url = QUrl(QStringLiteral("http://127.0.0.1:9"));
        target.label = target.base_url.toString();
        target.api_key = "sk-secret-key";
        window.controller()->setServer(target);
        QSignalSpy ended(window.controller(), &ui::MeasureController::ended);
        // A shortcut reaches only the active window.
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(&window, Qt::Key_F5);
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, 30'000);
        auto *message = window.findChild<ui::MessageBar *>(QStringLiteral("messageBar"));
        QVERIFY(message->isVisible());
        QVERIFY(message->text().contains(QStringLiteral("127.0.0.1")));
        QVERIFY(!message->text().contains(QStringLiteral("secret")));
    }

    void unreadableAndUnwritableFilesAreSaid()
    {
        MainWindow window;
        window.show();
        const QList<memory::MemoryRow> before = window.memoryPanel()->rows();
        auto *message = window.findChild<ui::MessageBar *>(QStringLiteral("messageBar"));
        window.openFile(m_folder.filePath(QStringLiteral("absent.kvlab")));
        QVERIFY(message->isVisible());
        const QString broken = m_folder.filePath(QStringLiteral("broken.kvlab"));
        QVERIFY(!session::writeFileAtomically(broken, "{\"format\":\"kvlab\",\"version\":"));
        window.openFile(broken);
        QVERIFY(message->isVisible());
        QVERIFY(!window.saveFile(m_folder.filePath(QStringLiteral("no/such/folder/x.kvlab"))));
        window.exportTable(m_folder.filePath(QStringLiteral("no/such/folder/x.csv")));
        QVERIFY(message->isVisible());
        QCOMPARE(window.memoryPanel()->rows(), before);
    }

    void languageSwitchesWhileRunning()
    {
        MainWindow window;
        window.show();
        window.setLanguage(QStringLiteral("zh"));
        QTRY_COMPARE(measureButton(window)->text(), QStringLiteral("测量"));
        window.setLanguage(QStringLiteral("en"));
        QTRY_COMPARE(measureButton(window)->text(), QStringLiteral("Measure"));
    }

    void presentationOpensAndCloses()
    {
        MainWindow window;
        window.show();
        QPointer<QWidget> presentation = window.togglePresentation();
        QVERIFY(presentation);
        QVERIFY(presentation->isVisible());
        presentation->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(presentation));
        QTest::keyClick(presentation, Qt::Key_Escape);
        QTRY_VERIFY(presentation.isNull());
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
