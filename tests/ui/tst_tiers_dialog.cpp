// SPDX-License-Identifier: GPL-3.0-or-later
// Measure → Tiers: a run with bars and table, one measurement at a time, the table of designs that starts arms, two
// tenants, both languages.
#include "i18n/language.h"
#include "session/csv.h"
#include "ui/main_window.h"
#include "ui/measure_controller.h"
#include "ui/tiers/bar_rows.h"
#include "ui/tiers/designs_page.h"
#include "ui/tiers/tenants_page.h"
#include "ui/tiers/tier_model.h"
#include "ui/tiers/tiers_dialog.h"
#include "ui/tiers/tiers_page.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QFontMetrics>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace kvlab;
using namespace kvlab::ui;
using servers::TierArm;
using servers::TierSample;
using State = MeasureController::State;

namespace {

constexpr int patienceMs = 120'000;
constexpr qint64 chunkBytes = 256 * 8192;

TierSample madeUp(TierArm arm, int round, double ms)
{
    TierSample sample;
    sample.arm = arm;
    sample.round = round;
    sample.shared_tokens = 3000;
    sample.expected = servers::expectedHit(arm, 3000, 3020, {16, 256, 8192});
    sample.reported = sample.expected;
    sample.storage_bytes = sample.expected.disk > 0 ? sample.expected.bytes + 11 * 4096 : 0;
    sample.probe.outcome = probe::Outcome::completed;
    sample.probe.evidence.cached_tokens = sample.expected.tokens();
    sample.probe.stamps.first_content_ns = qint64(ms * 1e6);
    return sample;
}

/// Five rounds; the third one of the disk found too little.
servers::TierResult madeUpRun()
{
    servers::TierResult result;
    result.engine = QStringLiteral("medium, 35 M parameters, untrained");
    const QMap<TierArm, double> times{{TierArm::recompute, 2700}, {TierArm::pool, 60}, {TierArm::ram, 280},
        {TierArm::disk, 300}, {TierArm::restart, 340}, {TierArm::other, 310}};
    for (const TierArm arm : servers::allTierArms()) {
        for (int round = 1; round <= 5; ++round)
            result.samples.append(madeUp(arm, round, times.value(arm) * (0.94 + 0.03 * round)));
    }
    return result;
}

servers::TenantResult madeUpTenants()
{
    servers::TenantResult result;
    result.engine = QStringLiteral("small, 15 M parameters, untrained");
    for (int trial = 1; trial <= 3; ++trial) {
        for (const bool salted : {false, true}) {
            const int secret = (trial + (salted ? 1 : 0)) % 4;
            for (int candidate = 0; candidate < 4; ++candidate) {
                const bool fast = candidate == secret && !salted;
                result.probes.append({trial, salted, candidate, candidate == secret, fast ? 18.5 : 240.0 + candidate,
                    fast ? 1488 : 0, fast ? 1488 : 0});
            }
            result.trials.append({trial, salted, secret, salted ? std::nullopt : std::optional(secret)});
        }
    }
    return result;
}

/// The dialog with its controller.
struct Bench
{
    Bench()
        : dialog(&controller)
        , tester(table()->model(), QAbstractItemModelTester::FailureReportingMode::Fatal)
    {
        dialog.show();
    }

    TiersPage *page() { return dialog.tiers(); }
    QTableView *table() { return dialog.findChild<QTableView *>(QStringLiteral("table")); }
    QPushButton *button(const char *name) { return dialog.findChild<QPushButton *>(QString::fromLatin1(name)); }
    QString cell(int row, int column)
    {
        return QString(table()->model()->index(row, column).data().toString()).replace(QChar::Nbsp, u' ');
    }
    QString verdict() { return dialog.findChild<QLabel *>(QStringLiteral("verdict"))->text(); }
    MessageBar *message() { return page()->findChild<MessageBar *>(); }
    void choose(const QList<TierArm> &arms, const QString &lengths, int rounds)
    {
        for (const TierArm arm : servers::allTierArms())
            dialog.findChild<QCheckBox *>(servers::tierArmName(arm))->setChecked(arms.contains(arm));
        dialog.findChild<QLineEdit *>(QStringLiteral("lengths"))->setText(lengths);
        dialog.findChild<QSpinBox *>(QStringLiteral("rounds"))->setValue(rounds);
        auto *size = dialog.findChild<QComboBox *>(QStringLiteral("size"));
        size->setCurrentIndex(size->findData(QStringLiteral("small")));
    }

    MeasureController controller;
    TiersDialog dialog;
    QAbstractItemModelTester tester;
};

} // namespace

class TestTiersDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void emptyAtFirst();
    void barsAndTableOfARun();
    void fewSamplesHaveNoBar();
    void measures();
    void oneMeasurementAtATime();
    void refusesWrongLengths();
    void exports();
    void designsStartArms();
    void tenantsSideBySide();
    void closingEndsTheRun();
    void ownerGoesDuringARun();
    void menuOpensOne();
    void bothLanguagesFit_data();
    void bothLanguagesFit();

private:
    QTemporaryDir m_settings;
};

void TestTiersDialog::initTestCase()
{
    qputenv("KVLAB_PROGRAM", KVLAB_PROGRAM_PATH);
    // What the program remembers by itself must not be what the test sees.
    QVERIFY(m_settings.isValid());
    QCoreApplication::setOrganizationName(QStringLiteral("kvcachelab-test"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
}

void TestTiersDialog::init()
{
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

void TestTiersDialog::emptyAtFirst()
{
    Bench bench;
    QCOMPARE(bench.table()->model()->rowCount(), 0);
    QVERIFY(!bench.button("export")->isEnabled());
    QVERIFY(bench.button("start")->isEnabled());
    QVERIFY(bench.verdict().contains(QStringLiteral("ended after it")));
}

void TestTiersDialog::barsAndTableOfARun()
{
    Bench bench;
    servers::TierResult run = madeUpRun();
    bench.page()->showResult(run);
    const QList<BarRow> rows = bench.page()->findChild<BarRows *>()->rows();
    QCOMPARE(rows.size(), 6);
    QCOMPARE(rows[0].name, QStringLiteral("Recomputed"));
    QVERIFY(rows[1].bar_ms && qAbs(*rows[1].bar_ms - 61.8) < 1e-6); // 60 × the third of 0.97, 1.00, … 1.09
    QCOMPARE(rows[1].dots.size(), 5);
    QCOMPARE(bench.table()->model()->rowCount(), 6);
    QCOMPARE(bench.cell(3, TierModel::ArmColumn), QStringLiteral("Disk tier"));
    QCOMPARE(bench.cell(3, TierModel::ExpectedColumn), QStringLiteral("2,816"));
    QCOMPARE(bench.cell(3, TierModel::ReportedColumn), QStringLiteral("2,816"));
    QCOMPARE(bench.cell(3, TierModel::EqualColumn), QStringLiteral("5 of 5"));
    QCOMPARE(bench.cell(3, TierModel::LoadedColumn), QStringLiteral("22.00 MiB")); // 11 × 256 × 8,192 bytes
    QCOMPARE(bench.cell(3, TierModel::StorageColumn), QStringLiteral("22.04 MiB"));
    QCOMPARE(bench.cell(1, TierModel::LoadedColumn), QStringLiteral("0"));
    QVERIFY2(bench.verdict().startsWith(QStringLiteral("All 30 samples")), qPrintable(bench.verdict()));

    run.samples[17].reported.disk = 2560; // one chunk too few
    run.samples[17].reported.bytes -= chunkBytes;
    bench.page()->showResult(run);
    QCOMPARE(bench.cell(3, TierModel::EqualColumn), QStringLiteral("4 of 5"));
    QVERIFY2(bench.verdict().startsWith(QStringLiteral("29 of 30")), qPrintable(bench.verdict()));
    const QList<BarRow> after = bench.page()->findChild<BarRows *>()->rows();
    QVERIFY(after[3].dots[2].hollow);
    QVERIFY(!after[3].bar_ms); // four samples are left
}

void TestTiersDialog::fewSamplesHaveNoBar()
{
    Bench bench;
    servers::TierResult run = madeUpRun();
    run.samples = run.samples.mid(0, 4);
    bench.page()->showResult(run);
    const QList<BarRow> rows = bench.page()->findChild<BarRows *>()->rows();
    QVERIFY(!rows[0].bar_ms);
    QCOMPARE(rows[0].dots.size(), 4);
    QVERIFY(rows[0].value_ms.has_value());
    QVERIFY(rows[1].dots.isEmpty());
}

void TestTiersDialog::measures()
{
    Bench bench;
    bench.choose({TierArm::recompute, TierArm::disk}, QStringLiteral("600, 300"), 1);
    QSignalSpy ended(bench.page(), &TiersPage::ended);
    bench.button("start")->click();
    QCOMPARE(bench.controller.state(), State::running);
    QCOMPARE(bench.button("start")->text(), QStringLiteral("Stop"));
    QVERIFY(ended.wait(patienceMs));
    QCOMPARE(bench.controller.state(), State::idle);
    QVERIFY2(bench.message()->isHidden(), qPrintable(bench.message()->text()));
    QVERIFY(bench.page()->result().evidenceEqualsPrediction());
    QCOMPARE(bench.table()->model()->rowCount(), 4);
    QCOMPARE(bench.cell(3, TierModel::ExpectedColumn), QStringLiteral("512"));
    auto *shown = bench.dialog.findChild<QComboBox *>(QStringLiteral("shown"));
    QVERIFY(shown->isVisible());
    QCOMPARE(shown->currentText(), QStringLiteral("600"));
    QVERIFY(bench.button("export")->isEnabled());
}

void TestTiersDialog::oneMeasurementAtATime()
{
    Bench bench;
    int stops = 0;
    QVERIFY(bench.controller.occupy([&stops] { ++stops; }));
    QVERIFY(!bench.controller.occupy([] {}));
    QVERIFY(!bench.button("start")->isEnabled());
    QVERIFY(!bench.button("startTenants")->isEnabled());
    QVERIFY(!bench.button("show1")->isEnabled());
    bench.page()->start();
    QVERIFY(bench.page()->result().samples.isEmpty());
    bench.controller.start(); // the experiment does not begin either
    QCOMPARE(bench.controller.practiceServer().state(), servers::PracticeServer::State::stopped);
    bench.controller.stop();
    QCOMPARE(stops, 1);
    bench.controller.release();
    QVERIFY(bench.button("start")->isEnabled());
    QVERIFY(bench.button("show1")->isEnabled());
}

void TestTiersDialog::refusesWrongLengths()
{
    Bench bench;
    bench.choose({TierArm::pool}, QStringLiteral("500, many"), 1);
    bench.button("start")->click();
    QVERIFY(bench.message()->text().contains(QStringLiteral("many")));
    QCOMPARE(bench.controller.state(), State::idle);
    bench.choose({TierArm::pool}, QStringLiteral("9000"), 1);
    bench.button("start")->click();
    QVERIFY(bench.message()->text().contains(QStringLiteral("8,000")));
    bench.choose({}, QStringLiteral("600"), 1);
    bench.button("start")->click();
    QVERIFY(bench.message()->text().contains(QStringLiteral("No arm")));
}

void TestTiersDialog::exports()
{
    Bench bench;
    bench.page()->showResult(madeUpRun());
    const QTemporaryDir folder;
    const auto read = [&](const char *name) {
        const QString path = folder.filePath(QString::fromLatin1(name));
        bench.page()->exportTo(path);
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QCOMPARE(session::parseCsv(read("run.csv")).size(), 31);
    QCOMPARE(QJsonDocument::fromJson(read("run.json")).object()[u"evidence_equals_prediction"].toBool(), true);
    QVERIFY(read("run.png").startsWith("\x89PNG"));
    bench.page()->exportTo(folder.filePath(QStringLiteral("nowhere/run.csv")));
    QCOMPARE(bench.message()->kind(), MessageKind::error);
}

void TestTiersDialog::designsStartArms()
{
    Bench bench;
    QSignalSpy wanted(bench.dialog.designs(), &DesignsPage::startRequested);
    const int rows = int(bench.dialog.designs()->findChildren<QPushButton *>().size());
    QCOMPARE(rows, 7); // of ten rows; three have no arm that shows them
    bench.button("show4")->click(); // after a restart
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(bench.dialog.tabs()->currentWidget(), bench.page());
    QVERIFY(bench.dialog.findChild<QCheckBox *>(QStringLiteral("restart"))->isChecked());
    QVERIFY(!bench.dialog.findChild<QCheckBox *>(QStringLiteral("pool"))->isChecked());
    QCOMPARE(bench.controller.state(), State::running);
    QSignalSpy ended(bench.page(), &TiersPage::ended);
    bench.controller.stop(); // the window's own Stop
    QVERIFY(ended.wait(patienceMs));
    QCOMPARE(bench.controller.state(), State::idle);
}

void TestTiersDialog::tenantsSideBySide()
{
    Bench bench;
    bench.dialog.tabs()->setCurrentIndex(2);
    servers::TenantPlan plan;
    plan.trials = 1;
    plan.text_tokens = 600;
    bench.dialog.tenants()->setPlan(plan);
    QSignalSpy ended(bench.dialog.tenants(), &TenantsPage::ended);
    bench.button("startTenants")->click();
    QCOMPARE(bench.controller.state(), State::running);
    QVERIFY(ended.wait(patienceMs));
    QCOMPARE(bench.controller.state(), State::idle);
    QCOMPARE(bench.dialog.tenants()->result().probes.size(), 8);
    for (const servers::TenantProbe &probe : bench.dialog.tenants()->result().probes)
        QCOMPARE(probe.cached_tokens, probe.expected_hit);

    bench.dialog.tenants()->showResult(madeUpTenants());
    QCOMPARE(bench.dialog.findChild<QLabel *>(QStringLiteral("answer"))->text(),
        QStringLiteral("Without salts tenant B found the text of tenant A in 3 of 3 trials; with a salt for each "
                       "tenant in 0 of 3."));
    const QList<BarRows *> charts = bench.dialog.tenants()->findChildren<BarRows *>();
    QCOMPARE(charts.size(), 2);
    QCOMPARE(charts[0]->rows().at(3).second, QStringLiteral("sent by tenant A")); // the third trial's
    QCOMPARE(charts[0]->rows().at(3).value_ms, 18.5);
    QCOMPARE(charts[1]->rows().at(0).second, QStringLiteral("sent by tenant A"));
}

void TestTiersDialog::closingEndsTheRun()
{
    Bench bench;
    bench.choose({TierArm::recompute}, QStringLiteral("3000"), 100);
    QSignalSpy ended(bench.page(), &TiersPage::ended);
    bench.button("start")->click();
    QTRY_VERIFY_WITH_TIMEOUT(!bench.page()->result().samples.isEmpty(), patienceMs);
    bench.dialog.close();
    QVERIFY(ended.wait(patienceMs));
    QCOMPARE(bench.page()->result().end, experiment::RunEnd::stopped);
    QVERIFY(!bench.page()->result().samples.isEmpty());
}

/// As when the window is closed: its controller goes before the dialog does.
void TestTiersDialog::ownerGoesDuringARun()
{
    auto window = std::make_unique<QWidget>();
    auto *controller = new MeasureController(window.get());
    TiersDialog *dialog = TiersDialog::open(controller, window.get());
    QCOMPARE(TiersDialog::open(controller, window.get()), dialog);
    QSignalSpy changed(controller, &MeasureController::stateChanged);
    dialog->tiers()->start();
    QCOMPARE(changed.size(), 1);
    QTest::qWait(300);
    window.reset();
    window = std::make_unique<QWidget>();
    controller = new MeasureController(window.get());
    TiersDialog::open(controller, window.get())->tenants()->start();
    QTest::qWait(300);
    window.reset();
}

void TestTiersDialog::menuOpensOne()
{
    MainWindow window;
    auto *action = window.findChild<QAction *>(QStringLiteral("tiers"));
    QVERIFY(action != nullptr);
    action->trigger();
    action->trigger();
    const QList<TiersDialog *> dialogs = window.findChildren<TiersDialog *>();
    QCOMPARE(dialogs.size(), 1);
    QVERIFY(dialogs.first()->isVisible());
    dialogs.first()->tiers()->start();
    QCOMPARE(window.controller()->state(), State::running);
    window.controller()->stop();
    QTRY_COMPARE_WITH_TIMEOUT(window.controller()->state(), State::idle, patienceMs);
}

void TestTiersDialog::bothLanguagesFit_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<Theme>("theme");
    QTest::newRow("English") << QStringLiteral("en") << Theme::light;
    QTest::newRow("Chinese") << QStringLiteral("zh") << Theme::dark;
}

/// The dialog never forces itself larger than a small projector, and no label is cut.
void TestTiersDialog::bothLanguagesFit()
{
    QFETCH(QString, language);
    QFETCH(Theme, theme);
    Bench bench;
    bench.page()->showResult(madeUpRun());
    bench.dialog.tenants()->showResult(madeUpTenants());
    i18n::installLanguage(language);
    applyAppearance(theme, 1.0);
    bench.dialog.resize(1000, 700);
    for (int tab = 0; tab < 3; ++tab) {
        bench.dialog.tabs()->setCurrentIndex(tab);
        QTest::qWait(50); // layouts follow a change of fonts in steps
        QVERIFY2(bench.dialog.width() <= 1000 && bench.dialog.height() <= 700,
            qPrintable(QStringLiteral("%1 × %2").arg(bench.dialog.width()).arg(bench.dialog.height())));
        for (const QLabel *label : bench.dialog.tabs()->currentWidget()->findChildren<QLabel *>()) {
            if (!label->isVisible() || label->text().isEmpty() || label->textFormat() == Qt::RichText)
                continue;
            const int needed
                = label->wordWrap() ? label->heightForWidth(label->width()) : label->fontMetrics().height();
            QVERIFY2(label->height() >= needed, qPrintable(label->text()));
        }
    }
    const QString first = bench.page()->findChild<BarRows *>()->rows().at(0).name;
    QCOMPARE(first, language == QLatin1String("en") ? QStringLiteral("Recomputed") : QStringLiteral("重新计算"));
}

QTEST_MAIN(TestTiersDialog)
#include "tst_tiers_dialog.moc"
