// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "input_file.h"
#include "listing.h"
#include "options.h"

#include "lab/lab_reader.h"

#include <QCoreApplication>

namespace kvlab::cli {

namespace {

/// Context of this file's texts.
struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::cli::Lab)
};

int reportSound(const QString &file, const lab::Lab &lab)
{
    qsizetype steps = 0;
    for (const lab::Part &part : lab.parts)
        steps += part.steps.size();
    standardOutput() << Texts::tr("%1 is sound: lab “%2”, parts: %3, steps: %4, languages: %5.")
                            .arg(file, lab.id)
                            .arg(lab.parts.size())
                            .arg(steps)
                            .arg(lab.languages.join(QStringLiteral(", ")))
                     << '\n';
    return flushed(exitDone);
}

int reportProblems(const QString &file, const QList<lab::LabProblem> &problems)
{
    for (const lab::LabProblem &problem : problems)
        standardOutput() << lab::problemLine(problem) << '\n';
    const int code = flushed(exitInputRefused);
    return code == exitInputRefused
        ? fail(code, Texts::tr("%1 cannot be used as a lab; problems: %2.").arg(file).arg(problems.size()))
        : code;
}

} // namespace

int runLab(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.addPositionalArgument(QStringLiteral("check"), Texts::tr("What to do: check."));
    parser.addPositionalArgument(QStringLiteral("FILE.json"), Texts::tr("A lab of your own."));
    parser.setApplicationDescription(
        Texts::tr("Checks a guided lab: every problem is printed with its place in the file. How a lab is written: "
                  "resources/labs/README.md.\n\n"
                  "Example: kvlab lab check my-lab.json\n\n"
                  "Exit codes: 0 sound, 2 wrong usage, 3 file not usable, 5 could not write."));
    if (const auto code = parseArguments(parser, arguments))
        return *code;
    const QStringList words = parser.positionalArguments();
    if (words.size() != 2 || words.first() != QLatin1String("check"))
        return fail(exitUsage, Texts::tr("Usage: kvlab lab check FILE.json"));
    const auto content = readInputFile(words.at(1), lab::maxLabBytes);
    if (!content)
        return exitInputRefused;
    const auto read = lab::readLab(*content);
    if (const auto *problems = std::get_if<QList<lab::LabProblem>>(&read))
        return reportProblems(words.at(1), *problems);
    return reportSound(words.at(1), std::get<lab::Lab>(read));
}

} // namespace kvlab::cli
