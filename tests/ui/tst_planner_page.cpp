// SPDX-License-Identifier: GPL-3.0-or-later
// The planner page used as a student would. Figures: Qwen2.5-7B has 7,615,616,512 parameters, and a token takes
// 2 × 28 × 4 × 128 × 2 B = 57,344 B; on 24 GiB at 0.90 with 2 GiB overhead 5,814,106,726 B are left for the cache
// (reference "planner" rows), which hold 12 sequences of 8,192 tokens, 8 of 12,672 or one of 101,376.
#include "i18n/language.h"
#include "ui/main_window.h"
#include "ui/memory/memory_panel.h"
#include "ui/planner/answer_cards.h"
#include "ui/planner/budget_bar.h"
#include "ui/planner/count_box.h"
#include "ui/planner/heat_map.h"
#include "ui/planner/planner_page.h"
#include "ui/planner/search_box.h"
#include "ui/widgets/appearance.h"

#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>

using namespace kvlab;
using namespace kvlab::ui;

namespace {

template <typename Widget> Widget *named(PlannerPage &page, const char *name)
{
    return page.findChild<Widget *>(QLatin1String(name));
}

/// Replaces the text of a field as a person does.
void type(QWidget *field, const QString &text)
{
    auto *line = field->findChild<QLineEdit *>();
    if (line == nullptr)
        line = qobject_cast<QLineEdit *>(field);
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, text);
    QTest::keyClick(line, Qt::Key_Return);
}

void choose(QComboBox *box, const QVariant &data)
{
    const int index = box->findData(data);
    QVERIFY2(index >= 0, qPrintable(data.toString()));
    box->setCurrentIndex(index);
    Q_EMIT box->activated(index);
}

QString card(PlannerPage &page, const char *name)
{
    return named<AnswerCard>(page, name)->accessibleName();
}

QString shownProblem(PlannerPage &page)
{
    QStringList texts;
    for (const QLabel *label : page.findChildren<QLabel *>()) {
        if (label->objectName().startsWith(QLatin1String("problem")) && label->isVisibleTo(&page))
            texts << label->text();
    }
    return texts.join(QLatin1Char('|'));
}

} // namespace

class TestPlannerPage : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void answersOfTheDrawing();
    void typingChangesTheAnswer();
    void goldenRows_data();
    void goldenRows();
    void unknownWeightsAskForASize();
    void filesOfAnImportedModel();
    void refusalsKeepTheLastAnswer_data();
    void refusalsKeepTheLastAnswer();
    void textThatCannotBeUsed_data();
    void textThatCannotBeUsed();
    void nothingFits();
    void mapByKeyboard();
    void mapByMouse();
    void rowsAndCopies();
    void settingsReadBack();
    void damagedSettingsKeepDefaults();
    void labelsKeepApart_data();
    void labelsKeepApart();
    void chinese();
    void pagesOfTheWindow();
    void windowRemembersThePage();
};

