// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "input_file.h"
#include "listing.h"
#include "options.h"

#include "probe/recorded_answer.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QRandomGenerator>

namespace kvlab::cli {

namespace {

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::cli::Decode)
};

constexpr qint64 largestFile = 256LL * 1024 * 1024;

/// "N" or "random:SEED"; an empty function when it is neither.
probe::PieceSize pieceSize(const QString &split)
{
    bool isNumber = false;
    const qlonglong size = split.toLongLong(&isNumber);
    if (isNumber && size > 0)
        return [size] { return static_cast<qsizetype>(size); };
    const QString prefix = QStringLiteral("random:");
    const quint32 seed = split.mid(prefix.size()).toUInt(&isNumber);
    if (!split.startsWith(prefix) || !isNumber)
        return {};
    // Mostly small pieces, now and then one of many kilobytes.
    return [random = QRandomGenerator(seed)]() mutable -> qsizetype {
        return random.bounded(1, (1 << random.bounded(1, 16)) + 1);
    };
}

} // namespace

int runDecode(const QStringList &arguments)
{
    QCommandLineParser parser;
    const QCommandLineOption split(QStringLiteral("split"),
        Texts::tr("Feed it in pieces of N bytes, or of random sizes (random:SEED). Without it in one piece."),
        QStringLiteral("N"));
    parser.addOption(split);
    parser.addPositionalArgument(
        QStringLiteral("FILE.http"), Texts::tr("A recorded answer: status line, headers and body as they came."));
    parser.setApplicationDescription(
        Texts::tr("What the probe makes of a recorded answer of a server, as JSON.\n\n"
                  "Example: kvlab decode answer.http --split random:7\n\n"
                  "Exit codes: 0 whenever the file could be read, 2 wrong usage, 3 file not readable."));
    if (const auto code = parseArguments(parser, arguments))
        return *code;
    const auto file = onlyFile(parser, QStringLiteral("kvlab decode"));
    if (!file)
        return exitUsage;
    const QString pieces = parser.value(split);
    const bool whole = !parser.isSet(split);
    const probe::PieceSize size = whole ? [] { return std::numeric_limits<qsizetype>::max(); } : pieceSize(pieces);
    if (!size)
        return fail(exitUsage,
            Texts::tr("--split takes a number of bytes from 1 or random:SEED with a whole number, not “%1”.")
                .arg(pieces));
    const auto raw = readInputFile(*file, largestFile);
    if (!raw)
        return exitInputRefused;
    const QJsonObject answer = probe::toJson(probe::decodeRecording(*raw, size));
    standardOutput() << QString::fromUtf8(QJsonDocument(answer).toJson());
    return flushed(exitDone);
}

} // namespace kvlab::cli
