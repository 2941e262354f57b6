// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "interrupt.h"
#include "listing.h"
#include "options.h"
#include "terminal.h"

#include "servers/tier_runner.h"
#include "session/csv.h"
#include "session/tier_export.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QTimer>

#include <algorithm>
#include <variant>

namespace kvlab::cli {

namespace {

using namespace servers;

constexpr int lookMs = 50; // at Ctrl+C

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::cli::Tiers)
};

struct Flags
{
    QCommandLineOption arms{QStringLiteral("arms"),
        Texts::tr("Which arms: recompute, pool, ram, disk, restart, other; all of them by default."),
        QStringLiteral("LIST")};
    QCommandLineOption rounds{QStringLiteral("rounds"), Texts::tr("Samples of each arm at each length."),
        QStringLiteral("N"), QStringLiteral("5")};
    QCommandLineOption shared{QStringLiteral("shared-tokens"),
        Texts::tr("Length of the shared prefix; several lengths make a sweep: 500,1000,2000."), QStringLiteral("LIST"),
        QStringLiteral("3000")};
    QCommandLineOption size{QStringLiteral("size"), Texts::tr("Size of the engines: auto, small, medium or large."),
        QStringLiteral("SIZE"), QStringLiteral("auto")};
    QCommandLineOption seed{QStringLiteral("seed"), Texts::tr("Seed of the prompts and of their order."),
        QStringLiteral("N"), QStringLiteral("1")};
    QCommandLineOption folder{QStringLiteral("folder"),
        Texts::tr("Where a folder of chunks is made for the run and removed after it: the disk that is measured. The "
                  "user's cache folder by default."),
        QStringLiteral("DIR")};
    QCommandLineOption csv{QStringLiteral("csv"), Texts::tr("Write the samples there as CSV."), QStringLiteral("FILE")};
    QCommandLineOption json{
        QStringLiteral("json"), Texts::tr("Write samples and summaries there as JSON."), QStringLiteral("FILE")};
    QCommandLineOption format{QStringLiteral("format"), Texts::tr("What is printed: table, csv or json."),
        QStringLiteral("FORMAT"), QStringLiteral("table")};
};

struct Order
{
    TierPlan plan;
    Output output = Output::table;
    QString csv_file;
    QString json_file;
};

std::optional<QString> readArms(const QString &text, TierPlan &plan)
{
    if (text.isEmpty())
        return std::nullopt;
    plan.arms.clear();
    for (const QString &name : text.split(QLatin1Char(','))) {
        const auto arm = tierArmFromName(name.trimmed());
        if (!arm)
            return Texts::tr("--arms takes recompute, pool, ram, disk, restart and other, not “%1”.").arg(name);
        if (!plan.arms.contains(*arm))
            plan.arms.append(*arm);
    }
    return std::nullopt;
}

std::optional<QString> readLengths(const QString &text, TierPlan &plan)
{
    plan.lengths.clear();
    for (const QString &part : text.split(QLatin1Char(','))) {
        bool isNumber = false;
        const int length = part.trimmed().toInt(&isNumber);
        if (!isNumber)
            return Texts::tr("--shared-tokens takes whole numbers such as 500,1000,2000, not “%1”.").arg(part);
        if (!plan.lengths.contains(length))
            plan.lengths.append(length);
    }
    return std::nullopt;
}

