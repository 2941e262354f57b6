// SPDX-License-Identifier: GPL-3.0-or-later
#include "options.h"

#include "commands.h"

#include <cstdio>

namespace kvlab::cli {

QTextStream &standardOutput()
{
    static QTextStream stream(stdout);
    return stream;
}

QTextStream &standardError()
{
    static QTextStream stream(stderr);
    return stream;
}

std::optional<int> parseArguments(QCommandLineParser &parser, const QStringList &arguments)
{
    const QCommandLineOption help = parser.addHelpOption();
    if (!parser.parse(arguments))
        return fail(exitUsage, parser.errorText());
    if (parser.isSet(help)) {
        standardOutput() << parser.helpText();
        standardOutput().flush();
        return exitDone;
    }
    return std::nullopt;
}

int fail(int code, const QString &message)
{
    standardError() << "kvlab: " << message << '\n';
    standardError().flush();
    return code;
}

} // namespace kvlab::cli
