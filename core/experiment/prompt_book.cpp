// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/prompt_book.h"

#include "experiment/server_answers.h"

#include <algorithm>
#include <cmath>

namespace kvlab::experiment {

namespace {

constexpr int documentTagWords = 8;
constexpr int questionTagWords = 2;
constexpr int middleTagWords = 4;
constexpr int fewestWords = 16;
constexpr qsizetype charactersPerToken = 6; // more than English needs: the document is cut afterwards

QString orBuiltIn(const QString &text, const QString &builtIn)
{
    return text.trimmed().isEmpty() ? builtIn : text.trimmed();
}

} // namespace

PromptBook::PromptBook(const ExperimentPlan &plan, quint32 seed)
    : m_shared_tokens(plan.shared_tokens)
    , m_whole_document(orBuiltIn(plan.document, builtInDocument(plan.shared_tokens * charactersPerToken)))
    , m_question(orBuiltIn(plan.question, builtInQuestions().first()))
    , m_prime_question(plan.prime_question.trimmed())
    , m_has_middle(plan.arms.contains(Arm::partial))
    , m_words(builtInWords())
    , m_tags(m_words, seed)
{
}

void PromptBook::prepare(TokenCounter &counter)
{
    if (counter.isAvailable())
        keepEqualWords(counter);
    m_document_tag = m_tags.next(documentTagWords);
    m_other_tag = m_tags.next(documentTagWords);
    m_prime_tag = m_tags.next(questionTagWords);
    if (m_has_middle)
        m_middle_tag = m_tags.next(middleTagWords);
    if (m_prime_question.isEmpty())
        choosePrimeQuestion(counter);
    cutByEstimate();
    if (counter.isAvailable())
        cutByCount(counter);
}

void PromptBook::keepEqualWords(TokenCounter &counter)
{
    const QStringList equal = counter.equallyLong(m_words);
    if (equal.size() >= fewestWords)
        m_tags.restrictTo(equal);
}

/// The prime's question should be as long as the measured one.
void PromptBook::choosePrimeQuestion(TokenCounter &counter)
{
    QStringList candidates = builtInQuestions();
    candidates.removeAll(m_question);
    m_prime_question = candidates.first();
    const auto wanted = counter.isAvailable() ? counter.text(m_question) : std::nullopt;
    if (!wanted)
        return;
    qint64 smallest = std::numeric_limits<qint64>::max();
    for (const QString &candidate : std::as_const(candidates)) {
        const qint64 difference = std::abs(counter.text(candidate).value_or(0) - *wanted);
        if (difference < smallest) {
            smallest = difference;
            m_prime_question = candidate;
        }
    }
}

void PromptBook::cutByEstimate()
{
    const double tokens = estimatedTokens(m_whole_document);
    m_document_short = tokens < 0.9 * m_shared_tokens;
    const double share = std::min(1.0, m_shared_tokens / std::max(1.0, tokens));
    m_document = cutText(m_whole_document, std::llround(share * static_cast<double>(m_whole_document.size())));
}

void PromptBook::cutByCount(TokenCounter &counter)
{
    constexpr int attempts = 6;
    constexpr qint64 closeEnough = 4;
    qint64 smallest = std::numeric_limits<qint64>::max();
    QString candidate = m_document;
    for (int attempt = 0; attempt < attempts && smallest > closeEnough; ++attempt) {
        const auto shared = countShared(counter, candidate);
        if (!shared || *shared == 0)
            break;
        const qint64 missing = m_shared_tokens - *shared;
        if (std::abs(missing) < smallest) {
            smallest = std::abs(missing);
            m_document = candidate;
            m_document_short = *shared < m_shared_tokens * 9 / 10;
        }
        const double perToken = static_cast<double>(candidate.size()) / static_cast<double>(*shared);
        const qsizetype length = candidate.size() + std::llround(static_cast<double>(missing) * perToken);
        candidate = cutText(m_whole_document, std::max<qsizetype>(1, length));
    }
    m_layout = measureLayout(counter);
}

Prompt PromptBook::withTags(const Tag &documentTag, const Tag &questionTag) const
{
    return {documentTag, m_document, questionTag, m_question, m_middle_tag};
}

Prompt PromptBook::primeOf(const QString &document) const
{
    return {m_document_tag, document, m_prime_tag, m_prime_question, m_middle_tag};
}

std::optional<qint64> PromptBook::countShared(TokenCounter &counter, const QString &document) const
{
    const auto primed = counter.prompt(primeOf(document));
    const auto measured
        = counter.prompt({m_document_tag, document, m_other_tag.first(questionTagWords), m_question, m_middle_tag});
    if (!primed || !measured)
        return std::nullopt;
    return commonPrefix(*primed, *measured);
}

std::optional<PromptLayout> PromptBook::measureLayout(TokenCounter &counter) const
{
    const Tag questionTag = m_other_tag.first(questionTagWords);
    const auto shared = countShared(counter, m_document);
    const auto measured = counter.prompt(withTags(m_document_tag, questionTag));
    const auto different = counter.prompt(withTags(m_other_tag, questionTag));
    if (!shared || !measured || !different)
        return std::nullopt;
    PromptLayout layout{commonPrefix(*measured, *different), *shared, std::nullopt, measured->size()};
    if (m_has_middle) {
        Prompt revised = withTags(m_document_tag, questionTag);
        revised.middle_tag = m_other_tag.first(middleTagWords);
        const auto tokens = counter.prompt(revised);
        if (!tokens)
            return std::nullopt;
        layout.middle = commonPrefix(*measured, *tokens);
    }
    return layout;
}

Prompt PromptBook::unrelated(int words)
{
    const Prompt prompt{
        m_tags.next(documentTagWords), m_tags.filler(words), m_tags.next(questionTagWords), m_prime_question};
    noteSent(prompt);
    return prompt;
}

Prompt PromptBook::prime() const
{
    return primeOf(m_document);
}

Tag PromptBook::questionTag(int round)
{
    if (!m_question_tags.contains(round))
        m_question_tags.insert(round, m_tags.next(questionTagWords));
    return m_question_tags.value(round);
}

Prompt PromptBook::measured(int round)
{
    return withTags(m_document_tag, questionTag(round));
}

Prompt PromptBook::measuredApart()
{
    return withTags(m_document_tag, m_tags.next(questionTagWords));
}

void PromptBook::forgetSent()
{
    m_sent_document_tags.clear();
    m_sent_question_tags.clear();
    m_sent_middle_tags.clear();
}

Prompt PromptBook::freshlyTagged(int round)
{
    return withTags(m_tags.next(documentTagWords), questionTag(round));
}

Prompt PromptBook::freshlyRevised(int round)
{
    Prompt prompt = measured(round);
    prompt.middle_tag = m_tags.next(middleTagWords);
    return prompt;
}

qint64 PromptBook::sharedWithEarlier(const Prompt &prompt) const
{
    // Each word of a tag is one token, so equal leading words are equal tokens.
    if (prompt.document_tag == m_document_tag && prompt.middle_tag != m_middle_tag)
        return *m_layout->middle + sharedLead(prompt.middle_tag, m_sent_middle_tags);
    if (prompt.document_tag == m_document_tag)
        return m_layout->shared + sharedLead(prompt.question_tag, m_sent_question_tags);
    return m_layout->tag_common + sharedLead(prompt.document_tag, m_sent_document_tags);
}

void PromptBook::noteSent(const Prompt &prompt)
{
    if (prompt.document_tag == m_document_tag && prompt.middle_tag != m_middle_tag)
        m_sent_middle_tags << prompt.middle_tag;
    else if (prompt.document_tag == m_document_tag)
        m_sent_question_tags << prompt.question_tag;
    m_sent_document_tags << prompt.document_tag;
}

qint64 PromptBook::estimatedShared(std::optional<qint64> promptTokens) const
{
    constexpr double template_tokens = 12; // what a chat template puts around and behind the question
    if (!promptTokens)
        return std::llround(estimatedTokens(m_document));
    const double question = estimatedTokens(m_question) + questionTagWords + template_tokens;
    return std::max<qint64>(0, *promptTokens - std::llround(question));
}

} // namespace kvlab::experiment
