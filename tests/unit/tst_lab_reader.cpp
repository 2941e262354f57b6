// SPDX-License-Identifier: GPL-3.0-or-later
// Lab files: what is wrong with them is named with its place, all of it at once; nothing that can be typed into a file
// crashes the reader. And `kvlab lab check` as a program.
#include "lab_samples.h"

#include <QJsonArray>
#include <QProcess>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

using namespace kvlab;
using namespace kvlab::lab;
using test::soundLab;
using test::toJson;

namespace {

/// The object with what stands at the path ("parts[0].steps[1].id") replaced; undefined takes it out.
QJsonValue changed(const QJsonValue &value, const QString &path, const QJsonValue &replacement)
{
    if (path.isEmpty())
        return replacement;
    static const QRegularExpression first(QStringLiteral(R"(^(?:\[([0-9]+)\]|\.?([^.\[]+))(.*)$)"));
    const auto match = first.match(path);
    if (!match.captured(1).isEmpty()) {
        QJsonArray array = value.toArray();
        const int index = match.captured(1).toInt();
        const QJsonValue inner = changed(array.at(index), match.captured(3), replacement);
        if (index == array.size())
            array.append(inner);
        else if (inner.isUndefined())
            array.removeAt(index);
        else
            array.replace(index, inner);
        return array;
    }
    QJsonObject object = value.toObject();
    const QJsonValue inner = changed(object.value(match.captured(2)), match.captured(3), replacement);
    if (inner.isUndefined())
        object.remove(match.captured(2));
    else
        object.insert(match.captured(2), inner);
    return object;
}

QJsonObject changedLab(const char *path, const char *json)
{
    const QJsonValue value = qstrlen(json) == 0 ? QJsonValue(QJsonValue::Undefined)
                                                : QJsonDocument::fromJson(QByteArray("[") + json + "]").array().at(0);
    return changed(soundLab(), QString::fromLatin1(path), value).toObject();
}

QStringList problemsOf(const QByteArray &json)
{
    QStringList lines;
    const auto read = readLab(json);
    if (const auto *problems = std::get_if<QList<LabProblem>>(&read)) {
        for (const LabProblem &problem : *problems)
            lines << problemLine(problem);
    }
    return lines;
}

struct Output
{
    int code = -1;
    QString output;
    QString messages;
};

Output check(const QStringList &arguments)
{
    QProcess process;
    process.start(QStringLiteral(KVLAB_BINARY),
        QStringList{QStringLiteral("--lang"), QStringLiteral("en"), QStringLiteral("lab")} + arguments);
    if (!process.waitForFinished(60'000))
        return {};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
        QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
}

} // namespace

class TestLabReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theSoundOneIsRead();
    void badInput_data();
    void badInput();
    void everythingIsReportedAtOnce();
    void wholeFilesThatAreNoLabs();
    void goodVariants_data();
    void goodVariants();
    void anyMemberOfAnyTypeIsSurvived();
    void anyBytesAreSurvived();
    void theCommandChecks();
};

void TestLabReader::theSoundOneIsRead()
{
    QCOMPARE(problemsOf(toJson(soundLab())), QStringList());
    const Lab lab = test::readSound(soundLab());
    QCOMPARE(lab.id, QStringLiteral("my-lab"));
    QCOMPARE(lab.minutes, 25);
    QCOMPARE(lab.parts.size(), 1);
    QCOMPARE(lab.parts.first().steps.size(), 2);
    const Step *say = lab.step(QStringLiteral("say"));
    const Step *see = lab.step(QStringLiteral("see"));
    QVERIFY(say && see);
    QCOMPARE(say->kind, StepKind::predict);
    QVERIFY(say->holds_measure);
    QVERIFY(!say->question->judged);
    QCOMPARE(say->question->answer.in(QStringLiteral("zh")), QStringLiteral("低 {value} %"));
    QCOMPARE(say->done.kind, ConditionKind::answered);
    QCOMPARE(see->needs, QStringList{QStringLiteral("say")});
    QCOMPARE(see->done.arms.size(), 2);
    QCOMPARE(see->done.at_least, 3);
    QCOMPARE(see->title.in(QStringLiteral("fr")), QStringLiteral("Measure"));
    QCOMPARE(lab.nextIn(QStringLiteral("say")), see);
    QVERIFY(!lab.nextIn(QStringLiteral("see")));
}

/// Each spoils one place of the sound lab; the complaint names that place and says what would be right.
void TestLabReader::badInput_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QJsonObject>("lab");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *path, const char *json, const char *where, const char *says) {
        QTest::addRow("%s = %s", path, json) << QString::fromLatin1(path) << changedLab(path, json)
                                             << QString::fromLatin1(where) << QString::fromUtf8(says);
    };
    const char *step = "parts[0].steps[0]";
    row("format", "\"kvlab\"", "format", "kvlab-lab");
    row("version", "2", "version", "newer");
    row("version", "\"1\"", "version", "whole number");
    row("id", "", "", "“id” is missing");
    row("id", "\"My Lab\"", "id", "no id");
    row("id", "\"\"", "id", "empty");
    row("languages", "[]", "languages", "at least one");
    row("languages[1]", "\"中文\"", "languages[1]", "no language code");
    row("languages[1]", "\"en\"", "languages[1]", "twice");
    row("title", "\"My lab\"", "title", "each language");
    row("title.zh", "", "title", "“zh” is missing");
    row("title.zh", "\" \"", "title.zh", "characters");
    row("title.fr", "\"Mon labo\"", "title.fr", "no member");
    row("minutes", "0", "minutes", "from 1 to 600");
    row("minutes", "2.5", "minutes", "whole number");
    row("parts", "[]", "parts", "at least one part");
    row("parts", "{}", "parts", "list");
    row("parts[0]", "7", "parts[0]", "object");
    row("parts[0].steps", "", "parts[0]", "“steps” is missing");
    row("parts[0].steps", "[]", "parts[0].steps", "at least one step");
    row("parts[0].steps[1].id", "\"say\"", "parts[0].steps[1].id", "used twice");
    row("parts[0].steps[0].kind", "\"quiz\"", "parts[0].steps[0].kind", "explain");
    row("parts[0].steps[0].txet", "{}", "parts[0].steps[0].txet", "no member");
    row("parts[0].steps[0].text.en", "\"{ratios}\"", "parts[0].steps[0].text.en", "no figure");
    row("parts[0].steps[0].show", "\"the_button\"", "parts[0].steps[0].show", "measure");
    row("parts[0].steps[1].recorded", "\"mine\"", "parts[0].steps[1].recorded", "practice-run");
    row("parts[0].steps[0].hints[0].zh", "", "parts[0].steps[0].hints[0]", "“zh” is missing");
    row("parts[0].steps[0].hints", "[1,2,3,4]", "parts[0].steps[0].hints", "at most 3");
    row("parts[0].steps[0].question", "", "parts[0].steps[0].question", "needs a question");
    row("parts[0].steps[1].holds_measure", "true", "parts[0].steps[1].holds_measure", "Only a prediction");
    row("parts[0].steps[0].holds_measure", "1", "parts[0].steps[0].holds_measure", "true or false");
    row("parts[0].steps[1].needs", "[\"nowhere\"]", "parts[0].steps[1].needs", "no step “nowhere”");
    row("parts[0].steps[1].compare", "\"nowhere\"", "parts[0].steps[1].compare", "no step");
    row("parts[0].steps[1].compare", "\"see\"", "parts[0].steps[1].compare", "no prediction");
    row("parts[0].steps[1].done", "\"finished\"", "parts[0].steps[1].done", "no condition");
    row("parts[0].steps[1].done", "{}", "parts[0].steps[1].done", "no condition");
    row("parts[0].steps[1].done", "\"answered\"", "parts[0].steps[1].done", "no question");
    row("parts[0].steps[1].done", "{\"row\":{},\"step\":\"say\"}", "parts[0].steps[1].done", "exactly one");
    row("parts[0].steps[1].done.samples.arms", "[\"hot\"]", "parts[0].steps[1].done.samples.arms[0]", "no arm");
    row("parts[0].steps[1].done.samples.arms", "[]", "parts[0].steps[1].done.samples.arms", "at least one");
    row("parts[0].steps[1].done.samples.at_least", "0", "parts[0].steps[1].done.samples.at_least", "from 1");
    row("parts[0].steps[1].done.samples.plan", "{\"round\":3}", "parts[0].steps[1].done.samples.plan.round",
        "no member");
    row("parts[0].steps[1].done", "{\"row\":{\"model\":\"GPT-9\"}}", "parts[0].steps[1].done.row.model", "GPT-9");
    row("parts[0].steps[1].done", "{\"row\":{\"kv_dtype\":\"int3\"}}", "parts[0].steps[1].done.row.kv_dtype", "bf16");
    row("parts[0].steps[1].done", "{\"row\":{\"seq_len\":\"4k\"}}", "parts[0].steps[1].done.row.seq_len",
        "whole number");
    row("parts[0].steps[1].done", "{\"event\":\"rain\"}", "parts[0].steps[1].done.event", "samples_exported");
    row("parts[0].steps[1].done", "{\"step\":\"nowhere\"}", "parts[0].steps[1].done", "no step");
    row("parts[0].steps[1].done", "{\"any\":[]}", "parts[0].steps[1].done.any", "at least one");
    row("parts[0].steps[1].done", "{\"all\":[\"read\",5]}", "parts[0].steps[1].done.all[1]", "no condition");
    row("parts[0].steps[0].needs", "[\"see\"]", step, "wait for each other");
    row("parts[0].steps[0].needs", "[\"say\"]", step, "say → say");
    row("parts[0].steps[1].done", "{\"any\":[{\"step\":\"see\"}]}", "parts[0].steps[1]", "wait for each other");
    row("parts[0].steps[0].question.kind", "\"riddle\"", "parts[0].steps[0].question.kind", "ordering");
    row("parts[0].steps[0].question.prompt", "", "parts[0].steps[0].question", "“prompt” is missing");
    row("parts[0].steps[0].question.unit", "\"furlong\"", "parts[0].steps[0].question.unit", "GiB");
    row("parts[0].steps[0].question.unit", "\"ms\"", "parts[0].steps[0].question.expected", "not measured in");
    row("parts[0].steps[0].question.answer.en", "\"lower\"", "parts[0].steps[0].question.answer.en", "{value}");
    row("parts[0].steps[0].question.expected", "\"97\"", "parts[0].steps[0].question.expected", "number");
    row("parts[0].steps[0].question.expected", "{\"quantity\":\"luck\"}",
        "parts[0].steps[0].question.expected.quantity", "ttft_reduction");
    row("parts[0].steps[0].question.expected", "{\"quantity\":\"ttft_reduction\",\"arm\":\"warm\"}",
        "parts[0].steps[0].question.expected.arm", "no member");
    row("parts[0].steps[0].question.tolerance_percent", "-1", "parts[0].steps[0].question.tolerance_percent", "from 0");
    row("parts[0].steps[0].question.judged", "\"no\"", "parts[0].steps[0].question.judged", "true or false");
    row("parts[0].steps[1].question",
        R"({"kind":"integer","prompt":{"en":"a","zh":"b"},"unit":"B","expected":{"quantity":"kv_bytes","model":"GPT-9","seq_len":1,"batch":1,"kv_dtype":"bf16"}})",
        "parts[0].steps[1].question.expected.model", "GPT-9");
    row("parts[0].steps[1].question",
        R"({"kind":"integer","prompt":{"en":"a","zh":"b"},"expected":{"quantity":"max_batch","model":"Qwen2.5-7B","seq_len":1,"kv_dtype":"bf16","device":"RTX"}})",
        "parts[0].steps[1].question.expected.device", "not exactly one");
    row("parts[0].steps[1].question", R"({"kind":"integer","prompt":{"en":"a","zh":"b"}})",
        "parts[0].steps[1].question", "“expected” is missing");
    row("parts[0].steps[1].question",
        R"({"kind":"choice","prompt":{"en":"a","zh":"b"},"expected":"x","options":[{"id":"x","text":{"en":"a","zh":"b"}}]})",
        "parts[0].steps[1].question.options", "two options");
    row("parts[0].steps[1].question",
        R"({"kind":"choice","prompt":{"en":"a","zh":"b"},"expected":"z","options":[{"id":"x","text":{"en":"a","zh":"b"}},{"id":"y","text":{"en":"a","zh":"b"}}]})",
        "parts[0].steps[1].question.expected", "x, y");
    row("parts[0].steps[1].question",
        R"({"kind":"choice","prompt":{"en":"a","zh":"b"},"expected":"x","options":[{"id":"x","text":{"en":"a","zh":"b"}},{"id":"x","text":{"en":"a","zh":"b"}}]})",
        "parts[0].steps[1].question.options[1].id", "twice");
    row("parts[0].steps[1].question",
        R"({"kind":"ordering","prompt":{"en":"a","zh":"b"},"expected":["x"],"options":[{"id":"x","text":{"en":"a","zh":"b"}},{"id":"y","text":{"en":"a","zh":"b"}}]})",
        "parts[0].steps[1].question.expected", "each option once");
    row("parts[0].steps[1].question", R"({"kind":"text","prompt":{"en":"a","zh":"b"},"expected":"so"})",
        "parts[0].steps[1].question.expected", "no member");
}

