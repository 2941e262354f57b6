// SPDX-License-Identifier: GPL-3.0-or-later
// Plan, seeded order, schedule and its time estimate.
#include "experiment/experiment_plan.h"
#include "experiment/schedule.h"
#include "experiment/seeded_random.h"

#include <QSet>
#include <QTest>

using namespace kvlab::experiment;

class TestPlan : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void defaultsAreValid();
    void outOfRangeIsRefused_data();
    void outOfRangeIsRefused();
    void armsMustBeNamedOnce();
    void namesReadBack();
    void randomNumbersAreThoseOfTheStandard();
    void orderDependsOnTheSeedAlone();
    void everyRoundHasEveryArm();
    void primesComeDirectlyBefore();
    void warmUpsComeFirst();
    void allOrdersOccur();
    void estimateUsesMediansOfLikeSteps();
    void estimateBorrowsFromTheMostSimilar();
};

void TestPlan::defaultsAreValid()
{
    const auto problem = validate(ExperimentPlan());
    QVERIFY2(!problem, qPrintable(problem.value_or(QString())));
}

void TestPlan::outOfRangeIsRefused_data()
{
    QTest::addColumn<int>("rounds");
    QTest::addColumn<int>("sharedTokens");
    QTest::addColumn<int>("maxTokens");
    QTest::addColumn<QString>("mustName");
    QTest::newRow("no rounds") << 0 << 1500 << 16 << QStringLiteral("rounds is 0");
    QTest::newRow("negative rounds") << -3 << 1500 << 16 << QStringLiteral("between 1 and 1,000");
    QTest::newRow("many rounds") << 1001 << 1500 << 16 << QStringLiteral("rounds is 1,001");
    QTest::newRow("short prefix") << 10 << 0 << 16 << QStringLiteral("shared prefix");
    QTest::newRow("huge prefix") << 10 << 2'000'000 << 16 << QStringLiteral("shared prefix");
    QTest::newRow("no answer") << 10 << 1500 << 0 << QStringLiteral("max_tokens");
    QTest::newRow("huge answer") << 10 << 1500 << 4097 << QStringLiteral("max_tokens");
}

void TestPlan::outOfRangeIsRefused()
{
    QFETCH(const int, rounds);
    QFETCH(const int, sharedTokens);
    QFETCH(const int, maxTokens);
    QFETCH(const QString, mustName);
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    ExperimentPlan plan;
    plan.rounds = rounds;
    plan.shared_tokens = sharedTokens;
    plan.max_tokens = maxTokens;
    const auto problem = validate(plan);
    QVERIFY(problem.has_value());
    QVERIFY2(problem->contains(mustName), qPrintable(*problem));
}

void TestPlan::armsMustBeNamedOnce()
{
    ExperimentPlan plan;
    plan.arms = {};
    QVERIFY(validate(plan).has_value());
    plan.arms = {Arm::warm, Arm::cold, Arm::warm};
    QVERIFY(validate(plan)->contains(QLatin1String("warm")));
    plan.arms = {Arm::warm};
    QVERIFY(!validate(plan));
    plan.limits.gap_ms = 0;
    QVERIFY(validate(plan).has_value());
}

void TestPlan::namesReadBack()
{
    for (const Arm arm : allArms())
        QVERIFY(armFromName(armName(arm)) == arm);
    QVERIFY(!armFromName(QStringLiteral("COLD")));
    QCOMPARE(armName(Arm::different), QStringLiteral("different"));
    QVERIFY(coldMethodFromName(QStringLiteral("auto")) == ColdMethod::automatic);
    QVERIFY(coldMethodFromName(coldMethodName(ColdMethod::salt)) == ColdMethod::salt);
    QVERIFY(coldMethodFromName(coldMethodName(ColdMethod::nonce)) == ColdMethod::nonce);
}

