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

const ModelSpec *ModelLibrary::find(const QString &idOrName) const
{
    const QString wanted = idOrName.trimmed().toCaseFolded();
    for (const auto &model : m_imported) {
        if (model->name.toCaseFolded() == wanted || (!model->id.isEmpty() && model->id.toCaseFolded() == wanted))
            return model.get();
    }
    return findModel(idOrName);
}

QStringList ModelLibrary::names() const
{
    QStringList names;
    for (const auto &model : m_imported)
        names << model->name;
    for (const ModelSpec &model : builtInModels())
        names << model.name;
    return names;
}

QString ModelLibrary::add(ModelSpec model)
{
    model.name = model.name.trimmed();
    if (findModel(model.name) != nullptr)
        model.name = QCoreApplication::translate("memory", "%1 (imported)", "a model's name").arg(model.name);
    model.id = model.name.toLower(); // ids of files are not unique
    const auto shared = std::make_shared<const ModelSpec>(std::move(model));
    for (auto &present : m_imported) {
        if (present->name.compare(shared->name, Qt::CaseInsensitive) == 0) {
            present = shared;
            return shared->name;
        }
    }
    m_imported << shared;
    return shared->name;
}

Estimate estimateRow(const MemoryRow &row, const ModelLibrary &library)
{
    if (const ModelSpec *model = library.find(row.model))
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
