// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of the importers share: the files of config-inputs/, and a small config.json to vary.
#pragma once

#include "memory/importers/model_import.h"
#include "memory/model_json.h"

#include <QJsonDocument>
#include <QtTest>

namespace kvlab::test {

using namespace kvlab::memory;

inline const QString inputFolder = QStringLiteral(KVLAB_TEST_DATA "/config-inputs/");

inline QByteArray contents(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s is missing", qPrintable(path));
    return file.readAll();
}

inline QJsonArray expectedFiles()
{
    return QJsonDocument::fromJson(contents(inputFolder + QStringLiteral("expected.json"))).array();
}

/// Groups as a set of texts: their order and what only explains them do not matter.
inline QStringList groupTexts(const QJsonArray &groups)
{
    QStringList texts;
    for (const QJsonValue &value : groups) {
        QJsonObject group = value.toObject();
        group.remove(QLatin1String("components"));
        texts << QString::fromUtf8(QJsonDocument(group).toJson(QJsonDocument::Compact));
    }
    texts.sort();
    return texts;
}

inline MemoryResult needOf(const ModelSpec &model, const MemoryQuery &query)
{
    const Estimate estimated = estimate(model, query);
    if (const auto *refusal = std::get_if<Refusal>(&estimated))
        qFatal("%s", qPrintable(refusal->message));
    return std::get<MemoryResult>(estimated);
}

inline Bytes bytesOfKind(const MemoryResult &result, QLatin1String kind)
{
    Bytes bytes = 0;
    for (const MemoryTerm &term : result.terms) {
        if (term.kind == kind)
            bytes += term.bytes;
    }
    return bytes;
}

inline bool isWarnedAbout(const ImportedModel &imported, const QString &word)
{
    return std::any_of(imported.warnings.cbegin(), imported.warnings.cend(), [&word](const ImportWarning &warning) {
        return warning.text.contains(word, Qt::CaseInsensitive) || warning.field.contains(word, Qt::CaseInsensitive);
    });
}

/// A small plain decoder: 4 layers, 8 heads, hidden 512, so head_dim 64.
inline QByteArray configWith(const char *changes)
{
    QJsonObject config{{QStringLiteral("model_type"), QStringLiteral("llama")},
        {QStringLiteral("num_hidden_layers"), 4}, {QStringLiteral("num_attention_heads"), 8},
        {QStringLiteral("num_key_value_heads"), 2}, {QStringLiteral("hidden_size"), 512},
        {QStringLiteral("max_position_embeddings"), 4096}, {QStringLiteral("dtype"), QStringLiteral("bfloat16")}};
    QJsonParseError error;
    const QJsonObject other = QJsonDocument::fromJson(changes, &error).object();
    if (error.error != QJsonParseError::NoError)
        qFatal("%s: %s", changes, qPrintable(error.errorString()));
    for (auto field = other.constBegin(); field != other.constEnd(); ++field) {
        if (field.value() == QJsonValue(QStringLiteral("ABSENT")))
            config.remove(field.key());
        else
            config.insert(field.key(), field.value());
    }
    return QJsonDocument(config).toJson(QJsonDocument::Compact);
}

inline ImportResult import(const QByteArray &json)
{
    return importConfigJson(json, QStringLiteral("Made up"));
}

} // namespace kvlab::test
