// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/importers/model_import.h"

#include "memory/importers/gguf_header.h"
#include "memory/importers/gguf_import.h"
#include "memory/importers/imported_name.h"
#include "memory/importers/safetensors.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

namespace kvlab::memory {

using namespace Qt::StringLiterals;

namespace {

ImportResult importConfigFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return unreadableFile(path, file.errorString());
    // One byte more than is allowed is enough to know that it is too large.
    ImportResult result = importConfigJson(file.read(maxConfigBytes + 1), importedName(path));
    if (auto *imported = std::get_if<ImportedModel>(&result)) {
        const WeightFiles weights = weightsInFolder(QFileInfo(path).absolutePath());
        imported->model.weight_bytes = weights.bytes;
        if (weights.bytes)
            imported->model.field_sources.insert(u"weight_bytes"_s, weights.source);
        imported->warnings << weights.warnings;
    }
    return result;
}

/// Weights say nothing about layers; the description lies beside them.
ImportResult importBesideWeights(const QString &path)
{
    const QString config = QFileInfo(path).absoluteDir().filePath(u"config.json"_s);
    if (QFileInfo::exists(config))
        return importConfigFile(config);
    return Refusal{u"field_missing"_s,
        QCoreApplication::translate("import",
            "“%1” holds weights only, and there is no config.json beside it that describes the layers. Put the "
            "model's config.json into the same folder.")
            .arg(QFileInfo(path).fileName())};
}

ImportResult importFolder(const QString &path)
{
    const QDir folder(path);
    if (folder.exists(u"config.json"_s))
        return importConfigFile(folder.filePath(u"config.json"_s));
    const QStringList names = folder.entryList({u"*.gguf"_s}, QDir::Files, QDir::Name);
    if (names.size() == 1 || (!names.isEmpty() && names.constFirst().contains("-00001-of-"_L1)))
        return importGguf(folder.filePath(names.constFirst()));
    return Refusal{u"file_unreadable"_s,
        names.isEmpty()
            ? QCoreApplication::translate(
                "import", "The folder “%1” holds no config.json and no GGUF file. Choose the model's own folder.")
                  .arg(path)
            : QCoreApplication::translate("import", "The folder “%1” holds several GGUF files. Choose one of them.")
                  .arg(path)};
}

} // namespace

Refusal unreadableFile(const QString &path, const QString &why)
{
    return {u"file_unreadable"_s,
        QCoreApplication::translate("import", "“%1” cannot be read: %2. Check that the file is there and may be read.")
            .arg(path, why)};
}

ImportResult importModelFile(const QString &path)
{
    if (QFileInfo(path).isDir())
        return importFolder(path);
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return unreadableFile(path, file.errorString());
    if (looksLikeGguf(file))
        return importGguf(path);
    if (looksLikeSafetensors(file) || path.endsWith(".safetensors"_L1) || path.endsWith(".safetensors.index.json"_L1))
        return importBesideWeights(path);
    file.close();
    return importConfigFile(path);
}

} // namespace kvlab::memory
