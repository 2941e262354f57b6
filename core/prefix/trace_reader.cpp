// SPDX-License-Identifier: GPL-3.0-or-later
#include "prefix/trace_reader.h"

#include <QCoreApplication>

namespace kvlab::prefix {

namespace {

/// Context of this file's texts.
struct TraceText
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::prefix::TraceText)
};

std::optional<int> wholeNumber(const QJsonValue &value, int low, int high)
{
    const double number = value.toDouble(-0.5);
    if (!value.isDouble() || number < low || number > high || number != static_cast<double>(value.toInteger()))
        return std::nullopt;
    return int(number);
}

} // namespace

void TraceNode::refuse(const QString &sentence) const
{
    throw BadTrace{TraceText::tr("%1: %2").arg(m_name, sentence)};
}

void TraceNode::refuseValue(QLatin1String key, const QString &wanted) const
{
    if (!has(key))
        refuse(TraceText::tr("“%1” is missing; it must be %2.").arg(key, wanted));
    refuse(TraceText::tr("“%1” must be %2.").arg(key, wanted));
}

int TraceNode::number(QLatin1String key, int low, int high) const
{
    const auto value = wholeNumber(m_object.value(key), low, high);
    if (!value)
        refuseValue(
            key, TraceText::tr("a whole number from %1 to %2").arg(QString::number(low), QString::number(high)));
    return *value;
}

bool TraceNode::flag(QLatin1String key) const
{
    if (!m_object.value(key).isBool())
        refuseValue(key, TraceText::tr("true or false"));
    return m_object.value(key).toBool();
}

QString TraceNode::text(QLatin1String key) const
{
    if (!m_object.value(key).isString())
        refuseValue(key, TraceText::tr("text"));
    return m_object.value(key).toString();
}

std::string TraceNode::optionalText(QLatin1String key) const
{
    return has(key) ? text(key).toStdString() : std::string();
}

std::vector<int> TraceNode::numbers(QLatin1String key, int low, int high) const
{
    const QJsonArray array = m_object.value(key).toArray();
    std::vector<int> result;
    for (const QJsonValue &item : array) {
        if (const auto value = wholeNumber(item, low, high))
            result.push_back(*value);
    }
    if (!m_object.value(key).isArray() || qsizetype(result.size()) != array.size()) {
        refuseValue(key,
            TraceText::tr("a list of whole numbers from %1 to %2").arg(QString::number(low), QString::number(high)));
    }
    return result;
}

TraceNode TraceNode::child(QLatin1String key) const
{
    if (!m_object.value(key).isObject())
        refuseValue(key, TraceText::tr("an object"));
    return {m_object.value(key).toObject(), m_name};
}

QJsonArray TraceNode::list(QLatin1String key) const
{
    const QJsonArray array = m_object.value(key).toArray();
    const bool objects = std::all_of(array.begin(), array.end(), [](const auto &value) { return value.isObject(); });
    if (!m_object.value(key).isArray() || !objects)
        refuseValue(key, TraceText::tr("a list of objects"));
    return array;
}

std::vector<Token> TraceAlphabet::tokens(const TraceNode &node, QLatin1String key)
{
    const auto bad = [&] {
        node.refuseValue(key,
            TraceText::tr("a list of runs, [label, count] or [label, start, count], of at most %1 tokens")
                .arg(mostTraceTokens));
    };
    std::vector<Token> result;
    if (!node.object().value(key).isArray())
        bad();
    for (const QJsonValue &value : node.object().value(key).toArray()) {
        const QJsonArray run = value.toArray();
        const auto start = run.size() == 3 ? wholeNumber(run[1], 0, mostTraceTokens) : 0;
        const auto count = wholeNumber(run[run.size() - 1], 0, mostTraceTokens);
        const bool known = (run.size() == 2 || run.size() == 3) && run[0].isString();
        if (!known || !start || !count || *count > mostTraceTokens - int(result.size())) {
            bad();
            continue;
        }
        for (int i = *start; i < *start + *count; ++i)
            result.push_back(m_ids.try_emplace({run[0].toString(), i}, Token(m_ids.size())).first->second);
    }
    return result;
}

} // namespace kvlab::prefix
