// SPDX-License-Identifier: GPL-3.0-or-later
#include "prefix/hit_forecast.h"

#include "prefix/block_pool.h"
#include "prefix/lmcache_rules.h"
#include "prefix/radix_tree.h"
#include "prefix/slot_cache.h"

#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include <algorithm>

namespace kvlab::prefix {

namespace {

int commonTokens(const std::vector<Token> &a, const std::vector<Token> &b)
{
    return int(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

HashChain chainOf(const RenderedPrompt &prompt, int blockSize)
{
    HashChain chain(blockSize, prompt.keys);
    chain.append(prompt.tokens);
    return chain;
}

int poolHit(const RenderedPrompt &first, const RenderedPrompt &second, int blockSize)
{
    BlockPool::Options options;
    options.block_size = blockSize;
    options.blocks = int(first.tokens.size()) / blockSize + 2;
    BlockPool pool(options);
    const HashChain chain = chainOf(first, blockSize);
    auto allocation = pool.allocate(chain);
    pool.commit(*allocation, chain, chain.size());
    return pool.cachedPrefix(chainOf(second, blockSize));
}

/// SGLang's extra_key: adapter and salt in one.
std::string spaceOf(const ExtraKeys &keys)
{
    return std::to_string(keys.adapter.size()) + ' ' + keys.adapter + keys.salt;
}

int radixHit(const RenderedPrompt &first, const RenderedPrompt &second, int pageSize)
{
    RadixTree tree({pageSize, int(first.tokens.size()) + 1});
    const auto request = tree.start(first.tokens, spaceOf(first.keys));
    tree.finish(*request, first.tokens);
    return tree.match(second.tokens, spaceOf(second.keys));
}

int slotHit(const RenderedPrompt &first, const RenderedPrompt &second)
{
    SlotCache::Options options;
    options.slots = 1;
    SlotCache cache(options);
    cache.serve(first.tokens);
    return cache.serve(second.tokens).cached_tokens;
}

std::string joined(const std::vector<std::string> &pieces)
{
    std::string text;
    for (const std::string &piece : pieces)
        text += piece;
    return text;
}

/// The texts of both prompts and where they part.
struct Texts
{
    QString first;
    QString second;
    qsizetype parting = 0;

    Texts(const std::string &a, const std::string &b)
        : first(QString::fromStdString(a))
        , second(QString::fromStdString(b))
    {
        const auto end = std::mismatch(first.cbegin(), first.cend(), second.cbegin(), second.cend());
        parting = end.first - first.cbegin();
    }
};

qsizetype skipSpace(const QString &text, qsizetype at)
{
    while (at < text.size() && text.at(at).isSpace())
        ++at;
    return at;
}

/// Without the white space at the difference the texts go on alike.
bool isWhitespace(const Texts &texts)
{
    constexpr qsizetype enough = 16;
    const qsizetype a = skipSpace(texts.first, texts.parting);
    const qsizetype b = skipSpace(texts.second, texts.parting);
    const QString restA = texts.first.mid(a, enough);
    const QString restB = texts.second.mid(b, enough);
    return (a > texts.parting || b > texts.parting) && !restA.isEmpty() && restA == restB;
}

/// Does something of this kind lie over the difference?
bool liesOver(const QRegularExpression &kind, const QString &text, qsizetype place)
{
    constexpr qsizetype reach = 60;
    const qsizetype start = std::max<qsizetype>(0, place - reach);
    for (auto match = kind.globalMatch(text.mid(start, 2 * reach)); match.hasNext();) {
        const auto found = match.next();
        if (start + found.capturedStart() <= place && place <= start + found.capturedEnd())
            return true;
    }
    return false;
}

bool bothLieOver(const QRegularExpression &kind, const Texts &texts)
{
    return liesOver(kind, texts.first, texts.parting) && liesOver(kind, texts.second, texts.parting);
}

bool isTimestamp(const Texts &texts)
{
    static const QRegularExpression kind(
        QStringLiteral("\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}:\\d{2}(:\\d{2}([.,]\\d+)?)?|\\b1\\d{9}(\\d{3})?\\b|"
                       "\\d{4}年\\d{1,2}月(\\d{1,2}日)?|\\b\\d{1,2}[./]\\d{1,2}[./]\\d{4}|"
                       "\\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.? +\\d{1,2}(,? +\\d{4})?|"
                       "\\b\\d{1,2}\\.? +(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|"
                       "\\b(mon|tues|wednes|thurs|fri|satur|sun)day\\b"),
        QRegularExpression::CaseInsensitiveOption);
    return bothLieOver(kind, texts);
}

/// A UUID, or a long run of letters and digits with both in it.
bool isIdentifier(const Texts &texts)
{
    static const QRegularExpression kind(
        QStringLiteral(
            "\\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b|\\b(?=[a-z_-]*\\d)(?=[\\d_-]*[a-z])[a-z\\d_-]{12,}\\b"),
        QRegularExpression::CaseInsensitiveOption);
    return bothLieOver(kind, texts);
}

bool isMarker(const std::string &piece)
{
    static const QRegularExpression marker(
        QStringLiteral("^\\s*(<\\|.*\\|>|<｜.*｜>|</?s>|\\[/?(INST|SYSTEM_PROMPT)\\]|<</?SYS>>|</?think>|"
                       "<(start|end)_of_turn>)\\s*$"));
    return marker.match(QString::fromStdString(piece)).hasMatch();
}

/// The difference is a marker, or the role's name right behind one.
bool isTemplate(const RenderedPrompt &first, const RenderedPrompt &second, std::size_t place)
{
    const bool behindMarker = place > 0 && isMarker(first.pieces[place - 1]);
    return isMarker(first.pieces[place]) || isMarker(second.pieces[place]) || behindMarker;
}

/// The same items, but not in the same order; two at least.
bool isReordered(QStringList a, QStringList b)
{
    if (a.size() < 2 || a == b)
        return false;
    a.sort();
    b.sort();
    return a == b;
}

QStringList quotedTexts(const QString &text)
{
    static const QRegularExpression quoted(QStringLiteral("\"(\\\\.|[^\"\\\\])*\""));
    QStringList list;
    for (auto match = quoted.globalMatch(text); match.hasNext();)
        list.append(match.next().captured());
    return list;
}

/// Lines, or the texts of JSON: tools, keys, documents that changed places.
bool isOrder(const Texts &texts)
{
    return isReordered(texts.first.split(u'\n', Qt::SkipEmptyParts), texts.second.split(u'\n', Qt::SkipEmptyParts))
        || isReordered(quotedTexts(texts.first), quotedTexts(texts.second));
}

MissReason reasonOf(const RenderedPrompt &first, const RenderedPrompt &second, std::size_t place, const Texts &texts)
{
    if (isWhitespace(texts))
        return MissReason::whitespace;
    if (isTemplate(first, second, place))
        return MissReason::chat_template;
    if (isTimestamp(texts))
        return MissReason::timestamp;
    if (isIdentifier(texts))
        return MissReason::identifier;
    return isOrder(texts) ? MissReason::order : MissReason::text;
}

/// The keys come first: with unequal ones nothing is shared, whatever the text.
MissReason reasonOfKeys(const ExtraKeys &first, const ExtraKeys &second)
{
    if (first.adapter != second.adapter)
        return MissReason::adapter;
    return first.salt != second.salt ? MissReason::salt : MissReason::none;
}

void explain(HitForecast &forecast, const RenderedPrompt &first, const RenderedPrompt &second)
{
    const auto place = std::size_t(forecast.common_tokens);
    forecast.reason = reasonOfKeys(first.keys, second.keys);
    if (place == std::min(first.tokens.size(), second.tokens.size()))
        return;
    forecast.first_difference = forecast.common_tokens;
    const bool hasText = first.pieces.size() == first.tokens.size() && second.pieces.size() == second.tokens.size();
    if (!hasText) {
        forecast.reason = forecast.reason == MissReason::none ? MissReason::text : forecast.reason;
        return;
    }
    const std::string a = joined(first.pieces);
    const std::string b = joined(second.pieces);
    const auto equal = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
    forecast.equal_bytes_behind = int(
        equal - std::ptrdiff_t(joined({first.pieces.begin(), first.pieces.begin() + std::ptrdiff_t(place)}).size()));
    if (forecast.reason == MissReason::none)
        forecast.reason = reasonOf(first, second, place, Texts(a, b));
}

} // namespace

HitForecast forecastHit(const RenderedPrompt &first, const RenderedPrompt &second, const ForecastRules &rules)
{
    HitForecast forecast;
    forecast.common_tokens = commonTokens(first.tokens, second.tokens);
    const int length = int(second.tokens.size());
    if (!first.tokens.empty() && length > 0) {
        forecast.pool_tokens = poolHit(first, second, rules.block_size);
        forecast.radix_tokens = radixHit(first, second, rules.page_size);
        forecast.slot_tokens = slotHit(first, second);
        const bool sameKeys = reasonOfKeys(first.keys, second.keys) == MissReason::none;
        const LmcacheRules chunks{rules.chunk_size, false, 0};
        const int hit = chunks.hit(int(first.tokens.size()), length, sameKeys ? forecast.common_tokens : 0);
        forecast.chunk_tokens = LmcacheRules::cachedTokens(hit, length);
    }
    explain(forecast, first, second);
    return forecast;
}

} // namespace kvlab::prefix
