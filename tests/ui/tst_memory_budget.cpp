// SPDX-License-Identifier: GPL-3.0-or-later
// The memory table beside a GPU, sorted, filtered, compared, in GB, and with imported models.
// Figures: Qwen2.5-7B has 7,615,616,512 parameters; 24 GiB × 0.9 − 15,231,233,024 B − 2 GiB = 5,814,106,726 B
// (reference "planner" rows), and a token takes 57,344 B.
#include "memory_bench.h"

#include "i18n/language.h"
#include "ui/memory/size_chart.h"
#include "ui/memory/terms_bar.h"
#include "ui/widgets/appearance.h"

#include <QChart>
#include <QChartView>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLineSeries>
#include <QScrollBar>
#include <QSettings>

using namespace kvlab;
using namespace kvlab::ui;

class TestMemoryBudget : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup() { i18n::installLanguage(QStringLiteral("en")); }

    void sharesAndFits_data();
    void sharesAndFits();
    void nothingSticksOut_data();
    void nothingSticksOut();
    void limitsAreExplained();
    void weightsThatAreUnknownAreSaid();
    void gpuIsChosenAndRemembered();
    void sortIsOneStep();
    void sortByEachColumnKeepsEveryRow();
    void filterHidesRows();
    void hiddenRowsAreNotTouched();
    void gigabytes();
    void twoRowsAreCompared();
    void partsOfASum();
    void curvesAreExact();
    void importedModels();
};

