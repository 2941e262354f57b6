// SPDX-License-Identifier: GPL-3.0-or-later
// The window that starts a server, with the practice engine as the server and scripts as servers that fail.
#include "i18n/language.h"
#include "ui/dialogs/launch_dialog.h"
#include "ui/dialogs/launch_form.h"
#include "ui/main_window.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

using namespace kvlab;
using namespace kvlab::ui;
using servers::LaunchKind;
using State = servers::LaunchedServer::State;

namespace {

constexpr int patienceMs = 60'000;

template <typename T> T *child(const QWidget &parent, const char *name)
{
    auto *found = parent.findChild<T *>(QString::fromLatin1(name));
    if (found == nullptr)
        qFatal("no %s", name);
    return found;
}

void choose(const LaunchDialog &dialog, LaunchKind kind)
{
    child<QComboBox>(dialog, "kind")->setCurrentIndex(int(servers::allLaunchKinds().indexOf(kind)));
}

QString command(const LaunchDialog &dialog)
{
    return child<QPlainTextEdit>(dialog, "command")->toPlainText();
}

/// A program that prints and ends, in place of vLLM.
QString fakeProgram(const QTemporaryDir &folder, const char *script)
{
    const QString path = folder.filePath(QStringLiteral("vllm"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write(QByteArray("#!/bin/sh\n") + script + '\n');
    file.setPermissions(file.permissions() | QFileDevice::ExeOwner);
    return path;
}

} // namespace

class TestLaunchDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void commandFollowsForm();
    void rowsOfEachKind();
    void refusalsAndCopy();
    void handoutFlag();
    void practiceEngine();
    void failureExplained();
    void searchesLog();
    void portTaken();
    void chosenInMainWindow();
    void bothLanguages();
    void fitsSmallScreens();
    void followsLog();
};

void TestLaunchDialog::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("kvlab-tests"));
    QCoreApplication::setApplicationName(QStringLiteral("tst_launch_dialog"));
    QSettings().clear();
    qputenv("KVLAB_PROGRAM", KVLAB_BINARY);
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

void TestLaunchDialog::commandFollowsForm()
{
    LaunchDialog dialog;
    QVERIFY(command(dialog).contains(QStringLiteral(" serve --port ")));
    choose(dialog, LaunchKind::vllm);
    QCOMPARE(command(dialog), QString()); // no model yet
    QVERIFY(!child<QPushButton>(dialog, "start")->isEnabled());
    child<QLineEdit>(dialog, "model")->setText(QStringLiteral("Qwen/Qwen2.5-0.5B-Instruct"));
    child<QSpinBox>(dialog, "port")->setValue(8001);
    child<QSpinBox>(dialog, "context")->setValue(8192);
    child<QCheckBox>(dialog, "prefixCaching")->setChecked(false);
    child<QDoubleSpinBox>(dialog, "gpuShare")->setValue(0.9);
    QCOMPARE(command(dialog),
        QStringLiteral("VLLM_SERVER_DEV_MODE=1 vllm serve Qwen/Qwen2.5-0.5B-Instruct --host 127.0.0.1 --port 8001 "
                       "--max-model-len 8192 --no-enable-prefix-caching --enable-prompt-tokens-details "
                       "--gpu-memory-utilization 0.9"));
    QVERIFY(child<QPushButton>(dialog, "start")->isEnabled());
    child<QLineEdit>(dialog, "version")->setText(QStringLiteral("0.32.0"));
    QVERIFY(command(dialog).contains(QStringLiteral("--enable-per-request-metrics")));
    choose(dialog, LaunchKind::lmcache);
    child<QLineEdit>(dialog, "model")->setText(QStringLiteral("MODEL"));
    QCOMPARE(command(dialog).count(u'\n'), 1); // two processes
    QVERIFY(command(dialog).startsWith(QStringLiteral("PYTHONHASHSEED=0 lmcache server")));
    QVERIFY(child<QLabel>(dialog, "notes")->text().contains(QStringLiteral("Two processes")));
}

