// SPDX-License-Identifier: GPL-3.0-or-later
// The prompts of one run, cut and tagged so that all arms are equally long by the server's own count.
#pragma once

#include "experiment/experiment_plan.h"
#include "experiment/prompts.h"
#include "experiment/token_counter.h"

#include <QMap>

namespace kvlab::experiment {

/// Lengths in tokens, by the server's tokenizer.
struct PromptLayout
{
    qint64 tag_common = 0; ///< what two prompts with different document tags share: the chat template's beginning
    qint64 shared = 0; ///< what the prime and the CACHED prompt share
    std::optional<qint64> middle; ///< what the prime and a PARTIAL prompt share; only when that arm is planned
    qint64 total = 0; ///< one prompt as measured
};

class PromptBook
{
public:
    /// `seed` must be new for each run: a server remembers the prompts of earlier ones.
    PromptBook(const ExperimentPlan &plan, quint32 seed);

    /// Cuts the document to the plan's length, picks words and the prime's question. Without a tokenizer by estimate.
    void prepare(TokenCounter &counter);

    /// Unrelated to everything else, about `words` tokens long.
    Prompt unrelated(int words);
    Prompt prime() const;
    /// The prompt of NO CACHE (made cold by a salt) and CACHED in one round: the same tokens for both.
    Prompt measured(int round);
    /// The same length and document as measured(), but a question tag of its own: where what was measured cold stays in
    /// the cache, CACHED of the same round must not find it.
    Prompt measuredApart();
    /// The same length, but a beginning that was never sent.
    Prompt freshlyTagged(int round);
    /// The same length and beginning, but a middle that was never sent. Only when that arm is planned.
    Prompt freshlyRevised(int round);

    /// Known after prepare() with a tokenizer.
    const std::optional<PromptLayout> &layout() const { return m_layout; }
    /// Longest beginning, in tokens, that `prompt` shares with the prime or any prompt noted as sent. Needs a layout.
    qint64 sharedWithEarlier(const Prompt &prompt) const;
    /// Prompts sent with a salt of their own need no note: nothing else meets them in the cache.
    void noteSent(const Prompt &prompt);
    void forgetSent(); ///< the server's cache was emptied

    /// Without a tokenizer: the shared prefix as far as the length of a whole prompt tells.
    qint64 estimatedShared(std::optional<qint64> promptTokens) const;
    /// The same for the part before the middle of the document.
    qint64 estimatedMiddle(std::optional<qint64> promptTokens) const { return estimatedShared(promptTokens) / 2; }

    /// True when the document is shorter than the plan asks for.
    bool isDocumentShort() const { return m_document_short; }

private:
    void keepEqualWords(TokenCounter &counter);
    void choosePrimeQuestion(TokenCounter &counter);
    void cutByEstimate();
    void cutByCount(TokenCounter &counter);
    std::optional<qint64> countShared(TokenCounter &counter, const QString &document) const;
    std::optional<PromptLayout> measureLayout(TokenCounter &counter) const;
    Prompt withTags(const Tag &documentTag, const Tag &questionTag) const;
    Prompt primeOf(const QString &document) const;
    Tag questionTag(int round);

    int m_shared_tokens;
    QString m_whole_document;
    QString m_document;
    QString m_question;
    QString m_prime_question;
    bool m_has_middle; ///< the arm PARTIAL is planned: every prompt carries a tag in its middle
    bool m_document_short = false;
    QStringList m_words;
    TagSource m_tags;
    Tag m_document_tag;
    Tag m_other_tag; ///< never sent; for counting
    Tag m_prime_tag;
    Tag m_middle_tag; ///< of all arms but PARTIAL
    QMap<int, Tag> m_question_tags; ///< by round
    QList<Tag> m_sent_document_tags;
    QList<Tag> m_sent_question_tags;
    QList<Tag> m_sent_middle_tags;
    std::optional<PromptLayout> m_layout;
};

} // namespace kvlab::experiment