void TestMemoryBudget::initTestCase()
{
    QCoreApplication::setOrganizationName(QStringLiteral("kvlab-tests"));
    QCoreApplication::setApplicationName(QStringLiteral("tst_memory_budget"));
    QSettings().clear();
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

void TestMemoryBudget::sharesAndFits_data()
{
    QTest::addColumn<qint64>("seq_len");
    QTest::addColumn<qint64>("batch");
    QTest::addColumn<QString>("share");
    QTest::addColumn<QString>("fits");
    // 4,096 × 57,344 = 234,881,024 B: 4.0 %; × 8 sequences of 8,192: 3,758,096,384 B: 64.6 %
    QTest::newRow("little") << qint64(4096) << qint64(1) << QStringLiteral("4.0 %") << QStringLiteral("yes");
    QTest::newRow("much") << qint64(8192) << qint64(8) << QStringLiteral("64.6 %") << QStringLiteral("yes");
    // The longest sequence in whole blocks of 16 is 101,376 tokens; one token more needs a block that is not there.
    QTest::newRow("to the brim") << qint64(101'376) << qint64(1) << QStringLiteral("100.0 %") << QStringLiteral("yes");
    QTest::newRow("one block over") << qint64(101'377) << qint64(1) << QStringLiteral("over") << QStringLiteral("no");
}

void TestMemoryBudget::sharesAndFits()
{
    QFETCH(qint64, seq_len);
    QFETCH(qint64, batch);
    MemoryBench bench({{QStringLiteral("Qwen2.5-7B"), seq_len, batch, memory::CacheFormat::bf16}}, {800, 640});
    QCOMPARE(bench.text(0, MemoryColumn::share), QStringLiteral("–")); // no GPU, no share
    bench.model->setMachine(rtx4090());
    QTEST(bench.text(0, MemoryColumn::share), "share");
    QTEST(bench.text(0, MemoryColumn::fits), "fits");
}

void TestMemoryBudget::nothingSticksOut_data()
{
    QTest::addColumn<int>("width");
    for (const int width : {420, 470, 520, 558, 560, 600, 700})
        QTest::addRow("%d", width) << width;
}

/// Whatever the width, the columns fill the table and do not pass its edge, also after it has been made narrower.
void TestMemoryBudget::nothingSticksOut()
{
    QFETCH(int, width);
    MemoryBench bench(memory::handoutGrid(), {1000, 640});
    bench.panel.restoreState(QSettings());
    bench.panel.resize(width, 620);
    QTRY_COMPARE(bench.table->horizontalHeader()->length(), bench.table->viewport()->width());
    QTRY_VERIFY(!bench.table->horizontalScrollBar()->isVisible());
}

void TestMemoryBudget::limitsAreExplained()
{
    MemoryBench bench({{QStringLiteral("Qwen2.5-7B"), 8192, 8, memory::CacheFormat::bf16}});
    bench.model->setMachine(rtx4090());
    bench.choose(0, MemoryColumn::seq_len);
    const QString text = bench.panel.findChild<QLabel *>(QStringLiteral("rowBudget"))->text();
    QVERIFY2(text.contains(QStringLiteral("Largest batch of this length: 12. Longest seq_len of this batch: 12,672.")),
        qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("64.6 % of the 5.415 GiB")), qPrintable(text));
    QCOMPARE(bench.toolTip(0, MemoryColumn::share), text);
}

void TestMemoryBudget::weightsThatAreUnknownAreSaid()
{
    // A model whose parameters the list does not know, and one whose weights alone are too large.
    QString unknown;
    for (const memory::ModelSpec &model : memory::builtInModels()) {
        if (!model.params)
            unknown = model.name;
    }
    MemoryBench bench({{unknown, 4096, 1, memory::CacheFormat::bf16}, qwen72b});
    bench.model->setMachine(rtx4090());
    QCOMPARE(bench.text(0, MemoryColumn::share), QStringLiteral("?"));
    QCOMPARE(bench.text(0, MemoryColumn::fits), QStringLiteral("?"));
    QVERIFY(bench.toolTip(0, MemoryColumn::fits).contains(QStringLiteral("not known exactly")));
    QCOMPARE(bench.text(1, MemoryColumn::share), QStringLiteral("weights"));
    QCOMPARE(bench.text(1, MemoryColumn::fits), QStringLiteral("no"));
    QVERIFY(bench.toolTip(1, MemoryColumn::share).contains(QStringLiteral("leave no room on RTX 4090")));
}

void TestMemoryBudget::gpuIsChosenAndRemembered()
{
    QSettings settings;
    settings.clear();
    {
        MemoryBench bench({qwen7b}, {800, 640});
        bench.panel.restoreState(settings);
        auto *box = bench.panel.findChild<QComboBox *>(QStringLiteral("gpuBox"));
        QCOMPARE(box->currentText(), QStringLiteral("GeForce RTX 4090, 24 GB"));
        bench.choose(0, MemoryColumn::model);
        QCOMPARE(bench.panel.findChild<QLabel *>(QStringLiteral("roomForCache"))->toolTip().isEmpty()
                ? bench.panel.findChild<QLabel *>(QStringLiteral("roomForCache"))->text()
                : bench.panel.findChild<QLabel *>(QStringLiteral("roomForCache"))->toolTip(),
            QStringLiteral("5.415 GiB for KV beside Qwen2.5-7B"));
        box->setCurrentIndex(0);
        Q_EMIT box->activated(0);
        QVERIFY(!bench.model->machine());
        QVERIFY(bench.table->isColumnHidden(int(MemoryColumn::share)));
        bench.panel.saveState(settings);
    }
    MemoryBench again({qwen7b});
    again.panel.restoreState(settings);
    QVERIFY(!again.model->machine());
}

void TestMemoryBudget::sortIsOneStep()
{
    MemoryBench bench(memory::handoutGrid(), {800, 640});
    const QList<memory::MemoryRow> before = bench.panel.rows();
    bench.choose(4, MemoryColumn::model);
    const QPersistentModelIndex watched = bench.model->cell(4, MemoryColumn::model);
    const memory::MemoryRow watchedRow = before.at(4);
    auto *header = bench.table->horizontalHeader();
    const QPoint spot(header->sectionViewportPosition(int(MemoryColumn::kv_cache)) + 5, header->height() / 2);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, spot);
    QCOMPARE(bench.undo.count(), 1);
    QCOMPARE(bench.undo.undoText(), QStringLiteral("Sort by KV (GiB)"));
    for (int row = 1; row < bench.model->rowCount(); ++row)
        QVERIFY(bench.model->cell(row - 1, MemoryColumn::kv_cache).data(MemoryTableModel::raw_role).toDouble()
            <= bench.model->cell(row, MemoryColumn::kv_cache).data(MemoryTableModel::raw_role).toDouble());
    QVERIFY(bench.panel.rows() != before);
    QCOMPARE(bench.panel.rows().at(watched.row()), watchedRow); // selection and editors follow their row
    bench.undo.undo();
    QCOMPARE(bench.panel.rows(), before);
    bench.undo.redo();
    bench.undo.undo();
    QCOMPARE(bench.panel.rows(), before);
}

void TestMemoryBudget::sortByEachColumnKeepsEveryRow()
{
    QList<memory::MemoryRow> rows = memory::handoutGrid().mid(0, 12);
    rows << memory::MemoryRow{QStringLiteral("No such model"), 4096, 1, memory::CacheFormat::q8_0};
    const auto sorted = [](QList<memory::MemoryRow> list) {
        std::sort(list.begin(), list.end(), [](const auto &a, const auto &b) {
            return std::tie(a.model, a.seq_len, a.batch) < std::tie(b.model, b.seq_len, b.batch);
        });
        return list;
    };
    for (int column = 0; column < MemoryColumns::count; ++column) {
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            MemoryBench bench(rows, {800, 640});
            bench.model->setMachine(rtx4090());
            bench.model->sort(column, order);
            QCOMPARE(sorted(bench.panel.rows()), sorted(rows));
            if (column >= int(MemoryColumn::kv_cache)) // no number comes last in both orders
                QCOMPARE(bench.panel.rows().last().model, QStringLiteral("No such model"));
        }
    }
}

