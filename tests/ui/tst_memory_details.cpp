// SPDX-License-Identifier: GPL-3.0-or-later
// What stands below and above the rows: the formula with the row's own numbers, the note on the handout, captions that
// fit. Byte counts are worked out by hand from the published shapes.
#include "i18n/language.h"
#include "memory_bench.h"
#include "ui/memory/formula_view.h"
#include "ui/memory/handout_note.h"
#include "ui/widgets/appearance.h"

#include <QClipboard>
#include <QHeaderView>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

using namespace kvlab;
using namespace kvlab::ui;

class TestMemoryDetails : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup();

    void formulaEqualsTheRow_data();
    void formulaEqualsTheRow();
    void severalTermsAddUp();
    void copiedFormula();
    void noteAboutTheHandout();
    void smallSizesKeepTwoDigits();
    void captionsFit_data();
    void captionsFit();
    void nothingIsLostAtDoubleSize();
    void aTallPanelCanBecomeSmall();
    void languageSwitch();
};

void TestMemoryDetails::initTestCase()
{
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

void TestMemoryDetails::cleanup()
{
    if (i18n::currentLanguage() != QLatin1String("en"))
        i18n::installLanguage(QStringLiteral("en"));
    if (currentZoom() != 1.0)
        applyAppearance(Theme::light, 1.0);
}

void TestMemoryDetails::formulaEqualsTheRow_data()
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

void TestMemoryDetails::formulaEqualsTheRow()
{
    QFETCH(QString, model);
    QFETCH(QString, expected);
    memory::MemoryRow row = qwen7b;
    row.model = model;
    MemoryBench bench({row});
    bench.choose(0, MemoryColumn::model);
    auto *formula = bench.panel.findChild<FormulaView *>();
    QTRY_VERIFY(formula->isVisible());
    QCOMPARE(formula->text(), expected);
    QCOMPARE(formula->accessibleName(), expected);
    QVERIFY(expected.contains(bench.toolTip(0, MemoryColumn::kv_cache)));
}

void TestMemoryDetails::severalTermsAddUp()
{
    memory::MemoryRow row = qwen7b;
    row.model = QStringLiteral("OpenELM-270M"); // 5 layers of 3 heads, 7 of 4, 4 of 5, head_dim 64
    MemoryBench bench({row});
    bench.choose(0, MemoryColumn::model);
    const QStringList lines = bench.panel.findChild<FormulaView *>()->text().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 5);
    // 2 × 64 × 4096 × 2 B = 1,048,576 B for one head of one layer
    QVERIFY2(lines.at(0).endsWith(QStringLiteral("= 15,728,640 B")), qPrintable(lines.at(0)));
    QVERIFY2(lines.at(1).endsWith(QStringLiteral("= 29,360,128 B")), qPrintable(lines.at(1)));
    QVERIFY2(lines.at(2).endsWith(QStringLiteral("= 20,971,520 B")), qPrintable(lines.at(2)));
    QCOMPARE(lines.at(3), QStringLiteral("Sum = 66,060,288 B = 0.062 GiB"));
}

void TestMemoryDetails::copiedFormula()
{
    MemoryBench bench({qwen7b});
    bench.choose(0, MemoryColumn::model);
    auto *copy = bench.panel.findChild<QToolButton *>(QStringLiteral("copyFormula"));
    QTRY_VERIFY(copy->isVisible());
    copy->click();
    const QString text = QGuiApplication::clipboard()->text();
    QVERIFY(text.startsWith(QStringLiteral("Row 1 · Qwen2.5-7B\n2 (K, V) × 28 (layers)")));
    QVERIFY(text.contains(QStringLiteral("= 234,881,024 B = 0.219 GiB")));
}

void TestMemoryDetails::noteAboutTheHandout()
{
    MemoryBench bench(memory::handoutGrid());
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

void TestMemoryDetails::smallSizesKeepTwoDigits()
{
    // Qwen2.5-0.5B: 2 × 24 × 2 × 64 × 2 B = 12,288 B for one token, 1.1444e-5 GiB
    MemoryBench bench({{QStringLiteral("Qwen2.5-0.5B"), 1, 1, memory::CacheFormat::bf16},
        {QStringLiteral("Qwen2.5-0.5B"), 2048, 1, memory::CacheFormat::bf16}});
    QCOMPARE(bench.text(0, MemoryColumn::kv_cache), QStringLiteral("0.000011"));
    QCOMPARE(bench.text(1, MemoryColumn::kv_cache), QStringLiteral("0.023"));
    // Ten thousand million sequences of a million million tokens: more than 64 bits, still exact.
    QVERIFY(bench.model->setData(bench.model->cell(0, MemoryColumn::seq_len), QStringLiteral("1000000000000")));
    QVERIFY(bench.model->setData(bench.model->cell(0, MemoryColumn::batch), QStringLiteral("1000000000")));
    QVERIFY(
        bench.toolTip(0, MemoryColumn::kv_cache).startsWith(QStringLiteral("12,288,000,000,000,000,000,000,000 B")));
}

void TestMemoryDetails::captionsFit_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<int>("width");
    for (const QString &language : i18n::availableLanguages()) {
        for (const int width : {420, 570, 800})
            QTest::addRow("%s, %d", qPrintable(language), width) << language << width;
    }
}