void TestPlannerPage::initTestCase()
{
    QVERIFY(m_folder.isValid());
    QCoreApplication::setOrganizationName(QStringLiteral("kvlab-tests"));
    QCoreApplication::setApplicationName(QStringLiteral("tst_planner_page"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

void TestPlannerPage::cleanup()
{
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

void TestPlannerPage::answersOfTheDrawing()
{
    PlannerPage page;
    page.show();
    QCOMPARE(memory::toDecimalString(page.answer()->capacity.budget), QStringLiteral("5814106726"));
    const QString bar = named<BudgetBar>(page, "plannerBar")->accessibleName();
    for (const char *part : {"Weights 14.19 GiB", "Overhead 2.00 GiB", "KV, this plan 3.50 GiB", "KV left 1.91 GiB",
             "Kept free 2.40 GiB", "KV budget 5.41 GiB (5,814,106,726 B)"})
        QVERIFY2(bar.contains(QLatin1String(part)), qPrintable(bar));
    QCOMPARE(card(page, "fitsCard"), QStringLiteral("Fits, 3.50 GiB, 64.6 % of the budget, 1.91 GiB left"));
    QCOMPARE(card(page, "largestBatchCard"), QStringLiteral("At seq_len 8,192, batch 12, largest that fits"));
    QCOMPARE(card(page, "longestAtBatchCard"), QStringLiteral("At batch 8, 12,672 tokens, longest, in blocks of 16"));
    QCOMPARE(card(page, "longestAloneCard"), QStringLiteral("At batch 1, 101,376 tokens, of the model's 131,072"));
    const QString line = named<QLabel>(page, "plannerEngineLine")->text();
    QVERIFY2(line.contains(QStringLiteral("needs 56 KiB")), qPrintable(line));
    QVERIFY2(line.contains(QStringLiteral("“GPU KV cache size: 101,376 tokens”")), qPrintable(line));
    // 6,336 blocks, and a request takes 512 of them.
    QVERIFY2(line.contains(QStringLiteral("for 8,192 tokens per request: 12.38x")), qPrintable(line));
}

void TestPlannerPage::typingChangesTheAnswer()
{
    PlannerPage page;
    page.show();
    QSignalSpy changed(&page, &PlannerPage::settingsChanged);
    type(named<CountBox>(page, "plannerSeqLen"), QStringLiteral("4k"));
    type(named<CountBox>(page, "plannerBatch"), QStringLiteral("25"));
    QVERIFY(changed.size() >= 2);
    // 4,096 × 57,344 B = 234,881,024 B, of which the budget holds 24.
    QCOMPARE(card(page, "largestBatchCard"), QStringLiteral("At seq_len 4,096, batch 24, largest that fits"));
    QVERIFY(card(page, "fitsCard").startsWith(QStringLiteral("Does not fit")));
    named<CountBox>(page, "plannerBatch")->stepDown();
    QCOMPARE(page.plannerSettings().batch, 12);
    type(named<SearchBox>(page, "plannerDevice"), QStringLiteral("16 GiB"));
    // 16 GiB × 0.9 − 15,231,233,024 B − 2 GiB < 0
    QVERIFY(card(page, "fitsCard").contains(QStringLiteral("weights and overhead alone")));
    type(named<SearchBox>(page, "plannerDevice"), QStringLiteral("5090"));
    QCOMPARE(page.plannerSettings().device, QStringLiteral("GeForce RTX 5090"));
    QVERIFY(!page.plannerSettings().own_capacity);
    type(named<SearchBox>(page, "plannerUtilisation"), QStringLiteral("0.92"));
    QCOMPARE(page.plannerSettings().util_permille, 920);
    named<QDoubleSpinBox>(page, "plannerOverhead")->setValue(4.0);
    QCOMPARE(page.plannerSettings().overhead, qint64(4) << 30);
    // 32 GiB × 0.92 = 31,610,959,298 B; less 15,231,233,024 and 4,294,967,296
    QCOMPARE(memory::toDecimalString(page.answer()->capacity.budget), QStringLiteral("12084758978"));
}

void TestPlannerPage::goldenRows_data()
{
    QTest::addColumn<QJsonObject>("row");
    QFile file(QStringLiteral(KVLAB_TEST_DATA "/kv-golden.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    int rows = 0;
    for (const QJsonValue &value : QJsonDocument::fromJson(file.readAll()).array()) {
        const QJsonObject row = value.toObject();
        if (row.value(QLatin1String("group")) != QLatin1String("planner"))
            continue;
        QTest::newRow(qPrintable(row.value(QLatin1String("id")).toString())) << row;
        ++rows;
    }
    QCOMPARE(rows, 12);
}

void TestPlannerPage::goldenRows()
{
    QFETCH(QJsonObject, row);
    const qint64 round = row.value(QLatin1String("round_tokens")).toInteger();
    PlannerSettings settings;
    settings.device = QStringLiteral("own");
    settings.own_capacity = row.value(QLatin1String("capacity_bytes")).toInteger();
    settings.util_permille = row.value(QLatin1String("util_permille")).toInteger();
    settings.own_weights = row.value(QLatin1String("weights_bytes")).toInteger();
    settings.overhead = row.value(QLatin1String("overhead_bytes")).toInteger();
    settings.model = row.value(QLatin1String("model")).toString();
    settings.seq_len = row.value(QLatin1String("seq_len")).toInteger();
    settings.batch = row.value(QLatin1String("batch")).toInteger();
    // Lengths rounded up to pages and nothing else: SGLang's rule.
    settings.profile = memory::defaultProfile(round > 0 ? memory::Engine::sglang : memory::Engine::ideal);
    settings.profile.block_size = std::max<qint64>(1, round);
    PlannerPage page;
    page.setPlannerSettings(settings);
    QVERIFY2(!page.isStale(), qPrintable(shownProblem(page)));
    const QJsonObject expected = row.value(QLatin1String("expect")).toObject();
    const memory::Capacity &capacity = page.answer()->capacity;
    QCOMPARE(memory::toDecimalString(capacity.budget),
        QString::number(expected.value(QLatin1String("budget_bytes")).toInteger()));
    if (expected.value(QLatin1String("max_batch")).isUndefined()) {
        QVERIFY(!capacity.plan.fits);
        QCOMPARE(capacity.plan.max_batch, 0);
        return;
    }
    QCOMPARE(memory::toDecimalString(capacity.plan.need),
        QString::number(expected.value(QLatin1String("need_bytes")).toInteger()));
    QCOMPARE(capacity.plan.max_batch, expected.value(QLatin1String("max_batch")).toInteger());
    QCOMPARE(capacity.plan.max_seq_len, expected.value(QLatin1String("max_seq_len")).toInteger());
    QCOMPARE(capacity.plan.limited_by_position,
        expected.value(QLatin1String("limited_by")).toString() == QLatin1String("max_position"));
}

void TestPlannerPage::unknownWeightsAskForASize()
{
    PlannerPage page;
    page.show();
    type(named<SearchBox>(page, "plannerModel"), QStringLiteral("GLM-4-9B-chat"));
    QVERIFY(page.isStale());
    QVERIFY2(shownProblem(page).startsWith(QStringLiteral("How many parameters GLM-4-9B-chat has is not known")),
        qPrintable(shownProblem(page)));
    auto *size = named<QLineEdit>(page, "plannerOwnWeights");
    QVERIFY(size->isVisibleTo(&page));
    QVERIFY(!named<QPushButton>(page, "plannerAddRow")->isEnabled());
    type(size, QStringLiteral("10GiB"));
    QVERIFY(!page.isStale());
    QVERIFY(shownProblem(page).isEmpty());
    // 24 GiB × 0.9 − 10 GiB − 2 GiB = ⌊23,192,823,398.4⌋ − 12,884,901,888 B
    QCOMPARE(memory::toDecimalString(page.answer()->capacity.budget), QStringLiteral("10307921510"));
    // A size belongs to its model.
    type(named<SearchBox>(page, "plannerModel"), QStringLiteral("Qwen2.5-7B"));
    QVERIFY(!page.plannerSettings().own_weights);
    QCOMPARE(memory::toDecimalString(page.answer()->capacity.budget), QStringLiteral("5814106726"));
}

/// What a model's own files hold counts, and the size typed for one model is not taken for another.
void TestPlannerPage::filesOfAnImportedModel()
{
    memory::ModelSpec model = *memory::findModel(QStringLiteral("Qwen2.5-7B"));
    model.name = QStringLiteral("My Qwen");
    model.weight_bytes = qint64(5) << 30;
    memory::ModelLibrary library;
    library.add(model);
    PlannerPage page;
    page.show();
    PlannerSettings settings;
    settings.own_weights = 1;
    page.setPlannerSettings(settings);
    page.setLibrary(library);
    page.setModel(QStringLiteral("My Qwen"));
    // ⌊24 GiB × 0.9⌋ − 5 GiB − 2 GiB = 23,192,823,398 − 7,516,192,768 B
    QCOMPARE(memory::toDecimalString(page.answer()->capacity.budget), QStringLiteral("15676630630"));
    QVERIFY(named<QComboBox>(page, "plannerWeights")->currentText().startsWith(QStringLiteral("the files, 5.00 GiB")));
    page.setModel(QStringLiteral("Qwen2.5-7B"));
    QCOMPARE(memory::toDecimalString(page.answer()->capacity.budget), QStringLiteral("5814106726"));
    QVERIFY(named<QLineEdit>(page, "plannerOwnWeights")->text().isEmpty());
}

void TestPlannerPage::refusalsKeepTheLastAnswer_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<int>("batch");
    // 4 KV heads and 3 ranks; 28 layers and 29 stages; 1 rank in 2 groups. On the way to
    // 29 stands 2: 23,192,823,398 − 7,615,616,512 − 2 GiB = 13,429,723,238 B hold 57 sequences of 14 layers.
    QTest::newRow("tensor parallel") << QStringLiteral("plannerTp") << QStringLiteral("3")
                                     << QStringLiteral("cannot be divided over 3 ranks") << 12;
    QTest::newRow("pipeline") << QStringLiteral("plannerPp") << QStringLiteral("29")
                              << QStringLiteral("cannot fill 29 pipeline stages") << 57;
    QTest::newRow("groups") << QStringLiteral("plannerDp") << QStringLiteral("2")
                            << QStringLiteral("cannot be divided into 2 groups") << 12;
}

void TestPlannerPage::refusalsKeepTheLastAnswer()
{
    QFETCH(QString, field);
    QFETCH(QString, text);
    QFETCH(QString, sentence);
    QFETCH(int, batch);
    PlannerPage page;
    page.show();
    type(page.findChild<CountBox *>(field), text);
    QVERIFY(page.isStale());
    QVERIFY2(shownProblem(page).contains(sentence), qPrintable(shownProblem(page)));
    QCOMPARE(
        card(page, "largestBatchCard"), QStringLiteral("At seq_len 8,192, batch %1, largest that fits").arg(batch));
    QVERIFY(!named<HeatMap>(page, "plannerMap")->isEnabled());
    type(page.findChild<CountBox *>(field), QStringLiteral("1"));
    QVERIFY(!page.isStale());
    QVERIFY(shownProblem(page).isEmpty());
}

void TestPlannerPage::textThatCannotBeUsed_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("text");
    QTest::newRow("length") << QStringLiteral("plannerSeqLen") << QStringLiteral("4.096");
    QTest::newRow("no length") << QStringLiteral("plannerSeqLen") << QStringLiteral("0");
    QTest::newRow("batch") << QStringLiteral("plannerBatch") << QStringLiteral("2000000000");
    QTest::newRow("device") << QStringLiteral("plannerDevice") << QStringLiteral("24");
    QTest::newRow("several devices") << QStringLiteral("plannerDevice") << QStringLiteral("RTX");
    QTest::newRow("share") << QStringLiteral("plannerUtilisation") << QStringLiteral("1.2");
    QTest::newRow("model") << QStringLiteral("plannerModel") << QStringLiteral("no such model");
}

void TestPlannerPage::textThatCannotBeUsed()
{
    QFETCH(QString, field);
    QFETCH(QString, text);
    PlannerPage page;
    page.show();
    const QJsonObject before = plannerSettingsToJson(page.plannerSettings());
    type(page.findChild<QWidget *>(field), text);
    QVERIFY(page.isStale());
    QVERIFY2(shownProblem(page).contains(text), qPrintable(shownProblem(page)));
    // Only what could be used on the way is kept: a field's text is read while it is typed.
    QVERIFY(plannerSettingsToJson(page.plannerSettings()).keys() == before.keys());
    QVERIFY(!named<QPushButton>(page, "plannerCopy")->isEnabled());
}

void TestPlannerPage::nothingFits()
{
    PlannerPage page;
    page.show();
    // 131,072 × 57,344 B = 7 GiB, and 5.41 GiB are there.
    type(named<CountBox>(page, "plannerSeqLen"), QStringLiteral("128k"));
    const QString line = named<QLabel>(page, "plannerEngineLine")->text();
    QVERIFY2(line.contains(QStringLiteral("one request of 131,072 tokens needs 7.00 GiB, 5.41 GiB are available, and "
                                          "the estimated maximum model length is 101,376.")),
        qPrintable(line));
    QVERIFY(card(page, "largestBatchCard").contains(QStringLiteral("not even one sequence fits")));
}

void TestPlannerPage::mapByKeyboard()
{
    PlannerPage page;
    page.show();
    auto *map = named<HeatMap>(page, "plannerMap");
    QCOMPARE(map->cursor(), (std::pair<qint64, qint64>(8192, 8)));
    QCOMPARE(map->readOut().constFirst(), QStringLiteral("8,192 × 8 = 3.50 GiB"));
    map->setFocus();
    QTest::keyClick(map, Qt::Key_Home);
    QCOMPARE(map->cursor().first, 256);
    const qint64 batch = map->cursor().second;
    QTest::keyClick(map, Qt::Key_Right);
    QVERIFY(map->cursor().first > 256);
    QTest::keyClick(map, Qt::Key_Left);
    QTest::keyClick(map, Qt::Key_Left); // stays at the edge
    QCOMPARE(map->cursor(), (std::pair<qint64, qint64>(256, batch)));
    QTest::keyClick(map, Qt::Key_Up);
    QVERIFY(map->cursor().second > batch);
    QTest::keyClick(map, Qt::Key_Down);
    QTest::keyClick(map, Qt::Key_End);
    QCOMPARE(map->cursor(), (std::pair<qint64, qint64>(10'485'760, batch)));
    for (int i = 0; i < 10; ++i)
        QTest::keyClick(map, Qt::Key_PageUp);
    QCOMPARE(map->cursor(), (std::pair<qint64, qint64>(10'485'760, 4096)));
    // 10,485,760 × 4,096 × 57,344 B = 2,293,760 GiB
    QCOMPARE(map->readOut().constFirst(), QStringLiteral("10,485,760 × 4,096 = 2,293,760.00 GiB"));
    QVERIFY(map->accessibleName().contains(QStringLiteral("2,293,760.00 GiB")));
    for (int i = 0; i < 10; ++i)
        QTest::keyClick(map, Qt::Key_PageDown);
    QCOMPARE(map->cursor().second, 1);
    QTest::keyClick(map, Qt::Key_Home);
    QSignalSpy rows(&page, &PlannerPage::addRowRequested);
    QTest::keyClick(map, Qt::Key_Return);
    QCOMPARE(rows.size(), 1);
    QCOMPARE(rows.first().first().value<memory::MemoryRow>(),
        (memory::MemoryRow{QStringLiteral("Qwen2.5-7B"), 256, 1, memory::CacheFormat::bf16}));
    QTest::keyClick(map, Qt::Key_Escape);
    QCOMPARE(map->cursor(), (std::pair<qint64, qint64>(8192, 8)));
}

void TestPlannerPage::mapByMouse()
{
    PlannerPage page;
    page.resize(1280, 620);
    page.show();
    auto *map = named<HeatMap>(page, "plannerMap");
    QSignalSpy rows(&page, &PlannerPage::addRowRequested);
    QTest::mouseMove(map, map->rect().center());
    const QString hovered = map->readOut().constFirst();
    QTest::mouseClick(map, Qt::LeftButton, {}, map->rect().center());
    QCOMPARE(rows.size(), 1);
    const auto row = rows.first().first().value<memory::MemoryRow>();
    QCOMPARE(std::pair(row.seq_len, row.batch), map->cursor());
    QVERIFY(hovered.isEmpty() || map->readOut().constFirst().startsWith(QLocale().toString(row.seq_len)));
    QTest::mouseClick(map, Qt::LeftButton, {}, QPoint(2, map->height() - 2)); // beside the cells
    QCOMPARE(rows.size(), 1);
}

void TestPlannerPage::rowsAndCopies()
{
    PlannerPage page;
    page.show();
    choose(named<QComboBox>(page, "plannerKFormat"), QStringLiteral("fp8"));
    QSignalSpy rows(&page, &PlannerPage::addRowRequested);
    QTest::mouseClick(named<QPushButton>(page, "plannerAddRow"), Qt::LeftButton);
    QCOMPARE(rows.size(), 1);
    QCOMPARE(rows.first().first().value<memory::MemoryRow>(),
        (memory::MemoryRow{QStringLiteral("Qwen2.5-7B"), 8192, 8, memory::CacheFormat::fp8}));
    QTest::mouseClick(named<QPushButton>(page, "plannerCopy"), Qt::LeftButton);
    const QString copied = QGuiApplication::clipboard()->text();
    for (const char *part :
        {"Model: Qwen2.5-7B", "K fp8, V fp8", "Engine: vLLM", "KV budget: 5.41 GiB (5,814,106,726 B)",
            "seq_len 8,192, batch 8", "At seq_len 8,192: batch 24 (largest that fits)", "7,615,616,512 parameters"})
        QVERIFY2(copied.contains(QLatin1String(part)), qPrintable(copied));
}

void TestPlannerPage::settingsReadBack()
{
    PlannerSettings settings;
    settings.device = QStringLiteral("mine");
    settings.own_capacity = 123'456'789;
    settings.tp = 4;
    settings.pp = 2;
    settings.dp = 2;
    settings.util_permille = 873;
    settings.overhead = 0;
    settings.model = QStringLiteral("Qwen2.5-72B");
    settings.weight_format = QStringLiteral("q4_K");
    settings.own_weights = 5;
    settings.kv_dtype = memory::CacheFormat::q8_0;
    settings.v_dtype = memory::CacheFormat::q4_0;
    settings.profile = memory::defaultProfile(memory::Engine::llama_cpp);
    settings.profile.kv_unified = true;
    settings.profile.swa_full = true;
    settings.profile.n_ubatch = 1024;
    settings.seq_len = 777;
    settings.batch = 9;
    const QJsonObject json = plannerSettingsToJson(settings);
    QCOMPARE(json.value(QLatin1String("own_capacity")).toInteger(), 123'456'789);
    QCOMPARE(json.value(QLatin1String("v_dtype")).toString(), QStringLiteral("q4_0"));
    QCOMPARE(plannerSettingsToJson(plannerSettingsFromJson(json)), json);
    PlannerPage page;
    page.setPlannerSettings(settings);
    QCOMPARE(plannerSettingsToJson(page.plannerSettings()), json);
}

void TestPlannerPage::damagedSettingsKeepDefaults()
{
    const QJsonObject defaults = plannerSettingsToJson(PlannerSettings());
    QCOMPARE(plannerSettingsToJson(plannerSettingsFromJson({})), defaults);
    const QJsonObject damaged{{QStringLiteral("device"), 4}, {QStringLiteral("tp"), 0}, {QStringLiteral("pp"), -1},
        {QStringLiteral("dp"), QStringLiteral("x")}, {QStringLiteral("util_permille"), 1001},
        {QStringLiteral("overhead"), -5}, {QStringLiteral("seq_len"), 1e300}, {QStringLiteral("batch"), 0.5},
        {QStringLiteral("kv_dtype"), QStringLiteral("no format")}, {QStringLiteral("own_weights"), 0},
        {QStringLiteral("profile"), QJsonArray{}}};
    QCOMPARE(plannerSettingsToJson(plannerSettingsFromJson(damaged)), defaults);
}

void TestPlannerPage::labelsKeepApart_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("zoom");
    for (const char *language : {"en", "zh"}) {
        for (const QSize &size : {QSize(1024, 645), QSize(1280, 597), QSize(1366, 645), QSize(1920, 957)}) {
            for (const double zoom : {1.0, 2.0})
                QTest::addRow("%s %dx%d %.0f", language, size.width(), size.height(), zoom)
                    << QString::fromLatin1(language) << size << zoom;
        }
    }
}

/// Wherever the cursor stands, no text on the map covers another or leaves the widget.
void TestPlannerPage::labelsKeepApart()
{
    QFETCH(QString, language);
    QFETCH(QSize, size);
    QFETCH(double, zoom);
    i18n::installLanguage(language);
    applyAppearance(Theme::light, zoom);
    PlannerPage page;
    page.resize(size);
    page.show();
    auto *map = named<HeatMap>(page, "plannerMap");
    map->setFocus();
    for (const Qt::Key key : {Qt::Key_Escape, Qt::Key_Home, Qt::Key_PageUp, Qt::Key_PageUp, Qt::Key_End,
             Qt::Key_PageDown, Qt::Key_PageDown, Qt::Key_PageDown, Qt::Key_Home, Qt::Key_PageDown}) {
        QTest::keyClick(map, key);
        const QList<QRectF> rects = map->labelRects();
        QVERIFY(rects.size() >= 8); // seven of the legend and the read-out
        for (qsizetype i = 0; i < rects.size(); ++i) {
            QVERIFY2(QRectF(map->rect()).contains(rects.at(i)), qPrintable(QString::number(i)));
            for (qsizetype j = i + 1; j < rects.size(); ++j)
                QVERIFY2(!rects.at(i).intersects(rects.at(j)), qPrintable(QStringLiteral("%1 %2").arg(i).arg(j)));
        }
    }
}

void TestPlannerPage::chinese()
{
    PlannerPage page;
    page.show();
    i18n::installLanguage(QStringLiteral("zh"));
    QTRY_VERIFY(card(page, "fitsCard").startsWith(QStringLiteral("放得下")));
    QVERIFY(named<QPushButton>(page, "plannerCopy")->text() == QStringLiteral("复制结果"));
    QVERIFY(named<HeatMap>(page, "plannerMap")->accessibleName().contains(QStringLiteral("8,192 × 8 = 3.50 GiB")));
}

void TestPlannerPage::pagesOfTheWindow()
{
    QSettings().clear();
    MainWindow window;
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    auto *pages = window.findChild<QStackedWidget *>(QStringLiteral("pages"));
    QCOMPARE(pages->currentIndex(), 0);
    auto *table = window.memoryPanel()->findChild<QTableView *>();
    table->setCurrentIndex(table->model()->index(17, 0)); // the third model of the handout's grid
    QCOMPARE(window.memoryPanel()->currentRow()->model, QStringLiteral("Qwen2.5-72B"));
    QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier);
    QTRY_COMPARE(pages->currentIndex(), 1);
    QVERIFY(window.findChild<QToolButton *>(QStringLiteral("plannerButton"))->isChecked());
    QCOMPARE(window.plannerPage()->plannerSettings().model, QStringLiteral("Qwen2.5-72B"));

    const qsizetype before = window.memoryPanel()->rows().size();
    QTest::mouseClick(named<QPushButton>(*window.plannerPage(), "plannerAddRow"), Qt::LeftButton);
    QCOMPARE(window.memoryPanel()->rows().size(), before + 1);
    QCOMPARE(window.memoryPanel()->rows().at(18),
        (memory::MemoryRow{QStringLiteral("Qwen2.5-72B"), 8192, 8, memory::CacheFormat::bf16}));
    window.findChild<QUndoStack *>()->undo();
    QCOMPARE(window.memoryPanel()->rows().size(), before);

    // What was chosen on the page stays as long as the row's model does.
    type(named<SearchBox>(*window.plannerPage(), "plannerModel"), QStringLiteral("Llama-3.1-8B"));
    QTest::mouseClick(window.findChild<QToolButton *>(QStringLiteral("benchButton")), Qt::LeftButton);
    QCOMPARE(pages->currentIndex(), 0);
    QTest::mouseClick(window.findChild<QToolButton *>(QStringLiteral("plannerButton")), Qt::LeftButton);
    QCOMPARE(window.plannerPage()->plannerSettings().model, QStringLiteral("Llama-3.1-8B"));
}

void TestPlannerPage::windowRemembersThePage()
{
    QSettings().clear();
    {
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier);
        type(named<CountBox>(*window.plannerPage(), "plannerBatch"), QStringLiteral("77"));
        window.close();
    }
    MainWindow again;
    QCOMPARE(again.findChild<QStackedWidget *>(QStringLiteral("pages"))->currentIndex(), 1);
    QCOMPARE(again.plannerPage()->plannerSettings().batch, 77);
}

QTEST_MAIN(TestPlannerPage)
#include "tst_planner_page.moc"
