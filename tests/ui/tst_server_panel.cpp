// SPDX-License-Identifier: GPL-3.0-or-later
// The Server tab: figures in words, absent ones named, silence while measuring and while nobody looks.
#include "i18n/language.h"
#include "support/counting_server.h"
#include "ui/measure/cache_chart.h"
#include "ui/measure/measure_panel.h"
#include "ui/measure/run_tabs.h"
#include "ui/measure/server_panel.h"
#include "ui/measure/server_texts.h"
#include "ui/widgets/appearance.h"

#include <QFile>
#include <QLabel>
#include <QTest>

using namespace kvlab;
using namespace kvlab::ui;
using kvlab::servers::CacheTraffic;
using kvlab::test::CountingServer;

namespace {

constexpr int patience = 20'000;
enum Line { Model, BlockSize, Pool, BesideTable, Requests, Usage, Total, Recent, External };

servers::ServerStatus vllmStatus()
{
    QFile file(QStringLiteral(KVLAB_TEST_DATA "/real-captures/vllm/metrics_3_after_cached.response.http"));
    servers::ServerStatus status;
    if (file.open(QIODevice::ReadOnly))
        servers::readMetrics(file.readAll(), status);
    return status;
}

QString value(const ServerFigures &figures, Line line)
{
    return QString(serverLines(figures).at(line).value).replace(QChar::Nbsp, u' ');
}

experiment::ServerTarget targetAt(const QUrl &url)
{
    experiment::ServerTarget target;
    target.base_url = url;
    return target;
}

} // namespace

class TestServerPanel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void figuresInWords();
    void absentIsNamed();
    void tableBesideServer();
    void asksOnlyWhenSeenAndIdle();
    void intervalOverARun();
    void problemsAreShown();
    void chartSaysItsLastValues();
    void languageThemeAndWidth();
};

