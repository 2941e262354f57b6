// SPDX-License-Identifier: GPL-3.0-or-later
// JSON as published config files write it: with Infinity and NaN, sometimes with duplicate keys (the last one counts,
// as in Python). Numbers are kept exact: a whole number that a double would round is not rounded here.
#pragma once

#include "memory/memory_estimate.h"

#include <QByteArray>

namespace kvlab::memory {

struct JsonNumber
{
    enum class Kind { whole, fraction, too_large, not_finite };

    Kind kind = Kind::whole;
    qint64 value = 0; ///< of a whole number; "32.0" and "4.096e3" are whole
};

struct JsonNode;

struct JsonArray
{
    QList<JsonNode> items;
};

struct JsonObject
{
    QStringList keys; ///< each once, in the file's order
    QList<JsonNode> values;

    const JsonNode *find(const QString &key) const;
};

struct JsonNode
{
    std::variant<std::monostate, bool, JsonNumber, QString, JsonArray, JsonObject> value;

    bool isNull() const { return std::holds_alternative<std::monostate>(value); }
    const JsonNumber *number() const { return std::get_if<JsonNumber>(&value); }
    const QString *text() const { return std::get_if<QString>(&value); }
    const bool *flag() const { return std::get_if<bool>(&value); }
    const JsonArray *array() const { return std::get_if<JsonArray>(&value); }
    const JsonObject *object() const { return std::get_if<JsonObject>(&value); }
};

struct JsonTree
{
    JsonObject root;
    QStringList duplicate_keys; ///< paths of keys that stand there more than once: "text_config.head_dim"
};

/// Refused: empty_file, invalid_encoding, json_syntax (with line and column), not_an_object, nesting_too_deep,
/// file_too_large.
std::variant<JsonTree, Refusal> parseJson(const QByteArray &json);

} // namespace kvlab::memory
