// SPDX-License-Identifier: GPL-3.0-or-later
// Drives the memory table by keys as a person would. Byte counts are worked out by hand from the published shapes.
#include "i18n/language.h"
#include "memory_bench.h"
#include "ui/memory/formula_view.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"

#include <QClipboard>
#include <QComboBox>
#include <QCompleter>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>

using namespace kvlab;
using namespace kvlab::ui;

class TestMemoryPanel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup();

    void showsExactBytes();
    void editByKeysAndUndo();
    void unchangedValueIsNoStep();
    void countsAreRead_data();
    void countsAreRead();
    void textThatIsNoCountStays();
    void backToLastGoodValue();
    void badTextIsNotInTheDocument();
    void escapeRestores();
    void tabAndShiftReturnMove();
    void tabLeavesTheTableAtItsEnd();
    void deleteKeyChangesNothing();
    void modelByPartOfItsName();
    void modelFromTheList();
    void ambiguousNameIsExplained();
    void unknownModelIsMarked();
    void refusedRowHasAReason();
    void cacheTypeByKeys();
    void addRow();
    void duplicateRows();
    void removeRowsInOneStep();
    void resetAndEmptyTable();
    void undoTextsNameTheThing();
    void copyIsTabSeparated();
};

void TestMemoryPanel::initTestCase()
{
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

void TestMemoryPanel::cleanup()
{
    if (i18n::currentLanguage() != QLatin1String("en"))
        i18n::installLanguage(QStringLiteral("en"));
    if (currentZoom() != 1.0)
        applyAppearance(Theme::light, 1.0);
}

void TestMemoryPanel::showsExactBytes()
{
    MemoryBench bench({qwen7b, qwen72b});
    QCOMPARE(bench.text(0, MemoryColumn::kv_cache), QStringLiteral("0.219"));
    QCOMPARE(bench.toolTip(0, MemoryColumn::kv_cache), QStringLiteral("234,881,024 B = 0.219 GiB"));
    // 2 × 80 × 8 × 128 × 8192 × 8 × 2 B
    QCOMPARE(bench.toolTip(1, MemoryColumn::kv_cache), QStringLiteral("21,474,836,480 B = 20.000 GiB"));
    QCOMPARE(bench.text(0, MemoryColumn::seq_len), QStringLiteral("4,096"));
    QCOMPARE(bench.model->cell(0, MemoryColumn::seq_len).data(MemoryTableModel::raw_role).toLongLong(), 4096);
    QCOMPARE(bench.model->cell(1, MemoryColumn::kv_cache).data(MemoryTableModel::raw_role).toDouble(), 20.0);
    QVERIFY(!bench.model->cell(0, MemoryColumn::kv_cache).flags().testFlag(Qt::ItemIsEditable));
    QVERIFY(!bench.model->setData(bench.model->cell(0, MemoryColumn::kv_cache), QStringLiteral("1")));
    QCOMPARE(bench.model->headerData(1, Qt::Vertical).toString(), QStringLiteral("2"));
}

void TestMemoryPanel::editByKeysAndUndo()
{
    MemoryBench bench({qwen7b, qwen72b});
    QVERIFY(bench.activate());
    bench.choose(0, MemoryColumn::seq_len);
    QSignalSpy changed(bench.model, &QAbstractItemModel::dataChanged);
    bench.type(QStringLiteral("8192"));
    QTRY_COMPARE(bench.toolTip(0, MemoryColumn::kv_cache), QStringLiteral("469,762,048 B = 0.438 GiB"));
    QCOMPARE(changed.count(), 1);
    QTRY_COMPARE(bench.table->currentIndex(), bench.model->cell(1, MemoryColumn::seq_len)); // Return goes down
    QCOMPARE(bench.undo.count(), 1);
    QVERIFY(!bench.undo.isClean());

    bench.undo.undo();
    QCOMPARE(bench.toolTip(0, MemoryColumn::kv_cache), QStringLiteral("234,881,024 B = 0.219 GiB"));
    QCOMPARE(bench.panel.rows(), (QList<memory::MemoryRow>{qwen7b, qwen72b}));
    QCOMPARE(bench.table->currentIndex(), bench.model->cell(0, MemoryColumn::seq_len)); // undone where one sees it
    QVERIFY(bench.undo.isClean());
    bench.undo.redo();
    QCOMPARE(bench.panel.rows().first().seq_len, 8192);
}

void TestMemoryPanel::unchangedValueIsNoStep()
{
    MemoryBench bench({qwen7b});
    const QModelIndex cell = bench.model->cell(0, MemoryColumn::seq_len);
    QVERIFY(!bench.model->setData(cell, QStringLiteral("4k")));
    QVERIFY(!bench.model->setData(cell, QString()));
    QVERIFY(!bench.model->setData(bench.model->cell(0, MemoryColumn::model), QStringLiteral("qwen2.5-7B")));
    QCOMPARE(bench.undo.count(), 0);
}

void TestMemoryPanel::countsAreRead_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<qint64>("expected");
    QTest::newRow("plain") << QStringLiteral("100") << qint64(100);
    QTest::newRow("k") << QStringLiteral("2k") << qint64(2048);
    QTest::newRow("K") << QStringLiteral("32K") << qint64(32768);
    QTest::newRow("grouped") << QStringLiteral("1,000") << qint64(1000);
    QTest::newRow("full width") << QStringLiteral("１０２４") << qint64(1024);
}