void TestLaunchDialog::rowsOfEachKind()
{
    LaunchDialog dialog;
    dialog.show();
    for (const LaunchKind kind : servers::allLaunchKinds()) {
        choose(dialog, kind);
        const auto visible = [&dialog](const char *name) { return child<QWidget>(dialog, name)->isVisibleTo(&dialog); };
        using F = servers::LaunchField;
        QCOMPARE(visible("context"), servers::hasField(kind, F::context_length));
        QCOMPARE(visible("prefixCaching"), servers::hasField(kind, F::prefix_caching));
        QCOMPARE(visible("dtype"), servers::hasField(kind, F::kv_cache_dtype));
        QCOMPARE(visible("slots"), servers::hasField(kind, F::slots));
        QCOMPARE(visible("offload"), servers::hasField(kind, F::offload));
        QVERIFY(visible("extra") && visible("port") && visible("program"));
        // What another kind left behind does not turn up in this one's command.
        child<QLineEdit>(dialog, "model")->setText(kind == LaunchKind::practice ? QString() : QStringLiteral("MODEL"));
        child<QLineEdit>(dialog, "extra")->clear();
        QVERIFY2(!command(dialog).isEmpty(), qPrintable(child<QLabel>(dialog, "notes")->text()));
        for (const char *box : {"context", "tensorParallel", "slots"})
            child<QSpinBox>(dialog, box)->setValue(2);
        child<QCheckBox>(dialog, "prefixCaching")->setChecked(false);
        QVERIFY2(!command(dialog).isEmpty(), qPrintable(child<QLabel>(dialog, "notes")->text()));
    }
}

void TestLaunchDialog::refusalsAndCopy()
{
    LaunchDialog dialog;
    child<QSpinBox>(dialog, "port")->setValue(0);
    QVERIFY(child<QLabel>(dialog, "notes")->text().contains(QStringLiteral("Port 0")));
    QVERIFY(!child<QPushButton>(dialog, "copy")->isEnabled());
    QVERIFY(!child<QPushButton>(dialog, "start")->isEnabled());
    child<QPushButton>(dialog, "freePort")->click();
    QVERIFY(child<QSpinBox>(dialog, "port")->value() > 0);
    QVERIFY(child<QPushButton>(dialog, "start")->isEnabled());

    // A program that is not there can be copied, and the note says how to get it.
    choose(dialog, LaunchKind::llama_server);
    child<QLineEdit>(dialog, "program")->setText(QStringLiteral("/no/such folder/llama-server"));
    child<QLineEdit>(dialog, "model")->setText(QStringLiteral("m.gguf"));
    QVERIFY(child<QLabel>(dialog, "notes")->text().contains(QStringLiteral("not found")));
    QVERIFY(child<QLabel>(dialog, "notes")->text().contains(servers::installHint(LaunchKind::llama_server)));
    child<QPushButton>(dialog, "copy")->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), command(dialog));
    QVERIFY(command(dialog).startsWith(QStringLiteral("'/no/such folder/llama-server' -m m.gguf")));
    child<QPushButton>(dialog, "start")->click();
    QTRY_COMPARE_WITH_TIMEOUT(dialog.server()->state(), State::stopped, patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(
        child<MessageBar>(dialog, "message")->text().contains(QStringLiteral("was not found")), patienceMs);
    QCOMPARE(child<QLabel>(dialog, "state")->text(), QStringLiteral("Could not be started."));
}

void TestLaunchDialog::handoutFlag()
{
    LaunchDialog dialog;
    choose(dialog, LaunchKind::vllm);
    child<QLineEdit>(dialog, "model")->setText(QStringLiteral("Qwen/Qwen2.5-0.5B-Instruct"));
    child<QLineEdit>(dialog, "extra")->setText(QStringLiteral("--enable-lmcache"));
    QVERIFY(child<QLabel>(dialog, "notes")->text().contains(QStringLiteral("--kv-transfer-config")));
    QVERIFY(!child<QPushButton>(dialog, "start")->isEnabled());
}

void TestLaunchDialog::practiceEngine()
{
    LaunchDialog dialog;
    dialog.show();
    QSignalSpy used(&dialog, &LaunchDialog::useRequested);
    child<QLineEdit>(dialog, "model")->setText(QStringLiteral("small"));
    auto *start = child<QPushButton>(dialog, "start");
    auto *use = child<QPushButton>(dialog, "use");
    const auto *state = child<QLabel>(dialog, "state");
    QCOMPARE(state->text(), QStringLiteral("Not started."));
    QVERIFY(!use->isEnabled());
    start->click();
    QCOMPARE(dialog.server()->state(), State::starting);
    QVERIFY(state->text().startsWith(QStringLiteral("Starting for 0 s.")));
    QVERIFY(!child<QSpinBox>(dialog, "port")->isEnabled());
    QCOMPARE(start->text(), QStringLiteral("Stop"));
    QTRY_COMPARE_WITH_TIMEOUT(dialog.server()->state(), State::ready, patienceMs);
    const QString url = QStringLiteral("http://127.0.0.1:%1").arg(child<QSpinBox>(dialog, "port")->value());
    QCOMPARE(state->text(), QStringLiteral("Ready at %1.").arg(url));
    QVERIFY(child<QPlainTextEdit>(dialog, "log")->toPlainText().contains(QStringLiteral("is ready at")));
    QVERIFY(child<MessageBar>(dialog, "message")->isHidden());

    use->click();
    QCOMPARE(used.size(), 1);
    const auto target = used.constFirst().constFirst().value<experiment::ServerTarget>();
    QCOMPARE(target.base_url.toString(), url);
    QVERIFY(target.label.contains(url));
    QVERIFY(!dialog.isVisible());
    QCOMPARE(dialog.server()->state(), State::ready); // it goes on

    start->click();
    QTRY_COMPARE_WITH_TIMEOUT(dialog.server()->state(), State::stopped, patienceMs);
    QCOMPARE(state->text(), QStringLiteral("Stopped."));
    QVERIFY(!use->isEnabled());
    QVERIFY(child<QSpinBox>(dialog, "port")->isEnabled());
}

