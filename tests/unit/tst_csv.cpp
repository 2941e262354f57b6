// SPDX-License-Identifier: GPL-3.0-or-later
// CSV cells and documents against csv-cases.json, reading back, and writes that fail without harm.
#include "session/csv.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#ifdef Q_OS_UNIX
#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#endif

using namespace kvlab::session;

namespace {

QJsonArray cases(const QString &section)
{
    QFile file(QStringLiteral(KVLAB_TEST_DATA "/csv-cases.json"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("csv-cases.json is missing");
    return QJsonDocument::fromJson(file.readAll()).object().value(section).toArray();
}

QString cell(const QJsonValue &value, const QString &type)
{
    if (type == QLatin1String("text"))
        return csvTextCell(value.toString());
    return csvNumberCell(value.isNull() ? std::nullopt : std::optional(value.toString()));
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
}

#ifdef Q_OS_UNIX
/// Files may not grow beyond `bytes` while this lives: the way a full disk is reproduced without one.
class FileSizeLimit
{
public:
    explicit FileSizeLimit(rlim_t bytes)
    {
        m_signal = std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_signal);
    }
    Q_DISABLE_COPY_MOVE(FileSizeLimit)

private:
    rlimit m_before{};
    void (*m_signal)(int) = nullptr;
};
#endif

} // namespace

class TestCsv : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fields_data();
    void fields();
    void documents_data();
    void documents();
    void textReadsBack();
    void numbersArePlain();
    void lenientReading();
    void mutatedDocumentsNeverCrash();
    void filesAreWritten();
    void failedWritesSayWhy_data();
    void failedWritesSayWhy();
    void failedWritesLeaveTheOldFile();
};

void TestCsv::fields_data()
{
    QTest::addColumn<QJsonObject>("field");
    const QJsonArray fields = cases(QStringLiteral("fields"));
    QCOMPARE(fields.size(), 40);
    for (const QJsonValue &field : fields)
        QTest::newRow(qPrintable(field[QLatin1String("id")].toString())) << field.toObject();
}

void TestCsv::fields()
{
    QFETCH(QJsonObject, field);
    QCOMPARE(cell(field.value(QLatin1String("value")), field.value(QLatin1String("type")).toString()),
        field.value(QLatin1String("csv")).toString());
}

void TestCsv::documents_data()
{
    QTest::addColumn<QJsonObject>("document");
    const QJsonArray documents = cases(QStringLiteral("documents"));
    QCOMPARE(documents.size(), 4);
    for (const QJsonValue &document : documents)
        QTest::newRow(qPrintable(document[QLatin1String("id")].toString())) << document.toObject();
}

void TestCsv::documents()
{
    QFETCH(QJsonObject, document);
    const QJsonArray columns = document.value(QLatin1String("columns")).toArray();
    CsvWriter writer;
    QList<QStringList> expected;
    QStringList header;
    for (const QJsonValue &name : document.value(QLatin1String("header")).toArray())
        header << name.toString();
    writer.addRow(header);
    expected << header;
    for (const QJsonValue &row : document.value(QLatin1String("rows")).toArray()) {
        QStringList cells;
        QStringList texts;
        for (qsizetype i = 0; i < columns.size(); ++i) {
            cells << cell(row[i], columns.at(i).toString());
            texts << row[i].toString();
        }
        writer.addRow(cells);
        expected << texts;
    }
    const bool bom = document.value(QLatin1String("bom")).toBool();
    const QByteArray bytes = writer.toUtf8(bom ? ByteOrderMark::yes : ByteOrderMark::no);
    QCOMPARE(bytes.toHex(), document.value(QLatin1String("bytes_hex")).toString().toLatin1());
    QCOMPARE(parseCsv(bytes), expected);
}

void TestCsv::textReadsBack()
{
    CsvWriter writer;
    QStringList texts;
    QStringList cells;
    for (const QJsonValue &field : cases(QStringLiteral("fields"))) {
        texts << field[QLatin1String("value")].toString();
        cells << cell(field[QLatin1String("value")], field[QLatin1String("type")].toString());
    }
    writer.addRow(cells);
    writer.addRow(cells);
    QCOMPARE(parseCsv(writer.toUtf8()), (QList<QStringList>{texts, texts}));
}

void TestCsv::numbersArePlain()
{
    QCOMPARE(csvNumber(504.6), QStringLiteral("504.6"));
    QCOMPARE(csvNumber(1234567.25), QStringLiteral("1234567.25"));
    QCOMPARE(csvNumber(100), QStringLiteral("100"));
    QCOMPARE(csvNumber(0.0004), QStringLiteral("0"));
    QCOMPARE(csvNumber(-0.0001), QStringLiteral("0"));
    QCOMPARE(csvNumber(-3.2), QStringLiteral("-3.2"));
    QCOMPARE(csvNumber(1e21), QStringLiteral("1000000000000000000000"));
    QCOMPARE(csvNumber(2.4, 0), QStringLiteral("2"));
    QCOMPARE(csvNumber(std::nan("")), QString());
    QCOMPARE(csvNumber(HUGE_VAL), QString());
}

