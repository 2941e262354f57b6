// SPDX-License-Identifier: GPL-3.0-or-later
// Models on their way into the window: by import, by drop, as an edited copy; and what the document keeps of them.
#include "i18n/language.h"
#include "ui/dialogs/import_dialog.h"
#include "ui/dialogs/model_copy_dialog.h"
#include "ui/dialogs/server_check_dialog.h"
#include "ui/main_window.h"
#include "ui/memory/memory_panel.h"
#include "ui/memory/memory_table_view.h"
#include "ui/planner/planner_page.h"
#include "ui/widgets/appearance.h"

#include <QDialogButtonBox>
#include <QDropEvent>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace kvlab;
using namespace kvlab::ui;

namespace {

/// 12 layers × 2 × 3 heads × 64 × 2 B = 9,216 B a token.
const QByteArray config = R"({"model_type":"llama","architectures":["LlamaForCausalLM"],"num_hidden_layers":12,
"num_attention_heads":9,"num_key_value_heads":3,"hidden_size":576,"head_dim":64,"torch_dtype":"bfloat16",
"max_position_embeddings":8192})";

QString writeConfig(const QTemporaryDir &folder)
{
    const QString path = folder.filePath(QStringLiteral("config.json"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(config) != config.size())
        qFatal("the test's own folder cannot be written");
    return path;
}

void drop(QWidget *window, const QString &path)
{
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(window, &event);
    QVERIFY(event.isAccepted());
}

void press(QDialog *dialog)
{
    QTest::mouseClick(dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok), Qt::LeftButton);
}

} // namespace

class TestWindowModels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void droppedModelBecomesARow();
    void documentKeepsTheModel();
    void documentKeepsThePlan();
    void copyIsEdited();
    void serverCheckKnowsTheRow();
};

void TestWindowModels::initTestCase()
{
    QCoreApplication::setOrganizationName(QStringLiteral("kvlab-tests"));
    QCoreApplication::setApplicationName(QStringLiteral("tst_window_models"));
    QSettings().clear();
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

void TestWindowModels::droppedModelBecomesARow()
{
    const QTemporaryDir folder;
    MainWindow window;
    window.show();
    const qsizetype before = window.memoryPanel()->rows().size();
    drop(&window, writeConfig(folder));
    auto *dialog = window.findChild<ImportDialog *>();
    QVERIFY(dialog != nullptr);
    QTRY_VERIFY(dialog->model().has_value());
    press(dialog);
    QTRY_COMPARE(window.memoryPanel()->rows().size(), before + 1);
    const auto imported = window.memoryPanel()->library().imported();
    QCOMPARE(imported.size(), 1);
    memory::MemoryRow row{imported.constFirst()->name, 1000, 1, memory::CacheFormat::bf16};
    const memory::Estimate answer = memory::estimateRow(row, window.memoryPanel()->library());
    QCOMPARE(std::get<memory::MemoryResult>(answer).bytes, memory::Bytes(9'216'000));
    QVERIFY(window.isWindowModified());
    window.findChild<QAction *>(QStringLiteral("undo"))->trigger();
    QCOMPARE(window.memoryPanel()->rows().size(), before);
}

void TestWindowModels::documentKeepsTheModel()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.kvlab"));
    QString name;
    {
        MainWindow window;
        window.show();
        drop(&window, writeConfig(folder));
        auto *dialog = window.findChild<ImportDialog *>();
        QTRY_VERIFY(dialog->model().has_value());
        press(dialog);
        QTRY_COMPARE(window.memoryPanel()->library().imported().size(), 1);
        name = window.memoryPanel()->library().imported().constFirst()->name;
        QVERIFY(window.saveFile(path));
    }
    MainWindow again;
    QVERIFY(again.memoryPanel()->library().find(name) == nullptr || name == QStringLiteral("config"));
    drop(&again, path); // a session is opened, not imported
    QTRY_VERIFY(again.memoryPanel()->library().find(name) != nullptr);
    bool found = false;
    for (const memory::MemoryRow &row : again.memoryPanel()->rows())
        found = found || row.model == name;
    QVERIFY(found);
}

void TestWindowModels::documentKeepsThePlan()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("plan.kvlab"));
    PlannerSettings plan;
    {
        MainWindow window;
        plan = window.plannerPage()->plannerSettings();
        plan.seq_len = 54'321;
        plan.batch = 3;
        window.plannerPage()->setPlannerSettings(plan);
        QVERIFY(window.saveFile(path));
    }
    QSettings().clear(); // what the program remembers by itself must not be what the test sees
    MainWindow again;
    QVERIFY(again.plannerPage()->plannerSettings().seq_len != plan.seq_len);
    again.openFile(path);
    QCOMPARE(again.plannerPage()->plannerSettings().seq_len, plan.seq_len);
    QCOMPARE(again.plannerPage()->plannerSettings().batch, plan.batch);
}

void TestWindowModels::copyIsEdited()
{
    MainWindow window;
    window.show();
    auto *table = window.memoryPanel()->findChild<MemoryTableView *>();
    table->setCurrentIndex(table->model()->index(8, 0)); // Qwen2.5-7B
    window.findChild<QAction *>(QStringLiteral("editCopy"))->trigger();
    auto *dialog = window.findChild<ModelCopyDialog *>();
    QVERIFY(dialog != nullptr);
    QVERIFY(dialog->model().has_value());
    auto *text = dialog->findChild<QPlainTextEdit *>(QStringLiteral("modelText"));
    const QString good = text->toPlainText();
    auto *ok = dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok);
    for (const QString &bad : {QStringLiteral("{"), QStringLiteral("[]"), QStringLiteral("{\"name\":\"x\"}"),
             QString(good).replace(QStringLiteral("\"layers\": 28"), QStringLiteral("\"layers\": -1")),
             QString(good).replace(QStringLiteral("\"full\""), QStringLiteral("\"quantum\""))}) {
        text->setPlainText(bad);
        QVERIFY2(!ok->isEnabled(), qPrintable(bad));
    }
    // Twice the KV heads, twice the bytes: 2 × 57,344.
    text->setPlainText(QString(good)
                           .replace(QStringLiteral("\"kv_heads\": 4"), QStringLiteral("\"kv_heads\": 8"))
                           .replace(QStringLiteral("Qwen2.5-7B (copy)"), QStringLiteral("Twice")));
    QVERIFY(ok->isEnabled());
    press(dialog);
    QTRY_VERIFY(window.memoryPanel()->library().find(QStringLiteral("Twice")) != nullptr);
    const memory::Estimate answer = memory::estimateRow(
        {QStringLiteral("Twice"), 10, 1, memory::CacheFormat::bf16}, window.memoryPanel()->library());
    QCOMPARE(std::get<memory::MemoryResult>(answer).bytes, memory::Bytes(1'146'880));
}

void TestWindowModels::serverCheckKnowsTheRow()
{
    MainWindow window;
    window.show();
    window.findChild<QAction *>(QStringLiteral("serverLog"))->trigger();
    auto *dialog = window.findChild<ServerCheckDialog *>();
    QVERIFY(dialog != nullptr && dialog->isVisible());
}

QTEST_MAIN(TestWindowModels)
#include "tst_window_models.moc"
