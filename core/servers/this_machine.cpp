// SPDX-License-Identifier: GPL-3.0-or-later
#include "servers/this_machine.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTimer>

#include <limits>

namespace kvlab::servers {

namespace {

constexpr int patienceMs = 5000; // a driver that has to start first takes a second or two
constexpr qint64 mib = 1024 * 1024;

std::optional<qint64> positiveNumber(const QString &text, qint64 unit)
{
    bool isNumber = false;
    const qint64 value = text.trimmed().toLongLong(&isNumber);
    if (!isNumber || value < 1 || value > std::numeric_limits<qint64>::max() / unit)
        return std::nullopt;
    return value * unit;
}

QString textOf(const QJsonObject &card, const QStringList &keys)
{
    for (const QString &wanted : keys) {
        for (auto field = card.begin(); field != card.end(); ++field) {
            // Versions differ in case: “Card series”, “Card Series”.
            if (field.key().compare(wanted, Qt::CaseInsensitive) == 0 && !field.value().toString().trimmed().isEmpty())
                return field.value().toString().trimmed();
        }
    }
    return {};
}

} // namespace

QList<MachineDevice> parseNvidiaSmi(const QByteArray &output)
{
    QList<MachineDevice> devices;
    for (const QString &line : QString::fromUtf8(output).split(QLatin1Char('\n'))) {
        const qsizetype comma = line.lastIndexOf(QLatin1Char(','));
        const QString name = line.left(std::max<qsizetype>(0, comma)).trimmed();
        const QString size = line.mid(comma + 1).trimmed();
        if (name.isEmpty())
            continue;
        if (const auto bytes = positiveNumber(size, mib))
            devices << MachineDevice{name, bytes, false};
        else if (size == QLatin1String("[N/A]") || size == QLatin1String("[Not Supported]"))
            devices << MachineDevice{name, std::nullopt, true};
    }
    return devices;
}

QList<MachineDevice> parseRocmSmi(const QByteArray &output)
{
    QList<MachineDevice> devices;
    const QJsonObject cards = QJsonDocument::fromJson(output).object();
    for (auto card = cards.begin(); card != cards.end(); ++card) {
        const QJsonObject fields = card.value().toObject();
        const auto bytes = positiveNumber(textOf(fields, {QStringLiteral("VRAM Total Memory (B)")}), 1);
        const QString name
            = textOf(fields, {QStringLiteral("Card Series"), QStringLiteral("Card Model"), QStringLiteral("Card SKU")});
        if (bytes)
            devices << MachineDevice{name.isEmpty() ? card.key() : name, bytes, false};
    }
    return devices;
}

std::optional<qint64> parseMeminfo(const QByteArray &content)
{
    for (const QByteArray &line : content.split('\n')) {
        if (!line.startsWith("MemTotal:"))
            continue;
        QByteArray size = line.mid(9).trimmed();
        if (!size.endsWith("kB")) // which are units of 1,024
            return std::nullopt;
        size.chop(2);
        return positiveNumber(QString::fromLatin1(size), 1024);
    }
    return std::nullopt;
}

class ThisMachine::Private
{
public:
    explicit Private(ThisMachine *owner)
        : q(owner)
    {
    }

    struct Tool
    {
        QString program;
        QStringList arguments;
        QList<MachineDevice> (*parse)(const QByteArray &);
    };

    void start(const Tool &tool)
    {
        ++running;
        auto *process = new QProcess(q);
        const auto end = [this, process, parse = tool.parse](bool good) {
            if (process->property("ended").toBool())
                return;
            process->setProperty("ended", true);
            if (good)
                devices << parse(process->readAllStandardOutput());
            process->deleteLater();
            if (--running == 0)
                tell();
        };
        QObject::connect(process, &QProcess::finished, q,
            [end](int code, QProcess::ExitStatus status) { end(code == 0 && status == QProcess::NormalExit); });
        QObject::connect(process, &QProcess::errorOccurred, q, [end](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart)
                end(false);
        });
        QTimer::singleShot(patienceMs, process, [process] { process->kill(); });
        process->start(tool.program, tool.arguments, QIODevice::ReadOnly);
    }

    void tell()
    {
        const auto memory = mainMemoryBytes();
        QList<MachineDevice> all;
        for (MachineDevice device : std::as_const(devices)) {
            if (device.shares_main_memory)
                device.bytes = memory;
            if (device.bytes)
                all << device;
        }
        if (memory)
            all << MachineDevice{{}, memory, false};
        devices.clear();
        Q_EMIT q->found(all);
    }

    ThisMachine *q;
    QList<MachineDevice> devices;
    int running = 0;
};

ThisMachine::ThisMachine(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this))
{
}

ThisMachine::~ThisMachine()
{
    // A process that ends now must not report to an object that is half gone.
    for (QProcess *process : findChildren<QProcess *>()) {
        process->disconnect(this);
        process->kill();
        process->waitForFinished(1000);
    }
}

void ThisMachine::look()
{
    if (d->running > 0)
        return;
    // One more, so that tools that fail at once cannot tell before this returns.
    ++d->running;
    d->start({QStringLiteral("nvidia-smi"),
        {QStringLiteral("--query-gpu=name,memory.total"), QStringLiteral("--format=csv,noheader,nounits")},
        parseNvidiaSmi});
    d->start({QStringLiteral("rocm-smi"),
        {QStringLiteral("--showproductname"), QStringLiteral("--showmeminfo"), QStringLiteral("vram"),
            QStringLiteral("--json")},
        parseRocmSmi});
    QTimer::singleShot(0, this, [this] {
        if (--d->running == 0)
            d->tell();
    });
}

} // namespace kvlab::servers
