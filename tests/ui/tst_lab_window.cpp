// SPDX-License-Identifier: GPL-3.0-or-later
// The guided lab in the window: every step from the first to the last as a student would, by keyboard and by mouse, in
// both languages, with the real practice engine.
#include "i18n/language.h"
#include "ui/lab/class_timer.h"
#include "ui/lab/control_frame.h"
#include "ui/lab/lab_dock.h"
#include "ui/main_window.h"
#include "ui/measure/measure_panel.h"
#include "ui/memory/memory_panel.h"
#include "ui/widgets/appearance.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace kvlab;
using ui::MainWindow;

namespace {

constexpr int runLimitMs = 120'000;

/// What the student types where a number or a text is asked for.
QString typedAnswer(const QString &step, const lab::LabFacts &facts)
{
    static const QMap<QString, QString> answers{{QStringLiteral("predict-16k"), QStringLiteral("1 GiB")},
        {QStringLiteral("how-many-fit"), QStringLiteral("6")}, {QStringLiteral("prefix-rule"), QStringLiteral("1,136")},
        {QStringLiteral("predict-ttft"), QStringLiteral("60")}, {QStringLiteral("neighbour"), QStringLiteral("400 ms")},
        {QStringLiteral("predict-hit"), QStringLiteral("992")}, {QStringLiteral("apc-lmcache"), QStringLiteral("0")},
        {QStringLiteral("predict-load"), QStringLiteral("20")}, {QStringLiteral("load-7b"), QStringLiteral("854")},
        {QStringLiteral("decide"), QStringLiteral("When prefixes return late.")}};
    if (step != QLatin1String("computed"))
        return answers.value(step);
    const auto &evidence = facts.run->samples.last().probe.evidence;
    for (const experiment::MeasuredSample &sample : facts.run->samples) {
        if (sample.arm == experiment::Arm::warm)
            return QString::number(*sample.probe.evidence.prompt_tokens - *sample.probe.evidence.cached_tokens);
    }
    return QString::number(evidence.prompt_tokens.value_or(0));
}

class Student
{
public:
    Student(MainWindow &window, bool keyboard)
        : m_window(window)
        , m_keyboard(keyboard)
    {
    }

    int interactions() const { return m_interactions; }
    void count(int interactions) { m_interactions += interactions; }

    void press(QWidget *button)
    {
        ++m_interactions;
        if (m_keyboard) {
            button->setFocus();
            QTest::keyClick(button, Qt::Key_Space);
        } else {
            // Into view, as a student would scroll.
            QTest::qWait(10);
            for (QWidget *ancestor = button->parentWidget(); ancestor; ancestor = ancestor->parentWidget()) {
                if (auto *area = qobject_cast<QScrollArea *>(ancestor))
                    area->ensureWidgetVisible(button);
            }
            QTest::mouseClick(button, Qt::LeftButton);
        }
    }

    void press(const char *name)
    {
        auto *button = m_window.labDock()->findChild<QPushButton *>(QString::fromLatin1(name));
        QVERIFY2(button && button->isVisible() && button->isEnabled(), name);
        press(button);
    }

    void editCell(int row, int column, const QString &text)
    {
        ++m_interactions;
        auto *table = m_window.memoryPanel()->findChild<QTableView *>();
        table->setFocus();
        table->setCurrentIndex(table->model()->index(row, column));
        QTest::keyClick(table, Qt::Key_F2);
        auto *editor = table->findChild<QLineEdit *>();
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, text);
        QTest::keyClick(editor, Qt::Key_Return);
    }

    void answer(const lab::Step &step, const lab::LabFacts &facts)
    {
        ui::LabDock *dock = m_window.labDock();
        const lab::Question &question = *step.question;
        if (question.kind == lab::QuestionKind::choice) {
            press(dock->findChild<QRadioButton *>(QStringLiteral("option-") + question.right.first()));
            press("labCheck");
        } else if (question.kind == lab::QuestionKind::ordering) {
            QCOMPARE(question.right.first(), QStringLiteral("gpu"));
            press(dock->findChild<QToolButton *>(QStringLiteral("up-gpu")));
            press(dock->findChild<QToolButton *>(QStringLiteral("up-ssd")));
            press("labCheck");
        } else if (question.kind == lab::QuestionKind::text) {
            auto *edit = dock->findChild<QPlainTextEdit *>(QStringLiteral("labText"));
            QTest::keyClicks(edit, typedAnswer(step.id, facts));
            ++m_interactions;
            press("labCheck");
        } else {
            auto *line = dock->findChild<QLineEdit *>(QStringLiteral("labNumber"));
            QTest::keyClicks(line, typedAnswer(step.id, facts));
            QTest::keyClick(line, Qt::Key_Return);
            ++m_interactions;
        }
    }

private:
    MainWindow &m_window;
    bool m_keyboard;
    int m_interactions = 0;
};

} // namespace

