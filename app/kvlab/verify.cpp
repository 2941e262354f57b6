// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "input_file.h"
#include "listing.h"
#include "options.h"

#include "session/verify.h"

#include <QCoreApplication>
#include <QJsonArray>

namespace kvlab::cli {

namespace {

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::cli::Verify)
};

constexpr qint64 largestFile = 256LL * 1024 * 1024;

/// A run, the runs of a sweep, or the run of a session.
QJsonArray runsIn(const QJsonObject &document)
{
    if (document.value(QLatin1String("runs")).isArray())
        return document.value(QLatin1String("runs")).toArray();
    if (document.value(QLatin1String("run")).isObject())
        return {document.value(QLatin1String("run"))};
    return {document};
}

void print(const session::Verification &result)
{
    for (const session::Disagreement &one : result.disagreements) {
        //: %1 a path in a file such as samples[3].ttft_ms
        standardOutput()
            << Texts::tr("%1: the file says %2, recomputed it is %3").arg(one.where, one.stored, one.computed) << '\n';
    }
    if (!result.had_checksums)
        standardOutput() << Texts::tr("The file has no checksums, so only what can be computed from its raw events was "
                                      "checked.")
                         << '\n';
    const QString samples = QString::number(result.samples);
    const QString figures = QString::number(result.figures);
    standardOutput() << (result.disagreements.isEmpty()
            ? Texts::tr("Everything agrees: %1 values of %2 samples.").arg(figures, samples)
            : Texts::tr("%1 of %2 values of %3 samples do not agree; the file was changed, or was written by a faulty "
                        "program.")
                  .arg(QString::number(result.disagreements.size()), figures, samples))
                     << '\n';
}

} // namespace

int runVerify(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.addPositionalArgument(
        QStringLiteral("FILE.json"), Texts::tr("What kvlab probe --json wrote, or a session."));
    parser.setApplicationDescription(Texts::tr(
        "Recomputes every stamp difference, verdict and statistic of a saved run from its raw events and says "
        "what does not agree.\n\n"
        "Example: kvlab verify run.json\n\n"
        "Exit codes: 0 everything agrees, 1 something does not, 2 wrong usage, 3 file not readable or no run."));
    if (const auto code = parseArguments(parser, arguments))
        return *code;
    const auto file = onlyFile(parser, QStringLiteral("kvlab verify"));
    if (!file)
        return exitUsage;
    const auto document = readJsonFile(*file, largestFile);
    if (!document)
        return exitInputRefused;
    bool agrees = true;
    for (const QJsonValue &run : runsIn(document->object())) {
        const auto result = session::verifyRun(run.toObject());
        if (const auto *problem = std::get_if<QString>(&result))
            return fail(exitInputRefused, *problem);
        const auto &verification = std::get<session::Verification>(result);
        agrees = agrees && verification.disagreements.isEmpty();
        print(verification);
    }
    return flushed(agrees ? exitDone : exitContradicted);
}

} // namespace kvlab::cli
