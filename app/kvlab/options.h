// SPDX-License-Identifier: GPL-3.0-or-later
// What the subcommands share: parsing with one usage error, and the two output streams.
#pragma once

#include <QCommandLineParser>
#include <QTextStream>

namespace kvlab::cli {

QTextStream &standardOutput(); ///< UTF-8
QTextStream &standardError(); ///< UTF-8

/// Parses; prints help or the error itself. nullopt = go on, else the exit code.
std::optional<int> parseArguments(QCommandLineParser &parser, const QStringList &arguments);

/// Prints "kvlab: <message>" to standard error and returns `code`.
int fail(int code, const QString &message);

} // namespace kvlab::cli
