// SPDX-License-Identifier: GPL-3.0-or-later
// The document: what is written is read back, what cannot be read is refused with a sentence, and nothing crashes.
#include "session/csv.h"
#include "session/session.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace kvlab;
using namespace kvlab::session;
using memory::CacheFormat;
using memory::MemoryRow;

namespace {

Session sample()
{
    Session session;
    session.rows = {{QStringLiteral("Qwen2.5-7B"), 4096, 8, CacheFormat::q8_0},
        {QStringLiteral("A model of next year, “X”"), memory::maxSeqLen, memory::maxBatch, CacheFormat::f32}};
    return session;
}

Session sampleWithRun()
{
    Session session = sample();
    experiment::RunResult run;
    run.end = experiment::RunEnd::failed;
    run.message = QStringLiteral("The server closed the connection.");
    session.run = run;
    return session;
}

QString errorOf(const std::variant<Session, SessionError> &read)
{
    const auto *error = std::get_if<SessionError>(&read);
    return error == nullptr ? QStringLiteral("accepted") : error->message;
}

QByteArray document(const QByteArray &rows, const QByteArray &rest = {})
{
    return R"({"format":"kvlab","version":1,"rows":)" + rows + rest + '}';
}

} // namespace

class TestSession : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rowsReadBack();
    void importedModelsReadBack();
    void damagedModelsAreRefused();
    void runReadsBack();
    void labReadsBack();
    void savedFileHasTheDocumentedShape();
    void unreadableFilesAreRefused();
    void badDocumentsAreRefused_data();
    void badDocumentsAreRefused();
    void extraMembersAreIgnored();
    void hugeDocumentsAreRefused();
    void failedSaveKeepsTheOldFile();
    void truncatedDocumentsLoadOrAreRefused();
    void mutatedDocumentsLoadOrAreRefused();
    void rowsToCsvMatchesReference();
    void rowsWithoutFigureHaveEmptyCells();
};

void TestSession::rowsReadBack()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("表.kvlab"));
    QVERIFY(!saveSession(path, sample()).has_value());
    const auto read = loadSession(path);
    QVERIFY2(std::holds_alternative<Session>(read), qPrintable(errorOf(read)));
    // The unknown model stays: the table shows what is wrong with it.
    QCOMPARE(std::get<Session>(read).rows, sample().rows);
    QVERIFY(!std::get<Session>(read).run.has_value());
}

