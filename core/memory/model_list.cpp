// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/model_list.h"

#include "memory/model_json.h"

#include <QCoreApplication>
#include <QFile>
#include <QHash>
#include <QJsonDocument>

namespace kvlab::memory {

namespace {

/// The list is part of the program: when it cannot be read, the build is broken, and nothing sensible can follow.
QList<ModelSpec> readBuiltInModels()
{
    QFile file(QStringLiteral(":/kvlab/models.json"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("the built-in list of models is missing from the program");
    QList<ModelSpec> models;
    for (const QJsonValue &value : QJsonDocument::fromJson(file.readAll()).array()) {
        const auto model = modelFromJson(value.toObject());
        if (const auto *error = std::get_if<QString>(&model))
            qFatal("resources/models.json: %s", qUtf8Printable(*error));
        models << std::get<ModelSpec>(model);
    }
    return models;
}

/// Ids and names, case folded, with their place in the list.
QHash<QString, qsizetype> readNames()
{
    QHash<QString, qsizetype> places;
    const QList<ModelSpec> &models = builtInModels();
    for (qsizetype i = 0; i < models.size(); ++i) {
        places.insert(models.at(i).id.toCaseFolded(), i);
        places.insert(models.at(i).name.toCaseFolded(), i);
    }
    return places;
}

} // namespace

const QList<ModelSpec> &builtInModels()
{
    static const QList<ModelSpec> models = readBuiltInModels();
    return models;
}

const ModelSpec *findModel(const QString &idOrName)
{
    static const QHash<QString, qsizetype> places = readNames();
    const auto place = places.constFind(idOrName.trimmed().toCaseFolded());
    return place == places.cend() ? nullptr : &builtInModels().at(*place);
}

QString handoutDeepSeekName()
{
    return QStringLiteral("DeepSeek-V3 (handout)");
}

Estimate estimateRow(const MemoryRow &row)
{
    if (const ModelSpec *model = findModel(row.model))
        return estimate(*model, {row.seq_len, row.batch, row.kv_dtype});
    return Refusal{QStringLiteral("unknown_model"),
        QCoreApplication::translate("memory", "The list has no model named “%1”. Choose one of the list.")
            .arg(row.model)};
}

QList<MemoryRow> handoutGrid()
{
    QList<MemoryRow> rows;
    for (const QString &model : {QStringLiteral("Qwen2.5-0.5B"), QStringLiteral("Qwen2.5-7B"),
             QStringLiteral("Qwen2.5-72B"), QStringLiteral("DeepSeek-V3"), handoutDeepSeekName()}) {
        for (const qint64 seq_len : {2048, 4096, 8192, 32768}) {
            for (const qint64 batch : {1, 8})
                rows << MemoryRow{model, seq_len, batch, CacheFormat::bf16};
        }
    }
    return rows;
}

} // namespace kvlab::memory