void TestServerPanel::initTestCase()
{
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

void TestServerPanel::figuresInWords()
{
    ServerFigures figures;
    figures.now = vllmStatus();
    figures.now.model = QStringLiteral("qwen2");
    figures.now.context_tokens = 4096;
    figures.recent = CacheTraffic{1458, 1440};
    figures.seconds = 2.04;
    QCOMPARE(value(figures, Model), QStringLiteral("qwen2 · prompt and answer up to 4,096 tokens"));
    QCOMPARE(value(figures, BlockSize), QStringLiteral("32 tokens, prefix caching on"));
    QCOMPARE(value(figures, Pool), QStringLiteral("87,360 tokens · 2,730 blocks · 2.000 GiB"));
    QCOMPARE(value(figures, Requests), QStringLiteral("0 running, 0 waiting"));
    QCOMPARE(value(figures, Usage), QStringLiteral("0.0 %"));
    // 3,072 / 7,628 = 0.4027; 1,440 / 1,458 = 0.9877.
    QCOMPARE(value(figures, Total), QStringLiteral("3,072 of 7,628 tokens found · 40.3 %"));
    QCOMPARE(value(figures, Recent), QStringLiteral("1,440 of 1,458 tokens found · 98.8 %"));
    QCOMPARE(serverLines(figures).at(Recent).name, QStringLiteral("Last 2 s"));
    QCOMPARE(value(figures, External), QStringLiteral("0 of 0 tokens found"));
    figures.recent = CacheTraffic{0, 0};
    QCOMPARE(value(figures, Recent), QStringLiteral("no prompt was looked up"));
    figures.recent.reset();
    QCOMPARE(value(figures, Recent), QStringLiteral("known from the second reading on"));
}

void TestServerPanel::absentIsNamed()
{
    QCOMPARE(serverLines({}).at(Recent).name, QStringLiteral("Last interval"));
    for (const ServerLine &line : serverLines({})) {
        QCOMPARE(line.value, QStringLiteral("not offered by this server"));
        QVERIFY(line.meaning.endsWith(u'.'));
    }
}

void TestServerPanel::tableBesideServer()
{
    ServerFigures figures;
    figures.now = vllmStatus();
    QCOMPARE(value(figures, BesideTable), QStringLiteral("choose a row of the memory table"));
    figures.table = TableFigure{QStringLiteral("Qwen2-0.5B"), 24'576};
    // The server: 2 GiB / 87,360 = 24,582.0 B.
    QCOMPARE(value(figures, BesideTable), QStringLiteral("24,576 B a token by Qwen2-0.5B, server 24,582 B"));
    QCOMPARE(serverLines(figures).at(BesideTable).meaning, QStringLiteral("Table and server agree."));
    figures.table->bytes_per_token = 12'288;
    QVERIFY(serverLines(figures).at(BesideTable).meaning.startsWith(u"They differ by 50.0\u00a0%"));
    // Without the server's bytes: 87,360 × 24,576 B = 2,146,959,360 B = 1.9996 GiB.
    figures.table->bytes_per_token = 24'576;
    figures.now.pool_bytes.reset();
    QCOMPARE(value(figures, BesideTable), QStringLiteral("2.000 GiB at the 24,576 B a token of Qwen2-0.5B"));
}

void TestServerPanel::asksOnlyWhenSeenAndIdle()
{
    CountingServer server;
    server.answer("/metrics", 200, "vllm:num_requests_running 0\n");
    server.answer("/health", 200);
    MeasurePanel panel;
    auto *view = panel.findChild<ServerPanel *>();
    view->watch()->setInterval(20);
    panel.resize(640, 560);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    panel.watchServer(targetAt(server.url()), false);
    QTest::qWait(200);
    QCOMPARE(server.askedInAll(), 0); // Samples is on top
    panel.findChild<RunTabs *>()->showPage(view);
    QTRY_VERIFY_WITH_TIMEOUT(view->stateText().startsWith(u"Asked every two seconds"), patience);
    QCOMPARE(view->valueText(Requests), QStringLiteral("0 running"));
    // A run: not one question more, whatever is shown, hidden or chosen.
    panel.watchServer(targetAt(server.url()), true);
    QTest::qWait(100);
    const int asked = server.askedInAll();
    QVERIFY2(view->stateText().startsWith(u"Paused while measuring"), qPrintable(view->stateText()));
    panel.hide();
    panel.show();
    QTest::qWait(300);
    CountingServer other;
    panel.watchServer(targetAt(other.url()), true);
    QTest::qWait(300);
    QCOMPARE(server.askedInAll(), asked);
    QCOMPARE(other.askedInAll(), 0);
    panel.watchServer(targetAt(other.url()), false);
    QTRY_VERIFY_WITH_TIMEOUT(other.askedInAll() > 0, patience);
    panel.watchServer({}, false);
    QVERIFY(view->stateText().startsWith(u"The server is not running"));
    QCOMPARE(view->valueText(Requests), QStringLiteral("–"));
}

void TestServerPanel::intervalOverARun()
{
    CountingServer server;
    server.answer("/metrics", 200, "vllm:prefix_cache_queries_total 100\nvllm:prefix_cache_hits_total 10\n");
    ServerPanel view;
    view.watch()->setInterval(50);
    view.show();
    view.setServer(targetAt(server.url()), false);
    QTRY_COMPARE_WITH_TIMEOUT(QString(view.valueText(Total)).replace(QChar::Nbsp, u' '),
        QStringLiteral("10 of 100 tokens found · 10.0 %"), patience);
    view.setServer(targetAt(server.url()), true);
    // Long enough between two questions that the difference stays on screen.
    view.watch()->setInterval(patience);
    server.answer("/metrics", 200, "vllm:prefix_cache_queries_total 400\nvllm:prefix_cache_hits_total 250\n");
    view.setServer(targetAt(server.url()), false);
    QTRY_COMPARE_WITH_TIMEOUT(QString(view.valueText(Recent)).replace(QChar::Nbsp, u' '),
        QStringLiteral("240 of 300 tokens found · 80.0 %"), patience);
}

void TestServerPanel::problemsAreShown()
{
    CountingServer server;
    server.answer("/metrics", 404);
    ServerPanel view;
    view.show();
    view.setServer(targetAt(server.url()), false);
    QTRY_VERIFY_WITH_TIMEOUT(view.stateText().contains(u"--metrics"), patience);
    QCOMPARE(view.valueText(Usage), QStringLiteral("not offered by this server"));
    CountingServer loading;
    loading.answer("/metrics", 200);
    loading.answer("/health", 503);
    view.setServer(targetAt(loading.url()), false);
    QTRY_VERIFY_WITH_TIMEOUT(view.stateText().contains(u"loading"), patience);
}

void TestServerPanel::chartSaysItsLastValues()
{
    CacheChart chart;
    const QDateTime now = QDateTime::currentDateTime();
    chart.setPoints({{now.addSecs(-500), 0.9, 0.1}, {now.addSecs(-4), 0.25, 0.5}, {now, 0.125, std::nullopt}});
    QCOMPARE(chart.accessibleDescription(), QStringLiteral("Pool in use: 12.5 % at last. Hit rate: 50.0 % at last."));
    chart.setPoints({});
    QVERIFY(chart.accessibleDescription().isEmpty());
}

void TestServerPanel::languageThemeAndWidth()
{
    CountingServer server;
    server.answer("/metrics", 200, "vllm:num_requests_running 3\n");
    MeasurePanel panel;
    auto *view = panel.findChild<ServerPanel *>();
    panel.findChild<RunTabs *>()->showPage(view);
    panel.resize(480, 700);
    panel.show();
    panel.watchServer(targetAt(server.url()), false);
    QTRY_COMPARE_WITH_TIMEOUT(view->valueText(Requests), QStringLiteral("3 running"), patience);
    i18n::installLanguage(QStringLiteral("zh"));
    applyAppearance(Theme::dark, 1.25);
    QTRY_VERIFY_WITH_TIMEOUT(view->valueText(Requests).contains(u"3 个"), patience);
    // Nothing is wider than the page.
    for (const int width : {480, 700, 1900}) {
        panel.resize(width, 700);
        QTest::qWait(20);
        for (const QLabel *label : view->findChildren<QLabel *>())
            QVERIFY(label->isHidden() || label->mapTo(view, label->rect().topRight()).x() <= view->width());
    }
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

QTEST_MAIN(TestServerPanel)
#include "tst_server_panel.moc"
