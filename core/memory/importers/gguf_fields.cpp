// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/importers/gguf_caches.h"

#include <QCoreApplication>

namespace kvlab::memory {

using namespace Qt::StringLiterals;

GgufFields::GgufFields(const GgufHeader &header, ImportLog &log)
    : m_header(&header)
    , m_log(&log)
{
    m_architecture = text(u"general.architecture"_s);
}

QString GgufFields::path(QLatin1String key) const
{
    return m_architecture + u'.' + key;
}

QString GgufFields::text(const QString &full_key) const
{
    const auto value = m_header->values.constFind(full_key);
    const QString *found = value == m_header->values.cend() ? nullptr : std::get_if<QString>(&*value);
    return found == nullptr ? QString() : *found;
}

const GgufValue *GgufFields::find(QLatin1String key) const
{
    const auto value = m_header->values.constFind(path(key));
    return value == m_header->values.cend() ? nullptr : &*value;
}

bool GgufFields::has(QLatin1String key) const
{
    return find(key) != nullptr;
}

bool GgufFields::hasAnyBelow(QLatin1String key) const
{
    const QString start = path(key) + u'.';
    for (auto value = m_header->values.cbegin(); value != m_header->values.cend(); ++value) {
        if (value.key().startsWith(start))
            return true;
    }
    return false;
}

std::optional<qint64> GgufFields::checked(QLatin1String key, const GgufValue &value, qint64 largest) const
{
    const qint64 *number = std::get_if<qint64>(&value);
    if (number == nullptr) {
        m_log->refuse(u"wrong_type"_s,
            QCoreApplication::translate("import",
                "The field “%1” must be a whole number, but something else stands there. Download the file again.")
                .arg(path(key)));
        return std::nullopt;
    }
    if (*number < 0 || *number > largest) {
        m_log->refuse(u"out_of_range"_s,
            QCoreApplication::translate(
                "import", "The field “%1” must lie between %2 and %3, but it does not. Download the file again.")
                .arg(path(key), QString::number(0), QString::number(largest)));
        return std::nullopt;
    }
    return *number;
}

std::optional<Count> GgufFields::count(QLatin1String key, qint64 largest) const
{
    const GgufValue *value = find(key);
    const auto number = value == nullptr ? std::nullopt : checked(key, *value, largest);
    return number && *number > 0 ? std::optional(Count{*number, path(key)}) : std::nullopt;
}

std::optional<Count> GgufFields::required(QLatin1String key, qint64 largest) const
{
    auto found = count(key, largest);
    if (!found)
        refuseMissing(*m_log, path(key));
    return found;
}

std::optional<CountList> GgufFields::perLayer(QLatin1String key, qint64 layers, qint64 largest) const
{
    const GgufValue *value = find(key);
    if (value == nullptr)
        return std::nullopt;
    if (std::holds_alternative<QList<qint64>>(*value)) {
        auto numbers = list(key, layers);
        for (qsizetype i = 0; numbers && i < numbers->values.size(); ++i) {
            if (!checked(key, GgufValue(numbers->values.at(i)), largest))
                return std::nullopt;
        }
        return numbers;
    }
    const auto number = checked(key, *value, largest);
    return number ? std::optional(CountList{QList<qint64>(layers, *number), path(key)}) : std::nullopt;
}

std::optional<CountList> GgufFields::list(QLatin1String key, qint64 layers) const
{
    const GgufValue *value = find(key);
    const auto *numbers = value == nullptr ? nullptr : std::get_if<QList<qint64>>(value);
    if (numbers == nullptr)
        return std::nullopt;
    if (numbers->size() != layers) {
        refuseLength(*m_log, path(key), numbers->size(), layers);
        return std::nullopt;
    }
    return CountList{*numbers, path(key)};
}

} // namespace kvlab::memory