void TestLaunchDialog::failureExplained()
{
    const QTemporaryDir folder;
    LaunchDialog dialog;
    dialog.show();
    choose(dialog, LaunchKind::vllm);
    const QByteArray script = "cat '" KVLAB_TEST_DATA "/real-captures/vllm/startlog_err_not_enough_kv.log'; exit 1";
    child<QLineEdit>(dialog, "program")->setText(fakeProgram(folder, script.constData()));
    child<QLineEdit>(dialog, "model")->setText(QStringLiteral("MODEL"));
    child<QPushButton>(dialog, "start")->click();
    const auto *message = child<MessageBar>(dialog, "message");
    QTRY_COMPARE_WITH_TIMEOUT(child<QLabel>(dialog, "state")->text(), QStringLiteral("Ended with code 1."), patienceMs);
    QVERIFY(message->isVisible());
    QCOMPARE(message->kind(), MessageKind::error);
    for (const char *part : {"0.09 GiB", "0.07 GiB", "3168"})
        QVERIFY2(message->text().contains(QString::fromLatin1(part)), qPrintable(message->text()));
    // A new start begins anew.
    fakeProgram(folder, "exec sleep 600");
    child<QPushButton>(dialog, "start")->click();
    QVERIFY(!message->isVisible());
    QVERIFY(child<QPlainTextEdit>(dialog, "log")->toPlainText().isEmpty());
    child<QPushButton>(dialog, "start")->click();
    QTRY_COMPARE_WITH_TIMEOUT(dialog.server()->state(), State::stopped, patienceMs);
}

void TestLaunchDialog::searchesLog()
{
    const QTemporaryDir folder;
    LaunchDialog dialog;
    choose(dialog, LaunchKind::vllm);
    child<QLineEdit>(dialog, "program")
        ->setText(fakeProgram(folder, "echo first needle; echo between; echo second needle; exit 0"));
    child<QLineEdit>(dialog, "model")->setText(QStringLiteral("MODEL"));
    child<QPushButton>(dialog, "start")->click();
    QTRY_COMPARE_WITH_TIMEOUT(child<QLabel>(dialog, "state")->text(), QStringLiteral("Ended with code 0."), patienceMs);
    auto *log = child<QPlainTextEdit>(dialog, "log");
    log->moveCursor(QTextCursor::Start);
    auto *next = child<QPushButton>(dialog, "next");
    QVERIFY(!next->isEnabled());
    child<QLineEdit>(dialog, "search")->setText(QStringLiteral("needle"));
    next->click();
    QCOMPARE(log->textCursor().blockNumber(), 0);
    next->click();
    QCOMPARE(log->textCursor().blockNumber(), 2);
    next->click(); // once around
    QCOMPARE(log->textCursor().blockNumber(), 0);
    child<QPushButton>(dialog, "previous")->click();
    QCOMPARE(log->textCursor().blockNumber(), 2);
    QCOMPARE(log->textCursor().selectedText(), QStringLiteral("needle"));
    child<QLineEdit>(dialog, "search")->setText(QStringLiteral("nothing like it"));
    next->click();
    QVERIFY(!log->textCursor().hasSelection());
}

void TestLaunchDialog::portTaken()
{
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    LaunchDialog dialog;
    child<QSpinBox>(dialog, "port")->setValue(other.serverPort());
    child<QPushButton>(dialog, "start")->click();
    QTRY_VERIFY_WITH_TIMEOUT(
        child<MessageBar>(dialog, "message")->text().contains(QStringLiteral("taken")), patienceMs);
    child<QPushButton>(dialog, "freePort")->click();
    QVERIFY(child<QSpinBox>(dialog, "port")->value() != other.serverPort());
}