void TestMemoryDetails::captionsFit()
{
    QFETCH(QString, language);
    QFETCH(int, width);
    i18n::installLanguage(language);
    applyAppearance(Theme::light, 1.0);
    MemoryBench bench(memory::handoutGrid(), {width, 640});
    bench.model->setMachine(rtx4090());
    QFont bold = bench.table->horizontalHeader()->font();
    bold.setBold(true);
    int total = bench.table->verticalHeader()->width();
    for (int column = 0; column < bench.model->columnCount(); ++column) {
        const QString caption = bench.model->headerData(column, Qt::Horizontal).toString();
        const int section = bench.table->columnWidth(column);
        if (bench.table->isColumnHidden(column))
            continue;
        QVERIFY2(section >= QFontMetrics(bold).horizontalAdvance(caption) + 17, qPrintable(caption));
        total += section;
    }
    // Contents too: every figure of the course's grid stands in its cell.
    for (int row = 0; row < bench.model->rowCount(); ++row) {
        for (int column = 1; column < bench.model->columnCount(); ++column) {
            if (bench.table->isColumnHidden(column))
                continue;
            const QString text = bench.model->index(row, column).data().toString();
            QVERIFY2(bench.table->fontMetrics().horizontalAdvance(text) + 16 <= bench.table->columnWidth(column),
                qPrintable(text));
        }
    }
    QVERIFY2(total <= bench.table->width(), "the table needs a horizontal scroll bar");
    // The columns about the GPU give way, the last one first, and are there where there is room.
    QVERIFY(width == 420 || !bench.table->isColumnHidden(int(MemoryColumn::share)));
    QVERIFY(width != 420 || bench.table->isColumnHidden(int(MemoryColumn::fits)));
    QVERIFY(width != 800 || !bench.table->isColumnHidden(int(MemoryColumn::fits)));
    applyAppearance(Theme::light, 1.0);
}

void TestMemoryDetails::nothingIsLostAtDoubleSize()
{
    MemoryBench bench(memory::handoutGrid(), {1100, 900});
    const int before = bench.table->rowHeight(0);
    QCOMPARE(before, ui::rowHeight(bench.table->font()));
    applyAppearance(Theme::dark, 2.0);
    QTRY_VERIFY(bench.table->rowHeight(0) > before + before / 2);
    QCOMPARE(bench.table->rowHeight(0), ui::rowHeight(bench.table->font()));
    QFont bold = bench.table->font();
    bold.setBold(true);
    for (int column = 0; column < bench.model->columnCount(); ++column) {
        if (bench.table->isColumnHidden(column))
            continue;
        const QString caption = bench.model->headerData(column, Qt::Horizontal).toString();
        QVERIFY(bench.table->columnWidth(column) >= QFontMetrics(bold).horizontalAdvance(caption));
    }
    bench.choose(10, MemoryColumn::seq_len);
    auto *formula = bench.panel.findChild<FormulaView *>();
    QTRY_VERIFY(formula->isVisible());
    QTRY_VERIFY(formula->height() >= formula->heightForWidth(formula->width()));
}

/// What a row says in a large window must not keep the window large.
void TestMemoryDetails::aTallPanelCanBecomeSmall()
{
    MemoryBench bench(memory::handoutGrid(), {420, 1400});
    bench.model->setMachine(rtx4090());
    const int least = bench.panel.minimumSizeHint().height();
    bench.table->chooseRows({26, 34}); // formula, budget, comparison, source and the handout's note
    QTRY_VERIFY(bench.panel.minimumSizeHint().height() <= least + 120);
    bench.panel.resize(420, 500);
    QTRY_COMPARE(bench.panel.height(), 500);
}

void TestMemoryDetails::languageSwitch()
{
    MemoryBench bench({qwen7b});
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

QTEST_MAIN(TestMemoryDetails)
#include "tst_memory_details.moc"
