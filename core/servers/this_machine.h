// SPDX-License-Identifier: GPL-3.0-or-later
// What this computer could hold a model in: its GPUs as nvidia-smi and rocm-smi name them, and its main memory.
// Sources: nvidia-smi --help-query-gpu (memory.total in MiB, “[N/A]” where the GPU has no memory of its own),
// rocm-smi --json (bytes).
#pragma once

#include <QList>
#include <QObject>

#include <memory>
#include <optional>

namespace kvlab::servers {

struct MachineDevice
{
    QString name; ///< as the tool names it; empty = main memory
    std::optional<qint64> bytes; ///< of one device; unset = it uses the main memory
    bool shares_main_memory = false;

    friend bool operator==(const MachineDevice &, const MachineDevice &) = default;
};

/// Output of `nvidia-smi --query-gpu=name,memory.total --format=csv,noheader,nounits`; lines that are no device are
/// left out.
QList<MachineDevice> parseNvidiaSmi(const QByteArray &output);
/// Output of `rocm-smi --showproductname --showmeminfo vram --json`.
QList<MachineDevice> parseRocmSmi(const QByteArray &output);
/// MemTotal of /proc/meminfo in bytes.
std::optional<qint64> parseMeminfo(const QByteArray &content);

/// Bytes of main memory; nullopt where this system does not tell.
std::optional<qint64> mainMemoryBytes();

/// Asks the tools without keeping anybody waiting. A tool that is absent, fails or takes too long means no device.
class ThisMachine : public QObject
{
    Q_OBJECT
public:
    explicit ThisMachine(QObject *parent = nullptr);
    ~ThisMachine() override;

    /// found() follows, once, never from inside this call. Asked again while looking: nothing more happens.
    void look();

Q_SIGNALS:
    /// GPUs first, main memory last.
    void found(const QList<kvlab::servers::MachineDevice> &devices);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::servers
