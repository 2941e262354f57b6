// SPDX-License-Identifier: GPL-3.0-or-later
// Questions of every kind, conditions of every kind, quantities, figures in texts, and the state across a session.
// Expected values by hand: Qwen2.5-7B keeps 2 × 28 × 4 × 128 × 2 B = 57,344 B per token.
#include "lab_samples.h"

#include "lab/placeholders.h"
#include "lab/quantity.h"

#include <QtTest>

using namespace kvlab;
using namespace kvlab::lab;
using test::madeUpRun;

namespace {

const QDateTime now = QDateTime::fromString(QStringLiteral("2026-03-01T10:00:00Z"), Qt::ISODate);

Question numeric(QuestionKind kind, const QString &unit, double expected)
{
    Question question;
    question.kind = kind;
    question.unit = unit;
    question.number = expected;
    return question;
}

Condition condition(ConditionKind kind)
{
    Condition made;
    made.kind = kind;
    return made;
}

Quantity quantity(const char *name, const char *arguments = "{}")
{
    return {QString::fromLatin1(name), QJsonDocument::fromJson(arguments).object()};
}

} // namespace

class TestLab : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void typedNumbers_data();
    void typedNumbers();
    void shownNumbers_data();
    void shownNumbers();
    void judging_data();
    void judging();
    void choicesAndOrderings();
    void predictionsAreNotJudged();
    void quantities_data();
    void quantities();
    void aRunGoingOnHasNoFigures();
    void rowConditions();
    void samplesCondition();
    void otherConditions();
    void predictionHoldsMeasureUntilGiven();
    void aStepNobodyOpenedIsNotTickedOff();
    void skippingAndResetting();
    void theResultStaysAsItWas();
    void figuresInTexts();
    void stateRoundTrips();
    void damagedStatesAreRefused_data();
    void damagedStatesAreRefused();
};

void TestLab::typedNumbers_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("unit");
    QTest::addColumn<double>("value"); // NaN = unreadable
    const double no = qQNaN();
    const auto row = [](const char *text, const char *unit, double value) {
        QTest::addRow("%s as %s", text, unit) << QString::fromUtf8(text) << QString::fromUtf8(unit) << value;
    };
    row("60", "%", 60);
    row("60 %", "%", 60);
    row("６０％", "%", 60);
    row("-3.5", "%", -3.5);
    row("−3.5", "%", -3.5);
    row("0", "tokens", 0);
    row("1,136", "tokens", 1136);
    row("1 136 tokens", "tokens", 1136);
    row("1136 个 token", "tokens", 1136);
    row("4k", "tokens", 4096);
    row("4K", "tokens", 4096);
    row("４ｋ", "tokens", 4096);
    row("0.875", "GiB", 0.875);
    row("0.875GiB", "GiB", 0.875);
    row("896 MiB", "GiB", 0.875);
    row("939524096 B", "GiB", 0.875);
    row("0.939524096 GB", "GiB", 0.875);
    row("939,524,096 字节", "GiB", 0.875);
    row("0.0216 s", "ms", 21.6);
    row("21.6 毫秒", "ms", 21.6);
    row("21600 µs", "ms", 21.6);
    row("36 x", "×", 36);
    row("36倍", "×", 36);
    row("1.5e3", "", 1500);
    row("1.024", "GiB", 1.024);
    row("", "%", no);
    row("many", "%", no);
    row("60 % lower", "%", no);
    row("1,2", "", no);
    row("12,34", "", no);
    row("1e999", "", no);
    row("NaN", "", no);
    row("inf", "", no);
    row("0x10", "", no);
    row("3 ms", "GiB", no);
    row("4k k", "tokens", no);
}

void TestLab::typedNumbers()
{
    QFETCH(QString, text);
    QFETCH(QString, unit);
    QFETCH(double, value);
    const TypedNumber typed = parseNumber(text, unit);
    QCOMPARE(typed.value.has_value(), !qIsNaN(value));
    if (typed.value)
        QVERIFY2(
            qAbs(*typed.value - value) <= 1e-9 * qMax(1.0, qAbs(value)), qPrintable(QString::number(*typed.value)));
    QCOMPARE(typed.other_dimension, text == QLatin1String("3 ms"));
}

