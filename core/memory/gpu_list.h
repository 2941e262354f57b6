// SPDX-License-Identifier: GPL-3.0-or-later
// The built-in list of devices (resources/gpus.json). Figures as sold; `unverified` names the fields that no public
// source confirmed.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace kvlab::memory {

struct GpuSpec
{
    QString name;
    std::optional<double> memory_gb; ///< as on the box; unset for processors
    std::optional<qint64> memory_bytes; ///< the same read as GiB, which boards report nearly
    double memory_bandwidth_gb_s = 0.0;
    double dense_tflops = 0.0; ///< without structured sparsity
    QString tflops_kind; ///< "fp16/bf16 tensor, fp32 accumulate"
    QString host_link; ///< "PCIe 4 x16"
    std::optional<double> host_link_gb_s; ///< of a pinned copy in one direction
    bool unified_memory = false;
    QStringList unverified;
    QString note;
};

/// All devices in the file's order, loaded once; thread-safe.
const QList<GpuSpec> &builtInGpus();

/// The device of that name, or the only one whose name holds the text, case-insensitive; else every one that fits.
QList<GpuSpec> findGpus(const QString &text);

} // namespace kvlab::memory
