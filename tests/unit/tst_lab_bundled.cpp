// SPDX-License-Identifier: GPL-3.0-or-later
// The lab that comes with the program: sound, bilingual, complete, and right by arithmetic done here once more.
#include "lab_samples.h"

#include "lab/placeholders.h"
#include "lab/quantity.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QtTest>

#include <cmath>

using namespace kvlab;
using namespace kvlab::lab;

namespace {

/// Every text of the lab with where it stands.
QList<std::pair<QString, Text>> textsOf(const Lab &lab)
{
    QList<std::pair<QString, Text>> texts{{QStringLiteral("title"), lab.title}};
    const auto add = [&texts](const QString &path, const Text &text) {
        if (!text.isEmpty())
            texts.append({path, text});
    };
    for (const Part &part : lab.parts) {
        add(part.id, part.title);
        for (const Step &step : part.steps) {
            add(step.id + QStringLiteral(".title"), step.title);
            add(step.id + QStringLiteral(".text"), step.text);
            add(step.id + QStringLiteral(".try"), step.attempt);
            for (const Text &hint : step.hints)
                add(step.id + QStringLiteral(".hints"), hint);
            if (!step.question)
                continue;
            add(step.id + QStringLiteral(".prompt"), step.question->prompt);
            add(step.id + QStringLiteral(".answer"), step.question->answer);
            add(step.id + QStringLiteral(".explanation"), step.question->explanation);
            for (const Option &option : step.question->options)
                add(step.id + u'.' + option.id, option.text);
        }
    }
    return texts;
}

std::optional<double> expected(const char *step, const LabFacts &facts = {})
{
    return expectedNumber(*builtInLab().step(QString::fromLatin1(step))->question, facts);
}

bool isNear(const std::optional<double> &value, double wanted)
{
    return value && std::abs(*value - wanted) <= 1e-6 * std::abs(wanted);
}

} // namespace

class TestLabBundled : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isReadWithoutProblems();
    void hasItsPartsAndKinds();
    void everyQuestionHasThreeHintsAndAnExplanation();
    void theFourTalkingPointsEndInSomethingToTry();
    void bothLanguagesAreWhole();
    void theExpectedAnswersAreRight();
    void theRecordedRunsExist();
    void isPlayedFromTheFirstStepToTheLast();
};