class TestLabWindow : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    static lab::LabFacts factsOf(MainWindow &window)
    {
        lab::LabFacts facts;
        facts.run = window.measurePanel()->run();
        return facts;
    }

    static void measure(MainWindow &window, Student &student, int shared_tokens)
    {
        experiment::ExperimentPlan plan;
        plan.rounds = 6; // a busy computer may spoil one or two
        plan.shared_tokens = shared_tokens;
        plan.max_tokens = 2;
        window.controller()->setPlan(plan);
        window.controller()->setEngineSize(QStringLiteral("small"));
        QSignalSpy ended(window.controller(), &ui::MeasureController::ended);
        student.press(window.findChild<QPushButton *>(QStringLiteral("measureButton")));
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, runLimitMs);
        QCOMPARE(window.measurePanel()->run().end, experiment::RunEnd::finished);
    }

    static int indexOfRow(MainWindow &window, const char *model, qint64 seq_len)
    {
        const auto rows = window.memoryPanel()->rows();
        for (int i = 0; i < rows.size(); ++i) {
            if (rows.at(i).model == QLatin1String(model) && rows.at(i).seq_len == seq_len && rows.at(i).batch == 1)
                return i;
        }
        return -1;
    }

    static void doStep(MainWindow &window, Student &student, const lab::Step &step)
    {
        if (step.id == QLatin1String("read-formula")) {
            auto *table = window.memoryPanel()->findChild<QTableView *>();
            table->setCurrentIndex(table->model()->index(indexOfRow(window, "Qwen2.5-7B", 4096), 1));
            student.count(1);
        } else if (step.id == QLatin1String("type-16k")) {
            student.editCell(indexOfRow(window, "Qwen2.5-7B", 4096), 1, QStringLiteral("16k"));
        } else if (step.id == QLatin1String("size-row")) {
            memory::MemoryRow row;
            row.model = QStringLiteral("Llama-3.1-8B");
            window.memoryPanel()->addRow(row);
            student.count(2); // Ctrl+Shift+N, the name
        } else if (step.id == QLatin1String("measure-arms")) {
            measure(window, student, 400);
        } else if (step.id == QLatin1String("measure-1000")) {
            student.count(3); // Plan, the length, Use this plan
            measure(window, student, 1000);
        } else {
            student.answer(step, factsOf(window));
        }
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

    void init() { i18n::installLanguage(QStringLiteral("en")); }

    void everyTargetIsThere()
    {
        MainWindow window;
        for (const QString &name : lab::targetNames())
            QVERIFY2(window.labTarget(name), qPrintable(name));
    }

    void allPartsArePlayed_data()
    {
        QTest::addColumn<QString>("language");
        QTest::addColumn<bool>("keyboard");
        QTest::newRow("English, keyboard") << QStringLiteral("en") << true;
        QTest::newRow("Chinese, mouse") << QStringLiteral("zh") << false;
    }

    void allPartsArePlayed()
    {
        QFETCH(QString, language);
        QFETCH(bool, keyboard);
        i18n::installLanguage(language);
        MainWindow window;
        window.resize(1280, 720);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        ui::LabDock *dock = window.labDock();
        QVERIFY(!dock->isVisible());
        QTest::keyClick(&window, Qt::Key_L, Qt::ControlModifier);
        QTRY_VERIFY(dock->isVisible());
        Student student(window, keyboard);
        int steps = 0;
        while (lab::progressOf(dock->lab(), dock->state()).done < lab::progressOf(dock->lab(), dock->state()).all) {
            QVERIFY(++steps < 60);
            const QString id = dock->state().current;
            const lab::Step *step = dock->lab().step(id);
            QVERIFY(step);
            QCOMPARE(!dock->heldBack().isEmpty(), step->holds_measure);
            QCOMPARE(
                window.findChild<QPushButton *>(QStringLiteral("measureButton"))->isEnabled(), !step->holds_measure);
            doStep(window, student, *step);
            if (QTest::currentTestFailed())
                return;
            QTRY_VERIFY2(lab::stepStatus(dock->lab(), dock->state(), id) == lab::StepStatus::complete, qPrintable(id));
            if (step->compare.isEmpty() == false)
                QVERIFY(dock->findChild<QLabel *>(QStringLiteral("labComparison"))->isVisible());
            if (dock->state().current == id)
                student.press("labContinue");
        }
        QCOMPARE(dock->state().steps.value(QStringLiteral("measure-1000")).result, std::optional(992.0));
        QVERIFY2(student.interactions() <= 60, qPrintable(QString::number(student.interactions())));

        const QString path = m_folder.filePath(QStringLiteral("lab-%1.kvlab").arg(language));
        QVERIFY(window.saveFile(path));
        QVERIFY(!window.isWindowModified());
        MainWindow second;
        second.openFile(path);
        QCOMPARE(lab::labStateToJson(second.labDock()->state()), lab::labStateToJson(dock->state()));
    }

    void showMeFramesTheControl()
    {
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(&window, Qt::Key_L, Qt::ControlModifier);
        QTRY_VERIFY(window.labDock()->isVisible());
        QTest::mouseClick(window.labDock()->findChild<QPushButton *>(QStringLiteral("labShowMe")), Qt::LeftButton);
        auto *frame = window.findChild<ui::ControlFrame *>();
        QTRY_VERIFY(frame->isVisible());
        QCOMPARE(frame->target(), window.labTarget(QStringLiteral("memory_table")));
    }

    void theTimerCountsDown()
    {
        QCOMPARE(ui::ClassTimer::remainingText(25 * 60'000), QStringLiteral("25:00 left"));
        QCOMPARE(ui::ClassTimer::remainingText(760'000), QStringLiteral("12:40 left"));
        QCOMPARE(ui::ClassTimer::remainingText(999), QStringLiteral("0:01 left"));
        QCOMPARE(ui::ClassTimer::remainingText(0), QStringLiteral("time is up"));
    }
};

QTEST_MAIN(TestLabWindow)
#include "tst_lab_window.moc"
