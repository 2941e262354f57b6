// SPDX-License-Identifier: GPL-3.0-or-later
// Drives the memory table by keys as a person would. Byte counts are worked out by hand from the published shapes:
// Qwen2.5-7B keeps 2 × 28 × 4 × 128 × 2 B = 57,344 B per token, so 4,096 tokens take 234,881,024 B = 0.219 GiB.
#include "i18n/language.h"
#include "memory/model_list.h"
#include "ui/memory/formula_view.h"
#include "ui/memory/handout_note.h"
#include "ui/memory/memory_panel.h"
#include "ui/memory/memory_table_model.h"
#include "ui/memory/memory_table_view.h"
#include "ui/memory/memory_text.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QCompleter>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>

using namespace kvlab;
using namespace kvlab::ui;

namespace {

const memory::MemoryRow qwen7b{QStringLiteral("Qwen2.5-7B"), 4096, 1, memory::CacheFormat::bf16};
const memory::MemoryRow qwen72b{QStringLiteral("Qwen2.5-72B"), 8192, 8, memory::CacheFormat::bf16};

/// A panel with its undo stack and a model tester that watches every change.
struct Bench
{
    explicit Bench(const QList<memory::MemoryRow> &rows, const QSize &size = {560, 640})
        : panel(&undo)
        , table(panel.findChild<MemoryTableView *>())
        , model(qobject_cast<MemoryTableModel *>(table->model()))
        , tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest)
    {
        panel.setRows(rows);
        panel.resize(size);
        panel.show();
    }

    bool activate() { return QTest::qWaitForWindowActive(&panel); }

    void choose(int row, MemoryColumn column)
    {
        table->setFocus();
        table->setCurrentIndex(model->cell(row, column));
    }

    void type(const QString &text, Qt::Key end = Qt::Key_Return)
    {
        QTest::keyClicks(table, text.left(1));
        QWidget *editor = QApplication::focusWidget();
        QTest::keyClicks(editor, text.mid(1));
        QTest::keyClick(editor, end);
    }

    QString text(int row, MemoryColumn column) const { return model->cell(row, column).data().toString(); }
    QString toolTip(int row, MemoryColumn column) const
    {
        return model->cell(row, column).data(Qt::ToolTipRole).toString();
    }
    QString problem(int row, MemoryColumn column) const
    {
        return model->cell(row, column).data(MemoryTableModel::problem_role).toString();
    }
    QAction *action(int place) const { return panel.editActions().at(place); }

    QUndoStack undo;
    MemoryPanel panel;
    MemoryTableView *table;
    MemoryTableModel *model;
    QAbstractItemModelTester tester;
};

} // namespace

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
    void refusedKindHasAReason();
    void cacheTypeByKeys();

    void addRow();
    void duplicateRows();
    void removeRowsInOneStep();
    void resetAndEmptyTable();
    void undoTextsNameTheThing();
    void copyIsTabSeparated();

    void formulaEqualsTheRow_data();
    void formulaEqualsTheRow();
    void severalTermsAddUp();
    void copiedFormula();
    void noteAboutTheHandout();
    void smallSizesKeepTwoDigits();

    void captionsFit_data();
    void captionsFit();
    void nothingIsLostAtDoubleSize();
    void languageSwitch();
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
    Bench bench({qwen7b, qwen72b});
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
    Bench bench({qwen7b, qwen72b});
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
    Bench bench({qwen7b});
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
    Bench bench({qwen7b});
    QVERIFY(bench.model->setData(bench.model->cell(0, MemoryColumn::seq_len), typed));
    QCOMPARE(bench.panel.rows().first().seq_len, expected);
    QCOMPARE(bench.problem(0, MemoryColumn::seq_len), QString());
}

void TestMemoryPanel::textThatIsNoCountStays()
{
    Bench bench({qwen7b, qwen72b});
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
    Bench bench({qwen7b});
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
    Bench bench({qwen7b});
    QVERIFY(bench.model->setData(bench.model->cell(0, MemoryColumn::seq_len), QStringLiteral("much")));
    QCOMPARE(bench.panel.rows(), QList<memory::MemoryRow>{qwen7b});
    bench.undo.undo();
    QCOMPARE(bench.text(0, MemoryColumn::seq_len), QStringLiteral("4,096"));
    QCOMPARE(bench.text(0, MemoryColumn::kv_cache), QStringLiteral("0.219"));
}

