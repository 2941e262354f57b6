// SPDX-License-Identifier: GPL-3.0-or-later
// What nvidia-smi, rocm-smi and /proc/meminfo say, and tools that are absent, fail or hang.
#include "servers/this_machine.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace kvlab::servers;

Q_DECLARE_METATYPE(QList<MachineDevice>)

namespace {

MachineDevice device(const char *name, qint64 bytes)
{
    return {QString::fromLatin1(name), bytes, false};
}

} // namespace

class TestThisMachine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_path = qgetenv("PATH"); }
    void cleanup() { qputenv("PATH", m_path); }
    void nvidia_data();
    void nvidia();
    void rocm_data();
    void rocm();
    void meminfo();
    void absentToolsAreNoError();
    void toolsAreAsked();
    void failingToolsSayNothing();
    void deletedWhileLooking();

private:
    QByteArray m_path;

    /// A program of that name which prints this.
    static void writeTool(const QTemporaryDir &folder, const QString &name, const QByteArray &script)
    {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n" + script);
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }

    static QList<MachineDevice> lookIn(const QByteArray &path)
    {
        qputenv("PATH", path);
        ThisMachine machine;
        QSignalSpy found(&machine, &ThisMachine::found);
        machine.look();
        machine.look(); // asks nothing more
        if (!found.isEmpty() || !found.wait(15'000))
            return {device("found() did not follow, or from inside the call", 1)};
        QTest::qWait(50);
        return found.size() == 1 ? found.first().first().value<QList<MachineDevice>>()
                                 : QList{device("found() came more than once", 1)};
    }
};

void TestThisMachine::nvidia_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QList<MachineDevice>>("devices");
    const auto row = [](const char *name, const char *output, const QList<MachineDevice> &devices) {
        QTest::newRow(name) << QByteArray(output) << devices;
    };
    // 24,564 MiB × 1,048,576 = 25,757,220,864 B; 81,559 MiB = 85,520,809,984 B
    row("one", "NVIDIA GeForce RTX 4090, 24564\n", {device("NVIDIA GeForce RTX 4090", 25'757'220'864)});
    row("several", "NVIDIA H100 80GB HBM3, 81559\r\nNVIDIA H100 80GB HBM3, 81559\r\n",
        {device("NVIDIA H100 80GB HBM3", 85'520'809'984), device("NVIDIA H100 80GB HBM3", 85'520'809'984)});
    row("memory shared with the processor", "NVIDIA GB10, [N/A]\n",
        {{QStringLiteral("NVIDIA GB10"), std::nullopt, true}});
    row("comma in the name", "Quadro, special, 8192\n", {device("Quadro, special", 8'589'934'592)});
    row("driver not loaded",
        "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest "
        "NVIDIA driver is installed and running.\n",
        {});
    row("no devices", "No devices were found\n", {});
    row("a number that cannot be", "A, 0\nB, -5\nC, 99999999999999999\nD,\n, 24564\n", {});
    row("nothing", "", {});
}

void TestThisMachine::nvidia()
{
    QFETCH(QByteArray, output);
    QTEST(parseNvidiaSmi(output), "devices");
}

void TestThisMachine::rocm_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QList<MachineDevice>>("devices");
    QTest::newRow("two cards, keys of two versions")
        << QByteArray("{\"card0\": {\"VRAM Total Memory (B)\": \"68702699520\", \"VRAM Total Used Memory (B)\": "
                      "\"10960896\", \"Card series\": \"AMD Instinct MI250X\", \"Card model\": \"0x0b0c\"}, "
                      "\"card1\": {\"VRAM Total Memory (B)\": \"206141652992\", \"Card Series\": "
                      "\"AMD Instinct MI300X\"}, \"system\": {\"Driver version\": \"6.7.0\"}}")
        << QList{device("AMD Instinct MI250X", 68'702'699'520), device("AMD Instinct MI300X", 206'141'652'992)};
    QTest::newRow("no name") << QByteArray("{\"card0\": {\"VRAM Total Memory (B)\": \"1024\"}}")
                             << QList{device("card0", 1024)};
    QTest::newRow("no JSON") << QByteArray("WARNING: No JSON data to report") << QList<MachineDevice>();
    }

    void TestThisMachine::rocm()
    {
        QFETCH(QByteArray, output);
        QTEST(parseRocmSmi(output), "devices");
    }

    void TestThisMachine::meminfo()
    {
        // 16,303,484 × 1,024 = 16,694,767,616
        QCOMPARE(parseMeminfo("MemTotal:       16303484 kB\nMemFree:         1234 kB\n").value(), 16'694'767'616);
        QVERIFY(!parseMeminfo("MemFree: 5 kB\n"));
        QVERIFY(!parseMeminfo("MemTotal: many kB\n"));
        QVERIFY(!parseMeminfo("MemTotal: 5\n"));
    }

    void TestThisMachine::absentToolsAreNoError()
    {
        const QTemporaryDir empty;
        const QList<MachineDevice> devices = lookIn(empty.path().toLocal8Bit());
        QCOMPARE(devices.size(), mainMemoryBytes() ? 1 : 0);
        for (const MachineDevice &only : devices)
            QCOMPARE(only, (MachineDevice{{}, mainMemoryBytes(), false}));
    }

    void TestThisMachine::toolsAreAsked()
    {
        const QTemporaryDir folder;
        writeTool(folder, QStringLiteral("nvidia-smi"), "echo 'NVIDIA L4, 23034'\necho 'NVIDIA GB10, [N/A]'\n");
        writeTool(folder, QStringLiteral("rocm-smi"),
            "echo '{\"card0\": {\"VRAM Total Memory (B)\": \"1024\", \"Card Series\": \"small\"}}'\n");
        const QList<MachineDevice> devices = lookIn(folder.path().toLocal8Bit());
        // 23,034 MiB = 24,152,899,584 B
        QVERIFY(devices.contains(device("NVIDIA L4", 24'152'899'584)));
        QVERIFY(devices.contains(device("small", 1024)));
        if (mainMemoryBytes())
            QVERIFY(devices.contains(MachineDevice{QStringLiteral("NVIDIA GB10"), mainMemoryBytes(), true}));
    }

    void TestThisMachine::failingToolsSayNothing()
    {
        const QTemporaryDir folder;
        writeTool(folder, QStringLiteral("nvidia-smi"), "echo 'NVIDIA L4, 23034'\nexit 9\n");
        writeTool(folder, QStringLiteral("rocm-smi"), "exec /bin/sleep 60\n"); // is ended
        QCOMPARE(lookIn(folder.path().toLocal8Bit()).size(), mainMemoryBytes() ? 1 : 0);
    }

    void TestThisMachine::deletedWhileLooking()
    {
        const QTemporaryDir folder;
        writeTool(folder, QStringLiteral("nvidia-smi"), "exec /bin/sleep 60\n");
        qputenv("PATH", folder.path().toLocal8Bit());
        auto machine = std::make_unique<ThisMachine>();
        machine->look();
        QTest::qWait(50);
        machine.reset();
        QVERIFY(!machine);
    }

    QTEST_GUILESS_MAIN(TestThisMachine)
#include "tst_this_machine.moc"