void TestMemoryBudget::filterHidesRows()
{
    MemoryBench bench(memory::handoutGrid());
    auto *filter = bench.panel.findChild<QLineEdit *>(QStringLiteral("rowFilter"));
    QTest::keyClicks(filter, QStringLiteral("72b 32,768"));
    QCOMPARE(bench.table->shownRows(), 2); // batch 1 and 8
    for (int row = 0; row < bench.model->rowCount(); ++row)
        QCOMPARE(bench.table->isRowHidden(row),
            bench.text(row, MemoryColumn::model) != QStringLiteral("Qwen2.5-72B")
                || bench.text(row, MemoryColumn::seq_len) != QStringLiteral("32,768"));
    filter->clear();
    QCOMPARE(bench.table->shownRows(), 40);
}

void TestMemoryBudget::hiddenRowsAreNotTouched()
{
    MemoryBench bench(memory::handoutGrid());
    bench.panel.findChild<QLineEdit *>(QStringLiteral("rowFilter"))->setText(QStringLiteral("72B"));
    bench.table->selectAll();
    QCOMPARE(bench.table->chosenRows().size(), 8);
    bench.action(2)->trigger(); // remove
    QCOMPARE(bench.model->rowCount(), 32);
    for (const memory::MemoryRow &row : bench.panel.rows())
        QVERIFY(row.model != QStringLiteral("Qwen2.5-72B"));
}

void TestMemoryBudget::gigabytes()
{
    MemoryBench bench({qwen7b});
    auto *unit = bench.panel.findChild<QComboBox *>(QStringLiteral("unitBox"));
    unit->setCurrentIndex(1);
    Q_EMIT unit->activated(1);
    QCOMPARE(bench.text(0, MemoryColumn::kv_cache), QStringLiteral("0.235")); // 234,881,024 B
    QCOMPARE(
        bench.model->headerData(int(MemoryColumn::kv_cache), Qt::Horizontal).toString(), QStringLiteral("KV (GB)"));
    QCOMPARE(bench.toolTip(0, MemoryColumn::kv_cache), QStringLiteral("234,881,024 B = 0.235 GB"));
}