void TestMemoryPanel::escapeRestores()
{
    Bench bench({qwen7b});
    QVERIFY(bench.activate());
    bench.choose(0, MemoryColumn::seq_len);
    bench.type(QStringLiteral("77"), Qt::Key_Escape);
    QTRY_VERIFY(!bench.table->indexWidget(bench.model->cell(0, MemoryColumn::seq_len)));
    QCOMPARE(bench.text(0, MemoryColumn::seq_len), QStringLiteral("4,096"));
    QCOMPARE(bench.undo.count(), 0);
}

void TestMemoryPanel::tabAndShiftReturnMove()
{
    Bench bench({qwen7b, qwen72b});
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
    Bench bench({qwen7b});
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
    Bench bench({qwen7b});
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
    Bench bench({qwen7b});
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
    Bench bench({qwen7b});
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
    Bench bench({qwen7b});
    QVERIFY(bench.model->setData(bench.model->cell(0, MemoryColumn::model), QStringLiteral("qwen2.5-7")));
    QCOMPARE(bench.text(0, MemoryColumn::model), QStringLiteral("qwen2.5-7"));
    QCOMPARE(bench.problem(0, MemoryColumn::model),
        QStringLiteral(
            "Row 1, model: “qwen2.5-7” fits several models (Qwen2.5-7B, Qwen2.5-72B). Type more of the name or "
            "choose from the list."));
}

void TestMemoryPanel::unknownModelIsMarked()
{
    Bench bench({qwen7b});
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

void TestMemoryPanel::refusedKindHasAReason()
{
    memory::MemoryRow row = qwen7b;
    row.model = QStringLiteral("Llama-4-Scout-17B-16E"); // chunked attention
    Bench bench({row});
    bench.choose(0, MemoryColumn::model);
    QCOMPARE(bench.text(0, MemoryColumn::kv_cache), QStringLiteral("–"));
    const QString reason = bench.toolTip(0, MemoryColumn::kv_cache);
    QVERIFY2(reason.contains(QStringLiteral("chunked")), qPrintable(reason));
    QCOMPARE(bench.problem(0, MemoryColumn::model), QString()); // nothing was typed wrongly
    QCOMPARE(bench.panel.findChild<MessageBar *>()->text(), reason);
}

void TestMemoryPanel::cacheTypeByKeys()
{
    Bench bench({qwen7b});
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
    Bench bench({qwen72b, qwen7b});
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
    Bench bench({qwen72b, qwen7b});
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
    Bench bench(grid);
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
    Bench bench({qwen7b});
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
    Bench bench({qwen7b, qwen72b, qwen7b});
    QVERIFY(bench.model->setData(bench.model->cell(2, MemoryColumn::seq_len), QStringLiteral("5")));
    QCOMPARE(bench.undo.undoText(), QStringLiteral("Change seq_len of row 3"));
    bench.model->addRow(1, qwen7b);
    QCOMPARE(bench.undo.undoText(), QStringLiteral("Add row 2"));
    bench.model->duplicateRows({0});
    QCOMPARE(bench.undo.undoText(), QStringLiteral("Duplicate row 1"));
    bench.model->removeRowsAt({1, 4});
    QVERIFY(bench.undo.undoText().contains(QLatin1Char('2')));
    QVERIFY(bench.undo.undoText().startsWith(QStringLiteral("Remove")));
}

void TestMemoryPanel::copyIsTabSeparated()
{
    Bench bench({qwen7b, qwen72b});
    QVERIFY(bench.activate());
    bench.table->setFocus();
    bench.table->chooseRows({0, 1});
    QTest::keyClick(bench.table, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(),
        QStringLiteral("Qwen2.5-7B\t4,096\t1\tbf16\t0.219\nQwen2.5-72B\t8,192\t8\tbf16\t20.000\n"));
}

void TestMemoryPanel::formulaEqualsTheRow_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("expected");
    QTest::newRow("GQA") << QStringLiteral("Qwen2.5-7B")
                         << QStringLiteral(
                                "2 (K, V) × 28 (layers) × 4 (KV heads) × 128 (head_dim) × 4,096 (seq_len) × 1 "
                                "(batch) × 2 B (bf16) = 234,881,024 B = 0.219 GiB\n57,344 B = 56 KiB per token");
    // 61 × 576 × 2 B = 70,272 B per token
    QTest::newRow("MLA") << QStringLiteral("DeepSeek-V3")
                         << QStringLiteral(
                                "61 (layers) × (512 + 64) (kv_lora_rank + qk_rope_head_dim) × 4,096 (seq_len) × "
                                "1 (batch) × 2 B (bf16) = 287,834,112 B = 0.268 GiB\n"
                                "70,272 B = 68.625 KiB per token");
}

