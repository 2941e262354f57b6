// SPDX-License-Identifier: GPL-3.0-or-later
#include "i18n/language.h"
#include "ui/dialogs/server_check_dialog.h"
#include "ui/dialogs/server_check_model.h"
#include "ui/dialogs/server_question.h"
#include "ui/widgets/appearance.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace kvlab;
using namespace kvlab::ui;

namespace {

constexpr int patience_ms = 15'000;

QByteArray capture(const char *name)
{
    QFile file(QStringLiteral(KVLAB_TEST_DATA "/real-captures/vllm/") + QLatin1String(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s is missing", name);
    return file.readAll();
}

memory::MemoryRow row(memory::CacheFormat format)
{
    return {QStringLiteral("Qwen2.5-0.5B"), 4096, 1, format};
}

/// The dialog of a row, with its parts.
struct Bench
{
    explicit Bench(memory::CacheFormat format = memory::CacheFormat::f32)
        : dialog(QStringLiteral("Qwen2.5-0.5B"), row(format))
        , tester(table()->model(), QAbstractItemModelTester::FailureReportingMode::Fatal)
    {
        dialog.show();
    }

    QTableView *table() const { return dialog.findChild<QTableView *>(QStringLiteral("table")); }
    QPlainTextEdit *paste() const { return dialog.findChild<QPlainTextEdit *>(QStringLiteral("paste")); }
    QString state() const { return dialog.findChild<QLabel *>(QStringLiteral("state"))->text(); }
    QLineEdit *address() const { return dialog.findChild<QLineEdit *>(QStringLiteral("address")); }
    QTabWidget *pages() const { return dialog.findChild<QTabWidget *>(QStringLiteral("pages")); }
    int rows() const { return table()->model()->rowCount(); }
    QString cell(const QString &figure, int column) const
    {
        for (int i = 0; i < rows(); ++i) {
            if (table()->model()->index(i, 0).data().toString() == figure)
                return table()->model()->index(i, column).data().toString();
        }
        return {};
    }

    ServerCheckDialog dialog;
    QAbstractItemModelTester tester;
};

/// Answers GET with what its pages hold, 404 to others; silent when told so.
class PageServer : public QTcpServer
{
public:
    QHash<QByteArray, QByteArray> pages;
    bool is_silent = false;
    QByteArrayList asked;

    PageServer()
    {
        connect(this, &QTcpServer::newConnection, this, [this] {
            while (QTcpSocket *socket = nextPendingConnection()) {
                connect(socket, &QTcpSocket::readyRead, this, [this, socket] { answer(socket); });
                connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            }
        });
        listen(QHostAddress::LocalHost);
    }

    QString address() const { return QStringLiteral("127.0.0.1:%1").arg(serverPort()); }

private:
    void answer(QTcpSocket *socket)
    {
        const QByteArray request = socket->readAll();
        const QByteArray path = request.split(' ').value(1);
        asked << path;
        if (is_silent)
            return;
        const QByteArray body = pages.value(path);
        socket->write((pages.contains(path) ? "HTTP/1.1 200 OK\r\n" : "HTTP/1.1 404 Not Found\r\n")
            + QByteArray("Connection: close\r\nContent-Length: ") + QByteArray::number(body.size()) + "\r\n\r\n"
            + body);
        socket->disconnectFromHost();
    }
};

QByteArray bodyOf(const QByteArray &response)
{
    return response.mid(response.indexOf("\r\n\r\n") + 4);
}

} // namespace

class TestServerCheckDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void pastedLog();
    void otherQuestion();
    void whatIsNoLog();
    void growingFile();
    void missingFile();
    void runningServer();
    void serverWithoutPages();
    void serverThatIsAway();
    void silentServer();
    void copiesTheTable();
    void languageAndTheme();
};

void TestServerCheckDialog::initTestCase()
{
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

void TestServerCheckDialog::pastedLog()
{
    Bench bench;
    QCOMPARE(bench.rows(), 0);
    QVERIFY(!bench.dialog.findChild<QPushButton *>(QStringLiteral("copy"))->isEnabled());
    bench.paste()->setPlainText(QString::fromUtf8(capture("startlog_fast_fp32_bs32.log")));
    QTRY_VERIFY_WITH_TIMEOUT(bench.rows() > 0, patience_ms);
    QVERIFY(bench.state().contains(QStringLiteral("vLLM")));
    const QString tokens = QStringLiteral("Tokens in the cache");
    // 2 GiB ÷ 24,576 B a token = 87,381; whole blocks of 32.
    QCOMPARE(bench.cell(tokens, ServerCheckModel::TheirsColumn), QStringLiteral("87,360"));
    QCOMPARE(bench.cell(tokens, ServerCheckModel::OursColumn), QStringLiteral("87,381"));
    QCOMPARE(bench.cell(tokens, ServerCheckModel::DifferenceColumn), QStringLiteral("−21"));
    QVERIFY(bench.cell(tokens, ServerCheckModel::ReasonColumn).contains(QStringLiteral("whole blocks")));
    QCOMPARE(
        bench.cell(QStringLiteral("Memory for the cache"), ServerCheckModel::TheirsColumn), QStringLiteral("2.00 GiB"));
    QCOMPARE(bench.cell(QStringLiteral("Type of the cache"), ServerCheckModel::OursColumn), QStringLiteral("f32"));
    bench.paste()->clear();
    QTRY_COMPARE_WITH_TIMEOUT(bench.rows(), 0, patience_ms);
}

void TestServerCheckDialog::otherQuestion()
{
    Bench bench(memory::CacheFormat::bf16);
    bench.paste()->setPlainText(QStringLiteral(
        "Explicitly set (2.0/23.54) GiB for KV cache on node 0.\nCPU KV cache size: 87,360 tokens, Maximum "
        "concurrency for 4,096 tokens per request: 21.33x"));
    QTRY_VERIFY_WITH_TIMEOUT(bench.rows() > 0, patience_ms);
    const QString tokens = QStringLiteral("Tokens in the cache");
    QVERIFY(bench.cell(tokens, ServerCheckModel::ReasonColumn).startsWith(QStringLiteral("Unexplained")));
    // This log does not say its type: the user does.
    bench.dialog.findChild<QComboBox *>(QStringLiteral("kv_dtype"))->setCurrentText(QStringLiteral("f32"));
    QVERIFY(bench.cell(tokens, ServerCheckModel::ReasonColumn).contains(QStringLiteral("whole blocks")));
    auto *model = bench.dialog.findChild<QComboBox *>(QStringLiteral("model"));
    model->setEditText(QStringLiteral("Qwen2.5-7B"));
    QVERIFY(bench.cell(tokens, ServerCheckModel::ReasonColumn).startsWith(QStringLiteral("Unexplained")));
    model->setEditText(QStringLiteral("no such model"));
    QCOMPARE(bench.rows(), 0);
    QVERIFY(bench.state().contains(QStringLiteral("no such model")));
}

void TestServerCheckDialog::whatIsNoLog()
{
    Bench bench;
    bench.paste()->setPlainText(QStringLiteral("Dear diary"));
    QTRY_VERIFY_WITH_TIMEOUT(bench.state().startsWith(QStringLiteral("Nothing in this text")), patience_ms);
    QVERIFY(bench.state().endsWith(u'.'));
}

void TestServerCheckDialog::growingFile()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("server.log"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("Explicitly set (2.0/23.54) GiB for KV cache on node 0.\n");
    file.flush();
    Bench bench;
    bench.dialog.openLog(path);
    QTRY_COMPARE_WITH_TIMEOUT(bench.rows(), 1, patience_ms);
    file.write("CPU KV cache size: 87,360 tokens, Maximum concurrency for 4,096 tokens per request: 21.33x\n");
    file.close();
    QTRY_COMPARE_WITH_TIMEOUT(bench.rows(), 3, patience_ms);
    // Replaced by another file of the same name, as log rotation does.
    QVERIFY(QFile::remove(path));
    QTRY_VERIFY_WITH_TIMEOUT(bench.state().contains(QStringLiteral("cannot be read")), patience_ms);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("Available KV cache memory: 8.11 GiB\n");
    file.close();
    QTRY_COMPARE_WITH_TIMEOUT(bench.rows(), 1, patience_ms);
    QVERIFY(file.open(QIODevice::Append));
    file.write("GPU KV cache size: 1,024 tokens\n");
    file.close();
    QTRY_COMPARE_WITH_TIMEOUT(bench.rows(), 2, patience_ms);
}

void TestServerCheckDialog::missingFile()
{
    const QTemporaryDir folder;
    Bench bench;
    bench.dialog.openLog(folder.filePath(QStringLiteral("none.log")));
    QVERIFY(bench.state().contains(QStringLiteral("none.log")));
    QVERIFY(bench.state().endsWith(u'.'));
    bench.dialog.openLog(folder.path()); // a folder is no log
    QVERIFY(bench.state().contains(QStringLiteral("cannot be read")));
    // Another page is not told about it.
    bench.pages()->setCurrentIndex(0);
    QVERIFY(!bench.state().contains(QStringLiteral("cannot be read")));
}

void TestServerCheckDialog::runningServer()
{
    PageServer server;
    server.pages.insert("/metrics", bodyOf(capture("permetrics_metrics.response.http")));
    Bench bench;
    bench.pages()->setCurrentIndex(2);
    bench.address()->setText(server.address() + QStringLiteral("/v1"));
    QTest::keyClick(bench.address(), Qt::Key_Return);
    QVERIFY(bench.dialog.isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(bench.rows() > 0, patience_ms);
    QCOMPARE(bench.cell(QStringLiteral("Blocks"), ServerCheckModel::TheirsColumn), QStringLiteral("682"));
    QCOMPARE(bench.cell(QStringLiteral("Memory for the cache"), ServerCheckModel::TheirsColumn),
        QStringLiteral("2,147,483,648 B"));
    std::sort(server.asked.begin(), server.asked.end());
    QCOMPARE(server.asked, (QByteArrayList{"/api/ps", "/metrics"}));
    // Ollama has the other page.
    server.pages = {{"/api/ps", R"({"models":[{"name":"q","size":9000000000,"size_vram":1,"context_length":4096}]})"}};
    QTest::mouseClick(bench.dialog.findChild<QPushButton *>(QStringLiteral("ask")), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(bench.state().contains(QStringLiteral("Ollama")), patience_ms);
}

void TestServerCheckDialog::serverWithoutPages()
{
    PageServer server;
    Bench bench;
    bench.pages()->setCurrentIndex(2);
    bench.address()->setText(QStringLiteral("ftp://x"));
    QTest::keyClick(bench.address(), Qt::Key_Return);
    QVERIFY(bench.state().contains(QStringLiteral("http://")));
    bench.address()->setText(server.address());
    QTest::keyClick(bench.address(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(bench.state().contains(QStringLiteral("404")), patience_ms);
    QVERIFY(bench.state().contains(QStringLiteral("/metrics")));
    QCOMPARE(bench.rows(), 0);
}

void TestServerCheckDialog::serverThatIsAway()
{
    quint16 port = 0;
    {
        const PageServer gone;
        port = gone.serverPort();
    }
    Bench bench;
    bench.pages()->setCurrentIndex(2);
    bench.address()->setText(QStringLiteral("127.0.0.1:%1").arg(port));
    QTest::keyClick(bench.address(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(bench.state().contains(QStringLiteral("gave no answer")), patience_ms);
}

void TestServerCheckDialog::silentServer()
{
    PageServer server;
    server.is_silent = true;
    Bench bench;
    auto *question = bench.dialog.findChild<ServerQuestion *>(QStringLiteral("question"));
    question->setTimeLimit(300);
    bench.pages()->setCurrentIndex(2);
    bench.address()->setText(server.address());
    QTest::keyClick(bench.address(), Qt::Key_Return);
    QCOMPARE(bench.state(), QStringLiteral("Asking the server…"));
    QTRY_VERIFY_WITH_TIMEOUT(bench.state().contains(QStringLiteral("did not come within")), patience_ms);
    // Closed while it waits: nothing is left behind.
    QTest::keyClick(bench.address(), Qt::Key_Return);
    bench.dialog.reject();
}

void TestServerCheckDialog::copiesTheTable()
{
    Bench bench;
    bench.paste()->setPlainText(QStringLiteral("Explicitly set (2.0/23.54) GiB for KV cache on node 0.\nCPU KV cache "
                                               "size: 87,360 tokens"));
    QTRY_COMPARE_WITH_TIMEOUT(bench.rows(), 2, patience_ms);
    QTest::mouseClick(bench.dialog.findChild<QPushButton *>(QStringLiteral("copy")), Qt::LeftButton);
    const QStringList lines = QGuiApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 3);
    QCOMPARE(lines.constFirst(), QStringLiteral("Figure\tThe server’s\tOurs\tDifference\tReason"));
    QCOMPARE(lines.at(2).section(u'\t', 0, 3), QStringLiteral("Tokens in the cache\t87,360\t87,381\t−21"));
    QGuiApplication::clipboard()->clear();
    bench.table()->setFocus();
    QTest::keySequence(bench.table(), QKeySequence::Copy);
    QCOMPARE(QGuiApplication::clipboard()->text().count(u'\n'), 3);
}

void TestServerCheckDialog::languageAndTheme()
{
    Bench bench;
    bench.paste()->setPlainText(QStringLiteral("Explicitly set (2.0/23.54) GiB for KV cache on node 0."));
    QTRY_COMPARE_WITH_TIMEOUT(bench.rows(), 1, patience_ms);
    i18n::installLanguage(QStringLiteral("zh"));
    QTRY_COMPARE_WITH_TIMEOUT(bench.dialog.windowTitle(), QStringLiteral("与服务器日志对照"), patience_ms);
    QCOMPARE(bench.table()->model()->headerData(ServerCheckModel::OursColumn, Qt::Horizontal).toString(),
        QStringLiteral("我们的数值"));
    const QModelIndex reason = bench.table()->model()->index(0, ServerCheckModel::ReasonColumn);
    const auto before = reason.data(Qt::ForegroundRole).value<QColor>();
    applyAppearance(Theme::dark, 1.0);
    QVERIFY(reason.data(Qt::ForegroundRole).value<QColor>() != before);
    // Larger letters get higher rows.
    const int low = bench.table()->rowHeight(0);
    applyAppearance(Theme::light, 1.5);
    QTRY_VERIFY_WITH_TIMEOUT(bench.table()->rowHeight(0) >= low * 5 / 4, patience_ms);
    applyAppearance(Theme::light, 1.0);
    i18n::installLanguage(QStringLiteral("en"));
}

QTEST_MAIN(TestServerCheckDialog)
#include "tst_server_check_dialog.moc"