void TestLabReader::badInput()
{
    QFETCH(QJsonObject, lab);
    QFETCH(QString, where);
    QFETCH(QString, says);
    const QStringList problems = problemsOf(toJson(lab));
    QVERIFY(!problems.isEmpty());
    const QString start = where.isEmpty() ? QString() : where;
    bool found = false;
    for (const QString &problem : problems)
        found = found || (problem.startsWith(start) && problem.contains(says));
    QVERIFY2(found, qPrintable(problems.join(u'\n')));
}

void TestLabReader::everythingIsReportedAtOnce()
{
    QJsonValue lab = soundLab();
    lab = changed(lab, QStringLiteral("title.zh"), QJsonValue::Undefined);
    lab = changed(lab, QStringLiteral("parts[0].steps[0].kind"), QStringLiteral("quiz"));
    lab = changed(lab, QStringLiteral("parts[0].steps[1].show"), QStringLiteral("nothing"));
    lab = changed(lab, QStringLiteral("parts[0].steps[1].needs"), QJsonArray{QStringLiteral("nowhere")});
    const QStringList problems = problemsOf(toJson(lab.toObject()));
    QVERIFY2(problems.size() >= 4, qPrintable(problems.join(u'\n')));
    for (const char *path :
        {"title: ", "parts[0].steps[0].kind: ", "parts[0].steps[1].show: ", "parts[0].steps[1].needs: "})
        QVERIFY2(std::any_of(problems.begin(), problems.end(),
                     [path](const QString &line) { return line.startsWith(QLatin1String(path)); }),
            path);
}

