// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "input_file.h"
#include "listing.h"
#include "options.h"

#include "prefix/trace.h"

#include <QCoreApplication>
#include <QJsonDocument>

namespace kvlab::cli {

namespace {

/// Context of this file's texts.
struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::cli::Trace)
};

constexpr qint64 largestFile = 64LL * 1024 * 1024;

int report(const prefix::TraceResult &result)
{
    standardOutput() << QString::fromUtf8(QJsonDocument(result.file).toJson());
    standardError()
        << Texts::tr("Steps and cases as expected: %1. Different: %2.").arg(result.passed).arg(result.failed) << '\n';
    for (const QString &name : result.differences)
        standardError() << Texts::tr("  differs: %1").arg(name) << '\n';
    standardError().flush();
    return flushed(result.failed > 0 ? exitContradicted : exitDone);
}

} // namespace

int runTrace(const QStringList &arguments)
{
    const QCommandLineOption order(QStringLiteral("order"),
        Texts::tr("Order in which freed blocks are taken again: A (2025, all at the tail) or B (2026, blocks without a "
                  "hash at the head)."),
        QStringLiteral("A|B"), QStringLiteral("B"));
    QCommandLineParser parser;
    parser.addOption(order);
    parser.addPositionalArgument(QStringLiteral("FILE.json"), Texts::tr("Scenarios, as in prefix-hits.json."));
    parser.setApplicationDescription(
        Texts::tr("Plays prefix-cache scenarios through vLLM's block pool, LMCache's chunks, SGLang's radix tree and "
                  "llama.cpp's slots; the same JSON with “got” beside each “expect”.\n\n"
                  "Example: kvlab trace --order A prefix-hits.json\n\n"
                  "Exit codes: 0 all as expected, 1 something differs, 2 wrong usage, 3 file not usable."));
    if (const auto code = parseArguments(parser, arguments))
        return *code;
    const QString letter = parser.value(order).toUpper();
    if (letter != QLatin1String("A") && letter != QLatin1String("B"))
        return fail(exitUsage, Texts::tr("--order takes A or B, not “%1”.").arg(parser.value(order)));
    const auto file = onlyFile(parser, QStringLiteral("kvlab trace"));
    if (!file)
        return exitUsage;
    const auto document = readJsonFile(*file, largestFile);
    if (!document)
        return exitInputRefused;
    if (!document->isObject()) {
        return fail(exitInputRefused,
            Texts::tr("The file %1 is no JSON object with groups of scenarios. Choose another file, or correct it.")
                .arg(*file));
    }
    const auto run = prefix::runTrace(document->object(),
        letter == QLatin1String("A") ? prefix::FreeOrder::tail : prefix::FreeOrder::unhashed_to_head);
    if (const auto *refusal = std::get_if<QString>(&run)) {
        return fail(exitInputRefused,
            Texts::tr("The file %1 cannot be played. %2 Choose another file, or correct it.").arg(*file, *refusal));
    }
    return report(std::get<prefix::TraceResult>(run));
}

} // namespace kvlab::cli
