// SPDX-License-Identifier: GPL-3.0-or-later
// "Will it hit?": first difference, reason and counts for pairs of prompts, each worked out by hand.
#include "prefix/hit_forecast.h"

#include <QRegularExpression>
#include <QTest>

#include <map>
#include <numeric>

using namespace kvlab::prefix;

namespace {

/// Markers, words with the space before them, single characters: enough like a real tokenizer.
RenderedPrompt rendered(const QString &text, const ExtraKeys &keys = {})
{
    static std::map<QString, Token> ids;
    static const QRegularExpression piece(QStringLiteral("<\\|[a-z_]+\\|>| ?\\w+|."),
        QRegularExpression::DotMatchesEverythingOption | QRegularExpression::UseUnicodePropertiesOption);
    RenderedPrompt prompt;
    prompt.keys = keys;
    for (auto match = piece.globalMatch(text); match.hasNext();) {
        const QString word = match.next().captured();
        prompt.tokens.push_back(ids.try_emplace(word, Token(ids.size())).first->second);
        prompt.pieces.push_back(word.toStdString());
    }
    return prompt;
}

RenderedPrompt bare(std::vector<Token> tokens, const ExtraKeys &keys = {})
{
    return {std::move(tokens), {}, keys};
}

std::vector<Token> numbered(int count)
{
    std::vector<Token> tokens(static_cast<std::size_t>(count));
    std::iota(tokens.begin(), tokens.end(), 0);
    return tokens;
}

} // namespace

Q_DECLARE_METATYPE(kvlab::prefix::MissReason)

class TestHitForecast : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reasons_data();
    void reasons();
    void countsOfEachDesign_data();
    void countsOfEachDesign();
    void keysSeparate();
    void firstDifferenceIsATokenIndex();
    void sameTextOtherTokens();
    void emptyPrompts();
};

void TestHitForecast::reasons_data()
{
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("second");
    QTest::addColumn<MissReason>("reason");
    const auto row = [](const char *name, const char *first, const char *second, MissReason reason) {
        QTest::newRow(name) << QString::fromUtf8(first) << QString::fromUtf8(second) << reason;
    };
    row("the same", "You are helpful.", "You are helpful.", MissReason::none);
    row("goes on", "You are helpful.", "You are helpful. What now?", MissReason::none);
    row("a part", "You are helpful. What now?", "You are helpful.", MissReason::none);
    row("another word", "You are a helpful assistant.", "You are a careful assistant.", MissReason::text);
    row("two spaces", "You are a helpful assistant.", "You are a  helpful assistant.", MissReason::whitespace);
    row("line ends", "Rules:\nbe brief, be kind", "Rules:\r\nbe brief, be kind", MissReason::whitespace);
    row("tab for spaces", "if x:\n    return the value", "if x:\n\treturn the value", MissReason::whitespace);
    row("clock", "It is 2026-12-01 10:15:30. You are", "It is 2026-12-01 10:15:31. You are", MissReason::timestamp);
    row("day", "Today is 2026-11-30, answer", "Today is 2026-12-01, answer", MissReason::timestamp);
    row("month in words", "Today is November 30, 2026.", "Today is December 1, 2026.", MissReason::timestamp);
    row("weekday", "Today is Monday. Answer", "Today is Tuesday. Answer", MissReason::timestamp);
    row("seconds since 1970", "t=1796067402 go", "t=1796067511 go", MissReason::timestamp);
    row("Chinese date", "今天是2026年11月30日。", "今天是2026年12月1日。", MissReason::timestamp);
    row("UUID", "id 123e4567-e89b-12d3-a456-426614174000 go", "id 123e4567-e89b-12d3-a456-426614174fff go",
        MissReason::identifier);
    row("session", "session=ab12cd34ef56gh go", "session=zz12cd34ef56gh go", MissReason::identifier);
    row("tools", R"([{"name": "search"}, {"name": "read"}] Answer.)",
        R"([{"name": "read"}, {"name": "search"}] Answer.)", MissReason::order);
    row("lines", "Documents:\nred is a colour\nten is a number\n", "Documents:\nten is a number\nred is a colour\n",
        MissReason::order);
    row("one more tool", R"([{"name": "search"}] Answer.)", R"([{"name": "read"}, {"name": "search"}] Answer.)",
        MissReason::text);
    row("role", "<|im_start|>system\nBe kind.<|im_end|>", "<|im_start|>user\nBe kind.<|im_end|>",
        MissReason::chat_template);
    row("turn ends", "<|im_start|>user\nHello<|im_end|>", "<|im_start|>user\nHello there<|im_end|>",
        MissReason::chat_template);
}

