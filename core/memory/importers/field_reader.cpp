// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/importers/field_reader.h"

#include <QCoreApplication>

namespace kvlab::memory {

namespace {

QString joined(FieldNames keys)
{
    QStringList names;
    for (const QLatin1String key : keys)
        names << key;
    return names.join(QStringLiteral(", "));
}

void refuseType(ImportLog &log, const QString &field)
{
    log.refuse(QStringLiteral("wrong_type"),
        QCoreApplication::translate(
            "import", "The field “%1” must be a whole number, but something else stands there. Correct it in the file.")
            .arg(field));
}

} // namespace

// Log
// -------------------------------------------------------------------------------------------------------------------

void ImportLog::refuse(const QString &reason, const QString &message)
{
    if (!refusal)
        refusal = Refusal{reason, message};
}

void ImportLog::warn(const QString &field, const QString &text)
{
    warnings << ImportWarning{field, text};
}

void ImportLog::remember(const QString &term, const QString &field)
{
    if (!sources.contains(term))
        sources.insert(term, field);
}

void refuseLength(ImportLog &log, const QString &field, qsizetype entries, qint64 layers)
{
    log.refuse(QStringLiteral("list_length_mismatch"),
        QCoreApplication::translate("import",
            "The list “%1” has %2 entries, but the model has %3 layers: every layer needs one. Correct the list or the "
            "number of layers in the file.")
            .arg(field, QString::number(entries), QString::number(layers)));
}

void refuseKind(ImportLog &log, const QString &field, const QString &kind)
{
    log.refuse(QStringLiteral("unknown_layer_kind"),
        QCoreApplication::translate("import",
            "“%2” in “%1” is a kind of layer that has no rule here, so its cache is not guessed. Enter the model's "
            "groups of layers by hand if you know them.")
            .arg(field, kind));
}

void refuseMissing(ImportLog &log, const QString &field)
{
    log.refuse(QStringLiteral("field_missing"),
        QCoreApplication::translate(
            "import", "The field “%1” is missing, and nothing else in the file says it. Add it to the file.")
            .arg(field));
}

std::optional<qint64> elementCount(ImportLog &log, const QString &field, std::initializer_list<qint64> factors)
{
    qint64 product = 1;
    for (const qint64 factor : factors) {
        if (factor > 0 && product > maxImportedTokens / factor) {
            log.refuse(QStringLiteral("out_of_range"),
                QCoreApplication::translate("import",
                    "The state that “%1” describes has more than %2 values in one layer, which no model has. Correct "
                    "the numbers in the file.")
                    .arg(field, QString::number(maxImportedTokens)));
            return std::nullopt;
        }
        product *= factor;
    }
    return product;
}

// Fields
// ----------------------------------------------------------------------------------------------------------------

FieldReader::FieldReader(const JsonObject &object, const QString &path, ImportLog &log)
    : m_object(&object)
    , m_path(path)
    , m_log(&log)
{
}

QString FieldReader::path(const QString &key) const
{
    return m_path.isEmpty() ? key : m_path + u'.' + key;
}

const JsonNode *FieldReader::find(const QString &key) const
{
    const JsonNode *node = m_object->find(key);
    return node == nullptr || node->isNull() ? nullptr : node;
}

std::optional<qint64> FieldReader::wholeNumber(
    const JsonNode &node, const QString &field, qint64 smallest, qint64 largest) const
{
    const JsonNumber *number = node.number();
    if (number == nullptr || number->kind == JsonNumber::Kind::fraction) {
        refuseType(*m_log, field);
        return std::nullopt;
    }
    if (number->kind == JsonNumber::Kind::not_finite) {
        m_log->refuse(QStringLiteral("not_a_number"),
            QCoreApplication::translate(
                "import", "The field “%1” holds NaN or Infinity, but a whole number is needed. Correct it in the file.")
                .arg(field));
        return std::nullopt;
    }
    if (number->kind == JsonNumber::Kind::too_large || number->value < smallest || number->value > largest) {
        m_log->refuse(QStringLiteral("out_of_range"),
            QCoreApplication::translate(
                "import", "The field “%1” must lie between %2 and %3, but it does not. Correct it in the file.")
                .arg(field, QString::number(smallest), QString::number(largest)));
        return std::nullopt;
    }
    return number->value;
}

std::optional<Count> FieldReader::count(FieldNames keys, qint64 largest) const
{
    for (const QLatin1String key : keys) {
        const JsonNode *node = find(key);
        if (node == nullptr)
            continue;
        const auto value = wholeNumber(*node, path(key), 0, largest);
        if (!value)
            return std::nullopt;
        if (*value > 0)
            return Count{*value, path(key)};
    }
    return std::nullopt;
}

std::optional<qint64> FieldReader::knownCount(FieldNames keys) const
{
    for (const QLatin1String key : keys) {
        const JsonNode *node = find(key);
        const JsonNumber *number = node == nullptr ? nullptr : node->number();
        if (number != nullptr && number->kind == JsonNumber::Kind::whole && number->value > 0
            && number->value <= maxImportedTokens)
            return number->value;
    }
    return std::nullopt;
}

std::optional<Count> FieldReader::required(FieldNames keys, qint64 largest) const
{
    auto found = count(keys, largest);
    if (!found)
        refuseMissing(*m_log, path(joined(keys)));
    return found;
}

void FieldReader::warnWhereOthersDiffer(const Count &count, FieldNames keys) const
{
    for (const QLatin1String key : keys) {
        const auto other = knownCount({key});
        if (other && *other != count.value)
            m_log->warn(count.field,
                QCoreApplication::translate(
                    "import", "“%1” is %2, but “%3” is %4 and should say the same; “%1” counts.")
                    .arg(count.field, QString::number(count.value), path(key), QString::number(*other)));
    }
}

std::optional<bool> FieldReader::flag(QLatin1String key) const
{
    const JsonNode *node = find(key);
    if (node == nullptr)
        return std::nullopt;
    if (const bool *value = node->flag())
        return *value;
    m_log->refuse(QStringLiteral("wrong_type"),
        QCoreApplication::translate(
            "import", "The field “%1” must be true or false, but something else stands there. Correct it in the file.")
            .arg(path(key)));
    return std::nullopt;
}

QString FieldReader::text(QLatin1String key) const
{
    const JsonNode *node = find(key);
    return node == nullptr || node->text() == nullptr ? QString() : *node->text();
}

std::optional<CountList> FieldReader::countList(QLatin1String key, qint64 smallest, qint64 largest) const
{
    const JsonNode *node = find(key);
    if (node == nullptr || node->array() == nullptr)
        return std::nullopt;
    CountList list{{}, path(key)};
    for (const JsonNode &item : node->array()->items) {
        const auto value = wholeNumber(item, path(key), smallest, largest);
        if (!value)
            return std::nullopt;
        list.values << *value;
    }
    return list;
}

std::optional<QStringList> FieldReader::textList(QLatin1String key) const
{
    const JsonNode *node = find(key);
    if (node == nullptr)
        return std::nullopt;
    QStringList words;
    bool is_list = node->array() != nullptr;
    for (qsizetype i = 0; is_list && i < node->array()->items.size(); ++i) {
        const QString *word = node->array()->items.at(i).text();
        is_list = word != nullptr;
        if (is_list)
            words << *word;
    }
    if (is_list)
        return words;
    m_log->refuse(QStringLiteral("wrong_type"),
        QCoreApplication::translate(
            "import", "The field “%1” must be a list of words, one per layer. Correct it in the file.")
            .arg(path(key)));
    return std::nullopt;
}

std::optional<FieldReader> FieldReader::object(QLatin1String key) const
{
    const JsonNode *node = find(key);
    if (node == nullptr || node->object() == nullptr)
        return std::nullopt;
    return FieldReader(*node->object(), path(key), *m_log);
}

} // namespace kvlab::memory
