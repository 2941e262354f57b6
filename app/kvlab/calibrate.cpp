// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "interrupt.h"
#include "listing.h"
#include "options.h"
#include "terminal.h"

#include "experiment/calibration.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>

namespace kvlab::cli {

namespace {

using namespace experiment;

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::cli::Calibrate)
};

struct Flags
{
    QCommandLineOption bodies{QStringLiteral("bodies"), Texts::tr("Sizes of the requests in bytes; k = 1,024."),
        QStringLiteral("LIST"), QStringLiteral("2k,17k,40k,200k")};
    QCommandLineOption rounds{QStringLiteral("rounds"), Texts::tr("Samples of each size and kind of connection."),
        QStringLiteral("N"), QStringLiteral("200")};
    QCommandLineOption transport{QStringLiteral("transport"),
        Texts::tr("low-delay, or qnam for Qt's stock manager, which holds larger requests back."),
        QStringLiteral("NAME"), QStringLiteral("low-delay")};
    QCommandLineOption format{QStringLiteral("format"), Texts::tr("What is printed: table, csv or json."),
        QStringLiteral("FORMAT"), QStringLiteral("table")};
};

struct CalibrateOrder
{
    CalibrationPlan plan;
    Output output = Output::table;
};

std::optional<int> readSize(const QString &text)
{
    const bool kilo = text.endsWith(QLatin1Char('k'), Qt::CaseInsensitive);
    bool isNumber = false;
    const int number = text.left(text.size() - (kilo ? 1 : 0)).toInt(&isNumber);
    constexpr int largest = 16 * 1024 * 1024;
    if (!isNumber || number < 1 || number > largest / (kilo ? 1024 : 1))
        return std::nullopt;
    return number * (kilo ? 1024 : 1);
}

/// A message when an option is wrong.
std::optional<QString> readOrder(const QCommandLineParser &parser, const Flags &flags, CalibrateOrder &order)
{
    order.plan.body_bytes.clear();
    for (const QString &part : parser.value(flags.bodies).split(QLatin1Char(','))) {
        const auto size = readSize(part.trimmed());
        if (!size)
            return Texts::tr("--bodies takes sizes in bytes up to 16 MiB, such as 2k,17k,200k, not “%1”.").arg(part);
        order.plan.body_bytes.append(*size);
    }
    bool isNumber = false;
    order.plan.rounds = parser.value(flags.rounds).toInt(&isNumber);
    if (!isNumber || order.plan.rounds < 1 || order.plan.rounds > 10'000)
        return Texts::tr("--rounds takes a whole number from 1 to 10000, not “%1”.").arg(parser.value(flags.rounds));
    const auto transport = transportFromName(parser.value(flags.transport));
    if (!transport)
        return Texts::tr("--transport takes low-delay or qnam, not “%1”.").arg(parser.value(flags.transport));
    order.plan.transport = *transport;
    const auto output = outputFromName(parser.value(flags.format));
    if (!output)
        return Texts::tr("--format takes table, csv or json, not “%1”.").arg(parser.value(flags.format));
    order.output = *output;
    return std::nullopt;
}

QString cell(std::optional<double> value)
{
    return value ? QString::number(*value, 'f', 3) : QString();
}

Listing listingOf(const CalibrationResult &result)
{
    Listing listing;
    listing.names = {QStringLiteral("body_bytes"), QStringLiteral("connection"), QStringLiteral("samples"),
        QStringLiteral("failed"), QStringLiteral("error_median_ms"), QStringLiteral("error_p95_ms"),
        QStringLiteral("error_p99_ms")};
    listing.is_text = {false, true, false, false, false, false, false};
    for (const CalibrationRow &row : result.rows)
        listing.rows << QStringList{QString::number(row.body_bytes),
            row.new_connection ? QStringLiteral("new") : QStringLiteral("kept"), QString::number(row.samples),
            QString::number(row.failed), cell(row.median_ms), cell(row.p95_ms), cell(row.p99_ms)};
    return listing;
}

QJsonValue json(std::optional<double> value)
{
    return value ? QJsonValue(*value) : QJsonValue(QJsonValue::Null);
}

QString jsonText(const CalibrationResult &result)
{
    QJsonArray rows;
    for (const CalibrationRow &row : result.rows)
        rows.append(QJsonObject{{QStringLiteral("body_bytes"), row.body_bytes},
            {QStringLiteral("connection"), row.new_connection ? QStringLiteral("new") : QStringLiteral("kept")},
            {QStringLiteral("samples"), row.samples}, {QStringLiteral("failed"), row.failed},
            {QStringLiteral("error_median_ms"), json(row.median_ms)},
            {QStringLiteral("error_p95_ms"), json(row.p95_ms)}, {QStringLiteral("error_p99_ms"), json(row.p99_ms)}});
    const QJsonObject object{{QStringLiteral("transport"), transportName(result.plan.transport)},
        {QStringLiteral("delay_ms"), result.plan.delay_ms}, {QStringLiteral("rounds"), result.plan.rounds},
        {QStringLiteral("seed"), static_cast<qint64>(result.plan.seed)}, {QStringLiteral("rows"), rows}};
    return QString::fromUtf8(QJsonDocument(object).toJson());
}

void print(const CalibrationResult &result, Output output)
{
    switch (output) {
    case Output::table:
        standardOutput() << listingOf(result).table()
                         << Texts::tr(
                                "What the probe showed beyond the delay that the built-in server really took, in ms; "
                                "95th percentiles from 20 samples on, 99th from 200. Transport: %1.")
                                .arg(transportName(result.plan.transport))
                         << '\n';
        break;
    case Output::csv:
        standardOutput() << listingOf(result).csv();
        break;
    case Output::json:
        standardOutput() << jsonText(result);
        break;
    }
}

int exitCodeOf(const CalibrationResult &result)
{
    if (result.stopped)
        return exitStopped;
    int failed = 0;
    for (const CalibrationRow &row : result.rows)
        failed += row.failed;
    if (result.rows.isEmpty())
        return exitServer;
    return failed > 0 ? exitContradicted : exitDone;
}

} // namespace

int runCalibrate(const QStringList &arguments)
{
    QCommandLineParser parser;
    const Flags flags;
    parser.addOptions({flags.bodies, flags.rounds, flags.transport, flags.format});
    parser.setApplicationDescription(
        Texts::tr("The probe's own error: what it shows beyond the known delay of a server inside this program, for "
                  "several sizes of request, on kept and on new connections.\n\n"
                  "Example: kvlab calibrate --bodies 2k,200k\n\n"
                  "Exit codes: 0 done, 1 samples failed, 2 wrong usage, 4 no port could be opened, 130 stopped."));
    if (const auto code = parseArguments(parser, arguments))
        return *code;
    CalibrateOrder order;
    if (const auto problem = readOrder(parser, flags, order))
        return fail(exitUsage, *problem);
    watchForInterrupt();
    const bool rewrites = isErrorTerminal();
    const CalibrationResult result = calibrate(order.plan, [rewrites](int done, int total) {
        if (rewrites)
            standardError() << "\r\033[K" << Texts::tr("Sample %1 of %2").arg(done + 1).arg(total) << Qt::flush;
        return !wasInterrupted();
    });
    if (rewrites)
        standardError() << "\r\033[K" << Qt::flush;
    if (!result.message.isEmpty())
        fail(exitServer, result.message);
    if (!result.rows.isEmpty())
        print(result, order.output);
    return flushed(exitCodeOf(result));
}

} // namespace kvlab::cli
