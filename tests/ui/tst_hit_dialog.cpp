// SPDX-License-Identifier: GPL-3.0-or-later
// "Will it hit?" by keyboard and mouse: pasted prompts and requests, the marks in both texts, the table of designs, the
// replay of a chat log, both languages.
#include "i18n/language.h"
#include "ui/tiers/hit_dialog.h"
#include "ui/tiers/hit_table.h"
#include "ui/widgets/appearance.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

using namespace kvlab;
using namespace kvlab::ui;

namespace {

QString request(const QString &system, const QString &user = QStringLiteral("Hi"))
{
    return QStringLiteral(R"({"messages":[{"role":"system","content":"%1"},{"role":"user","content":"%2"}]})")
        .arg(system, user);
}

} // namespace

class TestHitDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup();

    void typedPromptsAreCompared();
    void designsFindByTheirOwnUnit();
    void differenceIsMarkedInBoth();
    void reasonsAreTold_data();
    void reasonsAreTold();
    void brokenRequestIsTakenAsText();
    void chatLogIsReplayed();
    void missingLogIsSaid();
    void replayStops();
    void languageSwitch();
};

void TestHitDialog::initTestCase()
{
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

void TestHitDialog::cleanup()
{
    if (i18n::currentLanguage() != QLatin1String("en"))
        i18n::installLanguage(QStringLiteral("en"));
}

void TestHitDialog::typedPromptsAreCompared()
{
    HitDialog dialog;
    QAbstractItemModelTester tester(dialog.table(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    dialog.show();
    QVERIFY(dialog.verdict().contains(QStringLiteral("Paste two prompts")));
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    // The first prompt has the focus, and Tab leads to the second.
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("one two"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("one 2"));
    QCOMPARE(
        dialog.findChild<QPlainTextEdit *>(QStringLiteral("firstPrompt"))->toPlainText(), QStringLiteral("one two"));
    QCOMPARE(
        dialog.findChild<QPlainTextEdit *>(QStringLiteral("secondPrompt"))->toPlainText(), QStringLiteral("one 2"));
    QTRY_VERIFY_WITH_TIMEOUT(dialog.verdict().contains(QStringLiteral("The first difference is token")), 10'000);
    QCOMPARE(dialog.table()->rowCount(), 8);
    dialog.setPrompts({}, {});
    QCOMPARE(dialog.table()->rowCount(), 0);
}

/// A long prompt and the same again: whole blocks, pages and chunks of it, but never its last token.
void TestHitDialog::designsFindByTheirOwnUnit()
{
    HitDialog dialog;
    const QString text = QStringLiteral("word ").repeated(600);
    dialog.setPrompts(text, text);
    const auto found = [&dialog](int row) {
        return QLocale().toInt(dialog.table()->index(row, HitTable::FoundColumn).data().toString());
    };
    const auto computed = [&dialog](int row) {
        return QLocale().toInt(dialog.table()->index(row, HitTable::ComputedColumn).data().toString());
    };
    const int n = found(3) + computed(3);
    QVERIFY(n > 512);
    const QList<int> expected{(n - 1) / 16 * 16, (n - 1) / 32 * 32, (n - 1) / 128 * 128, n - 1, (n - 1) / 64 * 64,
        n - 1, qMin(n / 256 * 256, n - 1), n - 1};
    for (int row = 0; row < expected.size(); ++row)
        QCOMPARE(found(row), expected.at(row));
}

void TestHitDialog::differenceIsMarkedInBoth()
{
    HitDialog dialog;
    dialog.setPrompts(QStringLiteral("The cat sat on the mat."), QStringLiteral("The cat sat on the hat."));
    for (const auto &[name, word] : {std::pair{"firstRead", "mat"}, std::pair{"secondRead", "hat"}}) {
        const auto *read = dialog.findChild<QPlainTextEdit *>(QString::fromLatin1(name));
        QString marked;
        for (const auto &selection : read->extraSelections()) {
            if (selection.format.fontUnderline())
                marked += selection.cursor.selectedText();
        }
        // The token may be a part of the word only.
        marked = marked.trimmed();
        QVERIFY2(!marked.isEmpty() && QString::fromLatin1(word).startsWith(marked), qPrintable(marked));
    }
}

void TestHitDialog::reasonsAreTold_data()
{
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("second");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("reason");
    QTest::newRow("date") << request(QStringLiteral("Today is 2026-03-14."))
                          << request(QStringLiteral("Today is 2026-03-15.")) << QStringLiteral("message 1 (system)")
                          << QStringLiteral("A date or time differs");
    QTest::newRow("question") << request(QStringLiteral("Be brief."), QStringLiteral("What is a block?"))
                              << request(QStringLiteral("Be brief."), QStringLiteral("Who evicts it?"))
                              << QStringLiteral("message 2 (user)") << QStringLiteral("The text itself differs");
    QTest::newRow("tools")
        << QStringLiteral(R"({"messages":[{"role":"user","content":"Hi"}],"tools":[{"name":"alpha"},{"name":"beta"}]})")
        << QStringLiteral(R"({"messages":[{"role":"user","content":"Hi"}],"tools":[{"name":"beta"},{"name":"alpha"}]})")
        << QStringLiteral("the list of tools") << QStringLiteral("another order");
    QTest::newRow("same") << request(QStringLiteral("Be brief.")) << request(QStringLiteral("Be brief."))
                          << QStringLiteral("do not differ") << QStringLiteral("Nothing stands in the way");
}

void TestHitDialog::reasonsAreTold()
{
    QFETCH(QString, first);
    QFETCH(QString, second);
    QFETCH(QString, place);
    QFETCH(QString, reason);
    HitDialog dialog;
    dialog.setPrompts(first, second);
    QVERIFY2(dialog.verdict().contains(place), qPrintable(dialog.verdict()));
    QVERIFY2(dialog.verdict().contains(reason), qPrintable(dialog.verdict()));
}

void TestHitDialog::brokenRequestIsTakenAsText()
{
    HitDialog dialog;
    dialog.show();
    dialog.setPrompts(QStringLiteral("{\"messages\": ["), QStringLiteral("{\"messages\": []"));
    QString notes;
    const auto labels = dialog.findChildren<QLabel *>();
    for (const QLabel *label : labels)
        notes += label->isVisible() ? label->text() : QString();
    QVERIFY(notes.contains(QStringLiteral("First prompt or request: It is taken as plain text")));
    QVERIFY(notes.contains(QStringLiteral("no JSON from character")));
}

void TestHitDialog::chatLogIsReplayed()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("log.jsonl")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const QByteArray line = request(QStringLiteral("word ").repeated(700)).toUtf8() + '\n';
    file.write(line + "broken\n" + line);
    file.close();
    HitDialog dialog;
    dialog.show();
    dialog.replay(file.fileName());
    QTRY_VERIFY_WITH_TIMEOUT(!dialog.replayText().isEmpty(), 30'000);
    for (const QString &part : {QStringLiteral("2 requests replayed."), QStringLiteral("1 line could not be used:"),
             QStringLiteral("Line 2: It is no JSON"), QStringLiteral("vLLM, blocks of 16"), QStringLiteral("LMCache")})
        QVERIFY2(dialog.replayText().contains(part), qPrintable(dialog.replayText()));
}

void TestHitDialog::missingLogIsSaid()
{
    HitDialog dialog;
    dialog.replay(QStringLiteral("no-such-folder/log.jsonl"));
    QTRY_VERIFY_WITH_TIMEOUT(dialog.replayText().contains(QStringLiteral("cannot be read")), 10'000);
}

void TestHitDialog::replayStops()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("log.jsonl")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    for (int i = 0; i < 3000; ++i)
        file.write(request(QStringLiteral("%1 ").arg(i) + QStringLiteral("word ").repeated(300)).toUtf8() + '\n');
    file.close();
    HitDialog dialog;
    dialog.show();
    dialog.replay(file.fileName());
    auto *stop = dialog.findChild<QPushButton *>(QStringLiteral("stopReplay"));
    QVERIFY(stop->isEnabled());
    QTest::mouseClick(stop, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(dialog.replayText().startsWith(QStringLiteral("Stopped")), 10'000);
    QVERIFY(!stop->isEnabled());
    // A dialog that goes away ends its thread.
    HitDialog other;
    other.replay(file.fileName());
}

void TestHitDialog::languageSwitch()
{
    HitDialog dialog;
    dialog.show();
    dialog.setPrompts(request(QStringLiteral("Be brief.")), request(QStringLiteral("Be  brief.")));
    i18n::installLanguage(QStringLiteral("zh"));
    QTRY_VERIFY(dialog.verdict().contains(QStringLiteral("空白")));
    QCOMPARE(dialog.windowTitle(), QStringLiteral("会命中吗？"));
}

QTEST_MAIN(TestHitDialog)
#include "tst_hit_dialog.moc"