void TestMemoryPanel::countsAreRead()
{
    QFETCH(QString, typed);
    QFETCH(qint64, expected);
    MemoryBench bench({qwen7b});
    QVERIFY(bench.model->setData(bench.model->cell(0, MemoryColumn::seq_len), typed));
    QCOMPARE(bench.panel.rows().first().seq_len, expected);
    QCOMPARE(bench.problem(0, MemoryColumn::seq_len), QString());
}

void TestMemoryPanel::textThatIsNoCountStays()
{
    MemoryBench bench({qwen7b, qwen72b});
    QVERIFY(bench.activate());
    bench.choose(0, MemoryColumn::seq_len);
    bench.type(QStringLiteral("40o96"));
    QTRY_COMPARE(bench.text(0, MemoryColumn::seq_len), QStringLiteral("40o96"));
    QCOMPARE(bench.text(0, MemoryColumn::kv_cache), QStringLiteral("–"));
    const QString sentence = QStringLiteral(
        "Row 1, seq_len: “40o96” is not a whole number from 1 to 1,000,000,000,000. Type 4096, 4k or 32K, for example. "
        "The row counts again as soon as it can be read.");
    QCOMPARE(bench.problem(0, MemoryColumn::seq_len), sentence);
    QCOMPARE(bench.toolTip(0, MemoryColumn::seq_len), sentence);
    // The sentence stands below the table, and the cell stays current although Return was pressed.
    QCOMPARE(bench.table->currentIndex(), bench.model->cell(0, MemoryColumn::seq_len));
    auto *message = bench.panel.findChild<MessageBar *>();
    QTRY_VERIFY(message->isVisible());
    QCOMPARE(message->text(), sentence);
    QVERIFY(!bench.panel.findChild<FormulaView *>()->isVisible());

    bench.type(QStringLiteral("4k"));
    QTRY_COMPARE(bench.toolTip(0, MemoryColumn::kv_cache), QStringLiteral("234,881,024 B = 0.219 GiB"));
    QCOMPARE(bench.problem(0, MemoryColumn::seq_len), QString());
}

