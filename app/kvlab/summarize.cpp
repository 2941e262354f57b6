// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "input_file.h"
#include "listing.h"
#include "options.h"

#include "experiment/recorded_case.h"

#include <QCoreApplication>
#include <QJsonArray>

namespace kvlab::cli {

namespace {

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::cli::Summarize)
};

constexpr qint64 largestFile = 64LL * 1024 * 1024;

/// nullopt after a message.
std::optional<QJsonArray> summarizeAll(const QJsonArray &cases)
{
    QJsonArray results;
    for (const QJsonValue &one : cases) {
        const auto result = experiment::summarizeCase(one.toObject());
        if (const auto *problem = std::get_if<QString>(&result)) {
            fail(exitInputRefused, *problem);
            return std::nullopt;
        }
        results.append(std::get<QJsonObject>(result));
    }
    return results;
}

} // namespace

int runSummarize(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.addPositionalArgument(
        QStringLiteral("FILE.json"), Texts::tr("One case, or an array of cases: id, params and samples."));
    parser.setApplicationDescription(
        Texts::tr("Statistics and verdicts for recorded samples, as JSON.\n\n"
                  "Example: kvlab summarize cases.json\n\n"
                  "Exit codes: 0 done, 2 wrong usage, 3 file not readable or not made of cases."));
    if (const auto code = parseArguments(parser, arguments))
        return *code;
    const auto file = onlyFile(parser, QStringLiteral("kvlab summarize"));
    if (!file)
        return exitUsage;
    const auto document = readJsonFile(*file, largestFile);
    if (!document)
        return exitInputRefused;
    const QJsonObject object = document->object();
    const bool isList = document->isArray();
    const bool isFile = object.value(QLatin1String("cases")).isArray(); // as the reference file wraps them
    const auto results = summarizeAll(isList ? document->array()
            : isFile                         ? object.value(QLatin1String("cases")).toArray()
                                             : QJsonArray{object});
    if (!results)
        return exitInputRefused;
    const QJsonDocument out = isList ? QJsonDocument(*results)
        : isFile                     ? QJsonDocument(QJsonObject{{QStringLiteral("cases"), *results}})
                                     : QJsonDocument(results->first().toObject());
    standardOutput() << QString::fromUtf8(out.toJson());
    return flushed(exitDone);
}

} // namespace kvlab::cli
