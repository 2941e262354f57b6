// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline of one request: marks, scale and label rows as pure functions with figures by hand, then the view.
#include "ui/made_up_runs.h"

#include "i18n/language.h"
#include "probe/taint.h"
#include "ui/measure/measure_panel.h"
#include "ui/measure/run_tabs.h"
#include "ui/measure/sample_model.h"
#include "ui/measure/timeline_layout.h"
#include "ui/measure/timeline_texts.h"
#include "ui/measure/timeline_track.h"
#include "ui/measure/timeline_view.h"
#include "ui/widgets/appearance.h"

#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QToolButton>

using namespace kvlab;
using namespace kvlab::test;
using namespace kvlab::ui;

namespace {

constexpr qint64 millisecond = 1'000'000;

/// Connected 2 ms before t0, TLS at −1 ms, headers after 1 ms, a role-only event at 99 ms, four tokens 100, 110, 115,
/// 145 ms, end at 150 ms. Gaps by hand: 10, 5, 30.
MeasuredSample encryptedSample(int number = 1, Arm arm = Arm::cold)
{
    MeasuredSample made = sample(number, arm, 100);
    probe::ProbeStamps &stamps = made.probe.stamps;
    stamps.connect_start_ns = -3 * millisecond;
    stamps.connected_ns = -2 * millisecond;
    stamps.encrypted_ns = -1 * millisecond;
    stamps.sent_ns = 50'000;
    stamps.first_event_ns = 99 * millisecond;
    stamps.last_token_ns = 145 * millisecond;
    stamps.end_ns = 150 * millisecond;
    made.probe.events = {{99 * millisecond, false, 200, false}, {100 * millisecond, true, 200, true},
        {110 * millisecond, true, 200, true}, {115 * millisecond, true, 200, true},
        {145 * millisecond, true, 200, true}, {149 * millisecond, false, 200, false}};
    return made;
}

QList<MarkKind> kinds(const QList<TimelineMark> &marks)
{
    QList<MarkKind> result;
    for (const TimelineMark &mark : marks)
        result.append(mark.kind);
    return result;
}

void showLargeEnough(QWidget &widget, const QSize &size)
{
    widget.resize(size);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
}

} // namespace

class TestTimeline : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void marksInTheOrderOfTime();
    void unmeasuredHasNoMark();
    void gapsByHand();
    void medianOfKeptSamples();
    void scaleLeavesRoomForLabels();
    void labelsNeverTouch_data();
    void labelsNeverTouch();
    void longAnswersAreGathered();
    void readOutOfEachMark();
    void keyboardGoesOverMarksAndSamples();
    void failedAndTaintedSayWhy();
    void paintedLabelsStayInside_data();
    void paintedLabelsStayInside();
    void tableAndTimelineAgree();
    void enlargedAndBack();
};