void TestMemoryPanel::formulaEqualsTheRow()
{
    QFETCH(QString, model);
    QFETCH(QString, expected);
    memory::MemoryRow row = qwen7b;
    row.model = model;
    Bench bench({row});
    bench.choose(0, MemoryColumn::model);
    auto *formula = bench.panel.findChild<FormulaView *>();
    QTRY_VERIFY(formula->isVisible());
    QCOMPARE(formula->text(), expected);
    QCOMPARE(formula->accessibleName(), expected);
    QVERIFY(expected.contains(bench.toolTip(0, MemoryColumn::kv_cache)));
}

void TestMemoryPanel::severalTermsAddUp()
{
    memory::MemoryRow row = qwen7b;
    row.model = QStringLiteral("OpenELM-270M"); // 5 layers of 3 heads, 7 of 4, 4 of 5, head_dim 64
    Bench bench({row});
    bench.choose(0, MemoryColumn::model);
    const QStringList lines = bench.panel.findChild<FormulaView *>()->text().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 5);
    // 2 × 64 × 4096 × 2 B = 1,048,576 B for one head of one layer
    QVERIFY2(lines.at(0).endsWith(QStringLiteral("= 15,728,640 B")), qPrintable(lines.at(0)));
    QVERIFY2(lines.at(1).endsWith(QStringLiteral("= 29,360,128 B")), qPrintable(lines.at(1)));
    QVERIFY2(lines.at(2).endsWith(QStringLiteral("= 20,971,520 B")), qPrintable(lines.at(2)));
    QCOMPARE(lines.at(3), QStringLiteral("Sum = 66,060,288 B = 0.062 GiB"));
}

void TestMemoryPanel::copiedFormula()
{
    Bench bench({qwen7b});
    bench.choose(0, MemoryColumn::model);
    auto *copy = bench.panel.findChild<QToolButton *>(QStringLiteral("copyFormula"));
    QTRY_VERIFY(copy->isVisible());
    copy->click();
    const QString text = QGuiApplication::clipboard()->text();
    QVERIFY(text.startsWith(QStringLiteral("Row 1 · Qwen2.5-7B\n2 (K, V) × 28 (layers)")));
    QVERIFY(text.contains(QStringLiteral("= 234,881,024 B = 0.219 GiB")));
}

void TestMemoryPanel::noteAboutTheHandout()
{
    Bench bench(memory::handoutGrid());
    QVERIFY(bench.activate());
    auto *note = bench.panel.findChild<HandoutNote *>();
    QTRY_VERIFY(note->isVisible());
    QCOMPARE(note->text(),
        QStringLiteral("DeepSeek-V3 keeps one latent of 576 values per layer: 70,272 B per token. The handout counts "
                       "61 × 8 × 128 and gets 249,856 B, 3.56 times too much. Both stay in the table."));
    QTest::mouseClick(note->findChild<QPushButton *>(), Qt::LeftButton);
    QList<int> expected;
    for (int row = 24; row < 40; ++row)
        expected.append(row);
    QCOMPARE(bench.table->chosenRows(), expected);
    QCOMPARE(bench.text(24, MemoryColumn::model), QStringLiteral("DeepSeek-V3"));
    QCOMPARE(bench.text(39, MemoryColumn::model), memory::handoutDeepSeekName());

    bench.choose(0, MemoryColumn::model);
    QVERIFY(!note->isVisible());
    bench.choose(39, MemoryColumn::model);
    QVERIFY(note->isVisible());
    bench.choose(1, MemoryColumn::model);
    QVERIFY(bench.model->setData(bench.model->cell(0, MemoryColumn::seq_len), QStringLiteral("1")));
    QVERIFY(!bench.model->isHandoutGrid());
    bench.undo.undo();
    QVERIFY(bench.model->isHandoutGrid());
}

void TestMemoryPanel::smallSizesKeepTwoDigits()
{
    // Qwen2.5-0.5B: 2 × 24 × 2 × 64 × 2 B = 12,288 B for one token, 1.1444e-5 GiB
    Bench bench({{QStringLiteral("Qwen2.5-0.5B"), 1, 1, memory::CacheFormat::bf16},
        {QStringLiteral("Qwen2.5-0.5B"), 2048, 1, memory::CacheFormat::bf16}});
    QCOMPARE(bench.text(0, MemoryColumn::kv_cache), QStringLiteral("0.000011"));
    QCOMPARE(bench.text(1, MemoryColumn::kv_cache), QStringLiteral("0.023"));
    // Ten thousand million sequences of a million million tokens: more than 64 bits, still exact.
    QVERIFY(bench.model->setData(bench.model->cell(0, MemoryColumn::seq_len), QStringLiteral("1000000000000")));
    QVERIFY(bench.model->setData(bench.model->cell(0, MemoryColumn::batch), QStringLiteral("1000000000")));
    QVERIFY(
        bench.toolTip(0, MemoryColumn::kv_cache).startsWith(QStringLiteral("12,288,000,000,000,000,000,000,000 B")));
}

