// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/prompts.h"

#include <QFile>
#include <QJsonObject>

#include <algorithm>

namespace kvlab::experiment {

namespace {

QString resourceText(const QString &name)
{
    QFile file(QStringLiteral(":/kvlab/prompts/") + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("The built-in prompts are missing from this program.");
    return QString::fromUtf8(file.readAll());
}

struct Section
{
    QString title;
    QString text;
};

QList<Section> builtInSections()
{
    const QStringList paragraphs = resourceText(QStringLiteral("document.txt")).split(QStringLiteral("\n\n"));
    QList<Section> sections;
    for (qsizetype i = 0; i + 1 < paragraphs.size(); i += 2)
        sections.append({paragraphs.at(i).trimmed(), paragraphs.at(i + 1).trimmed()});
    return sections;
}

QString withMiddle(const QString &document, const Tag &tag)
{
    if (tag.isEmpty())
        return document;
    const QString start = cutText(document, document.size() / 2);
    return start + QStringLiteral("\n\nRevision: %1.\n\n").arg(tag.join(QLatin1Char(' ')))
        + document.sliced(start.size());
}

QString taggedDocument(const Prompt &prompt)
{
    return QStringLiteral("Edition: %1.\n\n%2")
        .arg(prompt.document_tag.join(QLatin1Char(' ')), withMiddle(prompt.document, prompt.middle_tag));
}

QString taggedQuestion(const Prompt &prompt)
{
    if (prompt.question_tag.isEmpty())
        return prompt.question;
    return QStringLiteral("Reader: %1.\n%2").arg(prompt.question_tag.join(QLatin1Char(' ')), prompt.question);
}

QJsonObject message(const QString &role, const QString &content)
{
    return {{QStringLiteral("role"), role}, {QStringLiteral("content"), content}};
}

bool isCjk(QChar character)
{
    const char16_t code = character.unicode();
    return (code >= 0x2E80 && code <= 0x9FFF) || (code >= 0xAC00 && code <= 0xD7AF)
        || (code >= 0xF900 && code <= 0xFAFF) || (code >= 0xFF00 && code <= 0xFFEF);
}

} // namespace

TagSource::TagSource(const QStringList &words, quint32 seed)
    : m_words(words)
    , m_random(seed)
{
    m_random.shuffle(m_words);
}

void TagSource::restrictTo(const QStringList &words)
{
    m_words.removeIf([&words](const QString &word) { return !words.contains(word); });
    m_first = 0;
}

Tag TagSource::next(int length)
{
    Tag tag{m_words.at(m_first)};
    m_first = (m_first + 1) % m_words.size();
    while (tag.size() < length)
        tag << m_words.at(m_random.below(static_cast<quint32>(m_words.size())));
    return tag;
}

QString TagSource::filler(int words)
{
    QStringList text;
    for (int i = 0; i < words; ++i)
        text << m_words.at(m_random.below(static_cast<quint32>(m_words.size())));
    return text.join(QLatin1Char(' '));
}

int sharedLead(const Tag &tag, const QList<Tag> &earlier)
{
    qsizetype longest = 0;
    for (const Tag &other : earlier) {
        const auto difference = std::mismatch(tag.begin(), tag.end(), other.begin(), other.end());
        longest = std::max<qsizetype>(longest, difference.first - tag.begin());
    }
    return static_cast<int>(longest);
}

QJsonArray toMessages(const Prompt &prompt, DocumentRole role)
{
    const QString document = taggedDocument(prompt);
    const QString question = taggedQuestion(prompt);
    QJsonArray messages;
    if (role == DocumentRole::user)
        messages = {message(QStringLiteral("user"), document + QStringLiteral("\n\n") + question)};
    else
        messages = {message(QStringLiteral("system"), document), message(QStringLiteral("user"), question)};
    if (!prompt.answer.isEmpty()) {
        messages.append(message(QStringLiteral("assistant"), prompt.answer));
        messages.append(message(QStringLiteral("user"), prompt.next_question));
    }
    return messages;
}

QString toText(const Prompt &prompt)
{
    const QString text = taggedDocument(prompt) + QStringLiteral("\n\n") + taggedQuestion(prompt) + QLatin1Char('\n');
    return prompt.answer.isEmpty()
        ? text
        : text + prompt.answer + QLatin1Char('\n') + prompt.next_question + QLatin1Char('\n');
}

QStringList builtInWords()
{
    return resourceText(QStringLiteral("words.txt")).simplified().split(QLatin1Char(' '));
}

QStringList builtInQuestions()
{
    return resourceText(QStringLiteral("questions.txt")).trimmed().split(QLatin1Char('\n'));
}

QString builtInDocument(qsizetype characters)
{
    const QList<Section> sections = builtInSections();
    QString document;
    for (qsizetype i = 0; document.size() < characters; ++i) {
        const Section &section = sections.at(i % sections.size());
        document += QStringLiteral("%1. %2\n\n%3\n\n").arg(QString::number(i + 1), section.title, section.text);
    }
    return document;
}

QString cutText(const QString &text, qsizetype characters)
{
    if (characters >= text.size())
        return text;
    constexpr qsizetype nearby = 24;
    for (qsizetype end = characters; end > std::max<qsizetype>(0, characters - nearby); --end) {
        if (text.at(end).isSpace())
            return text.left(end);
    }
    const bool splitsPair = characters > 0 && text.at(characters - 1).isHighSurrogate();
    return text.left(splitsPair ? characters - 1 : characters);
}

double estimatedTokens(const QString &text)
{
    const auto cjk = std::count_if(text.begin(), text.end(), isCjk);
    return static_cast<double>(text.size() - cjk) / 4 + static_cast<double>(cjk) / 1.6;
}

} // namespace kvlab::experiment