void TestTimeline::initTestCase()
{
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

void TestTimeline::marksInTheOrderOfTime()
{
    const QList<TimelineMark> marks = timelineMarks(encryptedSample().probe);
    const QList<MarkKind> expected{MarkKind::connect, MarkKind::connected, MarkKind::encrypted, MarkKind::sent,
        MarkKind::headers, MarkKind::first_event, MarkKind::first_token, MarkKind::token, MarkKind::token,
        MarkKind::last_token, MarkKind::end};
    QCOMPARE(kinds(marks), expected);
    QCOMPARE(marks.at(7).token, 2);
    QCOMPARE(marks.at(8).token, 3);
    // Thinking first: the first visible text has a mark of its own.
    MeasuredSample thinking = encryptedSample();
    thinking.probe.stamps.first_content_ns = 115 * millisecond;
    QVERIFY(kinds(timelineMarks(thinking.probe)).contains(MarkKind::first_content));
}

void TestTimeline::unmeasuredHasNoMark()
{
    // A kept connection: nothing of connecting was measured, so nothing of it is shown.
    MeasuredSample kept = encryptedSample();
    kept.probe.stamps.connect_start_ns.reset();
    kept.probe.stamps.connected_ns.reset();
    kept.probe.stamps.encrypted_ns.reset();
    QCOMPARE(timelineMarks(kept.probe).constFirst().kind, MarkKind::sent);
    QVERIFY(timelineMarks(failedSample(1, Arm::cold).probe).isEmpty());
    QVERIFY(!timelineSentence(kept, {}).contains(u"onnect"));
    QVERIFY(!timelineSentence(encryptedSample(), {}).contains(u"DNS"));
}

void TestTimeline::gapsByHand()
{
    QCOMPARE(tokenGapsMs(encryptedSample().probe.events), QList<double>({10, 5, 30}));
    QVERIFY(tokenGapsMs({}).isEmpty());
    QCOMPARE(
        gapsSentence({10, 5, 30}), QStringLiteral("Gaps between events with text: median 10.0 ms, longest 30.0 ms."));
}

void TestTimeline::medianOfKeptSamples()
{
    // tenRounds: NO CACHE has the median (715 + 721) / 2 = 718, and each answer ends 100 ms later.
    QList<MeasuredSample> samples = tenRounds().samples;
    const MedianTrack track = medianTrack(samples, Arm::cold);
    QCOMPARE(track.samples, 10);
    QCOMPARE(*track.first_content_ns, 718 * millisecond);
    QCOMPARE(*track.end_ns, 818 * millisecond);
    QCOMPARE(*track.headers_ns, 1 * millisecond);
    QVERIFY(!track.last_token_ns);
    // What is left out does not count: without the three slowest the median of 7 is 712.
    for (MeasuredSample &one : samples)
        one.kept = one.kept && *one.probe.ttftMs() < 733;
    QCOMPARE(*medianTrack(samples, Arm::cold).first_content_ns, 712 * millisecond);
    QVERIFY(!medianTrack({}, Arm::cold).first_content_ns);
}

void TestTimeline::scaleLeavesRoomForLabels()
{
    // 0 … 100 ms from x 0 to 500; the label at 100 ms is 100 px wide, so 100 ms may lie at 400 at most. The one at 50
    // ms asks for less.
    const TimeScale scale = fitScale({{50, 100}, {100, 100}}, 0, 100, 0, 500);
    QCOMPARE(scale.x(100), 400.0);
    QCOMPARE(scale.x(50), 200.0);
    QCOMPARE(fitScale({}, -10, 90, 10, 510).x(0), 60.0);
    QVERIFY(fitScale({{100, 5000}}, 0, 100, 0, 300).right >= 100);
}

void TestTimeline::labelsNeverTouch_data()
{
    QTest::addColumn<QList<double>>("times");
    QTest::newRow("cached") << QList<double>{-0.3, -0.05, 0.05, 1.9, 19.7, 19.8, 120, 121};
    QTest::newRow("cold") << QList<double>{-3, -2, -1, 0.05, 2.4, 450.8, 450.9, 542.5, 542.8};
    QTest::newRow("same instant") << QList<double>{0, 5, 5, 5, 5, 9};
    QTest::newRow("spread") << QList<double>{0, 20, 40, 60, 80, 100};
    for (const quint32 seed : {1U, 2U, 3U, 4U, 5U}) {
        QRandomGenerator random(seed);
        QList<double> times;
        for (int i = 0; i < 11; ++i)
            times.append(random.bounded(1000.0));
        std::sort(times.begin(), times.end());
        QTest::addRow("seed %u", seed) << times;
    }
}

void TestTimeline::labelsNeverTouch()
{
    QFETCH(QList<double>, times);
    QList<LabelInput> labels;
    for (const double time : times)
        labels.append({time, 60 + double(labels.size() % 3) * 40});
    for (const double limit : {320.0, 560.0, 1800.0}) {
        const TimeScale scale = fitScale(labels, std::min(times.first(), 0.0), times.last(), 12, limit);
        const QList<int> rows = labelRows(labels, scale, 8);
        for (int i = 0; i < labels.size(); ++i) {
            const double left = scale.x(times.at(i));
            const double right = left + labels.at(i).width;
            QVERIFY2(right <= limit + 0.001, qPrintable(QString::number(right)));
            for (int j = i + 1; j < labels.size(); ++j) {
                const double other = scale.x(times.at(j));
                QVERIFY(other >= left);
                // Beside each other, or the later one's line ends below the earlier label.
                QVERIFY2(other >= right + 8 - 0.001 || rows.at(j) < rows.at(i),
                    qPrintable(QStringLiteral("%1 and %2").arg(i).arg(j)));
            }
        }
    }
}

void TestTimeline::longAnswersAreGathered()
{
    QList<double> gaps(4000, 1.0);
    gaps[3999] = 77;
    const QList<double> columns = gapColumns(gaps, 500, 3);
    QVERIFY(columns.size() <= 166);
    QCOMPARE(columns.last(), 77.0);
    QCOMPARE(gapColumns({1, 2, 3}, 500, 3), QList<double>({1, 2, 3}));
    QVERIFY(gapColumns({}, 500, 3).isEmpty());
}

void TestTimeline::readOutOfEachMark()
{
    const MeasuredSample shown = encryptedSample();
    const QStringList expected{
        QStringLiteral("Connecting began 3.0 ms before t0, the first request byte. It is not part "
                       "of the TTFT."),
        QStringLiteral("The connection stood 2.0 ms before t0."), QStringLiteral("TLS was agreed on 1.0 ms before t0."),
        QStringLiteral("The last request byte was handed over 0.05 ms after t0."),
        QStringLiteral("The headers of the answer arrived 1.0 ms after t0."),
        QStringLiteral("The first event of the stream arrived 99.0 ms after t0; it may carry no text yet."),
        QStringLiteral("The first text arrived 100 ms after t0: this is the TTFT."),
        QStringLiteral("Event 2 of 4 with text arrived 110 ms after t0, 10.0 ms after the one before."),
        QStringLiteral("Event 3 of 4 with text arrived 115 ms after t0, 5.0 ms after the one before."),
        QStringLiteral("The last of 4 events with text arrived 145 ms after t0."),
        QStringLiteral("The answer ended 150 ms after t0.")};
    QStringList sentences;
    for (const TimelineMark &mark : timelineMarks(shown.probe))
        sentences.append(markSentence(shown, mark));
    QCOMPARE(sentences, expected);
}

void TestTimeline::keyboardGoesOverMarksAndSamples()
{
    SampleModel model;
    TimelineView view(&model);
    model.setSamples({encryptedSample(1), encryptedSample(2, Arm::warm), encryptedSample(3)});
    showLargeEnough(view, {600, 320});
    QCOMPARE(view.shownNumber(), 3);
    TimelineTrack *track = view.track();
    track->setFocus();
    QTest::keyClick(track, Qt::Key_Right);
    QVERIFY(view.readOut().startsWith(u"Connecting began"));
    QTest::keyClick(track, Qt::Key_End);
    QCOMPARE(view.readOut(), QStringLiteral("The answer ended 150 ms after t0."));
    QTest::keyClick(track, Qt::Key_Right);
    QTest::keyClick(track, Qt::Key_Left);
    QVERIFY(view.readOut().startsWith(u"The last of 4"));
    QSignalSpy chosen(&view, &TimelineView::sampleChosen);
    QTest::keyClick(track, Qt::Key_Down);
    QCOMPARE(view.shownNumber(), 2);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(track->cursor(), -1);
    QTest::keyClick(track, Qt::Key_Down);
    QTest::keyClick(track, Qt::Key_Down);
    QCOMPARE(view.shownNumber(), 1);
    QVERIFY(track->accessibleDescription().contains(u"this is the TTFT"));
    QVERIFY(!track->accessibleName().isEmpty());
    // A new sample does not take the chosen one away; without a choice the newest is shown.
    model.addSample(encryptedSample(4));
    QCOMPARE(view.shownNumber(), 1);
    view.showSample(0);
    QCOMPARE(view.shownNumber(), 4);
}

void TestTimeline::failedAndTaintedSayWhy()
{
    SampleModel model;
    TimelineView view(&model);
    showLargeEnough(view, {600, 320});
    QCOMPARE(view.shownNumber(), 0);
    model.setSamples(contradictedRun().samples);
    QCOMPARE(view.reason(), failedSample(1, Arm::cold).probe.message);
    QCOMPARE(view.readOut(), QStringLiteral("Nothing of this request could be timed."));
    view.showSample(8);
    QCOMPARE(view.reason(), probe::taint::reason(probe::taint::busy_thread));
    view.showSample(7);
    QVERIFY2(view.reason().contains(u"contradicts what DIFFERENT PREFIX should find"), qPrintable(view.reason()));
    view.showSample(9);
    QVERIFY(view.reason().isEmpty());
    // Each word that taints a sample has its sentence.
    for (const QString &word :
        {probe::taint::busy_thread, probe::taint::buffered_stream, probe::taint::clock_gap, probe::taint::drift}) {
        MeasuredSample tainted = encryptedSample();
        tainted.kept = false;
        tainted.probe.tainted = {word};
        QCOMPARE(reasonSentence(tainted), probe::taint::reason(word));
    }
}

void TestTimeline::paintedLabelsStayInside_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<double>("zoom");
    QTest::addColumn<int>("width");
    for (const int width : {420, 600, 1900}) {
        for (const double zoom : {1.0, 1.5}) {
            for (const char *language : {"en", "zh"})
                QTest::addRow("%s %d %.1f", language, width, zoom) << QString::fromLatin1(language) << zoom << width;
        }
    }
}

