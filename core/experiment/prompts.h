// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of a run: a document, questions about it, and tags that make one prompt different from another without
// making it longer.
//
// A tag is a fixed number of words, each one token with its leading space in common tokenizers, so every tag costs the
// same. It stands at the very start of the document ("Edition: river stone …"): another tag changes the first block of
// the prompt and with it everything behind. A tag of its own stands before each question, so that a prompt measured in
// one round is never sent again in another.
#pragma once

#include "experiment/seeded_random.h"

#include <QJsonArray>
#include <QStringList>

#include <optional>

namespace kvlab::experiment {

using Tag = QStringList;

/// Hands out tags that differ from each other in their first word for as long as there are words.
class TagSource
{
public:
    TagSource(const QStringList &words, quint32 seed);

    /// Leaves out all other words from now on. At least one must stay.
    void restrictTo(const QStringList &words);

    Tag next(int length);
    /// Random words, spaced as running text; for prompts without meaning.
    QString filler(int words);

private:
    QStringList m_words; ///< shuffled
    qsizetype m_first = 0; ///< next first word
    SeededRandom m_random;
};

/// Number of leading words that `tag` shares with the most similar of `earlier`.
int sharedLead(const Tag &tag, const QList<Tag> &earlier);

struct Prompt
{
    Tag document_tag;
    QString document;
    Tag question_tag; ///< may be empty
    QString question;
    Tag middle_tag = {}; ///< in the middle of the document; empty = none there
    QString answer = {}; ///< what the server said to all this, sent back to it; empty = no second turn
    QString next_question = {}; ///< what follows the answer
};

/// Where the document goes. Some chat templates refuse a system message; then it starts the user's message.
enum class DocumentRole { system, user };

QJsonArray toMessages(const Prompt &prompt, DocumentRole role);
QString toText(const Prompt &prompt); ///< for the completions route

QStringList builtInWords();
QStringList builtInQuestions();
/// Numbered sections of at least this many characters: when the text ends it goes on with its first section, under the
/// next number.
QString builtInDocument(qsizetype characters);

/// The first `characters` of a text, ended at a white space where there is one nearby (there is none in Chinese).
QString cutText(const QString &text, qsizetype characters);

/// A rough count for servers without a tokenizer: 4 characters a token, 1.6 for CJK.
double estimatedTokens(const QString &text);

} // namespace kvlab::experiment
