// SPDX-License-Identifier: GPL-3.0-or-later
// Token ids as the server itself counts them, through its /tokenize; counting never touches the prefix cache.
#pragma once

#include "experiment/prompts.h"
#include "experiment/server_link.h"

namespace kvlab::experiment {

class TokenCounter
{
public:
    explicit TokenCounter(ServerLink &link)
        : m_link(link)
    {
    }

    /// Finds out which shape of /tokenize the server has, if any.
    void detect(const QString &model, DocumentRole role, Endpoint endpoint);
    bool isAvailable() const { return m_shape != Shape::none; }

    /// The whole prompt as the server sees it, chat template included.
    std::optional<QList<qint32>> prompt(const Prompt &prompt);
    /// A piece of text alone.
    std::optional<qint64> text(const QString &text);

    /// Those of `words` that cost equally many tokens after a space: the most frequent count. All of them when the
    /// server cannot say.
    QStringList equallyLong(const QStringList &words);

private:
    std::optional<QList<qint32>> plainText(const QString &text, bool withSpecial);

    enum class Shape {
        none,
        vllm, ///< {"model","messages"} and {"model","prompt"}
        llama ///< /apply-template, then {"content"}
    };

    Shape m_shape = Shape::none;
    ServerLink &m_link;
    QString m_model;
    DocumentRole m_role = DocumentRole::system;
    Endpoint m_endpoint = Endpoint::chat;
};

} // namespace kvlab::experiment