void TestPlan::randomNumbersAreThoseOfTheStandard()
{
    // C++ standard, [rand.predef]: the 10,000th number of mt19937 with its default seed 5489 is 4123659995.
    SeededRandom random(5489);
    for (int i = 1; i < 10'000; ++i)
        random.below(0x80000000U);
    QCOMPARE(random.below(0x80000000U), 4123659995U % 0x80000000U);
}

void TestPlan::orderDependsOnTheSeedAlone()
{
    ExperimentPlan plan;
    const QList<Step> first = makeSchedule(plan);
    QVERIFY(makeSchedule(plan) == first);
    plan.document = QStringLiteral("another document");
    QVERIFY(makeSchedule(plan) == first);
    plan.seed = 2;
    QVERIFY(!(makeSchedule(plan) == first));
}

void TestPlan::everyRoundHasEveryArm()
{
    ExperimentPlan plan;
    plan.rounds = 25;
    QMap<int, QSet<int>> seen;
    int measured = 0;
    for (const Step &step : makeSchedule(plan)) {
        if (step.kind != StepKind::measure)
            continue;
        ++measured;
        seen[step.round].insert(static_cast<int>(*step.arm));
    }
    QCOMPARE(measured, 75);
    QCOMPARE(seen.size(), 25);
    QCOMPARE(seen.firstKey(), 1);
    for (const QSet<int> &arms : std::as_const(seen))
        QCOMPARE(arms.size(), 3);
}

void TestPlan::primesComeDirectlyBefore()
{
    const QList<Step> steps = makeSchedule(ExperimentPlan());
    for (qsizetype i = 1; i < steps.size(); ++i) {
        if (steps.at(i).kind != StepKind::measure)
            continue;
        const bool primed = steps.at(i - 1).kind == StepKind::prime;
        QCOMPARE(primed, steps.at(i).arm != Arm::cold);
        if (primed) {
            QVERIFY(steps.at(i - 1).arm == steps.at(i).arm);
            QCOMPARE(steps.at(i - 1).round, steps.at(i).round);
        }
    }
}

void TestPlan::warmUpsComeFirst()
{
    const QList<Step> steps = makeSchedule(ExperimentPlan());
    QVERIFY(steps.at(0).kind == StepKind::warm_up && steps.at(1).kind == StepKind::warm_up);
    for (qsizetype i = 2; i < steps.size(); ++i)
        QVERIFY(steps.at(i).kind != StepKind::warm_up);
}

void TestPlan::allOrdersOccur()
{
    ExperimentPlan plan;
    plan.rounds = 200;
    QMap<int, QString> orders;
    for (const Step &step : makeSchedule(plan)) {
        if (step.kind == StepKind::measure)
            orders[step.round] += armName(*step.arm).left(1);
    }
    const QStringList list = orders.values();
    QCOMPARE(QSet<QString>(list.begin(), list.end()).size(), 6);
}

void TestPlan::estimateUsesMediansOfLikeSteps()
{
    StepTimes times;
    QVERIFY(!times.remainingMs({{StepKind::measure, 1, Arm::cold}}));
    for (const qint64 duration : {400, 9000, 500})
        times.add({StepKind::measure, 1, Arm::cold}, duration);
    times.add({StepKind::measure, 1, Arm::warm}, 50);
    QCOMPARE(times.remainingMs({{StepKind::measure, 2, Arm::cold}, {StepKind::measure, 2, Arm::warm}}).value(), 550);
    QCOMPARE(times.remainingMs({}).value(), 0);
}

void TestPlan::estimateBorrowsFromTheMostSimilar()
{
    StepTimes times;
    times.add({StepKind::warm_up, 0, std::nullopt}, 700);
    QCOMPARE(times.remainingMs({{StepKind::measure, 1, Arm::different}}).value(), 700);
    times.add({StepKind::prime, 1, Arm::warm}, 60);
    QCOMPARE(
        times.remainingMs({{StepKind::measure, 1, Arm::warm}, {StepKind::measure, 1, Arm::different}}).value(), 760);
    times.add({StepKind::measure, 1, Arm::cold}, 650);
    QCOMPARE(times.remainingMs({{StepKind::measure, 1, Arm::different}}).value(), 650);
}

QTEST_APPLESS_MAIN(TestPlan)
#include "tst_plan.moc"