void TestTimeline::paintedLabelsStayInside()
{
    QFETCH(QString, language);
    QFETCH(double, zoom);
    QFETCH(int, width);
    i18n::installLanguage(language);
    applyAppearance(Theme::light, zoom);
    TimelineTrack track;
    track.show(encryptedSample(), medianTrack({encryptedSample()}, Arm::cold));
    showLargeEnough(track, {width, 300});
    track.resize(width, track.minimumSizeHint().height());
    const QList<QRectF> rects = track.labelRects();
    QCOMPARE(rects.size(), 9);
    for (const QRectF &rect : rects) {
        QVERIFY2(QRectF(track.rect()).contains(rect),
            qPrintable(QStringLiteral("%1 … %2").arg(rect.left()).arg(rect.right())));
        for (const QRectF &other : rects)
            QVERIFY(&rect == &other || !rect.intersects(other));
    }
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

void TestTimeline::tableAndTimelineAgree()
{
    RunTabs tabs;
    tabs.setSamples(tenRounds().samples);
    showLargeEnough(tabs, {620, 320});
    auto *table = tabs.findChild<QTableView *>(QStringLiteral("samplesTable"));
    auto *view = tabs.findChild<TimelineView *>();
    table->selectRow(2); // newest first: number 28
    tabs.showPage(view);
    QCOMPARE(view->shownNumber(), 28);
    QTest::keyClick(view->track(), Qt::Key_Up);
    QCOMPARE(view->shownNumber(), 29);
    QCOMPARE(table->currentIndex().row(), 1);
    // A choice belongs to its run.
    tabs.setSamples(oneRound().samples);
    QCOMPARE(view->shownNumber(), 3);
}

void TestTimeline::enlargedAndBack()
{
    MeasurePanel panel;
    panel.endRun(tenRounds());
    showLargeEnough(panel, {640, 560});
    auto *tabs = panel.findChild<RunTabs *>();
    QSignalSpy enlarged(&panel, &MeasurePanel::tabsEnlarged);
    const int before = tabs->height();
    tabs->findChild<QToolButton *>(QStringLiteral("enlargeTabs"))->click();
    QCOMPARE(enlarged.count(), 1);
    QTRY_VERIFY_WITH_TIMEOUT(tabs->height() > before + 150, 10'000);
    panel.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    QTest::keyClick(tabs->findChild<QTableView *>(QStringLiteral("samplesTable")), Qt::Key_Escape);
    QCOMPARE(enlarged.count(), 2);
    QVERIFY(!tabs->isEnlarged());
    QTRY_COMPARE_WITH_TIMEOUT(tabs->height(), before, 10'000);
    // Once more: now Escape is the window's again.
    QTest::keyClick(tabs->findChild<QTableView *>(QStringLiteral("samplesTable")), Qt::Key_Escape);
    QCOMPARE(enlarged.count(), 2);
}

QTEST_MAIN(TestTimeline)
#include "tst_timeline.moc"
