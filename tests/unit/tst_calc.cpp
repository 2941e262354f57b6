// SPDX-License-Identifier: GPL-3.0-or-later
// `kvlab calc` as a program: what it prints, how it refuses, and every row of kv-golden.json.
#include "session/csv.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QtTest>

namespace {

struct Answer
{
    int code = -1;
    QByteArray output;
    QString messages;

    QJsonObject json() const { return QJsonDocument::fromJson(output).object(); }
};

Answer calc(const QStringList &arguments)
{
    QProcess process;
    process.start(QStringLiteral(KVLAB_BINARY),
        QStringList{QStringLiteral("--lang"), QStringLiteral("en"), QStringLiteral("calc")} + arguments);
    if (!process.waitForFinished(60'000))
        return {};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
        QString::fromUtf8(process.readAllStandardError())};
}

Answer calc(const char *arguments)
{
    return calc(QString::fromUtf8(arguments).split(u' ', Qt::SkipEmptyParts));
}

QJsonArray goldenRows()
{
    QFile file(QStringLiteral(KVLAB_TEST_DATA "/kv-golden.json"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("kv-golden.json is missing");
    return QJsonDocument::fromJson(file.readAll()).array();
}

QString text(const QJsonValue &object, const char *key)
{
    return object[QLatin1String(key)].toString();
}

qint64 number(const QJsonValue &object, const char *key)
{
    return object[QLatin1String(key)].toInteger(-1);
}

} // namespace

class TestCalc : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goldenRowsMatch();
    void differencesAreFound();
    void whatIsNotComputedIsNeverPassed_data();
    void whatIsNotComputedIsNeverPassed();
    void badRowFilesAreRefused();
    void handoutGridAsTable();
    void handoutGridAsCsv();
    void oneModelAsJson();
    void severalModelsAsJson();
    void largeNumbersStayExact();
    void refusalsStandInTheRow();
    void wrongUsage_data();
    void wrongUsage();
    void helpShowsAnExample();

private:
    QString write(const QJsonArray &rows);
    QTemporaryDir m_folder;
};

QString TestCalc::write(const QJsonArray &rows)
{
    const QString path = m_folder.filePath(QStringLiteral("rows.json"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(QJsonDocument(rows).toJson()) < 0)
        qFatal("cannot write the test's own file");
    return path;
}

void TestCalc::goldenRowsMatch()
{
    const Answer answer = calc({QStringLiteral("--rows"), QStringLiteral(KVLAB_TEST_DATA "/kv-golden.json")});
    QCOMPARE(answer.code, 0);
    const QJsonObject json = answer.json();
    QCOMPARE(json.value(QLatin1String("failed")).toInteger(-1), 0);

    QMap<QString, int> passed;
    const QJsonArray rows = json.value(QLatin1String("rows")).toArray();
    QCOMPARE(rows.size(), 443);
    for (const QJsonValue &row : rows) {
        const QString result = text(row, "result");
        if (result == QLatin1String("passed")) {
            ++passed[text(row, "group")];
            // Not taken on trust: what was got is what the file expects, figure by figure.
            QCOMPARE(row[QLatin1String("got")].toObject(), row[QLatin1String("expect")].toObject());
        } else {
            QCOMPARE(result, QStringLiteral("unsupported"));
            QVERIFY(!text(row, "reason").isEmpty() && text(row, "message").endsWith(u'.'));
        }
    }
    // Counted from the file itself: every row of full attention, MLA and empty layers, one rank, no rounding, plain
    // formats.
    const QMap<QString, int> expected{{QStringLiteral("deepseek_v3_wrong"), 3}, {QStringLiteral("external"), 25},
        {QStringLiteral("handout"), 32}, {QStringLiteral("handout_mla"), 8}, {QStringLiteral("limits"), 6},
        {QStringLiteral("linear"), 94}, {QStringLiteral("quantised"), 13}, {QStringLiteral("rounding"), 9},
        {QStringLiteral("tp_per_rank"), 4}};
    QCOMPARE(passed, expected);
    QVERIFY2(answer.messages.contains(QStringLiteral("194")) && answer.messages.contains(QStringLiteral("249")),
        qPrintable(answer.messages));
}

void TestCalc::differencesAreFound()
{
    for (const char *key : {"bytes_per_token", "total_bytes", "gib"}) {
        QJsonArray rows = goldenRows();
        QJsonObject row = rows.at(3).toObject();
        QJsonObject expect = row.value(QLatin1String("expect")).toObject();
        const QJsonValue right = expect.value(QLatin1String(key));
        expect[QLatin1String(key)]
            = right.isString() ? QJsonValue(QStringLiteral("0.220")) : QJsonValue(right.toInteger() + 1);
        row[QLatin1String("expect")] = expect;
        const Answer answer = calc({QStringLiteral("--rows"), write({rows.at(2), row, rows.at(4)})});
        QCOMPARE(answer.code, 1);
        QCOMPARE(answer.json().value(QLatin1String("passed")).toInteger(), 2);
        const QJsonValue shown = answer.json().value(QLatin1String("rows")).toArray().at(1);
        QCOMPARE(text(shown, "result"), QStringLiteral("failed"));
        QCOMPARE(shown[QLatin1String("got")][QLatin1String(key)], right);
        QVERIFY(answer.messages.contains(QStringLiteral("g0004")));
    }
}

void TestCalc::whatIsNotComputedIsNeverPassed_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QJsonValue>("value");
    QTest::addColumn<QString>("reason");
    const QString field = QStringLiteral("unsupported_field");
    QTest::newRow("tp") << QStringLiteral("tp") << QJsonValue(2) << field;
    QTest::newRow("rounding") << QStringLiteral("rounding") << QJsonValue(QStringLiteral("page64")) << field;
    QTest::newRow("new member") << QStringLiteral("v_dtype") << QJsonValue(QStringLiteral("bf16")) << field;
    QTest::newRow("format") << QStringLiteral("kv_dtype") << QJsonValue(QStringLiteral("q4_0"))
                            << QStringLiteral("unsupported_format");
    QTest::newRow("kind") << QStringLiteral("model") << QJsonValue(QStringLiteral("gpt-oss-20b"))
                          << QStringLiteral("unsupported_cache_kind");
    QTest::newRow("figure") << QStringLiteral("expect")
                            << QJsonValue(QJsonObject{{QStringLiteral("total_bytes"), 234881024},
                                   {QStringLiteral("allocated_bytes"), 234881024}})
                            << field;
}

void TestCalc::whatIsNotComputedIsNeverPassed()
{
    QFETCH(QString, key);
    QFETCH(QJsonValue, value);
    QFETCH(QString, reason);
    QJsonObject row = goldenRows().at(3).toObject();
    row[key] = value;
    const Answer answer = calc({QStringLiteral("--rows"), write({row})});
    QCOMPARE(answer.code, 0);
    QCOMPARE(answer.json().value(QLatin1String("passed")).toInteger(-1), 0);
    QCOMPARE(answer.json().value(QLatin1String("unsupported")).toInteger(-1), 1);
    QCOMPARE(text(answer.json().value(QLatin1String("rows")).toArray().at(0), "reason"), reason);
}

void TestCalc::badRowFilesAreRefused()
{
    QCOMPARE(calc("--rows /no/such/file.json").code, 3);
    QCOMPARE(calc({QStringLiteral("--rows"), m_folder.path()}).code, 3);
    QCOMPARE(calc({QStringLiteral("--rows"), QStringLiteral(KVLAB_TEST_DATA "/csv-cases.json")}).code, 3);
    for (const auto &[key, value] : std::initializer_list<std::pair<const char *, QJsonValue>>{
             {"model", QStringLiteral("nobody-1b")}, {"seq_len", 1.5}, {"batch", -1}, {"expect", QJsonObject()}}) {
        QJsonObject row = goldenRows().at(3).toObject();
        row[QLatin1String(key)] = value;
        const Answer answer = calc({QStringLiteral("--rows"), write({goldenRows().at(0), row})});
        QCOMPARE(answer.code, 3);
        QVERIFY2(answer.messages.contains(QStringLiteral("Row 2")), qPrintable(answer.messages));
    }
}

void TestCalc::handoutGridAsTable()
{
    const Answer answer = calc("");
    QCOMPARE(answer.code, 0);
    const QStringList lines = QString::fromUtf8(answer.output).split(u'\n');
    QVERIFY(lines.size() > 42);
    QVERIFY(lines.at(0).startsWith(QStringLiteral("model")));
    QVERIFY(
        lines.at(11).startsWith(QStringLiteral("Qwen2.5-7B ")) && lines.at(11).contains(QStringLiteral(" 234881024 ")));
    QVERIFY(lines.at(25).startsWith(QStringLiteral("DeepSeek-V3 ")) && lines.at(25).contains(QStringLiteral(" 70272")));
    QVERIFY(lines.at(33).startsWith(QStringLiteral("DeepSeek-V3 (handout) ")));
    QVERIFY(lines.at(33).contains(QStringLiteral("3.56")));
    QVERIFY(lines.at(41).isEmpty());
    for (const char *figure : {"70272", "249856", "3.56", "MLA"})
        QVERIFY2(lines.at(42).contains(QLatin1String(figure)), qPrintable(lines.at(42)));
    QVERIFY(answer.messages.isEmpty());
}

void TestCalc::handoutGridAsCsv()
{
    const Answer answer = calc("--format csv");
    QCOMPARE(answer.code, 0);
    QVERIFY(answer.output.startsWith("model,seq_len,batch,kv_dtype,kv_bytes,kv_gib,bytes_per_token,note\r\n"));
    const QList<QStringList> rows = kvlab::session::parseCsv(answer.output);
    QCOMPARE(rows.size(), 41);
    QCOMPARE(rows.at(25).join(u'|'), QStringLiteral("DeepSeek-V3|2048|1|bf16|143917056|0.134|70272|"));
    QVERIFY(
        rows.at(33).join(u'|').startsWith(QStringLiteral("DeepSeek-V3 (handout)|2048|1|bf16|511705088|0.477|249856|")));
}

void TestCalc::oneModelAsJson()
{
    const Answer answer = calc("--model QWEN2.5-7b --seq-len 4k,32K --batch 1,8 --kv-dtype q8_0 --format json");
    QCOMPARE(answer.code, 0);
    const QJsonObject json = answer.json();
    QCOMPARE(text(json, "result"), QStringLiteral("accept"));
    QCOMPARE(text(json.value(QLatin1String("model")), "name"), QStringLiteral("Qwen2.5-7B"));
    QCOMPARE(number(json, "num_layers"), 28);
    QCOMPARE(number(json, "max_position"), 131072);
    QCOMPARE(text(json, "kv_dtype_default"), QStringLiteral("bf16"));
    QCOMPARE(number(json, "bytes_per_token_16bit"), 57344);
    QCOMPARE(number(json, "bytes_per_token_above_window_16bit"), 57344);
    const QJsonObject group{{QStringLiteral("kind"), QStringLiteral("full")}, {QStringLiteral("layers"), 28},
        {QStringLiteral("kv_heads"), 4}, {QStringLiteral("head_dim"), 128}};
    QCOMPARE(json.value(QLatin1String("architecture")).toArray(), QJsonArray{group});
    QVERIFY(json.value(QLatin1String("warnings")).toArray().isEmpty());
    const QJsonArray rows = json.value(QLatin1String("rows")).toArray();
    QCOMPARE(rows.size(), 4);
    QCOMPARE(number(rows.at(0), "ideal_bytes"), 124780544);
    QCOMPARE(text(rows.at(0), "gib"), QStringLiteral("0.116"));
    QCOMPARE(number(rows.at(3), "seq_len"), 32768);
    QCOMPARE(number(rows.at(3), "batch"), 8);
    QCOMPARE(number(rows.at(3), "ideal_bytes"), 124780544LL * 64);
    QCOMPARE(text(rows.at(3), "kv_dtype"), QStringLiteral("q8_0"));

    const QJsonArray warnings = calc("--model deepseek-v3-handout --seq-len 1M --format json")
                                    .json()
                                    .value(QLatin1String("warnings"))
                                    .toArray();
    QCOMPARE(warnings.size(), 2);
    QCOMPARE(text(warnings.at(0), "field"), QStringLiteral("architecture"));
    QCOMPARE(text(warnings.at(1), "field"), QStringLiteral("max_position"));
}

void TestCalc::severalModelsAsJson()
{
    const Answer answer = calc("--model Qwen2.5-7B,deepseek-v3 --format json");
    QCOMPARE(answer.code, 0);
    QCOMPARE(answer.json().keys(), QStringList{QStringLiteral("rows")});
    const QJsonArray rows = answer.json().value(QLatin1String("rows")).toArray();
    QCOMPARE(rows.size(), 2);
    QCOMPARE(text(rows.at(1), "model"), QStringLiteral("DeepSeek-V3"));
    QCOMPARE(number(rows.at(1), "ideal_bytes"), 287834112);

    const QJsonObject grid = calc("--format json").json();
    QCOMPARE(grid.keys(), QStringList{QStringLiteral("rows")});
    QCOMPARE(grid.value(QLatin1String("rows")).toArray().size(), 40);

    // Names may hold commas themselves.
    const Answer comma = calc({QStringLiteral("--model"), QStringLiteral("DeepSeek-V3.2, bf16 cache + 132 B indexer"),
        QStringLiteral("--format"), QStringLiteral("json")});
    QCOMPARE(comma.code, 3);
    QCOMPARE(text(comma.json(), "reason"), QStringLiteral("unsupported_cache_kind"));
}

void TestCalc::largeNumbersStayExact()
{
    const QJsonValue below = calc("--model qwen2.5-0.5b --seq-len 1048575 --batch 699051 --format json")
                                 .json()
                                 .value(QLatin1String("rows"))
                                 .toArray()
                                 .at(0)[QLatin1String("ideal_bytes")];
    QVERIFY(below.isDouble());
    QCOMPARE(below.toInteger(), 9007194959769600);
    const QJsonValue above
        = calc("--model llama-3.1-405b --kv-dtype f32 --seq-len 10485760 --batch 16777216 --format json")
              .json()
              .value(QLatin1String("rows"))
              .toArray()
              .at(0)[QLatin1String("ideal_bytes")];
    QCOMPARE(above.toString(), QStringLiteral("181585136975578398720"));
}

void TestCalc::refusalsStandInTheRow()
{
    const QString models = QStringLiteral("Qwen2.5-7B,gpt-oss-20b,Nobody-1B");
    const Answer table = calc({QStringLiteral("--model"), models});
    QCOMPARE(table.code, 3);
    const QStringList lines = QString::fromUtf8(table.output).split(u'\n');
    QVERIFY(lines.at(1).contains(QStringLiteral("234881024")));
    QVERIFY(lines.at(2).contains(QStringLiteral("sliding")) && !lines.at(2).contains(QStringLiteral(" 0 ")));
    QVERIFY(lines.at(3).contains(QStringLiteral("no model named “Nobody-1B”")));
    QVERIFY(table.messages.contains(QStringLiteral("sliding")) && table.messages.contains(QStringLiteral("Nobody-1B")));

    const QJsonArray rows
        = calc({QStringLiteral("--model"), models, QStringLiteral("--format"), QStringLiteral("json")})
              .json()
              .value(QLatin1String("rows"))
              .toArray();
    QCOMPARE(text(rows.at(1), "reason"), QStringLiteral("unsupported_cache_kind"));
    QVERIFY(rows.at(1)[QLatin1String("ideal_bytes")].isUndefined());
    QCOMPARE(text(rows.at(2), "reason"), QStringLiteral("unknown_model"));

    const Answer csv = calc({QStringLiteral("--model"), models, QStringLiteral("--format"), QStringLiteral("csv")});
    const QStringList cells = kvlab::session::parseCsv(csv.output).at(2);
    QCOMPARE(cells.mid(4, 3), (QStringList{QString(), QString(), QString()}));
    QVERIFY(cells.at(7).contains(QStringLiteral("sliding")));

    const Answer one = calc("--model gpt-oss-20b --format json");
    QCOMPARE(one.code, 3);
    QCOMPARE(text(one.json(), "result"), QStringLiteral("refuse"));
    QCOMPARE(text(one.json(), "reason"), QStringLiteral("unsupported_cache_kind"));
    QVERIFY(one.messages.contains(text(one.json(), "message")));

    const Answer range = calc("--model qwen2.5-7b --batch 1000000001");
    QCOMPARE(range.code, 3);
    QVERIFY(range.messages.contains(QStringLiteral("batch")));
}

void TestCalc::wrongUsage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("named");
    const auto row = [](const char *arguments, const char *named) {
        QTest::newRow(arguments) << QString::fromUtf8(arguments).split(u' ') << QString::fromUtf8(named);
    };
    row("--seq-len 4.096", "4.096");
    row("--seq-len 4096,,8192", "--seq-len");
    row("--batch -1", "--batch");
    row("--batch 0", "--batch");
    row("--kv-dtype q3_7", "q3_7");
    row("--format xml", "xml");
    row("--tp 2", "tp");
    row("Qwen2.5-7B", "Qwen2.5-7B");
    row("--rows x.json --batch 8", "--rows");
    row("--rows x.json --format csv", "--rows");
}

void TestCalc::wrongUsage()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, named);
    const Answer answer = calc(arguments);
    QCOMPARE(answer.code, 2);
    QVERIFY(answer.output.isEmpty());
    QVERIFY2(answer.messages.startsWith(QStringLiteral("kvlab: ")) && answer.messages.contains(named),
        qPrintable(answer.messages));
}

void TestCalc::helpShowsAnExample()
{
    const Answer answer = calc("--help");
    QCOMPARE(answer.code, 0);
    QVERIFY(answer.output.contains("Example: kvlab calc --model"));
}

QTEST_GUILESS_MAIN(TestCalc)
#include "tst_calc.moc"
