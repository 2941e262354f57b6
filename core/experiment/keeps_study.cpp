// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/keeps_study.h"

#include <QRandomGenerator>
#include <QSet>

#include <algorithm>
#include <numeric>

namespace kvlab::experiment {

namespace {

using Purpose = KeepsStep::Purpose;

constexpr int tagWords = 8;
constexpr int tailWords = 12;
constexpr int lateStoreMs = 1'500; // LMCache and hosted services store behind the answer

ExperimentPlan requestPlan(const KeepsPlan &keeps, int maxTokens)
{
    ExperimentPlan plan;
    if (maxTokens > 1)
        plan.extra_body = {{QStringLiteral("temperature"), 1}}; // another text each time
    plan.limits = keeps.limits;
    plan.endpoint = keeps.endpoint;
    plan.max_tokens = maxTokens;
    return plan;
}

} // namespace

KeepsStudy::KeepsStudy(ServerLink &link, const ServerTarget &target, const KeepsPlan &plan)
    : m_link(link)
    , m_plan(plan)
    , m_one_token(requestPlan(plan, 1))
    , m_few_tokens(requestPlan(plan, 3))
    , m_sender(link, m_one_token)
    , m_generator(link, m_few_tokens)
    , m_book(m_one_token, QRandomGenerator::system()->generate())
    , m_study(link, m_sender, m_book, target, m_one_token)
    , m_tags(builtInWords(), QRandomGenerator::system()->generate()) // a server remembers earlier runs
    , m_random(plan.seed)
{
}

void KeepsStudy::run()
{
    if (!prepare() || !findFirstHit())
        return;
    findBlock();
    findShortest();
    findWhetherGeneratedIsKept();
    findPool();
}

bool KeepsStudy::prepare()
{
    if (const auto failure = m_study.learnBasics()) {
        m_result.message = failure->message;
        m_result.details = failure->details;
    }
    m_result.server = m_study.facts();
    if (m_link.isStopped() || !m_result.message.isEmpty())
        return false;
    if (m_study.counter().isAvailable())
        m_tags.restrictTo(m_study.counter().equallyLong(builtInWords()));
    m_generator.setModel(m_result.server.model);
    m_generator.setShape(m_sender.shape());
    constexpr qsizetype words = 48;
    const auto first = send(m_sender, promptOf(freshText(words), words, 0), Purpose::prime);
    if (!first)
        return false;
    m_overhead = first->sample.evidence.prompt_tokens.value_or(words) - words;
    const auto second = send(m_sender, promptOf(freshText(words), words, 0), Purpose::floor);
    if (!second)
        return false;
    m_result.floor = second->hit();
    return true;
}

KeepsStudy::Text KeepsStudy::freshText(qsizetype words)
{
    return {m_tags.next(tagWords), m_tags.filler(static_cast<int>(words)).split(QLatin1Char(' '), Qt::SkipEmptyParts)};
}

/// A block that is not full is no prefix, and engines differ in how long it takes up room.
KeepsStudy::Text KeepsStudy::alignedText(qint64 tokens, qint64 remainder)
{
    constexpr int attempts = 4;
    Text text = freshText(alignedWords(tokens, remainder));
    const qint64 wanted = text.words.size() + m_overhead;
    for (int i = 0; i < attempts && block() > 1 && m_study.counter().isAvailable(); ++i) {
        const auto counted = m_study.counter().prompt(promptOf(text, text.words.size(), 0));
        const qint64 missing = counted ? wanted - counted->size() : 0;
        if (missing == 0)
            break;
        if (missing > 0)
            text.words << m_tags.filler(static_cast<int>(missing)).split(QLatin1Char(' '));
        else
            text.words.resize(std::max<qsizetype>(1, text.words.size() + missing));
    }
    return text;
}

Prompt KeepsStudy::promptOf(const Text &text, qsizetype shared, int tail)
{
    Prompt prompt;
    // Without a single word shared not even the tag is: else the shortest prefix would begin behind it.
    prompt.document_tag = shared > 0 ? text.tag : m_tags.next(tagWords);
    QStringList words = text.words.first(std::min(shared, text.words.size()));
    if (tail > 0)
        words << m_tags.next(tail); // begins with a word unlike those before it
    prompt.document = words.join(QLatin1Char(' '));
    prompt.question = QStringLiteral("Go on.");
    return prompt;
}

std::optional<Exchange> KeepsStudy::send(ChatSender &sender, const Prompt &prompt, Purpose purpose)
{
    if (m_link.isStopped() || !m_result.message.isEmpty())
        return std::nullopt;
    const Exchange exchange = sender.send(prompt);
    if (m_link.isStopped())
        return std::nullopt;
    if (!exchange.answered()) {
        m_result.message = exchange.sample.message;
        m_result.details = exchange.sample.details;
        return std::nullopt;
    }
    const auto tokens = exchange.sample.evidence.prompt_tokens;
    m_result.tokens_sent += tokens.value_or(0);
    auto hit = exchange.hit();
    if (!hit && sender.serverReports())
        hit = 0; // a field that this server leaves out for a zero
    m_result.steps.append({purpose, tokens, hit});
    return exchange;
}

std::optional<qint64> KeepsStudy::hitAfterPrime(const Text &text, qsizetype shared, Purpose purpose)
{
    if (!send(m_sender, promptOf(text, text.words.size(), 0), Purpose::prime))
        return std::nullopt;
    if (m_settle_ms > 0)
        m_link.pause(m_settle_ms);
    if (!send(m_sender, promptOf(text, shared, tailWords), purpose))
        return std::nullopt;
    return m_result.steps.last().hit.value_or(0);
}

qint64 KeepsStudy::longestPrompt() const
{
    constexpr qint64 unknownContext = 2'048;
    constexpr qint64 spare = 64; // tail, answer
    return m_result.server.context_tokens.value_or(unknownContext) - spare;
}

/// Words for a prompt of at most `tokens`, a whole number of blocks and `remainder` more.
qsizetype KeepsStudy::alignedWords(qint64 tokens, qint64 remainder) const
{
    const qint64 whole = std::max(block(), tokens / block() * block());
    qint64 words = whole + remainder - m_overhead;
    while (words < 1)
        words += block();
    return words;
}

/// Texts of growing length until a repetition is found; once more with patience if none is.
bool KeepsStudy::findFirstHit()
{
    for (const int settle : {0, lateStoreMs}) {
        m_settle_ms = settle;
        for (qsizetype words = 64; words + m_overhead <= longestPrompt() && words <= 4096; words *= 2) {
            if (settle > 0 && words < 512 && longestPrompt() > 1'024)
                continue;
            const auto hit = hitAfterPrime(freshText(words), words, Purpose::block);
            if (!hit)
                return false;
            m_result.reports_hits = m_result.steps.last().hit.has_value();
            if (!m_result.reports_hits)
                return false;
            if (*hit > floorHit()) {
                m_result.keeps_anything = true;
                m_result.stores_late = settle > 0;
                m_first_hit_words = words;
                return true;
            }
        }
    }
    return false;
}

/// The greatest common divisor of the hits at many lengths; then lengths at which a smaller block would show.
void KeepsStudy::findBlock()
{
    constexpr int samples = 7;
    const qsizetype longest
        = std::max(m_first_hit_words, std::min<qsizetype>(4 * m_first_hit_words, longestPrompt() - m_overhead));
    const Text text = freshText(longest);
    qint64 divisor = floorHit();
    const auto take = [&](qsizetype shared) {
        const auto hit = hitAfterPrime(text, std::clamp<qsizetype>(shared, 1, longest), Purpose::block);
        if (hit && *hit > 0)
            divisor = std::gcd(divisor, *hit);
        return hit.has_value();
    };
    const auto from = static_cast<quint32>(m_first_hit_words);
    const auto range = static_cast<quint32>(longest) - from / 2;
    for (int i = 0; i < samples; ++i) {
        if (!take(from / 2 + m_random.below(range)))
            return;
    }
    for (const int part : {2, 3, 5}) {
        if (divisor > 1 && !take(longest - divisor / part - m_random.below(static_cast<quint32>(divisor))))
            return;
    }
    if (divisor > 0)
        m_result.block_size = divisor;
}

/// The smallest hit beyond what unrelated prompts find.
void KeepsStudy::findShortest()
{
    const Text text = freshText(m_first_hit_words);
    qsizetype none = 0;
    qsizetype some = m_first_hit_words;
    std::optional<qint64> smallest;
    while (some - none > 1 || !smallest) {
        const qsizetype middle = smallest ? (none + some) / 2 : some;
        const auto hit = hitAfterPrime(text, middle, Purpose::shortest);
        if (!hit)
            return;
        if (*hit > floorHit()) {
            some = middle;
            smallest = hit;
        } else if (!smallest) {
            return; // what was found before is not any more: another user, or a full cache
        } else {
            none = middle;
        }
    }
    m_result.shortest_prefix = floorHit() > 0 ? floorHit() : *smallest;
    m_result.shortest_is_bound = *m_result.shortest_prefix > block();
}

/// One hit proves it. That it never happens proves little, because text can come back as other tokens without anything
/// to show for it: so many different answers must agree.
void KeepsStudy::findWhetherGeneratedIsKept()
{
    constexpr int tries = 16;
    constexpr qsizetype enough = 6;
    QSet<QString> against;
    for (int i = 0; i < tries && against.size() < enough && m_result.keeps_generated != true; ++i)
        tryGenerated(against);
    if (m_result.keeps_generated != true && against.size() >= enough)
        m_result.keeps_generated = false;
}

/// The prompt ends one token before the end of a block, so that the first generated one completes it.
void KeepsStudy::tryGenerated(QSet<QString> &against)
{
    const Text text = alignedText(m_first_hit_words + m_overhead + block(), block() - 1);
    Prompt prompt = promptOf(text, text.words.size(), 0);
    const auto answer = send(m_generator, prompt, Purpose::generated);
    if (!answer)
        return;
    const probe::Evidence &evidence = answer->sample.evidence;
    const QString said = answer->sample.text;
    const bool isText = !said.trimmed().isEmpty() && !said.contains(QChar::ReplacementCharacter);
    if (!isText || !evidence.prompt_tokens)
        return;
    if (m_settle_ms > 0)
        m_link.pause(m_settle_ms);
    const Prompt first = prompt;
    prompt.answer = said;
    prompt.next_question = promptOf(freshText(tailWords), tailWords, 0).document;
    if (!send(m_sender, prompt, Purpose::generated))
        return;
    const qint64 without = *evidence.prompt_tokens / block() * block();
    const qint64 computed = *evidence.prompt_tokens + evidence.completion_tokens.value_or(0) - 1; // not the last one
    if (m_result.steps.last().hit.value_or(0) > without)
        m_result.keeps_generated = true;
    else if (computed >= without + block() && comesBackAsItWas(first, prompt, evidence.completion_tokens.value_or(0)))
        against.insert(said);
}

/// Text that the server made may be cut into other tokens when it is sent back.
bool KeepsStudy::comesBackAsItWas(const Prompt &first, const Prompt &second, qint64 generated)
{
    const QString word = QStringLiteral(" river");
    const auto before = m_study.counter().prompt(first);
    const auto after = m_study.counter().prompt(second);
    const auto answer = m_study.counter().text(second.answer);
    const auto once = m_study.counter().text(word);
    const auto twice = m_study.counter().text(word + word);
    if (!before || !after || !answer || !once || !twice)
        return false;
    const qint64 start = 2 * *once - *twice; // a token at the start of every text
    return commonPrefix(*before, *after) == before->size() && *answer - start == generated;
}

bool KeepsStudy::isWhole(const Survival &survival) const
{
    return survival.hit >= (survival.size - m_unseen) / block() * block();
}

/// Sends a text, then as many tokens of others, and looks what is left of it.
std::optional<KeepsStudy::Survival> KeepsStudy::trySurvival(qint64 fill, qint64 size)
{
    const Text text = alignedText(size);
    const qsizetype words = text.words.size();
    const auto prime = send(m_sender, promptOf(text, words, 0), Purpose::prime);
    if (!prime)
        return std::nullopt;
    Survival result;
    result.size = prime->sample.evidence.prompt_tokens.value_or(size);
    m_filled += result.size;
    const qint64 largest = longestPrompt() / block() * block();
    while (result.filled < fill) {
        const qint64 next = std::min(largest, fill - result.filled + floorHit());
        const Text other = alignedText(next);
        const auto filler = send(m_sender, promptOf(other, other.words.size(), 0), Purpose::fill);
        if (!filler)
            return std::nullopt;
        const qint64 tokens = filler->sample.evidence.prompt_tokens.value_or(next);
        m_filled += tokens;
        result.filled += (tokens + block() - 1) / block() * block() - floorHit(); // the floor's blocks are shared
    }
    if (m_settle_ms > 0)
        m_link.pause(m_settle_ms);
    if (!send(m_sender, promptOf(text, words, tailWords), Purpose::survivor))
        return std::nullopt;
    result.hit = m_result.steps.last().hit.value_or(0);
    return result;
}

/// Caches lose blocks one by one, the end of the oldest text first: a part that is left tells the size exactly. Where a
/// whole text is gone at once, the server keeps prompts, not tokens.
void KeepsStudy::findPool()
{
    if (m_plan.fill_tokens == 0)
        return;
    const qint64 start = std::max<qint64>({128, 8 * block(), 2 * m_result.shortest_prefix.value_or(0)});
    const auto untouched = trySurvival(0, start);
    if (!untouched)
        return;
    m_unseen = untouched->size - untouched->hit; // the end of a prompt is not shared with the one that looks for it
    const auto fewPrompts = keepsFewPrompts(start);
    if (!fewPrompts)
        return;
    if (*fewPrompts)
        countPrompts();
    else
        fillMoreAndMore(start);
}

/// Many short prompts drive a text out, but one that is longer than all of them together does not.
std::optional<bool> KeepsStudy::keepsFewPrompts(qint64 start)
{
    constexpr int many = 16;
    const qint64 before = m_result.tokens_sent;
    const auto survives = survivesPrompts(many);
    if (!survives || *survives)
        return survives ? std::optional(false) : std::nullopt;
    const qint64 allTogether = std::min(m_result.tokens_sent - before + many * block(), longestPrompt());
    const auto survival = trySurvival(allTogether / block() * block(), start);
    if (!survival)
        return std::nullopt;
    return isWhole(*survival);
}

/// As long as a text can be as long as what fills, each step fills no more than is known to fit: something must be
/// left.
void KeepsStudy::fillMoreAndMore(qint64 start)
{
    const qint64 largest = longestPrompt() / block() * block();
    qint64 fill = start;
    while (m_filled + 2 * fill <= m_plan.fill_tokens) {
        const qint64 size = std::min(fill, largest);
        const auto survival = trySurvival(fill, size);
        if (!survival)
            return;
        if (survival->hit <= floorHit()) {
            const qint64 fits = m_result.pool_at_least.value_or(0);
            m_result.pool_at_least.reset();
            if (size < fill)
                bisectPool(fits, survival->filled, size);
            else
                countPrompts();
            return;
        }
        if (!isWhole(*survival)) {
            m_result.pool_at_least.reset();
            m_result.pool_tokens = survival->filled + survival->hit;
            return;
        }
        m_result.pool_at_least = survival->filled + survival->hit;
        const qint64 sure = *m_result.pool_at_least - 2 * block() - floorHit();
        fill = size < largest && sure > fill ? sure : 2 * fill;
    }
}

/// The text is as long as a prompt can be, which is less than the gap: halve the gap until a part of it is left.
void KeepsStudy::bisectPool(qint64 fits, qint64 lost, qint64 size)
{
    if (fits > 0)
        m_result.pool_at_least = fits;
    while (lost - fits > block()) {
        if (m_filled + (fits + lost) / 2 > m_plan.fill_tokens)
            return;
        const auto survival = trySurvival((fits + lost) / 2 - size / 2, size);
        if (!survival)
            return;
        if (survival->hit <= floorHit()) {
            lost = survival->filled;
        } else if (isWhole(*survival)) {
            fits = survival->filled + survival->hit;
            m_result.pool_at_least = fits;
        } else {
            m_result.pool_at_least.reset();
            m_result.pool_tokens = survival->filled + survival->hit;
            return;
        }
    }
    m_result.pool_at_least.reset();
    countPrompts(); // never a part: whole prompts go
}

std::optional<bool> KeepsStudy::survivesPrompts(int count)
{
    const Text text = freshText(m_first_hit_words);
    if (!send(m_sender, promptOf(text, m_first_hit_words, 0), Purpose::prime))
        return std::nullopt;
    for (int i = 0; i < count; ++i) {
        const Prompt filler = promptOf(freshText(tailWords), tailWords, 0);
        if (!send(m_sender, filler, Purpose::fill))
            return std::nullopt;
    }
    if (!send(m_sender, promptOf(text, m_first_hit_words, tailWords), Purpose::survivor))
        return std::nullopt;
    return m_result.steps.last().hit.value_or(0) > floorHit();
}

void KeepsStudy::countPrompts()
{
    constexpr int most = 64;
    int survived = 0;
    int lost = most;
    for (int count = 1; count < most; count *= 2) {
        const auto survives = survivesPrompts(count);
        if (!survives)
            return;
        if (!*survives) {
            lost = count;
            break;
        }
        survived = count;
    }
    while (lost - survived > 1) {
        const int middle = (survived + lost) / 2;
        const auto survives = survivesPrompts(middle);
        if (!survives)
            return;
        (*survives ? survived : lost) = middle;
    }
    m_result.prompts_kept = lost;
}

} // namespace kvlab::experiment
