// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/gpu_list.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace kvlab::memory {

namespace {

std::optional<double> number(const QJsonObject &object, const char *key)
{
    const QJsonValue value = object.value(QLatin1String(key));
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

GpuSpec readGpu(const QJsonObject &object)
{
    GpuSpec gpu;
    gpu.name = object.value(QLatin1String("name")).toString();
    gpu.memory_gb = number(object, "memory_gb");
    if (gpu.memory_gb)
        gpu.memory_bytes = object.value(QLatin1String("memory_bytes_if_gib")).toInteger();
    gpu.memory_bandwidth_gb_s = object.value(QLatin1String("memory_bandwidth_gb_s")).toDouble();
    gpu.dense_tflops = object.value(QLatin1String("dense_tflops")).toDouble();
    gpu.tflops_kind = object.value(QLatin1String("tflops_kind")).toString();
    gpu.host_link = object.value(QLatin1String("host_link")).toString();
    gpu.host_link_gb_s = number(object, "host_link_practical_gb_s");
    gpu.unified_memory = object.value(QLatin1String("unified_memory")).toBool();
    for (const QJsonValue &field : object.value(QLatin1String("unverified")).toArray())
        gpu.unverified << field.toString();
    gpu.note = object.value(QLatin1String("note")).toString();
    return gpu;
}

/// The list is part of the program: when it cannot be read, the build is broken, and nothing sensible can follow.
QList<GpuSpec> readBuiltInGpus()
{
    QFile file(QStringLiteral(":/kvlab/gpus.json"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("the built-in list of devices is missing from the program");
    QList<GpuSpec> gpus;
    for (const QJsonValue &value :
        QJsonDocument::fromJson(file.readAll()).object().value(QLatin1String("gpus")).toArray())
        gpus << readGpu(value.toObject());
    if (gpus.isEmpty())
        qFatal("resources/gpus.json holds no devices");
    return gpus;
}

} // namespace

const QList<GpuSpec> &builtInGpus()
{
    static const QList<GpuSpec> gpus = readBuiltInGpus();
    return gpus;
}

QList<GpuSpec> findGpus(const QString &text)
{
    const QString wanted = text.trimmed();
    QList<GpuSpec> fitting;
    for (const GpuSpec &gpu : builtInGpus()) {
        if (gpu.name.compare(wanted, Qt::CaseInsensitive) == 0)
            return {gpu};
        if (!wanted.isEmpty() && gpu.name.contains(wanted, Qt::CaseInsensitive))
            fitting << gpu;
    }
    return fitting;
}

} // namespace kvlab::memory