void TestMemoryPanel::backToLastGoodValue()
{
    MemoryBench bench({qwen7b});
    QVERIFY(bench.activate());
    bench.choose(0, MemoryColumn::batch);
    QVERIFY(bench.model->setData(bench.model->cell(0, MemoryColumn::batch), QStringLiteral("1,000,000,001")));
    QCOMPARE(bench.text(0, MemoryColumn::batch), QStringLiteral("1,000,000,001"));
    auto *back = bench.panel.findChild<QPushButton *>(QStringLiteral("restoreCell"));
    QTRY_VERIFY(back->isVisible());
    QCOMPARE(back->text(), QStringLiteral("Back to 1"));
    QTest::mouseClick(back, Qt::LeftButton);
    QCOMPARE(bench.text(0, MemoryColumn::batch), QStringLiteral("1"));
    QCOMPARE(bench.undo.count(), 2);
    bench.undo.undo();
    QCOMPARE(bench.text(0, MemoryColumn::batch), QStringLiteral("1,000,000,001"));

    QTest::mouseClick(bench.panel.findChild<QPushButton *>(QStringLiteral("editCell")), Qt::LeftButton);
    auto *editor = qobject_cast<QLineEdit *>(bench.table->indexWidget(bench.model->cell(0, MemoryColumn::batch)));
    QVERIFY(editor);
    QCOMPARE(editor->text(), QStringLiteral("1,000,000,001"));
}

void TestMemoryPanel::badTextIsNotInTheDocument()
{
    MemoryBench bench({qwen7b});
    QVERIFY(bench.model->setData(bench.model->cell(0, MemoryColumn::seq_len), QStringLiteral("much")));
    QCOMPARE(bench.panel.rows(), QList<memory::MemoryRow>{qwen7b});
    bench.undo.undo();
    QCOMPARE(bench.text(0, MemoryColumn::seq_len), QStringLiteral("4,096"));
    QCOMPARE(bench.text(0, MemoryColumn::kv_cache), QStringLiteral("0.219"));
}

void TestMemoryPanel::escapeRestores()
{
    MemoryBench bench({qwen7b});
    QVERIFY(bench.activate());
    bench.choose(0, MemoryColumn::seq_len);
    bench.type(QStringLiteral("77"), Qt::Key_Escape);
    QTRY_VERIFY(!bench.table->indexWidget(bench.model->cell(0, MemoryColumn::seq_len)));
    QCOMPARE(bench.text(0, MemoryColumn::seq_len), QStringLiteral("4,096"));
    QCOMPARE(bench.undo.count(), 0);
}

void TestMemoryPanel::tabAndShiftReturnMove()
{
    MemoryBench bench({qwen7b, qwen72b});
    QVERIFY(bench.activate());
    bench.choose(1, MemoryColumn::seq_len);
    bench.type(QStringLiteral("10"), Qt::Key_Tab);
    QTRY_COMPARE(bench.table->currentIndex(), bench.model->cell(1, MemoryColumn::batch));
    QCOMPARE(bench.panel.rows().at(1).seq_len, 10);
    QVERIFY(!bench.table->indexWidget(bench.table->currentIndex())); // moved, not editing

    QTest::keyClick(bench.table, Qt::Key_F2);
    QWidget *editor = QApplication::focusWidget();
    QVERIFY(editor != bench.table);
    QTest::keyClicks(editor, QStringLiteral("3")); // F2 selects the old text
    QTest::keyClick(editor, Qt::Key_Return, Qt::ShiftModifier);
    QTRY_COMPARE(bench.table->currentIndex(), bench.model->cell(0, MemoryColumn::batch));
    QCOMPARE(bench.panel.rows().at(1).batch, 3);
    QTest::keyClick(bench.table, Qt::Key_Return);
    QCOMPARE(bench.table->currentIndex(), bench.model->cell(1, MemoryColumn::batch));
}

void TestMemoryPanel::tabLeavesTheTableAtItsEnd()
{
    MemoryBench bench({qwen7b});
    QVERIFY(bench.activate());
    bench.choose(0, MemoryColumn::kv_dtype);
    QTest::keyClick(bench.table, Qt::Key_Tab);
    QCOMPARE(bench.table->currentIndex(), bench.model->cell(0, MemoryColumn::kv_cache));
    QVERIFY(bench.table->hasFocus());
    QTest::keyClick(bench.table, Qt::Key_Tab);
    QVERIFY(!bench.table->hasFocus());
}

