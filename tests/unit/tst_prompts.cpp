// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of a run: built-in document, tags, cutting.
#include "experiment/prompts.h"

#include <QJsonObject>
#include <QSet>
#include <QTest>

using namespace kvlab::experiment;

class TestPrompts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void builtInDocumentIsLongAndVaried();
    void documentGoesOnUnderTheNextNumber();
    void wordsAreManyAndDifferent();
    void tagsDifferInTheirFirstWord();
    void tagsDependOnTheSeed();
    void restrictedTagsUseOnlyTheWordsLeft();
    void leadIsCountedInWords();
    void messagesBeginWithTheTag();
    void textIsCutAtASpace();
    void chineseIsCutAnywhereButNotInsideACharacter();
    void estimateCountsChineseDenser();
};

void TestPrompts::builtInDocumentIsLongAndVaried()
{
    const QString document = builtInDocument(1);
    const QString whole = builtInDocument(10'000);
    QVERIFY(whole.size() >= 10'000);
    QVERIFY(whole.startsWith(document));
    const QStringList sentences = whole.first(10'000).split(QStringLiteral(". "));
    QVERIFY(sentences.size() > 80);
    const QSet<QString> different(sentences.begin(), sentences.end());
    QVERIFY(different.size() * 100 >= sentences.size() * 95); // no sentence is repeated to fill the space
}

void TestPrompts::documentGoesOnUnderTheNextNumber()
{
    const QString document = builtInDocument(40'000);
    QVERIFY(document.size() >= 40'000);
    QVERIFY(document.startsWith(QLatin1String("1. What a language model computes")));
    QVERIFY(document.contains(QLatin1String("\n\n2. Queries, keys and values\n\n")));
    const qsizetype second = document.indexOf(QLatin1String("What a language model computes"), 100);
    QVERIFY(second > 10'000);
    QVERIFY(!document.mid(second - 4, 4).startsWith(QLatin1String("1. ")));
}

void TestPrompts::wordsAreManyAndDifferent()
{
    const QStringList words = builtInWords();
    QVERIFY(words.size() >= 200);
    QCOMPARE(QSet<QString>(words.begin(), words.end()).size(), words.size());
    QVERIFY(builtInQuestions().size() >= 2);
}

void TestPrompts::tagsDifferInTheirFirstWord()
{
    TagSource source(builtInWords(), 1);
    QSet<QString> first;
    for (int i = 0; i < builtInWords().size(); ++i) {
        const Tag tag = source.next(8);
        QCOMPARE(tag.size(), 8);
        first.insert(tag.first());
    }
    QCOMPARE(first.size(), builtInWords().size());
}

void TestPrompts::tagsDependOnTheSeed()
{
    TagSource one(builtInWords(), 1);
    TagSource same(builtInWords(), 1);
    TagSource other(builtInWords(), 2);
    const Tag tag = one.next(8);
    QCOMPARE(same.next(8), tag);
    QVERIFY(other.next(8) != tag);
}

void TestPrompts::restrictedTagsUseOnlyTheWordsLeft()
{
    TagSource source(builtInWords(), 3);
    const QStringList left{QStringLiteral("river"), QStringLiteral("stone")};
    source.restrictTo(left);
    for (int i = 0; i < 5; ++i) {
        for (const QString &word : source.next(4) + source.filler(10).split(QLatin1Char(' ')))
            QVERIFY(left.contains(word));
    }
}

void TestPrompts::leadIsCountedInWords()
{
    const Tag tag{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")};
    QCOMPARE(sharedLead(tag, {}), 0);
    QCOMPARE(sharedLead(tag, {{QStringLiteral("x"), QStringLiteral("b")}}), 0);
    QCOMPARE(
        sharedLead(tag, {{QStringLiteral("a"), QStringLiteral("x")}, {QStringLiteral("a"), QStringLiteral("b")}}), 2);
    QCOMPARE(sharedLead(tag, {tag}), 3);
}

void TestPrompts::messagesBeginWithTheTag()
{
    const Prompt prompt{{QStringLiteral("river"), QStringLiteral("stone")}, QStringLiteral("Text."),
        {QStringLiteral("fox")}, QStringLiteral("Why?")};
    const QJsonArray two = toMessages(prompt, DocumentRole::system);
    QCOMPARE(two.size(), 2);
    QCOMPARE(two.at(0).toObject().value(QStringLiteral("role")).toString(), QStringLiteral("system"));
    QCOMPARE(two.at(0).toObject().value(QStringLiteral("content")).toString(),
        QStringLiteral("Edition: river stone.\n\nText."));
    QCOMPARE(two.at(1).toObject().value(QStringLiteral("content")).toString(), QStringLiteral("Reader: fox.\nWhy?"));
    const QJsonArray one = toMessages(prompt, DocumentRole::user);
    QCOMPARE(one.size(), 1);
    QCOMPARE(one.at(0).toObject().value(QStringLiteral("role")).toString(), QStringLiteral("user"));
    QVERIFY(one.at(0)
                .toObject()
                .value(QStringLiteral("content"))
                .toString()
                .startsWith(QLatin1String("Edition: river stone.")));
}

void TestPrompts::textIsCutAtASpace()
{
    const QString text = QStringLiteral("one two three four");
    QCOMPARE(cutText(text, 9), QStringLiteral("one two"));
    QCOMPARE(cutText(text, 7), QStringLiteral("one two"));
    QCOMPARE(cutText(text, 100), text);
    QCOMPARE(cutText(text, 0), QString());
}

void TestPrompts::chineseIsCutAnywhereButNotInsideACharacter()
{
    QCOMPARE(cutText(QStringLiteral("键值缓存很有用"), 4), QStringLiteral("键值缓存"));
    const QString pairs = QString::fromUcs4(U"\U00020000\U00020001\U00020002");
    QCOMPARE(cutText(pairs, 3), pairs.first(2));
}

void TestPrompts::estimateCountsChineseDenser()
{
    QCOMPARE(estimatedTokens(QStringLiteral("abcdefgh")), 2.0);
    QCOMPARE(estimatedTokens(QStringLiteral("键值缓存很有用啊")), 5.0);
}

QTEST_APPLESS_MAIN(TestPrompts)
#include "tst_prompts.moc"