void TestMemoryBudget::twoRowsAreCompared()
{
    MemoryBench bench({qwen7b, {QStringLiteral("Qwen2.5-7B"), 8192, 4, memory::CacheFormat::bf16}});
    auto *label = bench.panel.findChild<QLabel *>(QStringLiteral("rowComparison"));
    bench.choose(0, MemoryColumn::model);
    QVERIFY(!label->isVisibleTo(&bench.panel));
    bench.table->chooseRows({0, 1});
    QVERIFY(label->isVisibleTo(&bench.panel));
    QCOMPARE(label->text(),
        QStringLiteral("Row 2 needs 8 times what row 1 needs. They differ: seq_len 8,192 against 4,096; batch 4 "
                       "against 1."));
}

void TestMemoryBudget::partsOfASum()
{
    // gpt-oss-20b at 4,096: 12 full layers hold 4,096 tokens, 12 sliding ones 128: 97.0 % and 3.0 %.
    MemoryBench bench({{QStringLiteral("gpt-oss-20b"), 4096, 1, memory::CacheFormat::bf16}, qwen7b});
    auto *bar = bench.panel.findChild<TermsBar *>();
    bench.choose(0, MemoryColumn::model);
    QVERIFY(bar->isVisibleTo(&bench.panel));
    QVERIFY2(bar->accessibleName().contains(QStringLiteral("full attention, 12 layers: 97.0 %")),
        qPrintable(bar->accessibleName()));
    QVERIFY2(bar->accessibleName().contains(QStringLiteral("sliding window, 12 layers: 3.0 %")),
        qPrintable(bar->accessibleName()));
    bench.choose(1, MemoryColumn::model);
    QVERIFY(!bar->isVisibleTo(&bench.panel)); // one term is no sum
}

void TestMemoryBudget::curvesAreExact()
{
    MemoryBench bench({qwen7b, qwen72b});
    bench.table->chooseRows({0, 1});
    bench.action(4)->trigger();
    auto *chart = bench.panel.findChild<SizeChart *>();
    QVERIFY(chart != nullptr);
    const auto series = chart->findChild<QChartView *>()->chart()->series();
    const auto *first = qobject_cast<QLineSeries *>(series.first());
    QVERIFY(first != nullptr);
    QVERIFY(first->count() > 10);
    for (const QPointF &point : first->points())
        QCOMPARE(point.y(), point.x() * 57'344 / double(1 << 30));
    QCOMPARE(chart->findChild<QChartView *>()->accessibleDescription(),
        QStringLiteral("Row 1: Qwen2.5-7B, batch 1, bf16; Row 2: Qwen2.5-72B, batch 8, bf16"));
    i18n::installLanguage(QStringLiteral("zh"));
    QTRY_VERIFY(chart->windowTitle().contains(QStringLiteral("随")));
}

void TestMemoryBudget::importedModels()
{
    memory::ModelSpec mine = *memory::findModel(QStringLiteral("Qwen2.5-7B"));
    mine.name = QStringLiteral("Mine");
    mine.weight_bytes = 4'000'000'000;
    mine.field_sources.insert(QStringLiteral("kv_heads"), QStringLiteral("num_key_value_heads"));
    memory::ModelLibrary library;
    library.add(mine);
    MemoryBench bench({qwen7b});
    bench.panel.setLibrary(library);
    bench.model->setMachine(rtx4090());
    bench.panel.addRow({QStringLiteral("Mine"), 4096, 1, memory::CacheFormat::bf16});
    QCOMPARE(bench.text(1, MemoryColumn::kv_cache), QStringLiteral("0.219"));
    // Its files' own weights: 24 GiB × 0.9 − 4,000,000,000 − 2 GiB = 17,045,339,750 B; 234,881,024 of them is 1.4 %.
    QCOMPARE(bench.text(1, MemoryColumn::share), QStringLiteral("1.4 %"));
    // Forgetting it must not leave a row pointing to nowhere.
    bench.panel.setLibrary({});
    QVERIFY(!bench.problem(1, MemoryColumn::model).isEmpty());
}

QTEST_MAIN(TestMemoryBudget)
#include "tst_memory_budget.moc"