/// A message when an option is wrong.
std::optional<QString> readOrder(const QCommandLineParser &parser, const Flags &flags, Order &order)
{
    if (const auto problem = readArms(parser.value(flags.arms), order.plan))
        return problem;
    if (const auto problem = readLengths(parser.value(flags.shared), order.plan))
        return problem;
    bool isNumber = false;
    order.plan.rounds = parser.value(flags.rounds).toInt(&isNumber);
    if (!isNumber)
        return Texts::tr("--rounds takes a whole number, not “%1”.").arg(parser.value(flags.rounds));
    order.plan.seed = parser.value(flags.seed).toUInt(&isNumber);
    if (!isNumber)
        return Texts::tr("--seed takes a whole number from 0 to 4294967295, not “%1”.").arg(parser.value(flags.seed));
    order.plan.engine_size = parser.value(flags.size);
    static const QStringList sizes{
        QStringLiteral("auto"), QStringLiteral("small"), QStringLiteral("medium"), QStringLiteral("large")};
    if (!sizes.contains(order.plan.engine_size))
        return Texts::tr("--size takes auto, small, medium or large, not “%1”.").arg(order.plan.engine_size);
    const auto output = outputFromName(parser.value(flags.format));
    if (!output)
        return Texts::tr("--format takes table, csv or json, not “%1”.").arg(parser.value(flags.format));
    order.output = *output;
    order.plan.parent_folder = parser.value(flags.folder);
    order.csv_file = parser.value(flags.csv);
    order.json_file = parser.value(flags.json);
    return validate(order.plan);
}

QString fixed(std::optional<double> value, int decimals)
{
    return value ? QString::number(*value, 'f', decimals) : QString();
}

QStringList row(const TierSummary &summary)
{
    const QString interval = summary.median_interval_ms ? QStringLiteral("%1 - %2").arg(
                                 fixed(summary.median_interval_ms->low, 1), fixed(summary.median_interval_ms->high, 1))
                                                        : QString();
    return {tierArmTitle(summary.arm), QString::number(summary.shared_tokens), QString::number(summary.kept),
        fixed(summary.median_ms, 1), interval, QString::number(summary.expected_tokens),
        fixed(summary.reported_tokens, 0),
        QStringLiteral("%1/%2").arg(QString::number(summary.as_predicted), QString::number(summary.samples)),
        QString::number(summary.expected_bytes), fixed(summary.loaded_bytes, 0), fixed(summary.storage_bytes, 0),
        fixed(summary.load_ms, 1)};
}

QString tableOf(const TierResult &result)
{
    Listing listing;
    listing.names = {Texts::tr("arm"), Texts::tr("shared"), QStringLiteral("n"), Texts::tr("TTFT, ms"),
        QStringLiteral("95 %"), Texts::tr("hit expected"), Texts::tr("hit reported"), Texts::tr("as predicted"),
        Texts::tr("bytes expected"), Texts::tr("bytes loaded"), Texts::tr("bytes from storage"),
        Texts::tr("loading, ms")};
    listing.is_text = QList<bool>(listing.names.size(), false);
    listing.is_text[0] = true;
    for (const TierSummary &summary : summarizeTiers(result.samples))
        listing.rows << row(summary);
    return listing.table()
        + Texts::tr("Practice engine, %1. Times and figures of bytes are medians; “bytes loaded” is the engine's own "
                    "count, “bytes from storage” the operating system's for its process, in whole pages.")
              .arg(result.engine)
        + QLatin1Char('\n');
}

class TiersCommand : public QObject
{
public:
    explicit TiersCommand(const Order &order);
    int run();

private:
    void showProgress(const TierProgress &progress);
    void end(const TierResult &result);
    void print(const TierResult &result) const;
    int exitCode(const TierResult &result) const;
    bool writeFiles(const TierResult &result) const;

    Order m_order;
    TierRunner m_runner;
    QTimer m_interrupt_watch;
};

TiersCommand::TiersCommand(const Order &order)
    : m_order(order)
{
    connect(&m_runner, &TierRunner::progressed, this, &TiersCommand::showProgress);
    connect(&m_runner, &TierRunner::finished, this, &TiersCommand::end);
    connect(&m_interrupt_watch, &QTimer::timeout, this, [this] {
        if (wasInterrupted())
            m_runner.stop();
    });
}

int TiersCommand::run()
{
    watchForInterrupt();
    m_interrupt_watch.start(lookMs);
    m_runner.start(m_order.plan);
    return QCoreApplication::exec();
}

