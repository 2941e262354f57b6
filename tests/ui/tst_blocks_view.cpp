// SPDX-License-Identifier: GPL-3.0-or-later
// The Blocks page by keyboard and mouse: stepping to and fro, cursor and read-out, pool settings, the table behind the
// picture, a run's own prompt, both languages. Figures are those of the seven steps, worked out by hand in
// tst_trace_player.
#include "i18n/language.h"
#include "ui/tiers/block_cells.h"
#include "ui/tiers/block_model.h"
#include "ui/tiers/block_texts.h"
#include "ui/tiers/blocks_view.h"
#include "ui/tiers/queue_bar.h"
#include "ui/tiers/step_list.h"
#include "ui/widgets/appearance.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

using namespace kvlab;
using namespace kvlab::ui;

namespace {

/// Texts of all labels that are shown.
QString shownText(const QWidget &widget)
{
    QStringList texts;
    const auto labels = widget.findChildren<QLabel *>();
    for (const QLabel *label : labels) {
        if (label->isVisible())
            texts << label->text();
    }
    return texts.join(u'\n');
}

int countOf(const BlockCells &cells, BlockLook look)
{
    const auto &all = cells.cells();
    return int(std::count_if(all.begin(), all.end(), [look](const BlockCell &cell) { return cell.look == look; }));
}

experiment::MeasuredSample sampleThatTold(
    experiment::Arm arm, std::optional<qint64> prompt, std::optional<qint64> cached)
{
    experiment::MeasuredSample sample;
    sample.arm = arm;
    sample.probe.evidence.prompt_tokens = prompt;
    sample.probe.evidence.cached_tokens = cached;
    return sample;
}

} // namespace

class TestBlocksView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup();

    void modelsHold();
    void stepsByKeyboard();
    void stepsByButtons();
    void fifthStepIsThePicture();
    void cursorAndPointerTellTheBlock();
    void poolAndOrderCanBeChanged();
    void tooSmallPoolIsSaid();
    void tableBehindThePicture();
    void tiersHaveTheirOwnLook();
    void promptOfARun();
    void numbersGoAwayWhenSmall();
    void languageSwitchKeepsThePlace();
};