void TestCsv::lenientReading()
{
    const QList<QStringList> expected{{QStringLiteral("a"), QStringLiteral("b")}, {QStringLiteral("1"), QString()}};
    QCOMPARE(parseCsv("a,b\r\n1,\r\n"), expected);
    QCOMPARE(parseCsv("a,b\n1,"), expected);
    QCOMPARE(parseCsv("\xEF\xBB\xBF"
                      "a,b\r1,\r"),
        expected);
    QCOMPARE(parseCsv(QByteArray()), QList<QStringList>());
    QCOMPARE(
        parseCsv("\"open, and never closed\n"), (QList<QStringList>{{QStringLiteral("open, and never closed\n")}}));
    QCOMPARE(parseCsv("\"a\"b,5\" disk"), (QList<QStringList>{{QStringLiteral("ab"), QStringLiteral("5\" disk")}}));
    QCOMPARE(parseCsv("'=1,'x,''=1"),
        (QList<QStringList>{{QStringLiteral("=1"), QStringLiteral("'x"), QStringLiteral("''=1")}}));
}

void TestCsv::mutatedDocumentsNeverCrash()
{
    const QByteArray base("\xEF\xBB\xBF"
                          "model,kv_bytes\r\n\"a \"\"b\"\", c\",1\r\n'=x,2\r\n");
    quint32 state = 1;
    const auto next = [&state] { return state = state * 1664525U + 1013904223U; };
    const QByteArray alphabet("\",\r\n'=\xEF\0ab", 10);
    for (int round = 0; round < 5000; ++round) {
        QByteArray mutated = base;
        for (int change = 0; change < 4; ++change)
            mutated[(next() >> 8) % mutated.size()] = alphabet.at((next() >> 8) % alphabet.size());
        mutated.truncate((next() >> 8) % (mutated.size() + 1));
        // Every cell must come out of the document: never more characters than went in.
        qsizetype characters = 0;
        for (const QStringList &row : parseCsv(mutated)) {
            QVERIFY(!row.isEmpty());
            for (const QString &text : row)
                characters += text.size();
        }
        QVERIFY(characters <= mutated.size());
    }
}

void TestCsv::filesAreWritten()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("表 1.csv"));
    QCOMPARE(writeFileAtomically(path, "one"), std::nullopt);
    QCOMPARE(contentOf(path), QByteArray("one"));
    QCOMPARE(writeFileAtomically(path, QByteArray()), std::nullopt);
    QCOMPARE(contentOf(path), QByteArray());
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
}

void TestCsv::failedWritesSayWhy_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("named");
    QTest::newRow("no name") << QString() << QStringLiteral("no file was named");
    QTest::newRow("no folder") << QStringLiteral("missing/x.csv") << QStringLiteral("folder");
    QTest::newRow("a file as folder") << QStringLiteral("file/x.csv") << QStringLiteral("does not exist");
    QTest::newRow("a folder") << QStringLiteral("sub") << QStringLiteral("a folder has this name");
}

void TestCsv::failedWritesSayWhy()
{
    QFETCH(QString, name);
    QFETCH(QString, named);
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("sub")));
    QCOMPARE(writeFileAtomically(folder.filePath(QStringLiteral("file")), "old"), std::nullopt);
    const auto error = writeFileAtomically(name.isEmpty() ? QString() : folder.filePath(name), "new");
    QVERIFY(error.has_value());
    QVERIFY2(error->contains(named), qPrintable(*error));
    QVERIFY2(error->endsWith(u'.'), qPrintable(*error));
    QCOMPARE(contentOf(folder.filePath(QStringLiteral("file"))), QByteArray("old"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).size(), 2);
}

void TestCsv::failedWritesLeaveTheOldFile()
{
#ifdef Q_OS_UNIX
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("x.csv"));
    QCOMPARE(writeFileAtomically(path, "old"), std::nullopt);
    std::optional<QString> error;
    {
        const FileSizeLimit full_disk(64 * 1024);
        error = writeFileAtomically(path, QByteArray(1024 * 1024, 'x'));
    }
    QVERIFY(error.has_value());
    QVERIFY2(
        error->contains(QStringLiteral("x.csv")) && error->contains(QStringLiteral("unchanged")), qPrintable(*error));
    QCOMPARE(contentOf(path), QByteArray("old"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);

    // What is there and is no file (a pipe here, /dev/null in earnest) keeps its place.
    const QString pipe = folder.filePath(QStringLiteral("pipe"));
    QCOMPARE(mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    const auto refused = writeFileAtomically(pipe, "x");
    QVERIFY(refused.has_value());
    QVERIFY2(refused->contains(QStringLiteral("not a file")), qPrintable(*refused));
    QVERIFY(QFileInfo::exists(pipe) && !QFileInfo(pipe).isFile());
#else
    QVERIFY(writeFileAtomically(QStringLiteral("Z:/no/such/folder/x.csv"), "x").has_value()); // not tried
#endif
}

QTEST_GUILESS_MAIN(TestCsv)
#include "tst_csv.moc"