void TiersCommand::showProgress(const TierProgress &progress)
{
    if (!isErrorTerminal())
        return;
    QString text = progress.phase == TierProgress::Phase::starting_engines ? Texts::tr("The engines are starting.")
        : progress.phase == TierProgress::Phase::warming_up                ? Texts::tr("An engine warms up.")
        : progress.phase == TierProgress::Phase::restarting
        ? Texts::tr("An engine is started again.")
        : Texts::tr("Sample %1 of %2: %3")
              .arg(QString::number(progress.done + 1), QString::number(progress.total), tierArmTitle(*progress.arm));
    if (progress.remaining_ms)
        text += QLatin1Char(' ') + Texts::tr("(about %1 s left)").arg(QString::number(*progress.remaining_ms / 1000));
    standardError() << "\r\033[K" << text << Qt::flush;
}

void TiersCommand::end(const TierResult &result)
{
    if (isErrorTerminal())
        standardError() << "\r\033[K" << Qt::flush;
    if (result.end == experiment::RunEnd::failed && !wasInterrupted())
        fail(exitServer,
            result.details.isEmpty() ? result.message : result.message + QLatin1Char('\n') + result.details);
    print(result);
    QCoreApplication::exit(writeFiles(result) ? flushed(exitCode(result)) : int(exitCannotWrite));
}

void TiersCommand::print(const TierResult &result) const
{
    if (m_order.output == Output::json)
        standardOutput() << QString::fromUtf8(QJsonDocument(session::tiersToJson(result)).toJson());
    else if (m_order.output == Output::csv)
        standardOutput() << QString::fromUtf8(session::tiersToCsv(result));
    else if (!result.samples.isEmpty())
        standardOutput() << tableOf(result);
}

int TiersCommand::exitCode(const TierResult &result) const
{
    // Ctrl+C in a terminal reaches the engines too, and their end may be noticed first.
    if (result.end == experiment::RunEnd::stopped || wasInterrupted())
        return exitStopped;
    if (result.end == experiment::RunEnd::failed)
        return exitServer;
    return result.evidenceEqualsPrediction() ? exitDone : exitContradicted;
}

bool TiersCommand::writeFiles(const TierResult &result) const
{
    bool written = true;
    const auto write = [&written](const QString &path, const QByteArray &content) {
        if (path.isEmpty())
            return;
        if (const auto problem = session::writeFileAtomically(path, content)) {
            fail(exitCannotWrite, *problem);
            written = false;
        }
    };
    write(m_order.csv_file, session::tiersToCsv(result));
    write(m_order.json_file, QJsonDocument(session::tiersToJson(result)).toJson());
    return written;
}

} // namespace

int runTiers(const QStringList &arguments)
{
    QCommandLineParser parser;
    const Flags flags;
    parser.addOptions({flags.arms, flags.rounds, flags.shared, flags.size, flags.seed, flags.folder, flags.csv,
        flags.json, flags.format});
    parser.setApplicationDescription(
        Texts::tr("Where a prefix is found again, and at what cost: the same documents recomputed, found in the block "
                  "pool, in RAM, on disk, after a restart and by another engine, on practice engines that this command "
                  "starts and ends. The hit of every sample is predicted and compared with what the engine counted.\n\n"
                  "Examples: kvlab tiers --rounds 10\n"
                  "          kvlab tiers --arms recompute,disk --shared-tokens 500,1000,2000,4000 --csv tiers.csv\n\n"
                  "Exit codes: 0 done, 1 a sample failed or was not as predicted, 2 wrong usage, 4 an engine could not "
                  "be started or ended, 5 could not write, 130 stopped."));
    if (const auto code = parseArguments(parser, arguments))
        return *code;
    if (!parser.positionalArguments().isEmpty()) {
        return fail(exitUsage,
            Texts::tr("kvlab tiers takes options only, not “%1”.").arg(parser.positionalArguments().constFirst()));
    }
    Order order;
    if (const auto problem = readOrder(parser, flags, order))
        return fail(exitUsage, *problem);
    TiersCommand command(order);
    return command.run();
}

} // namespace kvlab::cli