void TestLabReader::wholeFilesThatAreNoLabs()
{
    QVERIFY(problemsOf("").first().contains(QStringLiteral("line 1")));
    QVERIFY(problemsOf("{\n  \"format\": \"kvlab-lab\",\n  oops\n}").first().contains(QStringLiteral("line 3")));
    QVERIFY(problemsOf("[1, 2]").first().startsWith(QStringLiteral("format: ")));
    QVERIFY(problemsOf("{}").first().startsWith(QStringLiteral("format: ")));
    QVERIFY(problemsOf(QByteArray(maxLabBytes + 1, ' ')).first().contains(QStringLiteral("4 MiB")));
    QVERIFY(!problemsOf(QByteArray(100'000, '[')).isEmpty());
    const QByteArray whole = toJson(soundLab());
    for (qsizetype length = 0; length < whole.size() - 2; length += 7)
        QVERIFY(!problemsOf(whole.left(length)).isEmpty());
}

void TestLabReader::goodVariants_data()
{
    QTest::addColumn<QJsonObject>("lab");
    const auto row = [](const char *path, const char *json) { QTest::addRow("%s", json) << changedLab(path, json); };
    row("parts[0].steps[1].done", "\"read\"");
    row("parts[0].steps[1].done", "\"imported\"");
    row("parts[0].steps[1].done", R"({"row":{}})");
    row("parts[0].steps[1].done",
        R"({"current_row":{"model":"Qwen2.5-7B","seq_len":4096,"batch":1,"kv_dtype":"fp16"}})");
    row("parts[0].steps[1].done", R"({"plan":{"rounds":3,"shared_tokens":1000,"max_tokens":4}})");
    row("parts[0].steps[1].done", R"({"event":"presentation_opened"})");
    row("parts[0].steps[1].done", R"({"all":[{"step":"say"},{"any":["read",{"row":{"batch":8}}]}]})");
    row("parts[0].steps[1].needs", "[]");
    row("parts[0].steps[0].hints", "[]");
    row("minutes", "90");
}

void TestLabReader::goodVariants()
{
    QFETCH(QJsonObject, lab);
    const QStringList problems = problemsOf(toJson(lab));
    QVERIFY2(problems.isEmpty() || problems.first().contains(QStringLiteral("fp16")), qPrintable(problems.join(u'\n')));
}

/// Every member of the sound lab replaced by a value of every type: a lab or problems, never a crash, and what is read
/// without problems is played without one.
void TestLabReader::anyMemberOfAnyTypeIsSurvived()
{
    const QList<QJsonValue> values{QJsonValue(QJsonValue::Null), true, -1, 0, 1e300, 0.5, QString(),
        QStringLiteral("x"), QJsonArray(), QJsonArray{QJsonArray{}, QJsonObject{}}, QJsonObject(),
        QJsonObject{{QStringLiteral("en"), 1}}, QJsonValue(QJsonValue::Undefined)};
    QStringList paths;
    const std::function<void(const QJsonValue &, const QString &)> collect
        = [&](const QJsonValue &value, const QString &path) {
              paths << path;
              const QJsonObject object = value.toObject();
              for (auto it = object.constBegin(); it != object.constEnd(); ++it)
                  collect(it.value(), path.isEmpty() ? it.key() : path + u'.' + it.key());
              const QJsonArray array = value.toArray();
              for (qsizetype i = 0; i < array.size(); ++i)
                  collect(array.at(i), QStringLiteral("%1[%2]").arg(path).arg(i));
          };
    collect(soundLab(), {});
    QVERIFY(paths.size() > 40);
    int read_well = 0;
    for (const QString &path : paths.mid(1)) {
        for (const QJsonValue &value : values) {
            const auto read = readLab(toJson(changed(soundLab(), path, value).toObject()));
            if (const auto *lab = std::get_if<Lab>(&read)) {
                ++read_well;
                LabState state;
                lab::open(*lab, state, lab->parts.first().steps.first().id, QDateTime::currentDateTime());
                answerCurrent(*lab, state, QStringLiteral("1"), {});
                advance(*lab, state, {}, QDateTime::currentDateTime());
                QVERIFY(progressOf(*lab, state).all > 0);
            } else {
                QVERIFY(!std::get<QList<LabProblem>>(read).isEmpty());
            }
        }
    }
    QVERIFY(read_well > 0);
}

void TestLabReader::anyBytesAreSurvived()
{
    QRandomGenerator random(20260301);
    const QByteArray sound = toJson(soundLab());
    for (int i = 0; i < 3000; ++i) {
        QByteArray bytes = sound;
        const int changes = 1 + int(random.bounded(6));
        for (int change = 0; change < changes; ++change) {
            const qsizetype at = random.bounded(int(bytes.size()));
            switch (random.bounded(4)) {
            case 0:
                bytes[at] = char(random.bounded(256));
                break;
            case 1:
                bytes.remove(at, 1 + random.bounded(30));
                break;
            case 2:
                bytes.insert(at, sound.mid(random.bounded(int(sound.size())), 1 + random.bounded(40)));
                break;
            default:
                bytes.truncate(at + 1);
                break;
            }
        }
        const auto read = readLab(bytes);
        if (const auto *problems = std::get_if<QList<LabProblem>>(&read))
            QVERIFY(!problems->isEmpty());
    }
}

void TestLabReader::theCommandChecks()
{
    const QTemporaryDir folder;
    const auto write = [&folder](const char *name, const QByteArray &content) {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        if (file.open(QIODevice::WriteOnly))
            file.write(content);
        return file.fileName();
    };
    const QString good = write("good.json", toJson(soundLab()));
    const QString bad = write("bad.json", toJson(changedLab("parts[0].steps[1].needs", "[\"nowhere\"]")));

    Output answer = check({QStringLiteral("check"), good});
    QCOMPARE(answer.code, 0);
    QVERIFY2(answer.output.contains(QStringLiteral("my-lab")), qPrintable(answer.output));
    answer = check({QStringLiteral("check"), bad});
    QCOMPARE(answer.code, 3);
    QVERIFY2(answer.output.startsWith(QStringLiteral("parts[0].steps[1].needs: ")), qPrintable(answer.output));
    QVERIFY(answer.messages.contains(QStringLiteral("bad.json")));
    QCOMPARE(
        check({QStringLiteral("check"), QStringLiteral(KVLAB_SOURCE_DIR "/resources/labs/kv-cache.json")}).code, 0);
    QCOMPARE(check({QStringLiteral("check"), folder.filePath(QStringLiteral("absent.json"))}).code, 3);
    QCOMPARE(check({QStringLiteral("check")}).code, 2);
    QCOMPARE(check({QStringLiteral("play"), good}).code, 2);
    QCOMPARE(check({}).code, 2);
    QCOMPARE(check({QStringLiteral("--help")}).code, 0);
}

QTEST_GUILESS_MAIN(TestLabReader)
#include "tst_lab_reader.moc"