void TestLab::shownNumbers_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("whole") << 1136.0 << QStringLiteral("1,136");
    QTest::newRow("zero") << 0.0 << QStringLiteral("0");
    QTest::newRow("three digits") << 0.875 << QStringLiteral("0.875");
    QTest::newRow("rounded") << 21.6478 << QStringLiteral("21.6");
    QTest::newRow("percent") << 96.5311 << QStringLiteral("96.5");
    QTest::newRow("large") << 718.42 << QStringLiteral("718");
    QTest::newRow("larger") << 2123.7 << QStringLiteral("2,124");
    QTest::newRow("tiny") << 0.00123456 << QStringLiteral("0.00123");
    QTest::newRow("below") << -12.34 << QStringLiteral("-12.3");
}

void TestLab::shownNumbers()
{
    QFETCH(double, value);
    QFETCH(QString, text);
    QCOMPARE(formatNumber(value, QLocale(QLocale::English)), text);
}

void TestLab::judging_data()
{
    QTest::addColumn<QuestionKind>("kind");
    QTest::addColumn<double>("expected");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("verdict");
    const auto row = [](QuestionKind kind, double expected, const char *text, const char *verdict) {
        QTest::addRow("%s %g: %s", qPrintable(questionKindName(kind)), expected, text)
            << kind << expected << QString::fromUtf8(text) << QString::fromLatin1(verdict);
    };
    row(QuestionKind::integer, 1136, "1,136", "right");
    row(QuestionKind::integer, 1136, "1136 tokens", "right");
    row(QuestionKind::integer, 1136, "1135", "too_low");
    row(QuestionKind::integer, 1136, "1152", "too_high");
    row(QuestionKind::integer, 1136, "1136.5", "unreadable");
    row(QuestionKind::integer, 0, "0", "right");
    row(QuestionKind::integer, 0, "256", "too_high");
    row(QuestionKind::integer, 1136, "1136 ms", "other_unit");
    row(QuestionKind::integer, 1136, "", "unreadable");
    // 2 % of 1,000: 980 to 1,020.
    row(QuestionKind::number, 1000, "980", "right");
    row(QuestionKind::number, 1000, "1020", "right");
    row(QuestionKind::number, 1000, "979", "too_low");
    row(QuestionKind::number, 1000, "1021", "too_high");
    // √10 = 3.162…
    row(QuestionKind::magnitude, 100, "32", "right");
    row(QuestionKind::magnitude, 100, "316", "right");
    row(QuestionKind::magnitude, 100, "31", "too_low");
    row(QuestionKind::magnitude, 100, "317", "too_high");
    row(QuestionKind::magnitude, 100, "0", "too_low");
    row(QuestionKind::magnitude, 100, "-100", "too_low");
}

void TestLab::judging()
{
    QFETCH(QuestionKind, kind);
    QFETCH(double, expected);
    QFETCH(QString, text);
    QFETCH(QString, verdict);
    QCOMPARE(answerVerdictName(judge(numeric(kind, QStringLiteral("tokens"), expected), text, {}).verdict), verdict);
}