void TestHitForecast::reasons()
{
    QFETCH(QString, first);
    QFETCH(QString, second);
    QFETCH(MissReason, reason);
    const HitForecast forecast = forecastHit(rendered(first), rendered(second));
    QCOMPARE(int(forecast.reason), int(reason));
    QCOMPARE(forecast.first_difference.has_value(), reason != MissReason::none);
    // Whoever came first, the reason is the same.
    QCOMPARE(int(forecastHit(rendered(second), rendered(first)).reason), int(reason));
}

void TestHitForecast::countsOfEachDesign_data()
{
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("common");
    QTest::addColumn<int>("second");
    QTest::addColumn<int>("pool");
    QTest::addColumn<int>("chunks");
    QTest::addColumn<int>("radix");
    QTest::addColumn<int>("slot");
    QTest::newRow("the same 512") << 512 << 512 << 512 << 496 << 511 << 511 << 511;
    QTest::newRow("the same 1000") << 1000 << 1000 << 1000 << 992 << 768 << 999 << 999;
    QTest::newRow("300 of 700") << 700 << 300 << 700 << 288 << 256 << 300 << 300;
    QTest::newRow("100 goes on to 400") << 100 << 100 << 400 << 96 << 0 << 100 << 100;
    QTest::newRow("first token") << 512 << 0 << 512 << 0 << 0 << 0 << 0;
    QTest::newRow("one token") << 5 << 1 << 1 << 0 << 0 << 0 << 0;
}

void TestHitForecast::countsOfEachDesign()
{
    QFETCH(int, first);
    QFETCH(int, common);
    QFETCH(int, second);
    std::vector<Token> tokens = numbered(second);
    for (int i = common; i < second; ++i)
        tokens[std::size_t(i)] += 1'000'000;
    const HitForecast forecast = forecastHit(bare(numbered(first)), bare(tokens));
    QCOMPARE(forecast.common_tokens, common);
    QTEST(forecast.pool_tokens, "pool");
    QTEST(forecast.chunk_tokens, "chunks");
    QTEST(forecast.radix_tokens, "radix");
    QTEST(forecast.slot_tokens, "slot");
    // With other sizes: blocks of 64, chunks of 128, pages of 32.
    const HitForecast coarse = forecastHit(bare(numbered(first)), bare(tokens), {64, 128, 32});
    const int most = std::min(common, second - 1);
    QCOMPARE(coarse.pool_tokens, most / 64 * 64);
    QCOMPARE(coarse.chunk_tokens, std::min(common / 128 * 128, second - 1));
    QCOMPARE(coarse.radix_tokens, most / 32 * 32);
}

void TestHitForecast::keysSeparate()
{
    const auto prompt = numbered(600);
    for (const auto &[keys, reason] : {std::pair(ExtraKeys{{}, "tenant"}, MissReason::salt),
             std::pair(ExtraKeys{"adapter", {}}, MissReason::adapter)}) {
        const HitForecast forecast = forecastHit(bare(prompt), bare(prompt, keys));
        QCOMPARE(int(forecast.reason), int(reason));
        QCOMPARE(forecast.common_tokens, 600);
        QVERIFY(!forecast.first_difference);
        QCOMPARE(forecast.pool_tokens, 0);
        QCOMPARE(forecast.chunk_tokens, 0);
        QCOMPARE(forecast.radix_tokens, 0);
        QCOMPARE(forecast.slot_tokens, 599);
        QCOMPARE(forecastHit(bare(prompt, keys), bare(prompt, keys)).pool_tokens, 592);
    }
}

void TestHitForecast::firstDifferenceIsATokenIndex()
{
    const HitForecast forecast
        = forecastHit(rendered(QStringLiteral("one two three four")), rendered(QStringLiteral("one two five four")));
    QCOMPARE(*forecast.first_difference, 2);
    QCOMPARE(forecast.equal_bytes_behind, 1); // the space before "three" and "five"
    QCOMPARE(int(forecastHit(bare({1, 2, 3}), bare({1, 2, 4})).reason), int(MissReason::text)); // no text to look at
}

/// "beginn" against "beginning": where the tokens part, the text goes on alike for six bytes.
void TestHitForecast::sameTextOtherTokens()
{
    const RenderedPrompt prefix{{1, 2, 3}, {"The ", "beginn", "!"}, {}};
    const RenderedPrompt whole{{1, 4}, {"The ", "beginning"}, {}};
    const HitForecast forecast = forecastHit(prefix, whole);
    QCOMPARE(*forecast.first_difference, 1);
    QCOMPARE(forecast.equal_bytes_behind, 6);
}

void TestHitForecast::emptyPrompts()
{
    const HitForecast forecast = forecastHit({}, bare(numbered(20)));
    QCOMPARE(forecast.pool_tokens + forecast.chunk_tokens + forecast.radix_tokens + forecast.slot_tokens, 0);
    QVERIFY(forecast.reason == MissReason::none);
    QCOMPARE(forecastHit(bare(numbered(20)), {}).slot_tokens, 0);
}

QTEST_APPLESS_MAIN(TestHitForecast)
#include "tst_hit_forecast.moc"