/// Every kind of cache that the list has, under another name as if it were imported: the figures stay those of the
/// list.
void TestSession::importedModelsReadBack()
{
    Session session;
    for (memory::ModelSpec model : memory::builtInModels()) {
        const QString own = model.name;
        model.name = QStringLiteral("My ") + model.name;
        model.weight_bytes = 15'231'233'024;
        model.field_sources.insert(QStringLiteral("kv_heads"), QStringLiteral("num_key_value_heads"));
        QCOMPARE(session.library.add(model), model.name);
        session.rows << MemoryRow{model.name, 8192, 3, CacheFormat::bf16};
        QCOMPARE(memory::findModel(own)->name, own);
    }
    const auto read = sessionFromJson(sessionToJson(session));
    QVERIFY2(std::holds_alternative<Session>(read), qPrintable(errorOf(read)));
    const auto &back = std::get<Session>(read);
    QCOMPARE(back.library.imported().size(), memory::builtInModels().size());
    for (qsizetype i = 0; i < back.rows.size(); ++i) {
        MemoryRow listed = back.rows.at(i);
        const memory::ModelSpec *mine = back.library.find(listed.model);
        QVERIFY2(mine != nullptr, qPrintable(listed.model));
        QCOMPARE(mine->weight_bytes, std::optional<qint64>(15'231'233'024));
        QCOMPARE(mine->field_sources.value(QStringLiteral("kv_heads")), QStringLiteral("num_key_value_heads"));
        QCOMPARE(mine->max_position, memory::builtInModels().at(i).max_position);
        const memory::Estimate here = memory::estimateRow(back.rows.at(i), back.library);
        listed.model = memory::builtInModels().at(i).name;
        const memory::Estimate there = memory::estimateRow(listed);
        QCOMPARE(here.index(), there.index());
        if (const auto *result = std::get_if<memory::MemoryResult>(&here))
            QCOMPARE(result->bytes, std::get<memory::MemoryResult>(there).bytes);
    }
}

void TestSession::damagedModelsAreRefused()
{
    for (const QByteArray &models : {QByteArray("7"), QByteArray("[7]"), QByteArray(R"([{"id":"x","name":"x"}])"),
             QByteArray(R"([{"id":"x","name":"x","caches":[{"kind":"quantum","layers":1}]}])"),
             QByteArray(
                 R"([{"id":"x","name":"x","caches":[{"kind":"full","layers":-1,"kv_heads":1,"head_dim":1}]}])")}) {
        const auto read = sessionFromJson(document("[]", R"(,"models":)" + models));
        QVERIFY2(std::holds_alternative<SessionError>(read), models.constData());
        QVERIFY(errorOf(read).endsWith(QLatin1Char('.')));
    }
}

void TestSession::runReadsBack()
{
    const QByteArray json = sessionToJson(sampleWithRun());
    const auto read = sessionFromJson(json);
    QVERIFY2(std::holds_alternative<Session>(read), qPrintable(errorOf(read)));
    const Session &session = std::get<Session>(read);
    QVERIFY(session.run.has_value());
    QCOMPARE(session.run->message, sampleWithRun().run->message);
    QCOMPARE(session.rows, sample().rows);
    QCOMPARE(sessionToJson(session), json);
}

void TestSession::labReadsBack()
{
    Session session = sample();
    QVERIFY(!QJsonDocument::fromJson(sessionToJson(session)).object().contains(QLatin1String("lab")));
    session.lab.lab_id = QStringLiteral("kv-cache");
    session.lab.current = QStringLiteral("predict-ttft");
    lab::StepState step;
    step.opened_at = QDateTime::fromString(QStringLiteral("2026-03-01T10:00:00Z"), Qt::ISODate);
    step.answer = lab::Answer{QStringLiteral("60 %"), 60.0, lab::AnswerVerdict::recorded};
    session.lab.steps.insert(session.lab.current, step);
    const auto read = sessionFromJson(sessionToJson(session));
    QVERIFY2(std::holds_alternative<Session>(read), qPrintable(errorOf(read)));
    const lab::LabState &lab = std::get<Session>(read).lab;
    QCOMPARE(lab.lab_id, session.lab.lab_id);
    QCOMPARE(lab.current, session.lab.current);
    QCOMPARE(lab.steps.value(lab.current).answer->text, QStringLiteral("60 %"));
    QCOMPARE(lab.steps.value(lab.current).opened_at, step.opened_at);

    QJsonObject damaged = QJsonDocument::fromJson(sessionToJson(session)).object();
    damaged.insert(QStringLiteral("lab"), 5);
    QVERIFY(errorOf(sessionFromJson(QJsonDocument(damaged).toJson())).contains(QStringLiteral("lab")));
    damaged.insert(QStringLiteral("lab"), QJsonObject{{QStringLiteral("steps"), 5}});
    QVERIFY(errorOf(sessionFromJson(QJsonDocument(damaged).toJson())).contains(QStringLiteral("“steps”")));
}

void TestSession::savedFileHasTheDocumentedShape()
{
    const QJsonObject object = QJsonDocument::fromJson(sessionToJson(sample())).object();
    QCOMPARE(object.keys(), (QStringList{QStringLiteral("format"), QStringLiteral("rows"), QStringLiteral("version")}));
    QCOMPARE(object.value(QLatin1String("format")).toString(), QStringLiteral("kvlab"));
    QCOMPARE(object.value(QLatin1String("version")).toInteger(), 1);
    const QJsonObject first{{QStringLiteral("model"), QStringLiteral("Qwen2.5-7B")}, {QStringLiteral("seq_len"), 4096},
        {QStringLiteral("batch"), 8}, {QStringLiteral("kv_dtype"), QStringLiteral("q8_0")}};
    QCOMPARE(object.value(QLatin1String("rows")).toArray().at(0).toObject(), first);
}

void TestSession::unreadableFilesAreRefused()
{
    QTemporaryDir folder;
    const QString missing = folder.filePath(QStringLiteral("missing.kvlab"));
    QVERIFY(errorOf(loadSession(missing)).contains(QStringLiteral("no such file")));
    QVERIFY(errorOf(loadSession(missing)).contains(QStringLiteral("missing.kvlab")));
    QVERIFY(errorOf(loadSession(folder.path())).contains(QStringLiteral("not a file")));
    const QString huge = folder.filePath(QStringLiteral("huge.kvlab"));
    QFile file(huge);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(file.resize(64LL * 1024 * 1024 + 1));
    file.close();
    QVERIFY(errorOf(loadSession(huge)).contains(QStringLiteral("64 MiB")));
}

void TestSession::badDocumentsAreRefused_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QStringList>("named");
    const auto row = [](const char *name, const QByteArray &json, const QStringList &named) {
        QTest::newRow(name) << json << named;
    };
    const QString json = QStringLiteral("JSON");
    row("empty", {}, {json});
    row("text", "hello", {json});
    row("a list", "[]", {json});
    row("picture", QByteArray("\x89PNG\r\n\x1a\n\0\0", 10), {json});
    row("deep", QByteArray(100'000, '['), {json});
    row("other json", R"({"rows":[]})", {QStringLiteral("not a session")});
    row("other format", R"({"format":"qvlab","version":1,"rows":[]})", {QStringLiteral("not a session")});
    row("no version", R"({"format":"kvlab","rows":[]})", {QStringLiteral("version")});
    row("version text", R"({"format":"kvlab","version":"1","rows":[]})", {QStringLiteral("version")});
    row("version 1.5", R"({"format":"kvlab","version":1.5,"rows":[]})", {QStringLiteral("version")});
    row("newer", R"({"format":"kvlab","version":2,"rows":[]})", {QStringLiteral("newer"), QStringLiteral("Update")});
    row("no rows", R"({"format":"kvlab","version":1})", {QStringLiteral("rows")});
    row("rows object", R"({"format":"kvlab","version":1,"rows":{}})", {QStringLiteral("rows")});
    row("run list", document("[]", R"(,"run":[])"), {QStringLiteral("run")});
    row("run null", document("[]", R"(,"run":null)"), {QStringLiteral("run")});
    const QByteArray good = R"({"model":"Qwen2.5-7B","seq_len":4096,"batch":1,"kv_dtype":"bf16"})";
    row("row list", document('[' + good + ",[]]"), {QStringLiteral("Row 2")});
    const auto field = [&](const char *name, const QByteArray &from, const QByteArray &to, const char *named) {
        QByteArray bad = good;
        bad.replace(from, to);
        row(name, document('[' + good + ',' + bad + ']'), {QStringLiteral("Row 2"), QString::fromLatin1(named)});
    };
    field("model number", R"("Qwen2.5-7B")", "7", "model");
    field("model missing", R"("model":"Qwen2.5-7B",)", "", "model");
    field("seq_len 0", "4096", "0", "seq_len");
    field("seq_len negative", "4096", "-4096", "seq_len");
    field("seq_len fraction", "4096", "4096.5", "seq_len");
    field("seq_len text", "4096", R"("4096")", "seq_len");
    field("seq_len too large", "4096", "1000000000001", "seq_len");
    field("seq_len 1e30", "4096", "1e30", "seq_len");
    field("seq_len missing", R"("seq_len":4096,)", "", "seq_len");
    field("batch 0", R"("batch":1)", R"("batch":0)", "batch");
    field("batch too large", R"("batch":1)", R"("batch":1000000001)", "batch");
    field("batch null", R"("batch":1)", R"("batch":null)", "batch");
    field("kv_dtype unknown", "bf16", "q3_7", "kv_dtype");
    field("kv_dtype number", R"("bf16")", "16", "kv_dtype");
}

void TestSession::badDocumentsAreRefused()
{
    QFETCH(QByteArray, json);
    QFETCH(QStringList, named);
    const QString error = errorOf(sessionFromJson(json));
    for (const QString &word : named)
        QVERIFY2(error.contains(word), qPrintable(error));
    QVERIFY2(error.endsWith(u'.'), qPrintable(error));
}

void TestSession::extraMembersAreIgnored()
{
    const auto read = sessionFromJson(
        document(R"([{"model":"","seq_len":1,"batch":1.0,"kv_dtype":"fp16","colour":"red"}])", R"(,"lab":{"step":3})"));
    QVERIFY2(std::holds_alternative<Session>(read), qPrintable(errorOf(read)));
    QCOMPARE(std::get<Session>(read).rows, (QList<MemoryRow>{{QString(), 1, 1, CacheFormat::f16}}));
}

void TestSession::hugeDocumentsAreRefused()
{
    QByteArray json = document("[]");
    json.append(QByteArray(64 * 1024 * 1024 + 1 - json.size(), ' '));
    QVERIFY(errorOf(sessionFromJson(json)).contains(QStringLiteral("64 MiB")));
    json.chop(1);
    QVERIFY2(std::holds_alternative<Session>(sessionFromJson(json)), qPrintable(errorOf(sessionFromJson(json))));
}

void TestSession::failedSaveKeepsTheOldFile()
{
    QTemporaryDir folder;
    const auto error = saveSession(folder.filePath(QStringLiteral("missing/x.kvlab")), sample());
    QVERIFY(error.has_value());
    QVERIFY2(error->message.contains(QStringLiteral("folder")), qPrintable(error->message));
}

void TestSession::truncatedDocumentsLoadOrAreRefused()
{
    const QByteArray json = sessionToJson(sampleWithRun());
    const qsizetype whole = QByteArray(json).trimmed().size();
    for (qsizetype size = 0; size < whole; ++size)
        QVERIFY(!errorOf(sessionFromJson(json.left(size))).contains(QStringLiteral("accepted")));
    QVERIFY(std::holds_alternative<Session>(sessionFromJson(json.left(whole))));
}

void TestSession::mutatedDocumentsLoadOrAreRefused()
{
    const QByteArray base = QJsonDocument::fromJson(sessionToJson(sampleWithRun())).toJson(QJsonDocument::Compact);
    const QByteArray alphabet = QByteArray("{}[]\",:0123456789.-eE\\ntrue\xC3\xFF") + QByteArray(1, 0);
    quint32 state = 7;
    const auto next = [&state](qsizetype below) {
        state = state * 1664525U + 1013904223U;
        return static_cast<qsizetype>((state >> 8) % static_cast<quint32>(below));
    };
    int loaded = 0;
    int refused = 0;
    for (int round = 0; round < 5000; ++round) {
        QByteArray mutated = base;
        for (int change = next(4); change >= 0; --change) {
            const qsizetype at = next(mutated.size());
            if (next(3) == 0)
                mutated.remove(at, 1 + next(5));
            else
                mutated[at] = alphabet.at(next(alphabet.size()));
        }
        const auto read = sessionFromJson(mutated);
        if (const auto *session = std::get_if<Session>(&read)) {
            ++loaded;
            for (const MemoryRow &row : session->rows)
                QVERIFY(!memory::checkRange({row.seq_len, row.batch, row.kv_dtype}).has_value());
        } else {
            ++refused;
            QVERIFY(!errorOf(read).isEmpty());
        }
    }
    // Both ends must be reached, or the mutations say nothing.
    QVERIFY(loaded > 50);
    QVERIFY(refused > 500);
}

void TestSession::rowsToCsvMatchesReference()
{
    QFile file(QStringLiteral(KVLAB_TEST_DATA "/kv-golden.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    // The grid with DeepSeek-V3 right, then the handout's own: the order in which the table starts.
    QList<QJsonObject> right;
    QList<QJsonObject> own;
    for (const QJsonValue &value : QJsonDocument::fromJson(file.readAll()).array()) {
        const QString group = value[QLatin1String("group")].toString();
        const bool handout = value[QLatin1String("model")].toString() == QLatin1String("deepseek-v3-handout");
        if (group == QLatin1String("handout_mla") || (group == QLatin1String("handout") && !handout))
            right << value.toObject();
        else if (group == QLatin1String("handout"))
            own << value.toObject();
    }
    const QList<QJsonObject> reference = right + own;
    const QList<QStringList> cells = parseCsv(rowsToCsv(memory::handoutGrid()));
    QCOMPARE(reference.size(), 40);
    QCOMPARE(cells.size(), 41);
    QCOMPARE(
        cells.constFirst().join(u' '), QStringLiteral("model seq_len batch kv_dtype kv_bytes kv_gib bytes_per_token"));
    for (int i = 0; i < reference.size(); ++i) {
        const QJsonObject &row = reference.at(i);
        const QJsonObject expect = row.value(QLatin1String("expect")).toObject();
        const QStringList expected{
            memory::findModel(row.value(QLatin1String("model")).toString())->name,
            QString::number(row.value(QLatin1String("seq_len")).toInteger()),
            QString::number(row.value(QLatin1String("batch")).toInteger()),
            QStringLiteral("bf16"),
            QString::number(expect.value(QLatin1String("total_bytes")).toInteger()),
            expect.value(QLatin1String("gib")).toString(),
            QString::number(expect.value(QLatin1String("bytes_per_token")).toInteger()),
        };
        QCOMPARE(cells.at(i + 1), expected);
    }
}

void TestSession::rowsWithoutFigureHaveEmptyCells()
{
    const QList<QStringList> cells = parseCsv(rowsToCsv({{QStringLiteral("=Nobody, 1B"), 1, 2, CacheFormat::f16},
        {QStringLiteral("phi-2-2.7b"), 1, 1, CacheFormat::mlx_q4_g64}})); // heads of 80, groups of 64
    QCOMPARE(cells.at(1).join(u'|'), QStringLiteral("=Nobody, 1B|1|2|f16|||"));
    QCOMPARE(cells.at(2).join(u'|'), QStringLiteral("phi-2-2.7b|1|1|mlx_q4_g64|||"));
}

QTEST_GUILESS_MAIN(TestSession)
#include "tst_session.moc"
