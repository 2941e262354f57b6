// SPDX-License-Identifier: GPL-3.0-or-later
// The requests behind studyKeeps(), one method a question.
#pragma once

#include "experiment/keeps.h"
#include "experiment/server_study.h"

namespace kvlab::experiment {

class KeepsStudy
{
public:
    KeepsStudy(ServerLink &link, const ServerTarget &target, const KeepsPlan &plan);

    void run();
    const KeepsResult &result() const { return m_result; }
    void stop() { m_link.stop(); }

private:
    /// A text that prompts share from its beginning on; every word costs one token.
    struct Text
    {
        Tag tag;
        QStringList words;
    };

    bool prepare();
    bool findFirstHit();
    void findBlock();
    void findShortest();
    void findWhetherGeneratedIsKept();
    void findPool();
    std::optional<bool> keepsFewPrompts(qint64 start);
    void fillMoreAndMore(qint64 start);
    void bisectPool(qint64 fits, qint64 lost, qint64 size);
    void countPrompts();

    Text freshText(qsizetype words);
    /// A text whose prompt fills whole blocks, exactly so where the server counts tokens.
    Text alignedText(qint64 tokens, qint64 remainder = 0);
    /// `tail` words of its own behind the first `shared` of the text's.
    Prompt promptOf(const Text &text, qsizetype shared, int tail);
    std::optional<Exchange> send(ChatSender &sender, const Prompt &prompt, KeepsStep::Purpose purpose);
    /// Sends the text, then a prompt that shares its first words, and tells what that one found.
    std::optional<qint64> hitAfterPrime(const Text &text, qsizetype shared, KeepsStep::Purpose purpose);
    void tryGenerated(QSet<QString> &against);
    bool comesBackAsItWas(const Prompt &first, const Prompt &second, qint64 generated);
    qint64 block() const { return m_result.block_size.value_or(1); }
    qint64 floorHit() const { return m_result.floor.value_or(0); }
    qsizetype alignedWords(qint64 tokens, qint64 remainder = 0) const;
    qint64 longestPrompt() const;

    struct Survival
    {
        qint64 filled = 0; ///< tokens of blocks that fillers took
        qint64 size = 0; ///< tokens of the text that should survive
        qint64 hit = 0;
    };
    std::optional<Survival> trySurvival(qint64 fill, qint64 size);
    std::optional<bool> survivesPrompts(int count);
    bool isWhole(const Survival &survival) const;

    ServerLink &m_link;
    KeepsPlan m_plan;
    ExperimentPlan m_one_token; ///< what a prime needs
    ExperimentPlan m_few_tokens; ///< for generated text
    ChatSender m_sender;
    ChatSender m_generator;
    PromptBook m_book;
    ServerStudy m_study;
    TagSource m_tags;
    SeededRandom m_random;
    KeepsResult m_result;
    qint64 m_overhead = 0; ///< tokens of a prompt beyond its words
    qsizetype m_first_hit_words = 0;
    qint64 m_filled = 0; ///< tokens spent on filling
    qint64 m_unseen = 0; ///< tokens at the end of a text that its survivor's prompt does not share
    int m_settle_ms = 0;
};

} // namespace kvlab::experiment
