// SPDX-License-Identifier: GPL-3.0-or-later
// Editing like a spreadsheet: cells from and to other programs, filling, moving; each one undo step.
#include "memory_bench.h"

#include "i18n/language.h"
#include "ui/widgets/appearance.h"

#include <QClipboard>
#include <QMimeData>
#include <QSignalSpy>

using namespace kvlab;
using namespace kvlab::ui;
using memory::CacheFormat;
using memory::MemoryRow;

namespace {

constexpr int pastePlace = 6; ///< of the actions
constexpr int fillPlace = 7;
constexpr int upPlace = 8;
constexpr int downPlace = 9;
constexpr int copyPlace = 3;

void toClipboard(const QString &text)
{
    QGuiApplication::clipboard()->setText(text);
}

MemoryRow row(const char *model, qint64 seq_len, qint64 batch, CacheFormat format = CacheFormat::bf16)
{
    return {QString::fromLatin1(model), seq_len, batch, format};
}

} // namespace

class TestMemoryPaste : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        i18n::installLanguage(QStringLiteral("en"));
        applyAppearance(Theme::light, 1.0);
    }

    void blockFromASpreadsheet()
    {
        MemoryBench bench({qwen7b, qwen72b});
        bench.choose(1, MemoryColumn::model);
        toClipboard(QStringLiteral("Llama-3.1-8B\t4k\t2\tq8_0\r\nQwen2.5-0.5B\t1,000\t１６\tf16\r\n"));
        bench.action(pastePlace)->trigger();
        const QList<MemoryRow> expected{
            qwen7b, row("Llama-3.1-8B", 4096, 2, CacheFormat::q8_0), row("Qwen2.5-0.5B", 1000, 16, CacheFormat::f16)};
        QCOMPARE(bench.panel.rows(), expected);
        QCOMPARE(bench.undo.count(), 1);
        bench.undo.undo();
        QCOMPARE(bench.panel.rows(), (QList<MemoryRow>{qwen7b, qwen72b}));
        bench.undo.redo();
        QCOMPARE(bench.panel.rows(), expected);
    }

    void columnFromTheMiddle()
    {
        MemoryBench bench({qwen7b, qwen72b});
        bench.choose(0, MemoryColumn::seq_len);
        toClipboard(QStringLiteral("1k\t3\n2k\t4\n"));
        bench.action(pastePlace)->trigger();
        QCOMPARE(bench.panel.rows(), (QList<MemoryRow>{row("Qwen2.5-7B", 1024, 3), row("Qwen2.5-72B", 2048, 4)}));
    }

    void captionsSayWhichColumns()
    {
        MemoryBench bench({qwen7b});
        bench.choose(0, MemoryColumn::batch);
        // As an exported table looks in a spreadsheet: computed columns are passed over.
        toClipboard(QStringLiteral("kv_bytes\tkv_dtype\tmodel\tbatch\tseq_len\n999\tfp8\tQwen2.5-0.5B\t7\t512\n"));
        bench.action(pastePlace)->trigger();
        QCOMPARE(bench.panel.rows(), (QList<MemoryRow>{row("Qwen2.5-0.5B", 512, 7, CacheFormat::fp8)}));
    }

    void oneCellFillsTheChosenRows()
    {
        MemoryBench bench(memory::handoutGrid());
        bench.table->chooseRows({2, 3, 5});
        bench.table->selectionModel()->setCurrentIndex(
            bench.model->cell(2, MemoryColumn::batch), QItemSelectionModel::NoUpdate);
        toClipboard(QStringLiteral("64\n"));
        bench.action(pastePlace)->trigger();
        for (int i = 0; i < bench.model->rowCount(); ++i)
            QCOMPARE(
                bench.panel.rows().at(i).batch, i == 2 || i == 3 || i == 5 ? 64 : memory::handoutGrid().at(i).batch);
    }

    void whatCannotBeReadStaysInItsCell()
    {
        MemoryBench bench({qwen7b});
        bench.choose(0, MemoryColumn::seq_len);
        toClipboard(QStringLiteral("many\t5"));
        bench.action(pastePlace)->trigger();
        QCOMPARE(bench.text(0, MemoryColumn::seq_len), QStringLiteral("many"));
        QVERIFY(!bench.problem(0, MemoryColumn::seq_len).isEmpty());
        QCOMPARE(bench.panel.rows().first(), row("Qwen2.5-7B", 4096, 5)); // the last good length stays
    }

    void whatTheTableCopiesItTakesBack()
    {
        MemoryBench bench({qwen7b, qwen72b}, {800, 640});
        bench.model->setMachine(rtx4090());
        bench.table->chooseRows({0, 1});
        bench.action(copyPlace)->trigger();
        QVERIFY(QGuiApplication::clipboard()->mimeData()->hasHtml());
        bench.choose(1, MemoryColumn::batch); // whole rows go into the first column
        bench.action(pastePlace)->trigger();
        QCOMPARE(bench.panel.rows(), (QList<MemoryRow>{qwen7b, qwen7b, qwen72b}));
    }

    void tableWithoutPlainText()
    {
        MemoryBench bench({qwen7b});
        bench.choose(0, MemoryColumn::model);
        auto *data = new QMimeData;
        data->setHtml(QStringLiteral("<html><body><table><tr><td>Qwen2.5-0.5B</td><td>8k</td></tr>"
                                     "<tr><td>Qwen2.5-72B</td><td>16k</td></tr></table></body></html>"));
        QGuiApplication::clipboard()->setMimeData(data);
        bench.action(pastePlace)->trigger();
        QCOMPARE(bench.panel.rows(), (QList<MemoryRow>{row("Qwen2.5-0.5B", 8192, 1), row("Qwen2.5-72B", 16'384, 1)}));
    }

    void clipboardsThatAreRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << QString();
        QTest::newRow("binary") << QString(QStringLiteral("PK") + QChar(u'\0') + QStringLiteral("x"));
        QTest::newRow("10 MB") << QString(10'000'000, u'7');
        QTest::newRow("too many rows") << QStringLiteral("7\n").repeated(MemoryTableModel::maxPastedRows + 1);
        QTest::newRow("captions only") << QStringLiteral("model\tseq_len\n");
    }

    void clipboardsThatAreRefused()
    {
        QFETCH(QString, text);
        MemoryBench bench({qwen7b});
        bench.choose(0, MemoryColumn::model);
        QSignalSpy refused(&bench.panel, &MemoryPanel::pasteRefused);
        toClipboard(text);
        bench.action(pastePlace)->trigger();
        QCOMPARE(refused.size(), 1);
        QVERIFY(refused.first().first().toString().endsWith(u'.'));
        QCOMPARE(bench.panel.rows(), QList<MemoryRow>{qwen7b});
        QCOMPARE(bench.undo.count(), 0);
    }

    void manyRowsAtOnce()
    {
        MemoryBench bench({qwen7b});
        bench.choose(0, MemoryColumn::model);
        toClipboard(QStringLiteral("Qwen2.5-7B\t2048\t2\tbf16\n").repeated(MemoryTableModel::maxPastedRows));
        bench.action(pastePlace)->trigger();
        QCOMPARE(bench.model->rowCount(), MemoryTableModel::maxPastedRows);
        bench.undo.undo();
        QCOMPARE(bench.panel.rows(), QList<MemoryRow>{qwen7b});
    }

    void fillDown()
    {
        MemoryBench bench(memory::handoutGrid().mid(0, 4));
        bench.table->chooseRows({0, 1, 3});
        bench.table->selectionModel()->setCurrentIndex(
            bench.model->cell(0, MemoryColumn::seq_len), QItemSelectionModel::NoUpdate);
        bench.action(fillPlace)->trigger();
        const QList<MemoryRow> rows = bench.panel.rows();
        QCOMPARE(rows.at(1).seq_len, 2048);
        QCOMPARE(rows.at(2).seq_len, memory::handoutGrid().at(2).seq_len);
        QCOMPARE(rows.at(3).seq_len, 2048);
        bench.undo.undo();
        QCOMPARE(bench.panel.rows(), memory::handoutGrid().mid(0, 4));
    }

    void moveRows()
    {
        const QList<MemoryRow> grid = memory::handoutGrid().mid(0, 5);
        MemoryBench bench(grid);
        bench.table->chooseRows({1, 2});
        bench.action(downPlace)->trigger();
        QCOMPARE(bench.panel.rows(), (QList<MemoryRow>{grid[0], grid[3], grid[1], grid[2], grid[4]}));
        QCOMPARE(bench.table->chosenRows(), (QList<int>{2, 3})); // the selection goes along
        bench.action(upPlace)->trigger();
        bench.action(upPlace)->trigger();
        QCOMPARE(bench.panel.rows(), (QList<MemoryRow>{grid[1], grid[2], grid[0], grid[3], grid[4]}));
        bench.action(upPlace)->trigger(); // at the top already
        QCOMPARE(bench.undo.count(), 3);
        while (bench.undo.canUndo())
            bench.undo.undo();
        QCOMPARE(bench.panel.rows(), grid);
    }
};

QTEST_MAIN(TestMemoryPaste)
#include "tst_memory_paste.moc"
