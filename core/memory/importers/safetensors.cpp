// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/importers/safetensors.h"

#include <QCoreApplication>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtEndian>

namespace kvlab::memory {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 maxHeaderBytes = 100'000'000; ///< the format's own limit
constexpr qint64 maxIndexBytes = 100'000'000;

Refusal damaged(const QString &what)
{
    return {u"bad_header"_s,
        QCoreApplication::translate("import", "The safetensors file is damaged: %1. Download it again.").arg(what)};
}

qint64 headerLength(const QByteArray &start)
{
    if (start.size() < 9 || start.at(8) != '{')
        return -1;
    const auto length = qFromLittleEndian<quint64>(start.constData());
    return length >= 2 && length <= quint64(maxHeaderBytes) ? static_cast<qint64>(length) : -1;
}

/// end − begin of one tensor; nullopt when they lie outside the data.
std::optional<qint64> tensorBytes(const QJsonValue &tensor, qint64 data_size)
{
    const QJsonArray offsets = tensor[u"data_offsets"].toArray();
    const qint64 begin = offsets.size() == 2 ? offsets.at(0).toInteger(-1) : -1;
    const qint64 end = offsets.size() == 2 ? offsets.at(1).toInteger(-1) : -1;
    return begin >= 0 && begin <= end && end <= data_size ? std::optional(end - begin) : std::nullopt;
}

void warnMissing(WeightFiles &weights, const QString &name)
{
    weights.warnings << ImportWarning{name,
        QCoreApplication::translate("import", "“%1” is missing or damaged. The cache can be computed all the same.")
            .arg(name)};
}

/// The sum over files of a folder; nullopt when one cannot be read.
std::optional<qint64> bytesOfFiles(const QDir &folder, const QStringList &names, WeightFiles &weights)
{
    qint64 sum = 0;
    for (const QString &name : names) {
        QFile file(folder.filePath(name));
        const bool is_open = file.open(QIODevice::ReadOnly);
        const auto bytes = is_open ? safetensorsBytes(file) : std::variant<qint64, Refusal>(Refusal{});
        if (std::holds_alternative<Refusal>(bytes)) {
            warnMissing(weights, name);
            return std::nullopt;
        }
        sum += std::get<qint64>(bytes);
    }
    return sum;
}

/// Names without folders only: an index must not lead elsewhere.
QStringList partsOf(const QJsonObject &index)
{
    QStringList names;
    for (const QJsonValue &value : index.value(u"weight_map").toObject()) {
        const QString name = value.toString();
        if (!name.isEmpty() && !name.contains(u'/') && !name.contains(u'\\') && !names.contains(name))
            names << name;
    }
    names.sort();
    return names;
}

WeightFiles weightsOfIndex(const QDir &folder, const QString &name)
{
    WeightFiles weights;
    weights.source = name;
    QFile file(folder.filePath(name));
    const QByteArray text = file.open(QIODevice::ReadOnly) ? file.read(maxIndexBytes + 1) : QByteArray();
    const QJsonObject index = text.size() > maxIndexBytes ? QJsonObject() : QJsonDocument::fromJson(text).object();
    const qint64 said = index.value(u"metadata")[u"total_size"].toInteger(-1);
    const QStringList parts = partsOf(index);
    if (parts.isEmpty() && said < 1)
        warnMissing(weights, name);
    if (!parts.isEmpty())
        weights.bytes = bytesOfFiles(folder, parts, weights);
    if (weights.bytes && said > 0 && *weights.bytes != said)
        weights.warnings << ImportWarning{name,
            QCoreApplication::translate(
                "import", "“%1” says that the weights take %2 bytes, but its files hold %3; the files count.")
                .arg(name, QString::number(said), QString::number(*weights.bytes))};
    if (!weights.bytes && said > 0)
        weights.bytes = said;
    return weights;
}

} // namespace

bool looksLikeSafetensors(QIODevice &file)
{
    return headerLength(file.peek(9)) > 0;
}

std::variant<qint64, Refusal> safetensorsBytes(QIODevice &file)
{
    const qint64 length = headerLength(file.peek(9));
    if (length < 0 || length > file.size() - 8)
        return damaged(QCoreApplication::translate("import", "its header has an impossible length"));
    file.skip(8);
    const QJsonDocument header = QJsonDocument::fromJson(file.read(length));
    if (!header.isObject())
        return damaged(QCoreApplication::translate("import", "its header is no JSON object"));
    const qint64 data_size = file.size() - 8 - length;
    qint64 sum = 0;
    const QJsonObject tensors = header.object();
    for (auto tensor = tensors.constBegin(); tensor != tensors.constEnd(); ++tensor) {
        if (tensor.key() == "__metadata__"_L1)
            continue;
        const auto bytes = tensorBytes(tensor.value(), data_size);
        if (!bytes || *bytes > std::numeric_limits<qint64>::max() - sum)
            return damaged(
                QCoreApplication::translate("import", "the tensor “%1” lies outside of it").arg(tensor.key()));
        sum += *bytes;
    }
    return sum;
}

WeightFiles weightsInFolder(const QString &path)
{
    const QDir folder(path);
    const QString index = u"model.safetensors.index.json"_s;
    if (folder.exists(index))
        return weightsOfIndex(folder, index);
    QStringList names = folder.entryList({u"*.safetensors"_s}, QDir::Files, QDir::Name);
    names.removeIf([](const QString &name) { return name.startsWith("adapter"_L1); });
    if (names.contains(u"model.safetensors"_s))
        names = {u"model.safetensors"_s};
    WeightFiles weights;
    if (names.size() != 1) // several without an index: which belong together is not known
        return weights;
    weights.source = names.constFirst();
    weights.bytes = bytesOfFiles(folder, names, weights);
    if (weights.bytes == 0)
        weights.bytes = std::nullopt;
    return weights;
}

} // namespace kvlab::memory
