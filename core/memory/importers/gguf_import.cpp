// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/importers/gguf_import.h"

#include "memory/importers/gguf_caches.h"
#include "memory/importers/imported_name.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

namespace kvlab::memory {

using namespace Qt::StringLiterals;

namespace {

std::variant<GgufHeader, Refusal> headerOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return unreadableFile(path, file.errorString());
    return readGgufHeader(file);
}

std::optional<qint64> number(const GgufHeader &header, const QString &key)
{
    const auto value = header.values.constFind(key);
    const qint64 *found = value == header.values.cend() ? nullptr : std::get_if<qint64>(&*value);
    return found == nullptr ? std::nullopt : std::optional(*found);
}

/// “name-00002-of-00005.gguf”: the path of another part; the path itself when it is no part.
QString partPath(const QString &path, qint64 part)
{
    static const QRegularExpression numbers(u"-[0-9]{5}-of-([0-9]{5})\\.gguf$"_s);
    const auto match = numbers.match(path);
    if (!match.hasMatch())
        return path;
    return path.left(match.capturedStart())
        + u"-%1-of-%2.gguf"_s.arg(part, 5, 10, QLatin1Char('0')).arg(match.captured(1));
}

/// What all parts hold together.
struct Sizes
{
    Bytes parameters;
    std::optional<Bytes> tensor_bytes = Bytes(0);

    void add(const GgufHeader &part)
    {
        parameters += part.parameters;
        if (tensor_bytes && part.tensor_bytes)
            *tensor_bytes += *part.tensor_bytes;
        else
            tensor_bytes = std::nullopt;
    }
};

void warnAboutPart(const QString &path, const GgufHeader &part, ImportLog &log)
{
    const QString name = QFileInfo(path).fileName();
    if (part.is_cut_off)
        log.warn(name,
            QCoreApplication::translate("import",
                "“%1” is shorter than its header says: the download is not complete. The cache can be computed all "
                "the same.")
                .arg(name));
    if (!part.unknown_type.isEmpty())
        log.warn(name,
            QCoreApplication::translate("import",
                "A tensor has a number format that is not known here (%1), so the size of the weights is not known.")
                .arg(part.unknown_type));
}

/// nullopt when a part is missing; then the sizes stay unknown.
std::optional<Sizes> sizesOfParts(const QString &path, const GgufHeader &first, ImportLog &log)
{
    Sizes sizes;
    sizes.add(first);
    warnAboutPart(path, first, log);
    const qint64 parts = number(first, u"split.count"_s).value_or(1);
    for (qint64 part = 2; part <= parts; ++part) {
        const QString name = partPath(path, part);
        const auto header = name == path ? std::variant<GgufHeader, Refusal>(Refusal{}) : headerOf(name);
        if (std::holds_alternative<Refusal>(header)) {
            log.warn(u"split.count"_s,
                QCoreApplication::translate("import",
                    "Part %1 of %2 is missing or damaged, so the size of the weights is not known. The cache can be "
                    "computed all the same.")
                    .arg(QString::number(part), QString::number(parts)));
            return std::nullopt;
        }
        warnAboutPart(name, std::get<GgufHeader>(header), log);
        sizes.add(std::get<GgufHeader>(header));
    }
    return sizes;
}

std::optional<qint64> fitting(const Bytes &bytes)
{
    return bytes > 0 && bytes <= std::numeric_limits<qint64>::max() ? std::optional(bytes.convert_to<qint64>())
                                                                    : std::nullopt;
}

void addFacts(ImportedModel &imported, const GgufFields &fields, const GgufHeader &header)
{
    ModelSpec &spec = imported.model;
    if (const auto context = fields.count("context_length"_L1, maxImportedTokens)) {
        spec.max_position = context->value;
        fields.log().remember(u"max_position"_s, context->field);
    }
    if (const auto hidden = fields.count("embedding_length"_L1))
        spec.hidden_size = hidden->value;
    switch (number(header, u"general.file_type"_s).value_or(-1)) {
    case 0:
        spec.default_dtype = u"fp32"_s;
        break;
    case 1:
        spec.default_dtype = u"fp16"_s;
        break;
    case 32:
        spec.default_dtype = u"bf16"_s;
        break;
    default: // quantised: says nothing about 16-bit types
        break;
    }
    imported.kv_dtype_default = u"fp16"_s; // llama.cpp's own default
}

/// The first part has the metadata; nullopt when it is not there.
std::optional<Refusal> refuseLaterPart(const QString &path, const GgufHeader &header)
{
    if (number(header, u"split.no"_s).value_or(0) == 0)
        return std::nullopt;
    return Refusal{u"field_missing"_s,
        QCoreApplication::translate("import",
            "“%1” is a later part of a split model, and part 1 with the model's description is not beside it. Put all "
            "parts into one folder.")
            .arg(QFileInfo(path).fileName())};
}

} // namespace

ImportResult importGguf(const QString &path)
{
    const QString first_path = QFileInfo::exists(partPath(path, 1)) ? partPath(path, 1) : path;
    const auto read = headerOf(first_path);
    if (const auto *refusal = std::get_if<Refusal>(&read))
        return *refusal;
    const auto &header = std::get<GgufHeader>(read);
    if (const auto refusal = refuseLaterPart(path, header))
        return *refusal;

    ImportLog log;
    const GgufFields fields(header, log);
    const GgufCaches found = readGgufCaches(fields);
    ImportedModel imported;
    if (!log.refusal)
        addFacts(imported, fields, header);
    if (log.refusal)
        return *log.refusal;
    ModelSpec &spec = imported.model;
    const QString own_name = fields.text(u"general.name"_s);
    const bool is_named = path.endsWith(".gguf"_L1, Qt::CaseInsensitive) || own_name.isEmpty();
    spec.name = is_named ? importedName(first_path) : own_name;
    spec.id = importedId(spec.name);
    spec.family = fields.architecture();
    spec.num_layers = found.layers;
    spec.num_attention_heads = found.heads;
    spec.caches = found.caches;
    spec.recurrent_state_fp32 = std::any_of(found.caches.cbegin(), found.caches.cend(),
        [](const CacheSpec &cache) { return std::holds_alternative<FixedState>(cache); });
    if (const auto sizes = sizesOfParts(first_path, header, log)) {
        spec.params = fitting(sizes->parameters);
        spec.weight_bytes = sizes->tensor_bytes ? fitting(*sizes->tensor_bytes) : std::nullopt;
    }
    spec.field_sources = log.sources;
    imported.warnings = log.warnings;
    return imported;
}

} // namespace kvlab::memory
