// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of one object of a config.json: typed, checked, with the path they stand under. null, 0 and absent are the
// same for counts. The first fault is kept in the log and refuses the file; fields that nobody asks for are never
// looked at.
#pragma once

#include "memory/importers/json_tree.h"
#include "memory/importers/model_import.h"

#include <QLatin1String>

namespace kvlab::memory {

inline constexpr qint64 maxImportedLayers = 100'000;
inline constexpr qint64 maxImportedWidth = 1'000'000; ///< heads and dims
inline constexpr qint64 maxImportedTokens = 1'000'000'000'000; ///< and elements of a state

/// What importing one file has brought up so far.
struct ImportLog
{
    std::optional<Refusal> refusal; ///< the first
    QList<ImportWarning> warnings;
    QMap<QString, QString> sources; ///< ModelSpec::field_sources

    void refuse(const QString &reason, const QString &message);
    void warn(const QString &field, const QString &text);
    /// Keeps what is there.
    void remember(const QString &term, const QString &field);
};

/// A number and where it stands.
struct Count
{
    qint64 value = 0;
    QString field;
};

/// One number per layer, or one for all.
struct CountList
{
    QList<qint64> values;
    QString field;
};

using FieldNames = std::initializer_list<QLatin1String>;

class FieldReader
{
public:
    FieldReader(const JsonObject &object, const QString &path, ImportLog &log);

    QString path(const QString &key) const; ///< "text_config.head_dim"
    ImportLog &log() const { return *m_log; }

    /// nullptr when absent or null.
    const JsonNode *find(const QString &key) const;
    bool has(const QString &key) const { return find(key) != nullptr; }
    /// Not even null: the class's own default holds, where null switches off.
    bool isAbsent(const QString &key) const { return m_object->find(key) == nullptr; }

    /// The first of these names that holds a count. Refuses texts, fractions, negatives, and what is above `largest`.
    std::optional<Count> count(FieldNames keys, qint64 largest = maxImportedWidth) const;
    /// The same where a bad value does not matter: nullopt.
    std::optional<qint64> knownCount(FieldNames keys) const;
    /// As count(), but it must be there.
    std::optional<Count> required(FieldNames keys, qint64 largest = maxImportedWidth) const;
    /// Warns when another of these names holds a different count.
    void warnWhereOthersDiffer(const Count &count, FieldNames keys) const;

    /// nullopt when absent; anything but true and false is refused.
    std::optional<bool> flag(QLatin1String key) const;
    /// Empty when absent or no text.
    QString text(QLatin1String key) const;

    /// A list of numbers from `smallest` on; nullopt when absent or not a list.
    std::optional<CountList> countList(QLatin1String key, qint64 smallest, qint64 largest) const;
    /// A list of words; nullopt when absent. Anything but a list of texts is refused.
    std::optional<QStringList> textList(QLatin1String key) const;

    /// A nested object; nullopt when absent or no object.
    std::optional<FieldReader> object(QLatin1String key) const;

    /// The value of one node as a count, `smallest` allowed; refused by `field`.
    std::optional<qint64> wholeNumber(
        const JsonNode &node, const QString &field, qint64 smallest, qint64 largest) const;

private:
    const JsonObject *m_object;
    QString m_path;
    ImportLog *m_log;
};

/// list_length_mismatch: so many entries where so many layers need one.
void refuseLength(ImportLog &log, const QString &field, qsizetype entries, qint64 layers);

/// unknown_layer_kind: what is written there has no rule here.
void refuseKind(ImportLog &log, const QString &field, const QString &kind);

/// field_missing
void refuseMissing(ImportLog &log, const QString &field);

/// The product when it is at most maxImportedTokens; else refused as out_of_range under `field`.
std::optional<qint64> elementCount(ImportLog &log, const QString &field, std::initializer_list<qint64> factors);

} // namespace kvlab::memory
