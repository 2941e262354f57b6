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

/// Another value of the same form: the last digit is one more or less.
QJsonValue otherThan(const QJsonValue &right)
{
    if (right.isBool())
        return !right.toBool();
    if (right.isDouble())
        return right.toInteger() + 1;
    if (right.isArray()) {
        QJsonArray array = right.toArray();
        array[0] = otherThan(array.at(0));
        return array;
    }
    QString text = right.toString();
    text.back() = text.back() == u'0' ? u'1' : u'0';
    return text;
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
    void windowsAndStatesStandApart();
    void enginesAllocateMore();
    void ranksAndFormats();
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

    const QJsonArray rows = json.value(QLatin1String("rows")).toArray();
    QCOMPARE(rows.size(), 443);
    for (const QJsonValue &row : rows) {
        QVERIFY2(text(row, "result") == QLatin1String("passed"), qPrintable(text(row, "id")));
        // Not taken on trust: what was got is what the file expects, figure by figure.
        QCOMPARE(row[QLatin1String("got")].toObject(), row[QLatin1String("expect")].toObject());
    }
    QVERIFY2(answer.messages.contains(QStringLiteral("byte: 443.")), qPrintable(answer.messages));
}

void TestCalc::differencesAreFound()
{
    // Every row of the file with one figure altered: each must be found, none passed over.
    QJsonArray rows;
    QStringList altered;
    for (const QJsonValue &value : goldenRows()) {
        for (const QString &key : value[QLatin1String("expect")].toObject().keys()) {
            QJsonObject row = value.toObject();
            QJsonObject expect = row.value(QLatin1String("expect")).toObject();
            expect[key] = otherThan(expect.value(key));
            row[QLatin1String("expect")] = expect;
            rows << row;
            altered << key;
        }
    }
    QVERIFY(rows.size() > 2 * 443);
    const Answer answer = calc({QStringLiteral("--rows"), write(rows)});
    QCOMPARE(answer.code, 1);
    QCOMPARE(answer.json().value(QLatin1String("passed")).toInteger(), 0);
    const QJsonArray shown = answer.json().value(QLatin1String("rows")).toArray();
    for (qsizetype i = 0; i < shown.size(); ++i) {
        const QString place = text(shown.at(i), "id") + u' ' + altered.at(i);
        QVERIFY2(text(shown.at(i), "result") == QLatin1String("failed"), qPrintable(place));
    }
    QVERIFY(answer.messages.contains(QStringLiteral("g0004")));
}