void TestMemoryPanel::deleteKeyChangesNothing()
{
    MemoryBench bench({qwen7b});
    QVERIFY(bench.activate());
    bench.choose(0, MemoryColumn::seq_len);
    QTest::keyClick(bench.table, Qt::Key_Delete);
    QTest::keyClick(bench.table, Qt::Key_Backspace);
    QVERIFY(!bench.table->indexWidget(bench.table->currentIndex()));
    QCOMPARE(bench.panel.rows(), QList<memory::MemoryRow>{qwen7b});
    QCOMPARE(bench.undo.count(), 0);
}

void TestMemoryPanel::modelByPartOfItsName()
{
    MemoryBench bench({qwen7b});
    QVERIFY(bench.activate());
    bench.choose(0, MemoryColumn::model);
    QTest::keyClicks(bench.table, QStringLiteral("3"));
    auto *box = qobject_cast<QComboBox *>(bench.table->indexWidget(bench.model->cell(0, MemoryColumn::model)));
    QVERIFY(box);
    QCOMPARE(box->count(), memory::builtInModels().size());
    QTest::keyClicks(box, QStringLiteral(".1-405"));
    QCOMPARE(box->currentText(), QStringLiteral("3.1-405"));
    // One model is left: Return takes it.
    QCOMPARE(box->completer()->completionCount(), 1);
    QTest::keyClick(box->completer()->popup(), Qt::Key_Return);
    QTRY_COMPARE(bench.text(0, MemoryColumn::model), QStringLiteral("Llama-3.1-405B"));
    // 2 × 126 layers × 8 heads × 128 × 4096 × 2 B
    QCOMPARE(bench.toolTip(0, MemoryColumn::kv_cache), QStringLiteral("2,113,929,216 B = 1.969 GiB"));
    QTRY_VERIFY(!bench.table->indexWidget(bench.model->cell(0, MemoryColumn::model)));
    QCOMPARE(bench.undo.count(), 1);
}

void TestMemoryPanel::modelFromTheList()
{
    MemoryBench bench({qwen7b});
    QVERIFY(bench.activate());
    bench.choose(0, MemoryColumn::model);
    QTest::keyClicks(bench.table, QStringLiteral("Q"));
    auto *box = qobject_cast<QComboBox *>(bench.table->indexWidget(bench.model->cell(0, MemoryColumn::model)));
    QVERIFY(box);
    QTest::keyClicks(box, QStringLiteral("WEN2.5-")); // case does not matter
    QAbstractItemView *list = box->completer()->popup();
    QTRY_VERIFY(list->isVisible());
    QCOMPARE(box->completer()->completionCount(), 7); // 0.5B, 1.5B, 3B, 7B, 14B, 32B, 72B
    QTest::keyClick(list, Qt::Key_Down);
    QTest::keyClick(list, Qt::Key_Return);
    QTRY_COMPARE(bench.text(0, MemoryColumn::model), QStringLiteral("Qwen2.5-0.5B"));
    QTRY_VERIFY(!bench.table->indexWidget(bench.model->cell(0, MemoryColumn::model)));
    QCOMPARE(bench.undo.count(), 1);
}

void TestMemoryPanel::ambiguousNameIsExplained()
{
    MemoryBench bench({qwen7b});
    QVERIFY(bench.model->setData(bench.model->cell(0, MemoryColumn::model), QStringLiteral("qwen2.5-7")));
    QCOMPARE(bench.text(0, MemoryColumn::model), QStringLiteral("qwen2.5-7"));
    QCOMPARE(bench.problem(0, MemoryColumn::model),
        QStringLiteral(
            "Row 1, model: “qwen2.5-7” fits several models (Qwen2.5-7B, Qwen2.5-72B). Type more of the name or "
            "choose from the list."));
}