void TestBlocksView::initTestCase()
{
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

void TestBlocksView::cleanup()
{
    if (i18n::currentLanguage() != QLatin1String("en"))
        i18n::installLanguage(QStringLiteral("en"));
}

/// A page large enough for the picture, shown and active.
struct Page
{
    Page()
    {
        view.resize(1280, 660);
        view.show();
    }
    QSpinBox *spin(const char *name) { return view.findChild<QSpinBox *>(QString::fromLatin1(name)); }
    QPushButton *button(const char *name) { return view.findChild<QPushButton *>(QString::fromLatin1(name)); }
    BlocksView view;
};

void TestBlocksView::modelsHold()
{
    Page page;
    QAbstractItemModelTester blocks(page.view.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    QAbstractItemModelTester steps(
        page.view.panel()->list()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    page.view.panel()->list()->setStep(4);
    page.spin("poolBlocksBox")->setValue(300);
    page.view.showScenario(1);
    page.view.showScenario(7);
    QVERIFY(page.view.model()->rowCount() > 0);
}

void TestBlocksView::stepsByKeyboard()
{
    Page page;
    QVERIFY(QTest::qWaitForWindowActive(&page.view));
    StepList *list = page.view.panel()->list();
    list->setFocus();
    QCOMPARE(page.view.step(), 0);
    QTest::keyClick(list, Qt::Key_Right);
    QTest::keyClick(list, Qt::Key_Right);
    QCOMPARE(page.view.step(), 2);
    QTest::keyClick(list, Qt::Key_Left);
    QCOMPARE(page.view.step(), 1);
    QTest::keyClick(list, Qt::Key_End);
    QCOMPARE(page.view.step(), 6);
    QTest::keyClick(list, Qt::Key_Right);
    QCOMPARE(page.view.step(), 6);
    QTest::keyClick(list, Qt::Key_Home);
    QCOMPARE(page.view.step(), 0);
    QTest::keyClick(list, Qt::Key_Down);
    QCOMPARE(page.view.step(), 1);
    // In the cells the arrows move the cursor; Page Down steps on from there.
    page.view.grid()->setFocus();
    page.view.grid()->setCursorCell(10);
    QTest::keyClick(page.view.grid(), Qt::Key_Right);
    QCOMPARE(page.view.grid()->cursor(), 11);
    QCOMPARE(page.view.step(), 1);
    QTest::keyClick(page.view.grid(), Qt::Key_PageDown);
    QCOMPARE(page.view.step(), 2);
    QTest::keyClick(page.view.grid(), Qt::Key_PageUp);
    QCOMPARE(page.view.step(), 1);
}

void TestBlocksView::stepsByButtons()
{
    Page page;
    QVERIFY(!page.button("previousStep")->isEnabled());
    QVERIFY(!page.button("firstStep")->isEnabled());
    QTest::mouseClick(page.button("nextStep"), Qt::LeftButton);
    QCOMPARE(page.view.step(), 1);
    QTest::mouseClick(page.button("lastStep"), Qt::LeftButton);
    QCOMPARE(page.view.step(), 6);
    QVERIFY(!page.button("nextStep")->isEnabled());
    QTest::mouseClick(page.button("previousStep"), Qt::LeftButton);
    QCOMPARE(page.view.step(), 5);
    QTest::mouseClick(page.button("firstStep"), Qt::LeftButton);
    QCOMPARE(page.view.step(), 0);
    QVERIFY(shownText(page.view).contains(QStringLiteral("step 1 of 7")));
}

void TestBlocksView::fifthStepIsThePicture()
{
    Page page;
    page.view.panel()->list()->setStep(4);
    QCOMPARE(countOf(*page.view.strip(), BlockLook::found), 93);
    QCOMPARE(countOf(*page.view.strip(), BlockLook::computed), 1);
    QCOMPARE(countOf(*page.view.grid(), BlockLook::found), 93);
    QCOMPARE(countOf(*page.view.grid(), BlockLook::computed), 2);
    QCOMPARE(countOf(*page.view.grid(), BlockLook::cached), 135);
    QCOMPARE(countOf(*page.view.grid(), BlockLook::empty), 25);
    QCOMPARE(countOf(*page.view.grid(), BlockLook::null_block), 1);
    const auto &cells = page.view.grid()->cells();
    QCOMPARE(cells.at(42).number, QStringLiteral("2"));
    QVERIFY(cells.at(42).bold);
    QCOMPARE(cells.at(1).number, QStringLiteral("63"));
    QVERIFY(!cells.at(1).bold);
    QVERIFY(cells.at(234).next);
    const QString text = shownText(page.view);
    for (const QString &part :
        {QStringLiteral("1,504 tokens = 94 blocks of 16"), QStringLiteral("1,488 found, 16 computed"),
            QStringLiteral("in use 95 · free 160, of them 135 still cached · usage 37.3 %"),
            QStringLiteral("next block taken: 234"), QStringLiteral("Predicted by vLLM's rules")})
        QVERIFY2(text.contains(part), qPrintable(part));
    const QString queue = page.view.findChild<QueueBar *>()->accessibleDescription();
    QVERIFY2(queue.contains(QStringLiteral("Lost first: 41 of “Warm-up”")), qPrintable(queue));
    QVERIFY(page.view.strip()->accessibleName().contains(QStringLiteral("1,488 found")));
    // What the last step throws out is marked beforehand.
    QVERIFY(page.view.strip()->cells().at(93).lost);
    QVERIFY(!page.view.strip()->cells().at(0).lost);
}

void TestBlocksView::cursorAndPointerTellTheBlock()
{
    Page page;
    QVERIFY(QTest::qWaitForWindowActive(&page.view));
    page.view.panel()->list()->setStep(4);
    BlockCells *grid = page.view.grid();
    // The offscreen platform has no pointer to move.
    const QPointF at = grid->cellRect(42).center();
    QMouseEvent move(QEvent::MouseMove, at, grid->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(grid, &move);
    QVERIFY2(
        page.view.readOut().startsWith(QStringLiteral("Block 42: found in the pool")), qPrintable(page.view.readOut()));
    QVERIFY(page.view.readOut().contains(QStringLiteral("The key/value cache keeps")));
    QVERIFY(page.view.readOut().contains(QStringLiteral("parent none")));
    QVERIFY(page.view.readOut().contains(QStringLiteral("2 requests")));
    QTest::mouseClick(grid, Qt::LeftButton, {}, grid->cellRect(1).center().toPoint());
    QCOMPARE(grid->cursor(), 1);
    QVERIFY(page.view.readOut().contains(QStringLiteral("place 63 in the free queue")));
    QTest::keyClick(grid, Qt::Key_Left);
    QVERIFY(page.view.readOut().contains(QStringLiteral("null block")));
    QTest::keyClick(grid, Qt::Key_End);
    QCOMPARE(grid->cursor(), 255);
    QCOMPARE(grid->accessibleDescription(), page.view.readOut());
    page.view.strip()->setFocus(Qt::TabFocusReason);
    QTest::keyClick(page.view.strip(), Qt::Key_End);
    QVERIFY2(page.view.readOut().contains(QStringLiteral("lost in step 7")), qPrintable(page.view.readOut()));
}

void TestBlocksView::poolAndOrderCanBeChanged()
{
    Page page;
    page.view.panel()->list()->setStep(1);
    page.spin("poolBlocksBox")->setValue(300);
    QCOMPARE(page.view.step(), 1);
    QCOMPARE(int(page.view.grid()->cells().size()), 300);
    // 1,504 tokens in blocks of 32 are 47.
    page.spin("blockSizeBox")->setValue(32);
    QCOMPARE(int(page.view.strip()->cells().size()), 47);
    page.spin("blockSizeBox")->setValue(16);
    page.view.panel()->list()->setStep(0);
    QVERIFY(page.view.grid()->cells().at(42).next); // 41, part-filled, has gone to the tail
    auto *order = page.view.findChild<QComboBox *>(QStringLiteral("freeOrderBox"));
    order->setFocus();
    QTest::keyClick(order, Qt::Key_Down);
    QVERIFY(page.view.grid()->cells().at(41).next); // and now to the head
    QVERIFY(shownText(page.view).contains(QStringLiteral("order of 2026")));
}

void TestBlocksView::tooSmallPoolIsSaid()
{
    Page page;
    page.spin("poolBlocksBox")->setValue(20);
    QVERIFY(shownText(page.view).contains(QStringLiteral("This pool is too small for the scenario")));
    page.spin("poolBlocksBox")->setValue(256);
    QVERIFY(!shownText(page.view).contains(QStringLiteral("This pool is too small")));
    QCOMPARE(int(page.view.grid()->cells().size()), 256);
}

void TestBlocksView::tableBehindThePicture()
{
    Page page;
    page.view.panel()->list()->setStep(4);
    const auto text = [&page](int row, BlockModel::Column column) {
        return page.view.model()->index(row, column).data().toString();
    };
    QCOMPARE(page.view.model()->rowCount(), 256);
    QCOMPARE(text(42, BlockModel::ReferencesColumn), QStringLiteral("2"));
    QCOMPARE(text(1, BlockModel::PlaceColumn), QStringLiteral("63"));
    QCOMPARE(text(1, BlockModel::StepColumn), QStringLiteral("Warm-up"));
    QCOMPARE(text(43, BlockModel::ParentColumn), text(42, BlockModel::HashColumn));
    QCOMPARE(text(42, BlockModel::ParentColumn), QString());
    QVERIFY(text(42, BlockModel::TextColumn).startsWith(QStringLiteral("The key/value cache keeps")));
    QCOMPARE(text(255, BlockModel::TextColumn), QString());
    QTest::mouseClick(page.view.findChild<QToolButton *>(QStringLiteral("blockTableButton")), Qt::LeftButton);
    QVERIFY(!page.view.grid()->isVisible());
}

void TestBlocksView::tiersHaveTheirOwnLook()
{
    Page page;
    page.view.showScenario(7);
    page.view.panel()->list()->setStep(6); // after the restart: two chunks of 256 tokens from disk, one block computed
    QCOMPARE(countOf(*page.view.strip(), BlockLook::disk), 32);
    QCOMPARE(countOf(*page.view.strip(), BlockLook::computed), 1);
    QVERIFY(shownText(page.view).contains(QStringLiteral("512 from disk")));
}

void TestBlocksView::promptOfARun()
{
    using experiment::Arm;
    Page page;
    experiment::RunResult run;
    run.samples = {sampleThatTold(Arm::cold, 1490, 0), sampleThatTold(Arm::warm, 1490, 1472),
        sampleThatTold(Arm::different, 1490, std::nullopt)};
    page.view.setRun(run);
    QVERIFY(!page.view.showsRun());
    auto *box = page.view.findChild<QComboBox *>(QStringLiteral("scenarioBox"));
    QCOMPARE(box->itemText(box->count() - 1), QStringLiteral("Run shown: CACHED"));
    page.view.showScenario(box->count() - 1);
    QVERIFY(page.view.showsRun());
    // 1,490 tokens are 94 blocks; 1,472 / 16 = 92 were found.
    QCOMPARE(countOf(*page.view.strip(), BlockLook::found), 92);
    QCOMPARE(countOf(*page.view.strip(), BlockLook::computed), 2);
    QVERIFY(shownText(page.view).contains(QStringLiteral("reported by the server")));
    QVERIFY(!page.view.grid()->isVisible());
    QVERIFY(!page.spin("poolBlocksBox")->isEnabled());
    // Absent is not zero: a run that tells nothing is not offered.
    run.samples = {sampleThatTold(Arm::cold, 1490, std::nullopt)};
    page.view.setRun(run);
    QVERIFY(!page.view.showsRun());
    QCOMPARE(box->count(), 8);
    QVERIFY(page.view.grid()->isVisible());
}

void TestBlocksView::numbersGoAwayWhenSmall()
{
    Page page;
    QVERIFY(page.view.grid()->showsNumbers());
    page.spin("poolBlocksBox")->setValue(4096);
    QVERIFY(!page.view.grid()->showsNumbers());
    // All cells lie within the grid.
    QVERIFY(QRectF(page.view.grid()->rect()).contains(page.view.grid()->cellRect(4095)));
}

void TestBlocksView::languageSwitchKeepsThePlace()
{
    Page page;
    page.view.showScenario(2);
    page.view.panel()->list()->setStep(1);
    i18n::installLanguage(QStringLiteral("zh"));
    QTRY_COMPARE(
        page.view.findChild<QComboBox *>(QStringLiteral("scenarioBox"))->currentText(), QStringLiteral("中间改变"));
    QCOMPARE(page.view.step(), 1);
    QVERIFY(shownText(page.view).contains(QStringLiteral("在第 240 个 token 处不同")));
    QVERIFY(!shownText(page.view).contains(QStringLiteral("blocks")));
}

QTEST_MAIN(TestBlocksView)
#include "tst_blocks_view.moc"