void TestLab::choicesAndOrderings()
{
    Question question;
    question.kind = QuestionKind::choice;
    for (const char *id : {"a", "b", "c"})
        question.options << Option{QString::fromLatin1(id), {}};
    question.right = {QStringLiteral("b")};
    const auto verdict = [&question](const char *text) {
        return answerVerdictName(judge(question, QString::fromLatin1(text), {}).verdict);
    };
    QCOMPARE(verdict("b"), QStringLiteral("right"));
    QCOMPARE(verdict("a"), QStringLiteral("wrong"));
    QCOMPARE(verdict("d"), QStringLiteral("unreadable"));
    QCOMPARE(verdict(""), QStringLiteral("unreadable"));
    QCOMPARE(verdict("a,b"), QStringLiteral("unreadable"));
    question.kind = QuestionKind::ordering;
    question.right = {QStringLiteral("c"), QStringLiteral("a"), QStringLiteral("b")};
    QCOMPARE(verdict("c,a,b"), QStringLiteral("right"));
    QCOMPARE(verdict("a,b,c"), QStringLiteral("wrong"));
    QCOMPARE(verdict("c,a"), QStringLiteral("unreadable"));
    QCOMPARE(verdict("c,a,a"), QStringLiteral("unreadable"));
    question.kind = QuestionKind::text;
    QCOMPARE(verdict("  because  "), QStringLiteral("recorded"));
    QCOMPARE(verdict("   "), QStringLiteral("unreadable"));
    QCOMPARE(judge(question, QString(10'000, u'x'), {}).text.size(), 4000);
}

void TestLab::predictionsAreNotJudged()
{
    Question question = numeric(QuestionKind::number, QStringLiteral("%"), 97);
    question.judged = false;
    const Answer answer = judge(question, QStringLiteral("60"), {});
    QCOMPARE(answer.verdict, AnswerVerdict::recorded);
    QCOMPARE(answer.value, std::optional(60.0));
    // Nor is anything known before a run: a judged question says so instead of “wrong”.
    question.judged = true;
    question.number.reset();
    question.quantity = quantity("ttft_reduction");
    QCOMPARE(judge(question, QStringLiteral("60"), {}).verdict, AnswerVerdict::not_known);
}

void TestLab::quantities_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("arguments");
    QTest::addColumn<double>("value");
    const auto row = [](const char *name, const char *arguments, double value) {
        QTest::addRow("%s %s", name, arguments) << QString::fromLatin1(name) << QByteArray(arguments) << value;
    };
    row("kv_bytes", R"({"model":"Qwen2.5-7B","seq_len":4096,"batch":1,"kv_dtype":"bf16"})", 234'881'024);
    row("kv_bytes", R"({"model":"Qwen2.5-7B","seq_len":16384,"batch":1,"kv_dtype":"bf16"})", 939'524'096);
    row("kv_bytes", R"({"model":"Qwen2.5-7B","seq_len":4096,"batch":8,"kv_dtype":"fp8"})", 939'524'096);
    row("kv_bytes_per_token", R"({"model":"Qwen2.5-7B","kv_dtype":"bf16"})", 57'344);
    row("kv_bytes_per_token", R"({"model":"DeepSeek-V3","kv_dtype":"bf16"})", 70'272);
    // 24 GiB × 0.9 − 7,615,616,512 × 2 B − 2 GiB = 5.415 GiB; each takes 0.875 GiB: 6.19.
    row("max_batch", R"({"model":"Qwen2.5-7B","seq_len":16384,"kv_dtype":"bf16","device":"GeForce RTX 4090"})", 6);
    // 536,870,912 B ÷ 24.8 × 10⁹ B/s.
    row("load_ms", R"({"model":"Llama-3.1-8B","seq_len":4096,"batch":1,"kv_dtype":"bf16","gb_per_s":24.8})",
        21.648'020'6);
    row("prefix_hit", R"({"common_tokens":1149,"prompt_tokens":1156,"block_size":16})", 1136);
    row("prefix_hit", R"({"common_tokens":1156,"prompt_tokens":1156,"block_size":16})", 1152);
    row("prefix_hit", R"({"common_tokens":1024,"prompt_tokens":1024,"block_size":16})", 1008);
    row("prefix_hit", R"({"common_tokens":409,"prompt_tokens":420,"block_size":16})", 400);
    row("chunk_hit", R"({"tokens":419,"chunk_size":256})", 256);
    row("chunk_hit", R"({"tokens":200,"chunk_size":256})", 0);
    row("median_ttft", R"({"arm":"cold"})", 500);
    row("median_ttft", R"({"arm":"warm"})", 20);
    row("ratio", "{}", 25);
    row("ttft_reduction", "{}", 96);
    row("prompt_tokens", R"({"arm":"warm"})", 1529);
    row("cached_tokens", R"({"arm":"warm"})", 1504);
    row("expected_hit", R"({"arm":"warm"})", 1504);
    row("computed_tokens", R"({"arm":"warm"})", 25);
    row("computed_tokens", R"({"arm":"cold"})", 1529);
    row("tokens_per_second", "{}", 3058);
}

void TestLab::quantities()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, arguments);
    QFETCH(double, value);
    LabFacts facts;
    facts.run = madeUpRun({490, 500, 510}, {19, 20, 21});
    const auto got = evaluate({name, QJsonDocument::fromJson(arguments).object()}, facts);
    QVERIFY(got.has_value());
    QVERIFY2(qAbs(*got - value) <= 1e-6 * qMax(1.0, value), qPrintable(QString::number(*got, 'g', 12)));
}

void TestLab::aRunGoingOnHasNoFigures()
{
    LabFacts facts;
    facts.run = madeUpRun({500}, {20});
    facts.measuring = true;
    for (const QuantityKind &kind : quantityKinds()) {
        if (kind.measured)
            QVERIFY2(!evaluate({kind.name, {{QStringLiteral("arm"), QStringLiteral("warm")}}}, facts),
                qPrintable(kind.name));
    }
    facts.measuring = false;
    facts.run.reset();
    QVERIFY(!evaluate(quantity("ratio"), facts));
    QVERIFY(!evaluate(quantity("no_such_thing"), facts));
}

void TestLab::rowConditions()
{
    LabFacts facts;
    facts.rows = {{QStringLiteral("Qwen2.5-7B"), 4096, 1, memory::CacheFormat::bf16},
        {QStringLiteral("Qwen2.5-7B"), 16384, 8, memory::CacheFormat::fp8}};
    facts.current_row = facts.rows.first();
    Condition row = condition(ConditionKind::row);
    const auto row_holds = [&] { return holds(row, {}, {}, facts); };
    QVERIFY(row_holds()); // any row at all
    row.row.seq_len = 16384;
    QVERIFY(row_holds());
    row.row.batch = 1;
    QVERIFY(!row_holds());
    row.row.batch = 8;
    row.row.model = QStringLiteral("qwen2.5-7b");
    QVERIFY(row_holds());
    row.row.kv_dtype = memory::CacheFormat::bf16;
    QVERIFY(!row_holds());
    row.row.kv_dtype = memory::CacheFormat::fp8;
    QVERIFY(row_holds());
    row.kind = ConditionKind::current_row;
    QVERIFY(!row_holds());
    facts.current_row = facts.rows.last();
    QVERIFY(row_holds());
    facts.current_row.reset();
    QVERIFY(!row_holds());
    facts.rows.clear();
    row.kind = ConditionKind::row;
    QVERIFY(!row_holds());
}

void TestLab::samplesCondition()
{
    Condition samples = condition(ConditionKind::samples);
    samples.arms = {experiment::Arm::cold, experiment::Arm::warm};
    samples.at_least = 3;
    Step step;
    step.id = QStringLiteral("see");
    LabState state;
    LabFacts facts;
    const auto samples_hold = [&] { return holds(samples, step, state, facts); };
    QVERIFY(!samples_hold());
    facts.run = madeUpRun({500, 500, 500}, {20, 20});
    QVERIFY(!samples_hold());
    facts.run = madeUpRun({500, 500, 500}, {20, 20, 20});
    QVERIFY(samples_hold());
    facts.measuring = true;
    QVERIFY(!samples_hold());
    facts.measuring = false;
    facts.recorded = true;
    QVERIFY(!samples_hold()); // a recording counts only when the student took it
    state.steps[step.id].uses_recording = true;
    QVERIFY(samples_hold());
    samples.plan.shared_tokens = 1000;
    QVERIFY(!samples_hold());
    facts.run->plan.shared_tokens = 1000;
    QVERIFY(samples_hold());
}

void TestLab::otherConditions()
{
    Step step;
    step.id = QStringLiteral("x");
    LabState state;
    LabFacts facts;
    const auto check = [&](const Condition &made) { return holds(made, step, state, facts); };

    QVERIFY(!check(condition(ConditionKind::read)));
    state.steps[step.id].read = true;
    QVERIFY(check(condition(ConditionKind::read)));

    QVERIFY(!check(condition(ConditionKind::answered)));
    state.steps[step.id].answer = Answer{QStringLiteral("5"), 5, AnswerVerdict::too_low};
    QVERIFY(!check(condition(ConditionKind::answered)));
    state.steps[step.id].answer->verdict = AnswerVerdict::recorded;
    QVERIFY(check(condition(ConditionKind::answered)));

    Condition plan = condition(ConditionKind::plan);
    plan.plan.rounds = 3;
    QVERIFY(!check(plan));
    facts.plan.rounds = 3;
    QVERIFY(check(plan));

    QVERIFY(!check(condition(ConditionKind::imported)));
    memory::ModelSpec model = *memory::findModel(QStringLiteral("Qwen2.5-7B"));
    model.name = QStringLiteral("Mine");
    facts.library.add(model);
    QVERIFY(check(condition(ConditionKind::imported)));

    Condition event = condition(ConditionKind::event);
    event.name = QStringLiteral("presentation_opened");
    QVERIFY(!check(event));
    state.events << event.name;
    QVERIFY(check(event));

    Condition other = condition(ConditionKind::step);
    other.name = QStringLiteral("y");
    QVERIFY(!check(other));
    state.steps[other.name].skipped = true;
    QVERIFY(check(other));

    Condition never = condition(ConditionKind::event);
    never.name = QStringLiteral("chart_exported");
    Condition both = condition(ConditionKind::all);
    both.parts = {event, never};
    QVERIFY(!check(both));
    both.kind = ConditionKind::any;
    QVERIFY(check(both));
    both.parts = {never};
    QVERIFY(!check(both));
}

void TestLab::predictionHoldsMeasureUntilGiven()
{
    const Lab lab = test::readSound(test::soundLab());
    LabState state;
    QVERIFY(!measureHeldBy(lab, state)); // before the lab is begun
    QCOMPARE(stepStatus(lab, state, QStringLiteral("see")), StepStatus::locked);
    lab::open(lab, state, QStringLiteral("see"), now);
    QVERIFY(state.current.isEmpty());
    lab::open(lab, state, QStringLiteral("say"), now);
    QCOMPARE(measureHeldBy(lab, state), lab.step(QStringLiteral("say")));
    QVERIFY(!skipCurrent(lab, state));

    LabFacts facts;
    QCOMPARE(answerCurrent(lab, state, QStringLiteral("perhaps"), facts).verdict, AnswerVerdict::unreadable);
    QVERIFY(!advance(lab, state, facts, now));
    QVERIFY(measureHeldBy(lab, state));
    QCOMPARE(answerCurrent(lab, state, QStringLiteral("60 %"), facts).verdict, AnswerVerdict::recorded);
    QVERIFY(advance(lab, state, facts, now));
    QVERIFY(!measureHeldBy(lab, state));
    QCOMPARE(state.steps.value(QStringLiteral("say")).tries, 2);
    QCOMPARE(nextOpen(lab, state, state.current), QStringLiteral("see"));
}

void TestLab::aStepNobodyOpenedIsNotTickedOff()
{
    const Lab lab = test::readSound(test::soundLab());
    LabState state;
    LabFacts facts;
    facts.run = madeUpRun({500, 500, 500}, {20, 20, 20});
    QVERIFY(!advance(lab, state, facts, now));
    lab::open(lab, state, QStringLiteral("say"), now);
    answerCurrent(lab, state, QStringLiteral("60"), facts);
    QVERIFY(advance(lab, state, facts, now));
    QVERIFY(!advance(lab, state, facts, now)); // once only
    QCOMPARE(stepStatus(lab, state, QStringLiteral("see")), StepStatus::open);
    QCOMPARE(progressOf(lab, state).done, 1);
    QCOMPARE(progressOf(lab, state).all, 2);
}

void TestLab::skippingAndResetting()
{
    const Lab lab = test::readSound(test::soundLab());
    LabState state;
    LabFacts facts;
    lab::open(lab, state, QStringLiteral("say"), now);
    answerCurrent(lab, state, QStringLiteral("60"), facts);
    advance(lab, state, facts, now);
    lab::open(lab, state, QStringLiteral("see"), now);
    QVERIFY(skipCurrent(lab, state));
    QCOMPARE(stepStatus(lab, state, QStringLiteral("see")), StepStatus::skipped);
    QVERIFY(nextOpen(lab, state, state.current).isEmpty());
    resetCurrent(state);
    QCOMPARE(stepStatus(lab, state, QStringLiteral("see")), StepStatus::open);
    QCOMPARE(state.steps.value(QStringLiteral("see")).opened_at, now);
}

void TestLab::theResultStaysAsItWas()
{
    const Lab lab = test::readSound(test::soundLab());
    LabState state;
    LabFacts facts;
    lab::open(lab, state, QStringLiteral("say"), now);
    answerCurrent(lab, state, QStringLiteral("60"), facts);
    advance(lab, state, facts, now);
    lab::open(lab, state, QStringLiteral("see"), now);
    facts.run = madeUpRun({500, 500, 500}, {20, 20, 20});
    QVERIFY(advance(lab, state, facts, now));
    facts.run = madeUpRun({500, 500, 500}, {400, 400, 400});
    QVERIFY(!advance(lab, state, facts, now));
    const StepState step = state.steps.value(QStringLiteral("see"));
    QCOMPARE(step.result, std::optional(96.0));
    QVERIFY(!step.result_recorded);
    facts.run.reset();
    QCOMPARE(stepStatus(lab, state, QStringLiteral("see")), StepStatus::complete);
}

void TestLab::figuresInTexts()
{
    LabFacts facts;
    const QLocale english(QLocale::English);
    QCOMPARE(fillIn(QStringLiteral("{row_model}: {row_formula} = {row_bytes} B, {ratio}, {odd} { }"), facts, nullptr,
                 nullptr, english),
        QStringLiteral("–: – = – B, –, {odd} { }"));
    facts.current_row = memory::MemoryRow{QStringLiteral("Qwen2.5-7B"), 4096, 1, memory::CacheFormat::bf16};
    facts.run = madeUpRun({490, 500, 510}, {19, 20, 21});
    QCOMPARE(fillIn(QStringLiteral("{row_formula} = {row_bytes} B = {row_gib} GiB"), facts, nullptr, nullptr, english),
        QStringLiteral("2 × 28 × 4 × 128 × 4,096 × 1 × 2 B = 234,881,024 B = 0.219 GiB"));
    QCOMPARE(
        fillIn(QStringLiteral("{median_ttft:warm}|{ratio}|{prompt_tokens:cold}"), facts, nullptr, nullptr, english),
        QStringLiteral("20|25|1,529"));
    const Question question = numeric(QuestionKind::number, QStringLiteral("ms"), 500);
    const Answer answer{QStringLiteral("250"), 250, AnswerVerdict::recorded};
    QCOMPARE(fillIn(QStringLiteral("{answer} {expected} {times}"), facts, &question, &answer, english),
        QStringLiteral("250 500 2"));
    for (const QString &name : placeholderNames())
        QVERIFY2(isPlaceholder(name), qPrintable(name));
    QVERIFY(!isPlaceholder(QStringLiteral("median_ttft")));
    QVERIFY(!isPlaceholder(QStringLiteral("median_ttft:lukewarm")));
    QVERIFY(!isPlaceholder(QStringLiteral("kv_bytes")));
}

void TestLab::stateRoundTrips()
{
    const Lab lab = test::readSound(test::soundLab());
    LabState state;
    lab::open(lab, state, QStringLiteral("say"), now);
    answerCurrent(lab, state, QStringLiteral("60 %"), {});
    state.steps[QStringLiteral("say")].hints = 2;
    advance(lab, state, {}, now);
    lab::open(lab, state, QStringLiteral("see"), now);
    state.steps[QStringLiteral("see")].result = 96.5;
    state.steps[QStringLiteral("see")].uses_recording = true;
    state.events << QStringLiteral("samples_exported");
    const QJsonObject json = labStateToJson(state);
    const auto read = labStateFromJson(QJsonDocument::fromJson(QJsonDocument(json).toJson()).object());
    QVERIFY(std::holds_alternative<LabState>(read));
    const LabState &back = std::get<LabState>(read);
    QCOMPARE(labStateToJson(back), json);
    QCOMPARE(back.current, QStringLiteral("see"));
    QCOMPARE(back.steps.value(QStringLiteral("say")).answer->value, std::optional(60.0));
    QCOMPARE(back.steps.value(QStringLiteral("say")).completed_at, now);
    QVERIFY(std::holds_alternative<LabState>(labStateFromJson({})));
}

void TestLab::damagedStatesAreRefused_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("field");
    const auto row = [](const char *json, const char *field) {
        QTest::newRow(json) << QByteArray(json) << QString::fromLatin1(field);
    };
    row(R"({"id":1})", "id");
    row(R"({"current":[]})", "current");
    row(R"({"steps":[]})", "steps");
    row(R"({"steps":{"a":1}})", "steps.a");
    row(R"({"steps":{"a":{"opened_at":"yesterday"}}})", "steps.a.opened_at");
    row(R"({"steps":{"a":{"completed_at":5}}})", "steps.a.completed_at");
    row(R"({"steps":{"a":{"skipped":"yes"}}})", "steps.a.skipped");
    row(R"({"steps":{"a":{"hints":-1}}})", "steps.a.hints");
    row(R"({"steps":{"a":{"tries":1.5}}})", "steps.a.tries");
    row(R"({"steps":{"a":{"answer":{"text":"x","verdict":"splendid"}}}})", "steps.a.answer");
    row(R"({"steps":{"a":{"answer":{"verdict":"right"}}}})", "steps.a.answer");
    row(R"({"steps":{"a":{"result":"much"}}})", "steps.a.result");
    row(R"({"events":{}})", "events");
}

void TestLab::damagedStatesAreRefused()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, field);
    const auto read = labStateFromJson(QJsonDocument::fromJson(json).object());
    QVERIFY(std::holds_alternative<QString>(read));
    QVERIFY2(std::get<QString>(read).contains(u'“' + field + u'”'), qPrintable(std::get<QString>(read)));
}

QTEST_GUILESS_MAIN(TestLab)
#include "tst_lab.moc"
