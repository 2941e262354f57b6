// SPDX-License-Identifier: GPL-3.0-or-later
// Reads scenario files strictly, for trace.cpp: a key that is missing or of the wrong kind must not count as 0.
#pragma once

#include "prefix/block_hash.h"

#include <QJsonArray>
#include <QJsonObject>

#include <functional>
#include <map>

namespace kvlab::prefix {

/// Thrown inside the reader and caught by runTrace().
struct BadTrace
{
    QString what; ///< a whole sentence
};

/// One object of the file and its name for messages ("apc T1, step 3").
class TraceNode
{
public:
    TraceNode(QJsonObject object, QString name)
        : m_object(std::move(object))
        , m_name(std::move(name))
    {
    }

    const QJsonObject &object() const { return m_object; }
    const QString &name() const { return m_name; }
    bool has(QLatin1String key) const { return m_object.contains(key); }

    int number(QLatin1String key, int low, int high) const;
    bool flag(QLatin1String key) const;
    QString text(QLatin1String key) const;
    std::string optionalText(QLatin1String key) const; ///< absent = empty
    std::vector<int> numbers(QLatin1String key, int low, int high) const;
    TraceNode child(QLatin1String key) const; ///< an object
    QJsonArray list(QLatin1String key) const; ///< of objects

    [[noreturn]] void refuse(const QString &sentence) const; ///< with this node's name in front
    [[noreturn]] void refuseValue(QLatin1String key, const QString &wanted) const;

private:
    QJsonObject m_object;
    QString m_name;
};

/// Token ids for the file's pairs (label, index); runs are [label, count] or [label, start, count].
class TraceAlphabet
{
public:
    std::vector<Token> tokens(const TraceNode &node, QLatin1String key);

private:
    std::map<std::pair<QString, int>, Token> m_ids;
};

inline constexpr int mostTraceTokens = 1'000'000; ///< in one prompt
inline constexpr int mostTraceBlocks = 1'000'000; ///< in one pool

} // namespace kvlab::prefix