void TestMemoryPanel::unknownModelIsMarked()
{
    MemoryBench bench({qwen7b});
    bench.choose(0, MemoryColumn::model);
    QVERIFY(bench.model->setData(bench.model->cell(0, MemoryColumn::model), QStringLiteral("qwen9")));
    QCOMPARE(bench.text(0, MemoryColumn::model), QStringLiteral("qwen9"));
    QCOMPARE(bench.text(0, MemoryColumn::kv_cache), QStringLiteral("–"));
    QVERIFY(bench.problem(0, MemoryColumn::model).contains(QStringLiteral("“qwen9” is not in the list of models")));
    auto *message = bench.panel.findChild<MessageBar *>();
    QTRY_VERIFY(message->isVisible());
    QCOMPARE(message->text(), bench.problem(0, MemoryColumn::model));
    bench.undo.undo();
    QCOMPARE(bench.text(0, MemoryColumn::kv_cache), QStringLiteral("0.219"));
    QVERIFY(!message->isVisible());
}

void TestMemoryPanel::refusedRowHasAReason()
{
    // Which rows have no figure is the estimate's business; here it matters that its reason is shown.
    std::optional<memory::MemoryRow> refused;
    QString reason;
    for (const memory::ModelSpec &model : memory::builtInModels()) {
        for (const memory::CacheFormat format : memory::allCacheFormats()) {
            const memory::MemoryRow row{model.name, 4096, 1, format};
            const memory::Estimate estimate = memory::estimateRow(row);
            if (const auto *refusal = std::get_if<memory::Refusal>(&estimate); refusal && !refused) {
                refused = row;
                reason = refusal->message;
            }
        }
    }
    QVERIFY(refused);
    QVERIFY(!reason.isEmpty());
    MemoryBench bench({*refused});
    bench.choose(0, MemoryColumn::model);
    QCOMPARE(bench.text(0, MemoryColumn::kv_cache), QStringLiteral("–"));
    QCOMPARE(bench.toolTip(0, MemoryColumn::kv_cache), reason);
    QCOMPARE(bench.problem(0, MemoryColumn::model), QString()); // nothing was typed wrongly
    QCOMPARE(bench.panel.findChild<MessageBar *>()->text(), reason);
    QVERIFY(!bench.model->cell(0, MemoryColumn::kv_cache).data(MemoryTableModel::raw_role).isValid());
}

void TestMemoryPanel::cacheTypeByKeys()
{
    MemoryBench bench({qwen7b});
    QVERIFY(bench.activate());
    bench.choose(0, MemoryColumn::kv_dtype);
    bench.type(QStringLiteral("q"));
    QTRY_COMPARE(bench.text(0, MemoryColumn::kv_dtype), QStringLiteral("q8_0"));
    // 34 bytes for 32 elements: 57,344 / 2 × 34 / 32 = 30,464 B per token
    QCOMPARE(bench.toolTip(0, MemoryColumn::kv_cache), QStringLiteral("124,780,544 B = 0.116 GiB"));
    bench.undo.undo();
    QCOMPARE(bench.text(0, MemoryColumn::kv_dtype), QStringLiteral("bf16"));
}