void TestLabBundled::isReadWithoutProblems()
{
    QFile file(QStringLiteral(KVLAB_SOURCE_DIR "/resources/labs/kv-cache.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto read = readLab(file.readAll());
    QStringList lines;
    if (const auto *problems = std::get_if<QList<LabProblem>>(&read)) {
        for (const LabProblem &problem : *problems)
            lines << problemLine(problem);
    }
    QCOMPARE(lines, QStringList());
    QCOMPARE(builtInLab().id, QStringLiteral("kv-cache"));
    QCOMPARE(builtInLab().minutes, 25);
}

void TestLabBundled::hasItsPartsAndKinds()
{
    QCOMPARE(builtInLab().parts.size(), 3);
    for (const Part &part : builtInLab().parts) {
        QSet<StepKind> kinds;
        for (const Step &step : part.steps)
            kinds << step.kind;
        QCOMPARE(kinds.size(), 5); // explore, predict, measure, explain, apply
        QVERIFY2(part.steps.size() >= 5 && part.steps.size() <= 9, qPrintable(part.id));
    }
    QSet<QuestionKind> asked;
    for (const Part &part : builtInLab().parts) {
        for (const Step &step : part.steps) {
            if (step.question)
                asked << step.question->kind;
        }
    }
    QCOMPARE(asked.size(), 6);
}

void TestLabBundled::everyQuestionHasThreeHintsAndAnExplanation()
{
    for (const Part &part : builtInLab().parts) {
        for (const Step &step : part.steps) {
            if (!step.question)
                continue;
            QVERIFY2(step.hints.size() == 3, qPrintable(step.id));
            QVERIFY2(step.kind == StepKind::predict || !step.question->explanation.isEmpty(), qPrintable(step.id));
        }
    }
}

void TestLabBundled::theFourTalkingPointsEndInSomethingToTry()
{
    for (const char *id : {"what-grows", "prefix-rule", "apc-lmcache", "price"}) {
        const Step *step = builtInLab().step(QString::fromLatin1(id));
        QVERIFY2(step && step->kind == StepKind::explain, id);
        QVERIFY2(step->question && !step->attempt.isEmpty(), id);
    }
    // The first shows the formula with the row's own numbers.
    QVERIFY(builtInLab()
                .step(QStringLiteral("what-grows"))
                ->text.in(QStringLiteral("en"))
                .contains(QStringLiteral("{row_formula}")));
    const Step *neighbour = builtInLab().step(QStringLiteral("neighbour"));
    QCOMPARE(neighbour->title.in(QStringLiteral("en")), QStringLiteral("Why is mine slower than my neighbour's?"));
}

void TestLabBundled::bothLanguagesAreWhole()
{
    static const QRegularExpression han(QStringLiteral("\\p{Han}"));
    // Digits, units and names alone need no translation.
    static const QRegularExpression words(QStringLiteral("[a-z]{4,}"));
    static const QRegularExpression half_width(QStringLiteral("\\p{Han}[,;:!?]|\\p{Han}\\.(\\s|$)"));
    int sentences = 0;
    for (const auto &[path, text] : textsOf(builtInLab())) {
        const QString english = text.in(QStringLiteral("en"));
        const QString chinese = text.in(QStringLiteral("zh"));
        QVERIFY2(!english.contains(han), qPrintable(path));
        QStringList wanted = placeholdersIn(english);
        QStringList got = placeholdersIn(chinese);
        wanted.sort();
        got.sort();
        QVERIFY2(wanted == got, qPrintable(path + u' ' + got.join(u' ')));
        QVERIFY2(!chinese.contains(half_width), qPrintable(path + u' ' + chinese));
        QString bare = english;
        bare.remove(QRegularExpression(QStringLiteral("\\{[^}]*\\}")));
        if (bare.contains(words)) {
            ++sentences;
            QVERIFY2(chinese.contains(han), qPrintable(path));
        }
        // The numbers of a sentence are the same in both languages, but for words such as “two”.
        QRegularExpression number(QStringLiteral("[0-9][0-9,.]*[0-9]"));
        QStringList numbers;
        for (auto match = number.globalMatch(english); match.hasNext();)
            numbers << match.next().captured();
        for (const QString &one : numbers)
            QVERIFY2(chinese.contains(one), qPrintable(path + u' ' + one));
    }
    QVERIFY(sentences > 80);
}

/// By hand, from the figures in the texts.
void TestLabBundled::theExpectedAnswersAreRight()
{
    // 2 × 28 × 4 × 128 × 16,384 × 2 B ÷ 2³⁰
    QVERIFY(isNear(expected("predict-16k"), 2.0 * 28 * 4 * 128 * 16384 * 2 / 1073741824));
    // ⌊(24 GiB × 0.9 − 7,615,616,512 × 2 B − 2 GiB) ÷ 939,524,096 B⌋
    QVERIFY(isNear(expected("how-many-fit"),
        std::floor((24.0 * 1073741824 * 0.9 - 7'615'616'512.0 * 2 - 2.0 * 1073741824) / 939'524'096)));
    QVERIFY(isNear(expected("prefix-rule"), 71 * 16));
    QCOMPARE(expected("apc-lmcache"), std::optional(0.0));
    // 2 × 32 × 8 × 128 × 4,096 × 2 B ÷ 24.8 GB/s
    QVERIFY(isNear(expected("predict-load"), 2.0 * 32 * 8 * 128 * 4096 * 2 / 24.8e9 * 1e3));
    QVERIFY(isNear(expected("load-7b"), 939'524'096 / 1.1e9 * 1e3));
    QVERIFY(!expected("predict-ttft").has_value());
    LabFacts facts;
    facts.run = test::madeUpRun({490, 500, 510}, {19, 20, 21});
    QVERIFY(isNear(expected("predict-ttft", facts), 96));
    QVERIFY(isNear(expected("computed", facts), 25));
    QVERIFY(isNear(expected("predict-hit", facts), 1504));
    // Seconds per gigabyte order the tiers; a hit copies nothing. 10 Gb/s are 1.25 GB/s at the very most.
    const QMap<QString, double> speed{{QStringLiteral("gpu"), 1e9}, {QStringLiteral("ram"), 24.8},
        {QStringLiteral("ssd"), 6.5}, {QStringLiteral("net"), 1.25}};
    QStringList order = speed.keys();
    std::sort(order.begin(), order.end(), [&](const QString &a, const QString &b) { return speed[a] > speed[b]; });
    QCOMPARE(builtInLab().step(QStringLiteral("tiers-order"))->question->right, order);
}

void TestLabBundled::theRecordedRunsExist()
{
    for (const QString &name : recordedNames())
        QVERIFY2(QFileInfo::exists(QStringLiteral(KVLAB_SOURCE_DIR "/resources/recorded/%1.json").arg(name)),
            qPrintable(name));
    for (const Part &part : builtInLab().parts) {
        for (const Step &step : part.steps) {
            if (step.done.kind == ConditionKind::samples)
                QVERIFY2(!step.recorded.isEmpty(), qPrintable(step.id));
        }
    }
}

/// A student who is right everywhere comes through, step by step and never stuck.
void TestLabBundled::isPlayedFromTheFirstStepToTheLast()
{
    const Lab &lab = builtInLab();
    LabState state;
    LabFacts facts;
    facts.run = test::madeUpRun({490, 500, 510}, {19, 20, 21});
    const QMap<QString, QString> typed{{QStringLiteral("predict-16k"), QStringLiteral("1")},
        {QStringLiteral("how-many-fit"), QStringLiteral("6")}, {QStringLiteral("prefix-rule"), QStringLiteral("1136")},
        {QStringLiteral("predict-ttft"), QStringLiteral("60")}, {QStringLiteral("computed"), QStringLiteral("25")},
        {QStringLiteral("neighbour"), QStringLiteral("400")}, {QStringLiteral("predict-hit"), QStringLiteral("992")},
        {QStringLiteral("apc-lmcache"), QStringLiteral("0")}, {QStringLiteral("predict-load"), QStringLiteral("20")},
        {QStringLiteral("load-7b"), QStringLiteral("854")}, {QStringLiteral("decide"), QStringLiteral("It depends.")}};
    QString id = nextOpen(lab, state, {});
    int steps = 0;
    while (!id.isEmpty() && steps < 100) {
        ++steps;
        const Step *step = lab.step(id);
        lab::open(lab, state, id, QDateTime::currentDateTime());
        if (step->question) {
            const QString text = isNumeric(step->question->kind) || step->question->kind == QuestionKind::text
                ? typed.value(id)
                : step->question->right.join(u',');
            QVERIFY2(answerCurrent(lab, state, text, facts).counts(), qPrintable(id));
        } else if (step->done.kind == ConditionKind::samples) {
            QVERIFY(facts.run.has_value());
            // The arms that the step asks for, and a run of its plan.
            for (const experiment::Arm arm : step->done.arms)
                facts.run->summary.arms[arm].kept = 3;
            facts.run->plan.shared_tokens = step->done.plan.shared_tokens.value_or(1500);
        } else {
            const RowPattern &row = step->done.row;
            facts.current_row = memory::MemoryRow{*row.model, *row.seq_len, *row.batch, *row.kv_dtype};
            facts.rows << *facts.current_row;
        }
        QVERIFY2(advance(lab, state, facts, QDateTime::currentDateTime()), qPrintable(id));
        id = nextOpen(lab, state, id);
    }
    QCOMPARE(progressOf(lab, state).done, progressOf(lab, state).all);
    QCOMPARE(steps, progressOf(lab, state).all);
    QCOMPARE(state.steps.value(QStringLiteral("measure-arms")).result, std::optional(96.0));
}

QTEST_GUILESS_MAIN(TestLabBundled)
#include "tst_lab_bundled.moc"