void TestCalc::whatIsNotComputedIsNeverPassed_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QJsonValue>("value");
    QTest::addColumn<QString>("reason");
    const QString field = QStringLiteral("unsupported_field");
    QTest::newRow("tp") << QStringLiteral("tp") << QJsonValue(3) << QStringLiteral("tp_invalid");
    QTest::newRow("rounding") << QStringLiteral("rounding") << QJsonValue(QStringLiteral("page17")) << field;
    QTest::newRow("new member") << QStringLiteral("w_dtype") << QJsonValue(QStringLiteral("bf16")) << field;
    QTest::newRow("format") << QStringLiteral("kv_dtype") << QJsonValue(QStringLiteral("q3_7"))
                            << QStringLiteral("unsupported_format");
    QTest::newRow("parameter") << QStringLiteral("params") << QJsonValue(QJsonObject{{QStringLiteral("swa_full"), 1}})
                               << field;
    QTest::newRow("input") << QStringLiteral("inputs")
                           << QJsonValue(QJsonObject{
                                  {QStringLiteral("model"), QStringLiteral("qwen2.5-7b")}, {QStringLiteral("dcp"), 2}})
                           << field;
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
    for (const auto &[key, value] :
        std::initializer_list<std::pair<const char *, QJsonValue>>{{"model", QStringLiteral("nobody-1b")},
            {"seq_len", 1.5}, {"batch", -1}, {"tp", 0}, {"expect", QJsonObject()}}) {
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
    QVERIFY(answer.output.startsWith("model,seq_len,batch,kv_dtype,v_dtype,tp,kv_bytes,kv_gib,bytes_per_token,"
                                     "bytes_per_token_above_window,fixed_bytes_per_sequence,engine,allocated_bytes,"
                                     "note\r\n"));
    const QList<QStringList> rows = kvlab::session::parseCsv(answer.output);
    QCOMPARE(rows.size(), 41);
    QCOMPARE(rows.at(25).join(u'|'),
        QStringLiteral("DeepSeek-V3|2048|1|bf16|bf16|1|143917056|0.134|70272|70272|0|ideal|143917056|"));
    QVERIFY(rows.at(33).join(u'|').startsWith(
        QStringLiteral("DeepSeek-V3 (handout)|2048|1|bf16|bf16|1|511705088|0.477|249856|249856|")));
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
    QCOMPARE(comma.code, 0);
    QCOMPARE(number(comma.json(), "bytes_per_token_16bit"), 78324); // 61 × (1152 + 132)
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

void TestCalc::windowsAndStatesStandApart()
{
    const QJsonObject gemma = calc("--model gemma-3-27b --seq-len 4096 --format json").json();
    QCOMPARE(number(gemma, "bytes_per_token_16bit"), 507904);
    QCOMPARE(number(gemma, "bytes_per_token_above_window_16bit"), 81920);
    QVERIFY(!gemma.contains(QLatin1String("state_bytes")));
    const QJsonObject qwen = calc("--model qwen3-next-80b-a3b --seq-len 4096 --batch 2 --format json").json();
    QCOMPARE(number(qwen, "state_bytes"), 39518208);
    const QJsonValue row = qwen.value(QLatin1String("rows")).toArray().at(0);
    QCOMPARE(number(row, "fixed_bytes_per_sequence"), 39518208);
    QCOMPARE(number(row, "ideal_bytes"), 2 * 140181504);

    // The table has these columns where they say something, and only there.
    const QByteArray table = calc("--model gemma-3-27b,qwen2.5-7b").output;
    QVERIFY(table.contains("bytes_per_token_above_window") && !table.contains("fixed_bytes_per_sequence"));
    QVERIFY(!calc("--model qwen2.5-7b").output.contains("above_window"));
    const Answer compressed = calc("--model deepseek-v4-pro");
    QCOMPARE(compressed.code, 0);
    QVERIFY(compressed.output.contains("not an allocation"));
}

void TestCalc::enginesAllocateMore()
{
    const auto allocated = [](const char *engine, const char *arguments) {
        const QString line = QStringLiteral("%1 --format json --engine %2");
        return calc(line.arg(QLatin1String(arguments), QLatin1String(engine)).toUtf8().constData())
            .json()
            .value(QLatin1String("rows"))
            .toArray()
            .at(0);
    };
    const char *const qwen = "--model qwen2.5-7b --seq-len 1000 --batch 3";
    QCOMPARE(number(allocated("ideal", qwen), "allocated_bytes"), 172032000);
    QCOMPARE(number(allocated("vllm", qwen), "allocated_bytes"), 173408256);
    QCOMPARE(number(allocated("sglang", qwen), "allocated_bytes"), 172032000);
    QCOMPARE(number(allocated("llama.cpp", qwen), "allocated_bytes"), 176160768);
    QCOMPARE(number(allocated("llama.cpp", qwen), "ideal_bytes"), 172032000);
    QCOMPARE(text(allocated("llama.cpp", qwen), "engine"), QStringLiteral("llama.cpp"));
    const Answer table = calc("--model qwen2.5-7b --engine vllm");
    QVERIFY(table.output.contains("allocated_bytes") && table.output.contains("vllm"));
    const Answer unknown = calc("--model deepseek-v4-pro --engine vllm --format json");
    QCOMPARE(unknown.code, 3);
    QCOMPARE(text(unknown.json(), "reason"), QStringLiteral("allocation_unknown"));
}

void TestCalc::ranksAndFormats()
{
    const QJsonObject json = calc("--model qwen2.5-7b --tp 8 --kv-dtype q8_0 --v-dtype q4_0 --format json").json();
    const QJsonValue row = json.value(QLatin1String("rows")).toArray().at(0);
    QCOMPARE(number(row, "bytes_per_token"), 5824); // 28 × 1 × 128 × (34 + 18) / 32
    QCOMPARE(number(row, "tp"), 8);
    QCOMPARE(text(row, "kv_dtype") + text(row, "v_dtype"), QStringLiteral("q8_0q4_0"));
    // 28 query heads on 8 ranks: the arithmetic holds, but engines would not start.
    QCOMPARE(
        text(json.value(QLatin1String("warnings")).toArray().at(0), "field"), QStringLiteral("num_attention_heads"));
    const Answer invalid = calc("--model phi-4-14b --tp 3 --format json");
    QCOMPARE(invalid.code, 3);
    QCOMPARE(text(invalid.json(), "reason"), QStringLiteral("tp_invalid"));
}

void TestCalc::refusalsStandInTheRow()
{
    // Phi-2's 32 heads of 80 values fill ggml's blocks of 32, but no group of 64 of MLX.
    const QStringList query{QStringLiteral("--kv-dtype"), QStringLiteral("mlx_q4_g64"), QStringLiteral("--model"),
        QStringLiteral("Qwen2.5-7B,phi-2-2.7b,Nobody-1B")};
    const Answer table = calc(query);
    QCOMPARE(table.code, 3);
    const QStringList lines = QString::fromUtf8(table.output).split(u'\n');
    QVERIFY(lines.at(1).contains(QStringLiteral(" 66060288 "))); // 4096 × 57344 × 0.28125
    QVERIFY(lines.at(2).contains(QStringLiteral("80 values")) && !lines.at(2).contains(QStringLiteral(" 0 ")));
    QVERIFY(lines.at(3).contains(QStringLiteral("no model named “Nobody-1B”")));
    QVERIFY(
        table.messages.contains(QStringLiteral("80 values")) && table.messages.contains(QStringLiteral("Nobody-1B")));

    const QStringList json_query = query + QStringList{QStringLiteral("--format"), QStringLiteral("json")};
    const QJsonArray rows = calc(json_query).json().value(QLatin1String("rows")).toArray();
    QCOMPARE(text(rows.at(1), "reason"), QStringLiteral("unaligned_row"));
    QVERIFY(rows.at(1)[QLatin1String("ideal_bytes")].isUndefined());
    QCOMPARE(text(rows.at(2), "reason"), QStringLiteral("unknown_model"));

    const Answer csv = calc(query + QStringList{QStringLiteral("--format"), QStringLiteral("csv")});
    const QStringList cells = kvlab::session::parseCsv(csv.output).at(2);
    QCOMPARE(cells.mid(6, 3), (QStringList{QString(), QString(), QString()}));
    QVERIFY(cells.constLast().contains(QStringLiteral("80 values")));

    const Answer one = calc("--model phi-2-2.7b --kv-dtype mlx_q4_g64 --format json");
    QCOMPARE(one.code, 3);
    QCOMPARE(text(one.json(), "result"), QStringLiteral("refuse"));
    QCOMPARE(text(one.json(), "reason"), QStringLiteral("unaligned_row"));
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
    row("--v-dtype q3_7", "--v-dtype");
    row("--tp 0", "--tp");
    row("--tp two", "two");
    row("--engine tgi", "tgi");
    row("--gpu 2", "gpu");
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