void TestMemoryPanel::addRow()
{
    MemoryBench bench({qwen72b, qwen7b});
    QVERIFY(bench.activate());
    bench.choose(0, MemoryColumn::seq_len);
    QTest::keyClick(bench.table, Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(bench.panel.rows(),
        (QList<memory::MemoryRow>{
            qwen72b, {QStringLiteral("Qwen2.5-72B"), 4096, 1, memory::CacheFormat::bf16}, qwen7b}));
    QCOMPARE(bench.table->currentIndex(), bench.model->cell(1, MemoryColumn::model));
    QTest::keyClick(bench.table, Qt::Key_Insert);
    QCOMPARE(bench.model->rowCount(), 4);
    QTest::mouseClick(bench.panel.findChild<QPushButton *>(QStringLiteral("addRow")), Qt::LeftButton);
    QCOMPARE(bench.model->rowCount(), 5);
    QCOMPARE(bench.undo.count(), 3);
    bench.undo.setIndex(0);
    QCOMPARE(bench.panel.rows(), (QList<memory::MemoryRow>{qwen72b, qwen7b}));
    bench.undo.setIndex(3);
    QCOMPARE(bench.model->rowCount(), 5);
}

void TestMemoryPanel::duplicateRows()
{
    MemoryBench bench({qwen72b, qwen7b});
    QVERIFY(bench.activate());
    bench.choose(0, MemoryColumn::model);
    QTest::keyClick(bench.table, Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(bench.panel.rows(), (QList<memory::MemoryRow>{qwen72b, qwen72b, qwen7b}));
    bench.table->selectAll();
    QTest::keyClick(bench.table, Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(bench.panel.rows(), (QList<memory::MemoryRow>{qwen72b, qwen72b, qwen7b, qwen72b, qwen72b, qwen7b}));
    QCOMPARE(bench.undo.count(), 2);
    bench.undo.undo();
    bench.undo.undo();
    QCOMPARE(bench.panel.rows(), (QList<memory::MemoryRow>{qwen72b, qwen7b}));
}

void TestMemoryPanel::removeRowsInOneStep()
{
    const QList<memory::MemoryRow> grid = memory::handoutGrid();
    MemoryBench bench(grid);
    QVERIFY(bench.activate());
    bench.table->setFocus();
    bench.table->chooseRows({0, 2, 3, 39});
    QTest::keyClick(bench.table, Qt::Key_Delete, Qt::ControlModifier);
    QCOMPARE(bench.model->rowCount(), 36);
    QCOMPARE(bench.panel.rows().first(), grid.at(1));
    QCOMPARE(bench.panel.rows().at(1), grid.at(4));
    QCOMPARE(bench.panel.rows().last(), grid.at(38));
    QCOMPARE(bench.undo.count(), 1);
    bench.undo.undo();
    QCOMPARE(bench.panel.rows(), grid);
    bench.undo.redo();
    QCOMPARE(bench.model->rowCount(), 36);
    bench.undo.undo();
    QCOMPARE(bench.panel.rows(), grid);
}

void TestMemoryPanel::resetAndEmptyTable()
{
    MemoryBench bench({qwen7b});
    bench.choose(0, MemoryColumn::model);
    QVERIFY(bench.action(2)->isEnabled());
    bench.action(2)->trigger();
    QCOMPARE(bench.model->rowCount(), 0);
    for (const int withoutRows : {1, 2, 3})
        QVERIFY(!bench.action(withoutRows)->isEnabled());
    QVERIFY(!bench.panel.findChild<FormulaView *>()->isVisible());
    bench.action(0)->trigger(); // Add row works in an empty table
    QCOMPARE(bench.model->rowCount(), 1);
    QCOMPARE(bench.text(0, MemoryColumn::model), memory::builtInModels().first().name);
    bench.panel.setRows({qwen72b, qwen7b});
    QCOMPARE(bench.panel.rows(), (QList<memory::MemoryRow>{qwen72b, qwen7b}));
}

void TestMemoryPanel::undoTextsNameTheThing()
{
    MemoryBench bench({qwen7b, qwen72b, qwen7b});
    QVERIFY(bench.model->setData(bench.model->cell(2, MemoryColumn::seq_len), QStringLiteral("5")));
    QCOMPARE(bench.undo.undoText(), QStringLiteral("Change seq_len of row 3"));
    bench.model->addRow(1, qwen7b);
    QCOMPARE(bench.undo.undoText(), QStringLiteral("Add row 2"));
    bench.model->duplicateRows({0});
    QCOMPARE(bench.undo.undoText(), QStringLiteral("Duplicate row 1"));
    bench.model->removeRowsAt({1, 4});
    QCOMPARE(bench.undo.undoText(), QStringLiteral("Remove 2 rows"));
}

void TestMemoryPanel::copyIsTabSeparated()
{
    MemoryBench bench({qwen7b, qwen72b});
    QVERIFY(bench.activate());
    bench.table->setFocus();
    bench.table->chooseRows({0, 1});
    QTest::keyClick(bench.table, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(),
        QStringLiteral("Qwen2.5-7B\t4,096\t1\tbf16\t0.219\nQwen2.5-72B\t8,192\t8\tbf16\t20.000\n"));
}

QTEST_MAIN(TestMemoryPanel)
#include "tst_memory_panel.moc"
