// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/token_counter.h"

#include "experiment/server_answers.h"

#include <QJsonDocument>
#include <QMap>

namespace kvlab::experiment {

namespace {

const QString tokenizePath = QStringLiteral("/tokenize");

std::optional<QList<qint32>> tokensIn(const HttpAnswer &answer)
{
    return answer.ok() ? parseTokens(answer.body) : std::nullopt;
}

QString spaced(const QStringList &words)
{
    return QLatin1Char(' ') + words.join(QLatin1Char(' '));
}

/// The words whose count is the most frequent one.
QStringList ofMostFrequentCount(const QMap<QString, qint64> &counts)
{
    QMap<qint64, QStringList> byCount;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it)
        byCount[it.value()] << it.key();
    QStringList most;
    for (const QStringList &words : std::as_const(byCount)) {
        if (words.size() > most.size())
            most = words;
    }
    return most;
}

} // namespace

/// One count for all words together when each is one token; else each word alone.
QStringList TokenCounter::equallyLong(const QStringList &words)
{
    const QString one = words.first();
    const auto single = text(spaced({one}));
    const auto twice = text(spaced({one, one}));
    const auto all = text(spaced(words));
    if (!single || !twice || !all)
        return words;
    const qint64 overhead = 2 * *single - *twice; // a token at the start of every text
    if (*all - overhead == words.size())
        return words;
    QMap<QString, qint64> counts;
    for (const QString &word : words) {
        if (const auto count = text(spaced({word})))
            counts.insert(word, *count);
    }
    return ofMostFrequentCount(counts);
}

void TokenCounter::detect(const QString &model, DocumentRole role, Endpoint endpoint)
{
    m_model = model;
    m_role = role;
    m_endpoint = endpoint;
    Prompt sample;
    sample.document_tag = {QStringLiteral("a")};
    sample.document = QStringLiteral("text");
    sample.question = QStringLiteral("question");
    for (const Shape shape : {Shape::vllm, Shape::llama}) {
        m_shape = shape;
        if (prompt(sample) && text(QStringLiteral("text")))
            return;
    }
    m_shape = Shape::none;
}

std::optional<QList<qint32>> TokenCounter::prompt(const Prompt &prompt)
{
    if (m_endpoint == Endpoint::completions)
        return plainText(toText(prompt), true);
    const QJsonArray messages = toMessages(prompt, m_role);
    if (m_shape == Shape::vllm)
        return tokensIn(
            m_link.post(tokenizePath, {{QStringLiteral("model"), m_model}, {QStringLiteral("messages"), messages}}));
    if (m_shape == Shape::none)
        return std::nullopt;
    const HttpAnswer templated
        = m_link.post(QStringLiteral("/apply-template"), {{QStringLiteral("messages"), messages}});
    const QJsonValue text = QJsonDocument::fromJson(templated.body).object().value(QStringLiteral("prompt"));
    if (!templated.ok() || !text.isString())
        return std::nullopt;
    return tokensIn(m_link.post(tokenizePath,
        {{QStringLiteral("content"), text}, {QStringLiteral("add_special"), true},
            {QStringLiteral("parse_special"), true}}));
}

std::optional<QList<qint32>> TokenCounter::plainText(const QString &text, bool withSpecial)
{
    QJsonObject body{{QStringLiteral("content"), text}};
    if (withSpecial)
        body.insert(QStringLiteral("add_special"), true);
    if (m_shape == Shape::vllm)
        body = {{QStringLiteral("model"), m_model}, {QStringLiteral("prompt"), text}};
    return m_shape == Shape::none ? std::nullopt : tokensIn(m_link.post(tokenizePath, body));
}

std::optional<qint64> TokenCounter::text(const QString &text)
{
    const auto tokens = plainText(text, false);
    return tokens ? std::optional<qint64>(tokens->size()) : std::nullopt;
}

} // namespace kvlab::experiment