void TestMemoryPanel::captionsFit_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<int>("width");
    for (const QString &language : i18n::availableLanguages()) {
        for (const int width : {420, 570})
            QTest::addRow("%s, %d", qPrintable(language), width) << language << width;
    }
}

void TestMemoryPanel::captionsFit()
{
    QFETCH(QString, language);
    QFETCH(int, width);
    i18n::installLanguage(language);
    applyAppearance(Theme::light, 1.0);
    Bench bench(memory::handoutGrid(), {width, 640});
    QFont bold = bench.table->horizontalHeader()->font();
    bold.setBold(true);
    int total = bench.table->verticalHeader()->width();
    for (int column = 0; column < bench.model->columnCount(); ++column) {
        const QString caption = bench.model->headerData(column, Qt::Horizontal).toString();
        const int section = bench.table->columnWidth(column);
        QVERIFY2(section >= QFontMetrics(bold).horizontalAdvance(caption) + 17, qPrintable(caption));
        total += section;
    }
    // Contents too: every figure of the course's grid stands in its cell.
    for (int row = 0; row < bench.model->rowCount(); ++row) {
        for (int column = 1; column < bench.model->columnCount(); ++column) {
            const QString text = bench.model->index(row, column).data().toString();
            QVERIFY2(bench.table->fontMetrics().horizontalAdvance(text) + 16 <= bench.table->columnWidth(column),
                qPrintable(text));
        }
    }
    QVERIFY2(total <= bench.table->width(), "the table needs a horizontal scroll bar");
    applyAppearance(Theme::light, 1.0);
}

void TestMemoryPanel::nothingIsLostAtDoubleSize()
{
    Bench bench(memory::handoutGrid(), {1100, 900});
    const int before = bench.table->rowHeight(0);
    QCOMPARE(before, ui::rowHeight(bench.table->font()));
    applyAppearance(Theme::dark, 2.0);
    QTRY_VERIFY(bench.table->rowHeight(0) > before + before / 2);
    QCOMPARE(bench.table->rowHeight(0), ui::rowHeight(bench.table->font()));
    QFont bold = bench.table->font();
    bold.setBold(true);
    for (int column = 0; column < bench.model->columnCount(); ++column) {
        const QString caption = bench.model->headerData(column, Qt::Horizontal).toString();
        QVERIFY(bench.table->columnWidth(column) >= QFontMetrics(bold).horizontalAdvance(caption));
    }
    bench.choose(10, MemoryColumn::seq_len);
    auto *formula = bench.panel.findChild<FormulaView *>();
    QTRY_VERIFY(formula->isVisible());
    QTRY_VERIFY(formula->height() >= formula->heightForWidth(formula->width()));
}

void TestMemoryPanel::languageSwitch()
{
    Bench bench({qwen7b});
    bench.choose(0, MemoryColumn::model);
    QSignalSpy headers(bench.model, &QAbstractItemModel::headerDataChanged);
    i18n::installLanguage(QStringLiteral("zh"));
    QEvent change(QEvent::LanguageChange);
    QApplication::sendEvent(&bench.panel, &change);
    QVERIFY(headers.count() > 0);
    for (const MemoryColumnInfo &column : MemoryColumns::all()) {
        QCOMPARE(bench.model->headerData(int(column.column), Qt::Horizontal).toString(), column.header);
        QCOMPARE(bench.model->column(column.column).tool_tip, column.tool_tip);
    }
    // Figures and field terms are the same in every language.
    QCOMPARE(bench.text(0, MemoryColumn::kv_cache), QStringLiteral("0.219"));
    QCOMPARE(bench.toolTip(0, MemoryColumn::kv_cache), QStringLiteral("234,881,024 B = 0.219 GiB"));
    QVERIFY(bench.panel.findChild<FormulaView *>()->text().contains(QStringLiteral("234,881,024 B")));
}

QTEST_MAIN(TestMemoryPanel)
#include "tst_memory_panel.moc"