void TestLaunchDialog::chosenInMainWindow()
{
    QUrl url;
    {
        MainWindow window;
        window.show();
        window.findChild<QAction *>(QStringLiteral("startServer"))->trigger();
        auto *dialog = window.findChild<LaunchDialog *>();
        QVERIFY(dialog != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(dialog->isVisible(), patienceMs);
        child<QLineEdit>(*dialog, "model")->setText(QStringLiteral("small"));
        child<QPushButton>(*dialog, "start")->click();
        QTRY_COMPARE_WITH_TIMEOUT(dialog->server()->state(), State::ready, patienceMs);
        // A run that has begun keeps its server.
        window.controller()->start();
        child<QPushButton>(*dialog, "use")->click();
        QVERIFY(window.controller()->server().practice_engine);
        QVERIFY(child<MessageBar>(window, "messageBar")->text().contains(QStringLiteral("The run goes on")));
        window.controller()->stop();
        child<QPushButton>(*dialog, "use")->click();
        url = dialog->target().base_url;
        QCOMPARE(window.controller()->server().base_url, url);
        QVERIFY(!window.controller()->server().practice_engine);
        QCOMPARE(child<QComboBox>(window, "serverBox")->currentText(), dialog->target().label);
        // The same window comes back, with its server.
        window.findChild<QAction *>(QStringLiteral("startServer"))->trigger();
        QCOMPARE(window.findChildren<LaunchDialog *>().size(), 1);
        QCOMPARE(dialog->server()->state(), State::ready);
    }
    QTRY_VERIFY_WITH_TIMEOUT(servers::isPortFree(url.port()), patienceMs);
}

void TestLaunchDialog::bothLanguages()
{
    LaunchDialog dialog;
    choose(dialog, LaunchKind::lmcache);
    child<QLineEdit>(dialog, "model")->setText(QStringLiteral("MODEL"));
    const QString english = command(dialog);
    i18n::installLanguage(QStringLiteral("zh"));
    QCoreApplication::sendPostedEvents();
    QCOMPARE(dialog.windowTitle(), QStringLiteral("启动服务器"));
    QCOMPARE(command(dialog), english);
    QCOMPARE(child<QLineEdit>(dialog, "model")->text(), QStringLiteral("MODEL"));
    QVERIFY(child<QLabel>(dialog, "notes")->text().contains(QStringLiteral("分块")));
    i18n::installLanguage(QStringLiteral("en"));
}

void TestLaunchDialog::fitsSmallScreens()
{
    for (const char *language : {"en", "zh"}) {
        i18n::installLanguage(QString::fromLatin1(language));
        applyAppearance(Theme::light, 1.0);
        LaunchDialog dialog;
        dialog.resize(1024, 700);
        dialog.show();
        const auto *form = dialog.findChild<LaunchForm *>();
        for (const LaunchKind kind : servers::allLaunchKinds()) {
            choose(dialog, kind);
            child<QLineEdit>(dialog, "model")
                ->setText(kind == LaunchKind::practice ? QString() : QStringLiteral("MODEL"));
            QVERIFY(dialog.minimumSizeHint().width() <= 1000);
            QVERIFY(dialog.minimumSizeHint().height() <= 680);
            // Nothing of the form is cut off.
            QTRY_VERIFY_WITH_TIMEOUT(form->width() <= form->parentWidget()->width(), patienceMs);
            QVERIFY(form->height() <= form->parentWidget()->height());
        }
    }
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

void TestLaunchDialog::followsLog()
{
    const QTemporaryDir folder;
    LaunchDialog dialog;
    dialog.resize(1024, 700);
    dialog.show();
    choose(dialog, LaunchKind::vllm);
    const char *script = "i=0; while [ $i -lt 300 ]; do echo line $i; i=$((i+1)); [ $i = 150 ] && sleep 0.3; done; "
                         "head -c 1500 /dev/zero | tr '\\0' x; echo; sleep 0.3; echo the last line; exit 0";
    child<QLineEdit>(dialog, "program")->setText(fakeProgram(folder, script));
    child<QLineEdit>(dialog, "model")->setText(QStringLiteral("MODEL"));
    child<QPushButton>(dialog, "start")->click();
    QTRY_COMPARE_WITH_TIMEOUT(child<QLabel>(dialog, "state")->text(), QStringLiteral("Ended with code 0."), patienceMs);
    const auto *log = child<QPlainTextEdit>(dialog, "log");
    QVERIFY(log->toPlainText().endsWith(QStringLiteral("the last line")));
    const QTextCursor last = log->cursorForPosition(QPoint(2, log->viewport()->height() - 2));
    QCOMPARE(last.blockNumber(), log->blockCount() - 1);
}

QTEST_MAIN(TestLaunchDialog)
#include "tst_launch_dialog.moc"
